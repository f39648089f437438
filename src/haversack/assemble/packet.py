"""One packet from one request: the whole path, each stage timed, the text measured before it leaves."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from haversack.assemble.absent import named_but_absent
from haversack.assemble.clock import Clock
from haversack.assemble.fitting import Fitting, Packed
from haversack.assemble.given import deliveries
from haversack.assemble.imports import with_imports
from haversack.assemble.kept import Kept
from haversack.assemble.ladders import Ladders, Maps, Offer, may_be_whole
from haversack.assemble.pins import pinned_units
from haversack.assemble.places import BY_TIER, place
from haversack.assemble.priorities import weighed, with_priority
from haversack.assemble.reading import BEST_OF_CODE, ITS_PARTS, best_first, is_map, left_out, read
from haversack.assemble.request import Request
from haversack.assemble.texts import Texts
from haversack.assemble.unread import named_but_unread
from haversack.assemble.uplifted import with_uplift
from haversack.index.ledger import History
from haversack.index.symbolic import glob_matcher
from haversack.index.units import UnitReader
from haversack.model import (
    Candidate,
    Features,
    Omitted,
    Problem,
    Reranked,
    Role,
    Scored,
    Status,
    Task,
    Unit,
)
from haversack.pack.allocate import allocate
from haversack.pack.dedupe import Deduped, dedupe
from haversack.pack.levels import Terms
from haversack.pack.overflow import Strategy
from haversack.project.own_rules import OwnRules
from haversack.receipt.build import make_receipt
from haversack.receipt.certificate import certify
from haversack.receipt.packet import Packet, packet_id, packet_items
from haversack.receipt.record import Overflow
from haversack.retrieve.candidates import Found, Gatherer, changes_of
from haversack.retrieve.cautions import cautions
from haversack.retrieve.conversation import settled, standing
from haversack.retrieve.environments import compared
from haversack.retrieve.learned import LAST
from haversack.retrieve.liveness import Known, judged, known
from haversack.retrieve.task.priorities import asked_sources, bars_of
from haversack.retrieve.understand import understand
from haversack.score import is_candidate, score
from haversack.sources.commits.hiding import without_hidden
from haversack.sources.registry import no_compressors

if TYPE_CHECKING:
    from haversack.assemble.writer import Writer
    from haversack.index.embed import Embedder
    from haversack.index.level_cache import LevelCache
    from haversack.index.snapshot import Snapshot
    from haversack.index.store import Store
    from haversack.project import Project
    from haversack.retrieve.rerank import LooksAgain
    from haversack.sources.protocol import Compressor


class World(Struct, frozen=True):
    """What a packet is made from."""

    store: Store
    embedder: Embedder | None
    texts: Texts
    problems: tuple[Problem, ...] = ()
    levels: LevelCache | None = None
    uplift: Mapping[str, float] = field(default_factory=dict)
    compressors: Callable[[str], Mapping[str, Compressor]] = no_compressors
    writer: Writer | None = None
    learned: Mapping[str, float] = field(default_factory=lambda: LAST.weights)
    history: History | None = None
    reranker: LooksAgain | None = None
    unread: frozenset[str] = frozenset()
    """Files whose units are no longer what stands in them, because reading them again was left to somebody else."""


def make_packet(world: World, request: Request, clock: Clock) -> Packet:
    """Retrieve, score, pack, render, account. StaleIndexError when a file changed since the index was refreshed."""
    if world.history is not None:
        request = replace(request, options=replace(request.options, first_number=world.history.last + 1))
    with clock.stage("understand"):
        task = understand(request.task, type=request.type)
    with clock.stage("retrieve"):
        gatherer = Gatherer(world.store, world.embedder, learned=world.learned, reranker=world.reranker)
        imports = "imports" not in request.without
        always = standing(world.store, request.recent_messages)
        found = gatherer.gather(task, sources=request.sources, imports=imports, also=always.ids)
        found = settled(judge(found, world), task, always, compress_older=request.compress_older)
        found = compared(found, task)
        asked = asked_sources(task, request.sources, request.asked)
        found = [each for each in found if each.unit.source in asked or each.features.explicit]
        found = [each for each in found if each.unit.path not in world.unread] if world.unread else found
        pinned = pinned_units(world.store, request.pin)
        unread = named_but_unread(world.texts.project, world.store.snapshot(), task)
        world = replace(world, problems=(*world.problems, *unread)) if unread else world
    with clock.stage("score"):
        bars = {**bars_of(task.type), **request.thresholds}
        sections = weighed(request.sections, task.type, bars, {**BY_TIER, **request.homes})
        request = replace(request, sources=asked, sections=sections, thresholds=bars)
        scored, omitted = _scored(found, pinned, request, world.uplift, task.type)
    with clock.stage("read"):
        texted, more = read(
            scored, pinned, world.texts, world.store.snapshot(), request.budget.available, request.tiers.supporting
        )
        texted = _without_hidden(texted, world.texts.project, request.exclude)
        omitted += more
    with clock.stage("dedupe"):
        deduped = dedupe(texted)
        omitted += deduped.dropped
    with clock.stage("levels"):
        ladders = _ladders(world, request, task)
        candidates, more = _candidates(deduped, pinned, request, ladders, world)
        omitted += more
    packed = Fitting(
        candidates, omitted, request, ladders, clock, history=world.history, problems=world.problems
    ).packed()
    units = {**{each.unit.id: each.unit for each in found}, **pinned}
    if gatherer.again.problem is not None:
        world = replace(world, problems=(*world.problems, gatherer.again.problem))
    return _packet(packed, task, request, world, units, clock, gatherer.again.reranked)


def judge(found: Sequence[Found], world: World) -> list[Found]:
    """The same, knowledge that names things which are gone marked stale.

    A knowledge file competes by its entries: shown as a file it would bring those that no longer hold along.
    """
    snapshot = world.store.snapshot()
    state: Known | None = None
    judged_all = []
    for each in found:
        if each.unit.source == "knowledge" and each.unit.kind == "file" and not each.features.explicit:
            item = snapshot.item(each.unit.path or "")
            if item is not None and item.count > 1:
                continue
        if each.unit.source == "knowledge" or each.unit.meta.get("convention"):
            state = state or known(world.texts.project, world.store)
            unit = judged(each.unit, state)
            each = replace(each, unit=unit, features=replace(each.features, status=unit.status))
        judged_all.append(each)
    return judged_all


def _scored(
    found: Sequence[Found], pinned: Mapping[str, Unit], request: Request, uplift: Mapping[str, float], kind: str
) -> tuple[list[Scored], list[Omitted]]:
    """Everything that may compete, best first, and what its source's threshold or the user keeps out."""
    rated = {each.unit.id: with_uplift(score(each.unit, each.features, request.profile), uplift) for each in found}
    for key, unit in pinned.items():
        if key not in rated:
            rated[key] = score(unit, Features(unit.source, role=unit.role, explicit=True), request.profile)
    shown = [glob_matcher(pattern) for pattern in request.include]
    hidden = [glob_matcher(pattern) for pattern in request.exclude]
    kept, omitted = [], []
    for each in sorted(rated.values(), key=best_first):
        unit = each.unit
        if unit.id in pinned:
            kept.append(each)
        elif _unwanted(unit, shown, hidden) or (not each.explicit and _switched_off(unit, request.without)):
            omitted.append(left_out(each, "excluded"))
        elif request.strict and unit.status is Status.STALE:
            omitted.append(left_out(each, "stale"))
        elif request.fill or is_candidate(unit.source, each.score, explicit=each.explicit, own=request.thresholds):
            kept.append(each)
        else:
            omitted.append(left_out(each, "below threshold"))
    # Priorities order what may compete; they keep nothing out.
    return sorted((with_priority(each, kind) for each in kept), key=best_first), omitted


def _unwanted(unit: Unit, shown: Sequence[Callable[[str], bool]], hidden: Sequence[Callable[[str], bool]]) -> bool:
    path = unit.path or unit.id
    return any(test(path) for test in hidden) or bool(shown and not any(test(path) for test in shown))


def _without_hidden(texted: Sequence[Scored], project: Project, exclude: Sequence[str]) -> list[Scored]:
    """The same, commits without what is excluded now, or ignored since the index was brought up to date."""
    if not any(each.unit.source == "commits" for each in texted):
        return list(texted)
    rules, excluded = OwnRules(project), [glob_matcher(pattern) for pattern in exclude]

    def hides(path: str) -> bool:
        return rules.hides(path) or any(test(path) for test in excluded)

    return [replace(each, unit=without_hidden(each.unit, hides, project.prefixes)) for each in texted]


def _switched_off(unit: Unit, without: frozenset[str]) -> bool:
    """Whether the settings leave out code or research of this kind."""
    if unit.source == "research":
        return unit.meta.get("origin") in without
    if unit.source != "code":
        return False
    is_type = unit.kind == "type" or unit.role is Role.TYPES
    return ("types" in without and is_type) or ("tests" in without and unit.role is Role.TEST)


def _ladders(world: World, request: Request, task: Task) -> Ladders:
    snapshot = world.store.snapshot()
    terms = Terms.of(task.terms)
    return Ladders(
        units=UnitReader(world.store, snapshot),
        renderer=request.renderer,
        options=request.options,
        limits=request.limits,
        levels=request.levels,
        terms=terms,
        count=request.counter.count,
        times=_times(snapshot),
        blank_after=world.texts.blank_after,
        kept=Kept(
            world.levels,
            limits=request.limits,
            terms=terms,
            counter=request.counter,
            about=(request.renderer.name, request.options.scores, world.writer.name if world.writer else ""),
        ),
        compressors=world.compressors,
        writer=world.writer,
    )


def _times(snapshot: Snapshot) -> Callable[[Unit], float | None]:
    """When a unit was last changed: as it says itself, else by the last commit that changed its file.

    When a file was written says when it was checked out here: two clones would give two packets.
    """

    def changed(unit: Unit) -> float | None:
        item = snapshot.positions_by_key.get(unit.path or "")
        if unit.time is not None or item is None:
            return unit.time
        return changes_of(snapshot, [item]).get(item, (None, 0.0))[0]

    return changed


def _candidates(
    deduped: Deduped, pinned: Mapping[str, Unit], request: Request, ladders: Ladders, world: World
) -> tuple[list[Candidate], list[Omitted]]:
    """Priced candidates, and those the preset has no section for, or that better ones show."""
    offers: list[Offer] = []
    omitted: list[Omitted] = []
    maps = Maps()
    best = _best_of_files(deduped.kept)
    # Parts of code are seldom what a packet takes and dear to make: they are offered of the best pieces, of what is
    # asked for, and where the user wants summaries.
    all_shortened, pieces = request.strategy is Strategy.SUMMARIZE, 0
    for each in deduped.kept:
        pin = each.unit.id in pinned
        pieces += each.unit.source == "code" and not is_map(each.unit)
        # A small file may be shown instead of its best piece, so it stands where that would.
        small = each.unit.kind == "file" and may_be_whole(each.unit)
        stands_for = best.get(each.unit.path or "", each) if small else each
        section = place(stands_for, request.sections, request.tiers, homes=request.homes, pinned=pin)
        if section is None:
            omitted.append(left_out(each, f"no section for {each.unit.source} in preset {request.preset}"))
            continue
        also = deduped.also.get(each.unit.id, ())
        shortened = all_shortened or pin or each.explicit or each.unit.source != "code" or pieces <= BEST_OF_CODE
        offer = Offer(each, section, pin, also, request.budget.available, shortened)
        if maps.repeats(offer):
            omitted.append(left_out(each, ITS_PARTS))
        else:
            offers.append(offer)
    if "imports" not in request.without:
        offers = with_imports(offers, UnitReader(world.store, world.store.snapshot()), world.texts)
    return ladders.candidates(offers), omitted


def _best_of_files(scored: Iterable[Scored]) -> dict[str, Scored]:
    """For each file the best of its pieces of code; they come best first."""
    best: dict[str, Scored] = {}
    for each in scored:
        if each.unit.source == "code" and each.unit.path is not None:
            best.setdefault(each.unit.path, each)
    return best


def _packet(
    packed: Packed,
    task: Task,
    request: Request,
    world: World,
    units: Mapping[str, Unit],
    clock: Clock,
    reranked: Reranked | None,
) -> Packet:
    count = request.counter.count
    rendered = packed.rendered
    problems = (*world.problems, *cautions(units.values()))
    if packed.needed:
        what = f"a budget of {request.budget.available} tokens holds nothing, the smallest packet needs {packed.needed}"
        problems += (Problem("budget", what, f"raise it to {packed.needed} or more"),)
    name = packet_id(request.task, request.settings, rendered.text)
    with clock.stage("receipt"):
        items = packet_items(rendered, count)
        shown = [*(block.chosen for block in rendered.blocks if block.chosen is not None), *packed.known]
        left = sorted(packed.omitted, key=lambda each: (-each.score, each.id))
        snapshot = world.store.snapshot()
        held = frozenset(path for path in task.paths if snapshot.item(path) is not None)
        certificate = certify(task, shown, [(units[each.id], each) for each in left if each.id in units], held)
        receipt = make_receipt(
            packet_id=name,
            time=time.time(),
            task=task,
            counter=request.counter.name,
            count=count,
            tokens=packed.tokens,
            budget=request.budget,
            rendered=rendered,
            sections=request.sections,
            allocated=allocate(request.sections, request.budget.available),
            omitted=packed.omitted,
            settings=request.settings,
            session=request.session,
            model=request.model,
            budget_exceeded=packed.exceeded,
            overflow=_overflow(packed, request),
            sources_queried=request.sources,
            candidates_found=len(units),
            certificate=certificate,
            timings=clock.stages,
            problems=problems,
            next_1000=packed.selection.next,
            reranked=reranked,
            not_found=named_but_absent(world.texts.project, snapshot, task),
        )
    return Packet(
        packet_id=name,
        task=request.task,
        budget=request.budget.available,
        tokens=packed.tokens,
        counter=request.counter.name,
        budget_exceeded=packed.exceeded,
        text=rendered.text,
        items=items,
        omitted=packed.omitted,
        certificate=certificate,
        receipt=receipt,
        timings=dict(clock.stages),
        deliveries=deliveries(rendered.blocks, world.history.last + 1) if world.history else (),
    )


def _overflow(packed: Packed, request: Request) -> Overflow:
    affected = tuple(o.path or o.id for o in packed.omitted if o.reason in ("budget", "section cap", "source cap"))
    return Overflow(bool(affected) or packed.exceeded, str(request.strategy), affected)
