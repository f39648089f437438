"""Every packet leaves a line in the assembly log."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests import sample

from haversack import Haversack
from haversack.errors import StoreError
from haversack.index.journal import DATABASE, Assembly, Journal

TASK = "fix the crash when refresh_session keeps an expired session"
FIELDS = {
    "task_id", "sources_queried", "candidates_found", "items_included", "tokens_used", "tokens_budget",
    "compression_applied", "assembly_time_ms",
}  # fmt: skip
"""All that seed 002 logs."""


@pytest.fixture
def haversack(tmp_path: Path) -> Iterator[Haversack]:
    with Haversack(sample.make(tmp_path / "shop"), data_dir=tmp_path / "data") as opened:
        yield opened


def test_all_fields_of_the_seed_are_in_the_store(haversack: Haversack) -> None:
    packet = haversack.pack(TASK, budget=600, session="monday")
    (made,) = haversack.assemblies()
    assert set(made._fields) >= FIELDS
    assert made.task_id == packet.packet_id
    assert made.task_type == "bug"
    assert {"code", "docs"} <= set(made.sources_queried)
    assert made.items_included == len(packet.items) <= made.candidates_found
    assert (made.tokens_used, made.tokens_budget) == (packet.tokens, 600)
    assert made.compression_applied == packet.receipt.compression_applied
    assert made.assembly_time_ms > 0
    with sqlite3.connect(haversack.folder / DATABASE) as database:
        (kept,) = database.execute("SELECT sources_queried FROM assembly_log").fetchall()
    database.close()
    assert tuple(json.loads(kept[0])) == made.sources_queried


def test_newest_first_and_by_session(haversack: Haversack) -> None:
    first = haversack.pack(TASK, budget=600, session="monday")
    second = haversack.agent(task=TASK, budget=300)
    assert [each.task_id for each in haversack.assemblies()] == [second.packet_id, first.packet_id]
    assert [each.task_id for each in haversack.assemblies("monday")] == [first.packet_id]


def test_a_log_that_cannot_be_read_or_written_is_said_and_stops_nothing(tmp_path: Path) -> None:
    journal = Journal(tmp_path)
    journal._db.execute("DROP TABLE assembly_log")
    with pytest.raises(StoreError, match="cannot be read"):
        journal.assemblies()
    with pytest.raises(StoreError, match="could not be written"):
        journal.put_assembly(Assembly("p", 0.0, "", "bug", (), 0, 0, 0, 0, (), 0.0))
    journal.close()
    with Haversack(sample.make(tmp_path / "shop"), data_dir=tmp_path / "data") as haversack:
        haversack.journal._db.execute("DROP TABLE assembly_log")
        assert haversack.pack(TASK, budget=600).items
        assert any("assembly log" in problem.what for problem in haversack.problems)
