"""Which files belong to a project, and the only way to read one."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from haversack.project.find import Project, find_project
    from haversack.project.reading import Skipped, read_text
    from haversack.project.walk import Stamp, Sweep, sweep

__all__ = ["Project", "Skipped", "Stamp", "Sweep", "find_project", "read_text", "sweep"]

_HOMES = {
    "Project": "find",
    "find_project": "find",
    "Skipped": "reading",
    "read_text": "reading",
    "Stamp": "walk",
    "Sweep": "walk",
    "sweep": "walk",
}


def __getattr__(name: str) -> object:
    """Import a name's module on first use: finding a project must not cost what reading one does."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = found
    return found
