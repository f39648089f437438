"""One file per agent: where its transcripts lie and what a record of them says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from haversack.sources.conversation.message import Counts, Message, Said

if TYPE_CHECKING:
    import os

    from haversack.sources.conversation.lines import Line
    from haversack.sources.conversation.places import Places


class Format(Struct, frozen=True):
    """A kind of transcript file.

    `said` reads one JSON record, so that only new lines of a growing file are read; None from it means an unknown
    record. `whole` reads all lines at once, for files whose later lines change what earlier ones say.
    """

    name: str
    folders: Callable[[Places], Iterable[str]]
    """Folders that hold transcripts which may be this project's."""
    transcript: Callable[[os.DirEntry[str]], str | None]
    """The transcript that an entry of such a folder is or holds."""
    said: Callable[[Mapping[str, object]], Said | None] | None = None
    whole: Callable[[Iterator[Line], Counts], list[Message]] | None = None
    certain: bool = False
    """Whether whatever lies there is this project's; otherwise the recorded working directory decides."""
    branches: bool = False
    """Whether records name the one they follow, so that branches nobody went on with can be left out."""


def file_ending(*endings: str) -> Callable[[os.DirEntry[str]], str | None]:
    """Entries that are files with one of these endings."""
    return lambda entry: entry.path if entry.name.endswith(endings) else None


def no_folders(_: Places) -> Iterable[str]:
    """For formats whose files are named one by one."""
    return ()
