"""Aider: `.aider.chat.history.md` in the project, one file for all sessions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from haversack.patterns import lazily
from haversack.sources.conversation.formats import Format, no_folders
from haversack.sources.conversation.markdown import texts
from haversack.sources.conversation.message import ASSISTANT, USER, Counts, Message
from haversack.sources.conversation.times import seconds

if TYPE_CHECKING:
    from haversack.sources.conversation.lines import Line

FILE = ".aider.chat.history.md"
_STARTED = lazily(r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)")


def whole(lines: Iterator[Line], counts: Counts) -> list[Message]:
    """`#### ` begins what the user says, `> ` what the program prints; the rest is the model's."""
    messages: list[Message] = []
    role, first, last, when = "", 0, 0, None
    said: list[str] = []

    def close() -> None:
        if role and any(line.strip() for line in said):
            messages.append(Message(role, "\n".join(said).strip(), when, first, last))
        said.clear()

    for number, text in texts(lines, counts):
        started = _STARTED.match(text)
        speaker = "" if started or text.startswith("> ") or text == ">" else USER if text[:5] == "#### " else ASSISTANT
        if speaker == ASSISTANT and not text.strip() and role != ASSISTANT:
            continue
        if speaker != role:
            close()
            role, first = speaker, number
        if started:
            when = seconds(started[1])
        if speaker:
            said.append(text[5:].rstrip() if speaker == USER else text)
            last = number if text.strip() else last
    close()
    return messages


FORMAT = Format("aider", no_folders, lambda _: None, whole=whole, certain=True)
