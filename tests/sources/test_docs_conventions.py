"""Documents that teams keep by convention, and API descriptions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haversack.api import Haversack
from haversack.model import Role, Status, Unit
from haversack.sources.docs import DocsSource
from haversack.sources.docs.conventions import code_of, convention_of
from haversack.sources.docs.openapi import operations
from haversack.sources.protocol import TextFile


def read(text: str, path: str, lang: str = "markdown") -> list[Unit]:
    file = TextFile(path=path, text=text, lang=lang, role=Role.DOCS, size=len(text), mtime_ns=5_000_000_000, digest="d")
    return list(DocsSource().units(file))


@pytest.mark.parametrize(
    ("path", "convention"),
    [
        ("AGENTS.md", "instruction"),
        ("packages/a/CLAUDE.md", "instruction"),
        (".claude/rules/style.md", "instruction"),
        (".cursor/rules/go.mdc", "instruction"),
        (".github/copilot-instructions.md", "instruction"),
        (".cursorrules", "instruction"),
        ("CONTRIBUTING.rst", "instruction"),
        ("docs/adr/0005-use-sqlite.md", "adr"),
        ("docs/decisions/0001-x.md", "adr"),
        (".aiwg/architecture/adrs/ADR-007-y.md", "adr"),
        ("docs/decisions/README.md", ""),
        (".aiwg/requirements/UC-001-login.md", "requirement"),
        (".aiwg/requirements/NFR-PERF-002.md", "requirement"),
        (".aiwg/security/TM-003.md", "requirement"),
        (".specify/memory/constitution.md", "requirement"),
        ("specs/001-login/plan.md", "requirement"),
        ("memory-bank/activeContext.md", "memory"),
        ("llms.txt", "llms"),
        ("docs/guide.md", ""),
    ],
)
def test_a_convention_is_known_by_where_the_file_stands(path: str, convention: str) -> None:
    assert convention_of(path) == convention


def test_documents_have_the_numbers_others_call_them_by() -> None:
    assert code_of("docs/adr/0005-use-sqlite.md") == "ADR-5"
    assert code_of(".aiwg/architecture/ADR-007-y.md") == "ADR-7"
    assert code_of(".aiwg/requirements/UC-001-login.md") == "UC-001"
    assert code_of("docs/guide.md") == ""
    assert read("# 5. Use SQLite\n", "docs/adr/0005-use-sqlite.md")[0].name == "ADR-5"


NYGARD = "# 2. Use files\n\n## Status\n\n{}\n\n## Context\n\nWe store things.\n\n## Decision\n\nFiles.\n"


@pytest.mark.parametrize(
    ("words", "status", "target"),
    [
        ("Accepted", Status.LIVE, None),
        ("Proposed", Status.LIVE, None),
        ("Accepted\n\nSupersedes [1. Old](0001-old.md)", Status.LIVE, None),
        ("Superseded by [ADR-0005](0005-use-sqlite.md)", Status.SUPERSEDED, "docs/adr/0005-use-sqlite.md"),
        ("Superceded by [5. Use SQLite](0005-use-sqlite.md)", Status.SUPERSEDED, "docs/adr/0005-use-sqlite.md"),
        ("Accepted\n\nSuperseded by ADR 0005", Status.SUPERSEDED, "ADR-5"),
        ("Superseded by [that](https://example.org/5)", Status.SUPERSEDED, None),
        ("Superseded by [that](../../../x.md)", Status.SUPERSEDED, None),
        ("Deprecated", Status.SUPERSEDED, None),
        ("Rejected", Status.SUPERSEDED, None),
    ],
)
def test_a_nygard_record_says_whether_it_holds(words: str, status: Status, target: str | None) -> None:
    units = read(NYGARD.format(words), "docs/adr/0002-use-files.md")
    assert {unit.status for unit in units} == {status}
    assert units[0].meta.get("superseded_by") == target
    assert units[0].meta["adr.status"] == words.partition("\n")[0]


def test_a_record_names_what_it_replaced() -> None:
    units = read(NYGARD.format("Accepted\n\nSupersedes [1. Old](0001-old.md)"), "docs/adr/0002-use-files.md")
    assert units[0].meta["supersedes"] == ("docs/adr/0001-old.md",)


def test_a_madr_record_keeps_its_status_in_front_or_in_a_list() -> None:
    front = "---\nstatus: superseded by [ADR-0005](0005-x.md)\ndate: 2026-01-02\ndeciders: a, b\n---\n# Use files\n"
    unit = read(front, "docs/decisions/0002-use-files.md")[0]
    assert unit.status is Status.SUPERSEDED
    assert unit.meta["superseded_by"] == "docs/decisions/0005-x.md"
    assert unit.meta["adr.date"] == "2026-01-02"
    listed = "# Use files\n\n* Status: accepted\n* Date: 2026-01-02\n\n## Context and Problem Statement\n\nx\n"
    unit = read(listed, "docs/decisions/0002-use-files.md")[0]
    assert (unit.status, unit.meta["adr.status"], unit.meta["adr.date"]) == (Status.LIVE, "accepted", "2026-01-02")


def test_a_record_in_restructuredtext_or_without_status() -> None:
    text = "Use files\n=========\n\nStatus\n------\n\nDeprecated\n\nContext\n-------\n\nx\n"
    assert read(text, "docs/adr/0002-use-files.rst", "rst")[0].status is Status.SUPERSEDED
    unit = read("# Use files\n\nx\n", "docs/adr/0002-use-files.md")[0]
    assert (unit.status, unit.meta["convention"]) == (Status.LIVE, "adr")


def test_instructions_are_marked_and_read_whatever_their_ending() -> None:
    assert {unit.meta["convention"] for unit in read("# A\n\nDo.\n\n## B\n\nx\n", "AGENTS.md")} == {"instruction"}
    assert DocsSource().claims(".cursorrules", "")
    assert [unit.title for unit in read("# Rules\n\nx\n", ".cursorrules", "")] == ["Rules", "Rules"]
    cursor = read("---\ndescription: Go\nglobs: *.go\nalwaysApply: true\n---\n# Go\n\nx\n", ".cursor/rules/go.mdc")
    assert cursor[0].meta["front.alwaysapply"] == "true"


def test_llms_txt_is_markdown() -> None:
    units = read("# Project\n\n> What it is\n\n## Docs\n\n- [Guide](docs/guide.md): how\n", "llms.txt", "text")
    assert [unit.title for unit in units] == ["Project", "Project", "Project > Docs"]
    assert units[2].refs == ("docs/guide.md",)


def test_a_note_of_basic_memory_keeps_its_observations_and_relations() -> None:
    text = (
        "---\ntitle: Coffee\npermalink: coffee\n---\n# Coffee\n\n- [method] Slow is better #brewing\n- [ ] a task\n"
        "- [link](x.md) no\n\n## Relations\n\n- relates_to [[Tea|tea]]\n"
    )
    units = read(text, "notes/coffee.md")
    assert units[0].meta["convention"] == "note"
    assert units[0].meta["observations"] == ("[method] Slow is better #brewing",)
    assert "Tea" in units[2].refs


YAML = """openapi: 3.0.0
info:
  title: Shop
paths:
  # all about pets
  /pets:
    parameters:
      - name: get
        in: query
    get:
      summary: List pets
      operationId: listPets
      tags:
        - pets
        - "all"
      responses:
        "200":
          description: ok

    post:
      tags: [pets, 'new']
      deprecated: true
      responses: {}
  "/pets/{id}":
    get:
      responses:
        get:
          description: a response called get
components:
  schemas:
    Pet: {}
"""


def test_each_operation_of_a_yaml_description_is_a_unit() -> None:
    units = read(YAML, "api/openapi.yaml", "yaml")
    assert [(unit.kind, unit.title, str(unit.span)) for unit in units] == [
        ("file", "openapi.yaml", "1-31"),
        ("operation", "GET /pets: List pets", "10-18"),
        ("operation", "POST /pets", "20-23"),
        ("operation", "GET /pets/{id}", "25-28"),
    ]
    first, second = units[1:3]
    assert (first.name, first.meta["tags"]) == ("listPets", ("pets", "all"))
    assert (second.meta["tags"], second.meta["deprecated"]) == (("pets", "new"), True)
    assert "components:" in units[0].text
    assert "listPets" not in units[0].text


def test_each_operation_of_a_json_description_is_a_unit() -> None:
    whole = {
        "swagger": "2.0",
        "paths": {
            "/a": {"get": {"summary": "A {b}", "operationId": "a", "tags": ["x"], "responses": {"get": {}}}},
            "/b": {"parameters": [{"get": {}}], "delete": {"deprecated": True}},
        },
        "x": {"paths": {"/c": {"get": {}}}},
    }
    text = json.dumps(whole, indent=2)
    units = read(text, "swagger.json", "json")
    assert [unit.title for unit in units[1:]] == ["GET /a: A {b}", "DELETE /b"]
    assert units[1].text.lstrip().startswith('"get": {')
    assert units[2].meta["deprecated"] is True


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("openapi: 3.0.0\n", "openapi.yaml"),
        ("paths:\n  /a:\n    get: {}\n", "openapi.yaml"),
        ("{torn", "openapi.json"),
        ("[]", "openapi.json"),
        ('{"openapi": "3", "paths": []}', "openapi.json"),
        ('{"openapi": "3", "paths": {"/a": {"get": {}, "put": {}}, "/b": []}}', "openapi.json"),
        ("", "openapi.yaml"),
    ],
)
def test_what_is_no_description_or_cannot_be_told_apart_is_a_plain_document(text: str, path: str) -> None:
    assert operations(text.split("\n"), path) == []
    assert read(text, path, "yaml")[0].kind == "file"


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="ab:{}[]\"'-/ \n#get", max_size=120))
def test_any_text_is_survived(text: str) -> None:
    operations(text.split("\n"), "openapi.yaml")
    operations(text.split("\n"), "openapi.json")
    for path in ("docs/adr/0001-x.md", "AGENTS.md", "notes/x.md"):
        assert read(text, path)


def test_what_the_host_reads_anyway_is_left_out_of_packets(tmp_path: Path) -> None:
    project = tmp_path / "project"
    (project / ".claude/rules").mkdir(parents=True)
    texts = {
        "CLAUDE.md": "Apples in the orchard are picked by hand before noon.",
        ".claude/rules/apples.md": "Never shake a tree: apples picked that way bruise.",
        "AGENTS.md": "The orchard's ladder stands behind the barn; pick from the top.",
        "README.md": "Apples.",
    }
    for name, words in texts.items():
        (project / name).write_text(f"# {name}\n\n{words}\n")
    task = "how are apples picked in the orchard"

    def paths(**settings: object) -> set[str]:
        flags = {"sources.docs.always_include": ["AGENTS.md", "CLAUDE.md"], **settings}
        with Haversack(project, data_dir=tmp_path / "data", flags=flags) as haversack:
            return {item.path.rpartition("/")[2] for item in haversack.pack(task).items if item.path} - {"README.md"}

    assert paths() == {"CLAUDE.md", "AGENTS.md", "apples.md"}
    assert paths(**{"sources.docs.loaded_by": "claude-code"}) == {"AGENTS.md"}
    assert paths(**{"sources.docs.loaded_by": "codex"}) == {"CLAUDE.md", "apples.md"}
