"""The commits source: what is new in a project's history, and one unit a commit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from haversack.errors import SourceError
from haversack.model import Citation, Unit
from haversack.project.find import Project
from haversack.project.own_rules import rules_digest
from haversack.sources.commits.head import head_of
from haversack.sources.commits.history import FAILED, FORMAT, HEAD, NAME, WITH_DIFF, WITHOUT_DIFF, History, histories
from haversack.sources.protocol import Changes, Compressor, Item, Reading

if TYPE_CHECKING:
    from haversack.project import Sweep

# From the second seed's table of sources.
THRESHOLD = 0.4
DEFAULT_LIMIT = 5000
# Diffs answer "what changed lately"; older ones are found by message and files, and would double the index.
DIFF_COMMITS = 200


class CommitsSource:
    """The newest commits of each root's history.

    Keys are commit hashes (with several roots, after the root's name and a colon), and one key "HEAD" a root. HEAD's
    fingerprint holds the commit that was checked out when the history was last read, and what was ignored then: while
    that is so, nothing is compared. It comes last, so an interrupted reading is taken up again. A commit never changes,
    but what is kept of it does: its fingerprint says whether the diff is kept, and the history since which its files
    have the names they have today.
    """

    name = NAME
    threshold = THRESHOLD

    def __init__(self, limit: int = DEFAULT_LIMIT) -> None:
        self.limit = limit

    def discover(self, project: Project, known: Mapping[str, str]) -> Changes:
        """The same as `discover_among`, for callers that have not looked at the folders."""
        from haversack.project import sweep

        return self.discover_among(project, known, sweep(project))

    def discover_among(self, project: Project, known: Mapping[str, str], found: Sweep) -> Changes:
        """New, renamed-in and no longer reachable commits. A repository that cannot be read is a changed HEAD."""
        every = tuple(histories(project))
        # What is ignored is kept out of the index: other rules, another index.
        made = f"{FORMAT}.{rules_digest(project, found.rules)}"
        if len(every) == len(project.roots) and all(self._is_known(history, known, made) for history in every):
            return Changes()  # before nearly every packet: thousands of keys are not looked at
        changed: list[Item] = []
        gone = set(known)
        for history in every:
            mine = {key: stamp for key, stamp in known.items() if history.owns(key)}
            items, kept = self._compare(history, mine, made) if self.limit else ([], set())
            changed += items
            gone -= kept
        return Changes(tuple(changed), tuple(sorted(gone)))

    def read(self, project: Project, items: Sequence[Item]) -> Iterator[Reading]:
        """One unit a commit, in the order given."""
        return self.read_with(project, items, lambda _: b"")

    def read_with(self, project: Project, items: Sequence[Item], memo: Callable[[str], bytes]) -> Iterator[Reading]:
        """The same; HEAD remembers which lines of today's files the newest commits changed."""
        if not items:  # before nearly every packet: what reads history is not even imported
            return
        from haversack.project.own_rules import OwnRules
        from haversack.sources.commits.reading import readings

        rules = OwnRules(project)

        found: dict[str, Reading] = {}
        for history in histories(project):
            wanted = [item for item in items if history.owns(item.key)]
            if wanted:
                found |= {reading.key: reading for reading in readings(history, wanted, self.limit, rules, memo)}
        for item in items:
            yield found.get(item.key, Reading(item.key, ()))

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        """The commit itself."""
        return unit.citations

    def compressors(self) -> Mapping[str, Compressor]:
        """None of its own: the generic ladder cuts from the end, where the diff is."""
        return {}

    def _stamp(self, head: str, made: str) -> str:
        return f"{head}:{self.limit}:{made}"

    def _is_known(self, history: History, known: Mapping[str, str], made: str) -> bool:
        """Whether what is checked out is what the history was last read for."""
        try:
            head = head_of(history.repository, history.root)
        except SourceError:
            return False
        return head is not None and known.get(history.key(HEAD)) == self._stamp(head, made)

    def _compare(self, history: History, known: Mapping[str, str], made: str) -> tuple[list[Item], set[str]]:
        """Items to read, and known keys that stay."""
        head_key = history.key(HEAD)
        try:
            head = head_of(history.repository, history.root)
            if head is None:
                return [], set()
            stamp = self._stamp(head, made)
            if known.get(head_key) == stamp:
                return [], set(known)
            shas, stale = _walk(history, head, known.get(head_key, ""), made, self.limit)
        except SourceError as error:
            # What is known is kept: the damage may be a moment's, and old commits are true all the same.
            stamp = f"{FAILED}{error.message}"
            return ([] if known.get(head_key) == stamp else [Item(head_key, stamp)]), set(known)
        items = []
        for number, sha in enumerate(shas):
            key, diff = history.key(sha), WITH_DIFF if number < DIFF_COMMITS else WITHOUT_DIFF
            before = known.get(key, "")
            if sha in stale or before[:1] != diff:
                items.append(Item(key, f"{diff}:{head}"))
        items.append(Item(head_key, stamp))
        return items, {history.key(sha) for sha in shas} | {head_key}


def _walk(history: History, head: str, stamp: str, made: str, limit: int) -> tuple[list[str], set[str]]:
    """The newest commits, and those of them to read even if they are known."""
    # Imported late: most of the time HEAD is where it was and nothing of this is needed.
    from haversack.sources.commits.log import list_commits
    from haversack.sources.commits.reading import stale_commits

    shas = list_commits(history.root, history.scope, head, limit)
    return shas, stale_commits(history, head, shas, stamp, made, limit)
