"""The other files of a knowledge folder, bad input, and what holds for any text."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from knowledge_cases import DECISIONS, TASKS, kinds, of_kind, read

from haversack.model import Role, Status
from haversack.sources.knowledge import KnowledgeSource
from haversack.sources.protocol import FileSource, TextFile
from haversack.sources.registry import load_sources

_NAMES = (
    "CONSTITUTION.md TASKS.md CONVENTIONS.md DECISIONS.md LEARNINGS.md ARCHITECTURE.md GLOSSARY.md AGENT_PLAYBOOK.md "
    "decisions/a.md learnings/b.md conventions/c.md steering/d.md journal/e.md archive/tasks-1.md trace/f.jsonl "
    "other.txt"
)
NAMES = _NAMES.split()


def test_it_claims_what_is_in_a_knowledge_folder_before_the_documents_do() -> None:
    source = KnowledgeSource()
    assert isinstance(source, FileSource)
    assert source.claims(".context/TASKS.md", "markdown")
    assert source.claims("packages/a/.context/steering/x.md", "markdown")
    assert not source.claims("docs/context/TASKS.md", "markdown")
    names = load_sources().names
    assert names.index("knowledge") < names.index("docs")
    assert list(source.compressors()) == ["light"]


def test_architecture_and_playbook_are_cut_by_heading() -> None:
    text = "# Architecture\n\n## Flow\n\nLeft to right.\n\n### Detail\n\nMore.\n\n## Empty\n"
    assert [unit.title for unit in of_kind(read(text, "ARCHITECTURE.md"), "architecture")] == [
        "Architecture > Flow",
        "Architecture > Flow > Detail",
    ]
    assert kinds(read(text, "AGENT_PLAYBOOK.md")) == {"section": 2}
    long = "# Long\n\n" + "line\n\n" * 200
    assert [unit.title for unit in of_kind(read(long, "ARCHITECTURE.md"), "architecture")][1].endswith("(part 2)")


def test_a_steering_file_is_one_unit_with_its_front_matter() -> None:
    text = "---\nname: go\ndescription: Go code\ninclusion: auto\npriority: 10\ntools: [a, b]\n---\n# Go\n\nUse it.\n"
    (unit,) = of_kind(read(text, "steering/go.md"), "steering")
    assert unit.title == "go"
    assert unit.meta["front.inclusion"] == "auto"
    assert unit.meta["front.tools"] == ("a", "b")
    assert of_kind(read("# Head\n\nx\n", "steering/x.md"), "steering")[0].title == "Head"
    assert kinds(read("\n", "steering/empty.md")) == {}


def test_a_journal_has_an_entry_and_its_turns() -> None:
    text = (
        "---\ntitle: Fix the key\ndate: 2026-07-01\ntype: bugfix\noutcome: completed\ntopics:\n  - keys\n---\n"
        "# Fix the key\n\n### 1. User (10:00:01)\n\nHello\n\n### 2. Assistant (10:00:05)\n\nDone\n"
    )
    units = read(text, "journal/2026-07-01.md")
    assert kinds(units) == {"journal": 1, "turn": 2}
    entry = of_kind(units, "journal")[0]
    assert entry.meta["front.topics"] == ("keys",)
    assert entry.time == 1782864000.0
    turn = of_kind(units, "turn")[1]
    assert (turn.meta["role"], turn.meta["at"], turn.parent) == ("Assistant", "10:00:05", entry.id)


def test_a_journal_whose_date_is_wrong_or_only_in_its_name() -> None:
    bad = of_kind(read("---\ndate: 2026-02-31\n---\nx\n", "journal/x.md"), "journal")[0]
    assert bad.meta["problems"] == ("there is no 2026-02-31",)
    named = of_kind(read("x\n", "journal/2026-07-01-words.md"), "journal")[0]
    assert named.time == 1782864000.0
    undated = of_kind(read("---\ndate: soon\n---\nx\n", "journal/y.md"), "journal")[0]
    assert undated.meta["problems"] == ("no date in 'soon'",)


def test_a_trace_gives_one_unit_per_commit() -> None:
    text = '{"commit":"abc123","refs":["decision:12","task:8"]}\n{torn\n{"other":1}\nwords\n{"commit":"def"}\n'
    units = read(text, "trace/history.jsonl")
    assert [unit.title for unit in of_kind(units, "trace")] == ["abc123: decision:12, task:8", "def"]


def test_the_archive_is_over() -> None:
    units = read("- [ ] Old\n", "archive/tasks-2026-01-01.md")
    assert [unit.status for unit in of_kind(units, "task")] == [Status.SUPERSEDED]
    assert kinds(read("# Notes\n\nx\n", "archive/notes.md")) == {"section": 1}
    (kept,) = of_kind(read("## [2026-01-01] Kept\n\nx\n", "decisions-reference.md"), "decision")
    assert kept.status is Status.LIVE


def test_an_unclosed_comment_hides_nothing_and_is_noted() -> None:
    units = read("# Tasks\n\n- [ ] One\n<!-- open\n- [ ] Two\n", "TASKS.md")
    assert kinds(units) == {"task": 2}
    assert units[0].meta["problems"] == ("line 4: a comment is never closed; it is read as text",)


def test_comments_written_as_code_are_text() -> None:
    units = read("- [ ] Skip `<!--` lines\n- [ ] Two <!-- x --> words\n- [ ] Three `-->`\n", "TASKS.md")
    assert [unit.title for unit in of_kind(units, "task")] == ["Skip `<!--` lines", "Two words", "Three `-->`"]


def test_an_index_that_never_ends_hides_only_its_table() -> None:
    units = read("<!-- INDEX:START -->\n\n| a |\n|---|\n\n## [2026-01-01] One\n\nx\n", "DECISIONS.md")
    assert kinds(units) == {"decision": 1}
    assert "no INDEX:END" in str(units[0].meta["problems"])


def test_an_unclosed_fence_hides_nothing() -> None:
    assert kinds(read("```\n- [ ] One\n", "TASKS.md")) == {"task": 1}
    assert kinds(read("````\n```\n- [ ] No\n````\n- [ ] One\n```x`\n- [ ] Two\n", "TASKS.md")) == {"task": 2}


def test_front_matter_that_is_not_yaml_and_bytes_that_mean_nothing_are_noted() -> None:
    units = read("---\n: : :\nwords\n", "steering/x.md")
    assert units[0].meta["problems"] == ("the front matter is not YAML; the file is read without it",)
    assert kinds(units) == {"steering": 1}
    assert "not UTF-8" in str(read("- [ ] caf\ufffd\n", "TASKS.md")[0].meta["problems"])


def test_ten_thousand_entries_are_ten_thousand_units() -> None:
    text = "".join(f"## [2026-01-01] Entry {n}\n\n**Lesson**: {n}\n\n" for n in range(10_000))
    assert kinds(read(text, "LEARNINGS.md")) == {"learning": 10_000}


def test_hostile_files_stay_linear() -> None:
    superseded = "## [2026-01-01] Same words here {0}\n\n**Status**: Superseded by [2026-01-01] other words here\n\n"
    text = "".join(superseded.format(n) for n in range(5_000))
    assert kinds(read(text, "DECISIONS.md")) == {"decision": 5_000}
    for filler in ("+", ".", "-", "@", "#", "a/", "`", "<!--", "[", "*", "- [ ] ", "~", "ADR", "_a"):
        read(filler * (100_000 // len(filler)), "TASKS.md")
        read(filler * (100_000 // len(filler)), "LEARNINGS.md")


def test_a_file_without_headings_or_words_is_still_a_file() -> None:
    for name in NAMES:
        for text in ("", "\n", "words only\n", "no newline"):
            units = read(text, name)
            assert units[0].kind == "file"


_LINES = (
    "# A|## B|### C|## [2026-01-01] D|---|***|- [ ] e|  - [x] f|- g|  h|i|||<!--|-->|<!-- INDEX:START -->|"
    "<!-- INDEX:END -->|```|~~~|**Status**: Superseded by [2026-01-01] D|**Lesson**: j|> **Superseded**: k|"
    "~~Superseded|| l | m |\n|---|---|\n| n | o |\n|#superseded:2026-01-01|### 1. User (10:00)|+++|\t- [-] p #added:x|"
    '{"commit":"q"}|\r|\u2028|`<!--`'
)
LINES = st.sampled_from(_LINES.split("|"))


@settings(max_examples=150, deadline=None)
@given(st.lists(LINES, max_size=40).map("\n".join) | st.text(max_size=300), st.sampled_from(NAMES))
def test_any_text_gives_units_whose_lines_are_the_files_lines(text: str, name: str) -> None:
    path = f".context/{name}"
    units = list(KnowledgeSource().units(TextFile(path, text, "markdown", Role.DOCS, 1, 0, "d")))
    lines = text.split("\n")
    assert len({unit.id for unit in units}) == len(units)
    for unit in units:
        if unit.span is not None:
            assert 1 <= unit.span.start <= unit.span.end <= len(lines)
    told = {line.strip() for unit in units for line in unit.text.split("\n")}
    if "<!--" not in text:  # nothing a reader sees is lost
        assert {line.strip() for line in lines if line.strip()} <= told | {""}


def test_reading_is_the_same_each_time() -> None:
    assert read(DECISIONS, "DECISIONS.md") == read(DECISIONS, "DECISIONS.md")
    assert read(TASKS, "TASKS.md") == read(TASKS, "TASKS.md")
