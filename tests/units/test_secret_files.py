"""Values that are secret by the file they stand in are masked, whatever they look like; names and lines stay."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haversack.units.deployed import KINDS, deployed_kind, is_example, may_be_deployed
from haversack.units.redact import redact
from haversack.units.redact_diff import mask_diff
from haversack.units.secret_files import mask_file
from haversack.units.secret_names import is_secret_name, points_to_secret

# A word no rule for text could know as a secret, and the same in base64.
WORD, CODED = "tulip", "dHVsaXA="

HIDDEN = {
    "app.env": f"FLOWER={WORD}\nexport GARDEN='{WORD}\nand {WORD}'\n# OLD={WORD}\nBROKEN={WORD}\n{WORD}\n",
    ".env.production": f'A="{WORD} # {WORD}"\nB=`{WORD}`\nPIN=4455{WORD}\nc: {WORD}\n',
    ".env.example": f"DB_PASSWORD={WORD}\nAPI_TOKEN='{WORD}'\n",
    ".envrc": f"source_up\nexport TOKEN={WORD}\n",
    "secret.yaml": f"apiVersion: v1\nkind: Secret\nmetadata: {{name: x}}\ndata:\n  note: {CODED}\nstringData:\n  "
    f"file: |\n    {WORD}\n    {WORD}\n  other: >\n    {WORD}\n",
    "list.yaml": f"apiVersion: v1\nkind: List\nitems:\n- kind: Secret\n  data: {{a: {CODED}}}\n- kind: Pod\n",
    "secret.json": f'{{"apiVersion": "v1", "kind": "Secret",\n "data": {{"a": "{CODED}", "b": ["{CODED}"]}}}}\n',
    "anchor.yaml": f"apiVersion: v1\nkind: Secret\nx: &words\n  a: {WORD}\ndata: *words\n",
    "applied.yaml": "apiVersion: v1\nkind: Secret\nmetadata:\n  annotations:\n    "
    f'kubectl.kubernetes.io/last-applied-configuration: |\n      {{"data":{{"a":"{CODED}"}}}}\n',
    "template.yaml": f"{{{{- if .x }}}}\napiVersion: v1\nkind: Secret\ndata:\n  a: {CODED}\n{{{{- end }}}}\n",
    "pod.yaml": "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - env:\n    - name: DB_PASSWORD\n      "
    f"value: {WORD}\n    - {{name: API_TOKEN, value: {WORD}}}\n    args: ['--password={WORD}', --token, {WORD}]\n"
    f"    command: run --api-key={WORD}\n",
    "kustomization.yaml": f"secretGenerator:\n- name: s\n  literals:\n  - flower={WORD}\n",
    "compose.yaml": f"services:\n  db:\n    environment:\n      - MYSQL_ROOT_PASSWORD={WORD}\n"
    f"  web:\n    environment:\n"
    f"      DB_PASS: {WORD}\n      TOKEN: ${{TOKEN:-{WORD}}}\n",
    "charts/web/values.yaml": f"auth:\n  password: {WORD}\n  rootPassword: '{WORD}'\n",
    ".github/workflows/ci.yml": f"env:\n  DEPLOY_TOKEN: {WORD}\njobs:\n  a:\n    steps:\n    - run: |\n        "
    f"export PASSWORD={WORD}\n",
    "main.tf": f'variable "db_password" {{\n  default = "{WORD}"\n}}\nvariable "x" {{\n'
    f'  default   = "{WORD}"\n  sensitive = true\n'
    f'}}\nresource "a" "b" {{\n  master_password = "{WORD}"\n  secret_token = <<EOT\n{WORD}\nEOT\n}}\n',
    "prod.tfvars": f'db_password = "{WORD}"\n',
    "vars.tfvars.json": f'{{"db_password": "{WORD}"}}\n',
    "terraform.tfstate": json.dumps(
        {
            "version": 4,
            "outputs": {"a": {"value": WORD, "sensitive": True}, "admin_password": {"value": WORD}},
            "resources": [
                {
                    "type": "aws_db_instance",
                    "instances": [
                        {
                            "attributes": {"id": WORD, "blob": WORD, "tags": {"x": WORD}, "number": 5},
                            "sensitive_attributes": [[{"type": "get_attr", "value": "id"}]],
                            "private": CODED,
                        }
                    ],
                },
                {"type": "random_string", "instances": [{"attributes": {"id": WORD, "result": WORD}}]},
            ],
        },
        indent=2,
    ),
    "cut.tfstate": f'{{\n  "outputs": {{\n    "a": {{\n      "value": "{WORD}",\n      "sens',
    "Dockerfile": f"FROM a\nENV DB_PASSWORD {WORD}\nENV A=1 API_TOKEN={WORD}\nARG TOKEN={WORD}\n",
    "web.service": f'[Service]\nEnvironment="DB_PASSWORD={WORD}" X=1\nEnvironment=TOKEN={WORD}\n'
    f"SetCredential=a:{WORD}\n",
    "Procfile": f"web: SECRET={WORD} run\n",
    "config/database.yml": f"production:\n  password: {WORD}\n",
    "application.properties": f"spring.datasource.password={WORD}\n",
    "settings.toml": f'password = "{WORD}"\n',
    ".pgpass": f"host:5432:db:me:{WORD}\n",
    ".htpasswd": f"me:{WORD}\n",
    ".netrc": f"machine a\nlogin b\npassword {WORD}\n",
    ".my.cnf": f"[client]\npassword={WORD}\n",
}


@pytest.mark.parametrize("path", HIDDEN)
def test_no_value_is_left_and_no_line_moves(path: str) -> None:
    text = HIDDEN[path]
    masked = mask_file(path, text)
    assert WORD not in masked
    assert CODED not in masked
    assert "[redacted:" in masked
    assert masked.count("\n") == text.count("\n")
    assert mask_file(path, masked) == masked
    assert redact(masked).text.count("\n") == text.count("\n")


OPEN = {
    ".env": "PORT=8080\nDEBUG=true\nNODE_ENV=production\nLOG_LEVEL=debug\nEMPTY=\nURL=${BASE}\nTIMEOUT_SECONDS=30\n",
    ".env.example": "DATABASE_URL=postgres://localhost/app\nAPI_KEY=your-key-here\nSECRET_KEY=\nTOKEN=<token>\n",
    "pod.yaml": "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - env:\n    - name: API_TOKEN\n      valueFrom:\n"
    "        secretKeyRef: {name: db, key: token}\n    volumes:\n    - secret:\n        secretName: db\n",
    "compose.yaml": "services:\n  db:\n    environment:\n"
    "      POSTGRES_PASSWORD_FILE: /run/secrets/db\n      TOKEN: ${TOKEN}\n"
    "    secrets:\n      - db_password\nsecrets:\n  db_password:\n    file: ./db.txt\n",
    "values.yaml": "auth:\n  existingSecret: web-db\n  enabled: true\nimagePullSecrets: []\ntokenTtl: 300\n",
    ".github/workflows/ci.yml": "permissions:\n  id-token: write\njobs:\n  a:\n"
    "    secrets: inherit\n    env:\n      TOKEN: ${{ secrets.TOKEN }}\n",
    "main.tf": 'resource "a" "b" {\n  password = var.db_password\n  key_name = "web"\n'
    "  secret_id = aws_secret.x.id\n}\n",
    "terraform.tfstate": '{\n "version": 4,\n'
    ' "outputs": {"url": {"value": "open", "type": "string"}},\n "resources": [\n  '
    '{"type": "aws_instance", "name": "web", "instances": [{"attributes": {"id": "i-1", "port": 80}}]}]}\n',
    "locales/en.yml": "en:\n  password: Password\n  token: Token\n",
    "Dockerfile": "FROM a\nARG TOKEN\nENV PATH=/bin\n",
    "src/keys.py": 'password = "tulip"\n',
    "notes.md": "The password is tulip.\n",
}


@pytest.mark.parametrize("path", OPEN)
def test_names_references_and_plain_settings_stay(path: str) -> None:
    assert mask_file(path, OPEN[path]) == OPEN[path]


@pytest.mark.parametrize(
    ("path", "text", "kind"),
    [
        ("deploy/web.yaml", "apiVersion: apps/v1\nkind: Deployment\n", "kubernetes"),
        ("deploy/web.json", '{\n  "apiVersion": "v1",\n  "kind": "Pod"}\n', "kubernetes"),
        ("docker-compose.prod.yml", "services: {}\n", "compose"),
        ("chart/templates/web.yaml", "apiVersion: v1\nkind: Pod\n", "helm"),
        ("web/templates/page.yaml", "title: x\n", ""),
        ("chart/values-prod.yaml", "a: 1\n", "helm"),
        (".gitlab-ci.yml", "build: {}\n", "ci"),
        ("Jenkinsfile", "pipeline {}\n", "ci"),
        ("infra/main.tf", "", "terraform"),
        ("infra/terraform.tfstate.backup", "{}", "terraform-state"),
        ("Dockerfile.dev", "FROM a\n", "dockerfile"),
        ("web.dockerfile", "FROM a\n", "dockerfile"),
        ("Procfile", "web: x\n", "procfile"),
        ("web.service", "[Unit]\n", "systemd"),
        ("web.service", "class WebService\n", ""),
        (".env", "", "env"),
        ("docker/web.env", "", "env"),
        ("src/env.py", "", ""),
        ("src/environment.ts", "", ""),
        ("README.md", "apiVersion: v1\nkind: Pod\n", ""),
        ("openapi.yaml", "openapi: 3.0.0\n", ""),
    ],
)
def test_a_deployment_file_is_known_by_its_name_or_its_text(path: str, text: str, kind: str) -> None:
    assert deployed_kind(path, text) == kind
    assert not kind or (may_be_deployed(path) and kind in KINDS)


def test_examples_are_told_from_the_real_thing() -> None:
    assert all(map(is_example, (".env.example", "a/.env.sample", "env.dist", ".env.template")))
    assert not any(map(is_example, (".env", ".env.production", "examples/.env")))


@pytest.mark.parametrize(
    "name",
    ["password", "DB_PASS", "rootPassword", "API_TOKEN", "client_secret", "signingKey", "PASSWORD_PROD", "pgpassword"],
)
def test_names_of_secrets(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    ["secretName", "passwordFile", "existingSecret", "sort_key", "tokenUrl", "compass", "primaryKey", "", "42", "pass"],
)
def test_names_of_other_things(name: str) -> None:
    assert not is_secret_name(name)


def test_values_that_only_point_to_a_secret() -> None:
    pointing = (
        "",
        "${TOKEN}",
        "$TOKEN",
        "{{ .Values.x }}",
        "!Ref Db",
        "*db",
        "var.x",
        "/run/secrets/db",
        "true",
        "<token>",
    )
    assert all(map(points_to_secret, pointing))
    assert not any(map(points_to_secret, (WORD, "${TOKEN:-tulip}", "12345678", "hunter2")))


def diff(path: str, *lines: str) -> str:
    return f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1,2 +1,2 @@\n" + "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("path", "lines"),
    [
        (".env", ("-FLOWER=rose", f"+FLOWER={WORD}")),
        ("s.yaml", (" apiVersion: v1", " kind: Secret", " data:", f"+  a: {CODED}")),
        ("s.yaml", (" data:", f"-  a: {CODED}")),
        ("compose.yaml", ("     environment:", f"+      DB_PASSWORD: {WORD}")),
        ("terraform.tfstate", (f'+            "blob": "{WORD}",',)),
    ],
)
def test_changed_lines_are_masked_as_their_file_would_be(path: str, lines: tuple[str, ...]) -> None:
    text = diff("src/a.py", "+x = 1") + diff(path, *lines) + diff("src/b.py", "-y = 2")
    masked = mask_diff(text)
    assert WORD not in masked
    assert CODED not in masked
    assert masked.count("\n") == text.count("\n")
    assert [line[:1] for line in masked.split("\n")] == [line[:1] for line in text.split("\n")]
    assert diff("src/a.py", "+x = 1") in masked


def test_a_diff_without_secrets_stays_as_it_is() -> None:
    for text in ("", "no diff", diff("a.yaml", "+name: web"), "diff --git a/a.env b/a.env\nBinary files differ\n"):
        assert mask_diff(text) == text


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(sorted(HIDDEN)), st.text(alphabet="ab:=- \n{}[],'\"|>#&*$\tPASSWORDkind: Secret", max_size=150))
def test_any_text_under_any_name_keeps_its_lines(path: str, text: str) -> None:
    masked = mask_file(path, text)
    assert masked.count("\n") == text.count("\n")
    assert mask_diff(diff(path, *text.split("\n"))).count("\n") == diff(path, *text.split("\n")).count("\n")


@pytest.mark.parametrize("path", [".env", "s.yaml", "main.tf", "Dockerfile", "x.tfstate"])
@pytest.mark.parametrize(
    "text", ["a" * 300_000, "A=" * 100_000, " " * 300_000 + "#", 'A="\n' * 50_000, 'variable "password" {\n' * 20_000]
)
def test_text_made_to_be_slow_is_not(path: str, text: str) -> None:
    assert mask_file(path, f"apiVersion: v1\nkind: Secret\n{text}").count("\n") == text.count("\n") + 2
