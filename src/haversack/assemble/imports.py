"""The imports of the files that the best pieces come from: what their names mean, and where a change adds to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from haversack.assemble.ladders import IMPORTS, Offer
from haversack.index.symbolic import by_id
from haversack.index.units import UnitReader
from haversack.model import Candidate, Chosen, Citation, Scored, Span, Unit
from haversack.patterns import lazily
from haversack.units.ids import unit_id

if TYPE_CHECKING:
    from haversack.assemble.texts import Texts
    from haversack.index.store import Store

# The files of the best pieces. On 133 development tasks those of three show .03 more of the lines an issue changed in
# 8,000 tokens, and of six no more than that.
FILES = 3
ITS_FILE: Final = "nothing else of its file is in the packet"
_AN_ID: Final = lazily(r"c[0-9a-f]{12}")


def with_imports(offers: Sequence[Offer], units: UnitReader, texts: Texts) -> list[Offer]:
    """The offers, and after the best of each of the first files the imports of that file.

    What is pinned brings nothing along: its file may be one that the user does not want.
    """
    made: list[Offer] = []
    seen: set[str] = set()
    for offer in offers:
        made.append(offer)
        unit = offer.scored.unit
        piece = unit.source == "code" and unit.kind != "file" and not offer.pinned
        if not piece or unit.path is None or unit.path in seen or len(seen) == FILES:
            continue
        seen.add(unit.path)
        imports = _imports(unit, units, texts)
        if imports is not None:
            scored = Scored(imports, offer.scored.score, offer.scored.factors)
            made.append(replace(offer, scored=scored, also=()))
    return made


def imports_alone(chosen: Sequence[Chosen]) -> list[Candidate]:
    """Imports that were chosen while nothing else of their file was: they are short, but explain nothing."""
    code = [each.candidate for each in chosen if each.candidate.scored.unit.source == "code"]
    held = {each.scored.unit.path for each in code if each.scored.unit.kind != IMPORTS}
    return [each for each in code if each.scored.unit.kind == IMPORTS and each.scored.unit.path not in held]


def imports_id(path: str | None) -> str:
    """The id of a file's imports."""
    return unit_id("code", path or "", IMPORTS, "")


def place_of_imports(store: Store, asked: str) -> str | None:
    """The lines, as `path:lines`, of the imports that a packet calls by this id; None when it is no such id."""
    snapshot = store.snapshot()
    if not _AN_ID.fullmatch(asked) or by_id(snapshot, asked) is not None:
        return None
    path = next((item.key for item in snapshot.items if item.source == "code" and imports_id(item.key) == asked), None)
    file = UnitReader(store, snapshot).file_of(Unit(asked, "code", IMPORTS, "", "", path=path)) if path else None
    span = _span(file) if file else None
    return f"{path}:{span}" if span else None


def _span(file: Unit) -> Span | None:
    """Where a file's imports are."""
    found = file.anatomy
    return Span(found.body_start, found.body_end) if found is not None and found.body_start else None


def _imports(unit: Unit, units: UnitReader, texts: Texts) -> Unit | None:
    file = units.file_of(unit)
    span = _span(file) if file else None
    if file is None or span is None or (unit.span is not None and span.common(unit.span)):
        return None
    bare = Unit(
        id=imports_id(file.path),
        source="code",
        kind=IMPORTS,
        title=file.path or "",
        text="",
        path=file.path,
        span=span,
        lang=file.lang,
        role=file.role,
        parent=file.id,
        citations=(Citation.of_file(file.path or "", span),),
    )
    return texts.fill(bare, units.snapshot)
