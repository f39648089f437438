"""Entries into and out of a JSON file with comments, without touching a byte of the rest."""

from __future__ import annotations

import json

from haversack.install.agent import Entry, Json
from haversack.install.edits import EMPTY, Insertion, NotPossibleError, line_end
from haversack.install.jsonc import Item, Node, parse

DEFAULT_INDENT = "  "


def read(text: str) -> Json:
    """What the file says; an empty file says nothing."""
    return parse(text).value if text.strip(EMPTY) else {}


def add(text: str, entry: Entry) -> list[Insertion]:
    """What to insert so that the file holds the entry as well; containers on the way to it are made."""
    node = parse(text)
    for depth, key in enumerate(entry.path):
        if node.opened != "{":
            raise NotPossibleError(f"{'.'.join(entry.path[:depth])} is not an object")
        below = node.last(key)
        if below is None:
            return _insertions(text, node, key, _wrapped(entry, depth + 1))
        node = below
    if not entry.element:
        raise NotPossibleError(f"{'.'.join(entry.path)} is there already")
    if node.opened != "[":
        raise NotPossibleError(f"{'.'.join(entry.path)} is not a list")
    return _insertions(text, node, None, entry.value)


def remove(text: str, entry: Entry) -> str:
    """The text without the entry: the member with this value, or the first element with it."""
    node = parse(text)
    for key in entry.path if entry.element else entry.path[:-1]:
        node = node.last(key) or node
    for number, item in enumerate(node.items):
        if item.node.value == entry.value and item.key == ("" if entry.element else entry.path[-1]):
            return _without(text, node, number)
    raise NotPossibleError(f"{'.'.join(entry.path)} is not where it was")


def loose_commas(text: str) -> int:
    """How many of the containers our entries stand in end with a comma."""
    return _loose(parse(text)) if text.strip(EMPTY) else 0


def _loose(node: Node) -> int:
    here = int(bool(node.items) and node.items[-1].comma is not None)
    return here + sum(_loose(item.node) for item in node.items)


def _wrapped(entry: Entry, depth: int) -> Json:
    """The entry's value inside the containers that are missing above it."""
    value: Json = [entry.value] if entry.element else entry.value
    for key in reversed(entry.path[depth:]):
        value = {key: value}
    return value


def _insertions(text: str, node: Node, key: str | None, value: Json) -> list[Insertion]:
    prefix = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
    if node.items and "\n" not in text[node.start : node.items[0].start]:
        return _on_the_line(node, prefix, value)
    eol, unit = line_end(text), _unit(text)
    base = _indent_of_line(text, node.start)
    indent = _indent_of_line(text, node.items[0].start) if node.items else base + unit
    body = f"{eol}{indent}{prefix}{_written(value, eol + indent, unit)}"
    tail = "" if "\n" in text[node.anchor : node.end] else eol + base
    last = node.items[-1] if node.items else None
    if last is None:
        return [Insertion(node.anchor, body + tail)]
    if last.comma is not None:  # whoever ends lists with a comma wants to find one at the end
        return [Insertion(node.anchor, body + "," + tail)]
    if last.node.end == node.anchor:
        return [Insertion(node.anchor, "," + body + tail)]
    return [Insertion(node.anchor, body + tail), Insertion(last.node.end, ",")]


def _on_the_line(node: Node, prefix: str, value: Json) -> list[Insertion]:
    """For a container that is written on one line."""
    last = node.items[-1]
    compact = prefix + json.dumps(value, ensure_ascii=False)
    if last.comma is not None:
        return [Insertion(last.comma + 1, f" {compact}")]
    return [Insertion(last.node.end, f", {compact}")]


def _written(value: Json, newline: str, unit: str) -> str:
    """The value over several lines; a list of plain values stays on one."""
    if isinstance(value, dict) and value:
        inner = [f"{json.dumps(key)}: {_written(each, newline + unit, unit)}" for key, each in value.items()]
        return "{" + ",".join(f"{newline}{unit}{line}" for line in inner) + newline + "}"
    if isinstance(value, list) and any(isinstance(each, (dict, list)) for each in value):
        inner = [_written(each, newline + unit, unit) for each in value]
        return "[" + ",".join(f"{newline}{unit}{line}" for line in inner) + newline + "]"
    return json.dumps(value, ensure_ascii=False)


def _unit(text: str) -> str:
    """What one level of indentation is in this file."""
    root = parse(text)
    found = _indent_of_line(text, root.items[0].start) if root.items else ""
    return found if found and "\n" in text[root.start : root.items[0].start] else DEFAULT_INDENT


def _indent_of_line(text: str, at: int) -> str:
    start = text.rfind("\n", 0, at) + 1
    line = text[start:at].removeprefix("\ufeff")
    return line[: len(line) - len(line.lstrip(" \t"))]


def _without(text: str, node: Node, number: int) -> str:
    """The text without one item, its comma, and the space before it; comments stay."""
    item, items = node.items[number], node.items
    end = item.node.end if item.comma is None else item.comma + 1
    if len(items) == 1 and not text[node.start + 1 : item.start].strip() and not text[end : node.end - 1].strip():
        return text[: node.start + 1] + text[node.end - 1 :]
    shorter = text[: item.lead] + text[end:]
    before: Item | None = items[number - 1] if number else None
    if before is not None and before.comma is not None and item.comma is None:
        shorter = shorter[: before.comma] + shorter[before.comma + 1 :]
    return shorter
