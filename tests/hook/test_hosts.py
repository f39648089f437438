"""Every host is recognised by what it sends, and answered in its own shape."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from haversack.hook.hosts import answer, recognise
from haversack.hook.moment import Kind, Moment
from haversack.hook.worth import worth_asking
from tests.hook.payloads import Payload, claude, codex, cursor, gemini

PROMPTS = [
    (claude("UserPromptSubmit", prompt="why?"), "claude-code"),
    (codex("UserPromptSubmit", prompt="why?"), "codex"),
    (cursor("beforeSubmitPrompt", prompt="why?", attachments=[]), "cursor"),
    (gemini("BeforeAgent", prompt="why?"), "gemini-cli"),
]
STARTS = [
    (claude("SessionStart", source="startup", model="opus"), "claude-code"),
    (codex("SessionStart", source="startup"), "codex"),
    (cursor("sessionStart", is_background_agent=False), "cursor"),
    (gemini("SessionStart", source="startup"), "gemini-cli"),
]


def moment(payload: Payload) -> Moment:
    found = recognise(payload)
    assert found is not None
    return found


@pytest.mark.parametrize(("payload", "host"), PROMPTS)
def test_prompts(payload: Payload, host: str) -> None:
    found = moment(payload)
    assert (found.host, found.kind, found.prompt, found.folder) == (host, Kind.PROMPT, "why?", "/shop")
    assert found.ledger.startswith(f"{host}:")
    assert len(found.ledger) > len(host) + 1


@pytest.mark.parametrize(("payload", "host"), STARTS)
def test_starts(payload: Payload, host: str) -> None:
    assert (moment(payload).host, moment(payload).kind) == (host, Kind.START)


def test_a_codex_session_without_a_rollout_file_is_codex() -> None:
    assert moment(codex("SessionStart") | {"transcript_path": None}).host == "codex"


# As Claude Code 2.1.197, Codex 0.166 and Gemini CLI 0.61 sent them in a session in which a test failed.
RECORDED = json.loads(Path(__file__).with_name("recorded.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("host", "payloads"), RECORDED.items())
def test_what_the_real_programs_send_is_understood(host: str, payloads: list[Payload]) -> None:
    found = [moment(payload) for payload in payloads]
    assert {each.host for each in found} == {host}
    assert {each.folder for each in found} == {"/shop"}
    kinds = [Kind.START, Kind.PROMPT, *[Kind.TOOL] * (len(found) - 3), Kind.END]
    assert [each.kind for each in found] == kinds
    assert found[0].source == "startup"
    assert found[1].prompt == "why does refresh_session fail for an expired session?"
    failing = found[-2]
    assert failing.command.endswith("-m pytest -q tests_x/test_fail.py")
    assert "shop/session.py:22: AttributeError" in failing.output
    assert worth_asking(failing)


def test_gemini_is_known_to_have_compacted_by_its_transcript(tmp_path: Path) -> None:
    """Its event for compaction comes before every turn, and so tells nothing."""
    assert recognise(gemini("PreCompress", trigger="auto")) is None
    chat = tmp_path / "chat.jsonl"
    payload = gemini("BeforeAgent", prompt="why?") | {"transcript_path": str(chat)}
    assert moment(payload).compactions == 0
    begun = '{"sessionId":"9e31"}\n{"$set":{"messages":[{"type":"user","content":[{"text":"<session_context>"}]}]}}\n'
    chat.write_text(
        f'{begun}{{"type":"user","content":[{{"text":"what is a <state_snapshot>?"}}]}}\n', encoding="utf-8"
    )
    assert moment(payload).compactions == 0
    with chat.open("a", encoding="utf-8") as file:
        file.write(
            '{"$set":{"messages":[{"type":"user","content":[{"text":"<state_snapshot>…</state_snapshot>"}]}]}}\n'
        )
    assert moment(payload).compactions == 1
    assert moment(payload | {"transcript_path": 7}).compactions == 0
    assert moment(payload | {"transcript_path": "\0"}).compactions == 0


@pytest.mark.parametrize(
    ("payload", "kind"),
    [
        (claude("PreCompact", trigger="auto"), Kind.COMPACT),
        (claude("SessionEnd", reason="exit"), Kind.END),
        (cursor("preCompact"), Kind.COMPACT),
        (cursor("sessionEnd"), Kind.END),
        (gemini("SessionEnd", reason="exit"), Kind.END),
    ],
)
def test_compaction_and_ends(payload: Payload, kind: Kind) -> None:
    assert moment(payload).kind is kind


@pytest.mark.parametrize("payload", [{}, {"hook_event_name": "Stop"}, {"hook_event_name": 7}, {"event": "x"}])
def test_others_are_not_known(payload: Payload) -> None:
    assert recognise(payload) is None


def test_a_payload_of_wrong_types_is_still_read() -> None:
    found = moment({"hook_event_name": "UserPromptSubmit", "prompt": 7, "session_id": [], "cwd": None})
    assert (found.prompt, found.session, found.ledger) == ("", "", "")


@pytest.mark.parametrize("payload", [payload for payload, host in (*PROMPTS, *STARTS) if host != "cursor"])
def test_the_answer_of_most_hosts(payload: Payload) -> None:
    assert json.loads(answer(moment(payload), 'text "é"\n')) == {
        "hookSpecificOutput": {"hookEventName": payload["hook_event_name"], "additionalContext": 'text "é"\n'}
    }


def test_the_answer_of_cursor() -> None:
    assert json.loads(answer(moment(cursor("sessionStart")), "text")) == {"additional_context": "text"}


def test_the_folder_of_a_session_without_one_is_where_the_hook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PWD", "/here")
    assert moment({"hook_event_name": "BeforeAgent", "workspace_roots": []}).folder == "/here"


FAILED = [
    claude("PostToolUseFailure", tool_name="Bash", tool_input={"command": "pytest"}, error="Exit code 1\n1 failed"),
    claude("PostToolUse", tool_name="Bash", tool_input={"command": "pytest"},
           tool_response={"stdout": "1 failed", "stderr": "", "exit_code": 1}),
    codex("PostToolUse", tool_name="Bash", tool_input={"command": ["pytest"]},
          tool_response={"output": "1 failed", "metadata": {"exit_code": 1}}),
    codex("PostToolUse", tool_name="Bash", tool_input='{"cmd": "pytest"}', tool_response="Exit code: 1\n1 failed"),
    cursor("postToolUse", tool_name="Shell", tool_input={"command": "pytest"},
           tool_output='{"exitCode": 1, "stdout": "1 failed"}'),
    cursor("postToolUseFailure", tool_name="Shell", tool_input={"command": "pytest"}, error_message="1 failed"),
    gemini("AfterTool", tool_name="run_shell_command", tool_input={"command": "pytest"},
           tool_response={"llmContent": [{"text": "Command: pytest\nOutput: 1 failed\nExit Code: 1"}]}),
]  # fmt: skip


@pytest.mark.parametrize("payload", FAILED)
def test_a_failing_command_in_every_form(payload: Payload) -> None:
    found = moment(payload)
    assert (found.command, found.failed) == ("pytest", True)
    assert "1 failed" in found.output


@pytest.mark.parametrize(
    ("response", "failed"),
    [({"stdout": "ok", "exit_code": 0}, False), ({"stdout": "ok"}, None), (None, None), ("{not json", None),
     ({"exit_code": True, "stdout": "ok"}, None)],
)  # fmt: skip
def test_how_a_command_ended_is_told_only_where_the_host_tells(response: object, failed: bool | None) -> None:
    payload = claude("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_response=response)
    assert moment(payload).failed is failed


@pytest.mark.parametrize("given", [None, "ls", {"file_path": "x"}, {"command": 3}])
def test_a_tool_without_a_command_has_none(given: object) -> None:
    assert moment(claude("PostToolUse", tool_name="Read", tool_input=given, tool_response="x")).command == ""
