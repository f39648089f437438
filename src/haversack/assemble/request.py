"""What a packet is asked for, settled: every setting checked and turned into the objects the stages take."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields, is_dataclass

from msgspec import Struct
from msgspec.structs import replace

from haversack.assemble.places import HOMES
from haversack.config import Config
from haversack.config.settings import PresetSettings
from haversack.config.sources import LOADED_BY_HOST
from haversack.errors import ConfigError
from haversack.model import Section
from haversack.pack.budget import Budget, budget
from haversack.pack.levels import Limits
from haversack.pack.overflow import Strategy
from haversack.pack.presets import PRESETS, TASK, Preset, preset, preset_from_table
from haversack.receipt.record import Setting, SettingValue
from haversack.render import Renderer, RenderOptions, renderer
from haversack.score import PROFILES, Profile, TierThresholds, profile, profile_from_table, tables
from haversack.tokens import Counter, counter, counter_for_model
from haversack.units.redact import redact

# What a receipt records: the settings that decide what a packet looks like.
RECORDED = (
    "pack.budget", "pack.reserve_for_output", "pack.reserve_for_system", "pack.format", "pack.preset", "pack.profile",
    "pack.type", "pack.ask", "pack.model", "pack.counter", "pack.overflow", "pack.soft", "pack.fill", "pack.strict",
    "pack.show_scores", "pack.footer",
    "relevance.method", "index.semantic",
    "sources.code.include_types", "sources.code.include_tests", "sources.code.include_imports",
)  # fmt: skip

# Tables of which a receipt also records what somebody set; where levels are kept decides nothing.
DECIDING = ("sources", "relevance", "levels", "presets", "profiles")


class Request(Struct, frozen=True):
    """One call, ready to run."""

    task: str
    budget: Budget
    sections: tuple[Section, ...]
    item_cap: float | None
    preset: str
    profile: Profile
    tiers: TierThresholds
    homes: Mapping[str, str]
    thresholds: Mapping[str, float]
    source_caps: Mapping[str, int]
    limits: Limits
    levels: bool
    counter: Counter
    renderer: Renderer
    options: RenderOptions
    strategy: Strategy
    soft: bool
    fill: bool
    strict: bool
    type: str | None
    sources: tuple[str, ...]
    asked: frozenset[str]
    without: frozenset[str]
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    pin: tuple[str, ...]
    always: tuple[str, ...]
    recent_messages: int
    compress_older: bool
    session: str
    footer: bool
    later_score: float
    model: str
    settings: Mapping[str, Setting]


def settle(
    config: Config,
    task: str,
    *,
    sources: Sequence[str],
    asked: Collection[str] = (),
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    pin: Sequence[str] = (),
) -> Request:
    """Read the settings for one packet; anything wrong with them is a UsageError that names it."""
    pack = config.pack
    allowed = _budget(config)
    chosen = _preset(config, allowed)
    always = config.source("docs").options.get("always_include")
    known = LOADED_BY_HOST.get(str(config.source("docs").options.get("loaded_by")), ())
    return Request(
        task=redact(task).text,  # receipts keep the task, and people paste what they should not
        budget=allowed,
        sections=chosen.sections,
        item_cap=chosen.item_cap,
        preset=chosen.name,
        profile=_profile(config),
        tiers=_tiers(config, chosen),
        homes=_homes(config),
        thresholds={
            **chosen.bars,
            **{name: settings.threshold for name, settings in config.sources.items() if settings.threshold is not None},
        },
        source_caps={
            name: settings.max_tokens for name, settings in config.sources.items() if settings.max_tokens is not None
        },
        limits=Limits(
            full=config.levels.full.max_tokens,
            light=config.levels.light.max_tokens,
            detailed=config.levels.detailed.max_tokens,
            summary=config.levels.summary.max_tokens,
            stub=config.levels.stub.max_tokens,
            preserve=config.levels.detailed.preserve,
            include=config.levels.stub.include,
        ),
        levels=config.levels.enabled,
        counter=_counter(config),
        renderer=renderer(pack.format),
        options=RenderOptions(pack.show_scores) if pack.footer else RenderOptions(pack.show_scores, footer_groups=0),
        strategy=Strategy(pack.overflow),
        soft=pack.soft,
        fill=pack.fill,
        strict=pack.strict,
        type=pack.type,
        sources=tuple(sources),
        asked=frozenset((*pack.ask, *asked)),
        without=frozenset(
            part
            for part in ("types", "tests", "imports")
            if config.source("code").options.get(f"include_{part}") is False
        )
        | {
            origin
            for origin in ("web_searches", "agent_outputs")
            if config.source("research").options.get(f"include_{origin}") is False
        },
        include=tuple(include),
        exclude=(*exclude, *known),
        pin=tuple(pin),
        always=tuple(each for each in (always if isinstance(always, tuple) else ()) if each not in known),
        recent_messages=_whole(config.source("conversation").options.get("recent_messages_verbatim")),
        compress_older=config.source("conversation").options.get("compress_older") is not False,
        session=pack.session or "",
        footer=pack.footer,
        later_score=pack.later_score,
        model=pack.model or "",
        settings={key: Setting(_plain(config.get(key)), config.origin(key)) for key in RECORDED} | _said_beside(config),
    )


def _base(config: Config) -> str:
    """The built-in preset that the one asked for is or starts from; a name that is none when it starts from nothing."""
    return _lineage(config)[-1]


def _lineage(config: Config) -> list[str]:
    """The preset asked for, the one it extends, the one that extends, and so on."""
    names = [config.pack.preset]
    while (own := config.presets.get(names[-1])) is not None and own.extends is not None:
        if own.extends == names[-1] and own.extends in PRESETS:
            break  # a change to the built-in one, said twice
        if own.extends in names:
            circle = " extends ".join([*names[names.index(own.extends) :], own.extends])
            raise ConfigError(f"presets: {circle}", hint="let one of them extend a built-in preset, or nothing")
        names.append(tables.one_of(f"preset {names[-1]!r}.extends", own.extends, {*PRESETS, *config.presets}))
    return names


def _budget(config: Config) -> Budget:
    """The budget as set; a preset with a size of its own, such as `enrichment`, brings that when nobody set one."""
    pack = config.pack
    total, output, system = pack.budget, pack.reserve_for_output, pack.reserve_for_system
    usual = PRESETS.get(_base(config))
    if usual is not None and usual is not TASK and config.origin("pack.budget") == "default":
        total = usual.budget
        output = output or usual.reserve_for_output
        system = system or usual.reserve_for_system
    return budget(total, reserve_for_output=output, reserve_for_system=system)


def _preset(config: Config, allowed: Budget) -> Preset:
    """The preset asked for: built in, changed by a table of the same name, or made of tables that extend each other."""
    names = _lineage(config)
    made = PRESETS.get(names[-1])
    for name in reversed(names):
        own = config.presets.get(name)
        if own is not None:
            made = preset_from_table(name, _table(own, allowed), start=made)
    return made or preset(names[-1])


def _table(own: PresetSettings, allowed: Budget) -> dict[str, object]:
    """What a preset's table says, in tokens of this budget."""
    table: dict[str, object] = {}
    if own.item_cap is not None:
        table["item_cap"] = _share(own.item_cap, allowed.available) / max(allowed.available, 1)
    sections = {}
    for key, section in own.sections.items():
        entries = {
            each: value
            for each in ("title", "weight", "threshold", "pool")
            if (value := getattr(section, each)) is not None
        }
        for each in ("floor", "cap"):
            if (value := getattr(section, each)) is not None:
                entries[each] = _share(value, allowed.available)
        sections[key] = entries
    return {**table, "sections": sections} if sections else table


def _share(value: int | str, whole: int) -> int:
    """Tokens from a number or from a part such as "25%"."""
    if isinstance(value, int):
        return value
    return int(float(value.rstrip("% ")) * whole / 100)


def _homes(config: Config) -> dict[str, str]:
    """Source to section: as the built-in preset has it, and as the user's own say."""
    homes = dict(HOMES.get(_base(config), {}))
    for name in reversed(_lineage(config)):
        own = config.presets.get(name)
        for key, section in own.sections.items() if own else ():
            homes |= dict.fromkeys(section.sources or (), key)
    return homes


def _profile(config: Config) -> Profile:
    """The profile asked for, with single values of `[relevance]` on top."""
    name = config.pack.profile
    own = config.profiles.get(name)
    table = _said(own) if own is not None else {}
    made = profile_from_table(name, table) if own is not None else profile(name)
    relevance = config.relevance
    over = {
        key: value for key in ("method", "decay_days", "max_depth") if (value := getattr(relevance, key)) is not None
    }
    if relevance.weights:
        over["weights"] = {**made.weights, **relevance.weights}
    if relevance.file_types:
        over["file_types"] = dict(relevance.file_types)
    if not relevance.enabled:
        over["weights"] = {"task_alignment": 1.0, "explicit": 1.0}
    if not over:
        return made
    base = name if name in PROFILES else str(table.get("extends", "default"))
    return profile_from_table(name, {**table, "extends": base, **over})


def _tiers(config: Config, chosen: Preset) -> TierThresholds:
    said = config.relevance.thresholds
    given = {name: value for name in ("primary", "supporting", "include") if (value := getattr(said, name)) is not None}
    made = replace(chosen.tiers, **given)
    if not made.primary >= made.supporting >= made.include:
        raise ConfigError("relevance.thresholds: they do not fall", hint="give primary >= supporting >= include")
    return made


def _counter(config: Config) -> Counter:
    pack = config.pack
    if pack.counter is not None:
        return counter(pack.counter)
    return counter_for_model(pack.model) if pack.model is not None else counter()


def _said_beside(config: Config) -> dict[str, Setting]:
    """Whatever else somebody set that decides what a packet looks like."""
    return {
        ".".join(path): Setting(_plain(value.value), str(value.origin))
        for path, value in sorted(config.said.items())
        if path[0] in DECIDING and path[:2] != ("levels", "cache")
    }


def _said(settings: object) -> dict[str, object]:
    """A settings dataclass as a table of what was set."""
    assert is_dataclass(settings)
    found = {each.name: getattr(settings, each.name) for each in fields(settings)}
    return {key: value for key, value in found.items() if value is not None and value != {}}


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _plain(value: object) -> SettingValue:
    return value if isinstance(value, str | int | float | bool) or value is None else str(value)
