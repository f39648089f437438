"""Where each experience stands on each axis and which cluster it belongs to: what values are made from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec.structs import asdict

from haversack.memory.database import EXPERIENCES, VALUES, Database
from haversack.memory.nouns import Value

Place: TypeAlias = tuple[int, str, bytes]
"""Number of the experience, the cluster it belongs to (empty: none), its vector."""


class Vectors:
    """Vectors by axis, with the model that made them and how far the experiences had been read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def model(self) -> str:
        """The model that made the vectors; empty when there are none."""
        return self._database.meta("values.model")

    def seen(self) -> int:
        """The last change to experiences that the vectors reflect."""
        return int(self._database.meta("values.seen") or 0)

    def clustered(self, axis: str) -> int:
        """How many experiences the axis had when all of it was last clustered."""
        return int(self._database.meta(f"values.clustered.{axis}") or 0)

    def places(self, axis: str) -> list[Place]:
        """Every experience on the axis, in the order they came."""
        rows = self._database.rows(
            "SELECT experience, cluster, data FROM vector WHERE axis = ? ORDER BY experience", axis
        )
        return [
            (int(str(number)), str(cluster), bytes(data)) for number, cluster, data in rows if isinstance(data, bytes)
        ]

    def begin(self, model: str) -> None:
        """Forget all vectors: another model makes them from now on."""
        with self._database.writing() as db:
            db.execute("DELETE FROM vector")
            self._database.put_meta("values.model", model)
            self._database.put_meta("values.seen", "0")

    def put(self, axis: str, places: Iterable[Place]) -> None:
        """Store where experiences stand."""
        with self._database.writing() as db:
            db.executemany(
                "INSERT OR REPLACE INTO vector (axis, experience, cluster, data) VALUES (?, ?, ?, ?)",
                [(axis, *place) for place in places],
            )

    def data(self, axis: str, experiences: Sequence[int]) -> dict[int, bytes]:
        """The vectors of these experiences, where they have one."""
        marks = ",".join("?" * len(experiences))
        rows = self._database.rows(
            f"SELECT experience, data FROM vector WHERE axis = ? AND experience IN ({marks})", axis, *experiences
        )
        return {int(str(number)): data for number, data in rows if isinstance(data, bytes)}

    def remove(self, axis: str, experiences: Iterable[int]) -> None:
        """Take experiences off the axis."""
        with self._database.writing() as db:
            db.executemany(
                "DELETE FROM vector WHERE axis = ? AND experience = ?", [(axis, number) for number in experiences]
            )

    def note(self, *, seen: int, clustered: Mapping[str, int]) -> None:
        """Remember how far this went."""
        with self._database.writing():
            self._database.put_meta("values.seen", str(seen))
            for axis, count in clustered.items():
                self._database.put_meta(f"values.clustered.{axis}", str(count))

    def put_values(self, axis: str, values: Iterable[Value], *, gone: Iterable[str]) -> None:
        """Store values that are new or changed, and drop those that are gone."""
        with self._database.writing() as db:
            for name in gone:
                (number,) = db.execute("SELECT number FROM value WHERE id = ?", (name,)).fetchone()
                self._database.touch(VALUES, number)
                db.execute("DELETE FROM value WHERE number = ?", (number,))
            for value in values:
                page = self._database.free_page(VALUES)
                db.execute(
                    "INSERT INTO value (id, page, axis, body) VALUES (?, ?, ?, ?) "
                    "ON CONFLICT (id) DO UPDATE SET body = excluded.body",
                    (value.id, page, axis, json.dumps(asdict(value))),
                )
                (number,) = db.execute("SELECT number FROM value WHERE id = ?", (value.id,)).fetchone()
                self._database.touch(VALUES, number)

    def changed_pages(self) -> tuple[list[int], int]:
        """Pages of experiences that changed since the vectors were made, and the last change."""
        pages = self._database.pages(EXPERIENCES, after=self.seen())
        return [page for page, _ in pages], max((change for _, change in pages), default=self.seen())
