"""The hook as a process: valid or empty output, exit code 0, whatever happens."""

from __future__ import annotations

import json
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import pytest

from haversack import Haversack
from tests.hook.payloads import claude, codex, cursor
from tests.hook.running import environment, log, run
from tests.sample import make, write

PROMPT = "fix session expiry in refresh_session"


def test_a_host_gets_its_answer_and_the_helper_is_gone(tmp_path: Path) -> None:
    root, env = make(tmp_path / "shop"), environment(tmp_path)
    said = json.loads(run(codex("UserPromptSubmit", str(root), prompt=PROMPT), env))
    assert set(said) == {"hookSpecificOutput"}
    assert set(said["hookSpecificOutput"]) == {"hookEventName", "additionalContext"}
    assert "def refresh_session" in said["hookSpecificOutput"]["additionalContext"]
    assert '"answered"' in log(tmp_path)
    assert _gone(tmp_path)


def test_the_helper_stays_for_the_session_and_ends_with_it(tmp_path: Path) -> None:
    root, env = make(tmp_path / "shop"), environment(tmp_path, HAVERSACK_HOOK__LINGER_MINUTES="5")
    first = run(cursor("beforeSubmitPrompt", str(root), prompt=PROMPT), env)
    assert "def refresh_session" in json.loads(first)["additional_context"]
    again = run(cursor("beforeSubmitPrompt", str(root), prompt=PROMPT), env)
    assert "nothing new" in json.loads(again)["additional_context"]
    assert list((tmp_path / "run").rglob("*.sock"))
    assert run(cursor("sessionEnd", str(root)), env) == ""
    assert _gone(tmp_path)


@pytest.mark.parametrize(
    ("payload", "said"),
    [(b"", "not JSON"), (b"\x00\xff{", "not JSON"), (b"[1]", "no JSON object"), (b"[" * 100_000, "not JSON"),
     (b'{"hook_event_name": "Sneeze"}', "unknown host"), (b"{}", "unknown host")],
)  # fmt: skip
def test_what_no_host_sends_is_answered_with_nothing_and_noted(tmp_path: Path, payload: bytes, said: str) -> None:
    assert run(payload, environment(tmp_path)) == ""
    assert said in log(tmp_path)


@pytest.mark.parametrize(
    "payload",
    [claude("UserPromptSubmit", prompt="thanks!"), claude("UserPromptSubmit"), claude("SessionEnd"),
     claude("PostToolUse", tool_name="Bash", tool_input={"command": "pytest"}, tool_response={"exit_code": 0})],
)  # fmt: skip
def test_moments_that_ask_for_nothing_start_nothing(tmp_path: Path, payload: dict[str, object]) -> None:
    assert run(payload, environment(tmp_path)) == ""
    assert not list((tmp_path / "run").rglob("*.sock"))


def test_nothing_heavy_is_loaded(tmp_path: Path) -> None:
    root = make(tmp_path / "shop")
    code = (
        "import sys; from haversack.hook.run import main; main(); "
        "heavy = {'numpy', 'pydantic', 'mcp', 'click', 'haversack.api', 'pathlib'} & set(sys.modules); "
        "sys.stderr.write(str(sorted(heavy)))"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", f"import sys; sys.path[:0] = {sys.path!r}; {code}"],
        input=json.dumps(claude("UserPromptSubmit", str(root), prompt=PROMPT)).encode(),
        env=environment(tmp_path), capture_output=True, timeout=60,
    )  # fmt: skip
    assert b"def refresh_session" in done.stdout
    assert done.stderr == b"[]"


def test_a_project_that_is_no_repository_is_answered(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "a.py").write_text("def count_sheep():\n    return 3\n", encoding="utf-8")
    said = run(
        claude("UserPromptSubmit", str(tmp_path / "plain"), prompt="what does count_sheep do"), environment(tmp_path)
    )
    assert "count_sheep" in said


def test_without_a_meeting_place_the_hook_answers_by_itself(tmp_path: Path) -> None:
    root, env = make(tmp_path / "shop"), environment(tmp_path)
    (tmp_path / "run" / f"haversack-{os.getuid()}").write_text("a file where the folder should be", encoding="utf-8")
    assert "def refresh_session" in run(claude("UserPromptSubmit", str(root), prompt=PROMPT), env)
    assert "answers by itself" in log(tmp_path)


def test_a_data_folder_that_cannot_be_written_is_told_in_a_log_that_can(tmp_path: Path) -> None:
    root = make(tmp_path / "shop")
    (tmp_path / "file").write_text("", encoding="utf-8")
    env = environment(tmp_path, HAVERSACK_DATA_DIR=str(tmp_path / "file" / "below"))
    assert run(claude("UserPromptSubmit", str(root), prompt=PROMPT), env) == ""
    (said,) = (tmp_path / "run" / f"haversack-{os.getuid()}" / "hook.log").read_text(encoding="utf-8").splitlines()
    assert "cannot" in json.loads(said)["error"]
    assert json.loads(said)["event"] == "no answer"


def test_a_home_that_is_not_there(tmp_path: Path) -> None:
    root = make(tmp_path / "shop")
    for home in (tmp_path / "nobody" / "home", Path("/proc/nobody/home")):  # one can be made, the other cannot
        env = environment(tmp_path, HOME=str(home), TMPDIR=str(tmp_path))
        del env["HAVERSACK_DATA_DIR"]
        assert "def refresh_session" in run(claude("UserPromptSubmit", str(root), prompt=PROMPT), env)


def test_a_full_disk_brings_no_answer_and_costs_no_index(tmp_path: Path) -> None:
    """No file may grow: every write to disk fails, as it does on a full one."""
    root, env = make(tmp_path / "shop"), environment(tmp_path)

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    prompt = claude("UserPromptSubmit", str(root), prompt=PROMPT)
    assert run(prompt, env, preexec_fn=fill) == ""
    assert run(b"garbage", env, preexec_fn=fill) == ""
    assert _gone(tmp_path)
    subprocess.run([sys.executable, "-m", "haversack", "-C", root, "index"], env=env, check=True, capture_output=True)
    before = {path: path.stat().st_ino for path in (tmp_path / "data").rglob("index.sqlite")}
    assert before
    said = run(prompt, env, preexec_fn=fill)
    assert said == "" or "def refresh_session" in said
    assert _gone(tmp_path)
    assert {path: path.stat().st_ino for path in (tmp_path / "data").rglob("index.sqlite")} == before
    assert "def refresh_session" in run(prompt, env)


def test_a_working_folder_that_was_deleted(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    env = environment(tmp_path, PYTHONPATH=str(Path(__file__).parents[2] / "src"))
    script = f"cd {gone} && rmdir {gone} && exec {sys.executable} -m haversack hook"
    done = subprocess.run(
        ["sh", "-c", script], input=json.dumps(claude("UserPromptSubmit", str(gone), prompt=PROMPT)).encode(),
        env=env, capture_output=True, timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (0, b"")
    assert "is not a folder" in log(tmp_path)


def test_an_index_another_process_is_writing(tmp_path: Path) -> None:
    root, env = make(tmp_path / "shop"), environment(tmp_path)
    with Haversack(root, data_dir=tmp_path / "data") as project:
        project.index()
        index = project.store.folder / "index.sqlite"
    write(root, "shop/cart.py", "def refresh_session_of_cart(): ...\n")
    with closing(sqlite3.connect(index, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        said = run(claude("UserPromptSubmit", str(root), prompt=PROMPT), env)
    assert "def refresh_session(" in said
    assert "of_cart" not in said
    assert "Not read yet: 1 of 8 files (`shop/cart.py`)." in said


def test_a_host_that_never_closes_its_pipe_is_not_waited_for(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "haversack", "hook"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        env=environment(tmp_path),
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.wait(timeout=30) == 0
    assert process.stdout.read() == b""
    process.stdin.close()
    process.stdout.close()
    assert "gave up" in log(tmp_path)


def _gone(tmp_path: Path) -> bool:
    """Whether the helper has ended: it looks every second whether it is still wanted."""
    for _ in range(200):
        if not list((tmp_path / "run").rglob("*.sock")):
            return True
        time.sleep(0.05)
    return False


def test_a_helper_that_was_killed_is_replaced(tmp_path: Path) -> None:
    root, env = make(tmp_path / "shop"), environment(tmp_path, HAVERSACK_HOOK__LINGER_MINUTES="5")
    payload = cursor("beforeSubmitPrompt", str(root), prompt=PROMPT)
    assert "def refresh_session" in run(payload, env)
    (socket,) = (tmp_path / "run").rglob("*.sock")
    _kill(_helper(socket))
    assert socket.exists()
    assert json.loads(run(payload, env))
    assert run(cursor("sessionEnd", str(root)), env) == ""
    assert _gone(tmp_path)


def test_hooks_at_the_same_time_share_one_helper(tmp_path: Path) -> None:
    root, env = make(tmp_path / "shop"), environment(tmp_path, HAVERSACK_HOOK__LINGER_MINUTES="5")
    sessions = [f"s{number}" for number in range(4)]
    with ThreadPoolExecutor(len(sessions)) as pool:
        said = list(pool.map(lambda name: run(_of(name, "beforeSubmitPrompt", root, prompt=PROMPT), env), sessions))
    assert all("def refresh_session" in each for each in said)
    assert len(list((tmp_path / "run").rglob("*.sock"))) == 1
    for name in sessions:
        run(_of(name, "sessionEnd", root), env)
    assert _gone(tmp_path)


def _of(session: str, event: str, root: Path, **more: object) -> dict[str, object]:
    return cursor(event, str(root), **more) | {"conversation_id": session}


def _kill(process: int) -> None:
    """A killed process answers no more, but on a busy machine its socket is there until it is really gone."""
    os.kill(process, signal.SIGKILL)
    for _ in range(1_000):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state in "ZX":  # its files are closed
            return
        time.sleep(0.01)
    raise AssertionError("the helper cannot be killed")


def _helper(socket: Path) -> int:
    """The process that answers at the socket."""
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it may have ended meanwhile
            if f"haversack.hook.helper\0{socket}\0".encode() in line.read_bytes():
                return int(line.parent.name)
    raise AssertionError("there is no helper")
