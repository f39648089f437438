"""Reads commits into units, and tells which known ones must be read again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import lru_cache

from msgspec.structs import replace

from haversack.errors import SourceError
from haversack.model import Citation, MetaValue, Problem, Unit
from haversack.project.own_rules import OwnRules
from haversack.sources.commits.head import shallow_commits
from haversack.sources.commits.hiding import Hides
from haversack.sources.commits.history import FAILED, HEAD, NAME, WITH_DIFF, History
from haversack.sources.commits.hunks import committed_files, newest_commits, read_hunks
from haversack.sources.commits.log import Churn, Commit, commits_touching, read_churn, read_commits, renamed_paths
from haversack.sources.commits.today import known_before, memo_of
from haversack.sources.docs.mentions import codes
from haversack.sources.protocol import Item, Reading
from haversack.units.ids import unit_id
from haversack.units.redact import redact
from haversack.units.redact_diff import mask_diff

# More renamed paths than this and reading the history anew is cheaper than asking who touched them.
MAX_RENAMED_PATHS = 200
MAX_TITLE_CHARS = 200
# Newest commits whose lines are followed. Of 4,061 commits of 28 projects the first 8,000 tokens held .675 of what was
# changed without, .683 with 1,000 and .685 with 3,000, which take git three times as long.
LINES_COMMITS = 1000
MAX_LISTED_FILES = 50


def stale_commits(history: History, head: str, shas: Sequence[str], stamp: str, made: str, limit: int) -> set[str]:
    """Known commits to read again: those whose files have other names since `stamp` was written.

    All of them, when that was `made` in another form or under other rules.
    """
    before, _, rest = stamp.partition(":")
    if not rest.endswith(f":{made}"):
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


def readings(
    history: History, items: Sequence[Item], limit: int, rules: OwnRules, memo: Callable[[str], bytes]
) -> Iterator[Reading]:
    """One reading a commit; the last, that of HEAD, has the problems and the memo."""
    head_key = history.key(HEAD)
    wanted = {item.key.rpartition(":")[2]: item for item in items if item.key != head_key}
    problems = [
        Problem(history.place, item.fingerprint.removeprefix(FAILED), "the rest of the project is read all the same")
        for item in items
        if item.key == head_key and item.fingerprint.startswith(FAILED)
    ]
    commits: dict[str, Commit] = {}
    churn: dict[str, Churn] = {}
    if wanted:
        head = next(iter(wanted.values())).fingerprint.partition(":")[2]
        commits = _commits(history, head, set(wanted), limit, problems)
        recent = [sha for sha, item in wanted.items() if sha in commits and item.fingerprint.startswith(WITH_DIFF)]
        churn = _churn(history, recent, problems, _hiding(history, rules, commits))
        commits = {sha: _without_hidden(history, commit, rules) for sha, commit in commits.items()}
    shallow = shallow_commits(history.repository)
    for sha, item in wanted.items():
        units = (_unit(history, commits[sha], churn.get(sha), sha in shallow),) if sha in commits else ()
        yield Reading(item.key, units)
    kept = memo(head_key)
    stamp = next((item.fingerprint for item in items if item.key == head_key), FAILED)
    if not stamp.startswith(FAILED):
        kept = _touched(history, stamp, min(limit, LINES_COMMITS), rules, kept, problems)
    # What went wrong is one trouble with the repository, not one with each of a thousand commits.
    yield Reading(head_key, (), tuple(problems), memo=kept)


def _touched(history: History, stamp: str, limit: int, rules: OwnRules, memo: bytes, problems: list[Problem]) -> bytes:
    """The memo of which lines the newest commits changed; of known commits nothing is asked again."""
    head, _, made = stamp.split(":", 2)
    known = known_before(memo, made)
    try:
        shas = newest_commits(history.root, history.scope, head, limit)
        committed = committed_files(history.root, history.scope, head)
    except SourceError as error:
        problems.append(Problem(history.place, error.message, error.hint))
        return memo
    whole = shallow_commits(history.repository)  # all their files look new
    unknown = [sha for sha in shas if sha not in known and sha not in whole]
    if unknown:
        with suppress(SourceError), closing(read_hunks(history.root, history.scope, unknown)) as read:
            known.update(read)  # one by one: what was read before a failure stays
    known |= dict.fromkeys(sha for sha in unknown if sha not in known)
    if unreadable := sum(sha in known and known[sha] is None for sha in shas):
        what = f"which lines {unreadable} of the newest commits changed cannot be read"
        problems.append(Problem(history.place, what, "once git can: haversack index --rebuild"))
    return memo_of(history, shas, known, committed, made, lambda path: rules.hides(history.prefix + path))


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
    problems.append(Problem(history.place, failure.message, failure.hint))
    return found


def _hiding(history: History, rules: OwnRules, commits: Mapping[str, Commit]) -> Callable[[str], Hides]:
    """For each commit, what of its diff is hidden: whatever is left out under the name of then or of today."""

    def of(sha: str) -> Hides:
        today = {change.path: change.today for change in commits[sha].changes}
        return lambda path: any(rules.hides(history.prefix + name) for name in {path, today.get(path, path)})

    return of


def _without_hidden(history: History, commit: Commit, rules: OwnRules) -> Commit:
    def hidden(path: str) -> bool:
        return bool(path) and rules.hides(history.prefix + path)

    kept = [change for change in commit.changes if not (hidden(change.path) or hidden(change.today))]
    gone = len(commit.changes) - len(kept)
    changes = tuple(replace(change, before="") if hidden(change.before) else change for change in kept)
    return replace(commit, changes=changes, total=commit.total - gone) if changes != commit.changes else commit


def _churn(
    history: History, shas: Sequence[str], problems: list[Problem], hiding: Callable[[str], Hides]
) -> dict[str, Churn]:
    found: dict[str, Churn] = {}
    if shas:
        try:
            with closing(read_churn(history.root, history.scope, shas, hiding)) as read:
                found.update(read)
        except SourceError as error:
            problems.append(Problem(history.place, f"{error.message}; some diffs are left out", error.hint))
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
    message = redact(commit.message.strip()).text
    if known_as := codes(message):
        meta["names"] = known_as
    listed = [f"{change.before} -> {change.path}" if change.before else change.path for change in changes]
    if len(listed) > MAX_LISTED_FILES:
        listed[MAX_LISTED_FILES:] = [f"and {commit.total - MAX_LISTED_FILES} more files"]
    parts = [message, "\n".join(listed), mask_diff(churn.diff) if churn and not shallow else ""]
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
