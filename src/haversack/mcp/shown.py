"""Things found, as text for a model: what it is, where it stands, quoted so that it cannot pass for ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from haversack.render.safe import code_span, fence_for, visible, word
from haversack.safe import sanitize

if TYPE_CHECKING:
    from haversack.mcp.current import Current
    from haversack.model import Citation, Unit
    from haversack.recall.lessons import Gotcha, Pattern
    from haversack.receipt.record import Receipt
    from haversack.retrieve.knowledge import Entry
    from haversack.retrieve.search import Hit

FIRST_LINES = 4
"""Of a hit: its signature and what it says of itself, mostly. The rest is a get_details away."""


def place(unit: Unit) -> str:
    """Where a unit stands, as get_details takes it."""
    if unit.path is None:
        return unit.id
    return f"{unit.path}:{unit.span}" if unit.span else unit.path


def quoted(text: str, lang: str = "") -> str:
    """The text in a fence that it cannot close."""
    body = sanitize(text).rstrip("\n")
    fence = fence_for(body)
    return f"{fence}{word(lang) if lang else ''}\n{body}\n{fence}"


def hit_text(current: Current, hit: Hit) -> str:
    """A hit: a line about it and its first lines."""
    unit = hit.unit
    head = f"{code_span(place(unit))} {word(unit.kind)} {code_span(unit.qualname or unit.title)}"
    body = unit.text
    if unit.path is not None:
        file = current.texts.file(unit.path)
        lines = file.text.split("\n") if file else []
        body = "\n".join(lines[unit.span.start - 1 : unit.span.end] if unit.span else lines)
    first = body.strip("\n").split("\n")[:FIRST_LINES]
    return f"{head}\n{quoted(chr(10).join(first), unit.lang)}" if any(first) else head


def pattern_text(found: Pattern) -> str:
    """What worked, how often, where it stands."""
    lines = [f"{visible(found.title)} ({found.id}, worked {found.success_count}×)", sanitize(found.description)]
    if found.example_code:
        lines.append(quoted(found.example_code))
    return "\n".join([*lines, *_cited(found.citations)])


def gotcha_text(found: Gotcha) -> str:
    """What went wrong, how often, when, what helped, where it stands."""
    lines = [f"{visible(found.title)} ({found.id}, seen {found.occurrence_count}×)", sanitize(found.description)]
    if found.resolution:
        lines.append(f"What helped: {sanitize(found.resolution)}")
    if found.trigger_conditions:
        lines.append(f"When: {visible('; '.join(found.trigger_conditions))}")
    return "\n".join([*lines, *_cited(found.citations)])


def entry_line(entry: Entry) -> str:
    """One piece of knowledge in a line: its kind, its title, where it stands, the handle to open it."""
    unit = entry.unit
    return f"- {word(entry.kind)}: {visible(unit.title)} ({code_span(place(unit))}, haversack://unit/{unit.id})"


def receipt_text(receipt: Receipt, why: str) -> str:
    """What a packet held: its account in a sentence or two, then each item with the handle to open it."""
    lines = [
        f"- {code_span(_where(item.path, item.start, item.end) or item.title)} {item.extent}, {item.tokens} tokens, "
        f"score {item.score:.2f}, haversack://unit/{item.id}"
        for _, item in receipt.items()
    ]
    return "\n".join(
        [f"# Packet {receipt.packet_id}", "", f"Task: {code_span(receipt.task[:400])}", "", why, "", *lines]
    )


def _where(path: str | None, start: int | None, end: int | None) -> str:
    if path is None:
        return ""
    return f"{path}:{start}-{end}" if start is not None else path


def _cited(citations: Sequence[Citation]) -> list[str]:
    return [f"[{visible(str(citations[0]))}]"] if citations else []
