"""What holds for every text, every limit and every level."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st
from level_cases import WORDS, any_text, climb, count, file_unit, outlined, python_sources

from haversack.model import Level, Unit
from haversack.pack.levels import Limits, StubInfo, excerpt
from haversack.pack.levels.ladder import summarize_file
from haversack.pack.levels.material import material
from haversack.pack.levels.summary.prose import best_sentences, prose_paragraph, scored_sentences
from haversack.safe import sanitize

NUMBERED: Final = re.compile(r" *(\d+)\| ?(.*)")
MARK: Final = re.compile(r" *\| *(?:# )?… lines? (\d+)(?:-(\d+))? elided")
limits = st.builds(
    Limits,
    full=st.one_of(st.just(-1), st.integers(20, 400)),
    detailed=st.integers(20, 400),
    summary=st.integers(20, 200),
    stub=st.integers(20, 100),
)
task = st.lists(st.sampled_from(WORDS), max_size=4)
units = st.sampled_from(
    [
        file_unit("x"),
        file_unit("x", "README.md", "markdown", "docs"),
        file_unit("x", "guide.rst", "rst", "docs"),
        file_unit("x", "guide.adoc", "asciidoc", "docs"),
        file_unit("x", "settings.yaml", "yaml"),
        Unit(id="c", source="commits", kind="commit", title="c", text="", meta={"files": ("a.py", "b.py")}),
        Unit(id="k", source="chat", kind="message", title="k", text=""),
    ]
)


@given(units, any_text, limits, task)
@settings(max_examples=250, deadline=None)
def test_a_rung_never_exceeds_its_limit_and_says_its_exact_price(
    unit: Unit, text: str, limit: Limits, terms: list[str]
) -> None:
    rungs = climb(unit, text, terms=terms, limits=limit)
    assert list(rungs) == [level for level in Level if level in rungs]
    for level, rung in rungs.items():
        assert rung.tokens == count(rung.text)
        assert limit.of(level) < 0 or rung.tokens <= limit.of(level)
        assert rung.text == sanitize(rung.text)
        rung.text.encode("utf-8")
    prices = [rung.tokens for rung in rungs.values()]
    assert all(cheaper <= dearer * 0.85 for dearer, cheaper in pairwise(prices))
    assert rungs == climb(unit, text, terms=terms, limits=limit)


@given(python_sources(), limits, task, st.booleans())
@settings(max_examples=120, deadline=None)
def test_code_of_any_shape_stays_within_its_limits(
    source: str, limit: Limits, terms: list[str], numbered: bool
) -> None:
    rungs = climb(file_unit(source), source, outline=outlined(source), terms=terms, limits=limit, numbered=numbered)
    for level, rung in rungs.items():
        assert rung.tokens == count(rung.text)
        assert limit.of(level) < 0 or rung.tokens <= limit.of(level)


@given(python_sources(), task, st.integers(40, 600))
@settings(max_examples=150, deadline=None)
def test_every_line_in_detail_is_the_line_of_its_number_and_marks_tell_the_rest(
    source: str, terms: list[str], limit: int
) -> None:
    info = StubInfo("a.py", "file", "python", None, 1)
    made = summarize_file(
        source,
        "python",
        Level.DETAILED,
        info=info,
        count=count,
        outline=outlined(source),
        terms=terms,
        limits=Limits(detailed=limit),
        numbered=True,
    )
    lines = source.removesuffix("\n").split("\n")
    told: set[int] = set()
    for line in made.text.split("\n"):
        shown, mark = NUMBERED.fullmatch(line), MARK.fullmatch(line)
        if mark is None and "elided" in line:  # the last mark, when even the structure was cut
            mark = re.fullmatch(r"()# … lines? (\d+)(?:-(\d+))? elided", line)
            assert mark
            told |= set(range(int(mark[2]), int(mark[3] or mark[2]) + 1))
        elif mark:
            told |= set(range(int(mark[1]), int(mark[2] or mark[1]) + 1))
        else:
            assert shown, line
            assert lines[int(shown[1]) - 1] == shown[2]
            told.add(int(shown[1]))
    assert {at for at, line in enumerate(lines, 1) if line.strip()} <= told


@given(python_sources(), task)
@settings(max_examples=100, deadline=None)
def test_all_signatures_are_kept_in_detail_when_they_fit(source: str, terms: list[str]) -> None:
    outline = outlined(source)
    lines = source.split("\n")
    rungs = climb(file_unit(source), source, outline=outline, terms=terms)
    if Level.DETAILED in rungs:  # sources are small: their signatures always fit in 2000 tokens
        shown = rungs[Level.DETAILED].text.split("\n")
        for node in outline.nodes:
            assert lines[node.head - 1] in shown


@given(any_text, task, st.integers(0, 600))
@settings(max_examples=200, deadline=None)
def test_a_prose_summary_is_made_of_sentences_that_stand_in_the_text(text: str, terms: list[str], room: int) -> None:
    prepared = material(file_unit(text, "a.md", "markdown", "docs"), text, None, 1, terms, numbered=False)
    chosen = best_sentences(scored_sentences(prepared.blocks, prepared.hits), room)
    safe = sanitize(text)
    said = prose_paragraph(prepared.text, chosen)
    for sentence in chosen:
        words = prepared.text[sentence.start : sentence.end]
        assert words in safe
        assert words in said
    assert re.sub(r"[\s…]", "", said) == re.sub(r"[\s…]", "", "".join(safe[s.start : s.end] for s in chosen))


@given(any_text, st.integers(1, 50), st.integers(20, 300), st.booleans())
@settings(max_examples=200, deadline=None)
def test_an_excerpt_fits_and_begins_like_the_text(text: str, first: int, limit: int, numbered: bool) -> None:
    cut = excerpt(text, first, limit, count, numbered=numbered)
    if cut is None:
        return
    assert cut.tokens == count(cut.text) <= limit
    assert cut.text == sanitize(cut.text)
    assert cut.span is not None
    assert cut.span.start == first
    lines = sanitize(text).removesuffix("\n").split("\n")
    if not numbered and cut.elided and not cut.text.split("\n")[-1].endswith("cut here"):
        kept = cut.text.split("\n")[:-1]
        if "cut here" not in cut.text:
            assert kept == lines[: len(kept)]
            assert len(kept) == len(cut.span)
    elif not cut.elided and not numbered:
        assert cut.text.split("\n") == lines


@given(any_text)
@settings(max_examples=300, deadline=None)
def test_safe_text_keeps_its_lines_and_stays_as_it_is(text: str) -> None:
    safe = sanitize(text)
    assert safe.count("\n") == text.count("\n")
    assert sanitize(safe) == safe
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", safe)
