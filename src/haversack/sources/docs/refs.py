"""What a document points at: files it links to, names it writes as code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import dirname, join, normpath
from typing import Final

MOST_REFS: Final = 200  # a glossary can name everything; past this a mention says little
LONGEST_REF: Final = 120

# One pass: Markdown links and definitions, HTML attributes, reStructuredText targets and roles, code spans,
# directives, [[notes]].
_MENTION: Final = re.compile(
    r"\]\(<?([^()\s<>]{1,300})[^()\n]{0,200}\)"
    r"|^\[[^\]\n]{1,200}\]:[ \t]+<?(\S{1,300}?)>?(?=\s|$)"
    r"|(?:href|src)=[\"']([^\"'\s<>]{1,300})[\"']"
    r"|(?<!`)(`{1,2})([^`\n]{1,300})\4(?!`)(_?)"
    r"|^[ \t]*\.\.[ \t]+[\w:-]{1,40}::[ \t]+(\S{1,200})"
    r"|\[\[([^\[\]|\n]{1,200})(?:\|[^\[\]\n]{0,200})?\]\]",
    re.MULTILINE,
)
_TARGET: Final = re.compile(r"^[^<`]*<([^<>]+)>$")
_SCHEME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#|\{|mailto")
_NAME: Final = re.compile(r"[~!]?([^\W\d]\w*(?:(?:\.|::|#)[^\W\d]\w*)*)(?:\(.*\))?;?$")
_PATH: Final = re.compile(r"\.{0,2}/?[\w@.+-]+(?:/[\w@.+-]+)*/?$")
_FILE_NAME: Final = re.compile(r"[\w@+-][\w@.+-]*\.[A-Za-z][A-Za-z0-9]{0,7}$")
# Endings that make `x.y` a file rather than an attribute.
_ENDINGS: Final = (
    "adoc astro bash bat c cc cfg clj cpp cs css csv cts dart env ex exs gradle go gql graphql h hpp hs html ini ipynb "
    "java jl js json jsonl jsx kt kts less lock lua m md mdx mjs mk ml mm mts php pl proto ps1 py pyi pyx r rb rs rst "
    "scala scss sh sol sql svelte svg swift tf toml ts tsx txt vue xml yaml yml zig"
)
FILE_ENDINGS: Final = frozenset(_ENDINGS.split())


def mentions(text: str, path: str) -> tuple[str, ...]:
    """Project files (as paths from the root) and names that the text points at, in order, each once."""
    found: dict[str, None] = {}
    for ref in _each(text, dirname(path)):
        if 2 <= len(ref) <= LONGEST_REF:
            found[ref] = None
            if len(found) >= MOST_REFS:
                break
    return tuple(found)


def links(text: str, path: str) -> Iterator[tuple[int, str]]:
    """Lines (from 1) and project paths that the text links to; what is written as code is no link."""
    line, at = 1, 0
    for match in _MENTION.finditer(text):
        link, definition, attribute, *_ = match.groups()
        if link or definition or attribute:
            line += text.count("\n", at, match.start())
            at = match.start()
            for target in _linked(link or definition or attribute, dirname(path)):
                yield line, target


def _each(text: str, folder: str) -> Iterator[str]:
    for match in _MENTION.finditer(text):
        link, definition, attribute, _, code, underscore, directive, note = match.groups()
        if code is not None:
            role = _TARGET.match(code)
            yield from _linked(role[1], folder) if role and underscore else _coded(role[1] if role else code, folder)
        elif note is not None:
            yield note.partition("#")[0].strip()
        elif directive is not None:
            yield from _coded(directive, folder)
        else:
            yield from _linked(link or definition or attribute, folder)


def _linked(target: str, folder: str) -> Iterator[str]:
    """The project file a link leads to, resolved from the document's folder."""
    if _SCHEME.match(target):
        return
    bare = target.partition("#")[0].partition("?")[0]
    if "%" in bare:
        from urllib.parse import unquote

        bare = unquote(bare)
    if not bare or "\0" in bare or "\n" in bare:
        return
    # A leading slash means the root of the site or the repository, never the root of the machine.
    resolved = normpath(bare.lstrip("/") if bare.startswith("/") else join(folder, bare))
    if resolved != "." and not resolved.startswith(".."):
        yield resolved


def _coded(code: str, folder: str) -> Iterator[str]:
    """A path or a name written as code; a dotted name also gives its last part, which is what is defined."""
    code = code.strip()
    if _is_path(code):
        if code.startswith(("./", "../")):
            yield from _linked(code, folder)
        else:
            yield code.strip("/")
        return
    name = _NAME.match(code)
    if name:
        yield name[1]
        last = re.split(r"[.#:]+", name[1])[-1]
        if last != name[1]:
            yield last


def _is_path(code: str) -> bool:
    if "/" in code:
        return bool(_PATH.match(code)) and any(part.strip(".") for part in code.split("/"))
    return bool(_FILE_NAME.match(code)) and code.rpartition(".")[2].lower() in FILE_ENDINGS
