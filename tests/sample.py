"""A small real project for tests that need one: code in two languages, docs, a history."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

# A small file may come whole; with this it is large, and its parts come on their own.
UNRELATED = "\n\ndef unrelated() -> None:\n" + "    colours.append('a shade of grey')\n" * 400

FILES = {
    "README.md": "# Shop\n\nSessions and carts.\n\n## Sessions\n\nA session expires after `SESSION_HOURS`.\n",
    "docs/adr/0001-tokens.md": "# 1. Signed tokens\n\nStatus: accepted\n\n## Decision\n\nSigned with RS256.\n",
    "shop/__init__.py": '"""A shop."""\n',
    "shop/session.py": '''"""Sessions of users."""

import time

SESSION_HOURS = 24


class Session:
    """One login of one user."""

    def __init__(self, user: str) -> None:
        self.user = user
        self.opened = time.time()

    def expired(self, now: float) -> bool:
        """Whether the session is older than allowed."""
        return now - self.opened > SESSION_HOURS * 3600


def refresh_session(session: Session) -> Session:
    """Give the user a new session when the old one ran out."""
    if session.expired(time.time()):
        return Session(session.user)
    return session
''',
    "shop/cart.py": '''"""Carts."""

from shop.session import Session


class Cart:
    """What a user wants to buy."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.items: list[str] = []

    def add(self, item: str) -> None:
        """Put an item into the cart."""
        if not item:
            raise ValueError("an item needs a name")
        self.items.append(item)

    def total(self, prices: dict[str, int]) -> int:
        """The sum of all prices."""
        return sum(prices[item] for item in self.items)
''',
    "tests/test_session.py": """from shop.session import Session, refresh_session


def test_a_fresh_session_is_kept():
    session = Session("ann")
    assert refresh_session(session) is session
""",
    "web/cart.ts": """import { fetchCart } from "./api";

/** Shows the cart. */
export function renderCart(items: string[]): string {
  return items.map((item) => `<li>${item}</li>`).join("");
}
""",
    "web/api.ts": """export async function fetchCart(user: string): Promise<string[]> {
  const answer = await fetch(`/cart/${user}`);
  return answer.json();
}
""",
}


def git(root: Path, *arguments: str, when: int = 1_700_000_000) -> str:
    """Run git as nobody in particular at a fixed time."""
    environment = {
        **os.environ,
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "GIT_AUTHOR_NAME": "Ann",
        "GIT_AUTHOR_EMAIL": "ann@example.com",
        "GIT_COMMITTER_NAME": "Ann",
        "GIT_COMMITTER_EMAIL": "ann@example.com",
        "GIT_AUTHOR_DATE": f"{when} +0000",
        "GIT_COMMITTER_DATE": f"{when} +0000",
    }
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], check=True, capture_output=True, text=True, env=environment
    )
    return done.stdout


def write(root: Path, path: str, text: str) -> None:
    """Write a file with a fixed old time."""
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")
    os.utime(target, (1_700_000_000, 1_700_000_000))


def make(root: Path) -> Path:
    """The project with three commits."""
    root.mkdir(parents=True)
    git(root, "init", "-q", "-b", "main")
    for path, text in FILES.items():
        write(root, path, text.replace("24", "8") if path == "shop/session.py" else text)
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "A shop with sessions and carts")
    write(root, "shop/session.py", FILES["shop/session.py"])
    git(root, "commit", "-q", "-a", "-m", "Sessions last a day\n\nUsers were thrown out at noon.", when=1_700_100_000)
    git(root, "commit", "-q", "--allow-empty", "-m", "Release 1.0", when=1_700_200_000)
    return root
