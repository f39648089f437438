"""SpecStory: Markdown exports in `.specstory/history` of the project."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from haversack.patterns import lazily
from haversack.sources.conversation.formats import Format, file_ending
from haversack.sources.conversation.markdown import texts
from haversack.sources.conversation.message import ASSISTANT, USER, Counts, Message
from haversack.sources.conversation.times import seconds

if TYPE_CHECKING:
    from haversack.sources.conversation.lines import Line
    from haversack.sources.conversation.places import Places

FOLDER = (".specstory", "history")
_SPEAKER = lazily(r"_?\*\*(?P<who>User|Assistant|Agent)\b(?P<about>[^*]{0,200})\*\*_?\s*$")
_WHEN = lazily(r"(\d{4}-\d\d-\d\d[ T_]\d\d[:-]\d\d(?:[:-]\d\d)?)\s?(Z)?")


def whole(lines: Iterator[Line], counts: Counts) -> list[Message]:
    """A line `_**User**_` or `_**Assistant**_`, with or without a time, begins a message; a rule ends it."""
    messages: list[Message] = []
    role, first, last, when = "", 0, 0, None
    said: list[str] = []

    def close() -> None:
        while said and said[-1].strip() in ("", "---"):
            said.pop()
        if role and any(line.strip() for line in said):
            messages.append(Message(role, "\n".join(said).strip(), when, first, last))
        said.clear()

    for number, text in texts(lines, counts):
        speaker = _SPEAKER.match(text)
        if speaker:
            close()
            role, first = USER if speaker["who"] == "User" else ASSISTANT, number
            when = _time(speaker["about"]) or when
        elif role:
            said.append(text)
            last = number if text.strip() not in ("", "---") else last
        else:
            when = _time(text) or when  # the title and the session's heading carry its time
    close()
    return messages


def _time(text: str) -> float | None:
    found = _WHEN.search(text)
    return seconds(f"{found[1][:10]} {found[1][11:].replace('-', ':')}") if found else None


def folders(places: Places) -> Iterator[str]:
    """The folder of exports in each root."""
    for root in places.roots:
        yield os.path.join(root, *FOLDER)


FORMAT = Format("specstory", folders, file_ending(".md"), whole=whole, certain=True)
