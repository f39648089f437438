"""Masked lines that one statement wrote are merged, although words in them differ.

Words of a template stand in every line it wrote, so they are equally frequent in their columns: the largest set of
equally frequent words of a line is the core of its template. Among lines with the same core, a column with many
different words is variable, one with few tells templates apart.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from haversack.sources.logs.masks import WILD, mask

Words: TypeAlias = tuple[str, ...]

# Different words that a column may hold and still tell templates apart; more, and it is variable. Over the public
# samples of sixteen systems 4 groups best: 3 and 6 lose half a point, 2 loses five.
FEW_WORDS: Final = 4
# A core of words much rarer than the line's most frequent ones would make every variable a core of its own.
CORE_SHARE: Final = 0.5
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z'-]*[.!]?")


def merge(keys: Mapping[Words, int]) -> dict[Words, Words]:
    """Each masked line's template, from all of them and how often each occurs."""
    by_length: dict[int, list[Words]] = defaultdict(list)
    for key in keys:
        by_length[len(key)].append(key)
    found: dict[Words, Words] = {}
    for same_length in by_length.values():
        frequency = _frequency(same_length, keys)
        by_core: dict[tuple[tuple[int, str], ...], list[Words]] = defaultdict(list)
        for key in same_length:
            by_core[_core(key, frequency)].append(key)
        for core, members in by_core.items():
            variable = _variable_columns({column for column, _ in core}, members)
            for key in members:
                found[key] = tuple(WILD if number in variable else word for number, word in enumerate(key))
    return found


def group(lines: Iterable[str]) -> list[int]:
    """The number of each line's group; lines of one group were written by one statement, as far as one can tell."""
    keys = [mask(line) for line in lines]
    templates = merge(Counter(keys))
    numbers: dict[Words, int] = {}
    return [numbers.setdefault(templates[key], len(numbers)) for key in keys]


def _frequency(members: Sequence[Words], keys: Mapping[Words, int]) -> Counter[tuple[int, str]]:
    frequency: Counter[tuple[int, str]] = Counter()
    for key in members:
        count = keys[key]
        for place in enumerate(key):
            frequency[place] += count
    return frequency


def _core(key: Words, frequency: Mapping[tuple[int, str], int]) -> tuple[tuple[int, str], ...]:
    places = [place for place in enumerate(key) if place[1] != WILD]
    if not places:
        return ()
    counts = Counter(frequency[place] for place in places)
    floor = max(counts) * CORE_SHARE
    _, often = max((size, often) for often, size in counts.items() if often >= floor)
    return tuple(place for place in places if frequency[place] == often)


def _variable_columns(core: set[int], members: Sequence[Words]) -> set[int]:
    variable = set()
    for column in range(len(members[0])):
        if column in core:
            continue
        words = {key[column] for key in members}
        # A line's first word, if it is one, says what the line is about.
        if column == 0 and all(_PLAIN.fullmatch(word) for word in words):
            continue
        if WILD in words or len(words) > FEW_WORDS:
            variable.add(column)
    return variable
