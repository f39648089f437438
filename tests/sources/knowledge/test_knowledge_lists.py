"""Rules, tasks, conventions and terms: every bullet whole, nothing that is not one."""

from __future__ import annotations

import pytest
from knowledge_cases import TASKS, kinds, of_kind, read

from haversack.model import Status
from haversack.sources.knowledge import is_closed


def test_every_box_is_a_task_and_legends_and_code_are_not() -> None:
    units = read(TASKS, "TASKS.md")
    assert kinds(units) == {"task": 6, "section": 1}
    assert [unit.meta["state"] for unit in of_kind(units, "task")] == [
        "open", "done", "skipped", "open", "open", "done",
    ]  # fmt: skip


def test_a_wrapped_task_stays_whole_with_its_tags() -> None:
    first = of_kind(read(TASKS, "TASKS.md"), "task")[0]
    assert first.title == "Clean session ids before they become paths and keep the first eight characters of them"
    assert first.text.count("\n") == 3
    assert first.meta["priority"] == "high"
    assert first.meta["in_progress"] is True
    assert first.meta["section"] == "Phase 1: Input"
    assert first.time == 1774089252.0


def test_a_skipped_task_names_its_successor_and_keeps_its_paragraphs() -> None:
    skipped = of_kind(read(TASKS, "TASKS.md"), "task")[2]
    assert skipped.status is Status.SUPERSEDED
    assert skipped.meta["successor"] == "Phase 2"
    assert "A paragraph that still belongs to it." in skipped.text
    assert "A sentence between tasks." not in skipped.text


def test_nested_tasks_are_tasks_inside_their_parent() -> None:
    outer, inner, done = of_kind(read(TASKS, "TASKS.md"), "task")[3:]
    assert (inner.parent, done.parent) == (outer.id, outer.id)
    assert outer.text == "- [ ] Outer task\n  - a remark in it"
    assert outer.span is not None
    assert done.span is not None
    assert outer.span.end == done.span.end
    assert inner.meta["blocked"] is True
    assert "blocked" not in outer.meta
    assert outer.meta["section"] == "Phase 1: Input > Phase 1b"


def test_a_finished_task_keeps_its_id_and_is_closed() -> None:
    open_task = of_kind(read("- [ ] Do it\n", "TASKS.md"), "task")[0]
    done = of_kind(read("- [x] Do it #done:2026-01-01\n", "TASKS.md"), "task")[0]
    assert open_task.id == done.id
    assert not is_closed(open_task)
    assert is_closed(done)


@pytest.mark.parametrize(
    "line", ["1. [ ] numbered", "+ [ ] plus", "\t- [ ] tabbed", "* [ ] star", "- [?] odd box", "- [ ]: colon"]
)
def test_other_ways_to_write_a_box(line: str) -> None:
    (task,) = of_kind(read(f"{line}\n", "TASKS.md"), "task")
    assert task.meta["state"] == "open"


def test_a_long_task_has_a_title_that_ends_between_words() -> None:
    (task,) = of_kind(read("- [ ] " + "word " * 100 + "\n", "TASKS.md"), "task")
    assert task.title.endswith("word…")
    assert len(task.title) <= 160
    (solid,) = of_kind(read("- [ ] " + "x" * 400 + "\n", "TASKS.md"), "task")
    assert solid.title.endswith("x…")
    (empty,) = of_kind(read("- [ ]\n", "TASKS.md"), "task")
    assert empty.title == "(empty)"


def test_a_task_with_a_bad_date_or_a_superseded_tag() -> None:
    (bad,) = of_kind(read("- [ ] Do it #added:2026-02-31\n", "TASKS.md"), "task")
    assert bad.meta["problems"] == ("there is no 2026-02-31",)
    (over,) = of_kind(read("- [ ] Do it #superseded:2026-03-01\n", "TASKS.md"), "task")
    assert over.status is Status.SUPERSEDED


def test_rules_are_boxes_and_plain_bullets() -> None:
    text = (
        "# Constitution\n\nThese hold.\n\n## Safety\n\n- [ ] Never commit secrets\n- Ask first\n  - even at night\n\n"
        "## Care\n\nRead before you write.\n\n## Empty\n"
    )
    units = read(text, "CONSTITUTION.md")
    assert [unit.title for unit in of_kind(units, "rule")] == ["Never commit secrets", "Ask first", "Care"]
    assert "These hold." in units[0].text
    assert of_kind(units, "rule")[1].text == "- Ask first\n  - even at night"


def test_conventions_are_bullets_or_sections_of_prose() -> None:
    text = (
        "# Conventions\n\n- Loose one\n\n## Naming\n\nWhy.\n\n- One\n\n  more\n- Two\n---\ntext\n\n## Prose\n\nWords.\n"
    )
    units = read(text, "CONVENTIONS.md")
    assert [unit.title for unit in of_kind(units, "convention")] == ["Loose one", "One", "Two", "Prose"]
    assert [unit.title for unit in of_kind(units, "section")] == ["Naming"]
    assert of_kind(units, "convention")[1].text == "- One\n\n  more"
    assert kinds(read("- a\n- b\n", "conventions/naming.md")) == {"convention": 2}
    themes = "## Themes\n\n- layout — where things are → [layout](conventions/layout.md)\n"
    assert kinds(read(themes, "CONVENTIONS.md")) == {"section": 1}


def test_terms_are_headings_bullets_rows_and_bold_words() -> None:
    text = (
        "# Glossary\n\n## Packet\n\nWhat a model reads.\n\n## Others\n\n- **Unit**: a piece\n- `Rung` — a level\n\n"
        "## Table\n\n| Term | Meaning |\n|---|---|\n| **Floor** | least |\n| | none |\n| Cap | most |\n\nafter\n\n"
        "## Bold\n\n**Ledger**: remembers\nmore\n**Receipt**: says\n"
    )
    terms = of_kind(read(text, "GLOSSARY.md"), "term")
    assert [unit.title for unit in terms] == ["Packet", "Unit", "Rung", "Floor", "Cap", "Ledger", "Receipt"]
    assert terms[5].text == "**Ledger**: remembers\nmore"
    assert kinds(read("- **A**: b\n", "GLOSSARY.md")) == {"term": 1}


def test_a_fence_inside_a_task_belongs_to_it() -> None:
    text = "- [ ] Run this\n\n  ```sh\n  make\n  ```\n\n- [ ] Next\n"
    first, _ = of_kind(read(text, "TASKS.md"), "task")
    assert first.text.endswith("make\n  ```\n") or first.text.endswith("make\n  ```")
