"""Names that a task says in plain words: "default value" may be `default_value`, "Session" the class of that name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from haversack.index import symbolic
from haversack.index.lexical import ask, presence, weigh
from haversack.index.prepare import NAME
from haversack.index.segment import Array
from haversack.index.snapshot import Snapshot
from haversack.index.stopwords import KEYWORDS, STOP_WORDS
from haversack.index.terms import LONGEST_WHOLE, terms
from haversack.model import Task
from haversack.patterns import lazily
from haversack.retrieve.fusion import best_of_items

LONGEST: Final = 3  # words of a phrase; names of more are seldom said in full
MOST_PHRASES: Final = 200
MOST_WORDS: Final = 400
HALF: Final = 5.0  # rarity that counts half: that of a name in every 150th piece
MOST_CALLED_SO: Final = 50  # a name that more places define points at none of them
IN_CODE: Final = 0.1  # what a name counts that stands only in examples

_APART: Final = lazily(r"[^\w\s'-]+|\s-+\s")  # what keeps two words from being one name
_LETTERS: Final = lazily(r"[A-Za-z][A-Za-z0-9]*")
_WORD: Final = lazily(r"[A-Za-z_]\w{2,60}")


def spoken(snapshot: Snapshot, task: Task, here: Array) -> dict[str, Array]:
    """What the task's phrases and plain words say of these positions and of their files."""
    owners = snapshot.item_of[here]
    said = phrases(task)
    bodies, names = weigh(snapshot, ask(said)), presence(snapshot, ask(said, NAME))
    called = _called(snapshot, task)
    return {
        "phrase": _rare(bodies.coverage[here]),
        "file phrase": _rare((bodies.item_coverage * snapshot.in_files)[owners]),
        "name phrase": _rare(names[here]),
        "file name phrase": _rare(best_of_items(snapshot, names)[owners]),
        "called": called[here],
        "file called": best_of_items(snapshot, called)[owners],
    }


def phrases(task: Task) -> dict[str, float]:
    """Names that neighbouring words would make, as terms, with the mean of what their words count."""
    found: dict[str, float] = {}
    for words in _runs(task):
        for first in range(len(words)):
            for last in range(first + 2, min(first + LONGEST, len(words)) + 1):
                here = words[first:last]
                weight = sum(task.terms.get(word, 0.0) for word in here) / len(here)
                name = "".join(here)
                if weight > 0 and len(name) <= LONGEST_WHOLE and not all(map(_says_nothing, here)):
                    found[name] = max(found.get(name, 0.0), weight)
        if len(found) >= MOST_PHRASES:
            break
    return dict(list(found.items())[:MOST_PHRASES])


def _says_nothing(word: str) -> bool:
    return word in STOP_WORDS or word in KEYWORDS


def _runs(task: Task) -> Iterator[list[str]]:
    """Words that follow each other in the lines that say most, in small letters."""
    seen = 0
    for line in task.lines:
        for part in _APART.split(line):
            words = [word.lower() for word in _LETTERS.findall(part)]
            seen += len(words)
            yield words
        if seen > MOST_WORDS:
            return


def _called(snapshot: Snapshot, task: Task) -> Array:
    """For every position what the word counts that is its very name, less when others are called so too."""
    said = _words(task)
    found = np.zeros(len(snapshot.alive), dtype=np.float32)
    for weight, so_called in zip(said.values(), symbolic.said(snapshot, said), strict=True):
        if 0 < len(so_called) <= MOST_CALLED_SO:
            found[so_called] = np.maximum(found[so_called], weight / (1 + np.log2(len(so_called))))
    return found


def _words(task: Task) -> dict[str, float]:
    """The words of those lines as they are written, and the identifiers, with what they count."""
    found: dict[str, float] = {}
    for line in task.lines:
        for word in _WORD.findall(line):
            if word not in found and word.lower() not in STOP_WORDS:
                made = terms(word)
                weight = task.terms.get(made[0], 0.0) if made else 0.0
                if weight > 0:
                    found[word] = weight
        if len(found) > MOST_WORDS:
            break
    return dict.fromkeys(task.identifiers, IN_CODE) | found


def _rare(told: Array) -> Array:
    """On a scale of 0 to 1 that does not depend on what else was found: one common phrase is no good sign."""
    return told / (told + np.float32(HALF))
