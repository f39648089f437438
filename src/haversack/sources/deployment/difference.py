"""What is different between two environments: keys and values of both sides compared, each with its file and line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from haversack.sources.protocol import TextFile
from haversack.units import deployed
from haversack.units.yaml_lines import Entry, entries

LONGEST_VALUE: Final = 120
MOST_DIFFERENCES: Final = 200  # of one comparison; past that the files have nothing to do with each other
_HIDDEN: Final = "[redacted:"
_PAIR: Final = re.compile(r"(?P<name>[A-Za-z_][\w.-]*)=(?P<value>[^\n]*)")
_ENV_LINE: Final = re.compile(r"[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_][\w.-]*)[ \t]*[=:][ \t]*(?P<value>.*)")
_BLOCK_START: Final = re.compile(r'(?P<head>[a-z_]+(?:[ \t]+"[^"\n]+")*)[ \t]*\{[ \t]*$')
_IGNORED: Final = frozenset({"apiVersion", "kind"})


class Leaf(Struct, frozen=True):
    """A value and where it stands; `shown` is masked text if it is a secret."""

    shown: str
    path: str
    line: int

    @property
    def hidden(self) -> bool:
        return _HIDDEN in self.shown


class Change(Struct, frozen=True):
    """One key that is not the same on both sides."""

    key: str
    before: Leaf | None
    after: Leaf | None

    def __str__(self) -> str:
        if self.before and self.after:
            return f"~ {self.key}: {self.before.shown} → {self.after.shown}  ({_at(self.before)}, {_at(self.after)})"
        if self.after:
            return f"+ {self.key}: {self.after.shown}  ({_at(self.after)})"
        return f"- {self.key}: {self.before.shown if self.before else ''}  ({_at(self.before)})"


def _at(leaf: Leaf | None) -> str:
    return f"{leaf.path}:{leaf.line}" if leaf else ""


def leaves(files: Iterable[TextFile]) -> dict[str, Leaf]:
    """Every key of these files with its value; of two with one key the first counts."""
    found: dict[str, Leaf] = {}
    for file in files:
        for key, value, line in _values(file):
            shown = " ".join(value.split())
            shown = shown if len(shown) <= LONGEST_VALUE else f"{shown[:LONGEST_VALUE]}…"
            found.setdefault(key, Leaf(shown, file.path, line))
    return found


def changes(before: Mapping[str, Leaf], after: Mapping[str, Leaf], *, overlay: bool) -> list[Change]:
    """What is different, changed values first. What an overlay does not say is not different."""
    changed = [
        Change(key, before[key], after[key]) for key in after if key in before and before[key].shown != after[key].shown
    ]
    added = [Change(key, None, after[key]) for key in after if key not in before]
    removed = [] if overlay else [Change(key, before[key], None) for key in before if key not in after]
    return [*changed, *added, *removed]


def hidden_in_both(before: Mapping[str, Leaf], after: Mapping[str, Leaf]) -> list[str]:
    """Keys whose values nobody compared, because they are secrets."""
    return [key for key in after if after[key].hidden and key in before and before[key].hidden]


def _values(file: TextFile) -> Iterator[tuple[str, str, int]]:
    kind = deployed.deployed_kind(file.path, file.text)
    name = file.path.lower()
    if kind == deployed.ENV or (kind == deployed.SETTINGS and not name.endswith(deployed.MANIFEST_ENDINGS)):
        return _assigned(file.text)
    if kind == deployed.TERRAFORM and not name.endswith(".json"):
        return _blocks(file.text)
    if name.endswith(deployed.MANIFEST_ENDINGS) and kind:
        return _keys(file.text, manifest=kind == deployed.KUBERNETES and not name.rpartition("/")[2].startswith("kust"))
    return iter(())


def _assigned(text: str) -> Iterator[tuple[str, str, int]]:
    for number, line in enumerate(text.split("\n"), 1):
        found = _ENV_LINE.match(line)
        if found:
            yield found["name"], found["value"].strip().strip("\"'"), number


def _blocks(text: str) -> Iterator[tuple[str, str, int]]:
    """Terraform: attributes by the block they stand in."""
    open_blocks: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if found := _BLOCK_START.match(bare):
            open_blocks.append(" ".join(found["head"].replace('"', "").split()))
        elif bare.startswith("}"):
            del open_blocks[-1:]
        elif found := _ENV_LINE.match(line):
            value = found["value"].strip()
            yield ".".join([*open_blocks[:DEEP], found["name"]]), value.strip('"'), number
            if value.endswith(("{", "[", "(")) and not value.endswith("{}"):
                open_blocks.append(found["name"])
        elif bare.startswith(("]", ")")):
            del open_blocks[-1:]


DEEP: Final = 12


def _keys(text: str, *, manifest: bool) -> Iterator[tuple[str, str, int]]:
    """YAML and JSON: values by their path; list items by their name where they have one."""
    found = list(entries(text))
    names = {
        (entry.document, entry.path[:-1]): text[entry.start : entry.end]
        for entry in found
        if len(entry.path) > 1 and entry.path[-1] in {"name", "id"} and entry.path[-2].startswith("#")
    }
    resources = _resources(text, found) if manifest else {}
    for entry in found:
        value = text[entry.start : entry.end]
        if not value or not entry.path or (manifest and entry.path[0] in _IGNORED):
            continue
        parts = [resources[entry.document]] if entry.document in resources else []
        for depth, part in enumerate(entry.path):
            named = names.get((entry.document, entry.path[: depth + 1])) if part.startswith("#") else None
            parts.append(f"[{named}]" if named else part)
        if parts[-1].startswith("#") and (pair := _PAIR.match(value)):
            parts[-1], value = pair["name"], pair["value"]
        yield ".".join(parts).replace(".[", "["), value, entry.line + 1


def _resources(text: str, found: Sequence[Entry]) -> dict[int, str]:
    said = {
        (entry.document, entry.path): text[entry.start : entry.end].strip() for entry in found if len(entry.path) < 3
    }
    return {
        document: f"{kind}/{said.get((document, ('metadata', 'name')), '')}"
        for (document, path), kind in said.items()
        if path == ("kind",)
    }
