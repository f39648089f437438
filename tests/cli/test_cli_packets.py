"""pack, budget, why, report, score and summarize on a real project."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from running import Run

from haversack import Haversack
from haversack.model import FACTORS
from haversack.receipt.codec import decode
from haversack.tokens import counter

TASK = "fix the redirect after login"


def test_pack_prints_the_packet_and_nothing_else(run: Run, project: Path) -> None:
    done = run("pack", TASK, "--budget", "2000")
    assert (done.code, done.err) == (0, "")
    assert "src/shop/login.py" in done.out
    assert "redirect_target" in done.out


def test_pack_as_json_has_the_agreed_shape(run: Run, project: Path) -> None:
    found = json.loads(run("pack", TASK, "--budget", "2000", "--json").out)
    assert list(found) == [
        "packet_id",
        "task",
        "budget",
        "tokens",
        "counter",
        "budget_exceeded",
        "text",
        "items",
        "omitted",
        "certificate",
        "not_found",
        "timings",
    ]
    assert found["task"] == TASK
    assert found["tokens"] <= found["budget"] == 2000
    assert found["budget_exceeded"] is False
    item = found["items"][0]
    assert {"id", "source", "kind", "section", "title", "path", "start", "end", "level", "tokens", "score", "factors",
            "citations", "truncated"} == set(item)  # fmt: skip
    assert found["text"] == run("pack", TASK, "--budget", "2000").out


@pytest.mark.parametrize("budget", [0, 1, 50, 300, 1000])
def test_a_packet_is_never_over_budget_or_says_so(run: Run, project: Path, budget: int) -> None:
    found = json.loads(run("pack", TASK, "--budget", str(budget), "--json").out)
    assert found["tokens"] <= budget or found["budget_exceeded"]


def test_the_task_may_come_from_standard_input_or_a_file(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = run("pack", TASK).out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{TASK}\n".encode())))
    assert run("pack", "-").out == expected
    (tmp_path / "task.md").write_text(f"{TASK}\n")
    assert run("pack", "--file", str(tmp_path / "task.md")).out == expected


def test_logs_may_be_named_or_piped_in(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trouble = "2026-11-15 10:00:00 ERROR redirect_target crashed: no session\n"
    (tmp_path / "server.out").write_text(trouble)
    task = "fix the crash of redirect_target: no session"
    assert "ERROR redirect_target crashed" in run("pack", task, "--logs", str(tmp_path / "server.out")).out
    assert "ERROR redirect_target crashed" not in run("pack", task).out
    monkeypatch.setattr("haversack.cli.tasks.LONGEST_PIPED", 10)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x" * (1 << 21) + b"\n" + trouble.encode())))
    assert run("budget", task, "--logs", "-").code == 0
    assert "ERROR redirect_target crashed" in run("pack", task).out  # kept for a while, so that its citations open
    absent = run("pack", task, "--logs", "nowhere.log")
    assert re.search(r"^- not read, or not all of it: `\S+/nowhere\.log` \(", absent.out, re.MULTILINE)
    assert run("pack", "-", "--logs", "-").code == 2


@pytest.mark.parametrize("form", ["markdown", "json", "xml"])
def test_every_format(run: Run, project: Path, form: str) -> None:
    done = run("pack", TASK, "--format", form)
    assert done.code == 0
    assert "redirect_target" in done.out


def test_what_is_pinned_is_in_and_what_is_excluded_is_not(run: Run, project: Path) -> None:
    found = json.loads(run("pack", TASK, "--pin", "README.md", "--exclude", "src/shop/login.py", "--json").out)
    paths = {item["path"] for item in found["items"]}
    assert "README.md" in paths
    assert "src/shop/login.py" not in paths


def test_lines_can_be_pinned(run: Run, project: Path) -> None:
    lines = (project / "src/shop/login.py").read_text().split("\n")
    at = next(number for number, line in enumerate(lines, 1) if line.startswith("def redirect_target"))
    found = json.loads(run("pack", "zebras", "--pin", f"login.py:{at + 1}", "--exclude", "**", "--json").out)
    assert [item["title"] for item in found["items"]] == ["redirect_target"]
    assert run("pack", TASK, "--pin", "login.py:90000").code == 1


def test_settings_of_a_packet_know_their_origin(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HAVERSACK_PROFILE", "aiwg")
    packet = json.loads(run("pack", TASK, "--budget", "900", "--json").out)
    with Haversack(project) as library:
        settings = decode(library.journal.receipt(packet["packet_id"])).settings
    assert settings["pack.budget"].origin == "flag --budget"
    assert settings["pack.profile"].origin == "environment HAVERSACK_PROFILE"
    assert settings["pack.format"].origin == "default"


def test_unknown_names_are_wrong_usage(run: Run, project: Path) -> None:
    for option in ("--profile", "--preset", "--counter"):
        done = run("pack", TASK, option, "odd")
        assert done.code == 2, done
        assert "odd" in done.err


def test_explain_prints_the_table_on_standard_error(run: Run, project: Path) -> None:
    done = run("pack", TASK, "--explain")
    assert done.out == run("pack", TASK).out
    assert "CONTEXT BUDGET ALLOCATION" in done.err
    assert "src/shop/login.py" in done.err


def test_aider_is_given_a_file_always_the_same_one(run: Run, project: Path) -> None:
    first = run("pack", TASK, "--budget", "600", "--for", "aider")
    path = Path(first.out.strip())
    assert first.out == f"{path}\n"
    assert path.is_absolute()
    assert not path.is_relative_to(project)
    text = path.read_text(encoding="utf-8")
    assert "def redirect_target" in text
    assert counter().count(text) <= 600
    assert run("pack", "how is a session opened?", "--for", "aider").out == first.out
    assert path.read_text(encoding="utf-8") != text


def test_a_packet_can_be_written_to_a_file(run: Run, project: Path, tmp_path: Path) -> None:
    done = run("pack", TASK, "-o", str(tmp_path / "packet.md"))
    assert (done.code, done.out, done.err) == (0, "", f"wrote {tmp_path / 'packet.md'}\n")
    assert (tmp_path / "packet.md").read_text(encoding="utf-8") == run("pack", TASK).out
    done = run("pack", TASK, "-o", str(tmp_path))
    assert done.code == 2
    assert "cannot be written: is a directory" in done.err


def test_a_packet_can_be_copied(run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "pbcopy").write_text(f"#!/bin/sh\n/bin/cat > {tmp_path / 'clipboard'}\n")
    (programs / "pbcopy").chmod(0o755)
    import os

    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    done = run("pack", TASK, "--copy")
    assert re.fullmatch(r"copied [\d,]+ tokens through pbcopy\n", done.err)
    assert (tmp_path / "clipboard").read_text(encoding="utf-8") == done.out


def test_a_budget_that_cannot_be_kept_is_said(run: Run, project: Path) -> None:
    done = run("pack", TASK, "--budget", "20", "--pin", "README.md")
    assert done.code == 0
    assert re.fullmatch(r"warning: \d+ tokens exceed the budget of 20\n", done.err)


def test_an_empty_packet_says_why(run: Run, project: Path, tmp_path: Path) -> None:
    done = run("pack", TASK, "--budget", "1")
    assert (done.code, done.out) == (0, "")
    assert re.fullmatch(r"warning: the packet is empty: the first piece enters at a budget of \d+ tokens\n", done.err)
    (project / "haversack.toml").write_text("[sources.code]\nthreshold = 1\n[sources.docs]\nthreshold = 1\n")
    assert "--fill" in run("pack", "unrelated zebra crossings", "--exclude", "src/**").err
    (tmp_path / "empty").mkdir()
    assert "nothing here bears on the task" in run("-C", str(tmp_path / "empty"), "pack", TASK).err


def test_overflow_error_is_exit_code_1_with_the_budget_that_would_do(run: Run, project: Path) -> None:
    done = run("pack", TASK, "--budget", "250", "--overflow", "error")
    assert (done.code, done.out) == (1, "")
    assert re.search(r"\d", done.err)


def test_pack_logs_counts_and_never_contents(run: Run, project: Path) -> None:
    done = run("pack", TASK, "-vv", "--log-json", "-o", "packet.md")
    events = [json.loads(line) for line in done.err.splitlines() if line.startswith("{")]
    packed = next(event for event in events if event["event"] == "packed")
    assert packed["tokens"] <= packed["budget"]
    assert "def redirect_target" not in done.err


def test_budget_prints_the_table(run: Run, project: Path) -> None:
    done = run("budget", TASK, "--budget", "3000")
    assert done.code == 0
    assert "CONTEXT BUDGET ALLOCATION" in done.out
    for line in (
        "Total Budget: 3,000 tokens (counter o200k)",
        "  - Available: 3,000 tokens",
        "PRIMARY CONTEXT (50% = 1,500 tokens):",
        "SUPPORTING CONTEXT (30% = 900 tokens):",
        "REFERENCE (15% = 450 tokens):",
        "HISTORY (5% = 150 tokens):",
        "  Total Available: 3,000 tokens",
    ):
        assert line in done.out.splitlines()
    assert re.search(r"^  │ src/shop/login.py:\d+-\d+ +│ \w+ +│ \d+ +│ 0\.\d\d +│$", done.out, re.MULTILINE)
    assert re.search(r"^  Utilization: \d+\.\d%$", done.out, re.MULTILINE)
    assert re.search(r"^Status: ✓ Within budget", done.out, re.MULTILINE)
    assert "No packets yet" in run("report").out  # looking makes none
    found = json.loads(run("budget", TASK, "--json").out)
    packed = json.loads(run("pack", TASK, "--json").out)
    assert (found["total"], found["used"]) == (8000, packed["tokens"])
    assert sum(section["allocated"] for section in found["sections"]) == 8000
    rows = [row for section in found["sections"] for row in section["rows"]]
    assert [row["tokens"] for row in rows] == [item["tokens"] for item in packed["items"]]


def test_pack_says_in_one_line_which_named_files_are_not_here(run: Run, project: Path) -> None:
    done = run("pack", "fix src/does/not/exist.go and lib/nope.py", "--json")
    assert done.err == "not found here: src/does/not/exist.go, lib/nope.py\n"
    assert json.loads(done.out)["not_found"] == ["src/does/not/exist.go", "lib/nope.py"]
    done = run("pack", "fix " + ", ".join(f"lib/no{number}.py" for number in range(5)))
    assert done.err == "not found here: lib/no0.py, lib/no1.py, lib/no2.py and 2 more\n"


@pytest.mark.parametrize(
    "task",
    [
        "fix src/shop/login.py, shop/login.py, a/src/shop/login.py and shop/src/shop/login.py",
        "fix /home/me/other/thing.py and ../beside/thing.py and ~/mine/thing.py",
        'Traceback (most recent call last):\n  File "/usr/lib/python3/site-packages/flask/app.py", line 3, in run\n',
        "see https://example.org/blob/main/lib/nope.py and github.com/ada/engine/run.go",
        "#include <sys/epoll.h>\nimport x from 'lodash/fp.js'\nconst y = require(\"left/pad.js\")",
        "node_modules/mocha/lib/runner.js and Node.js and read/write",
    ],
)
def test_what_is_elsewhere_is_not_missed_here(run: Run, project: Path, task: str) -> None:
    assert "not found" not in run("pack", task).err


def test_why_answers_for_the_last_packet(run: Run, project: Path) -> None:
    packet = json.loads(run("pack", TASK, "--json").out)["packet_id"]
    whole = run("why").out
    assert packet in whole
    assert run("why", packet).out == whole
    assert "src/shop/login.py" in run("why", "src/shop/login.py").out
    assert run("why", packet, "src/shop/login.py").out == run("why", "src/shop/login.py").out
    found = json.loads(run("why", "last", "README.md", "--json").out)
    assert (found["packet"], found["target"]) == ("last", "README.md")
    assert found["answer"]


def test_why_takes_an_id_of_hexadecimal_digits_for_what_it_is(run: Run, project: Path) -> None:
    made = json.loads(run("pack", TASK, "--json").out)
    for item in made["items"]:
        assert run("why", item["id"]).out == run("why", "last", item["id"]).out
        assert run("why", item["id"]).out != run("why").out
        assert run("show", item["id"]).code == 0
    assert run("why", made["packet_id"][:7]).out == run("why").out
    assert "facade was not among" in run("why", "facade").out
    done = run("why", "0" * 12)
    assert (done.code, "haversack report --log lists them" in done.err) == (1, True)
    assert made["packet_id"] in run("report", "--log").out
    assert made["packet_id"] in run("report", "--log", "--json").out


def test_why_without_packets_says_how_to_make_one(run: Run, project: Path) -> None:
    done = run("why")
    assert done.code == 1
    assert "haversack pack" in done.err


def test_report_sums_up(run: Run, project: Path) -> None:
    assert "No packets yet" in run("report").out
    assert run("report", "--session", "gone").out.startswith("No packets of session gone.")
    run("pack", TASK, "--session", "one")
    run("pack", "show the session", "--session", "two")
    assert json.loads(run("report", "--json").out)["packets"] == 2
    assert json.loads(run("report", "--session", "one", "--json").out)["packets"] == 1
    assert run("report").out.startswith("packets")


def test_score_shows_every_factor(run: Run, project: Path) -> None:
    done = run("score", "src/shop/login.py", "--task", TASK)
    assert done.code == 0
    for factor in ("task_alignment", "recency", "file_type", "explicit"):
        assert factor in done.out
    found = json.loads(run("score", "src/shop/login.py", "--task", TASK, "--json").out)
    scores = [unit["score"] for unit in found["units"]]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert set(found["units"][0]["factors"]) == set(FACTORS)
    # The same factors as in a packet for that task.
    shown = {unit["id"]: {name: each["value"] for name, each in unit["factors"].items()} for unit in found["units"]}
    packed = [item for item in json.loads(run("pack", TASK, "--json").out)["items"] if item["id"] in shown]
    assert packed
    for item in packed:
        assert {name: shown[item["id"]][name] for name in item["factors"]} == item["factors"]


@pytest.mark.parametrize("level", ["full", "detailed", "summary", "stub"])
def test_summarize_at_every_level(run: Run, project: Path, level: str) -> None:
    done = run("summarize", "src/shop/login.py", "--level", level)
    assert done.code == 0
    assert done.out.strip()
    found = json.loads(run("summarize", "src/shop/login.py", "--level", level, "--json").out)
    assert found["level"] == level


def test_the_same_call_gives_the_same_bytes_in_every_process(project: Path) -> None:
    program = [sys.executable, "-c", "from haversack.cli.main import main; main()", "pack", TASK]
    import os

    seen = {
        subprocess.run(program, capture_output=True, check=True, env={**os.environ, "PYTHONHASHSEED": str(seed)}).stdout
        for seed in range(3)
    }
    assert len(seen) == 1


def test_the_log_says_when_an_encoder_looked_again(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "reranked" not in run("-v", "pack", TASK).err
    monkeypatch.setenv("HAVERSACK_INDEX__RERANK", "minilm")
    assert re.search(r"reranked by=all-MiniLM-L6-v2\S* candidates=\d+ seen=\d+ known=\d+", run("-v", "pack", TASK).err)
