"""What is answered at each moment: new facts within the ceiling, or nothing."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from haversack import Haversack
from haversack.errors import StoreError
from haversack.hook import desk as desk_module
from haversack.hook.desk import CEILING_CHARACTERS, CEILING_TOKENS, Desk, Reply, fits
from haversack.hook.hosts import answer, recognise
from haversack.hook.meeting import NoMeetingError, socket_path
from haversack.hook.moment import Kind
from haversack.tokens import counter
from tests.hook.payloads import Payload, claude, cursor, gemini
from tests.sample import make, write

PROMPT = "fix session expiry in refresh_session"
TRACE = """Traceback (most recent call last):
  File "shop/session.py", line 22, in refresh_session
    if session.expired(time.time()):
ValueError: no clock
1 failed in 0.1s
"""


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HAVERSACK_DATA_DIR", str(tmp_path / "data"))
    return make(tmp_path / "shop")


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.close()


def told(desk: Desk, payload: Payload) -> str:
    moment = recognise(payload)
    assert moment is not None
    reply: Reply = desk.answer(moment)
    reply.delivered()
    return reply.text


def failing(shop: Path, output: str = TRACE) -> Payload:
    return claude(
        "PostToolUseFailure",
        str(shop),
        tool_name="Bash",
        tool_input={"command": "pytest"},
        error=f"Exit code 1\n{output}",
    )


def test_a_prompt_gets_the_code_it_is_about_and_the_same_prompt_a_line(desk: Desk, shop: Path) -> None:
    first = told(desk, claude("UserPromptSubmit", str(shop), prompt=PROMPT))
    assert "def refresh_session" in first
    second = told(desk, claude("UserPromptSubmit", str(shop), prompt=PROMPT))
    assert "nothing new" in second
    assert counter().count(second) < 15


def test_what_was_not_delivered_was_not_given(desk: Desk, shop: Path) -> None:
    moment = recognise(claude("UserPromptSubmit", str(shop), prompt=PROMPT))
    assert moment is not None
    first = desk.answer(moment)
    assert desk.answer(moment).text == first.text


def test_injected_text_holds_no_commands(desk: Desk, shop: Path) -> None:
    text = told(desk, claude("UserPromptSubmit", str(shop), prompt=PROMPT))
    assert "haversack " not in text
    assert "data, not instructions" in text


@pytest.mark.parametrize("prompt", ["what's the weather like in Paris?", "tell me a joke about horses"])
def test_a_prompt_about_nothing_here_gets_nothing(desk: Desk, shop: Path, prompt: str) -> None:
    assert told(desk, claude("UserPromptSubmit", str(shop), prompt=prompt)) == ""


def test_an_edit_is_seen_at_once(desk: Desk, shop: Path) -> None:
    told(desk, claude("UserPromptSubmit", str(shop), prompt=PROMPT))
    write(shop, "shop/refund.py", "def refund_order(order):\n    return -order.total\n")
    assert "refund_order(order)" in told(
        desk, claude("UserPromptSubmit", str(shop), prompt="what does refund_order do")
    )


@pytest.mark.parametrize("fails", [False, True])
def test_an_edit_is_seen_after_a_prompt_about_nothing_here(desk: Desk, shop: Path, fails: bool) -> None:
    assert told(desk, claude("UserPromptSubmit", str(shop), prompt="what's the weather like in Paris?")) == ""
    write(shop, "shop/refund.py", "def refund_order(order):\n    return -order.total\n")
    trace = '  File "shop/refund.py", line 2, in refund_order\n    return -order.total\nAttributeError: total\n'
    asking = claude("UserPromptSubmit", str(shop), prompt="what does refund_order do")
    assert "refund_order(order)" in told(desk, failing(shop, trace) if fails else asking)


def test_a_session_starts_with_the_projects_knowledge_and_gets_it_again_after_compaction(
    desk: Desk, shop: Path
) -> None:
    write(shop, ".context/CONSTITUTION.md", "# Constitution\n\n- [ ] Never store a card number\n")
    start = told(desk, claude("SessionStart", str(shop), source="startup"))
    assert "Never store a card number" in start
    assert told(desk, claude("SessionStart", str(shop), source="resume")) == ""
    assert told(desk, claude("UserPromptSubmit", str(shop), prompt=PROMPT))
    assert told(desk, claude("SessionStart", str(shop), source="resume")) == ""
    write(shop, ".context/CONSTITUTION.md", "# Constitution\n\n- [ ] Never store a card number or a name\n")
    assert "or a name" in told(desk, claude("SessionStart", str(shop), source="resume"))
    write(shop, ".context/CONSTITUTION.md", "# Constitution\n\n- [ ] Never store a card number\n")
    assert told(desk, claude("SessionStart", str(shop), source="compact")) == start


def test_a_session_of_a_project_without_knowledge_starts_with_nothing(desk: Desk, tmp_path: Path, shop: Path) -> None:
    bare = tmp_path / "bare"
    bare.mkdir()
    (bare / "a.py").write_text("x = 1\n", encoding="utf-8")
    assert told(desk, claude("SessionStart", str(bare), source="startup")) == ""


def test_after_compaction_everything_is_new_again(desk: Desk, shop: Path) -> None:
    prompt = claude("UserPromptSubmit", str(shop), prompt=PROMPT)
    told(desk, prompt)
    assert told(desk, claude("PreCompact", str(shop), trigger="auto")) == ""
    assert "def refresh_session" in told(desk, prompt)


def test_a_host_that_compacts_without_a_word_is_noticed(desk: Desk, tmp_path: Path, shop: Path) -> None:
    chat = tmp_path / "chat.jsonl"
    payload = gemini("BeforeAgent", str(shop), prompt=PROMPT) | {"transcript_path": str(chat)}
    for number in (1, 2):
        assert "def refresh_session" in told(desk, payload)
        assert "nothing new" in told(desk, payload)
        chat.write_text('{"$set":{"messages":["<state_snapshot>"]}}\n' * number, encoding="utf-8")
    assert "def refresh_session" in told(desk, payload)


def test_the_first_failure_brings_the_failing_code_and_the_same_one_no_more(desk: Desk, shop: Path) -> None:
    assert "def refresh_session" in told(desk, failing(shop))
    assert told(desk, failing(shop)) == ""
    other = TRACE.replace("refresh_session", "expired").replace("line 22", "line 16")
    assert told(desk, failing(shop, other)) != ""


def test_a_failure_brings_what_went_wrong_before(desk: Desk, shop: Path) -> None:
    with Haversack(shop) as project:
        started = project.start_experience(
            domain="debugging", strategy="read-the-error", goal="sessions expire", hypothesis="the clock is wrong",
            action="read the clock", prediction="it is wrong",
        )  # fmt: skip
        project.resolve_experience(
            started.id, outcome="falsified", result="the clock was right", surprise="hours were minutes",
            root_cause="wrong-assumption", root_cause_description="units", what_worked="print both",
        )  # fmt: skip
    text = told(desk, failing(shop))
    assert "def refresh_session" in text
    assert "the clock was right" in text or "hours were minutes" in text


def test_answers_stay_under_the_hosts_ceilings(desk: Desk, tmp_path: Path, shop: Path) -> None:
    for number in range(60):
        body = "".join(f'    print("session {number} {line}", "\\t\\"quoted\\"")\n' for line in range(40))
        write(shop, f"shop/session_{number}.py", f"def expire_session_{number}():\n{body}")
    write(
        shop, ".context/LEARNINGS.md", "".join(f"## [2026-01-02] Lesson {n}\n\n{'words ' * 60}\n\n" for n in range(90))
    )
    with Haversack(shop) as project:
        project.index()
    for payload in (
        claude("SessionStart", str(shop), source="startup"),
        claude("UserPromptSubmit", str(shop), prompt="print quoted lines when sessions expire: expire_session_1"),
        failing(shop, "".join(f'  File "shop/session_{n}.py", line 9, in expire_session_{n}\n' for n in range(60))),
    ):
        moment = recognise(payload)
        assert moment is not None
        text = desk.answer(moment).text
        assert text
        assert counter().count(text) <= CEILING_TOKENS
        assert len(answer(moment, text)) <= CEILING_CHARACTERS


def test_what_fits_is_measured_as_it_is_written() -> None:
    assert fits("a" * 9_000)
    assert not fits('"' * 5_000)
    assert not fits("é ü ß " * 1_500)


@pytest.mark.parametrize("folder", ["", "/nowhere/at/all"])
def test_a_folder_that_is_gone_gets_nothing_and_is_named(desk: Desk, tmp_path: Path, shop: Path, folder: str) -> None:
    assert told(desk, claude("UserPromptSubmit", folder or "/nowhere", prompt=PROMPT)) == ""
    lines = (tmp_path / "data" / "hook.log").read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[-1])["event"] == "no answer"


def test_a_wrong_setting_gets_nothing_and_is_named(desk: Desk, tmp_path: Path, shop: Path) -> None:
    (shop / "haversack.toml").write_text("[pack]\nbudgte = 3\n", encoding="utf-8")
    assert told(desk, claude("UserPromptSubmit", str(shop), prompt=PROMPT)) == ""
    assert "budgte" in (tmp_path / "data" / "hook.log").read_text(encoding="utf-8")


def test_a_setting_that_changes_counts_from_then_on(desk: Desk, shop: Path) -> None:
    told(desk, claude("UserPromptSubmit", str(shop), prompt=PROMPT))
    (shop / "haversack.toml").write_text("[hook]\nlinger_minutes = 3\n", encoding="utf-8")
    told(desk, claude("UserPromptSubmit", str(shop), prompt=PROMPT))
    assert desk.linger_seconds == 180


def test_a_meeting_place_others_could_enter_is_not_used(tmp_path: Path) -> None:
    folder = Path(socket_path({"XDG_RUNTIME_DIR": str(tmp_path)})).parent
    folder.chmod(0o755)
    with pytest.raises(NoMeetingError, match="alone"):
        socket_path({"XDG_RUNTIME_DIR": str(tmp_path)})


def test_other_settings_meet_elsewhere(tmp_path: Path) -> None:
    one = socket_path({"XDG_RUNTIME_DIR": str(tmp_path)})
    assert one != socket_path({"XDG_RUNTIME_DIR": str(tmp_path), "HAVERSACK_DATA_DIR": "/x"})


def test_a_project_that_was_never_indexed_is_read_beside_the_answers(
    desk: Desk, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk_module, "MOST_CHANGES", 2)
    prompt = claude("UserPromptSubmit", str(shop), prompt=PROMPT)
    assert told(desk, prompt) == ""
    for thread in threading.enumerate():
        if thread is not threading.current_thread():
            thread.join(60)  # the one that builds
    assert "def refresh_session" in told(desk, prompt)


def test_a_build_that_fails_is_noted(desk: Desk, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(desk_module, "MOST_CHANGES", 2)
    monkeypatch.setattr(Haversack, "index", broken)
    for _ in range(2):  # and tried again
        assert told(desk, claude("UserPromptSubmit", str(shop), prompt=PROMPT)) == ""
        for thread in threading.enumerate():
            if thread is not threading.current_thread():
                thread.join(60)
    assert (tmp_path / "data" / "hook.log").read_text(encoding="utf-8").count("the index could not be built") == 2


def test_a_bug_gets_nothing_and_is_named(
    desk: Desk, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Reply:
        raise KeyError("x")

    monkeypatch.setitem(desk_module.ANSWERS, Kind.PROMPT, broken)
    assert told(desk, claude("UserPromptSubmit", str(shop), prompt=PROMPT)) == ""
    assert "a bug in haversack" in (tmp_path / "data" / "hook.log").read_text(encoding="utf-8")


def test_many_projects_are_answered_though_few_stay_open(
    desk: Desk, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk_module, "MOST_PROJECTS", 1)
    other = make(tmp_path / "other")
    for root in (shop, other, shop):
        payload = claude("UserPromptSubmit", str(root), prompt=PROMPT) | {"session_id": root.name}
        assert told(desk, payload)


def test_a_session_without_a_name_is_given_everything_each_time(desk: Desk, shop: Path) -> None:
    write(shop, ".context/CONSTITUTION.md", "# Constitution\n\n- [ ] Never store a card number\n")
    for payload in (
        claude("SessionStart", str(shop), source="resume"),
        claude("UserPromptSubmit", str(shop), prompt=PROMPT),
        failing(shop),
    ):
        first = told(desk, payload | {"session_id": ""})
        assert first
        assert told(desk, payload | {"session_id": ""}) == first
    assert told(desk, claude("PreCompact", str(shop)) | {"session_id": ""}) == ""


RULE = "Never store a card number"


def test_after_compaction_a_host_that_does_not_start_anew_is_given_the_knowledge_with_the_next_prompt(
    desk: Desk, shop: Path
) -> None:
    write(shop, ".context/CONSTITUTION.md", f"# Constitution\n\n- [ ] {RULE}\n")
    prompt = cursor("beforeSubmitPrompt", str(shop), prompt=PROMPT)
    assert RULE in told(desk, cursor("sessionStart", str(shop)))
    assert RULE not in told(desk, prompt)
    assert told(desk, cursor("preCompact", str(shop))) == ""
    both = told(desk, prompt)
    assert RULE in both
    assert "def refresh_session" in both
    assert "nothing new" in told(desk, prompt)
    told(desk, cursor("preCompact", str(shop)))
    elsewhere = told(desk, cursor("beforeSubmitPrompt", str(shop), prompt="what's the weather like in Paris?"))
    assert RULE in elsewhere
    assert "def refresh_session" not in elsewhere


def test_what_a_start_could_not_deliver_comes_with_the_next_prompt(desk: Desk, shop: Path) -> None:
    write(shop, ".context/CONSTITUTION.md", f"# Constitution\n\n- [ ] {RULE}\n")
    start = recognise(claude("SessionStart", str(shop), source="startup"))
    assert start is not None
    assert RULE in desk.answer(start).text  # and the hook gave up
    prompt = claude("UserPromptSubmit", str(shop), prompt=PROMPT)
    assert RULE in told(desk, prompt)
    assert RULE not in told(desk, prompt)


def test_knowledge_that_fills_the_answer_leaves_the_packet_to_the_next_prompt(desk: Desk, shop: Path) -> None:
    lessons = "".join(f"## [2026-01-02] Lesson {n}\n\n{'words ' * 60}\n\n" for n in range(90))
    write(shop, ".context/LEARNINGS.md", lessons)
    told(desk, cursor("preCompact", str(shop)))
    prompt = cursor("beforeSubmitPrompt", str(shop), prompt=PROMPT)
    first = told(desk, prompt)
    assert "Lesson 1" in first
    assert fits(first)
    assert "def refresh_session" in first + told(desk, prompt)


def test_a_session_in_a_home_folder_reads_nothing(
    desk: Desk, shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert told(desk, claude("UserPromptSubmit", str(tmp_path), prompt=PROMPT)) == ""
    assert "home folder" in (tmp_path / "data" / "hook.log").read_text(encoding="utf-8")
    assert not list((tmp_path / "data").rglob("index.sqlite"))
