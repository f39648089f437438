"""Seven formats, told from their beginning; levels and times whatever they are called."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from log_cases import JAVA, PYTHON, Logs

from haversack.sources.logs import formats, journald, jsonl, logfmt, otlp, plain, syslog
from haversack.sources.logs.formats import format_of
from haversack.sources.logs.severity import level_named, level_of
from haversack.sources.logs.stamps import time_of, time_said

WHEN = datetime(2026, 11, 15, 10, 0, 0, tzinfo=UTC).timestamp()
JSON_LINE = json.dumps({"@timestamp": "2026-11-15T10:00:00Z", "log.level": "ERROR", "message": "no route 12"})
LOGFMT_LINE = 'ts=2026-11-15T10:00:00Z level=error msg="no route" hop=12'
OLD_SYSLOG = "<11>Nov 15 10:00:00 web1 router[77]: no route to 10.0.0.1"
NEW_SYSLOG = "<11>1 2026-11-15T10:00:00Z web1 router 77 - - no route to 10.0.0.1"
JOURNAL = json.dumps(
    {
        "MESSAGE": "no route",
        "PRIORITY": "3",
        "SYSLOG_IDENTIFIER": "router",
        "__REALTIME_TIMESTAMP": f"{int(WHEN)}000000",
    }
)
OTLP = {
    "resourceLogs": [
        {
            "scopeLogs": [
                {
                    "logRecords": [
                        {
                            "timeUnixNano": f"{int(WHEN)}000000000",
                            "severityNumber": 17,
                            "body": {"stringValue": "no route"},
                            "attributes": [
                                {"key": "exception.type", "value": {"stringValue": "IOError"}},
                                {"key": "exception.stacktrace", "value": {"stringValue": PYTHON}},
                            ],
                        },
                        {"severityText": "Info", "body": {"kvlistValue": {"a": 1}}},
                    ]
                }
            ]
        }
    ]
}


@pytest.mark.parametrize(
    ("sample", "name"),
    [
        (JSON_LINE, "json lines"),
        (f"starting\n{JSON_LINE}\n{JSON_LINE}", "json lines"),
        (LOGFMT_LINE, "logfmt"),
        (OLD_SYSLOG, "syslog"),
        (NEW_SYSLOG, "syslog"),
        (JOURNAL, "journald"),
        (json.dumps(OTLP), "otlp"),
        ("2026-11-15 10:00:00 ERROR no route", "text"),
        ("", "text"),
    ],
)
def test_formats_of_lines_are_told_apart(sample: str, name: str) -> None:
    found = format_of(sample.encode())
    assert not isinstance(found, str)
    assert found.name == name


def test_documents_are_told_apart() -> None:
    assert format_of(b'<?xml version="1.0"?>\n<testsuites>') == formats.JUNIT
    assert format_of(json.dumps(OTLP, indent=1).encode()) == formats.OTLP_DOCUMENT


@pytest.mark.parametrize("line", [JSON_LINE, LOGFMT_LINE, OLD_SYSLOG, NEW_SYSLOG, JOURNAL, json.dumps(OTLP)])
def test_a_line_of_every_format_has_its_time_and_level(tmp_path: Path, line: str) -> None:
    logs = Logs(tmp_path, filter_noise=False)
    logs.write("logs/app.log", f"{line}\n{line}\n")
    logs.read()
    pattern = logs.units("pattern")[0]
    assert (pattern.meta["level"], pattern.meta["count"]) == ("error", 2)
    assert "no route" in pattern.title
    assert pattern.time is not None
    assert datetime.fromtimestamp(pattern.time, UTC).strftime("%m-%d %H:%M") == "11-15 10:00"
    assert not logs.problems()


def test_traces_inside_records_are_units(tmp_path: Path) -> None:
    logs = Logs(tmp_path)
    rows = [
        {"level": "error", "msg": "a", "stack": JAVA, "time": "2026-11-15T10:00:00Z"},
        {"level": "error", "msg": "b", "error": {"type": "ValueError", "message": "bad", "stack": PYTHON}},
        {"level": "error", "msg": "c", "err": PYTHON},
        {"level": "error", "message": f"d\n{PYTHON}"},
        {"level": "error", "message": "e", "exception": "refused", "stack_trace": ["no frames", "at all"]},
    ]
    logs.write("logs/app.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    logs.write("logs/j.log", json.dumps({"MESSAGE": list(JAVA.encode()), "__REALTIME_TIMESTAMP": "1"}) + "\n")
    logs.write("logs/o.jsonl", json.dumps(OTLP, indent=2))
    logs.read()
    counts = {(unit.citations[0].target, unit.lang): unit.meta["count"] for unit in logs.units("trace")}
    assert counts == {
        ("logs/app.jsonl", "java"): 1,
        ("logs/app.jsonl", "python"): 3,
        ("logs/j.log", "java"): 1,
        ("logs/o.jsonl", "python"): 1,
    }
    assert "error: b ValueError bad" in [unit.title for unit in logs.units("pattern")]
    # A printed document's records are found again at their lines.
    assert logs.units("pattern", "logs/o.jsonl")[0].citations[0].start not in (None, 1)


def test_parts_of_records_may_be_anything() -> None:
    rows = [
        b'{"msg": 5, "level": 30, "ts": 1794736800.5}',
        b'{"msg": {"a": 1}, "error": {"message": 7}}',
        b"[1]",
        b"",
        b"7",
    ]
    made = jsonl.piece(rows, 1)
    assert made.lines[0] == b"1794736800.5\x1finfo\x1f5"
    assert made.broken == [3, 5]
    entries = [b'{"MESSAGE": ["a", "b"]}', b'{"MESSAGE": null}', b'{"MESSAGE": 5, "PRIORITY": 4}', b"nonsense", b""]
    made = journald.piece(entries, 1)
    assert made.stacks == [(1, "", "a\nb")]
    assert made.broken == [4]
    odd = [
        b'{"resourceLogs": [{"scopeLogs": [{"logRecords": [{"body": "x", "attributes": 5}, {"severityNumber": 99}]}]}]}'
    ]
    made = otlp.piece([*odd, b"", b"{"], 1)
    assert made.lines == [b"\x1f\x1fx", b"\x1f\x1f"]
    assert made.broken == [3]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2026-11-15T10:00:00Z x", WHEN),
        ("2026-11-15 10:00:00,250 x", WHEN + 0.25),
        ("2026/11/15 12:00:00 +0200 x", WHEN),
        ("[15/Nov/2026:10:00:00 +0000] x", WHEN),
        ("Sun Nov 15 10:00:00 2026 x", WHEN),
        ("Nov 15 10:00:00 host x", WHEN),
        ("11/15/2026 10:00:00 x", WHEN),
        ("20261115-10:00:00:250|x", WHEN + 0.25),
        (f"{int(WHEN)} x", WHEN),
        (f"[{int(WHEN)}500] x", WHEN + 0.5),
        ("no time at all", None),
        ("2026-13-45 99:99:99 x", None),
        ("Foo 15 10:00:00 x", None),
    ],
)
def test_times_are_read_in_the_notations_of_logs(text: str, seconds: float | None) -> None:
    assert time_of(text, 2026) == seconds


def test_times_in_fields_are_text_or_numbers_of_any_unit() -> None:
    said = [int(WHEN), WHEN * 1e3, str(int(WHEN * 1e6)), WHEN * 1e9, "2026-11-15T10:00:00Z"]
    assert [time_said(value, 2026) for value in said] == [WHEN] * 5
    assert [time_said(value, 2026) for value in (None, True, 7, "soon", [])] == [None] * 5


@pytest.mark.parametrize(
    ("line", "level", "message"),
    [
        ("2026-11-15 10:00:00,123 WARN  [main] slow", "warning", "slow"),
        ("[Sun Dec 04 04:47:44 2005] [error] mod_jk broke", "error", "mod_jk broke"),
        ("E1115 10:00:00.123456 77 net.cc:12] refused", "error", "refused"),
        ("11-15 10:00:00.811  1702  2395 W Window: late", "warning", "Window: late"),
        ("something failed badly", "error", "something failed badly"),
        ("all is well", "", "all is well"),
        ("12345", "", "12345"),
    ],
)
def test_plain_lines_have_heads(line: str, level: str, message: str) -> None:
    assert plain.head(line) == (level, message)


def test_levels_have_many_names() -> None:
    assert [level_named(name) for name in ("WARN", "3", "50", "emerg", "notice", "99", "what")] == [
        "warning", "error", "error", "fatal", "info", "", "",
    ]  # fmt: skip
    assert level_of("[crit] x") == "fatal"


def test_lines_that_are_not_what_their_format_says_are_text() -> None:
    assert syslog.head("plain ERROR words") == ("error", "plain ERROR words")
    assert logfmt.head("level=warn rest of it") == ("warning", "rest of it")
    assert formats.JSON_LINES.head("ERROR bare") == ("error", "ERROR bare")
