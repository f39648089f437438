"""Units, selections and hostile strings for the tests of rendering."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from haversack.model import Candidate, Chosen, Citation, Level, Omitted, Rung, Scored, Section, Span, Status, Unit
from haversack.safe import sanitize

NASTY = (
    "```",
    "````",
    "~~~",
    "`",
    "``",
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "    ",
    "/",
    "// x",
    "# Context packet",
    "\n## Primary context\n",
    "\n### `a.py:1-2` code function\n```python\n",
    "---\n",
    "]]>",
    "<![CDATA[",
    "</item>",
    "</document>",
    "</packet>",
    "<script>",
    "&amp;",
    '"',
    "\\",
    "]",
    ",",
    "}",
    "![x](http://example.com/x)",
    "<!--",
    "[link]: http://example.com",
    "\u202e",
    "\u2066",
    "\x00",
    "\x1b[31m",
    "\x7f",
    "\ud800",
    "\udc80",
    "\ufeff",
    "\ufffe",
    "\uffff",
    "\u2028",
    "\U000e0041",
    "한국어",
    "漢字",
    "é",
    "<|endoftext|>",
    "def f():\n    return 1\n",
    "word",
    "1234567",
    "'s",
    "…",
)

raw_text = st.lists(st.one_of(st.sampled_from(NASTY), st.characters()), max_size=8).map("".join)
safe_text = raw_text.map(sanitize)
levels = st.sampled_from(list(Level))
spans = st.one_of(st.none(), st.builds(lambda a, b: Span(a, a + b), st.integers(1, 9999), st.integers(0, 500)))
labels = st.sampled_from(
    ["code", "docs", "commits", "function", "file", "commit", "", "a\n# b", "`x`", "www.example.com"]
)


@st.composite
def units(draw: st.DrawFn) -> Unit:
    path = draw(st.one_of(st.none(), raw_text.filter(bool), st.just("src/auth/login.py")))
    citations = draw(
        st.sampled_from(
            [(), (Citation.of_commit("0123456789abcdef0123"),), (Citation.of_log("app.log:12"),)]
            + ([(Citation.of_file(path, Span(1, 2)),)] if path else [])
        )
    )
    return Unit(
        id=draw(st.text("abcdef0123456789", min_size=4, max_size=12)),
        source=draw(labels),
        kind=draw(labels),
        title=draw(raw_text),
        text="",
        path=path,
        span=draw(spans),
        qualname=draw(st.one_of(st.just(""), raw_text)),
        lang=draw(st.sampled_from(["", "python", "c++", "`\n```", "한글"])),
        status=draw(st.sampled_from(list(Status))),
        trust=draw(st.sampled_from(["project", "external", "![x](y)", "\n"])),
        citations=citations,
    )


@st.composite
def chosen_items(draw: st.DrawFn, sections: tuple[str, ...] = ("primary", "conventions", "odd_one")) -> Chosen:
    unit = draw(units())
    rung = Rung(draw(levels), draw(safe_text), 0, 1.0, draw(spans), draw(st.booleans()))
    also = tuple(Citation.of_file(path) for path in draw(st.lists(st.sampled_from(NASTY), max_size=5)))
    scored = Scored(unit, draw(st.floats(0, 1)), {"task_alignment": 0.5})
    return Chosen(Candidate(scored, draw(st.sampled_from(sections)), (rung,), also=also), rung)


omitted_things = st.builds(
    Omitted,
    id=st.text("abcdef", min_size=3, max_size=6),
    title=raw_text,
    reason=st.one_of(st.sampled_from(["budget", "below threshold", "duplicate"]), raw_text),
    enters_at_budget=st.one_of(st.none(), st.integers(0, 10**6)),
    section=st.sampled_from(["primary", "conventions", "", "gone"]),
    score=st.floats(0, 1),
    path=st.one_of(st.none(), raw_text, st.just("src/a.py")),
)

SECTIONS = (
    Section("primary", "Primary context", 0, 1.0, 1000, 0.7),
    Section("conventions", "Conventions", 0, 1.0, 1000),
)


def unit(identity: str = "u1", **fields: Any) -> Unit:
    """A function of a Python file unless told otherwise."""
    given: dict[str, Any] = {
        "source": "code",
        "kind": "function",
        "title": "function login",
        "text": "",
        "path": "src/auth/login.py",
        "span": Span(10, 12),
        "lang": "python",
    }
    return Unit(id=identity, **(given | fields))


def choose(
    what: Unit,
    text: str = "def login():\n    pass\n",
    level: Level = Level.FULL,
    *,
    score: float = 0.5,
    section: str = "primary",
    span: Span | None = None,
    pinned: bool = False,
    also: tuple[Citation, ...] = (),
    truncated: bool = False,
) -> Chosen:
    """That unit, chosen at that level."""
    rung = Rung(level, text, 0, 1.0, span, truncated)
    return Chosen(Candidate(Scored(what, score, {}), section, (rung,), pinned, also), rung)
