"""The hook and its helper inside one process: who asks, who answers, what happens when one of them fails."""

from __future__ import annotations

import fcntl
import gc
import io
import json
import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from haversack.hook import helper as helper_module
from haversack.hook import run as run_module
from haversack.hook.ask import TooLateError, ask
from haversack.hook.desk import Desk
from haversack.hook.helper import Helper
from haversack.hook.hosts import recognise
from haversack.hook.meeting import NoMeetingError, socket_path
from haversack.hook.moment import Moment
from haversack.hook.run import main
from tests.hook.payloads import Payload, claude
from tests.sample import make

PROMPT = "fix session expiry in refresh_session"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "run").mkdir()
    monkeypatch.setenv("HAVERSACK_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    return make(tmp_path / "shop")


@pytest.fixture
def helper(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Thread]:
    """One that serves until its last session ends."""
    monkeypatch.setattr(helper_module, "LOOK_SECONDS", 0.05)
    desk, path = Desk(), Path(socket_path(os.environ))
    thread = threading.Thread(target=Helper(path, desk).serve)
    thread.start()
    while not path.exists():
        thread.join(0.01)
    yield thread
    path.unlink(missing_ok=True)
    thread.join(30)
    assert not thread.is_alive()
    desk.close()
    gc.enable()


def moment(payload: Payload) -> Moment:
    found = recognise(payload)
    assert found is not None
    return found


def soon() -> float:
    return time.monotonic() + 30


def log(tmp_path: Path) -> str:
    return (tmp_path / "data" / "hook.log").read_text(encoding="utf-8")


def hook(raw: bytes, monkeypatch: pytest.MonkeyPatch) -> str:
    """What the hook writes for what it reads."""
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written))
    assert main() == 0
    return written.getvalue().decode()


def test_the_helper_answers_and_ends_with_the_last_session(shop: Path, helper: threading.Thread) -> None:
    text = ask(moment(claude("UserPromptSubmit", str(shop), prompt=PROMPT)), until=soon())
    assert "def refresh_session" in text
    assert ask(moment(claude("SessionEnd", str(shop))), until=soon(), start=False) == ""
    helper.join(30)
    assert not helper.is_alive()
    assert not Path(socket_path(os.environ)).exists()


def test_a_helper_nobody_asks_any_more_ends(
    shop: Path, helper: threading.Thread, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shop / "haversack.toml").write_text("[hook]\nlinger_minutes = 0\n", encoding="utf-8")
    payload = json.dumps(claude("UserPromptSubmit", str(shop), prompt=PROMPT)).encode()
    said = json.loads(hook(payload, monkeypatch))
    assert "def refresh_session" in said["hookSpecificOutput"]["additionalContext"]
    helper.join(30)
    assert not helper.is_alive()


def test_what_no_hook_says_is_noted_and_the_next_is_answered(
    shop: Path, tmp_path: Path, helper: threading.Thread
) -> None:
    with socket.socket(socket.AF_UNIX) as peer:
        peer.connect(socket_path(os.environ))
        peer.sendall(b"garbage")
        peer.shutdown(socket.SHUT_WR)
        assert peer.recv(10) == b""
    assert "def refresh_session" in ask(moment(claude("UserPromptSubmit", str(shop), prompt=PROMPT)), until=soon())
    assert '"event": "failed"' in log(tmp_path)


def test_a_helper_that_does_not_answer_in_time_is_not_waited_for(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(socket_path(os.environ))
        deaf.listen()
        prompt = claude("UserPromptSubmit", str(shop), prompt=PROMPT)
        with pytest.raises(TooLateError, match="busy"):
            ask(moment(prompt), until=time.monotonic() + 0.05)
        monkeypatch.setattr(run_module, "PATIENCE", 0.05)
        assert hook(json.dumps(prompt).encode(), monkeypatch) == ""
    assert "gave up" in log(tmp_path)


def test_a_helper_that_hangs_up_makes_the_hook_answer_by_itself(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompt = claude("UserPromptSubmit", str(shop), prompt=PROMPT)
    with socket.socket(socket.AF_UNIX) as rude:
        rude.bind(socket_path(os.environ))
        rude.listen()

        def hang_up() -> None:
            for _ in range(2):
                peer, _ = rude.accept()
                with peer:
                    while peer.recv(65_536):
                        pass

        thread = threading.Thread(target=hang_up)
        thread.start()
        with pytest.raises(NoMeetingError, match="answered nothing"):
            ask(moment(prompt), until=soon())
        assert "def refresh_session" in hook(json.dumps(prompt).encode(), monkeypatch)
        thread.join(30)
    assert "answers by itself" in log(tmp_path)


def test_nobody_is_woken_up_to_hear_of_an_end(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert hook(json.dumps(claude("SessionEnd", str(shop))).encode(), monkeypatch) == ""
    assert not Path(socket_path(os.environ)).exists()


def test_what_is_too_large_is_not_read(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "LARGEST", 10)
    assert hook(b" " * 20, monkeypatch) == ""
    assert "too large" in log(tmp_path)


def test_a_bug_is_noted_and_costs_the_host_nothing(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(run_module, "recognise", broken)
    assert hook(b"{}", monkeypatch) == ""
    assert "KeyError: 'x'" in log(tmp_path)


def test_a_person_is_told_what_the_hook_reads(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert main() == 0
    assert "reads the JSON of an agent's hook" in capfd.readouterr().err


@contextmanager
def another_holds_the_lock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where it would serve, if it had its socket; `helper_module.main` comes second there."""
    path = socket_path(os.environ)
    monkeypatch.setattr(sys, "argv", ["helper", path])
    with open(f"{path}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield Path(path)


def test_who_comes_second_leaves(shop: Path, helper: threading.Thread, monkeypatch: pytest.MonkeyPatch) -> None:
    with another_holds_the_lock(monkeypatch) as path:
        served = path.stat().st_ino
        helper_module.main()
        assert path.stat().st_ino == served


def test_who_comes_while_another_is_ending_takes_over(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other has taken its socket away, and still holds its lock while it closes its projects."""
    monkeypatch.setattr(helper_module, "LOOK_SECONDS", 0.05)
    with another_holds_the_lock(monkeypatch) as path:
        thread = threading.Thread(target=helper_module.main)
        thread.start()
        thread.join(0.1)
        assert thread.is_alive()
    until = soon()
    while not path.exists() and time.monotonic() < until:
        thread.join(0.01)
    assert ask(moment(claude("SessionEnd", str(shop))), until=until, start=False) == ""
    thread.join(30)
    assert not thread.is_alive()
    gc.enable()


def test_one_that_never_begins_is_not_waited_for_without_end(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(helper_module, "LEAVING_SECONDS", 0.05)
    with another_holds_the_lock(monkeypatch) as path:
        helper_module.main()
        assert not path.exists()
