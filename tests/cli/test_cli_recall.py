"""What memory is asked on the command line: the same as in the library, as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import Run

from haversack.cli.commands.context import TYPES
from haversack.recall.context.nouns import WEIGHTS
from haversack.recall.verbs import Recall
from haversack.remembering import Remembering


@pytest.fixture
def remembered(run: Run, project: Path) -> Path:
    for text, category in (
        ("login raises ValueError without a password. Fix: ask for it", "error"),
        ("Sign users in with login, then send them to redirect_target", "workflow"),
    ):
        assert run("remember", text, "--category", category, "--path", "src/shop/login.py").code == 0
    story = {"domain": "debugging", "strategy": "read-the-error", "goal": "Keep users signed in",
             "hypothesis": "The session is lost", "action": "Log it", "prediction": "It is empty"}  # fmt: skip
    start = [word for name, text in story.items() for word in (f"--{name}", text)]
    assert run("experience", "start", *start).code == 0
    ended = ("--outcome", "falsified", "--result", "It is there", "--surprise", "The name was empty")
    assert run("experience", "resolve", *ended).code == 0
    return project


def test_recall_prints_a_line_a_result_and_what_the_answer_is_worth(run: Run, remembered: Path) -> None:
    found = run("recall", "login without a password")
    assert found.code == 0
    lines = found.out.splitlines()
    assert "error: login raises ValueError" in lines[0]
    assert "[src/shop/login.py" in lines[0]
    assert "of the question covered" in lines[-1]


def test_recall_as_json_has_the_shape_of_the_seed(run: Run, remembered: Path) -> None:
    answer = json.loads(run("recall", "login without a password", "--json", "--limit", "1").out)
    (result,) = answer["results"]
    assert {"id", "summary", "utilityScore", "type", "citations"} <= set(result)
    assert {"completenessScore", "redundancyRatio", "gaps", "minimal"} <= set(answer["certificate"])
    assert {"complexity", "strategy", "k", "resultCount", "estimatedTokens"} <= set(answer["metadata"])
    shown = json.loads(run("details", result["id"], "--json").out)
    assert {"id", "full_content", "metadata", "citations", "relatedEntries"} <= set(shown)
    (moment, *_) = json.loads(run("timeline", result["id"], "--json").out)
    assert {"id", "task", "reward", "timestamp", "relation"} <= set(moment)


def test_nothing_found_is_said_with_the_way_on(run: Run, remembered: Path) -> None:
    found = run("recall", "zeppelin")
    assert found.code == 0
    assert "nothing found" in found.err
    assert "ask the user" in found.err


def test_layers_as_text(run: Run, remembered: Path) -> None:
    assert "same_task" in run("timeline", "ghap_").out
    whole = run("details", "ghap_").out
    assert "Goal: Keep users signed in" in whole
    assert run("details", "nosuch").code == 1


def test_lessons(run: Run, remembered: Path) -> None:
    gotchas = run("gotchas", "--file", "src/shop/login.py").out
    assert "what helped: ask for it" in gotchas
    assert "seen 1×" in gotchas
    assert json.loads(run("gotchas", "login", "--json").out)[0]["occurrence_count"] == 1
    assert "worked 1×" in run("patterns", "sign users in").out
    assert json.loads(run("patterns", "sign users in", "--json").out)[0]["success_count"] == 1
    assert run("patterns", "zeppelin").err == run("gotchas", "zeppelin").err == "nothing found\n"
    assert "## Pitfalls" in run("skill", "login").out
    assert json.loads(run("skill", "login", "--json").out)["confidence"] > 0
    assert "nothing is known" in run("skill", "zeppelin").err


def test_context_and_premortem(run: Run, remembered: Path) -> None:
    assert run("context", "login password").out.startswith("# Context\n")
    assert json.loads(run("context", "login", "--from", "memories", "--json").out)["sources_used"] == {"memory": 2}
    assert "over the limit" in run("context", "login password", "--max-tokens", "20", "--soft").err
    assert "nothing found" in run("context", "zeppelin", "--from", "memories").err
    assert "Based on 1 past experiences" in run("premortem", "debugging", "--strategy", "read-the-error").out
    assert json.loads(run("premortem", "debugging", "--json").out)["experiences"] == 1
    assert "no experience" in run("premortem", "security").err


def test_wrong_words_are_wrong_usage_and_list_the_known(run: Run, remembered: Path) -> None:
    for args in (("premortem", "astrology"), ("premortem", "debugging", "--strategy", "luck")):
        found = run(*args)
        assert found.code == 2
        assert "known: " in found.err
    assert run("recall", " ").code == 2
    assert run("recall", "x", "--intent", "guess").code == 2
    assert run("outcome", "last").code == 2


def test_outcomes(run: Run, remembered: Path) -> None:
    assert "too little" in run("outcome").err
    packet = json.loads(run("recall", "login without a password", "--json").out)
    reported = run("outcome", packet["packet"], "1", "--used", packet["results"][0]["id"])
    assert "reward 1, 1 items" in reported.err
    other = json.loads(run("recall", "login users in without password", "--intent", "how_to", "--json").out)
    kept = json.loads(run("outcome", other["packet"], "0", "--used", other["results"][1]["id"], "--json").out)
    assert kept["reward"] == 0.0
    effects = json.loads(run("outcome", "--json").out)
    assert set(effects) == set()  # each carried what the other used: nothing to compare with
    assert run("outcome", "nosuch", "1").code == 1


def test_the_types_of_context_are_those_of_the_library() -> None:
    assert tuple(WEIGHTS) == TYPES


def test_what_the_library_can_do_with_memory_the_command_line_can(run: Run) -> None:
    verbs = {
        "remember": "remember", "remember_many": "import", "memories": "memories",
        "edit": "edit", "supersede": "supersede", "forget": "forget", "values": "values",
        "start_experience": "experience", "update_experience": "experience", "resolve_experience": "experience",
        "experiences": "experience", "export_memory": "export", "import_memory": "import",
        "search_memory": "recall", "get_timeline": "timeline", "get_details": "details", "get_skill": "skill",
        "search_patterns": "patterns", "search_gotchas": "gotchas", "assemble_context": "context",
        "get_premortem_context": "premortem", "report_outcome": "outcome", "uplift": "outcome",
    }  # fmt: skip
    inside = {"assembler", "uplifts"}  # the async interface, and what ranking reads
    public = {name for of in (Remembering, Recall) for name in vars(of) if not name.startswith("_")} - inside
    assert public == verbs.keys()
    listed = {line.split()[0] for line in run("--help").out.splitlines() if line.startswith("  ") and line.strip()}
    assert set(verbs.values()) <= listed
