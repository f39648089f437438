"""Secrets taken out of a digest: nothing of a log is stored as it was read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from haversack.patterns import lazily
from haversack.sources.logs.canonical import SEPARATOR
from haversack.sources.logs.formats import line_time
from haversack.sources.logs.reading import Digest, TraceSeen
from haversack.sources.logs.tally import Key, Seen, readable
from haversack.sources.logs.traces import Trace
from haversack.units.frames import Frame
from haversack.units.redact import redact
from haversack.units.secret_values import is_opaque

_BETWEEN: Final = "\n\x1e\n"
_KEY_LINE: Final = lazily(r"[A-Za-z0-9+/]{40,}={0,2}$")
HIDDEN: Final = "[redacted:secret]"


def clean(digest: Digest) -> None:
    """Redact every text the digest holds, in place."""
    _clean_lines(digest)
    _clean_traces(digest)


def redacted(texts: Sequence[str]) -> list[str]:
    """Each text without its secrets; all at once, because looking for secrets costs a little for every call."""
    plain = [text.replace("\x1e", " ") for text in texts]
    parts = redact(_BETWEEN.join(plain)).text.split(_BETWEEN)
    # A key that is broken off may reach into the next text: then each is looked at alone.
    return parts if len(parts) == len(texts) else [redact(text).text for text in plain]


def _clean_lines(digest: Digest) -> None:
    seen = digest.tally.seen
    # The words of a key are read as one line: a secret may stand after its name.
    words = redacted([" ".join(key.words) for key in seen])
    raw = [readable(each.example.decode("utf-8", "replace")) for each in seen.values()]
    examples = [_without_key_lines(each) for each in redacted(raw)]
    keys: dict[Key, Key] = {}
    cleaned: dict[Key, Seen] = {}
    for (key, each), said, example, before in zip(seen.items(), words, examples, raw, strict=True):
        kept = said.split() if said != " ".join(key.words) else key.words
        if example != before:  # words are cut where a name and its value meet: what the line lost, they lose too
            kept = [HIDDEN if word in before and word not in example else word for word in kept]
        new = Key(key.level, tuple(kept))
        keys[key] = new
        # Of where the time stands, only the time is kept.
        begins, ends = _only_time(each.begins, digest.year), _only_time(each.ends, digest.year)
        made = replace(each, begins=begins, ends=ends, example=example.encode())
        cleaned[new] = cleaned[new].then(made) if new in cleaned else made
    digest.tally.seen = cleaned
    digest.tail_keys = [keys.get(key, key) for key in digest.tail_keys]


def _without_key_lines(line: str) -> str:
    """A line that is nothing but opaque text in base64 is a part of a key whose header stands elsewhere."""
    bare = line.strip()
    return HIDDEN if _KEY_LINE.match(bare) and is_opaque(bare) else line


def _clean_traces(digest: Digest) -> None:
    traces = list(digest.traces.values())
    texts = redacted([each.trace.text for each in traces])
    errors = redacted([each.trace.error.replace("\n", " ") for each in traces])
    moved: dict[str, str] = {}
    cleaned: dict[str, TraceSeen] = {}
    for each, text, error in zip(traces, texts, errors, strict=True):
        frames = [redacted([frame.path, frame.function]) for frame in each.trace.frames]
        lines = [frame.line for frame in each.trace.frames]
        made = tuple(Frame(path, line, name) for (path, name), line in zip(frames, lines, strict=True))
        trace = Trace(each.trace.language, error, made, text)
        moved[each.trace.signature] = trace.signature
        seen = replace(each, trace=trace)
        cleaned[trace.signature] = cleaned[trace.signature].then(seen) if trace.signature in cleaned else seen
    digest.traces = cleaned
    digest.tail_traces = [moved.get(signature, signature) for signature in digest.tail_traces]


def _only_time(line: bytes, year: int) -> bytes:
    when = line_time(line, year)
    return b"" if when is None else f"{when!r}{SEPARATOR}".encode()
