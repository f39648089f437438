"""What must not go wrong: huge texts, control characters, clocks, several processes, sudden ends."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest
from remembered import entry, opened

from haversack.errors import UsageError
from haversack.memory.nouns import Memory

WRITER = """
import sys
from pathlib import Path
from haversack.memory.nouns import Memory
from haversack.memory.store import MemoryStore

store = MemoryStore(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    store.add(Memory(f"process {sys.argv[2]} wrote note {number}", category="event"), merge=False)
    print(number, flush=True)
"""


def writer(folder: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), name, str(count)], stdout=subprocess.PIPE, text=True
    )


def test_two_processes_write_at_once_and_nothing_is_lost(tmp_path: Path) -> None:
    both = [writer(tmp_path, name, 25) for name in "ab"]
    for process in both:
        process.communicate()
    assert [process.returncode for process in both] == [0, 0]
    with opened(tmp_path) as store:
        assert len({each.text for each in store.memories()}) == 50


def test_what_was_stored_survives_a_killed_process(tmp_path: Path) -> None:
    process = writer(tmp_path, "a", 100_000)
    assert process.stdout is not None
    stored = [int(process.stdout.readline()) for _ in range(20)]
    process.send_signal(signal.SIGKILL)
    rest, _ = process.communicate()
    stored += map(int, rest.split())
    with opened(tmp_path) as store:
        assert [each.text for each in store.memories()][: len(stored)] == [
            f"process a wrote note {number}" for number in stored
        ]
        assert store.database.rows("PRAGMA integrity_check") == [("ok",)]


def test_a_memory_of_ten_megabytes_is_refused_with_the_way_out(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        with pytest.raises(UsageError, match="at most 100,000 characters, this one has 10,000,000") as error:
            store.add(Memory("x" * 10_000_000))
        assert "few sentences" in error.value.hint
        assert store.memories(status=None) == []


def test_control_characters_are_kept_and_named(tmp_path: Path) -> None:
    text = "red \x1b[31m alarm \x00 and half a pair \ud83d"
    with opened(tmp_path) as store:
        done = store.add(Memory(text))
        assert "control characters" in done.problems[0].what
        assert store.get(done.memory.id).text == text
        assert store.add(Memory("plain\ttext\nwith lines")).problems == ()


def test_a_clock_that_went_backwards_is_named_and_changes_no_order(tmp_path: Path) -> None:
    times = iter([2_000.0, 1_000.0, 3_000.0])
    with opened(tmp_path, clock=lambda: next(times)) as store:
        store.add(Memory("The port is 80"))
        second = store.add(Memory("The port is 90"))
        assert [problem.where for problem in second.problems] == ["clock"]
        assert [each.text for each in store.memories()] == ["The port is 90"]
        assert store.add(Memory("later")).problems == ()


@pytest.mark.parametrize(
    ("memory", "words"),
    [
        (Memory("  \n"), "the text is empty"),
        (Memory("x", category="rumour"), "unknown category 'rumour'"),
        (Memory("x", scope="galaxy"), "unknown scope 'galaxy'"),
        (Memory("x", importance=3.0), "from 0 to 1"),
        (Memory("x", importance=float("nan")), "from 0 to 1"),
    ],
)
def test_what_cannot_be_stored_is_said_and_nothing_is(tmp_path: Path, memory: Memory, words: str) -> None:
    with opened(tmp_path) as store:
        with pytest.raises(UsageError, match=words):
            store.add_many([Memory("fine"), memory])
        assert store.memories(status=None) == []


def test_an_experience_of_two_megabytes_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path) as store, pytest.raises(UsageError, match="more than the 1,000,000"):
        store.put_experience(entry(goal="g" * 2_000_000))
