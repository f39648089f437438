"""The allocation table of a budget: what each section was given, what it holds, how it adds up. Boxes or ASCII."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from haversack.render.safe import ELLIPSIS, one_line, visible

DEFAULT_WIDTH = 80
MIN_WIDTH = 48  # below this the path column would vanish; a narrower terminal wraps instead
TITLE = "CONTEXT BUDGET ALLOCATION"
HEADINGS = ("File", "Level", "Tokens", "Relevance")
_BOX = {"top": ("┌", "┬", "┐"), "rule": ("├", "┼", "┤"), "bottom": ("└", "┴", "┘")}
_ASCII = str.maketrans({**dict.fromkeys("┌┬┐├┼┤└┴┘", "+"), "─": "-", "│": "|", "…": "~", "✓": "ok", "✗": "!!"})


class AllocationRow(Struct, frozen=True):
    """One item: its path or title, level, tokens as rendered, score."""

    name: str
    level: str
    tokens: int
    relevance: float | None


class AllocationSection(Struct, frozen=True):
    """One section: what it was given and what it holds. `share` is its part of the available budget, 0..1."""

    title: str
    share: float | None
    allocated: int | None
    rows: tuple[AllocationRow, ...]


class Allocation(Struct, frozen=True):
    """Everything the table shows. `used` counts the whole text; what is not in a row is headings and footer."""

    task: str
    model: str
    counter: str
    total: int
    reserved_output: int
    reserved_system: int
    available: int
    sections: tuple[AllocationSection, ...]
    used: int
    efficiency: str
    fits: bool
    status: str


def allocation_table(allocation: Allocation, *, width: int = DEFAULT_WIDTH, ascii_only: bool = False) -> str:
    """The table as text of at most `width` columns, ending in a newline."""
    width = max(MIN_WIDTH, width)
    shown = _in_ascii(allocation) if ascii_only else allocation
    columns = _columns_of(shown, width - 2)
    lines = [*_heading(shown, width), *_reserves(shown)]
    for section in shown.sections:
        lines += _section(section, columns)
    lines += _summary(shown)
    text = "".join(f"{line.rstrip()}\n" for line in lines)
    return text.translate(_ASCII) if ascii_only else text


def cell_width(text: str) -> int:
    """How many terminal columns the text takes: wide characters two, combining ones none."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def fit_cell(text: str, width: int) -> str:
    """The text in exactly `width` columns: padded, or cut in the middle so that a path keeps both its ends."""
    shown = visible(text)
    size = cell_width(shown)
    if size <= width:
        return shown + " " * (width - size)
    head = _take(shown, (width - 1) // 3)
    tail = _take(shown[::-1], width - 1 - cell_width(head))[::-1]
    cut = f"{head}{ELLIPSIS}{tail}"
    return cut + " " * (width - cell_width(cut))


def ascii_text(text: str) -> str:
    """The text with everything beyond ASCII as escapes."""
    return text.encode("ascii", "backslashreplace").decode("ascii")


def tokens_text(count: int) -> str:
    """`1 token`, `12,400 tokens`."""
    return f"{count:,} token{'' if count == 1 else 's'}"


def _heading(allocation: Allocation, width: int) -> list[str]:
    rule = "=" * width
    task = one_line(allocation.task, width)
    room = width - len('Task: ""')
    if cell_width(task) > room:
        task = _take(task, room - 1) + ELLIPSIS
    lines = [rule, TITLE.center(width), rule, "", f'Task: "{task}"']
    if allocation.model:
        lines.append(f"Model: {visible(allocation.model)}")
    return [*lines, f"Total Budget: {tokens_text(allocation.total)} (counter {visible(allocation.counter)})", ""]


def _reserves(allocation: Allocation) -> list[str]:
    return [
        "ALLOCATION:",
        "",
        "Reserved:",
        f"  - Output generation: {tokens_text(allocation.reserved_output)}",
        f"  - System prompts: {tokens_text(allocation.reserved_system)}",
        f"  - Available: {tokens_text(allocation.available)}",
        "",
    ]


def _section(section: AllocationSection, columns: Sequence[int]) -> list[str]:
    spent = sum(row.tokens for row in section.rows)
    box = _box(section.rows, columns) if section.rows else ["(nothing)"]
    return [
        f"{visible(section.title).upper()}{_given(section)}:",
        *(f"  {line}" for line in box),
        f"  Subtotal: {tokens_text(spent)}{_of_allocation(spent, section.allocated)}",
        "",
    ]


def _given(section: AllocationSection) -> str:
    if section.allocated is None:
        return ""
    share = "" if section.share is None else f"{section.share:.0%} = "
    return f" ({share}{tokens_text(section.allocated)})"


def _of_allocation(spent: int, allocated: int | None) -> str:
    if not allocated:
        return ""
    more = ", from what others left" if spent > allocated else ""
    return f" ({spent / allocated:.0%} of allocation{more})"


def _columns_of(allocation: Allocation, width: int) -> tuple[int, ...]:
    """The widths of the four columns, the same in every section."""
    cells = [HEADINGS, *(_cells(row) for section in allocation.sections for row in section.rows)]
    others = [max(cell_width(row[column]) for row in cells) for column in (1, 2, 3)]
    # Four cells have a space either side, and five bars stand between and around them.
    return (width - sum(others) - 4 * 2 - 5, *others)


def _box(rows: Sequence[AllocationRow], columns: Sequence[int]) -> Iterable[str]:
    yield _rule("top", columns)
    yield _row(HEADINGS, columns)
    yield _rule("rule", columns)
    for row in rows:
        yield _row(_cells(row), columns)
    yield _rule("bottom", columns)


def _cells(row: AllocationRow) -> tuple[str, str, str, str]:
    relevance = "" if row.relevance is None else f"{row.relevance:.2f}"
    return (row.name, row.level, f"{row.tokens:,}", relevance)


def _rule(kind: str, widths: Sequence[int]) -> str:
    left, middle, right = _BOX[kind]
    return left + middle.join("─" * (width + 2) for width in widths) + right


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "│" + "│".join(f" {fit_cell(cell, width)} " for cell, width in zip(cells, widths, strict=True)) + "│"


def _summary(allocation: Allocation) -> list[str]:
    rows = sum(row.tokens for section in allocation.sections for row in section.rows)
    utilisation = f"{allocation.used / allocation.available:.1%}" if allocation.available > 0 else "none available"
    return [
        "SUMMARY:",
        f"  Total Used: {tokens_text(allocation.used)} ({allocation.used - rows:,} of them headings and footer)",
        f"  Total Available: {tokens_text(allocation.available)}",
        f"  Utilization: {utilisation}",
        f"  Efficiency: {allocation.efficiency}",
        "",
        f"Status: {'✓' if allocation.fits else '✗'} {allocation.status}",
    ]


def _in_ascii(allocation: Allocation) -> Allocation:
    """The same with every letter a plain terminal lacks written out."""
    sections = tuple(
        replace(
            section,
            title=ascii_text(section.title),
            rows=tuple(replace(row, name=ascii_text(row.name), level=ascii_text(row.level)) for row in section.rows),
        )
        for section in allocation.sections
    )
    return replace(
        allocation,
        task=ascii_text(allocation.task),
        model=ascii_text(allocation.model),
        counter=ascii_text(allocation.counter),
        status=ascii_text(allocation.status),
        sections=sections,
    )


def _take(text: str, width: int) -> str:
    """As much of the text's beginning as fits."""
    used = 0
    for position, character in enumerate(text):
        used += _columns(character)
        if used > width:
            return text[:position]
    return text


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
