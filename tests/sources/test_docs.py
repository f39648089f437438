"""Documents become units along their headings."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haversack.model import Citation, Role, Span, Unit
from haversack.sources.docs import DocsSource
from haversack.sources.docs.headings import headings, plain_title
from haversack.sources.docs.refs import MOST_REFS, mentions
from haversack.sources.protocol import FileSource, TextFile

README = """Orchard keeps apples.

# Install

Run the `setup.py` script.

## From source

```sh
# not a heading
make
```

Setext title
------------

Some text.

## From source

Again, see [the guide](docs/guide.md#start) and `Basket.total()`.
"""


def read(text: str, path: str = "README.md", lang: str = "markdown", role: Role = Role.DOCS) -> list[Unit]:
    file = TextFile(path=path, text=text, lang=lang, role=role, size=len(text), mtime_ns=5_000_000_000, digest="d")
    return list(DocsSource().units(file))


def titles(units: list[Unit]) -> list[str]:
    return [unit.title for unit in units]


def owned(units: list[Unit]) -> list[int]:
    """The lines of the sections, then what is left to the file."""
    return sorted(line for unit in units[1:] if unit.span for line in range(unit.span.start, unit.span.end + 1))


def test_a_document_becomes_a_file_and_a_unit_per_heading() -> None:
    units = read(README)
    assert [(unit.kind, unit.title, str(unit.span)) for unit in units] == [
        ("file", "Install", "1-21"),
        ("section", "Install", "3-6"),
        ("section", "Install > From source", "7-13"),
        ("section", "Install > Setext title", "14-18"),
        ("section", "Install > From source", "19-21"),
    ]
    assert units[0].text == "Orchard keeps apples.\n"
    assert units[2].text.startswith("## From source\n\n```sh\n# not a heading")
    assert units[2].name == "From source"
    assert units[2].qualname == "Install > From source"
    assert units[2].parent == units[1].id
    assert units[1].parent == units[0].id
    assert len({unit.id for unit in units}) == len(units)


def test_units_carry_what_the_file_is() -> None:
    unit = read(README, "docs/CHANGELOG.md", role=Role.CHANGELOG)[1]
    assert unit.source == "docs"
    assert unit.role is Role.CHANGELOG
    assert unit.time == 5.0
    assert unit.lang == "markdown"
    assert unit.citations == (Citation.of_file("docs/CHANGELOG.md", Span(3, 6)),)
    assert DocsSource().cite(unit) == unit.citations


def test_ids_do_not_depend_on_what_stands_elsewhere() -> None:
    before = {unit.qualname: unit.id for unit in read("# A\n\ntext\n\n# B\n\ntext\n")}
    after = {unit.qualname: unit.id for unit in read("# New\n\n# A\n\nmore\ntext\n\n# B\n\ntext\n")}
    assert before["A"] == after["A"]
    assert before["B"] == after["B"]


def test_the_source_fits_its_seam_and_leaves_the_stronger_steps_to_the_levels() -> None:
    source = DocsSource()
    assert isinstance(source, FileSource)
    assert (source.name, source.threshold) == ("docs", 0.4)
    assert list(source.compressors()) == ["light"]


@pytest.mark.parametrize(
    ("path", "lang", "claimed"),
    [
        ("README", "", True),
        ("docs/Changelog", "", True),
        ("LICENSE", "text", True),
        ("a/b.MD", "", True),
        ("a.mdx", "mdx", True),
        ("a.rst", "rst", True),
        ("a.adoc", "asciidoc", True),
        ("a.txt", "text", True),
        ("a.ipynb", "notebook", True),
        ("CMakeLists.txt", "cmake", False),
        ("a.py", "python", False),
        ("a.py", "", False),
        ("Makefile", "", False),
    ],
)
def test_documents_are_claimed_by_language_then_by_name(path: str, lang: str, claimed: bool) -> None:
    assert DocsSource().claims(path, lang) is claimed


def test_headings_in_comments_lists_tables_and_front_matter_do_not_count() -> None:
    text = (
        "---\ntitle: The guide\ntags: [apples, 'red ones']\nlist:\n  - one\n  - \"two\"\nnested:\n  key: x\n---\n\n"
        "<!--\n## Example in a comment\n-->\n\n- item\n---\n\n| a |\n---\n\n> quote\n---\n\n~~~\n# fenced\n~~~\n\n"
        "# Real #\n\n"
        "####### seven\n#hashtag\n    # indented\n<!-- ## one line -->\n<!-- never closed\n## Still a heading\n"
    )
    units = read(text)
    assert titles(units) == ["The guide", "Real", "Real > Still a heading"]
    meta = units[0].meta
    assert meta["front.title"] == "The guide"
    assert meta["front.tags"] == ("apples", "red ones")
    assert meta["front.list"] == ("one", "two")


def test_front_matter_may_be_toml_and_a_rule_is_none() -> None:
    units = read('+++\ntitle = "T"\ntags = ["a", "b"]\n[extra]\nx = 1\n+++\n\nText.\n')
    assert units[0].meta == {"front.title": "T", "front.tags": ("a", "b")}
    assert read("+++\nnot toml\n+++\n\n# H\n")[0].meta == {}
    assert titles(read("---\n\njust a rule\n\n---\n\n# H\n")) == ["H", "H"]
    assert read("---\nkey: never closed\n")[0].meta == {}
    assert read("---\na: b\n...\n# H\n")[0].meta == {"front.a": "b"}


def test_restructured_text_takes_its_levels_from_first_appearance() -> None:
    text = (
        "=======\n Title \n=======\n\nIntro.\n\n1. Usage\n========\n\nText::\n\n    literal\n    -------\n\n"
        "Deep\n~~~~\n\n"
        "=====  =====\nA      B\n=====  =====\n\n2. More\n=======\n\n----\n\nEnd.\n"
    )
    units = read(text, "a.rst", "rst")
    assert titles(units) == [
        "Title",
        "Title",
        "Title > 1. Usage",
        "Title > 1. Usage > Deep",
        "Title > 2. More",
    ]
    assert units[1].span == Span(1, 6)


def test_plain_text_has_titles_only_where_they_are_underlined_to_measure() -> None:
    text = "Manual\n======\n\nText\n\n# not a heading\n\nA long sentence over a rule\n---\n\nPart two\n--------\n"
    assert titles(read(text, "a.txt", "text")) == ["Manual", "Manual", "Manual > Part two"]


def test_a_readme_without_an_ending_is_read_as_markdown() -> None:
    assert titles(read("# Top\n\nText\n", "README", "text")) == ["Top", "Top"]


def test_asciidoc_headings_stand_outside_its_blocks() -> None:
    text = "= Title\n\nIntro\n\n== Usage\n\n----\n== not one\n----\n\n```\n== nor this\n```\n\n=== Deep\n\n====\nopen\n"
    assert titles(read(text, "a.adoc", "asciidoc")) == ["Title", "Title", "Title > Usage", "Title > Usage > Deep"]


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("**Bold** and *thin* `code`", "Bold and thin `code`"),
        ("[Link](http://x.y) ![img](a.png)", "Link img"),
        ("Title {#anchor .class}", "Title"),
        ("<a name='x'></a>Tagged", "Tagged"),
        (":func:`run <pkg.run>` it", "run it"),
        ("", "(untitled)"),
        ("x" * 500, "x" * 160),
    ],
)
def test_titles_lose_their_markup(title: str, plain: str) -> None:
    assert plain_title(title) == plain


def test_long_sections_are_cut_between_paragraphs() -> None:
    text = "# Long\n\n" + "\n\n".join(f"Paragraph {n}\nwith two lines." for n in range(120)) + "\n"
    units = read(text)
    parts = units[1:]
    assert [unit.title for unit in parts] == [f"Long (part {n})" for n in range(1, len(parts) + 1)]
    assert [unit.meta["part"] for unit in parts] == list(range(1, len(parts) + 1))
    assert all(unit.span and len(unit.span) <= 140 for unit in parts)
    assert all(unit.text.startswith("Paragraph") for unit in parts[1:])
    assert "\n".join(unit.text for unit in parts) == text.removesuffix("\n")


def test_a_paragraph_longer_than_a_part_and_a_fence_are_cut_or_kept_whole() -> None:
    text = "\n".join(f"line {n}" for n in range(400))
    units = read(text, "notes.txt", "text")
    assert [unit.kind for unit in units] == ["file", "section", "section", "section"]
    assert units[0].text.startswith("line 0\n")
    assert units[1].title == "notes.txt (part 2)"
    assert owned(units)[0] == 121
    fenced = "intro\n\n```\n" + "code\n\n" * 50 + "```\n\n" + "after\n\n" * 40
    assert read(fenced)[1].text.startswith("after")


@given(
    st.lists(
        st.sampled_from(
            [
                "# A",
                "## B",
                "text here",
                "",
                "",
                "```",
                "~~~",
                "Title",
                "=====",
                "---",
                "- item",
                "<!--",
                "-->",
                "= T",
                "----",
                "| a |",
                "\r",
            ]
        ),
        max_size=400,
    ),
    st.sampled_from(
        [("a.md", "markdown"), ("a.rst", "rst"), ("a.adoc", "asciidoc"), ("a.txt", "text"), ("README", "")]
    ),
)
@settings(max_examples=150, deadline=None)
def test_sections_and_the_files_own_text_partition_the_lines(lines: list[str], name: tuple[str, str]) -> None:
    text = "\n".join(lines)
    units = read(text, *name)
    total = len(text.split("\n")) - (text.split("\n")[-1] == "")
    sections = owned(units)
    assert len(sections) == len(set(sections))
    assert sections == list(range(total - len(sections) + 1, total + 1))
    whole = [line.removesuffix("\r") for line in text.split("\n")][:total]
    own = units[0].text.split("\n") if total > len(sections) else []
    assert own == whole[: total - len(sections)]
    for unit in units[1:]:
        assert unit.span
        assert unit.text == "\n".join(whole[unit.span.start - 1 : unit.span.end])
    assert [unit.id for unit in units] == [unit.id for unit in read(text, *name)]


@given(st.text(max_size=600), st.sampled_from(["a.md", "a.rst", "a.adoc", "a.txt", "a.ipynb", "README"]))
@settings(max_examples=200, deadline=None)
def test_no_text_is_too_strange(text: str, path: str) -> None:
    units = read(text, path, "")
    assert units[0].kind == "file"


def test_an_empty_document_is_a_file_without_lines() -> None:
    (unit,) = read("")
    assert (unit.title, unit.text, unit.span) == ("README.md", "", None)


def test_windows_line_endings_make_no_difference() -> None:
    assert [(u.title, u.span, u.text) for u in read(README.replace("\n", "\r\n"))] == [
        (u.title, u.span, u.text) for u in read(README)
    ]


@pytest.mark.parametrize(
    "piece", ["<!--\n", "```\n", "`", "[", "](", "#", "# ", "=\n", "a\n=\n", "----\n", "*", ".. x:: y\n", "<a "]
)
@pytest.mark.parametrize("lang", ["markdown", "rst", "asciidoc", "text"])
def test_repetition_ends(piece: str, lang: str) -> None:
    assert read(piece * (60_000 // len(piece)), "a", lang)


def test_links_and_names_written_as_code_are_references() -> None:
    text = (
        "See [guide](../guide/start.md#top), [site](https://example.org/a.md), [here](#part), [root](/LICENSE), "
        "[up](../../../etc/passwd), `src/orchard/basket.py`, `./local.py`, `Basket.total()`, ``hand_out``, `a b`, `x`, "
        "`setup.py`, `orchard::Basket`, <img src='img/tree.png'>, `flag --on`.\n\n[ref]: notes.md 'title'\n"
    )
    assert mentions(text, "docs/api/index.md") == (
        "docs/guide/start.md",
        "LICENSE",
        "src/orchard/basket.py",
        "docs/api/local.py",
        "Basket.total",
        "total",
        "hand_out",
        "setup.py",
        "orchard::Basket",
        "Basket",
        "docs/api/img/tree.png",
        "docs/api/notes.md",
    )


def test_roles_and_directives_of_restructured_text_are_references() -> None:
    text = ":func:`~pkg.mod.run` and :class:`Box <pkg.Box>`, `text <other.rst>`_\n\n"
    text += ".. automodule:: pkg.mod\n.. include:: ../NOTES.txt\n"
    assert mentions(text, "docs/a.rst") == (
        "pkg.mod.run",
        "run",
        "pkg.Box",
        "Box",
        "docs/other.rst",
        "pkg.mod",
        "mod",
        "NOTES.txt",
    )


def test_references_are_bounded() -> None:
    assert len(mentions(" ".join(f"`name_{n}`" for n in range(1000)), "a.md")) == MOST_REFS
    assert mentions("[nul](a%00b.md) [empty](?x) [dot](.)", "a.md") == ()


def notebook(*cells: dict[str, object], **rest: object) -> str:
    return json.dumps({"cells": cells, "nbformat": 4, **rest})


def test_a_notebook_is_its_cells_without_their_output() -> None:
    text = notebook(
        {"cell_type": "markdown", "source": ["Before.\n"]},
        {"cell_type": "markdown", "source": ["# Load\n", "\n", "Reads `data.csv`.\n"]},
        {"cell_type": "code", "source": "import pandas", "outputs": [{"text": "SECRET OUTPUT"}]},
        {"cell_type": "code", "source": []},
        {"cell_type": "markdown", "source": "## Clean\n\nDrops rows."},
        {"cell_type": "code", "source": "print('```')"},
        "not a cell",
        metadata={"language_info": {"name": "julia"}},
    )
    units = read(text, "a.ipynb", "notebook")
    assert titles(units) == ["Load", "Load", "Load > Clean"]
    assert units[0].text == "Before."
    assert units[1].text == "# Load\n\nReads `data.csv`.\n\n```julia\nimport pandas\n```"
    assert units[1].refs == ("data.csv",)
    assert units[1].meta["cells"] == "2-3"
    assert units[2].parent == units[1].id
    assert "````````" in units[2].text
    assert not any("SECRET" in unit.text for unit in units)
    assert all(unit.span is None for unit in units)
    assert units[2].citations == (Citation.of_file("a.ipynb"),)


def test_old_notebooks_and_long_ones() -> None:
    old = json.dumps(
        {
            "worksheets": [
                {
                    "cells": [
                        {"cell_type": "heading", "level": 2, "source": "Top"},
                        {"cell_type": "code", "input": "x = 1"},
                    ]
                }
            ]
        }
    )
    assert titles(read(old, "a.ipynb", "notebook")) == ["Top", "Top"]
    long = notebook(*({"cell_type": "markdown", "source": f"Cell {n}\n\nmore"} for n in range(100)))
    units = read(long, "a.ipynb", "notebook")
    assert len(units) > 2
    assert units[1].title == "a.ipynb (part 2)"
    assert units[1].parent == units[0].id


@pytest.mark.parametrize(
    "text", ["not json", "[]", '{"cells": 3}', '{"worksheets": []}', "[" * 100_000, '{"worksheets": [3]}']
)
def test_what_is_no_notebook_is_read_as_text(text: str) -> None:
    (unit, *_) = read(text, "a.ipynb", "notebook")
    assert unit.kind == "file"
    assert unit.text


def test_headings_nest_no_deeper_than_can_be_read() -> None:
    marks = "=-~^\"'`#*+.:_"
    text = "".join(f"Title{n}\n{mark * 6}\n\ntext\n\n" for n, mark in enumerate(marks * 1))
    found = headings(text.split("\n"), "rst")
    assert len(found) == len(marks)
    assert max(len(unit.qualname.split(" > ")) for unit in read(text, "a.rst", "rst")) <= 12
