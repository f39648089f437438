"""The commits source: what is new in a project's history, and one unit a commit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from haversack.errors import SourceError
from haversack.model import Citation, Unit
from haversack.project.find import Project
from haversack.sources.commits.head import head_of
from haversack.sources.commits.history import FAILED, FORMAT, HEAD, NAME, WITH_DIFF, WITHOUT_DIFF, History, histories
from haversack.sources.protocol import Changes, Compressor, Item, Reading

# From the second seed's table of sources.
THRESHOLD = 0.4
DEFAULT_LIMIT = 5000
# Diffs answer "what changed lately"; older ones are found by message and files, and would double the index.
DIFF_COMMITS = 200


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
        every = tuple(histories(project))
        if len(every) == len(project.roots) and all(self._is_known(history, known) for history in every):
            return Changes()  # before nearly every packet: thousands of keys are not looked at
        changed: list[Item] = []
        gone = set(known)
        for history in every:
            mine = {key: stamp for key, stamp in known.items() if history.owns(key)}
            found, kept = self._compare(history, mine) if self.limit else ([], set())
            changed += found
            gone -= kept
        return Changes(tuple(changed), tuple(sorted(gone)))

    def read(self, project: Project, items: Sequence[Item]) -> Iterator[Reading]:
        """One unit a commit, in the order given."""
        if not items:  # before nearly every packet: what reads history is not even imported
            return
        from haversack.sources.commits.reading import readings

        found: dict[str, Reading] = {}
        for history in histories(project):
            wanted = [item for item in items if history.owns(item.key)]
            if wanted:
                found |= {reading.key: reading for reading in readings(history, wanted, self.limit)}
        for item in items:
            yield found.get(item.key, Reading(item.key, ()))

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        """The commit itself."""
        return unit.citations

    def compressors(self) -> Mapping[str, Compressor]:
        """None of its own: the generic ladder cuts from the end, where the diff is."""
        return {}

    def _stamp(self, head: str) -> str:
        return f"{head}:{self.limit}:{FORMAT}"

    def _is_known(self, history: History, known: Mapping[str, str]) -> bool:
        """Whether what is checked out is what the history was last read for."""
        try:
            head = head_of(history.repository, history.root)
        except SourceError:
            return False
        return head is not None and known.get(history.key(HEAD)) == self._stamp(head)

    def _compare(self, history: History, known: Mapping[str, str]) -> tuple[list[Item], set[str]]:
        """Items to read, and known keys that stay."""
        head_key = history.key(HEAD)
        try:
            head = head_of(history.repository, history.root)
            if head is None:
                return [], set()
            stamp = self._stamp(head)
            if known.get(head_key) == stamp:
                return [], set(known)
            shas, stale = _walk(history, head, known.get(head_key, ""), self.limit)
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


def _walk(history: History, head: str, stamp: str, limit: int) -> tuple[list[str], set[str]]:
    """The newest commits, and those of them to read even if they are known."""
    # Imported late: most of the time HEAD is where it was and nothing of this is needed.
    from haversack.sources.commits.log import list_commits
    from haversack.sources.commits.reading import stale_commits

    shas = list_commits(history.root, history.scope, head, limit)
    return shas, stale_commits(history, head, shas, stamp, limit)
