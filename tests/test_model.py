"""The nouns: what they say of themselves."""

from __future__ import annotations

import pytest

from haversack.model import Span, named_lines


@pytest.mark.parametrize(
    ("target", "found"),
    [
        ("a.py:3", ("a.py", Span(3, 3))),
        ("src/a.py:3-9", ("src/a.py", Span(3, 9))),
        ("C:/x:4", ("C:/x", Span(4, 4))),
        ("odd\nname:4", ("odd\nname", Span(4, 4))),
        *((target, None) for target in ("a.py", "a:b", "a:3-", "a:-3", ":3", "a:3-x", "Shop.sell", "")),
    ],
)
def test_lines_of_a_file_are_named_by_path_and_number(target: str, found: tuple[str, Span] | None) -> None:
    assert named_lines(target) == found


@pytest.mark.parametrize(("one", "other", "lines"), [((1, 9), (5, 20), 5), ((1, 4), (5, 9), 0), ((1, 9), (2, 3), 2)])
def test_lines_in_common(one: tuple[int, int], other: tuple[int, int], lines: int) -> None:
    assert Span(*one).common(Span(*other)) == Span(*other).common(Span(*one)) == lines
    assert Span(*one).overlaps(Span(*other)) is bool(lines)
