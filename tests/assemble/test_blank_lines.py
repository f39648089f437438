"""Code that is shown to its end comes with the blank lines after it: a new definition goes there."""

from __future__ import annotations

from pathlib import Path

from tests import sample

from haversack import Haversack
from haversack.index.units import UnitReader
from haversack.model import Level
from haversack.tokens import counter

CLOCK = """class Clock:
    def wind_spring(self, turns):
        # Too many turns break the spring.
        return min(turns, 12)

    def strike_hour(self, hour):
        return ["dong"] * hour
    \t


def wind_every_clock(clocks):
    return [clock.wind_spring(12) for clock in clocks]

"""
TEXT = sample.UNRELATED.lstrip() + "\n\n" + CLOCK
FIRST = TEXT[: TEXT.index(CLOCK)].count("\n")  # lines before it
TASK = "wind_spring and wind_every_clock should stop winding a spring that is full"


def packet_items(folder: Path) -> dict[str, tuple[int | None, int | None, str]]:
    (folder / "clock.py").write_text(TEXT)
    with Haversack(folder, data_dir=folder / "data") as project:
        packet = project.pack(TASK, budget=700)
    assert counter(packet.counter).count(packet.text) == packet.tokens
    code = [item for item in packet.items if item.path == "clock.py" and item.level is Level.FULL]
    return {item.title: (item.start, item.end, item.text) for item in code}


def test_blank_lines_after_a_definition_are_shown_and_cited(tmp_path: Path) -> None:
    found = packet_items(tmp_path)
    lines = TEXT.split("\n")
    assert found["Clock"][:2] == (FIRST + 1, FIRST + 10), "up to the next definition, white space or not"
    for start, end, text in found.values():
        assert start is not None
        assert text == "\n".join(lines[start - 1 : end]), "what is cited is what is there"


def test_the_last_definition_of_a_file_has_none(tmp_path: Path) -> None:
    assert packet_items(tmp_path)["wind_every_clock"][:2] == (FIRST + 11, FIRST + 12)


def test_a_file_that_changed_in_the_meantime_adds_nothing(tmp_path: Path) -> None:
    packet_items(tmp_path)
    with Haversack(tmp_path, data_dir=tmp_path / "data") as project:
        snapshot = project.store.snapshot()
        (unit,) = (each for each in UnitReader(project.store, snapshot).of_item(0) if each.title == "Clock.strike_hour")
        filled = project.texts.fill(unit, snapshot)
        assert list(project.texts.blank_after(filled)) == ["    \t", "", ""]
        (tmp_path / "clock.py").write_text("# a line more\n" + TEXT)
        assert list(project.texts.blank_after(filled)) == []
