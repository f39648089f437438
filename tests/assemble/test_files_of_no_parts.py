"""A file in which nothing is defined is a piece like others: small it comes whole, and it has no parts that compete."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

from tests import sample

from haversack import Haversack
from haversack.assemble.ladders import WHOLE_TOKENS
from haversack.assemble.reading import MOST_MAPS
from haversack.model import Level

TASK = "the build script installs bison before libevent on the travis machine"
SCRIPT = """#!/bin/sh
# Install what the build needs on the travis machine.
sudo apt-get update -qq
sudo apt-get install -qq bison autotools-dev
sudo apt-get install -qq libevent-dev libncurses5-dev
"""


def hash_of(*numbers: int) -> str:
    return blake2b(repr(numbers).encode(), digest_size=8).hexdigest()


def levels(root: Path, task: str, budget: int = 3_000) -> list[Level]:
    """Of the build scripts, as files; what is left out of them is not left to parts that they do not have."""
    with Haversack(root, data_dir=root.parent / "data") as opened:
        packet = opened.pack(task, budget=budget)
    return [item.level for item in packet.items if (item.path or "").startswith("build/") and item.kind == "file"]


def test_small_ones_come_whole_and_be_it_more_than_there_are_maps(tmp_path: Path) -> None:
    root = sample.make(tmp_path / "shop")
    for number in range(2 * MOST_MAPS):
        steps = (f"make -C {hash_of(number, step)} install  # bison" for step in range(12))  # no two scripts alike
        sample.write(root, f"build/travis_{number}.sh", "\n".join(("# The build script of travis", *steps, "")))
    assert levels(root, TASK) == [Level.FULL] * 2 * MOST_MAPS


def test_a_long_one_only_where_it_is_named_and_leaves_room(tmp_path: Path) -> None:
    root = sample.make(tmp_path / "shop")
    lines = "".join(f"cp --verbose box_{n}/bison_{n * n}.tar /usr/local/share\n" for n in range(WHOLE_TOKENS // 15))
    sample.write(root, "build/install.sh", SCRIPT + lines)
    named = f"{TASK}, see build/install.sh"
    assert Level.FULL not in levels(root, TASK)
    assert Level.FULL not in levels(root, named, 4_000)
    assert Level.FULL in levels(root, named, 40_000)
