"""From the settings to what looks at candidates again: an encoder or a language model, and the texts it reads."""

from __future__ import annotations

from functools import cache
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from haversack.assemble.texts import StaleIndexError, Texts
from haversack.config import Config
from haversack.index.embed_folder import spoken
from haversack.index.encoder import minilm
from haversack.index.level_cache import encoded_cache, read_cache
from haversack.retrieve.rerank import LooksAgain, Reranker

if TYPE_CHECKING:
    from pathlib import Path

    from haversack.assemble.language_model import LanguageModel
    from haversack.index.build import Progress
    from haversack.index.store import Store
    from haversack.model import Unit
    from haversack.retrieve.model_reader import Ask

TICK = 0.2  # seconds between two looks of whoever waits
TOKENS = 64  # of a piece of code: its name, what it takes and how it begins; twice as many take twice the time


class Reranked(Protocol):
    """The parts of an open project that are needed."""

    config: Config
    progress: Progress | None

    @property
    def folder(self) -> Path: ...

    @property
    def store(self) -> Store: ...

    @property
    def texts(self) -> Texts: ...


def reranker_of(opened: Reranked) -> LooksAgain | None:
    """What looks again, if the user asks for it: a language model before an encoder."""
    if opened.config.index.reader.configured:
        return _reader(opened)
    return None if opened.config.index.rerank == "off" else _encoder(opened)


def _reader(opened: Reranked) -> LooksAgain:
    from haversack.assemble.language_model import LanguageModel
    from haversack.retrieve.model_reader import ModelReader

    def text_of(unit: Unit) -> str | None:
        return whole.text if (whole := _filled(opened, unit)) else None

    model = LanguageModel(opened.config.index.reader)
    ask = watched(model, opened.progress) if opened.progress else model.ask
    return ModelReader(ask, model.name, model.key, read_cache(opened.folder), text_of)


def _encoder(opened: Reranked) -> LooksAgain:
    """The encoder is loaded when the first task comes."""

    def text_of(unit: Unit) -> str | None:
        return spoken(whole) if (whole := _filled(opened, unit)) else None

    seconds = opened.config.index.rerank_seconds
    return Reranker(cache(lambda: minilm(TOKENS)), encoded_cache(opened.folder), text_of, seconds)


def _filled(opened: Reranked, unit: Unit) -> Unit | None:
    """The unit with its text; None when its file has changed since: the packet says so, where it needs the text."""
    try:
        return opened.texts.fill(unit, opened.store.snapshot())
    except StaleIndexError:
        return None


def watched(model: LanguageModel, progress: Progress) -> Ask:
    """Its way to ask, telling meanwhile how many of its seconds are gone."""

    def watch(instruction: str, text: str, most_tokens: int) -> str:
        answered = Event()

        def tell() -> None:
            started = monotonic()
            while not answered.wait(TICK):
                progress(f"{model.name} reads", round(monotonic() - started), round(model.timeout))

        teller = Thread(target=tell, daemon=True)
        teller.start()
        try:
            return model.ask(instruction, text, most_tokens)
        finally:
            answered.set()
            teller.join()
            progress("", 0, 0)

    return watch
