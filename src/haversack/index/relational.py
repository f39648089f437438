"""The relational view: who defines, uses, imports, tests and changes together.

Edges are looked up by name and never stored resolved, so they are right after any edit of either end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from haversack.index.prepare import DEFINES, IMPORTS, TOUCHES, USES, last_part
from haversack.index.records import ROLE_CODE
from haversack.index.snapshot import PACKAGE_FILES, Snapshot
from haversack.index.terms import term_hash
from haversack.index.units import UnitReader
from haversack.model import Role, Unit

MOST_EDGES = 200  # of one kind from one unit: beyond that a name is too common to mean anything
COMMON_NAME = 6  # definitions of a name elsewhere; with more of them (`write`, `items`) a use points at none
LARGE_COMMIT = 40  # files; a sweeping change says little about what belongs together
COMMITS_LOOKED_AT = 300


class CoChange(Struct, frozen=True):
    """Another file, in how many commits it changed together with this one, and the share of this file's commits."""

    path: str
    times: int
    share: float


def users(snapshot: Snapshot, names: Iterable[str]) -> list[list[int]]:
    """For each name the positions that use it."""
    return [u.tolist() for u, _ in snapshot.postings([term_hash(name, USES) for name in names])]


def uses(snapshot: Snapshot, unit: Unit) -> dict[str, list[int]]:
    """The names a unit uses that the project defines, with the definitions' positions: those in its own file if any."""
    return uses_of(snapshot, [unit])[0]


def uses_of(snapshot: Snapshot, units: Sequence[Unit]) -> list[dict[str, list[int]]]:
    """The same of each of several units, looked up at once."""
    names = dict.fromkeys(name for unit in units for name in (*unit.bases, *unit.refs))
    found = snapshot.postings([term_hash(name, DEFINES) for name in names])
    defined = {name: positions for name, (positions, _) in zip(names, found, strict=True) if len(positions)}
    out = []
    for unit in units:
        own = snapshot.positions_by_key.get(unit.path or "", -1)
        used = {}
        for name in dict.fromkeys((*unit.bases, *unit.refs)):
            if (positions := defined.get(name)) is not None:
                here = positions[snapshot.item_of[positions] == own]
                if len(here) or len(positions) <= COMMON_NAME:
                    used[name] = (here if len(here) else positions).tolist()
        out.append(used)
    return out


def is_test(snapshot: Snapshot, position: int) -> bool:
    """Whether the unit is test code."""
    return int(snapshot.roles[position]) == ROLE_CODE[Role.TEST]


def imports(snapshot: Snapshot, unit: Unit) -> list[int]:
    """Items that a file unit's imports lead to."""
    found: dict[int, None] = {}
    if unit.path is not None:
        for module in unit.imports:
            for item in resolve_import(snapshot, module, unit.path):
                found[item] = None
    return list(found)


def imported_by(snapshot: Snapshot, reader: UnitReader, item: int) -> list[int]:
    """Items whose imports lead to this one."""
    key = snapshot.items[item].key
    stem = key.rpartition("/")[2].partition(".")[0]
    asked = [stem]
    if stem in PACKAGE_FILES and "/" in key:
        asked.append(key.rsplit("/", 2)[-2])
    out: dict[int, None] = {}
    for units, _ in snapshot.postings([term_hash(name, IMPORTS) for name in asked]):
        for unit in reader.at(units.tolist()[:MOST_EDGES]):
            if (
                unit.path
                and unit.path != key
                and any(
                    item in resolve_import(snapshot, module, unit.path)
                    for module in unit.imports
                    if last_part(module) in asked
                )
            ):
                out[snapshot.positions_by_key[unit.path]] = None
    return list(out)


def resolve_import(snapshot: Snapshot, module: str, importer: str) -> list[int]:
    """Items a module string may mean, seen from the importing file: the nearest by shared folders."""
    parts = _module_parts(module, importer)
    candidates = (
        [n for n in snapshot.items_by_stem.get(parts[-1], ()) if _ends_with(snapshot.items[n].key, parts)]
        if parts
        else []
    )
    if not candidates and len(parts) > 1:  # `from a.b import name`: the last part may be a name inside the module
        candidates = [
            n for n in snapshot.items_by_stem.get(parts[-2], ()) if _ends_with(snapshot.items[n].key, parts[:-1])
        ]
    if len(candidates) <= 1:
        return candidates
    near = [_shared_folders(snapshot.items[n].key, importer) for n in candidates]
    return [n for n, shared in zip(candidates, near, strict=True) if shared == max(near)][:3]


def _module_parts(module: str, importer: str) -> list[str]:
    folder = importer.split("/")[:-1]
    if module.startswith("."):
        dots = len(module) - len(module.lstrip("."))
        rest = module.lstrip(".")
        if rest.startswith("/"):
            path = folder
            for step in module.split("/"):
                path = path[:-1] if step == ".." else path if step in ("", ".") else [*path, step]
            return _without_ending(path)
        base = folder[: len(folder) - (dots - 1)] if dots > 1 else folder
        return [*base, *(p for p in rest.split(".") if p)] or folder
    if "/" in module:
        return _without_ending([p for p in module.split("/") if p not in ("", ".", "..", "@", "~")])
    parts = [
        p
        for p in module.replace("::", ".").replace("\\", ".").split(".")
        if p and p not in ("crate", "self", "super", "*")
    ]
    if len(parts) == 2 and parts[1] in ("h", "hpp", "hh", "c", "proto"):
        return parts[:1]
    return parts


def _without_ending(parts: Sequence[str]) -> list[str]:
    return [*parts[:-1], parts[-1].partition(".")[0] or parts[-1]] if parts else []


def _ends_with(key: str, parts: Sequence[str]) -> bool:
    """Whether the path, without ending and package file, ends with the parts, or the parts with the path."""
    steps = key.split("/")
    steps[-1] = steps[-1].partition(".")[0]
    if steps[-1] in PACKAGE_FILES and steps[-1] != parts[-1]:
        steps.pop()
    shorter = min(len(steps), len(parts))
    return shorter > 0 and steps[-shorter:] == list(parts[-shorter:])


def _shared_folders(a: str, b: str) -> int:
    shared = 0
    for left, right in zip(a.split("/")[:-1], b.split("/")[:-1], strict=False):
        if left != right:
            break
        shared += 1
    return shared


def co_changes(snapshot: Snapshot, reader: UnitReader, path: str, *, limit: int = 20) -> list[CoChange]:
    """Files that changed in the same commits, most often first."""
    ((positions, _),) = snapshot.postings([term_hash(path, TOUCHES)])
    times: Counter[str] = Counter()
    looked = 0
    commits = sorted(reader.at(positions.tolist()[:COMMITS_LOOKED_AT]), key=lambda u: (-(u.time or 0.0), u.id))
    for commit in commits:
        files = commit.meta.get("files")
        if isinstance(files, tuple) and len(files) <= LARGE_COMMIT:
            looked += 1
            times.update(file for file in files if file != path)
    ordered = sorted(times.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
    return [CoChange(other, count, count / looked) for other, count in ordered]
