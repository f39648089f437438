"""Task types and intents are read from words of many languages, and the words are named."""

from __future__ import annotations

import pytest

from haversack.errors import UsageError
from haversack.retrieve.task.intent import plain_intent, task_intent
from haversack.retrieve.task.lines import read_lines
from haversack.retrieve.task.types import task_type
from haversack.retrieve.task.vocabulary import Vocabulary, word_set


def kind(text: str) -> str:
    return task_type(text, read_lines(text))[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Fix the crash in the tokenizer", "bug"),
        ("Parser does not handle empty input", "bug"),
        ("Widget count\n\nTypeError: unhashable type", "bug"),
        ("Widget count\n\n**Describe the bug**\nThe count is off.", "bug"),
        ("Fix #4009: locale of empty string", "bug"),
        ("Add support for YAML configuration", "feature"),
        ("Colours\n\n**Describe the solution you'd like**\nMore of them", "feature"),
        ("Deploy the worker to the Kubernetes cluster", "infrastructure"),
        ("Investigate which queue library to use", "research"),
        ("How does the cache work?", "research"),
        ("Refactor the scheduler into two modules", "refactor"),
        ("Add unit tests for the lexer", "test"),
        ("Update the README and the tutorial", "docs"),
        ("Query is slow, improve performance", "performance"),
        ("XSS vulnerability in the comment form", "security"),
        ("로그인 오류를 고쳐 주세요", "bug"),
        ("결제 기능 추가", "feature"),
        ("서버 배포 자동화", "infrastructure"),
        ("修复登录错误", "bug"),
        ("添加导出功能", "feature"),
        ("重构解析模块", "refactor"),
        ("ログインのバグを修正", "bug"),
        ("検索機能を追加", "feature"),
        ("Behebe den Fehler im Parser", "bug"),
        ("Corrige l'erreur du parseur", "bug"),
        ("Añadir soporte para YAML", "feature"),
        ("the gateway", "general"),
        ("", "general"),
    ],
)
def test_the_type_of_a_task(text: str, expected: str) -> None:
    assert kind(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("docs: fix the crash section", "docs"),
        ("feat(parser): fix everything", "feature"),
        ("perf!: do less", "performance"),
        ("[ci] run on two machines", "infrastructure"),
        ("♻️ Add a loop", "refactor"),
        ("🐛 Add a guard", "bug"),
        ("note: nothing", "general"),
    ],
)
def test_a_conventional_prefix_settles_it(text: str, expected: str) -> None:
    assert kind(text) == expected


def test_the_deciding_words_are_named_strongest_first() -> None:
    assert task_type("Fix broken parser", read_lines("Fix broken parser"))[1] == ("fix", "broken")
    assert task_type("the gateway", read_lines("the gateway"))[1] == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How do I add a route?", "how_to"),
        ("What happened to the cache last time?", "what_happened"),
        ("Known issues with the tokenizer", "known_issues"),
        ("Widgets\n\nValueError: boom", "known_issues"),
        ("Which version is installed in staging?", "environment"),
        ("Where is the router defined?", "code_structure"),
        ("캐시는 어디에 정의되어 있나", "code_structure"),
        ("最近的变更历史", "what_happened"),
        ("gateway", "how_to"),
    ],
)
def test_the_intent_of_a_task(text: str, expected: str) -> None:
    assert task_intent(read_lines(text)) == expected


def test_other_spellings_of_intents_are_accepted() -> None:
    assert plain_intent("how_to_do") == "how_to"
    assert plain_intent("Gotchas") == "known_issues"
    assert plain_intent("code-structure") == "code_structure"
    with pytest.raises(UsageError, match="known intents"):
        plain_intent("guess")


def test_phrases_hide_their_words_and_stars_take_any_ending() -> None:
    words: Vocabulary[int] = Vocabulary({"how": 1, "how-do": 2, "how-do-you": 3, "fail*": 4, "오류": 5, "변경-내역": 6})
    assert list(words.find("How do you fail? HOW? failing failsafe-mode")) == [
        ("how do you", 3),
        ("fail", 4),
        ("how", 1),
        ("failing", 4),
        ("failsafe", 4),
    ]
    assert list(words.find("로그인오류의 변경 내역")) == [("오류", 5), ("변경내역", 6)]
    assert list(words.find("how dare")) == [("how", 1)]
    assert word_set("don't can").has("I don’t know")
    assert not word_set("fail*").has("fai")
