"""A small real project in a git repository, and the program run inside this process."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import Outcome, Run
from tests.histories import git

from haversack import logs

FILES = {
    "README.md": "# Shop\n\nA small shop.\n\n## Login\n\nAfter the login the user is sent back to where they were.\n",
    "src/shop/login.py": '''\
"""Signing in."""

from shop.session import Session


def redirect_target(session: Session) -> str:
    """Where to send the user after the login."""
    return session.wanted or "/"


def login(name: str, password: str) -> Session:
    """Sign in and open a session."""
    session = Session(name)
    session.open(password)
    return session
''',
    "src/shop/session.py": '''\
"""What is known of a visitor."""


class Session:
    """One visitor."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.wanted = ""

    def open(self, password: str) -> None:
        """Check the password."""
        if not password:
            raise ValueError("no password")
''',
    "tests/test_login.py": """\
from shop.login import login, redirect_target


def test_login_redirects_home() -> None:
    assert redirect_target(login("a", "b")) == "/"
""",
}


SETTLED = time.time() - 3600


@pytest.fixture(autouse=True)
def quiet_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own for every test: no settings of the machine, no index shared."""
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "cache"))
    monkeypatch.delenv("NO_COLOR", raising=False)
    return home


@pytest.fixture(autouse=True)
def quiet_logs() -> Iterator[None]:
    """Logs that one test asked for are not heard in the next."""
    yield
    for handler in list(logs.LOGGER.handlers):
        logs.LOGGER.removeHandler(handler)
    logs.LOGGER.addHandler(logging.NullHandler())
    logs.LOGGER.setLevel(logging.NOTSET)
    logs.LOGGER.propagate = True


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project, committed, and the working folder."""
    root = tmp_path / "shop"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        # A file written this second may change again within the clock's tick and counts as changed; these are settled.
        os.utime(path, (SETTLED, SETTLED))
    git(root, "init", "-q", "-b", "main")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Send users back after the login")
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the program with these arguments."""
    from haversack.cli.main import run as program

    def call(*args: str) -> Outcome:
        capsys.readouterr()
        code = program(list(args))
        out, err = capsys.readouterr()
        return Outcome(code, out, err)

    return call
