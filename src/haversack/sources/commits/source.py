"""The commits source: what is new in a project's history, and one unit a commit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from haversack.errors import SourceError
from haversack.model import Citation, MetaValue, Problem, Unit
from haversack.project.find import Project, Repository, find_repository
from haversack.sources.commits.head import head_of, shallow_commits
from haversack.sources.commits.log import (
    Churn,
    Commit,
    commits_touching,
    list_commits,
    read_churn,
    read_commits,
    renamed_paths,
)
from haversack.sources.protocol import Changes, Compressor, Item, Reading
from haversack.units.ids import unit_id
from haversack.units.redact import redact

NAME = "commits"
# From the second seed's table of sources.
THRESHOLD = 0.4
DEFAULT_LIMIT = 5000
# Diffs answer "what changed lately"; older ones are found by message and files, and would double the index.
DIFF_COMMITS = 200
# More renamed paths than this and reading the history anew is cheaper than asking who touched them.
MAX_RENAMED_PATHS = 200
MAX_TITLE_CHARS = 200
MAX_LISTED_FILES = 50
# Changes when units of the same commit would come out different, so that a known history is read anew.
FORMAT = "1"
HEAD = "HEAD"
WITH_DIFF, WITHOUT_DIFF = "d", "n"


class CommitsSource:
    """The newest commits of each root's history.

    Keys are commit hashes (with several roots, after the root's name and a colon), and one key "HEAD" a root. HEAD's
    fingerprint holds the commit that was checked out when the history was last read: while that is still checked out,
    nothing is compared. It comes last, so an interrupted reading is taken up again. A commit never changes, but what is
    kept of it does: its fingerprint says whether the diff is kept, and the history since which its files have the names
    they have today.
    """

    name = NAME
    threshold = THRESHOLD

    def __init__(self, limit: int = DEFAULT_LIMIT) -> None:
        self.limit = limit

    def discover(self, project: Project, known: Mapping[str, str]) -> Changes:
        """New, renamed-in and no longer reachable commits. A repository that cannot be read is a changed HEAD."""
        changed: list[Item] = []
        gone = set(known)
        for history in histories(project):
            mine = {key: stamp for key, stamp in known.items() if history.owns(key)}
            found, kept = self._compare(history, mine) if self.limit else ([], set())
            changed += found
            gone -= kept
        return Changes(tuple(changed), tuple(sorted(gone)))

    def read(self, project: Project, items: Sequence[Item]) -> Iterator[Reading]:
        """One unit a commit, in the order given."""
        readings: dict[str, Reading] = {}
        for history in histories(project):
            wanted = [item for item in items if history.owns(item.key)]
            if wanted:
                readings |= {reading.key: reading for reading in _readings(history, wanted, self.limit)}
        for item in items:
            yield readings.get(item.key, Reading(item.key, ()))

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        """The commit itself."""
        return unit.citations

    def compressors(self) -> Mapping[str, Compressor]:
        """None of its own: the generic ladder cuts from the end, where the diff is."""
        return {}

    def _compare(self, history: History, known: Mapping[str, str]) -> tuple[list[Item], set[str]]:
        """Items to read, and known keys that stay."""
        head_key = history.key(HEAD)
        try:
            head = head_of(history.repository, history.root)
            if head is None:
                return [], set()
            stamp = f"{head}:{self.limit}:{FORMAT}"
            if known.get(head_key) == stamp:
                return [], set(known)
            shas = list_commits(history.root, history.scope, head, self.limit)
            stale = _stale(history, head, shas, known.get(head_key, ""), self.limit)
        except SourceError as error:
            # What is known is kept: the damage may be a moment's, and old commits are true all the same.
            stamp = f"failed:{error.message}"
            return ([] if known.get(head_key) == stamp else [Item(head_key, stamp)]), set(known)
        items = []
        for number, sha in enumerate(shas):
            key, diff = history.key(sha), WITH_DIFF if number < DIFF_COMMITS else WITHOUT_DIFF
            before = known.get(key, "")
            if sha in stale or before[:1] != diff:
                items.append(Item(key, f"{diff}:{head}"))
        items.append(Item(head_key, stamp))
        return items, {history.key(sha) for sha in shas} | {head_key}


@dataclass(frozen=True, slots=True)
class History:
    """One root's history. `scope` limits it to the root when the repository is larger."""

    root: Path
    prefix: str
    repository: Repository
    scope: tuple[str, ...]

    def key(self, name: str) -> str:
        return f"{self.prefix.rstrip('/')}:{name}" if self.prefix else name

    def owns(self, key: str) -> bool:
        return key.startswith(self.key("")) if self.prefix else ":" not in key


def histories(project: Project) -> Iterator[History]:
    """The history of every root that has one."""
    for root, prefix in zip(project.roots, project.prefixes, strict=True):
        repository = find_repository(root)
        if repository:
            yield History(root, prefix, repository, () if repository.top == root else ("--", "."))


def _stale(history: History, head: str, shas: Sequence[str], stamp: str, limit: int) -> set[str]:
    """Known commits to read again: all of them, or those whose files have other names since `stamp` was written."""
    before, _, rest = stamp.partition(":")
    if not rest.endswith(f":{FORMAT}"):
        return set(shas)
    if before == head:
        return set()
    try:
        # Both ways: commits that are new may rename, and commits that are gone may have renamed.
        renamed = renamed_paths(history.root, history.scope, head, before, limit)
        renamed |= renamed_paths(history.root, history.scope, before, head, limit)
    except SourceError:  # the history was rewritten and the old one is no longer there to compare with
        return set(shas)
    if len(renamed) > MAX_RENAMED_PATHS:
        return set(shas)
    return commits_touching(history.root, head, limit, sorted(renamed)) if renamed else set()


def _readings(history: History, items: Sequence[Item], limit: int) -> Iterator[Reading]:
    head_key = history.key(HEAD)
    wanted = {item.key.rpartition(":")[2]: item for item in items if item.key != head_key}
    problems = [
        Problem(
            str(history.root), item.fingerprint.removeprefix("failed:"), "the rest of the project is read all the same"
        )
        for item in items
        if item.key == head_key and item.fingerprint.startswith("failed:")
    ]
    commits: dict[str, Commit] = {}
    churn: dict[str, Churn] = {}
    if wanted:
        head = next(iter(wanted.values())).fingerprint.partition(":")[2]
        commits = _commits(history, head, set(wanted), limit, problems)
        recent = [sha for sha, item in wanted.items() if sha in commits and item.fingerprint.startswith(WITH_DIFF)]
        churn = _churn(history, recent, problems)
    shallow = shallow_commits(history.repository)
    for sha, item in wanted.items():
        units = (_unit(history, commits[sha], churn.get(sha), sha in shallow),) if sha in commits else ()
        yield Reading(item.key, units)
    # What went wrong is one trouble with the repository, not one with each of a thousand commits.
    yield Reading(head_key, (), tuple(problems))


def _commits(history: History, head: str, wanted: set[str], limit: int, problems: list[Problem]) -> dict[str, Commit]:
    found: dict[str, Commit] = {}
    for renames in (True, False):
        try:
            # Always from the newest on: what a file is called today is known only to who has seen all later renames.
            with closing(read_commits(history.root, history.scope, head, limit, renames=renames)) as commits:
                for commit in commits:
                    if commit.sha in wanted:
                        found.setdefault(commit.sha, commit)
                        if len(found) == len(wanted):
                            return found
            return found
        except SourceError as error:
            failure = error
    problems.append(Problem(str(history.root), failure.message, failure.hint))
    return found


def _churn(history: History, shas: Sequence[str], problems: list[Problem]) -> dict[str, Churn]:
    found: dict[str, Churn] = {}
    if shas:
        try:
            with closing(read_churn(history.root, history.scope, shas)) as read:
                found.update(read)
        except SourceError as error:
            problems.append(Problem(str(history.root), f"{error.message}; some diffs are left out", error.hint))
    return found


def _unit(history: History, commit: Commit, churn: Churn | None, shallow: bool) -> Unit:
    # At the end of a shallow clone every file looks new: that says nothing about the commit.
    changes = () if shallow else commit.changes
    today = tuple(history.prefix + change.today for change in changes)
    then = tuple(history.prefix + change.path for change in changes)
    meta: dict[str, MetaValue] = {
        "author": _author(commit.author),
        "files": today,
        "files_total": 0 if shallow else commit.total,
    }
    if then != today:
        meta["files_then"] = then
    if churn:
        meta["diff_cut"] = churn.cut
        if churn.insertions is not None:
            meta |= {"insertions": churn.insertions, "deletions": churn.deletions}
    message = commit.message.strip()
    listed = [f"{change.before} -> {change.path}" if change.before else change.path for change in changes]
    if len(listed) > MAX_LISTED_FILES:
        listed[MAX_LISTED_FILES:] = [f"and {commit.total - MAX_LISTED_FILES} more files"]
    parts = [message, "\n".join(listed), churn.diff if churn and not shallow else ""]
    text = redact("\n\n".join(part for part in parts if part)).text
    return Unit(
        id=unit_id(NAME, history.prefix, "commit", commit.sha),
        source=NAME,
        kind="commit",
        title=text.partition("\n")[0][:MAX_TITLE_CHARS] if message else commit.sha[:12],
        text=text,
        name=commit.sha[:12],
        qualname=commit.sha,
        time=commit.time,
        citations=(Citation.of_commit(commit.sha),),
        meta=meta,
    )


@lru_cache(maxsize=4096)
def _author(name: str) -> str:
    """A name is free text too, and the same few are on thousands of commits."""
    return redact(name).text
