"""What a test gets back from a run of the program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one run of the program left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Outcome]
