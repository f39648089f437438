"""Environments that say the same thing differently are compared, and the difference cites both sides."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from haversack import Haversack
from haversack.model import Unit
from haversack.project import find_project
from haversack.sources.deployment.environments import EnvironmentsSource
from haversack.sources.deployment.places import environment_of, pairs
from haversack.sources.protocol import ComparesFiles, SourceAdapter

BASE = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 1\n  template:\n    spec:\n"
    "      containers:\n      - name: web\n        image: web:1\n        env:\n"
    "        - name: LOG\n          value: debug\n"
)
PATCH = (
    "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 3\n  template:\n    spec:\n"
    "      containers:\n      - name: web\n        env:\n        - name: LOG\n          value: error\n"
    "        - name: DB_PASSWORD\n          value: tulip\n"
)


def write(root: Path, files: Mapping[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def differences(root: Path, files: Mapping[str, str], **options: bool) -> list[Unit]:
    project = find_project(write(root, files))
    source = EnvironmentsSource(**options)
    changed = source.discover(project, {}).changed
    return [unit for reading in source.read(project, changed) for unit in reading.units]


def test_it_is_an_adapter_that_is_given_the_files() -> None:
    source = EnvironmentsSource()
    assert isinstance(source, SourceAdapter)
    assert isinstance(source, ComparesFiles)
    assert set(source.compressors()) == {"light", "medium", "heavy"}


def test_values_of_production_against_the_defaults(tmp_path: Path) -> None:
    (unit,) = differences(
        tmp_path,
        {
            "chart/values.yaml": "replicas: 1\nimage:\n  tag: dev\ndebug: true\ndb:\n  password: rose\n",
            "chart/values-prod.yaml": "replicas: 3\nimage:\n  tag: dev\ntls: true\ndb:\n  password: tulip\n",
        },
    )
    assert unit.title == "production differs from default: chart/values.yaml"
    assert unit.text == (
        "production against default: chart/values.yaml\n"
        "~ replicas: 1 → 3  (chart/values.yaml:1, chart/values-prod.yaml:1)\n"
        "+ tls: true  (chart/values-prod.yaml:4)\n"
        "set on both sides, values hidden: db.password"
    )
    assert [str(citation) for citation in unit.citations] == ["chart/values.yaml:1-1", "chart/values-prod.yaml:1-4"]
    assert unit.meta["secrets"] == ("db.password",)
    assert EnvironmentsSource().cite(unit) == unit.citations


def test_an_overlay_is_compared_with_its_base_by_resource(tmp_path: Path) -> None:
    (unit,) = differences(
        tmp_path,
        {
            "k8s/base/web.yaml": BASE,
            "k8s/base/kustomization.yaml": "resources:\n- web.yaml\n",
            "k8s/overlays/prod/patch.yaml": PATCH,
            "k8s/overlays/prod/kustomization.yaml": "resources:\n- ../../base\nnamespace: live\n",
        },
    )
    assert "~ Deployment/web.spec.replicas: 1 → 3  (k8s/base/web.yaml:6, k8s/overlays/prod/patch.yaml:6)" in unit.text
    assert "env[LOG].value: debug → error" in unit.text
    assert "+ namespace: live" in unit.text
    assert "DB_PASSWORD].value: [redacted:password]" in unit.text
    assert "image" not in unit.text  # an overlay does not repeat what stays
    assert "tulip" not in unit.text


def test_environment_files_say_which_names_are_missing(tmp_path: Path) -> None:
    found = differences(
        tmp_path,
        {
            ".env": "DB_HOST=localhost\nDEBUG=true\nONLY_LOCAL=abcdef\nSECRET_KEY=rose\n",
            ".env.production": "DB_HOST=db.internal\nDEBUG=false\nSECRET_KEY=tulip\n",
            ".env.example": "DB_HOST=\n",
        },
    )
    told = {unit.meta["environment"]: unit.text for unit in found}
    assert set(told) == {"production", "example"}
    assert "~ DEBUG: true → false" in told["production"]
    assert "- ONLY_LOCAL: [redacted:env-value]  (.env:3)" in told["production"]
    assert "set on both sides, values hidden: SECRET_KEY" in told["production"]
    assert "db.internal" not in told["production"]


def test_variables_compose_files_settings_and_folders(tmp_path: Path) -> None:
    found = differences(
        tmp_path,
        {
            "infra/dev.tfvars": 'size = "small"\nzones = 1\n',
            "infra/prod.tfvars": 'size = "large"\n',
            "docker-compose.yml": "services:\n  web:\n    image: web:1\n    environment:\n    - LOG=debug\n",
            "docker-compose.prod.yml": "services:\n  web:\n    environment:\n    - LOG=error\n",
            "appsettings.json": '{"Log": {"Level": "Warning"}}\n',
            "appsettings.Production.json": '{"Log": {"Level": "Error"}}\n',
            "live/dev/main.tf": 'module "web" {\n  size = 1\n  tags = {\n    a = "x"\n  }\n}\n',
            "live/prod/main.tf": 'module "web" {\n  size = 4\n  tags = {\n    a = "x"\n  }\n}\n',
        },
    )
    text = "\n".join(unit.text for unit in found)
    assert "~ size: small → large  (infra/dev.tfvars:1, infra/prod.tfvars:1)" in text
    assert "- zones: 1  (infra/dev.tfvars:2)" in text
    assert "~ services.web.environment.LOG: debug → error" in text
    assert "~ Log.Level: Warning → Error  (appsettings.json:1, appsettings.Production.json:1)" in text
    assert "module web.size: 1 → 4  (live/dev/main.tf:2, live/prod/main.tf:2)" in text
    assert len(found) == 4


def test_equal_files_and_lone_files_give_nothing(tmp_path: Path) -> None:
    same = {
        "values.yaml": "a: 1\n",
        "values-prod.yaml": "a: 1\n",
        "compose.yaml": "services: {}\n",
        "src/test/a.yaml": "b: 1\n",
    }
    assert differences(tmp_path, same) == []


def test_kinds_that_are_switched_off_are_not_compared(tmp_path: Path) -> None:
    files = {
        ".env": "DEBUG=true\n",
        ".env.production": "DEBUG=false\n",
        "k8s/base/a.yaml": BASE,
        "k8s/prod/a.yaml": PATCH,
    }
    assert len(differences(tmp_path, files)) == 2
    assert differences(tmp_path, files, include_env_configs=False, include_k8s=False) == []


def test_only_what_changed_is_compared_again(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "values.yaml": "a: 1\n",
            "values-prod.yaml": "a: 2\n",
            "x.tfvars": "",
            ".env": "DEBUG=true\n",
            ".env.local": "DEBUG=false\n",
        },
    )
    project = find_project(tmp_path)
    source = EnvironmentsSource()
    known = {item.key: item.fingerprint for item in source.discover(project, {}).changed}
    assert len(known) == 2
    assert source.discover(project, known).changed == ()
    (tmp_path / "values-prod.yaml").write_text("a: 300\n")
    (tmp_path / ".env.local").unlink()
    changes = EnvironmentsSource().discover(project, known)
    assert [item.key for item in changes.changed] == ["environments:values.yaml:default:production"]
    assert changes.gone == ("environments:.env:default:local",)


def test_a_side_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    write(tmp_path, {".env": "DEBUG=true\n"})
    (tmp_path / ".env.production").write_bytes(b"\0\1\2" * 100)
    project = find_project(tmp_path)
    source = EnvironmentsSource()
    (reading,) = source.read(project, source.discover(project, {}).changed)
    assert reading.units == ()
    assert [problem.where for problem in reading.problems] == [".env.production"]


@pytest.mark.parametrize(
    ("path", "environment"),
    [
        ("values-prod.yaml", "production"),
        ("k8s/overlays/staging/a.yaml", "staging"),
        (".env.local", "local"),
        ("docker-compose.override.yml", "override"),
        ("src/app.py", ""),
    ],
)
def test_a_path_names_its_environment(path: str, environment: str) -> None:
    assert environment_of(path) == environment


def test_pairs_come_in_a_stable_order() -> None:
    paths = [
        ".env",
        ".env.prod",
        "a/values.yaml",
        "a/values.dev.yaml",
        "envs/dev/x.tf",
        "envs/prod/x.tf",
        "templates/values.yaml",
    ]
    keys = [pair.key for pair in pairs(paths)]
    assert keys == [pair.key for pair in pairs(reversed(paths))]
    assert keys == [
        "environments:.env:default:production",
        "environments:a/values.yaml:default:development",
        "environments:.:development:production",
    ]


@pytest.mark.parametrize(
    ("task", "named"),
    [
        ("checkout fails in production, works locally", True),
        ("why is prod slow but not staging", True),
        ("rounding differs on staging", False),  # there is no such environment here
        ("deploy the checkout to production", False),
        ("checkout only fails with euros", False),
    ],
)
def test_a_task_that_sets_environments_against_each_other_is_given_the_difference(
    tmp_path: Path, task: str, named: bool
) -> None:
    code = "\n".join(f"def checkout_{n}():\n    return 'checkout fails works {n}'\n" for n in range(40))
    files = {".env": "DEBUG=1\nRATE=5\n", ".env.production": "RATE=9\nCACHE=1\n", "shop.py": code}
    root = write(tmp_path / "shop", files)
    with Haversack(root, data_dir=tmp_path / "data") as haversack:
        packet = haversack.pack(task, budget=900, type="bug")
    items = [item for section in packet.receipt.sections for item in section.items if item.source == "environments"]
    assert any(item.explicit for item in items) is named


def test_works_locally_fails_in_production_finds_the_difference(tmp_path: Path) -> None:
    files = {
        "k8s/base/web.yaml": BASE,
        "k8s/overlays/prod/patch.yaml": PATCH,
        "web/main.py": "def main():\n    return 'web'\n",
    }
    root = write(tmp_path / "shop", files)
    with Haversack(root, data_dir=tmp_path / "data") as haversack:
        packet = haversack.pack("the web deployment works locally and fails in production: replicas, LOG", budget=3000)
        (item,) = [item for item in packet.items if item.source == "environments"]
        assert {citation.target for citation in item.citations} == {"k8s/base/web.yaml", "k8s/overlays/prod/patch.yaml"}
        assert "replicas: 1 → 3" in packet.text
        (root / "k8s/overlays/prod/patch.yaml").write_text(PATCH.replace("replicas: 3", "replicas: 55"))
        again = haversack.pack("the web deployment works locally and fails in production: replicas, LOG", budget=3000)
        assert "replicas: 1 → 55" in again.text
