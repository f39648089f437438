"""What worked before, and what went wrong: seed 003's patterns and gotchas, counted over everything remembered."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from haversack.errors import UsageError
from haversack.memory.nouns import Experience
from haversack.model import Citation, Unit
from haversack.pack.dedupe import ALIKE
from haversack.recall.answer import HYPOTHESIS, citations_of
from haversack.recall.rank import Ranked, Ranker, Weighing, record_id
from haversack.recall.sizes import one_line
from haversack.safe import sanitize

if TYPE_CHECKING:
    from haversack.memory.store import MemoryStore

MOST: Final = 100
LONGEST_TITLE: Final = 100  # characters
LONGEST_TEXT: Final = 1_200
LEAST_RELEVANT: Final = 0.05  # of 1: below that a shared word is all there is
WORKS: Final = frozenset({"workflow", "decision"})
_FENCED: Final = re.compile(r"```[^\n]*\n(.*?)```", re.DOTALL)
_RESOLVED: Final = re.compile(
    r"(?:\b(?:fix(?:ed)?(?: by)?|resolution|resolved by|workaround|solution|solved by|instead)\b\s*[:：-]?"
    r"|해결[:：]?|解决[:：]?|対処[:：]?)\s*(.+)",
    re.IGNORECASE | re.DOTALL,
)


class Pattern(Struct, frozen=True):
    """Something that worked, and how often."""

    id: str
    title: str
    description: str
    example_code: str | None
    success_count: int
    score: float
    citations: tuple[Citation, ...]

    def as_json(self) -> dict[str, object]:
        return {
            "id": self.id,
            "title": self.title,
            "description": self.description,
            "example_code": self.example_code,
            "success_count": self.success_count,
            "score": round(self.score, 4),
            "citations": [each.as_json() for each in self.citations],
            "isCited": bool(self.citations),
        }


class Gotcha(Struct, frozen=True):
    """Something that goes wrong, how often it did, under which conditions, and what helped."""

    id: str
    title: str
    description: str
    resolution: str
    occurrence_count: int
    trigger_conditions: tuple[str, ...]
    score: float
    citations: tuple[Citation, ...]

    def as_json(self) -> dict[str, object]:
        return {
            "id": self.id,
            "title": self.title,
            "description": self.description,
            "resolution": self.resolution,
            "occurrence_count": self.occurrence_count,
            "trigger_conditions": list(self.trigger_conditions),
            "score": round(self.score, 4),
            "citations": [each.as_json() for each in self.citations],
            "isCited": bool(self.citations),
        }


class Lessons:
    """Reads patterns and gotchas from one memory."""

    def __init__(self, ranker: Ranker, memory: MemoryStore) -> None:
        self._ranker = ranker
        self._memory = memory

    def patterns(self, query: str, *, limit: int = 10) -> tuple[Pattern, ...]:
        """What worked and bears on the query: workflows, decisions, confirmed experiences; alike ones count as one."""
        _check(limit)
        ranked = self._ranked(query, "how_to", _works, limit)
        clusters = self._clusters("full", "strategy")
        found: list[Pattern] = []
        for each in ranked:
            made = _workflow(each) if each.unit.source == "memories" else self._worked(each, clusters)
            at = _told(made.id, made.description, [(one.id, one.description) for one in found])
            if at is None:
                found.append(made)
            elif found[at].id != made.id:  # those of one cluster are counted already
                found[at] = replace(found[at], success_count=found[at].success_count + made.success_count)
        return tuple(found[:limit])

    def gotchas(self, query: str = "", *, files: Sequence[str] = (), limit: int = 10) -> tuple[Gotcha, ...]:
        """What went wrong and bears on the query; with `files` only what concerns one of them."""
        _check(limit)
        wanted = [path.replace("\\", "/").removeprefix("./").strip("/") for path in files if path.strip()]
        text = query if query.strip() else " ".join(wanted)
        ranked = self._ranked(text, "known_issues", lambda unit: _failed(unit) and _concerns(unit, wanted), limit)
        clusters = self._clusters("root_cause", "surprise")
        found: list[Gotcha] = []
        for each in ranked:
            made = _error(each) if each.unit.source == "memories" else self._went_wrong(each, clusters)
            at = _told(made.id, made.description, [(one.id, one.description) for one in found])
            if at is None:
                found.append(made)
            elif found[at].id != made.id:
                found[at] = replace(found[at], occurrence_count=found[at].occurrence_count + made.occurrence_count)
        return tuple(found[:limit])

    def _ranked(self, query: str, intent: str, admit: object, limit: int) -> list[Ranked]:
        assert callable(admit)
        sources = ("memories", "experiences")
        asked = self._ranker.ask(query, sources=sources, intent=intent)
        found: list[Ranked] = []
        # Successes and failures stand among everything else: look further until there are enough or no more.
        for most in (limit * 4, limit * 32):
            found = self._ranker.rank(asked, Weighing(intent), sources=sources, limit=most, admit=admit)
            found = [each for each in found if each.relevance >= LEAST_RELEVANT]
            if len(found) >= limit:
                break
        return found

    def _clusters(self, *axes: str) -> dict[str, tuple[str, tuple[str, ...]]]:
        """Experience to the value it belongs to and all experiences behind that; the first axis that has one counts."""
        found: dict[str, tuple[str, tuple[str, ...]]] = {}
        for axis in axes:
            for value in self._memory.values(axis=axis):
                for experience in value.experiences:
                    found.setdefault(experience, (value.id, value.experiences))
        return found

    def _alike(self, name: str, clusters: dict[str, tuple[str, tuple[str, ...]]], status: str) -> tuple[str, int]:
        """What the experience is counted under, and how many of that status there are."""
        value, members = clusters.get(name, (name, (name,)))
        same = sum(self._memory.experience(each).status == status for each in members)
        return value, max(same, 1)

    def _worked(self, ranked: Ranked, clusters: dict[str, tuple[str, tuple[str, ...]]]) -> Pattern:
        experience = self._memory.experience(record_id(ranked.unit))
        key, count = self._alike(experience.id, clusters, "confirmed")
        lesson = experience.lesson
        parts = (lesson.what_worked if lesson else "", lesson.takeaway if lesson else "", experience.action)
        return Pattern(
            id=key,
            title=_title(experience.goal),
            description=_text("\n".join(dict.fromkeys(part.strip() for part in parts if part.strip()))),
            example_code=_code(experience.action, *experience.notes),
            success_count=count,
            score=ranked.score,
            citations=citations_of(ranked.unit),
        )

    def _went_wrong(self, ranked: Ranked, clusters: dict[str, tuple[str, tuple[str, ...]]]) -> Gotcha:
        experience = self._memory.experience(record_id(ranked.unit))
        key, count = self._alike(experience.id, clusters, "falsified")
        lesson = experience.lesson
        return Gotcha(
            id=key,
            title=_title(experience.surprise or experience.goal),
            description=_text(_what_went_wrong(experience)),
            resolution=_text((lesson.what_worked or lesson.takeaway) if lesson else ""),
            occurrence_count=count,
            trigger_conditions=_conditions(experience),
            score=ranked.score,
            citations=citations_of(ranked.unit),
        )


def _told(name: str, text: str, known: Sequence[tuple[str, str]]) -> int | None:
    """Which of the known it is: of the same id, or alike in what it says."""
    from rapidfuzz.fuzz import ratio

    for at, (other, said) in enumerate(known):
        if other == name or ratio(text, said, score_cutoff=100 * ALIKE):
            return at
    return None


def _check(limit: int) -> None:
    if not 1 <= limit <= MOST:
        raise UsageError(f"a limit is from 1 to {MOST}, not {limit}")


def _works(unit: Unit) -> bool:
    return unit.kind in WORKS or unit.meta.get("outcome") == "confirmed"


def _failed(unit: Unit) -> bool:
    return unit.kind == "error" or unit.meta.get("outcome") == "falsified"


def _concerns(unit: Unit, files: Sequence[str]) -> bool:
    """Whether a memory speaks of one of the files: says so itself, or names it in its text."""
    if not files:
        return True
    own = unit.meta.get("paths")
    paths = own if isinstance(own, tuple) else ()
    for file in files:
        if any(path == file or path.endswith(f"/{file}") or file.endswith(f"/{path}") for path in paths):
            return True
        if file in unit.text or re.search(rf"(?<![\w./-]){re.escape(file.rpartition('/')[2])}(?!\w)", unit.text):
            return True
    return False


def _workflow(ranked: Ranked) -> Pattern:
    unit, cited = ranked.unit, citations_of(ranked.unit)
    text = unit.text if cited else f"{HYPOTHESIS} {unit.text}"
    title = _title(unit.title or unit.text)
    return Pattern(unit.id, title, _text(text), _code(unit.text), _count(unit), ranked.score, cited)


def _error(ranked: Ranked) -> Gotcha:
    unit, cited = ranked.unit, citations_of(ranked.unit)
    resolved = _RESOLVED.search(unit.text)
    conditions = []
    for name in ("paths", "symbols", "tags"):
        value = unit.meta.get(name)
        conditions += list(value) if isinstance(value, tuple) else []
    return Gotcha(
        id=unit.id,
        title=_title(unit.title or unit.text),
        description=_text(unit.text if cited else f"{HYPOTHESIS} {unit.text}"),
        resolution=_text(resolved[1]) if resolved else "",
        occurrence_count=_count(unit),
        trigger_conditions=tuple(conditions),
        score=ranked.score,
        citations=cited,
    )


def _what_went_wrong(experience: Experience) -> str:
    cause = experience.root_cause
    result = experience.outcome.result if experience.outcome else ""
    lines = (
        ("Expected", experience.prediction),
        ("Happened", experience.surprise or result),
        ("Because", f"{cause.category}: {cause.description}".rstrip(": ") if cause else ""),
    )
    return "\n".join(f"{label}: {text.strip()}" for label, text in lines if text.strip())


def _conditions(experience: Experience) -> tuple[str, ...]:
    cause = experience.root_cause
    words = (f"domain: {experience.domain}", f"strategy: {experience.strategy}")
    more = (f"root cause: {cause.category}",) if cause else ()
    return (*words, *more, f"assumed: {_title(experience.hypothesis)}") if experience.hypothesis else (*words, *more)


def _count(unit: Unit) -> int:
    count = unit.meta.get("count", 1)
    return int(count) if isinstance(count, int | float) else 1


def _code(*texts: str) -> str | None:
    for text in texts:
        found = _FENCED.search(text)
        if found:
            return sanitize(found[1]).rstrip()[:LONGEST_TEXT]
    return None


def _title(text: str) -> str:
    line = one_line(sanitize(text))
    return line if len(line) <= LONGEST_TITLE else line[: LONGEST_TITLE - 1].rstrip() + "…"


def _text(text: str) -> str:
    return sanitize(text[:LONGEST_TEXT]).strip()
