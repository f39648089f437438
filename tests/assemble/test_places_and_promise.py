"""Which candidates are read, and where those that are named stand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from haversack.assemble.ladders import promise
from haversack.assemble.places import place
from haversack.model import Scored, Unit
from haversack.pack.presets import TASK


@pytest.mark.parametrize(("score", "section"), [(0.9, "primary"), (0.55, "primary"), (0.4, "supporting")])
def test_what_a_task_names_is_primary_unless_it_is_hardly_about_it(score: float, section: str) -> None:
    named = Scored(Unit("u", "code", "function", "f", "text"), score, {}, explicit=True)
    assert place(named, TASK.sections, TASK.tiers, homes={}, pinned=False) == section
    assert place(named, TASK.sections, TASK.tiers, homes={}, pinned=True) == "primary"
    unnamed = replace(named, explicit=False)
    assert place(unnamed, TASK.sections, TASK.tiers, homes={}, pinned=False) in ("primary", "supporting")


def test_of_equals_the_shorter_promises_more_and_of_equal_length_the_better() -> None:
    assert promise(0.8, 100) > promise(0.8, 400)
    assert promise(0.9, 400) > promise(0.8, 400)
    assert promise(0.5, 0) == promise(0.5, 1)
