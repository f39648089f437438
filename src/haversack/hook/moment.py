"""What a host tells us: one moment of one session, whoever the host is."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """What happens at that moment."""

    START = "start"
    PROMPT = "prompt"
    TOOL = "tool"
    COMPACT = "compact"
    END = "end"


class Moment(NamedTuple):  # not a dataclass: every hook passes here, and that import would cost it 8 ms
    """One call of the hook. `source` says how a session started; `failed` is None where the host does not say."""

    host: str
    event: str
    kind: Kind
    session: str
    folder: str
    source: str = ""
    prompt: str = ""
    command: str = ""
    output: str = ""
    failed: bool | None = None
    compactions: int = 0  # so far, where the host does not tell of each

    @property
    def ledger(self) -> str:
        """The name of the session in the ledger; empty when the host names none."""
        return f"{self.host}:{self.session}" if self.session else ""
