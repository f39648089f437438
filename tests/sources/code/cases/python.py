# Copyright 2026 Example. Licensed under the Apache License.
"""Orders and the shop that takes them."""

from __future__ import annotations

import os, sys as system
import json.decoder as jd
from collections.abc import Iterable
from . import prices
from ..stock.shelf import (
    Shelf,
    refill,
)

logger = get_logger(__name__)
MAX_ITEMS: int = 20

# Words that end an order.
CLOSING = {"done", "bye"}


@dataclass(frozen=True)
class Order(Record, Generic[T], metaclass=Meta):
    """One order.

    It never changes.
    """

    lines: list[Line]

    @property
    def total(self) -> Decimal:
        """What it costs."""
        return sum(price_of(line) for line in self.lines)

    # Glued above.
    async def send(
        self,
        to: Address,
    ) -> None:
        def retry():
            return None

        await to.post(Parcel(self), retry)

    class Meta:
        ordering = ["id"]


if system.platform == "linux":

    def open_shop() -> None:
        os.mkdir("shop")

else:
    open_shop = None


def short(): return Order


class TestOrder:
    def test_total(self):
        assert Order([]).total == 0


type Pair = tuple[int, int]

if __name__ == "__main__":
    open_shop()
