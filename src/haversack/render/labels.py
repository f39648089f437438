"""What every format says about an item: where it is from, what it is, how much of it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from shlex import quote

from msgspec import Struct

from haversack.model import Citation, Level, Rung, Status, Unit
from haversack.render.frame import OmittedGroup
from haversack.render.safe import ELLIPSIS, one_line, plain, visible, word

HYPOTHESIS = "[HYPOTHESIS]"
CODE = "code"
# Project material is the rule; the header says so once and an item names only what differs.
DEFAULT_TRUST = "project"
# A duplicate found in many places cites the nearest few here; the receipt and --json have them all.
ALSO_SHOWN = 3
LONGEST_WHERE = 4_000  # a path is not longer on any system
UNREAD_SHOWN = 3  # `haversack doctor` names them all; in a packet they cost
TITLE_LIMIT = 80
NOTE_LIMIT = 120
PROSE_LEVELS = (Level.SUMMARY, Level.STUB)


class Labels(Struct, frozen=True):
    """The words about one item; empty strings and tuples where there is nothing to say."""

    cite: str
    hypothesis: bool
    source: str
    kind: str
    title: str
    remarks: tuple[str, ...]
    also: tuple[str, ...]
    note: str
    lang: str
    number: int | None

    def marked(self, cite: str) -> str:
        """The citation as a format writes it, with a mark before it where the origin is not known."""
        return f"{HYPOTHESIS} {cite}" if self.hypothesis else cite


def handles(numbers: Sequence[int]) -> str:
    """`[1]-[4], [7]`; what has no handle was in the packet at the session's start."""
    runs: list[list[int]] = []
    for number in sorted({each for each in numbers if each}):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = [f"[{first}]" if first == last else f"[{first}]-[{last}]" for first, last in runs]
    if 0 in numbers:
        shown.append("entries of the first packet")
    return ", ".join(shown)


def citation(unit: Unit, rung: Rung) -> str:
    """`path:start-end` of the lines shown, or the commit, entry or log pointer; empty when there is no origin."""
    first = unit.citations[0] if unit.citations else None
    if unit.path and (first is None or first.kind in ("file", "symbol")):
        span = rung.span or unit.span
        return f"{unit.path}:{span}" if span else unit.path
    return str(first) if first else ""


def label(
    unit: Unit,
    rung: Rung,
    *,
    number: int | None = None,
    score: float | None = None,
    also: Sequence[Citation] = (),
    note: str = "",
) -> Labels:
    """Everything a format may print about an item, each on one line; `cite`, `title` and `also` still need quoting.

    `number` is a fixed handle if the caller has one, `note` a remark such as "given earlier".
    """
    cite = citation(unit, rung)
    return Labels(
        cite=visible(cite or unit.id),
        hypothesis=not cite,
        source=word(unit.source),
        kind=_kind(unit),
        title=_title(unit, rung, cite),
        remarks=_remarks(unit, rung, score),
        also=_also(also, cite) if also else (),
        note=one_line(note, NOTE_LIMIT) if note else "",
        lang=word(unit.lang) if unit.lang and rung.level not in PROSE_LEVELS else "",
        number=number,
    )


def unread(names: Sequence[str]) -> list[str]:
    """The first few of what was not read, or not wholly, each on one line; and how many more there are."""
    shown = [_with_its_end(one_line(name, LONGEST_WHERE)) for name in dict.fromkeys(names)]
    more = len(shown) - UNREAD_SHOWN
    return [*shown[:UNREAD_SHOWN], f"{more:,} more"] if more > 0 else shown


def _with_its_end(name: str) -> str:
    """A path that is too long is told by its end: there its file's name stands."""
    return name if len(name) <= TITLE_LIMIT else ELLIPSIS + name[1 - TITLE_LIMIT :]


def show_command(name: str) -> str:
    """The command that prints a thing, safe to paste into a shell whatever the thing is called."""
    return f"haversack show {quote(visible(name))}"


def reasons_text(group: OmittedGroup) -> str:
    """`budget`, or `12 budget, 2 below threshold` when there is more than one reason."""
    if len(group.reasons) == 1:
        return plain(group.reasons[0][0])
    return ", ".join(f"{number} {plain(reason)}" for reason, number in group.reasons)


def _kind(unit: Unit) -> str:
    source, kind = word(unit.source), word(unit.kind)
    return kind if source in (kind, f"{kind}s") else f"{source} {kind}"


def _title(unit: Unit, rung: Rung, cite: str) -> str:
    # Said only when neither the citation nor the text says it: the class a method belongs to, the subject of a commit.
    named = unit.qualname if unit.path else ""
    title = one_line(named or ("" if unit.kind == "block" else unit.title), TITLE_LIMIT)
    shown = title.removesuffix(ELLIPSIS)
    if shown in cite or shown in rung.text:
        return ""
    outer, dot, own = title.rpartition(".")
    if not (dot and outer and unit.source == CODE and own in rung.text):
        return title
    return "" if owner_told(unit, rung.text) else outer


def owner_told(unit: Unit, text: str) -> bool:
    """Whether a declaration names the type it belongs to: `func (c *Command) Run()`, `void Pool::grow()`."""
    outer, _, own = unit.qualname.rpartition(".")
    owner = outer.rpartition(".")[2]
    if not owner:
        return False
    return f"{owner}::{own}" in text or (unit.lang == "go" and any(f"{mark}{owner})" in text for mark in " *"))


def _remarks(unit: Unit, rung: Rung, score: float | None) -> tuple[str, ...]:
    remarks = []
    if rung.level != Level.FULL:
        remarks.append(str(rung.level))
    if rung.truncated:
        remarks.append("truncated")
    if unit.status != Status.LIVE:
        remarks.append(str(unit.status))
    if unit.trust != DEFAULT_TRUST:
        remarks.append(f"trust {word(unit.trust)}")
    if score is not None:
        remarks.append(f"score {score:.2f}")
    return tuple(remarks)


def _also(also: Sequence[Citation], cite: str) -> tuple[str, ...]:
    # A place says where to look; the name of what stands there says nothing more.
    places = [each for each in also if each.kind != "symbol"] or also
    others = [text for text in dict.fromkeys(visible(str(c)) for c in places) if text != cite]
    more = len(others) - ALSO_SHOWN
    return (*others[:ALSO_SHOWN], f"{more} more") if more > 0 else tuple(others)
