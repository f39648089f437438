"""Takes secrets out of text before anything is stored: `[redacted:kind]` stands where one was, on the same line.

Every byte haversack indexes goes through here, so most text must cost next to nothing. Cheap triggers, each a condition
no secret can do without, point to lines; only those lines are shown to the engine and to the rules of `secret_rules`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from msgspec import Struct

from haversack.patterns import lazily
from haversack.units.secret_rules import RULES, is_inside_word
from haversack.units.secret_values import has_digit, is_plausible


class Redacted(Struct, frozen=True):
    """The text without its secrets, and the kind of each secret in order of appearance."""

    text: str
    found: tuple[str, ...] = ()


class Hit(Struct, frozen=True):
    """A secret's place. Of two that overlap, the lower rank names the kind."""

    start: int
    end: int
    kind: str
    rank: int


# Replacing one secret can bring another to light; a text that still changes after this many rounds is hostile.
MAX_ROUNDS = 4
# Lines of machine-written text can be the whole file: past this, only the neighbourhood of a trigger is looked at.
LONG_LINE = 4_000
BEFORE_TRIGGER = 300
AFTER_TRIGGER = 3_000


def redact(text: str) -> Redacted:
    """The text with every secret replaced; the number of lines stays the same."""
    found: list[str] = []
    for _ in range(MAX_ROUNDS):
        hits = _merged(find_secrets(text))
        if not hits:
            break
        text = _replaced(text, hits)
        found += [hit.kind for hit in hits]
    return Redacted(text, tuple(found))


def find_secrets(text: str) -> list[Hit]:
    """Where the secrets are, overlapping ones included."""
    # One byte a character, whatever the text: offsets stay true and searching is ten times faster than in wide strings.
    flat = text.encode("ascii", "replace")
    hits = list(_private_keys(text)) if b"PRIVATE KEY" in flat else []
    windows = _windows(text, sorted(_triggers(flat)))
    if windows:
        hits += _look_closely(text, windows)
    return hits


# -- triggers: where to look ---------------------------------------------------------------------------------------

# A run of letters and digits this long, made of small pieces, is in nearly every key a provider hands out.
RUN_CHARS = 16
RUN_JUDGED_CHARS = 64
_ALPHANUMERIC = bytes(ord("a") if chr(code).isalnum() and code < 128 else ord(" ") for code in range(256))
_RUN = b"a" * RUN_CHARS
_PIECES = lazily(rb"[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
# More generous than what the rules call opaque: this only decides where to look.
RUN_PIECE = 4

# Each begins with fixed text, which the regular expression engine searches for faster than it can match anything.
_MARKS = tuple(
    lazily(pattern)
    for pattern in (
        rb"AIza[\w-]{35}",
        rb"glpat-[\w-]{8}",
        rb"://[^\s/:@]{0,128}:[^\s/@]{3,256}@",
    )
)
_ASSIGNED = rb"""[\w.-]{0,24}(?:\\{0,3}["'`]|\]){0,2}[ \t]{0,8}(?:=>|:=|[:=])\s{0,40}"""
_QUOTED_VALUE = rb"""\\{0,3}["'`][^\s"'`]{4}"""
_TELLING_VALUE = rb"""(?=[^\s"'`]{0,60}?[0-9!@#$%^&*+])[^\s"'`<>{}()\[\],;]{6}"""
_VALUE = _ASSIGNED + rb"(?:" + _QUOTED_VALUE + rb"|" + _TELLING_VALUE + rb")"
# For text in lower case.
_NAMES = tuple(
    lazily(pattern)
    for pattern in (
        rb"pass(?:w|phrase|(?![a-z]))" + _ASSIGNED + rb"""\\{0,3}["'`]?[^\s"'`<>{}()\[\],;]{4}""",
        rb"pwd" + _VALUE,
        rb"secret" + _VALUE,
        rb"token" + _VALUE,
        rb"key" + _VALUE,
        rb"credential" + _VALUE,
        rb"""auth(?:\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"|\s{0,4}=\s{0,4})[a-z0-9+/]{12}""",
        rb"basic\s{1,4}[a-z0-9+/]{12}",
        rb"bearer\s{1,4}[a-z0-9._~+/=-]{16}",
        rb"login\s{1,4}\S{1,64}\s{1,4}password\s",
        rb"curl\b[^\n]{0,200}?\s(?:-u|--user)[ =]",
    )
)


def _triggers(flat: bytes) -> Iterator[tuple[int, int]]:
    yield from _opaque_runs(flat)
    for mark in _MARKS:
        yield from (match.span() for match in mark.finditer(flat))
    lowered = flat.lower()
    for name in _NAMES:
        yield from (match.span() for match in name.finditer(lowered))


def _opaque_runs(flat: bytes) -> Iterator[tuple[int, int]]:
    classes = flat.translate(_ALPHANUMERIC)
    at = classes.find(_RUN)
    while at >= 0:
        end = classes.find(b" ", at)
        end = len(flat) if end < 0 else end
        run = flat[at : min(end, at + RUN_JUDGED_CHARS)]
        # Programs are full of long hexadecimal numbers, which are nobody's key; Amazon's keys are capitals, few digits.
        if len(_PIECES.findall(run)) * RUN_PIECE >= len(run):
            if not run.startswith((b"0x", b"0X")):
                yield at, at
        elif run.startswith((b"AKIA", b"ASIA")):
            yield at, at
        at = classes.find(_RUN, end)


def _windows(text: str, triggers: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The lines around triggers, in order, none twice."""
    windows: list[tuple[int, int]] = []
    done = -1
    for offset, last in triggers:
        if last < done:
            continue
        start, end = text.rfind("\n", 0, offset) + 1, text.find("\n", last)
        end = len(text) if end < 0 else end
        if end - start > LONG_LINE:
            start, end = max(start, offset - BEFORE_TRIGGER), min(end, offset + AFTER_TRIGGER)
        elif text[max(0, start - 80) : start].rstrip()[-1:] in {":", "=", "("}:
            # The name may stand at the end of the line before.
            start = text.rfind("\n", 0, start - 1) + 1
        if start < done:  # one window that goes on: what begins in the one may end in the other
            windows[-1] = (windows[-1][0], end)
        else:
            windows.append((start, end))
        done = end
    return windows


# -- finding -------------------------------------------------------------------------------------------------------

_ENGINE_RANK = 50
_GENERAL_KINDS = {"password", "secret"}
_GENERAL_RANK = 60
_ENGINE_GENERAL_RANK = 90
_ENGINE_GENERAL = "generic-token"
_LONE_SURROGATE = lazily("[\ud800-\udfff]")


def _look_closely(text: str, windows: list[tuple[int, int]]) -> list[Hit]:
    """Show the engine and the rules the windows' text at once, and bring their finds back to where they came from."""
    joined = "\n".join(text[start:end] for start, end in windows)
    begins = []
    at = 0
    for start, end in windows:
        begins.append(at)
        at += end - start + 1
    # The engine takes time by the square of a line's length, so it is shown long ones in pieces.
    broken = "\n".join(_broken(text[start:end]) for start, end in windows)
    hits = []
    for hit in (*_by_rules(joined), *_by_engine(broken)):
        number = bisect_right(begins, hit.start) - 1
        start, end = windows[number]
        moved = start - begins[number]
        # Nothing real reaches from one window into the next.
        hits.append(Hit(hit.start + moved, min(hit.end + moved, end), hit.kind, hit.rank))
    return hits


def _broken(text: str) -> str:
    """The text with a line break in place of a character wherever a line is too long, best in place of a separator."""
    return text if len(text) <= LONG_LINE else _TOO_LONG.sub(lambda match: f"{match[0][:-1]}\n", text)


_TOO_LONG = lazily(rf"[^\n]{{{LONG_LINE // 2},{LONG_LINE}}}?[\s,;{{}}&]|[^\n]{{{LONG_LINE}}}.")


def _by_rules(text: str) -> Iterator[Hit]:
    for number, rule in enumerate(RULES):
        rank = number + (_GENERAL_RANK if rule.kind in _GENERAL_KINDS else 0)
        for match in rule.pattern.finditer(text):
            if not (rule.whole_word and is_inside_word(match)) and rule.judge(match):
                yield Hit(*match.span("secret"), rule.kind, rank)


def _by_engine(text: str) -> Iterator[Hit]:
    from redact_secret import SecretScanError, scan

    try:
        findings = scan(_LONE_SURROGATE.sub("?", text))
    except SecretScanError:  # more than it takes at once; the rules have looked
        return
    for finding in findings:
        value = text[finding.start : finding.end]
        if finding.detector == _ENGINE_GENERAL:
            if is_plausible(value):
                yield Hit(finding.start, finding.end, "secret", _ENGINE_GENERAL_RANK)
        elif has_digit(value) and not value.startswith("[redacted:"):
            yield Hit(finding.start, finding.end, finding.detector, _ENGINE_RANK)


# A key is a header and lines of base64 up to a footer; in a cut-off file, lines of base64 up to something else.
MAX_KEY_CHARS = 20_000
_KEY_HEADER = lazily(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_FOOTER = lazily(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_KEY_LINES = lazily(
    r"(?:[\s\"'+,\\>|*#-]|\\n|[A-Za-z][A-Za-z-]{0,40}: [^\n]*\n)*"
    r"(?:[A-Za-z0-9+/=]{16,}(?:[\s\"'+,\\>|*#-]|\\n)*)+"
)
_BASE64 = lazily(r"[A-Za-z0-9+/]{16}")


def _private_keys(text: str) -> Iterator[Hit]:
    for header in _KEY_HEADER.finditer(text):
        footer = _KEY_FOOTER.search(text, header.end(), header.end() + MAX_KEY_CHARS)
        if footer and _BASE64.search(text, header.end(), footer.start()):
            yield Hit(header.start(), footer.end(), "private-key", 0)
        elif not footer and (lines := _KEY_LINES.match(text, header.end(), header.end() + MAX_KEY_CHARS)):
            yield Hit(header.start(), lines.end(), "private-key", 0)


# -- replacing -----------------------------------------------------------------------------------------------------


def _merged(hits: list[Hit]) -> list[Hit]:
    """Hits in order, overlapping ones made one, under the name that says most."""
    merged: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end, hit.rank)):
        if merged and hit.start < merged[-1].end:
            last = merged[-1]
            best = min(last, hit, key=lambda one: one.rank)
            merged[-1] = Hit(last.start, max(last.end, hit.end), best.kind, best.rank)
        elif hit.end > hit.start:
            merged.append(hit)
    return merged


def _replaced(text: str, hits: list[Hit]) -> str:
    parts = []
    at = 0
    for hit in hits:
        lines = "\n" * text.count("\n", hit.start, hit.end)
        parts += [text[at : hit.start], f"[redacted:{hit.kind}]", lines]
        at = hit.end
    return "".join([*parts, text[at:]])
