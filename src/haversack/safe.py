"""Text that is safe to show: nothing moves the cursor, reorders the line or hides, and the lines keep their numbers."""

from __future__ import annotations

import re
from typing import Final

from haversack.patterns import lazily

# Controls but tab and newline; line separators that editors count and git does not; bidirectional overrides and
# isolates; deprecated format characters; interlinear marks; surrogates; noncharacters; invisible tags (a way to write
# what only a model reads). Joiners, left-to-right marks and variation selectors stay: scripts and emoji need them.
_UNSAFE: Final = lazily(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb\ufffe\uffff\ud800-\udfff\U000e0000-\U000e007f]"
)
_ASCII_CONTROLS: Final = bytes([*range(0x09), *range(0x0B, 0x20), 0x7F])


def sanitize(text: str) -> str:
    """The text with the unseen written out (`\\x1b`, `\\u202e`), surrogates as U+FFFD; as many lines as before."""
    if text.isascii():
        # Deleting from bytes is some ten times faster than searching a string, and nearly every text passes here.
        raw = text.encode("ascii")
        if len(raw.translate(None, _ASCII_CONTROLS)) == len(raw):
            return text
    if "\r" in text:
        text = text.replace("\r\n", "\n")  # the ending of a line, not a part of it
    return _UNSAFE.sub(_visible, text)


def one_line(text: str) -> str:
    """The text made safe, on a single line."""
    return sanitize(text).replace("\n", "\\n")


def _visible(match: re.Match[str]) -> str:
    code = ord(match[0])
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
