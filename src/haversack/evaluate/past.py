"""Past commits as tasks: what was said, and which lines had to change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from haversack.errors import SourceError, UsageError
from haversack.model import Role
from haversack.project.find import Project, find_repository
from haversack.project.git import git
from haversack.project.languages import language_of
from haversack.project.roles import role_of
from haversack.sources.commits.head import head_of

# What a commit must be to say how well a packet would have served it: it tells what it does, and it changes a few
# source files. The rest are merges, releases, sweeping changes and one-word messages.
SHORTEST_MESSAGE = 25
FEWEST_WORDS = 4
MOST_SOURCE_FILES = 5
MOST_FILES = 15
MOST_LINES = 400
LOOKED_AT = 20  # commits per task wanted: in most histories one in five will do
_SAYS_NOTHING = re.compile(
    r"^(merge|bump|release|version|typo|fix typo|lint|format|revert|chore|docs?[:(]|ci[:(]|style|build\(|prepare|v?\d)"
    r"|^update (changelog|dep|version)",
    re.IGNORECASE,
)
_TRAILER = re.compile(
    r"^(signed-off-by|co-authored-by|reviewed-by|change-id|cc|acked-by|pr-url|refs|closes|fixes|ctx-context)\b.*$",
    re.IGNORECASE | re.MULTILINE,
)
_ISSUE = re.compile(r"\(#\d+\)")
# Thai, Lao, Burmese, Khmer, kana and Han: written without spaces, so that words cannot be counted, only characters.
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
UNSPACED_A_WORD = 2  # characters of these that say as much as a word,
LETTERS_A_WORD = 6  # and as this many letters
_HUNK = re.compile(rb"^@@ -(\d+)(?:,(\d+))? \+")
_FIELDS = "%H%x00%P%x00%ct%x00%B%x00"


class PastTask(Struct, frozen=True):
    """A commit: its parent is the project as the task found it, `lines` are what had to change there, by path."""

    commit: str
    parent: str
    time: int
    text: str
    lines: Mapping[str, frozenset[int]]


def past_tasks(project: Project, most: int) -> list[PastTask]:
    """The newest commits that can serve as tasks, newest first; none before the first commit."""
    if most < 1:
        raise UsageError(f"{most} commits cannot be measured", hint="give --commits a number of 1 or more")
    repository = find_repository(project.root)
    if repository is None:
        raise SourceError(
            f"{project.root} is not in a git repository", hint="Past commits are what this is measured on."
        )
    head = head_of(repository, project.root)
    found: list[PastTask] = []
    for commit, parent, when, message in _log(repository.top, most * LOOKED_AT, head) if head else ():
        text = _said(message)
        if text:
            lines = _changed(project, repository.top, commit)
            if lines:
                found.append(PastTask(commit, parent, when, text, lines))
        if len(found) == most:
            break
    return found


def _log(root: Path, most: int, head: str) -> Iterator[tuple[str, str, int, str]]:
    """(hash, parent, time, message) of commits with one parent, newest first."""
    args = ["log", "--no-merges", "--no-patch", f"--max-count={most}", "-z", f"--format={_FIELDS}", head]
    fields = git(root, args).decode("utf-8", "replace").split("\0")
    for at in range(0, len(fields) - 4, 5):
        commit, parents, when, message = fields[at : at + 4]
        if parents and " " not in parents.strip():
            yield commit.strip(), parents.strip(), int(when), message


def _said(message: str) -> str:
    """The message as a task; empty when it says too little."""
    text = _ISSUE.sub("", _TRAILER.sub("", message)).strip()
    title = text.partition("\n")[0]
    more_words = len(_UNSPACED.findall(title)) / UNSPACED_A_WORD
    more_letters = len(_UNSPACED.findall(text)) / UNSPACED_A_WORD * LETTERS_A_WORD
    short = len(text) + more_letters < SHORTEST_MESSAGE or len(title.split()) + more_words < FEWEST_WORDS
    return "" if short or _SAYS_NOTHING.match(title) else text


def _changed(project: Project, root: Path, commit: str) -> dict[str, frozenset[int]]:
    """Lines that changed, on the parent's side, of source files that are no tests; nothing when it is no task."""
    try:
        rows = git(root, ["diff-tree", "-r", "--no-commit-id", "--name-status", "-z", commit]).split(b"\0")
    except SourceError:
        return {}
    pairs = [(rows[at], rows[at + 1].decode("utf-8", "surrogateescape")) for at in range(0, len(rows) - 1, 2)]
    files = [path for status, path in pairs if status == b"M" and _is_source(path)]
    if not 1 <= len(files) <= MOST_SOURCE_FILES or len(pairs) > MOST_FILES:
        return {}
    lines = {project.relative(root / path) or "": _lines(root, commit, path) for path in files}
    # A change of which a part lies outside the project's folders is no task for it.
    whole = "" not in lines and all(lines.values())
    return lines if whole and sum(map(len, lines.values())) <= MOST_LINES else {}


def _is_source(path: str) -> bool:
    language = language_of(path)
    return bool(language) and role_of(path, language) in (Role.SOURCE, Role.TYPES)


def _lines(root: Path, commit: str, path: str) -> frozenset[int]:
    """Lines removed or changed; around a pure insertion, its two neighbours."""
    text = git(root, ["diff-tree", "-r", "-p", "-U0", "--no-commit-id", commit, "--", path])
    found: set[int] = set()
    for match in filter(None, map(_HUNK.match, text.split(b"\n"))):
        start, count = int(match[1]), int(match[2] or 1)
        found |= set(range(start, start + count)) if count else {max(start, 1), start + 1}
    return frozenset(found)


def split(tasks: Sequence[PastTask], newer: float) -> tuple[list[PastTask], list[PastTask]]:
    """The older and the newer part: what is learned from and what it is judged on."""
    cut = max(1, round(len(tasks) * newer))
    return list(tasks[cut:]), list(tasks[:cut])
