"""The documentation says what the program does: generated parts are fresh, examples run, nothing is left out."""

from __future__ import annotations

import importlib.util
import io
import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import click
import jsonschema
import pytest

from haversack.cli.main import COMMANDS, cli, run
from haversack.config import load
from haversack.config.schema import FILE as SCHEMA

TOP = Path(__file__).parent.parent.parent
PAGES = [TOP / "README.md", *sorted((TOP / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(console|python|toml)\n(.*?)^```", re.MULTILINE | re.DOTALL)

FILES = {
    "README.md": "# Shop\n\n## Login\n\nAfter the login the user is sent back to where they were.\n",
    "src/shop/login.py": '''\
"""Signing in."""

from shop.session import Session


def redirect_target(session: Session) -> str:
    """Where to send the user after the login."""
    return session.wanted or "/"


def login(name: str, password: str) -> Session:
    """Sign in and open a session."""
    session = Session(name)
    if not password:
        raise ValueError("no password")
    return session
''',
    "src/shop/session.py": '''\
"""What is known of a visitor."""


class Session:
    """One visitor."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.wanted = ""
''',
}


def blocks(kind: str) -> list[object]:
    found = []
    for page in PAGES:
        for number, match in enumerate(BLOCK.finditer(page.read_text(encoding="utf-8")), 1):
            if match[1] == kind:
                found.append(pytest.param(match[2], id=f"{page.stem}-{number}"))
    return found


@pytest.fixture(scope="module")
def regenerate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("regenerate", TOP / "docs" / "regenerate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of the examples, committed."""
    root = tmp_path_factory.mktemp("docs") / "shop"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
    for args in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "Send users back after the login"]):
        subprocess.run(["git", *who, *args], cwd=root, check=True)
    return root


@pytest.fixture
def here(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it as the working folder, with a home of its own."""
    root = tmp_path / "shop"
    shutil.copytree(shop, root)
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return root


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_generated_parts_are_fresh(page: Path, regenerate: ModuleType) -> None:
    text = page.read_text(encoding="utf-8")
    assert regenerate.regenerate(text) == text, "run: python docs/regenerate.py"


def test_every_command_and_option_is_documented() -> None:
    page = (TOP / "docs" / "commands.md").read_text(encoding="utf-8")
    for name in COMMANDS:
        assert f"### haversack {name}\n\n<!-- generated: help {name} -->\n" in page
        section = page.partition(f"### haversack {name}\n")[2].partition("\n### ")[0]
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        for param in command.params:
            if isinstance(param, click.Option) and not param.hidden:
                assert all(option in section for option in (*param.opts, *param.secondary_opts)), (name, param.opts)
        assert re.search(r"```console\n\$ (?:echo .* \| )?haversack", section), name
    for param in cli.params:
        assert all(option in page for option in param.opts)


def test_every_setting_is_documented(regenerate: ModuleType) -> None:
    page = (TOP / "docs" / "configuration.md").read_text(encoding="utf-8")
    for table in ("project", "index", "sources", "pack", "relevance", "levels", "presets", "profiles"):
        assert regenerate.settings_of(table) in page
    for table in ("budget_config", "relevance_scoring", "summarization", "enrichment"):
        assert regenerate.aliases_of(table) in page


@pytest.mark.parametrize("page", [*PAGES, *(TOP / name for name in ("AGENTS.md", "ARCHITECTURE.md", "CHANGELOG.md"))])
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


@pytest.mark.parametrize("block", blocks("toml"))
def test_examples_of_settings_are_valid(block: str, tmp_path: Path) -> None:
    (tmp_path / "haversack.toml").write_text(block)
    load(tmp_path, env={"XDG_CONFIG_HOME": "/nonexistent", "HOME": "/nonexistent"})
    jsonschema.validate(tomllib.loads(block), json.loads(SCHEMA.read_text(encoding="utf-8")))


@pytest.mark.parametrize("block", blocks("python"))
def test_examples_in_python_run(block: str, here: Path) -> None:
    exec(compile(block, "example", "exec"), {"__name__": "example"})


@pytest.mark.parametrize("block", blocks("console"))
def test_examples_on_the_command_line_run(
    block: str, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for typed, expected in examples(block):
        code = shell(typed, monkeypatch)
        out, err = capsys.readouterr()
        assert code == 0, (typed, err)
        assert not expected or out == expected, typed


def examples(block: str) -> Iterator[tuple[str, str]]:
    """What is typed, and what it prints when the example says."""
    for part in block.removeprefix("$ ").split("\n$ "):
        typed, _, printed = part.partition("\n")
        yield typed, printed


def shell(typed: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run `VAR=value echo text | haversack …` in this process: the little of a shell that the examples need."""
    with monkeypatch.context() as patch:
        said, pipe, rest = typed.rpartition(" | ")
        if pipe:
            echo, *words = shlex.split(said)
            assert echo == "echo"
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(" ".join(words).encode())))
        words = shlex.split(rest)
        while "=" in words[0]:
            name, _, value = words.pop(0).partition("=")
            patch.setenv(name, value)
        assert words[0] == "haversack"
        return run(words[1:])
