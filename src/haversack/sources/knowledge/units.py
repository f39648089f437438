"""A knowledge file's units: the file, and what it holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from posixpath import basename

from haversack.model import Citation, MetaValue, Role, Span, Unit
from haversack.sources.docs.mentions import codes, refs_of, typed_edges
from haversack.sources.knowledge import NAME, PROBLEMS
from haversack.sources.knowledge.cut import Cut, cut
from haversack.sources.knowledge.draft import Draft
from haversack.sources.protocol import TextFile
from haversack.units.ids import unit_id


def units_of(file: TextFile) -> list[Unit]:
    """The units of the file, in order."""
    lines = [line.removesuffix("\r") for line in file.text.split("\n")]
    if not file.text or file.text.endswith("\n"):
        lines.pop()
    made = cut(file.path, lines, file.mtime_ns / 1e9)
    return _units(file, lines, made)


def _units(file: TextFile, lines: Sequence[str], made: Cut) -> list[Unit]:
    owner = [-1] * len(lines)
    for number, draft in enumerate(made.drafts):  # what is inside comes after what it is inside of
        owner[draft.first : draft.last + 1] = [number] * (draft.last + 1 - draft.first)
    own: dict[int, list[str]] = {}
    for line, number in enumerate(owner):
        if number >= 0 or line < made.front_lines or made.page.seen[line].strip():
            own.setdefault(number, []).append(lines[line])
    seen: Counter[tuple[str, str]] = Counter()
    ids: dict[int, str] = {}
    by_key: dict[str, str] = {}
    for draft in made.drafts:
        ids[id(draft)] = unit_id(NAME, file.path, draft.kind, draft.key, seen[draft.kind, draft.key])
        by_key.setdefault(draft.key, ids[id(draft)])
        seen[draft.kind, draft.key] += 1
    notes = list(made.notes)
    if _is_recoded(file):
        notes.append("the file is not UTF-8; it is read in the encoding its bytes look like")
    heading = next((head.title for head in made.page.heads()[:1]), "")
    whole = _unit(
        file,
        unit_id(NAME, file.path, "file", ""),
        Draft("file", heading or basename(file.path), 0, len(lines) - 1, "", meta=dict(made.front), notes=notes),
        own.get(-1, []),
    )
    units = [whole]
    for number, draft in enumerate(made.drafts):
        parent = ids[id(draft.inside)] if draft.inside is not None else whole.id
        for link in ("superseded_by", "supersedes"):
            if link in draft.meta:
                draft.meta[link] = _as_ids(draft.meta[link], by_key)
        units.append(_unit(file, ids[id(draft)], draft, own.get(number, []), parent))
    return units


def _is_recoded(file: TextFile) -> bool:
    """Whether the text takes more bytes in UTF-8 than the file has, or lost some on the way."""
    if file.text.isascii() or "[redacted:" in file.text:  # a redacted text may be longer than its file
        return False
    return "\ufffd" in file.text or len(file.text.encode("utf-8", "surrogatepass")) > file.size


def _as_ids(value: MetaValue, by_key: Mapping[str, str]) -> MetaValue:
    return tuple(by_key[key] for key in value) if isinstance(value, tuple) else by_key[str(value)]


def _unit(file: TextFile, identity: str, draft: Draft, own: Sequence[str], parent: str | None = None) -> Unit:
    text = "\n".join(own)
    span = Span(draft.first + 1, draft.last + 1) if draft.last >= draft.first else None
    meta = dict(draft.meta)
    if draft.notes:
        meta[PROBLEMS] = tuple(draft.notes)
    if edges := typed_edges(text, file.path):
        meta["edges"] = edges
    if known_as := codes(draft.title):
        meta["names"] = known_as
    return Unit(
        id=identity,
        source=NAME,
        kind=draft.kind,
        title=draft.title,
        text=text,
        path=file.path,
        span=span,
        name=basename(file.path) if draft.kind == "file" else "",
        lang=file.lang or "markdown",
        role=file.role if file.role is not Role.SOURCE else Role.DOCS,
        time=draft.time,
        status=draft.status,
        parent=parent,
        refs=refs_of(text, file.path),
        citations=(Citation.of_file(file.path, span),),
        meta=meta,
    )
