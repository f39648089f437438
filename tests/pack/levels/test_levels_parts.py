"""The small parts levels are made of."""

from __future__ import annotations

import pytest

from haversack.pack.levels.fit import largest
from haversack.pack.levels.nodes import nodes_within
from haversack.pack.levels.terms import MOST_TERMS, Terms
from haversack.sources.code.outline import Node, Outline


def lines_with(terms: Terms, text: str) -> dict[int, float]:
    return terms.hits(text).by_line(text)


@pytest.mark.parametrize(
    ("term", "text", "speaks"),
    [
        ("cat", "concatenate", False),
        ("cat", "a category", True),
        ("cat", "my_cat", True),
        ("cat", "myCat", True),
        ("cat", "MYCAT", False),
        ("go", "google", False),
        ("go", "let it go!", True),
        ("go", "go2", False),
        ("token", "untokenized", True),
        ("query", "Queries", True),
        ("resume", "le Résumé", True),
        ("résumé", "resume", True),
        ("中文", "这是中文。", True),
        ("한국", "대한국민", True),
        ("istanbul", "İstanbul istanbul", True),
        ("absent", "present", False),
    ],
)
def test_a_term_is_found_where_a_word_begins(term: str, text: str, speaks: bool) -> None:
    assert bool(lines_with(Terms.of([term]), text)) is speaks


def test_lines_weigh_what_their_terms_weigh_each_once() -> None:
    terms = Terms.of({"apple": 2.0, "pear": 0.5})
    text = "apple apple\nnothing\nApplePear\npear"
    assert lines_with(terms, text) == {0: 2.0, 2: 2.5, 3: 0.5}
    hits = terms.hits(text)
    assert hits.within(0, 11) == 2.0
    assert hits.within(11, 20) == 0.0
    assert hits.within(0, len(text)) == 2.5
    assert terms.weights(["pear", "plum", "apple_pear"]) == [0.5, 0.0, 2.5]
    assert Terms.of([]).weights(["pear"]) == [0.0]


def test_a_task_of_many_words_is_searched_by_its_weightiest() -> None:
    terms = Terms.of({f"word{n}": float(n) for n in range(1, 500)})
    assert len(terms.needles) == MOST_TERMS
    assert terms.needles[0] == ("word499", 499.0)


def test_the_largest_that_fits_is_found_in_few_steps() -> None:
    for limit in range(0, 1200, 7):
        asked: list[int] = []

        def cost(k: int, asked: list[int] = asked) -> int:
            asked.append(k)
            return k * 3

        found = largest([k * 10 for k in range(1, 301)], cost, limit)
        expected = min(300, limit // 3)
        assert found == (expected, expected * 3)
        assert len(asked) <= 16


def node(name: str, start: int, head: int, end: int) -> Node:
    return Node("function", name, name, start, end, head, head + 1, end, name, "", 0, 0, (), (), (), -1)


def test_definitions_belong_to_the_lines_that_declare_them() -> None:
    nodes = (node("a", 1, 3, 9), node("b", 10, 14, 20), node("c", 21, 21, 30))
    outline = Outline("python", nodes, (), (), "", 0, (), (), 30, broken=False)
    assert nodes_within(outline, 1, 30) == [0, 1, 2]
    assert nodes_within(outline, 12, 20) == [1]
    assert nodes_within(outline, 15, 25) == [2]
    assert nodes_within(outline, 10, 12) == []
    assert nodes_within(outline, 31, 40) == []
