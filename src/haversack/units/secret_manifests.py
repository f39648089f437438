"""Manifests and pipelines in YAML or JSON: what a Secret holds, and whatever goes by the name of a secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from haversack.patterns import lazily
from haversack.units.secret_lines import assigned_secrets
from haversack.units.secret_masks import Mask, masked
from haversack.units.secret_names import is_secret_name, kind_of_name, points_to_secret
from haversack.units.yaml_lines import Entry, entries

SECRET_DATA: Final = "[redacted:secret-data]"
HOLDS_SECRETS: Final = lazily(r"""["']?kind["']?[ \t]*:[ \t]*["']?Secret\b|secretGenerator|last-applied-config""")


def secrets_of(text: str) -> Iterator[Mask]:
    """What a Secret holds, whether it stands alone, in a list, behind an anchor or in a generator."""
    found = list(entries(text))
    homes = {
        (entry.document, entry.path[:-1])
        for entry in found
        if entry.path[-1:] == ("kind",) and text[entry.start : entry.end].strip() == "Secret"
    }
    aliases: set[str] = set()
    for entry in found:
        if _in_secret(entry, homes) or _generates(entry):
            value = text[entry.start : entry.end]
            aliases.update(re.findall(r"\*([\w.-]+)", value) if value.startswith("*") else ())
            yield from _hidden(entry, text, SECRET_DATA)
    if aliases:
        anchored = {(entry.document, entry.path) for entry in found if entry.anchor in aliases}
        for entry in found:
            if any((entry.document, entry.path[:depth]) in anchored for depth in range(1, len(entry.path) + 1)):
                yield from _hidden(entry, text, SECRET_DATA)


def _in_secret(entry: Entry, homes: set[tuple[int, tuple[str, ...]]]) -> bool:
    path = entry.path
    for depth, part in enumerate(path):
        if (part in {"data", "stringData"} and depth < len(path) - 1) or part.endswith("last-applied-configuration"):
            home = path[: depth - 1] if path[depth - 1 : depth] == ("annotations",) else path[:depth]
            home = home[:-1] if home[-1:] == ("metadata",) else home
            if (entry.document, home) in homes:
                return True
    return path[-1:] in {("data",), ("stringData",)} and (entry.document, path[:-1]) in homes


def _generates(entry: Entry) -> bool:
    """A literal of a generator of secrets, `NAME=value`."""
    return "secretGenerator" in entry.path and "literals" in entry.path


def _hidden(entry: Entry, text: str, label: str) -> Iterator[Mask]:
    value = text[entry.start : entry.end]
    if points_to_secret(value):
        return
    if "=" in value and "literals" in entry.path:  # the name of a literal stays
        yield entry.start + value.index("=") + 1, entry.end, label
    elif "\n" in value or text[entry.end : entry.end + 1] == "\n":
        lead = len(value) - len(value.lstrip())
        yield entry.start + lead, entry.start + len(value.rstrip()), label
    else:
        yield entry.start, entry.end, label


def mask_manifest(_: str, text: str) -> str:
    """Manifests and pipelines: Secrets, and whatever goes by the name of one."""
    masks = list(secrets_of(text)) if HOLDS_SECRETS.search(text) else []
    return masked(text, [*masks, *_named_entries(text)])


_FLAG: Final = lazily(r"--?(?P<name>[A-Za-z][\w-]*)$")


def _named_entries(text: str) -> Iterator[Mask]:
    found = list(entries(text))
    beside = {
        (entry.document, entry.path[:-1]): text[entry.start : entry.end]
        for entry in found
        if entry.path[-1:] in {("name",), ("key",), ("Name",), ("Key",)}
    }
    flag = ""  # of a list of arguments: `--password` and its value may be two items
    for entry in found:
        value = text[entry.start : entry.end]
        if not value or "schema" in entry.path:
            continue
        name = entry.path[-1] if entry.path else ""
        if name in {"value", "Value"}:
            name = beside.get((entry.document, entry.path[:-1]), "")
        if name.startswith("#"):
            name = entry.key if entry.key.lower().startswith("password") else flag
            option = _FLAG.match(value)
            flag = option["name"] if option else ""
        if name and is_secret_name(name) and not points_to_secret(value):
            yield from _hidden(entry, text, f"[redacted:{kind_of_name(name)}]")
        elif "=" in value or "\n" in value:  # a variable, a command, a script or a file inside a value
            for start, end, label in assigned_secrets(value):
                yield entry.start + start, entry.start + end, label
