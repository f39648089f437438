"""The nouns of haversack. Plain frozen data: no I/O, no ranking, no imports from other stages."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, TypeAlias

from msgspec import Struct, field

Scalar: TypeAlias = str | int | float | bool | None
MetaValue: TypeAlias = Scalar | tuple[str, ...]


# The named factors a score is made of, in the order receipts show them.
FACTORS = (
    "task_alignment",
    "recency",
    "mention_density",
    "dependency_depth",
    "file_type",
    "importance",
    "confidence",
    "change_history",
    "explicit",
)


class Level(StrEnum):
    """How much of a unit is shown, most first."""

    FULL = "full"
    LIGHT = "light"
    DETAILED = "detailed"
    SUMMARY = "summary"
    STUB = "stub"


class Status(StrEnum):
    """Whether a unit still holds."""

    LIVE = "live"
    SUPERSEDED = "superseded"
    STALE = "stale"


class Role(StrEnum):
    """What a file is for. Ranking prefers the first over the last unless the task says otherwise."""

    SOURCE = "source"
    TYPES = "types"
    TEST = "test"
    DOCS = "docs"
    REQUIREMENTS = "requirements"
    CONFIG = "config"
    EXAMPLE = "example"
    FIXTURE = "fixture"
    CHANGELOG = "changelog"
    GENERATED = "generated"
    VENDORED = "vendored"


class Span(Struct, frozen=True, order=True):
    """Lines of a file, 1-based, both ends included."""

    start: int
    end: int

    def __str__(self) -> str:
        return f"{self.start}-{self.end}"

    def __len__(self) -> int:
        return max(0, self.end - self.start + 1)

    def overlaps(self, other: Span) -> bool:
        """Whether the two share a line."""
        return self.start <= other.end and other.start <= self.end

    def common(self, other: Span) -> int:
        """How many lines the two share."""
        return max(0, min(self.end, other.end) - max(self.start, other.start) + 1)


def named_lines(target: str) -> tuple[str, Span] | None:
    """`path:12` or `path:12-40` as path and lines; None for anything else."""
    path, _, lines = target.rpartition(":")
    start, dash, end = lines.partition("-")
    if not path or not start.isdecimal() or not (end.isdecimal() if dash else True):
        return None
    return path, Span(int(start), int(end or start))


CitationKind: TypeAlias = Literal["commit", "file", "symbol", "terminal_snapshot", "log"]


class Citation(Struct, frozen=True):
    """Where a statement came from: one of the five kinds of the citation contract.

    `target` is the commit hash, the path, the symbol id, the snapshot id or the log pointer.
    """

    kind: CitationKind
    target: str
    start: int | None = None
    end: int | None = None
    name: str = ""
    file: str = ""

    @classmethod
    def of_file(cls, path: str, span: Span | None = None) -> Citation:
        return cls("file", path, span.start if span else None, span.end if span else None)

    @classmethod
    def of_commit(cls, sha: str) -> Citation:
        return cls("commit", sha)

    @classmethod
    def of_symbol(cls, unit_id: str, name: str, file: str) -> Citation:
        return cls("symbol", unit_id, name=name, file=file)

    @classmethod
    def of_snapshot(cls, snapshot_id: str) -> Citation:
        return cls("terminal_snapshot", snapshot_id)

    @classmethod
    def of_log(cls, pointer: str) -> Citation:
        return cls("log", pointer)

    def as_json(self) -> dict[str, Scalar]:
        """The shape of the contract, per kind."""
        if self.kind == "commit":
            return {"kind": "commit", "hash": self.target}
        if self.kind == "file":
            out: dict[str, Scalar] = {"kind": "file", "path": self.target}
            if self.start is not None:
                out |= {"startLine": self.start, "endLine": self.end}
            return out
        if self.kind == "symbol":
            return {"kind": "symbol", "id": self.target, "name": self.name, "file": self.file}
        if self.kind == "log":
            return {"kind": "log", "pointer": self.target}
        return {"kind": self.kind, "id": self.target}

    def __str__(self) -> str:
        if self.kind == "file":
            return self.target if self.start is None else f"{self.target}:{self.start}-{self.end}"
        if self.kind == "commit":
            return f"commit {self.target[:12]}"
        if self.kind == "symbol":
            return f"{self.file}#{self.name}"
        return f"{self.kind} {self.target}"


class Anatomy(Struct, frozen=True):
    """Where the parts of a definition are in its file, as the syntax tree has them; 0 where there is none.

    `head` is the line of the declaration, the body what may be elided: of a file its imports. Of a file, `comments` are
    those on lines of their own above its first definition.
    """

    head: int
    body_start: int = 0
    body_end: int = 0
    doc_start: int = 0
    doc_end: int = 0
    comments: tuple[tuple[int, int], ...] = ()


class Unit(Struct, frozen=True):
    """One citable piece of project material, already redacted.

    `text` is what the unit says itself: a class without its methods, a file without its functions. The full
    text of a file-backed unit is the lines of `span` in `path`. `refs` are names the unit uses; `imports` are module
    strings as written; `anatomy` is known of code that was parsed. Units of one file partition its lines: every line
    belongs to the innermost unit.
    """

    id: str
    source: str
    kind: str
    title: str
    text: str
    path: str | None = None
    span: Span | None = None
    name: str = ""
    qualname: str = ""
    signature: str = ""
    doc: str = ""
    decorators: tuple[str, ...] = ()
    lang: str = ""
    role: Role = Role.SOURCE
    time: float | None = None
    status: Status = Status.LIVE
    trust: str = "project"
    parent: str | None = None
    bases: tuple[str, ...] = ()
    refs: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    meta: Mapping[str, MetaValue] = field(default_factory=dict)
    anatomy: Anatomy | None = None


class Reranked(Struct, frozen=True):
    """How a task's first candidates were looked at again: by which model, how many it saw and how many it knew."""

    by: str
    candidates: int
    seen: int
    known: int


class Problem(Struct, frozen=True):
    """Something that went wrong with one input, and the way out. It never stops the rest."""

    where: str
    what: str
    fix: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" + (f" ({self.fix})" if self.fix else "")


class Task(Struct, frozen=True):
    """What the user asked, understood.

    `terms` maps readable terms to weights in 0..1, heaviest first. `frames` are (path, line, function), line 0 and an
    empty function where a trace does not say. `rooted` are those paths, of both, that begin where their package begins:
    only a file with all of the path is meant. `lines` are the lines that say most, in their order: what to embed.
    """

    text: str
    type: str = "general"
    type_words: tuple[str, ...] = ()
    intent: str = "how_to"
    complexity: float = 0.0
    terms: Mapping[str, float] = field(default_factory=dict)
    identifiers: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    frames: tuple[tuple[str, int, str], ...] = ()
    rooted: tuple[str, ...] = ()
    after: float | None = None
    before: float | None = None
    complexity_factors: Mapping[str, float] = field(default_factory=dict)
    strategy: str = "simple"
    k: int = 10
    keywords: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    negated: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


class Features(Struct, frozen=True):
    """One unit's raw numbers for one task.

    `keyword` is the IDF-weighted share of the task's terms, `hits` their plain number (the seeds' formulas count them),
    `ranked` what the fitted ranking makes of all evidence, relative to the best (None where it does not rank: it knows
    code), `semantic` the similarity, None when that view did not answer. `depth` is the distance in the dependency
    graph to what the task names; None, like anything past the profile's depth, means no link. `importance` and
    `confidence` are None where the source has no such thing: they then neither help nor hurt. `changes` is how often
    the unit changed, older changes counting less.
    """

    source: str
    keyword: float = 0.0
    hits: int = 0
    ranked: float | None = None
    semantic: float | None = None
    age_seconds: float | None = None
    mentions: int = 0
    depth: int | None = None
    role: Role = Role.SOURCE
    explicit: bool = False
    importance: float | None = None
    confidence: float | None = None
    changes: float = 0.0
    status: Status = Status.LIVE


class Scored(Struct, frozen=True):
    """A unit with its number in 0..1 and the named factors it is made of."""

    unit: Unit
    score: float
    factors: Mapping[str, float]
    explicit: bool = False


class Rung(Struct, frozen=True):
    """One level of one candidate: its text, what it costs rendered, what it is worth, the lines it shows."""

    level: Level
    text: str
    tokens: int
    value: float
    span: Span | None = None
    truncated: bool = False


class Candidate(Struct, frozen=True):
    """A scored unit, the section it competes in, and its ladder, cheapest rung last."""

    scored: Scored
    section: str
    ladder: tuple[Rung, ...]
    pinned: bool = False
    also: tuple[Citation, ...] = ()

    @property
    def id(self) -> str:
        return self.scored.unit.id


class Section(Struct, frozen=True):
    """A share of the budget. `floor` and `cap` are tokens; unused budget goes to the others by `weight`.

    Sections of the same `pool` have their floors and weights together: what is worth most for a token is next in any
    of them.
    """

    name: str
    title: str
    floor: int
    weight: float
    cap: int
    threshold: float = 0.0
    pool: str = ""


class Chosen(Struct, frozen=True):
    """A candidate and the rung it gets; `shows` are those that are no items of their own because this one has them."""

    candidate: Candidate
    rung: Rung
    shows: tuple[Candidate, ...] = ()


class Omitted(Struct, frozen=True):
    """A candidate that is not in the packet, why, and the budget at which it would be."""

    id: str
    title: str
    reason: str
    enters_at_budget: int | None
    section: str = ""
    score: float = 0.0
    path: str | None = None
    span: Span | None = None

    @classmethod
    def of(
        cls, unit: Unit, reason: str, *, score: float = 0.0, section: str = "", enters_at_budget: int | None = None
    ) -> Omitted:
        """The unit left out; the lines of a whole file say nothing and are left away."""
        span = unit.span if unit.kind != "file" else None
        return cls(unit.id, unit.title, reason, enters_at_budget, section, score, unit.path, span)


class Purchase(Struct, frozen=True):
    """What a larger budget buys: this candidate at this level, from that budget on."""

    id: str
    title: str
    level: Level
    at_budget: int


class Selection(Struct, frozen=True):
    """What packing decided. `next` is what a somewhat larger budget would have bought, in order.

    `promised` are the candidates that a smaller packet may have said to be in the one of exactly this budget.
    """

    chosen: tuple[Chosen, ...]
    omitted: tuple[Omitted, ...]
    tokens: int
    spent: Mapping[str, int]
    overflow: bool = False
    budget: int = 0
    next: tuple[Purchase, ...] = ()
    promised: frozenset[str] = frozenset()

    @property
    def shortfall(self) -> int:
        """Tokens by which the mandatory part exceeds the budget."""
        return max(0, self.tokens - self.budget) if self.overflow else 0
