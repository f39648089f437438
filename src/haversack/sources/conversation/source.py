"""The conversation source: what is new in the transcripts of this project, as messages and what they settled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from haversack.config.sources import AGENTS
from haversack.model import Citation, Unit
from haversack.sources.conversation.message import NAME
from haversack.sources.protocol import Changes, Compressor, Item, Reading

if TYPE_CHECKING:
    from haversack.project.find import Project
    from haversack.sources.conversation.finding import Known

THRESHOLD: Final = 0.3  # seed 002: a low bar, what was said is usually relevant


class ConversationSource:
    """Transcripts of every agent that recorded one of the project's directories.

    A transcript has one key for itself, whose fingerprint says how far it was read, one for each run of messages, and
    one for each thing they settled, whose fingerprint holds it, so that a later decision can take the place of an
    earlier one without any old line being read again. Folders have keys, too: one that has not changed is not listed.
    """

    name: str = NAME
    threshold: float = THRESHOLD

    def __init__(self, agents: Sequence[str] = AGENTS, files: Sequence[str] = (), home: str | None = None) -> None:
        self._agents = frozenset(agents)
        self._files = tuple(files)
        self._home = home
        self._known: Known | None = None

    def discover(self, project: Project, known: Mapping[str, str]) -> Changes:
        """Transcripts and folders that are new or different by stat, and what is gone."""
        from haversack.sources.conversation.places import Places

        places = Places.of(project, self._home, self._files)
        if not known and not places.any_exist():  # most projects on most machines: no more is even imported
            return Changes()
        from haversack.sources.conversation.finding import Known, look

        self._known = Known.of(known)
        return look(places, self._agents, self._known)

    def read(self, project: Project, items: Sequence[Item]) -> Iterator[Reading]:
        """What the given transcripts say since they were last read; what was settled before is linked anew."""
        return self.read_on(project, items, lambda _: ())

    def read_on(
        self, project: Project, items: Sequence[Item], before: Callable[[str], Sequence[Unit]]
    ) -> Iterator[Reading]:
        """As `read`; the last run of messages that is kept of a transcript is filled up before a new one begins."""
        from haversack.sources.conversation.finding import Known

        known, self._known = self._known or Known(), None
        if items or known.gone:
            from haversack.sources.conversation.places import Places
            from haversack.sources.conversation.reading import readings

            yield from readings(Places.of(project, self._home, self._files), known, items, before)

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        """The transcript and its lines, or the entry of the database."""
        return unit.citations

    def compressors(self) -> Mapping[str, Compressor]:
        """Light leaves out times, medium keeps the telling sentences, heavy only what was settled."""
        from haversack.sources.conversation.compress import heavy, light, medium

        return {"light": light, "medium": medium, "heavy": heavy}
