"""Documents that teams keep by convention: decision records, instructions for agents, memory banks, specifications."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from posixpath import dirname, join, normpath
from typing import Final

from haversack.model import MetaValue, Status
from haversack.patterns import lazily
from haversack.sources.docs.front import PREFIX

CONVENTION: Final = "convention"
"""The key under which a unit's metadata says which convention its file follows."""

_INSTRUCTIONS: Final = (
    "agents.md agents.override.md claude.md claude.local.md gemini.md .cursorrules .windsurfrules .clinerules "
    "copilot-instructions.md"
)
INSTRUCTIONS: Final = frozenset(_INSTRUCTIONS.split())
RULE_FOLDERS: Final = (".claude/rules/", ".cursor/rules/", ".windsurf/rules/", ".clinerules/")
ADR_FOLDERS: Final = frozenset({"adr", "adrs", "decisions"})
_CODED: Final = lazily(r"(?:^|/)(ADR|UC|NFR|TM|FR|US|REQ)-?(\d{1,6}|[A-Z]+-\d{1,6})\b", re.I)
_NUMBERED: Final = lazily(r"(\d{1,6})[-_. ]")
_OVER: Final = lazily(r"\b(super[sc]eded|deprecated|rejected|withdrawn|obsolete)\b", re.I)
_BY: Final = lazily(r"\bsuper[sc]eded[ \t]+by:?[ \t]+(.{1,300})", re.I)
_REPLACES: Final = lazily(r"\bsuper[sc]edes:?[ \t]+(.{1,300})", re.I)
_LINK: Final = lazily(r"\[([^\]]*)\]\(<?([^()\s<>]+)")
_CODE: Final = lazily(r"\bADR[-_ ]?(\d{1,6})\b", re.I)
_STATUS_LINE: Final = lazily(r"[ \t]*(?:[-*][ \t]+)?\**(status|date|deciders)\**[ \t]*:\**[ \t]*(\S.*)$", re.I)
_HEADING: Final = lazily(r" {0,3}#{1,6}[ \t]+(.+?)[ \t#]*$")
_UNDERLINE: Final = lazily(r"[=\-~^]{3,}[ \t]*$")
_OBSERVATION: Final = lazily(r"[ \t]*[-*][ \t]+\[[A-Za-z][\w -]{1,40}\](?!\()[ \t]+\S.*$")
STATUS_LINES: Final = 12  # of a status section; more than that is a history of changes
HEAD_LINES: Final = 40  # in which a record says its status when it has no section for it


def convention_of(path: str) -> str:
    """Which convention a document follows by where it stands: instruction, adr, requirement, memory, llms, or none."""
    lower = f"/{path.lower()}"
    folder, _, name = lower.rpartition("/")
    stem = name.partition(".")[0]
    if name in INSTRUCTIONS or stem == "contributing" or any(f"/{each}" in lower for each in RULE_FOLDERS):
        return "instruction"
    folders = folder.split("/")
    coded = _CODED.search(path)
    if (coded and coded[1].upper() == "ADR") or (_NUMBERED.match(name) and not ADR_FOLDERS.isdisjoint(folders)):
        return "adr"
    if coded or ".specify" in folders or ("specs" in folders and stem in _SPEC_KIT):
        return "requirement"
    if "memory-bank" in folders or "memory_bank" in folders:
        return "memory"
    return "llms" if name in ("llms.txt", "llms-full.txt") else ""


_SPEC_KIT: Final = frozenset({"spec", "plan", "tasks", "research", "data-model", "quickstart", "constitution"})


def code_of(path: str) -> str:
    """What others call the document: `ADR-5`, `UC-001`; nothing when its name has no number."""
    coded = _CODED.search(path)
    if coded and coded[1].upper() != "ADR":
        return f"{coded[1].upper()}-{coded[2].upper()}"
    if coded and coded[2].isdigit():
        return f"ADR-{int(coded[2])}"
    numbered = _NUMBERED.match(path.rpartition("/")[2])
    return f"ADR-{int(numbered[1])}" if numbered else ""


def observations(lines: Sequence[str]) -> tuple[str, ...]:
    """Facts a note states one by one, as `- [category] text #tag`, without the bullets."""
    return tuple(match[0].strip().lstrip("-* ") for line in lines if (match := _OBSERVATION.match(line)))


def record(path: str, lines: Sequence[str], front: Mapping[str, MetaValue]) -> tuple[Status, dict[str, MetaValue]]:
    """Whether a decision record still holds, and what it says of itself: status, date, what replaced what."""
    said = {name: str(front.get(PREFIX + name) or "") for name in ("status", "date", "deciders")}
    for line in lines[:HEAD_LINES]:
        match = _STATUS_LINE.match(line)
        if match and not said[match[1].lower()]:
            said[match[1].lower()] = match[2].strip()
    status = said["status"] or "\n".join(_section(lines, "status"))
    meta: dict[str, MetaValue] = {f"adr.{name}": value for name, value in said.items() if value}
    if status:
        meta["adr.status"] = status.strip().partition("\n")[0].strip()
    folder = dirname(path)
    successor = _BY.search(status)
    if successor:
        meta["successor"] = successor[1].strip()
        meta |= {"superseded_by": target} if (target := _target(successor[1], folder)) else {}
    replaced = _REPLACES.search(status)
    if replaced and (target := _target(replaced[1], folder)):
        meta["supersedes"] = (target,)
    # "Accepted. Supersedes ADR-3" holds; "Superseded by ADR-5" does not.
    over = successor is not None or _OVER.match(status.strip().lstrip("*_~ ")) is not None
    return (Status.SUPERSEDED if over else Status.LIVE), meta


def _section(lines: Sequence[str], name: str) -> list[str]:
    """The first lines under the heading of that name, Markdown or underlined."""
    for number, line in enumerate(lines):
        heading = _HEADING.match(line)
        start = number + 1
        if heading is None:
            if line.strip().lower() != name or number + 1 >= len(lines) or not _UNDERLINE.match(lines[number + 1]):
                continue
            start = number + 2
        elif heading[1].strip().lower() != name:
            continue
        found: list[str] = []
        for each in lines[start : start + STATUS_LINES]:
            if _HEADING.match(each) or _UNDERLINE.match(each):
                break
            found.append(each)
        return found
    return []


def _target(words: str, folder: str) -> str:
    """The record that words point at: a path where it is a link, else its number."""
    link = _LINK.search(words)
    if link and "://" not in link[2]:
        resolved = normpath(join(folder, link[2].partition("#")[0]))
        if not resolved.startswith("..") and resolved != ".":
            return resolved
    code = _CODE.search(words)
    return f"ADR-{int(code[1])}" if code else ""
