"""Deployment files are cut by what they declare, cited at their lines, and hold names of secrets only."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sources.deployment.deployed_files import COMPOSE, KUBERNETES, STATE, WORKFLOW, text_file

from haversack import Haversack
from haversack.model import Unit
from haversack.sources.deployment import DeploymentSource

SOURCE = DeploymentSource()


def units(path: str, text: str) -> list[Unit]:
    file = text_file(path, text)
    assert SOURCE.claims(file.path, file.lang)
    assert SOURCE.takes(file)
    found = list(SOURCE.units(file))
    lines = file.text.split("\n")
    for unit in found:
        assert SOURCE.cite(unit) == unit.citations
        assert unit.path == path
        if (
            unit.kind != "file"
            and unit.span is not None
            and unit.source == "deployment"
            and unit.meta["deploys"] != "terraform"
        ):
            assert unit.text == "\n".join(lines[unit.span.start - 1 : unit.span.end])
    assert len({unit.id for unit in found}) == len(found)
    return found


def told(found: list[Unit]) -> list[tuple[str, str, str]]:
    return [(unit.kind, unit.title, str(unit.span)) for unit in found]


def test_a_manifest_is_cut_by_resource_and_names_what_it_needs() -> None:
    found = units("k8s/prod/web.yaml", KUBERNETES)
    assert told(found) == [
        ("file", "k8s/prod/web.yaml", "1-31"),
        ("resource", "Deployment web in shop", "1-22"),
        ("resource", "Secret shop-db", "24-31"),
    ]
    web, secret = found[1:]
    assert web.meta["environment"] == "production"
    assert web.meta["secrets"] == ("shop-db/password",)
    assert web.meta["names"] == ("web", "DB_HOST", "DB_PASSWORD")
    assert web.meta["images"] == ("registry.example.com/shop/web:1.4",)
    assert {"shop-db", "web"} <= set(web.refs)
    assert secret.meta["secrets"] == ("shop-db/password", "shop-db/username")
    assert "dHVsaXA" not in secret.text


def test_lists_json_and_templates_are_cut_too() -> None:
    listed = (
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Service\n  metadata:\n    name: a\n"
        "- kind: Pod\n  metadata: {name: b}\n"
    )
    assert told(units("l.yaml", listed))[1:] == [("resource", "Service a", "4-7"), ("resource", "Pod b", "8-9")]
    assert told(units("p.json", '{\n"apiVersion": "v1",\n"kind": "Pod",\n"metadata": {"name": "x"}\n}\n'))[1][:2] == (
        "resource",
        "Pod x",
    )
    template = (
        "{{- if .Values.on }}\napiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}-web\n{{- end }}\n"
    )
    found = units("chart/templates/web.yaml", template)[1]
    assert found.title == "Service {{ .Release.Name }}-web"
    assert found.meta["values"] == ("on",)


def test_compose_is_cut_by_service() -> None:
    found = units("compose.yaml", COMPOSE)
    assert told(found)[1:] == [
        ("service", "service web", "2-9"),
        ("service", "service db", "10-13"),
        ("volume", "volume data", "16-17"),
        ("secret", "secret signing", "19-20"),
    ]
    web = found[1]
    assert web.refs == ("db", "signing", "web")
    assert web.meta["secrets"] == ("signing", "DB_PASSWORD")
    assert "tulip" not in "".join(unit.text for unit in found)


def test_pipelines_are_cut_by_job_whatever_runs_them() -> None:
    found = units(".github/workflows/build.yml", WORKFLOW)
    assert told(found)[1:] == [("job", "job test", "4-8"), ("job", "job publish", "9-13")]
    assert found[2].meta["secrets"] == ("REGISTRY_TOKEN",)
    assert found[2].refs == ("test",)
    gitlab = "stages: [a]\nbuild:\n  script: make\n  variables:\n    X: $DEPLOY_TOKEN\n"
    assert [(unit.title, unit.meta.get("secrets")) for unit in units(".gitlab-ci.yml", gitlab)[1:]] == [
        ("job build", ("DEPLOY_TOKEN",))
    ]
    cloud = "steps:\n- name: golang\n  args: [build]\n-\n  args: [x]\n"
    assert [unit.title for unit in units("cloudbuild.yaml", cloud)[1:]] == ["job golang", "job steps 2"]
    assert len(units("Jenkinsfile", "pipeline { agent any }\n")) == 1


def test_helm_values_are_cut_by_key() -> None:
    found = units("chart/values.yaml", "image:\n  tag: 1\ndb:\n  password: tulip\n")
    assert told(found)[1:] == [("values", "values image", "1-2"), ("values", "values db", "3-4")]
    assert found[2].meta["secrets"] == ("db.password",)
    assert len(units("chart/Chart.yaml", "name: web\nversion: 1.0.0\n")) == 1


def test_terraform_is_cut_by_block() -> None:
    text = (
        'variable "db_word" {\n  sensitive = true\n  default = "tulip"\n}\n\n'
        'resource "aws_instance" "web" {\n  ami = var.db_word\n}\n'
    )
    found = units("infra/main.tf", text)
    named = {unit.qualname or unit.name: unit for unit in found}
    assert {"aws_instance.web", "variable.db_word"} <= set(named)
    assert str(named["aws_instance.web"].span) == "6-8"
    assert all(unit.source == "deployment" and unit.id.startswith("d") for unit in found)
    assert "tulip" not in "".join(unit.text for unit in found)


def test_a_state_says_what_there_is() -> None:
    found = units("terraform.tfstate", STATE)
    assert told(found)[1:] == [
        ("output", "output endpoint in the state", "5-7"),
        ("output", "output admin in the state", "9-12"),
        ("resource", "aws_db_instance.main in the state", "16-24"),
        ("resource", "data.aws_vpc.home in the state", "29-32"),
    ]
    assert found[2].meta["secrets"] == ("admin",)
    assert "tulip" not in "".join(unit.text for unit in found)


def test_dockerfiles_units_processes_and_environments() -> None:
    docker = (
        "ARG V=1\nFROM golang:1.22 AS build\nRUN --mount=type=secret,id=netrc make\n"
        "FROM scratch\nCOPY --from=build /a /a\nENV API_TOKEN=tulip\n\n"
    )
    found = units("Dockerfile", docker)
    assert told(found)[1:] == [
        ("stage", "stage build from golang:1.22", "2-3"),
        ("stage", "stage 1 from scratch", "4-6"),
    ]
    assert (found[1].meta["secrets"], found[2].meta["secrets"]) == (("netrc",), ("API_TOKEN",))
    assert "build" in found[2].refs
    unit = "[Unit]\nAfter=db.service\n\n[Service]\nEnvironment=DB_PASSWORD=tulip X=1\nLoadCredential=key:/etc/key\n"
    found = units("web.service", unit)
    assert told(found)[1:] == [("section", "web.service [Unit]", "1-2"), ("section", "web.service [Service]", "4-6")]
    assert found[1].refs == ("db.service",)
    assert found[2].meta["secrets"] == ("key", "DB_PASSWORD")
    assert told(units("Procfile", "web: run\nworker: work\n"))[1:] == [
        ("process", "process web", "1-1"),
        ("process", "process worker", "2-2"),
    ]
    (env,) = units(".env.production", "DB_HOST=secret-host\nDB_PASSWORD=tulip\nPORT=80\n")
    assert env.meta["names"] == ("DB_HOST", "DB_PASSWORD", "PORT")
    assert env.meta["secrets"] == ("DB_HOST", "DB_PASSWORD")
    assert env.meta["environment"] == "production"
    assert env.title == ".env.production: DB_HOST, DB_PASSWORD, PORT"


def test_what_is_no_deployment_file_is_left_to_others() -> None:
    for path, text in (
        ("config.yaml", "a: 1\n"),
        ("package.json", "{}"),
        ("openapi.yaml", "openapi: 3\n"),
        ("settings.yml", "a: 1\n"),
    ):
        assert not SOURCE.takes(text_file(path, text))
    assert not SOURCE.claims("src/main.py", "python")


def test_kinds_can_be_switched_off() -> None:
    off = DeploymentSource(include_env_configs=False, include_k8s=False)
    assert not list(off.units(text_file(".env", "A=1\n")))
    assert not list(off.units(text_file("web.yaml", KUBERNETES)))
    assert list(off.units(text_file("compose.yaml", COMPOSE)))


@pytest.mark.parametrize(
    "path",
    [
        "x.yaml",
        "compose.yaml",
        "values.yaml",
        ".gitlab-ci.yml",
        "Dockerfile",
        "a.tfstate",
        "a.tf",
        ".env",
        "Procfile",
        "a.service",
    ],
)
@settings(max_examples=40, deadline=None)
@given(text=st.text(alphabet="ab:=- \n{}[],'\"|>#&*jobsFROM", max_size=150))
def test_any_text_is_cut_into_lines_that_exist(path: str, text: str) -> None:
    file = text_file(path, f"apiVersion: v1\nkind: Pod\n[Unit]\n{text}")
    lines = file.text.count("\n") + 1
    for unit in SOURCE.units(file):
        assert unit.span is None or 1 <= unit.span.start <= unit.span.end <= lines


BOMB = "apiVersion: v1\nkind: ConfigMap\na: &a [x, x, x, x]\n" + "".join(
    f"b{n}: &b{n} [*b{n - 1}, *b{n - 1}, *b{n - 1}]\n" for n in range(1, 400)
)


def test_bad_files_are_named_or_read_and_the_rest_goes_on(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / "bomb.yaml").write_text(BOMB)
    (root / "deep.yaml").write_text("apiVersion: v1\nkind: Pod\nx: " + "[" * 50_000 + "\n")
    (root / "template.yaml").write_text("apiVersion: v1\nkind: {{ .Kind }}\n{{ range .x }}\n- {{ . }}\n{{ end }}\n")
    (root / ".env").write_bytes(b"\x00\x01\x02A=tulip\x00" * 50)
    (root / "web.yaml").write_text(KUBERNETES)
    with Haversack(root, data_dir=tmp_path / "data") as haversack:
        report = haversack.index()
        assert report.skipped["binary"] == 1
        assert report.examples["binary"] == (".env",)
        shown = haversack.show("Deployment/web")
        assert shown.text.startswith("# The shop.\napiVersion: apps/v1\nkind: Deployment")
        assert str(shown.citation) == "web.yaml:1-22"
        packet = haversack.pack("the web deployment in kubernetes has too few replicas", budget=2000)
        assert any(item.source == "deployment" for item in packet.items)
