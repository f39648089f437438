"""haversack: given a task and a token budget, what should the model read?"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from haversack.api import Haversack
    from haversack.config import Config
    from haversack.errors import HaversackError
    from haversack.model import Citation, Level, Unit
    from haversack.receipt.packet import Packet

__all__ = ["Citation", "Config", "Haversack", "HaversackError", "Level", "Packet", "Unit", "__version__"]

__version__ = "0.1.0"

# Names are loaded when first used: `import haversack` costs nothing, and the command line pays for what it runs.
_HOMES = {
    "Citation": "haversack.model",
    "Config": "haversack.config",
    "Haversack": "haversack.api",
    "HaversackError": "haversack.errors",
    "Level": "haversack.model",
    "Packet": "haversack.receipt.packet",
    "Unit": "haversack.model",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'haversack' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
