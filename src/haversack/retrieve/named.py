"""What a task names: paths, symbols, stack frames, numbers of documents, and what holds the messages it quotes."""

from __future__ import annotations

from itertools import chain

from haversack.index import relational, symbolic
from haversack.index.scan import innermost
from haversack.index.snapshot import Snapshot
from haversack.model import Span, Task
from haversack.retrieve import mentioned, quoted

TEST_TASK = "test"


def named(snapshot: Snapshot, task: Task) -> list[int]:
    """Positions of what the task names, each once, in the order of frames, paths, symbols, documents, quotations."""
    found: list[int] = []
    for path, line, function in task.frames:
        (so_called,) = symbolic.defined(snapshot, [function])
        for item in _best_suffix(snapshot, path):
            # The function first: line numbers in a trace are often of another version.
            here = [p for p in so_called if int(snapshot.item_of[p]) == item]
            held = innermost(snapshot, item, Span(line, line)) if line else snapshot.first_position(item)
            found += here or ([held] if held is not None else [])
    found += map(snapshot.first_position, named_files(snapshot, task))
    symbols = symbolic.defined(snapshot, list(task.identifiers))
    if task.type != TEST_TASK:
        symbols = [_tests_aside(snapshot, each) for each in symbols]
    found += chain.from_iterable(each for each in symbols if len(each) <= relational.COMMON_NAME)
    found += (*mentioned.coded(snapshot, task), *quoted.holders(snapshot, task))
    return [position for position in dict.fromkeys(found) if position >= 0]


def named_files(snapshot: Snapshot, task: Task) -> list[int]:
    """Items that the task names by their path, each once, in its order."""
    return list(dict.fromkeys(item for path in task.paths for item in _best_suffix(snapshot, path)))


def _tests_aside(snapshot: Snapshot, positions: list[int]) -> list[int]:
    """Without those in tests, unless all are: a test is often called what it tests."""
    return [p for p in positions if not relational.is_test(snapshot, p)] or positions


def _best_suffix(snapshot: Snapshot, path: str) -> list[int]:
    """Items that a path in a task or a trace may mean, by its longest known trailing part, unless too many fit."""
    parts = [part for part in path.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    for start in range(len(parts)):
        exact = snapshot.positions_by_key.get("/".join(parts[start:]))
        if exact is not None:
            return [exact]
    for start in range(len(parts)):
        tail = "/".join(parts[start:])
        if "." in tail or "/" in tail:
            found = [n for n in symbolic.paths(snapshot, tail) if snapshot.items[n].key.endswith(tail)]
            if found:
                return found if len(found) <= relational.COMMON_NAME else []
    return []
