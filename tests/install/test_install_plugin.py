"""The plugin folder: its files parse, say the same as the installer, and name commands that exist."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from haversack.cli.main import COMMANDS, cli
from haversack.install import AGENTS, Machine, plugin_folder

FOLDER = plugin_folder()
TOP = Path(__file__).parent.parent.parent


def load(name: str) -> dict[str, object]:
    held: dict[str, object] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return held


def test_both_manifests_describe_this_package() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    common, claude = load("plugin.json"), load(".claude-plugin/plugin.json")
    for manifest in (common, claude):
        assert manifest["name"] == project["name"]
        assert manifest["version"] == project["version"]
        assert manifest["license"] == project["license"]
    assert common.pop("$schema") == "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
    assert common == claude


def test_servers_and_hooks_are_what_the_installer_writes(tmp_path: Path) -> None:
    servers, settings = AGENTS["claude-code"].places(Machine(tmp_path, None, {}), "project")
    assert load(".mcp.json") == {"mcpServers": {"haversack": servers.entries[0].value}}
    common = load("mcp.json")
    assert common.pop("$schema") == "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"
    assert common == load(".mcp.json")
    wanted = {entry.path[1]: [entry.value] for entry in settings.entries}
    assert load("hooks/hooks.json") == {"hooks": wanted}


def test_every_command_that_is_written_into_settings_exists(tmp_path: Path) -> None:
    machine = Machine(tmp_path, tmp_path, {"PATH": ""})
    for agent in AGENTS.values():
        for scope in ("project", "user"):
            for place in agent.places(machine, scope):
                for entry in place.entries:
                    for line in command_lines(entry.value):
                        program, command = shlex.split(line)
                        assert Path(program).name == "haversack"
                        assert command in COMMANDS


def command_lines(value: object) -> Iterator[str]:
    """Every command line in an entry, its arguments included."""
    if isinstance(value, dict) and "command" in value:
        command, more = value["command"], value.get("args", [])
        yield shlex.join(command) if isinstance(command, list) else " ".join([command, *more])
        return
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from command_lines(each)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("skills/*/SKILL.md")), ids=lambda path: path.parent.name)
def test_skills_have_a_front_and_name_commands_that_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    front = dict(re.findall(r"^(\w+): (.+)$", text.split("---")[1], re.MULTILINE))
    assert front["name"] == path.parent.name
    assert 0 < len(front["description"]) <= 1024
    assert ": " not in front["description"]
    named = re.findall(r"`haversack (\w+)", text)
    assert named
    assert set(named) <= set(COMMANDS)
    for words, option in re.findall(r"`haversack (\w+)[^`]*?(--[\w-]+)", text):
        command = cli.get_command(click.Context(cli), words)
        assert command is not None
        assert option in {name for param in command.params for name in param.opts}


def test_the_tools_the_skill_names_are_those_of_the_server() -> None:
    served = "".join(path.read_text(encoding="utf-8") for path in (TOP / "src" / "haversack" / "mcp").glob("*.py"))
    text = (FOLDER / "skills" / "haversack" / "SKILL.md").read_text(encoding="utf-8")
    for name in re.findall(r"`(\w+_\w+)`", text):
        assert f"def {name}(" in served
