"""C and C++ without the macros that no parser can know: `LIB_BEGIN_NAMESPACE`, `LIB_API void f()`, `f() LIB_NOEXCEPT`.

A macro may stand for half a namespace or for nothing at all, and what follows it is then read as something else: a
whole namespace became one function of a thousand lines. They are known by the capitals they are written in. Spaces
take their place, so that every line and column stays what it was.
"""

from __future__ import annotations

import re

# Alone on a line and not the head of a body: `SYSCALL_DEFINE1(close, …)` above a `{` defines something.
_ALONE = rb"^[ \t]*[A-Z_][A-Z0-9_]{3,}(?:[ \t]*\([^()\n;{}]*\))?[ \t]*$(?!\s*\{)"
_MACRO = rb"[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\([^()\n]*\))?"
# Before a type or a name, and behind a list of parameters.
_BEFORE = rb"(?<![\w#.>:])" + _MACRO + rb"(?=[ \t]+[A-Za-z_~:\[])"
_BEHIND = rb"(?<=\))[ \t]+" + _MACRO + rb"(?=[ \t]*(?:[{;:\n]|->))"
_MACROS = re.compile(
    rb"(^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)|" + rb"|".join((_ALONE, _BEFORE, _BEHIND)), re.MULTILINE | re.DOTALL
)
_SHOWN = re.compile(rb"[^\n]")


def without_macros(data: bytes) -> bytes:
    """The text with spaces where macros stand; directives stay as they are."""
    return _MACROS.sub(lambda found: found[0] if found[1] is not None else _SHOWN.sub(b" ", found[0]), data)
