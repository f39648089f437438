"""A small file may come whole; a large one and its large class do not both come as maps of the same lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import sample

from haversack import Haversack
from haversack.model import Level

STEPS = "".join(f"{{0}}session.note('step {step} of the renewal of a session')\n" for step in range(9))


def renewals(indent: str, number: int) -> str:
    """So many functions, indented."""
    inner = indent + "    "
    return "".join(
        f'{indent}def renew_{n}(session, hours={n}):\n{inner}"""Renew session number {n}."""\n{STEPS.format(inner)}\n'
        for n in range(number)
    )


TASK = "renewal of a session takes the wrong hours"


@pytest.fixture
def haversack(tmp_path: Path) -> Haversack:
    root = sample.make(tmp_path / "shop")
    text = f'"""Renewals of sessions."""\n\n\nclass Renewal:\n    """Renewal of sessions."""\n\n{renewals("    ", 40)}'
    text += "\n" + renewals("", 30)
    sample.write(root, "shop/renewal.py", text)
    return Haversack(root, data_dir=tmp_path / "data")


def test_the_same_lines_are_mapped_once(haversack: Haversack) -> None:
    with haversack:
        packet = haversack.pack(TASK, budget=12_000, fill=True)
    maps = [item for item in packet.items if item.path == "shop/renewal.py" and item.kind in ("file", "class")]
    assert len(maps) <= 1
    reasons = {each.title: each.reason for each in packet.omitted}
    assert "its parts compete instead" in (reasons.get("Renewal"), reasons.get("shop/renewal.py"))


def test_what_is_asked_for_is_no_map(haversack: Haversack) -> None:
    with haversack:
        packet = haversack.pack(TASK, budget=12_000, fill=True, pin=["shop/renewal.py", "Renewal"])
    left_out = [each for each in packet.omitted if each.path == "shop/renewal.py"]
    assert "its parts compete instead" not in {each.reason for each in left_out}


@pytest.mark.parametrize(
    ("budget", "pin", "whole"), [(12_000, [], False), (12_000, ["Renewal"], True), (100_000, [], True)]
)
def test_a_large_class_that_the_task_names_comes_whole_where_it_leaves_room(
    haversack: Haversack, budget: int, pin: list[str], whole: bool
) -> None:
    with haversack:
        packet = haversack.pack("the class `Renewal` takes the wrong hours", budget=budget, pin=pin)
    of_file = [item for item in packet.items if item.path == "shop/renewal.py"]
    assert any(item.kind == "class" and item.level in (Level.FULL, Level.LIGHT) for item in of_file) is whole
    if not whole:
        assert any(item.kind == "method" and item.level is Level.FULL for item in of_file), "its parts compete"


SMALL = '''"""Renewals of sessions."""

HOURS = 3


def renew(session, hours=HOURS):
    """Renew a session for some hours."""
    session.until += hours * 3600
    session.note("renewed")


def may_renew(session):
    """Whether renewal of the session is allowed."""
    return session.renewals < 5 and not session.closed


def renewal_hours(session):
    return min(HOURS, session.left)
'''


@pytest.mark.parametrize(("text", "kind"), [(SMALL, "file"), (SMALL + sample.UNRELATED, "function")])
def test_a_small_file_that_costs_no_more_than_its_parts_comes_whole_where_they_would_stand(
    tmp_path: Path, text: str, kind: str
) -> None:
    root = sample.make(tmp_path / "shop")
    sample.write(root, "shop/renewal.py", text)
    with Haversack(root, data_dir=tmp_path / "data") as opened:
        packet = opened.pack(TASK, budget=2_000)
    first = next(item for item in packet.items if item.path == "shop/renewal.py")
    assert (first.kind, first.level, first.section) == (kind, Level.FULL, "primary")
    whole = [
        item.text
        for item in packet.items
        if item.path == first.path and item.kind == "file" and item.level is Level.FULL
    ]
    assert whole == ([SMALL.rstrip()] if kind == "file" else [])
