"""Documentation, cut by heading: Markdown, reStructuredText, AsciiDoc, plain text, notebooks; APIs by operation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from haversack.model import Citation, Unit
from haversack.sources.docs.conventions import convention_of
from haversack.sources.docs.markup import markup
from haversack.sources.docs.openapi import is_openapi
from haversack.sources.protocol import Compressor, TextFile

NAME: Final = "docs"


class DocsSource:
    """Reads documents into one "file" unit and one "section" unit per heading."""

    name: str = NAME
    threshold: float = 0.4

    def claims(self, path: str, lang: str) -> bool:
        """Whether the file is a document."""
        return bool(markup(path, lang)) or convention_of(path) == "instruction" or is_openapi(path)

    def units(self, file: TextFile) -> Iterable[Unit]:
        """The file's units in order; their lines partition it. A notebook's units have no lines: it is cited whole."""
        from haversack.sources.docs.units import units_of  # parsers that only new files need

        return units_of(file)

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        """The file and the lines of the section."""
        return unit.citations

    def compressors(self) -> Mapping[str, Compressor]:
        """Light takes away what only decorates; the rest are the levels for prose."""
        from haversack.sources.docs.compress import light

        return {"light": light}
