"""Reading a user's table: every key known, every number in range, the nearest name offered on a typo."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from haversack.errors import ConfigError


def one_of(where: str, name: object, known: Iterable[str]) -> str:
    """The name, if it is one of the known ones."""
    names = sorted(known)
    if isinstance(name, str) and name in names:
        return name
    raise ConfigError(f"{where}: unknown name {name!r}", hint=nearest(str(name), names))


def only_keys(where: str, table: Mapping[str, object], known: Iterable[str]) -> None:
    """Raise for the first key that is not known."""
    names = sorted(known)
    for key in sorted(table):
        if key not in names:
            raise ConfigError(f"{where}: unknown key {key!r}", hint=nearest(key, names))


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint that names the closest known name, or all of them when none is close."""
    from difflib import get_close_matches

    names = sorted(known)
    close = get_close_matches(name.lower(), names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(names)}"


def number(where: str, value: object, *, low: float = 0.0, high: float = math.inf) -> float:
    """The value as a number within bounds."""
    # bool is an int in Python; `weight = true` in a file is a slip.
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ConfigError(f"{where}: {value!r} is not a number", hint=f"give {_range(low, high)}")
    if not low <= value <= high:
        raise ConfigError(f"{where}: {value!r} is out of range", hint=f"give {_range(low, high)}")
    return float(value)


def integer(where: str, value: object, *, low: int = 0) -> int:
    """The value as a whole number of at least `low`."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError(f"{where}: {value!r} is not a whole number", hint=f"give a whole number of {low} or more")
    return int(number(where, value, low=low))


def table(where: str, value: object) -> Mapping[str, object]:
    """The value as a table of named entries."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise ConfigError(f"{where}: {value!r} is not a table", hint="write it as a table of names and values")
    return value


def numbers(where: str, value: object, known: Iterable[str], *, high: float = math.inf) -> dict[str, float]:
    """The value as a table from known names to numbers."""
    entries = table(where, value)
    only_keys(where, entries, known)
    return {key: number(f"{where}.{key}", entry, high=high) for key, entry in entries.items()}


def _range(low: float, high: float) -> str:
    return f"a number of {low:g} or more" if math.isinf(high) else f"a number from {low:g} to {high:g}"
