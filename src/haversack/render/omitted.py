"""What was left out, told in a few lines: one group per section, the most useful first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from haversack.model import Omitted, Section
from haversack.render.frame import OmittedGroup
from haversack.render.pools import homes_of

# A longer path would cost more than the line is worth; the id opens the same thing.
LONGEST_NAME = 80


def group_omitted(omitted: Sequence[Omitted], sections: Sequence[Section]) -> tuple[OmittedGroup, ...]:
    """Groups in the order they matter: those a larger budget would admit, cheapest first, then the larger ones."""
    homes = homes_of(sections)
    titles = {section.name: section.title for section in sections}
    found: dict[str, list[Omitted]] = {}
    for item in omitted:
        home = homes.get(item.section)
        found.setdefault(home.name if home else item.section, []).append(item)
    groups = [_group(titles.get(name) or name or "elsewhere", items) for name, items in found.items()]
    return tuple(sorted(groups, key=_usefulness))


def opening_name(omitted: Omitted) -> str:
    """What to call a thing so that `haversack show` opens it: its path and lines unless that is long, else its id."""
    if not omitted.path or len(omitted.path) > LONGEST_NAME:
        return omitted.id
    return f"{omitted.path}:{omitted.span}" if omitted.span else omitted.path


def _group(title: str, items: Sequence[Omitted]) -> OmittedGroup:
    first = min(items, key=_next)
    # "duplicate of X" names its twin; in a count it is a duplicate.
    counts = Counter(item.reason.partition(" of ")[0] for item in items)
    reasons = tuple(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))
    return OmittedGroup(title, len(items), reasons, opening_name(first), first.enters_at_budget)


def _next(item: Omitted) -> tuple[bool, int, float, str]:
    return (item.enters_at_budget is None, item.enters_at_budget or 0, -item.score, item.id)


def _usefulness(group: OmittedGroup) -> tuple[bool, int, int, str]:
    enters = group.enters_at_budget
    return (enters is None, enters or 0, -group.count, group.section)
