"""Presets: the seeds' ways to divide a budget, as sections for the one allocator. Each number has its origin."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from haversack.errors import ConfigError
from haversack.model import Section
from haversack.pack.allocate import NO_CAP
from haversack.score import SOURCE_THRESHOLDS, TierThresholds, tables

TIERS = TierThresholds()
# Seed 002 asks .5 of code. A piece just below that is shown where nothing better is left. On 129 development tasks the
# first 8,000 of 16,000 tokens hold .758 of the lines that commits changed and .701 of those of issues; with .4, when
# many small weak pieces take the room of a larger one, .743 and .694.
WEAK_CODE = 0.45


class Preset(Struct, frozen=True):
    """How a budget is divided: sections in packet order, the usual size, what is set aside, how much one item gets."""

    name: str
    sections: tuple[Section, ...]
    budget: int
    reserve_for_output: int = 0
    reserve_for_system: int = 0
    item_cap: float | None = None
    tiers: TierThresholds = TIERS
    bars: Mapping[str, float] = field(default_factory=dict)
    """By source the score that a piece needs here, where it is another than everywhere."""


# Seed 001: 50/30/15/5 percent of 100,000 tokens less 8,000 for output and 2,000 for the system; a score of .7 is
# primary, .5 supporting, .3 the least that is included. Primary and supporting context are the task's code, better and
# worse: with a share for each, a weak piece is shown while one twice as good is left out because its section is full.
TASK = Preset(
    "task",
    (
        Section("primary", "Primary context", 0, 50, NO_CAP, TIERS.primary, pool="code"),
        Section("supporting", "Supporting context", 0, 30, NO_CAP, TIERS.supporting, pool="code"),
        Section("reference", "Reference", 0, 15, NO_CAP, TIERS.include),
        Section("history", "History", 0, 5, NO_CAP, TIERS.include),
    ),
    budget=100_000,
    reserve_for_output=8_000,
    reserve_for_system=2_000,
    bars={"code": WEAK_CODE},
)


def _source(name: str, cap: int) -> Section:
    # The cap is also the weight: seed 002 gives the sources no other proportion.
    return Section(name, name.title(), 0, cap, cap, SOURCE_THRESHOLDS[name])


# Seed 002: at most so many tokens from each source, 24,000 in all of which 4,000 stay free for the worker.
ENRICHMENT = Preset(
    "enrichment",
    (
        _source("conversation", 4_000),
        _source("research", 4_000),
        _source("documentation", 3_000),
        _source("code", 12_000),
        _source("deployment", 2_000),
        _source("logs", 3_000),
    ),
    budget=24_000,
    reserve_for_output=4_000,
)

# Seed 000: the constitution whole (its rules are pinned), then 40/20/20/20 percent; 8,000 tokens by default.
AGENT = Preset(
    "agent",
    (
        Section("constitution", "Constitution", 0, 0, NO_CAP),
        Section("tasks", "Tasks", 0, 40, NO_CAP),
        Section("conventions", "Conventions", 0, 20, NO_CAP),
        Section("decisions", "Decisions", 0, 20, NO_CAP),
        Section("learnings", "Learnings", 0, 20, NO_CAP),
    ),
    budget=8_000,
)

# Seed 004: weights 3/2/2/1/1 by how rich a source is, no item above a quarter of its section; 2,000 tokens by default.
LEARNING = Preset(
    "learning",
    (
        Section("memories", "Memories", 0, 1, NO_CAP),
        Section("code", "Code", 0, 2, NO_CAP),
        Section("experiences", "Experiences", 0, 3, NO_CAP),
        Section("values", "Values", 0, 1, NO_CAP),
        Section("commits", "Commits", 0, 2, NO_CAP),
    ),
    budget=2_000,
    item_cap=0.25,
)


def _range(name: str, title: str, floor: int, cap: int) -> Section:
    # The upper end is also the weight, so that sections grow through their ranges together.
    return Section(name, title, floor, cap, cap)


# Seed 003: a range of tokens for each; by default the upper ends together.
HYDRATE = Preset(
    "hydrate",
    (
        _range("constitution", "Constitution", 500, 1_000),
        _range("skills", "Skills", 1_000, 2_000),
        _range("context", "Context", 2_000, 4_000),
        _range("code_symbols", "Code symbols", 500, 1_000),
    ),
    budget=8_000,
)

PRESETS: Mapping[str, Preset] = {preset.name: preset for preset in (TASK, ENRICHMENT, AGENT, LEARNING, HYDRATE)}


def preset(name: str) -> Preset:
    """The built-in preset of that name."""
    return PRESETS[tables.one_of("preset", name, PRESETS)]


def preset_from_table(name: str, entries: Mapping[str, object], *, start: Preset | None = None) -> Preset:
    """A user's own preset: the one it starts from, with the table's sections changed or added, or only the table's.

    It starts from `start`, or from the built-in one it `extends`. Keys: extends, budget, reserve_for_output,
    reserve_for_system, item_cap, thresholds (primary, supporting, include), sections (name to title, weight, floor,
    cap, threshold, pool).
    """
    where = f"preset {name!r}"
    known = ("extends", "budget", "reserve_for_output", "reserve_for_system", "item_cap", "thresholds", "sections")
    tables.only_keys(where, entries, known)
    if "extends" in entries:
        start = preset(_extends(where, entries))
    made = replace(start or _bare(name), name=name)
    made = replace(
        made,
        budget=tables.integer(f"{where}.budget", entries.get("budget", made.budget)),
        reserve_for_output=tables.integer(
            f"{where}.reserve_for_output", entries.get("reserve_for_output", made.reserve_for_output)
        ),
        reserve_for_system=tables.integer(
            f"{where}.reserve_for_system", entries.get("reserve_for_system", made.reserve_for_system)
        ),
    )
    if "item_cap" in entries:
        made = replace(made, item_cap=tables.number(f"{where}.item_cap", entries["item_cap"], low=0.01, high=1.0))
    if "thresholds" in entries:
        made = replace(made, tiers=_tiers(f"{where}.thresholds", made.tiers, entries["thresholds"]))
    sections = {section.name: section for section in made.sections}
    for key, value in tables.table(f"{where}.sections", entries.get("sections", {})).items():
        sections[key] = _section(f"{where}.sections.{key}", key, sections.get(key), value)
    if not any(section.weight or section.floor for section in sections.values()):
        raise ConfigError(f"{where}: no section has a weight", hint="add [sections] or extend a built-in preset")
    return replace(made, sections=tuple(sections.values()))


def _extends(where: str, entries: Mapping[str, object]) -> str:
    return tables.one_of(f"{where}.extends", entries["extends"], PRESETS)


def _bare(name: str) -> Preset:
    return Preset(name, (), budget=AGENT.budget)


def _tiers(where: str, tiers: TierThresholds, value: object) -> TierThresholds:
    changed = replace(tiers, **tables.numbers(where, value, ("primary", "supporting", "include"), high=1.0))
    if not changed.primary >= changed.supporting >= changed.include:
        raise ConfigError(f"{where}: the thresholds do not fall", hint="give primary >= supporting >= include")
    return changed


def _section(where: str, name: str, now: Section | None, value: object) -> Section:
    entries = tables.table(where, value)
    tables.only_keys(where, entries, ("title", "weight", "floor", "cap", "threshold", "pool"))
    now = now or Section(name, name.replace("_", " ").capitalize(), 0, 1, NO_CAP)
    title = entries.get("title", now.title)
    if not isinstance(title, str) or not title.strip() or "\n" in title:
        raise ConfigError(f"{where}.title: {title!r} is not a title", hint="give one line of text")
    pool = entries.get("pool", now.pool)
    if not isinstance(pool, str):
        raise ConfigError(f"{where}.pool: {pool!r} is not a name", hint="give text; sections with the same share")
    made = Section(
        name,
        title,
        tables.integer(f"{where}.floor", entries.get("floor", now.floor)),
        tables.number(f"{where}.weight", entries.get("weight", now.weight)),
        tables.integer(f"{where}.cap", entries.get("cap", now.cap)),
        tables.number(f"{where}.threshold", entries.get("threshold", now.threshold), high=1.0),
        pool,
    )
    if made.floor > made.cap:
        raise ConfigError(f"{where}: the floor {made.floor:,} is above the cap {made.cap:,}", hint="lower the floor")
    return made
