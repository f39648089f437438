"""The logs source: what is found, read once, read on, and never read twice."""

from __future__ import annotations

import gzip
import io
import os
import sys
from pathlib import Path

import pytest
from log_cases import PYTHON, Logs, stamped

from haversack import Haversack
from haversack.model import Citation, Span
from haversack.project import find_project
from haversack.sources.logs import LogsSource, opening, places
from haversack.sources.logs.places import left_to_logs
from haversack.sources.protocol import Item, ReadsOn, SourceAdapter


@pytest.fixture
def logs(tmp_path: Path) -> Logs:
    return Logs(tmp_path / "shop")


def test_it_is_a_source_that_reads_on() -> None:
    source = LogsSource()
    assert isinstance(source, SourceAdapter)
    assert isinstance(source, ReadsOn)
    assert (source.name, source.threshold, source.window_hours) == ("logs", 0.7, 24)
    assert sorted(source.compressors()) == ["heavy", "light", "medium"]


def test_repeated_lines_are_one_pattern_with_count_times_and_an_example(logs: Logs) -> None:
    logs.write("logs/app.log", "".join(stamped(n, f"ERROR db: query {n} took {n * 7} ms\n") for n in range(90)))
    logs.read()
    (pattern,) = logs.units("pattern")
    assert pattern.meta["count"] == 90
    assert pattern.title == "error: db query <*> took <*>"
    assert "2026-11-15 10:00:00 to 2026-11-15 10:01:29" in pattern.text
    assert "query 89 took 623 ms" in pattern.text
    assert pattern.citations == (Citation.of_file("logs/app.log", Span(90, 90)),)
    assert logs.source.cite(pattern) == pattern.citations
    (log,) = logs.units("log")
    assert log.title.startswith("logs/app.log: 90 lines, 90 errors, 0 warnings, 0 stack traces")


def test_usual_places_are_looked_at_and_others_are_not(logs: Logs) -> None:
    for name in ("a.log", "logs/b/c.jsonl", "log/d.err", "a.log.1", "src/e.log", "tests/data/f.log", "logs/g.py"):
        logs.write(name, stamped(1, "ERROR gone\n"))
    logs.read()
    assert sorted(logs.known) == ["a.log", "a.log.1", "log/d.err", "logs/b/c.jsonl"]


def test_nothing_is_read_when_nothing_changed_and_what_is_gone_goes(logs: Logs) -> None:
    path = logs.write("a.log", stamped(1, "ERROR gone\n"))
    assert logs.read() == ["a.log"]
    assert logs.read() == []
    path.unlink()
    assert logs.read() == []
    assert not logs.known


def test_of_a_log_that_grew_only_the_new_part_is_read(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    logs.write("a.log", "".join(stamped(n, f"ERROR query {n} failed\n") for n in range(500)))
    logs.read()
    logs.append("a.log", "".join(stamped(n, f"ERROR query {n} failed\n") for n in range(500, 520)))
    read: list[int] = []
    whole = opening.read_lines

    def counted(file: io.BytesIO, **given: int) -> object:
        for piece in whole(file, **given):
            read.append(len(piece.lines))
            yield piece

    monkeypatch.setattr("haversack.sources.logs.reading.read_lines", counted)
    logs.read()
    assert sum(read) == 20
    (pattern,) = logs.units("pattern")
    assert pattern.meta["count"] == 520
    assert pattern.citations == (Citation.of_file("a.log", Span(520, 520)),)


@pytest.mark.parametrize("cut", [1, 40, 333, 480, 700, 900])
def test_a_log_read_in_parts_is_a_log_read_at_once(tmp_path: Path, cut: int) -> None:
    lines = [stamped(n, f"{'ERROR' if n % 7 else 'INFO'} worker {n % 3} did {n}\n") for n in range(8)]
    whole = "".join([*lines, f"{PYTHON}\n", *lines, f"{PYTHON}\n"])
    parts = Logs(tmp_path / "parts")
    parts.write("a.log", whole[:cut])
    parts.read()
    parts.append("a.log", whole[cut:])
    parts.read()
    once = Logs(tmp_path / "once")
    once.write("a.log", whole)
    once.read()
    plain = [(u.id, u.title, u.text, u.time, u.citations, u.refs) for u in parts.readings["a.log"].units]
    assert plain == [(u.id, u.title, u.text, u.time, u.citations, u.refs) for u in once.readings["a.log"].units]


def test_a_log_that_was_replaced_is_read_from_its_beginning(logs: Logs) -> None:
    logs.write("a.log", "".join(stamped(n, "ERROR old trouble\n") for n in range(50)))
    logs.read()
    logs.write("a.log", "".join(stamped(n, "ERROR new trouble, longer than before\n") for n in range(50)))
    logs.read()
    assert [unit.title for unit in logs.units("pattern")] == ["error: new trouble longer than before"]


def test_rotated_and_packed_logs_are_read_within_the_window(logs: Logs) -> None:
    line = stamped(1, "ERROR disk full\n").encode()
    now = 1_794_000_000
    for name, content, age in (
        ("logs/a.log", line, 0),
        ("logs/a.log.1.gz", gzip.compress(line), 3600),
        ("logs/a.log.2.zst", _zstd(line), 7200),
        ("logs/a.log.3.gz", gzip.compress(line), 50 * 3600),
    ):
        os.utime(logs.write(name, content), (now - age, now - age))
    logs.read()
    assert sorted(logs.known) == ["logs/a.log", "logs/a.log.1.gz", "logs/a.log.2.zst"]
    assert [unit.title for unit in logs.units("pattern")] == ["error: disk full"] * 3


def _zstd(content: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    packed: bytes = zstd.compress(content)
    return packed


def test_lines_older_than_the_window_are_passed_over(tmp_path: Path) -> None:
    logs = Logs(tmp_path, log_window_hours=2)
    hours = [f"2026-11-15 {hour:02}:00:00 ERROR job {hour} failed\n" for hour in range(12)]
    logs.write("a.log", "".join(hours))
    logs.read()
    (pattern,) = logs.units("pattern")
    assert pattern.meta["count"] == 3
    assert "2026-11-15 09:00:00 to 2026-11-15 11:00:00" in pattern.text


def test_everything_older_in_a_large_log_is_passed_over_without_counting(tmp_path: Path) -> None:
    logs = Logs(tmp_path, log_window_hours=1)
    old = "2026-11-10 08:00:00 ERROR long ago and far away\n" * (opening.PIECE_BYTES // 40)
    logs.write("a.log", old + "2026-11-15 08:00:00 ERROR just now\n")
    logs.read()
    assert [unit.title for unit in logs.units("pattern")] == ["error: just now"]
    assert logs.units("pattern")[0].citations == (
        Citation.of_file("a.log", Span(old.count("\n") + 1, old.count("\n") + 1)),
    )


@pytest.mark.parametrize(
    ("options", "levels"),
    [
        ({}, ["error", "warning", "info"]),
        ({"level": "warning"}, ["error", "warning"]),
        ({"level": "error"}, ["error"]),
        ({"filter_noise": False}, ["error", "warning", "info", "info", "debug"]),
    ],
)
def test_level_and_noise_are_filtered(tmp_path: Path, options: dict[str, object], levels: list[str]) -> None:
    logs = Logs(tmp_path, **options)
    lines = [stamped(n, f"INFO GET /health in {n} ms\n") for n in range(50)]
    lines += [stamped(60, f"{level} once {level.lower()}\n") for level in ("INFO", "DEBUG", "WARN", "ERROR")]
    logs.write("a.log", "".join(lines))
    logs.read()
    assert [unit.meta["level"] for unit in logs.units("pattern")] == levels


def test_files_and_patterns_that_are_named_are_read_inside_and_outside_the_project(tmp_path: Path) -> None:
    outside = tmp_path / "var" / "web.txt"
    outside.parent.mkdir()
    outside.write_text(stamped(1, "ERROR upstream refused\n"))
    logs = Logs(tmp_path / "shop", files=(str(tmp_path / "var" / "*.txt"), "data/own.txt", "data/none.txt"))
    logs.write("data/own.txt", stamped(1, "ERROR own trouble\n"))
    logs.read()
    cited = sorted(str(unit.citations[0]) for unit in logs.units("pattern"))
    assert cited == ["data/own.txt:1-1", f"log {outside}:1"]
    assert logs.problems() == [
        "data/none.txt: is to be read as a log and is not there (correct files under [sources.logs], or --logs)"
    ]


def test_links_that_lead_out_of_the_project_are_not_followed(logs: Logs, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text(stamped(1, "ERROR secret\n"))
    (logs.root / "logs").mkdir()
    (logs.root / "logs" / "a.log").symlink_to(tmp_path / "secret.txt")
    logs.read()
    assert not logs.units("pattern")
    assert "leads outside the project" in logs.problems()[0]


def test_a_folder_that_is_called_like_a_log_is_none(logs: Logs) -> None:
    (logs.root / "logs" / "a.log").mkdir(parents=True)
    logs.read()
    assert not logs.known


def test_only_the_newest_files_of_an_archive_are_read(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "MOST_FILES", 2)
    for number in range(4):
        path = logs.write(f"logs/{'abcd'[number]}.log", stamped(1, "ERROR x\n"))
        os.utime(path, (1_794_000_000 + number, 1_794_000_000 + number))
    logs.read()
    assert sorted(logs.known) == ["logs/c.log", "logs/d.log"]


def test_what_is_piped_in_stays_until_something_else_is_piped_in_or_it_is_old(logs: Logs) -> None:
    logs.source.piped = stamped(1, "ERROR piped trouble\n").encode()
    assert logs.read() == ["-"]
    assert logs.read() == []
    assert logs.units("pattern")[0].citations == (Citation.of_log("-:1"),)
    logs.source.piped = None
    assert logs.read() == []
    assert logs.units("pattern")
    logs.source.piped = stamped(1, "ERROR other trouble\n").encode()
    logs.read()
    assert [unit.title for unit in logs.units("pattern")] == ["error: other trouble"]
    logs.source.piped, logs.known["-"] = None, "abc:1000"
    logs.read()
    assert not logs.known


def test_a_log_rotated_away_between_looking_and_reading_is_named(logs: Logs) -> None:
    path = logs.write("a.log", stamped(1, "ERROR x\n"))
    project = find_project(logs.root)
    changes = logs.source.discover(project, {})
    path.unlink()
    (reading,) = logs.source.read(project, changes.changed)
    assert not reading.units
    assert [str(p) for p in reading.problems] == [
        "a.log: was there a moment ago and is gone (it was rotated; ask again)"
    ]


def test_a_log_that_cannot_be_opened_is_named(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    logs.write("a.log", stamped(1, "ERROR x\n"))

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("haversack.sources.logs.source._opened", refuse)
    (reading,) = logs.source.read(find_project(logs.root), [Item("a.log", "")])
    assert [str(p) for p in reading.problems] == ["a.log: cannot be read: Permission denied"]


def test_the_walk_leaves_to_logs_what_logs_read() -> None:
    patterns = left_to_logs(["data/*.txt", "./own.txt", "/var/log/x.log", "~/y.log", "../z.log", "-"])
    assert {"/*.log", "/logs/**/*.log", "/data/*.txt", "/own.txt"} <= set(patterns)
    assert not [pattern for pattern in patterns if "var" in pattern or "y.log" in pattern or "z.log" in pattern]


def test_a_log_is_read_by_one_source_and_its_trace_leads_to_the_code(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    (root / "src" / "shop").mkdir(parents=True)
    (root / "src" / "shop" / "prices.py").write_text("def parse_amount(text):\n    return float(text)\n")
    (root / "src" / "shop" / "colours.py").write_text("def paint(thing):\n    return thing\n")
    (root / "app.log").write_text(stamped(1, f"ERROR checkout failed\n{PYTHON}\n"))
    with Haversack(root, data_dir=tmp_path / "data") as haversack:
        packet = haversack.pack("fix the crash: checkout fails with ValueError", budget=2000)
        assert set(haversack.store.known("logs")) == {"app.log"}
        assert not any("app.log" in haversack.store.known(name) for name in ("code", "docs", "none"))
    explicit = [item.title for item in packet.items if "parse_amount" in item.text]
    assert explicit
    assert "ValueError: could not convert" in packet.text
    assert "def parse_amount" in packet.text


def test_logs_can_be_added_for_one_packet(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    (root / "a.py").write_text("def f():\n    return 1\n")
    (tmp_path / "w.txt").write_text(stamped(1, f"ERROR nightly import crashed\n{PYTHON}\n"))
    with Haversack(root, data_dir=tmp_path / "data") as haversack:
        haversack.add_logs(str(tmp_path / "w.txt"), piped=stamped(2, "ERROR disk full\n").encode())
        assert haversack.asked == {"logs"}
        haversack.index()
        assert set(haversack.store.known("logs")) == {str(tmp_path / "w.txt"), "-"}
