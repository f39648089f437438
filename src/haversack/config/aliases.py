"""Other names for our settings: the tables of seed 001's schema and seed 002's `[enrichment]`, as written there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from msgspec import Struct

from haversack.config.settings import TREE
from haversack.config.sources import SOURCE_OPTIONS
from haversack.config.tree import Group, Node, Setting, find
from haversack.model import FACTORS


class Alias(Struct, frozen=True):
    """A path that means one of ours; `inverted` when true there is false here."""

    theirs: tuple[str, ...]
    ours: tuple[str, ...]
    inverted: bool = False


FILE_TYPES = {
    "source_code": "source",
    "test_code": "test",
    "requirements": "requirements",
    "documentation": "docs",
    "config": "config",
}
"""Seed 001's names of what a file is for, and ours."""

SOURCE_NAMES = {"documentation": "docs"}
"""Seed 002's names of sources where ours differ."""


def _alias(theirs: str, ours: str, *, inverted: bool = False) -> Alias:
    return Alias(tuple(theirs.split(".")), tuple(ours.split(".")), inverted)


def _budget_config() -> list[Alias]:
    found = [
        _alias("budget_config.enabled", "pack.soft", inverted=True),
        _alias("budget_config.total_budget.max_tokens", "pack.budget"),
        _alias("budget_config.total_budget.reserve_for_output", "pack.reserve_for_output"),
        _alias("budget_config.total_budget.reserve_for_system", "pack.reserve_for_system"),
        _alias("budget_config.overflow_strategy", "pack.overflow"),
    ]
    for section in ("primary", "supporting", "reference", "history"):
        theirs, ours = f"budget_config.allocation.{section}_context", f"presets.task.sections.{section}"
        found.append(_alias(f"{theirs}.percentage", f"{ours}.weight"))
        found.append(_alias(f"{theirs}.description", f"{ours}.description"))
    return found


def _relevance_scoring() -> list[Alias]:
    theirs = "relevance_scoring"
    found = [
        _alias(f"{theirs}.enabled", "relevance.enabled"),
        _alias(f"{theirs}.scoring_method", "relevance.method"),
        _alias(f"{theirs}.factors.recency.decay_days", "relevance.decay_days"),
        _alias(f"{theirs}.factors.dependency_depth.max_depth", "relevance.max_depth"),
        _alias(f"{theirs}.thresholds.include_minimum", "relevance.thresholds.include"),
        _alias(f"{theirs}.thresholds.primary_threshold", "relevance.thresholds.primary"),
        _alias(f"{theirs}.thresholds.supporting_threshold", "relevance.thresholds.supporting"),
    ]
    for factor in FACTORS:
        found.append(_alias(f"{theirs}.factors.{factor}.weight", f"relevance.weights.{factor}"))
        found.append(_alias(f"{theirs}.factors.{factor}.description", f"relevance.notes.{factor}"))
    priorities = f"{theirs}.factors.file_type.priorities"
    return found + [_alias(f"{priorities}.{name}", f"relevance.file_types.{ours}") for name, ours in FILE_TYPES.items()]


def _summarization() -> list[Alias]:
    theirs = "summarization"
    found = [
        _alias(f"{theirs}.enabled", "levels.enabled"),
        _alias(f"{theirs}.levels.detailed.preserve", "levels.detailed.preserve"),
        _alias(f"{theirs}.levels.stub.include", "levels.stub.include"),
        _alias(f"{theirs}.caching.enabled", "levels.cache.enabled"),
        _alias(f"{theirs}.caching.cache_path", "levels.cache.path"),
        _alias(f"{theirs}.caching.invalidate_on_change", "levels.cache.invalidate_on_change"),
        _alias(f"{theirs}.caching.max_age_hours", "levels.cache.max_age_hours"),
    ]
    for level in ("full", "detailed", "summary", "stub"):
        found.append(_alias(f"{theirs}.levels.{level}.token_limit", f"levels.{level}.max_tokens"))
        found.append(_alias(f"{theirs}.levels.{level}.description", f"levels.{level}.description"))
        found.append(_alias(f"{theirs}.levels.{level}.use_when", f"levels.{level}.use_when"))
    return found


def _enrichment() -> list[Alias]:
    found = [
        _alias("enrichment.default_budget_tokens", "pack.budget"),
        _alias("enrichment.min_headroom_tokens", "pack.reserve_for_output"),
    ]
    renamed = {ours: theirs for theirs, ours in SOURCE_NAMES.items()}
    for ours, options in SOURCE_OPTIONS.items():
        theirs = renamed.get(ours, ours)
        found.append(_alias(f"enrichment.thresholds.{theirs}", f"sources.{ours}.threshold"))
        keys = ("enabled", "threshold", "max_tokens", *options)
        found += [_alias(f"enrichment.sources.{theirs}.{key}", f"sources.{ours}.{key}") for key in keys]
    return found


ALIASES: Mapping[tuple[str, ...], Alias] = {
    alias.theirs: alias for alias in (*_budget_config(), *_relevance_scoring(), *_summarization(), *_enrichment())
}
"""Every alias by its path."""


IMPLIED_PRESET = ("enrichment", "enrichment")
"""A file that has this table means the preset of that name, unless it chooses one itself."""


def _tree() -> Group:
    """The aliases as a tree of settings, each with the kind and default of ours."""
    nested: dict[str, Node] = {}
    for alias in ALIASES.values():
        level = nested
        for name in alias.theirs[:-1]:
            group = cast("Group", level.setdefault(name, Group("", {})))
            level = cast("dict[str, Node]", group.children)
        ours = cast("Setting", find(TREE, alias.ours))
        default = not ours.default if alias.inverted else ours.default
        level[alias.theirs[-1]] = Setting(ours.kind, default, f"The same as {_name(alias)}.")
    return Group("Names of other programs.", nested)


def _name(alias: Alias) -> str:
    return ("not " if alias.inverted else "") + ".".join(alias.ours)


FILE_TREE = Group(TREE.doc, {**TREE.children, **_tree().children})
"""What may stand in a settings file: our names and the others."""
