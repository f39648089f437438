"""Every agent's transcripts are read where they lie: who said what, when, and on which line."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from pathlib import Path

import pytest
from tests.sources.conversation.talk import Talk, claude, jsonl, when

from haversack.sources.conversation.formats import claude as claude_format
from haversack.sources.conversation.times import seconds, written


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    return Talk.at(tmp_path)


def test_claude_code_keeps_words_and_leaves_out_tools_sidechains_and_what_hosts_inject(talk: Talk) -> None:
    path = talk.claude_file()
    path.write_text(
        claude(talk.root, [("user", "Why is the cart empty?")])
        + jsonl(
            {"type": "system", "uuid": "x", "parentUuid": "u0", "subtype": "hook"},
            {"type": "file-history-snapshot", "messageId": "m"},
        )
        + claude(
            talk.root,
            [
                ("assistant", [{"type": "thinking", "thinking": "hmm"}, {"type": "text", "text": "I look."}]),
                ("user", [{"type": "tool_result", "content": "a secret place"}]),
                ("assistant", [{"type": "text", "text": "It was never filled."}, {"type": "tool_use", "input": {}}]),
                ("user", "<system-reminder>not said</system-reminder>Fill it then."),
            ],
            start=1,
            parent="x",
        )
        + claude(talk.root, [("user", "a subagent's prompt")], start=5, parent="u4", isSidechain=True)
        + claude(talk.root, [("user", "Caveat: meta")], start=6, parent="u4", isMeta=True)
        + claude(talk.root, [("user", "What was done so far")], start=7, parent="u4", isCompactSummary=True)
    )
    talk.refresh()
    assert talk.messages == [
        "user: Why is the cart empty?",
        "assistant: I look.",
        "assistant: It was never filled.",
        "user: Fill it then.",
        "summary: What was done so far",
    ]
    first = talk.all[0]
    assert (first.source, first.path, first.trust, first.meta["speaker"]) == (
        "conversation",
        None,
        "transcript",
        "user",
    )
    assert first.time == seconds(when(0))
    assert str(first.citations[0]) == f"{path}:1-1"
    assert first.text == "[2026-11-01 00:00] user: Why is the cart empty?"
    assert not talk.trouble


def test_parts_of_one_message_stay_even_if_the_talk_went_on_from_one_of_them(talk: Talk) -> None:
    records = [
        {"type": "assistant", "uuid": f"a{number}", "parentUuid": "a0" if number else None, "cwd": str(talk.root),
         "message": {"id": "m1", "content": [{"type": "text", "text": text}]}, "timestamp": when(number)}
        for number, text in enumerate(("One.", "Two.", "Three."))
    ]  # fmt: skip
    talk.claude_file().write_text(jsonl(*records))
    assert talk.refresh().messages == ["assistant: One.", "assistant: Two.", "assistant: Three."]


def test_a_branch_nobody_went_on_with_is_left_out(talk: Talk) -> None:
    talk.claude_file().write_text(
        claude(talk.root, [("user", "Hello."), ("assistant", "Hi."), ("user", "Take the left way.")])
        + claude(talk.root, [("user", "Take the right way.")], start=3, parent="u1")
    )
    assert talk.refresh().messages == ["user: Hello.", "assistant: Hi.", "user: Take the right way."]


def test_a_new_beginning_keeps_what_came_before(talk: Talk) -> None:
    talk.claude_file().write_text(
        claude(talk.root, [("user", "Before.")]) + claude(talk.root, [("user", "After.")], start=1)
    )
    assert talk.refresh().messages == ["user: Before.", "user: After."]


def test_the_name_of_a_session_folder() -> None:
    assert claude_format.slug("/home/ann/my_shop.v2") == "-home-ann-my-shop-v2"


def codex(root: Path) -> str:
    return jsonl(
        {"timestamp": when(0), "type": "session_meta", "payload": {"id": "c", "cwd": str(root)}},
        {"timestamp": when(1), "type": "response_item", "payload": {"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": f"<environment_context><cwd>{root}</cwd></environment_context>"}]}},
        {"timestamp": when(2), "type": "response_item", "payload": {"type": "message", "role": "developer", "content": [
            {"type": "input_text", "text": "be brief"}]}},
        {"timestamp": when(3), "type": "response_item", "payload": {"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "Use 24h token expiry."}]}},
        {"timestamp": when(3), "type": "event_msg", "payload": {"type": "user_message", "message": "Use 24h…"}},
        {"timestamp": when(4), "type": "response_item", "payload": {"type": "function_call", "name": "shell"}},
        {"timestamp": when(5), "type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [
            {"type": "output_text", "text": "It is set."}]}},
        {"timestamp": when(6), "type": "compacted", "payload": {"message": "Expiry was set."}},
    )  # fmt: skip


def test_codex_says_each_thing_once(talk: Talk) -> None:
    path = talk.write(".codex/sessions/2026/11/01/rollout-2026-11-01T00-00-00-c.jsonl", codex(talk.root))
    talk.refresh()
    assert talk.messages == ["user: Use 24h token expiry.", "assistant: It is set.", "summary: Expiry was set."]
    (decision,) = talk.of("decision")
    assert str(decision.citations[0]) == f"{path}:4-4"


def test_packed_codex_sessions_are_read_without_unpacking_them(talk: Talk) -> None:
    from haversack.sources.zstd import zstd

    packed = zstd.compress(codex(talk.root).encode())
    talk.write(".codex/archived_sessions/rollout-2026-11-01T00-00-00-c.jsonl.zst", packed)
    talk.refresh()
    assert len(talk.messages) == 3
    assert not talk.refresh().readings or not any(reading.units for reading in talk.readings)


def test_the_oldest_codex_sessions_tell_their_directory_only_to_the_model(talk: Talk) -> None:
    told = f"<environment_context>\nCurrent working directory: {talk.root}\n</environment_context>"
    talk.write(
        ".codex/sessions/2025/05/01/rollout-old.jsonl",
        jsonl(
            {"id": "x", "timestamp": when(0), "instructions": None},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": told}]},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello."}]},
            {"record_type": "state"},
        ),
    )
    assert talk.refresh().messages == ["user: Hello."]


def test_gemini_replays_its_operations(talk: Talk) -> None:
    folder = f".gemini/tmp/{hashlib.sha256(str(talk.root).encode()).hexdigest()}/chats"
    talk.write(
        f"{folder}/session-2026-11-01T00-00-abc.jsonl",
        jsonl(
            {"sessionId": "g", "projectHash": "h", "startTime": when(0)},
            {"id": "a", "type": "user", "content": [{"text": "First."}], "timestamp": when(1)},
            {"id": "b", "type": "gemini", "content": "", "timestamp": when(2)},
            {"id": "b", "type": "gemini", "content": "The answer.", "timestamp": when(2)},
            {"id": "c", "type": "user", "content": "Taken back.", "timestamp": when(3)},
            {"id": "d", "type": "info", "content": "update available", "timestamp": when(3)},
            {"$rewindTo": "c"},
            {"$set": {"lastUpdated": when(4)}},
            {"id": "e", "type": "user", "content": "Second.", "timestamp": when(4)},
            {"id": "f", "type": "hologram", "content": "?"},
            {"strange": True},
        ),
    )
    assert talk.refresh().messages == ["user: First.", "assistant: The answer.", "user: Second."]


def test_gemini_messages_set_at_once_replace_all_and_an_unknown_rewind_clears(talk: Talk) -> None:
    folder = f".gemini/tmp/{hashlib.sha256(str(talk.root).encode()).hexdigest()}/chats"
    talk.write(
        f"{folder}/session-1.jsonl",
        jsonl(
            {"id": "a", "type": "user", "content": "Gone."},
            {"$set": {"messages": [{"id": "b", "type": "user", "content": "Compressed."}]}},
        ),
    )
    talk.write(
        f"{folder}/session-2.jsonl", jsonl({"id": "a", "type": "user", "content": "Gone."}, {"$rewindTo": "nothing"})
    )
    assert talk.refresh().messages == ["user: Compressed."]


@pytest.mark.parametrize("indent", [None, 2])
def test_older_gemini_sessions_are_one_document(talk: Talk, indent: int | None) -> None:
    talk.write(".gemini/projects.json", json.dumps({"projects": {str(talk.root): "shop", "/elsewhere": "other"}}))
    document = {"sessionId": "g", "messages": [{"id": "a", "type": "user", "content": "Hello.", "timestamp": when(1)}]}
    talk.write(".gemini/tmp/shop/chats/session-x.json", json.dumps(document, indent=indent))
    talk.write(".gemini/tmp/other/chats/session-y.json", json.dumps(document))
    assert talk.refresh().messages == ["user: Hello."]


def test_gemini_folders_may_carry_a_note_of_their_project(talk: Talk) -> None:
    talk.write(".gemini/projects.json", "{broken")
    talk.write(".gemini/tmp/shop/.project_root", f"{talk.root}\n")
    talk.write(".gemini/tmp/shop/chats/session-x.jsonl", jsonl({"id": "a", "type": "user", "content": "Hello."}))
    talk.write(".gemini/tmp/other/chats/session-x.jsonl", jsonl({"id": "a", "type": "user", "content": "No."}))
    assert talk.refresh().messages == ["user: Hello."]


def test_a_damaged_gemini_document_is_named(talk: Talk) -> None:
    talk.write(".gemini/tmp/shop/.project_root", str(talk.root))
    talk.write(".gemini/tmp/shop/chats/session-x.json", '{\n  "messages": [\n')
    assert "no JSON" in talk.refresh().trouble


def test_copilot_events(talk: Talk) -> None:
    talk.write(
        ".copilot/session-state/7c1/events.jsonl",
        jsonl(
            {
                "type": "session.start",
                "data": {"sessionId": "7c1", "context": {"cwd": str(talk.root)}},
                "timestamp": when(0),
            },
            {"type": "user.message", "data": {"content": "Fix the retry loop."}, "timestamp": when(1)},
            {"type": "tool.execution_start", "data": {"toolName": "view"}},
            {"type": "assistant.message", "data": {"messageId": "m", "content": "Fixed."}, "timestamp": when(2)},
            {"type": "session.shutdown", "data": {}},
        ),
    )
    talk.write(".copilot/session-state/empty/workspace.yaml", "cwd: /elsewhere\n")
    talk.refresh()
    assert talk.messages == ["user: Fix the retry loop.", "assistant: Fixed."]
    assert talk.all[0].meta["session"] == "7c1"


AIDER = """
# aider chat started at 2026-11-01 10:00:00

> Aider v0.86.2
> Repo-map: using 2048 tokens

#### Use pytest for the tests.
#### And keep them small.

I will use pytest.

```python
def test(): ...
```
> Tokens: 2k sent

#### Thanks
"""


def test_aider_history_lies_in_the_project(talk: Talk) -> None:
    (talk.root / ".aider.chat.history.md").write_text(AIDER)
    talk.refresh()
    assert talk.messages == [
        "user: Use pytest for the tests.\nAnd keep them small.",
        "assistant: I will use pytest.\n\n```python\ndef test(): ...\n```",
        "user: Thanks",
    ]
    assert str(talk.all[0].citations[0]) == ".aider.chat.history.md:7-8"
    assert talk.all[0].time == seconds("2026-11-01 10:00:00")


SPECSTORY = """<!-- Generated by SpecStory -->

# Session (2026-11-01 09:20Z)

_**User (2026-11-01 09:21Z)**_

Where is the login?

---

_**Agent (model x)**_

In `login.py`.

---
"""


def test_specstory_exports(talk: Talk) -> None:
    folder = talk.root / ".specstory" / "history"
    folder.mkdir(parents=True)
    (folder / "2026-11-01_09-20Z-login.md").write_text(SPECSTORY)
    talk.refresh()
    assert talk.messages == ["user: Where is the login?", "assistant: In `login.py`."]
    assert str(talk.all[0].citations[0]) == ".specstory/history/2026-11-01_09-20Z-login.md:5-7"


def test_plain_files_that_the_settings_name(tmp_path: Path) -> None:
    talk = Talk.at(tmp_path, str(tmp_path / "talks"), "notes.jsonl", str(tmp_path / "missing"))
    (tmp_path / "talks").mkdir()
    (tmp_path / "talks" / "a.jsonl").write_text(
        jsonl(
            {"role": "system", "content": "be brief"},
            {"role": "human", "content": "Hello.", "timestamp": 1_760_000_000},
            {"role": "assistant", "content": [{"type": "text", "text": "Hi."}], "timestamp": 1_760_000_001_000},
            {"role": "ghost", "content": "boo"},
        )
        + json.dumps({"role": "user", "text": "No line break after this.", "created_at": "2026-11-01T00:00:00"})
    )
    (talk.root / "notes.jsonl").write_text(
        claude(talk.root, [("user", "From Claude.")])
        + jsonl(
            {"type": "response_item", "payload": {"type": "message", "role": "user", "content": "From Codex."}},
            {"type": "user.message", "data": {"content": "From Copilot."}},
        )
    )
    talk.refresh()
    assert sorted(talk.messages) == [
        "assistant: Hi.", "user: From Claude.", "user: From Codex.", "user: From Copilot.", "user: Hello.",
        "user: No line break after this.",
    ]  # fmt: skip


def opencode(path: Path, root: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path)
    db.executescript(
        "CREATE TABLE session (id TEXT, directory TEXT, title TEXT, parent_id TEXT, time_updated INTEGER);"
        "CREATE TABLE message (id TEXT, session_id TEXT, data TEXT);"
        "CREATE TABLE part (id TEXT, message_id TEXT, data TEXT);"
    )
    sessions = [("ses_1", str(root), None, 5), ("ses_2", "/elsewhere", None, 6), ("ses_3", str(root), "ses_1", 7)]
    db.executemany("INSERT INTO session VALUES (?, ?, '', ?, ?)", sessions)
    for session, _, _, _ in sessions:
        add(db, session, "m1", "user", ["Use 24h token expiry."], 1_760_000_000_000)
        add(db, session, "m2", "assistant", ["It is", "set."], 1_760_000_001_000)
    db.execute("INSERT INTO part VALUES ('p8', 'ses_1m1', '{broken')")
    db.execute("INSERT INTO part VALUES ('p9', 'ses_1m1', ?)", (json.dumps({"type": "tool", "output": "x"}),))
    db.commit()
    return db


def add(db: sqlite3.Connection, session: str, name: str, role: str, texts: list[str], time: int) -> None:
    data = json.dumps({"role": role, "time": {"created": time}})
    db.execute("INSERT INTO message VALUES (?, ?, ?)", (session + name, session, data))
    for number, text in enumerate(texts):
        part = json.dumps({"type": "text", "text": text})
        db.execute("INSERT INTO part VALUES (?, ?, ?)", (f"{name}{number}", session + name, part))


def test_opencode_sessions_are_read_again_only_when_they_go_on(talk: Talk) -> None:
    path = talk.home / ".local/share/opencode/opencode.db"
    db = opencode(path, talk.root)
    talk.refresh()
    assert talk.messages == ["user: Use 24h token expiry.", "assistant: It is\n\nset."]
    assert str(talk.all[0].citations[0]) == f"log {path}#ses_1/ses_1m1"
    assert not talk.refresh().changes.changed
    add(db, "ses_1", "m3", "user", ["Use 12h token expiry."], 1_760_000_002_000)
    db.execute("UPDATE session SET time_updated = 9 WHERE id = 'ses_1'")
    db.execute("INSERT INTO session VALUES ('ses_4', ?, '', NULL, 1)", (str(talk.root / "web"),))
    add(db, "ses_4", "m1", "user", ["In a folder of it."], 1_760_000_003_000)
    db.commit()
    assert talk.refresh().messages[-2:] == ["user: Use 12h token expiry.", "user: In a folder of it."]
    assert [unit.status for unit in talk.of("decision")] == ["superseded", "live"]
    db.execute("DELETE FROM session WHERE id = 'ses_1'")
    db.commit()
    db.close()
    assert talk.refresh().messages == ["user: In a folder of it."]
    assert talk.refresh().of("decision") == []
    path.unlink()
    assert talk.refresh().all == []


def test_a_database_of_another_shape_says_nothing(talk: Talk) -> None:
    path = talk.home / ".local/share/opencode/opencode.db"
    path.parent.mkdir(parents=True)
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE session (name TEXT)")
    db.close()
    assert talk.refresh().all == []
    assert not talk.trouble


def cursor(path: Path, rows: dict[str, object], items: dict[str, object] | None = None) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(path) as db:
        for table, values in (("cursorDiskKV", rows), ("ItemTable", items or {})):
            db.execute(f"CREATE TABLE {table} (key TEXT UNIQUE, value BLOB)")
            db.executemany(f"INSERT INTO {table} VALUES (?, ?)", [(k, json.dumps(v)) for k, v in values.items()])
    db.close()


def test_cursor_composers_belong_where_any_of_its_versions_says(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    top = talk.home / ".config/Cursor/User"
    uri = {"fsPath": str(talk.root)}
    bubble = {"type": 1, "text": "Second.", "createdAt": when(2)}
    rows: dict[str, object] = {
        "composerData:new": {
            "workspaceIdentifier": {"uri": uri}, "lastUpdatedAt": 1,
            "fullConversationHeadersOnly": [{"bubbleId": "b1"}, {"bubbleId": "b2"}],
        },
        "bubbleId:new:b2": bubble,
        "bubbleId:new:b1": {"type": 2, "text": "First.", "timingInfo": {"clientStartTime": 1_760_000_000_000}},
        "bubbleId:new:b3": {"type": 2, "text": ""},
        "composerData:listed": {"conversation": [{**bubble, "bubbleId": "x", "text": "Listed.", "createdAt": when(3)}]},
        "composerData:old": {"conversation": [{**bubble, "bubbleId": "x", "text": "Old.", "createdAt": when(4)}]},
        "composerData:foreign": {"workspaceIdentifier": {"uri": {"path": "/elsewhere"}}},
        "composerData:homeless": {},
        "bubbleId:foreign:b1": bubble,
    }  # fmt: skip
    headers = {
        "allComposers": [{"composerId": "listed", "workspaceIdentifier": {"uri": {"external": f"file://{talk.root}"}}}]
    }
    cursor(top / "globalStorage/state.vscdb", rows, {"composer.composerHeaders": headers})
    cursor(
        top / "workspaceStorage/abc/state.vscdb",
        {},
        {"composer.composerData": {"allComposers": [{"composerId": "old"}]}},
    )
    (top / "workspaceStorage/abc/workspace.json").write_text(json.dumps({"folder": f"file://{talk.root}"}))
    (top / "workspaceStorage/def").mkdir()
    (top / "workspaceStorage/def/workspace.json").write_text(json.dumps({"folder": "file:///elsewhere"}))
    (top / "workspaceStorage/ghi").mkdir()
    (top / "workspaceStorage/ghi/workspace.json").write_text(json.dumps({"folder": f"file://{talk.root}"}))
    talk.refresh()
    assert talk.messages == ["assistant: First.", "user: Second.", "user: Listed.", "user: Old."]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2026-11-01T10:00:00Z", "2026-11-01 10:00"),
        ("2026-11-01T10:00:00+02:00", "2026-11-01 08:00"),
        ("2026-11-01 10:00:00", "2026-11-01 10:00"),
        (1_760_000_000, "2025-10-09 08:53"),
        (1_760_000_000_000, "2025-10-09 08:53"),
        (1_760_000_000_000_000, "2025-10-09 08:53"),
        ("1760000000", "2025-10-09 08:53"),
        ("yesterday", ""), (None, ""), (True, ""), (-5, ""), (float("nan"), ""), (1e30, ""), ("", ""),
    ],
)  # fmt: skip
def test_times_in_every_form(given: object, expected: str) -> None:
    assert written(seconds(given)) == expected
