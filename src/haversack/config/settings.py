"""Every setting, declared once: defaults, checks, the JSON Schema, `haversack init` and docs are drawn from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from haversack.config.kinds import choice, confined, flag, folder, integer, list_of, number, share, text, users_own
from haversack.config.sources import SourceSettings, known_sources, sources_group
from haversack.config.tree import Group, Setting, about, group_of, grouped
from haversack.model import FACTORS

UNIT = number(0, 1)
"""A score or a threshold."""

METHOD = choice("keyword", "semantic", "hybrid")
DEPTH = integer(0, 10)
DAYS = number(1 / 24)
"""Below an hour everything on disk is equally old."""

FILE_TYPES = (
    "source",
    "types",
    "test",
    "requirements",
    "docs",
    "config",
    "example",
    "fixture",
    "changelog",
    "generated",
    "vendored",
)
"""What a file can be for."""

PRESERVED = ("function signatures", "class definitions", "interface types", "comments/docstrings")
"""What the detailed level can keep."""

STUB_PARTS = ("file path", "file type", "last modified", "line count")
"""What a stub can say."""

NO_LIMIT = -1
EXAMPLE_WEIGHT = 0.5


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """What is read."""

    roots: tuple[str, ...] = field(
        default=(),
        metadata=about(
            list_of(folder()),
            "Folders to read, relative to the project; outside it only from the user file, the environment or a flag. "
            "Unset: the git repository, or the folder itself.",
        ),
    )
    ignore: tuple[str, ...] = field(
        default=(),
        metadata=about(
            list_of(text()), "Patterns to leave out, beside those of .gitignore, .ignore and .haversackignore."
        ),
    )
    include: tuple[str, ...] = field(
        default=(), metadata=about(list_of(text()), "Patterns to read although an ignore rule leaves them out.")
    )
    max_file_bytes: int = field(
        default=1_000_000, metadata=about(integer(1), "Files larger than this are skipped and counted.")
    )


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """A language model. Off unless it has an endpoint and a name, or a command.

    Text of the project is given to it, so a project's own file cannot turn it on.
    """

    endpoint: str | None = field(
        default=None,
        metadata=about(
            users_own(text(r"https?://\S+", "the address of an API, such as http://localhost:11434/v1")),
            "Address of an OpenAI-compatible API.",
            "http://localhost:11434/v1",
        ),
    )
    model: str | None = field(default=None, metadata=about(users_own(text()), "Its name there.", "qwen3"))
    key_variable: str | None = field(
        default=None,
        metadata=about(users_own(text()), "The environment variable that holds the key.", "OPENAI_API_KEY"),
    )
    command: str | None = field(
        default=None,
        metadata=about(
            users_own(text()),
            "Instead of an endpoint: a program that is given the question and prints the answer.",
            "claude -p",
        ),
    )
    timeout_seconds: float = field(
        default=20.0, metadata=about(users_own(number(0.1, 600)), "How long one answer may take.")
    )

    @property
    def configured(self) -> bool:
        """Whether there is a model to ask."""
        return bool((self.command or "").strip() or (self.endpoint and self.model))


PATIENT_MODEL: Final = ModelSettings(timeout_seconds=60.0)
# For whoever cannot wait for a language model, or would ask it hundreds of times.
WITHOUT_READER: Final[Mapping[str, object]] = {"index.reader.model": "", "index.reader.command": ""}


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """How the index is kept."""

    data_dir: str | None = field(
        default=None,
        metadata=about(folder(), "Where indexes and receipts live. Unset: the user's cache folder.", ".haversack"),
    )
    workers: int = field(default=0, metadata=about(integer(0, 256), "Processes that read files; 0: one per core."))
    commits_limit: int = field(default=5000, metadata=about(integer(0), "Newest commits to read; 0: none."))
    semantic: bool = field(default=True, metadata=about(flag(), "Keep vectors for search by meaning."))
    embedding: str = field(
        default="",
        metadata=about(
            users_own(text()),
            "Another model for the vectors: a folder or hf:NAME, in the format of Model2Vec or ONNX. Empty: our own.",
            "hf:minishlab/potion-base-8M",
        ),
    )
    rerank: str = field(
        default="off",
        metadata=about(
            choice("off", "minilm"),
            "An encoder that reorders the first 100 pieces of code; minilm: with haversack[minilm].",
        ),
    )
    rerank_seconds: float = field(
        default=2.0,
        metadata=about(number(0, 60), "How long a packet waits for that; what is not read by then keeps its place."),
    )
    reader: ModelSettings = field(
        default=PATIENT_MODEL,
        metadata=grouped(
            group_of(PATIENT_MODEL, "A language model that reads the first pieces of code and says which to change.")
        ),
    )


@dataclass(frozen=True, slots=True)
class PackSettings:
    """How a packet is made."""

    budget: int = field(
        default=8000, metadata=about(integer(0), "Tokens a packet may hold, headings and footer included.")
    )
    reserve_for_output: int = field(
        default=0, metadata=about(integer(0), "Tokens of the budget kept free for the model's answer.")
    )
    reserve_for_system: int = field(
        default=0, metadata=about(integer(0), "Tokens of the budget kept free for system prompts.")
    )
    format: str = field(
        default="markdown", metadata=about(choice("markdown", "json", "xml"), "How a packet is written.")
    )
    preset: str = field(
        default="task",
        metadata=about(text(), "Sections and their shares: task, enrichment, agent, learning, hydrate or your own."),
    )
    profile: str = field(
        default="default",
        metadata=about(text(), "Weights of the score: default, ctx, aiwg, ringmaster, clams or your own."),
    )
    type: str | None = field(
        default=None,
        metadata=about(
            text(), "Type of task: bug, feature, infrastructure, research, … Unset: read from the task.", "bug"
        ),
    )
    ask: tuple[str, ...] = field(
        default=(),
        metadata=about(
            list_of(choice("logs", "deployment")),
            "Sources to ask whatever the task is; else debugging and infrastructure tasks ask them.",
        ),
    )
    model: str | None = field(
        default=None,
        metadata=about(text(), "The model that will read the packet. It decides how tokens are counted.", "gpt-5"),
    )
    counter: str | None = field(
        default=None,
        metadata=about(
            confined(text()),
            "How tokens are counted: o200k, cl100k, chars/4, or the path of a tokenizer.json. Unset: by model.",
            "o200k",
        ),
    )
    overflow: str = field(
        default="prioritize",
        metadata=about(
            choice("prioritize", "summarize", "truncate", "error"),
            "When not all fits: keep the best, shorten, cut at a boundary, or fail.",
        ),
    )
    soft: bool = field(default=False, metadata=about(flag(), "Let a packet exceed its budget, and say so."))
    fill: bool = field(default=False, metadata=about(flag(), "Spend what is left on pieces below the threshold."))
    strict: bool = field(
        default=False, metadata=about(flag(), "Leave out entries that name files or symbols which are gone.")
    )
    show_scores: bool = field(default=False, metadata=about(flag(), "Write each piece's score into the packet."))
    footer: bool = field(
        default=True, metadata=about(flag(), "Say at a packet's end what was left out, and repeat the task.")
    )
    session: str | None = field(
        default=None,
        metadata=about(text(), "Session that packets belong to: each carries only what is new to it.", "tuesday"),
    )
    later_score: float = field(
        default=0.0, metadata=about(UNIT, "Least score of a new piece in the later packets of a session.")
    )
    repeat: bool = field(
        default=False, metadata=about(flag(), "Give a session again what it was given: its conversation was cleared.")
    )


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Scores at which a piece enters the packet and its tiers. Unset: the preset's."""

    include: float | None = field(default=None, metadata=about(UNIT, "Least score to be in the packet at all.", 0.3))
    supporting: float | None = field(default=None, metadata=about(UNIT, "Least score for the supporting section.", 0.5))
    primary: float | None = field(default=None, metadata=about(UNIT, "Least score for the primary section.", 0.7))


def _weights(doc: str) -> Group:
    return Group(doc, {name: Setting(number(0), None, f"Weight of {name}.", EXAMPLE_WEIGHT) for name in FACTORS})


def _file_types() -> Group:
    kinds = {name: Setting(UNIT, None, f"Priority of {name} files.", EXAMPLE_WEIGHT) for name in FILE_TYPES}
    return Group("Priority by what a file is for. Unset: the profile's.", kinds)


@dataclass(frozen=True, slots=True)
class RelevanceSettings:
    """How pieces are scored."""

    enabled: bool = field(
        default=True, metadata=about(flag(), "Score pieces. Off: what the task names comes first, all else is equal.")
    )
    method: str | None = field(
        default=None, metadata=about(METHOD, "How alignment with the task is measured. Unset: the profile's.", "hybrid")
    )
    decay_days: float | None = field(
        default=None, metadata=about(DAYS, "Days in which recency halves, for every source. Unset: the profile's.", 7)
    )
    max_depth: int | None = field(
        default=None, metadata=about(DEPTH, "Steps in the dependency graph that still count. Unset: the profile's.", 3)
    )
    weights: Mapping[str, float] = field(
        default_factory=dict,
        metadata=grouped(_weights("Weights that replace single ones of the profile.")),
    )
    file_types: Mapping[str, float] = field(default_factory=dict, metadata=grouped(_file_types()))
    thresholds: Thresholds = field(default=Thresholds(), metadata=grouped(group_of(Thresholds())))
    notes: Mapping[str, str] = field(
        default_factory=dict,
        metadata=grouped(
            Group(
                "Your words on a factor; shown by `haversack score`.",
                {factor: Setting(text(), None, f"What {factor} is for.") for factor in FACTORS},
            )
        ),
    )


@dataclass(frozen=True, slots=True)
class LevelSettings:
    """One level of detail."""

    max_tokens: int = field(
        default=NO_LIMIT, metadata=about(integer(NO_LIMIT), "Most tokens of one piece; -1: no limit.")
    )
    preserve: tuple[str, ...] = field(
        default=(), metadata=about(list_of(choice(*PRESERVED)), "What is kept when bodies go.")
    )
    include: tuple[str, ...] = field(default=(), metadata=about(list_of(choice(*STUB_PARTS)), "What a stub says."))
    description: str | None = field(default=None, metadata=about(text(), "Your words on this level."))
    use_when: str | None = field(default=None, metadata=about(text(), "Your words on when it is used."))


FULL = LevelSettings()
LIGHT = LevelSettings()
DETAILED = LevelSettings(2000, preserve=PRESERVED)
SUMMARY = LevelSettings(500)
STUB = LevelSettings(100, include=STUB_PARTS)
"""Limits from seed 001."""


@dataclass(frozen=True, slots=True)
class CacheSettings:
    """Levels are made once per content."""

    enabled: bool = field(default=True, metadata=about(flag(), "Keep levels between runs."))
    path: str | None = field(
        default=None, metadata=about(folder(), "Where. Unset: the data folder.", ".haversack/levels")
    )
    invalidate_on_change: bool = field(
        default=True,
        metadata=about(flag(), "Drop a file's levels when it changes. Off: keep them by content until they age out."),
    )
    max_age_hours: int = field(default=24, metadata=about(integer(0), "Hours after which a level is made again."))


@dataclass(frozen=True, slots=True)
class LevelsSettings:
    """Levels of detail, most first."""

    enabled: bool = field(default=True, metadata=about(flag(), "Shorten pieces. Off: a piece is whole or absent."))
    full: LevelSettings = field(
        default=FULL, metadata=grouped(group_of(FULL, "The whole text.", without=("preserve", "include")))
    )
    light: LevelSettings = field(
        default=LIGHT,
        metadata=grouped(group_of(LIGHT, "The text without what only decorates it.", without=("preserve", "include"))),
    )
    detailed: LevelSettings = field(
        default=DETAILED,
        metadata=grouped(group_of(DETAILED, "Structure, and the lines that match the task.", without=("include",))),
    )
    summary: LevelSettings = field(
        default=SUMMARY,
        metadata=grouped(group_of(SUMMARY, "Purpose and contents in a paragraph.", without=("preserve", "include"))),
    )
    stub: LevelSettings = field(
        default=STUB, metadata=grouped(group_of(STUB, "A sign that it exists.", without=("preserve",)))
    )
    cache: CacheSettings = field(default=CacheSettings(), metadata=grouped(group_of(CacheSettings())))
    writer: ModelSettings = field(
        default=ModelSettings(),
        metadata=grouped(group_of(ModelSettings(), "A language model that may write the stronger levels of prose.")),
    )


@dataclass(frozen=True, slots=True)
class PresetSection:
    """A share of the budget. What is unset stays as the preset of that name has it."""

    title: str | None = field(default=None, metadata=about(text(), "Heading in the packet."))
    description: str | None = field(default=None, metadata=about(text(), "Your words on what belongs here."))
    floor: int | str | None = field(default=None, metadata=about(share(), "Least it gets while it has candidates."))
    weight: float | None = field(default=None, metadata=about(number(0), "Its part of what the floors leave over."))
    cap: int | str | None = field(default=None, metadata=about(share(), "Most it may take."))
    threshold: float | None = field(default=None, metadata=about(UNIT, "Least score of a piece in this section."))
    pool: str | None = field(
        default=None,
        metadata=about(text(), "Sections of one pool share floors and weights; empty: a share of its own."),
    )
    sources: tuple[str, ...] | None = field(
        default=None, metadata=about(list_of(text()), "Sources that fill it. Unset: pieces are placed by score.")
    )


@dataclass(frozen=True, slots=True)
class PresetSettings:
    """A set of sections, chosen with `pack.preset`."""

    extends: str | None = field(
        default=None,
        metadata=about(
            text(), "The preset it starts from. Unset: the one of the same name, or no sections but its own.", "task"
        ),
    )
    item_cap: int | str | None = field(
        default=None, metadata=about(share(), "Most one piece may take of its section. Unset: no limit.")
    )
    sections: Mapping[str, PresetSection] = field(
        default_factory=dict,
        metadata=grouped(Group("Its sections, in the order of the packet.", other=group_of(PresetSection()))),
    )


@dataclass(frozen=True, slots=True)
class ProfileSettings:
    """Weights and curves of a score, chosen with `pack.profile`."""

    extends: str | None = field(default=None, metadata=about(text(), "The profile it starts from. Unset: default."))
    method: str | None = field(default=None, metadata=about(METHOD, "How alignment with the task is measured."))
    semantic_share: float | None = field(
        default=None, metadata=about(UNIT, "Part of meaning in that alignment, when hybrid.")
    )
    hits_for_full: int | None = field(
        default=None, metadata=about(integer(1), "Count plain hits up to this many instead of weighing terms.")
    )
    decay_days: float | None = field(
        default=None, metadata=about(DAYS, "Days in which recency halves, for every source.")
    )
    max_depth: int | None = field(default=None, metadata=about(DEPTH, "Steps in the dependency graph that count."))
    weights: Mapping[str, float] = field(
        default_factory=dict, metadata=grouped(_weights("Weight of each factor; the rest have none."))
    )
    file_types: Mapping[str, float] = field(default_factory=dict, metadata=grouped(_file_types()))


@dataclass(frozen=True, slots=True)
class HookSettings:
    """How agents' hooks are answered."""

    linger_minutes: float = field(
        default=10.0,
        metadata=about(
            number(0, 1440), "How long the process that answers hooks stays after the last one; 0: it ends at once."
        ),
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set."""

    version: str = field(
        default="1.0.0",
        metadata=about(
            text(r"1(\.\d+){0,2}", 'a version of this file\'s form that this program reads, such as "1.0.0"'),
            "Version of this file's form.",
        ),
    )
    project: ProjectSettings = field(default=ProjectSettings(), metadata=grouped(group_of(ProjectSettings())))
    index: IndexSettings = field(default=IndexSettings(), metadata=grouped(group_of(IndexSettings())))
    sources: Mapping[str, SourceSettings] = field(default_factory=known_sources, metadata=grouped(sources_group()))
    pack: PackSettings = field(default=PackSettings(), metadata=grouped(group_of(PackSettings())))
    relevance: RelevanceSettings = field(default=RelevanceSettings(), metadata=grouped(group_of(RelevanceSettings())))
    levels: LevelsSettings = field(default=LevelsSettings(), metadata=grouped(group_of(LevelsSettings())))
    hook: HookSettings = field(default=HookSettings(), metadata=grouped(group_of(HookSettings())))
    presets: Mapping[str, PresetSettings] = field(
        default_factory=dict,
        metadata=grouped(
            Group("Presets of your own, or changes to one that exists.", other=group_of(PresetSettings()))
        ),
    )
    profiles: Mapping[str, ProfileSettings] = field(
        default_factory=dict,
        metadata=grouped(Group("Profiles of your own.", other=group_of(ProfileSettings()))),
    )


TREE = group_of(Settings())
"""Where every setting stands."""
