"""Whole histories made in one go: thousands of commits in the time git takes for a few."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

START = 1_600_000_000


def git(root: Path, *arguments: str) -> str:
    """What git prints, as somebody."""
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def make_history(root: Path, commits: Iterable[tuple[str, Mapping[str, str | None]]]) -> None:
    """Commits (message, files; None deletes one) an hour apart; the last is checked out."""
    git(root, "init", "-q", "-b", "main")
    stream = bytearray()
    for number, (message, files) in enumerate(commits):
        said = message.encode()
        stream += b"commit refs/heads/main\ncommitter A <a@example.org> %d +0000\n" % (START + 3600 * number)
        stream += b"data %d\n%s\n" % (len(said), said)
        for path, text in files.items():
            if text is None:
                stream += f"D {path}\n".encode()
            else:
                held = text.encode()
                stream += f"M 100644 inline {path}\ndata {len(held)}\n".encode() + held + b"\n"
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, input=bytes(stream), check=True, capture_output=True)
    git(root, "reset", "-q", "--hard", "main")
