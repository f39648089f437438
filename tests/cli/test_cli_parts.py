"""The parts of the command line that stand alone: progress, clipboard, moments, logs, columns."""

from __future__ import annotations

import base64
import io
import json
import os
import time
from pathlib import Path

import click
import pytest
from running import Run

from haversack import logs
from haversack.cli import clipboard, output
from haversack.cli.progress import ProgressBar
from haversack.cli.tasks import read_task
from haversack.cli.when import MOMENT
from haversack.errors import HaversackError
from haversack.model import Citation, Problem, Span, Unit


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Utf8Terminal(Terminal):
    encoding = "utf-8"


# -- progress --------------------------------------------------------------------------------------------------------


def test_a_bar_is_drawn_on_a_terminal_and_wiped_at_the_end() -> None:
    stream = Utf8Terminal()
    with ProgressBar(stream, moment=0) as bar:
        bar("reading", 5, 10)
    drawn = stream.getvalue()
    assert "reading " + "█" * 15 + "░" * 15 + " 5/10" in drawn
    assert drawn.endswith(" \r")


def test_an_empty_stage_wipes_the_bar() -> None:
    stream = Utf8Terminal()
    bar = ProgressBar(stream, moment=0)
    bar("reading", 5, 10)
    bar("", 10, 10)
    wiped = stream.getvalue()
    assert wiped.endswith(" \r")
    bar("", 10, 10)
    assert stream.getvalue() == wiped


def test_a_bar_without_unicode_and_one_without_an_end() -> None:
    stream = Terminal()
    with ProgressBar(stream, moment=0) as bar:
        bar("reading", 5, 10)
    assert "#" * 15 + "." * 15 in stream.getvalue()
    stream = Terminal()
    with ProgressBar(stream, moment=0) as bar:
        bar("sweeping", 1234, 0)
    assert "sweeping 1,234" in stream.getvalue()


def test_no_bar_for_what_takes_a_moment_or_goes_to_a_pipe() -> None:
    for stream, moment in ((Terminal(), 60.0), (io.StringIO(), 0.0)):
        with ProgressBar(stream, moment=moment) as bar:
            bar("reading", 5, 10)
        assert stream.getvalue() == ""


def test_a_bar_is_not_drawn_more_often_than_anyone_can_read() -> None:
    stream = Terminal()
    with ProgressBar(stream, moment=0) as bar:
        for done in range(1000):
            bar("reading", done, 1000)
    assert stream.getvalue().count("reading") < 100


# -- clipboard -------------------------------------------------------------------------------------------------------


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that alone holds the programs of the system."""
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def install(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


def test_the_first_program_that_works_gets_the_text(programs: Path, tmp_path: Path) -> None:
    kept = tmp_path / "clipboard"
    install(programs, "wl-copy", "exit 1")
    install(programs, "xclip", f"/bin/cat > {kept}")
    assert clipboard.copy("héllo\n") == "xclip"
    assert kept.read_bytes() == "héllo\n".encode()


def test_without_a_program_the_terminal_takes_it(programs: Path) -> None:
    terminal = Terminal()
    assert clipboard.copy("hello", terminal) == "the terminal (OSC 52)"
    assert terminal.getvalue() == f"\033]52;c;{base64.b64encode(b'hello').decode()}\a"


def test_without_either_the_way_out_is_named(programs: Path) -> None:
    with pytest.raises(HaversackError, match="no clipboard"):
        clipboard.copy("hello", io.StringIO())
    with pytest.raises(HaversackError, match="no clipboard"):
        clipboard.copy("x" * 100_000, Terminal())


# -- moments ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("typed", "hours"), [("12h", 12), ("7d", 168), ("3 W", 504), ("6m", 4320), ("1y", 8760)])
def test_how_long_ago(typed: str, hours: int) -> None:
    assert MOMENT.convert(typed, None, None) == pytest.approx(time.time() - hours * 3600, abs=60)


def test_a_date() -> None:
    assert MOMENT.convert("2026-01-31T00:00+00:00", None, None) == 1769817600
    for typed in ("2026-13-01", "yesterday", "", "99999999d"):
        with pytest.raises(click.BadParameter):
            MOMENT.convert(typed, None, None)


# -- the task --------------------------------------------------------------------------------------------------------


def test_the_task_comes_from_an_argument_a_file_or_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert read_task(" fix it ", None) == "fix it"
    (tmp_path / "task.md").write_bytes(b"\xef\xbb\xbffix the \xff file\n")
    assert read_task(None, str(tmp_path / "task.md")) == "fix the � file"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("fix the pipé\n".encode())))
    assert read_task("-", None) == "fix the pipé"


# -- logs ------------------------------------------------------------------------------------------------------------


def test_logs_for_programs_are_one_object_per_line() -> None:
    stream = io.StringIO()
    logs.start(2, as_json=True, stream=stream)
    logs.event("indexed", files=3, seconds=0.12345678, path="a\nb")
    logs.detail("stage", name="sweep")
    logs.warning("broken", where="x\udcff")
    logs.error("ends", code=1, nothing=None)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["level"] for line in lines] == ["info", "debug", "warning", "error"]
    first = lines[0]
    assert first["time"].endswith("+00:00")
    assert {name: first[name] for name in ("event", "files", "seconds", "path")} == {
        "event": "indexed",
        "files": 3,
        "seconds": 0.123457,
        "path": "a\nb",
    }
    assert lines[2]["where"] == "x\\udcff"


def test_logs_for_people_are_lines() -> None:
    stream = io.StringIO()
    logs.start(1, stream=stream)
    logs.event("indexed", files=3, seconds=1.5, folder="a b")
    logs.detail("not shown with one -v")
    logs.warning("broken", where="x")
    first, second = stream.getvalue().splitlines()
    assert first.partition(" ")[2] == 'indexed files=3 seconds=1.500 folder="a b"'
    assert second.partition(" ")[2] == "warning: broken where=x"


def test_logs_are_silent_until_asked_for(capfd: pytest.CaptureFixture[str]) -> None:
    logs.warning("nobody listens")
    assert capfd.readouterr() == ("", "")


def test_a_value_is_never_as_long_as_a_file() -> None:
    stream = io.StringIO()
    logs.start(1, as_json=True, stream=stream)
    logs.event("odd", text="x" * 10_000)
    assert len(json.loads(stream.getvalue())["text"]) == logs.LONGEST_VALUE + 1


def test_the_program_logs_its_beginning_and_end(run: Run, project: Path) -> None:
    done = run("init", "--print", "--log-json")
    events = [json.loads(line) for line in done.err.splitlines()]
    assert [event["event"] for event in events] == ["start", "end"]
    assert events[0]["command"] == "init"
    done = run("-v", "config", "get", "bugdet", "-v")
    assert "error: unknown setting bugdet" in done.err
    assert done.err.endswith("haversack: unknown setting bugdet\n  Did you mean pack.budget?\n")


# -- output ----------------------------------------------------------------------------------------------------------


def test_columns_line_up_also_in_wide_scripts(capsys: pytest.CaptureFixture[str]) -> None:
    output.columns([("名前", "x", "last"), ("abcde", "é", "a\x1b")])
    assert capsys.readouterr().out == "名前   x  last\nabcde  é  a\\x1b\n"
    output.columns([])
    assert capsys.readouterr().out == ""


def test_problems_are_told_on_a_terminal_only(capsys: pytest.CaptureFixture[str]) -> None:
    found = [Problem(f"f{number}", "is broken") for number in range(5)]
    output.problems(found)
    assert capsys.readouterr().err == ""
    output.problems(found, stream=Terminal())
    assert capsys.readouterr().err.splitlines() == [
        "warning: f0: is broken",
        "warning: f1: is broken",
        "warning: f2: is broken",
        "warning: 2 more; `haversack doctor` names them",
    ]
    assert output.problems_json(found[:1]) == [{"where": "f0", "what": "is broken", "fix": ""}]


def test_a_place_is_a_citation_that_opens() -> None:
    assert output.place(Unit("id", "code", "function", "f", "", path="a.py", span=Span(1, 2))) == "a.py:1-2"
    assert output.place(Unit("id", "code", "file", "f", "", path="a.py")) == "a.py"
    commit = Unit("id", "commits", "commit", "f", "", citations=(Citation.of_commit("a" * 40),))
    assert output.place(commit) == "commit aaaaaaaaaaaa"
    assert output.place(Unit("id", "x", "x", "f", "")) == "id"


@pytest.mark.parametrize(
    ("count", "shown"),
    [(0, "0 B"), (999, "999 B"), (1500, "1.5 kB"), (15_000, "15 kB"), (2_000_000, "2.0 MB"), (3 * 10**9, "3.0 GB")],
)
def test_sizes_for_people(count: int, shown: str) -> None:
    assert output.size_text(count) == shown


def test_json_survives_names_that_are_not_unicode(capsys: pytest.CaptureFixture[str]) -> None:
    output.write_json({"path": os.fsdecode(b"a\xff")})
    assert json.loads(capsys.readouterr().out) == {"path": os.fsdecode(b"a\xff")}
