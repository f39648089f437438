"""Shorter logs: without noise, patterns only, errors only; never over the limit, nothing invented."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from log_cases import JAVA, PYTHON, Logs, stamped

from haversack.model import Unit
from haversack.sources.logs.compress import COMPRESSORS, heavy, light, medium
from haversack.tokens import counter

PRICES = '  File "/srv/shop/src/shop/prices.py"'
INNER = '  File "/usr/lib/python3/site-packages/lib/x.py", line 3, in inner\n    deep()'
INSTALLED = PYTHON.replace(PRICES, f"{INNER}\n{PRICES}")


@pytest.fixture
def logs(tmp_path: Path) -> Logs:
    made = Logs(tmp_path)
    made.write(
        "a.log",
        "".join([stamped(1, "ERROR bad 7\n"), stamped(2, "WARN slow 8\n"), stamped(3, "INFO x\n"), INSTALLED, "\n"]),
    )
    made.read()
    return made


def one(logs: Logs, kind: str, start: str = "") -> Unit:
    return next(unit for unit in logs.units(kind) if unit.title.startswith(start))


def test_a_trace_loses_what_is_installed_then_its_source_lines_then_all_but_the_error(logs: Logs) -> None:
    trace = one(logs, "trace")
    assert "site-packages" in trace.text
    shorter = light(trace, trace.text, 1000)
    assert "site-packages" not in shorter
    assert "deep()" not in shorter
    assert "return float(text)" in shorter
    assert "return float(text)" not in medium(trace, trace.text, 1000)
    assert "in parse_amount" in medium(trace, trace.text, 1000)
    assert heavy(trace, trace.text, 1000) == (
        "ValueError: could not convert string to float: '12,50'\nsrv/shop/src/shop/prices.py:9 parse_amount"
    )


def test_a_pattern_loses_its_example_and_a_quiet_one_goes(logs: Logs) -> None:
    error, quiet = one(logs, "pattern", "error"), one(logs, "pattern", "info")
    assert light(error, error.text, 1000) == error.text
    assert medium(error, error.text, 1000).split("\n")[-1] == "bad <*>"
    assert heavy(error, error.text, 1000) == "bad <*>"
    assert heavy(quiet, quiet.text, 1000) == ""


def test_a_log_keeps_its_errors(logs: Logs) -> None:
    log = one(logs, "log")
    assert heavy(log, log.text, 1000).split("\n") == [
        "1× trace ValueError: could not convert string to float: '12,50'",
        "1× error bad <*>",
    ]


def test_what_does_not_fit_is_marked_and_the_most_severe_stays() -> None:
    lines = [f"1× info quiet {word}" for word in ("one", "two", "three", "four")]
    unit = Unit("l1", "logs", "log", "a.log", "\n".join(["first", *lines, "1× error loud"]))
    limit = counter().count("first\n…\n1× error loud")
    assert light(unit, unit.text, limit) == "first\n…\n1× error loud"
    assert light(unit, unit.text, 0) == ""


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from([*PYTHON.split("\n"), *JAVA.split("\n"), "3× error a", "9× info b", "", "über"]), max_size=40
    ),
    st.sampled_from(["log", "trace", "failure", "pattern"]),
    st.sampled_from(sorted(COMPRESSORS)),
    st.integers(0, 120),
)
def test_no_text_is_longer_than_its_limit_and_every_line_was_there(
    lines: list[str], kind: str, strength: str, limit: int
) -> None:
    unit = Unit("l1", "logs", kind, "t", "\n".join(lines), meta={"level": "error"})
    made = COMPRESSORS[strength](unit, unit.text, limit)
    assert counter().count(made) <= limit
    assert set(made.split("\n")) <= {*lines, "…", ""}
    assert made == COMPRESSORS[strength](unit, unit.text, limit)
