"""Memories are stored, counted, superseded, changed and forgotten."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from remembered import opened

from haversack.errors import NotFoundError, StoreBusyError, StoreError, UsageError
from haversack.memory.database import MEMORIES, PAGE
from haversack.memory.nouns import Memory, Reward
from haversack.memory.store import MemoryStore
from haversack.model import Citation, Status


def test_what_is_remembered_is_there_when_opened_again(tmp_path: Path) -> None:
    said = Memory(
        "The API listens on port 8080",
        importance=0.9,
        paths=("src/api.py",),
        symbols=("serve",),
        tags=("net",),
        citations=(Citation.of_commit("1a2b3c4"), Citation.of_file("src/api.py")),
        session="s1",
        speaker="Ann",
    )
    with opened(tmp_path) as store:
        made = store.add(said).memory
    with opened(tmp_path) as store:
        assert store.get(made.id) == made
        assert store.get(made.id[:6]) == made
        assert store.memories() == [made]
        assert replace(made, id="", created=0.0, updated=0.0, number=0) == said


def test_saying_it_again_counts_and_adds_what_is_new(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        first = store.add(Memory("Use pnpm, not npm", importance=0.4, paths=("package.json",)))
        again = store.add(Memory("use pnpm not npm.", importance=0.8, paths=("ci.yml",), subject="packages"))
        assert (again.merged, again.memory.id, again.memory.count) == (True, first.memory.id, 2)
        (only,) = store.memories()
        assert (only.importance, only.paths, only.subject) == (0.8, ("package.json", "ci.yml"), "packages")


def test_without_merging_everything_is_kept(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.add_many([Memory("Hi!", category="event"), Memory("Hi!", category="event")], merge=False)
        assert len({each.id for each in store.memories()}) == 2


def test_a_contradiction_ends_the_older_one(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        old = store.add(Memory("The API listens on port 8080")).memory
        new = store.add(Memory("The API listens on port 9090"))
        assert new.superseded == (old.id,)
        assert [each.text for each in store.memories()] == ["The API listens on port 9090"]
        ended = store.get(old.id)
        assert (ended.status, ended.superseded_by) == (Status.SUPERSEDED, new.memory.id)
        back = store.add(Memory("The API listens on port 8080"))
        assert not back.merged
        assert back.superseded == (new.memory.id,)


def test_a_named_subject_has_one_statement(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        old = store.add(Memory("eight in the morning", subject="stand-up")).memory
        assert store.add(Memory("nine, by the coffee machine", subject="Stand-up")).superseded == (old.id,)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            Memory("The API listens on port 80", category="event"),
            Memory("The API listens on port 90", category="event"),
        ),
        (Memory("The port is 80"), Memory("The port is 90", scope="task", within="T-1")),
        (Memory("Retry", category="event", session="a"), Memory("Retry", category="event", session="b")),
        (Memory("Retry", category="fact"), Memory("Retry", category="decision")),
    ],
)
def test_events_and_other_scopes_are_left_alone(tmp_path: Path, old: Memory, new: Memory) -> None:
    with opened(tmp_path) as store:
        store.add(old)
        done = store.add(new)
        assert (done.merged, done.superseded) == (False, ())
        assert len(store.memories()) == 2


def test_superseding_serves_only_the_new_one(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        old = store.add(Memory("We meet on Mondays")).memory
        done = store.supersede(old.id, Memory("There are no meetings"))
        assert done.superseded == (old.id,)
        assert store.memories() == [done.memory]
        assert [each.status for each in store.memories(status=None)] == [Status.SUPERSEDED, Status.LIVE]


def test_editing_keeps_the_id_and_finds_the_new_words(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        made = store.add(Memory("We meet on Mondays")).memory
        done = store.edit(made.id, lambda old: replace(old, text="The till is green", importance=1.0)).memory
        assert (done.id, done.number, done.created) == (made.id, made.number, made.created)
        assert store.add(Memory("the till is green")).merged


def test_forgetting_removes_every_trace(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        made = store.add(Memory("We meet on Mondays")).memory
        assert store.forget(made.id) == made
        assert store.memories(status=None) == []
        assert store.database.rows("SELECT * FROM memory_key") == []
        with pytest.raises(NotFoundError, match="there is no memory"):
            store.get(made.id)


def test_names_that_fit_none_or_several_are_told_apart(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        for number in range(8):
            store.add(Memory(f"note {number}", category="event"), merge=False)
        with pytest.raises(NotFoundError, match="more than one memory begins with 'm'"):
            store.get("m")
        with pytest.raises(NotFoundError, match="there is no memory ''"):
            store.get("")


def test_lists_are_filtered_and_limited_to_the_newest(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.add_many([Memory(f"error {n}", category="error") for n in range(5)], merge=False)
        store.add(Memory("elsewhere", scope="task", within="T-1"))
        assert [each.text for each in store.memories(category="error", limit=2)] == ["error 3", "error 4"]
        assert [each.text for each in store.memories(scope="task", within="T-1")] == ["elsewhere"]


def test_pages_tell_what_changed(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.add_many([Memory(f"note {n}") for n in range(PAGE + 1)], merge=False)
        store.add(Memory("said in a session", session="s1"), merge=False)
        head = store.database.head(MEMORIES)
        assert [page for page, _ in store.database.pages(MEMORIES)] == [0, 1, 2]
        assert [len(store.memories(page=page)) for page in range(3)] == [PAGE, 1, 1]
        store.forget(store.memories(page=1)[0].id)
        assert [page for page, _ in store.database.pages(MEMORIES, after=head)] == [1]


def test_secrets_are_stored_as_their_kind_only(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with opened(tmp_path) as store:
        done = store.add(Memory(f"deploy with {token}", tags=(f"token={token}",), extra={"raw": [token]}))
        assert token not in done.memory.text
        assert any("looks like" in problem.what for problem in done.problems)
    for path in tmp_path.glob("memory.sqlite*"):
        assert token.encode() not in path.read_bytes()


def test_rewards_come_back_in_order(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        first = store.add_reward(Reward("p1", 1.0, ("a", "b"), ("a",), task="fix it"))
        second = store.add_reward(Reward("p2", 0.0))
        assert store.rewards() == [first, second]
        assert store.rewards(after=first.number) == [second]
        with pytest.raises(UsageError, match="from 0 to 1"):
            store.add_reward(Reward("p3", 7.0))


def test_a_file_that_is_no_database_is_kept_and_named(tmp_path: Path) -> None:
    (tmp_path / "memory.sqlite").write_bytes(b"this is not a database, but somebody's notes" * 40)
    with pytest.raises(StoreError, match="cannot be opened"):
        MemoryStore(tmp_path)
    assert (tmp_path / "memory.sqlite").read_bytes().startswith(b"this is not")


def test_a_newer_format_is_not_touched(tmp_path: Path) -> None:
    with opened(tmp_path) as store, store.database.writing() as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreError, match="newer haversack"):
        MemoryStore(tmp_path)


def test_a_locked_or_broken_database_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("haversack.memory.database.BUSY_SECONDS", 0.0)
    with opened(tmp_path) as one, opened(tmp_path) as other:
        with one.database.writing(), pytest.raises(StoreBusyError, match="cannot be written now"):
            other.add(Memory("too late"))
        with pytest.raises(StoreError, match="cannot be read"):
            one.database.rows("SELECT * FROM nothing")
        with pytest.raises(StoreError, match="could not be written"), one.database.writing() as db:
            db.execute("INSERT INTO nothing VALUES (1)")
        assert one.memories() == []
