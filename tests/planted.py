"""A project with a secret in every place a secret can stand, and a search of every byte haversack wrote."""

from __future__ import annotations

import base64
import json
import os
import sqlite3
import subprocess
import urllib.parse
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from haversack import Haversack
from haversack.memory.nouns import Memory, Reward
from haversack.units.secret_rules import RULES

KEY_BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
PRIVATE_KEY = f"-----BEGIN RSA PRIVATE KEY-----\n{KEY_BODY}\n{KEY_BODY[::-1]}\n-----END RSA PRIVATE KEY-----"
# Secret by its place alone: no rule for text could know it.
WORD = "kumquatlantern"
WHEN = "2026-11-15T10:00:00Z"


def examples() -> list[tuple[str, str]]:
    """Every example of every rule with the secret in it."""
    found = [
        (example, match["secret"])
        for rule in RULES
        for example in rule.examples
        for match in rule.pattern.finditer(example)
        if rule.judge(match)
    ]
    return [*found, (PRIVATE_KEY, KEY_BODY), (PRIVATE_KEY, KEY_BODY[::-1])]


def secrets() -> list[str]:
    """What must be nowhere."""
    return sorted({secret for _, secret in examples()} | {WORD})


def plant(root: Path) -> Path:
    """The project, with its history, a transcript and a log."""
    lines = list(dict.fromkeys(example for example, _ in examples()))
    prose = "\n\n".join(f"The session of the shop uses {line}" for line in lines)
    code = "\n".join(f"def session_{n}():\n    '''{line}'''\n    return {n}\n" for n, line in enumerate(lines))
    coded = base64.b64encode(WORD.encode()).decode()
    kept = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: session\n"
    state = {"version": 4, "outputs": {"session": {"value": WORD, "sensitive": True}}}
    log = (f"2026-11-15T10:00:{n % 60:02d}Z ERROR session failed {line}" for n, line in enumerate(lines))
    talk = ({"role": "user", "content": f"Decision: use {line} for the session.", "timestamp": WHEN} for line in lines)
    pairs = "\n".join(f"NAME_{n}={line!r}" for n, line in enumerate(lines) if "\n" not in line)
    files = {
        "shop/session.py": code,
        "shop/session.js": "\n".join(f"// {line}" for text in lines for line in text.split("\n")),
        "docs/session.md": f"# Session\n\n{prose}\n",
        "notes.txt": prose,
        ".context/DECISIONS.md": f"# Decisions\n\n## [2026-01-01-120000] Session of the shop\n\n{prose}\n",
        "research/session.md": f"# Session of the shop\n\n{prose}\n",
        "research/found.jsonl": "\n".join(json.dumps({"title": "session", "conclusion": line}) for line in lines),
        "data/session.json": json.dumps({"session": lines}, indent=1),
        ".env": f"SESSION={WORD}\nDB_PASSWORD={WORD}\n{pairs}\n",
        ".env.production": f"SESSION={WORD}2\nDB_PASSWORD={WORD}\n",
        "k8s/base/secret.yaml": f"{kept}data:\n  a: {coded}\nstringData:\n  b: {WORD}\n",
        "k8s/overlays/prod/secret.yaml": f"{kept}stringData:\n  b: {WORD}x\n",
        "compose.yaml": "services:\n  session:\n    environment:\n"
        f"      DB_PASSWORD: {WORD}\n    command: run --token={WORD}\n",
        "chart/values.yaml": f"session:\n  password: {WORD}\n",
        "terraform.tfstate": json.dumps(state, indent=1),
        "main.tf": f'variable "session_password" {{\n  default = "{WORD}"\n}}\n',
        "Dockerfile": f"FROM scratch\nENV SESSION_TOKEN={WORD}\n",
        "session.service": f"[Service]\nEnvironment=SESSION_PASSWORD={WORD}\n",
        ".github/workflows/session.yml": f"jobs:\n  session:\n    env:\n      TOKEN: {WORD}\n",
        "logs/app.log": "\n".join(log),
        "logs/app.jsonl": "\n".join(json.dumps({"level": "error", "msg": f"session {line}"}) for line in lines),
        "talk.jsonl": "\n".join(map(json.dumps, talk)),
        "haversack.toml": '[sources.logs]\nfiles = ["logs/app.log", "logs/app.jsonl"]\nlog_window_hours = 100000\n'
        '[sources.conversation]\nfiles = ["talk.jsonl"]\n',
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    git = ["git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@example.com"]
    quiet = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(["git", "init", "-q", str(root)], check=True, env=quiet)
    subprocess.run([*git, "add", "-Af"], check=True, env=quiet)
    message = root.with_suffix(".message")
    message.write_text("Session of the shop\n\n" + prose, encoding="utf-8")
    subprocess.run([*git, "commit", "-q", "-F", str(message)], check=True, env=quiet)
    (root / ".env").write_text(f"SESSION={WORD}3\n{pairs}\n", encoding="utf-8")
    subprocess.run([*git, "commit", "-qam", "Session again"], check=True, env=quiet)
    message.unlink()
    return root


def remember(haversack: Haversack, folder: Path) -> None:
    """The same in every field of memories, experiences, rewards and of files that are imported."""
    lines = list(dict.fromkeys(example for example, _ in examples()))
    haversack.remember_many(
        Memory(
            f"The session of the shop uses {line}", subject=line, within=line, tags=(line,), session=line, speaker=line,
            symbols=(line,), paths=(line,), origin=line, extra={"note": line, line: "key"},
        )
        for line in lines
    )  # fmt: skip
    for line in lines:
        haversack.start_experience(
            domain="debugging", strategy="check-assumptions", session=line, goal=f"fix the session {line}",
            hypothesis=f"the session uses {line}", action=f"set {line}", prediction=f"it works with {line}",
        )  # fmt: skip
        haversack.update_experience(note=line, hypothesis=f"the session still uses {line}")
        haversack.resolve_experience(
            outcome="falsified", result=line, surprise=f"the session surprised with {line}",
            root_cause="wrong-assumption", root_cause_description=f"session: {line}",
            what_worked=line, takeaway=f"the session: {line}",
        )  # fmt: skip
    carried = folder / "memories.md"
    carried.write_text("# Notes\n\n" + "\n".join(f"- session of another shop {line}" for line in lines), "utf-8")
    haversack.import_memory(carried)
    haversack.memory.add_reward(Reward(packet="p", reward=1.0, carried=(), used=(), task=" ".join(lines)))


def task() -> str:
    """A task into which somebody pasted everything."""
    return "Fix the session of the shop in production\n" + "\n".join(example for example, _ in examples())


def forms(secret: str) -> Iterator[bytes]:
    """The secret raw and as it may be written elsewhere."""
    raw = secret.encode()
    yield raw
    yield raw.hex().encode()
    yield secret.encode("utf-16-le")
    yield json.dumps(secret)[1:-1].encode()
    yield urllib.parse.quote(secret, safe="").encode()
    for shift in range(3):  # base64 of a text that holds it somewhere: only the inner part is the same everywhere
        whole = base64.b64encode(b"\0" * shift + raw)
        yield whole[4 if shift else 0 : len(whole) // 4 * 4 - 4]


def found_in(data: bytes, wanted: list[str]) -> list[str]:
    """Secrets that a text holds in any form."""
    return [secret for secret in wanted if any(len(form) >= 4 and form in data for form in forms(secret))]


def every_byte(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every file below a folder, and every value of its databases, compressed ones opened."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        data = path.read_bytes()
        yield str(path), data
        if data.startswith(b"SQLite format 3"):
            with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
                tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
                for table in tables:
                    for row in database.execute(f'SELECT * FROM "{table}"'):
                        for value in row:
                            yield f"{path}:{table}", b"".join(opened(value))


def opened(value: object) -> Iterator[bytes]:
    """A value of a database as bytes, and what it holds compressed."""
    raw = value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
    yield raw
    for body in (raw, raw[1:]):
        try:
            yield zlib.decompress(body)
        except zlib.error:
            continue
