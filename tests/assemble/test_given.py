"""What a session gets that has something already: the best of what is new, not all that is mentioned."""

from __future__ import annotations

from msgspec.structs import replace

from haversack.assemble.given import NAMED_SHARE, deliveries, unseen
from haversack.index.ledger import Given, History, digest_of
from haversack.model import Candidate, Chosen, Level, Rung, Scored, Unit
from haversack.render.frame import Block

LEAST = 0.9


def piece(name: str, score: float, *, explicit: bool = False, pinned: bool = False) -> Chosen:
    unit = Unit(name, "code", "function", name, f"def {name}(): ...")
    rung = Rung(Level.FULL, unit.text, 5, 1.0)
    return Chosen(Candidate(Scored(unit, score, {}, explicit), "primary", (rung,), pinned), rung)


def names(history: History, *pieces: Chosen) -> list[str]:
    return [each.candidate.id for each in unseen(pieces, history, least=LEAST)[0]]


def test_a_first_packet_gets_everything() -> None:
    assert names(History(), piece("good", 0.95), piece("weak", 0.3)) == ["good", "weak"]


def test_a_later_one_gets_the_best_and_of_what_is_named_what_it_is_about() -> None:
    had = piece("had", 0.95)
    known = Given(unit="had", number=1, level=Level.FULL, content=digest_of(had.candidate.scored.unit.text))
    pieces = (
        had,
        piece("best", LEAST),
        piece("weak", LEAST - 0.01),
        piece("named", LEAST * NAMED_SHARE + 0.01, explicit=True),
        piece("mentioned", LEAST * NAMED_SHARE - 0.01, explicit=True),
        piece("pinned", 0.1, pinned=True),
    )
    assert names(History({"had": known}, 1), *pieces) == ["best", "named", "pinned"]


def test_what_an_item_shows_counts_for_it_and_is_given_with_it() -> None:
    had, best = piece("had", 0.95), piece("best", LEAST)
    whole = replace(piece("whole", 0.4), shows=(best.candidate,))
    known = Given(unit="had", number=1, level=Level.FULL, content=digest_of(had.candidate.scored.unit.text))
    assert names(History({"had": known}, 1), had, whole) == ["whole"], "by itself it would be too weak"
    noted = deliveries((Block("item", "", "primary", whole), Block("item", "", "primary", had)), 4)
    assert [(each.unit, each.number) for each in noted] == [("whole", 4), ("best", 4), ("had", 5)]
    history = History({each.unit: each for each in noted}, 5)
    assert unseen((best,), history, least=LEAST)[0] == (), "its file was given whole"
