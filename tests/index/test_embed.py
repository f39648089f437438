"""The shipped model: what its vectors are, for anything; and what a broken file says."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from haversack import Haversack
from haversack.errors import ModelError
from haversack.index.embed import DISTINCT, LONGEST_ASKED, SHIPPED, CodeModel, quantise, write_model
from haversack.index.segment import Array
from haversack.index.terms import count_terms, term_hash
from haversack.model import Role, Unit
from tests.index.made import unit

MODEL = CodeModel()


def embedded(*units: Unit) -> Array:
    return MODEL.embed_units(units, [count_terms(each.text) for each in units])


def test_what_is_asked_is_nearer_to_the_code_it_is_about() -> None:
    units = [
        unit("a.py", "refresh_session", "def refresh_session(token):\n    return renew(token, expires=now() + TTL)"),
        unit("a.py", "draw_circle", "def draw_circle(canvas, radius):\n    canvas.arc(0, 0, radius, fill=color)"),
        unit("a.py", "parse_header", "def parse_header(line):\n    name, _, value = line.partition(':')"),
    ]
    asked = MODEL.embed(["login expires and must be renewed", "paint a shape", "split a line into key and value"])
    assert (asked @ embedded(*units).T).argmax(axis=1).tolist() == [0, 1, 2]


def test_words_that_never_met_are_near_when_they_mean_the_same() -> None:
    delete, remove, paint = MODEL.embed(["delete", "remove", "paint"])
    assert delete @ remove > delete @ paint


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=300), max_size=5))
def test_every_text_has_a_vector_of_length_one_or_zero(texts: list[str]) -> None:
    vectors = MODEL.embed(texts)
    assert vectors.shape == (len(texts), MODEL.dimensions)
    lengths = np.linalg.norm(vectors, axis=1)
    assert ((abs(lengths - 1) < 1e-4) | (lengths == 0)).all()
    assert quantise(vectors).dtype == np.int8


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "x",
        "🎉🎉",
        "ㅎ",
        "한국어 텍스트",
        "データを読む",
        "a" * 1_000_000,
        "\x00\x01",
        "\ud800",
        "read " * 200_000,
    ],
)
def test_odd_texts_are_embedded_alike_as_questions_and_as_units(text: str) -> None:
    asked = MODEL.embed([text])[0]
    found = embedded(unit("a.txt", "", text))[0]
    assert np.isfinite(asked).all()
    assert np.isfinite(found).all()
    assert (np.linalg.norm(asked) > 0) == (np.linalg.norm(found) > 0)


def test_the_end_of_an_endless_question_costs_nothing() -> None:
    text = ("read a file " * LONGEST_ASKED)[:LONGEST_ASKED]
    assert np.array_equal(*MODEL.embed([text, text + " paint a circle" * 100_000]))


def test_the_end_of_an_endless_unit_is_not_summed() -> None:
    words = " ".join(f"word{number}" for number in range(DISTINCT))
    assert np.array_equal(*embedded(unit("a.py", "", words), unit("a.py", "", words + " paint a circle")))


def test_a_text_with_no_words_has_no_direction() -> None:
    assert not MODEL.embed(["", "🎉", "( ) { }"]).any()


def test_other_scripts_find_what_shares_their_words() -> None:
    asked = MODEL.embed(["設定を読む", "прочитать настройки"])
    units = [unit("a.md", "", "設定ファイルを読む手順"), unit("b.md", "", "как прочитать настройки из файла")]
    assert (asked @ embedded(*units).T).argmax(axis=1).tolist() == [0, 1]


def test_an_inflection_stands_for_its_word() -> None:
    plain, bent = MODEL.embed(["memoize", "memoizes"])
    assert plain @ bent > 0.3


def test_units_do_not_depend_on_their_neighbours() -> None:
    units = [unit("a.py", f"f{n}", f"def f{n}(): return open_session({n})") for n in range(7)]
    units.insert(3, unit("a.py", "", ""))
    together = embedded(*units)
    assert np.array_equal(together, np.concatenate([embedded(each) for each in units]))
    assert not together[3].any()
    assert MODEL.embed_units([], []).shape == (0, MODEL.dimensions)


def test_more_terms_than_a_block_holds_are_summed_unit_by_unit() -> None:
    words = " ".join(f"word{chr(97 + n % 26)}{n}" for n in range(DISTINCT * 2))
    units = [unit("a.py", f"name{n}", words) for n in range(300)]
    assert np.allclose(embedded(*units), embedded(*units[:1], *[units[n] for n in range(1, 300)]))


def test_a_test_is_embedded_by_its_name_and_documentation() -> None:
    body = "def test_it():\n    assert refresh_session(token).expires"
    one = unit("t.py", "test_it", body, role=Role.TEST, doc="The cart adds up.")
    other = unit("t.py", "test_it", "def test_it():\n    pass", role=Role.TEST, doc="The cart adds up.")
    assert np.array_equal(*embedded(one, other))


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    broken = tmp_path / "model.hvm"
    shutil.copy(SHIPPED, broken)
    with broken.open("r+b") as file:
        file.seek(-1000, 2)
        file.write(b"\xff" * 10)
    with pytest.raises(ModelError, match=r"model\.hvm is damaged.*checksum"):
        CodeModel(broken).embed(["a question"])


def test_the_doctor_names_a_damaged_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.hvm").write_bytes(SHIPPED.read_bytes()[:-1] + b"\xff")
    monkeypatch.setattr("haversack.index.embed_folder.CodeModel", lambda: CodeModel(tmp_path / "model.hvm"))
    with Haversack(tmp_path, data_dir=tmp_path / "data") as haversack:
        told = {finding.name: finding for finding in haversack.doctor()}
    assert told["model"].state == "problem"
    assert "model.hvm is damaged: its checksum is wrong" in told["model"].message


@pytest.mark.parametrize("content", [b"", b"short", b"HVEMB02\n", b"something else altogether, but long enough"])
def test_a_file_that_is_no_model_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "model.hvm").write_bytes(content)
    with pytest.raises(ModelError, match=r"model\.hvm"):
        CodeModel(tmp_path / "model.hvm").embed(["a question"])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"nothing\.hvm cannot be read"):
        _ = CodeModel(tmp_path / "nothing.hvm").name


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    hashes = np.sort(np.asarray([term_hash("alpha"), term_hash("beta")]))
    rows = [0 if each == term_hash("alpha") else 1 for each in hashes]
    vectors = np.asarray([[127, 0], [0, 127], [90, 90], [90, -90]])
    write_model(
        tmp_path / "tiny.hvm", "tiny-1", 2,
        {"hashes": hashes, "rows": rows, "vectors": vectors, "scales": np.ones(4), "gains": [1.0, 3.0, 1.0, 1.0]},
    )  # fmt: skip
    tiny = CodeModel(tmp_path / "tiny.hvm")
    assert (tiny.name, tiny.dimensions) == ("tiny-1", 2)
    assert tiny.embed(["alpha", "beta"]).tolist() == [[1.0, 0.0], [0.0, 1.0]]
    both = tiny.embed(["alpha beta"])[0]
    assert both[1] == pytest.approx(3 * both[0])  # a question weighs its terms by their gains
    alike = tiny.embed_units([unit("a", "", "alpha beta")], [count_terms("alpha beta")])[0]
    assert alike[0] == alike[1]  # a unit does not
    assert abs(float(tiny.embed(["unknown"])[0][0])) == pytest.approx(0.5**0.5)  # a shared row


def test_the_shipped_model_needs_no_framework() -> None:
    script = (
        "import sys; from haversack.index.embed import CodeModel; CodeModel().embed(['read a file']); "
        "print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "numpy" in loaded
    assert not loaded & {"torch", "onnxruntime", "tokenizers", "huggingface_hub", "scipy", "sklearn", "wordllama"}


def test_the_shipped_model_is_small_and_named() -> None:
    assert SHIPPED.stat().st_size <= 12_000_000
    assert MODEL.name.startswith("haversack-code-")
