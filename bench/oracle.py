"""tiktoken without a download: another library to check our counts with.

tiktoken fetches its vocabularies from the network. The engine haversack counts with carries the same ones, so the file
is written out again from there, and its SHA-256 must be the one that tiktoken itself pins: the vocabulary is then
OpenAI's, byte for byte, while the splitting and merging under test is tiktoken's own.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from unittest import mock

import splintr
import tiktoken
import tiktoken_ext.openai_public as public


@cache
def encoding(name: str) -> tiktoken.Encoding:
    """tiktoken's encoding of that name, "o200k_base" or "cl100k_base"."""
    with mock.patch.object(public, "load_tiktoken_bpe", lambda _url, expected_hash: _ranks(name, expected_hash)):
        return tiktoken.Encoding(**public.ENCODING_CONSTRUCTORS[name]())


def count(name: str, text: str) -> int:
    """Tokens of the text by tiktoken, special-token strings read as plain text."""
    return len(encoding(name).encode(text, disallowed_special=()))


def _ranks(name: str, expected_hash: str) -> dict[bytes, int]:
    tokenizer = splintr.Tokenizer.from_pretrained(name)
    special = set(tokenizer.special_tokens().values())
    ranks: dict[bytes, int] = {}
    for rank in range(splintr.base_vocab_size(name)):
        if rank in special:
            continue
        try:
            ranks[tokenizer.decode_token_bytes(rank)] = rank
        except ValueError:
            continue  # a gap in the ids, kept free for special tokens
    written = b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for token, rank in ranks.items())
    if hashlib.sha256(written).hexdigest() != expected_hash:
        raise RuntimeError(f"{name}: the vocabulary is not the one tiktoken pins")
    return ranks
