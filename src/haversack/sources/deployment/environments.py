"""The source "environments": for each pair of environments one unit that says what is different between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from haversack.model import Citation, MetaValue, Problem, Role, Span, Unit
from haversack.sources.deployment.places import Pair, pairs
from haversack.sources.protocol import Changes, Compressor, Item, Reading, TextFile
from haversack.units import deployed
from haversack.units.ids import unit_id

if TYPE_CHECKING:
    from haversack.project import Project, Stamp, Sweep
    from haversack.sources.deployment.difference import Change

NAME: Final = "environments"
MOST_HIDDEN: Final = 40  # names of secrets that both sides have, in one unit
FORMAT: Final = "1"  # part of every fingerprint: raise it when the text of a unit is made differently


class EnvironmentsSource:
    """Compares overlays, values, variables and folders that say the same thing for different environments."""

    name: str = NAME
    threshold: float = 0.6  # that of deployment

    def __init__(self, include_env_configs: bool = True, include_k8s: bool = True) -> None:
        self._env, self._k8s = include_env_configs, include_k8s
        self._files: Mapping[str, Stamp] | None = None
        self._pairs: dict[str, Pair] = {}
        self._items: list[Item] = []

    def discover(self, project: Project, known: Mapping[str, str]) -> Changes:
        """The same as `discover_among`, for callers that have not listed the files."""
        from haversack.project import sweep

        return self.discover_among(project, known, sweep(project))

    def discover_among(self, project: Project, known: Mapping[str, str], found: Sweep) -> Changes:  # noqa: ARG002 - the protocol
        """Comparisons of which a file changed, and those that are no longer possible."""
        files = found.files
        if files is not self._files:  # before nearly every packet they are those of the last time
            self._files = files
            self._pairs = {pair.key: pair for pair in pairs(files)}
            self._items = [Item(key, _fingerprint(pair, files)) for key, pair in self._pairs.items()]
        changed = tuple(item for item in self._items if known.get(item.key) != item.fingerprint)
        return Changes(changed, tuple(sorted(set(known) - set(self._pairs))))

    def read(self, project: Project, items: Sequence[Item]) -> Iterator[Reading]:
        """One unit per comparison that shows a difference."""
        from haversack.project import read_text

        kept: dict[str, TextFile | None] = {}

        def files(paths: Sequence[str]) -> Iterator[TextFile]:
            for path in paths:
                if path not in kept:
                    read = read_text(project, path)
                    kept[path] = read if isinstance(read, TextFile) else None
                file = kept[path]
                if file is not None and self._wanted(file):
                    yield file

        for item in items:
            pair = self._pairs[item.key]
            unit = _unit(pair, list(files(pair.before_files)), list(files(pair.after_files)))
            unread = [path for path in (*pair.before_files, *pair.after_files) if kept.get(path, True) is None]
            problems = tuple(Problem(path, "cannot be compared: it holds no text") for path in unread)
            yield Reading(item.key, (unit,) if unit else (), problems)

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        """The lines that differ, in the files of both sides."""
        return unit.citations

    def compressors(self) -> Mapping[str, Compressor]:
        """Those of the deployment source."""
        from haversack.sources.deployment.compress import heavy, light, medium

        return {"light": light, "medium": medium, "heavy": heavy}

    def _wanted(self, file: TextFile) -> bool:
        kind = deployed.deployed_kind(file.path, file.text)
        return (self._env or kind != deployed.ENV) and (self._k8s or kind != deployed.KUBERNETES)


def _fingerprint(pair: Pair, files: Mapping[str, Stamp]) -> str:
    said = "\0".join(
        f"{path}:{files[path].size}:{files[path].mtime_ns}" for path in (*pair.before_files, *pair.after_files)
    )
    return FORMAT + blake2b(f"{pair.overlay}{said}".encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


def _unit(pair: Pair, before: Sequence[TextFile], after: Sequence[TextFile]) -> Unit | None:
    # What only new files need.
    from haversack.sources.deployment.difference import MOST_DIFFERENCES, changes, hidden_in_both, leaves

    old, new = leaves(before), leaves(after)
    found = changes(old, new, overlay=pair.overlay) if old and new else []
    if not found:
        return None
    told = found[:MOST_DIFFERENCES]
    where = pair.subject if pair.subject != "." else "the project"
    lines = [f"{pair.after} against {pair.before}: {where}", *map(str, told)]
    if len(found) > len(told):
        lines.append(f"and {len(found) - len(told)} more")
    hidden = hidden_in_both(old, new)
    if hidden:
        more = f", and {len(hidden) - MOST_HIDDEN} more" if len(hidden) > MOST_HIDDEN else ""
        lines.append(f"set on both sides, values hidden: {', '.join(hidden[:MOST_HIDDEN])}{more}")
    meta: dict[str, MetaValue] = {
        "deploys": "difference",
        "environment": pair.after,
        "against": pair.before,
        "names": tuple(dict.fromkeys(change.key.rpartition(".")[2] for change in told)),
    }
    secrets = tuple(
        dict.fromkeys([*(c.key for c in told if (c.after or c.before) and _secret(c)), *hidden[:MOST_HIDDEN]])
    )
    return Unit(
        id=unit_id(NAME, pair.subject, "difference", f"{pair.before}:{pair.after}"),
        source=NAME,
        kind="difference",
        title=f"{pair.after} differs from {pair.before}: {where}",
        text="\n".join(lines),
        name=f"{pair.after} {where}",
        lang="text",
        role=Role.CONFIG,
        time=max(file.mtime_ns for file in (*before, *after)) / 1e9,
        citations=_cited(told, before, after),
        meta=meta | ({"secrets": secrets} if secrets else {}),
    )


def _secret(change: Change) -> bool:
    return any(leaf is not None and leaf.hidden for leaf in (change.before, change.after))


def _cited(told: Sequence[Change], before: Sequence[TextFile], after: Sequence[TextFile]) -> tuple[Citation, ...]:
    """Each file with the lines from its first difference to its last; a side that has none is cited as a whole."""
    lines: dict[str, list[int]] = {}
    for change in told:
        for leaf in (change.before, change.after):
            if leaf is not None:
                lines.setdefault(leaf.path, []).append(leaf.line)
    cited = [Citation.of_file(path, Span(min(numbers), max(numbers))) for path, numbers in lines.items()]
    silent = [side[0].path for side in (before, after) if not any(file.path in lines for file in side)]
    return (*cited, *map(Citation.of_file, silent))
