"""Parts and summaries are offered of the best pieces of code; the others are whole, or one line."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

from tests import sample

from haversack import Haversack
from haversack.assemble.reading import BEST_OF_CODE
from haversack.model import Level

PARTS = (Level.DETAILED, Level.SUMMARY)


def hash_of(*numbers: int) -> str:
    return blake2b(repr(numbers).encode(), digest_size=8).hexdigest()


def long_function(number: int) -> str:
    body = "".join(f"    total += parcel.box_{hash_of(number, line)}\n" for line in range(40))  # no two alike
    return f"def weigh_parcel_{number}(parcel):\n    total = 0\n{body}    return total\n\n\n"


def levels(project: Path, data: Path, **options: object) -> list[Level]:
    with Haversack(project, data_dir=data) as opened:
        packet = opened.pack("the parcel is weighed wrong", budget=6_000, **options)
        return [item.level for item in packet.items if item.source == "code" and item.kind == "function"]


def test_only_the_best_pieces_are_shown_in_parts(tmp_path: Path) -> None:
    for number in range(2 * BEST_OF_CODE):
        sample.write(tmp_path, f"parcels/p{number}.py", long_function(number))
    shown = levels(tmp_path, tmp_path / "data")
    assert len(shown) > BEST_OF_CODE
    assert 0 < sum(level in PARTS for level in shown) <= BEST_OF_CODE


def test_who_wants_summaries_gets_them_of_all(tmp_path: Path) -> None:
    for number in range(2 * BEST_OF_CODE):
        sample.write(tmp_path, f"parcels/p{number}.py", long_function(number))
    shown = levels(tmp_path, tmp_path / "data", overflow="summarize")
    assert sum(level in PARTS for level in shown) > BEST_OF_CODE
