"""Every example for a framework runs as it stands, on a real project, without a network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

# Runs a script as `python script` does, but whoever reaches for the network fails.
OFFLINE = """\
import runpy, socket, sys

def refuse(*_):
    raise OSError("there is no network here")

socket.socket.connect = socket.socket.connect_ex = refuse
socket.getaddrinfo = refuse
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""

LOGIN = '''\
"""Signing in."""


def redirect_target(wanted: str) -> str:
    """Where to send the user after the login."""
    return wanted or "/"
'''


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("langchain_retriever.py", ["src/login.py:", "The answer of a model."]),
        ("llamaindex_retriever.py", ["src/login.py:", "found again"]),
        ("pydantic_ai_agent.py", ["read_more", "redirect_target"]),
        ("message_lists.py", ["cache_control", "redirect_target", '"role": "developer"']),
    ],
)
def test_an_example_runs_without_a_network(name: str, words: list[str], tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "login.py").write_text(LOGIN, encoding="utf-8")
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "XDG_CONFIG_HOME": str(tmp_path / "c")}
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE, str(EXAMPLES / name), "fix redirect_target after the login"],
        cwd=tmp_path,
        env={**os.environ, **home},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for word in words:
        assert word in done.stdout
