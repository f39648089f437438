"""How far down the list candidates are read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests import sample

from haversack import Haversack

STEPS = "".join(f"    note('step {step}: the session is renewed, its hours are counted')\n" for step in range(12))


def test_however_much_code_there_is_other_sources_compete(tmp_path: Path) -> None:
    root = sample.make(tmp_path / "shop")
    for number in range(30):
        renewals = "\n\n".join(f"def renew_session_{number}_{n}(hours):\n{STEPS}" for n in range(8))
        sample.write(root, f"shop/renewal_{number}.py", renewals)
    chapters = "\n".join(
        f"## {word.title()}\n\nThe hours of {word} are long. {' '.join([word] * 9)}, {other} and no more {other}s.\n"
        for word, other in (
            ("apple", "barley"),
            ("carrot", "date"),
            ("elder", "fig"),
            ("grape", "hazel"),
            ("iris", "kale"),
        )
    )
    sample.write(root, "docs/renewal.md", f"# Renewal\n\n{chapters}")
    with Haversack(root, data_dir=tmp_path / "data") as haversack:
        packet = haversack.pack("how are the hours of a renewed session counted?", budget=1000, fill=True)
    reasons = Counter((each.path or "").partition("/")[0] for each in packet.omitted if "too far" in each.reason)
    assert reasons["shop"] > 100, "most of the code is not read"
    shown = [item.path for item in packet.items if item.source == "docs"]
    cut = [each.path for each in packet.omitted if each.section == "reference"]
    assert len(shown) + len(cut) >= 4
