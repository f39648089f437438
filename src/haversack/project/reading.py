"""Reads one project file as text: through the gate, bounded, decoded, with equal line ends and without secrets."""

from __future__ import annotations

import hashlib
import os
import re

from msgspec import Struct

from haversack.errors import NotFoundError, OutsideProjectError, ProjectError
from haversack.model import Role
from haversack.patterns import lazily
from haversack.project.find import Project
from haversack.project.gate import open_inside
from haversack.project.languages import PROSE, language_of
from haversack.project.roles import role_of
from haversack.sources.protocol import TextFile
from haversack.units.redact import redact
from haversack.units.secret_files import mask_file

DIGEST_BYTES = 16
# Machines write lines nobody reads: five hundred characters on average is past any style guide and any table of data,
# and below a few kilobytes it does not matter.
MINIFIED_MEAN_LINE = 500
MINIFIED_MIN_CHARS = 5_000
# One line that is most of the file, as in a bundle that keeps its licence on top.
MINIFIED_LONGEST_LINE = 20_000
# Notebooks carry pictures in one line, tables carry rows: neither is minified.
NEVER_MINIFIED = PROSE | {"", "csv", "notebook"}
# Tools announce what they wrote in the first lines.
GENERATED_HEAD_CHARS = 2_000
_GENERATED = lazily(
    r"""@generated\b | <auto-?generated | code\ generated\b.{0,200}do\ not\ edit | do\ not\ edit.{0,80}generated
      | automatically\ generated\b.{0,200}(?:do\ not|don't)\ (?:edit|modify)
      | this\ file\ (?:is|was|has\ been)\ (?:auto(?:matically)?[- ])?generated""",
    re.VERBOSE | re.DOTALL,
)
# Pages that a tool made of comments in the code: thousands of them, and every word is in the code already.
_RENDERED = lazily(
    r"""<!--\s*generated\ by\ \w+
      | <meta\s+name="generator"\s+content="(?:docutils|doxygen|javadoc|jsdoc|pdoc|rustdoc|typedoc)""",
    re.VERBOSE,
)
# What the detector of encodings sees: lines with bytes that are not ASCII, enough of them to tell.
ENCODING_SAMPLE_BYTES = 16_384
# Bytes that text in no encoding has many of; one in this many is past what a stray escape sequence explains.
_CONTROL = lazily(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
MAX_CONTROL_SHARE = 50
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)


class Skipped(Struct, frozen=True):
    """A file that was not read, and why.

    Reasons: vanished, outside, unreadable, oversized, binary, minified. `detail` is a sentence for people.
    """

    path: str
    reason: str
    detail: str = ""


def read_text(project: Project, relpath: str) -> TextFile | Skipped:
    """The text of a project file, or why it has none.

    Lines end in "\\n" and are the lines of the file: "\\r\\n" is one line end, and a lone "\\r" is one only in a file
    that has no "\\n" at all. Nothing else ends a line: split with `text.split("\\n")`.
    """
    try:
        with open_inside(project, relpath) as file:
            found = os.fstat(file.fileno())
            if found.st_size > project.max_file_bytes:
                return _oversized(relpath, found.st_size)
            raw = file.read(project.max_file_bytes + 1)
    except NotFoundError as error:
        return Skipped(relpath, "vanished", error.message)
    except OutsideProjectError as error:
        return Skipped(relpath, "outside", error.message)
    except ProjectError as error:
        return Skipped(relpath, "unreadable", error.message)
    except OSError as error:
        return Skipped(relpath, "unreadable", f"{relpath!r} cannot be read: {error.strerror or error}")
    if len(raw) > project.max_file_bytes:  # it grew since its size was asked for
        return _oversized(relpath, len(raw))
    text = decode(raw)
    if text is None:
        return Skipped(relpath, "binary", f"{relpath!r} holds no text in any known encoding")
    text = normalise(text)
    lang = language_of(relpath, text[:200])
    if lang not in NEVER_MINIFIED and is_minified(text):
        return Skipped(relpath, "minified", f"{relpath!r} has lines of thousands of characters")
    if lang == "html" and is_rendered(text):
        return Skipped(relpath, "rendered", f"{relpath!r} was made of comments in the code by a tool")
    role = role_of(relpath, lang)
    if role is not Role.VENDORED and is_generated(text):
        role = Role.GENERATED
    digest = hashlib.blake2b(raw, digest_size=DIGEST_BYTES).hexdigest()
    clean = redact(mask_file(relpath, text)).text
    return TextFile(relpath, clean, lang, role, found.st_size, found.st_mtime_ns, digest)


def decode(raw: bytes) -> str | None:
    """Bytes as text: by their byte order mark, as UTF-8, or in the encoding their bytes look like; None when binary."""
    for bom, encoding in _BOMS:
        if raw.startswith(bom):
            try:
                text = raw.decode(encoding).removeprefix("\ufeff")
            except UnicodeDecodeError:
                if encoding == "utf-8":
                    break
                return None
            return None if "\0" in text else text
    if b"\0" in raw:
        return None
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return _guess(raw)


def _guess(raw: bytes) -> str | None:
    if len(_CONTROL.findall(raw)) * MAX_CONTROL_SHARE > len(raw):
        return None
    from charset_normalizer import from_bytes

    telling = b"\n".join(line for line in raw.split(b"\n") if not line.isascii())
    best = from_bytes(telling[:ENCODING_SAMPLE_BYTES]).best()
    return raw.decode(best.encoding, "replace") if best else None


def normalise(text: str) -> str:
    """The text with every line ended by one "\\n", each line keeping its number."""
    if "\r" not in text:
        return text
    if "\n" not in text:
        return text.replace("\r", "\n")
    return _LINE_END.sub("\n", text)


# Files that went through two conversions have "\r\r\n"; it is one line end all the same.
_LINE_END = lazily(r"\r+\n")


def is_minified(text: str) -> bool:
    """Whether a program wrote these lines for a program."""
    if len(text) < MINIFIED_MIN_CHARS:
        return False
    if len(text) > MINIFIED_MEAN_LINE * (text.count("\n") + 1):
        return True
    # A line that is most of the text covers its middle, so that one line tells.
    middle = len(text) // 2
    start, end = text.rfind("\n", 0, middle) + 1, text.find("\n", middle)
    longest = (len(text) if end < 0 else end) - start
    return longest > MINIFIED_LONGEST_LINE and longest * 2 > len(text)


def is_generated(text: str) -> bool:
    """Whether the first lines say that a tool wrote this."""
    head = text[:GENERATED_HEAD_CHARS].lower()
    return "generated" in head and _GENERATED.search(head) is not None


def is_rendered(text: str) -> bool:
    """Whether the first lines of a page say that a documentation tool made it."""
    return _RENDERED.search(text[:GENERATED_HEAD_CHARS].lower()) is not None


def _oversized(relpath: str, size: int) -> Skipped:
    return Skipped(relpath, "oversized", f"{relpath!r} has {size:,} bytes")
