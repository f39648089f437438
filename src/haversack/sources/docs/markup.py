"""How a document is written, by its language and its name."""

from __future__ import annotations

from posixpath import basename
from typing import Final

_LANGS: Final = {
    "markdown": "markdown",
    "md": "markdown",
    "mdx": "markdown",
    "rst": "rst",
    "restructuredtext": "rst",
    "asciidoc": "asciidoc",
    "adoc": "asciidoc",
    "text": "text",
    "notebook": "notebook",
    "jupyter": "notebook",
}
_ENDINGS: Final = {
    "md": "markdown",
    "markdown": "markdown",
    "mdown": "markdown",
    "mkd": "markdown",
    "mdx": "markdown",
    "mdc": "markdown",
    "rst": "rst",
    "rest": "rst",
    "adoc": "asciidoc",
    "asciidoc": "asciidoc",
    "asc": "asciidoc",
    "txt": "text",
    "text": "text",
    "ipynb": "notebook",
}
# Files whose ending says less than their name.
_MARKDOWN_NAMES: Final = frozenset({"llms.txt", "llms-full.txt", ".cursorrules", ".windsurfrules", ".clinerules"})
# Files that carry prose under a bare name.
_NAMES: Final = (
    "authors changelog changes code_of_conduct contributing contributors copying copyright credits faq hacking history "
    "install license licence maintainers migration news notice readme releases roadmap security support thanks todo "
    "upgrading usage"
)
_BARE_NAMES: Final = frozenset(_NAMES.split())


def markup(path: str, lang: str = "") -> str:
    """Markdown, rst, asciidoc, notebook or text; nothing when the file is not a document."""
    name = basename(path).lower()
    if name in _MARKDOWN_NAMES:
        return "markdown"
    if name in _BARE_NAMES and lang in ("", "text"):
        return "markdown"  # a README without an ending is text or Markdown; the rules of one hold the other
    if lang:
        return _LANGS.get(lang, "")
    return _ENDINGS.get(name.rpartition(".")[2], "") if "." in name else ""
