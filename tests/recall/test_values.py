"""Values: found where experiences are alike, kept as more come, named alike in every run, honest where too few."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from haversack.errors import UsageError
from haversack.index.embed import to_length_one
from haversack.index.segment import Array
from haversack.memory.store import MemoryStore
from haversack.memory.vectors import Vectors
from haversack.model import Unit
from haversack.recall.clusters import centres, enough_alike, groups, without_common_part
from haversack.recall.values import find_values

SUBJECTS = ("memory leak in the worker", "flaky login test", "slow database query", "broken css layout")


class Words:
    """A small model: the words of a text, hashed, so that tests need no table and count what is embedded."""

    origin = ""
    name = "words"
    dimensions = 64

    def __init__(self) -> None:
        self.embedded = 0

    def embed(self, texts: Sequence[str]) -> Array:
        self.embedded += len(texts)
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                rows[row, sum(word.encode()) * 31 % self.dimensions] += 1.0
        return to_length_one(rows)

    def embed_units(self, units: Sequence[Unit], counted: Sequence[Mapping[int, int]]) -> Array:
        return self.embed([unit.text for unit in units])


def record(number: int, subject: str, **changes: object) -> dict[str, object]:
    return {
        "id": f"ghap_{number:04d}",
        "domain": "debugging",
        "strategy": "read-the-error",
        "goal": f"Fix the {subject}",
        "hypothesis": f"The {subject} is caused by the {subject}",
        "action": f"Look at the {subject} closely {number}",
        "prediction": f"No more {subject}",
        "outcome": {"status": "falsified", "result": f"The {subject} is still there"},
        "surprise": f"The {subject} moved",
        "root_cause": {"category": "oversight", "description": f"nobody looked at the {subject}"},
        "lesson": {"what_worked": f"watching the {subject}", "takeaway": f"Watch the {subject}"},
        "confidence_tier": "silver",
    } | changes


@pytest.fixture
def store(tmp_path: Path) -> Iterator[MemoryStore]:
    opened = MemoryStore(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def model() -> Words:
    return Words()


def fill(store: MemoryStore, count: int, first: int = 0) -> None:
    for number in range(first, first + count):
        store.put_experience(record(number, SUBJECTS[number % len(SUBJECTS)]))


def test_experiences_that_are_alike_make_a_value(store: MemoryStore, model: Words) -> None:
    fill(store, 16)
    found = find_values(store, model, axis="full")
    assert [value.size for value in found.values] == [4, 4, 4, 4]
    assert {value.text for value in found.values} == {f"Watch the {subject}" for subject in SUBJECTS}
    assert all(len(value.experiences) == 4 and 0 <= value.distance < 0.2 for value in found.values)
    assert found.experiences == {"full": 16}
    strategies = find_values(store, model, axis="strategy").values
    assert strategies[0].text.startswith("read-the-error: watching the")
    causes = find_values(store, model, axis="root_cause").values
    assert causes[0].text.startswith("oversight: nobody looked at")
    assert (causes[0].domains, causes[0].strategies, causes[0].confidence) == (("debugging",), ("read-the-error",), 0.8)


def test_too_few_experiences_are_said_to_be_too_few(store: MemoryStore, model: Words) -> None:
    nothing = find_values(store, model)
    assert len(nothing.problems) == 4
    assert "0 experiences are too few" in nothing.problems[0].what
    fill(store, 4)
    found = find_values(store, model, axis="full")
    assert found.values == ()
    assert "among 4 experiences no 3 are alike" in found.problems[0].what
    assert "switched off" in find_values(store, None).problems[0].what
    with pytest.raises(UsageError, match="unknown axis"):
        find_values(store, None, axis="diagonal")


@pytest.mark.parametrize("count", [3, 5, 6, 40])
def test_experiences_that_say_the_same_are_one_value(store: MemoryStore, model: Words, count: int) -> None:
    for number in range(count):
        store.put_experience(record(number, SUBJECTS[0]))
    found = find_values(store, model)
    assert [(value.axis, value.size) for value in found.values] == [
        (axis, count) for axis in ("full", "strategy", "surprise", "root_cause")
    ]
    assert found.values[-1].distance == 0.0
    assert found.problems == ()
    store.put_experience(record(count, SUBJECTS[0]))
    assert [value.size for value in find_values(store, model).values] == [count + 1] * 4


def test_one_more_joins_and_nothing_else_is_looked_at_again(store: MemoryStore, model: Words) -> None:
    fill(store, 64)
    before = find_values(store, model).values
    model.embedded = 0
    store.put_experience(record(64, SUBJECTS[0]))
    head = store.database.head("value")
    after = find_values(store, model).values
    assert model.embedded == 4  # the new one on its axes
    assert {value.id for value in after} == {value.id for value in before}
    grown = [value for value in after if value.size == 17]
    assert [value.axis for value in grown] == ["full", "strategy", "surprise", "root_cause"]
    assert store.database.head("value") > head
    assert [value for value in after if value.size == 16] == [
        value for value in before if "ghap_0000" not in value.experiences
    ]


def test_those_that_stood_alone_found_a_value_together(store: MemoryStore, model: Words) -> None:
    fill(store, 24)
    find_values(store, model)
    for number in range(24, 27):
        store.put_experience(record(number, "expired certificate chain"))
        found = find_values(store, model, axis="full")
    assert [value.size for value in found.values if "certificate" in value.text] == [3]


def test_names_stay_when_all_is_clustered_anew_and_are_alike_in_every_run(tmp_path: Path, model: Words) -> None:
    names = []
    for run in ("a", "b"):
        (tmp_path / run).mkdir()
        store = MemoryStore(tmp_path / run)
        fill(store, 16)
        first = {value.id for value in find_values(store, model).values}
        fill(store, 32, first=16)
        assert first == {value.id for value in find_values(store, model).values}
        names.append(first)
        store.close()
    assert names[0] == names[1]


def test_what_is_forgotten_or_revised_leaves_its_value(store: MemoryStore, model: Words) -> None:
    fill(store, 16)
    find_values(store, model)
    store.forget_experience("ghap_0000")
    store.put_experience(record(4, SUBJECTS[1]))
    found = find_values(store, model, axis="full").values
    assert sorted((value.size, value.text) for value in found) == [
        (4, "Watch the broken css layout"),
        (4, "Watch the slow database query"),
        (5, "Watch the flaky login test"),
    ]  # of four leaks one was forgotten and one was no leak: two are too few
    store.put_experience(record(5, SUBJECTS[1], root_cause=None))
    assert find_values(store, model, axis="root_cause").experiences == {"root_cause": 14}


def test_another_model_starts_over(store: MemoryStore, model: Words) -> None:
    fill(store, 16)
    find_values(store, model)
    other = Words()
    other.name = "other words"
    assert len(find_values(store, other, axis="full").values) == 4
    assert Vectors(store.database).model() == "other words"
    assert other.embedded == 64


def test_groups_do_not_depend_on_the_order_of_rows() -> None:
    random = np.random.default_rng(3)
    middles = random.normal(size=(4, 32))
    rows = np.repeat(middles, 10, axis=0) + 0.1 * random.normal(size=(40, 32))
    rows = without_common_part(rows.astype(np.float32))
    order = random.permutation(40)
    straight = {frozenset(each.tolist()) for each in groups(rows, enough_alike(rows), 3)}
    mixed = {frozenset(order[each].tolist()) for each in groups(rows[order], enough_alike(rows), 3)}
    assert straight == mixed == {frozenset(range(at, at + 10)) for at in (0, 10, 20, 30)}
    middle = centres(rows, [np.arange(10)], np.ones(40, dtype=np.float32))
    assert float(np.linalg.norm(middle[0])) == pytest.approx(1.0)
