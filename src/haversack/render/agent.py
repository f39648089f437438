"""The agent packet as text: a project's own notes by tier, as Markdown or JSON."""

from __future__ import annotations

import json

from msgspec import Struct, field

from haversack.render.safe import encodable, fence_for, plain

INSTRUCTION = (
    "These are the project's own notes. The constitution holds for every task: a task that needs one of its rules "
    "broken is wrong. Where a note and the code disagree, the code is what runs."
)
ALSO = "Also noted:"


class Part(Struct, frozen=True):
    """One section: whole entries, then titles of others."""

    name: str
    title: str
    full: tuple[str, ...] = ()
    brief: tuple[str, ...] = ()


class Sheet(Struct, frozen=True):
    """Everything an agent packet says."""

    budget: int
    counter: str
    instruction: str = INSTRUCTION
    read_order: tuple[str, ...] = ()
    constitution: tuple[str, ...] = ()
    parts: tuple[Part, ...] = field(default_factory=tuple)
    remarks: tuple[str, ...] = ()


def as_markdown(sheet: Sheet) -> str:
    """Whatever is not ours stands in a fence that it cannot close."""
    blocks = []
    if sheet.instruction:
        blocks.append(f"# Project knowledge\n\n{sheet.instruction}\n")
    if sheet.read_order:
        blocks.append(f"## Read order\n{_fenced(' '.join(sheet.read_order))}")
    if sheet.constitution:
        blocks.append(f"## Constitution\n{_fenced(chr(10).join(sheet.constitution))}")
    for part in sheet.parts:
        body = "\n".join(part.full)
        if part.brief:
            body += ("\n" if body else "") + "\n".join((ALSO, *part.brief))
        if body:
            blocks.append(f"## {plain(part.title)}\n{_fenced(body)}")
    if sheet.remarks:
        blocks.append("## Not read\n" + _fenced("\n".join(sheet.remarks)))
    return encodable("\n".join(blocks))


def as_json(sheet: Sheet, tokens: int, *, exceeded: bool = False) -> str:
    """The same as one JSON object; titles of entries that are not shown whole are its `summaries`."""
    shown = {part.name: list(part.full) for part in sheet.parts}
    body: dict[str, object] = {
        "tokens": tokens,
        "budget": sheet.budget,
        "constitution": list(sheet.constitution),
        **{name: shown.get(name, []) for name in ("tasks", "conventions", "decisions", "learnings")},
        "summaries": [title for part in sheet.parts for title in part.brief],
    }
    if not sheet.instruction:  # the budget holds next to nothing: names of what is not here would take the rest
        body = {name: value for name, value in body.items() if value != []}
    body |= {"instruction": sheet.instruction} if sheet.instruction else {}
    body |= {"read_order": list(sheet.read_order)} if sheet.read_order else {}
    body |= {"problems": list(sheet.remarks)} if sheet.remarks else {}
    body |= {"budget_exceeded": True} if exceeded else {}
    return encodable(json.dumps(body, ensure_ascii=False)) + "\n"


def _fenced(text: str) -> str:
    fence = fence_for(text)
    return f"{fence}\n{text}\n{fence}\n"
