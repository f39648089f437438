"""Sources are found by name; one that cannot be used is named and the rest go on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from haversack.model import Unit
from haversack.project import find_project
from haversack.sources.protocol import FileSource, SourceAdapter
from haversack.sources.registry import BUILT_IN, load_sources

EXAMPLES = Path(__file__).parents[2] / "examples"
Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a package with entry points on the path, as an installer would."""
    modules_before = set(sys.modules)

    def install(package: str, points: str, code: str = "") -> None:
        site = tmp_path / f"site-{package}"
        record = site / f"{package}-1.0.dist-info"
        record.mkdir(parents=True)
        (record / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (record / "entry_points.txt").write_text(f"[haversack.sources]\n{points}\n")
        if code:
            (site / f"{package}.py").write_text(code)
        monkeypatch.syspath_prepend(str(site))

    yield install
    for name in set(sys.modules) - modules_before:
        if name.startswith("plugin_") or name == "todo_source":
            del sys.modules[name]


WORKING = """
class Notes:
    name = "notes"
    threshold = 0.5
    def discover(self, project, known): ...
    def read(self, project, items): ...
    def cite(self, unit): ...
    def compressors(self): return {}
"""


def test_the_built_in_sources_are_there_and_code_is_asked_last() -> None:
    found = load_sources()
    assert set(BUILT_IN) <= set(found.names)
    assert found.files[-1].name == "code"
    assert all(isinstance(source, FileSource) for source in found.files)
    assert all(isinstance(source, SourceAdapter) for source in found.others)
    assert not found.problems


def test_only_the_sources_asked_for_are_loaded() -> None:
    found = load_sources({"code"})
    assert found.names == ("code",)
    assert load_sources(disabled={"code"}).names == tuple(name for name in load_sources().names if name != "code")


def test_a_name_nobody_knows_is_a_problem_that_lists_the_known_ones() -> None:
    found = load_sources({"code", "nonsense"})
    assert found.names == ("code",)
    (problem,) = found.problems
    assert "nonsense" in problem.where
    assert "commits" in problem.fix


def test_a_third_partys_source_is_loaded(install: Install) -> None:
    install("plugin_notes", "notes = plugin_notes:Notes", WORKING)
    found = load_sources()
    assert "notes" in found.names
    assert not found.problems
    assert load_sources({"notes"}).names == ("notes",)


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("raise RuntimeError('no licence')", "no licence"),
        ("x = 1", "Notes"),
        (WORKING.replace("def read", "def reed"), "has no read"),
        (WORKING.replace("def discover", "def units"), "has no claims"),
        (WORKING.replace('"notes"', '"other"'), "calls itself 'other'"),
        (WORKING + "    def __init__(self): raise SystemError('broken')\n", "broken"),
    ],
)
def test_a_source_that_cannot_be_used_is_a_problem_and_the_rest_go_on(install: Install, code: str, said: str) -> None:
    install("plugin_notes", "notes = plugin_notes:Notes", code)
    found = load_sources()
    assert "notes" not in found.names
    assert "code" in found.names
    (problem,) = found.problems
    assert problem.where == "source notes"
    assert said in problem.what
    assert problem.fix


def test_a_module_that_is_missing_is_a_problem(install: Install) -> None:
    install("plugin_gone", "gone = plugin_gone_entirely:Gone")
    (problem,) = load_sources().problems
    assert "plugin_gone_entirely" in problem.what


def test_of_two_sources_with_one_name_the_built_in_stays_and_both_are_named(install: Install) -> None:
    install("plugin_code", "code = plugin_code:Notes", WORKING)
    found = load_sources()
    assert type(found.files[-1]).__module__ == "haversack.sources.code"
    (problem,) = found.problems
    assert "haversack.sources.code:CodeSource" in problem.what
    assert "plugin_code:Notes" in problem.what


# The example source reads notes that people leave in code, so the files below hold such notes: its material.


def test_the_example_finds_notes_and_only_looks_at_what_changed(install: Install, tmp_path: Path) -> None:
    install("plugin_todo", "todo = todo_source:TodoSource")
    sys.path.insert(0, str(EXAMPLES))
    try:
        found = load_sources({"todo"})
    finally:
        sys.path.remove(str(EXAMPLES))
    assert not found.problems
    (source,) = found.others
    root = tmp_path / "project"
    root.mkdir()
    (root / "shop.py").write_text("def f():\n    # TODO(ann): close the till\n    return 1  # FIXME sums\n")
    (root / "quiet.py").write_text("x = 1\n")
    project = find_project(root)

    first = source.discover(project, {})
    assert [item.key for item in first.changed] == ["quiet.py", "shop.py"]
    units = [unit for reading in source.read(project, first.changed) for unit in reading.units]
    assert [(unit.title, str(unit.span)) for unit in units] == [("close the till", "2-2"), ("sums", "3-3")]
    assert str(source.cite(units[0])[0]) == "shop.py:2-2"
    assert source.compressors()["heavy"](units[0], units[0].text, 10) == "TODO: close the till"
    assert source.compressors()["heavy"](units[1], units[1].text, 10) == "FIXME sums"

    known = {item.key: item.fingerprint for item in first.changed}
    assert source.discover(project, known).changed == ()
    (root / "quiet.py").unlink()
    (root / "shop.py").write_text("# moved\n# TODO(ann): close the till\n")
    later = source.discover(project, known)
    assert later.gone == ("quiet.py",)
    (again,) = (unit for reading in source.read(project, later.changed) for unit in reading.units)
    assert isinstance(again, Unit)
    assert again.id == units[0].id


def test_the_example_says_which_file_it_could_not_read(install: Install, tmp_path: Path) -> None:
    install("plugin_todo", "todo = todo_source:TodoSource")
    sys.path.insert(0, str(EXAMPLES))
    try:
        (source,) = load_sources({"todo"}).others
    finally:
        sys.path.remove(str(EXAMPLES))
    root = tmp_path / "project"
    root.mkdir()
    (root / "a.py").write_text("# TODO: x\n")
    project = find_project(root)
    items = source.discover(project, {}).changed
    (root / "a.py").unlink()
    (reading,) = source.read(project, items)
    assert reading.units == ()
