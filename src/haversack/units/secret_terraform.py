"""Terraform: states say what there is without values; configurations keep their names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from haversack.patterns import lazily
from haversack.units.secret_lines import assigned_secrets
from haversack.units.secret_manifests import mask_manifest
from haversack.units.secret_masks import Mask, masked
from haversack.units.secret_names import is_secret_name, kind_of_name, points_to_secret, words
from haversack.units.yaml_lines import Entry, entries

STATE_VALUE: Final = "[redacted:state-value]"
# What a state says about a resource that no provider uses for a secret.
_STATE_OPEN: Final = words(
    "id arn name type region location zone availability_zone engine engine_version instance_type "
    "instance_class machine_type size status state version runtime namespace kind port protocol "
    "cidr_block vpc_id subnet_id project handler image ami bucket family cluster hostname fqdn zone_id "
    "role policy_arn storage_class tier sku memory timeout memory_size"
)
_STATE_HIDES: Final = lazily(r"(?:^random_|^tls_|^vault_|secret|password|token|key|credential|certificate)")
_MODES: Final = frozenset(
    {"version", "terraform_version", "serial", "lineage", "mode", "provider", "type", "name", "module"}
)


def mask_state(_: str, text: str) -> str:
    """A state: what there is and where, no values but the harmless ones."""
    sensitive, hidden = _sensitive(text)
    # A state that cannot be read says nothing about what is sensitive: then everything is.
    unsure = sensitive is None

    def masks() -> Iterator[Mask]:
        for entry in entries(text):
            value = text[entry.start : entry.end]
            if value and (
                (unsure and entry.path[:1] == ("outputs",)) or not _may_show(entry, value, sensitive or set(), hidden)
            ):
                # Outside quotes, a mask would break the JSON: numbers become a string.
                bare = text[entry.start - 1 : entry.start] != '"'
                yield entry.start, entry.end, f'"{STATE_VALUE}"' if bare else STATE_VALUE

    return masked(text, masks())


def _may_show(entry: Entry, value: str, sensitive: set[str], hidden: set[str]) -> bool:
    path = entry.path
    if value in {"true", "false", "null"} or "sensitive_attributes" in path or "dependencies" in path:
        return True
    if path[:1] == ("outputs",) and len(path) > 2:
        return path[2] in {"sensitive", "type"} or (path[1] not in sensitive and not is_secret_name(path[1]))
    if "attributes" in path or "attributes_flat" in path or "private" in path or "values" in path:
        if path[0] == "resources" and path[1] in hidden:
            return False
        name = path[-1]
        return name in _STATE_OPEN and name not in sensitive and not is_secret_name(name)
    return (
        path[-1:] == () or path[-1] in _MODES or path[-1] in {"schema_version", "index_key", "identity_schema_version"}
    )


def _sensitive(text: str) -> tuple[set[str] | None, set[str]]:
    """Names that the state marks as sensitive (None when it cannot be read), places of resources that are secrets."""
    try:
        state = json.loads(text)
    except (ValueError, RecursionError):
        state = None
    if not isinstance(state, dict):
        return None, set()
    outputs = state.get("outputs")
    names = {
        name
        for name, output in (outputs.items() if isinstance(outputs, dict) else ())
        if not isinstance(output, dict) or output.get("sensitive")
    }
    hidden: set[str] = set()
    for number, resource in enumerate(_list(state.get("resources"))):
        if isinstance(resource, dict):
            if _STATE_HIDES.search(str(resource.get("type", ""))):
                hidden.add(f"#{number}")
            for instance in _list(resource.get("instances")):
                marked = instance.get("sensitive_attributes") if isinstance(instance, dict) else None
                names.update(
                    str(step.get("value")) for way in _list(marked) for step in _list(way) if isinstance(step, dict)
                )
    return names, hidden


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def mask_terraform(path: str, text: str) -> str:
    if path.lower().endswith(".json"):
        return mask_manifest(path, text)
    return masked(text, [*assigned_secrets(text), *_sensitive_variables(text)])


_VARIABLE: Final = lazily(r'^(?:variable|output)\s+"(?P<name>[^"\n]+)"\s*\{', re.MULTILINE)
_DEFAULT: Final = lazily(
    r'^\s+(?:default|value)\s*=\s*(?:"(?P<value>(?:[^"\\\n]|\\.)*)"|(?P<number>\d+)\s*$)', re.MULTILINE
)
_SENSITIVE: Final = lazily(r"^\s+sensitive\s*=\s*true\b", re.MULTILINE)


def _sensitive_variables(text: str) -> Iterator[Mask]:
    """The default of a variable that is sensitive by its word or by its name."""
    for name, start, end in _sensitive_blocks(text):
        for default in _DEFAULT.finditer(text, start, end):
            group = "value" if default["value"] is not None else "number"
            if not points_to_secret(default[group]):
                yield *default.span(group), f"[redacted:{kind_of_name(name)}]"


def sensitive_names(text: str) -> frozenset[str]:
    """Variables and outputs that are secrets, by name."""
    return frozenset(name for name, _, _ in _sensitive_blocks(text))


def _sensitive_blocks(text: str) -> Iterator[tuple[str, int, int]]:
    blocks = list(_VARIABLE.finditer(text))
    following = [*(block.start() for block in blocks[1:]), len(text)]
    for block, end in zip(blocks, following, strict=False):
        if is_secret_name(block["name"]) or _SENSITIVE.search(text, block.end(), end):
            yield block["name"], block.end(), end
