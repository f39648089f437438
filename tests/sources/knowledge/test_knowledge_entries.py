"""Decisions and learnings: entries, fields, dates and what took whose place."""

from __future__ import annotations

import pytest
from knowledge_cases import DECISIONS, kinds, of_kind, read

from haversack.model import Status


def test_one_unit_per_entry_and_none_for_index_or_legend() -> None:
    units = read(DECISIONS, "DECISIONS.md")
    assert kinds(units) == {"decision": 8}
    assert not any("Example that is no entry" in unit.text for unit in units)
    assert "| 2026-07-25 |" not in units[0].text


def test_fields_are_kept_whole_under_one_spelling() -> None:
    first = of_kind(read(DECISIONS, "DECISIONS.md"), "decision")[0]
    assert first.title == "Keep one key per machine"
    assert {name: first.meta[name] for name in first.meta if name.startswith("field.")} == {
        "field.status": "Accepted",
        "field.context": "Keys were stored beside the data,\nand copied with it.",
        "field.decision": "One key per machine.",
        "field.rationale": "Fewer places to look.",
        "field.consequence": "The old folder is gone.",
        "field.alternatives": "A key per project.",
        "field.related": "[2026-01-20]",
    }
    assert str(first.citations[0]) == ".context/DECISIONS.md:14-29"


def test_every_way_to_say_that_an_entry_is_over_is_understood() -> None:
    found = {unit.title: unit.status for unit in of_kind(read(DECISIONS, "DECISIONS.md"), "decision")}
    live = {title for title, status in found.items() if status is Status.LIVE}
    assert live == {"Keep one key per machine", "Proposed thing"}


def test_the_successor_is_linked_in_both_directions_where_it_is_named() -> None:
    units = of_kind(read(DECISIONS, "DECISIONS.md"), "decision")
    new, old = units[0], units[1]
    assert old.meta["superseded_by"] == new.id
    assert new.meta["supersedes"] == (old.id,)
    assert units[3].meta["superseded_on"] == "2026-02-17"
    assert units[5].meta["successor"] == "one file per session"
    assert "superseded_by" not in units[5].meta, "no entry is called that"


def test_a_date_shared_by_two_entries_is_settled_by_their_titles() -> None:
    text = (
        "## [2026-01-01] Old way\n\n**Status**: Superseded by [2026-02-02] faster parser\n\n"
        "## [2026-02-02] A faster parser\n\n**Status**: Accepted\n\n## [2026-02-02] Nothing alike\n\nx\n"
    )
    old, new, _ = of_kind(read(text, "DECISIONS.md"), "decision")
    assert old.meta["superseded_by"] == new.id


@pytest.mark.parametrize("words", ["Superseded by [2026-02-02] something", "Superseded by parser"])
def test_a_successor_that_fits_several_entries_or_none_is_kept_as_words(words: str) -> None:
    text = (
        f"## [2026-01-01] Old way\n\n**Status**: {words}\n\n"
        "## [2026-02-02] A faster parser\n\nx\n\n## [2026-02-02] Nothing alike\n\nx\n"
    )
    old = of_kind(read(text, "DECISIONS.md"), "decision")[0]
    assert old.status is Status.SUPERSEDED
    assert "superseded_by" not in old.meta
    assert old.meta["successor"] == words.removeprefix("Superseded by ")


LEARNINGS = """# Learnings

## Themes

- hooks — how they fail → [hooks](learnings/hooks.md)

## Hooks

### Hooks run twice

**Discovered**: 2026-01-15

**Lesson**: Guard them.

**Application**: Everywhere.

### Hooks are slow
**Discovered**: 2026-01-16

Measure them.

## [2026-02-26-100000] Consolidated thing (consolidated)

**Consolidated from**: 8 entries (2026-01-01 to 2026-02-01)

- first
- second

### A heading inside the entry

More of it.

---

Loose words after the rule.

## A lesson without a date

It still counts.
"""


def test_learnings_under_group_headings_and_without_stamps() -> None:
    units = read(LEARNINGS, "LEARNINGS.md")
    learned = of_kind(units, "learning")
    assert [unit.title for unit in learned] == [
        "Hooks run twice",
        "Hooks are slow",
        "Consolidated thing (consolidated)",
        "A lesson without a date",
    ]
    assert learned[0].meta["field.lesson"] == "Guard them."
    assert learned[0].time == 1768435200.0
    assert learned[2].meta["field.consolidated_from"] == "8 entries (2026-01-01 to 2026-02-01)\n\n- first\n- second"
    assert learned[2].text.endswith("More of it.")
    assert learned[3].time is None
    assert "Loose words after the rule." in units[0].text


def test_themes_point_and_are_no_entries() -> None:
    section = of_kind(read(LEARNINGS, "LEARNINGS.md"), "section")
    assert [unit.title for unit in section] == ["Themes"]
    assert ".context/learnings/hooks.md" in section[0].refs


def test_a_themed_file_holds_entries_or_is_one() -> None:
    assert kinds(read("# Hooks\n\n## [2026-01-01] One\n\nx\n\n## [2026-01-02] Two\n\ny\n", "learnings/hooks.md")) == {
        "learning": 2
    }
    (one,) = of_kind(read("# Use one key\n\n**Status**: Accepted\n\nBecause.\n", "decisions/one-key.md"), "decision")
    assert (one.title, one.meta["field.status"]) == ("Use one key", "Accepted\n\nBecause.")
    (bare,) = of_kind(read("just words\n", "decisions/bare.md"), "decision")
    assert bare.text == "just words"
    assert kinds(read("\n\n", "decisions/empty.md")) == {}


def test_field_headings_inside_an_entry_are_its_fields() -> None:
    text = "## Use threads\n\n### Status\n\nAccepted\n\n### Context\n\nToo slow.\n\n## Next\n\n### Decision\n\nYes.\n"
    first, second = of_kind(read(text, "DECISIONS.md"), "decision")
    assert first.meta["field.status"] == "Accepted"
    assert first.meta["field.context"] == "Too slow."
    assert second.meta["field.decision"] == "Yes."


def test_ids_outlive_shifted_lines_new_titles_and_changed_bodies() -> None:
    before = of_kind(read(DECISIONS, "DECISIONS.md"), "decision")
    moved = DECISIONS.replace("# Decisions\n", "# Decisions\n\nA new line.\n").replace("per machine", "for a machine")
    after = of_kind(read(moved, "DECISIONS.md"), "decision")
    assert [unit.id for unit in before] == [unit.id for unit in after]


def test_equal_entries_have_different_ids() -> None:
    units = read("## [2026-01-01] Same\n\nx\n\n" * 3, "DECISIONS.md")
    assert len({unit.id for unit in units}) == 4


@pytest.mark.parametrize(
    ("stamp", "what"),
    [("2026-02-31", "there is no 2026-02-31"), ("2099-01-01-000000", "2099-01-01-000000 is in the future")],
)
def test_a_date_that_cannot_be_is_noted_and_the_entry_stays(stamp: str, what: str) -> None:
    (unit,) = of_kind(read(f"## [{stamp}] Still here\n\n**Status**: Accepted\n", "DECISIONS.md"), "decision")
    assert unit.time is None
    assert unit.meta["problems"] == (what,)
    assert unit.status is Status.LIVE
