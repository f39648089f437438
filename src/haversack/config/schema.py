"""The JSON Schema of a settings file, drawn from the declaration; `python -m haversack.config.schema` writes it."""

from __future__ import annotations

import json
from pathlib import Path

from haversack.config.aliases import FILE_TREE
from haversack.config.kinds import Json, plain
from haversack.config.tree import Group, Node, Setting

FILE = Path(__file__).parent.parent / "data" / "haversack.schema.json"


def json_schema() -> dict[str, Json]:
    """The schema for `haversack.toml` and for `[tool.haversack]`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:haversack:settings:1",
        "title": "haversack settings",
        **_group(FILE_TREE),
    }


def text() -> str:
    """The schema as the package ships it."""
    return json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n"


def _node(node: Node) -> dict[str, Json]:
    return _setting(node) if isinstance(node, Setting) else _group(node)


def _group(group: Group) -> dict[str, Json]:
    drawn: dict[str, Json] = {"type": "object"}
    if group.doc:
        drawn["description"] = group.doc
    if group.children:
        drawn["properties"] = {name: _node(child) for name, child in group.children.items()}
    drawn["additionalProperties"] = _node(group.other) if group.other else False
    return drawn


def _setting(setting: Setting) -> dict[str, Json]:
    drawn: dict[str, Json] = {**setting.kind.schema, "description": setting.doc}
    if setting.default is not None:
        drawn["default"] = plain(setting.default)
    return drawn


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
