"""Segments keep what they were given and notice damage."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from haversack.errors import StoreError
from haversack.index.segment import MAGIC, concatenate, distinct, open_segment, rows_of, write_segment
from haversack.index.terms import term_hash
from tests.index.made import prepared, unit

UNITS = [unit("a.py", "alpha", "the quick brown fox"), unit("a.py", "beta", "quick quick dog", start=5)]


def test_postings_come_back_with_their_counts(tmp_path: Path) -> None:
    segment = open_segment(tmp_path, write_segment(tmp_path, prepared(UNITS).rows))
    hashes = np.asarray([term_hash("quick"), term_hash("dog"), term_hash("absent")])
    (start, end), dog, absent = segment.edges(hashes)
    assert segment.slots(hashes)[2] == -1
    assert segment.units[start:end].tolist() == [0, 1]
    assert segment.counts[start:end].tolist() == [1, 2]
    assert segment.units[slice(*dog)].tolist() == [1]
    assert not len(segment.units[slice(*absent)])


def test_an_empty_segment_is_a_segment(tmp_path: Path) -> None:
    segment = open_segment(tmp_path, write_segment(tmp_path, prepared([]).rows))
    assert len(segment) == 0
    assert segment.slots(np.asarray([1, 2])).tolist() == [-1, -1]
    assert segment.edges(np.asarray([1, 2])) == [(0, 0), (0, 0)]


def test_concatenated_rows_number_their_units_one_after_the_other(tmp_path: Path) -> None:
    rows = concatenate([prepared(UNITS[:1]).rows, prepared(UNITS[1:]).rows])
    joined = open_segment(tmp_path, write_segment(tmp_path, rows))
    whole = open_segment(tmp_path, write_segment(tmp_path, prepared(UNITS).rows))
    for column in ("terms", "offsets", "units", "counts", "lengths", "starts", "ends", "vectors"):
        assert np.array_equal(getattr(joined, column), getattr(whole, column)), column


def test_living_rows_are_what_a_fresh_segment_of_them_would_hold(tmp_path: Path) -> None:
    segment = open_segment(tmp_path, write_segment(tmp_path, prepared(UNITS).rows))
    kept = open_segment(tmp_path, write_segment(tmp_path, rows_of(segment, np.asarray([False, True]))))
    fresh = open_segment(tmp_path, write_segment(tmp_path, prepared(UNITS[1:]).rows))
    assert np.array_equal(kept.terms, fresh.terms)
    assert np.array_equal(kept.units, fresh.units)
    assert np.array_equal(kept.vectors, fresh.vectors)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda raw: raw[:-10], "cut short"),
        (lambda raw: b"NOTMINE\n" + raw[8:], "damaged"),
        (lambda raw: raw[:20] + b"\xff\xff" + raw[22:], "damaged"),
        (lambda raw: b"", "cannot be read"),
    ],
)
def test_damage_is_noticed_and_named(tmp_path: Path, damage: Callable[[bytes], bytes], words: str) -> None:
    name = write_segment(tmp_path, prepared(UNITS).rows)
    path = tmp_path / name
    assert path.read_bytes().startswith(MAGIC)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(StoreError, match=words):
        open_segment(tmp_path, name)


def test_a_missing_segment_is_a_store_error(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read"):
        open_segment(tmp_path, "gone.seg")


@pytest.mark.parametrize("numbers", [[], [3], [3, 1, 3, 2, 1]])
def test_distinct_numbers_are_those_of_numpy(numbers: list[int]) -> None:
    given = np.asarray(numbers, dtype=np.int32)
    assert distinct(given).tolist() == np.unique(given).tolist()
