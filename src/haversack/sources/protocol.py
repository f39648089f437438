"""What a source is: it finds its material, reads it into units, says how to cite and to shorten it. It never ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Protocol, runtime_checkable

from msgspec import Struct

from haversack.model import Citation, Problem, Role, Unit

if TYPE_CHECKING:
    from haversack.project import Project, Sweep

CAUTION: Final = "caution"
"""The key under which a unit's metadata says what its reader must know; the receipt of a packet repeats it."""


class TextFile(Struct, frozen=True):
    """A project file, decoded and redacted, as a file source gets it."""

    path: str
    text: str
    lang: str
    role: Role
    size: int
    mtime_ns: int
    digest: str


class Item(Struct, frozen=True):
    """One thing a source can read. The fingerprint changes when the thing does."""

    key: str
    fingerprint: str


class Reading(Struct, frozen=True):
    """What one item holds.

    `fingerprint` is what the item is known by from now on, where only reading could tell (how far a growing file was
    read); empty: the one it was discovered with. A reading of a key that was not asked for is kept, too. `memo` is
    what an item without units is to remember: it is neither searched nor shown.
    """

    key: str
    units: tuple[Unit, ...]
    problems: tuple[Problem, ...] = ()
    fingerprint: str = ""
    memo: bytes = b""


class Changes(Struct, frozen=True):
    """What is new or different since `known`, and what is gone."""

    changed: tuple[Item, ...] = ()
    gone: tuple[str, ...] = ()


class Compressor(Protocol):
    """Shortens a unit's text to at most `limit` tokens; deterministic; never invents text.

    None leaves this text to the general ladder; an empty string says that nothing of it is worth keeping.
    """

    def __call__(self, unit: Unit, text: str, limit: int) -> str | None: ...


@runtime_checkable
class SourceAdapter(Protocol):
    """The seam for every kind of material; third parties register one under the entry point `haversack.sources`."""

    name: str
    threshold: float

    def discover(self, project: Project, known: Mapping[str, str]) -> Changes:
        """Compare what is there with `known` (key to fingerprint), cheaply."""
        ...

    def read(self, project: Project, items: Sequence[Item]) -> Iterator[Reading]:
        """Read items in the order given; a broken one yields a Reading with a problem and no units."""
        ...

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        """Citations that open."""
        ...

    def compressors(self) -> Mapping[str, Compressor]:
        """Compressors by strength: light, medium, heavy. Missing ones fall back to the generic ladder."""
        ...


@runtime_checkable
class ComparesFiles(Protocol):
    """An adapter whose items depend on project files or ignore rules: it is given what the last look found."""

    def discover_among(self, project: Project, known: Mapping[str, str], found: Sweep) -> Changes:
        """As `discover`, from this look at the project."""
        ...


@runtime_checkable
class ReadsOn(Protocol):
    """An adapter whose items only grow: it is given what it made of an item before, and reads what is new."""

    def read_on(
        self, project: Project, items: Sequence[Item], before: Callable[[str], Sequence[Unit]]
    ) -> Iterator[Reading]:
        """As `read`; `before` gives the units an item has in the index, none when it is new."""
        ...


@runtime_checkable
class KeepsMemos(Protocol):
    """An adapter that remembers something from one reading to the next."""

    def read_with(self, project: Project, items: Sequence[Item], memo: Callable[[str], bytes]) -> Iterator[Reading]:
        """As `read`; `memo` gives what an item's last reading had for its memo, nothing when there was none."""
        ...


@runtime_checkable
class TakesByText(Protocol):
    """A file source that a name alone does not tell enough: what it claims, it may still leave to the next."""

    def takes(self, file: TextFile) -> bool:
        """Whether a file it claims by name is its own by its text."""
        ...


@runtime_checkable
class FileSource(Protocol):
    """A source whose material is project files: the scan finds them, one file is claimed by one source."""

    name: str
    threshold: float

    def claims(self, path: str, lang: str) -> bool:
        """Whether this source reads that file."""
        ...

    def units(self, file: TextFile) -> Iterable[Unit]:
        """Cut one file. Must not raise on any text."""
        ...

    def cite(self, unit: Unit) -> tuple[Citation, ...]: ...

    def compressors(self) -> Mapping[str, Compressor]: ...
