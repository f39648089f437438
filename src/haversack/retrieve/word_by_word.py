"""Which of a task's words stand in each piece, in its name or path, or in what was said when it was changed.

Past changes are taken together here: what one commit said of a function and what another did are both its words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from haversack.index.lexical import ask, grouped, rarity
from haversack.index.prepare import NAME, PATH
from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot
from haversack.retrieve.company import Mentions, Past
from haversack.retrieve.fusion import scaled
from haversack.retrieve.own_past import OwnPast

MOST_WORDS: Final = 120  # of a task, the heaviest; more tell nothing
# Changes that are too few to tell in which share of them a word is said.
FEW_OF_PIECE: Final = 2.0
FEW_OF_FILE: Final = 5.0


def word_by_word(
    snapshot: Snapshot, terms: Mapping[str, float], here: Array, past: Past, own_past: OwnPast
) -> dict[str, Array]:
    """What the words say of these positions, each counted once wherever it stands; rare ones count more."""
    files, back = np.unique(snapshot.item_of[here], return_inverse=True)
    words = dict(sorted(terms.items(), key=lambda each: (-each[1], each[0]))[:MOST_WORDS])
    bodies = _Bodies(snapshot, words, here, files)
    of_piece, of_file = own_past.mentioned(bodies.mentions), past.mentioned(bodies.mentions)
    called = _in_names(snapshot, words, here) | _in_paths(snapshot, words, files)[:, back]
    said = of_piece > 0
    at_hand = bodies.in_piece | called | said
    anywhere = at_hand | (bodies.in_file | (of_file > 0))[:, back]
    told = {
        "words called": _sum(bodies.worth, called),
        "words here": _sum(bodies.worth, at_hand),
        "words anywhere": _sum(bodies.worth_in_files, anywhere),
        "words said": _sum(bodies.worth, said),
        "words only said": _sum(bodies.worth, said & ~bodies.in_piece),
        "words said often": _sum(bodies.worth, of_piece / (own_past.changes + FEW_OF_PIECE)),
        "words said much": _sum(bodies.worth_in_commits, np.log1p(of_piece)),
        "file words said": _sum(bodies.worth_in_files, of_file > 0)[back],
        "file words said often": _sum(bodies.worth_in_commits, of_file / (past.changes + FEW_OF_FILE))[back],
        "file words said much": _sum(bodies.worth_in_commits, np.log1p(of_file))[back],
    }
    return {name: scaled(column) for name, column in told.items()}


class _Bodies:
    """In which pieces, files and commits each word stands, one row a word, and what it is worth among each of them."""

    def __init__(self, snapshot: Snapshot, words: Mapping[str, float], here: Array, files: Array) -> None:
        code, commits = (snapshot.sources.get(name, np.zeros_like(snapshot.alive)) for name in ("code", "commits"))
        query = ask(words)
        self.in_piece = np.zeros((len(query), len(here)), dtype=bool)
        self.in_file = np.zeros((len(query), len(files)), dtype=bool)
        found = np.zeros((3, len(query)))
        saying: list[Array] = []
        there = np.zeros(len(snapshot.alive), dtype=bool)
        in_items = np.zeros(len(snapshot.items), dtype=bool)
        for row, (units, _) in enumerate(grouped(snapshot, query)):
            there[units] = True
            self.in_piece[row] = there[here]
            there[units] = False
            in_code = units[code[units]]
            items = snapshot.item_of[in_code]
            in_items[items] = True
            self.in_file[row] = in_items[files]
            saying.append(units[commits[units]])
            found[:, row] = len(in_code), np.count_nonzero(in_items), len(saying[-1])
            in_items[items] = False
        self.mentions = Mentions(saying)
        weights = np.asarray([each.weight for each in query])
        totals = np.count_nonzero(code), snapshot.in_files.sum(), np.count_nonzero(commits)
        self.worth, self.worth_in_files, self.worth_in_commits = (
            (weights * rarity(total, held)).astype(np.float32) for total, held in zip(totals, found, strict=True)
        )


def _in_names(snapshot: Snapshot, words: Mapping[str, float], here: Array) -> Array:
    """For each word and position whether it is part of the piece's name."""
    found = [_marked(len(snapshot.alive), units)[here] for units, _ in grouped(snapshot, ask(words, NAME))]
    return np.asarray(found, dtype=bool).reshape(len(words), len(here))


def _in_paths(snapshot: Snapshot, words: Mapping[str, float], files: Array) -> Array:
    """For each word and file whether it is part of the file's path."""
    items = (snapshot.item_of[units] for units, _ in grouped(snapshot, ask(words, PATH)))
    found = [_marked(len(snapshot.items), each)[files] for each in items]
    return np.asarray(found, dtype=bool).reshape(len(words), len(files))


def _marked(size: int, positions: Array) -> Array:
    marks = np.zeros(size, dtype=bool)
    marks[positions] = True
    return marks


def _sum(worth: Array, there: Array) -> Array:
    # Not `@`: BLAS starts threads for it (see ranking.py).
    found: Array = np.einsum("w,wp->p", worth, there.astype(np.float32))
    return found
