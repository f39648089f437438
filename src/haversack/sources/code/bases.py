"""What a class extends, read off its signature."""

from __future__ import annotations

import re

from haversack.sources.code.refs import words

_TYPE_ARGUMENTS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_ARGUMENTS = re.compile(r"\([^()]*\)")
_ENDS = re.compile(r"\s(?:where|requires|permits|derives)\s|\bby\s+\w+|\{")
_NAME = re.compile(r"(?<![\w.:\\=])[A-Za-z_\\][\w.:\\]*(?!\s*=)(?![\w.:\\])")
_OWNER = re.compile(r"::|[.\\]")
_WORDS = words(
    "extends implements with public private protected virtual internal open final class struct interface dyn "
    "typename mut const static and"
)


def bases(signature: str, where: re.Pattern[str]) -> tuple[str, ...]:
    """The names a class extends: without type arguments, constructor arguments, owners and keywords."""
    if where.search(signature) is None:
        return ()
    match = where.search(_without(_TYPE_ARGUMENTS, signature))
    if match is None:
        return ()
    text = _ENDS.split(_without(_ARGUMENTS, match[match.lastindex or 0]), maxsplit=1)[0]
    names = (_OWNER.split(name.strip(":.\\"))[-1] for name in _NAME.findall(text) if name not in _WORDS)
    return tuple(dict.fromkeys(name for name in names if name))


def _without(nested: re.Pattern[str], text: str) -> str:
    before = ""
    while before != text:  # innermost first; a signature is short
        before, text = text, nested.sub(" ", text)
    return text
