"""No text breaks the source: it is cut soundly, the same way each time, within bounds."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import textwrap

import pytest
from code_cases import LANGUAGES, assert_sound, text_of, units_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from haversack.sources.code import grammar
from haversack.sources.code.languages import PARSED
from haversack.sources.code.shape import DEEPEST, dense, tangled
from haversack.sources.code.syntax import outline

QUICK = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
PIECES = st.sampled_from(
    ["def f(", "):\n", "class A", "{", "}", "(", ")", "<", ">", "=", "=> ", ";", "\n", "\n\n", "  ", "\t", "x", "'",
     '"', "`", '"""', "/*", "*/", "//", "#", "--", "<script>",
     "</script>", "end", "do ", "fn f()", "func f()", "import a",
     "@a\n", "#if X\n", "#define A 1\n", "é", "한글", "\0", "\r", "\udc80", "const A = 1\n", "describe('a', () => {\n"]
)  # fmt: skip


@QUICK
@given(st.sampled_from(LANGUAGES), st.lists(PIECES, max_size=60))
def test_any_pile_of_pieces_is_cut_soundly(lang: str, pieces: list[str]) -> None:
    text = "".join(pieces)
    assert assert_sound(text, lang) == units_of(text, lang)


@QUICK
@given(st.sampled_from(LANGUAGES), st.text(max_size=200))
def test_any_text_is_cut_soundly(lang: str, text: str) -> None:
    assert_sound(text, lang)


@QUICK
@given(st.sampled_from(LANGUAGES), st.data())
def test_code_that_breaks_off_anywhere_is_cut_soundly(lang: str, data: st.DataObject) -> None:
    text = text_of(lang)
    start = data.draw(st.integers(0, len(text)))
    assert_sound(text[start : data.draw(st.integers(start, len(text)))], lang)


@QUICK
@given(st.sampled_from(LANGUAGES), st.sampled_from(LANGUAGES))
def test_code_in_the_wrong_language_is_cut_soundly(lang: str, other: str) -> None:
    assert_sound(text_of(other), lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_empty_file_is_one_unit(lang: str) -> None:
    (only,) = units_of("", lang)
    assert (only.kind, only.text, str(only.span)) == ("file", "", "1-1")


@pytest.mark.parametrize("text", ["\0" * 500, "\udcff" * 500, "\n" * 500, "x" * 100_000, "﻿def f():\n    pass\n"])
@pytest.mark.parametrize("lang", ["python", "c", "typescript", "html", "yaml", "unheard-of"])
def test_odd_characters_and_long_lines_are_cut_soundly(text: str, lang: str) -> None:
    assert_sound(text, lang)


@pytest.mark.parametrize(
    "opening", ["/* ", '""" ', "' ", "` ", "--[[ ", "{- ", "<!-- ", "a(", "x:) {\n", "# \n", "    "]
)
def test_openings_without_end_are_looked_at_once(opening: str) -> None:
    for lang in ("c", "python", "lua", "haskell", "typescript", "html"):
        assert_sound(f"word {opening}" * 2_000, lang)


def test_a_line_full_of_comments_is_walked_once() -> None:
    assert_sound("x = 1; " + "/* a */ " * 30_000 + "\n", "javascript")
    assert_sound("# a\n" * 20_000 + '"""Late."""\n', "python")


def test_a_file_with_an_error_still_has_its_other_definitions() -> None:
    found = outline("def good():\n    return 1\n\ndef bad(:\n    return\n\ndef after():\n    return 2\n", "python")
    assert found.broken
    assert {"good", "after"} <= {node.name for node in found.nodes}


@pytest.mark.parametrize("opening", ["(", "[", "{", "f(", "a<", "<a>(", "if (x) {"])
def test_nesting_that_would_overflow_a_parser_is_cut_into_blocks(opening: str) -> None:
    text = "\n".join([opening * 50] * 400)
    for lang in ("java", "javascript", "c"):
        units = assert_sound(text, lang)
        assert {unit.kind for unit in units} <= {"file", "block"}
        assert outline(text, lang).broken


def test_depth_counts_from_the_lowest_point() -> None:
    closing, opening = b")" * 5_000, b"(" * (DEEPEST + 1)
    assert tangled(closing + opening)
    assert not tangled(closing + opening[:-1])
    assert not tangled((b"(" * 400 + b")" * 400) * 20)


def test_comparisons_and_shifts_are_not_nesting() -> None:
    assert not tangled(b"if (a < b && c << 2) x;\n" * 2_000)
    assert tangled(b"Map<" * 600)


def test_code_is_not_dense_and_noise_is() -> None:
    noise = "".join(random.Random(4).choices("abc(){}[]<>;:=\n ,.'\"#/*-", k=20_000))
    assert dense(noise.encode())
    assert not any(dense(text_of(lang).encode()) for lang in ("python", "c", "java", "kotlin", "ruby"))


@pytest.mark.parametrize("lang", ["javascript", "tsx", "java", "c", "rust", "python"])
def test_noise_is_cut_into_blocks(lang: str) -> None:
    noise = "".join(random.Random(4).choices("abc(){}[]<>;:=\n\n ,.'\"#/*-", k=40_000))
    assert {unit.kind for unit in assert_sound(noise, lang)} <= {"file", "block"}


def test_dense_text_that_parses_is_code() -> None:
    table = "int table[] = {\n" + "\t{ 0, 1 }, { 2, 3 }, { 4, 5 },\n" * 200 + "};\n"
    assert dense(table.encode())
    assert [node.name for node in outline(table, "c").nodes] == ["table"]


def test_a_parse_that_takes_too_long_gives_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "LEAST_SECONDS", -1.0)
    text = text_of("python")
    assert {unit.kind for unit in assert_sound(text, "python")} == {"file", "block"}
    assert outline(text, "python").broken


def test_a_file_too_large_to_parse_is_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammar, "MOST_BYTES", 1_000)
    text = "int f(void)\n{\n\treturn 1;\n}\n\n" * 60
    assert {unit.kind for unit in assert_sound(text, "c")} == {"file", "block"}


def test_an_expendable_process_ends_when_a_parse_gets_stuck() -> None:
    program = textwrap.dedent(
        """
        from haversack.sources.code import grammar, shape
        shape.DENSE = 2.0  # let it through
        grammar.LEAST_SECONDS, grammar.GRACE_SECONDS = 0.05, 0.1
        grammar.die_when_stuck()
        assert grammar.parse(b"class A {}", "java") is not None
        grammar.parse(b"x => " * 10_000, "java")
        """
    )
    done = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, timeout=60)
    assert done.returncode == -signal.SIGPROF


def test_every_language_survives_every_other_languages_words() -> None:
    words = random.Random(1).sample(" ".join(text_of(lang) for lang in LANGUAGES).split(), 600)
    text = "\n".join(" ".join(words[at : at + 12]) for at in range(0, len(words), 12))
    for lang in sorted(PARSED):
        assert_sound(text, lang)
