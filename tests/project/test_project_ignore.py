"""Ignore rules mean what they mean in git."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from project_cases import ENVIRONMENT, repository

from haversack.project.ignore import Kind, Layer, Scope, compile_glob, matcher, parse, parse_line

TREE = (
    "a.o", "b.c", "build/x.o", "build/keep.txt", "src/build/y.txt", "src/main.py", "src/a/b/deep.log", "docs/a.txt",
    "docs/sub/b.txt", "foo/bar/baz.txt", "foo/keep.txt", "#hash", "!bang", "sp ace ", "x[1].txt", "logs/today.log",
    "a/b/c/d.e", "vendor/lib/z.c", "tmp", "tmpdir/tmp/file", "x.tar.gz", "Makefile", "ünïcode.txt", "back\\slash",
)  # fmt: skip


def ignored_by_git(root: Path, rules: str) -> set[str]:
    (root / ".gitignore").write_text(rules, encoding="utf-8")
    done = subprocess.run(
        ["git", "check-ignore", "--no-index", "-z", "--stdin"],
        cwd=root,
        env=ENVIRONMENT,
        input="\0".join(TREE).encode(),
        capture_output=True,
        check=False,
    )
    return {name for name in done.stdout.decode().split("\0") if name}


def ignored_by_us(rules: str) -> set[str]:
    found = matcher(rules)
    scope = Scope([Layer(Kind.GITIGNORE, "", found)] if found else [])
    out = set()
    for path in TREE:
        parts = path.split("/")
        for depth in range(1, len(parts) + 1):
            is_folder = depth < len(parts)
            if scope.ignored_by(parts[depth - 1], "/".join(parts[:depth]), is_folder) is not None:
                out.add(path)
                break
    return out


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = repository(tmp_path_factory.mktemp("tree"))
    for path in TREE:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x")
    return root


CASES = (
    "*.o", "/a.o", "build", "build/", "/build/", "src/build", "**/build", "**/b/**", "foo/**", "foo/**\n!foo/keep.txt",
    "foo/*\n!foo/keep.txt", "foo/\n!foo/keep.txt", "*\n!*.py\n!*/", "/*\n!/src/", "a/**/d.e", "a/**/c", "**", "***",
    "doc?", "doc[r-t]", "doc[!a-r]/", "[[:lower:]].[ch]", "\\#hash", "#hash", "\\!bang", "sp ace\\ ", "sp ace ",
    "x\\[1\\].txt", "x[1].txt", "x[[]1].txt", "*.tar.gz", "*.gz", "tmp/", "tmp", "/tmp", "tmpdir/*", "docs/*.txt",
    "docs/**/*.txt", "*.txt\n!docs/*.txt", "ünïcode.txt", "ün*", "[a-", "a\\", "", "\n\n", "  ", "*.log\r\n*.o\r",
    "src//main.py", "back\\\\slash", "M*e", "*a*i*e", "build/**/x.o", "**/", "*/", "/**/b", "src/*/*/deep.log",
    "[^a]*.c", "x[]1[]1].txt", "\ufeff*.o", "!a.o", "*.o\n!a.o\na.*", "docs/sub\n!docs/sub/b.txt", "logs/*.log",
    "?.o", "??o", "*.?", ".*", "[z-a]*", "Makefile/", "src/main.py/",
)  # fmt: skip


@pytest.mark.parametrize("rules", CASES)
def test_a_rule_ignores_what_git_ignores(tree: Path, rules: str) -> None:
    assert ignored_by_us(rules) == ignored_by_git(tree, rules)


PIECES = st.sampled_from(
    ["*", "**", "/", "a", "b", "o", ".", "build", "foo", "src", "txt", "keep", "?", "[ab]", "[!x]", "!", " "]
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lines=st.lists(st.lists(PIECES, min_size=1, max_size=6).map("".join), min_size=1, max_size=4))
def test_any_rules_made_of_usual_pieces_ignore_what_git_ignores(tree: Path, lines: list[str]) -> None:
    rules = "\n".join(lines)
    if any(line.count("**") > 3 for line in lines):
        return
    assert ignored_by_us(rules) == ignored_by_git(tree, rules)


def test_a_hostile_rule_is_matched_without_going_back() -> None:
    glob = compile_glob("*a" * 40 + "*b")
    assert glob is not None
    assert glob.fullmatch("a" * 250) is None


def test_rules_past_any_use_are_dropped() -> None:
    assert parse_line("**/a/**/b/**/c/**/d") is None
    assert parse_line("x" * 2000) is None
    assert len(parse("*.x\n" * 30_000)) == 20_000


def test_a_later_kind_of_file_overrules_an_earlier_one_whatever_the_depth() -> None:
    def layer(kind: Kind, base: str, rules: str) -> Layer:
        found = matcher(rules)
        assert found is not None
        return Layer(kind, base, found)

    scope = Scope([layer(Kind.GITIGNORE, "sub/", "*.txt"), layer(Kind.HAVERSACKIGNORE, "", "!notes.txt")])
    assert scope.ignored_by("notes.txt", "sub/notes.txt", False) is None
    assert scope.ignored_by("other.txt", "sub/other.txt", False) is Kind.GITIGNORE
    deeper = scope.with_layers([layer(Kind.GITIGNORE, "sub/in/", "!x.txt")])
    assert deeper.ignored_by("x.txt", "sub/in/x.txt", False) is None
    assert deeper.without_git().ignored_by("x.txt", "sub/in/x.txt", False) is None
    assert scope.with_layers([]) is scope


def test_an_ignore_file_without_rules_has_no_matcher() -> None:
    assert matcher("# nothing\n\n") is None
