"""What was found out before: agents' outputs, fetched pages, results of spikes, as Markdown or JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import basename
from typing import Final

from msgspec.structs import replace

from haversack.model import Citation, MetaValue, Role, Span, Unit
from haversack.sources.docs import DocsSource
from haversack.sources.docs.front import PREFIX
from haversack.sources.docs.mentions import refs_of
from haversack.sources.protocol import Compressor, TextFile
from haversack.sources.research.compress import FINDINGS, heavy, light
from haversack.sources.research.findings import findings, in_record, is_conclusion, title_of
from haversack.units.ids import unit_id

NAME: Final = "research"
FOLDERS: Final = (".aiwg/research", "research", "notes", "spikes")
"""Folders that are read, from the project's root."""

ENDINGS: Final = (".md", ".markdown", ".mdx", ".txt", ".json", ".jsonl", ".ndjson")
FETCHED: Final = ("url", "source_url", "search_query", "retrieved", "fetched")
"""Keys that only something from the web has: in front matter or in a record."""


class ResearchSource:
    """Reads research into one unit per heading or record, with what each came to."""

    name: str = NAME
    threshold: float = 0.5

    def __init__(self, folders: Sequence[str] = ()) -> None:
        self._folders = tuple(f"{folder.strip('/')}/" for folder in (*FOLDERS, *folders) if folder.strip("/"))

    def claims(self, path: str, lang: str) -> bool:  # noqa: ARG002 - the protocol asks every file source the same way
        """Whether the file is Markdown, text or JSON in one of the folders."""
        return path.startswith(self._folders) and path.lower().endswith(ENDINGS)

    def units(self, file: TextFile) -> Iterable[Unit]:
        """The file's units in order."""
        if file.path.lower().endswith((".jsonl", ".ndjson")):
            return list(_records(file))
        if file.path.lower().endswith(".json"):
            return [_whole(file)]
        return list(_sections(file))

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        """The file and its lines."""
        return unit.citations

    def compressors(self) -> Mapping[str, Compressor]:
        """Light leaves out examples, heavy keeps what was found and nothing else."""
        return {"light": light, "heavy": heavy}


def _sections(file: TextFile) -> Iterator[Unit]:
    """The cut of a document, as research: ids of its own, and what each section came to."""
    fetched = False
    for unit in DocsSource().units(file):
        fetched = fetched or any(f"{PREFIX}{key}" in unit.meta for key in FETCHED)
        found = findings(unit.text.split("\n"), concluding=is_conclusion(unit.title))
        extra: dict[str, MetaValue] = {FINDINGS: found} if found else {}
        yield replace(
            unit,
            id=_own(unit.id),
            source=NAME,
            parent=_own(unit.parent) if unit.parent else None,
            role=Role.DOCS,
            refs=refs_of(unit.text, file.path),
            meta={**unit.meta, **extra, "origin": _origin(fetched)},
        )


def _origin(fetched: bool) -> str:
    return "web_searches" if fetched else "agent_outputs"


def _own(identity: str) -> str:
    return NAME[0] + identity[1:]


def _whole(file: TextFile) -> Unit:
    try:
        record = json.loads(file.text)
    except (ValueError, RecursionError):
        record = None
    lines = file.text.count("\n") + (not file.text.endswith("\n"))
    return _unit(file, "file", "", record, file.text, Span(1, lines) if file.text else None)


def _records(file: TextFile) -> Iterator[Unit]:
    """One unit per line that is a JSON object; torn ones stay with the file."""
    lines = file.text.split("\n")
    found = [(number, record) for number, line in enumerate(lines, 1) if (record := _object(line))]
    taken = {number for number, _ in found}
    rest = "\n".join(line for number, line in enumerate(lines, 1) if number not in taken)
    last = len(lines) - (1 if file.text.endswith("\n") else 0)
    yield _unit(file, "file", "", None, rest, Span(1, last) if file.text else None)
    for number, record in found:
        yield _unit(file, "record", str(number), record, lines[number - 1], Span(number, number))


def _object(line: str) -> dict[str, object] | None:
    try:
        value = json.loads(line) if line.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _unit(file: TextFile, kind: str, key: str, record: object, text: str, span: Span | None) -> Unit:
    known = record if isinstance(record, dict) else {}
    found = in_record(known)
    return Unit(
        id=unit_id(NAME, file.path, kind, key),
        source=NAME,
        kind=kind,
        title=title_of(known) or basename(file.path),
        text=text,
        path=file.path,
        span=span,
        name=basename(file.path) if kind == "file" else "",
        doc="\n".join(found),
        lang=file.lang or "json",
        role=Role.DOCS,
        time=file.mtime_ns / 1e9,
        refs=refs_of(text, file.path),
        citations=(Citation.of_file(file.path, span),),
        meta={"origin": _origin(any(known.get(key) for key in FETCHED))} | ({FINDINGS: found} if found else {}),
    )
