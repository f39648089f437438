"""Environment files: which variables there are. Their values were masked when the file was read."""

from __future__ import annotations

import re
from typing import Final

from haversack.sources.deployment.piece import unique
from haversack.units.secret_names import is_secret_name

_NAME: Final = re.compile(r"^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*[=:]", re.MULTILINE)


def names(text: str) -> tuple[str, ...]:
    """The variables in order."""
    return unique(_NAME.findall(text))


def secrets(text: str) -> tuple[str, ...]:
    """Those that hold secrets by their names or because their value was masked."""
    masked = re.findall(
        r"^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*[=:][ \t]*[\"'`]?\[redacted:", text, re.MULTILINE
    )
    return unique([name for name in names(text) if is_secret_name(name) or name in set(masked)])
