"""What speaks for each piece of code being what a task is about, as named numbers: what the ranking weighs.

Everything is relative to the best of the code for this task, so that one set of weights serves every project.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from haversack.index.records import KINDS, ROLES
from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot, plain
from haversack.index.units import UnitReader
from haversack.model import Role, Task
from haversack.retrieve.addressed import addressed
from haversack.retrieve.company import Past
from haversack.retrieve.fusion import Signals, best, best_of_items, nearness, ranks, scaled
from haversack.retrieve.history import by_folder
from haversack.retrieve.lately import Changes, lately, newest_changes
from haversack.retrieve.links import SEEDS, best_seeds, linked
from haversack.retrieve.own_past import OwnPast
from haversack.retrieve.referred import referred
from haversack.retrieve.spoken import spoken
from haversack.retrieve.title import titled
from haversack.retrieve.word_by_word import word_by_word

TESTS = 60  # best test files that vouch for the file they are named after
MOST_ASKED = 150  # terms of a task past which more tell nothing
TEST_WORDS = ("test", "tests", "spec")
# Roles that are not plain source, kinds that are not functions: each is a number of its own.
TOLD_ROLES = tuple(role for role in ROLES if role is not Role.SOURCE)
TOLD_KINDS = ("file", "class", "method", "type", "constant", "block")


class Told(Struct, frozen=True):
    """What the views say of a task before anything is looked at closely."""

    signals: Signals
    aligned: Array
    """By words, per position."""
    shares: Array
    """What each role's words count."""
    history: Array
    """Per item how much it was part of past changes described in the task's words."""
    history_near: Array
    """The same of changes whose descriptions are near in meaning."""
    title_near: Array
    """How near each position is to the task's title."""


def evidence(
    snapshot: Snapshot,
    reader: UnitReader,
    task: Task,
    told: Told,
    positions: Sequence[int],
    named: Sequence[int],
    past: Past,
    own_past: OwnPast,
    changes: Changes | None = None,
) -> dict[str, Array]:
    """One column per name for these positions. `named` are those that the task names, `past` that of their files,
    `own_past` their own.

    `changes` are those before the task, newest first, where they are not the newest of the snapshot.
    """
    here = np.asarray(positions, dtype=np.int64)
    owners = snapshot.item_of[here]
    back = np.unique(owners, return_inverse=True)[1]
    signals, shares, history = told.signals, told.shares, told.history
    words = signals.words
    roles = _item_roles(snapshot)
    by_role = shares[roles]
    item = scaled(words.item * snapshot.in_files)
    fused = signals.fused * shares[snapshot.roles]
    recent, busy = _lately(snapshot, newest_changes(snapshot, reader) if changes is None else changes, owners)
    used, using = linked(snapshot, reader, best_seeds(snapshot, fused, here), scaled(fused))
    tested = _tested(snapshot, reader, signals.fused)
    best_words = best_of_items(snapshot, signals.body)[owners]
    best_near = best_of_items(snapshot, signals.near)[owners]
    marked = np.zeros(len(snapshot.alive), dtype=np.float32)
    marked[list(named)] = 1.0
    columns = {
        "words": scaled(signals.body[here]),
        "coverage": scaled(words.coverage[here]),
        "rarest": scaled(words.rarest[here]),
        "name": scaled(signals.name[here]),
        "meaning": nearness(signals.near[here]),
        "used": used[here],
        "file words": item[owners],
        "file words squared": item[owners] ** 2,
        "file rank": ranks(item * by_role)[owners],
        "file coverage": scaled(words.item_coverage * snapshot.in_files)[owners],
        "file rarest": scaled(words.item_rarest)[owners],
        "words in file": signals.body[here] / np.maximum(best_words, np.float32(1e-6)),
        "rank in file": _ranks_in_files(fused[here], owners, here),
        "file best words": scaled(best_words),
        "file best name": scaled(best_of_items(snapshot, signals.name)[owners]),
        "file meaning": nearness(best_near),
        "meaning in file": signals.near[here] / np.maximum(best_near, np.float32(1e-6)),
        "tested": tested[here],
        "file tested": best_of_items(snapshot, tested)[owners],
        "named": marked[here],
        "file named": best_of_items(snapshot, marked)[owners],
        "file used": best_of_items(snapshot, used)[owners],
        "file uses": best_of_items(snapshot, using)[owners],
        "path": signals.path[here],
        "file name": _named_files(snapshot, task.terms)[owners],
        "history": history[owners],
        "history rank": ranks(history * by_role)[owners],
        "history meaning": told.history_near[owners],
        "referred": referred(snapshot, reader, task)[owners],
        "folder history": by_folder(snapshot, history + told.history_near)[owners],
        "folder words": by_folder(snapshot, item**2)[owners],
        "recent": recent,
        "folder recent": busy,
        "tests": _vouched(snapshot, item, roles)[owners],
        "length": np.log1p(snapshot.lengths[here]),
        "file length": np.log1p(snapshot.item_lengths[owners]),
        # The same for every piece: what is asked of all other evidence may depend on them.
        "asked": np.full(len(here), min(len(task.terms), MOST_ASKED) / MOST_ASKED),
        "project": np.full(len(here), np.log1p(snapshot.in_files.sum()) / 10),
    }
    columns |= {name: column[back] for name, column in past.columns(signals).items()}
    columns |= own_past.columns(signals) | word_by_word(snapshot, task.terms, here, past, own_past)
    columns |= {name: column[owners] for name, column in addressed(snapshot, task).items()}
    columns |= spoken(snapshot, task, here) | titled(snapshot, task, told.title_near, here)
    columns |= {f"is {kind}": snapshot.kinds[here] == KINDS.index(kind) for kind in TOLD_KINDS}
    # A role that the task asks for is as good as source.
    columns |= {
        f"in {role}": (snapshot.roles[here] == ROLES.index(role)) & (shares[ROLES.index(role)] < 1.0)
        for role in TOLD_ROLES
    }
    return {name: np.asarray(column, dtype=np.float32) for name, column in columns.items()}


def _lately(snapshot: Snapshot, changes: Changes, owners: Array) -> tuple[Array, Array]:
    """How lately the file of each piece was changed, and how busy its folder was."""
    files, back = np.unique(owners, return_inverse=True)
    told = lately(changes, [snapshot.items[number].key for number in files.tolist()])
    columns = np.asarray(told or np.zeros((0, 2)), dtype=np.float32)[back]
    return columns[:, 0], columns[:, 1]


def _item_roles(snapshot: Snapshot) -> Array:
    """The role of every item, by its first unit."""
    roles = np.zeros(len(snapshot.items), dtype=np.int64)
    roles[snapshot.item_of[snapshot.alive]] = snapshot.roles[snapshot.alive]
    return roles


def _ranks_in_files(scores: Array, owners: Array, here: Array) -> Array:
    """The same scale among the pieces of one file; of equals the one that stands first in it has the better rank."""
    order = np.lexsort((here, -scores, owners))
    same = owners[order]
    begins = np.append(True, same[1:] != same[:-1]) if len(same) else np.zeros(0, dtype=bool)
    numbers = np.arange(len(order))
    ranks = np.empty(len(order), dtype=np.float32)
    ranks[order] = 1 / np.log2(2 + numbers - np.maximum.accumulate(np.where(begins, numbers, 0)))
    return ranks


def _named_files(snapshot: Snapshot, terms: Mapping[str, float]) -> Array:
    """For every item what the term counts that is its file's whole name."""
    found = np.zeros(len(snapshot.items), dtype=np.float32)
    for term, weight in terms.items():
        for item in snapshot.items_by_plain_stem.get(term, ()):
            found[item] = max(float(found[item]), weight)
    return found


def _vouched(snapshot: Snapshot, item: Array, roles: Array) -> Array:
    """For every item the best score of a test file named after it: a test says in words what its subject does."""
    found = np.zeros(len(snapshot.items), dtype=np.float32)
    is_test = roles == ROLES.index(Role.TEST)
    tests = best(item, TESTS, is_test).tolist()
    subjects: dict[str, float] = {}  # the best test comes first
    for test in sorted(tests, key=lambda n: (-float(item[n]), snapshot.items[n].key))[:TESTS]:
        subjects.setdefault(_subject(snapshot.items[test].key), float(item[test]))
    for subject, score in subjects.items():
        named = np.asarray(snapshot.items_by_plain_stem.get(subject, ()) if subject else (), dtype=np.int64)
        found[named] = np.maximum(found[named], score)
    return np.where(is_test, np.float32(0.0), found)


def _subject(path: str) -> str:
    """The plain name of what a test file is named after: `tests/test_http_client.py` is about `httpclient`."""
    called = plain(path.rpartition("/")[2].partition(".")[0])
    for word in TEST_WORDS:
        if called.startswith(word) and len(called) > len(word):
            return called.removeprefix(word)
    for word in sorted(TEST_WORDS, key=len, reverse=True):
        if called.endswith(word) and len(called) > len(word):
            return called.removesuffix(word)
    return called


def _tested(snapshot: Snapshot, reader: UnitReader, scores: Array) -> Array:
    """For every position the best score of a test that uses it, among the best tests."""
    code = snapshot.sources.get("code", np.zeros(len(snapshot.alive), dtype=bool))
    tests = code & (snapshot.roles == ROLES.index(Role.TEST))
    found = best(scores, SEEDS, tests).tolist()
    seeds = sorted(found, key=lambda p: (-float(scores[p]), snapshot.place(p)))[:SEEDS]
    return linked(snapshot, reader, seeds, scaled(scores * tests))[0]
