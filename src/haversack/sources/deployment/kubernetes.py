"""Kubernetes manifests: one piece per resource, in YAML, in JSON, in a list, or with templates in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from haversack.sources.deployment.piece import Piece, grouped, unique
from haversack.units.secret_names import words
from haversack.units.yaml_lines import Entry, entries

_BREAK: Final = re.compile(r"---(?:\s|$)")
# Where a resource names another: the key that holds the name, below one of these.
_REFERENCES: Final = words(
    "secretKeyRef secretRef configMapKeyRef configMapRef configMap serviceAccount secret "
    "persistentVolumeClaim scaleTargetRef backend service roleRef issuerRef"
)
_NAMING: Final = words("secretName serviceName serviceAccountName claimName configMapName")
_LISTS: Final = frozenset({"List", "SecretList", "ConfigMapList"})


def pieces(text: str) -> list[Piece]:
    """The resources in order."""
    lines = text.split("\n")
    found: list[Piece] = []
    for first, last in _documents(lines):
        body = "\n".join(lines[first : last + 1])
        held = list(entries(body))
        facts = _Facts(body, held)
        if facts.value(("kind",)) in _LISTS:
            found += _listed(facts, first, last)
        elif (piece := _piece(facts, (), held, first, last)) is not None:
            found.append(piece)
    return found


def _documents(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """First and last line (from 0) of each document that says something."""
    starts = [0, *(number + 1 for number, line in enumerate(lines) if _BREAK.match(line))]
    for start, end in zip(starts, [*(start - 2 for start in starts[1:]), len(lines) - 1], strict=True):
        first, last = start, end
        while first <= last and not lines[first].strip():
            first += 1
        while last >= first and not lines[last].strip():
            last -= 1
        if first <= last:
            yield first, last


class _Facts:
    """What a document says, by path."""

    def __init__(self, text: str, found: Sequence[Entry]) -> None:
        self.text = text
        self.found = found
        self.by_path = {entry.path: entry for entry in reversed(found)}

    def of(self, entry: Entry) -> str:
        return self.text[entry.start : entry.end].strip()

    def value(self, path: tuple[str, ...]) -> str:
        entry = self.by_path.get(path)
        return self.of(entry) if entry else ""


def _listed(facts: _Facts, first: int, last: int) -> Iterator[Piece]:
    items = [(base, held) for base, held in grouped(facts.found, 2).items() if base[0] == "items"]
    begins = [min(entry.line for entry in held) for _, held in items]
    for number, (base, held) in enumerate(items):
        end = begins[number + 1] - 1 if number + 1 < len(begins) else last - first
        piece = _piece(facts, base, held, first + begins[number], first + max(end, begins[number]))
        if piece is not None:
            yield piece


def _piece(facts: _Facts, base: tuple[str, ...], held: Sequence[Entry], first: int, last: int) -> Piece | None:
    kind = facts.value((*base, "kind"))
    if not kind:
        return None
    name = facts.value((*base, "metadata", "name")) or facts.value((*base, "metadata", "generateName"))
    namespace = facts.value((*base, "metadata", "namespace"))
    keys = _data_keys(held, base) if kind == "Secret" else ()
    variables = [facts.of(entry) for entry in held if entry.path[-1] == "name" and "env" in entry.path[-3:-1]]
    images = unique([facts.of(entry) for entry in held if entry.path[-1] == "image"])
    replicas = facts.value((*base, "spec", "replicas"))
    said = [*(f"image {image}" for image in images), f"replicas {replicas}" if replicas else ""]
    return Piece(
        first + 1,
        last + 1,
        "resource",
        name or kind,
        f"{kind} {name}".strip() + (f" in {namespace}" if namespace else ""),
        qualname=f"{kind}/{name}" if name else kind,
        doc=", ".join(part for part in (*said, f"keys {', '.join(keys)}" if keys else "") if part),
        names=unique([name, *variables]),
        secrets=unique([*(f"{name}/{key}" for key in keys), *_secret_refs(facts, held)]),
        refs=unique([*_references(facts, held), *(image.rpartition("/")[2].partition(":")[0] for image in images)]),
        meta={"resource": kind}
        | ({"namespace": namespace} if namespace else {})
        | ({"images": images} if images else {}),
    )


def _data_keys(held: Sequence[Entry], base: tuple[str, ...]) -> tuple[str, ...]:
    depth = len(base)
    return unique(
        [e.path[depth + 1] for e in held if len(e.path) > depth + 1 and e.path[depth] in {"data", "stringData"}]
    )


def _secret_refs(facts: _Facts, held: Sequence[Entry]) -> Iterator[str]:
    for entry in held:
        if entry.path[-1] == "secretName" or entry.path[-2:] == ("secretRef", "name"):
            yield facts.of(entry)
        elif entry.path[-2:] == ("secretKeyRef", "name"):
            key = facts.value((*entry.path[:-1], "key"))
            yield f"{facts.of(entry)}/{key}" if key else facts.of(entry)


def _references(facts: _Facts, held: Sequence[Entry]) -> Iterator[str]:
    for entry in held:
        above = entry.path[-2] if len(entry.path) > 1 else ""
        if entry.path[-1] in _NAMING or (entry.path[-1] == "name" and above in _REFERENCES):
            yield facts.of(entry)
