"""Files that change between index and packet, or while it is made: read again, never a wrong line number."""

from __future__ import annotations

import os
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import sample

from haversack import Haversack, Packet
from haversack.assemble.run import TRIES
from haversack.sources.protocol import TextFile

TASK = "refresh_session keeps an expired Session; the cart total is wrong"
FAULTS = runpy.run_path(str(Path(__file__).parents[2] / "bench" / "opened.py"))["faults"]
CHANGED = "shop/session.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return sample.make(tmp_path / "shop")


@pytest.fixture
def haversack(project: Path, tmp_path: Path) -> Iterator[Haversack]:
    with Haversack(project, data_dir=tmp_path / "data") as opened:
        opened.index()
        yield opened


def shift(project: Path, by: int) -> None:
    """Put lines before the file, at another time each."""
    (project / CHANGED).write_text("# Another line.\n" * by + sample.FILES[CHANGED])
    os.utime(project / CHANGED, (1_700_000_000 + by, 1_700_000_000 + by))


def line_of(packet: Packet, name: str) -> int:
    """The line on which the packet says the function begins, whether it is an item or a part of one."""
    item = next(item for item in packet.items if f"def {name}" in item.text)
    assert item.start is not None
    return item.start + item.text.partition(f"def {name}")[0].count("\n")


def test_a_file_edited_after_it_was_indexed_is_read_again(haversack: Haversack, project: Path) -> None:
    before = line_of(haversack.pack(TASK, budget=3000), "refresh_session")
    for by in (1, 7, 0):
        shift(project, by)
        packet = haversack.pack(TASK, budget=3000)
        assert line_of(packet, "refresh_session") == before + by
        assert FAULTS(project, packet, 3000, "markdown") == []
    (project / CHANGED).unlink()
    packet = haversack.pack(TASK, budget=3000)
    assert CHANGED not in {item.path for item in packet.items}
    assert FAULTS(project, packet, 3000, "markdown") == []


def edited_while_packing(haversack: Haversack, project: Path, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Whenever a packet reads the file, somebody has just saved it once more."""
    read, edits = haversack.texts.file, []

    def edit(path: str) -> TextFile | None:
        if path == CHANGED and len(edits) < times:
            edits.append(path)
            shift(project, len(edits))
        return read(path)

    monkeypatch.setattr(haversack.texts, "file", edit)


def test_a_file_edited_while_the_packet_is_made_is_read_again(
    haversack: Haversack, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited_while_packing(haversack, project, monkeypatch, times=1)
    packet = haversack.pack(TASK, budget=3000)
    assert line_of(packet, "refresh_session") == 21
    assert FAULTS(project, packet, 3000, "markdown") == []


def test_a_file_that_never_rests_is_left_out_and_named(
    haversack: Haversack, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited_while_packing(haversack, project, monkeypatch, times=TRIES + 1)
    packet = haversack.pack(TASK, budget=3000)
    assert CHANGED not in {item.path for item in packet.items}
    assert (CHANGED, "kept changing while the packet was made") in {
        (problem.where, problem.what) for problem in packet.receipt.problems
    }
    assert f"`{CHANGED}`" in packet.text
    assert FAULTS(project, packet, 3000, "markdown") == []
