"""Who answers: opens the project of a moment, makes the packet, and notes what was given once it was delivered."""

from __future__ import annotations

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from haversack.api import Haversack
from haversack.assemble.given import GIVEN
from haversack.config import Config, load
from haversack.config.settings import WITHOUT_READER
from haversack.errors import HaversackError
from haversack.hook.log import note
from haversack.hook.moment import Kind, Moment
from haversack.project import find_project
from haversack.project.home import refuse_home

if TYPE_CHECKING:
    from haversack.index.build import IndexReport, Progress
    from haversack.receipt.packet import Packet

CEILING_TOKENS = 2_400
CEILING_CHARACTERS = 9_500
"""The hosts cut at 2,500 tokens or 10,000 characters; both hold for all of them, for the answer as it is written."""

FIRST_TRY = 2_050  # tokens: of code these are just under the characters, and a second try takes as long as the first
FRAME_CHARACTERS = 120  # of the JSON around the text
COUNTER = "o200k"  # whatever the project counts with: the ceiling is the host's
PREMORTEM_TOKENS = 700  # of the ceiling; the rest is for the code of the failing frames
SHRINK = 0.95  # of the budget that the last try would have needed
TRIES = 4
LATER_SCORE = 0.97
"""Of what is new to a session that has something, the best few. Chosen on real sessions, of which bench/hook.py
replays ten. It belongs to the scale of the scores and to what packets hold."""
MOST_CHANGES = 50  # files read before an answer, at some 5 ms each; more are read beside the answers
WRITER_SECONDS = 0.5  # for another process that writes the index; after that the answer is made from what there is
MOST_PROJECTS = 3  # kept open, some 100 MB each
KEEPS_CONTEXT = "resume"  # a session that goes on has what it was given
LEAST_PACKET = 300  # tokens: less beside the project's knowledge is not worth a packet; the next prompt gets it
OWED = "is owed the project's knowledge"
"""Noted of a session that began or was compacted, until it was given that: some hosts tell of compaction only by an
event that takes no answer, and a hook on a busy machine may give up."""


class Reply(Struct, frozen=True):
    """A text, or none, and what is to be done once the host has it."""

    text: str = ""
    delivered: Callable[[], None] = lambda: None


class Answering(Haversack):
    """A project that answers from what is indexed when much has changed, and says that more is to be read."""

    behind = False
    unread = ""
    """Which files the last answer does not reflect, in a sentence."""
    _held: IndexReport | None = None

    def refresh(self, progress: Progress | None = None) -> IndexReport:
        from haversack.render.unread import not_read

        report, self._held = self._held, None
        if report is None:
            self.store.wait_at_most(WRITER_SECONDS)
            report = self.builder.refresh(progress=progress, most=MOST_CHANGES)
            self.behind = self.behind or bool(report.pending)
            self.unread = f"{not_read(report.pending, report.files)}\n" if report.pending else ""
        return report

    def speaks_of(self, prompt: str) -> bool:
        """Whether the prompt is about anything here; the packet that follows rests on the same look at the files."""
        from haversack.retrieve.nearness import is_near
        from haversack.retrieve.understand import understand

        report = self.refresh()
        near = is_near(self.store.snapshot(), self.embedder, understand(prompt))
        self._held = report if near else None
        return near


class Desk:
    """Projects that are open, each asked by one at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._projects: OrderedDict[Path, tuple[Config, Answering, threading.Lock]] = OrderedDict()
        self._building: set[Path] = set()
        self.linger_seconds = 60.0

    def answer(self, moment: Moment) -> Reply:
        """What the host is to be told at that moment; errors are noted, and the answer is empty."""
        started = time.monotonic()
        try:
            found = find_project(Path(moment.folder))
            refuse_home(found)
            root = found.root
            project, turn = self._project(root)
            with turn:
                reply = ANSWERS[moment.kind](project, moment)
                if project.behind:
                    project.behind = False
                    self._build(root)
        except (HaversackError, OSError) as error:
            self.note("no answer", host=moment.host, moment=moment.event, error=str(error))
            return Reply()
        except Exception as error:  # ours to mend, not the host's: it gets nothing, the log says what
            what = f"{type(error).__name__}: {error}"
            self.note("a bug in haversack", host=moment.host, moment=moment.event, error=what)
            return Reply()
        note(
            "answered",
            host=moment.host,
            moment=moment.event,
            characters=len(reply.text),
            ms=round((time.monotonic() - started) * 1e3, 1),
        )
        return reply

    def note(self, what: str, **fields: str) -> None:
        """Say in the log what went wrong."""
        note(what, wrong=True, **fields)

    def close(self) -> None:
        for _, project, _ in self._projects.values():
            project.close()

    def _project(self, root: Path) -> tuple[Answering, threading.Lock]:
        """The project at that root, opened with its settings as they are now."""
        config = load(root).override(WITHOUT_READER)
        self.linger_seconds = config.hook.linger_minutes * 60
        with self._lock:
            kept = self._projects.pop(root, None)
            if kept is None or kept[0] != config:
                kept = (config, Answering(root, config=config), threading.Lock())
            self._projects[root] = kept
            while len(self._projects) > MOST_PROJECTS:
                self._projects.popitem(last=False)  # closes when whoever still asks it lets go
            return kept[1], kept[2]

    def _build(self, root: Path) -> None:
        """Read what changed beside the answers, which say meanwhile what they were made from."""

        def build() -> None:
            try:
                with Haversack(root) as project:
                    project.index()
            except (HaversackError, OSError) as error:
                self.note("the index could not be built", error=str(error))
            finally:
                self._building.discard(root)

        with self._lock:
            if root in self._building:
                return
            self._building.add(root)
        threading.Thread(target=build, daemon=True).start()


def _start(project: Answering, moment: Moment) -> Reply:
    """The project's own knowledge; a session that goes on gets it again only if it changed."""
    goes_on = moment.source == KEEPS_CONTEXT
    if not goes_on:
        _begin_anew(project, moment.ledger)
    reply = _knowledge(project, moment.ledger, again=not goes_on)
    return Reply(reply.text + project.unread, reply.delivered) if reply.text else reply


def _prompt(project: Answering, moment: Moment) -> Reply:
    """What bears on the prompt and is new to the session; before it what the session is owed."""
    if moment.compactions:
        _notice(project, moment)
    owed = Reply()
    if moment.ledger and project.ledger.happened(moment.ledger, OWED):
        owed = _knowledge(project, moment.ledger)
    room = FIRST_TRY - count_tokens(owed.text)
    if room < LEAST_PACKET or not project.speaks_of(moment.prompt):
        return owed
    reply = _packet(project, moment.prompt, moment.ledger, room, beside=owed.text)

    def delivered() -> None:
        owed.delivered()
        reply.delivered()

    return Reply(reply.text, delivered)


def _begin_anew(project: Answering, session: str) -> None:
    """The session has nothing of what it was given, and is owed what it begins with until that was delivered."""
    if session:
        project.forget_session(session)
        project.ledger.first_time(session, OWED)


def _knowledge(project: Answering, session: str, *, again: bool = True) -> Reply:
    """The project's own knowledge; nothing where there is none, or, unless `again`, where the session has it."""
    from haversack.assemble.agent import agent_packet

    budget = FIRST_TRY
    for _ in range(TRIES):
        packet = agent_packet(project, budget=budget, session=session or None)
        text = packet.text + project.unread
        if fits(text):
            break
        budget = int(budget * SHRINK * _room(text))
    this = f"began with {packet.packet_id}"
    if not again and session and project.ledger.happened(session, this):
        return Reply()

    def delivered() -> None:
        if packet.entries:
            project.keep(packet)
        if session:
            project.ledger.first_time(session, this)
            project.ledger.undo(session, OWED)

    return Reply(packet.text if packet.entries else "", delivered)


def _tool(project: Answering, moment: Moment) -> Reply:
    """For a check that fails for the first time: what went wrong before, and the code of the failing frames."""
    from haversack.hook.failure import failure_of

    failure = failure_of(moment.command, moment.output)
    if moment.ledger and not project.ledger.first_time(moment.ledger, failure.name):
        return Reply()
    before = project.recall.get_premortem_context("debugging", "read-the-error", max_tokens=PREMORTEM_TOKENS)
    lessons = f"{before.markdown.rstrip()}\n" if before.items else ""
    return _packet(project, failure.task, moment.ledger, FIRST_TRY - PREMORTEM_TOKENS * bool(lessons), beside=lessons)


def _compact(project: Answering, moment: Moment) -> Reply:
    _begin_anew(project, moment.ledger)
    return Reply()


def _notice(project: Answering, moment: Moment) -> None:
    """A conversation that was compacted since its last prompt no longer holds what it was given."""
    times = f"compacted {moment.compactions}"
    if moment.ledger and project.ledger.first_time(moment.ledger, times):
        _begin_anew(project, moment.ledger)
        project.ledger.first_time(moment.ledger, times)


def _end(_project: Answering, _moment: Moment) -> Reply:
    return Reply()


ANSWERS: dict[Kind, Callable[[Answering, Moment], Reply]] = {
    Kind.START: _start,
    Kind.PROMPT: _prompt,
    Kind.TOOL: _tool,
    Kind.COMPACT: _compact,
    Kind.END: _end,
}


def _packet(project: Answering, task: str, session: str, budget: int, *, beside: str = "") -> Reply:
    """A packet that fits the ceiling together with what stands beside it; that alone when it holds nothing."""
    for _ in range(TRIES):
        packet = project.budget(
            task, budget=budget, session=session or None, footer=False, counter=COUNTER, later_score=LATER_SCORE
        )
        if not (packet.items or _was_given(packet)):
            break
        text = packet.text + beside + project.unread
        if fits(text):
            return Reply(text, partial(project.keep, packet))
        budget = int(budget * SHRINK * _room(text))
    return Reply(beside)


def _was_given(packet: Packet) -> bool:
    """Whether the session has what the packet would hold."""
    return any(each.reason.startswith(GIVEN) for each in packet.omitted)


def fits(text: str) -> bool:
    """Whether the host takes the text whole."""
    return _room(text) >= 1.0


def _room(text: str) -> float:
    """How much of the ceiling there is for each part of the text."""
    characters = len(json.dumps(text, ensure_ascii=False)) + FRAME_CHARACTERS
    return min(CEILING_CHARACTERS / characters, CEILING_TOKENS / max(1, count_tokens(text)))


def count_tokens(text: str) -> int:
    """As the host counts, or nearly so."""
    from haversack.tokens import counter

    return counter(COUNTER).count(text)
