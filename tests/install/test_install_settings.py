"""Into the settings people really have, and out again: what surrounds our entries keeps its bytes."""

from __future__ import annotations

import json
import os
import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from machines import agents, put, tree

from haversack.errors import HaversackError, NotFoundError, UsageError
from haversack.install import AGENTS, SCOPES, Machine, Scope, choose, install, uninstall
from haversack.install.agent import Json
from haversack.install.jsonc import parse

WITH_COMMENTS = """\
{
    // servers of the team
    "mcpServers": {
        "github": {"command": "gh-mcp", "args": []}, // keep this one first
        "docs": {
            "command": "docs-mcp"
        }  // the last one
    },
    /* colours */ "theme": "dark",
}
"""

HOOKS_ON_A_LINE = '{"hooks": {"PostToolUse": [{"matcher": "Edit", "hooks": [{"type": "command", "command": "fmt"}]}]}}'

SETTINGS = {
    "comments and a comma at the end": WITH_COMMENTS,
    "windows": WITH_COMMENTS.replace("\n", "\r\n"),
    "byte order mark": "\ufeff" + WITH_COMMENTS,
    "tabs": WITH_COMMENTS.replace("    ", "\t"),
    "no newline at the end": WITH_COMMENTS.rstrip("\n"),
    "nothing": "",
    "only space": "\n\n",
    "only a byte order mark": "\ufeff",
    "an empty object": "{}",
    "an empty object on two lines": "{\n}\n",
    "only a comment": "{\n  // nothing yet\n}\n",
    "a comment on the line": "{ /* none */ }\n",
    "an empty list of servers": '{\n  "mcpServers": {}\n}\n',
    "on one line": '{"mcpServers": {"a": {"command": "b"}}, "hooks": {}}',
    "on one line with a comma": '{"a": 1,}',
    "hooks of others": HOOKS_ON_A_LINE,
    "the same key twice": '{\n  "mcpServers": {"a": {}},\n  "mcpServers": {\n    "b": {}\n  }\n}\n',
    "keys that are not ASCII": '{\n  "größe": "\\u00e9\\ud83d\\ude00",\n  "名": [1, 2.5e3, null, true]\n}\n',
}

TOML = {
    "comments": '# mine\nmodel = "o4"   # the good one\n\n[mcp_servers.docs]\ncommand = "docs"\n\n# the end\n',
    "windows": '# mine\r\nmodel = "o4"\r\n[mcp_servers.docs]\r\ncommand = "docs"\r\n',
    "no newline at the end": 'model = "o4"\n[a]\nb = """\n[mcp_servers.haversack]\n"""',
    "byte order mark": '\ufeffmodel = "o4"\n',
    "nothing": "",
    "dotted keys": 'mcp_servers.docs.command = "docs"\n',
}


# Every agent with files of its own in that scope.
WHERE = [(agent, scope) for agent in AGENTS for scope in SCOPES if (agent, scope) != ("windsurf", "project")]


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize(("agent", "scope"), WHERE)
def test_settings_are_put_back_to_the_byte(machine: Machine, agent: str, scope: Scope, name: str) -> None:
    places = AGENTS[agent].places(machine, scope)
    for place in places:
        put(place.path, TOML["comments"] if place.path.suffix == ".toml" else SETTINGS[name])
    before = tree(machine.root.parent)
    done = install(machine, agents(agent), scope)
    assert {change.action for change in done} == {"changed"}
    for place in places:
        if place.path.suffix == ".toml":
            continue
        held = parse(place.path.read_bytes().decode()).value
        assert "haversack" in json.dumps(held)
        was = parse(SETTINGS[name]).value if SETTINGS[name].strip("\ufeff\n") else {}
        assert isinstance(held, dict)
        assert isinstance(was, dict)
        assert list(held)[: len(was)] == list(was)
    again = tree(machine.root.parent)
    assert {change.action for change in install(machine, agents(agent), scope)} == {"unchanged"}
    assert tree(machine.root.parent) == again
    uninstall(machine, agents(agent), scope)
    assert tree(machine.root.parent) == before


@pytest.mark.parametrize("name", TOML)
def test_toml_is_put_back_to_the_byte(machine: Machine, name: str) -> None:
    path = put(machine.root / ".codex" / "config.toml", TOML[name])
    before = tree(machine.root)
    install(machine, agents("codex"), "project")
    text = path.read_bytes().decode()
    assert text.startswith(TOML[name])
    assert text.endswith("\n") == (TOML[name].endswith("\n") or not TOML[name])
    assert ("\r\n" in text) == ("\r\n" in TOML[name])
    held = tomllib.loads(text.removeprefix("\ufeff"))
    assert held["mcp_servers"]["haversack"] == {"command": "haversack", "args": ["mcp"]}
    assert {change.action for change in install(machine, agents("codex"), "project")} == {"unchanged"}
    uninstall(machine, agents("codex"), "project")
    assert tree(machine.root) == before


def test_files_and_folders_that_were_made_are_removed(machine: Machine) -> None:
    install(machine, AGENTS.values(), "project")
    made = set(tree(machine.root))
    assert {".mcp.json", ".codex/config.toml", ".cursor/hooks.json", ".gemini/settings.json", "opencode.json"} <= made
    assert json.loads((machine.root / ".cursor" / "hooks.json").read_text())["version"] == 1
    uninstall(machine, AGENTS.values(), "project")
    assert list(machine.root.iterdir()) == []
    assert machine.home is not None
    assert list(machine.home.rglob("installed.json")) == []


def test_what_the_user_changed_in_between_stays(machine: Machine) -> None:
    path = put(machine.root / ".mcp.json", '{\n  "mcpServers": {\n    "a": {"command": "a"}\n  }\n}\n')
    install(machine, agents("claude-code"), "project")
    text = path.read_text()
    path.write_text(
        text.replace('"mcp"]\n    }', '"mcp"]\n    },\n    "later": {"command": "b"}').replace("{\n", "{ // my\n", 1)
    )
    uninstall(machine, agents("claude-code"), "project")
    assert path.read_text() == (
        '{ // my\n  "mcpServers": {\n    "a": {"command": "a"},\n    "later": {"command": "b"}\n  }\n}\n'
    )


def test_what_the_user_added_to_a_file_that_we_made_stays(machine: Machine) -> None:
    install(machine, agents("claude-code", "codex"), "project")
    servers, settings = machine.root / ".mcp.json", machine.root / ".claude" / "settings.json"
    toml = machine.root / ".codex" / "config.toml"
    held = json.loads(servers.read_text())
    held["mcpServers"]["theirs"] = {"command": "x"}
    servers.write_text(json.dumps(held))
    settings.write_text(settings.read_text().replace('{\n  "hooks"', '{\n  "model": "opus",\n  "hooks"'))
    toml.write_text('model = "o4"\n\n' + toml.read_text() + 'env = { A = "b" }\n\n# below\n[profile]\nx = 1\n')
    uninstall(machine, agents("claude-code", "codex"), "project")
    assert json.loads(servers.read_text()) == {"mcpServers": {"theirs": {"command": "x"}}}
    assert settings.read_text() == '{\n  "model": "opus"\n}\n'
    assert toml.read_text() == 'model = "o4"\n\n# below\n[profile]\nx = 1\n'


def test_no_comma_is_left_before_a_closing_bracket(machine: Machine) -> None:
    path = put(machine.root / ".mcp.json", '{\n  "mcpServers": {}\n}\n')
    install(machine, agents("copilot-cli"), "project")
    path.write_text(path.read_text().replace("{}", "").replace('"mcpServers": {', '"mcpServers": { "a": {"b": "c"},'))
    uninstall(machine, agents("copilot-cli"), "project")
    assert json.loads(path.read_text()) == {"mcpServers": {"a": {"b": "c"}}}


def test_our_hook_in_a_group_with_others_is_not_torn_out(machine: Machine) -> None:
    install(machine, agents("claude-code"), "project")
    path = machine.root / ".claude" / "settings.json"
    held = json.loads(path.read_text())
    held["hooks"]["SessionStart"][0]["hooks"].append({"type": "command", "command": "theirs"})
    held["hooks"]["SessionEnd"][0]["hooks"][0]["timeout"] = 3
    path.write_text(json.dumps(held, indent=2))
    uninstall(machine, agents("claude-code"), "project")
    left = json.loads(path.read_text())
    assert list(left["hooks"]) == ["SessionStart"]
    assert len(left["hooks"]["SessionStart"][0]["hooks"]) == 2


def test_a_file_that_two_agents_share_is_kept_for_the_other(machine: Machine) -> None:
    install(machine, agents("claude-code", "copilot-cli"), "project")
    path = machine.root / ".mcp.json"
    text = path.read_bytes()
    uninstall(machine, agents("claude-code"), "project")
    assert path.read_bytes() == text
    assert not (machine.root / ".claude").exists()
    uninstall(machine, agents("copilot-cli"), "project")
    assert not path.exists()


def test_an_agent_that_comes_later_keeps_what_an_earlier_one_installed(machine: Machine) -> None:
    install(machine, agents("claude-code"), "project")
    install(machine, agents("copilot-cli"), "project")
    uninstall(machine, agents("claude-code"), "project")
    assert (machine.root / ".mcp.json").exists()
    uninstall(machine, agents("copilot-cli"), "project")
    assert tree(machine.root) == {}


def test_two_agents_whose_hooks_stand_in_one_file_leave_one_after_the_other(machine: Machine) -> None:
    (machine.root / ".claude").mkdir()
    put(machine.root / ".claude" / "settings.json", "{}\n")
    (machine.root / ".gemini").symlink_to(".claude")
    before = tree(machine.root)
    install(machine, agents("claude-code", "gemini-cli"), "project")
    uninstall(machine, agents("claude-code"), "project")
    held = json.loads((machine.root / ".claude" / "settings.json").read_text())
    assert set(held) == {"mcpServers", "hooks"}
    assert set(held["hooks"]) >= {"BeforeAgent", "AfterTool"}
    assert "UserPromptSubmit" not in held["hooks"]
    uninstall(machine, agents("gemini-cli"), "project")
    assert tree(machine.root).keys() == before.keys()
    assert json.loads((machine.root / ".claude" / "settings.json").read_text()) == {}


def test_what_was_written_by_hand_is_kept(machine: Machine) -> None:
    by_hand = '{"mcpServers": {"haversack": {"command": "uvx", "args": ["haversack", "mcp"]}}}'
    path = put(machine.root / ".mcp.json", by_hand)
    hooks = put(
        machine.root / ".claude" / "settings.json",
        '{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "/x/haversack hook"}]}]}}',
    )
    servers, settings = install(machine, agents("claude-code"), "project")
    assert (servers.action, settings.action) == ("unchanged", "changed")
    assert "kept as it is" in servers.note
    assert len(json.loads(hooks.read_text())["hooks"]["SessionStart"]) == 1
    uninstall(machine, agents("claude-code"), "project")
    assert path.read_text() == by_hand
    assert "SessionStart" in hooks.read_text()
    assert "UserPromptSubmit" not in hooks.read_text()


def test_the_same_by_hand_is_neither_doubled_nor_removed(machine: Machine) -> None:
    install(machine, agents("gemini-cli"), "project")
    path = machine.root / ".gemini" / "settings.json"
    text = path.read_bytes()
    forget(machine)
    assert [change.action for change in install(machine, agents("gemini-cli"), "project")] == ["unchanged"]
    uninstall(machine, agents("gemini-cli"), "project")
    assert path.read_bytes() == text


def test_a_colleague_can_uninstall_what_another_committed(machine: Machine) -> None:
    put(machine.root / ".mcp.json", '{"mcpServers": {"a": {"command": "b"}}}')
    install(machine, agents("claude-code", "codex", "cursor"), "project")
    forget(machine)
    done = uninstall(machine, agents("claude-code", "codex", "cursor"), "project")
    assert {change.action for change in done} == {"changed"}
    assert (machine.root / ".mcp.json").read_text() == '{"mcpServers": {"a": {"command": "b"}}}'
    for name in (".claude/settings.json", ".cursor/mcp.json"):
        assert (machine.root / name).read_text() == "{}\n"
    assert (machine.root / ".codex" / "config.toml").read_text() == ""
    assert json.loads((machine.root / ".cursor" / "hooks.json").read_text()) == {"version": 1}


def test_an_entry_that_is_out_of_date_is_written_anew(machine: Machine, tmp_path: Path) -> None:
    assert machine.home is not None
    path = put(machine.home / ".cursor" / "mcp.json", '{"mcpServers": {"a": {}}}')
    install(machine, agents("cursor"), "user")
    program = tmp_path / "bin" / "haversack"
    put(program, "#!/bin/sh\n").chmod(0o755)
    moved = Machine(machine.root, machine.home, {"PATH": str(program.parent)})
    install(moved, agents("cursor"), "user")
    assert json.loads(path.read_text())["mcpServers"]["haversack"]["command"] == str(program)
    hooks = json.loads((machine.home / ".cursor" / "hooks.json").read_text())["hooks"]
    assert {each["command"] for group in hooks.values() for each in group} == {f"{program} hook"}
    assert all(len(group) == 1 for group in hooks.values())
    uninstall(moved, agents("cursor"), "user")
    assert path.read_text() == '{"mcpServers": {"a": {}}}'
    assert not (machine.home / ".cursor" / "hooks.json").exists()


def test_mode_and_link_are_kept(machine: Machine) -> None:
    assert machine.home is not None
    real = put(machine.home / "dotfiles" / "claude.json", '{"a": 1}')
    real.chmod(0o600)
    (machine.home / ".claude.json").symlink_to(real)
    install(machine, agents("claude-code"), "user")
    assert (machine.home / ".claude.json").is_symlink()
    assert "haversack" in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    uninstall(machine, agents("claude-code"), "user")
    assert real.read_text() == '{"a": 1}'
    assert stat.S_IMODE(real.stat().st_mode) == 0o600


def test_nothing_is_written_on_a_dry_run(machine: Machine) -> None:
    assert machine.home is not None
    before = tree(machine.root.parent)
    done = install(machine, AGENTS.values(), "project", dry_run=True)
    assert {change.action for change in done} == {"made"}
    assert tree(machine.root.parent) == before
    install(machine, agents("codex"), "project")
    before = tree(machine.root.parent)
    assert {change.action for change in uninstall(machine, agents("codex"), "project", dry_run=True)} == {"removed"}
    assert tree(machine.root.parent) == before


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        (".mcp.json", '{"a": 1', "line 1, column 8: expected a comma or }"),
        (".mcp.json", '{\n  "a" 1}', "line 2, column 7: expected a colon"),
        (".mcp.json", "{a: 1}", "expected a key in double quotes"),
        (".mcp.json", '{"a": nope}', "line 1, column 7: this is not a JSON value"),
        (".mcp.json", '{"a": NaN}', "this is not a JSON value"),
        (".mcp.json", '{"a": 1} x', "something follows the settings"),
        (".mcp.json", "[]", "settings begin with {"),
        (".mcp.json", '{"a": /* not closed', "this is not a JSON value"),
        (".mcp.json", '{"x": ' + "[" * 5000, "nested too deeply"),
        (".mcp.json", '{"mcpServers": []}', "mcpServers is not an object"),
        (".mcp.json", '{"mcpServers": null}', "mcpServers is not an object"),
        (".mcp.json", '{"mcpServers": {"haversack": null}}', "mcpServers.haversack is there already"),
        (".claude/settings.json", '{"hooks": {"SessionStart": {}}}', "hooks.SessionStart is not a list"),
        (".codex/config.toml", "model = \n", "is not valid TOML"),
        (".codex/config.toml", "a = 1\na = 2\n", "is not valid TOML"),
        (".codex/config.toml", 'mcp_servers = { a = { command = "b" } }\n', "a table cannot be added to"),
    ],
)
def test_settings_that_cannot_be_changed_are_named_and_left_alone(
    machine: Machine, name: str, text: str, words: str
) -> None:
    path = put(machine.root / name, text)
    done = install(machine, agents("claude-code", "codex"), "project")
    left = [change for change in done if change.action == "left alone"]
    assert [change.path for change in left] == [path]
    assert words in left[0].note
    assert left[0].fix
    assert path.read_text() == text
    assert len([change for change in done if change.action == "made"]) == 3
    assert path.read_text() == text


def test_files_that_are_no_settings_are_left_alone(machine: Machine, tmp_path: Path) -> None:
    put(tmp_path / "elsewhere.json", "{}")
    (machine.root / ".mcp.json").symlink_to(tmp_path / "elsewhere.json")
    (machine.root / ".claude").mkdir()
    (machine.root / ".claude" / "settings.json").symlink_to("missing.json")
    (machine.root / ".codex" / "config.toml").mkdir(parents=True)
    (machine.root / ".codex" / "hooks.json").write_bytes('{"a": "é"}'.encode("utf-16"))
    done = install(machine, agents("claude-code", "codex"), "project")
    assert {change.action for change in done} == {"left alone"}
    notes = " ".join(change.note for change in done)
    for words in ("outside the project", "a file that does not exist", "is not a file", "is not UTF-8"):
        assert words in notes
    assert (tmp_path / "elsewhere.json").read_text() == "{}"
    assert {change.action for change in uninstall(machine, agents("claude-code", "codex"), "project")} == {"left alone"}


def test_a_file_too_large_for_settings_is_left_alone(machine: Machine) -> None:
    path = machine.root / ".mcp.json"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    (change, _) = install(machine, agents("claude-code"), "project")
    assert "more than settings have" in change.note


def test_a_file_system_that_takes_no_writing_is_named(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    path = put(machine.root / ".mcp.json", "{}")

    def refuse(*_: object, **__: object) -> tuple[int, str]:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    (change, *_) = install(machine, agents("copilot-cli"), "project")
    assert (change.action, change.note) == ("left alone", "cannot be written: Read-only file system")
    assert path.read_text() == "{}"


def test_what_another_program_writes_meanwhile_is_not_overwritten(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(machine.root / ".mcp.json", "{}")
    sync = os.fsync

    def meanwhile(number: int) -> None:
        sync(number)
        path.write_text('{"theirs": 1}')

    monkeypatch.setattr("os.fsync", meanwhile)
    (change,) = install(machine, agents("copilot-cli"), "project")
    assert "changed by another program" in change.note
    assert path.read_text() == '{"theirs": 1}'
    assert [each.name for each in machine.root.iterdir()] == [".mcp.json"]


def test_without_a_home_folder_a_project_can_be_installed_into(machine: Machine) -> None:
    homeless = Machine(machine.root, None, {})
    (change,) = install(homeless, agents("copilot-cli"), "project")
    assert change.action == "made"
    assert "could not be recorded" in change.note
    uninstall(homeless, agents("copilot-cli"), "project")
    assert (machine.root / ".mcp.json").read_text() == "{}\n"
    with pytest.raises(HaversackError, match="no home folder"):
        install(homeless, agents("copilot-cli"), "user")
    assert all(not agent.places(homeless, "user") for agent in AGENTS.values())


def test_a_damaged_record_is_as_none(machine: Machine) -> None:
    install(machine, agents("copilot-cli"), "project")
    assert machine.home is not None
    (kept,) = machine.home.rglob("installed.json")
    kept.write_text("{")
    uninstall(machine, agents("copilot-cli"), "project")
    assert (machine.root / ".mcp.json").read_text() == "{}\n"


def test_the_record_holds_nothing_of_the_users(machine: Machine) -> None:
    put(machine.root / ".mcp.json", '{"mcpServers": {"a": {"env": {"KEY": "sesame-open"}}}}')
    install(machine, agents("claude-code"), "project")
    assert machine.home is not None
    (kept,) = machine.home.rglob("installed.json")
    assert "sesame" not in kept.read_text()


def test_uninstalling_what_was_never_installed_changes_nothing(machine: Machine) -> None:
    put(machine.root / ".mcp.json", WITH_COMMENTS)
    done = uninstall(machine, AGENTS.values(), "project")
    assert {change.action for change in done} == {"unchanged"}
    assert tree(machine.root) == {".mcp.json": WITH_COMMENTS.encode()}


def test_a_file_that_the_user_removed_is_not_missed(machine: Machine) -> None:
    install(machine, agents("copilot-cli"), "project")
    (machine.root / ".mcp.json").unlink()
    assert [change.action for change in uninstall(machine, agents("copilot-cli"), "project")] == ["unchanged"]
    install(machine, agents("copilot-cli"), "project")
    (machine.root / ".mcp.json").unlink()
    assert [change.action for change in install(machine, agents("copilot-cli"), "project")] == ["made"]


def test_agents_are_found_by_folder_and_by_program(machine: Machine, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no agent was found"):
        choose((), machine)
    assert machine.home is not None
    (machine.home / ".codex").mkdir()
    (machine.root / ".gemini").mkdir()
    put(tmp_path / "bin" / "claude", "#!/bin/sh\n").chmod(0o755)
    here = Machine(machine.root, machine.home, {"PATH": str(tmp_path / "bin")})
    assert [agent.name for agent in choose((), here)] == ["claude-code", "codex", "gemini-cli"]
    assert [agent.name for agent in choose(("cursor", "cursor"), here)] == ["cursor"]
    with pytest.raises(UsageError, match="no agent 'emacs'"):
        choose(("emacs",), here)


def test_files_of_the_user_follow_the_variables_and_the_system(machine: Machine) -> None:
    assert machine.home is not None
    moved = Machine(
        machine.root, machine.home, {"CLAUDE_CONFIG_DIR": "/c", "CODEX_HOME": "/x", "XDG_CONFIG_HOME": "/g"}
    )

    def paths(name: str, where: Machine) -> list[str]:
        return [place.path.as_posix() for place in AGENTS[name].places(where, "user")]

    assert paths("claude-code", moved) == ["/c/.claude.json", "/c/settings.json"]
    assert paths("codex", moved) == ["/x/config.toml", "/x/hooks.json"]
    assert paths("opencode", moved) == ["/g/opencode/opencode.json"]
    assert paths("vscode", moved) == ["/g/Code/User/mcp.json"]
    home = machine.home.as_posix()
    assert paths("vscode", Machine(machine.root, machine.home, {}, "darwin")) == [
        f"{home}/Library/Application Support/Code/User/mcp.json"
    ]
    assert paths("vscode", Machine(machine.root, machine.home, {}, "win32")) == [
        f"{home}/AppData/Roaming/Code/User/mcp.json"
    ]
    assert paths("windsurf", machine) == [f"{home}/.codeium/windsurf/mcp_config.json"]
    assert paths("copilot-cli", machine) == [f"{home}/.copilot/mcp-config.json"]
    assert paths("claude-code", machine) == [f"{home}/.claude.json", f"{home}/.claude/settings.json"]


def test_opencode_keeps_the_file_that_is_there(machine: Machine) -> None:
    path = put(machine.root / "opencode.jsonc", "{\n  // mine\n}\n")
    (change,) = install(machine, agents("opencode"), "project")
    assert change.path == path


def test_a_program_with_spaces_in_its_path_is_quoted(machine: Machine, tmp_path: Path) -> None:
    put(tmp_path / "my bin" / "haversack", "#!/bin/sh\n").chmod(0o755)
    here = Machine(machine.root, machine.home, {"PATH": str(tmp_path / "my bin")})
    assert here.hook("user") == f"'{tmp_path / 'my bin' / 'haversack'}' hook"
    assert here.hook("project") == "haversack hook"
    assert Machine(machine.root, machine.home, here.env, "win32").hook("user").startswith('"')
    assert Machine(machine.root, machine.home, {"PATH": ""}, "win32").hook("user").endswith("haversack hook")


def forget(machine: Machine) -> None:
    assert machine.home is not None
    for kept in machine.home.rglob("installed.json"):
        kept.unlink()


@given(st.dictionaries(st.sampled_from(["mcpServers", "hooks", "a"]), st.dictionaries(st.text(max_size=3), st.none())))
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whoever_writes_the_file_anew_keeps_all_but_our_entries(machine: Machine, theirs: dict[str, Json]) -> None:
    """Agents read their settings, add to them and write all of it again in their own way."""
    for place in AGENTS["claude-code"].places(machine, "project"):
        put(place.path, json.dumps(theirs))
    install(machine, agents("claude-code"), "project")
    for place in AGENTS["claude-code"].places(machine, "project"):
        held = json.loads(place.path.read_text())
        put(place.path, json.dumps({"new": [1], **held}, indent=4))
    uninstall(machine, agents("claude-code"), "project")
    for place in AGENTS["claude-code"].places(machine, "project"):
        assert json.loads(place.path.read_text()) == {"new": [1], **theirs}
