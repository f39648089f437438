"""What earlier packets made: ladders, by unit, limits, counter and, where it is shortened for the task, its words."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from haversack.index.level_cache import LevelCache, Made
from haversack.model import Level, Span, Unit
from haversack.pack.levels import Leveled, Limits, StubInfo, Terms, levels_version
from haversack.tokens import CHARS, VOCABULARIES

if TYPE_CHECKING:
    from haversack.tokens import Counter

DIGEST = 16  # bytes: enough that no two contents of one machine ever share one
COMPRESS_FROM = 4_096  # bytes; most ladders are smaller, and read faster as they are


class Step(msgspec.Struct, array_like=True):
    """A level as it is kept, with the digest and the tokens of the block it was last written as.

    `text` is None where it is the unit's own.
    """

    level: str
    text: str | None
    tokens: int
    span: tuple[int, int] | None
    elided: bool
    block: bytes = b""
    block_tokens: int = 0

    def leveled(self, unit: Unit) -> Leveled:
        """The level as it was made."""
        text = unit.text if self.text is None else self.text
        return Leveled(Level(self.level), text, self.tokens, Span(*self.span) if self.span else None, self.elided)

    @classmethod
    def of(cls, leveled: Leveled, unit: Unit) -> Step:
        """What is kept of a level."""
        span = (leveled.span.start, leveled.span.end) if leveled.span else None
        text = None if leveled.text == unit.text else leveled.text
        return cls(str(leveled.level), text, leveled.tokens, span, leveled.elided)


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Step]).decode


def _encoded(value: object) -> bytes:
    """The value as bytes; none for unpaired surrogates, which are rare enough to be made anew each time."""
    try:
        return _encode(value)
    except UnicodeEncodeError:
        return b""


def _packed(body: bytes) -> bytes:
    """The bytes as they are kept: those of large classes and files are made smaller."""
    return b"z" + zlib.compress(body, 1) if len(body) >= COMPRESS_FROM else b"r" + body


def _unpacked(body: bytes) -> bytes:
    return zlib.decompress(body[1:]) if body[:1] == b"z" else body[1:]


def digest_of(text: str) -> bytes:
    """What stands for a text in the cache."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST).digest()


class Kept:
    """One packet's view of the cache; without a cache everything is made anew."""

    def __init__(
        self, cache: LevelCache | None, *, limits: Limits, terms: Terms, counter: Counter, about: Sequence[object]
    ) -> None:
        # A tokenizer file of the user's can change under its name.
        lasting = counter.name in VOCABULARIES or counter.name == CHARS
        settled, asked = _encoded((levels_version, limits, counter.name, *about)), _encoded(terms.needles)
        self._cache = cache if lasting and settled and asked else None
        self._settled = blake2b(settled, digest_size=DIGEST).digest()
        self._asked = blake2b(settled + asked, digest_size=DIGEST).digest()
        self._known: dict[bytes, bytes] = {}
        self._made: list[tuple[bytes, Unit, list[Step]]] = []

    @property
    def in_use(self) -> bool:
        """Whether anything is kept."""
        return self._cache is not None

    def key(self, unit: Unit, outlined: str, info: StubInfo, *, whole: bool = True, shortened: bool = True) -> bytes:
        """What the unit's ladder depends on; `outlined`: its file's digest where the outline counts. b"": no key.

        What is not `shortened` is the same whatever the task is.
        """
        content = _encoded((unit, outlined, info, whole, shortened))
        about = self._asked if shortened else self._settled
        return blake2b(content, digest_size=DIGEST, key=about).digest() if content else b""

    def recall(self, keys: Sequence[bytes]) -> None:
        """Fetch what is known of these keys, all at once."""
        if self._cache is not None:
            self._known = self._cache.get([key for key in dict.fromkeys(keys) if key])

    def ladder(self, key: bytes) -> list[Step] | None:
        """The ladder kept under that key."""
        body = self._known.get(key)
        if body is None:
            return None
        try:
            return _decode(_unpacked(body))
        except (zlib.error, msgspec.MsgspecError):
            return None

    def add(self, key: bytes, unit: Unit, steps: list[Step]) -> None:
        """Keep a ladder that was made; its blocks may still be filled in until `write`."""
        if self._cache is not None and key:
            self._made.append((key, unit, steps))

    def write(self) -> None:
        """Hand over what was made since the last time."""
        made, self._made = self._made, []
        if self._cache is not None and made:
            self._cache.put(
                [Made(key, unit.id, digest_of(unit.text), _packed(_encode(steps))) for key, unit, steps in made]
            )
