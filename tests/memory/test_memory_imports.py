"""What agentdb, ringmaster and Claude Code remembered is read without touching their files."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from remembered import opened

from haversack.errors import UsageError
from haversack.memory.citing import citation_from
from haversack.memory.exchange import import_from
from haversack.memory.imports import found, notes
from haversack.memory.lines import seconds_of
from haversack.model import Citation

AGENTDB = """
CREATE TABLE episodes (id INTEGER PRIMARY KEY, ts INTEGER, session_id TEXT, task TEXT, input TEXT, output TEXT,
  critique TEXT, reward REAL, success INTEGER, latency_ms INTEGER, tokens_used INTEGER, tags TEXT, metadata TEXT);
INSERT INTO episodes VALUES
  (1, 1767268800, 's1', 'Add a login', 'in', 'Added', 'Too slow', 0.9, 1, 12, 30, '["auth", "web"]', '{}'),
  (2, 1767268900000, 's1', 'Fix the login', 'in', 'Broke it', NULL, 1.7, 0, 12, 30, 'auth, web', NULL);
CREATE TABLE skills (id INTEGER PRIMARY KEY, name TEXT, description TEXT, code TEXT, success_rate REAL);
INSERT INTO skills VALUES (1, 'jwt', 'Sign tokens with RS256', 'sign(key)', 0.8);
CREATE TABLE facts (id INTEGER PRIMARY KEY, subject TEXT, predicate TEXT, object TEXT, confidence REAL);
INSERT INTO facts VALUES (1, 'The API', 'listens on', 'port 8080', 0.6), (2, '', '', '', 0.1);
CREATE TABLE causal_edges (id INTEGER, uplift REAL, confidence REAL);
INSERT INTO causal_edges VALUES (1, 0.2, 0.9), (2, 0.1, 0.3);
"""
RINGMASTER = """
CREATE TABLE chat_messages (id INTEGER PRIMARY KEY, project_id TEXT, task_id TEXT, role TEXT, content TEXT,
  created_at TEXT);
INSERT INTO chat_messages VALUES (1, 'p', 't1', 'user', 'Please add a cart', '2026-01-01T12:00:00Z');
CREATE TABLE summaries (id INTEGER PRIMARY KEY, message_range_start INTEGER, message_range_end INTEGER, summary TEXT,
  key_decisions TEXT);
INSERT INTO summaries VALUES (1, 1, 9, 'Built a cart', '["Carts are kept in Redis", {"decision": "No guest carts"}]');
CREATE TABLE logs (timestamp TEXT, level TEXT, component TEXT, message TEXT, task_id TEXT, data TEXT);
INSERT INTO logs VALUES ('2026-01-01', 'ERROR', 'worker', 'Queue is gone', 't1', '{}'),
  ('2026-01-01', 'info', 'worker', 'Started', 't1', '{}');
CREATE TABLE tasks (id TEXT, title TEXT, type TEXT, resolution TEXT, answer TEXT);
INSERT INTO tasks VALUES ('t1', 'Which port?', 'question', NULL, '8080'), ('t2', 'Open', 'task', NULL, NULL);
CREATE TABLE task_outcomes (keywords TEXT, success INTEGER, outcome TEXT, failure_reason TEXT, reflection TEXT);
INSERT INTO task_outcomes VALUES ('"cart"', 0, 'Gave up', 'no access', 'Ask first');
CREATE TABLE context_assembly_logs (id INTEGER);
INSERT INTO context_assembly_logs VALUES (1);
"""


def database(path: Path, script: str) -> Path:
    with closing(sqlite3.connect(path)) as db:
        db.executescript(script)
    return path


def test_agentdb_episodes_skills_and_facts_become_memories(tmp_path: Path) -> None:
    path = database(tmp_path / "agent.db", AGENTDB)
    before = path.read_bytes()
    with opened(tmp_path / "a") as store:
        done = import_from(store, path)
        assert (done.added["memory"], dict(done.skipped)) == (4, {"a row of causal_edges": 2})
        first, second, skill, fact = store.memories()
        assert (first.text, first.category, first.tags) == (
            "Add a login\nAdded\nCritique: Too slow",
            "event",
            ("auth", "web"),
        )
        assert (first.importance, first.session, first.created) == (0.9, "s1", 1767268800.0)
        assert (second.category, second.importance, second.created) == ("error", 1.0, 1767268900.0)
        assert (skill.category, skill.text) == ("workflow", "jwt: Sign tokens with RS256\nsign(key)")
        assert fact.text == "The API listens on port 8080"
        assert fact.citations == (Citation.of_log(f"{path}#facts/1"),)
        assert first.extra["episodes"] == {
            "id": 1, "ts": 1767268800, "session_id": "s1", "task": "Add a login", "input": "in", "output": "Added",
            "critique": "Too slow", "reward": 0.9, "success": 1, "latency_ms": 12, "tokens_used": 30,
            "tags": '["auth", "web"]', "metadata": "{}",
        }  # fmt: skip
        assert import_from(store, path).known["memory"] == 4
    assert path.read_bytes() == before


def test_ringmaster_conversations_summaries_and_outcomes_become_memories(tmp_path: Path) -> None:
    with opened(tmp_path / "a") as store:
        import_from(store, database(tmp_path / "ring.db", RINGMASTER))
        said = {(each.category, each.text) for each in store.memories()}
        assert said == {
            ("event", "Please add a cart"),
            ("context", "Built a cart"),
            ("decision", "Carts are kept in Redis"),
            ("decision", "No guest carts"),
            ("error", "worker: Queue is gone"),
            ("event", "Which port?\n8080"),
            ("error", "Gave up\nFailed because: no access\nReflection: Ask first"),
        }
        (message,) = [each for each in store.memories() if each.speaker]
        assert (message.speaker, message.session) == ("user", "p/t1")


def test_other_databases_and_damaged_ones_are_named(tmp_path: Path) -> None:
    other = database(tmp_path / "other.db", "CREATE TABLE x (y)")
    damaged = database(tmp_path / "damaged.db", AGENTDB)
    damaged.write_bytes(damaged.read_bytes()[:3000])
    with opened(tmp_path / "a") as store:
        with pytest.raises(UsageError, match="no database of agentdb or ringmaster"):
            import_from(store, other)
        assert "cannot be read" in import_from(store, damaged).problems[0].what


def test_notes_with_front_matter_are_one_memory_each(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    (folder / "tabs.md").write_text("---\nname: tabs\ndescription: How to indent\ntype: feedback\n---\n\nUse tabs.\n")
    (folder / "empty.md").write_text("---\nname: nothing\n---\n")
    (folder / "MEMORY.md").write_text(
        "- [Tabs](tabs.md): how to indent\n# Build\n\n- [x] Uses make\n  with two jobs\n- Is slow\n\n"
        "A paragraph\nof two lines.\n"
    )
    with opened(tmp_path / "a") as store:
        import_from(store, folder)
        said = [(each.category, each.text, each.tags) for each in store.memories()]
        assert said == [
            ("context", "Uses make\nwith two jobs", ("Build",)),
            ("context", "Is slow", ("Build",)),
            ("context", "A paragraph\nof two lines.", ("Build",)),
            ("preference", "How to indent\nUse tabs.", ("tabs",)),
        ]
        assert store.memories()[1].citations == (Citation.of_log(f"{folder / 'MEMORY.md'}:6"),)
        assert import_from(store, folder).known["memory"] == 4


def test_long_notes_and_texts_are_cut_and_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "long.md").write_text("word " * 10_000)
    with opened(tmp_path / "a") as store:
        import_from(store, tmp_path / "long.md")
        assert store.memories()[0].text.endswith("more characters]")
        assert len(store.memories()[0].text) < found.LONGEST + 50
        monkeypatch.setattr(notes, "LARGEST_NOTE", 10)
        assert "passed over" in import_from(store, tmp_path / "long.md").problems[0].what


@pytest.mark.parametrize(
    ("words", "cited"),
    [
        ("src/a.py", Citation.of_file("src/a.py")),
        ("src/a.py:3", Citation("file", "src/a.py", 3, 3)),
        ("src/a.py:3-9", Citation("file", "src/a.py", 3, 9)),
        ("src/a.py#Cart.add", Citation.of_symbol("src/a.py#Cart.add", "Cart.add", "src/a.py")),
        ("commit:1A2B3C4", Citation.of_commit("1a2b3c4")),
        ("log:ci/12", Citation.of_log("ci/12")),
        ("snapshot:t1", Citation.of_snapshot("t1")),
    ],
)
def test_citations_are_read_as_people_write_them(words: str, cited: Citation) -> None:
    assert citation_from(words) == cited


def test_citations_that_mean_nothing_are_refused() -> None:
    for words in ("commit:xyz", " "):
        with pytest.raises(UsageError):
            citation_from(words)


@pytest.mark.parametrize(
    ("given", "seconds"),
    [("2026-01-01T12:00:00Z", 1767268800.0), (1767268800, 1767268800.0), ("soon", 0.0), (None, 0.0), (True, 0.0)],
)
def test_moments_are_read_leniently(given: object, seconds: float) -> None:
    assert seconds_of(given) == seconds
