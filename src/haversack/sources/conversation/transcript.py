"""Reading one transcript file: only what is new where that is possible, in bounded memory, whatever is in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO, Final

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from haversack.errors import SourceError
from haversack.model import Problem
from haversack.sources.conversation.formats import Format
from haversack.sources.conversation.jsonlines import decoded
from haversack.sources.conversation.lines import read_lines
from haversack.sources.conversation.mark import Mark, stamp_of, tail_of
from haversack.sources.conversation.message import Counts, Message, Said
from haversack.sources.conversation.spoken import LONGEST_MESSAGE, spoken
from haversack.sources.outside import open_declared

MOST_BYTES: Final = 4 << 30
"""Of one transcript: past this it is something else."""
UNPACKED: Final = ".zst"
LINES_NAMED: Final = 3  # in a problem; the rest is a number


class Outcome(Struct):
    """What reading a transcript gave. `ours` is False when it turned out to be another project's."""

    messages: list[Message] = field(default_factory=list)
    mark: Mark = field(default_factory=Mark)
    ours: bool = True
    again: bool = False
    problems: tuple[Problem, ...] = ()


def read_transcript(
    path: str, form: Format, mark: Mark, declared: tuple[str, ...], belongs: Callable[[str], bool]
) -> Outcome:
    """The messages since the mark; `again` says that they are all there are and take the place of earlier ones."""
    try:
        with _opened(path, declared) as (file, stamp):
            if form.whole is not None:
                return _whole(path, form, file, stamp)
            fresh = not mark.offset or path.endswith(UNPACKED) or tail_of(file, mark.offset) != mark.tail
            if fresh and not path.endswith(UNPACKED):
                file.seek(0)
            start = Mark() if fresh else mark
            found = _appended(path, form, file, start, belongs)
            if found is None:  # the talk went back behind what was read: earlier messages may be over
                file.seek(0)
                fresh, found = True, _appended(path, form, file, Mark(), belongs) or Outcome()
            tail = "" if path.endswith(UNPACKED) else tail_of(file, found.mark.offset)
            found.mark = msgspec.structs.replace(found.mark, stamp=stamp, tail=tail)
            found.again = fresh and mark.chunks > 0
            return found
    except SourceError as error:
        return Outcome(mark=mark, problems=(Problem(path, error.message, error.hint),))
    except (OSError, EOFError, ValueError) as error:  # a damaged .zst, a disk that fails, a file that shrank meanwhile
        what = f"cannot be read to its end: {error}"
        return Outcome(mark=mark, problems=(Problem(path, what, "what was read before stays"),))


@contextmanager
def _opened(path: str, declared: tuple[str, ...]) -> Iterator[tuple[BinaryIO, str]]:
    with open_declared(path, declared, most_bytes=MOST_BYTES) as file:
        stamp = stamp_of(os.fstat(file.fileno()))
        if not path.endswith(UNPACKED):
            yield file, stamp
            return
        from haversack.sources.zstd import ZstdError, unpacked

        try:
            with unpacked(file) as plain:
                yield plain, stamp
        except ZstdError as error:
            raise SourceError(
                f"{path} is damaged: {error}", hint="Unpack it with zstd to see how far it goes."
            ) from None


def _whole(path: str, form: Format, file: BinaryIO, stamp: str) -> Outcome:
    assert form.whole is not None
    counts = Counts()
    messages = [_cleaned(message) for message in form.whole(read_lines(file), counts)]
    kept = [message for message in messages if message.text]
    mark = Mark(stamp, decided=True, messages=len(kept), unknown=sum(counts.unknown.values()))
    return Outcome(kept, mark, again=True, problems=tuple(_problems(path, counts)))


class _Record(Struct):
    said: Said
    line: int


def _appended(path: str, form: Format, file: BinaryIO, mark: Mark, belongs: Callable[[str], bool]) -> Outcome | None:
    """Messages from the mark on; None when a record follows one that lies before the mark and is not its leaf."""
    assert form.said is not None
    counts = Counts()
    records: list[_Record] = []
    offset, breaks, decided = mark.offset, mark.breaks, mark.decided or form.certain
    for line in read_lines(file, mark.offset, mark.breaks):
        record = decoded(line, counts)
        if record is None and not line.complete:
            break
        offset, breaks = line.end, line.number if line.complete else line.number - 1
        said = form.said(record) if record is not None else None
        if said is None:
            if record is not None:
                counts.note_unknown(record.get("type"))
            continue
        if said.cwd and not decided:
            if not belongs(said.cwd):
                return Outcome(ours=False)
            decided = True
        # Long texts are cut here, so that a file of giants is never in memory as a whole.
        text = said.text if len(said.text) <= 4 * LONGEST_MESSAGE else said.text[: 4 * LONGEST_MESSAGE]
        if said.id or text:
            records.append(_Record(replace(said, text=text), line.number))
    standing, leaf = _standing(records, mark.leaf) if form.branches else (records, "")
    if standing is None:
        return None
    messages = [message for message in map(_message, standing) if message.text] if decided else []
    if not decided:  # nobody knows yet whose it is: from the beginning again, once there is more
        return Outcome([], Mark(unknown=sum(counts.unknown.values())))
    unknown = mark.unknown + sum(counts.unknown.values())
    made = Mark("", offset, breaks, "", leaf or mark.leaf, mark.chunks, True, mark.messages + len(messages), unknown)
    return Outcome(messages, made, problems=tuple(_problems(path, counts)))


def _standing(records: list[_Record], leaf: str) -> tuple[list[_Record] | None, str]:
    """Records on the way to the last one, and the last one's id. Parents are written before their children."""
    alive: set[str] = set()
    groups: set[str] = set()
    last = ""
    wanted = ""
    for record in reversed(records):
        said = record.said
        if not said.id:
            continue
        last = last or said.id
        if not wanted or said.id == wanted:  # the end of a way, or of one that a new beginning cut off
            alive.add(said.id)
            groups.add(said.group)
            wanted = said.parent
    if wanted and leaf and wanted != leaf:
        return None, ""
    groups.discard("")
    return [each for each in records if not each.said.id or each.said.id in alive or each.said.group in groups], last


def _message(record: _Record) -> Message:
    said = record.said
    return Message(said.role, spoken(said.text), said.time, record.line, record.line)


def _cleaned(message: Message) -> Message:
    return replace(message, text=spoken(message.text))


def _problems(path: str, counts: Counts) -> Iterator[Problem]:
    if counts.damaged:
        what = f"{_lines(counts.damaged)} no JSON and left out"
        yield Problem(path, what, "the rest of it is read")
    if counts.too_long:
        yield Problem(
            path, f"{_lines(counts.too_long)} too long to be a message and left out", "the rest of it is read"
        )
    unknown = sum(counts.unknown.values())
    if unknown and unknown == counts.records:
        kinds = ", ".join(sorted(counts.unknown)[:LINES_NAMED])
        what = f"none of its {unknown} records is of a known kind ({kinds})"
        yield Problem(path, what, "its agent may have changed its format: please report it")


def _lines(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"line {numbers[0]} is"
    shown = ", ".join(map(str, numbers[:LINES_NAMED]))
    more = f" and {len(numbers) - LINES_NAMED} more" if len(numbers) > LINES_NAMED else ""
    return f"lines {shown}{more} are"
