"""What a session was given, for the library: packets that name a session carry only what is new to it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from haversack.errors import StoreError
from haversack.model import Problem

if TYPE_CHECKING:
    from pathlib import Path

    from haversack.index.ledger import Given, History, Ledger


class _Opened(Protocol):
    """The parts of an open project that sessions need."""

    problems: tuple[Problem, ...]

    @property
    def folder(self) -> Path: ...

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

    def note_given(self: _Opened, session: str, items: Sequence[Given]) -> None:
        """Remember what a session has just been given."""
        if not session or not items:
            return
        try:
            self.ledger.give(session, items)
        except StoreError as error:
            self.problems += (Problem("ledger", error.message, error.hint),)

    def forget_session(self: _Opened, session: str) -> None:
        """The session's conversation was compacted or cleared: its next packet carries everything again."""
        self.ledger.reset(session)
