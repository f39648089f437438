"""Which environment a path is about, and which files say the same thing for different environments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from msgspec import Struct

from haversack.units import deployed

DEFAULT: Final = "default"
EXAMPLE: Final = "example"
_WORDS: Final = {
    "local": "local localhost minikube",
    "development": "development dev devel",
    "test": "test testing qa e2e integration",
    "staging": "staging stage stg uat preprod preview",
    "production": "production prod prd live",
    "override": "override",
}
_BY_WORD: Final = {word: name for name, words in _WORDS.items() for word in words.split()}
# The first of these that is there is what the others are compared with: nearest to a developer's own machine.
_ORDER: Final = (DEFAULT, "local", "development", "test", EXAMPLE, "staging", "override", "production")
_SPLIT: Final = re.compile(r"[._-]")
_CONTAINERS: Final = frozenset({"overlays", "environments", "envs", "env", "variants", "stages", "clusters"})
_BASES: Final = frozenset({"base", "bases", "common", "default", "defaults", "shared"})
_EXAMPLES: Final = frozenset({"example", "sample", "template", "dist", "tmpl"})
# Folders and files whose environments can be compared at all; everything else is not even looked at.
_ENDINGS: Final = (".yaml", ".yml", ".tf", ".tfvars", ".json", ".properties", ".toml", ".ini")
_HOUSED: Final = (".yaml", ".yml", ".tf", ".tfvars")
_SUBJECTS: Final = re.compile(
    r"(?i)values|compose|env|tfvars|application|bootstrap|settings|database|secret|credentials|config|properties"
)
MOST_FILES: Final = 60  # of one side of a comparison of folders
MOST_PAIRS: Final = 200  # comparisons of one project


class Pair(Struct, frozen=True):
    """Two environments' files for the same thing. An overlay says only what is different from what it lies over."""

    subject: str
    before: str
    after: str
    before_files: tuple[str, ...]
    after_files: tuple[str, ...]
    overlay: bool

    @property
    def key(self) -> str:
        """A name for the comparison that no file has."""
        return f"environments:{self.subject}:{self.before}:{self.after}"


def environment_of(path: str) -> str:
    """The environment that a path names; "" when it names none."""
    folders, _, name = path.lower().rpartition("/")
    for part in (*_SPLIT.split(name), *reversed(folders.split("/"))):
        if part in _BY_WORD:
            return _BY_WORD[part]
    return ""


def pairs(paths: Iterable[str]) -> list[Pair]:
    """What can be compared, in a stable order."""
    named: dict[str, dict[str, str]] = {}
    housed: dict[str, dict[str, list[str]]] = {}
    for path in sorted(filter(_may_compare, paths)):
        subject, environment = _by_name(path)
        if subject:
            named.setdefault(subject, {}).setdefault(environment, path)
        house, environment = _by_folder(path)
        if house:
            housed.setdefault(house, {}).setdefault(environment, []).append(path)
    found = [pair for subject, members in sorted(named.items()) for pair in _named_pairs(subject, members)]
    for house, folders in sorted(housed.items()):
        found += _housed_pairs(house, folders)
    return found[:MOST_PAIRS]


def _may_compare(path: str) -> bool:
    """Asked of every file of a project each time: nothing but the ending, for most."""
    return path.endswith(_ENDINGS) or "env" in path[path.rfind("/") + 1 :]


def _by_name(path: str) -> tuple[str, str]:
    """`values-prod.yaml` is `values.yaml` for production. Files that deploy or set nothing have no subject."""
    folder, slash, name = path.rpartition("/")
    if not _SUBJECTS.search(name):
        return "", ""
    kind = deployed.kind_by_name(path)
    parts = _SPLIT.split(name.lower())
    environment = next((_BY_WORD[part] for part in parts if part in _BY_WORD), DEFAULT)
    if kind == deployed.ENV and any(part in _EXAMPLES for part in parts):
        environment = EXAMPLE
    rest = [part for part in parts if part and part not in _BY_WORD and part not in {*_EXAMPLES, "terraform", "auto"}]
    comparable = kind in {deployed.ENV, deployed.COMPOSE, deployed.HELM, deployed.SETTINGS}
    if not (comparable or parts[-1] == "tfvars") or (deployed.EXAMPLE.search(name) and kind != deployed.ENV):
        return "", ""
    if kind == deployed.HELM and ("/templates/" in f"/{path}" or "values" not in rest):
        return "", ""
    dot = "." if name.startswith(".") else ""
    return f"{folder}{slash}{dot}{'.'.join(rest)}", environment


def _by_folder(path: str) -> tuple[str, str]:
    """`k8s/overlays/prod/web.yaml` is in the house `k8s`, in production; `k8s/base/…` is what it lies over."""
    folders = path.split("/")[:-1] if path.endswith(_HOUSED) or "env" in path[path.rfind("/") + 1 :] else []
    for depth in range(len(folders) - 1, -1, -1):
        part = folders[depth].lower()
        if part in _BY_WORD or part in _BASES:
            above = folders[:depth]
            if above and above[-1].lower() in _CONTAINERS:
                above = above[:-1]
            return "/".join(above) or ".", DEFAULT if part in _BASES else _BY_WORD[part]
    return "", ""


def _rank(environment: str) -> tuple[int, str]:
    return (_ORDER.index(environment) if environment in _ORDER else len(_ORDER), environment)


def _named_pairs(subject: str, members: Mapping[str, str]) -> list[Pair]:
    order = sorted(members, key=_rank)
    overlay = order[0] == DEFAULT and not subject.endswith("env")
    return [Pair(subject, order[0], other, (members[order[0]],), (members[other],), overlay) for other in order[1:]]


def _housed_pairs(house: str, folders: Mapping[str, list[str]]) -> list[Pair]:
    order = sorted(folders, key=_rank)
    if len(order) < 2 or order[0] not in {DEFAULT, "local", "development", "test", "staging"}:
        return []
    first = order[0]
    return [
        Pair(
            house,
            first,
            other,
            tuple(folders[first][:MOST_FILES]),
            tuple(folders[other][:MOST_FILES]),
            first == DEFAULT,
        )
        for other in order[1:]
    ]
