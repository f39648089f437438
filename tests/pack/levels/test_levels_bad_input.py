"""Text nobody should write: shown safely, counted exactly, in bounded time."""

from __future__ import annotations

import pytest
from level_cases import Watched, climb, count, file_unit

from haversack.model import Level, Unit
from haversack.pack.levels import Limits, StubInfo, excerpt
from haversack.pack.levels.ladder import ladder
from haversack.pack.levels.leveled import LONGEST_TEXT
from haversack.safe import sanitize

LONGEST_COUNTED = LONGEST_TEXT + 200  # the text that is looked at, and a mark


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\nwith lines", "plain\ttext\nwith lines"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\x00b\x7f\x85c", "a\\x00b\\x7f\\x85c"),
        ("access\u202etxt.exe\u2066!\u2069", "access\\u202etxt.exe\\u2066!\\u2069"),
        ("half \ud83d of a smile", "half \ufffd of a smile"),
        ("windows\r\nlines\r\n", "windows\nlines\n"),
        ("old\rmac", "old\\x0dmac"),
        ("one\u2028line", "one\\u2028line"),
        ("hidden\U000e0041tag", "hidden\\U000e0041tag"),
        ("👩‍👩‍👧 स्त्री עברית\u200f", "👩‍👩‍👧 स्त्री עברית\u200f"),
    ],
)
def test_what_cannot_be_seen_is_written_out(text: str, shown: str) -> None:
    assert sanitize(text) == shown


def test_every_rung_of_hostile_text_is_safe_and_exact() -> None:
    text = "# Title \x1b[2J\n\nFirst \u202esentence\u202c here. \ud800 Second one.\x07\n\n" * 40
    for level, rung in climb(file_unit(text, "a\x1b.md", "markdown", "docs"), text).items():
        assert rung.text == sanitize(rung.text), level
        assert rung.tokens == count(rung.text)


def test_text_full_of_fences_keeps_its_levels() -> None:
    text = "````\n```\n~~~\n" * 200
    rungs = climb(file_unit(text, "a.md", "markdown", "docs"), text)
    assert rungs[Level.FULL].tokens > rungs[Level.DETAILED].tokens


@pytest.mark.parametrize("lang", ["", "python", "markdown", "rst", "asciidoc", "text"])
def test_fifty_megabytes_on_one_line_are_cut_without_being_counted(lang: str) -> None:
    text = "x = 1; " * (50_000_000 // 7)
    watched = Watched()
    unit = file_unit("x", "a", lang)
    info = StubInfo("a", "file", lang, None, 1)
    rungs = ladder(unit, text, outline=None, first_line=1, terms=["x", "1"], limits=Limits(), count=watched, info=info)
    assert max(watched.sizes) <= LONGEST_COUNTED
    assert len(watched.sizes) < 60
    assert rungs[0].level is Level.FULL
    assert rungs[0].elided
    assert rungs[0].text.endswith("line 1 cut here")
    cut = excerpt(text, 1, 500, watched)
    assert cut is not None
    assert cut.tokens <= 500
    assert max(watched.sizes) <= LONGEST_COUNTED


def test_a_long_file_says_how_many_lines_were_not_looked_at() -> None:
    text = "a line of some length, nothing special\n" * 20_000
    for unit in (file_unit(text), file_unit(text, "a.md", "markdown", "docs")):
        rungs = climb(unit, text)
        assert rungs[Level.FULL].text.endswith("-20000 elided")
        assert rungs[Level.DETAILED].text.endswith("-20000 elided")


def test_escapes_that_blow_a_text_up_do_not_blow_the_counter_up() -> None:
    watched = Watched()
    info = StubInfo("a", "file", "", None, 1)
    for text in ("\x1b" * 200_000, "\U000e0041\n" * 100_000):
        for source in ("code", "docs"):
            unit = Unit(id="u", source=source, kind="file", title="a", text="")
            ladder(unit, text, outline=None, first_line=1, terms=(), limits=Limits(), count=watched, info=info)
    assert max(watched.sizes) <= LONGEST_COUNTED


@pytest.mark.parametrize(
    "piece",
    ["!", ". ", "```\n", "<!--\n", "# ", "-", "a\n---\n", "`", "**", "- a\n", "|a\n", "    a\n", "[](", "\t", "。"],
)
@pytest.mark.parametrize(
    ("lang", "source"), [("markdown", "docs"), ("rst", "docs"), ("asciidoc", "docs"), ("", "commits")]
)
def test_repetition_ends(piece: str, lang: str, source: str) -> None:
    text = piece * (60_000 // len(piece))
    unit = Unit(id="u", source=source, kind="file", title="a", text="", path="a", lang=lang)
    climb(unit, text, terms=["a"], first_line=1)


def test_a_counter_of_another_mind_still_gets_its_limits() -> None:
    def strange(text: str) -> int:
        return len(text) % 97  # falls as often as it rises

    text = "some words in a line\n" * 300
    info = StubInfo("a.md", "file", "markdown", None, 300)
    for rung in ladder(
        file_unit(text, "a.md", "markdown", "docs"),
        text,
        outline=None,
        first_line=1,
        terms=(),
        limits=Limits(full=50, detailed=30, summary=20, stub=10),
        count=strange,
        info=info,
    ):
        assert strange(rung.text) == rung.tokens <= Limits(full=50, detailed=30, summary=20, stub=10).of(rung.level)
