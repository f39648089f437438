"""For a task that sets one environment against another: their differences count as named."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from haversack.model import Task
from haversack.patterns import lazily
from haversack.retrieve.candidates import Found
from haversack.sources.deployment.environments import NAME

MOST_NAMED: Final = 3  # differences; a project with more environments than that has one the task means
_MEANT: Final = {
    "production": lazily(r"(?i)\b(?:production|prod|prd)\b"),
    "staging": lazily(r"(?i)\b(?:staging|stg|uat|preprod)\b"),
}
_SET_AGAINST: Final = lazily(
    r"(?i)\b(?:local(?:ly|host)?|on (?:my|our) machines?|in dev(?:elopment)?|only|but not|differ\w*|unlike|whereas)\b"
)


def compared(found: Sequence[Found], task: Task) -> list[Found]:
    """The same, with the differences of an environment that "works here, fails there" speaks of marked as named."""
    meant = {name for name, words in _MEANT.items() if words.search(task.text)}
    if not meant or not (len(meant) > 1 or _SET_AGAINST.search(task.text)):
        return list(found)
    differences = [each for each in found if each.unit.source == NAME and each.unit.meta.get("environment") in meant]
    differences.sort(key=lambda each: (-each.features.keyword, each.unit.id))
    named = {each.unit.id for each in differences[:MOST_NAMED]}
    return [
        replace(each, features=replace(each.features, explicit=True)) if each.unit.id in named else each
        for each in found
    ]
