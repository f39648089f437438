"""OpenAPI descriptions: where each operation stands, in YAML or JSON, without needing the whole to be valid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from msgspec import Struct

from haversack.patterns import lazily

METHODS: Final = frozenset({"get", "put", "post", "delete", "options", "head", "patch", "trace"})
_NAME: Final = lazily(r"(?:^|/)(?:[\w.-]*(?:openapi|swagger)[\w.-]*)\.(?:json|ya?ml)$", re.I)
_KEY: Final = lazily(
    r"( *)(?:\"((?:[^\"\\]|\\.)*)\"|'([^']*)'|([^\s#'\"{\[\]},&*!|>%@`-][^#]*?))[ \t]*:(?:[ \t]+(.*))?$"
)
_ITEM: Final = lazily(r" *- +(.+)$")
_TOKEN: Final = lazily(r'"(?:[^"\\]|\\.)*"|[{}\[\]:,]')


class Operation(Struct, frozen=True):
    """One operation: its lines (0-based, both ends included), and what it says of itself."""

    first: int
    last: int
    method: str
    path: str
    id: str = ""
    summary: str = ""
    tags: tuple[str, ...] = ()
    deprecated: bool = False


def is_openapi(path: str) -> bool:
    """Whether the file's name says that it describes an API."""
    return _NAME.search(path) is not None


def operations(lines: Sequence[str], path: str) -> list[Operation]:
    """The operations in order; none when the text is something else."""
    if path.lower().endswith(".json"):
        return _separate(list(_json("\n".join(lines))))
    return list(_yaml(lines))


def _yaml(lines: Sequence[str]) -> Iterator[Operation]:
    """Block style, which is what people and tools write: indentation tells what belongs to what."""
    keys = [(number, *found) for number, line in enumerate(lines) if (found := _key(line))]
    start = next((at for at, (_, indent, key, _) in enumerate(keys) if key == "paths" and indent == 0), None)
    if start is None or not any(indent == 0 and key in ("openapi", "swagger") for _, indent, key, _ in keys):
        return
    route, route_indent = "", 0
    for at in range(start + 1, len(keys)):
        number, indent, key, _ = keys[at]
        if indent == 0:
            return
        if key.startswith("/") and (not route or indent <= route_indent):
            route, route_indent = key, indent
        elif route and key in METHODS and _is_child(keys, at, route_indent):
            last = _block_end(lines, number, indent)
            yield _described(lines, number, last, indent, key, route)


def _key(line: str) -> tuple[int, str, str] | None:
    match = _KEY.match(line) if ":" in line else None
    if match is None:
        return None
    key = next(part for part in match.groups()[1:4] if part is not None)
    return len(match[1]), key, (match[5] or "").strip()


def _is_child(keys: Sequence[tuple[int, int, str, str]], at: int, above: int) -> bool:
    """Whether the nearest key that is less indented is the route itself."""
    indent = keys[at][1]
    for before in range(at - 1, -1, -1):
        if keys[before][1] < indent:
            return keys[before][1] == above and keys[before][2].startswith("/")
    return False


def _block_end(lines: Sequence[str], first: int, indent: int) -> int:
    last = first
    for number in range(first + 1, len(lines)):
        line = lines[number]
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if len(line) - len(line.lstrip(" ")) <= indent:
            break
        last = number
    return last


def _described(lines: Sequence[str], first: int, last: int, indent: int, method: str, route: str) -> Operation:
    values: dict[str, str] = {}
    tags: list[str] = []
    depth = 0
    current = ""
    for line in lines[first + 1 : last + 1]:
        found = _key(line)
        item = _ITEM.match(line)
        if found and not depth:
            depth = found[0]
        if found and found[0] == depth > indent:
            values.setdefault(found[1], found[2].strip("\"'"))
            current = found[1]
        elif item and current == "tags":
            tags.append(item[1].strip("\"' "))
    listed = values.get("tags", "")
    if listed.startswith("["):
        tags = [tag.strip("\"' ") for tag in listed.strip("[] ").split(",") if tag.strip()]
    return Operation(
        first,
        last,
        method,
        route,
        values.get("operationId", ""),
        values.get("summary", ""),
        tuple(tags),
        values.get("deprecated") == "true",
    )


def _json(text: str) -> Iterator[Operation]:
    import json

    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return
    routes = whole.get("paths") if isinstance(whole, dict) else None
    if not isinstance(routes, dict) or not {"openapi", "swagger"} & whole.keys():
        return
    for (route, method), (first, last) in _places(text).items():
        item = routes.get(route)
        said = item.get(method) if isinstance(item, dict) else None
        if isinstance(said, dict):
            tags = said.get("tags")
            yield Operation(
                first,
                last,
                method,
                route,
                str(said.get("operationId") or ""),
                str(said.get("summary") or ""),
                tuple(str(tag) for tag in tags) if isinstance(tags, list) else (),
                said.get("deprecated") is True,
            )


def _places(text: str) -> dict[tuple[str, str], tuple[int, int]]:
    """Lines of every `paths.<route>.<method>` object of a JSON text that is known to be valid."""
    import json

    found: dict[tuple[str, str], tuple[int, int]] = {}
    above: list[str] = []  # the key each open bracket stands under
    begun: list[int] = []
    key, last_string = "", ""
    key_line = line = at = 0
    for token in _TOKEN.finditer(text):
        line += text.count("\n", at, token.start())
        at = token.start()
        sign = token[0]
        if sign[0] == '"':
            last_string = sign
        elif sign == ":":
            key, key_line = json.loads(last_string), line
        elif sign in "{[":
            above.append(key)
            begun.append(key_line)
            key = ""
        elif sign in "}]":
            opened, start = above.pop(), begun.pop()
            if len(above) == 3 and above[1] == "paths" and opened in METHODS:
                found[above[2], opened] = (start, line)
    return found


def _separate(found: list[Operation]) -> list[Operation]:
    """None where several operations share a line: they could not be shown apart."""
    shared = any(after.first <= before.last for before, after in pairwise(found))
    return [] if shared else found
