"""Each seed's numbers are a preset; a user's own is a few lines."""

from __future__ import annotations

import pytest

from haversack.errors import ConfigError
from haversack.pack.allocate import NO_CAP, allocate
from haversack.pack.presets import PRESETS, preset, preset_from_table


def test_task_divides_what_the_reserves_leave() -> None:
    task = preset("task")
    available = task.budget - task.reserve_for_output - task.reserve_for_system
    shares = allocate(task.sections, available)
    assert shares == {"primary": 45_000, "supporting": 27_000, "reference": 13_500, "history": 4_500}
    assert [section.threshold for section in task.sections] == [0.7, 0.5, 0.3, 0.3]


def test_enrichment_caps_six_sources() -> None:
    enrichment = preset("enrichment")
    caps = {section.name: (section.cap, section.threshold) for section in enrichment.sections}
    assert caps == {
        "conversation": (4_000, 0.3),
        "research": (4_000, 0.5),
        "documentation": (3_000, 0.4),
        "code": (12_000, 0.5),
        "deployment": (2_000, 0.6),
        "logs": (3_000, 0.7),
    }
    assert (enrichment.budget, enrichment.reserve_for_output) == (24_000, 4_000)
    assert allocate(enrichment.sections, 100_000) == {name: cap for name, (cap, _) in caps.items()}


def test_agent_shares_after_the_constitution() -> None:
    shares = allocate(preset("agent").sections, 1000)
    assert shares == {"constitution": 0, "tasks": 400, "conventions": 200, "decisions": 200, "learnings": 200}


def test_learning_weighs_sources_and_caps_items() -> None:
    learning = preset("learning")
    shares = allocate(learning.sections, 900)
    assert shares == {"experiences": 300, "code": 200, "commits": 200, "values": 100, "memories": 100}
    assert learning.item_cap == 0.25


def test_hydrate_stays_in_its_ranges() -> None:
    sections = preset("hydrate").sections
    assert allocate(sections, 4_000) == {"constitution": 500, "skills": 1_000, "context": 2_000, "code_symbols": 500}
    assert allocate(sections, 99_999) == {
        "constitution": 1_000,
        "skills": 2_000,
        "context": 4_000,
        "code_symbols": 1_000,
    }
    assert allocate(sections, 6_000) == {"constitution": 750, "skills": 1_500, "context": 3_000, "code_symbols": 750}


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_every_preset_uses_its_whole_budget_when_there_is_enough_to_show(name: str) -> None:
    chosen = preset(name)
    available = chosen.budget - chosen.reserve_for_output - chosen.reserve_for_system
    assert sum(allocate(chosen.sections, available).values()) == available


def test_an_unknown_preset_is_named() -> None:
    with pytest.raises(ConfigError, match="unknown name 'tasks'") as caught:
        preset("tasks")
    assert "did you mean 'task'" in caught.value.hint


def test_a_users_preset_may_stand_alone() -> None:
    mine = preset_from_table(
        "mine", {"budget": 5000, "sections": {"code": {"weight": 3, "cap": 4000}, "my_notes": {"floor": 200}}}
    )
    assert [section.name for section in mine.sections] == ["code", "my_notes"]
    assert mine.sections[1].title == "My notes"
    assert mine.sections[1].cap == NO_CAP
    assert allocate(mine.sections, 4000) == {"code": 3000, "my_notes": 1000}
    assert mine.budget == 5000


def test_a_users_preset_may_change_a_built_in_one() -> None:
    mine = preset_from_table(
        "mine",
        {
            "extends": "task",
            "reserve_for_output": 0,
            "item_cap": 0.5,
            "thresholds": {"primary": 0.8},
            "sections": {"history": {"weight": 20, "title": "Before"}, "extra": {"threshold": 0.2}},
        },
    )
    assert [section.name for section in mine.sections] == ["primary", "supporting", "reference", "history", "extra"]
    assert (mine.sections[3].title, mine.sections[3].weight, mine.sections[3].threshold) == ("Before", 20, 0.3)
    assert (mine.tiers.primary, mine.tiers.supporting) == (0.8, 0.5)
    assert (mine.item_cap, mine.reserve_for_output, mine.reserve_for_system) == (0.5, 0, 2000)


def test_a_section_leaves_its_pool_when_the_user_says_so() -> None:
    mine = preset_from_table("mine", {"extends": "task", "sections": {"supporting": {"pool": ""}}})
    assert [section.pool for section in mine.sections] == ["code", "", "", ""]


@pytest.mark.parametrize(
    ("entries", "message", "hint"),
    [
        ({"extend": "task"}, "unknown key 'extend'", "did you mean 'extends'"),
        ({"extends": "tsk"}, "unknown name 'tsk'", "did you mean 'task'"),
        ({}, "no section has a weight", "sections"),
        ({"sections": {"a": {"weight": 0}}}, "no section has a weight", "sections"),
        ({"sections": {"a": {"wieght": 1}}}, r"sections\.a: unknown key 'wieght'", "did you mean 'weight'"),
        ({"sections": {"a": 3}}, r"sections\.a: 3 is not a table", "table"),
        ({"sections": {"a": {"cap": "big"}}}, r"sections\.a\.cap: 'big' is not a whole number", "whole number"),
        ({"sections": {"a": {"floor": 9, "cap": 8}}}, "the floor 9 is above the cap 8", "lower"),
        ({"sections": {"a": {"title": "x\ny"}}}, "is not a title", "one line"),
        ({"sections": {"a": {"title": 7}}}, "7 is not a title", "one line"),
        ({"sections": {"a": {"threshold": 2}}}, "2 is out of range", "from 0 to 1"),
        ({"sections": {"a": {"pool": 2}}}, "2 is not a name", "text"),
        ({"extends": "task", "budget": -5}, "budget: -5 is out of range", "0 or more"),
        ({"extends": "task", "item_cap": 0}, "item_cap: 0 is out of range", "from 0.01 to 1"),
        ({"extends": "task", "thresholds": {"primary": 0.1}}, "the thresholds do not fall", "primary >="),
    ],
)
def test_a_slip_in_a_users_preset_is_named(entries: dict[str, object], message: str, hint: str) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        preset_from_table("mine", entries)
    assert "preset 'mine'" in caught.value.message
    assert hint in caught.value.hint
