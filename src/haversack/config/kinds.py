"""What a setting may hold: how a value is checked, read from text, described to people and drawn as JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

Json: TypeAlias = str | int | float | bool | list["Json"] | dict[str, "Json"] | None

_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off")
_PERCENT = r"(?:\d{1,2}(?:\.\d+)?|100)%"


class Kind(Struct, frozen=True):
    """One kind of value. `accepts` says whether a value is one; `read` makes one of a word, or raises ValueError.

    `form` turns an accepted value into what the program holds.
    """

    expected: str
    accepts: Callable[[object], bool]
    read: Callable[[str], object]
    schema: Mapping[str, Json]
    form: Callable[..., object] | None = None
    folder: bool = False
    confined: bool = False
    users_own: bool = False

    def check(self, value: object) -> object:
        """The value as the program holds it; ValueError says what was expected."""
        if not self.accepts(value):
            raise ValueError(self.expected)
        return self.form(value) if self.form else value

    def parse(self, text: str) -> object:
        """The value typed as text, as in an environment variable."""
        try:
            return self.check(self.read(text.strip()))
        except ValueError:
            raise ValueError(self.expected) from None


def flag() -> Kind:
    """True or false."""
    return Kind("true or false", lambda value: isinstance(value, bool), _truth, {"type": "boolean"})


def always_on(reason: str) -> Kind:
    """A switch that exists so that files which set it are understood, and that cannot be turned off."""
    return Kind(f"true: {reason}", lambda value: value is True, _truth, {"const": True})


def integer(least: int | None = None, most: int | None = None) -> Kind:
    """A whole number."""

    def accepts(value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and _within(value, least, most)

    return Kind("a whole number" + _bounds(least, most), accepts, int, _limits("integer", least, most))


def number(least: float | None = None, most: float | None = None) -> Kind:
    """A number."""

    def accepts(value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        return isfinite(value) and _within(value, least, most)

    return Kind("a number" + _bounds(least, most), accepts, float, _limits("number", least, most), float)


def text(pattern: str = "", what: str = "text") -> Kind:
    """Text, of a given shape where one is asked for."""

    def accepts(value: object) -> bool:
        return isinstance(value, str) and "\0" not in value and (not pattern or bool(re.fullmatch(pattern, value)))

    shape: dict[str, Json] = {"pattern": f"^(?:{pattern})$"} if pattern else {}
    return Kind(what, accepts, str, {"type": "string", **shape})


def users_own(kind: Kind) -> Kind:
    """The same, but not from a project's own file: a cloned repository is not the user."""
    return replace(kind, users_own=True)


def confined(kind: Kind) -> Kind:
    """Paths or patterns, kept as typed. A project's own file may only name what is inside the project."""
    return replace(kind, confined=True)


def folder() -> Kind:
    """A folder. A project's own file may only name one inside the project: a cloned repository is not the user."""
    plain_text = text()
    return Kind("the path of a folder", plain_text.accepts, str, plain_text.schema, folder=True)


def choice(*options: str) -> Kind:
    """One of a few words."""
    return Kind("one of " + ", ".join(options), lambda value: value in options, str, {"enum": list(options)})


def list_of(item: Kind) -> Kind:
    """A list; typed as text, its items are separated by commas."""

    def accepts(value: object) -> bool:
        return isinstance(value, list | tuple) and all(map(item.accepts, value))

    def read(typed: str) -> list[object]:
        return [item.read(part.strip()) for part in typed.split(",") if part.strip()]

    schema: dict[str, Json] = {"type": "array", "items": dict(item.schema)}
    return Kind(f"a list, each item {item.expected}", accepts, read, schema, tuple, item.folder)


def share() -> Kind:
    """Tokens, or a percentage of the budget."""
    tokens, percent = integer(0), text(_PERCENT)
    return Kind(
        'tokens (a whole number, 0 or more) or a percentage of the budget such as "25%"',
        lambda value: tokens.accepts(value) or percent.accepts(value),
        lambda typed: int(typed) if typed.isdecimal() else typed,
        {"anyOf": [dict(tokens.schema), dict(percent.schema)]},
    )


def anything() -> Kind:
    """What a third party's source declares for itself."""
    listed = list_of(text())
    return Kind(
        "text, a number, true or false, or a list of text",
        lambda value: isinstance(value, str | bool | int | float) or listed.accepts(value),
        str,
        {},
        lambda value: tuple(value) if isinstance(value, list) else value,
    )


def plain(value: object) -> Json:
    """A setting's value as JSON has it."""
    if isinstance(value, tuple | list):
        return [plain(each) for each in value]
    return value if isinstance(value, str | int | float | bool) else None


def _truth(typed: str) -> bool:
    word = typed.lower()
    if word not in _TRUE + _FALSE:
        raise ValueError(typed)
    return word in _TRUE


def _within(value: float, least: float | None, most: float | None) -> bool:
    return (least is None or value >= least) and (most is None or value <= most)


def _bounds(least: float | None, most: float | None) -> str:
    if least is not None and most is not None:
        return f" from {least:g} to {most:g}"
    return f", {least:g} or more" if least is not None else ""


def _limits(type_name: str, least: float | None, most: float | None) -> dict[str, Json]:
    limits: dict[str, Json] = {"type": type_name}
    if least is not None:
        limits["minimum"] = least
    if most is not None:
        limits["maximum"] = most
    return limits
