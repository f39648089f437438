"""What is ignored now is not shown out of the past either: not its part of a diff, nor its name in a commit's list."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from msgspec.structs import replace

from haversack.model import MetaValue, Unit
from haversack.patterns import lazily
from haversack.sources.commits.history import NAME

Hides: TypeAlias = Callable[[str], bool]
"""Whether a path is one that must not be shown."""

_SECTION: Final = lazily(r"^diff --git ", re.MULTILINE)
_SIDE: Final = lazily(r'^(?:---|\+\+\+) (?:"[ab]/(?P<quoted>.*)"|[ab]/(?P<plain>[^\t\n]*))\t?$', re.MULTILINE)
_MOVED: Final = lazily(r'^(?:rename|copy) (?:from|to) (?:"(?P<quoted>.*)"|(?P<plain>.*))$', re.MULTILINE)
# All that is said of an empty file or a changed mode: both names are the same, so the line is one text twice.
_TWICE: Final = lazily(
    r'\Adiff --git (?:a/(?P<plain>.*) b/(?P=plain)|"a/(?P<quoted>.*)" "b/(?P=quoted)")$', re.MULTILINE
)
_ESCAPED: Final = lazily(rb"\\([0-7]{3}|.)")
_LETTERS: Final = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}


def shown_diff(diff: str, hides: Hides) -> str:
    """The diff without files hidden under any of their names; one whose name cannot be made out is hidden, too."""
    starts = [found.start() for found in _SECTION.finditer(diff)]
    if not starts:
        return diff
    sections = [diff[start:end] for start, end in zip(starts, [*starts[1:], len(diff)], strict=True)]
    kept = [part for part in sections if (names := _names(part)) and not any(map(hides, names))]
    return diff if len(kept) == len(sections) else (diff[: starts[0]] + "".join(kept)).rstrip("\n")


def without_hidden(unit: Unit, hides: Hides, prefixes: Sequence[str]) -> Unit:
    """A unit of the index without the files a commit touched that are hidden; the very unit when there are none."""
    today, then = _paths(unit, "files"), _paths(unit, "files_then")
    if unit.source != NAME or not today:
        return unit
    then = then or today
    prefix = next((each for each in prefixes if then[0].startswith(each)), "")
    left_out = {at for at in range(len(today)) if hides(today[at]) or hides(then[at])}
    hidden = {then[at].removeprefix(prefix) for at in left_out}
    known = {path.removeprefix(prefix) for path in then}
    head, mark, diff = unit.text.partition("\n\ndiff --git ")
    if left_out:
        head = "\n".join(line for line in head.split("\n") if line.rpartition(" -> ")[2] not in hidden).rstrip("\n")
    # Of a commit that touched very many files only the first are known by name; what else its diff names is asked, too.
    diff = shown_diff(mark[2:] + diff, lambda path: path in hidden or (path not in known and hides(prefix + path)))
    text = f"{head}\n\n{diff}" if diff else head
    if text == unit.text and not left_out:
        return unit
    total = unit.meta.get("files_total")
    meta: dict[str, MetaValue] = {
        key: value for key, value in unit.meta.items() if key not in ("insertions", "deletions", "files_then")
    }
    meta["files"] = tuple(path for at, path in enumerate(today) if at not in left_out)
    if then != today:
        meta["files_then"] = tuple(path for at, path in enumerate(then) if at not in left_out)
    if isinstance(total, int):
        meta["files_total"] = total - len(left_out)
    return replace(unit, text=text, meta=meta)


def _paths(unit: Unit, key: str) -> tuple[str, ...]:
    said = unit.meta.get(key)
    return tuple(map(str, said)) if isinstance(said, tuple) else ()


def _names(section: str) -> set[str]:
    """Every path that a diff calls one file by."""
    head = section.partition("\n@@")[0]
    found = [*_SIDE.finditer(head), *_MOVED.finditer(head)] or [*_TWICE.finditer(head)]
    return {unquoted(each["quoted"]) if each["quoted"] is not None else each["plain"] for each in found}


def unquoted(name: str) -> str:
    """A name as git quotes it, with its escapes undone."""
    raw = _ESCAPED.sub(_character, name.encode("utf-8", "surrogateescape"))
    return raw.decode("utf-8", "backslashreplace")


def _character(escape: re.Match[bytes]) -> bytes:
    said = escape[1]
    return bytes((int(said, 8) & 255,)) if len(said) == 3 else _LETTERS.get(said, said)
