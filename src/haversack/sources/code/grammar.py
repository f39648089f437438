"""The one door to tree-sitter and the shipped grammars: parse bytes within bounds, or say that it cannot be done."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING

from haversack.config.places import cache_folder
from haversack.errors import ConfigError
from haversack.sources.code.shape import dense, tangled

if TYPE_CHECKING:
    from tree_sitter import Language, Parser, Point, Range, Tree

MOST_BYTES = 4_000_000  # half a second of parsing; what is larger is data or generated
CHUNK = 4_096  # bytes handed over at a time; the clock is looked at once for each
# Ordinary code parses at 8 MB/s and more; text that needs twenty times as long may take minutes (measured with
# hostile input). Processor time, so that a busy machine gives the same units as an idle one.
LEAST_SECONDS = 0.5
SECONDS_PER_BYTE = 2.5e-6
PROBED_BYTES = 8_192
PROBE_SECONDS = 0.25  # a hundred times what code of that length takes
ERRORS_PER_BYTE = 0.005  # dense real files have at most 0.002, data tables aside; random text has 0.02 to 0.1
GRACE_SECONDS = 3.0  # for a parse to come to its end after it was told that the text has ended
CACHE_VARIABLE = "SEMBLE_GRAMMARS_CACHE_DIR"

_expendable: list[bool] = []


@cache
def available() -> frozenset[str]:
    """Names of the grammars that are shipped for this system; empty when there are none."""
    from semble_grammars import UnsupportedPlatformError, available_languages

    try:
        return frozenset(available_languages())
    except UnsupportedPlatformError:
        return frozenset()


@cache
def language(name: str) -> Language | None:
    """The grammar of that name, None when it is not shipped or cannot be loaded."""
    if name not in available():
        return None
    from semble_grammars import GrammarLoadError, get_language

    for folder in _folders():
        try:
            with _unpacked_into(folder):
                loaded: Language = get_language(name)
        except (GrammarLoadError, OSError):
            continue
        return loaded
    return None


def parse(data: bytes, name: str, only: Sequence[Range] = ()) -> Tree | None:
    """The syntax tree of `data`, or of the ranges `only`; None when it is too large, too tangled or takes too long."""
    if len(data) > MOST_BYTES or tangled(data):
        return None
    parser = _parser(name)
    if parser is None or (dense(data) and not _promising(parser, data)):
        return None
    if not only:
        return _bounded(parser, data, LEAST_SECONDS + len(data) * SECONDS_PER_BYTE)
    parser.included_ranges = only
    try:
        return _bounded(parser, data, LEAST_SECONDS + len(data) * SECONDS_PER_BYTE)
    finally:
        del parser.included_ranges


def die_when_stuck() -> None:
    """For processes that may be lost: a parse that cannot be ended any other way ends the process.

    Some text keeps the parser busy where it never asks for more, and nothing in the library can stop it there.
    """
    if hasattr(signal, "setitimer"):  # not everywhere
        _expendable.append(True)


def _promising(parser: Parser, data: bytes) -> bool:
    """Whether the beginning of a suspicious text parses like code: quickly, and without error upon error."""
    start = data[:PROBED_BYTES]
    tree = _bounded(parser, start, PROBE_SECONDS)
    return tree is not None and errors(tree) <= len(start) * ERRORS_PER_BYTE


def errors(tree: Tree) -> int:
    """How many places the grammar does not understand."""
    count = 0
    todo = [tree.root_node] if tree.root_node.has_error else []
    while todo:
        node = todo.pop()
        count += node.is_error or node.is_missing
        todo += (child for child in node.children if child.has_error)
    return count


def _bounded(parser: Parser, data: bytes, seconds: float) -> Tree | None:
    late: list[int] = []
    if _expendable:
        signal.setitimer(signal.ITIMER_PROF, seconds + GRACE_SECONDS)
    tree = parser.parse(_reader(data, seconds, late))
    if _expendable:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return None if late else tree


def _reader(data: bytes, allowed: float, late: list[int]) -> Callable[[int, Point], bytes]:
    """Hands out the text in pieces and says it has ended when the time is up, which ends the parse.

    The library's own progress callback cannot be used: with Python before 3.14 it brings the process down.
    """
    began = time.perf_counter()
    spent: list[float] = []

    def read(offset: int, _: Point) -> bytes:
        # The wall clock is cheap to ask. The other is asked only once a text has taken longer than code ever does.
        if time.perf_counter() - began > allowed / 2:
            spent.append(time.thread_time())
            if spent[-1] - spent[0] > allowed / 2:
                late.append(offset)
                return b""
        return data[offset : offset + CHUNK]

    return read


@cache
def _parser(name: str) -> Parser | None:
    found = language(name)
    if found is None:
        return None
    from tree_sitter import Parser

    return Parser(found)


@contextmanager
def _unpacked_into(folder: str) -> Iterator[None]:
    """The package unpacks a grammar on first use: into haversack's own folder, not into another tool's."""
    before = os.environ.get(CACHE_VARIABLE)
    os.environ[CACHE_VARIABLE] = folder
    try:
        yield
    finally:
        if before is None:
            del os.environ[CACHE_VARIABLE]
        else:
            os.environ[CACHE_VARIABLE] = before


def _folders() -> Iterator[str]:
    """Where grammars may be unpacked: where the user says, else haversack's cache, else a folder of this process."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        yield chosen
    else:
        with suppress(ConfigError):
            yield str(cache_folder(os.environ) / "grammars")
    yield _own_folder()


@cache
def _own_folder() -> str:
    # Private to this process: a library from a folder that others can write to must never be loaded.
    import atexit
    import shutil
    import tempfile

    folder = tempfile.mkdtemp(prefix="haversack-grammars-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
