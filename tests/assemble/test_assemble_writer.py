"""A language model may write levels of prose: asked once per content, held to the limit, never needed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.answering import Model, answering

from haversack import Haversack
from haversack.assemble.language_model import LanguageModel
from haversack.assemble.writer import CHUNK, Writer
from haversack.config.settings import ModelSettings
from haversack.errors import ConfigError
from haversack.index.level_cache import LevelCache, written_cache
from haversack.tokens import counter

GUIDE = "# Queues\n\n" + "".join(
    f"Paragraph {n} says that queue number {n} keeps its items in order. It also says more than anyone needs.\n\n"
    for n in range(40)
)
TASK = "how do queues keep their items in order"
count = counter().count


@pytest.fixture
def model() -> Iterator[Model]:
    with answering() as said:
        yield said


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "queues.md").write_text(GUIDE)
    (folder / "app.py").write_text("def put(item):\n    return item\n" * 80)
    return folder


def opened(project: Path, data: Path, model: Model | None) -> Haversack:
    flags = {"levels.writer.endpoint": model.endpoint, "levels.writer.model": "small"} if model else {}
    return Haversack(project, data_dir=data, flags=flags)


@pytest.fixture
def cache(tmp_path: Path) -> Iterator[LevelCache]:
    kept = written_cache(tmp_path)
    yield kept
    kept.close()


def writer(model: Model, cache: LevelCache, **said: Any) -> Writer:
    settings = ModelSettings(endpoint=model.endpoint, model="small", timeout_seconds=2, **said)
    return Writer(LanguageModel(settings), cache)


def test_a_summary_is_written_once_per_content_and_says_who_wrote_it(
    project: Path, tmp_path: Path, model: Model
) -> None:
    with opened(project, tmp_path / "data", model) as haversack:
        made = haversack.summarize("docs/queues.md", "heavy")
        assert made.text == "(told by small) Queues keep order."
        assert made.tokens == count(made.text)
        assert len(model.asked) == 1
        assert haversack.summarize("docs/queues.md", "heavy") == made
    with opened(project, tmp_path / "data", model) as again:
        assert again.summarize("docs/queues.md", "heavy") == made
        assert len(model.asked) == 1, "kept by content"
        (project / "docs" / "queues.md").write_text(GUIDE + "One more.\n")
        again.summarize("docs/queues.md", "heavy")
        assert len(model.asked) == 2
    question = json.dumps(model.asked[0])
    assert "Paragraph 39" in question
    assert '"temperature": 0' in question


def test_packets_use_it_for_prose_and_stay_the_same(project: Path, tmp_path: Path, model: Model) -> None:
    with opened(project, tmp_path / "data", model) as haversack:
        first = haversack.pack(TASK, budget=400)
        assert "(told by small) Queues keep order." in first.text
        asked = len(model.asked)
        assert haversack.pack(TASK, budget=400).text == first.text
        assert len(model.asked) == asked
        assert count(first.text) <= 400
        assert all("def put" not in json.dumps(each) for each in model.asked), "code is never sent"


@pytest.mark.parametrize(
    ("status", "body", "answer"),
    [
        (500, None, "x"),
        (302, None, "x"),
        (200, b"not json", "x"),
        (200, b'{"choices": []}', "x"),
        (200, None, ""),
        (200, None, "far too many words " * 500),
    ],
)
def test_whatever_goes_wrong_the_level_without_a_model_is_there(
    project: Path, tmp_path: Path, model: Model, status: int, body: bytes | None, answer: str
) -> None:
    with opened(project, tmp_path / "plain", None) as haversack:
        plain = haversack.summarize("docs/queues.md", "summary")
        packet = haversack.pack(TASK, budget=400).text
    model.status, model.body, model.answer = status, body, answer
    with opened(project, tmp_path / "data", model) as haversack:
        assert haversack.summarize("docs/queues.md", "summary") == plain
        assert haversack.pack(TASK, budget=400).text == packet
    assert model.asked


def test_nobody_answers_and_then_nobody_is_asked_any_more(cache: LevelCache, model: Model) -> None:
    asked = writer(Model(endpoint="http://127.0.0.1:9/v1"), cache)
    assert [asked.shorten(f"{GUIDE}{n}", 100, count) for n in range(4)] == [""] * 4
    assert asked.gave_up
    model.status = 500
    tired = writer(model, cache)
    assert [tired.shorten(f"{GUIDE}{n}", 100, count) for n in range(4)] == [""] * 4
    assert len(model.asked) == 2


def test_a_packet_waits_only_so_long(cache: LevelCache, model: Model) -> None:
    now = iter([0.0, 1.0, 100.0, 101.0, 102.0])
    settings = ModelSettings(endpoint=model.endpoint, model="small", timeout_seconds=2)
    slow = Writer(LanguageModel(settings), cache, clock=lambda: next(now))
    assert slow.shorten(GUIDE, 100, count)
    assert slow.shorten(GUIDE + "x", 100, count) == ""
    assert len(model.asked) == 1


def test_a_long_text_is_told_in_parts_and_the_parts_again(cache: LevelCache, model: Model) -> None:
    text = "\n\n".join(f"Part {n} " + "word " * 300 for n in range(40))
    assert len(text) > 2 * CHUNK
    assert writer(model, cache).shorten(text, 200, count) == "(told by small) Queues keep order."
    assert len(model.asked) == 4
    assert "Queues keep order." in json.dumps(model.asked[-1])
    assert writer(model, cache).shorten("x" * (2 * CHUNK), 200, count), "text without any break"


def test_the_key_is_taken_from_the_environment_and_secrets_in_answers_are_redacted(
    cache: LevelCache, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEL_KEY", "k-1")
    model.answer = "The key is AKIAIOSFODNN7EXAMPLQ."
    told = writer(model, cache, key_variable="MODEL_KEY").shorten(GUIDE, 100, count)
    assert model.keys == ["Bearer k-1"]
    assert "AKIA" not in told


def test_a_projects_own_file_cannot_send_its_text_anywhere(project: Path, tmp_path: Path) -> None:
    (project / "haversack.toml").write_text('[levels.writer]\nendpoint = "https://example.org/v1"\nmodel = "m"\n')
    with pytest.raises(ConfigError, match="cannot be set by a project's own file"):
        Haversack(project, data_dir=tmp_path / "data")
    (project / "haversack.toml").unlink()
    with pytest.raises(ConfigError, match="address of an API"):
        Haversack(project, data_dir=tmp_path / "data", flags={"levels.writer.endpoint": "file:///etc"})
