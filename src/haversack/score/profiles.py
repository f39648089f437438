"""Profiles: tables of weights that turn factors into one score. Each number has its origin beside it.

A score is the weighted mean of the factors that apply, in 0..1. What the task names explicitly gets a bonus on top, and
the sum is capped at 1. `scale` replaces the sum of weights where a seed's own formula divides by something else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias, get_args

from msgspec import Struct, field
from msgspec.structs import replace

from haversack.errors import ConfigError
from haversack.model import FACTORS, Role, Status
from haversack.score import tables
from haversack.score.curves import Curve, HalfLife, Linear, Steps

Method: TypeAlias = Literal["keyword", "semantic", "hybrid"]
METHODS: tuple[Method, ...] = get_args(Method)

# Seed 001: source 1.0, test .9, requirements .8, documentation .7, config .6. It names no others: types are source, and
# the rest fall below config in the order `Role` prefers them.
FILE_TYPES: Mapping[Role, float] = {
    Role.SOURCE: 1.0,
    Role.TYPES: 1.0,
    Role.TEST: 0.9,
    Role.REQUIREMENTS: 0.8,
    Role.DOCS: 0.7,
    Role.CONFIG: 0.6,
    Role.EXAMPLE: 0.5,
    Role.FIXTURE: 0.3,
    Role.CHANGELOG: 0.3,
    Role.GENERATED: 0.1,
    Role.VENDORED: 0.1,
}

# Days after which freshness halves, and where it stops falling. Fast for what is about now, nearly flat for what holds
# until it is superseded. Code's 7 days are seed 001's; the others are our choice.
RECENCY: Mapping[str, Curve] = {
    "logs": HalfLife(1),
    "conversation": HalfLife(3, floor=0.1),
    "code": HalfLife(7, floor=0.2),
    "deployment": HalfLife(14, floor=0.2),
    "environments": HalfLife(14, floor=0.2),
    "ci": HalfLife(1),
    "commits": HalfLife(30, floor=0.1),
    "research": HalfLife(30, floor=0.3),
    "experiences": HalfLife(60, floor=0.4),
    "docs": HalfLife(90, floor=0.4),
    "documentation": HalfLife(90, floor=0.4),
    "memories": HalfLife(180, floor=0.6),
    "learnings": HalfLife(180, floor=0.6),
    "decisions": HalfLife(365, floor=0.8),
    "knowledge": HalfLife(365, floor=0.8),
    "values": HalfLife(365, floor=0.8),
}
OTHER_SOURCE = HalfLife(30, floor=0.3)  # a source nobody has described: in the middle


class Profile(Struct, frozen=True):
    """How the factors of a candidate become one number."""

    name: str
    weights: Mapping[str, float]
    method: Method = "hybrid"
    semantic_share: float = 0.5  # of task alignment, when hybrid
    hits_for_full: int | None = None  # count plain hits up to this many instead of weighing terms
    ranked: bool = False  # take the fitted ranking's word where it has one
    ranked_alignment: float | None = None  # what that word weighs; None: what task alignment weighs elsewhere
    recency: Mapping[str, Curve] = field(default_factory=lambda: RECENCY)
    other_recency: Curve = OTHER_SOURCE
    file_types: Mapping[Role, float] = field(default_factory=lambda: FILE_TYPES)
    max_depth: int = 3  # seed 001: past three steps a dependency says nothing
    scale: float | None = None
    status: Mapping[Status, float] = field(default_factory=lambda: {Status.SUPERSEDED: 0.0})

    def curve(self, source: str) -> Curve:
        """The recency curve of a source."""
        return self.recency.get(source, self.other_recency)


# Alignment leads because it alone knows the task; the rest order what it leaves close together. Lexical search is the
# backbone and vectors help less (measured: BM25 + 0.4 x static vectors is best, so .4 / 1.4 of the blend).
DEFAULT = Profile(
    "default",
    {
        "task_alignment": 0.72,
        "file_type": 0.10,
        "dependency_depth": 0.06,
        "mention_density": 0.05,
        "change_history": 0.04,
        "recency": 0.03,
        "importance": 0.05,  # only where the source knows it
        "confidence": 0.05,  # only where the source knows it
        "explicit": 0.3,  # seed 002's bonus, where the fitted ranking has no say
    },
    semantic_share=0.4 / 1.4,
    ranked=True,
    # The ranking has weighed roles, links and past changes already: the other factors only part what it leaves equal.
    # On 351 development tasks the first 8,000 tokens held .725 of the changed functions of issues and .734 of those of
    # commits; with a fifth of this .714 and .726, with fifty times as much .717 and .734.
    ranked_alignment=20.0,
    status={Status.SUPERSEDED: 0.0, Status.STALE: 0.7},
)

# Seed 000: recency in steps plus min(hits / 3, 1), a range of 0..2, here divided by 2. Superseded entries score 0.
CTX = Profile(
    "ctx",
    {"task_alignment": 1.0, "recency": 1.0},
    method="keyword",
    hits_for_full=3,
    recency={},
    other_recency=Steps(((7, 1.0), (30, 0.7), (90, 0.4)), older=0.2),
    scale=2.0,
)

# Seed 001: five factors .4/.2/.2/.1/.1, decay 7 days, depth 3, hybrid. It says nothing of how the decay falls: halving.
AIWG = Profile(
    "aiwg",
    {
        "task_alignment": 0.4,
        "recency": 0.2,
        "mention_density": 0.2,
        "dependency_depth": 0.1,
        "file_type": 0.1,
    },
    recency={},
    other_recency=HalfLife(7, unknown=0.0),
)

# Seed 002: .4 semantic + .3 min(hits / 5, 1) + .2 decay over a week (168 h) + .3 when named, capped at 1, not divided.
RINGMASTER = Profile(
    "ringmaster",
    {"task_alignment": 0.7, "recency": 0.2, "explicit": 0.3},
    semantic_share=0.4 / 0.7,
    hits_for_full=5,
    recency={},
    other_recency=Linear(7),
    scale=1.0,
)

# Seed 004: ranked by similarity, adjusted by confidence (experiences), importance (memories) and a small bonus for
# recent items; it gives the order of these, the weights are our choice.
CLAMS = Profile(
    "clams",
    {"task_alignment": 0.7, "confidence": 0.15, "importance": 0.1, "recency": 0.05},
    method="semantic",
    recency={},
    other_recency=HalfLife(30),
)

PROFILES: Mapping[str, Profile] = {profile.name: profile for profile in (DEFAULT, CTX, AIWG, RINGMASTER, CLAMS)}


def profile(name: str) -> Profile:
    """The built-in profile of that name."""
    return PROFILES[tables.one_of("profile", name, PROFILES)]


def profile_from_table(name: str, entries: Mapping[str, object]) -> Profile:
    """A user's own profile: what the table does not say comes from the profile it `extends`, or from the default.

    Keys: extends, method, semantic_share, hits_for_full, max_depth, weights (factor to number), decay_days (a number
    for every source, or a table from source to number), file_types (role to 0..1).
    """
    where = f"profile {name!r}"
    tables.only_keys(where, entries, _READERS.keys() | {"extends"})
    made = replace(profile(tables.one_of(f"{where}.extends", entries.get("extends", "default"), PROFILES)), name=name)
    for key in sorted(entries.keys() & _READERS.keys()):
        made = _READERS[key](f"{where}.{key}", made, entries[key])
    return made


def _weights(where: str, made: Profile, value: object) -> Profile:
    weights = tables.numbers(where, value, FACTORS)
    if not any(weight for factor, weight in weights.items() if factor != "explicit"):
        raise ConfigError(f"{where}: no factor has a weight", hint="give task_alignment a number above 0")
    # New weights come with their own sum: a seed's divisor belongs to the seed's weights.
    return replace(made, weights=weights, scale=None, ranked_alignment=None)


def _method(where: str, made: Profile, value: object) -> Profile:
    chosen = tables.one_of(where, value, METHODS)
    return replace(made, method=next(method for method in METHODS if method == chosen))


def _semantic_share(where: str, made: Profile, value: object) -> Profile:
    return replace(made, semantic_share=tables.number(where, value, high=1.0))


def _hits_for_full(where: str, made: Profile, value: object) -> Profile:
    return replace(made, hits_for_full=tables.integer(where, value, low=1))


def _max_depth(where: str, made: Profile, value: object) -> Profile:
    return replace(made, max_depth=tables.integer(where, value))


def _decay_days(where: str, made: Profile, value: object) -> Profile:
    if isinstance(value, int | float):
        return replace(made, recency={}, other_recency=HalfLife(tables.number(where, value, low=_SHORTEST_DECAY)))
    curves = {
        source: HalfLife(tables.number(f"{where}.{source}", days, low=_SHORTEST_DECAY))
        for source, days in tables.table(where, value).items()
    }
    return replace(made, recency={**made.recency, **curves})


def _file_types(where: str, made: Profile, value: object) -> Profile:
    given = tables.numbers(where, value, [role.value for role in Role], high=1.0)
    return replace(made, file_types={**made.file_types, **{Role(role): number for role, number in given.items()}})


_SHORTEST_DECAY = 1 / 24  # an hour: below that everything on disk is equally old
_READERS = {
    "weights": _weights,
    "method": _method,
    "semantic_share": _semantic_share,
    "hits_for_full": _hits_for_full,
    "max_depth": _max_depth,
    "decay_days": _decay_days,
    "file_types": _file_types,
}
