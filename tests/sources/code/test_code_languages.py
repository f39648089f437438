"""What is found in a file of each language: names, kinds, lines, what is extended, what is imported, what is a test."""

from __future__ import annotations

import pytest
from code_cases import CASES, LANGUAGES, assert_sound, summary, text_of

from haversack.sources.code.languages import PARSED, dialect
from haversack.sources.code.syntax import outline


def test_every_parsed_language_has_a_case() -> None:
    assert set(LANGUAGES) == set(PARSED)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_definitions_are_found(lang: str) -> None:
    found = outline(text_of(lang), lang)
    assert summary(found) == (CASES / f"{lang}.expected").read_text(encoding="utf-8")
    assert not found.broken


@pytest.mark.parametrize("lang", LANGUAGES)
def test_units_share_the_lines_of_the_file(lang: str) -> None:
    assert_sound(text_of(lang), lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_lines_of_a_node_are_in_order(lang: str) -> None:
    for node in outline(text_of(lang), lang).nodes:
        assert node.start <= node.head <= node.end
        assert node.signature
        assert "\n" not in node.signature
        if node.body_start:
            assert node.head < node.body_start <= node.body_end <= node.end
        if node.doc_start:
            assert node.start <= node.doc_start <= node.doc_end <= node.end
            assert node.doc


@pytest.mark.parametrize("lang", LANGUAGES)
def test_carriage_returns_change_nothing_but_themselves(lang: str) -> None:
    text = text_of(lang)
    found = outline(text.replace("\n", "\r\n"), lang)
    assert [(node.name, node.start) for node in found.nodes] == [
        (node.name, node.start) for node in outline(text, lang).nodes
    ]


def test_every_rule_is_about_a_node_of_some_grammar_that_shares_its_table() -> None:
    known: set[str] = set()
    named: set[str] = set()
    for lang in PARSED:
        found = dialect(lang)
        assert found is not None
        named.update(found.lang.rules)
        known.update(name for name in found.lang.rules if found.language.id_for_node_kind(name, True) is not None)
    assert named == known


def test_a_language_goes_by_its_other_names() -> None:
    assert [node.name for node in outline("f() {\n  x\n}\n", "shell").nodes] == ["f"]
    assert [node.name for node in outline("def f():\n    pass\n", "starlark").nodes] == ["f"]


def test_a_language_without_rules_has_an_empty_outline() -> None:
    found = outline("some text\nmore", "nothing-known")
    assert (found.nodes, found.lines, found.broken) == ((), 2, False)
