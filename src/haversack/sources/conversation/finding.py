"""What is new, changed or gone among transcripts, told by stat: this runs before every packet."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from haversack.sources.conversation.agents import FORMATS, STORES
from haversack.sources.conversation.database import stamp_of as database_stamp
from haversack.sources.conversation.formats import Format
from haversack.sources.conversation.formats.aider import FILE as AIDER_FILE
from haversack.sources.conversation.mark import decode_mark, stamp_of
from haversack.sources.conversation.places import Places
from haversack.sources.protocol import Changes, Item

PART: Final = "\x1f"  # between a transcript's key and what is kept of it: no path holds it
FOLDER: Final = "folder"
SETTLED: Final = "!"
SESSION: Final = "@"
GONE: Final = "-"  # the fingerprint of what is no longer there and goes with the next look
RACY_NS: Final = 2_000_000_000  # a folder that changed this lately may change again within one tick of its clock


class Known(Struct):
    """What the index holds of this source, sorted by transcript."""

    heads: dict[str, str] = field(default_factory=dict)
    parts: dict[str, dict[str, str]] = field(default_factory=dict)
    folders: dict[str, str] = field(default_factory=dict)
    gone: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, known: Mapping[str, str]) -> Known:
        """The same from keys and fingerprints."""
        made = cls()
        for key, stamp in known.items():
            head, is_part, _ = key.partition(PART)
            if stamp == GONE:
                made.gone.append(key)
            elif is_part:
                made.parts.setdefault(head, {})[key] = stamp
            elif key.startswith(f"{FOLDER}:"):
                made.folders[key] = stamp
            else:
                made.heads[key] = stamp
        return made

    def forget(self, head: str) -> None:
        """Note that a transcript is gone, with all that is kept of it."""
        self.heads.pop(head, None)
        self.gone += [head, *self.parts.pop(head, ())]


def look(places: Places, agents: frozenset[str], known: Known) -> Changes:
    """Compare what is there with what is known."""
    changed: list[Item] = []
    paths: dict[str, None] = {}
    for form in FORMATS.values():
        if form.name in agents:
            paths |= dict.fromkeys(f"{form.name}:{path}" for path in _fixed(form, places))
            for folder in form.folders(places):
                paths |= dict.fromkeys(f"{form.name}:{path}" for path in _listed(form, folder, known, changed))
    stores = [
        (f"{store.name}:{path}", path)
        for store in STORES.values()
        if store.name in agents
        for path in store.files(places)
    ]
    for head in (*known.heads, *(head for head in paths if head not in known.heads)):
        agent, _, path = head.partition(":")
        if agent in STORES:
            continue
        try:
            stamp = stamp_of(Path(path).stat())
        except OSError:
            if head in known.heads:
                known.forget(head)
            continue
        before = known.heads.get(head, "")
        if not before or decode_mark(before).stamp != stamp:
            changed.append(Item(head, before))
    for head, path in stores:
        stamp = database_stamp(path)
        if known.heads.get(head) != stamp:
            changed.append(Item(head, stamp))
    present = {head for head, _ in stores}
    for head in [head for head in known.heads if head.partition(":")[0] in STORES and head not in present]:
        known.forget(head)
    # Transcripts first: a folder counts as looked at when what is in it was read.
    changed.sort(key=lambda item: (item.key.startswith(f"{FOLDER}:"), item.key))
    return Changes(tuple(changed), tuple(sorted(known.gone)))


def described(known: Mapping[str, str]) -> str:
    """What is known of transcripts, in a sentence."""
    state = Known.of(known)
    talks: Counter[str] = Counter()
    messages = unknown = 0
    for head, stamp in state.heads.items():
        agent = head.partition(":")[0]
        if agent in STORES:
            talks[agent] += sum(f"{PART}{SESSION}" in key for key in state.parts.get(head, ()))
        elif (mark := decode_mark(stamp)).decided:
            talks[agent] += 1
            messages += mark.messages
            unknown += mark.unknown
    total = sum(talks.values())
    if not total:
        return "no transcript of this project was found; agents record their working directory, and none recorded this"
    agents = ", ".join(f"{number} of {agent}" for agent, number in sorted(talks.items()) if number)
    passed = f"; {unknown} records of unknown kinds were passed over" if unknown else ""
    return f"{total} transcript{'s' * (total > 1)} ({agents}), {messages:,} messages in files{passed}"


def _fixed(form: Format, places: Places) -> Iterator[str]:
    """Transcripts whose place is known without looking."""
    if form.name == "aider":
        found = [os.path.join(root, AIDER_FILE) for root in places.roots]
    elif form.name == "plain":
        found = [path for each in places.extra for path in _named(each)]
    else:
        return
    yield from (path for path in found if os.path.exists(path))


def _named(path: str) -> list[str]:
    """A file that the settings name, or the JSON lines in a folder they name."""
    try:
        with os.scandir(path) as entries:
            return sorted(entry.path for entry in entries if entry.name.endswith((".jsonl", ".jsonl.zst", ".ndjson")))
    except NotADirectoryError:
        return [path]
    except OSError:
        return []


def _listed(form: Format, folder: str, known: Known, changed: list[Item]) -> list[str]:
    """The transcripts in a folder that is new or has changed."""
    try:
        mtime = Path(folder).stat().st_mtime_ns
    except OSError:
        return []
    key, stamp = f"{FOLDER}:{form.name}:{folder}", str(mtime)
    if known.folders.get(key) == stamp:
        return []
    try:
        with os.scandir(folder) as entries:
            found = sorted(path for entry in entries if (path := form.transcript(entry)))
    except OSError:
        return []
    if time.time_ns() - mtime < RACY_NS:
        stamp += "?"
    if known.folders.get(key) != stamp:
        changed.append(Item(key, stamp))
    return found
