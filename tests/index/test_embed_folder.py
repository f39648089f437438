"""Models a user brings: Model2Vec folders as their authors write them, ONNX ones, and what is wrong with the others."""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest

from haversack import Haversack
from haversack.errors import ConfigError, ModelError
from haversack.index.embed import CodeModel
from haversack.index.embed_folder import load_embedder, spoken
from haversack.model import Role
from tests.index.made import unit

WORDS = ["[UNK]", "login", "session", "paint", "circle", "expires"]
VECTORS = np.asarray([[0, 0], [1, 0], [0.9, 0.1], [0, 1], [0.1, 0.9], [0.8, 0]], dtype=np.float32)

# A network of one step, made with the onnx package: the rows of VECTORS by input_ids, as an encoder's last states.
NETWORK = (
    "CAg62QEKKQoBdAoJaW5wdXRfaWRzEhFsYXN0X2hpZGRlbl9zdGF0ZSIGR2F0aGVyEgFnKjsIBggCEAFCAXRKMAAAAAAAAAAAAACAPwAAAABmZmY/"
    "zczMPQAAAAAAAIA/zczMPWZmZj/NzEw/AAAAAFodCglpbnB1dF9pZHMSEAoOCAcSCgoDEgFiCgMSAW5aIgoOYXR0ZW50aW9uX21hc2sSEAoOCAcS"
    "CgoDEgFiCgMSAW5iKQoRbGFzdF9oaWRkZW5fc3RhdGUSFAoSCAESDgoDEgFiCgMSAW4KAggCQgQKABAN"
)


def tokenizer_json(words: list[str]) -> str:
    return json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [],
        "normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "Whitespace"}, "post_processor": None,
        "decoder": None,
        "model": {"type": "WordLevel", "vocab": {word: n for n, word in enumerate(words)}, "unk_token": "[UNK]"},
    })  # fmt: skip


def safetensors(table: np.ndarray, kind: str = "F32", name: str = "embeddings") -> bytes:
    data = table.astype({"F32": "<f4", "F16": "<f2"}[kind]).tobytes()
    header = json.dumps({name: {"dtype": kind, "shape": list(table.shape), "data_offsets": [0, len(data)]}}).encode()
    return len(header).to_bytes(8, "little") + header + data


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "tiny"
    made.mkdir()
    (made / "tokenizer.json").write_text(tokenizer_json(WORDS))
    (made / "model.safetensors").write_bytes(safetensors(VECTORS))
    (made / "config.json").write_text("{}")
    return made


def test_no_name_is_the_shipped_model() -> None:
    assert isinstance(load_embedder(""), CodeModel)


@pytest.mark.parametrize("kind", ["F32", "F16"])
def test_a_model2vec_folder_embeds_by_the_mean_of_its_tokens(folder: Path, kind: str) -> None:
    (folder / "model.safetensors").write_bytes(safetensors(VECTORS, kind))
    model = load_embedder(str(folder))
    assert model.dimensions == 2
    login, paint, nothing = model.embed(["Login session", "paint", "zebra"])
    assert login @ paint < 0.2
    assert np.linalg.norm(login) == pytest.approx(1)
    assert not nothing.any()
    assert model.embed([]).shape == (0, 2)


@pytest.mark.parametrize("place", ["model.onnx", "onnx/model.onnx"])
def test_an_onnx_folder_embeds_by_the_mean_of_its_states(folder: Path, place: str) -> None:
    (folder / "model.safetensors").unlink()
    (folder / place).parent.mkdir(exist_ok=True)
    (folder / place).write_bytes(base64.b64decode(NETWORK))
    model = load_embedder(str(folder))
    assert model.dimensions == 2
    alone, among = model.embed(["paint circle"]), model.embed(["login " * 50, "paint circle", "login"])[1:2]
    assert np.allclose(alone, among)  # what pads a shorter text counts for nothing
    assert model.embed(["login"] * 70).shape == (70, 2)


def test_units_speak_by_name_and_text_and_tests_by_their_documentation(folder: Path) -> None:
    model = load_embedder(str(folder))
    units = [unit("a.py", "login", "session expires"), unit("b.py", "circle", "paint")]
    near = model.embed(["expires"]) @ model.embed_units(units, [{}, {}]).T
    assert near.argmax() == 0
    tested = unit("t.py", "test_it", "body", role=Role.TEST, doc="What it shows.")
    assert spoken(tested) == "test_it\nWhat it shows."


@pytest.mark.parametrize("text", ["", "🎉", "\ud800 login", "login " * 100_000, "한국어"])
def test_odd_texts_have_finite_vectors(folder: Path, text: str) -> None:
    assert np.isfinite(load_embedder(str(folder)).embed([text])).all()


def test_a_changed_model_has_another_name(folder: Path) -> None:
    before = load_embedder(str(folder)).name
    (folder / "model.safetensors").write_bytes(safetensors(VECTORS, "F16"))
    after = load_embedder(str(folder)).name
    assert before != after
    assert before.startswith("tiny-")


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("model.safetensors", b""),
        ("model.safetensors", b"\x08\0\0\0\0\0\0\0not json"),
        ("model.safetensors", safetensors(VECTORS)[:-8]),
        ("model.safetensors", safetensors(VECTORS).replace(b'"F32"', b'"I64"')),
        ("model.safetensors", b"\x02\0\0\0\0\0\0\0{}"),
        ("tokenizer.json", b"{"),
        ("model.onnx", b"not a network"),
    ],
)
def test_a_damaged_file_is_named(folder: Path, file: str, content: bytes) -> None:
    (folder / file).write_bytes(content)
    with pytest.raises(ModelError, match=file):
        load_embedder(str(folder)).embed(["login"])


def test_a_folder_that_is_not_there_is_named() -> None:
    with pytest.raises(ModelError, match="no folder 'nowhere'"):
        load_embedder("nowhere")


def test_a_package_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    with pytest.raises(ModelError, match="needs tokenizers") as told:
        load_embedder(str(folder)).embed(["login"])
    assert "haversack[hf]" in str(told.value.hint)


def test_a_hub_that_cannot_be_reached_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    with pytest.raises(ModelError, match="someone/something"):
        load_embedder("hf:someone/something")


def test_a_project_searches_with_the_users_model(folder: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.py").write_text("def login():\n    session = expires\n")
    (project / "b.py").write_text("def circle():\n    paint\n")
    with Haversack(project, data_dir=tmp_path / "data", flags={"index.embedding": str(folder)}) as haversack:
        hits = haversack.search("expires", view="semantic")
    assert hits[0].unit.path == "a.py"


def test_a_projects_own_file_cannot_choose_a_model(tmp_path: Path) -> None:
    (tmp_path / "haversack.toml").write_text('[index]\nembedding = "hf:someone/something"\n')
    with pytest.raises(ConfigError, match=r"index\.embedding cannot be set by a project"):
        Haversack(tmp_path, data_dir=tmp_path / "data").embedder  # noqa: B018 - asking for it is the test


class Hub(BaseHTTPRequestHandler):
    """A hub with one model, on this machine: what `snapshot_download` asks for, as the hub answers it."""

    files: ClassVar[dict[str, bytes]] = {}
    revision = "0123456789abcdef0123456789abcdef01234567"

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        path = unquote(urlsplit(self.path).path)
        name = path.partition(f"/resolve/{self.revision}/")[2]
        if path.startswith(f"/api/models/someone/tiny/tree/{self.revision}"):
            tree = [{"type": "file", "path": n, "size": len(f), "oid": f"tag-of-{n}"} for n, f in self.files.items()]
            body, tag = json.dumps(tree).encode(), "tree"
        elif path.startswith("/api/models/someone/tiny"):
            listed = [{"rfilename": name} for name in self.files]
            body, tag = json.dumps({"id": "someone/tiny", "sha": self.revision, "siblings": listed}).encode(), "about"
        elif name in self.files:
            body, tag = self.files[name], f"tag-of-{name}"
        else:
            self.send_error(404)
            return
        self.send_response(200)
        for header, value in (("ETag", f'"{tag}"'), ("X-Repo-Commit", self.revision), ("Content-Length", len(body))):
            self.send_header(header, str(value))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def test_a_model_on_a_hub_is_fetched_by_its_name(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    monkeypatch.setattr(Hub, "files", files | {"pytorch_model.bin": b"not asked for"})
    with ThreadingHTTPServer(("127.0.0.1", 0), Hub) as hub:
        threading.Thread(target=hub.serve_forever, daemon=True).start()
        # In a process of its own: the client reads where the hub is once, when it is imported.
        script = (
            "from haversack.index.embed_folder import load_embedder\n"
            "model = load_embedder('hf:someone/tiny')\n"
            "login, paint = model.embed(['login session', 'paint'])\n"
            "print(model.name.startswith('tiny-'), model.origin, login @ paint < 0.2)\n"
        )
        home = tmp_path / "home"
        place = {"HF_ENDPOINT": f"http://127.0.0.1:{hub.server_port}", "HF_HOME": str(home), "HF_HUB_DISABLE_XET": "1"}
        done = subprocess.run(
            [sys.executable, "-c", script], env={**os.environ, **place}, capture_output=True, text=True, check=False
        )
        hub.shutdown()
    assert done.stdout.split() == ["True", "hf:someone/tiny", "True"], done.stderr
    assert not list(home.rglob("pytorch_model.bin"))
