"""Mentions that lead nowhere: links and `@path`s to files that are not there, records nobody wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from haversack.index.prepare import DEFINES
from haversack.index.terms import term_hash
from haversack.index.units import UnitReader
from haversack.retrieve.liveness import known
from haversack.retrieve.mentioned import section_called
from haversack.sources.docs.mentions import prose_mentions
from haversack.sources.docs.refs import links
from haversack.sources.protocol import TextFile

if TYPE_CHECKING:
    from haversack.index.store import Store
    from haversack.project import Project


class Dangling(Struct, frozen=True):
    """Where something is mentioned that is not there."""

    path: str
    line: int
    target: str


def dangling(project: Project, store: Store) -> tuple[Dangling, ...]:
    """Every such mention in knowledge files and documents, in the order of paths and lines."""
    from haversack.project import read_text

    snapshot = store.snapshot()
    reader = UnitReader(store, snapshot)
    state = known(project, store)
    found: list[Dangling] = []
    for item in sorted(snapshot.items, key=lambda item: item.key):
        if item.source not in ("knowledge", "docs", "research"):
            continue
        file = read_text(project, item.key)
        if not isinstance(file, TextFile):
            continue
        for mention in prose_mentions(file.text, item.key):
            name = mention.targets[0] if mention.targets else ""
            if mention.form == "at":
                missing = not any(state.is_there(target) for target in mention.targets)
                items = [n for target in mention.targets if (n := snapshot.positions_by_key.get(target)) is not None]
                if mention.part and items and not any(section_called(reader, n, mention.part) for n in items):
                    missing, name = True, f"{name}#{mention.part}"
            elif mention.form == "record":
                ((defined, _),) = snapshot.postings([term_hash(mention.targets[0], DEFINES)])
                missing = not len(defined) and mention.targets[0].startswith("ADR-")
            else:
                continue
            if missing:
                found.append(Dangling(item.key, mention.line, name))
        found += [
            Dangling(item.key, line, target)
            for line, target in links(file.text, item.key)
            if not state.is_there(target) and not state.exists(target)
        ]
    return tuple(sorted(set(found), key=lambda each: (each.path, each.line, each.target)))
