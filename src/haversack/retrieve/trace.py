"""What bears on a piece of code: decisions, learnings, records, tasks, requirements, commits, and what led there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from haversack.errors import NotFoundError
from haversack.index import symbolic
from haversack.index.prepare import DEFINES, TOUCHES, USES
from haversack.index.terms import term_hash
from haversack.index.units import UnitReader
from haversack.model import Span, Unit, named_lines
from haversack.retrieve.knowledge import entries
from haversack.retrieve.mentioned import section_called
from haversack.sources.docs.mentions import MENTIONS, prose_mentions
from haversack.sources.protocol import TextFile

if TYPE_CHECKING:
    from haversack.index.snapshot import Snapshot
    from haversack.index.store import Store
    from haversack.project import Project

COMMITS = 20  # newest ones shown; the whole history is git's to tell
COMMON_NAME = 3  # definitions of a name; one that more things share says nothing about this one
MOST_SPEAKING = 40  # units that name the same issue; an umbrella ticket is in everything
SHORTEST_NAME = 4  # a symbol of fewer letters is a word
_CONTEXT = re.compile(r"\b(decision|learning|task|convention):(\d{1,5})\b")
ORDER = ("decision", "learning", "adr", "rule", "convention", "task", "requirement", "document", "commit")


class Edge(Struct, frozen=True):
    """A unit that bears on the code, what kind of thing it is, and what led there."""

    unit: Unit
    kind: str
    edge: str


def trace(project: Project, store: Store, target: str) -> tuple[Edge, ...]:
    """Everything that bears on `path` or `path:lines`, by kind; each unit once, with the first edge that led to it."""
    snapshot = store.snapshot()
    reader = UnitReader(store, snapshot)
    path, span = _place(snapshot, target)
    found: dict[str, Edge] = {}
    for edge in (
        *_named_by_others(snapshot, reader, path, span),
        *_named_in_the_code(project, snapshot, reader, path, span),
        *_commits(store, snapshot, reader, path),
    ):
        if edge.unit.path != path:
            found.setdefault(edge.unit.id, edge)
    ordered = sorted(found.values(), key=lambda edge: (ORDER.index(edge.kind), _when(edge), edge.unit.path or ""))
    return tuple(ordered)


def commits_of(store: Store, target: str) -> int:
    """How many commits of the index changed the file; a trace shows the newest `COMMITS` of them."""
    snapshot = store.snapshot()
    ((positions, _),) = snapshot.postings([term_hash(_place(snapshot, target)[0], TOUCHES)])
    return len(positions)


def _when(edge: Edge) -> tuple[float, int]:
    newest = -(edge.unit.time or 0.0) if edge.kind == "commit" else 0.0
    return newest, edge.unit.span.start if edge.unit.span else 0


def _place(snapshot: Snapshot, target: str) -> tuple[str, Span | None]:
    path, span = named_lines(target.strip()) or (target.strip(), None)
    items = symbolic.paths(snapshot, path)
    files = [snapshot.items[item].key for item in items if snapshot.items[item].in_file]
    if len(files) != 1:
        what = "no file is called" if not files else f"{len(files)} files are called"
        hint = f"for example {', '.join(sorted(files)[:3])}" if files else "give a path from the project's root"
        raise NotFoundError(f"{what} {path!r}", hint=hint)
    return files[0], span


def _kind(unit: Unit) -> str:
    """What a piece of prose is to somebody who traces code; nothing for code, turns and files of knowledge."""
    if unit.source == "knowledge":
        return {"architecture": "document", "steering": "rule", "term": "document"}.get(
            unit.kind, unit.kind if unit.kind in ORDER else ""
        )
    if unit.source == "docs":
        return {"adr": "adr", "requirement": "requirement"}.get(str(unit.meta.get("convention")), "document")
    return "requirement" if unit.source == "research" else ""


def _named_by_others(snapshot: Snapshot, reader: UnitReader, path: str, span: Span | None) -> Iterator[Edge]:
    """Prose that names the file, or a symbol defined in these lines."""
    for name, words in _names(snapshot, reader, path, span):
        ((positions, _),) = snapshot.postings([term_hash(name, USES)])
        for unit in reader.at(positions.tolist()):
            kind = _kind(unit)
            if kind:
                yield Edge(unit, kind, _typed(unit, name) or words)


def _names(snapshot: Snapshot, reader: UnitReader, path: str, span: Span | None) -> Iterator[tuple[str, str]]:
    parts = path.split("/")
    for start in range(len(parts)):
        tail = "/".join(parts[start:])
        if start == 0 or len([item for item in snapshot.items if f"/{item.key}".endswith(f"/{tail}")]) == 1:
            yield tail, f"names {tail}"
    for unit in reader.of_item(snapshot.positions_by_key[path]):
        if unit.source != "code" or not unit.name or unit.kind == "file" or len(unit.name) < SHORTEST_NAME:
            continue
        if span is not None and (unit.span is None or not unit.span.overlaps(span)):
            continue
        for name in dict.fromkeys((unit.qualname, unit.name)):
            ((defined, _),) = snapshot.postings([term_hash(name, DEFINES)])
            if name and len(defined) <= COMMON_NAME:
                yield name, f"names {name}"


def _typed(unit: Unit, name: str) -> str:
    edges = unit.meta.get("edges")
    return next((edge for edge in edges if edge.endswith(f" {name}")), "") if isinstance(edges, tuple) else ""


def _named_in_the_code(
    project: Project, snapshot: Snapshot, reader: UnitReader, path: str, span: Span | None
) -> Iterator[Edge]:
    """Records, requirements and documents that the code itself names in its comments."""
    from haversack.project import read_text

    file = read_text(project, path)
    if not isinstance(file, TextFile):
        return
    for mention in prose_mentions(file.text, path):
        if mention.form == "symbol" or (span is not None and not span.start <= mention.line <= span.end):
            continue
        units = _resolved(snapshot, reader, mention.targets, mention.part)
        if mention.form == "issue":
            units += _speaking_of(snapshot, reader, mention.targets[0])
        for unit in units:
            kind = "commit" if unit.source == "commits" else _kind(unit)
            if kind:
                verb = "names it" if mention.edge == MENTIONS else mention.edge
                yield Edge(unit, kind, f"{path}:{mention.line} {verb}")


def _resolved(snapshot: Snapshot, reader: UnitReader, targets: Iterable[str], part: str = "") -> list[Unit]:
    for target in targets:
        item = snapshot.positions_by_key.get(target)
        first = snapshot.first_position(item) if item is not None else -1
        if item is not None and first >= 0:
            section = section_called(reader, item, part) if part else None
            return [section] if section else reader.at([first])
        ((defined, _),) = snapshot.postings([term_hash(target, DEFINES)])
        if 0 < len(defined) <= COMMON_NAME:
            return reader.at(defined.tolist())
    return []


def _commits(store: Store, snapshot: Snapshot, reader: UnitReader, path: str) -> Iterator[Edge]:
    """Commits that changed the file, and what their messages name: entries by number, records, issues."""
    ((positions, _),) = snapshot.postings([term_hash(path, TOUCHES)])
    commits = sorted(reader.at(positions.tolist()), key=lambda unit: (-(unit.time or 0.0), unit.id))
    numbered: dict[str, list[Unit]] = {}
    if commits:
        for entry in entries(store):
            numbered.setdefault(entry.kind, []).append(entry.unit)
    for commit in commits[:COMMITS]:
        short = str(commit.citations[0]) if commit.citations else commit.id
        yield Edge(commit, "commit", f"changed {path}")
        said = _message(commit)
        for kind, number in _CONTEXT.findall(said):
            of_kind = numbered.get(kind, [])
            if 0 < int(number) <= len(of_kind):
                yield Edge(of_kind[int(number) - 1], kind, f"{short} says {kind}:{number}")
        for unit, words in _named_in_words(snapshot, reader, said):
            if kind := _kind(unit):
                yield Edge(unit, kind, f"{short} names {words}")


def _message(commit: Unit) -> str:
    """What was written about the change: the text before the list of files and the changes themselves."""
    files = commit.meta.get("files_then") or commit.meta.get("files")
    first = files[0] if isinstance(files, tuple) and files else "diff --git "
    return commit.text.partition(f"\n\n{first}")[0]


def _named_in_words(snapshot: Snapshot, reader: UnitReader, said: str) -> Iterator[tuple[Unit, str]]:
    """Records that a message names, and whatever names the same issue."""
    for mention in prose_mentions(said, ""):
        target = mention.targets[0]
        if mention.form == "record":
            yield from ((unit, target) for unit in _resolved(snapshot, reader, mention.targets))
        elif mention.form == "issue":
            yield from ((unit, f"{target}, and so does this") for unit in _speaking_of(snapshot, reader, target))


def _speaking_of(snapshot: Snapshot, reader: UnitReader, code: str) -> list[Unit]:
    """Prose that names the same issue or ticket, unless so much does that it says nothing."""
    ((users, _),) = snapshot.postings([term_hash(code, USES)])
    return reader.at(users.tolist()) if len(users) <= MOST_SPEAKING else []
