"""Regular expressions that are compiled when first used: a command loads hundreds and needs a few dozen."""

from __future__ import annotations

import re
from typing import AnyStr, cast


def lazily(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """The pattern, for its methods (`match`, `sub`, …); `re.compile` runs at the first of them."""
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))


class _Lazy:
    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        # Reached only for a method not used before: afterwards it is an attribute like any other.
        method = getattr(re.compile(self._pattern, self._flags), name)
        self.__dict__[name] = method
        return method
