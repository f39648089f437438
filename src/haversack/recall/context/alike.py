"""One thing once across sources: the same record, overlapping lines, or text at least 90 % alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from haversack.model import Scored, Span, Unit
from haversack.pack.dedupe import dedupe
from haversack.recall.context.nouns import Piece


def distinct(pieces: Mapping[str, Sequence[Piece]]) -> dict[str, list[Piece]]:
    """The pieces without those that repeat a more relevant one, in whatever source.

    Functions of one file are no duplicates of each other, nor is a commit of the file it touched: only what they say
    counts. A value that is an experience's own words is one.
    """
    ranked = sorted((each for found in pieces.values() for each in found), key=lambda each: (-each.relevance, each.key))
    kept: list[Piece] = []
    said: set[str] = set()
    told: dict[str, list[Piece]] = {}
    for each in ranked:
        plain = _plain(each)
        if each.source != "code" and plain in said:
            continue
        same = told.get(each.experience, []) if each.experience else []
        if any(_same_words(each, other) for other in same if other.source != each.source):
            continue
        said.add(plain)
        told.setdefault(each.experience, []).append(each)
        kept.append(each)
    names = {str(number): each for number, each in enumerate(kept)}
    found = dedupe([Scored(_unit(name, each), each.relevance, {}) for name, each in names.items()])
    stays = {id(names[each.unit.id]) for each in found.kept}
    return {name: [each for each in own if id(each) in stays] for name, own in pieces.items()}


def _plain(piece: Piece) -> str:
    return " ".join((piece.says or piece.body).split()).casefold()


def _same_words(one: Piece, other: Piece) -> bool:
    """Whether a value says what the experience nearest to its centre says."""
    value, experience = (one, other) if one.source == "value" else (other, one)
    return _plain(value) in _plain(experience)


def _unit(name: str, piece: Piece) -> Unit:
    span = Span(*piece.span) if piece.span else None
    return Unit(name, piece.source, piece.source, "", piece.says or piece.body, path=piece.path, span=span)
