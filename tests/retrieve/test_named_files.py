"""A file that the task names by its path is in the packet, whatever speaks against it."""

from __future__ import annotations

import pytest
from tests import sample

from haversack import Haversack
from haversack.model import Level

ABOUT = "Users report wrong totals when a basket is empty: refunds, discounts and taxes of the basket."


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Haversack:
    root = sample.make(tmp_path_factory.mktemp("named") / "shop")
    for n in range(40):
        part = (
            f"def total_of_basket_{n}(basket):\n    return basket.refunds + basket.discounts + basket.taxes + {n}\n\n\n"
        )
        sample.write(root, f"shop/totals_{n}.py", part * 3)
    bench = "".join(f"def bench_{n}(clock):\n    return clock.ticks({n}) - clock.start\n\n\n" for n in range(20))
    for path in ("benchmarks/speed.py", "tests/test_clock.py", "shop/clock.py"):
        sample.write(root, path, bench)
    return Haversack(root, data_dir=root.parent / "data")


@pytest.mark.parametrize("path", ["benchmarks/speed.py", "tests/test_clock.py", "shop/clock.py"])
def test_its_pieces_compete_and_one_is_shown(shop: Haversack, path: str) -> None:
    packet = shop.pack(f"{ABOUT} I think the reason is in {path}", budget=1_500)
    shown = [item.text for item in packet.items if item.path == path and item.level is Level.FULL]
    # One of its functions with its body, or all of them: a small file may come whole.
    assert any("(clock):\n    return clock.ticks(" in text for text in shown)
    assert path not in {item.path for item in shop.pack(ABOUT, budget=1_500).items}
