"""Broken, hostile and huge logs: named, bounded, never a crash."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import os
import random
import tracemalloc
from pathlib import Path
from typing import BinaryIO, cast

import pytest
from log_cases import Logs, stamped

from haversack.sources.logs import junit, opening, tally
from haversack.sources.logs.junit import read_report
from haversack.sources.logs.opening import LONGEST_LINE, PIECE_BYTES, read_lines
from haversack.sources.logs.tally import Tally
from haversack.sources.logs.templates import group

REPORT = """<?xml version="1.0"?>
<testsuites><testsuite name="shop" timestamp="2026-11-15T10:00:00">
  <testcase classname="tests.test_cart" name="test_total" file="tests/test_cart.py" line="12" time="0.5"/>
  <testcase classname="tests.test_cart" name="test_empty[0]" time="1,000.5">
    <failure message="assert 1 == 2" type="AssertionError">tests/test_cart.py:14: in test_empty
src/shop/cart.py:9: in total
E   assert 1 == 2 password=hunter2hunter2X9</failure>
  </testcase>
  <testcase classname="tests.test_cart" name="test_later" time="x"><skipped/></testcase>
</testsuite></testsuites>
"""


@pytest.fixture
def logs(tmp_path: Path) -> Logs:
    return Logs(tmp_path / "shop")


def test_a_test_report_is_counted_and_its_failures_lead_to_code(logs: Logs) -> None:
    logs.write("junit.xml", REPORT)
    logs.read()
    (failure,) = logs.units("failure")
    assert logs.units("log")[0].title == "junit.xml: 3 tests: 1 failed, 1 skipped, 1 passed"
    assert failure.title == "tests.test_cart.test_empty[0] failed: AssertionError: assert 1 == 2"
    assert failure.meta["frames"] == ("tests/test_cart.py:14:test_empty", "src/shop/cart.py:9:total")
    assert failure.name == "test_empty[0]".partition("[")[0]
    assert failure.citations[0].start == 5
    assert "hunter2" not in str(logs.readings)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (REPORT[:400], "junit.xml: the XML breaks off or is wrong at line"),
        (
            '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><testsuite>&b;</testsuite>',
            "junit.xml: it has a document type, which may hide entities; it is not read",
        ),
        (
            '<?xml version="1.0"?><!DOCTYPE x SYSTEM "file:///etc/passwd"><testsuite/>',
            "junit.xml: it has a document type, which may hide entities; it is not read",
        ),
        ("<testsuite>" + "<a>" * 5000, "junit.xml: elements stand 100 deep inside each other"),
    ],
)
def test_xml_that_is_broken_or_hides_something_is_named(logs: Logs, content: str, problem: str) -> None:
    logs.write("junit.xml", content)
    logs.read()
    assert logs.problems()[0].startswith(problem)


def test_what_a_report_says_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(junit, "MOST_FAILURES", 1)
    monkeypatch.setattr(junit, "LONGEST_TEXT", 10)
    case = "<testcase name='t'><error>0123456789abcdef<b/>x</error></testcase>"
    report = read_report([b"<testsuite>", (case * 3).encode(), b"</testsuite>"])
    assert (report.failed, [failure.text for failure in report.failures]) == (3, ["0123456789"])


def test_truncated_json_is_named_and_taken_as_text(logs: Logs) -> None:
    good = json.dumps({"level": "error", "msg": "disk full"})
    logs.write("logs/a.jsonl", f"{good}\n{good[:20]}\n{good}\n")
    logs.read()
    assert logs.units("pattern")[0].meta["count"] == 2
    assert logs.problems() == [
        "logs/a.jsonl: 1 lines are not complete json lines, the first is line 2 (they are taken as text)"
    ]


def test_an_endless_line_costs_its_beginning_only() -> None:
    class Endless(io.RawIOBase):
        """A gigabyte without a line break, then one more line; it is never all there."""

        left = 1 << 30

        def read(self, size: int = -1) -> bytes:
            if self.left <= 0:
                return b""
            self.left -= size
            return b"\nERROR at last\n" if self.left <= 0 else b"x" * size

        def seek(self, *_: int) -> int:
            return 0

    tracemalloc.start()
    pieces = list(read_lines(cast(BinaryIO, Endless()), end=1 << 30))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [len(line) for piece in pieces for line in piece.lines] == [LONGEST_LINE, len("ERROR at last")]
    assert pieces[0].clipped == (1,)
    assert peak < 8 * PIECE_BYTES


def test_a_line_that_is_too_long_is_named_and_what_follows_is_read_on(logs: Logs) -> None:
    logs.write("a.log", "x" * (PIECE_BYTES + 100) + "\n" + stamped(1, "ERROR after it\n"))
    logs.read()
    assert "error: after it" in [unit.title for unit in logs.units("pattern")]
    assert logs.problems() == ["a.log: line 1 is too long: only its beginning is read (write one line per event)"]
    logs.append("a.log", stamped(2, "ERROR after it\n"))
    logs.read()
    after = next(unit for unit in logs.units("pattern") if unit.title == "error: after it")
    assert (after.meta["count"], after.citations[0].start) == (2, 3)


def test_binary_data_is_named(logs: Logs) -> None:
    logs.write("a.log", random.Random(7).randbytes(50_000))
    logs.read()
    assert not logs.units("log")
    assert logs.problems() == ["a.log: is not text (leave it out of files under [sources.logs])"]


def test_binary_data_inside_a_log_is_passed_over(logs: Logs) -> None:
    lines = [stamped(n, "ERROR fine line\n").encode() for n in range(200)]
    logs.write("a.log", b"".join([*lines, b"\0" * 300 + b"\n", b"\x1b[31mERROR\x1b[0m red \x07 line\n", *lines]))
    logs.read()
    assert sorted(unit.title for unit in logs.units("pattern")) == ["error: fine line", "error: red \ufffd line"]
    assert not [unit for unit in logs.units("pattern") if "\x1b" in unit.text or "\0" in unit.text]


def test_logs_in_utf_16_are_read(logs: Logs) -> None:
    logs.write("a.log", codecs.BOM_UTF16_LE + stamped(1, "ERROR größer\n").encode("utf-16-le"))
    logs.read()
    assert logs.units("pattern")[0].title == "error: größer"
    logs.append("a.log", "x\n")
    logs.read()
    assert logs.units("log")


def test_a_damaged_packed_log_gives_what_can_be_unpacked(logs: Logs) -> None:
    rng = random.Random(3)
    words = "".join(stamped(n, f"ERROR job {rng.randbytes(40).hex()} failed\n") for n in range(20_000))
    packed = gzip.compress(words.encode())
    logs.write("a.log.gz", packed[: len(packed) // 2])
    logs.write("b.log.gz", b"not packed at all")
    logs.write("c.log.zst", b"nor this")
    logs.read()
    assert {problem.partition(":")[0] for problem in logs.problems()} >= {"b.log.gz", "c.log.zst"}


def test_a_log_that_grows_while_it_is_read_is_read_to_where_it_was(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    path = logs.write("a.log", "".join(stamped(n, "ERROR steady\n") for n in range(50)))
    slow = opening.read_some

    def growing(file: io.BytesIO, size: int) -> bytes:
        with path.open("a") as more:
            more.write(stamped(51, "ERROR steady\n"))
        os.utime(path, (1_794_000_000, 1_794_000_000))
        return slow(file, size)

    monkeypatch.setattr(opening, "read_some", growing)
    logs.read()
    (pattern,) = logs.units("pattern")
    count = pattern.meta["count"]
    assert isinstance(count, int)
    assert 50 <= count < 60


def test_secrets_do_not_survive_anywhere(logs: Logs) -> None:
    secret, key = "hunter2hunter2X9", "AKIAIOSFODNN7EXAMPLQ"
    lines = [stamped(n, f"ERROR login failed password={secret} key {key}\n") for n in range(30)]
    trace = f'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    x\nValueError: token={key}\n'
    logs.write("a.log", "".join([*lines, trace, "-----BEGIN RSA PRIVATE KEY-----\n", "MIIEowIBAAKCAQEA75" * 3, "\n"]))
    logs.write("logs/b.jsonl", json.dumps({"msg": f"password={secret}", "level": "error", "api_key": key}) + "\n")
    logs.read()
    logs.append("a.log", lines[0])
    logs.read()
    for reading in logs.readings.values():
        assert secret not in repr(reading)
        assert key not in repr(reading)
    assert logs.units("pattern")


def test_many_different_lines_are_merged_and_the_rarest_dropped(monkeypatch: pytest.MonkeyPatch, logs: Logs) -> None:
    monkeypatch.setattr(tally, "MOST_KEYS", 40)
    rng = random.Random(5)
    letters = "bcdfghjklmnpqrstvwxz"
    lines = [" ".join("".join(rng.choices(letters, k=6)) for _ in range(rng.randint(2, 9))) + "\n" for _ in range(400)]
    logs.write("a.log", "".join([*lines, *([stamped(1, "ERROR often\n")] * 9)]))
    logs.read()
    assert len(logs.units("pattern")) <= 41
    assert any("too many different lines" in problem for problem in logs.problems())


def test_hexadecimal_names_make_no_line_unique() -> None:
    rng = random.Random(9)
    found = Tally(lambda line: ("", line))
    lines = [f"req {rng.randbytes(16).hex()} from {rng.randbytes(6).hex()} done".encode() for _ in range(9_000)]
    found.add(lines, range(len(lines)))
    (seen,) = found.seen.values()
    assert (seen.count, seen.first, seen.last) == (9_000, 0, 8_999)


def test_lines_of_one_statement_are_one_group() -> None:
    lines = [
        "session opened for user root by (uid=0)",
        "session opened for user cyrus by (uid=12)",
        "connection from 10.0.0.1 () at Sun Jul 10 03:55:15 2005",
        "connection from 10.0.0.2 (host7.example.org) at Mon Jul 11 04:00:00 2005",
        "a.example.org:443 close, 900 bytes sent, 1200 bytes (1.17 KB) received, lifetime <1 sec",
        "b.example.org:80 close, 1500 bytes (1.46 KB) sent, 12 bytes received, lifetime 00:05",
        "Read C:\\temp\\a.txt from https://example.org/x?y=1 by fe80::1:2 of sda(1)",
        "Read C:\\temp\\b.txt from https://example.org/z by fe80::3:4 of sdb(2)",
    ]
    assert group(lines) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_a_column_with_many_words_is_variable_and_one_with_few_is_not() -> None:
    many = [f"mount of volume {name} is done now" for name in ("apple", "pear", "plum", "fig", "kiwi", "lime")]
    few = [f"the service is {state}" for state in ("up", "down")]
    first = [f"{verb} it all" for verb in ("Boot", "Halt", "Wait", "Stop", "Kill", "Pause")]
    assert group(many) == [0] * 6
    assert group(few) == [0, 1]
    assert group(first) == [0, 1, 2, 3, 4, 5]
