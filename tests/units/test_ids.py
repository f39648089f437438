"""Ids name a unit by what it is, not by where its lines happen to be."""

from __future__ import annotations

import subprocess
import sys

from hypothesis import given
from hypothesis import strategies as st

from haversack.units.ids import unit_id

ANY = st.text(max_size=30)


def test_an_id_is_short_and_begins_with_its_source() -> None:
    found = unit_id("code", "src/shop.py", "function", "open_shop")
    assert found.startswith("c")
    assert len(found) == 13
    assert found.isalnum()


def test_every_part_counts() -> None:
    ids = {
        unit_id("code", "a.py", "function", "f", 0),
        unit_id("cade", "a.py", "function", "f", 0),
        unit_id("code", "b.py", "function", "f", 0),
        unit_id("code", "a.py", "method", "f", 0),
        unit_id("code", "a.py", "function", "g", 0),
        unit_id("code", "a.py", "function", "f", 1),
    }
    assert len(ids) == 6


def test_parts_do_not_run_together() -> None:
    assert unit_id("code", "a", "b", "cd") != unit_id("code", "a", "bc", "d")


@given(ANY, ANY, ANY, st.integers(0, 10_000))
def test_any_text_has_an_id_and_always_the_same(path: str, kind: str, qualname: str, ordinal: int) -> None:
    assert unit_id("code", path, kind, qualname, ordinal) == unit_id("code", path, kind, qualname, ordinal)


def test_unpaired_surrogates_have_an_id() -> None:
    assert unit_id("code", "a\udcff.py", "file", "") != unit_id("code", "a\udcfe.py", "file", "")


def test_the_id_is_the_same_in_another_process() -> None:
    command = "from haversack.units.ids import unit_id; print(unit_id('code', 'a.py', 'class', 'Cart', 2))"
    other = subprocess.run(
        [sys.executable, "-c", command],
        check=True,
        capture_output=True,
        text=True,
        env={"PYTHONHASHSEED": "7", "PYTHONPATH": ":".join(sys.path)},
    )
    assert other.stdout.strip() == unit_id("code", "a.py", "class", "Cart", 2)
