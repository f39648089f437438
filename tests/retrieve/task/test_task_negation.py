"""What a task asks to leave alone is not what it names."""

from __future__ import annotations

import pytest

from haversack.retrieve.understand import understand


@pytest.mark.parametrize(
    ("text", "paths", "identifiers"),
    [
        ("don't touch lib/runner.cjs, fix lib/suite.js instead", ("lib/suite.js",), ()),
        ("Fix lib/suite.js. Do not change lib/runner.cjs or `Runner.run`.", ("lib/suite.js",), ()),
        ("Fix parse_header() without touching the file lib/runner.cjs", (), ("parse_header",)),
        ("Never edit anything in lib/vendor/, but fix lib/suite.js", ("lib/suite.js",), ()),
        ("Fix retries, leave lib/runner.cjs and lib/a.js as they are", (), ()),
        ("Retries fail; lib/runner.cjs must not be changed", (), ()),
        ("Retries fail. lib/runner.cjs has to stay untouched!", (), ()),
        ("It is not in lib/runner.cjs but in lib/suite.js", ("lib/suite.js",), ()),
        ("Retries fail: don’t modify `Runner`, only `Suite`", (), ("Suite",)),
        ("Behebe lib/suite.js, lib/runner.cjs nicht ändern", ("lib/suite.js",), ()),
        ("Corrige lib/suite.js mais ne touche pas à lib/runner.cjs", ("lib/suite.js",), ()),
        ("Corrige lib/suite.js, no toques lib/runner.cjs", ("lib/suite.js",), ()),
        ("Don't touch lib/runner.cjs.\nFix lib/suite.js", ("lib/suite.js",), ()),
    ],
)
def test_what_must_not_be_changed_is_not_named(text: str, paths: tuple[str, ...], identifiers: tuple[str, ...]) -> None:
    task = understand(text)
    assert (task.paths, task.identifiers) == (paths, identifiers)
    assert "runner" not in task.terms
    assert task.lines[0][0].isalpha()


@pytest.mark.parametrize(
    "text",
    [
        "describe.only does not work in lib/runner.cjs",
        "lib/runner.cjs should not be modified by the formatter",
        "Do not change lib/runner.cjs in place when it is formatted",
        "Don't touch lib/runner.cjs",
        "Don't touch lib/runner.cjs, unless the bug is in lib/runner.cjs",
        "What it gives back are not `Suite` but `Runner` of lib/runner.cjs",
        "The runner does not stop but lib/runner.cjs says so",
        "Do not change the output of lib/runner.cjs",
    ],
)
def test_a_file_that_does_not_work_or_that_must_not_do_something_is_named(text: str) -> None:
    assert understand(text).paths == ("lib/runner.cjs",)


def test_a_place_that_must_not_be_changed_is_no_frame() -> None:
    task = understand("Retries fail at lib/suite.js:12, don't touch lib/runner.cjs:30")
    assert task.frames == (("lib/suite.js", 12, ""),)
