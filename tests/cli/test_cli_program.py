"""The program as a whole: help, exit codes, errors, streams, and what it must not import."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from running import Run

from haversack.cli.main import COMMANDS, MODULES, cli, main
from haversack.cli.main import run as program

HEAVY = ("numpy", "tree_sitter", "splintr", "redact_secret", "rensa", "rapidfuzz", "pathspec",
         "charset_normalizer", "msgspec", "sqlite3", "subprocess", "multiprocessing", "asyncio", "tomllib", "logging",
         "importlib.metadata", "difflib", "haversack.api", "haversack.config", "haversack.index")  # fmt: skip


def modules_after(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint('\\n'.join(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_import_haversack_loads_nothing_heavy() -> None:
    assert not modules_after("import haversack") & set(HEAVY)


def test_help_loads_nothing_heavy_and_no_command() -> None:
    loaded = modules_after("from haversack.cli.main import run\nrun(['--help'])")
    # click itself needs none of these either.
    assert not loaded & set(HEAVY)
    assert not {name for name in loaded if name.startswith("haversack.cli.commands")}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_a_command_loads_only_that_command(name: str) -> None:
    heavy = {"numpy", "tree_sitter", "splintr", "haversack.api", "haversack.index"}
    loaded = modules_after(f"from haversack.cli.main import run\nrun([{name!r}, '--help'])")
    assert not loaded & heavy
    commands = {each for each in loaded if each.startswith("haversack.cli.commands.")}
    assert commands == {f"haversack.cli.commands.{MODULES.get(name, name)}"}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_of_help_is_the_commands_own(name: str) -> None:
    context = click.Context(cli)
    command = cli.get_command(context, name)
    assert command is not None
    assert command.name == name
    assert (command.help or "").partition("\n\n")[0] == COMMANDS[name]
    for param in command.params:
        if isinstance(param, click.Option):
            assert param.help, param.name


def test_help_and_version(run: Run) -> None:
    done = run("--help")
    assert done.code == 0
    assert all(name in done.out for name in COMMANDS)
    assert run("-h").out == done.out
    assert re.fullmatch(r"haversack \d+\.\d+\.\d+\n", run("--version").out)


def test_the_program_leaves_with_its_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    for args, code in ((["haversack", "--version"], 0), (["haversack", "serch"], 2)):
        monkeypatch.setattr(sys, "argv", args)
        monkeypatch.setattr(sys, "stdout", stream)
        with pytest.raises(SystemExit) as caught:
            main()
        assert caught.value.code == code
    assert stream.encoding == "utf-8"
    assert stream.errors == "backslashreplace"


def test_no_arguments_show_the_help_as_an_error(run: Run) -> None:
    done = run()
    assert (done.code, done.out) == (2, "")
    assert "Usage: haversack" in done.err


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["serch"], "haversack: there is no command 'serch'; did you mean search?"),
        (["xyzzy"], "haversack: there is no command 'xyzzy'"),
        (["--frob"], "haversack: No such option '--frob'."),
        (["show"], "haversack: Missing argument 'ID|PATH[:LINES]|SYMBOL|COMMIT'."),
        (["search", "x", "--limit", "0"], "haversack: Invalid value for '--limit': 0 is not in the range 1<=x<=1000."),
        (["search", "x", "--view", "odd"], "haversack: Invalid value for '--view': 'odd' is not one of"),
        (["search", " "], "haversack: the query is empty"),
        (["search", "x", "--since", "soon"], "haversack: Invalid value for '--since': 'soon' is no date such as"),
        (["pack", "x", "--budget", "-1"], "haversack: Invalid value for '--budget': '-1' is negative; give 0 or more"),
        (
            ["pack", "x", "--budget", "many"],
            "haversack: Invalid value for '--budget': 'many' is not a number of tokens",
        ),
        (["pack"], "haversack: say what the task is"),
        (["pack", "  "], "haversack: the task is empty"),
        (["pack", "x", "--file", "y"], "haversack: the task is given twice, as an argument and as a file"),
        (["pack", "--file", "missing.md"], "haversack: missing.md cannot be read: no such file or directory"),
        (["completion", "tcsh"], "haversack: Invalid value for '{bash|zsh|fish}': 'tcsh' is not one of"),
    ],
)
def test_wrong_usage_is_exit_code_2_with_a_way_out(run: Run, args: list[str], message: str) -> None:
    done = run(*args)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(message)
    assert len(done.err.splitlines()) == 2
    assert done.err.splitlines()[1].startswith("  ")


def test_a_project_that_does_not_exist_is_exit_code_1(run: Run, tmp_path: Path) -> None:
    done = run("-C", str(tmp_path / "nowhere"), "status")
    assert (done.code, done.out) == (1, "")
    assert "is not a folder" in done.err


def test_a_broken_settings_file_is_exit_code_2(run: Run, project: Path) -> None:
    (project / "haversack.toml").write_text("[pack]\nbugdet = 1\n")
    done = run("config")
    assert done.code == 2
    assert done.err == "haversack: haversack.toml:2: unknown setting pack.bugdet\n  Did you mean pack.budget?\n"


def test_control_characters_in_a_message_are_written_out(run: Run, tmp_path: Path) -> None:
    done = run("-C", str(tmp_path / "a\x1b[31m"), "status")
    assert "\x1b" not in done.err
    assert "\\x1b[31m" in done.err


def test_a_failure_of_the_system_is_named(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> object:
        raise OSError(28, "No space left on device", "/data/index")

    monkeypatch.setattr("haversack.config.template.commented", full)
    done = run("init", "--print")
    assert done.code == 1
    assert done.err.splitlines()[0] == "haversack: /data/index: No space left on device"


def test_a_bug_is_called_a_bug(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> str:
        raise KeyError("odd")

    monkeypatch.setattr("haversack.config.template.commented", broken)
    done = run("init", "--print")
    assert done.code == 1
    assert done.err.startswith("haversack: this is a bug in haversack: KeyError: 'odd'\n  Run it again with -v")
    with pytest.raises(KeyError):
        program(["-v", "init", "--print"])


def test_an_interrupt_is_quiet(run: Run, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("haversack.config.template.commented", interrupted)
    done = run("init", "--print")
    assert (done.code, done.out, done.err) == (130, "", "")


def haversack(*args: str, **options: Any) -> subprocess.Popen[bytes]:
    program = [sys.executable, "-c", "from haversack.cli.main import main; main()", *args]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    started: subprocess.Popen[bytes] = subprocess.Popen(program, **options)
    return started


def test_a_reader_that_goes_away_is_no_error(project: Path) -> None:
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -c 'from haversack.cli.main import main; main()' config | head -1; "
         "echo ${PIPESTATUS[0]}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.splitlines()[-1] in ("141", "0")


def test_output_that_cannot_be_written_is_quiet_too(project: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    process = subprocess.run(
        [sys.executable, "-c", "from haversack.cli.main import main; main()", "config"],
        stdout=write, stderr=subprocess.PIPE, check=False,
    )  # fmt: skip
    os.close(write)
    assert (process.returncode, process.stderr) == (141, b"")


@pytest.mark.parametrize(("args", "code", "out"), [(["--version"], 0, "haversack"), (["nothing"], 2, "")])
def test_the_program_ends_as_python_does(args: list[str], code: int, out: str) -> None:
    before = (
        "import atexit, sys, threading, time\n"
        "atexit.register(print, 'left')\n"
        "if sys.argv[1] == 'busy':\n"
        "    threading.Thread(target=lambda: (threading.main_thread().join(), print('done'))).start()\n"
        "del sys.argv[1]\n"
        "from haversack.__main__ import main\n"
        "main()\n"
    )
    for state, said in (("idle", ["left"]), ("busy", ["done", "left"])):
        done = subprocess.run([sys.executable, "-c", before, state, *args], capture_output=True, text=True, check=False)
        lines = [line for line in done.stdout.splitlines() if not line.startswith("haversack")]
        assert (done.returncode, sorted(lines)) == (code, sorted(said))
        assert done.stdout.startswith(out)


def test_ctrl_c_leaves_with_130(project: Path) -> None:
    process = haversack("-v", "pack", "-", stdin=subprocess.PIPE)
    assert process.stderr is not None
    assert b"start command=pack" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_output_is_utf8_whatever_the_locale(project: Path) -> None:
    env = {**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    out, err = haversack("init", "--print", env=env).communicate(timeout=20)
    assert err == b""
    assert "research, … Unset" in out.decode("utf-8")


def test_errors_go_to_standard_error_and_json_to_standard_output(project: Path) -> None:
    process = haversack("--json", "config", "get", "budget")
    out, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (0, b"")
    assert json.loads(out) == {"key": "budget", "value": 8000, "origin": "default"}
    process = haversack("--json", "config", "get", "bugdet")
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out) == (2, b"")
    assert err == b"haversack: unknown setting bugdet\n  Did you mean pack.budget?\n"


def on_a_terminal(*args: str, **env: str) -> str:
    """What a person would see."""
    ours, theirs = os.openpty()
    process = haversack(*args, stdout=theirs, env={**os.environ, "TERM": "xterm", **env})
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # how Linux says that the other side of a terminal is closed
            break
        if not part:
            break
        seen += part
    os.close(ours)
    process.communicate(timeout=20)
    assert process.returncode == 0
    return seen.decode()


def test_colours_on_a_terminal_and_only_where_they_are_wanted(project: Path) -> None:
    assert "\x1b[2mdefault" in on_a_terminal("config")
    assert "\x1b" not in on_a_terminal("config", "--no-color")
    assert "\x1b" not in on_a_terminal("--no-color", "config")
    assert "\x1b" not in on_a_terminal("config", NO_COLOR="1")
    out, _ = haversack("config").communicate(timeout=20)
    assert b"\x1b" not in out
