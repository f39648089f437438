"""A task text, line by line: which lines carry the signal and which are template, environment or log."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from msgspec import Struct

from haversack.patterns import lazily
from haversack.retrieve.task import template
from haversack.units.frames import is_frame

# Texts longer than this are read at both ends: the title stands at the start, the error at the end of a log.
LONGEST_TEXT: Final = 200_000
HEAD_SHARE: Final = 0.75
MOST_LINES: Final = 1_500  # past these only errors and frames are read on
MOST_REPEATS: Final = 3  # of one line; the rest of a log that repeats itself says nothing new
MOST_ALIKE: Final = 8  # lines that differ in their numbers only: a log, or a table of data
LONGEST_LINE: Final = 1_000  # a longer one is read in pieces, as far as it has spaces; without them it is data


class Zone(StrEnum):
    """What a line is, most telling first."""

    TITLE = "title"
    ERROR = "error"
    PROSE = "prose"
    HEADING = "heading"
    CODE = "code"
    FRAME = "frame"
    OUTPUT = "output"
    CHECKLIST = "checklist"
    ENVIRONMENT = "environment"


class Line(Struct, frozen=True):
    """One line that is not boilerplate."""

    text: str
    zone: Zone
    lang: str = ""


_FENCE: Final = lazily(r"[\s>]{0,12}(`{3,}|~{3,})\s*\{?\.?([\w+#.-]*)")
_HEADING: Final = lazily(r"#{1,6} (.{1,200})$")
_BOLD_HEADING: Final = lazily(r"(?:\*\*|__)([^*]{1,120})(?:\*\*|__) ?:?$")
_COLON_HEADING: Final = lazily(r"([A-Z][\w /()'-]{2,60}):$")
_PROMPT: Final = lazily(r"\s{0,20}(?:>>> |\.\.\. |In \[\d{1,4}\]:|\$ |> (?:npm|pip|git|cargo|go) )")
_CODE_SIGNS: Final = lazily(
    r"[;{}]$|^(?:def|class|import|from|return|if|for|while|const|let|var|fn|func|pub|#include)\b|^@\w|\w\("
    r"|[\w\]] ?=[=>]? ?\S|::|->"
)
_ERROR: Final = lazily(
    r"\s{0,40}(?:E {2,12}|> ?)?(?:Uncaught |Caused by: |Exception in thread \S{1,80} )?"
    r"(?:(?:\w{1,40}[.:$]{1,2}){0,8}[A-Z]\w{0,80}(?:Error|Exception|Warning|Failure|Fault|Interrupt|Exit)\b ?[:(]"
    r"|(?i:(?:\w{1,40}\.)?(?:fatal|error|panic|assertion failed)(?:\[\w{1,12}\])?: ?\S)"
    r"|thread '[^']{0,80}' panicked|panicked at |(?i:segmentation fault)"
    r"|[^\s:]{1,200}:\d{1,8}(?::\d{1,8})?: (?:fatal )?error\b)"
)
_SHOUTED: Final = lazily(r"\b(?:ERROR|FATAL|CRITICAL|SEVERE)\b")
_LOG: Final = lazily(
    r"\s{0,40}(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d\b|[A-Z][a-z]{2}\s+\d{1,2} \d\d:\d\d:\d\d"
    r"|\[?(?:DEBUG|INFO|TRACE|NOTICE|VERBOSE)\b|[=*~_\-─━═+|┃┏┡┗├└│╭╰]{4,}|0x[0-9a-f]{6,}"
    r"|goroutine \d+ |Traceback \(most recent)"
)
# What a debugger or an interpreter prints between frames that have a place in a file.
_UNPLACED_FRAME: Final = lazily(
    r"\s{0,40}#\d{1,4} {1,4}(?:0x[0-9a-f]{1,16} in |\{main\}|\[internal function\]|<signal handler called>"
    r"|[\w:~<>]{1,200} \(.{0,300}?\) (?:from|at) )"
)
_WORD: Final = lazily(r"\w")
_NUMBERS: Final = lazily(r"\d+")
_MARKDOWN_LINK: Final = lazily(r"!?\[([^\]\n]{0,300})\]\(([^)\s]{1,500})(?:\s[^)\n]{0,200})?\)")
_IMAGE_TAG: Final = lazily(r"<(?:img|video|source)\b[^>]{0,1000}>", re.IGNORECASE)
_TAG: Final = lazily(
    r"</?(?:details|summary|br|p|b|i|sub|sup|kbd|hr|center|div|span|strong|em|h[1-6])\b[^>]{0,200}>", re.IGNORECASE
)
_URL: Final = lazily(r"\b(?:https?|ftp)://[^\s<>()\[\]\"'`]{1,2000}")
_REPOSITORY_FILE: Final = lazily(
    r"/(?:blob|blame|raw|tree|edit)/[^/\s]+/(?P<path>[^\s?#]+)(?:\?[^#\s]*)?(?:#L(?P<line>\d+))?"
)


def bounded(text: str) -> str:
    """The text, or both ends of a very long one, with one kind of line end and no control characters."""
    if len(text) > LONGEST_TEXT:
        head = int(LONGEST_TEXT * HEAD_SHARE)
        text = text[:head] + "\n" + text[head - LONGEST_TEXT :]
    return _CONTROL.sub(" ", text.replace("\r\n", "\n").replace("\r", "\n"))


_CONTROL: Final = lazily("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff\u2028\u2029]")


def without_links(line: str) -> str:
    """The line with links replaced by what they say, and a link to a file in a repository by that file's path."""
    line = _IMAGE_TAG.sub(" ", line)
    if "](" in line:
        line = _MARKDOWN_LINK.sub(_linked, line)
    if "://" in line:
        line = _URL.sub(_addressed, line)
    return _TAG.sub(" ", line) if "<" in line else line


def _linked(match: re.Match[str]) -> str:
    if match.group(0).startswith("!"):
        return " "
    target = _addressed_path(match.group(2))
    label = match.group(1)
    return f"{label} {target}" if target else " " if label.startswith(("http", "#")) else label


def _addressed(match: re.Match[str]) -> str:
    return _addressed_path(match.group(0)) or " "


def _addressed_path(address: str) -> str:
    found = _REPOSITORY_FILE.search(address)
    if not found:
        return ""
    path, line = found.group("path").rstrip(".,;:"), found.group("line")
    return f"{path}:{line}" if line else path


def read_lines(text: str) -> list[Line]:
    """The lines with their zones, without boilerplate and repetition; a text of nothing else is its own title."""
    text = bounded(text)
    seen: Counter[str] = Counter()
    alike: Counter[str] = Counter()
    lines = []
    for count, line in enumerate(_zoned(text)):
        telling = line.zone in (Zone.ERROR, Zone.FRAME)
        shape = line.text if telling else _NUMBERS.sub("0", line.text)
        seen[line.text] += 1
        alike[shape] += 1
        new = seen[line.text] <= MOST_REPEATS and alike[shape] <= MOST_ALIKE
        if new and (count < MOST_LINES or telling):
            lines.append(line)
    return lines or [Line(text.strip()[:LONGEST_LINE], Zone.TITLE)]


def _zoned(text: str) -> Iterator[Line]:
    fence = lang = ""
    commented = False
    titled = False
    low = False  # inside a section about versions, machines or contribution rules
    before_blank = True
    for line in (piece for raw in text.split("\n") for piece in _pieces(raw)):
        mark = _FENCE.match(line)
        if mark and (not fence or (mark.group(1).startswith(fence) and not mark.group(2))):
            fence, lang = ("", "") if fence else (mark.group(1), mark.group(2).lower())
            continue
        if fence:
            if line.strip():
                yield Line(line, Zone.ENVIRONMENT if low else zone_of_block_line(line), lang)
            continue
        line, commented = template.without_comments(line, commented)
        if not line.strip():
            before_blank = True
            continue
        heading = heading_of(line)
        if heading is not None and (titled or template.is_heading(heading)):
            low = template.is_low_section(heading)
            if not template.is_heading(heading):
                yield Line(heading, Zone.HEADING)
            continue
        if not is_of_trace(line):  # "#0" numbers a frame there, not an issue
            line = template.without_references(without_links(template.without_filler(line)))
        if template.is_boilerplate(line) or not _WORD.search(line):
            continue
        if not titled and not is_of_trace(line) and not _LOG.match(line):
            titled = True
            yield Line(heading if heading is not None else line, Zone.TITLE)
            continue
        indented = before_blank and line.startswith(("    ", "\t")) and bool(_CODE_SIGNS.search(line.strip()))
        before_blank = indented
        yield Line(line, Zone.ENVIRONMENT if low else zone_of_line(line, indented))


def _pieces(line: str) -> Iterator[str]:
    while len(line) > LONGEST_LINE:
        cut = line.rfind(" ", 1, LONGEST_LINE)
        if cut < 0:
            yield line[:LONGEST_LINE]
            return
        yield line[:cut]
        line = line[cut:]
    yield line


def heading_of(line: str) -> str | None:
    """The words of a heading line, or None."""
    line = line.strip()
    found = _HEADING.match(line) or _BOLD_HEADING.match(line) or _COLON_HEADING.match(line)
    return found.group(1).strip(" #:*") if found else None


def zone_of_block_line(line: str) -> Zone:
    """The zone of a line inside a fence."""
    if is_frame(line):
        return Zone.FRAME
    if is_error(line):
        return Zone.ERROR
    if template.is_environment(line):
        return Zone.ENVIRONMENT
    return Zone.OUTPUT if _LOG.match(line) or _UNPLACED_FRAME.match(line) else Zone.CODE


def zone_of_line(line: str, indented: bool) -> Zone:
    """The zone of a line outside fences."""
    if template.is_checkbox(line):
        return Zone.CHECKLIST
    if indented or _PROMPT.match(line) or is_of_trace(line) or is_error(line) or _LOG.match(line):
        return zone_of_block_line(line)
    return Zone.ENVIRONMENT if template.is_environment(line) else Zone.PROSE


def is_of_trace(line: str) -> bool:
    """Whether the line is a frame of a stack trace, with or without a place in a file."""
    return is_frame(line) or bool(_UNPLACED_FRAME.match(line))


def is_error(line: str) -> bool:
    """Whether the line reports a failure in a program's own words."""
    return bool(_ERROR.match(line)) or bool(_SHOUTED.search(line[:120]))
