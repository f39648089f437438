"""What the shell may complete beside commands, options and fixed choices: names from settings, and files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click

# Whatever stands there is taken: the library says what is wrong with it.
FILE: Final = click.Path(readable=False)


def presets(ctx: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """Presets that are built in, and those of the project's and the user's settings."""
    from haversack.pack.presets import PRESETS

    return _beginning(begun, (*PRESETS, *_own(ctx, "presets")))


def profiles(ctx: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """Profiles that are built in, and those of the project's and the user's settings."""
    from haversack.score import PROFILES

    return _beginning(begun, (*PROFILES, *_own(ctx, "profiles")))


def types(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """Types of tasks."""
    from haversack.retrieve.task.types import GENERAL, ORDER

    return _beginning(begun, (*ORDER, GENERAL))


def counters(_: click.Context, __: click.Parameter, begun: str) -> list[str]:
    """Counters that are built in."""
    from haversack.tokens import CHARS, VOCABULARIES

    return _beginning(begun, (*VOCABULARIES, CHARS))


def _own(ctx: click.Context, table: str) -> list[str]:
    """The names in a table of the settings; none where these cannot be read, which is not the time to say so."""
    from haversack.config import load
    from haversack.errors import HaversackError

    try:
        return list(getattr(load(Path(getattr(ctx.find_root().obj, "project", "."))), table))
    except (HaversackError, OSError):
        return []


def _beginning(begun: str, names: Iterable[str]) -> list[str]:
    return sorted({name for name in names if name.startswith(begun)})
