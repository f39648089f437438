"""Stack traces in the lines of a log: found by what no other line says, joined, and taken apart into frames.

One way of finding for each language; frames are read by the parser that reads them in tasks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final

from msgspec import Struct

from haversack.sources.logs.tally import readable
from haversack.units.frames import Frame, find_frames, is_frame

MOST_LINES: Final = 400  # of one trace that are joined; recursion repeats itself long before
LONGEST_LINE: Final = 600  # characters of a line of a trace
SAME_FRAMES: Final = 5  # innermost frames that make two traces the same


class Language(Struct, frozen=True):
    """How a trace of one language begins and goes on. `marks` are searched for as they stand."""

    name: str
    marks: tuple[bytes, ...]
    goes_on: Callable[[str, int], bool]
    """Whether a line, its prefix gone, belongs to the trace; with how many lines the trace has so far."""
    innermost_last: bool = False
    lines_before: int = 0
    """How many lines before the mark may belong to it: the exception's name."""
    begins: re.Pattern[str] | None = None
    """What the mark's line must look like, where the mark alone says too little."""


class Block(Struct, frozen=True):
    """A trace's lines in a piece of a log: from `start` up to, not including, `end`; `lines` are without prefixes."""

    language: Language
    start: int
    end: int
    lines: tuple[str, ...]


class Trace(Struct, frozen=True):
    """A trace understood: what was raised, and the frames, the failing one first."""

    language: str
    error: str
    frames: tuple[Frame, ...]
    text: str

    @property
    def signature(self) -> str:
        """Equal for traces of the same failure."""
        kind = re.sub(r"\d+", "0", self.error.partition(":")[0])[:200]
        places = (f"{frame.path}:{frame.function or frame.line}" for frame in self.frames[:SAME_FRAMES])
        return "|".join((self.language, kind, *places))


# -- languages -----------------------------------------------------------------------------------------------------

_PYTHON_LINKS: Final = ("During handling of the above", "The above exception was", "Traceback (most recent")
_PYTHON_ERROR: Final = re.compile(r"[A-Za-z_][\w.]*(?::|$)")
_JAVA: Final = re.compile(r"\s+at |Caused by: |\s*Suppressed: |\s+\.\.\. \d+ |\s+\[CIRCULAR|\s*--- End of ")
_ECMASCRIPT_MORE: Final = re.compile(r"\s+(?:at |\[cause\]|errno:|code:|syscall:|\[?errors\]?:)|\s*[}\]],?$")
_GO: Final = re.compile(
    r"\s*$|goroutine \d|\t|\s+/|[\w./*()\[\]{}$-]+\(.*\)$|created by |\[signal |exit status|panic: |\s*\[recovered\]"
)
_RUST: Final = re.compile(r"stack backtrace:|\s+\d+: |\s+at |note: |thread '")
_SANITIZER_ENDS: Final = re.compile(r"SUMMARY: \w+Sanitizer|==\d+==ABORTING")
_NATIVE: Final = re.compile(r"#\d+ |\s+\w+ = |\(.*\)$")


_PYTEST: Final = re.compile(r"_{3,} .+ _{3,}$")
_PYTEST_ERROR: Final = re.compile(r"E {3,}(?P<error>\S.*)")


def _pytest_goes_on(line: str, _: int) -> bool:
    return not line.startswith(("___", "==="))


def _python_goes_on(line: str, have: int) -> bool:
    return line[:1] in " \t|+" or line.startswith(_PYTHON_LINKS) or (not line.strip() and have > 2)


def _rust_goes_on(line: str, have: int) -> bool:
    return have == 1 or bool(_RUST.match(line))


def _anything(_line: str, _have: int) -> bool:
    return True


LANGUAGES: Final = (
    Language("pytest", (b"___ ",), _pytest_goes_on, innermost_last=True, begins=_PYTEST),
    Language("python", (b"Traceback (most recent call last)",), _python_goes_on, innermost_last=True),
    Language("rust", (b" panicked at ",), _rust_goes_on),
    Language("go", (b"panic: ", b"fatal error: ", b"goroutine "), lambda line, _: bool(_GO.match(line))),
    Language("sanitizer", (b"Sanitizer: ",), _anything),
    Language(
        "java", (b"\tat ",), lambda line, _: bool(_JAVA.match(line) or _ECMASCRIPT_MORE.match(line)), lines_before=1
    ),
    Language(
        "javascript",
        (b"    at ", b"   at "),
        lambda line, _: bool(_JAVA.match(line) or _ECMASCRIPT_MORE.match(line)),
        lines_before=1,
    ),
    Language("native", (b"\n#0 ",), lambda line, _: bool(_NATIVE.match(line))),
)


# -- finding -------------------------------------------------------------------------------------------------------


def find_blocks(lines: Sequence[bytes]) -> list[Block]:
    """The traces in some lines, in order, none inside another."""
    text = b"\n".join(lines)
    blocks: list[Block] = []
    starts: list[int] = []
    for language in LANGUAGES:
        for mark in language.marks:
            at = text.find(mark)
            while at >= 0:
                starts = starts or [0, *accumulate(len(line) + 1 for line in lines)]
                at += len(mark) - len(mark.lstrip(b"\n"))
                number = bisect_right(starts, at) - 1
                block = _block(language, lines, number, at - starts[number])
                if block and not any(other.start < block.end and block.start < other.end for other in blocks):
                    blocks.append(block)
                    number = block.end - 1
                at = text.find(mark, starts[number + 1] - 1)
    return sorted(blocks, key=lambda block: block.start)


def _block(language: Language, lines: Sequence[bytes], number: int, column: int) -> Block | None:
    first = _text(lines[number])
    # A prefix that containers put before every line; a logger puts one before the first only.
    prefix = _shape(first[: _prefix_end(language, first, column)])
    found = [first[len(prefix) :] if prefix else first]
    if language.lines_before and not is_frame(found[0]):
        return None
    if language.begins and not language.begins.match(found[0]):
        return None
    end = number + 1
    ended = False
    while end < len(lines) and len(found) < MOST_LINES and not ended:
        line = _text(lines[end])
        bare = _bare(line, prefix)
        if not language.goes_on(bare, len(found)):
            if language.name != "python" or not _PYTHON_ERROR.match(bare):
                break
            ended = not _is_chained(lines, end, prefix)  # the exception itself is a trace's last line
        ended = ended or (language.name == "sanitizer" and bool(_SANITIZER_ENDS.search(bare)))
        found.append(bare)
        end += 1
    start = number
    if language.lines_before and number and lines[number - 1].strip():
        above = _text(lines[number - 1])
        found.insert(0, _bare(above, prefix))
        start -= 1
    while found and not found[-1].strip():
        found.pop()
        end -= 1
    return Block(language, start, end, tuple(found))


def _prefix_end(language: Language, first: str, column: int) -> int:
    if language.lines_before:  # the mark is indentation itself
        return len(first[:column].rstrip()) and column
    if language.name == "pytest":
        return first.find("___")
    if language.name == "rust":
        return max(0, first.find("thread '"))
    if language.name == "sanitizer":
        return max(0, first.find("=="))
    return column


def _is_chained(lines: Sequence[bytes], end: int, prefix: str) -> bool:
    for following in lines[end + 1 : end + 3]:
        line = _text(following)
        bare = _bare(line, prefix)
        if bare.strip():
            return bare.startswith(_PYTHON_LINKS)
    return False


def _text(line: bytes) -> str:
    return readable(line[: 2 * LONGEST_LINE].decode("utf-8", "replace")[:LONGEST_LINE])


def _bare(line: str, prefix: str) -> str:
    """The line without the prefix, if it has one like it; an empty line has it without the blank at its end."""
    has = prefix and _shape(line[: len(prefix)]).rstrip() == prefix.rstrip()
    return line[len(prefix) :] if has else line


def _shape(prefix: str) -> str:
    return re.sub(r"\d", "0", prefix)


# -- understanding -------------------------------------------------------------------------------------------------


def understand_block(block: Block) -> Trace:
    """The error and the frames of a trace."""
    frames = find_frames(block.lines)
    if block.language.innermost_last:
        frames.reverse()
    return Trace(_dialect(block.language.name, frames), _error(block), tuple(frames), "\n".join(block.lines))


def trace_in(text: str) -> Trace | None:
    """The first trace in a text that stands in one record; None when there is none."""
    lines = [line.encode("utf-8", "replace") for line in text.split("\n")[:MOST_LINES]]
    blocks = find_blocks(lines)
    if blocks:
        return understand_block(blocks[0])
    frames = find_frames(text.split("\n")[:MOST_LINES])
    if not frames:
        return None
    bounded = "\n".join(_text(line) for line in lines)
    return Trace("", bounded.partition("\n")[0], tuple(frames), bounded)


def _dialect(name: str, frames: Sequence[Frame]) -> str:
    if name in {"java", "javascript"}:  # both indent with `at`
        written = (".java", ".kt", ".scala", ".groovy")
        return "java" if any(frame.path.endswith(written) for frame in frames) else "javascript"
    return name


def _error(block: Block) -> str:
    lines = [line for line in block.lines if line.strip()]
    if block.language.name == "python":
        last = next((line for line in reversed(lines) if line[:1] not in " \t|+"), lines[-1])
        return last.strip()
    if block.language.name == "pytest":
        said = next((match for line in lines if (match := _PYTEST_ERROR.match(line))), None)
        return f"{lines[0].strip('_ ')}: {said['error']}" if said else lines[0].strip("_ ")
    if block.language.name == "rust" and len(lines) > 1 and lines[0].endswith(":"):
        return f"{lines[0].strip()} {lines[1].strip()}"
    return lines[0].strip()
