"""Units of messages and of what they settled: redacted, cited to file and line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from haversack.model import Citation, MetaValue, Role, Span, Status, Unit
from haversack.sources.conversation.message import NAME, Message
from haversack.sources.conversation.statements import statements
from haversack.sources.conversation.succession import Settled
from haversack.sources.conversation.times import written
from haversack.units.ids import unit_id
from haversack.units.redact import redact

MESSAGE: Final = "message"
TITLE: Final = 80
# Transcripts hold what models wrote and people pasted; a packet says so beside each.
TRUST: Final = "transcript"
_BETWEEN: Final = "\n\x1e\n"  # joins messages to be redacted at once: one call costs as much as a hundred lines
_SPACES: Final = re.compile(r"\s+")


class Origin(Struct, frozen=True):
    """Whose messages these are: the agent, the file or database, the session; the path as citations show it."""

    agent: str
    path: str
    session: str
    shown: str


def redacted(messages: Sequence[Message]) -> list[Message]:
    """The same without secrets."""
    texts = [message.text.replace("\x1e", " ") for message in messages]
    parts = redact(_BETWEEN.join(texts)).text.split(_BETWEEN)
    if len(parts) != len(texts):  # a secret over the border of two took the border with it
        parts = [redact(text).text for text in texts]
    return [replace(message, text=part) for message, part in zip(messages, parts, strict=True)]


def message_unit(message: Message, origin: Origin) -> Unit:
    """A message as one can retrieve it: when and who, then the words."""
    place = message.pointer or str(message.first)
    when = written(message.time)
    head = f"[{when}] {message.role}: " if when else f"{message.role}: "
    meta: dict[str, MetaValue] = {"speaker": message.role, "session": origin.session, "agent": origin.agent}
    return Unit(
        id=unit_id(NAME, origin.shown, MESSAGE, place),
        source=NAME,
        kind=MESSAGE,
        title=_title(message.text),
        text=head + message.text,
        role=Role.DOCS,
        time=message.time,
        trust=TRUST,
        citations=(cited(origin.shown, message.first, message.last, message.pointer),),
        meta=meta,
    )


def settled(messages: Sequence[Message], origin: Origin) -> Iterator[Settled]:
    """What the messages decide, prefer and correct."""
    for message in messages:
        place = message.pointer or str(message.first)
        for number, found in enumerate(statements(message)):
            topic = found.topic
            yield Settled(
                unit_id(NAME, origin.shown, found.kind, f"{place}.{number}"),
                found.kind,
                found.text,
                message.role,
                message.time,
                origin.shown,
                message.first,
                message.last,
                message.pointer,
                origin.session,
                topic.about,
                topic.value,
                topic.purpose,
                topic.refused,
                topic.change,
            )


def settled_unit(each: Settled) -> Unit:
    """A decision, preference or correction in the words it was made with, and who made it when."""
    when = written(each.time)
    head = f"[{when}] {each.role}: " if when else f"{each.role}: "
    meta: dict[str, MetaValue] = {"speaker": each.role, "session": each.session}
    if each.by:
        meta["superseded_by"] = each.by
    if each.replaces:
        meta["supersedes"] = each.replaces
    return Unit(
        id=each.id,
        source=NAME,
        kind=each.kind,
        title=_title(each.text),
        text=head + each.text,
        role=Role.DOCS,
        time=each.time,
        status=Status.SUPERSEDED if each.by else Status.LIVE,
        trust=TRUST,
        citations=(cited(each.path, each.first, each.last, each.pointer),),
        meta=meta,
    )


def cited(shown: str, first: int, last: int, pointer: str) -> Citation:
    """Where it stands: lines of a file, or an entry of a database."""
    return Citation.of_log(f"{shown}#{pointer}") if pointer else Citation.of_file(shown, Span(first, max(first, last)))


def _title(text: str) -> str:
    line = _SPACES.sub(" ", text[: TITLE * 4]).strip()
    return line if len(line) <= TITLE else line[: TITLE - 1].rstrip() + "…"
