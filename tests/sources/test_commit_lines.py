"""Which lines of today's files past commits changed: followed through edits and renames, remembered, never shown."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from history_cases import History, Index, indexed

from haversack.project import find_project
from haversack.sources.commits import CommitsSource, reading
from haversack.sources.commits.hunks import MAX_HUNKS, read_hunks
from haversack.sources.commits.log import MAX_FILES
from haversack.sources.commits.memo import MAX_LINES, decode
from haversack.sources.commits.today import Lines
from haversack.sources.protocol import KeepsMemos


@pytest.fixture
def history(tmp_path: Path) -> History:
    return History(tmp_path / "shop")


def numbered(count: int, **changed: str) -> str:
    """So many lines, some of them written differently."""
    return "".join(f"{changed.get(f'line{n}', f'line {n}')}\n" for n in range(1, count + 1))


def touched(memo: bytes) -> dict[tuple[str, str], list[tuple[int, int]]]:
    """(path, commit) to the lines that it changed."""
    told, at = decode(memo), 0
    numbers = array("i", told.ranges)
    found: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for path, count in zip(told.files, told.counts, strict=True):
        for n in range(at, at + count):
            commit, first, last = numbers[3 * n : 3 * n + 3]
            found.setdefault((path, told.commits[commit]), []).append((first, last))
        at += count
    return found


def test_the_source_remembers() -> None:
    assert isinstance(CommitsSource(), KeepsMemos)


def test_lines_are_told_as_they_stand_today(history: History) -> None:
    first = history.commit("one", {"a.py": numbered(30)})
    second = history.commit("two", {"a.py": numbered(30, line20="another")})
    third = history.commit("three", {"a.py": "new\n" * 5 + numbered(30, line20="another")})
    found = touched(indexed(history.root).memo())
    assert found["a.py", second] == [(25, 25)]
    assert found["a.py", third] == [(1, 5)]
    assert found["a.py", first] == [(6, 35)]


def test_what_was_taken_out_is_told_by_the_lines_around_it(history: History) -> None:
    history.commit("one", {"a.py": numbered(30)})
    sha = history.commit("two", {"a.py": numbered(30).replace("line 10\n", "")})
    assert touched(indexed(history.root).memo())["a.py", sha] == [(9, 10)]


def test_a_change_of_lines_that_are_no_longer_there_is_told_where_they_stood(history: History) -> None:
    history.commit("one", {"a.py": numbered(30)})
    sha = history.commit("two", {"a.py": numbered(30, line12="gone\nsoon")})
    history.commit("three", {"a.py": numbered(30, line12="for good")})
    assert touched(indexed(history.root).memo())["a.py", sha] == [(12, 12)]


def test_files_are_followed_when_they_are_renamed_and_forgotten_when_they_are_deleted(history: History) -> None:
    history.commit("one", {"a.py": numbered(30), "b.py": numbered(9)})
    sha = history.commit("two", {"a.py": numbered(30, line20="another"), "b.py": numbered(9, line2="x")})
    history.move("a.py", "core/main.py")
    history.commit("gone", {"b.py": None})
    found = touched(indexed(history.root).memo())
    assert found["core/main.py", sha] == [(20, 20)]
    # A path that nothing is at today stays under its own name, and no file of the index has it.
    assert {path for path, _ in found} == {"core/main.py", "b.py"}


def test_names_that_git_quotes_are_read(history: History) -> None:
    sha = history.commit("one", {'say "hi".py': "1\n", "ünïcode.py": "2\n", "with space b/c.py": "3\n"})
    assert set(touched(indexed(history.root).memo())) == {
        ('say "hi".py', sha), ("ünïcode.py", sha), ("with space b/c.py", sha)
    }  # fmt: skip
    moved = history.move('say "hi".py', 'say "ho".py')
    assert dict(read_hunks(history.root, (), [moved]))[moved][0].before == 'say "hi".py'


def test_lines_that_look_like_a_diff_are_lines(history: History) -> None:
    text = "-- a/other.py\n++ b/other.py\n@@ -1 +1 @@\ndiff --git a/x b/x\nrename from x\n"
    history.commit("one", {"a.py": text})
    sha = history.commit("two", {"a.py": "first\n" + text * 2})
    assert [path for path, commit in touched(indexed(history.root).memo()) if commit == sha] == ["a.py"]


def test_files_and_commits_that_were_changed_all_over_tell_nothing(history: History) -> None:
    many = 2 * MAX_HUNKS + 10
    history.commit("one", {"a.py": numbered(many), "b.py": "1\n"})
    everywhere = {f"line{n}": "x" for n in range(1, many, 2)}
    rewritten = history.commit("two", {"a.py": numbered(many, **everywhere), "b.py": "2\n"})
    long = history.commit("data", {"data.json": "1\n" * (MAX_LINES + 1), "b.py": "3\n"})
    large = history.commit("three", {f"many/{n}.py": "1\n" for n in range(MAX_FILES + 1)})
    found = touched(indexed(history.root).memo())
    assert [path for path, sha in found if sha == rewritten] == ["b.py"]
    assert [path for path, sha in found if sha == long] == ["b.py"]
    assert not [path for path, sha in found if sha == large]


def test_an_index_kept_up_to_date_remembers_what_a_new_one_does(history: History) -> None:
    index = Index(history.root)
    for step in range(6):
        history.commit(f"step {step}", {"a.py": "top\n" * step + numbered(30, line9=f"{step}")})
        if step == 3:
            history.move("a.py", "b.py")
            history.move("b.py", "a.py")
        index.refresh()
    assert index.memo() == indexed(history.root).memo()


def test_a_known_commit_is_not_asked_for_again(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def read(root: Path, scope: Sequence[str], shas: Sequence[str]) -> object:
        asked.extend(shas)
        return read_hunks(root, scope, shas)

    monkeypatch.setattr(reading, "read_hunks", read)
    first = history.commit("one", {"a.py": "1\n"})
    index = indexed(history.root)
    second = history.commit("two", {"a.py": "2\n"})
    index.refresh()
    assert asked == [first, second]


def test_only_the_newest_commits_are_followed(history: History, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LINES_COMMITS", 2)
    shas = [history.commit(f"{n}", {"a.py": f"{n}\n"}) for n in range(4)]
    assert decode(indexed(history.root).memo()).commits == (shas[3], shas[2])
    assert decode(indexed(history.root, limit=1).memo()).commits == (shas[3],)


def test_what_is_ignored_is_not_remembered(history: History) -> None:
    history.commit("one", {"private/plan.py": "1\n", "a.py": "1\n"})
    history.move("private/plan.py", "shown.py")
    history.commit("two", {"secret.py": "1\n"})
    history.move("secret.py", "private/now.py")
    index = indexed(history.root)
    assert b"plan.py" in index.memo()
    history.commit("three", {".haversackignore": "private/\n"})
    index.refresh()
    assert b"plan.py" not in index.memo()
    assert b"secret.py" not in index.memo()
    assert b"now.py" not in index.memo()
    history.commit("four", {".haversackignore": None})
    index.refresh()
    assert index.memo() == indexed(history.root).memo()


def test_a_commit_that_cannot_be_read_is_passed_over_and_told_of(history: History) -> None:
    history.commit("one", {"a.py": numbered(30)})
    history.commit("two", {"a.py": numbered(30, line3="lost")})
    lost = history.git("rev-parse", "HEAD:a.py")
    history.commit("three", {"a.py": numbered(30)})
    newest = history.commit("four", {"a.py": numbered(30, line8="x")})
    history.commit("five", {"b.py": "1\n"})
    (history.root / ".git/objects" / lost[:2] / lost[2:]).unlink()
    index = indexed(history.root)
    assert touched(index.memo())["a.py", newest] == [(8, 8)]
    told = [each for each in index.problems() if "which lines 2 of the newest commits changed" in each]
    assert len(told) == 1
    history.commit("six", {"b.py": "2\n"})
    index.refresh()
    assert told[0] in index.problems(), "it is said as long as it is so"
    assert index.memo() == indexed(history.root).memo()


def test_the_end_of_a_shallow_clone_changed_nothing(history: History, tmp_path: Path) -> None:
    history.commit("one", {"a.py": numbered(9)})
    history.commit("two", {"a.py": numbered(9, line2="x")})
    newest = history.commit("three", {"a.py": numbered(9, line2="x", line5="y")})
    history.git("clone", "-q", "--depth=2", f"file://{history.root}", str(tmp_path / "clone"))
    assert touched(indexed(tmp_path / "clone").memo()) == {("a.py", newest): [(5, 5)]}


def test_a_part_of_a_repository_has_paths_of_its_own(history: History) -> None:
    sha = history.commit("one", {"part/a.py": "1\n", "b.py": "1\n"})
    index = indexed(find_project(history.root, roots=[history.root / "part"]))
    assert set(touched(index.memo())) == {("a.py", sha)}


def test_several_roots_have_a_memo_each_under_their_names(history: History, tmp_path: Path) -> None:
    history.commit("one", {"a.py": "1\n"})
    other = History(tmp_path / "other")
    sha = other.commit("one", {"a.py": "1\n"})
    index = indexed(find_project(tmp_path, roots=[history.root, other.root]))
    assert set(touched(index.memo("other:HEAD"))) == {("other/a.py", f"other:{sha}")}


def test_while_the_history_cannot_be_read_what_was_known_is_kept(history: History) -> None:
    history.commit("one", {"a.py": "1\n"})
    index = indexed(history.root)
    before = index.memo()
    (history.root / ".git/refs/heads/main").write_text("0" * 39 + "\n")
    index.refresh()
    assert index.problems()
    assert index.memo() == before


@pytest.mark.parametrize("memo", [b"", b"\xc1", b"\x93\x01\x02", msgspec.msgpack.encode({"a": 1})])
def test_a_damaged_memo_says_nothing(memo: bytes) -> None:
    assert decode(memo).commits == ()


def test_lines_far_behind_what_is_known_are_shifted() -> None:
    lines = Lines()
    lines.replaced([(10, 2, 10, 5)])  # two lines of now were five
    assert lines.spans(100, 1) == [(97, 97)]
    assert lines.spans(11, 3) == [(10, 10)]
    assert lines.spans(0, 0) == [(1, 1)]
