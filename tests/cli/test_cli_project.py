"""index, search, show, graph, status and doctor on a real project."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import Run


def test_index_says_what_it_read_and_how_long_it_took(run: Run, project: Path) -> None:
    done = run("index")
    assert (done.code, done.err) == (0, "")
    first, *rest = done.out.splitlines()
    assert first.startswith("4 files, ")
    assert first.endswith(" items read, 0 gone")
    assert any(line.startswith("0.") or " s  " in line for line in rest)
    assert "; 0 items read, 0 gone" in run("index").out
    (project / "README.md").unlink()
    (project / "big.bin").write_bytes(b"\0" * 100)
    done = run("index")
    assert done.out.startswith("3 files, ")
    assert ", 1 gone" in done.out
    assert "skipped 1 " in done.out


def test_index_as_json(run: Run, project: Path) -> None:
    run("index")
    found = json.loads(run("index", "--rebuild", "--json").out)
    assert (found["files"], found["changed"], found["problems"]) == (4, True, [])
    assert found["read"] >= 4
    assert found["rebuilt_because"]
    assert Path(found["folder"]).is_dir()
    assert not Path(found["folder"]).is_relative_to(project)


def test_index_logs_its_stages(run: Run, project: Path) -> None:
    done = run("-vv", "--log-json", "index")
    events = [json.loads(line) for line in done.err.splitlines()]
    assert [event["event"] for event in events[:2]] == ["start", "indexed"]
    assert {event["level"] for event in events if event["event"] == "stage"} == {"debug"}
    assert "password" not in done.err


def test_the_data_folder_can_be_named(run: Run, project: Path, tmp_path: Path) -> None:
    found = json.loads(run("index", "--json", "--data-dir", str(tmp_path / "data")).out)
    assert Path(found["folder"]).is_relative_to(tmp_path / "data")


def test_search_finds_and_cites(run: Run, project: Path) -> None:
    done = run("search", "where is the user sent after the login")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    place = next(number for number, line in enumerate(lines) if "src/shop/login.py:6-8  function" in line)
    assert lines[place].endswith("redirect_target")
    assert lines[place + 1].strip() == "Where to send the user after the login."


def test_search_as_json_with_filters(run: Run, project: Path) -> None:
    found = json.loads(
        run("search", "login", "--kind", "function", "--path", "src/**", "--lang", "python", "--json").out
    )
    assert {hit["path"] for hit in found} == {"src/shop/login.py"}
    assert {hit["kind"] for hit in found} == {"function"}
    first = found[0]
    assert first["citations"]
    assert first["score"] >= 0
    assert first["why"]
    assert json.loads(run("search", "login", "--since", "2h", "--json").out)
    assert json.loads(run("search", "login", "--since", "2099-01-01", "--json").out) == []


@pytest.mark.parametrize("view", ["lexical", "semantic", "symbolic", "relational", "exact", "regex", "hybrid"])
def test_every_view_answers(run: Run, project: Path, view: str) -> None:
    done = run("search", "redirect_target", "--view", view, "--json")
    assert done.code == 0
    assert isinstance(json.loads(done.out), list)


def test_views_are_those_of_the_library() -> None:
    from haversack.cli.commands.search import VIEWS
    from haversack.retrieve.search import VIEWS as LIBRARY

    assert set(VIEWS) == set(LIBRARY)


def test_a_search_without_hits_is_no_error(run: Run, project: Path) -> None:
    done = run("search", "zxqv", "--view", "exact")
    assert (done.code, done.out, done.err) == (0, "", "nothing found\n")


def test_search_sees_an_edit_at_once(run: Run, project: Path) -> None:
    run("index")
    (project / "src/shop/basket.py").write_text("def empty_the_basket() -> None:\n    '''Throw it all out.'''\n")
    assert "src/shop/basket.py" in run("search", "empty the basket").out


def test_a_hostile_file_cannot_move_the_cursor(run: Run, project: Path) -> None:
    (project / "evil.py").write_text("def evil() -> None:\n    '''evil \x1b]0;owned\x07 \u202e'''\n")
    done = run("show", "evil.py")
    assert "\x1b" not in done.out
    assert "\\x1b]0;owned\\x07 \\u202e" in done.out
    assert "\x1b" not in run("search", "evil").out


def test_show_prints_the_text_alone_and_says_where_it_stands(run: Run, project: Path) -> None:
    done = run("show", "redirect_target")
    assert done.out.startswith("def redirect_target(session: Session) -> str:\n")
    assert "src/shop/login.py:6-8" in done.err
    done = run("show", "src/shop/login.py:6-6")
    assert done.out == "def redirect_target(session: Session) -> str:\n"
    found = json.loads(run("show", "src/shop/login.py:6-6", "--json").out)
    assert found["citation"] == {"kind": "file", "path": "src/shop/login.py", "startLine": 6, "endLine": 6}


def test_show_names_the_alternatives(run: Run, project: Path) -> None:
    for number in range(8):
        (project / f"m{number}.py").write_text(f"def twin() -> int:\n    return {number}\n")
    done = run("show", "twin")
    assert "return 0" in done.out
    assert done.err.count("also m") == 5
    assert "also 2 more" in done.err
    assert len(json.loads(run("show", "twin", "--json").out)["alternatives"]) == 7


def test_show_of_nothing_is_exit_code_1(run: Run, project: Path) -> None:
    done = run("show", "no_such_thing")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("haversack: nothing here is called 'no_such_thing'")


def test_show_never_leaves_the_project(run: Run, project: Path) -> None:
    done = run("show", "../home/secret")
    assert done.code == 1
    assert "not a path inside the project" in done.err


def test_graph_shows_the_neighbourhood(run: Run, project: Path) -> None:
    done = run("graph", "redirect_target")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[:2] == ["definitions", "  src/shop/login.py:6-8  function redirect_target"]
    assert "tests" in lines
    found = json.loads(run("graph", "Session", "--json").out)
    assert [unit["path"] for unit in found["definitions"]] == ["src/shop/session.py"]
    assert "src/shop/login.py" in found["imported_by"]


def test_status_says_whether_the_index_is_fresh(run: Run, project: Path) -> None:
    rows = dict(line.split(maxsplit=1) for line in run("status").out.splitlines())
    assert rows["fresh"] == "no: 4 files to read, 0 gone"
    run("index")
    rows = dict(line.split(maxsplit=1) for line in run("status").out.splitlines())
    assert (rows["fresh"], rows["files"], rows["project"]) == ("yes", "4", str(project))
    found = json.loads(run("status", "--json").out)
    assert (found["fresh"], found["files"], found["changed"], found["problems"]) == (True, 4, [], [])


def test_doctor_finds_nothing_wrong_with_a_sound_project(run: Run, project: Path) -> None:
    run("index")
    done = run("doctor")
    assert done.code == 0, done.out
    assert "ok       git: git is installed" in done.out
    found = json.loads(run("doctor", "--json").out)
    assert {"python", "project", "config", "git", "grammars", "counter", "model", "data folder", "memory", "index"} <= {
        finding["name"] for finding in found
    }


def test_doctor_says_where_memory_is_and_where_it_cannot_be(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found() -> dict[str, str]:
        return next(each for each in json.loads(run("doctor", "--json").out) if each["name"] == "memory")

    assert found()["message"] == "nothing was remembered yet"
    run("remember", "The till is green")
    assert found()["message"].endswith("memory.sqlite")
    (tmp_path / "a file").write_text("")
    monkeypatch.delenv("HAVERSACK_DATA_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "a file"))
    assert found()["state"] == "warning"
    assert "cannot be written" in found()["message"]


def test_doctor_names_a_broken_settings_file_and_examines_the_rest(run: Run, project: Path) -> None:
    (project / "haversack.toml").write_text("[pack]\nbugdet = 1\n")
    done = run("doctor")
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[:2] == [
        "problem  config: haversack.toml:2: unknown setting pack.bugdet",
        "         fix: Did you mean pack.budget?",
    ]
    assert any(line.startswith("ok       git") for line in lines)


def test_a_language_nobody_knows_is_wrong_usage_and_the_known_ones_are_named(run: Run, project: Path) -> None:
    done = run("search", "login", "--lang", "klingon")
    assert done.code == 2
    assert "unknown language 'klingon'" in done.err
    assert "python" in done.err
    assert run("search", "login", "--lang", "rust").code == 0, "a language, and none of its files here"
