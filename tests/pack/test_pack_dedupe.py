"""One thing once, and both places cited."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.fuzz import ratio

from haversack.model import Citation, Scored, Span, Unit
from haversack.pack.dedupe import ALIKE, SHORTEST, VARIANTS, dedupe

BODY = "def total(items):\n    result = 0\n    for item in items:\n        result += item.price\n    return result\n"
OTHER = "class Basket:\n    def __init__(self, owner):\n        self.owner = owner\n        self.lines = {}\n"


def scored(
    name: str,
    text: str = BODY,
    score: float = 0.5,
    *,
    path: str | None = None,
    span: tuple[int, int] | None = None,
    source: str = "code",
    explicit: bool = False,
) -> Scored:
    lines = Span(*span) if span else None
    cited = (Citation.of_file(path, lines),) if path else ()
    unit = Unit(name, source, "function", name, text, path=path, span=lines, citations=cited)
    return Scored(unit, score, {}, explicit=explicit)


def kept(*given: Scored) -> list[str]:
    return [one.unit.id for one in dedupe(given).kept]


def test_the_more_relevant_of_two_copies_stays_and_cites_both() -> None:
    copy = BODY.replace("result", "amount", 1)
    found = dedupe(
        [scored("a", BODY, 0.4, path="a.py", span=(1, 5)), scored("b", copy, 0.9, path="b.py", span=(7, 11))]
    )
    assert [one.unit.id for one in found.kept] == ["b"]
    assert found.also == {"b": (Citation.of_file("a.py", Span(1, 5)),)}
    assert [(gone.id, gone.reason, gone.path) for gone in found.dropped] == [("a", "duplicate of b", "a.py")]


def test_copies_are_found_across_sources() -> None:
    found = dedupe([scored("note", BODY, 0.3, source="docs"), scored("code", BODY, 0.6, path="a.py", span=(1, 5))])
    assert [one.unit.id for one in found.kept] == ["code"]


def test_indentation_does_not_make_a_difference() -> None:
    indented = "".join("        " + line for line in BODY.splitlines(keepends=True))
    assert kept(scored("a", BODY, 0.9), scored("b", indented)) == ["a"]


def test_different_functions_of_one_file_all_stay() -> None:
    one, other = scored("a", BODY, path="m.py", span=(1, 5)), scored("b", OTHER, path="m.py", span=(7, 10))
    assert sorted(kept(one, other)) == ["a", "b"]


def test_a_commit_that_touched_a_file_is_not_its_duplicate() -> None:
    commit = scored("c", "Fix the total of an order with no items, as reported\n\nFiles: m.py", source="commits")
    assert sorted(kept(scored("a", BODY, path="m.py", span=(1, 5)), commit)) == ["a", "c"]


def test_the_same_unit_counts_once_and_is_not_called_left_out() -> None:
    found = dedupe([scored("a", BODY, 0.2), scored("a", BODY, 0.8)])
    assert [one.score for one in found.kept] == [0.8]
    assert found.dropped == ()


def test_the_same_lines_count_once_even_when_named() -> None:
    one = scored("a", BODY, 0.9, path="m.py", span=(1, 5), explicit=True)
    other = scored("b", OTHER, 0.8, path="m.py", span=(1, 5), explicit=True)
    assert kept(one, other) == ["a"]


def test_a_class_and_its_method_both_stay() -> None:
    outer = scored("class", OTHER, 0.4, path="m.py", span=(1, 40))
    inner = scored("method", BODY, 0.9, path="m.py", span=(10, 14))
    assert kept(outer, inner) == ["method", "class"]


def test_lines_that_partly_overlap_become_one_unit() -> None:
    lines = [f"line number {number} of the file" for number in range(1, 9)]
    one = scored("a", "\n".join(lines[0:5]), 0.9, path="m.txt", span=(1, 5))
    other = scored("b", "\n".join(lines[3:8]), 0.5, path="m.txt", span=(4, 8))
    found = dedupe([other, one])
    assert [one.unit.id for one in found.kept] == ["a"]
    assert found.kept[0].unit.span == Span(1, 8)
    assert found.kept[0].unit.text == "\n".join(lines)


def test_overlapping_units_whose_text_is_not_their_lines_keep_the_better_text() -> None:
    found = dedupe([scored("a", BODY, 0.9, path="m", span=(1, 9)), scored("b", OTHER, 0.5, path="m", span=(5, 20))])
    assert found.kept[0].unit.span == Span(1, 20)
    assert found.kept[0].unit.text == BODY


def test_what_the_task_names_is_not_dropped_for_a_copy() -> None:
    named = scored("named", BODY, 0.2, path="a.py", span=(1, 5), explicit=True)
    assert kept(scored("b", BODY, 0.9, path="b.py", span=(1, 5)), named) == ["named"]
    also_named = scored("b", BODY, 0.9, path="b.py", span=(1, 5), explicit=True)
    assert sorted(kept(also_named, named)) == ["b", "named"]


def called(name: str) -> str:
    return f"def {name}(url, data=None):\n    return request('{name}', url, data=data)"


def test_variants_in_one_file_stay_and_copies_go() -> None:
    post, put = called("post"), called("put")
    assert ratio(post, put) >= 90
    first = scored("a", post, 0.9, path="m.py", span=(1, 2))
    assert kept(first, scored("b", put, path="m.py", span=(4, 5))) == ["a", "b"]
    assert kept(first, scored("b", post, path="m.py", span=(4, 5))) == ["a"]
    assert kept(first, scored("b", put, path="n.py", span=(1, 2))) == ["a"]


def test_of_a_pattern_a_few_are_shown() -> None:
    pattern = [scored(str(n), called(f"put_{n}"), 0.9 - n / 100, path="m.py", span=(n, n + 1)) for n in range(1, 40, 3)]
    found = dedupe([*pattern, scored("copy", called("put_1"), 0.1, path="n.py", span=(1, 2))])
    assert [one.unit.id for one in found.kept] == ["1", "4", "7", "10"]
    assert len(found.kept) == VARIANTS
    assert {gone.reason for gone in found.dropped} == {"duplicate of 1"}
    assert len(found.dropped) == len(pattern) + 1 - VARIANTS


def test_short_texts_are_not_duplicates_by_accident() -> None:
    assert len(kept(scored("a", "def __init__(self): pass"), scored("b", "def __init__(self): pass"))) == 2


def test_a_record_without_citations_is_cited_by_its_path() -> None:
    bare = Scored(Unit("a", "code", "file", "a", BODY, path="a.py"), 0.1, {})
    assert dedupe([bare, scored("b", BODY, 0.9)]).also == {"b": (Citation.of_file("a.py"),)}


def test_long_texts_are_compared_by_their_lines() -> None:
    lines = [f"{number}: {random.Random(number).random()} some line" for number in range(400)]
    nearly = [*lines[:20], "another", *lines[20:]]
    shuffled = [line[::-1] for line in lines]
    found = kept(scored("a", "\n".join(lines), 0.9), scored("b", "\n".join(nearly)), scored("c", "\n".join(shuffled)))
    assert found == ["a", "c"]


def test_a_copy_of_a_copy_is_not_a_copy() -> None:
    words = [f"{number:03d}" for number in range(100)]
    texts = [" ".join(["xxx"] * changed + words[changed:]) for changed in (0, 7, 14)]
    assert ratio(texts[0], texts[1]) >= 90
    assert ratio(texts[1], texts[2]) >= 90
    assert ratio(texts[0], texts[2]) < 90
    assert kept(*(scored(str(n), text, 0.9 - n / 10) for n, text in enumerate(texts))) == ["0", "2"]


def test_nothing_comes_of_nothing() -> None:
    assert dedupe([]).kept == ()
    assert kept(scored("a")) == ["a"]


WORDS = st.lists(
    st.sampled_from(["alpha", "beta", "gamma", "δέλτα", "한국", "\ud800", "x = 1"]), min_size=8, max_size=14
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(WORDS.map(" ".join), st.floats(0, 1)), max_size=8), st.randoms(use_true_random=False))
def test_every_pair_that_is_alike_is_found_in_any_order(texts: list[tuple[str, float]], shuffle: random.Random) -> None:
    units = [scored(f"u{number}", text, score) for number, (text, score) in enumerate(texts)]
    found = dedupe(units)
    stay = [one.unit.text for one in found.kept if len(one.unit.text) >= SHORTEST]
    assert all(ratio(a, b) < 100 * ALIKE for place, a in enumerate(stay) for b in stay[place + 1 :])
    assert len(found.kept) + len(found.dropped) == len(units)
    shuffle.shuffle(units)
    assert dedupe(units) == found


def test_a_file_that_is_one_function_is_said_once_however_short() -> None:
    text = "def f():\n    return 1"
    found = dedupe(
        [scored("f", text, 0.8, path="a.py", span=(1, 2)), scored("a.py", text, 0.9, path="a.py", span=(1, 3))]
    )
    assert [one.unit.id for one in found.kept] == ["a.py"]
    assert found.also == {"a.py": (Citation.of_file("a.py", Span(1, 2)),)}
