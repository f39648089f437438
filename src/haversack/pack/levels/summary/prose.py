"""Prose in a paragraph: the author's own sentences, chosen by what they say of the task, their place and heading."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from haversack.pack.levels.blocks import Block
from haversack.pack.levels.marks import ELLIPSIS
from haversack.pack.levels.terms import Hits

# What a sentence is worth, on the scale where saying all of the task's terms is worth 3.
TERMS_WORTH: Final = 3.0
HEADING_WORTH: Final = 0.8  # standing under a heading with all of them
FIRST_WORTH: Final = 1.0  # the very first sentence
LEAD_WORTH: Final = 0.4  # the first of the paragraph under a heading
PARAGRAPH_WORTH: Final = 0.2  # the first of any paragraph
STUMP_LOSS: Final = 0.5  # too short to say something, or too long to be a sentence
SHORTEST: Final = 24
LONGEST: Final = 420
MOST_SENTENCES: Final = 2000  # looked at, from the beginning


class Sentence(Struct, frozen=True):
    """A sentence where it stands in the text, and what it is worth."""

    start: int
    end: int
    worth: float


def best_sentences(scored: Sequence[Sentence], room: int) -> list[Sentence]:
    """The best sentences for about `room` characters, in the order of the text; one at least if there are any."""
    chosen: list[Sentence] = []
    for sentence in sorted(scored, key=lambda s: (-s.worth, s.start)):
        size = sentence.end - sentence.start + 1
        if size <= room or not chosen:
            chosen.append(sentence)
            room -= size
    return sorted(chosen, key=lambda sentence: sentence.start)


def prose_paragraph(text: str, sentences: Sequence[Sentence]) -> str:
    """The sentences as they stand in the text; dots where something lies between them."""
    said: list[str] = []
    end = 0
    for sentence in sentences:
        if said:
            said.append(f" {ELLIPSIS} " if text[end : sentence.start].strip() else " ")
        said.append(text[sentence.start : sentence.end])
        end = sentence.end
    return "".join(said)


def scored_sentences(prose: Sequence[Block], hits: Hits) -> list[Sentence]:
    """What each sentence of a text is worth."""
    scored: list[Sentence] = []
    heading = 0.0
    lead = LEAD_WORTH
    share = 1 / hits.terms.total if hits.terms.total else 0.0
    for block in prose:
        if block.kind == "heading":
            heading = HEADING_WORTH * share * hits.within(block.start, block.end)
            lead = LEAD_WORTH
        elif block.sentences:
            place = lead + PARAGRAPH_WORTH + (0.0 if scored else FIRST_WORTH)
            for begin, stop in block.sentences:
                worth = heading + place + TERMS_WORTH * share * hits.within(begin, stop)
                if not SHORTEST <= stop - begin <= LONGEST:
                    worth -= STUMP_LOSS
                scored.append(Sentence(begin, stop, worth))
                place = 0.0
            lead = 0.0
        if len(scored) >= MOST_SENTENCES:
            break
    return scored
