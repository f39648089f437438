"""All settings of one project: defaults, user file, project file, environment, flags, in rising precedence."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from haversack.config import places
from haversack.config.check import Value, Values, of_document, of_environment, of_flags, unknown
from haversack.config.environment import full_path
from haversack.config.files import Document, project_document, read
from haversack.config.settings import TREE, PresetSection, PresetSettings, ProfileSettings, Settings
from haversack.config.sources import SourceSettings
from haversack.config.tree import Setting, find, walk

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Instance = TypeVar("Instance", bound=DataclassInstance)

DEFAULT = "default"


@dataclass(frozen=True, slots=True)
class Row:
    """One setting as it stands."""

    key: str
    value: object
    origin: str


@dataclass(frozen=True, slots=True)
class Config(Settings):
    """Every setting with its value. `said` holds what somebody set, with where."""

    root: Path = field(default_factory=Path)
    files: tuple[str, ...] = ()
    said: Mapping[tuple[str, ...], Value] = field(default_factory=dict, repr=False, compare=False)

    def origin(self, key: str) -> str:
        """Where a value comes from: "default", "environment HAVERSACK_BUDGET", "flag --budget", "haversack.toml:12"."""
        path = self._path(key)
        said = self.said.get(path)
        return str(said.origin) if said else DEFAULT

    def get(self, key: str) -> object:
        """The value of one setting; None when it is unset."""
        path = self._path(key)
        said = self.said.get(path)
        if said:
            return said.value
        setting = find(TREE, path)
        return setting.default if isinstance(setting, Setting) else None

    def rows(self) -> tuple[Row, ...]:
        """Every setting with its value and origin, in the order declared, then the user's own names."""
        declared = [path for path, _ in walk(TREE) if "*" not in path]
        own = sorted(set(self.said) - set(declared))
        keys = [".".join(path) for path in (*declared, *own)]
        return tuple(Row(key, self.get(key), self.origin(key)) for key in keys)

    def source(self, name: str) -> SourceSettings:
        """The settings of a source, also of one nobody has set anything for."""
        return self.sources.get(name, SourceSettings())

    def data_folder(self, env: Mapping[str, str] | None = None) -> Path:
        """Where indexes and receipts live."""
        if self.index.data_dir is not None:
            return Path(self.index.data_dir)
        return places.cache_folder(os.environ if env is None else env)

    def memory_folder(self, env: Mapping[str, str] | None = None) -> Path:
        """Where what is remembered lives: an index can be made again, that cannot."""
        if self.index.data_dir is not None:
            return Path(self.index.data_dir)
        return places.memory_folder(os.environ if env is None else env)

    def override(self, given: Mapping[str, object]) -> Config:
        """The same with some values replaced for one call; None means not given."""
        said = dict(self.said) | of_flags(given, Path.cwd(), "argument ")
        return _build(self.root, self.files, said)

    def _path(self, key: str) -> tuple[str, ...]:
        path = full_path(tuple(key.split(".")))
        if not isinstance(find(TREE, path), Setting):
            raise unknown(path, "", TREE)
        return path


def load(
    project_root: Path,
    *,
    flags: Mapping[str, object] | None = None,
    env: Mapping[str, str] | None = None,
    user_file: Path | None = None,
) -> Config:
    """The settings of the project at that root."""
    env = os.environ if env is None else env
    user_file = user_file or places.user_file(env)
    said: Values = {}
    files: list[Document] = []
    if user_file and (document := read(user_file)):
        files.append(document)
        said |= of_document(document, user_file.parent, confined=False)
    if document := project_document(project_root):
        files.append(document)
        said |= of_document(document, project_root, confined=True)
    said |= of_environment(env, Path.cwd())
    said |= of_flags(flags or {}, Path.cwd())
    return _build(project_root, tuple(document.shown for document in files), said)


def _build(root: Path, files: tuple[str, ...], said: Mapping[tuple[str, ...], Value]) -> Config:
    return _filled(Config(root=root, files=files, said=said), said, ())


def _filled(instance: Instance, said: Mapping[tuple[str, ...], Value], path: tuple[str, ...]) -> Instance:
    """The dataclass with what was said about it put in."""
    changes: dict[str, object] = {}
    for each in fields(instance):
        here = (*path, each.name)
        current = getattr(instance, each.name)
        if here in said:
            changes[each.name] = said[here].value
        elif "group" in each.metadata:
            names = {found[len(here)] for found in said if found[: len(here)] == here}
            if is_dataclass(current) and not isinstance(current, type):
                changes[each.name] = _filled(current, said, here) if names else current
            else:
                changes[each.name] = dict(current) | {name: _entry(said, (*here, name), current) for name in names}
    return replace(instance, **changes) if changes else instance


def _entry(said: Mapping[tuple[str, ...], Value], path: tuple[str, ...], current: Mapping[str, object]) -> object:
    """What one name of a table holds: a value, a table of values, or a dataclass."""
    if path in said:
        return said[path].value
    if path[0] == "profiles":
        return _filled(ProfileSettings(), said, path)
    if path[0] == "presets":
        return _filled(PresetSettings() if len(path) == 2 else PresetSection(), said, path)
    known = current.get(path[-1])
    source = known if isinstance(known, SourceSettings) else SourceSettings()
    ours = {each.name for each in fields(SourceSettings)}
    own = {found[-1]: value.value for found, value in said.items() if found[:-1] == path and found[-1] not in ours}
    return replace(_filled(source, said, path), options={**source.options, **own})
