"""Markdown that agents keep as memory: Claude Code's `memory/*.md`, with front matter or as plain lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from haversack.memory.imports.found import Found, foreign_id, shortened
from haversack.memory.nouns import Memory
from haversack.model import Citation, Problem

LARGEST_NOTE = 2_000_000  # bytes
# What Claude Code calls the kinds of its memories.
_CATEGORIES = {"user": "preference", "feedback": "preference", "project": "context", "reference": "fact"}
_FRONT = re.compile(r"\A---\n(?P<fields>.*?)\n---\n?(?P<body>.*)\Z", re.DOTALL)
_FIELD = re.compile(r"^\s*(?P<name>[\w-]+):[ \t]*(?P<value>\S.*)$", re.MULTILINE)
_HEADING = re.compile(r"^#{1,6}\s+(?P<title>.+?)\s*#*$")
_BULLET = re.compile(r"^[-*+]\s+(?:\[[ xX-]\]\s+)?(?P<text>\S.*)$")
_LINK = re.compile(r"^\[[^\]]+\]\((?P<target>[^)\s]+\.md)\)")


def read_note(path: Path) -> Iterator[Found]:
    """A note with front matter is one memory; of another, every point of a list and every paragraph is one."""
    if path.stat().st_size > LARGEST_NOTE:
        what = f"is larger than {LARGEST_NOTE:,} bytes and was passed over"
        yield Found(problem=Problem(path.name, what, "split it into notes of a reasonable size"))
        return
    text = path.read_text("utf-8-sig", "replace").replace("\r\n", "\n")
    when = path.stat().st_mtime
    front = _FRONT.match(text)
    if front:
        fields = {each["name"]: each["value"].strip("\"' ") for each in _FIELD.finditer(front["fields"])}
        said = "\n".join(part for part in (fields.get("description", ""), front["body"].strip()) if part)
        if said:
            category = _CATEGORIES.get(fields.get("type", ""), "context")
            yield Found(memory=_memory(path, 1, said, category, fields.get("name", ""), when))
        return
    for line, heading, said in _points(text):
        link = _LINK.match(said)
        if link and (path.parent / link["target"]).is_file():  # an index: the note itself is read, too
            continue
        yield Found(memory=_memory(path, line, said, "context", heading, when))


def _memory(path: Path, line: int, said: str, category: str, about: str, when: float) -> Memory:
    return Memory(
        text=shortened(said),
        category=category,
        tags=(about,) if about else (),
        citations=(Citation.of_log(f"{path}:{line}"),),
        origin=str(path),
        id=foreign_id("note", path.name, said),
        created=round(when, 6),
    )


def _points(text: str) -> Iterator[tuple[int, str, str]]:
    """Line, heading and text of every point: a bullet with what is indented under it, or a paragraph."""
    heading = ""
    lines: list[str] = []
    first = 1
    for number, line in enumerate([*text.split("\n"), ""], 1):
        title, bullet = _HEADING.match(line), _BULLET.match(line)
        if lines and (title or bullet or not line.strip()):
            yield first, heading, "\n".join(lines)
            lines = []
        if title:
            heading = title["title"]
        elif line.strip():
            first = first if lines else number
            lines.append(bullet["text"] if bullet else line.strip())
