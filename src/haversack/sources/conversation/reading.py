"""From changed transcripts to readings: messages in runs, and what they settled, each linked to what came after."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from haversack.errors import SourceError
from haversack.model import Problem, Unit
from haversack.sources.conversation.agents import FORMATS, STORES
from haversack.sources.conversation.database import opened
from haversack.sources.conversation.finding import FOLDER, GONE, PART, SESSION, SETTLED, Known
from haversack.sources.conversation.formats.stores import Store
from haversack.sources.conversation.mark import decode_mark, encode_mark
from haversack.sources.conversation.message import Message
from haversack.sources.conversation.places import Places
from haversack.sources.conversation.spoken import spoken
from haversack.sources.conversation.succession import Settled, settle
from haversack.sources.conversation.transcript import read_transcript
from haversack.sources.conversation.units import Origin, message_unit, redacted, settled, settled_unit
from haversack.sources.protocol import Item, Reading

RUN: Final = 40  # messages kept together: to read one of them all are unpacked
Before: TypeAlias = Callable[[str], Sequence[Unit]]
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Settled).decode


class _State(Struct):
    """What is settled so far, by key, and what the index has of it."""

    before: dict[str, str] = field(default_factory=dict)
    now: dict[str, Settled] = field(default_factory=dict)

    def forget(self, start: str) -> None:
        """Whatever was settled under keys with this beginning is read anew."""
        for key in [key for key in self.now if key.startswith(start)]:
            del self.now[key]


def readings(places: Places, known: Known, items: Sequence[Item], before: Before) -> Iterator[Reading]:
    """Messages, then what they settled, then how far everything was read: an interrupted run is taken up again."""
    state = _State(
        {key: stamp for parts in known.parts.values() for key, stamp in parts.items() if f"{PART}{SETTLED}" in key}
    )
    for key, stamp in state.before.items():
        state.now[key] = _decode(stamp)
    heads: list[Reading] = []
    for item in items:
        agent, _, path = item.key.partition(":")
        if agent == FOLDER:
            heads.append(Reading(item.key, ()))
        elif agent in STORES:
            yield from _store(places, STORES[agent], path, item, known, state, heads)
        else:
            yield from _file(places, agent, path, item, known, state, heads, before)
    yield from _settled(state)
    yield from heads


def _file(
    places: Places, agent: str, path: str, item: Item, known: Known, state: _State, heads: list[Reading], before: Before
) -> Iterator[Reading]:
    found = read_transcript(
        path, FORMATS[agent], decode_mark(item.fingerprint), places.declared_for(path), places.belongs
    )
    if not found.ours:
        return
    have = known.parts.get(item.key, {})
    origin = Origin(agent, path, _session(path), _shown(places, path))
    messages = redacted(found.messages)
    units = [message_unit(message, origin) for message in messages]
    first = 0
    if found.again:
        state.forget(f"{item.key}{PART}{SETTLED}")
    else:  # the last run is filled up first, so that runs are the same however a transcript grew
        first = max(0, found.mark.chunks - 1)
        kept = before(_run(item, first)) if found.mark.chunks else ()
        first += not kept and found.mark.chunks > 0
        units = [*kept, *units]
    runs = [tuple(units[at : at + RUN]) for at in range(0, len(units), RUN)]
    for number, run in enumerate(runs, first):
        stamp = _stamp(run)
        if have.get(_run(item, number)) != stamp:
            yield Reading(_run(item, number), run, fingerprint=stamp)
    last = first + len(runs)
    if found.again:
        used = {_run(item, number) for number in range(last)}
        yield from (Reading(key, (), fingerprint=GONE) for key in have if f"{PART}#" in key and key not in used)
    for each in settled(messages, origin):
        state.now[f"{item.key}{PART}{SETTLED}{each.id}"] = each
    heads.append(Reading(item.key, (), found.problems, encode_mark(msgspec.structs.replace(found.mark, chunks=last))))


def _run(item: Item, number: int) -> str:
    return f"{item.key}{PART}#{number}"


def _store(
    places: Places, store: Store, path: str, item: Item, known: Known, state: _State, heads: list[Reading]
) -> Iterator[Reading]:
    """Sessions of a database that went on since they were read; if it cannot be read now, what is known stays."""
    have = {key: stamp for key, stamp in known.parts.get(item.key, {}).items() if f"{PART}{SESSION}" in key}
    try:
        with opened(path, places.declared) as database:
            stamps = {
                f"{item.key}{PART}{SESSION}{name}": (name, stamp)
                for name, stamp in store.sessions(database, places).items()
            }
            fresh = {
                key: (name, stamp, store.messages(database, name))
                for key, (name, stamp) in stamps.items()
                if have.get(key) != stamp
            }
    except SourceError as error:
        heads.append(Reading(item.key, (), (Problem(path, error.message, error.hint),), "?"))
        return
    for key, (name, stamp, said) in fresh.items():
        origin = Origin(store.name, path, name, _shown(places, path))
        messages = redacted([each for each in map(_spoken, said) if each.text])
        state.forget(f"{item.key}{PART}{SETTLED}{name}/")
        for each in settled(messages, origin):
            state.now[f"{item.key}{PART}{SETTLED}{name}/{each.id}"] = each
        yield Reading(key, tuple(message_unit(message, origin) for message in messages), fingerprint=stamp)
    for key in have.keys() - stamps.keys():
        state.forget(f"{item.key}{PART}{SETTLED}{key.partition(f'{PART}{SESSION}')[2]}/")
        yield Reading(key, (), fingerprint=GONE)
    heads.append(Reading(item.key, ()))


def _stamp(run: Sequence[Unit]) -> str:
    digest = blake2b(digest_size=16)
    for unit in run:
        digest.update(f"{unit.citations[0]}\0{unit.text}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _settled(state: _State) -> Iterator[Reading]:
    """What is settled, where that is other than what the index has."""
    linked = settle(state.now.values())
    for key in sorted(state.now):
        each = linked[state.now[key].id]
        stamp = _encode(each).decode()
        if state.before.get(key) != stamp:
            yield Reading(key, (settled_unit(each),), fingerprint=stamp)
    yield from (Reading(key, (), fingerprint=GONE) for key in sorted(state.before.keys() - state.now.keys()))


def _spoken(message: Message) -> Message:
    return replace(message, text=spoken(message.text))


def _session(path: str) -> str:
    """What the agent calls the session: the file's name, or its folder's where all files are called alike."""
    folder, name = os.path.split(path)
    return os.path.basename(folder) if name == "events.jsonl" else name.partition(".")[0] or name


def _shown(places: Places, path: str) -> str:
    """The path as citations show it: from the project's root when it is inside."""
    return places.project.relative(Path(path)) or path
