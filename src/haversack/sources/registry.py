"""Which sources there are: the built-in ones by name, third parties' through the entry point `haversack.sources`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import entry_points

from haversack.model import Problem
from haversack.sources.protocol import FileSource, SourceAdapter

GROUP = "haversack.sources"
# Asked in this order which of them reads a file; code takes whatever is left.
BUILT_IN: Mapping[str, str] = {
    "knowledge": "haversack.sources.knowledge:KnowledgeSource",
    "docs": "haversack.sources.docs:DocsSource",
    "code": "haversack.sources.code:CodeSource",
    "commits": "haversack.sources.commits:CommitsSource",
}


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources in use and what was wrong with others."""

    files: tuple[FileSource, ...]
    others: tuple[SourceAdapter, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All of them by name."""
        return (*(source.name for source in self.files), *(source.name for source in self.others))


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
    for name, target in _targets(problems).items():
        if (enabled is not None and name not in enabled) or name in disabled:
            continue
        try:
            module, _, attribute = target.partition(":")
            source = getattr(import_module(module), attribute)(**(options or {}).get(name, {}))
        except Exception as error:  # a third party's import may fail in any way
            problems.append(Problem(f"source {name}", f"cannot be loaded: {error!r}", f"reinstall or remove {target}"))
            continue
        if isinstance(source, FileSource):
            files.append(source)
        elif isinstance(source, SourceAdapter):
            others.append(source)
        else:
            what = "is neither a file source nor a source adapter"
            problems.append(Problem(f"source {name}", what, "see haversack.sources.protocol"))
    # The one that takes everything comes last.
    files.sort(key=lambda source: source.name == "code")
    return Sources(tuple(files), tuple(others), tuple(problems))


def _targets(problems: list[Problem]) -> dict[str, str]:
    targets = dict(BUILT_IN)
    for point in sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)):
        if targets.get(point.name, point.value) != point.value:
            what = f"is registered twice: {targets[point.name]} and {point.value}"
            problems.append(Problem(f"source {point.name}", what, "uninstall one of the two packages"))
        else:
            targets[point.name] = point.value
    return targets
