"""How far down the list candidates are read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from tests import sample

from haversack import Haversack

STEPS = "".join(f"    note('step {step}: the session is renewed, its hours are counted')\n" for step in range(12))


@pytest.mark.parametrize(("good", "compete"), [(0.0, True), (0.5, False)])
def test_however_much_code_there_is_the_good_of_other_sources_compete(
    tmp_path: Path, good: float, compete: bool
) -> None:
    root = sample.make(tmp_path / "shop")
    for number in range(30):
        renewals = "\n\n".join(f"def renew_session_{number}_{n}(hours):\n{STEPS}" for n in range(8))
        sample.write(root, f"shop/renewal_{number}.py", renewals)
    chapters = "\n".join(
        f"## Hours of {word}\n\nThe hours of a session: {' '.join([word] * 20)}, {' '.join([other] * 20)}.\n"
        for word, other in (
            ("apple", "barley"),
            ("carrot", "date"),
            ("elder", "fig"),
            ("grape", "hazel"),
            ("iris", "kale"),
        )
    )
    sample.write(root, "docs/renewal.md", f"# Renewal\n\n{chapters}")
    tiers = {"relevance.thresholds.supporting": good, "relevance.thresholds.include": 0.0}
    with Haversack(root, data_dir=tmp_path / "data", flags=tiers) as haversack:
        packet = haversack.pack("how are the hours of a renewed session counted?", budget=1000, fill=True)
    reasons = Counter((each.path or "").partition("/")[0] for each in packet.omitted if "too far" in each.reason)
    assert reasons["shop"] > 100, "most of the code is not read"
    shown = [item.path for item in packet.items if item.source == "docs"]
    cut = [each.path for each in packet.omitted if each.section == "reference"]
    assert (len(shown) + len(cut) >= 4) is compete


def test_the_best_piece_is_read_however_long_it_is(tmp_path: Path) -> None:
    root = sample.make(tmp_path / "shop")
    long = "".join(f"    renew('step {n}: the hours of a session are renewed and counted')\n" for n in range(600))
    sample.write(root, "shop/renew_session_hours.py", f"def renew_session_hours(hours):\n{long}")
    for number in range(120):
        sample.write(root, f"shop/other_{number}.py", f"def other_{number}(hours):\n{STEPS}")
    with Haversack(root, data_dir=tmp_path / "data") as haversack:
        packet = haversack.pack("the hours of a renewed session are counted twice", budget=1000)
    (long_one,) = (
        *(item.level for item in packet.items if item.title == "renew_session_hours"),
        *(each.reason for each in packet.omitted if each.title == "renew_session_hours"),
    )
    assert "too far" not in long_one
