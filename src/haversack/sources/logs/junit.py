"""JUnit's XML: which tests failed, with their messages and traces. Entities and document types are refused."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from haversack.sources.logs.stamps import time_of

if TYPE_CHECKING:
    from xml.parsers.expat import XMLParserType

MARK: Final = b"<testsuite"
MOST_FAILURES: Final = 500  # of one report; the rest is counted
LONGEST_TEXT: Final = 20_000  # characters of one failure
DEEPEST: Final = 100  # elements inside each other: reports have six


class RefusedError(Exception):
    """The document asks for something that no report needs."""


class Failure(Struct):
    """A test that failed or could not run."""

    test: str
    kind: str
    message: str
    file: str
    line: int
    """Where the test stands, 0 when the report does not say."""
    at: int
    """Line of the report."""
    time: float | None
    text: str = ""


class TestReport(Struct):
    """A whole report."""

    tests: int = 0
    skipped: int = 0
    failed: int = 0
    seconds: float = 0.0
    time: float | None = None
    failures: list[Failure] = field(default_factory=list)
    problem: str = ""


def read_report(blocks: Iterable[bytes]) -> TestReport:
    """What a report says; as far as it can be read, with the problem, when it is broken."""
    from xml.parsers.expat import ExpatError, ParserCreate

    parser = ParserCreate()
    reader = _Reader(parser)
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    # Whatever needs a document type (own entities, external files) is refused before anything is expanded.
    parser.StartDoctypeDeclHandler = reader.refuse
    parser.buffer_text = True
    try:
        for block in blocks:
            parser.Parse(block, False)
        parser.Parse(b"", True)
    except ExpatError as error:
        reader.report.problem = f"the XML breaks off or is wrong at line {error.lineno}"
    except RefusedError as error:
        reader.report.problem = str(error)
    return reader.report


class _Reader:
    """Collects what a parser finds."""

    def __init__(self, parser: XMLParserType) -> None:
        self._parser = parser
        self._case: dict[str, str] = {}
        self._open: Failure | None = None
        self._depth = 0
        self.report = TestReport()

    def start(self, tag: str, given: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise RefusedError(f"elements stand {DEEPEST} deep inside each other")
        name = tag.rpartition("}")[2].rpartition(":")[2]
        if name == "testsuite":
            self.report.time = self.report.time or time_of(given.get("timestamp", ""), 1970)
        elif name == "testcase":
            self._case = given
            self.report.tests += 1
            self.report.seconds += _number(given.get("time"))
        elif name == "skipped":
            self.report.skipped += 1
        elif name in {"failure", "error", "rerunFailure", "flakyFailure"}:
            self._fail(name, given)

    def _fail(self, name: str, given: dict[str, str]) -> None:
        self.report.failed += 1
        if len(self.report.failures) >= MOST_FAILURES:
            return
        case = self._case
        test = ".".join(part for part in (case.get("classname", ""), case.get("name", "")) if part)
        message = given.get("message", "")[:LONGEST_TEXT]
        self._open = Failure(
            test[:500],
            given.get("type", name)[:200],
            message,
            case.get("file", "")[:500],
            int(_number(case.get("line"))),
            self._parser.CurrentLineNumber,
            self.report.time,
        )
        self.report.failures.append(self._open)

    def text(self, data: str) -> None:
        if self._open and len(self._open.text) < LONGEST_TEXT:
            self._open.text += data[: LONGEST_TEXT - len(self._open.text)]

    def end(self, _: str) -> None:
        self._depth -= 1
        self._open = None

    def refuse(self, *_: object) -> None:
        raise RefusedError("it has a document type, which may hide entities; it is not read")


def _number(text: str | None) -> float:
    try:
        return max(0.0, float((text or "0").replace(",", "")))
    except ValueError:
        return 0.0
