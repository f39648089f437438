"""Front matter: the settings block some documents begin with, as flat metadata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from haversack.model import MetaValue
from haversack.patterns import lazily

PREFIX: Final = "front."
MOST_KEYS: Final = 40  # front matter is a handful of keys; more is a data file in disguise
LONGEST_VALUE: Final = 400
MOST_LINES: Final = 200

_KEY: Final = lazily(r"([\w.-]{1,60})[ \t]*:(?:[ \t]+(.*))?$")
_ITEM: Final = lazily(r"[ \t]*-[ \t]+(.*)$")


def front_matter(lines: Sequence[str]) -> tuple[int, dict[str, MetaValue]]:
    """How many lines the block takes (0 when there is none), and its keys under `front.`."""
    opening = lines[0].rstrip() if lines else ""
    if opening not in ("---", "+++"):
        return 0, {}
    for index in range(1, min(len(lines), MOST_LINES)):
        if lines[index].rstrip() == opening or (opening == "---" and lines[index].rstrip() == "..."):
            block = lines[1:index]
            values = _yaml(block) if opening == "---" else _toml(block)
            if opening == "---" and block and not values:  # a rule, some text, another rule
                return 0, {}
            return index + 1, {PREFIX + key: value for key, value in list(values.items())[:MOST_KEYS]}
    return 0, {}


def _yaml(block: Sequence[str]) -> dict[str, MetaValue]:
    """Top-level scalars and lists; nesting is left out."""
    values: dict[str, MetaValue] = {}
    items: list[str] = []
    key = ""
    for line in block:
        item = _ITEM.match(line)
        pair = _KEY.match(line)
        if item and key:
            items.append(_scalar(item[1]))
            values[key] = tuple(items)
        elif pair:
            key, items = pair[1].lower(), []
            values[key] = _value(pair[2] or "")
    return values


def _value(text: str) -> MetaValue:
    text = text.strip()
    if text[:1] == "[" and text[-1:] == "]":
        return tuple(filter(None, (_scalar(part) for part in text[1:-1].split(","))))
    return _scalar(text)


def _scalar(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    return text[:LONGEST_VALUE]


def _toml(block: Sequence[str]) -> dict[str, MetaValue]:
    import tomllib

    try:
        table: Mapping[str, object] = tomllib.loads("\n".join(block))
    except (ValueError, RecursionError):
        return {}
    values: dict[str, MetaValue] = {}
    for key, value in table.items():
        if isinstance(value, list):
            values[key.lower()] = tuple(str(part)[:LONGEST_VALUE] for part in value if not isinstance(part, dict))
        elif not isinstance(value, dict):
            values[key.lower()] = str(value)[:LONGEST_VALUE]
    return values
