"""Which sources there are: the built-in ones by name, third parties' through the entry point `haversack.sources`."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Mapping
from importlib import import_module

from msgspec import Struct, field

from haversack.model import Problem
from haversack.sources.protocol import Compressor, FileSource, SourceAdapter

GROUP = "haversack.sources"
OWN_RECORD = "haversack-"  # what the folder of this package's own metadata begins with
_FILE_SOURCE = ("name", "threshold", "claims", "units", "cite", "compressors")
_ADAPTER = ("name", "threshold", "discover", "read", "cite", "compressors")
# Asked in this order which of them reads a file; code takes whatever is left.
BUILT_IN: Mapping[str, str] = {
    "knowledge": "haversack.sources.knowledge:KnowledgeSource",
    "research": "haversack.sources.research:ResearchSource",
    "deployment": "haversack.sources.deployment:DeploymentSource",
    "docs": "haversack.sources.docs:DocsSource",
    "code": "haversack.sources.code:CodeSource",
    "commits": "haversack.sources.commits:CommitsSource",
    "conversation": "haversack.sources.conversation:ConversationSource",
    "logs": "haversack.sources.logs:LogsSource",
    "environments": "haversack.sources.deployment.environments:EnvironmentsSource",
    "ci": "haversack.sources.deployment.runs:RunsSource",
    "memories": "haversack.sources.memory:MemoriesSource",
    "experiences": "haversack.sources.memory:ExperiencesSource",
    "values": "haversack.sources.memory:ValuesSource",
}


class Sources(Struct, frozen=True):
    """The sources in use and what was wrong with others."""

    files: tuple[FileSource, ...]
    others: tuple[SourceAdapter, ...]
    problems: tuple[Problem, ...] = ()
    options: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """What each was made with, so that another process can make them alike."""

    @property
    def names(self) -> tuple[str, ...]:
        """All of them by name."""
        return (*(source.name for source in self.files), *(source.name for source in self.others))

    def compressors(self, name: str) -> Mapping[str, Compressor]:
        """How the source of that name shortens its units, by strength; nothing for one that is not in use."""
        known: tuple[FileSource | SourceAdapter, ...] = (*self.files, *self.others)
        found = next((source for source in known if source.name == name), None)
        return found.compressors() if found is not None else {}


def no_compressors(name: str) -> Mapping[str, Compressor]:  # noqa: ARG001 - as `Sources.compressors` is called
    """For material whose sources are not at hand: the generic ladder shortens it."""
    return {}


def load_sources(
    enabled: Collection[str] | None = None,
    *,
    disabled: Collection[str] = (),
    options: Mapping[str, Mapping[str, object]] | None = None,
) -> Sources:
    """Sources by name, all when `enabled` is None. A plug-in that cannot be used is a problem, never a crash."""
    files: list[FileSource] = []
    others: list[SourceAdapter] = []
    problems: list[Problem] = []
    targets = dict(BUILT_IN)
    if enabled is None or any(name not in targets for name in enabled):
        _add_plugins(targets, problems)
    for name, target in targets.items():
        if (enabled is not None and name not in enabled) or name in disabled:
            continue
        source = _made(name, target, (options or {}).get(name, {}), problems)
        if isinstance(source, FileSource):
            files.append(source)
        elif isinstance(source, SourceAdapter):
            others.append(source)
    problems += (
        Problem(f"source {name}", "is not installed", f"known are {', '.join(sorted(targets))}")
        for name in sorted(enabled or ())
        if name not in targets
    )
    # The one that takes everything comes last.
    files.sort(key=lambda source: source.name == "code")
    return Sources(tuple(files), tuple(others), tuple(problems), dict(options or {}))


def _made(name: str, target: str, options: Mapping[str, object], problems: list[Problem]) -> object:
    """The source, or None and a problem that says what is wrong with it."""
    module, _, attribute = target.partition(":")
    try:
        source: object = getattr(import_module(module), attribute)(**options)
    except Exception as error:  # a third party's code may fail in any way
        fix = f"reinstall or remove the package that brings {module}"
        problems.append(Problem(f"source {name}", f"cannot be loaded: {error!r}", fix))
        return None
    wanted = _FILE_SOURCE if hasattr(source, "units") else _ADAPTER
    missing = [part for part in wanted if not hasattr(source, part)]
    if missing:
        what = f"{target} has no {', '.join(missing)}"
        problems.append(Problem(f"source {name}", what, "see haversack.sources.protocol"))
        return None
    called = getattr(source, "name", None)
    if called != name:
        what = f"{target} calls itself {called!r}"
        problems.append(Problem(f"source {name}", what, "its name and that of its entry point must be the same"))
        return None
    return source


def _add_plugins(targets: dict[str, str], problems: list[Problem]) -> None:
    """Third parties' sources, by name; of two with one name the first stays and the other is named."""
    if not any(_registrations()):
        return
    from importlib.metadata import entry_points  # takes longer to import than everything else here

    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        if targets.get(point.name, point.value) != point.value:
            what = f"is registered twice: {targets[point.name]} and {point.value}; the first is used"
            problems.append(Problem(f"source {point.name}", what, "uninstall one of the two packages"))
        else:
            targets[point.name] = point.value


def _registrations() -> Iterator[str]:
    """Metadata on the path that mentions the entry point, this package's own aside: a few milliseconds to find out."""
    group = GROUP.encode()
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            if name.endswith((".dist-info", ".egg-info")) and not name.startswith(OWN_RECORD):
                record = os.path.join(folder or ".", name, "entry_points.txt")
                try:
                    with open(record, "rb") as file:
                        if group in file.read():
                            yield record
                except OSError:
                    continue
