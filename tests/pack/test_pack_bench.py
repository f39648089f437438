"""The packing benchmark runs, and its exact figures hold in its quick mode."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[2] / "bench"


def run(*arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, str(BENCH / "packing.py"), "--quick", *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout


def test_no_packet_is_over_budget_and_value_is_near_the_optimum() -> None:
    before = (BENCH / "RESULTS.md").read_bytes()
    told = run()
    assert "**0 packets over budget**" in told
    found = re.search(r"mean \*\*([\d.]+)%\*\*, worst \*\*([\d.]+)%\*\*", told)
    assert found is not None
    assert float(found[1]) >= 98
    assert float(found[2]) >= 95
    assert (BENCH / "RESULTS.md").read_bytes() == before


def test_recorded_sets_are_read_back(tmp_path: Path) -> None:
    file = tmp_path / "sets.jsonl"
    code = "import random, sets; print(sets.as_line(sets.generated(random.Random(9), candidates=30, budget=2000)))"
    line = subprocess.run([sys.executable, "-c", code], cwd=BENCH, capture_output=True, text=True, check=True).stdout
    file.write_text(line)
    assert "on 1 recorded sets" in run("--sets", str(file))


def test_nearly_all_of_a_budget_is_used_while_candidates_are_left() -> None:
    code = (
        "import random; from packing import left_to_add, pack; from sets import generated; chance = random.Random(7)\n"
        "for budget in [*range(400, 1000, 3), *range(1000, 20_000, 190)]:\n"
        "    one = generated(chance, budget=budget, candidates=chance.choice((4, 8, 16, 60)))\n"
        "    made = pack(one, cut=True)\n"
        "    if not made.overflow and left_to_add(one, made):\n"
        "        print(made.tokens / budget)\n"
    )
    told = subprocess.run([sys.executable, "-c", code], cwd=BENCH, capture_output=True, text=True, check=True).stdout
    shares = [float(line) for line in told.split()]
    assert len(shares) > 100
    assert 0.97 <= min(shares) <= max(shares) <= 1.0
