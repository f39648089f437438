"""A session belongs to the project by the directory it recorded: the root, a folder in it, another worktree."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests import sample
from tests.sources.conversation.talk import Talk, claude, jsonl

from haversack.project import find_project
from haversack.sources.conversation.places import Places


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    return Talk.at(tmp_path)


def meta(cwd: Path | str, text: str) -> str:
    said = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    return jsonl({"type": "session_meta", "payload": {"cwd": str(cwd)}}, {"type": "response_item", "payload": said})


def test_folders_of_the_project_belong_to_it_and_neighbours_do_not(talk: Talk) -> None:
    day = ".codex/sessions/2026/11/01"
    talk.write(f"{day}/rollout-1.jsonl", meta(talk.root, "Root."))
    talk.write(f"{day}/rollout-2.jsonl", meta(talk.root / "web" / "src", "Inside."))
    talk.write(f"{day}/rollout-3.jsonl", meta(f"{talk.root}-two", "A neighbour."))
    talk.write(f"{day}/rollout-4.jsonl", meta(talk.root.parent, "Above."))
    talk.write(f"{day}/rollout-5.jsonl", meta("relative", "Nowhere."))
    talk.write(f"{day}/rollout-6.jsonl", meta("/\0", "Nowhere."))
    talk.write(f"{day}/other.jsonl", meta(talk.root, "Not a rollout."))
    assert sorted(talk.refresh().messages) == ["user: Inside.", "user: Root."]


def test_a_folder_whose_name_only_begins_alike_is_told_apart_by_what_it_recorded(talk: Talk) -> None:
    neighbour = talk.root.parent / "shop-two"
    talk.claude_file(root=neighbour).write_text(claude(neighbour, [("user", "Elsewhere.")]))
    talk.claude_file(root=talk.root / "two").write_text(claude(talk.root / "two", [("user", "Inside.")]))
    talk.claude_file("agent-1.jsonl").write_text(claude(talk.root, [("user", "Between agents.")]))
    assert talk.refresh().messages in (["user: Inside."], [])
    assert "user: Elsewhere." not in talk.messages


def test_a_directory_behind_a_link_is_the_one_it_leads_to(talk: Talk) -> None:
    link = talk.root.parent / "link"
    link.symlink_to(talk.root)
    talk.write(".codex/sessions/2026/11/01/rollout-1.jsonl", meta(link, "Linked."))
    assert talk.refresh().messages == ["user: Linked."]


def test_other_worktrees_and_the_main_one_belong(tmp_path: Path) -> None:
    main = sample.make(tmp_path / "shop")
    tree = tmp_path / "trees" / "fix"
    sample.git(main, "worktree", "add", "-q", "-b", "fix", str(tree))
    (main / "web" / "src").mkdir(parents=True)
    for start in (main, tree):
        places = Places.of(find_project(start), str(tmp_path / "home"))
        assert places.belongs(str(main))
        assert places.belongs(str(tree / "web"))
        assert not places.belongs(str(tmp_path))
    inside = Places.of(find_project(main, roots=[main / "web"]), str(tmp_path / "home"))
    assert inside.belongs(str(main)), "the same git root"


def test_agents_are_found_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "shop").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "cc"))
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "cx"))
    places = Places.of(find_project(tmp_path / "shop"))
    assert places.claude == str(tmp_path / "cc" / "projects")
    assert places.codex[0] == str(tmp_path / "cx" / "sessions")
    assert places.gemini == str(tmp_path / "home" / ".gemini")
    given = Places.of(find_project(tmp_path / "shop"), str(tmp_path / "other"))
    assert given.claude == str(tmp_path / "other" / ".claude" / "projects")


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ("darwin", "Library/Application Support/Cursor/User"),
        ("win32", "AppData/Roaming/Cursor/User"),
        ("linux", ".config/Cursor/User"),
    ],
)
def test_cursor_lies_elsewhere_on_every_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, expected: str
) -> None:
    places = Places.of(find_project(tmp_path), str(tmp_path))
    monkeypatch.setattr("sys.platform", system)
    assert places.cursor == str(tmp_path / expected)
