"""Rows of the memory store as units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from haversack.memory.axes import axis_texts
from haversack.memory.lines import seconds_of
from haversack.memory.nouns import Experience, Memory, Value
from haversack.model import Citation, MetaValue, Unit
from haversack.units.ids import unit_id

LONGEST_TITLE = 120


def memory_unit(memory: Memory) -> Unit:
    """A memory. It cites itself, which is where its words stand, then its sources and the files it speaks of."""
    text = _storable(memory.text)
    cited = tuple(dict.fromkeys((*memory.citations, *map(Citation.of_file, memory.paths))))
    meta: dict[str, MetaValue] = {
        "record": memory.id,
        "number": memory.number,
        "category": memory.category,
        "importance": memory.importance,
        "scope": memory.scope,
        "within": memory.within,
        "subject": memory.subject,
        "paths": memory.paths,
        "symbols": memory.symbols,
        "tags": memory.tags,
        "session": memory.session,
        "speaker": memory.speaker,
        "count": memory.count,
        "cited": bool(cited),
    }
    return Unit(
        id=memory.id,
        source="memories",
        kind=memory.category,
        title=_title(text),
        text=text,
        time=memory.created or None,
        refs=(*memory.paths, *memory.symbols, *_spoken(memory)),
        citations=(Citation.of_log(memory.id), *cited),
        meta={key: value for key, value in meta.items() if value not in ("", ())},
    )


def experience_units(experience: Experience) -> Iterator[Unit]:
    """An experience that came to an end, once for each axis; the first has all of it."""
    if experience.outcome is None:
        return
    when = seconds_of(experience.outcome.captured_at) or seconds_of(experience.created_at) or None
    meta: dict[str, MetaValue] = {
        "record": experience.id,
        "number": experience.number,
        "domain": experience.domain,
        "strategy": experience.strategy,
        "outcome": experience.status,
        "tier": experience.confidence_tier,
        "confidence": experience.weight,
        "iterations": experience.iteration_count,
        "session": experience.session_id,
        "cited": True,
    }
    whole = unit_id("experiences", experience.id, "experience", "full")
    for axis, text in axis_texts(experience):
        yield Unit(
            id=whole if axis == "full" else unit_id("experiences", experience.id, "experience", axis),
            source="experiences",
            kind="experience",
            title=_title(_storable(experience.goal if axis in ("full", "strategy") else text)),
            text=_storable(text),
            name=experience.id if axis == "full" else "",
            time=when,
            parent=None if axis == "full" else whole,
            refs=_sorted_by(axis, (experience.domain,), (experience.strategy,), experience.status),
            citations=(Citation.of_log(experience.id),),
            meta={**meta, "axis": axis},
        )


def value_unit(value: Value) -> Unit:
    """A value; it cites the experiences behind it."""
    text = _storable(value.text)
    return Unit(
        id=value.id,
        source="values",
        kind="value",
        title=_title(text),
        text=text,
        refs=_sorted_by(value.axis, value.domains, value.strategies),
        citations=tuple(map(Citation.of_log, value.experiences[:MOST_CITED])),
        meta={
            "record": value.id,
            "axis": value.axis,
            "size": value.size,
            "distance": value.distance,
            "confidence": value.confidence,
            "experiences": value.experiences[:MOST_CITED],
            "domains": value.domains,
            "strategies": value.strategies,
            "cited": True,
        },
    )


MOST_CITED = 20
"""Experiences of a value that its unit names; `haversack values` names them all."""


def _spoken(memory: Memory) -> tuple[str, ...]:
    """What tells a turn of a conversation, and whose, without looking at the unit."""
    return ("speaker:", f"speaker:{memory.speaker.casefold()}") if memory.speaker else ()


def _sorted_by(axis: str, domains: Sequence[str], strategies: Sequence[str], outcome: str = "") -> tuple[str, ...]:
    """What experiences and values are filtered by, as references that the index answers without decoding a unit."""
    words = [f"axis:{axis}", *(f"domain:{each}" for each in domains), *(f"strategy:{each}" for each in strategies)]
    return (*words, f"outcome:{outcome}") if outcome else tuple(words)


def _title(text: str) -> str:
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= LONGEST_TITLE else line[: LONGEST_TITLE - 1].rstrip() + "…"


def _storable(text: str) -> str:
    """The text without halves of surrogate pairs, which JSON can hold and an index cannot."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
