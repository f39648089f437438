"""From the settings to what looks at candidates again: an encoder or a language model, and the texts it reads."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Protocol

from haversack.assemble.texts import StaleIndexError, Texts
from haversack.config import Config
from haversack.index.embed_folder import spoken
from haversack.index.encoder import minilm
from haversack.index.level_cache import encoded_cache, read_cache
from haversack.retrieve.rerank import LooksAgain, Reranker

if TYPE_CHECKING:
    from pathlib import Path

    from haversack.index.store import Store
    from haversack.model import Unit

TOKENS = 64  # of a piece of code: its name, what it takes and how it begins; twice as many take twice the time


class Reranked(Protocol):
    """The parts of an open project that are needed."""

    config: Config

    @property
    def folder(self) -> Path: ...

    @property
    def store(self) -> Store: ...

    @property
    def texts(self) -> Texts: ...


def reranker_of(opened: Reranked) -> LooksAgain | None:
    """What looks again, if the user asks for it: a language model before an encoder.

    The encoder is loaded when the first task comes.
    """
    settings = opened.config.index

    def filled(unit: Unit) -> Unit | None:
        try:
            return opened.texts.fill(unit, opened.store.snapshot())
        except StaleIndexError:  # the packet itself says so, where it needs the text
            return None

    if settings.reader.endpoint and settings.reader.model:
        from haversack.assemble.language_model import LanguageModel
        from haversack.retrieve.model_reader import ModelReader

        def text_of(unit: Unit) -> str | None:
            return whole.text if (whole := filled(unit)) else None

        model = LanguageModel(settings.reader)
        return ModelReader(model.ask, model.name, model.key, read_cache(opened.folder), text_of)
    if settings.rerank == "off":
        return None

    def spoken_text(unit: Unit) -> str | None:
        return spoken(whole) if (whole := filled(unit)) else None

    return Reranker(cache(lambda: minilm(TOKENS)), encoded_cache(opened.folder), spoken_text, settings.rerank_seconds)
