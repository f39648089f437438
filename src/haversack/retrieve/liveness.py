"""Whether what an entry speaks of is still there: paths and symbols it names that no longer exist make it stale."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from posixpath import dirname
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from haversack.errors import OutsideProjectError
from haversack.index.prepare import DEFINES, TOUCHES, USES
from haversack.index.records import KIND_CODE
from haversack.index.terms import name_terms, term_hash
from haversack.index.units import UnitReader
from haversack.model import Status, Unit
from haversack.sources.docs.refs import FILE_ENDINGS

if TYPE_CHECKING:
    from haversack.index.snapshot import Snapshot
    from haversack.index.store import Store
    from haversack.project import Project

REASONS = 3  # things named in a reason; more would be longer than the entry
# Kinds that state how things are. A task or a journal speaks of what is to be, or was.
STATES_FACTS = frozenset({"rule", "convention", "decision", "learning", "architecture", "term", "steering", "file"})

JUDGED = STATES_FACTS | {"task", "section"}
COMMITS_LOOKED_AT = 30  # that hold a name; one of them took it away, if any did
_IDENTIFIER = re.compile(r"(?=.{5,60}$)(?:[a-zA-Z]\w*_\w+|[A-Za-z][a-z0-9]+[A-Z]\w*)$")
_DEFINING = "(?:def|class|func|function|fn|type|struct|interface|enum|trait|const|var|let|module)"


class Known(Struct, frozen=True):
    """What exists in one state of the project."""

    snapshot: Snapshot
    reader: UnitReader
    exists: Callable[[str], bool]
    folders: frozenset[str]
    has_code: bool

    def gone(self, unit: Unit) -> tuple[str, ...]:
        """What the unit names that is no longer there."""
        # A path is looked for from the root and from the entry's own folder; both stand among the references.
        folder = dirname(unit.path or "")
        written = [ref for ref in unit.refs if "/" in ref and _is_file(ref)]
        near = {f"{folder}/{ref}" for ref in unit.refs} if written else set()
        found = [ref for ref in written if ref not in near]
        missing = [path for path in found if not self.is_there(path) and not self.is_there(f"{folder}/{path}")]
        deleted = self._were_here(missing)
        states = unit.kind in STATES_FACTS
        paths = [path for path in missing if path in deleted or (states and path.partition("/")[0] in self.folders)]
        symbols = self._missing_members(unit.refs) + self._removed(unit.refs) if states and self.has_code else []
        return (*dict.fromkeys(paths), *dict.fromkeys(symbols))

    def is_there(self, path: str) -> bool:
        """Whether a path, or one that ends with it, is a file of the project."""
        if path in self.snapshot.positions_by_key:
            return True
        stem = path.rpartition("/")[2].partition(".")[0]
        alike = self.snapshot.items_by_stem.get(stem, ())
        return any(self.snapshot.items[n].key.endswith(f"/{path}") for n in alike) or self.exists(path)

    def _were_here(self, paths: Sequence[str]) -> set[str]:
        """Paths that commits touched: they existed once."""
        if not paths:
            return set()
        found = self.snapshot.postings([term_hash(path, TOUCHES) for path in paths])
        return {path for path, (units, _) in zip(paths, found, strict=True) if len(units)}

    def _missing_members(self, refs: Iterable[str]) -> list[str]:
        """`Class.method` where the class is defined here and the method neither defined nor used anywhere."""
        dotted = [ref for ref in refs if "." in ref and "/" not in ref and not _is_file(ref)]
        if not dotted:
            return []
        pairs = [(ref, ref.rsplit(".", 2)[-2], ref.rsplit(".", 1)[-1]) for ref in dotted]
        owners = self._some([owner for _, owner, _ in pairs], DEFINES)
        members = self._some([member for _, _, member in pairs], DEFINES, USES)
        return [
            ref for (ref, owner, member) in pairs if owner in owners and member not in members and owner[:1].isupper()
        ]

    def _removed(self, refs: Iterable[str]) -> list[str]:
        """Names that code no longer has and that a commit took the definition of away."""
        names = [ref for ref in refs if _IDENTIFIER.match(ref)]
        still = self._some(names, DEFINES, USES) if names else set()
        return [name for name in names if name not in still and self._was_defined(name)]

    def _was_defined(self, name: str) -> bool:
        found: set[int] | None = None
        for units, _ in self.snapshot.postings([term_hash(term) for term in dict.fromkeys(name_terms(name))]):
            here = set(units[self.snapshot.kinds[units] == KIND_CODE["commit"]].tolist())
            found = here if found is None else found & here
        removed = re.compile(rf"^-[^\n]*\b{_DEFINING}\b[^\n]*\b{re.escape(name)}\b", re.MULTILINE)
        commits = self.reader.at(sorted(found or ())[:COMMITS_LOOKED_AT])
        return any(removed.search(commit.text) for commit in commits)

    def _some(self, names: Sequence[str], *fields: str) -> set[str]:
        """Names that code has in any of these fields."""
        here: set[str] = set()
        for field in fields:
            for name, (units, _) in zip(
                names, self.snapshot.postings([term_hash(name, field) for name in names]), strict=True
            ):
                if any(self.snapshot.items[int(self.snapshot.item_of[u])].source == "code" for u in units.tolist()):
                    here.add(name)
        return here


def known(project: Project, store: Store) -> Known:
    """What exists now: files of the index, and files on disk that it leaves out."""
    snapshot = store.snapshot()

    def exists(path: str) -> bool:
        try:
            # A leading slash in prose means the project's root; what still leads outside is not there for us.
            return project.resolve(path.lstrip("/")).exists()
        except (OSError, ValueError, OutsideProjectError):
            return False

    files = [item for item in snapshot.items if item.in_file]
    return Known(
        snapshot,
        UnitReader(store, snapshot),
        exists,
        frozenset(item.key.partition("/")[0] for item in files if "/" in item.key),
        any(item.source == "code" for item in files),
    )


def judged(unit: Unit, state: Known) -> Unit:
    """The unit, marked stale with the reason when something it names is gone."""
    if unit.status is not Status.LIVE or unit.kind not in JUDGED:
        return unit
    gone = state.gone(unit)
    if not gone:
        return unit
    more = f" and {len(gone) - REASONS} more" if len(gone) > REASONS else ""
    reason = f"{', '.join(gone[:REASONS])}{more} no longer here"
    return replace(unit, status=Status.STALE, meta={**unit.meta, "stale": reason})


def _is_file(name: str) -> bool:
    return name.rpartition(".")[2].lower() in FILE_ENDINGS
