"""What a packet is asked for, settled: every setting checked and turned into the objects the stages take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from haversack.config import Config
from haversack.model import Level, Section
from haversack.pack.budget import Budget, budget
from haversack.pack.levels import Limits
from haversack.pack.overflow import Strategy
from haversack.pack.presets import preset, preset_from_table
from haversack.receipt.record import Setting, SettingValue
from haversack.render import Renderer, RenderOptions, renderer
from haversack.score import Profile, TierThresholds, profile, profile_from_table
from haversack.tokens import Counter, counter, counter_for_model

# What a receipt records: the settings that decide what a packet looks like.
RECORDED = (
    "pack.budget", "pack.reserve_for_output", "pack.reserve_for_system", "pack.format", "pack.preset", "pack.profile",
    "pack.type", "pack.model", "pack.counter", "pack.overflow", "pack.soft", "pack.fill", "pack.show_scores",
    "relevance.method", "index.semantic",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Request:
    """One call, ready to run."""

    task: str
    budget: Budget
    sections: tuple[Section, ...]
    item_cap: float | None
    preset: str
    profile: Profile
    tiers: TierThresholds
    thresholds: Mapping[str, float]
    limits: Limits
    levels: bool
    counter: Counter
    renderer: Renderer
    options: RenderOptions
    strategy: Strategy
    soft: bool
    fill: bool
    type: str | None
    sources: tuple[str, ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    pin: tuple[str, ...]
    session: str
    model: str
    settings: Mapping[str, Setting]


def settle(
    config: Config,
    task: str,
    *,
    sources: Sequence[str],
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    pin: Sequence[str] = (),
) -> Request:
    """Read the settings for one packet; anything wrong with them is a UsageError that names it."""
    pack = config.pack
    allowed = budget(
        pack.budget, reserve_for_output=pack.reserve_for_output, reserve_for_system=pack.reserve_for_system
    )
    chosen = _preset(config)
    always = config.source("docs").options.get("always_include")
    return Request(
        task=task,
        budget=allowed,
        sections=_capped(chosen.sections(allowed.available), config),
        item_cap=chosen.item_cap,
        preset=chosen.name,
        profile=_profile(config),
        tiers=_tiers(config),
        thresholds={
            name: settings.threshold for name, settings in config.sources.items() if settings.threshold is not None
        },
        limits=Limits(*(getattr(config.levels, level.value).max_tokens for level in Level)),
        levels=config.levels.enabled,
        counter=_counter(config),
        renderer=renderer(pack.format),
        options=RenderOptions(scores=pack.show_scores),
        strategy=Strategy(pack.overflow),
        soft=pack.soft,
        fill=pack.fill,
        type=pack.type,
        sources=tuple(sources),
        include=tuple(include),
        exclude=tuple(exclude),
        pin=(*pin, *(always if isinstance(always, tuple) else ())),
        session=pack.session or "",
        model=pack.model or "",
        settings={key: Setting(_plain(config.get(key)), config.origin(key)) for key in RECORDED},
    )


def _profile(config: Config) -> Profile:
    """The profile asked for, with single weights of `[relevance]` on top."""
    name = config.pack.profile
    own = config.profiles.get(name)
    made = profile_from_table(name, _said(own)) if own is not None else profile(name)
    relevance = config.relevance
    over: dict[str, object] = {}
    if relevance.method is not None:
        over["method"] = relevance.method
    if relevance.decay_days is not None:
        over["decay_days"] = relevance.decay_days
    if relevance.max_depth is not None:
        over["max_depth"] = relevance.max_depth
    if relevance.weights:
        over["weights"] = {**made.weights, **relevance.weights}
    if relevance.file_types:
        over["file_types"] = dict(relevance.file_types)
    return adjusted(made, over) if over else made


def _tiers(config: Config) -> TierThresholds:
    said = config.relevance.thresholds
    given = {name: value for name in ("primary", "supporting", "include") if (value := getattr(said, name)) is not None}
    return TierThresholds(**given)


def _counter(config: Config) -> Counter:
    pack = config.pack
    if pack.counter is not None:
        return counter(pack.counter)
    return counter_for_model(pack.model) if pack.model is not None else counter()


def _capped(sections: Sequence[Section], config: Config) -> tuple[Section, ...]:
    """Sections that hold one source get that source's `max_tokens` as their cap."""
    made = []
    for section in sections:
        most = config.sources[section.name].max_tokens if section.name in config.sources else None
        made.append(section if most is None else replace(section, cap=min(section.cap, most)))
    return tuple(made)


def _said(settings: object) -> dict[str, object]:
    """A settings dataclass as a table of what was set."""
    assert is_dataclass(settings)
    found = {each.name: getattr(settings, each.name) for each in fields(settings)}
    return {key: value for key, value in found.items() if value is not None and value != {}}


def _plain(value: object) -> SettingValue:
    return value if isinstance(value, str | int | float | bool | tuple) or value is None else str(value)
