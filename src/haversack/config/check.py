"""From a document, variable or flag to checked values, each with its origin. What is wrong is named with its place."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from haversack.config.aliases import ALIASES, FILE_TREE, IMPLIED_PRESET, SOURCE_NAMES
from haversack.config.environment import full_path, path_of_variable, setting_at, variables
from haversack.config.files import Document
from haversack.config.settings import TREE
from haversack.config.sources import SOURCE_OPTIONS
from haversack.config.tree import Group, Setting, walk
from haversack.errors import ConfigError

SHOWN_VALUE = 40
"""Characters of a wrong value that a message repeats: enough to recognise it."""

ROOTS = ("project", "roots")


class Origin(Struct, frozen=True):
    """Where a value was said."""

    what: str
    document: Document | None = None
    path: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.document is None:
            return self.what
        place = self.document.place(self.path)
        return f"{place} ({self.what})" if self.what else place


class Value(Struct, frozen=True):
    """A checked value and where it was said."""

    value: object
    origin: Origin


Values = dict[tuple[str, ...], Value]


def of_document(document: Document, folder: Path, *, confined: bool) -> Values:
    """The settings of a file. `folder` is what its paths are relative to; `confined` keeps them inside it."""
    values: Values = {}
    for path, raw, setting in _leaves(document, document.data, FILE_TREE, ()):
        place = _Place(document, path)
        value = _checked(setting, raw, path, place, text=False)
        alias = ALIASES.get(path)
        ours = alias.ours if alias else path
        value = not value if alias and alias.inverted else value
        value = _located(setting, value, ours, folder, place, confined=confined)
        if confined and setting.kind.users_own:
            raise ConfigError(
                f"{place}: {_dotted(path)} cannot be set by a project's own file",
                hint="Set it in the user file, the environment or a flag instead.",
            )
        before = values.get(ours)
        if before and before.value != value:
            raise ConfigError(
                f"{place}: {_dotted(path)} contradicts {before.origin}, which sets the same thing",
                hint=f"Keep one of them. The setting is {_dotted(ours)}.",
            )
        values[ours] = Value(value, Origin(_dotted(path) if alias else "", document, path))
    table, preset = IMPLIED_PRESET
    if table in document.data:
        values.setdefault(("pack", "preset"), Value(preset, Origin(f"implied by [{table}]", document, (table,))))
    return values


def of_environment(env: Mapping[str, str], folder: Path) -> Values:
    """The settings of environment variables."""
    values: Values = {}
    for name, text in variables(env):
        path = path_of_variable(name)
        values[path] = _outside_file(path, text, f"environment {name}", folder)
    return values


def of_flags(flags: Mapping[str, object], folder: Path, word: str = "flag --") -> Values:
    """The settings of command-line flags or keyword arguments; None means not given."""
    values: Values = {}
    for key, given in flags.items():
        if given is not None:
            path = full_path(tuple(key.split(".")))
            name = path[-1].replace("_", "-") if word.endswith("-") else path[-1]
            values[path] = _outside_file(path, given, f"{word}{name}", folder)
    return values


def _outside_file(path: tuple[str, ...], given: object, origin: str, folder: Path) -> Value:
    setting = setting_at(path)
    if setting is None:
        raise unknown(path, origin, TREE)
    if path[0] == "sources":
        _known_source(path[1], origin)
    value = _checked(setting, given, path, origin, text=isinstance(given, str))
    return Value(_located(setting, value, path, folder, origin, confined=False), Origin(origin))


def _leaves(
    document: Document, data: object, group: Group, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], object, Setting]]:
    """Every value of the document with the setting it belongs to."""
    if not isinstance(data, dict):
        place = document.place(path)
        raise ConfigError(f"{place}: expected a table, got {_shown(data)}", hint=f"Write [{_dotted(path)}] above it.")
    for name, raw in data.items():
        here = (*path, name)
        node = group.child(name)
        if path == ("sources",):
            _known_source(name, document.place(here))
        if node is None:
            raise unknown(here, document.place(here), FILE_TREE)
        if isinstance(node, Group):
            yield from _leaves(document, raw, node, here)
        else:
            yield here, raw, node


def _checked(setting: Setting, raw: object, path: tuple[str, ...], place: object, *, text: bool) -> object:
    try:
        return setting.kind.parse(str(raw)) if text else setting.kind.check(raw)
    except ValueError as error:
        raise ConfigError(
            f"{place}: {_dotted(path)}: expected {error}, got {_shown(raw)}", hint=f"{_dotted(path)}: {setting.doc}"
        ) from None


def _located(
    setting: Setting, value: object, path: tuple[str, ...], folder: Path, place: object, *, confined: bool
) -> object:
    """Folders as absolute paths (roots stay relative to the project); inside `folder` when confined."""
    if confined and setting.kind.confined:
        for each in value if isinstance(value, tuple) else (value,):
            _folder(str(each), path, folder, place, confined=True)
    if not setting.kind.folder:
        return value
    if isinstance(value, tuple):
        located = tuple(str(_folder(each, path, folder, place, confined=confined)) for each in value)
        return value if path == ROOTS else located
    return str(_folder(str(value), path, folder, place, confined=confined))


def _folder(value: str, path: tuple[str, ...], folder: Path, place: object, *, confined: bool) -> Path:
    if confined:
        found = Path(os.path.abspath(folder / value))
        if not value.startswith("~") and found.resolve().is_relative_to(folder.resolve()):
            return found
        raise ConfigError(
            f"{place}: {_dotted(path)}: {_shown(value)} leads outside the project",
            hint="A project's own file may only name what is inside the project. "
            "Set it in the user file, the environment or a flag instead.",
        )
    return Path(os.path.abspath(folder / Path(value).expanduser()))


def _known_source(name: str, place: object) -> None:
    """Only sources that exist can be set: ours, and those other packages register."""
    if name in SOURCE_OPTIONS:
        return
    # Reading every package's metadata is slow, so only an unfamiliar name pays for it.
    from importlib.metadata import entry_points

    others = {entry.name for entry in entry_points(group="haversack.sources")}
    if name not in others:
        known = sorted(others | set(SOURCE_OPTIONS))
        near = SOURCE_NAMES.get(name) or _nearest(name, known)
        hint = f"Did you mean sources.{near}?" if near else f"Known sources: {', '.join(known)}."
        raise ConfigError(f"{place}: there is no source {name!r}", hint=hint)


# What other programs call it; by its letters alone it is nearer to its opposite.
MEANT = dict.fromkeys(("exclude", "excludes", "excluded", "ignored", "skip"), "project.ignore")


def unknown(path: tuple[str, ...], place: object, tree: Group) -> ConfigError:
    """The error for a setting that does not exist, naming the nearest that does."""
    key = _dotted(path)
    known = [_dotted(each) for each, _ in walk(tree) if "*" not in each]
    ours = [each for each in known if each.split(".")[0] in TREE.children]
    last = _nearest(path[-1], {each.rpartition(".")[2] for each in ours})
    same_last = [each for each in ours if each.rpartition(".")[2] == last]
    near = (
        MEANT.get(path[-1])
        or _nearest(key, known)
        or _nearest(path[-1], tree.children)
        or _nearest(key, same_last, cutoff=0)
    )
    hint = f"Did you mean {near}?" if near else "`haversack config` lists every setting."
    return ConfigError(f"{place}: unknown setting {key}" if place else f"unknown setting {key}", hint=hint)


def _nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    from difflib import get_close_matches

    # Sorted, so that of two names equally near the same one is offered every time.
    return next(iter(get_close_matches(word, sorted(known), n=1, cutoff=cutoff)), "")


def _dotted(path: tuple[str, ...]) -> str:
    return ".".join(path)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= SHOWN_VALUE else f"{text[:SHOWN_VALUE]}…"


class _Place(Struct, frozen=True):
    """Where a key stands, worked out only when a message needs it: finding a line costs a pass over the file."""

    document: Document
    path: tuple[str, ...]

    def __str__(self) -> str:
        return self.document.place(self.path)
