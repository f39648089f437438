"""Six sources at three strengths are the same ladder as the levels: each cell of the table, and what holds for all."""

from __future__ import annotations

import ast
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from level_cases import built_text, climb, count, file_unit, outlined, python_sources

from haversack.model import Level, Span, Unit
from haversack.pack.levels import Limits, StubInfo
from haversack.pack.levels.ladder import ladder, shortened_file
from haversack.pack.levels.leveled import STRENGTHS, Leveled, level_for, level_named
from haversack.safe import sanitize
from haversack.sources.code.compress import without_comments
from haversack.sources.docs.compress import without_formatting
from haversack.sources.protocol import Compressor
from haversack.sources.registry import load_sources
from haversack.sources.research.compress import without_examples

SOURCES = load_sources(["conversation", "research", "docs", "code", "deployment", "logs"])
TABLE = ("conversation", "research", "docs", "code", "deployment", "logs")
LANGS = {"code": "python", "docs": "markdown", "research": "markdown", "deployment": "yaml"}
KINDS = {"conversation": "message", "logs": "log", "code": "file", "deployment": "file"}
# Words that marks and paragraphs add; everything else has to stand in the text.
OURS = frozenset(["lines", "line", "elided", "cut", "here", "Defines", "Uses", "Files", "more", "L"])

TEXTS = {
    "conversation": "[2026-03-01 10:00] user: Use a 24h token expiry. The weather is nice. Please never log tokens.\n",
    "research": (
        "# Queues\n\nWe looked at **three** queues. All are fast.\n\n## Examples\n\nA page of examples.\n\n"
        "```python\nqueue.put(1)\n```\n\n## Conclusion\n\n- The small one is enough\n"
    ),
    "docs": (
        "# Guide\n\n<!-- note -->\n![logo](a.png)\n\nThe **first** step is to read [the site](https://example.org/x). "
        "Then install it.\n\n---\n\n## Setup\n\nRun the installer. It asks for a folder. Choose one.\n"
    ),
    "code": (
        "# Loads carts.\nimport os\n\n\ndef load(name: str) -> int:\n    # first the file\n    size = len(name)\n"
        '    text = """\n# not a comment\n"""\n    return size + len(text)\n'
    ),
    "deployment": (
        "kind: Deployment\nmetadata:\n  name: shop\nspec:\n  # defaults\n  replicas: 3\n  template:\n    spec:\n"
        "      restartPolicy: Always\n      containers:\n        - name: web\n          image: shop:1\n"
    ),
    "logs": "12× error cannot open cart 7\n80× info served page\n80× info served page\n",
}


def unit_of(source: str, text: str, **meta: str | tuple[str, ...]) -> Unit:
    return Unit(
        id="u",
        source=source,
        kind=KINDS.get(source, "section"),
        title="t",
        text=text,
        path=f"x.{'py' if source == 'code' else 'md' if source in ('docs', 'research') else 'txt'}",
        span=Span(1, text.count("\n") + 1),
        lang=LANGS.get(source, ""),
        meta=meta,
    )


def shortened(source: str, strength: str, tokens: int | None = None, text: str | None = None) -> Leveled:
    said = TEXTS[source] if text is None else text
    found = ("The small one is enough",) if source == "research" else ()
    unit = unit_of(source, said, findings=found) if found else unit_of(source, said)
    info = StubInfo("x", unit.kind, unit.lang, None, 1)
    return shortened_file(
        said,
        unit.lang,
        level_named(strength),
        tokens,
        info=info,
        count=count,
        outline=outlined(said) if source == "code" and text is None else None,
        limits=Limits(),
        unit=unit,
        compressors=SOURCES.compressors(source),
    )


@pytest.mark.parametrize(
    ("source", "strength", "stays", "goes"),
    [
        ("conversation", "light", ("24h token expiry", "weather"), ("2026-03-01",)),
        ("conversation", "medium", ("24h token expiry",), ("2026-03-01",)),
        ("conversation", "heavy", ("24h token expiry", "never log tokens"), ("weather",)),
        ("research", "light", ("three queues", "small one"), ("queue.put", "page of examples", "**")),
        ("research", "medium", ("# Queues", "Conclusion"), ()),
        ("research", "heavy", ("The small one is enough",), ("three", "queue.put")),
        ("docs", "light", ("# Guide", "The first step", "the site"), ("logo", "note", "https://", "---")),
        ("docs", "medium", ("# Guide", "## Setup", "Run the installer."), ()),
        ("docs", "heavy", ("first",), ("Setup",)),
        ("code", "light", ("# not a comment", "def load", "return size"), ("Loads carts", "first the file")),
        ("code", "medium", ("def load(name: str) -> int:",), ()),
        ("code", "heavy", ("load(name: str) -> int",), ("size = len",)),
        ("deployment", "light", ("replicas: 3", "image: shop:1"), ("restartPolicy", "# defaults")),
        ("deployment", "medium", ("replicas: 3", "image: shop:1"), ("restartPolicy",)),
        ("deployment", "heavy", ("replicas: 3",), ("restartPolicy", "# defaults")),
        ("logs", "light", ("error cannot open", "info served page"), ("served page\n80",)),
        ("logs", "medium", ("error cannot open",), ()),
        ("logs", "heavy", ("error cannot open",), ("served page",)),
    ],
)
def test_each_cell_of_the_table(source: str, strength: str, stays: tuple[str, ...], goes: tuple[str, ...]) -> None:
    made = shortened(source, strength)
    assert [words for words in stays if words not in made.text] == []
    assert [words for words in goes if words in made.text] == []
    assert STRENGTHS[made.level] == strength


@pytest.mark.parametrize("source", TABLE)
@pytest.mark.parametrize("strength", ["light", "medium", "heavy"])
@given(text=built_text, tokens=st.integers(0, 400))
@settings(max_examples=25, deadline=None)
def test_no_text_is_longer_than_its_target_and_none_is_invented(
    source: str, strength: str, text: str, tokens: int
) -> None:
    made = shortened(source, strength, tokens, text)
    assert count(made.text) == made.tokens <= tokens
    if source != "research" or strength != "heavy":
        words = set(re.findall(r"[^\W\d_]{2,}", made.text)) - OURS
        known = sanitize(text) + sanitize(without_formatting(text))
        assert [word for word in words if word not in known and not made.text.startswith("x")] == []
    assert made == shortened(source, strength, tokens, text)


@given(source=python_sources(), tokens=st.integers(1, 2000))
@settings(max_examples=60, deadline=None)
def test_any_number_of_tokens_is_kept_whichever_step_it_needs(source: str, tokens: int) -> None:
    info = StubInfo("a.py", "file", "python", None, 1)
    made = shortened_file(
        source,
        "python",
        None,
        tokens,
        info=info,
        count=count,
        outline=outlined(source),
        limits=Limits(),
        unit=unit_of("code", source),
        compressors=SOURCES.compressors("code"),
    )
    assert count(made.text) == made.tokens <= tokens
    if made.level in (Level.FULL, Level.LIGHT):
        assert made.elided or ast.dump(ast.parse(made.text)) == ast.dump(ast.parse(source))


@pytest.mark.parametrize(
    ("share", "level"),
    [
        (1.0, "full"),
        (0.99, "light"),
        (0.71, "light"),
        (0.7, "detailed"),
        (0.31, "detailed"),
        (0.3, "summary"),
        (0, "summary"),
    ],
)
def test_the_share_that_may_stay_chooses_the_step(share: float, level: str) -> None:
    assert level_for(share) == level


def test_strengths_are_other_words_for_steps() -> None:
    assert level_named("medium") is Level.DETAILED
    assert level_named("heavy") is Level.SUMMARY
    assert level_named("light") is Level.LIGHT
    assert level_named("stub") is Level.STUB
    assert level_named("poem") is None
    assert Limits().within(40) == Limits(40, 40, 40, 40, 40)


def test_a_packets_ladder_asks_the_source_and_offers_the_light_step_of_long_texts() -> None:
    said = "# Guide\n\nA sentence. Another one, longer than the first.\n\n" * 30
    text = said + "![badge](https://example.org/a-very-long-address-of-a-badge.svg)\n" * 40
    unit = file_unit(text, "guide.md", "markdown", "docs")
    assert Level.LIGHT not in climb(unit, text)
    rungs = {
        rung.level: rung
        for rung in ladder(
            unit,
            text,
            outline=None,
            first_line=1,
            terms=(),
            limits=Limits(),
            count=count,
            info=StubInfo("guide.md", "file", "markdown", None, 1),
            compressors=SOURCES.compressors("docs"),
        )
    }
    assert list(rungs) == list(Level)
    assert "badge" not in rungs[Level.LIGHT].text
    assert rungs[Level.LIGHT].span == unit.span


def test_a_compressor_that_counts_otherwise_or_fails_is_held_to_the_limit() -> None:
    def generous(unit: Unit, text: str, limit: int) -> str:
        return text

    def broken(unit: Unit, text: str, limit: int) -> str:
        raise RuntimeError("no")

    def made(compress: Compressor) -> Leveled:
        return shortened_file(
            TEXTS["docs"],
            "markdown",
            Level.DETAILED,
            20,
            info=StubInfo("x.md", "file", "markdown", None, 1),
            count=count,
            limits=Limits(),
            compressors={"medium": compress},
        )

    assert 0 < made(generous).tokens <= 20
    assert made(generous).text.endswith("…")
    assert 0 < made(broken).tokens <= 20, "the generic step takes its place"


def test_comments_are_told_from_strings_in_every_family() -> None:
    assert without_comments("a = 1 // keep\n// go\n/* go\n too */\nb = '// keep'\n", "javascript") == (
        "a = 1 // keep\nb = '// keep'"
    )
    assert without_comments("#!/bin/sh\n# go\necho '# keep'\n", "shell") == "#!/bin/sh\necho '# keep'"
    assert without_comments("-- go\nselect '--keep' -- keep\n", "sql") == "select '--keep' -- keep"
    assert without_comments("x = 1\n/* never closed\n", "go") == "x = 1\n/* never closed"
    assert without_comments("# a\n", "unheard-of") == "# a\n"
    assert without_comments("/*" * 60_000, "c") == "/*" * 60_000


def test_what_decorates_goes_and_code_and_headings_stay() -> None:
    assert without_formatting("Title\n---\n\n| a | b |\n|---|---|\n| 1 | 2 |\n") == "Title\n---\n\n| a | b |\n| 1 | 2 |"
    assert without_formatting("```\n<!-- x -->\n**kept**\n```\n<b>bold</b> `__init__`") == (
        "```\n\n**kept**\n```\nbold `__init__`"
    )
    assert without_formatting("<!-- never closed\ntext") == "<!-- never closed\ntext"
    assert without_examples("# A\n\n## Example\n\nx\n\n### More\n\ny\n\n## B\n\nz") == "# A\n\n## B\n\nz"
    assert without_examples("## Examples\n\nonly these") == "## Examples\n\nonly these"


def test_what_is_too_short_for_a_mark_shows_no_part_of_it() -> None:
    text = "The apple basket is full. Nobody knows why. \n\u0164\u0801" + "\U00010000" * 5 + "\U00011b0000\x1f0:0"
    assert "el\n" not in shortened("research", "medium", 14, text).text
