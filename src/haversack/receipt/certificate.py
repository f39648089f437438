"""The sufficiency certificate: what the task asks about, which packed item speaks of it, why the rest is missing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict, replace

from haversack.index.terms import count_terms, fold, forms, stem, term_hash, terms
from haversack.model import Chosen, Level, Omitted, Task, Unit
from haversack.receipt.cover import fewest
from haversack.render.safe import encodable

RequirementKind: TypeAlias = Literal["path", "identifier", "quoted", "term"]
Cause: TypeAlias = Literal["nothing found", "below threshold", "cut by budget"]

# What the task spells out counts twice as much as the weightiest of its ordinary words.
EXPLICIT_WEIGHT = 1.0
TERM_WEIGHT = 0.5
# A long task mentions many things in passing: its weightiest words are what it is about.
TERM_LIMIT = 12
TERM_FLOOR = 0.25  # of the weightiest word
# A word cut into parts or, in scripts without spaces, into pairs of characters is spoken of when half of them occur.
PARTS_NEEDED = 0.5
# A shorter line (a brace, `return None`, `else:`) repeats in any code and says nothing about redundancy.
TELLING_LINE = 20
# The search for causes reads the best of what was left out; further down nothing would have entered anyway.
LEFT_READ = 120

# Seed 003: what covers less of a question than this may not be enough, and says how to go on.
ENOUGH = 0.7

COMMITS = "commits"
DIFF = "diff --git "

# What the user shut out is no answer to what is missing.
EXCLUDED = "excluded"

_WORD = re.compile(r"[\w\u0300-\u036f\u0900-\u0dff\u0e31-\u0e4e]+")
_NAME_PARTS = re.compile(r"\.|::|#|->|/|\\")
_LINE_SUFFIX = re.compile(r":\d+(?:[-:]\d+)?$")
# Addresses and numbers, as crashes print them: no text of a project speaks of them.
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|[\d.,]+")
_HOST = re.compile(r"[\w-]+(?:\.[\w-]+)+/")


class Requirement(Struct, frozen=True):
    """One thing the task asks about and the packed item that covers it, if any."""

    text: str
    kind: RequirementKind
    weight: float
    covered_by: str | None = None


class Gap(Struct, frozen=True):
    """A requirement no packed item covers, why, and what would have covered it."""

    text: str
    kind: RequirementKind
    cause: Cause
    unit: str | None = None
    enters_at_budget: int | None = None


class Certificate(Struct, frozen=True):
    """How sufficient a packet is. `completeness` is None when the task names nothing that could be checked.

    `minimal` are the fewest packed items that cover all that is covered, in packet order.
    """

    completeness: float | None
    redundancy: float
    requirements: tuple[Requirement, ...] = ()
    gaps: tuple[Gap, ...] = ()
    minimal: tuple[str, ...] = ()


def certify(
    task: Task,
    packed: Sequence[Chosen],
    left: Iterable[tuple[Unit, Omitted]] = (),
    held: Collection[str] = (),
) -> Certificate:
    """The certificate of a packet: `packed` in packet order, `left` what was considered and left out, best first.

    `held` are those of the task's paths that the project has a file at: no other file answers for them.
    """
    shown = [_evidence(each) for each in packed]
    asked = requirements(task, held)
    minimal, covering = fewest([frozenset(n for n, each in enumerate(shown) if each.covers(one)) for one in asked])
    found = tuple(
        replace(one, requirement=replace(one.requirement, covered_by=None if at is None else shown[at].id))
        for one, at in zip(asked, covering, strict=True)
    )
    missing = [each for each in found if each.requirement.covered_by is None]
    gaps = _gaps(missing, left) if missing else ()
    return Certificate(
        completeness=_share(found),
        redundancy=redundancy_of([each.rung.text for each in packed]),
        requirements=tuple(each.requirement for each in found),
        gaps=gaps,
        minimal=tuple(shown[at].id for at in minimal),
    )


def redundancy_of(texts: Iterable[str]) -> float:
    """The share of the packed text, by characters of telling lines, that repeats an earlier line."""
    seen: set[str] = set()
    total = repeated = 0
    for text in texts:
        for raw in text.split("\n"):
            line = raw.strip()
            if len(line) < TELLING_LINE:
                continue
            total += len(line)
            if line in seen:
                repeated += len(line)
            seen.add(line)
    return round(repeated / total, 4) if total else 0.0


def certificate_json(certificate: Certificate | None) -> dict[str, object] | None:
    """The certificate as `--json` prints it."""
    if certificate is None:
        return None
    return {
        "completeness": certificate.completeness,
        "redundancy": certificate.redundancy,
        "requirements": [asdict(each) | {"text": encodable(each.text)} for each in certificate.requirements],
        "gaps": [asdict(gap) | {"text": encodable(gap.text)} for gap in certificate.gaps],
        "minimal": list(certificate.minimal),
    }


class Wanted(Struct, frozen=True):
    """A requirement and the terms that speak of it, each with its inflections: as a whole, or part by part.

    `roots` are what the letters of such a text must hold; looking for them first spares most texts a reading. Of paths:
    `held` is one of a file in the project, `elsewhere` one that begins outside of it, on a disk or at a host.
    """

    requirement: Requirement
    roots: tuple[str, ...] = ()
    whole: frozenset[int] = frozenset()
    parts: tuple[frozenset[int], ...] = ()
    held: bool = False
    elsewhere: bool = False


def requirements(task: Task, held: Collection[str] = ()) -> tuple[Wanted, ...]:
    """What the task names, in the order paths, identifiers, quoted strings, then its weightiest other words."""
    wanted: dict[str, Wanted] = {}

    def want(kind: RequirementKind, text: str, *, held: bool = False, elsewhere: bool = False) -> None:
        shown = text.strip()
        if shown and not _NUMBER.fullmatch(shown):
            required = Requirement(shown, kind, EXPLICIT_WEIGHT)
            wanted.setdefault(shown.casefold(), Wanted(required, held=held, elsewhere=elsewhere))

    framed = dict.fromkeys(frame[0] for frame in task.frames)
    for path in (*task.paths, *framed):
        plain = _LINE_SUFFIX.sub("", path)
        # What a task says of a place outside the project loses its first slash when the task is understood.
        elsewhere = path in framed or f"/{plain}" in task.text or _HOST.match(plain) is not None
        want("path", plain, held=path in held, elsewhere=elsewhere)
    for name in (*task.identifiers, *(frame[2] for frame in task.frames)):
        want("identifier", name.removesuffix("()"))
    for text in task.quoted:
        want("quoted", text)
    spelled = {term for each in wanted.values() for term in terms(each.requirement.text)}
    weights = {term: weight for term, weight in task.terms.items() if term not in spelled and weight > 0}
    return (*wanted.values(), *_words(task.text, weights))


def _words(text: str, weights: Mapping[str, float]) -> list[Wanted]:
    """The task's own words for its terms, weightiest first."""
    if not weights:
        return []
    heaviest = max(weights.values())
    by_word: dict[str, tuple[float, list[str]]] = {}
    unnamed = dict(weights)
    for word in dict.fromkeys(_WORD.findall(text)):
        if _NUMBER.fullmatch(word):
            for term in terms(word):
                unnamed.pop(term, None)
            continue
        found = [term for term in terms(word) if term in weights]
        if found and word.casefold() not in by_word and any(term in unnamed for term in found):
            by_word[word.casefold()] = (max(weights[term] for term in found), [word, *found])
            for term in found:
                unnamed.pop(term, None)
    for term, weight in unnamed.items():  # terms the analysis of the task added itself
        by_word.setdefault(term, (weight, [term, term]))
    ranked = sorted(by_word.items(), key=lambda entry: (-entry[1][0], entry[0]))
    kept = [value for _, value in ranked if value[0] >= TERM_FLOOR * heaviest][:TERM_LIMIT]
    return [_wanted_word(found[0], found[1:], TERM_WEIGHT * weight / heaviest) for weight, found in kept]


def _wanted_word(word: str, found: Sequence[str], weight: float) -> Wanted:
    whole = word.casefold().replace("_", "")
    wholes = {term for term in found if term == whole or len(found) == 1}
    return Wanted(
        Requirement(word, "term", round(weight, 4)),
        roots=tuple(dict.fromkeys(map(_root, found))),
        whole=frozenset().union(*map(_inflected, wholes)),
        parts=tuple(_inflected(term) for term in found if term not in wholes),
    )


def _root(term: str) -> str:
    return stem(term).removesuffix("y") or term  # query, queries


def _inflected(term: str) -> frozenset[int]:
    return frozenset(map(term_hash, (term, *forms(term))))


class _Evidence:
    """One text that may speak of a requirement, read in the ways requirements need and only when they do."""

    def __init__(self, unit: Unit, text: str, *, in_full: bool) -> None:
        self.id = unit.id
        self.path = unit.path or ""
        self.qualname = unit.qualname
        self.in_full = in_full
        told = f"{unit.qualname}\n{unit.title}\n{text}"
        self._said = f"{self.path}\n{told}"
        # A commit's list of files says nothing of what stands in them; its diff does.
        self._about_files = "".join(text.partition(DIFF)[1:]) if unit.source == COMMITS else told

    @cached_property
    def text(self) -> str:
        return self._said if self._said.isascii() else unicodedata.normalize("NFC", self._said)

    @cached_property
    def cased(self) -> str:
        return self.text.casefold()

    @cached_property
    def folded(self) -> str:
        return " ".join(self.cased.split())

    @cached_property
    def letters(self) -> str:
        plain = self._said if self._said.isascii() else fold(self._said)
        return plain.casefold().replace("_", "")

    @cached_property
    def terms(self) -> frozenset[int]:
        return frozenset(count_terms(self._said))

    def covers(self, wanted: Wanted) -> bool:
        """Whether this text speaks of it."""
        kind = wanted.requirement.kind
        if kind == "term":
            return self._speaks_of(wanted)
        text = unicodedata.normalize("NFC", wanted.requirement.text)
        if kind == "quoted":
            return " ".join(text.casefold().split()) in self.folded
        return self._is_file(text, wanted) if kind == "path" else self._names(text)

    def _speaks_of(self, wanted: Wanted) -> bool:
        if not any(root in self.letters for root in wanted.roots):
            return False
        if not wanted.whole.isdisjoint(self.terms):
            return True
        said = sum(not part.isdisjoint(self.terms) for part in wanted.parts)
        return said > 0 and said >= PARTS_NEEDED * len(wanted.parts)

    def _is_file(self, path: str, wanted: Wanted) -> bool:
        asked = path.replace("\\", "/").removeprefix("./").strip("/")
        same = self.path == asked or f"/{self.path}".find(f"/{asked}/") >= 0
        same = same or (not wanted.held and (self.path.endswith(f"/{asked}") or self._ends(asked, wanted.elsewhere)))
        # Knowing that a file exists is not knowing what it says.
        return (same and self.in_full) or (not same and self._mentions(asked, wanted.held))

    def _mentions(self, asked: str, held: bool) -> bool:
        """Whether the text speaks of a file; of one in the project, and not of another whose path ends alike."""
        if asked not in self._about_files:
            return False
        return not held or re.search(rf"(?<![\w./-])(?:[ab]/)?{re.escape(asked)}(?!\w)", self._about_files) is not None

    def _ends(self, asked: str, elsewhere: bool) -> bool:
        """Whether the path asked for goes on as this one: the project lies somewhere on the way."""
        own = self.path.split("/")
        if elsewhere:
            return asked.endswith(f"/{self.path}") if len(own) < 2 else asked.split("/")[-2:] == own[-2:]
        return len(own) > 1 and asked.endswith(f"/{self.path}")

    def _names(self, identifier: str) -> bool:
        parts = [part for part in _NAME_PARTS.split(identifier) if part]
        if not parts:
            return False
        # Which modules a definition is part of stands in few definitions.
        return self._defines(parts) or all(
            part.casefold() in self.cased and _has_name(self.text, part) for part in parts
        )

    def _defines(self, parts: Sequence[str]) -> bool:
        """Whether this is the definition of a name that is written with its modules, or its type, before it."""
        own = [part for part in _NAME_PARTS.split(self.qualname) if part]
        of_type = len(parts) > 1 and parts[-2][:1].isupper()
        need = 2 if of_type else 1
        return len(own) >= need and own[-need:] == list(parts[-need:])


def _has_name(text: str, name: str) -> bool:
    before = r"(?<!\w)" if name[0].isalnum() or name[0] == "_" else ""
    after = r"(?!\w)" if name[-1].isalnum() or name[-1] == "_" else ""
    return re.search(f"{before}{re.escape(name)}{after}", text, re.IGNORECASE) is not None


def _evidence(chosen: Chosen) -> _Evidence:
    unit = chosen.candidate.scored.unit
    return _Evidence(unit, chosen.rung.text, in_full=chosen.rung.level != Level.STUB)


def _share(found: Sequence[Wanted]) -> float | None:
    total = sum(each.requirement.weight for each in found)
    if not total:
        return None
    return round(sum(each.requirement.weight for each in found if each.requirement.covered_by is not None) / total, 4)


def _gaps(missing: Sequence[Wanted], left: Iterable[tuple[Unit, Omitted]]) -> tuple[Gap, ...]:
    considered = [
        (_Evidence(unit, unit.text, in_full=True), omitted)
        for unit, omitted in islice(left, LEFT_READ)
        if omitted.reason != EXCLUDED
    ]
    # What a larger budget would admit is the better answer, whatever order it was left out in.
    considered.sort(key=lambda pair: _cause(pair[1]) == "below threshold")
    gaps = []
    for wanted in missing:
        requirement = wanted.requirement
        omitted = next((each for text, each in considered if text.covers(wanted)), None)
        if omitted is None:
            gaps.append(Gap(requirement.text, requirement.kind, "nothing found"))
        else:
            cause = _cause(omitted)
            gaps.append(Gap(requirement.text, requirement.kind, cause, omitted.id, omitted.enters_at_budget))
    return tuple(gaps)


def _cause(omitted: Omitted) -> Cause:
    return "below threshold" if "threshold" in omitted.reason else "cut by budget"
