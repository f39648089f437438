"""Settings of the sources: what every source has, and what only some can be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from haversack.config.kinds import (
    always_on,
    anything,
    choice,
    confined,
    flag,
    integer,
    list_of,
    number,
    text,
    users_own,
)
from haversack.config.tree import Group, Node, Setting, about, group_of


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """One kind of material."""

    enabled: bool = field(default=True, metadata=about(flag(), "Read this source and offer it to packets."))
    threshold: float | None = field(
        default=None,
        metadata=about(number(0, 1), "Score a piece needs to be a candidate. Unset: the source's own.", 0.5),
    )
    max_tokens: int | None = field(
        default=None,
        metadata=about(integer(0), "Most tokens of a packet this source may take. Unset: the preset's.", 4000),
    )
    options: Mapping[str, object] = field(default_factory=dict)
    """Settings that only this source has, by name."""


def _switch(doc: str) -> Setting:
    return Setting(flag(), True, doc)


LOADED_BY_HOST: Mapping[str, tuple[str, ...]] = {
    "claude-code": ("CLAUDE.md", "CLAUDE.local.md", ".claude/rules/**"),
    "codex": ("AGENTS.md", "AGENTS.override.md"),
    "copilot": ("AGENTS.md", ".github/copilot-instructions.md"),
    "cursor": ("AGENTS.md", ".cursorrules", ".cursor/rules/**"),
    "gemini": ("GEMINI.md",),
    "opencode": ("AGENTS.md",),
}
"""Instruction files that each host puts before the model by itself."""


AGENTS = ("claude", "codex", "gemini", "copilot", "aider", "specstory", "plain", "opencode", "cursor")
"""Agents whose conversations can be read; "plain" are files that `sources.conversation.files` names."""


SOURCE_OPTIONS: Mapping[str, Mapping[str, Setting]] = {
    "code": {
        "include_types": _switch("Offer type definitions."),
        "include_tests": _switch("Offer tests."),
        "include_imports": _switch("Offer what the chosen files import."),
    },
    "docs": {
        "always_include": Setting(list_of(text()), (), "Documents every packet starts from, as paths or patterns."),
        "loaded_by": Setting(
            choice("nothing", *LOADED_BY_HOST),
            "nothing",
            "The host that reads its own instruction files anyway: packets leave those out.",
        ),
    },
    "knowledge": {},
    "commits": {},
    "conversation": {
        "recent_messages_verbatim": Setting(integer(0), 10, "Newest messages kept word for word."),
        "compress_older": _switch("Shorten messages older than those."),
        "agents": Setting(list_of(choice(*AGENTS)), AGENTS, "Agents whose transcripts are read."),
        "files": Setting(
            confined(list_of(text())),
            (),
            "More transcripts: JSON lines of role, content and timestamp, or folders of them. "
            "Outside the project only from the user file, the environment or a flag.",
        ),
        "home": Setting(users_own(text()), None, "The folder that agents keep theirs under. Unset: your home.", "~"),
    },
    "research": {
        "folders": Setting(list_of(text()), (), "More folders to read, from the project's root."),
        "include_web_searches": _switch("Offer results of web searches."),
        "include_agent_outputs": _switch("Offer what agents wrote in earlier tasks."),
    },
    "deployment": {
        "include_env_configs": _switch("Offer environment files, names only."),
        "include_k8s": _switch("Offer Kubernetes manifests."),
        "ci_runs": Setting(users_own(flag()), False, "Ask `gh` for the pipelines' recent runs. Uses the network."),
        "redact_secrets": Setting(
            always_on("secrets are redacted in every source"), True, "Secrets appear as names. Cannot be turned off."
        ),
    },
    "logs": {
        "log_window_hours": Setting(integer(1), 24, "How far back log lines are read, from a log's newest line."),
        "filter_noise": _switch("Leave out lines that repeat and say nothing new."),
        "files": Setting(
            confined(list_of(text())),
            (),
            "More logs and test reports, as paths or patterns; outside the project only from the user file, "
            "the environment or a flag.",
        ),
        "level": Setting(
            choice("all", "debug", "info", "warning", "error", "fatal"), "all", "The least severe lines to offer."
        ),
    },
    "memories": {},
    "experiences": {},
    "values": {},
}
"""The sources that come with haversack, and what only they can be told (names from seed 002)."""


SOURCE_DOCS = {
    "code": "Source files, types and tests.",
    "docs": "Documentation.",
    "knowledge": "The project's own rules, tasks, conventions, decisions and learnings (.context/).",
    "commits": "Git history.",
    "conversation": "Earlier conversations about the project.",
    "research": "What was found out before: agents' outputs, fetched pages.",
    "deployment": "Manifests, pipelines and environment files.",
    "logs": "Log files, stack traces, test reports.",
    "memories": "What was remembered: facts, preferences, events, workflows, context, errors, decisions.",
    "experiences": "Goals, hypotheses, actions and predictions, and what came of them.",
    "values": "Principles that experiences have in common.",
}


def known_sources() -> dict[str, SourceSettings]:
    """Every source that comes with haversack, with its defaults."""
    return {
        name: SourceSettings(options={key: option.default for key, option in options.items()})
        for name, options in SOURCE_OPTIONS.items()
    }


def sources_group() -> Group:
    """The table of every source, with room for those of other packages."""
    known: dict[str, Node] = {
        name: group_of(SourceSettings(), SOURCE_DOCS[name], extra=own) for name, own in SOURCE_OPTIONS.items()
    }
    other = group_of(SourceSettings())
    third_party = Group("A source of another package.", other.children, Setting(anything(), None, "Its own setting."))
    return Group("Kinds of material, one table each.", known, third_party)
