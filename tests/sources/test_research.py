"""Research becomes units that know what they came to."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haversack.api import Haversack
from haversack.model import Role, Unit
from haversack.sources.protocol import FileSource, TextFile
from haversack.sources.registry import load_sources
from haversack.sources.research import ResearchSource
from haversack.tokens import counter


def read(text: str, path: str, lang: str = "markdown") -> list[Unit]:
    file = TextFile(path, text, lang, Role.DOCS, len(text), 5_000_000_000, "d")
    return list(ResearchSource().units(file))


MARKDOWN = """# Which queue

We compared three. **Conclusion**: use the small one.

## Method

> The large one took 40 seconds.

Nothing else.

## Key findings

- The small one is fast
- The large one is not

### Details

Long text.
"""


def test_it_claims_the_folders_of_research_and_those_it_is_told() -> None:
    source = ResearchSource(["exports/"])
    assert isinstance(source, FileSource)
    for path in ("research/a.md", ".aiwg/research/b.json", "notes/x/y.txt", "exports/z.jsonl"):
        assert source.claims(path, "")
    for path in ("src/research/a.md", "research/a.py", "docs/notes.md"):
        assert not source.claims(path, "")
    names = load_sources().names
    assert names.index("research") < names.index("docs")


def test_conclusions_findings_and_quotes_are_recognised() -> None:
    units = read(MARKDOWN, "research/queue.md")
    assert [unit.title for unit in units] == [
        "Which queue", "Which queue", "Which queue > Method", "Which queue > Key findings",
        "Which queue > Key findings > Details",
    ]  # fmt: skip
    assert units[1].meta["findings"] == ("use the small one.",)
    assert units[2].meta["findings"] == ("The large one took 40 seconds.",)
    assert units[3].meta["findings"] == ("The small one is fast", "The large one is not")
    assert "findings" not in units[4].meta
    assert {unit.source for unit in units} == {"research"}
    assert units[2].parent == units[1].id
    assert len({unit.id for unit in units}) == 5


def test_heavy_compression_keeps_what_was_found() -> None:
    unit = read(MARKDOWN, "research/queue.md")[3]
    heavy = ResearchSource().compressors()["heavy"]
    assert heavy(unit, unit.text, 100) == "- The small one is fast\n- The large one is not"
    short = heavy(unit, unit.text, 8)
    assert short == "- The small one is fast"
    assert short is not None
    assert counter().count(short) <= 8
    plain = read("just\nwords\n", "notes/x.md")[0]
    assert heavy(plain, plain.text, 2) is None, "nothing was found: the general ladder tells it"


def test_a_json_export_is_one_unit_with_its_findings() -> None:
    text = json.dumps(
        {"query": "which  queue", "summary": "small", "findings": [{"text": "fast"}, "cheap", 3], "answer": None},
        indent=1,
    )
    (unit,) = read(text, "research/queue.json", "json")
    assert (unit.title, unit.meta["findings"]) == ("which queue", ("fast", "cheap", "small"))
    assert str(unit.citations[0]) == "research/queue.json:1-12"


def test_lines_of_json_are_records() -> None:
    units = read('{"title":"A","conclusion":"yes"}\n{torn\n[1]\n{"b":1}\n', ".aiwg/research/x.jsonl", "json")
    assert [(unit.kind, unit.title) for unit in units] == [("file", "x.jsonl"), ("record", "A"), ("record", "x.jsonl")]
    assert "{torn" in units[0].text


def test_pages_from_the_web_are_told_from_what_agents_wrote_and_can_be_left_out(tmp_path: Path) -> None:
    fetched = "---\nurl: https://example.org/queues\n---\n# Queues on the web\n\nQueues are slow.\n"
    assert {unit.meta["origin"] for unit in read(fetched, "research/web.md")} == {"web_searches"}
    assert read('{"url":"x"}\n', "research/x.jsonl", "json")[1].meta["origin"] == "web_searches"
    assert read(MARKDOWN, "research/queue.md")[0].meta["origin"] == "agent_outputs"
    (tmp_path / "project/research").mkdir(parents=True)
    (tmp_path / "project/research/web.md").write_text(fetched)
    (tmp_path / "project/research/queue.md").write_text(MARKDOWN)

    def shown(**flags: object) -> set[str]:
        with Haversack(tmp_path / "project", data_dir=tmp_path / "data", flags=flags) as haversack:
            return {item.path or "" for item in haversack.pack("which queues are slow", fill=True).items}

    assert shown() == {"research/web.md", "research/queue.md"}
    assert shown(**{"sources.research.include_web_searches": False}) == {"research/queue.md"}
    assert shown(**{"sources.research.include_agent_outputs": False}) == {"research/web.md"}


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '"x"', "\n\n"])
def test_bad_json_is_still_a_unit(text: str) -> None:
    assert read(text, "research/x.json", "json")[0].title == "x.json"
    assert read(text, "research/x.jsonl", "json")[0].kind == "file"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.sampled_from(["a.md", "a.json", "a.jsonl", "a.txt"]))
def test_any_text_is_survived(text: str, name: str) -> None:
    assert read(text, f"research/{name}")
