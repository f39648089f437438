"""The budget: a total in tokens, and what is set aside before anything is packed."""

from __future__ import annotations

import math
import re

from msgspec import Struct

from haversack.errors import UsageError


class Budget(Struct, frozen=True):
    """Tokens in all and tokens set aside; the reserves are taken off once, here."""

    total: int
    reserve_for_output: int = 0
    reserve_for_system: int = 0

    @property
    def available(self) -> int:
        """What the packet may cost."""
        return self.total - self.reserve_for_output - self.reserve_for_system


def budget(total: object, *, reserve_for_output: object = 0, reserve_for_system: object = 0) -> Budget:
    """A checked budget from whatever a flag, a variable or a file gave."""
    made = Budget(
        tokens("budget", total),
        tokens("reserve for output", reserve_for_output),
        tokens("reserve for system", reserve_for_system),
    )
    if made.available < 0:
        reserves = made.reserve_for_output + made.reserve_for_system
        raise UsageError(
            f"the reserves ({reserves:,} tokens) are larger than the budget ({made.total:,} tokens)",
            hint=f"raise the budget to {reserves:,} or more, or lower the reserves",
        )
    return made


def tokens(name: str, value: object) -> int:
    """A number of tokens: 8000, "8000", "8_000", "8k" or 8000.0; never negative, never a fraction."""
    amount = _amount(value)
    if amount is None or not math.isfinite(amount) or amount != int(amount):
        raise UsageError(f"{name}: {value!r} is not a number of tokens", hint="give a whole number such as 8000")
    if amount < 0:
        raise UsageError(f"{name}: {value!r} is negative", hint="give 0 or more tokens")
    return int(amount)


def _amount(value: object) -> float | None:
    # bool is an int in Python; a budget of True is a slip.
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if isinstance(value, str) and (found := re.fullmatch(r"\s*([+-]?\d[\d_,]*(?:\.\d+)?)\s*([kKmM]?)\s*", value)):
        number = float(found[1].replace("_", "").replace(",", ""))
        return number * {"": 1, "k": 1_000, "m": 1_000_000}[found[2].lower()]
    return None
