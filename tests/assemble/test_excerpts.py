"""What is cut to the room that is left says something: of code it goes beyond the declaration."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import sample

from haversack import Haversack
from haversack.model import Level


@pytest.mark.parametrize("budget", range(60, 400, 10))
def test_no_excerpt_ends_before_its_declaration(tmp_path: Path, budget: int) -> None:
    told = "".join(f" * Renewals are counted from hour {n} of the session, see the notes.\n" for n in range(12))
    body = "".join(f"  session.note({n});\n" for n in range(60))
    sample.write(tmp_path, "renewal.js", f"/**\n{told} */\nfunction renewSession(session) {{\n{body}}}\n")
    with Haversack(tmp_path, data_dir=tmp_path / "data") as opened:
        packet = opened.pack("renewals of a session are counted wrong", budget=budget)
    for item in packet.items:
        if item.kind == "function" and item.level is Level.FULL:
            assert "session.note(0)" in item.text


@pytest.mark.parametrize("budget", [200, 300, 400, 460, 600])
def test_a_long_function_is_begun_rather_than_only_summarised(tmp_path: Path, budget: int) -> None:
    body = "".join(f"    session.note('renewal', {n})  # a renewal of the session\n" for n in range(150))
    sample.write(tmp_path, "renewal.py", f"def renew_session(session):\n{body}")
    with Haversack(tmp_path, data_dir=tmp_path / "data") as opened:
        packet = opened.pack("renew_session counts renewals wrong", budget=budget)
    assert "session.note('renewal', 0)" in packet.text
    assert packet.tokens >= 0.9 * budget
