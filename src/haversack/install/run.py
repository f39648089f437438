"""Install and uninstall: file by file, each on its own, so that one that cannot be changed stops no other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from haversack.errors import HaversackError, NotFoundError, UsageError
from haversack.install import files, plan, record
from haversack.install.agent import Agent, Entry, Machine, Place, Scope
from haversack.install.agents import AGENTS
from haversack.install.decide import Outcome, Target, installed, uninstalled
from haversack.install.edits import NotPossibleError, UnreadableError
from haversack.install.files import Content, LeftAloneError
from haversack.install.record import FileRecord, Record

Action = Literal["made", "changed", "removed", "unchanged", "left alone"]


class FileChange(Struct, frozen=True):
    """What becomes of one file, and the text before and after (None where there is no file)."""

    path: Path
    agents: tuple[str, ...]
    action: Action
    before: str | None = None
    after: str | None = None
    note: str = ""
    fix: str = ""


def choose(names: Sequence[str], machine: Machine) -> list[Agent]:
    """The agents with these names, or all that are used here."""
    unknown = [name for name in names if name not in AGENTS]
    if unknown:
        raise UsageError(f"there is no agent {unknown[0]!r}", hint=f"Known are {', '.join(AGENTS)}.")
    if names:
        return [AGENTS[name] for name in dict.fromkeys(names)]
    found = [agent for agent in AGENTS.values() if agent.found(machine)]
    if not found:
        raise NotFoundError("no agent was found on this machine", hint=f"Name one with --agent: {', '.join(AGENTS)}.")
    return found


def install(machine: Machine, agents: Iterable[Agent], scope: Scope, *, dry_run: bool = False) -> list[FileChange]:
    """Write the agents' settings, or only say what would be written."""
    return _each_file(machine, agents, scope, dry_run, installed)


def uninstall(machine: Machine, agents: Iterable[Agent], scope: Scope, *, dry_run: bool = False) -> list[FileChange]:
    """Put back what was there before, or only say what would become of it."""
    return _each_file(machine, agents, scope, dry_run, uninstalled)


def also_in(machine: Machine, agents: Iterable[Agent], scope: Scope) -> list[Agent]:
    """Those of the agents that have haversack in the files of this scope."""
    return [agent for agent in agents if any(map(_has_haversack, agent.places(machine, scope)))]


def _has_haversack(place: Place) -> bool:
    try:
        data = plan.format_of(place.path).read(files.read(place.path).text)
    except (UnreadableError, LeftAloneError):
        return False
    return any(plan.state(data, entry) != "missing" for entry in place.entries)


def plugin_folder() -> Path:
    """The plugin that ships with haversack, for agents that load a folder."""
    import haversack

    return Path(haversack.__file__).parent / "data" / "plugin"


def _each_file(
    machine: Machine,
    agents: Iterable[Agent],
    scope: Scope,
    dry_run: bool,
    decide: Callable[[Target, Content, FileRecord | None], Outcome],
) -> list[FileChange]:
    if scope == "user" and machine.home is None:
        raise HaversackError("there is no home folder to install into", hint="Install into a project: --scope project.")
    known = record.load(machine)
    changes, targets = _targets(machine, agents, scope)
    emptied: list[str] = []
    for target in targets:
        try:
            content = files.read(target.path)
            outcome = decide(target, content, known.files.get(str(target.path)))
            change = _described(target, content, outcome)
            if not dry_run:
                emptied += _write(target, content, outcome, known)
        except UnreadableError as error:
            kind = "TOML" if target.path.suffix == ".toml" else "JSON"
            change = _left_alone(target, f"is not valid {kind}: {error}", "Correct it and run the command again.")
        except NotPossibleError as error:
            change = _left_alone(target, str(error), "Edit it by hand: docs/agents.md shows what belongs there.")
        except LeftAloneError as error:
            change = _left_alone(target, error.what, error.fix)
        changes.append(change)
    if dry_run:
        return changes
    files.prune(emptied)
    kept = record.save(machine, known) or not known.files
    return changes if kept else [_unrecorded(change) for change in changes]


def _left_alone(target: Target, what: str, fix: str) -> FileChange:
    return FileChange(target.path, target.agents, "left alone", note=what, fix=fix)


def _targets(machine: Machine, agents: Iterable[Agent], scope: Scope) -> tuple[list[FileChange], list[Target]]:
    """The files to work on, those that several agents share only once; and those that cannot be worked on."""
    refused: list[FileChange] = []
    shared: dict[Path, list[tuple[str, Place]]] = {}
    for agent in agents:
        for place in agent.places(machine, scope):
            try:
                shared.setdefault(files.real_place(place.path, machine, scope), []).append((agent.name, place))
            except LeftAloneError as error:
                refused.append(FileChange(place.path, (agent.name,), "left alone", note=error.what, fix=error.fix))
    return refused, [_merged(path, wanted) for path, wanted in shared.items()]


def _merged(path: Path, wanted: list[tuple[str, Place]]) -> Target:
    entries: list[tuple[Entry, tuple[str, ...]]] = []
    for name, place in wanted:
        for entry in place.entries:
            at = next((number for number, (other, _) in enumerate(entries) if other == entry), None)
            if at is None:
                entries.append((entry, (name,)))
            else:
                entries[at] = (entry, (*entries[at][1], name))
    return Target(path, tuple(name for name, _ in wanted), tuple(entries), wanted[0][1].blank)


def _described(target: Target, content: Content, outcome: Outcome) -> FileChange:
    before = content.text if content.raw is not None else None
    action: Action = "changed"
    if before == outcome.text:
        action = "unchanged"
    elif before is None:
        action = "made"
    elif outcome.text is None:
        action = "removed"
    return FileChange(target.path, target.agents, action, before, outcome.text, outcome.note)


def _write(target: Target, content: Content, outcome: Outcome, known: Record) -> Sequence[str]:
    """Bring the file to what was decided and record it; returns the folders that may have no use any more."""
    name, done = str(target.path), outcome.known
    if outcome.text is None:
        if content.raw is not None:
            files.delete(content.path)
    elif content.raw is None or content.text != outcome.text:
        folders = files.replace(content, outcome.text)
        done = replace(done, folders=tuple(map(str, folders))) if done and folders else done
    before = known.files.pop(name, None)
    if done is not None:
        known.files[name] = done
    return before.folders if before and outcome.text is None else ()


def _unrecorded(change: FileChange) -> FileChange:
    """The change, with a word that it can be taken back by what the entries say, not to the byte."""
    if change.action not in ("made", "changed"):
        return change
    note = "what was done could not be recorded: uninstall will take out our entries, but may leave empty braces"
    return replace(change, note=change.note or note)
