"""The agents whose transcripts are known, by name."""

from __future__ import annotations

from collections.abc import Mapping

from haversack.sources.conversation.formats import (
    Format,
    aider,
    claude,
    codex,
    copilot,
    cursor,
    gemini,
    opencode,
    plain,
    specstory,
)
from haversack.sources.conversation.formats.stores import Store

FORMATS: Mapping[str, Format] = {
    each.FORMAT.name: each.FORMAT for each in (claude, codex, gemini, copilot, aider, specstory, plain)
}
STORES: Mapping[str, Store] = {each.STORE.name: each.STORE for each in (opencode, cursor)}
