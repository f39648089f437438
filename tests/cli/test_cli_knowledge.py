"""`haversack agent` and `haversack knowledge`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import Run
from tests.histories import git

from haversack.tokens import counter

DECISIONS = """# Decisions

## [2026-07-25-190410] Keep one key

**Status**: Accepted

## [2026-01-20] A key per project

**Status**: Superseded by [2026-07-25] Keep one key
"""


@pytest.fixture
def context(project: Path) -> Path:
    folder = project / ".context"
    folder.mkdir()
    (folder / "DECISIONS.md").write_text(DECISIONS)
    (folder / "TASKS.md").write_text("- [ ] Rotate the key #added:2026-07-26\n- [x] Make a key\n")
    return folder


def test_agent_prints_what_was_counted(context: Path, run: Run) -> None:
    found = run("agent", "--budget", "400", "--task", "keys")
    assert found.code == 0
    assert "Keep one key" in found.out
    assert counter().count(found.out) <= 400
    assert json.loads(run("agent", "--json").out)["tasks"] == ["- Rotate the key [.context/TASKS.md:1]"]
    assert json.loads(run("agent", "--format", "json", "--profile", "ctx").out)["decisions"]


def test_agent_is_silent_within_the_cooldown(context: Path, run: Run) -> None:
    assert run("agent", "--session", "s", "--cooldown", "5").out
    assert run("agent", "--session", "s", "--cooldown", "5").out == ""


def test_agent_refuses_a_negative_budget_and_warns_when_json_cannot_be_that_small(context: Path, run: Run) -> None:
    assert run("agent", "--budget", "-1").code == 2
    assert "exceed the budget of 5" in run("agent", "--budget", "5", "--json").err


def test_knowledge_lists_what_still_holds_with_ids_that_show_opens(context: Path, run: Run) -> None:
    entries = json.loads(run("knowledge", "--json").out)
    assert [entry["title"] for entry in entries] == ["Rotate the key", "Keep one key"]
    assert entries[1] == {
        "id": entries[1]["id"],
        "kind": "decision",
        "title": "Keep one key",
        "date": "2026-07-25",
        "status": "live",
        "path": ".context/DECISIONS.md",
        "line": 3,
    }
    assert "**Status**: Accepted" in run("show", entries[1]["id"]).out


def test_knowledge_can_be_narrowed_and_widened(context: Path, run: Run) -> None:
    assert len(run("knowledge").out.splitlines()) == 2
    assert len(run("knowledge", "--kind", "decision").out.splitlines()) == 1
    assert len(run("knowledge", "--since", "2026-07-26").out.splitlines()) == 1
    everything = run("knowledge", "--all").out
    assert "[superseded] A key per project" in everything
    assert "[done] Make a key" in everything
    record = context.parent / "docs/adr/0001-keys.md"
    record.parent.mkdir(parents=True)
    record.write_text("# 1. Keys\n\nDate: 2026-07-01\n\n## Status\n\nAccepted\n")
    assert "2026-07-01  1. Keys" in run("knowledge", "--kind", "adr").out
    assert run("knowledge", "--kind", "adr", "--since", "2026-07-02").out == ""
    wrong = run("knowledge", "--kind", "poem")
    assert wrong.code == 2
    assert "known kinds: rule, task" in wrong.err


def test_a_project_without_knowledge_says_where_it_would_be_read_from(project: Path, run: Run) -> None:
    found = run("knowledge")
    assert (found.code, found.out) == (0, "")
    assert ".context/" in found.err


def test_trace_prints_what_led_to_each_thing(context: Path, run: Run) -> None:
    (context / "LEARNINGS.md").write_text("## [2026-07-01] Redirects\n\n**Lesson**: test redirect_target() first.\n")
    found = run("trace", "src/shop/login.py")
    assert found.code == 0
    assert "learning" in found.out
    assert "names redirect_target" in found.out
    listed = json.loads(run("trace", "src/shop/login.py:6-8", "--json").out)
    assert {"id", "kind", "edge", "citations", "path"} <= set(listed[0])
    assert "nothing written down" in run("trace", ".context/TASKS.md").err
    assert run("trace", "nowhere.py").code == 1


def test_a_trace_says_how_many_commits_it_does_not_show(
    project: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "src/shop/login.py").write_text("def other(): ...\n")
    git(project, "commit", "-qam", "Sign in otherwise")
    assert "commits; `git log" not in run("trace", "src/shop/login.py").out
    monkeypatch.setattr("haversack.retrieve.trace.COMMITS", 1)
    assert "the newest 1 of 2 commits; `git log -- PATH` has all" in run("trace", "src/shop/login.py").out
