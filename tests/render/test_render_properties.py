"""For any content: blocks add up, fences hold, JSON and XML parse, and the same input gives the same bytes."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from render_cases import SECTIONS, choose, chosen_items, omitted_things, raw_text, unit

from haversack.model import Chosen, Omitted
from haversack.render import RENDERERS, PacketInfo, Rendered, RenderOptions, assemble, item_text
from haversack.tokens import counter, is_safe_join

QUICK = settings(max_examples=60, deadline=None)
COUNTS = [counter(name).count for name in ("o200k", "cl100k")]
FENCES = ("```", "````", "`````", "   ```", "```  ", "```python", "~~~", "> ```", "- ```", "x", "`", "# h", "---")
packets = st.tuples(st.lists(chosen_items(), max_size=3), st.lists(omitted_things, max_size=3), raw_text, st.booleans())
Case = tuple[list[Chosen], list[Omitted], str, bool]


def render(name: str, case: Case) -> Rendered:
    chosen, omitted, task, scores = case
    info = PacketInfo(task, 8000, "o200k", short_by=3 if scores else 0, not_read=("logs", task))
    return assemble(RENDERERS[name], info, SECTIONS, chosen, omitted, options=RenderOptions(scores=scores))


@given(case=packets)
@QUICK
def test_the_tokens_of_the_blocks_add_up_to_the_tokens_of_the_text(case: Case) -> None:
    for name in RENDERERS:
        rendered = render(name, case)
        assert rendered.text == "".join(block.text for block in rendered.blocks)
        for count in COUNTS:
            assert count(rendered.text) == sum(count(block.text) for block in rendered.blocks)
        written = [block.text for block in rendered.blocks if block.text]
        assert all(is_safe_join(first, second) for first, second in pairwise(written))
        assert all(text.endswith("\n") for text in written)


@given(case=packets)
@QUICK
def test_an_item_costs_the_same_wherever_it_stands(case: Case) -> None:
    options = RenderOptions(scores=case[3])
    for name, renderer in RENDERERS.items():
        for block in render(name, case).items:
            assert block.chosen is not None
            assert block.text == item_text(renderer, block.chosen.candidate, block.chosen.rung, options=options)


@given(case=packets)
@QUICK
def test_the_text_can_be_written_and_does_not_depend_on_the_order_of_choice(case: Case) -> None:
    chosen, omitted, task, scores = case
    distinct = {(each.candidate.id, each.candidate.section) for each in chosen}
    ordered = len(distinct) == len(chosen) and len({each.id for each in omitted}) == len(omitted)
    for name in RENDERERS:
        text = render(name, case).text
        text.encode()
        if ordered:
            assert render(name, (chosen[::-1], omitted[::-1], task, scores)).text == text


@given(case=packets)
@settings(max_examples=120, deadline=None)
def test_no_content_adds_to_the_structure_of_the_markdown(case: Case) -> None:
    rendered = render("markdown", case)
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(rendered.text)
    headings = [token.tag for token in tokens if token.type == "heading_open"]
    fenced = [block for block in rendered.items if not block.text.startswith("- ") and _rung_text(block.chosen)]
    listed = [block for block in rendered.items if block.text.startswith("- ")]
    sections = sum(block.kind == "section" for block in rendered.blocks)
    assert headings.count("h1") == 1
    assert headings.count("h3") == len(rendered.items) - len(listed)
    assert headings.count("h2") == sections + 1 + bool(case[2].split())
    fences = [token for token in tokens if token.type == "fence"]
    assert [token.content for token in fences] == [_fenced(block.chosen) for block in fenced]
    kinds = {token.type for token in tokens}
    assert kinds <= {
        "heading_open",
        "heading_close",
        "inline",
        "fence",
        "bullet_list_open",
        "bullet_list_close",
        "list_item_open",
        "list_item_close",
        "paragraph_open",
        "paragraph_close",
    }
    inline = {child.type for token in tokens for child in _children(token)}
    assert inline <= {"text", "code_inline"}, inline


@given(lines=st.lists(st.sampled_from(FENCES), min_size=1, max_size=6))
@settings(max_examples=100, deadline=None)
def test_no_line_of_the_text_closes_its_fence(lines: list[str]) -> None:
    chosen = choose(unit(), "\n".join(lines))
    tokens = MarkdownIt().parse(assemble(RENDERERS["markdown"], PacketInfo("", 1, "o200k"), SECTIONS, [chosen]).text)
    assert [token.content for token in tokens if token.type == "fence"] == ["\n".join(lines) + "\n"]
    assert tokens[-1].type == "fence"


@given(case=packets)
@QUICK
def test_json_parses_and_gives_back_every_text(case: Case) -> None:
    rendered = render("json", case)
    records = json.loads(rendered.text)
    assert next(iter(records[0])) == "packet"
    assert [record["text"] for record in records if "item" in record] == [
        _rung_text(block.chosen) for block in rendered.items
    ]


@given(case=packets)
@settings(max_examples=100, deadline=None)
def test_xml_parses_and_gives_back_every_text(case: Case) -> None:
    rendered = render("xml", case)
    root = ElementTree.fromstring(rendered.text)
    items = root.findall("./section/item")
    assert len(items) == len(list(root.iter("item")))
    assert [_unframed(item.text) for item in items] == [_rung_text(block.chosen) for block in rendered.items]


def _rung_text(chosen: Chosen | None) -> str:
    assert chosen is not None
    return chosen.rung.text


def _fenced(chosen: Chosen | None) -> str:
    text = _rung_text(chosen)
    return text if text.endswith("\n") else f"{text}\n"


def _unframed(text: str | None) -> str:
    return text[1:-1] if text else ""


def _children(token: Token) -> list[Token]:
    return token.children or []
