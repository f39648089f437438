"""Things to remember for tests of memory."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from haversack.memory.store import MemoryStore


@contextmanager
def opened(folder: Path, **options: Any) -> Iterator[MemoryStore]:
    """The store in a folder, closed in the end."""
    folder.mkdir(parents=True, exist_ok=True)
    store = MemoryStore(folder, **options)
    try:
        yield store
    finally:
        store.close()


def entry(number: int = 1, **changes: object) -> dict[str, object]:
    """A journal entry that came to an end."""
    record: dict[str, object] = {
        "id": f"ghap_20260101_1200{number:02d}_abc{number:03d}",
        "session_id": "session_20260101_120000_abcdef",
        "created_at": f"2026-01-01T12:00:{number % 60:02d}.000001Z",
        "domain": "debugging",
        "strategy": "read-the-error",
        "goal": "Stop the worker from crashing",
        "hypothesis": "The queue is closed too early",
        "action": "Keep the queue open until the last job",
        "prediction": "No more crashes",
        "history": [],
        "iteration_count": 1,
        "notes": [],
        "outcome": {
            "status": "falsified",
            "result": "It still crashes",
            "captured_at": "2026-01-01T12:30:00.000000Z",
            "auto_captured": False,
        },
        "surprise": "The crash comes from the database driver",
        "root_cause": {"category": "wrong-assumption", "description": "The queue was never closed"},
        "lesson": {"what_worked": "Reading the whole traceback", "takeaway": "Look at the lowest frame first"},
        "confidence_tier": "silver",
    }
    return record | changes
