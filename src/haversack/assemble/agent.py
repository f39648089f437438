"""The agent packet: a project's rules, tasks, conventions, decisions and learnings, ranked, within a budget."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from haversack.assemble import agent_notes
from haversack.assemble.agent_rank import order, rank, task_text
from haversack.assemble.clock import Clock
from haversack.assemble.request import Request, settle
from haversack.assemble.run import Opened
from haversack.assemble.source_caps import REASON as SOURCE_CAP
from haversack.errors import UsageError
from haversack.index.ledger import Given, digest_of
from haversack.model import Candidate, Chosen, Level, Omitted, Problem, Rung, Scored, Task
from haversack.pack.tiers import Note, Shelf, Taken, stock
from haversack.receipt.build import make_receipt
from haversack.receipt.packet import packet_id
from haversack.render import Rendered
from haversack.render.agent import INSTRUCTION, Part, Sheet, as_json, as_markdown
from haversack.render.frame import Block
from haversack.retrieve.knowledge import Entry, judged_entries, problems
from haversack.retrieve.understand import understand

if TYPE_CHECKING:
    from haversack.receipt.record import Receipt

FORMATS = ("md", "json")
# Seed 000's read order; a file that is not there is left out.
READ_ORDER = (
    "CONSTITUTION.md", "TASKS.md", "CONVENTIONS.md", "ARCHITECTURE.md", "DECISIONS.md", "LEARNINGS.md", "GLOSSARY.md",
    "AGENT_PLAYBOOK.md",
)  # fmt: skip
# Seed 000: tasks up to 40 % of the budget, conventions up to 20 %; decisions and learnings (20 % each) share the rest.
SHARES: Mapping[str, float | None] = {"tasks": 0.4, "conventions": 0.2, "decisions": None, "learnings": None}
TITLES = {"tasks": "Tasks", "conventions": "Conventions", "decisions": "Decisions", "learnings": "Learnings"}
SECTION_OF = {
    "task": "tasks", "convention": "conventions", "decision": "decisions", "adr": "decisions", "learning": "learnings",
}  # fmt: skip
FITS = 6  # rounds of measuring: parts are counted one by one, and the whole is a little less than their sum
RULES_SOURCE = "knowledge"
GOOD_ENOUGH = 0.985  # of the budget; another round would cost more than it brings
REMARKS = 3  # problems named in the text itself; the receipt names all


class AgentPacket(Struct, frozen=True):
    """The text, what it costs, and its receipt. `repeated`: the session has it already, so the text is empty.

    `entries` counts the rules and entries it shows; `deliveries` is what the ledger of its session notes.
    """

    packet_id: str
    text: str
    tokens: int
    budget: int
    counter: str
    budget_exceeded: bool
    problems: tuple[Problem, ...]
    receipt: Receipt
    repeated: bool = False
    entries: int = 0
    deliveries: tuple[Given, ...] = ()


class _Shown(Struct, frozen=True):
    """An entry with its score and the two ways it can be shown."""

    entry: Entry
    scored: Scored
    section: str
    full: str
    brief: str


def agent_packet(
    opened: Opened,
    *,
    budget: int | None = None,
    format: str = "md",  # noqa: A002 - the name users know it by, as in `pack`
    task: str | None = None,
    profile: str | None = None,
    session: str | None = None,
    strict: bool = False,
) -> AgentPacket:
    """The packet of seed 000. The text never exceeds the budget; 0 means constitution and instruction only."""
    if format not in FORMATS:
        raise UsageError(f"unknown format {format!r}", hint=f"known formats: {', '.join(FORMATS)}")
    clock = Clock()
    given = {
        "pack.preset": "agent",
        "pack.budget": budget,
        "pack.profile": profile,
        "pack.session": session,
        "pack.strict": strict or None,
    }
    request = settle(opened.config.override(given), task or "", sources=opened.sources.names)
    with clock.stage("refresh"):
        report = opened.refresh()
    with clock.stage("collect"):
        found = [each for each in judged_entries(opened.texts.project, opened.store) if each.live]
        if request.strict:
            found = [each for each in found if not each.unit.meta.get("stale")]
        found, texts = _texts(opened, found)
        wrong = (*opened.problems, *report.problems, *problems(opened.store, report.examples))
    with clock.stage("rank"):
        open_tasks = [each for each in found if each.kind == "task"]
        request = replace(request, task=request.task or task_text(open_tasks))
        wanted = understand(request.task)
        shown = _shown(opened, request, found, texts, wanted, given_task=bool(task))
    rules = [each.unit for each in found if each.kind == "rule"]
    frame = _Frame(request, format, tuple(f"{each.where}: {each.what}" for each in wrong[:REMARKS]))
    with clock.stage("pack"):
        first = _first_tier(frame, [agent_notes.bullet(unit, texts[unit.id]) for unit in rules],
                            [agent_notes.rule_title(unit) for unit in rules], _read_order(opened), rules)  # fmt: skip
        offered = _within_caps(frame, first, shown)
        text, taken = _fitted(frame, first, offered)
    tokens = request.counter.count(text)
    limit = request.budget.available
    name = packet_id(request.task, request.settings, text)
    receipt = _receipt(name, request, wanted, text, tokens, shown, offered, taken, wrong, clock)
    return AgentPacket(
        name,
        text,
        tokens,
        limit,
        request.counter.name,
        tokens > limit,
        wrong,
        receipt,
        entries=len(first.constitution) + sum(len(each.full) + len(each.brief) for each in taken.values()),
        deliveries=_deliveries(offered, taken, texts) if request.session else (),
    )


# -- what there is to show -------------------------------------------------------------------------------------------


def _texts(opened: Opened, found: Sequence[Entry]) -> tuple[list[Entry], dict[str, str]]:
    """The text of every entry as it is on disk now; an entry whose file vanished meanwhile is left out."""
    lines: dict[str, list[str]] = {}
    kept: list[Entry] = []
    texts: dict[str, str] = {}
    for each in found:
        unit = each.unit
        if unit.path is None or unit.span is None:
            continue
        if unit.path not in lines:
            file = opened.texts.file(unit.path)
            lines[unit.path] = file.text.split("\n") if file else []
        text = "\n".join(lines[unit.path][unit.span.start - 1 : unit.span.end])
        if text:
            kept.append(each)
            texts[unit.id] = text
    return kept, texts


def _shown(
    opened: Opened,
    request: Request,
    found: Sequence[Entry],
    texts: Mapping[str, str],
    task: Task,
    *,
    given_task: bool,
) -> dict[str, list[_Shown]]:
    """Entries by section, best first."""
    inner = {each.unit.id for each in found if each.kind == "task"}
    wanted = [each for each in found if each.kind in SECTION_OF and each.unit.parent not in inner]
    scored = rank(opened.store, opened.embedder, wanted, texts, task, request.profile)
    by_section: dict[str, list[_Shown]] = {name: [] for name in SHARES}
    for each in wanted:
        unit = each.unit
        section = SECTION_OF[each.kind]
        write = agent_notes.bullet if section in ("tasks", "conventions") else agent_notes.entry
        made = _Shown(each, scored[unit.id], section, write(unit, texts[unit.id]), agent_notes.brief(unit))
        by_section[section].append(made)
    for section, notes in by_section.items():
        key = order(section, request.profile.name, given_task=given_task)
        notes.sort(key=lambda note: key(note.entry, note.scored.score))
    return by_section


def _read_order(opened: Opened) -> tuple[str, ...]:
    """The knowledge files that exist, in the order they are best read; steering that always holds comes last."""
    files = [item.key for item in opened.store.snapshot().items if item.source == "knowledge"]
    known = {name: number for number, name in enumerate(READ_ORDER)}
    ordered = [(known[name], path) for path in files if (name := path.rpartition("/")[2]) in known]
    return tuple(path for _, path in sorted(ordered))


# -- what fits ---------------------------------------------------------------------------------------------------


class _Frame(Struct, frozen=True):
    """How this packet is written and measured."""

    request: Request
    format: str
    remarks: tuple[str, ...]

    def sheet(self, **parts: Any) -> Sheet:
        made = Sheet(self.request.budget.available, self.request.counter.name)
        return replace(made, **parts)

    def write(self, sheet: Sheet) -> str:
        if self.format == "md":
            return as_markdown(sheet)
        count, tokens = self.request.counter.count, 0
        for _ in range(4):  # the number stands in the text it counts; it settles at once or nearly so
            text = as_json(sheet, tokens, exceeded=tokens > sheet.budget)
            if count(text) == tokens:
                break
            tokens = count(text)
        return text

    def count(self, text: str) -> int:
        return self.request.counter.count(text)

    def cost(self, text: str) -> int:
        """What one entry adds."""
        if self.format == "md":
            return self.count(text + "\n")
        import json

        return self.count(json.dumps(text, ensure_ascii=False)) + 1


def _first_tier(
    frame: _Frame, full: Sequence[str], titles: Sequence[str], read_order: tuple[str, ...], rules: Sequence[object]
) -> Sheet:
    """Constitution, read order, instruction: whole, or as much of them as the budget holds, said plainly."""
    limit = frame.request.budget.available
    whole = frame.sheet(constitution=tuple(full), read_order=read_order)
    if limit == 0:
        return replace(whole, read_order=())
    pointer = (
        (f"{len(rules)} rules, in {read_order[0]}: the budget does not hold them",) if rules and read_order else ()
    )
    for sheet in (
        replace(whole, remarks=frame.remarks),
        whole,
        replace(whole, constitution=tuple(titles)),
        replace(whole, constitution=tuple(titles), read_order=()),
        replace(whole, constitution=pointer, read_order=()),
        replace(whole, constitution=(), read_order=()),
    ):
        if frame.count(frame.write(sheet)) <= limit:
            return sheet
    return replace(whole, constitution=(), read_order=(), instruction="")


def _within_caps(frame: _Frame, first: Sheet, shown: Mapping[str, Sequence[_Shown]]) -> Mapping[str, Sequence[_Shown]]:
    """What `max_tokens` of each source leaves: entries whole, as titles, or out. Rules count, and always stay."""
    rules = sum(map(frame.cost, first.constitution))
    for source, most in sorted(frame.request.source_caps.items()):
        mine = {name: [note for note in notes if note.scored.unit.source == source] for name, notes in shown.items()}
        shelves = [replace(_shelf(frame, name, notes), frame=0, also=0) for name, notes in mine.items()]
        taken = stock(shelves, most, rules if source == RULES_SOURCE else 0)
        whole = {key for each in taken.values() for key in each.full}
        titles = {key for each in taken.values() for key in each.brief}
        shown = {
            name: [
                replace(note, full=note.brief) if note.scored.unit.id in titles else note
                for note in notes
                if note.scored.unit.source != source or note.scored.unit.id in whole | titles
            ]
            for name, notes in shown.items()
        }
    return shown


def _fitted(frame: _Frame, first: Sheet, shown: Mapping[str, Sequence[_Shown]]) -> tuple[str, dict[str, Taken]]:
    """The fullest text that does not exceed the budget: parts are priced one by one, the whole is measured."""
    limit = frame.request.budget.available
    fixed = frame.count(frame.write(first))
    best = (frame.write(first), {name: Taken() for name in shown})
    if limit == 0 or fixed >= limit:
        return best
    shelves = [_shelf(frame, name, notes) for name, notes in shown.items()]
    allowed, most = limit, fixed
    for _ in range(FITS):
        taken = stock(shelves, allowed, fixed)
        text = frame.write(replace(first, parts=_parts(shown, taken)))
        measured = frame.count(text)
        if most <= measured <= limit:
            best, most = (text, taken), measured
        if all(len(taken[name].full) == len(notes) for name, notes in shown.items()) and measured <= limit:
            break
        if GOOD_ENOUGH * limit <= measured <= limit or measured == limit:
            break
        allowed += limit - measured
    return best


def _shelf(frame: _Frame, name: str, notes: Sequence[_Shown]) -> Shelf:
    heading = frame.count(f"\n## {TITLES[name]}\n```\n```\n") if frame.format == "md" else 0
    also = frame.count("Also noted:\n") if frame.format == "md" else 0
    priced = tuple(Note(note.entry.unit.id, frame.cost(note.full), frame.cost(note.brief)) for note in notes)
    return Shelf(name, priced, SHARES[name], heading, also)


def _parts(shown: Mapping[str, Sequence[_Shown]], taken: Mapping[str, Taken]) -> tuple[Part, ...]:
    parts = []
    for name, notes in shown.items():
        full, brief = set(taken[name].full), set(taken[name].brief)
        parts.append(
            Part(
                name,
                TITLES[name],
                tuple(note.full for note in notes if note.entry.unit.id in full),
                tuple(note.brief for note in notes if note.entry.unit.id in brief),
            )
        )
    return tuple(parts)


# -- what is remembered of it ------------------------------------------------------------------------------------


def _deliveries(
    shown: Mapping[str, Sequence[_Shown]], taken: Mapping[str, Taken], texts: Mapping[str, str]
) -> tuple[Given, ...]:
    given = []
    for section, notes in shown.items():
        full, brief = set(taken[section].full), set(taken[section].brief)
        for note in notes:
            name = note.entry.unit.id
            if name in full or name in brief:
                given.append(Given(name, Level.FULL if name in full else Level.STUB, digest_of(texts[name])))
    return tuple(given)


def _receipt(
    name: str,
    request: Request,
    task: Task,
    text: str,
    tokens: int,
    shown: Mapping[str, Sequence[_Shown]],
    offered: Mapping[str, Sequence[_Shown]],
    taken: Mapping[str, Taken],
    wrong: Sequence[Problem],
    clock: Clock,
) -> Receipt:
    count = request.counter.count
    blocks: list[Block] = []
    omitted: list[Omitted] = []
    for section, notes in offered.items():
        full, brief = set(taken[section].full), set(taken[section].brief)
        within_caps = {note.scored.unit.id for note in notes}
        for unit, score in ((each.scored.unit, each.scored.score) for each in shown[section]):
            if unit.id not in full | brief:
                reason = "budget" if unit.id in within_caps else SOURCE_CAP
                omitted.append(Omitted.of(unit, reason, score=score, section=section))
        for note in notes:
            unit = note.entry.unit
            if unit.id not in full | brief:
                continue
            level, words = (Level.FULL, note.full) if unit.id in full else (Level.STUB, note.brief)
            rung = Rung(level, words, count(words), note.scored.score, unit.span)
            blocks.append(Block("item", words, section, Chosen(Candidate(note.scored, section, (rung,)), rung)))
    return make_receipt(
        packet_id=name,
        time=time.time(),
        task=task,
        counter=request.counter.name,
        count=count,
        tokens=tokens,
        budget=request.budget,
        rendered=Rendered(text, tuple(blocks)),
        sections=request.sections,
        omitted=omitted,
        settings=request.settings,
        session=request.session,
        budget_exceeded=tokens > request.budget.available,
        sources_queried=("knowledge", "docs"),
        candidates_found=sum(len(notes) for notes in shown.values()),
        timings=clock.stages,
        problems=wrong,
    )


__all__ = ["FORMATS", "INSTRUCTION", "AgentPacket", "agent_packet"]
