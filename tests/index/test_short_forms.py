"""Words and what programmers cut short of them find each other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from haversack.index.lexical import ask, bm25
from haversack.index.short_forms import KIN, kin
from haversack.index.stopwords import KEYWORDS
from haversack.index.terms import terms
from tests.index.made import store_with, unit


@pytest.mark.parametrize(
    ("word", "some"),
    [
        ("authentication", {"authenticate", "auth"}),
        ("auth", {"authentication", "authorization"}),
        ("config", {"configuration", "configure"}),
        ("dependency", {"deps"}),
        ("db", {"database"}),
        ("resolver", {"resolve", "resolution"}),
        ("conversion", {"convert", "converter"}),
    ],
)
def test_a_word_and_its_short_form_find_each_other(word: str, some: set[str]) -> None:
    assert some <= set(kin(word))
    assert word not in kin(word)


@pytest.mark.parametrize("word", ["instance", "인증", "get_user", ""])
def test_most_words_have_none(word: str) -> None:
    assert "" not in kin(word)
    assert kin("haversack") == ()


def test_every_word_of_the_tables_is_one_that_is_searched_for() -> None:
    unsaid = {word for word in KIN if terms(word) != [word]}
    assert unsaid <= KEYWORDS, "a stop word, or a word that is cut into parts, is never asked for"


def test_a_task_finds_what_is_cut_short_and_the_word_itself_first(tmp_path: Path) -> None:
    units = [unit("a.py", "one", "the database"), unit("b.py", "two", "the db"), unit("c.py", "x", "the dog")]
    store = store_with(tmp_path, units)
    scores = bm25(store.snapshot(), ask({"database": 1.0}))
    by_path = {store.snapshot().place(p)[0]: float(scores[p]) for p in np.flatnonzero(scores)}
    assert by_path["a.py"] > by_path["b.py"] > 0
    assert "c.py" not in by_path
