"""Why something is in a packet, or is not: an answer in a sentence or two, from the receipt alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from haversack.model import Level, Omitted, Span, named_lines
from haversack.receipt.certificate import ENOUGH
from haversack.receipt.record import ItemRecord, Receipt, SectionRecord
from haversack.render.labels import show_command
from haversack.render.omitted import opening_name
from haversack.render.safe import one_line, visible
from haversack.render.table import tokens_text

FACTORS_NAMED = 3
PIECES_NAMED = 4
GAPS_NAMED = 3
TASK_SHOWN = 80


def why(receipt: Receipt, target: str | None = None) -> str:
    """In at which level and for which factors; or out, why, and at which budget it would enter; or never a candidate.

    `target` is a path, `path:lines`, symbol, title or id; without one the packet as a whole is explained.
    """
    if not target:
        return _packet(receipt)
    packed = [(section, item) for section, item in receipt.items() if _is_item(item, target)]
    left = [each for each in receipt.omitted if _is_omitted(each, target)]
    if len(packed) == 1:
        return _included(*packed[0]) + _rest(left)
    if packed:
        return _several(target, packed) + _rest(left)
    if left:
        return _excluded(receipt, left)
    return _never(receipt, target)


def _packet(receipt: Receipt) -> str:
    words = f", for {_listed([repr(word) for word in receipt.task_type_words])}" if receipt.task_type_words else ""
    held = [f"{len(section.items)} in {visible(section.title)}" for section in receipt.sections if section.items]
    sentences = [
        f'Packet {receipt.packet_id} for "{one_line(receipt.task, TASK_SHOWN)}" (read as {receipt.task_type}{words}) '
        f"uses {receipt.tokens:,} of {tokens_text(receipt.budget.available)} ({receipt.counter}): "
        f"{_listed(held) or 'no items'}."
    ]
    if receipt.budget_exceeded:
        over = receipt.tokens - receipt.budget.available
        sentences.append(f"It is {tokens_text(over)} over its budget.")
    sentences += _left_out(receipt)
    sentences += _sufficiency(receipt)
    if receipt.problems:
        sentences.append(f"Not everything could be read: {_listed([visible(str(each)) for each in receipt.problems])}.")
    return " ".join(sentences)


def _left_out(receipt: Receipt) -> list[str]:
    if not receipt.omitted:
        return ["Nothing that was found had to be left out."]
    # "duplicate of X" names its twin; asked for X, it is told there.
    reasons = Counter(each.reason.partition(" of ")[0] for each in receipt.omitted)
    told = _listed([f"{number} ({reason})" for reason, number in sorted(reasons.items(), key=lambda r: (-r[1], r[0]))])
    waiting = [each for each in receipt.omitted if each.enters_at_budget is not None]
    if not waiting:
        return [f"Left out: {told}."]
    first = min(waiting, key=_entrance)
    return [f"Left out: {told}; the next, {_omitted_name(first)}, enters at {first.enters_at_budget:,} tokens."]


def _sufficiency(receipt: Receipt) -> list[str]:
    certificate = receipt.certificate
    if certificate is None or certificate.completeness is None:
        return []
    covered = f"It covers {certificate.completeness:.0%} of what the task names"
    gaps = [f"{visible(gap.text)} ({gap.cause})" for gap in certificate.gaps[:GAPS_NAMED]]
    told = [f"{covered}; missing: {_listed(gaps)}." if gaps else f"{covered}."]
    if certificate.completeness < ENOUGH:
        told.append("That may not be enough: `haversack recall` asks what is remembered, or ask who set the task.")
    return told


def _included(section: SectionRecord, item: ItemRecord) -> str:
    return (
        f"{_item_name(item)} is in {visible(section.title)}, {_level(item)} ({tokens_text(item.tokens)}): "
        f"{_grounds(section, item)}."
    )


def _grounds(section: SectionRecord, item: ItemRecord) -> str:
    if item.pinned:
        asked = "it was pinned, and "
    elif item.explicit:
        asked = "the task names it, and "
    else:
        asked = ""
    side = "above" if item.score >= section.threshold else "below"
    threshold = f", {side} the section's {section.threshold:.2f}" if section.threshold else ""
    return f"{asked}it scored {item.score:.2f}{threshold}{_factors(item)}"


def _factors(item: ItemRecord) -> str:
    ranked = sorted(item.factors.items(), key=lambda factor: (-factor[1], factor[0]))
    named = [f"{name.replace('_', ' ')} {value:.2f}" for name, value in ranked[:FACTORS_NAMED] if value > 0]
    return f", chiefly from {_listed(named)}" if named else ""


def _several(target: str, packed: Sequence[tuple[SectionRecord, ItemRecord]]) -> str:
    best = max(packed, key=lambda pair: pair[1].score)
    ranked = sorted(packed, key=lambda pair: -pair[1].score)[:PIECES_NAMED]
    pieces = [f"{_piece(item)} {_level(item)} ({item.score:.2f})" for _, item in ranked]
    more = len(packed) - len(pieces)
    if more:
        pieces.append(f"{more} more")
    tokens = sum(item.tokens for _, item in packed)
    return (
        f"{visible(target)} is in with {len(packed)} pieces ({tokens_text(tokens)}): {_listed(pieces)}. "
        f"For the best of them, {_grounds(*best)}."
    )


def _rest(left: Sequence[Omitted]) -> str:
    if not left:
        return ""
    first = min(left, key=_entrance)
    also = "1 other piece was" if len(left) == 1 else f"{len(left)} other pieces were"
    enters = ""
    if first.enters_at_budget is not None:
        enters = f"; {'it' if len(left) == 1 else 'the first'} would enter at {tokens_text(first.enters_at_budget)}"
    return f" {also} left out ({visible(first.reason)}){enters}."


def _excluded(receipt: Receipt, left: Sequence[Omitted]) -> str:
    first = min(left, key=_entrance)
    titles = {section.name: section.title for section in receipt.sections}
    place = titles.get(first.section, first.section)
    pieces = "" if len(left) == 1 else f" with {len(left)} pieces"
    where = f" of {visible(place)}" if place else ""
    out = f"{_omitted_name(first)} was left out{where}{pieces}: {visible(first.reason)}. It scored {first.score:.2f}"
    if first.enters_at_budget is not None:
        return f"{out} and would enter at a budget of about {tokens_text(first.enters_at_budget)}."
    if "threshold" in first.reason:
        return f"{out}; no budget admits that, but --fill does, or --pin for this one."
    larger = "; a larger budget shows it inside something larger" if first.reason == "budget" else ""
    return f"{out}{larger}; see it with `{show_command(opening_name(first))}`."


def _never(receipt: Receipt, target: str) -> str:
    shown = visible(target)
    for problem in receipt.problems:
        if problem.where == target or _is_path(problem.where, target):
            return f"{shown} could not be read: {visible(str(problem))}."
    sources = f" from {_listed(sorted(receipt.sources_queried))}" if receipt.sources_queried else ""
    return (
        f"{shown} was not among the {receipt.candidates_found:,} candidates{sources}: nothing found for this task led "
        "to it. Name it in the task, add it with --pin, or try `haversack search` to see whether it is indexed."
    )


def _is_item(item: ItemRecord, target: str) -> bool:
    if item.id == target or item.title == target or _is_symbol(item.qualname, target):
        return True
    lines = Span(item.start, item.end) if item.start is not None and item.end is not None else None
    return _is_place(item.path, lines, target)


def _is_omitted(omitted: Omitted, target: str) -> bool:
    if target in (omitted.id, omitted.title) or _is_symbol(omitted.title, target):
        return True
    return _is_place(omitted.path, omitted.span, target)


def _is_place(path: str | None, span: Span | None, target: str) -> bool:
    """Whether the target is that file, or lines of it that overlap with these."""
    named = named_lines(target)
    if named is None:
        return _is_path(path, target)
    asked, lines = named
    return _is_path(path, asked) and (span is None or span.overlaps(lines))


def _is_path(path: str | None, asked: str) -> bool:
    if not path:
        return False
    wanted = asked.replace("\\", "/").removeprefix("./").rstrip("/")
    return bool(wanted) and (path == wanted or path.endswith(f"/{wanted}") or path.startswith(f"{wanted}/"))


def _is_symbol(qualname: str, asked: str) -> bool:
    wanted = asked.removesuffix("()")
    return bool(wanted) and (qualname == wanted or qualname.endswith((f".{wanted}", f"::{wanted}", f"#{wanted}")))


def _entrance(omitted: Omitted) -> tuple[bool, int, float, str]:
    return (omitted.enters_at_budget is None, omitted.enters_at_budget or 0, -omitted.score, omitted.id)


def _level(item: ItemRecord) -> str:
    if item.level == Level.FULL:
        return "in part, truncated to fit" if item.truncated else "in full"
    return f"as {item.extent}"


def _piece(item: ItemRecord) -> str:
    return f"lines {item.start}-{item.end}" if item.start is not None else visible(item.title or item.id)


def _item_name(item: ItemRecord) -> str:
    if not item.path:
        return visible(item.title or item.id)
    return visible(f"{item.path}:{item.start}-{item.end}" if item.start is not None else item.path)


def _omitted_name(omitted: Omitted) -> str:
    title = one_line(omitted.title, TASK_SHOWN)
    if omitted.path and title and title not in omitted.path:
        return f"{visible(omitted.path)} ({title})"
    return visible(omitted.path or title or omitted.id)


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
