"""Memory on the command line: what the library can do, the program can."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from running import Run

STORY = ("--goal", "Stop the crash", "--hypothesis", "queue closed", "--action", "keep it open", "--prediction", "calm")


def start(run: Run, *more: str) -> str:
    done = run("experience", "start", "--domain", "debugging", "--strategy", "read-the-error", *STORY, *more, "--json")
    return str(json.loads(done.out)["id"])


def test_remember_counts_and_supersedes(project: Path, run: Run) -> None:
    first = run(
        "remember", "The till listens on port 8080", "--path", "src/shop/login.py", "--source", "commit:1a2b3c4"
    )
    assert (first.code, first.out.split()[1]) == (0, "remembered")
    assert "said 2 times" in run("remember", "the till listens on port 8080").out
    changed = run("remember", "The till listens on port 9090")
    assert f"supersedes {first.out.split()[0]}" in changed.out
    listed = run("memories", "--all").out
    assert "[superseded] The till listens on port 8080 (said 2 times)" in listed
    assert "8080" not in run("memories").out
    assert run("search", "till listens port").out.count("The till listens") == 1


def test_remember_reads_standard_input_and_warns(project: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"bell \x07 rings\n")))
    done = run("remember", "-", "--category", "event", "--no-merge")
    assert "warning: memory: holds control characters" in done.err
    shown = json.loads(run("memories", "--json").out)[0]
    assert (shown["text"], shown["category"]) == ("bell \x07 rings", "event")
    assert "bell \\x07 rings" in run("memories", shown["id"]).out


def test_edit_supersede_and_forget(project: Path, run: Run) -> None:
    made = json.loads(run("remember", "We meet on Mondays", "--tag", "team", "--json").out)
    assert "nothing to change" in run("edit", made["id"]).err
    assert run("edit", made["id"], "--text", "We meet on Tuesdays", "--importance", "1").out.endswith("changed\n")
    assert json.loads(run("edit", made["id"], "--scope", "org", "--json").out)["scope"] == "org"
    new = json.loads(run("supersede", made["id"], "There are no meetings", "--json").out)
    assert (new["supersedes"], new["scope"], new["tags"]) == ([made["id"]], "org", ["team"])
    assert "supersedes" in run("supersede", new["id"], "One meeting a month").out
    assert run("edit", made["id"], "--status", "live").code == 0
    assert json.loads(run("forget", made["id"], "--json").out) == {"forgotten": made["id"]}
    assert "there is no memory" in run("memories", made["id"]).err
    assert "there is no memory" in run("forget", "nothing").err


def test_an_experience_is_recorded_listed_and_shown(project: Path, run: Run) -> None:
    assert "no experiences" in run("experience", "list").err
    name = start(run, "--session", "mine")
    assert "iteration 2" in run("experience", "update", "--hypothesis", "driver crashes", "--note", "hm").out
    done = run("experience", "resolve", "--outcome", "falsified", "--surprise", "the clock", "--auto-captured")
    assert f"{name}  falsified" in done.out
    assert json.loads(run("experience", "list", "--outcome", "falsified", "--json").out)[0]["confidence_tier"] == "gold"
    assert "Surprise: the clock" in run("experience", "show", name).out
    assert name in run("experience", "list", "--limit", "1").out
    assert "forgotten" in run("forget", name).out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("start", "--domain", "debugging"), "needs --strategy, --goal"),
        (("start", "--domain", "cooking", "--strategy", "ask-user", *STORY), "known: debugging"),
        (("resolve",), "needs --outcome"),
        (("show",), "which experience"),
        (("list", "--goal", "x"), "has no --goal"),
        (("update", "--session", "x"), "has no --session"),
        (("update", "--note", "x"), "no experience is under way"),
    ],
)
def test_mistakes_with_experiences_are_named(project: Path, run: Run, words: tuple[str, ...], said: str) -> None:
    done = run("experience", *words)
    assert done.code != 0
    assert said in done.err


def test_values_say_when_there_are_too_few(project: Path, run: Run) -> None:
    assert "too few to tell" in run("values").err
    found = json.loads(run("values", "--axis", "full", "--json").out)
    assert (found["values"], found["experiences"]) == ([], {"full": 0})


def test_export_and_import_carry_everything(project: Path, run: Run, tmp_path: Path) -> None:
    assert "nothing is remembered yet" in run("memories").err
    run("remember", "The till is green")
    start(run)
    out = tmp_path / "out.jsonl"
    assert "2 lines written" in run("export", str(out)).err
    assert run("export").out == out.read_text()
    assert json.loads(run("export", "--kind", "memory").out)["text"] == "The till is green"
    assert "known already: 1 experience, 1 memory" in run("import", str(out)).out
    out.write_text('{"kind": "memory", "text": "a"}\n{"kind": "memory", "text": "b"}\n{"x": 1}\n' + "{\n" * 102)
    done = run("import", str(out))
    assert "new: 2 memories" in done.out
    assert "passed over: 1 times a record with x" in done.err
    assert "2 more problems" in done.err
    assert json.loads(run("import", str(out), "--json").out)["skipped"] == {"a record with x": 1}
    out.write_text("")
    assert "nothing in it could be remembered" in run("import", str(out)).err
    assert run("import", str(tmp_path / "gone")).code == 2


def test_the_library_remembers_many_at_once(project: Path, tmp_path: Path) -> None:
    from haversack import Haversack
    from haversack.memory.nouns import Memory

    with Haversack(project, data_dir=tmp_path / "data", flags={"index.semantic": False}) as haversack:
        made = haversack.remember_many([Memory("one"), Memory("two"), Memory("one")])
        assert [each.merged for each in made] == [False, False, True]
        assert [each.text for each in haversack.memories(category="fact", scope="project")] == ["one", "two"]
        assert haversack.experiences(domain="debugging", strategy="ask-user") == []
        haversack.start_experience(
            domain="testing", strategy="ask-user", goal="g", hypothesis="h", action="a", prediction="p"
        )
        assert haversack.resolve_experience(outcome="abandoned").weight == 0.2
        assert "switched off" in haversack.values().problems[0].what
        edited = haversack.edit(made[0].memory.id, status="superseded").memory
        assert str(edited.status) == "superseded"
