"""Every error haversack raises on purpose.

HaversackError                  exit code 1 unless said otherwise
├── UsageError                  the call is wrong (exit code 2)
│   └── ConfigError             a setting is unknown or invalid
├── ProjectError                the project folder cannot be used
├── OutsideProjectError         a path leads outside the project roots
├── NotFoundError               no such unit, path, symbol or packet
├── StoreError                  the index cannot be read or written
│   └── StoreBusyError          another process holds the write lock
├── SourceError                 one source failed (the packet goes on without it)
├── ModelError                  a model is damaged, missing, or does not answer
└── BudgetError                 overflow strategy "error": the packet does not fit
"""

from __future__ import annotations


class HaversackError(Exception):
    """What happened, where, and what to do next."""

    exit_code = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}\n  {self.hint}" if self.hint else self.message


class UsageError(HaversackError):
    """The call is wrong."""

    exit_code = 2


class ConfigError(UsageError):
    """A setting is unknown or invalid."""


class ProjectError(HaversackError):
    """The project folder cannot be used."""


class OutsideProjectError(HaversackError):
    """A path leads outside the project roots."""


class NotFoundError(HaversackError):
    """No such unit, path, symbol or packet."""


class StoreError(HaversackError):
    """The index cannot be read or written."""


class StoreBusyError(StoreError):
    """Another process holds the write lock."""


class SourceError(HaversackError):
    """One source failed; the rest goes on."""


class ModelError(HaversackError):
    """A model is damaged, missing, or does not answer."""


class BudgetError(HaversackError):
    """The overflow strategy is "error" and the packet does not fit."""


def database_hint(error: Exception, damaged: str) -> str:
    """The way out for a database that failed: room on the disk where that is what lacks, else what is given."""
    full = str(getattr(error, "sqlite_errorname", "")).startswith(("SQLITE_FULL", "SQLITE_IOERR"))
    return "the disk may be full: free some space, or choose another --data-dir" if full else damaged
