"""Entries into and out of a TOML file: a table at the end, which leaves every line that is there as it is."""

from __future__ import annotations

import json
import re
import tomllib

from haversack.install.agent import Entry, Json
from haversack.install.edits import Insertion, NotPossibleError, UnreadableError, insert, line_end

_HEADER = re.compile(r"\s*\[")


def read(text: str) -> Json:
    """What the file says."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise UnreadableError(str(error)) from None


def add(text: str, entry: Entry) -> list[Insertion]:
    """What to insert so that the file holds the entry as well: a table of its own, last."""
    eol = line_end(text)
    ended = not text or text.endswith("\n")
    lines = [f"[{'.'.join(entry.path)}]"]
    if isinstance(entry.value, dict):
        lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in entry.value.items()]
    block = eol.join(lines) + (eol if ended else "")
    if text.strip("\ufeff\r\n"):
        block = ("" if ended else eol) + eol + block
    made = [Insertion(len(text), block)]
    try:
        read(insert(text, made))
    except UnreadableError:
        top = entry.path[0]
        raise NotPossibleError(f"{top} is written in a form that a table cannot be added to") from None
    return made


def remove(text: str, entry: Entry) -> str:
    """The text without the entry's table and the tables below it; the comments after them stay."""
    lines = text.splitlines(keepends=True)
    name = r"\s*\.\s*".join(rf"[\"']?{re.escape(key)}[\"']?" for key in entry.path)
    ours = re.compile(rf"\s*\[\s*{name}\s*[\].]")
    kept: list[str] = []
    number = 0
    while number < len(lines):
        if not ours.match(lines[number]):
            kept.append(lines[number])
            number += 1
            continue
        end = next((at for at in range(number + 1, len(lines)) if _HEADER.match(lines[at])), len(lines))
        while end > number + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
            end -= 1
        number = end
        if kept and not kept[-1].strip() and (number == len(lines) or not lines[number].strip()):
            kept.pop()  # the empty line that set the table apart
    return "".join(kept)


def loose_commas(_text: str) -> int:
    """None: a table at the end of a file leaves no comma behind."""
    return 0
