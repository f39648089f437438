"""No secret reaches any byte haversack writes or says, whatever place it stands in."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from haversack import Haversack, logs
from tests import planted

PROGRAM = "from haversack.cli.main import main; main()"
SOURCES = {
    "code", "docs", "knowledge", "commits", "research", "deployment", "environments", "conversation", "logs",
    "memories", "experiences", "values",
}  # fmt: skip


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return planted.plant(tmp_path / "shop")


def said(haversack: Haversack, project: Path) -> Iterator[tuple[str, str]]:
    """Everything the library can be made to say about the project."""
    task = planted.task()
    haversack.asked = frozenset({"logs"})
    for form in ("markdown", "json", "xml"):
        packet = haversack.pack(task, budget=60_000, format=form, fill=True)
        yield f"packet as {form}", packet.text
        yield "receipt", repr(packet.receipt)
        yield "items", repr(packet.items)
    yield "why", haversack.why(target="shop/session.py")
    yield "report", repr(haversack.report())
    yield "agent", haversack.agent(budget=20_000, task=task).text
    for path in sorted(path for path in project.rglob("*") if path.is_file() and ".git" not in path.parts):
        name = path.relative_to(project).as_posix()
        if name in haversack.store.snapshot().positions_by_key:
            yield f"show {name}", haversack.show(name).text
            for level in ("full", "detailed", "summary", "stub"):
                yield f"{level} {name}", repr(haversack.summarize(name, level))
    for secret in planted.secrets():
        for view in ("hybrid", "exact"):
            yield f"search {view}", repr(haversack.search(secret, view=view))


def test_no_secret_reaches_any_byte(project: Path, tmp_path: Path) -> None:
    wanted = planted.secrets()
    assert len(wanted) > 40
    heard = io.StringIO()
    logs.start(2, as_json=True, stream=heard)
    data = tmp_path / "data"
    with Haversack(project, data_dir=data, flags={"sources.conversation.home": str(tmp_path)}) as haversack:
        planted.remember(haversack, tmp_path)
        report = haversack.index()
        sources = {item.source for item in haversack.store.snapshot().items}
        assert sources >= SOURCES
        leaks = {
            (what, leak)
            for what, text in said(haversack, project)
            for leak in planted.found_in(text.encode("utf-8", "replace"), wanted)
        }
        assert leaks == set()
        assert planted.found_in(repr(report).encode(), wanted) == []
    written = {(where, leak) for where, body in planted.every_byte(data) for leak in planted.found_in(body, wanted)}
    assert written == set()
    assert planted.found_in(heard.getvalue().encode(), wanted) == []


def test_the_search_would_find_a_leak(tmp_path: Path) -> None:
    """The test above is worth nothing unless a leak in any form shows."""
    secret = planted.secrets()[5]
    for form in planted.forms(secret):
        (tmp_path / "file").write_bytes(b"\1\2" + form + b"\3")
        assert any(planted.found_in(body, [secret]) for _, body in planted.every_byte(tmp_path))


def test_the_command_line_says_no_secret_either(project: Path, tmp_path: Path) -> None:
    wanted = planted.secrets()
    base = [sys.executable, "-c", PROGRAM, "-vv", "-C", str(project), "--data-dir", str(tmp_path / "data")]
    for command in (["pack", planted.task(), "--format", "json"], ["show", ".env"], ["search", "session"]):
        done = subprocess.run([*base, *command], capture_output=True, check=True)
        assert planted.found_in(done.stdout + done.stderr, wanted) == []
