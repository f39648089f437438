"""Names that a task says in plain words are found."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tests.index.made import store_with, unit

from haversack.retrieve.spoken import MOST_PHRASES, phrases, spoken
from haversack.retrieve.understand import understand


def told_of(tmp_path: Path, task: str, *units: tuple[str, str]) -> dict[str, dict[str, float]]:
    """What is spoken of each piece, by its name and the name of the evidence."""
    store = store_with(tmp_path, [unit(f"shop/{name}.py", name, text) for name, text in units])
    snapshot = store.snapshot()
    here = np.flatnonzero(snapshot.alive)
    columns = spoken(snapshot, understand(task), here)
    names = [Path(snapshot.place(int(position))[0]).stem for position in here]
    return {name: {key: float(column[n]) for key, column in columns.items()} for n, name in enumerate(names)}


def test_words_side_by_side_are_one_name() -> None:
    said = phrases(understand("The default value of a long option is lost"))
    assert {"defaultvalue", "longoption"} <= said.keys()
    assert "valuelong" not in said, "words that do not follow each other"
    assert "ofa" not in said, "a phrase of nothing but common words"


def test_punctuation_keeps_words_apart() -> None:
    assert "parserreject" not in phrases(understand("Fix the parser. Reject empty names"))


def test_phrases_are_found_in_code_of_any_style(tmp_path: Path) -> None:
    told = told_of(
        tmp_path,
        "keep the default value",
        ("snake", "x = default_value"),
        ("camel", "x = defaultValue"),
        ("apart", "the value by default"),
    )
    assert told["snake"]["phrase"] > 0
    assert told["camel"]["phrase"] > 0
    assert told["apart"]["phrase"] == 0
    assert told["snake"]["file phrase"] > 0


def test_a_phrase_that_is_the_name_of_a_piece_says_so(tmp_path: Path) -> None:
    told = told_of(tmp_path, "keep the default value", ("default_value", "return 1"), ("other", "return 2"))
    assert told["default_value"]["name phrase"] > 0
    assert told["other"]["name phrase"] == told["other"]["file name phrase"] == 0


def test_a_plain_word_may_be_the_very_name_of_something(tmp_path: Path) -> None:
    told = told_of(tmp_path, "the Session is closed too early", ("Session", "..."), ("session_id", "..."))
    assert told["Session"]["called"] == told["Session"]["file called"] > 0
    assert told["session_id"]["called"] == 0


def test_a_word_may_be_the_plural_of_a_name_unless_something_has_that_very_name(tmp_path: Path) -> None:
    units = (("NamedType", "..."), ("Option", "..."), ("Options", "..."), ("Statu", "..."))
    told = told_of(tmp_path, "hash the NamedTypes of all Options by their Status", *units)
    assert {name for name, columns in told.items() if columns["called"] > 0} == {"NamedType", "Options"}


def test_a_name_of_many_points_at_each_of_them_less(tmp_path: Path) -> None:
    alone = told_of(tmp_path / "one", "close the Session", ("Session", "..."))
    store = store_with(tmp_path / "many", [unit(f"shop/{n}.py", "Session", "...") for n in range(4)])
    snapshot = store.snapshot()
    shared = spoken(snapshot, understand("close the Session"), np.flatnonzero(snapshot.alive))["called"]
    assert 0 < shared.max() < alone["Session"]["called"]


def test_a_long_text_makes_no_more_phrases_than_can_be_asked_for() -> None:
    text = "\n".join(f"the reader{n} of writer{n} asks store{n} for page{n}" for n in range(3000))
    assert 0 < len(phrases(understand(text))) <= MOST_PHRASES
