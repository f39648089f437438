"""Stack traces of six languages: joined, understood, counted, whatever stands before their lines."""

from __future__ import annotations

from pathlib import Path

import pytest
from log_cases import CHAINED, GO, JAVA, PYTEST, PYTHON, TRACES, Logs, stamped

from haversack.sources.logs import traces
from haversack.sources.logs.traces import find_blocks, trace_in, understand_block


def lines(text: str) -> list[bytes]:
    return text.encode().split(b"\n")


@pytest.mark.parametrize("language", TRACES)
def test_a_trace_is_joined_and_its_failing_frame_is_first(tmp_path: Path, language: str) -> None:
    text, path, function = TRACES[language]
    logs = Logs(tmp_path)
    around = [stamped(n, f"INFO request {n}\n") for n in range(3)]
    logs.write(
        "a.log", "".join([*around, stamped(4, "ERROR went wrong\n"), f"{text}\n", *around, f"{text}\n", *around])
    )
    logs.read()
    (trace,) = logs.units("trace")
    frames = trace.meta["frames"]
    assert isinstance(frames, tuple)
    assert (frames[0].split(":")[0], frames[0].split(":")[2]) == (path, function)
    assert function in trace.refs
    assert (trace.lang, trace.meta["count"]) == (language, 2)
    assert text in trace.text
    cited = trace.citations[0]
    first = 4 + text.count("\n") + 1 + 3 + 1
    assert (cited.start, cited.end) == (first, first + text.count("\n"))
    assert trace.time is not None
    # Its lines are not counted as lines of the log.
    assert {unit.title for unit in logs.units("pattern")} == {"error: went wrong", "info: request <*>"}


@pytest.mark.parametrize("prefix", ["web-1  | ", "2026-11-15T10:00:00.123456789Z stderr F "])
@pytest.mark.parametrize("language", ["python", "go", "java"])
def test_prefixes_that_containers_put_before_every_line_are_taken_off(prefix: str, language: str) -> None:
    text = TRACES[language][0]
    found = find_blocks(lines("\n".join(f"{prefix}{line}" for line in [*text.split("\n"), "up again"])))
    assert ["\n".join(block.lines) for block in found] == [text]


def test_chained_exceptions_are_one_trace() -> None:
    (block,) = find_blocks(lines(f"{CHAINED}\nINFO on we go"))
    trace = understand_block(block)
    assert trace.error == "RuntimeError: no settings"
    assert [frame.function for frame in trace.frames] == ["start", "load"]


def test_a_failed_test_as_pytest_prints_it_is_a_trace(tmp_path: Path) -> None:
    logs = Logs(tmp_path)
    logs.write("a.log", f"=== FAILURES ===\n{PYTEST}\n=== short test summary info ===\nFAILED tests/test_cart.py\n")
    logs.read()
    (trace,) = logs.units("trace")
    assert trace.title == "test_total: ValueError: no rows in src/shop/cart.py"
    assert trace.meta["frames"] == ("src/shop/cart.py:9:", "tests/test_cart.py:4:")
    assert (trace.citations[0].start, trace.citations[0].end) == (2, 14)


def test_what_a_test_printed_is_no_trace(tmp_path: Path) -> None:
    logs = Logs(tmp_path)
    logs.write("a.log", "___ test_loud ___\n--- Captured stdout call ---\nhello\n=== 1 passed ===\n")
    logs.read()
    assert not logs.units("trace")


def test_words_that_only_look_like_a_trace_are_none() -> None:
    assert find_blocks(lines("|____ table ")) == []
    assert find_blocks(lines("meet\n    at noon\nand    at home\n\tat ease")) == []


def test_traces_next_to_each_other_are_apart() -> None:
    found = find_blocks(lines(f"{PYTHON}\n{JAVA}\n{PYTHON}"))
    assert [block.language.name for block in found] == ["python", "java", "python"]


def test_a_trace_without_end_is_bounded() -> None:
    deep = "\n".join(["Traceback (most recent call last):", *(['  File "a.py", line 1, in f'] * 5000)])
    found = find_blocks(lines(deep))
    assert all(len(block.lines) <= traces.MOST_LINES for block in found)
    assert len(found[0].lines) == traces.MOST_LINES


def test_traces_in_one_record_are_understood_without_a_beginning() -> None:
    assert trace_in("no frames here") is None
    bare = trace_in("it broke\nsrc/a.py:12: in load")
    assert bare is not None
    assert (bare.error, bare.frames[0].function) == ("it broke", "load")
    went = trace_in(GO)
    assert went is not None
    assert went.error.startswith("panic: runtime error")


def test_more_different_traces_than_are_kept_are_counted_as_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("haversack.sources.logs.reading.MOST_TRACES", 1)
    logs = Logs(tmp_path)
    logs.write("a.log", f"{PYTHON}\nINFO x\n{JAVA}\nINFO y\n")
    logs.read()
    assert [unit.lang for unit in logs.units("trace")] == ["python"]
