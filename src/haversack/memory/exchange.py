"""Everything that is remembered as JSON lines, out and in again; what other tools remembered, in."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

from msgspec import Struct, field

from haversack.errors import HaversackError, UsageError
from haversack.memory.imports.found import Found
from haversack.memory.lines import memory_line, reward_line
from haversack.memory.nouns import Record
from haversack.memory.store import MemoryStore
from haversack.memory.vocabulary import DOMAINS, STRATEGIES, one_of
from haversack.model import Problem

KINDS = ("memory", "experience", "reward")
AT_ONCE = 500  # things stored in one transaction
PROBLEMS_KEPT = 100  # named one by one; the rest is counted


class Imported(Struct):
    """What an import did: by kind how many were new, changed, or known already; and what could not be read."""

    added: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    known: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    """Records of other kinds, by what they are."""
    problems: list[Problem] = field(default_factory=list)
    more_problems: int = 0

    def trouble(self, problem: Problem) -> None:
        """Name a problem, or count it when there are very many."""
        if len(self.problems) < PROBLEMS_KEPT:
            self.problems.append(problem)
        else:
            self.more_problems += 1


def export_lines(store: MemoryStore, *, kind: str | None = None) -> Iterator[str]:
    """Everything, or one kind, in the order it came: memories, then experiences as journal entries, then rewards."""
    wanted = KINDS if kind is None else (one_of("kind", kind, KINDS),)
    memories = (memory_line(each) for each in store.memories(status=None)) if "memory" in wanted else ()
    experiences = (each.record for each in store.experiences()) if "experience" in wanted else ()
    rewards = (reward_line(each) for each in store.rewards()) if "reward" in wanted else ()
    for record in chain(memories, experiences, rewards):
        line = json.dumps(record, ensure_ascii=False)
        try:
            line.encode()
        except UnicodeEncodeError:  # half of a surrogate pair: only an escape can hold it
            line = json.dumps(record)
        yield line


def import_from(store: MemoryStore, path: Path) -> Imported:
    """Read whatever the path holds and store it; the same again changes nothing."""
    done = Imported()
    found = read_any(path)
    while group := list(islice(found, AT_ONCE)):
        with store.database.writing():
            for each in group:
                _store(store, each, done)
    return done


def read_any(path: Path) -> Iterator[Found]:
    """What a file or folder holds, told by its contents: lines of JSON, a journal, notes, another tool's database."""
    from haversack.memory.imports.databases import is_database, read_database
    from haversack.memory.imports.journals import journal_files, read_json, read_lines
    from haversack.memory.imports.notes import read_note

    try:
        if path.is_dir():
            files = [*journal_files(path), *sorted(path.glob("*.md"))]
            if not files:
                raise UsageError(
                    f"{path} holds nothing to import", hint="a journal folder or a folder of Markdown notes is expected"
                )
            for file in files:
                yield from read_any(file)
        elif path.is_file() and is_database(path):
            yield from read_database(path)
        elif path.suffix.lower() in (".md", ".markdown"):
            yield from read_note(path)
        elif path.suffix.lower() == ".json":
            yield from read_json(path)
        else:
            yield from read_lines(path)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}") from None


def _store(store: MemoryStore, found: Found, done: Imported) -> None:
    try:
        if found.memory is not None:
            _tally(done, "memory", store.put_memory(found.memory, merge=not found.own))
        elif found.experience is not None:
            _tally(done, "experience", store.import_experience(found.experience))
            _name_unknown_words(found.experience, done)
        elif found.reward is not None:
            _tally(done, "reward", store.put_reward(found.reward))
    except HaversackError as error:
        done.trouble(Problem(_name(found), error.message, error.hint))
    if found.problem is not None:
        done.trouble(found.problem)
    if found.unknown:
        done.skipped[found.unknown] += 1


def _name_unknown_words(record: Record, done: Imported) -> None:
    for what, known in (("domain", DOMAINS), ("strategy", STRATEGIES)):
        if record.get(what) not in known:
            said = f"has the unknown {what} {record.get(what)!r}; it is kept as it is"
            done.trouble(Problem(str(record.get("id")), said, f"known: {', '.join(known)}"))


def _tally(done: Imported, kind: str, became: str) -> None:
    {"added": done.added, "changed": done.changed, "known": done.known}[became][kind] += 1


def _name(found: Found) -> str:
    if found.memory is not None:
        return found.memory.origin or found.memory.id or "memory"
    return str((found.experience or {}).get("id", "record"))
