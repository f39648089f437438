"""Models the user brings: a folder on disk or a name on the hub, in the formats of Model2Vec and of ONNX.

A Model2Vec folder holds `model.safetensors` (one vector for each token) and `tokenizer.json`; an ONNX one holds
`model.onnx` (also under `onnx/`) and `tokenizer.json`. Their packages come with the extra `[hf]` or `[onnx]` and are
imported only when such a model is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

import msgspec
import numpy as np

from haversack.errors import ModelError
from haversack.index.embed import CodeModel, Embedder, to_length_one
from haversack.index.encoder import Encoder, clean, damaged, needed, read_tokenizer
from haversack.index.segment import Array
from haversack.model import Role, Unit

HUB = "hf:"
LONGEST = 1_500  # characters of a unit's text that are read
DOC = 300  # characters of a unit's documentation, where its text is not read
TOKENS = 512  # of a text, for a table
WANTED = ("*.json", "model.safetensors", "model.onnx", "onnx/model.onnx")  # files of a hub model that are fetched
_ELEMENTS = {"F32": "<f4", "F16": "<f2"}


def load_embedder(model: str) -> Embedder:
    """The shipped model for an empty name, else the model in a folder or on the hub."""
    if not model:
        return CodeModel()
    folder = _fetched(model.removeprefix(HUB)) if model.startswith(HUB) else Path(model).expanduser()
    if not folder.is_dir():
        what = f"index.embedding: there is no folder {model!r}"
        raise ModelError(what, hint="name a folder, hf:NAME, or leave it empty")
    return FolderModel(folder, model if model.startswith(HUB) else str(folder.resolve()))


def _fetched(name: str) -> Path:
    hub = needed("huggingface_hub", "hf")
    try:
        return Path(hub.snapshot_download(name, allow_patterns=list(WANTED)))
    except Exception as error:  # the hub's client raises whatever its transport does; the user needs the name
        raise ModelError(f"the model {name!r} could not be fetched: {error}", hint="name a local folder") from error


class FolderModel:
    """A model read from a folder. Questions and units are embedded alike."""

    def __init__(self, folder: Path, origin: str) -> None:
        self.origin = origin
        self._folder = folder

    @cached_property
    def name(self) -> str:
        """The folder's name and what its files are like, so that vectors of a changed model are not mixed."""
        files = sorted((p.name, p.stat().st_size, p.stat().st_mtime_ns) for p in self._folder.rglob("*") if p.is_file())
        letters = re.sub(r"[^\w.-]+", "-", self.origin.rstrip("/").rpartition("/")[2].removeprefix(HUB)) or "model"
        return f"{letters[:40]}-{blake2b(repr(files).encode(), digest_size=4).hexdigest()}"

    @cached_property
    def dimensions(self) -> int:
        return int(self._embed(["a"]).shape[1])

    def embed(self, texts: Sequence[str]) -> Array:
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return to_length_one(np.nan_to_num(self._embed([text[: 4 * LONGEST] for text in texts]).astype(np.float32)))

    def embed_units(self, units: Sequence[Unit], counted: Sequence[Mapping[int, int]]) -> Array:  # noqa: ARG002 - reads text
        return self.embed([spoken(unit) for unit in units])

    @cached_property
    def _embed(self) -> Callable[[Sequence[str]], Array]:
        for path in (self._folder / "model.onnx", self._folder / "onnx" / "model.onnx"):
            if path.is_file():
                return Encoder(self.name, path, self._folder / "tokenizer.json").embed
        return self._table(self._folder / "model.safetensors")

    def _table(self, path: Path) -> Callable[[Sequence[str]], Array]:
        """Model2Vec: the mean of the tokens' vectors."""
        table = self._tensor(path)
        tokenizer = read_tokenizer(self._folder / "tokenizer.json", TOKENS)
        tokenizer.no_padding()

        def embed(texts: Sequence[str]) -> Array:
            out = np.zeros((len(texts), table.shape[1]), dtype=np.float32)
            for row, encoded in enumerate(tokenizer.encode_batch(list(map(clean, texts)), add_special_tokens=False)):
                known = [number for number in encoded.ids if number < len(table)]
                if known:
                    out[row] = table[known].astype(np.float32).mean(axis=0)
            return out

        return embed

    def _tensor(self, path: Path) -> Array:
        """The table of a safetensors file, mapped."""
        try:
            with path.open("rb") as file:
                size = int.from_bytes(file.read(8), "little")
                header = msgspec.json.decode(file.read(min(size, 1 << 24)))
            described = header.get("embeddings") or next(v for k, v in sorted(header.items()) if k != "__metadata__")
            count, width = described["shape"]
            offset, kind = 8 + size + described["data_offsets"][0], _ELEMENTS[described["dtype"]]
            return np.asarray(np.memmap(path, dtype=kind, mode="r", offset=offset, shape=(count, width)))
        except (OSError, ValueError, KeyError, StopIteration, TypeError, msgspec.DecodeError) as error:
            raise damaged(path, error) from error


def spoken(unit: Unit) -> str:
    """What a unit's vector speaks of: its name and its text; for a test its documentation instead of the text."""
    is_test = unit.role is Role.TEST and unit.source == "code"
    return f"{unit.title}\n{unit.doc[:DOC] if is_test else unit.text[:LONGEST]}"
