"""A commit in a paragraph: what its message says first, and the files it touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from haversack.model import MetaValue
from haversack.pack.levels.detailed.change import is_diff_line, is_file_line, known_files
from haversack.pack.levels.sentences import first_sentences, shortened
from haversack.pack.levels.terms import Terms

LONGEST_SUBJECT: Final = 160
BODY_SENTENCES: Final = 3
BODY_CHARS: Final = 400


def change_paragraph(lines: Sequence[str], meta: Mapping[str, MetaValue], terms: Terms, room: int) -> str:
    """The subject, the message's first sentences, and as many file names as fit in about `room` characters."""
    known = known_files(meta)
    message: list[str] = []
    named: list[str] = []
    for line in lines:
        if is_diff_line(line):
            break
        if is_file_line(line, known):
            named.append(line.split("\t")[-1].split("|")[0].removeprefix("Files:").strip())
        else:
            message.append(line)
    said = [shortened(message[0].strip(), LONGEST_SUBJECT)] if message and message[0].strip() else []
    body = first_sentences("\n".join(message[1:]), BODY_SENTENCES, BODY_CHARS)
    if body:
        said.append(body)
    stated = meta.get("files")
    files = list(stated) if isinstance(stated, tuple) else named
    if files:
        said.append(_listed(files, terms, room - sum(map(len, said))))
    return "\n".join(said)


def _listed(files: Sequence[str], terms: Terms, room: int) -> str:
    speaks = terms.weights(files)
    taken: list[int] = []
    for at in sorted(range(len(files)), key=lambda at: (-speaks[at], at)):
        room -= len(files[at]) + 2
        if room < 0 and taken:
            break
        taken.append(at)
    more = len(files) - len(taken)
    listed = ", ".join(files[at] for at in sorted(taken))
    return f"Files: {listed}, {more} more." if more else f"Files: {listed}."
