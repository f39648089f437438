"""The symbolic view: names, paths, globs, hashes and ids, found exactly."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from haversack.index.prepare import DEFINES, ID, NAME
from haversack.index.snapshot import Snapshot
from haversack.index.terms import name_terms, term_hash

HASH = re.compile(r"[0-9a-f]{7,40}")
_PLURAL = re.compile(r"\w{3,}[^\Wsui]s")  # not `class`, `status`, `axis`
SHORTEST_PREFIX = 7  # of a commit hash, as git itself prints it


def defined(snapshot: Snapshot, names: Iterable[str]) -> list[list[int]]:
    """For each name (plain or qualified, exact case) the positions that define it."""
    hashes = [term_hash(name, DEFINES) for name in names]
    return [units.tolist() for units, _ in snapshot.postings(hashes)]


def said(snapshot: Snapshot, words: Iterable[str]) -> list[list[int]]:
    """The same for words of a text, where what nothing is called may be the plural of a name (`NamedTypes`)."""
    asked = list(words)
    found = defined(snapshot, asked)
    plural = [n for n, word in enumerate(asked) if not found[n] and _PLURAL.fullmatch(word)]
    for n, positions in zip(plural, defined(snapshot, [asked[n][:-1] for n in plural]), strict=True):
        found[n] = positions
    return found


def named_like(snapshot: Snapshot, name: str) -> list[int]:
    """Positions whose name holds all words of `name`, in any case and style."""
    hashes = [term_hash(term, NAME) for term in dict.fromkeys(name_terms(name))]
    if not hashes:
        return []
    found: set[int] | None = None
    for units, _ in snapshot.postings(hashes):
        here = set(units.tolist())
        found = here if found is None else found & here
    return sorted(found or ())


def by_id(snapshot: Snapshot, unit_id: str) -> int | None:
    """The position of the unit with that id."""
    ((units, _),) = snapshot.postings([term_hash(unit_id, ID)])
    return int(units[0]) if len(units) else None


def paths(snapshot: Snapshot, pattern: str) -> list[int]:
    """Items by exact path, glob (`src/**/*.py`), folder, or trailing part of a path; best kind of match first."""
    exact = snapshot.positions_by_key.get(pattern.removeprefix("./"))
    if exact is not None:
        return [exact]
    pattern = pattern.replace("\\", "/").removeprefix("./").rstrip("/")
    if any(sign in pattern for sign in "*?["):
        matches = glob_matcher(pattern)
        return [n for n, item in enumerate(snapshot.items) if item.in_file and matches(item.key)]
    if f"/{pattern}/" in snapshot.listed_paths:  # most of what looks like a path in a task is none of these
        files = [(n, item.key) for n, item in enumerate(snapshot.items) if item.in_file]
        for test in (
            lambda key: key.startswith(pattern + "/"),
            lambda key: key.endswith("/" + pattern),
            lambda key: f"/{pattern}/" in f"/{key}/",
        ):
            found = [n for n, key in files if test(key)]
            if found:
                return found
    called = snapshot.items_by_stem.get(pattern, ())
    return [n for n in called if snapshot.items[n].key.rpartition("/")[2].partition(".")[0] == pattern]


def glob_matcher(pattern: str) -> Callable[[str], bool]:
    """A test for one glob: `**` crosses folders; a pattern without a slash is matched against the file name."""
    whole = "/" in pattern
    parts = []
    at = 0
    while at < len(pattern):
        if pattern.startswith("**/", at):
            parts.append("(?:[^/]+/)*")
            at += 3
        elif pattern.startswith("**", at):
            parts.append(".*")
            at += 2
        elif pattern[at] == "*":
            parts.append("[^/]*")
            at += 1
        elif pattern[at] == "?":
            parts.append("[^/]")
            at += 1
        elif pattern[at] == "[" and "]" in pattern[at + 2 :]:
            end = pattern.index("]", at + 2)
            inside = pattern[at + 1 : end]
            inside = "^" + inside[1:] if inside[:1] in "!^" else inside
            parts.append("[" + inside.replace("\\", "\\\\").replace("[", "\\[") + "]")
            at = end + 1
        else:
            parts.append(re.escape(pattern[at]))
            at += 1
    try:
        matches = re.compile("".join(parts)).fullmatch
    except re.error:  # brackets that are no class, such as `[z-a]`: meant as they stand
        matches = re.compile(re.escape(pattern)).fullmatch
    if whole:
        return lambda path: matches(path) is not None
    return lambda path: matches(path.rpartition("/")[2]) is not None


def commit(snapshot: Snapshot, prefix: str) -> list[int]:
    """Commit items whose hash begins with the prefix."""
    prefix = prefix.lower()
    if len(prefix) < SHORTEST_PREFIX or not HASH.fullmatch(prefix):
        return []
    return [n for n, item in enumerate(snapshot.items) if item.source == "commits" and item.key.startswith(prefix)]


def holding(snapshot: Snapshot, terms: Sequence[str]) -> list[int] | None:
    """Items that hold all the terms; None when there is nothing to narrow by."""
    if not terms:
        return None
    found: set[int] | None = None
    for units, _ in snapshot.postings([term_hash(term) for term in dict.fromkeys(terms)]):
        here = set(snapshot.item_of[units].tolist())
        found = here if found is None else found & here
    return sorted(found or ())
