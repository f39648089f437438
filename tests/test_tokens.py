"""Counts are exact, and the joining law lets a packet be counted in parts."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from haversack import tokens
from haversack.errors import UsageError

ROOT = Path(__file__).parents[1]
by_tiktoken = runpy.run_path(str(ROOT / "bench" / "oracle.py"))["count"]

# Text as projects hold it: code, prose, whitespace of every kind, fences, special tokens, scripts, emoji.
CODE = ["def f(x):\n", "    return x\n", "\r\n", "\n\n", "\t", " ", "  \n", "//", "/*", "*/", "/", "```", "~~~"]
WORDS = ["'s", "I'LL", "<|endoftext|>", "<|im_start|>", "<|", "12345", "снег", "한국어", "日本語", "é", "ǅ", "{}", "# "]
ODD = ["\u00a0", "\u2028", "\u3000", "\x85", "\x1c", "\x00", "\u202e", "👩\u200d💻", "---\n", "...\n/", ".\r"]
PIECES = st.sampled_from([*CODE, *WORDS, *ODD])
TEXT = st.lists(PIECES | st.text(max_size=6), max_size=12).map("".join)
ANY_TEXT = st.text(st.characters(), max_size=40) | TEXT
VOCABULARY = st.sampled_from(["o200k", "cl100k"])


@settings(max_examples=300, deadline=None)
@given(VOCABULARY, ANY_TEXT)
def test_counts_equal_those_of_another_library(name: str, text: str) -> None:
    assert tokens.counter(name).count(text) == by_tiktoken(f"{name}_base", text)


@pytest.mark.parametrize("name", ["o200k", "cl100k"])
def test_counts_equal_those_of_another_library_on_whole_files(name: str) -> None:
    for path in sorted((ROOT / "src" / "haversack").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        assert tokens.counter(name).count(text) == by_tiktoken(f"{name}_base", text)


@pytest.mark.parametrize("name", ["o200k", "cl100k"])
def test_unpaired_surrogates_are_counted_as_the_replacement_character(name: str) -> None:
    count = tokens.counter(name).count
    assert count("a\ud800b\n") == count("a\ufffdb\n") == by_tiktoken(f"{name}_base", "a\ud800b\n")


def test_special_tokens_in_text_are_plain_text() -> None:
    assert tokens.counter().count("<|endoftext|>") == 7


@settings(max_examples=500, deadline=None)
@given(VOCABULARY, TEXT.map(lambda text: text + "\n"), ANY_TEXT.filter(tokens.is_safe_start))
@example("o200k", "x  \n", "# title")
@example("cl100k", "\n \n", "'s")
@example("o200k", "...\n", "\x00a")
def test_counts_of_blocks_joined_safely_add_up(name: str, first: str, second: str) -> None:
    count = tokens.counter(name).count
    assert tokens.is_safe_join(first, second)
    assert count(first + second) == count(first) + count(second)


@settings(max_examples=100, deadline=None)
@given(VOCABULARY, st.lists(ANY_TEXT.filter(tokens.is_safe_start).map(lambda text: text + "\n"), max_size=6))
def test_a_packet_of_blocks_costs_the_sum_of_its_blocks(name: str, blocks: list[str]) -> None:
    count = tokens.counter(name).count
    assert count("".join(blocks)) == sum(map(count, blocks))


@pytest.mark.parametrize(
    ("first", "second"), [("a", "b"), ("a.\n", "/etc"), ("a\n", "\nb"), ("a\n", " b"), ("a\n", "\u3000b")]
)
def test_other_joins_are_not_called_safe(first: str, second: str) -> None:
    assert not tokens.is_safe_join(first, second)


def test_an_unsafe_join_does_change_the_count() -> None:
    count = tokens.counter("o200k").count
    assert count("};\n" + "//") != count("};\n") + count("//")


def test_nothing_joins_safely_with_anything() -> None:
    assert tokens.is_safe_join("", " b")
    assert tokens.is_safe_join("a", "")
    assert not tokens.is_safe_start("")


def test_chars_is_a_quarter_rounded_up() -> None:
    rough = tokens.counter("chars/4")
    assert [rough.count("x" * n) for n in (0, 1, 4, 5, 8)] == [0, 1, 1, 2, 2]
    assert not rough.additive


def test_a_counter_says_its_name() -> None:
    assert [tokens.counter(name).name for name in ("o200k", "cl100k", "chars/4")] == ["o200k", "cl100k", "chars/4"]
    assert tokens.counter().name == "o200k"


def test_a_users_own_tokenizer_file_counts(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    vocabulary = {character: rank for rank, character in enumerate("abcdefgh")} | {"ab": 8, "cd": 9}
    model = {"type": "BPE", "vocab": vocabulary, "merges": ["a b", "c d"]}
    split = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    path.write_text(json.dumps({"version": "1.0", "pre_tokenizer": split, "decoder": split, "model": model}))
    own = tokens.counter(str(path))
    assert own.count("abcd") == 2
    assert own.count("abcdefgh") == 6
    assert own.name == str(path)
    assert not own.additive


@pytest.mark.parametrize("content", [None, "{}", "not json"])
def test_an_unusable_tokenizer_file_is_named(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "tokenizer.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(UsageError, match=r"tokenizer\.json: not a usable"):
        tokens.counter(str(path))


def test_an_unknown_counter_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="unknown token counter 'o20k'") as caught:
        tokens.counter("o20k")
    assert "o200k, cl100k, chars/4" in str(caught.value)


@pytest.mark.parametrize(
    ("model", "name", "exact"),
    [
        ("gpt-4o-mini", "o200k", True),
        ("openai/GPT-4.1", "o200k", True),
        ("gpt-4-turbo", "cl100k", True),
        ("gpt-3.5-turbo", "cl100k", True),
        ("claude-opus-4", "o200k", False),
        ("us.anthropic.claude-3-haiku", "o200k", False),
        ("some-model-of-next-year", "o200k", False),
    ],
)
def test_a_model_has_a_counter(model: str, name: str, exact: bool) -> None:
    assert tokens.counter_for_model(model).name == name
    assert tokens.is_exact_for(model) is exact


def test_the_engine_is_loaded_only_to_count() -> None:
    code = "import sys, haversack.tokens; sys.exit('splintr' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
