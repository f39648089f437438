"""What is looked up at all."""

from __future__ import annotations

import pytest

from haversack.hook.hosts import recognise
from haversack.hook.worth import is_failing_check, says_something, worth_asking
from tests.hook.payloads import claude


@pytest.mark.parametrize(
    "prompt",
    ["", "  \n", "thanks!", "Yes, please go ahead.", "ok", "hello", "looks good to me, continue", "/compact",
     "/clear now", "!ls -la", "2", "no, not that one", "👍", "commit and push it", "great, do the next one"],
)  # fmt: skip
def test_small_talk_and_commands_to_the_host_say_nothing(prompt: str) -> None:
    assert not says_something(prompt)


@pytest.mark.parametrize(
    "prompt",
    [
        "fix the retry",
        "why does /src/app.py fail?",
        "refresh_session",
        "sitzung läuft ab",
        "закрой сессию",
        "yes " * 70,
    ],
)
def test_whatever_names_something_says_something(prompt: str) -> None:
    assert says_something(prompt)


@pytest.mark.parametrize(
    "command",
    ["pytest -q", "cd web && npm test", "npm run build", "cargo build --release", "go test ./...", "make",
     "make -j8 all", "./gradlew test", "mvn -q verify", "python -m pytest tests", "uv run pytest", "tsc --noEmit",
     "dotnet test", "bun test", "cmake --build build", "just test"],
)  # fmt: skip
def test_tests_and_builds_are_known_by_their_commands(command: str) -> None:
    assert is_failing_check(command, "", True)
    assert not is_failing_check(command, "1 failed", False)


@pytest.mark.parametrize("command", ["", "ls", "git status", "cat test.py", "rg makefile", "echo testing"])
def test_other_commands_that_fail_are_nobodys_business(command: str) -> None:
    assert not is_failing_check(command, "1 failed", True)


@pytest.mark.parametrize(
    ("output", "failed"),
    [("=== 2 failed, 3 passed ===", True), ("FAILED tests/test_a.py::test_b", True), ("--- FAIL: TestX", True),
     ("error[E0308]: mismatched", True), ("src/a.ts(3,1): error TS2304: x", True), ("BUILD FAILED", True),
     ("3 passed", False), ("0 failed, 3 passed", False), ("", False)],
)  # fmt: skip
def test_where_the_host_does_not_tell_the_output_does(output: str, failed: bool) -> None:
    assert is_failing_check("pytest", output, None) is failed


def test_starts_are_always_worth_it() -> None:
    moment = recognise(claude("SessionStart", source="startup"))
    assert moment is not None
    assert worth_asking(moment)
