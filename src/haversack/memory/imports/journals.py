"""JSON lines and JSON: haversack's own exports, CLAMS and CALM journals, lists of memories."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from haversack.errors import UsageError
from haversack.memory.imports.found import Found
from haversack.memory.lines import KIND, MEMORY, REWARD, is_experience, memory_of, reward_of
from haversack.memory.nouns import Record
from haversack.model import Problem

LONGEST_LINE = 4_000_000  # bytes; a longer line is named and passed over, whatever it holds
LARGEST_JSON = 64_000_000  # bytes of a file that is one JSON value
_FIX = "the other lines are imported; correct this one and import the file again"


def journal_files(folder: Path) -> list[Path]:
    """The files of a journal folder in the order they were written: archive, entries, the one under way."""
    archive = sorted(folder.glob("archive/*.jsonl"))
    entries = sorted(path for path in folder.glob("*.jsonl") if path.is_file())
    current = folder / "current_ghap.json"
    return [*archive, *entries, *([current] if current.is_file() else [])]


def read_lines(path: Path) -> Iterator[Found]:
    """One thing for each line; a broken line is a problem in its place."""
    with path.open("rb") as file:
        for number, raw in _lines(file):
            where = f"{path.name}:{number}"
            if raw is None:
                what = f"the line is longer than {LONGEST_LINE:,} bytes and was passed over"
                yield Found(problem=Problem(where, what, _FIX))
            elif raw.strip():
                yield _of_line(raw, where)


def read_json(path: Path) -> Iterator[Found]:
    """The object in a file, or each of a list of them."""
    if path.stat().st_size > LARGEST_JSON:
        raise UsageError(f"{path} is larger than {LARGEST_JSON:,} bytes", hint="write it as JSON lines: one per line")
    try:
        value = json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        yield Found(problem=Problem(path.name, f"is not valid JSON: {error}", "correct it and import it again"))
        return
    for number, each in enumerate(value if isinstance(value, list) else [value], 1):
        yield _of_record(each, f"{path.name}#{number}") if each else Found(unknown="an empty object")


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    number = 0
    while raw := file.readline(LONGEST_LINE):
        number += 1
        if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
            while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            yield number, None
        else:
            yield number, raw


def _of_line(raw: bytes, where: str) -> Found:
    try:
        return _of_record(json.loads(raw.decode("utf-8-sig")), where)
    except (ValueError, RecursionError) as error:
        torn = "" if raw.endswith(b"\n") else ", and ends in the middle"
        return Found(problem=Problem(where, f"is not a line of JSON{torn}: {error}", _FIX))


def _of_record(record: object, where: str) -> Found:
    if not isinstance(record, dict):
        return Found(problem=Problem(where, "is not a JSON object", _FIX))
    try:
        return _known(record)
    except UsageError as error:
        return Found(problem=Problem(where, error.message, error.hint or _FIX))


def _known(record: Record) -> Found:
    if record.get(KIND) == REWARD:
        return Found(reward=reward_of(record))
    if record.get(KIND) == MEMORY:
        return Found(memory=memory_of(record), own=True)
    if "category" in record and ("text" in record or "content" in record):
        return Found(memory=memory_of(record))
    if is_experience(record):
        return Found(experience=record)
    return Found(unknown=f"a record with {', '.join(sorted(record)[:4]) or 'nothing in it'}")
