"""C and C++ without the macros that no parser can know: `LIB_BEGIN_NAMESPACE`, `LIB_API void f()`, `f() LIB_NOEXCEPT`.

A macro may stand for half a namespace or for nothing at all, and what follows it is then read as something else: a
whole namespace became one function of a thousand lines. They are known by the capitals they are written in, and in
small letters by their place: two lists in brackets, `int printflike(1, 2) name(…)`, are an attribute and the function.
Spaces take their place, so that every line and column stays what it was.
"""

from __future__ import annotations

import re

# Alone on a line and not the head of a body: `SYSCALL_DEFINE1(close, …)` above a `{` defines something.
_ALONE = rb"^[ \t]*[A-Z_][A-Z0-9_]{3,}(?:[ \t]*\([^()\n;{}]*\))?[ \t]*$(?!\s*\{)"
_MACRO = rb"[A-Z][A-Z0-9]*_[A-Z0-9_]+(?:\([^()\n]*\))?"
# Before a type or a name, and behind a list of parameters.
_BEFORE = rb"(?<![\w#.>:])" + _MACRO + rb"(?=[ \t]+[A-Za-z_~:\[]|[ \t]*\n[a-z_]\w*[ \t]?\()"
_BEHIND = rb"(?<=\))[ \t]+" + _MACRO + rb"(?=[ \t]*(?:[{;:\n]|->))"
# The grammars know it in some places only: not before the `=` of a variable.
_GNU = rb"\b__attribute__\s*+\(\((?:[^(){};]++|\((?:[^(){};]++|\([^(){};]*+\))*+\))*+\)\)"
# A head written twice, for two cases, above one body: the second is as good as both.
_TWICE = (
    rb"(?P<first>^\#[ \t]*if[^\n]*\n[^#;{}]*\)[ \t]*\n\#[ \t]*else[^\n]*\n)(?P<second>[^#;{}]*\)[ \t]*\n)"
    rb"(?P<end>\#[ \t]*endif[^\n]*)(?=\n\{)"
)
_DIRECTIVE = rb"(?P<directive>^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*)"
_MACROS = re.compile(rb"|".join((_TWICE, _DIRECTIVE, _ALONE, _BEFORE, _BEHIND, _GNU)), re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(rb"/\*(?:[^*]++|\*(?!/))*+(?P<closed>\*/)?")
# One word or text for each argument of an attribute; a parameter has a type and a name, and `void` stands for none.
_ARGUMENT = rb"""\s*+(?!void\s*\))(?:[\w.]++(?:\([^(){};]*+\))?|"[^"\n]*+")\s*+"""
_WORD = rb"[\w:<>,*&]++[ \t]++"
_CALL = rb"[A-Za-z_]\w*+\(" + _ARGUMENT + rb"(?:," + _ARGUMENT + rb")*+\)"
# `class EXPORT Cart : public Base {`: of two words the first is no name, unless the second is `final`.
_EXPORT = (
    rb"^[ \t]*+(?:template[ \t]*+<[^\n;{}]*>[ \t]*+)?(?:class|struct|union)[ \t]++(?!alignas\b)"
    rb"(?P<export>(?:" + _CALL + rb"|\w++)[ \t]++)"
    rb"(?=(?!(?:final|sealed|abstract)\b)\w++(?:[ \t]++final)?\s*+(?:\{[ \t]*+$|:(?!:)[^;{}()]*+\{))"
)
_FUNCTION = (
    rb"^[ \t]*+(?!(?:else|return|do|case|goto|throw|typedef)\b)(?=[A-Za-z_])(?:" + _WORD + rb")*"
    rb"(?!(?:static|inline|extern|const)\b)" + _WORD +  # else the call is the type: `static LIB_API(int) name(…)`
    rb"[*&]*+(?!(?:if|for|while|switch)\b)(?P<attribute>" + _CALL + rb")"
    # What follows is the name, not one more attribute and not a parameter as they were declared before 1989.
    rb"(?=\s[\s*&]*+(?!(?:__attribute__|__asm__|asm|noexcept|throw|requires|char|int|void|long|double)\b)"
    rb"[A-Za-z_~][\w:~]*+\s?\()"
)  # fmt: skip
_ATTRIBUTES = re.compile(_EXPORT + rb"|" + _FUNCTION, re.MULTILINE)
_SHOWN = re.compile(rb"[^\n]")


def without_macros(data: bytes) -> bytes:
    """The text with spaces where macros stand; directives stay as they are, but for comments that end them too soon."""
    return _MACROS.sub(_without, data)


def _without(found: re.Match[bytes]) -> bytes:
    if found["directive"] is not None:
        goes_on = found[0].rfind(b"\\\n")
        return _COMMENT.sub(
            lambda each: _blank(each[0]) if each["closed"] and each.end() <= goes_on else each[0], found[0]
        )
    if found["second"] is not None:
        return _blank(found["first"]) + found["second"] + _blank(found["end"])
    return _blank(found[0])


def without_attributes(data: bytes) -> bytes:
    """The text with spaces where something stands between `class` or a function's type and the name."""
    return _ATTRIBUTES.sub(_without_last, data)


def _without_last(found: re.Match[bytes]) -> bytes:
    last = found["export"] or found["attribute"]
    return found[0][: -len(last)] + _blank(last)


def _blank(text: bytes) -> bytes:
    return _SHOWN.sub(b" ", text)
