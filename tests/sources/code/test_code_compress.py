"""Code shortened lightly: the manual in a docstring goes, what it is about stays, and the mark says which lines."""

from __future__ import annotations

import ast

import pytest
from msgspec.structs import replace

from haversack.model import Anatomy, Role, Span, Unit
from haversack.sources.code.compress import light
from haversack.sources.code.cutting import units_of
from haversack.sources.protocol import TextFile

MANUAL = "\n".join(f"    >>> fit({n})  # line {n} of the manual" for n in range(12))
FIT = f'''def fit(data):
    """Fit the model
    to the data.

{MANUAL}
    """
    total = sum(data)
    return total / len(data)
'''


def unit_of(text: str, head: int = 1) -> Unit:
    """The only function of a file, below a few lines of something else."""
    above = "import os\n\n" * ((head - 1) // 2)
    file = TextFile("fit.py", above + text, "python", Role.SOURCE, 0, 0, "")
    return next(unit for unit in units_of(file) if unit.kind == "function")


def test_the_first_paragraph_stays_and_the_rest_is_marked() -> None:
    unit = unit_of(FIT, head=5)
    assert unit.span == Span(5, 23)
    made = light(unit, FIT.rstrip("\n"), 10_000)
    assert made is not None
    assert made.splitlines()[:5] == [
        "def fit(data):",
        '    """Fit the model',
        "    to the data.",
        "    … lines 8-20 elided",
        '    """',
    ]
    assert "total / len(data)" in made
    ast.parse(made)  # still a function


def test_a_short_docstring_stays() -> None:
    text = FIT.replace(MANUAL, "    It is quick.")
    assert light(unit_of(text), text.rstrip("\n"), 10_000) is None


@pytest.mark.parametrize(
    "anatomy",
    [None, Anatomy(1), Anatomy(1, 2, 5, 40, 80), Anatomy(1, 2, 5, 7, 3), Anatomy(9, 10, 12, 1, 8)],
    ids=["none", "no docstring", "past the end", "upside down", "above the head"],
)
def test_an_anatomy_that_does_not_fit_changes_nothing(anatomy: Anatomy | None) -> None:
    assert light(replace(unit_of(FIT), anatomy=anatomy), FIT.rstrip("\n"), 10_000) is None


def test_a_text_that_is_not_its_lines_is_left_alone() -> None:
    assert light(unit_of(FIT), FIT + "\nmore = 1\n", 10_000) is None
