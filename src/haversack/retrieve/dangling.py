"""Mentions that lead nowhere: links and `@path`s to files that are not there, records nobody wrote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from haversack.index.prepare import DEFINES
from haversack.index.terms import term_hash
from haversack.retrieve.liveness import known
from haversack.sources.docs.mentions import prose_mentions
from haversack.sources.docs.refs import links
from haversack.sources.protocol import TextFile

if TYPE_CHECKING:
    from haversack.index.store import Store
    from haversack.project import Project


@dataclass(frozen=True, slots=True)
class Dangling:
    """Where something is mentioned that is not there."""

    path: str
    line: int
    target: str


def dangling(project: Project, store: Store) -> tuple[Dangling, ...]:
    """Every such mention in knowledge files and documents, in the order of paths and lines."""
    from haversack.project import read_text

    snapshot = store.snapshot()
    state = known(project, store)
    found: list[Dangling] = []
    for item in sorted(snapshot.items, key=lambda item: item.key):
        if item.source not in ("knowledge", "docs", "research"):
            continue
        file = read_text(project, item.key)
        if not isinstance(file, TextFile):
            continue
        for mention in prose_mentions(file.text, item.key):
            if mention.form == "at":
                missing = not any(state.is_there(target) for target in mention.targets)
            elif mention.form == "record":
                ((defined, _),) = snapshot.postings([term_hash(mention.targets[0], DEFINES)])
                missing = not len(defined) and mention.targets[0].startswith("ADR-")
            else:
                continue
            if missing:
                found.append(Dangling(item.key, mention.line, mention.targets[0]))
        found += [
            Dangling(item.key, line, target)
            for line, target in links(file.text, item.key)
            if not state.is_there(target) and not state.exists(target)
        ]
    return tuple(sorted(set(found), key=lambda each: (each.path, each.line, each.target)))
