"""What a session was given, for the library: packets that name a session carry only what is new to it."""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from haversack.errors import StoreError
from haversack.model import Problem

if TYPE_CHECKING:
    from pathlib import Path

    from haversack.assemble.agent import AgentPacket
    from haversack.index.journal import Journal
    from haversack.index.ledger import History, Ledger
    from haversack.receipt.packet import Packet


class _Opened(Protocol):
    """The parts of an open project that sessions need."""

    problems: tuple[Problem, ...]

    @property
    def folder(self) -> Path: ...

    @property
    def journal(self) -> Journal: ...

    @property
    def ledger(self) -> Ledger: ...


class Sessions:
    """The verbs of `Haversack` that keep the ledger."""

    @cached_property
    def ledger(self: _Opened) -> Ledger:
        """What each session was given."""
        from haversack.index.ledger import Ledger

        return Ledger(self.folder)

    def history(self: _Opened, session: str, *, repeat: bool = False) -> History | None:
        """What the session has; None without a session. With `repeat` it is to get everything again."""
        from haversack.index.ledger import History

        if not session:
            return None
        try:
            if repeat:
                self.ledger.reset(session)
            return self.ledger.history(session)
        except StoreError as error:  # then it gets again what it may have: too much, never too little
            self.problems += (Problem("ledger", error.message, error.hint),)
            return History()

    def forget_session(self: _Opened, session: str) -> None:
        """The session's conversation was compacted or cleared: its next packet carries everything again."""
        self.ledger.reset(session)

    def keep(self: _Opened, packet: Packet | AgentPacket) -> None:
        """Store a packet's receipt, and note what its session was given: what `pack` does beyond `budget`."""
        from haversack.receipt.assembly import remember

        now, session = time.time(), packet.receipt.session
        try:
            remember(self.journal, packet.receipt, now)
            self.journal.put_given(session, packet.packet_id, now)
            if session and packet.deliveries:
                self.ledger.give(session, packet.deliveries)
        except StoreError as error:  # a packet that cannot be remembered is still a packet
            self.problems += (Problem("receipt", error.message, error.hint),)

    def had_within(self: _Opened, packet: Packet | AgentPacket, seconds: float) -> bool:
        """Whether this very packet was the last its session was given, so many seconds ago or fewer."""
        if seconds <= 0:
            return False
        try:
            before = self.journal.given(packet.receipt.session)
        except StoreError as error:
            self.problems += (Problem("receipt", error.message, error.hint),)
            return False
        return before is not None and before[0] == packet.packet_id and 0 <= time.time() - before[1] < seconds
