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
    allowed = budget(pack.budget, reserve_for_output=pack.reserve_for_output, reserve_for_system=pack.reserve_for_system)
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
