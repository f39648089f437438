"""The one seam between haversack and its database: what any engine must offer. SQL stands nowhere else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct, field

from haversack.model import Problem, Unit

if TYPE_CHECKING:
    from haversack.index.segment import Rows
    from haversack.index.snapshot import Snapshot


class ItemRow(Struct, frozen=True):
    """One item (a file, a commit) as it was read: what it is, when it is stale, and its units as bytes."""

    source: str
    key: str
    fingerprint: str
    digest: str
    lang: str = ""
    role: str = "source"
    time: float | None = None
    size: int = 0
    skipped: str = ""
    units: int = 0
    blob: bytes = b""
    in_file: bool = True
    problems: tuple[Problem, ...] = ()


class Batch(Struct, frozen=True):
    """What one write changes. `rows` hold the units of `items` in order; items without units own no rows."""

    items: tuple[ItemRow, ...] = ()
    rows: Rows | None = None
    gone: tuple[tuple[str, str], ...] = ()
    restamped: tuple[tuple[str, str, str], ...] = ()
    meta: Mapping[str, bytes] = field(default_factory=dict)


class Sizes(Struct, frozen=True):
    """What the index weighs."""

    items: int
    units: int
    segments: int
    text_bytes: int
    disk_bytes: int


class Store(Protocol):
    """An index that many processes read while some write. Readers never wait for writers."""

    def snapshot(self) -> Snapshot:
        """A consistent view of everything committed so far; cheap when nothing changed."""
        ...

    def generation(self) -> int:
        """A number that every write raises."""
        ...

    def known(self, source: str) -> dict[str, tuple[str, str]]:
        """Key to (fingerprint, digest) of everything read from a source."""
        ...

    def meta(self, key: str) -> bytes | None:
        """A stored setting or memo."""
        ...

    def write(self, batch: Batch) -> None:
        """Commit a batch at once, or not at all."""
        ...

    def units(self, items: Sequence[int]) -> dict[int, Sequence[Unit]]:
        """All units of the given items (row numbers from the snapshot)."""
        ...

    def memo(self, item: int) -> bytes | None:
        """What the source keeps of an item without units (a row number from the snapshot); None if it is gone."""
        ...

    def problems(self) -> tuple[Problem, ...]:
        """What could not be read, from all sources."""
        ...

    def skipped(self) -> dict[str, list[str]]:
        """Reason to the keys that were read and set aside."""
        ...

    def counts(self) -> dict[str, int]:
        """Units by source."""
        ...

    def sizes(self) -> Sizes: ...

    def check(self) -> tuple[Problem, ...]:
        """Look for damage; empty when sound."""
        ...

    def compact(self) -> bool:
        """Merge small or half-dead segments when that is due."""
        ...

    def close(self) -> None: ...
