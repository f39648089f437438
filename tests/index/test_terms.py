"""Words become terms: what is split, what is kept, what is dropped, and that hashes and readable terms agree."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haversack.index import terms as module
from haversack.index.terms import (
    count_terms,
    forms,
    keywords,
    name_terms,
    path_terms,
    reset_memo,
    stem,
    term_hash,
    terms,
    word_terms,
)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("HTTPServer2", ("httpserver2", "http", "server")),
        ("getUserName", ("getusername", "user", "name")),
        ("max_retry_count", ("maxretrycount", "max", "retry", "count")),
        ("__init__", ("init",)),
        ("sha256sum", ("sha256sum", "sha", "256", "sum")),
        ("utf8", ("utf8", "utf")),
        ("ImportResolver", ("importresolver", "import", "resolver")),
        ("404", ("404",)),
        ("7", ()),
        ("____", ()),
        ("return", ()),
        ("The", ()),
        ("0xDEADBEEF", ("0xdeadbeef",)),
        ("is_none", ("isnone", "none")),
    ],
)
def test_a_word_in_ascii_splits_by_its_style(word: str, expected: tuple[str, ...]) -> None:
    assert word_terms(word) == expected


def test_camel_case_and_snake_case_share_the_whole() -> None:
    assert word_terms("parseHeaderLine")[0] == word_terms("parse_header_line")[0]


@pytest.mark.parametrize(
    "family",
    [
        ("cache", "caches", "cached", "caching"),
        ("token", "tokens"),
        ("map", "maps", "mapped", "mapping"),
        ("query", "queries"),
        ("class", "classes"),
        ("parse", "parsed", "parsing", "parses"),
        ("fix", "fixes", "fixed", "fixing"),
        ("call", "calls", "called", "calling"),
        ("embedded", "embedding"),
        ("bus", "bus"),
    ],
)
def test_forms_of_one_word_share_a_stem(family: tuple[str, ...]) -> None:
    assert len({stem(word) for word in family}) == 1


@pytest.mark.parametrize(
    ("word", "some"),
    [
        ("cached", {"cache", "caches", "caching"}),
        ("map", {"maps", "mapped", "mapping"}),
        ("queries", {"query", "queried", "querying"}),
        ("running", {"run", "runs"}),
        ("string", {"strings"}),
        ("vertices", {"vertex"}),
        ("matrix", {"matrices"}),
        ("indices", {"index"}),
        ("emphases", {"emphasis"}),
        ("axis", {"axes"}),
        ("criterion", {"criteria"}),
    ],
)
def test_a_query_may_ask_for_the_other_forms(word: str, some: set[str]) -> None:
    assert some <= set(forms(word))
    assert word not in forms(word)


@pytest.mark.parametrize("word", ["id", "sha256", "인증", "get_user"])
def test_what_is_not_an_english_word_has_no_other_forms(word: str) -> None:
    assert forms(word) == ()


@pytest.mark.parametrize("word", ["string", "spring", "status", "analysis", "need", "feed", "this", "process", "red"])
def test_words_that_only_look_inflected_stay(word: str) -> None:
    assert stem(word) == word


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("café", ("cafe",)),
        ("naïveBayes", ("naivebayes", "naive", "bayes")),
        ("Größe", ("grosse",)),
        ("ＡＰＩ", ("api",)),
        ("Øre", ("ore",)),
        ("привет", ("привет",)),
        ("ПРИВЕТ", ("привет",)),
        ("ж", ()),
        ("认证系统", ("认证", "证系", "系统")),
        ("码", ("码",)),
        ("データ", ("デー", "ータ")),
        ("인증", ("인증",)),
        ("인증을", ("인증을", "인증", "증을")),
        ("값", ("값",)),
        ("JWT란", ("jwt", "란")),
        ("使用getUser函数", ("使用", "getuser", "user", "函数")),
        ("हिन्दी", ("हिन्दी",)),
    ],
)
def test_other_scripts(word: str, expected: tuple[str, ...]) -> None:
    assert word_terms(word) == expected


def test_decomposed_accents_are_the_same_word() -> None:
    assert terms("re\u0301sume\u0301") == terms("résumé") == terms("resume")


def test_thai_has_no_spaces_and_becomes_pairs() -> None:
    assert set(terms("ข้อมูล")) & set(terms("ฐานข้อมูล"))


def test_long_words_lose_their_whole_and_blobs_vanish() -> None:
    long_name = "_".join(["configuration", "validation", "of", "deployment", "manifests", "used", "for", "production"])
    assert len(long_name) > module.LONGEST_WHOLE
    assert long_name.replace("_", "") not in terms(long_name)
    assert "configuration" in terms(long_name)
    assert terms("QmFzZTY0IGJsb2IgdGhhdCBpcyBsb25nIGVub3VnaCB0byBiZSBkYXRh") == []
    assert terms("a" * 5000) == []
    assert terms("1" * 21) == []


def test_a_commit_hash_is_one_term() -> None:
    sha = "0f47e6e55ecb3e38b25c3a9ab2d6bca4a7c2c3f4"
    assert terms(sha) == [sha]


def test_paths_know_their_dashed_names() -> None:
    assert path_terms("src/http-server.go")[-1] == "httpserver"
    assert path_terms("pkg/cmd/pr_list.go") == terms("pkg/cmd/pr_list.go")
    assert "handler" in path_terms("lib\\handler.ts")
    assert path_terms("") == []


def test_keywords_are_what_a_text_has_beside_its_terms() -> None:
    assert keywords("beetsplug/inline.py") == ["inline"]
    assert keywords("Async await, ImportResolver and while") == ["async", "await"]
    assert not set(keywords("static void f(this)")) & set(terms("static void f(this)"))


def test_a_name_of_common_words_is_its_own_term() -> None:
    assert name_terms("Session.get_all") == ["session", "getall"]
    assert name_terms("import") == ["import"]
    assert name_terms("all") == ["all"]


@given(st.text(max_size=300))
def test_counts_and_readable_terms_agree(text: str) -> None:
    assert count_terms(text) == Counter(map(term_hash, terms(text)))


@given(st.text(alphabet=st.sampled_from("abAB12_ é认증ж\n."), max_size=200))
def test_counts_and_readable_terms_agree_on_mixed_words(text: str) -> None:
    assert count_terms(text) == Counter(map(term_hash, terms(text)))
    assert all(terms(text))


@given(st.text(alphabet="abcdefgisnelxyz", min_size=1, max_size=12))
def test_a_stem_is_never_empty_nor_longer(word: str) -> None:
    assert 0 < len(stem(word)) <= len(word)


def test_the_memory_is_bounded_and_can_be_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MEMO_WORDS", 10)
    reset_memo()
    text = " ".join(f"word{chr(97 + i)}{chr(98 + i)}" for i in range(20)) + " " + "语" * 2000
    before = count_terms(text)
    assert len(module._memo) <= 10
    assert count_terms(text) == before
    reset_memo()
    assert len(module._memo) == 0


def test_a_hash_is_the_same_in_every_process_and_differs_by_field() -> None:
    code = "from haversack.index.terms import term_hash; print(term_hash('token'), term_hash('token', 'path'))"
    seen = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("1", "2")
    }
    assert seen == {f"{term_hash('token')} {term_hash('token', 'path')}\n"}
    assert term_hash("token") != term_hash("token", "path")
    assert -(2**63) <= term_hash("token") < 2**63
