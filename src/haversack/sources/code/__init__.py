"""The code source: source files cut by their syntax, any other text by its blank lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from haversack.model import Citation, Unit
    from haversack.sources.protocol import Compressor, TextFile


class CodeSource:
    """Reads every file that no other file source claims."""

    name = "code"
    threshold = 0.5  # seed 002's threshold for code

    def claims(self, path: str, lang: str) -> bool:  # noqa: ARG002 - part of the protocol
        """Everything: the registry asks this source last."""
        return True

    def units(self, file: TextFile) -> Iterator[Unit]:
        """The file, what it defines, and blocks of the rest; never raises, whatever the text."""
        from haversack.sources.code.cutting import units_of

        return units_of(file)

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        """The lines, and the symbol where there is one."""
        return unit.citations

    def compressors(self) -> Mapping[str, Compressor]:
        """Light takes comments away; the generic ladder elides by the outline."""
        from haversack.sources.code.compress import light

        return {"light": light}
