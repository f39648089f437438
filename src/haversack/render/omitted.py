"""What was left out, told in a few lines: one group per section and reason, the most useful first."""

from __future__ import annotations

from collections.abc import Sequence

from haversack.model import Omitted, Section
from haversack.render.frame import OmittedGroup


def group_omitted(omitted: Sequence[Omitted], sections: Sequence[Section]) -> tuple[OmittedGroup, ...]:
    """Groups in the order they matter: those a larger budget would admit, cheapest first, then the larger ones."""
    titles = {section.name: section.title for section in sections}
    found: dict[tuple[str, str], list[Omitted]] = {}
    for item in omitted:
        found.setdefault((item.section, item.reason), []).append(item)
    groups = [_group(titles.get(section) or section or "elsewhere", items) for (section, _), items in found.items()]
    return tuple(sorted(groups, key=_usefulness))


def _group(title: str, items: Sequence[Omitted]) -> OmittedGroup:
    first = min(items, key=_next)
    return OmittedGroup(title, first.reason, len(items), first.path or first.id, first.enters_at_budget)


def _next(item: Omitted) -> tuple[bool, int, float, str]:
    return (item.enters_at_budget is None, item.enters_at_budget or 0, -item.score, item.id)


def _usefulness(group: OmittedGroup) -> tuple[bool, int, int, str, str]:
    enters = group.enters_at_budget
    return (enters is None, enters or 0, -group.count, group.section, group.reason)
