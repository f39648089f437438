"""What becomes of one file: the text with our entries, or the text without them, each checked before it is written."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

from haversack.install import json_file, toml_file
from haversack.install.agent import Entry, Json
from haversack.install.edits import EMPTY, Insertion, NotPossibleError, UnreadableError, cut_out, insert, take_back
from haversack.install.record import Added, FileRecord, digest

State = Literal["missing", "present", "different"]

_OUR_HOOK = re.compile(r"(?:^|[/\\\s\"'])haversack(?:\.exe)?[\"']?\s+hook\b")


class Format(Protocol):
    """How entries go into a kind of file and out of it."""

    def read(self, text: str) -> Json: ...
    def add(self, text: str, entry: Entry) -> list[Insertion]: ...
    def remove(self, text: str, entry: Entry) -> str: ...
    def loose_commas(self, text: str) -> int: ...


def format_of(path: Path) -> Format:
    """By the name of the file."""
    return toml_file if path.suffix == ".toml" else json_file


class Planned(Struct, frozen=True):
    """A text with entries added, and what is needed to take them out again."""

    text: str
    insertions: tuple[Insertion, ...]
    added: tuple[Entry, ...]
    containers: tuple[tuple[str, ...], ...]


def state(data: Json, entry: Entry) -> State:
    """Whether the file holds the entry; a hook of ours that is written in another way counts as different."""
    there = _at(data, entry.path)
    if there is None:
        return "missing"
    if not entry.element:
        return "present" if there == entry.value else "different"
    elements = there if isinstance(there, list) else []
    if entry.value in elements:
        return "present"
    return "different" if any(_runs_our_hook(each) for each in elements) else "missing"


def with_entries(form: Format, text: str, entries: Iterable[Entry], blank: str) -> Planned:
    """The text with those of the entries that are missing."""
    insertions: list[Insertion] = []
    added: list[Entry] = []
    containers: list[tuple[str, ...]] = []
    if not text.strip(EMPTY):
        insertions.append(Insertion(len(text), blank))
        text += blank
    for entry in entries:
        data = form.read(text)
        if state(data, entry) != "missing":
            continue
        containers += [path for path in around(entry) if _at(data, path) is None]
        made = form.add(text, entry)
        text = insert(text, made)
        if state(form.read(text), entry) != "present":
            raise NotPossibleError(f"{'.'.join(entry.path)} cannot be added")
        insertions += made
        added.append(entry)
    return Planned(text, tuple(insertions), tuple(added), tuple(containers))


def without(form: Format, text: str, record: FileRecord) -> str:
    """The text as it was before we came: to the byte, or, if others have changed it since, all but our entries."""
    insertions = [Insertion(*each) for each in record.insertions]
    if digest(text) == record.after and record.before:
        before = take_back(text, insertions)
        if before is not None and digest(before) == record.before:
            return before
    goal = _less(form.read(text), record.entries, record.containers)
    shorter = cut_out(text, insertions) if insertions else None
    # A comma before a closing bracket is more than some readers take: none may be left behind.
    if shorter is not None and _says(form, shorter, goal) and form.loose_commas(shorter) <= form.loose_commas(text):
        return shorter
    return without_entries(form, text, record.entries, record.containers)


def without_entries(form: Format, text: str, entries: Sequence[Added], containers: Sequence[tuple[str, ...]]) -> str:
    """The text without these entries, nor the containers if they are empty then."""
    data = form.read(text)
    goal = _less(data, entries, containers)
    for entry in entries:
        value = _ours(data, entry)
        if value is not None:
            text = form.remove(text, Entry(entry.path, value, entry.element))
            data = form.read(text)
    for path in sorted(containers, key=len, reverse=True):
        left = _at(form.read(text), path)
        if left in ({}, []):
            text = form.remove(text, Entry(path, left))
    if not _says(form, text, goal):
        raise NotPossibleError("our entries cannot be told from the rest")
    return text


def says_nothing(form: Format, text: str, blank: str) -> bool:
    """Whether a file that we made holds nothing but what we began it with."""
    return _says(form, text, form.read(blank)) or _says(form, text, {})


def _says(form: Format, text: str, goal: Json) -> bool:
    try:
        return form.read(text) == goal
    except UnreadableError:
        return False


def _less(data: Json, entries: Iterable[Added], containers: Iterable[tuple[str, ...]]) -> Json:
    """What a file says without these entries and the containers left empty."""
    data = copy.deepcopy(data)
    for entry in entries:
        value = _ours(data, entry)
        above = _at(data, entry.path if entry.element else entry.path[:-1])
        if value is None:
            continue
        if isinstance(above, list):
            above.remove(value)
        elif isinstance(above, dict):
            del above[entry.path[-1]]
    for path in sorted(containers, key=len, reverse=True):
        above = _at(data, path[:-1])
        if isinstance(above, dict) and above.get(path[-1]) in ({}, []):
            del above[path[-1]]
    return data


def _ours(data: Json, entry: Added) -> Json:
    """The value to take out: whatever stands under our key, the element we wrote, or one that only runs our hook."""
    there = _at(data, entry.path)
    if not entry.element or not isinstance(there, list):
        return None if entry.element else there
    if entry.value in there:
        return entry.entry.value
    return next((each for each in there if _runs_our_hook(each, only=True)), None)


def _runs_our_hook(value: Json, *, only: bool = False) -> bool:
    commands = list(_commands(value))
    judged = [bool(_OUR_HOOK.search(command)) for command in commands]
    return bool(judged) and (all(judged) if only else any(judged))


def _commands(value: Json) -> Iterable[str]:
    if isinstance(value, list):
        for each in value:
            yield from _commands(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key == "command":
                yield each if isinstance(each, str) else json.dumps(each)
            else:
                yield from _commands(each)


def _at(data: Json, path: Sequence[str]) -> Json:
    for key in path:
        if not isinstance(data, dict) or key not in data:
            return None
        data = data[key]
    return data


def around(entry: Entry) -> list[tuple[str, ...]]:
    """The containers an entry stands in, outermost first."""
    depth = len(entry.path) + entry.element
    return [entry.path[:size] for size in range(1, depth)]
