"""A task text of any kind is understood, within bounds, the same way every time."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from haversack.errors import UsageError
from haversack.retrieve import understand as module
from haversack.retrieve.understand import understand

NOW = 1_700_000_000.0

ISSUE = """Session cookies are lost after redirect

### Steps to reproduce
```python
from acme.sessions import Session
Session().get("/a", allow_redirects=True)
```

### Actual results
```
Traceback (most recent call last):
  File "/usr/lib/python3/site-packages/acme/sessions.py", line 335, in resolve_redirects
    extract_cookies(prepared)
acme.errors.CookieError: cookie jar is 'read-only'
```
It worked in 2.1.0; see `acme/cookies.py` and `Session.rebuild_auth()`. Broken since last week.

### Versions
acme 2.2.0
"""


def test_an_issue_is_understood() -> None:
    task = understand(ISSUE, now=NOW)
    assert task.text == ISSUE
    assert task.type == "bug"
    assert "an error or stack trace" in task.type_words
    assert task.intent == "known_issues"
    assert task.frames == (("acme/sessions.py", 335, "resolve_redirects"),)
    assert task.paths == ("acme/cookies.py",)
    assert "acme/sessions" in task.modules
    assert {"Session", "CookieError", "Session.rebuild_auth", "rebuild_auth"} <= set(task.identifiers)
    assert "cookie jar is 'read-only'" in task.quoted
    assert task.errors == ("acme.errors.CookieError: cookie jar is 'read-only'",)
    assert {"2.1.0", "2.2.0"} <= set(task.versions)
    assert task.after is not None
    assert task.before is not None
    assert task.keywords[0] in ("Session", "cookies")
    assert task.lines[0] == "Session cookies are lost after redirect"
    assert task.terms["session"] == 1.0
    assert set(task.complexity_factors) == {"length", "entities", "temporal", "multi_hop", "scope"}
    assert task.k >= 20
    assert task.strategy in ("standard", "complex")


def test_type_and_intent_can_be_given() -> None:
    task = understand("Fix the crash", type="Docs", intent="gotchas")
    assert (task.type, task.type_words, task.intent) == ("docs", ("asked for",), "known_issues")
    assert understand("x", type="general").type == "general"
    with pytest.raises(UsageError, match="known types"):
        understand("x", type="bgu")
    with pytest.raises(UsageError, match="known intents"):
        understand("x", intent="guess")


def test_one_word_is_enough() -> None:
    task = understand("tokenizer")
    assert dict(task.terms) == {"tokenizer": 1.0}
    assert (task.strategy, task.keywords, task.lines) == ("simple", ("tokenizer",), ("tokenizer",))


@pytest.mark.parametrize(
    "text", ["", " ", "\n\n", "\x00", "...", "```", "<!--", "\ud800", "#", "- [x] I have searched"]
)
def test_next_to_nothing_is_a_task_too(text: str) -> None:
    assert understand(text, now=NOW).type == "general"


def test_lines_between_examples_are_not_signal() -> None:
    task = understand("Matrix order changed\nreturns\n`(0, 3)`\nwhereas the old release returned six columns")
    assert task.lines == ("Matrix order changed", "whereas the old release returned six columns")


def test_signal_lines_are_few_and_in_order() -> None:
    text = "Router drops cookies\n" + "\n".join(f"the router called {chr(0x4E00 + n)} forgets" for n in range(200))
    lines = understand(text).lines
    assert len(lines) == module.MOST_LINES
    assert lines[0] == "Router drops cookies"
    numbers = [ord(line.split()[3]) for line in lines[1:]]
    assert numbers == sorted(numbers)


# Each repeats what some pattern could trip over; all must stay linear. A slow one would hang the suite, not fail it.
@pytest.mark.parametrize(
    "piece",
    [
        "a", " ", "\n", "`", '"', "'a ", "a.", "a/", "a\\", "_a", "aB", "<!--", "[x](", "![", "# ", "#1, ", "fixes ", "http://",
        "<img ", "a::", "at ", "at x (", 'File "', "a.py:", "a.py:1 ", "E   ", "Error: ", "1.1 ", "2024-01-01 ",
        "3 days ago ", "instead of ", "가나 대신 ", "认证", "ログ", "- [x] ", "**", "A:", "@a", "--a", "f(", "thread '",
        "in /", "#0 ", "\t", "a@b:", "| a | 1.2 |\n", "x" * 999 + "\n", " " * 990 + "x\n", "ab.", "a_",
        "python: ", "{[(<", "don't touch a_ and ", "not in a_ but ",
        "a clear and concise description of ", "add any context ",
    ],
)  # fmt: skip
def test_large_and_hostile_texts_stay_bounded(piece: str) -> None:
    task = understand(piece * (100_000 // len(piece)), now=NOW)
    assert len(task.terms) <= 150
    assert len(task.identifiers) <= 60
    assert len(task.lines) <= module.MOST_LINES


@given(st.text(max_size=500))
def test_any_text_is_understood(text: str) -> None:
    task = understand(text, now=NOW)
    assert 0.0 <= task.complexity <= 1.0
    assert 5 <= task.k <= 50
    assert task == understand(text, now=NOW)


@given(st.text(alphabet=st.sampled_from("`\"'/.:_()#-<>[]@\\ \nabAB12é认"), max_size=300))
def test_any_mix_of_signs_is_understood(text: str) -> None:
    assert all(0 < weight <= 1 for weight in understand(text, now=NOW).terms.values())


def test_the_same_in_every_process() -> None:
    code = (
        "import sys; from haversack.retrieve.understand import understand;"
        "print(understand(sys.stdin.read(), now=1.7e9))"
    )
    seen = {
        subprocess.run(
            [sys.executable, "-c", code],
            input=ISSUE,
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
        ).stdout
        for seed in ("0", "7")
    }
    assert len(seen) == 1
