"""What a document points at: files it links to, names it writes as code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import dirname, join, normpath
from typing import Final

from haversack.patterns import lazily

MOST_REFS: Final = 200  # a glossary can name everything; past this a mention says little
LONGEST_REF: Final = 120

# One pass: Markdown links and definitions, code spans, [[notes]]. Each alternative begins with a character of its own:
# everything between them is skipped at once, and what may not stand before it is looked at afterwards.
_LINK: Final = r"\]\(<?(?P<link>[^()\s<>]{1,300})[^()\n]{0,200}\)"
_DEFINITION: Final = r"\[(?<![^\n]\[)[^\]\n]{1,200}\]:[ \t]+<?(?P<definition>\S{1,300}?)>?(?=\s|$)"
_CODE_SPAN: Final = r"`(?<!``)(?P<ticks>`?)(?P<code>[^`\n]{1,300})`(?P=ticks)(?!`)(?P<role>_?)"
_NOTE: Final = r"\[\[(?P<note>[^\[\]|\n]{1,200})(?:\|[^\[\]\n]{0,200})?\]\]"
_PLAIN: Final = (_LINK, _DEFINITION, _CODE_SPAN, _NOTE)
# HTML attributes, and directives of reStructuredText: looked for only where there are any.
_ATTRIBUTE: Final = r"(?:href|src)=[\"'](?P<attribute>[^\"'\s<>]{1,300})[\"']"
_DIRECTIVE: Final = r"\.\.[ \t]+[\w:-]{1,40}::[ \t]+(?P<directive>\S{1,200})"
_MENTION: Final = lazily("|".join(_PLAIN))
_MARKUP_MENTION: Final = lazily("|".join((*_PLAIN, _ATTRIBUTE, _DIRECTIVE)))
_TARGET: Final = lazily(r"^[^<`]*<([^<>]+)>$")
_SCHEME: Final = lazily(r"[A-Za-z][A-Za-z0-9+.-]*:|//|#|\{|mailto")
_NAME: Final = lazily(r"[~!]?([^\W\d]\w*(?:(?:\.|::|#)[^\W\d]\w*)*)(?:\(.*\))?;?$")
_PATH: Final = lazily(r"\.{0,2}/?[\w@.+-]+(?:/[\w@.+-]+)*/?$")
_FILE_NAME: Final = lazily(r"[\w@+-][\w@.+-]*\.[A-Za-z][A-Za-z0-9]{0,7}$")
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
    for match in _found(text):
        said = match.groupdict()
        target = said["link"] or said["definition"] or said.get("attribute")
        if target:
            line += text.count("\n", at, match.start())
            at = match.start()
            for place in _linked(target, dirname(path)):
                yield line, place


def _found(text: str) -> Iterator[re.Match[str]]:
    marked = "href=" in text or "src=" in text or ".. " in text
    return (_MARKUP_MENTION if marked else _MENTION).finditer(text)


def _each(text: str, folder: str) -> Iterator[str]:
    for match in _found(text):
        said = match.groupdict()
        if said["code"] is not None:
            role = _TARGET.match(said["code"])
            code = role[1] if role else said["code"]
            yield from _linked(code, folder) if role and said["role"] else _coded(code, folder)
        elif said["note"] is not None:
            yield said["note"].partition("#")[0].strip()
        elif said.get("directive") is not None:
            yield from _coded(said["directive"], folder)
        else:
            yield from _linked(said["link"] or said["definition"] or said["attribute"], folder)


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
