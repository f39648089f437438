"""What to make of one file, given what the agents want of it and what we did to it before."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from haversack.install import plan
from haversack.install.agent import Entry, Json
from haversack.install.files import Content
from haversack.install.record import Added, FileRecord, digest

BY_HAND = "haversack is there already, written in another way; kept as it is"


class Target(Struct, frozen=True):
    """One file with what all chosen agents want of it, each entry with the agents that want it."""

    path: Path
    agents: tuple[str, ...]
    entries: tuple[tuple[Entry, tuple[str, ...]], ...]
    blank: str

    @property
    def form(self) -> plan.Format:
        """How entries go in and out."""
        return plan.format_of(self.path)

    def wanted_by(self, entry: Entry) -> tuple[str, ...]:
        """The agents that want this very entry."""
        return next((names for wanted, names in self.entries if wanted == entry), ())


class Outcome(Struct, frozen=True):
    """The text to write (None: no file), what to record, and a word about it."""

    text: str | None
    known: FileRecord | None
    note: str = ""


def installed(target: Target, content: Content, known: FileRecord | None) -> Outcome:
    """The file with our entries; as it is, when it has them."""
    form = target.form
    base = content.text if content.raw is not None else None
    if base is None:
        known = None  # whatever we did to it is gone with it
    elif known is not None and _outdated(known, form.read(base), target):
        base = _taken_back(target, base, known)
        known = None if base is None else FileRecord(known.made, known.folders)
    data = form.read(base or "")
    by_hand = any(plan.state(data, entry) == "different" for entry, _ in target.entries)
    planned = plan.with_entries(form, base or "", [entry for entry, _ in target.entries], target.blank)
    return Outcome(planned.text, _recorded(target, base, planned, known), BY_HAND if by_hand else "")


def uninstalled(target: Target, content: Content, known: FileRecord | None) -> Outcome:
    """The file without our entries, no file if it was ours alone; entries that other agents rely on stay."""
    if content.raw is None:
        return Outcome(None, None)
    if known is None:
        return _unrecorded(target, content.text)
    if not known.entries:  # all was there before we came
        return Outcome(content.text, None)
    stays = [each for each in known.entries if set(each.agents) - set(target.agents)]
    if not stays:
        return Outcome(_taken_back(target, content.text, known), None)
    goes = [each for each in known.entries if each not in stays]
    left = tuple(
        replace(each, agents=tuple(name for name in each.agents if name not in target.agents)) for each in stays
    )
    if not goes:
        return Outcome(content.text, replace(known, entries=left))
    text = plan.without_entries(target.form, content.text, goes, known.containers)
    return Outcome(text, FileRecord(known.made, known.folders, entries=left, containers=known.containers))


def _taken_back(target: Target, text: str, known: FileRecord) -> str | None:
    before = plan.without(target.form, text, known)
    return None if known.made and plan.says_nothing(target.form, before, target.blank) else before


def _unrecorded(target: Target, text: str) -> Outcome:
    """For a file of which nothing is recorded: entries that say exactly what we would write are ours."""
    data = target.form.read(text)
    states = [(entry, plan.state(data, entry)) for entry, _ in target.entries]
    note = BY_HAND if any(found == "different" for _, found in states) else ""
    ours = [Added(entry.path, entry.value, entry.element, ()) for entry, found in states if found == "present"]
    around = {path for each in ours for path in plan.around(each.entry)}
    return Outcome(plan.without_entries(target.form, text, ours, sorted(around)), None, note)


def _outdated(known: FileRecord, data: Json, target: Target) -> bool:
    """Whether an entry that we wrote, and nobody has changed since, would be written differently now."""
    wanted = [entry for entry, _ in target.entries]
    return any(
        added.entry not in wanted and plan.state(data, added.entry) == "present"
        for added in known.entries
        if set(added.agents) <= set(target.agents)
    )


def _recorded(target: Target, base: str | None, planned: plan.Planned, known: FileRecord | None) -> FileRecord:
    """What to remember of the file, together with what was done to it earlier."""
    added = tuple(Added(each.path, each.value, each.element, target.wanted_by(each)) for each in planned.added)
    insertions = tuple((each.offset, each.text) for each in planned.insertions)
    if known is None or not known.entries:
        return FileRecord(
            made=known.made if known else base is None,
            folders=known.folders if known else (),
            before="" if base is None else digest(base),
            after=digest(planned.text),
            insertions=insertions,
            entries=added,
            containers=planned.containers,
        )
    # To the byte only if nobody else has written between our first change and this one.
    whole = base is not None and digest(base) == known.after
    earlier = tuple(
        replace(each, agents=tuple(dict.fromkeys((*each.agents, *target.wanted_by(each.entry)))))
        for each in known.entries
    )
    return FileRecord(
        made=known.made,
        folders=known.folders,
        before=known.before if whole else "",
        after=digest(planned.text) if whole else "",
        insertions=known.insertions + insertions,
        entries=earlier + added,
        containers=known.containers + planned.containers,
    )
