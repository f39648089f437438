"""What people said, without what programs put around it; and where one sentence ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

LONGEST_MESSAGE: Final = 32_000
"""Characters of one message that are kept: past this it is a pasted file or log, whose beginning tells what it is."""

# Blocks that hosts write into the user's messages: nobody said them.
INJECTED: Final = (
    "system-reminder", "environment_context", "user_instructions", "permissions instructions", "local-command-stdout",
    "local-command-stderr", "local-command-caveat", "command-name", "command-message", "command-args",
    "command-contents", "task-notification", "ide_opened_file", "ide_selection", "bash-stdout", "bash-stderr",
    "turn_aborted", "INSTRUCTIONS", "session_context", "attached_files", "additional_data", "collaboration_mode",
    "skills_instructions", "skill",
)  # fmt: skip
_OPENING: Final = re.compile("<(" + "|".join(map(re.escape, INJECTED)) + r")(?:\s[^<>]{0,200})?>")
_NOBODY_SAID: Final = (
    "Caveat: The messages below were generated",
    "[Request interrupted by user",
    "# AGENTS.md instructions for",
    "This session is being continued from a previous conversation",
)


def spoken(text: str) -> str:
    """The text a person or a model wrote, at most `LONGEST_MESSAGE` characters; empty when there is none."""
    text = _without_injected(text).strip()
    if text.startswith(_NOBODY_SAID):
        return ""
    if len(text) > LONGEST_MESSAGE:
        left = len(text) - LONGEST_MESSAGE
        text = f"{text[:LONGEST_MESSAGE]}\n[{left:,} more characters]"
    return text


def _without_injected(text: str) -> str:
    if "<" not in text:
        return text
    kept: list[str] = []
    at = 0
    missing: set[str] = set()
    while opening := _OPENING.search(text, at):
        closing = f"</{opening[1]}>"
        end = -1 if closing in missing else text.find(closing, opening.end())
        if end < 0:
            missing.add(closing)  # what never closes is looked for once
            kept.append(text[at : opening.end()])
            at = opening.end()
        else:
            kept.append(text[at : opening.start()])
            at = end + len(closing)
    return "".join([*kept, text[at:]]) if at else text


# -- sentences -----------------------------------------------------------------------------------------------------

_LONGEST_SENTENCE: Final = 400  # what is longer is pasted, not said
_SHORTEST_SENTENCE: Final = 4
_FENCE: Final = re.compile(r"\s{0,3}(?:```|~~~)")
_QUOTED: Final = re.compile(r"(?:\s{0,3}>|\t| {4,}\S|\s*\||\s*</?\w)")
_BULLET: Final = re.compile(r"\s*(?:[-*•+]|\d{1,3}[.)])\s+")
_END: Final = re.compile(r"[.!?;](?=\s)|[。！？；]")


def sentences(text: str) -> Iterator[str]:
    """Sentences that somebody may have said, word for word: not code, quotations, tables or pasted lines."""
    fenced = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            fenced = not fenced
            continue
        if fenced or _QUOTED.match(line):
            continue
        bullet = _BULLET.match(line)
        at = bullet.end() if bullet else 0
        for end in [*(match.end() for match in _END.finditer(line)), len(line)]:
            sentence = line[at:end].strip()
            at = end
            if _SHORTEST_SENTENCE <= len(sentence) <= _LONGEST_SENTENCE:
                yield sentence
