"""From a finished packet to its receipt: who got which tokens, and what they were spent on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from haversack.model import Chosen, Omitted, Problem, Purchase, Reranked, Section, Task
from haversack.pack.budget import Budget
from haversack.receipt.certificate import Certificate
from haversack.receipt.record import ItemRecord, Metrics, Overflow, Receipt, SectionRecord, Setting
from haversack.render.frame import Block, Rendered

RATIO_DIGITS = 4


def make_receipt(
    *,
    packet_id: str,
    time: float,
    task: Task,
    counter: str,
    count: Callable[[str], int],
    tokens: int,
    budget: Budget,
    rendered: Rendered,
    sections: Sequence[Section],
    omitted: Sequence[Omitted] = (),
    allocated: Mapping[str, int] | None = None,
    settings: Mapping[str, Setting] | None = None,
    session: str = "",
    model: str = "",
    budget_exceeded: bool = False,
    overflow: Overflow | None = None,
    sources_queried: Sequence[str] = (),
    candidates_found: int = 0,
    certificate: Certificate | None = None,
    timings: Mapping[str, float] | None = None,
    problems: Sequence[Problem] = (),
    next_1000: Sequence[Purchase] = (),
    reranked: Reranked | None = None,
    not_found: Sequence[str] = (),
) -> Receipt:
    """The receipt of a rendered packet. `time` is seconds since 1970; `count` is the counter that measured `tokens`."""
    held = section_records(rendered, sections, count, allocated or {})
    return Receipt(
        packet_id=packet_id,
        timestamp=datetime.fromtimestamp(time, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        task=task.text,
        counter=counter,
        tokens=tokens,
        budget=budget,
        session=session,
        task_type=task.type,
        task_type_words=task.type_words,
        model=model,
        settings=dict(sorted((settings or {}).items())),
        budget_exceeded=budget_exceeded,
        sections=held,
        omitted=tuple(omitted),
        overflow=overflow or Overflow(),
        metrics=Metrics(_ratio(tokens, budget.available), _ratio(_relevant_tokens(held), tokens)),
        sources_queried=tuple(sources_queried),
        candidates_found=candidates_found,
        certificate=certificate,
        timings=dict(timings or {}),
        problems=tuple(problems),
        next_1000=tuple(next_1000),
        reranked=reranked,
        not_found=tuple(not_found),
    )


def section_records(
    rendered: Rendered, sections: Sequence[Section], count: Callable[[str], int], allocated: Mapping[str, int]
) -> tuple[SectionRecord, ...]:
    """Sections in packet order, then those that were given tokens and hold nothing, in their own order."""
    known = {section.name: section for section in sections}
    blocks: dict[str, list[Block]] = {}
    for block in rendered.blocks:
        if block.section:
            blocks.setdefault(block.section, []).append(block)
    names = [*blocks, *(section.name for section in sections if section.name not in blocks)]
    return tuple(_section(name, known.get(name), blocks.get(name, ()), count, allocated.get(name)) for name in names)


def _section(
    name: str,
    section: Section | None,
    blocks: Sequence[Block],
    count: Callable[[str], int],
    allocated: int | None,
) -> SectionRecord:
    costs = [count(block.text) for block in blocks]
    items = tuple(
        _item(block.chosen, cost) for block, cost in zip(blocks, costs, strict=True) if block.chosen is not None
    )
    return SectionRecord(
        name=name,
        title=section.title if section else name,
        allocated=allocated,
        spent=sum(costs),
        threshold=section.threshold if section else 0.0,
        items=items,
    )


def _item(chosen: Chosen, tokens: int) -> ItemRecord:
    candidate, rung = chosen.candidate, chosen.rung
    unit = candidate.scored.unit
    span = rung.span or unit.span
    return ItemRecord(
        id=unit.id,
        title=unit.title,
        tokens=tokens,
        level=rung.level,
        score=candidate.scored.score,
        factors=dict(candidate.scored.factors),
        source=unit.source,
        kind=unit.kind,
        path=unit.path,
        start=span.start if span else None,
        end=span.end if span else None,
        qualname=unit.qualname,
        explicit=candidate.scored.explicit,
        pinned=candidate.pinned,
        truncated=rung.truncated,
    )


def is_relevant(section: SectionRecord, item: ItemRecord) -> bool:
    """Whether an item is in the packet on its merits or because it was asked for, and not to fill space."""
    return item.explicit or item.pinned or item.score >= section.threshold


def _relevant_tokens(sections: Sequence[SectionRecord]) -> int:
    return sum(item.tokens for section in sections for item in section.items if is_relevant(section, item))


def _ratio(part: int, whole: int) -> float | None:
    return round(part / whole, RATIO_DIGITS) if whole > 0 else None
