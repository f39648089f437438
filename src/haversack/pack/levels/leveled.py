"""What a level of detail is made of: the text, its price, how far it may go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from haversack.model import Level, Span

Count: TypeAlias = Callable[[str], int]

# Part of every cache key of a level: raise it when the same text would give another rung.
levels_version: Final = 7

# Characters of a text that levels look at, and the most that is ever given to `count` at once. About 70,000 tokens:
# past any unit worth reading whole, and counted in some 15 ms.
LONGEST_TEXT: Final = 256 * 1024

# Which strength of compression each step of the ladder is (seed 002 has three between the whole text and nothing, seed
# 001 names four levels; together they are one ladder). Sources shorten by strength.
STRENGTHS: Final = {Level.LIGHT: "light", Level.DETAILED: "medium", Level.SUMMARY: "heavy"}
# Seed 002: a text that keeps more than this share is compressed lightly, more than that with medium strength.
LIGHT_ABOVE: Final = 0.7
MEDIUM_ABOVE: Final = 0.3
# From so many tokens on a packet offers the light step: below it saves next to nothing for one more choice.
LIGHT_FROM: Final = 400

# A rung must save at least this share of the one above it, or it is not worth the choice.
LEAST_SAVING: Final = 0.15

# Characters a token holds, where nothing has been counted yet (code 3.3 to 4, prose 4 to 5).
CHARS_PER_TOKEN: Final = 3.5


def level_named(word: str) -> Level | None:
    """The step of the ladder that a level or a strength is called by."""
    by_strength = {strength: level for level, strength in STRENGTHS.items()}
    return by_strength.get(word) or (Level(word) if word in tuple(Level) else None)


def level_for(share: float) -> Level:
    """The step that makes a text fit into this share of itself."""
    if share >= 1:
        return Level.FULL
    return Level.LIGHT if share > LIGHT_ABOVE else Level.DETAILED if share > MEDIUM_ABOVE else Level.SUMMARY


class Leveled(Struct, frozen=True):
    """A unit's text at one level. `span` is the lines it stands for; `elided` says that some are not shown."""

    level: Level
    text: str
    tokens: int
    span: Span | None
    elided: bool


# What can be kept in detail and what a stub can say, in the words of the settings.
SIGNATURES: Final = "function signatures"
CLASSES: Final = "class definitions"
TYPES: Final = "interface types"
COMMENTS: Final = "comments/docstrings"
PATH: Final = "file path"
TYPE: Final = "file type"
MODIFIED: Final = "last modified"
LINES: Final = "line count"


class Limits(Struct, frozen=True):
    """Tokens per level at most, -1 for no limit; what stays in detail when bodies go; what a stub says."""

    full: int = -1
    light: int = -1
    detailed: int = 2000
    summary: int = 500
    stub: int = 100
    preserve: tuple[str, ...] = (SIGNATURES, CLASSES, TYPES, COMMENTS)
    include: tuple[str, ...] = (PATH, TYPE, MODIFIED, LINES)

    def within(self, tokens: int) -> Limits:
        """The same, with no level above so many tokens."""
        full, light, detailed, summary, stub = (
            tokens if self.of(level) < 0 else min(self.of(level), tokens) for level in Level
        )
        return replace(self, full=full, light=light, detailed=detailed, summary=summary, stub=stub)

    def of(self, level: Level) -> int:
        """The limit of that level."""
        return int(getattr(self, level.value))


class StubInfo(Struct, frozen=True):
    """What is known of a unit without its text. `path` is where it can be opened; `modified` is seconds since 1970."""

    path: str
    kind: str
    lang: str
    modified: float | None
    lines: int
