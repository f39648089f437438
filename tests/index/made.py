"""Units and stores made by hand, for tests that need no files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from haversack.index.embed import CodeModel
from haversack.index.prepare import prepare
from haversack.index.read import Prepared
from haversack.index.records import encode_units
from haversack.index.segment import concatenate
from haversack.index.sqlite import SqliteStore
from haversack.index.store import Batch, ItemRow
from haversack.model import Citation, Role, Span, Unit

MODEL = CodeModel()


def unit(path: str, name: str, text: str, *, start: int = 1, role: Role = Role.SOURCE, **more: Any) -> Unit:
    """A function of a file."""
    span = Span(start, start + text.count("\n"))
    fields: dict[str, Any] = {
        "id": f"c:{path}:{name}",
        "source": "code",
        "kind": "function",
        "title": name,
        "text": text,
        "path": path,
        "span": span,
        "name": name,
        "qualname": name,
        "lang": "python",
        "role": role,
        "citations": (Citation.of_file(path, span), Citation.of_symbol(f"c:{path}:{name}", name, path)),
    }
    return Unit(**{**fields, **more})


def commit(sha: str, message: str, files: Sequence[str], when: float) -> Unit:
    """A commit that touched some files."""
    return Unit(
        id=f"k{sha}",
        source="commits",
        kind="commit",
        title=message.split("\n")[0],
        text=message,
        time=when,
        citations=(Citation.of_commit(sha),),
        meta={"files": tuple(files)},
    )


def prepared(units: Sequence[Unit], *, stamp: str = "1") -> Prepared:
    """Units grouped by file as a reading would give them."""
    keys = list(dict.fromkeys((u.source, u.path or u.id) for u in units))
    ordered = [u for key in keys for u in units if (u.source, u.path or u.id) == key]
    items = []
    for source, key in keys:
        mine = [u for u in ordered if (u.source, u.path or u.id) == (source, key)]
        in_file = mine[0].path is not None
        items.append(
            ItemRow(
                source=source,
                key=key,
                fingerprint=stamp,
                digest=stamp,
                lang=mine[0].lang,
                time=mine[0].time,
                size=sum(len(u.text) for u in mine),
                units=len(mine),
                blob=encode_units(mine, keep_text=not in_file),
                in_file=in_file,
            )
        )
    return Prepared(tuple(items), prepare(ordered, MODEL))


def write(store: SqliteStore, units: Sequence[Unit], *, stamp: str = "1", gone: Sequence[tuple[str, str]] = ()) -> None:
    """One batch."""
    made = prepared(units, stamp=stamp) if units else None
    store.write(Batch(items=made.items if made else (), rows=made.rows if made else None, gone=tuple(gone)))


def store_with(folder: Path, *batches: Sequence[Unit]) -> SqliteStore:
    """A store with each batch in a segment of its own."""
    store = SqliteStore(folder)
    for batch in batches:
        write(store, batch)
    return store


__all__ = ["MODEL", "commit", "concatenate", "prepared", "store_with", "unit", "write"]
