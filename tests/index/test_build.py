"""The index follows the files: every change is seen, nothing else is read, and no dying process harms it."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from haversack.errors import SourceError, StoreError
from haversack.index import build, pool
from haversack.index.build import Builder, IndexReport
from haversack.index.lock import building
from haversack.index.sqlite import SqliteStore
from haversack.index.units import SnapshotGoneError, UnitReader
from haversack.model import Citation, Unit
from haversack.project import find_project
from haversack.sources.protocol import Changes, Compressor, Item, Reading
from haversack.sources.registry import Sources, load_sources
from tests.index.made import MODEL


def write(path: Path, text: str) -> None:
    """Write a file with a time that is surely in the past, so that nothing is racy unless a test says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    old = time.time_ns() - 60_000_000_000 - random.randrange(10**9)
    os.utime(path, ns=(old, old))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name in ("one", "two", "three"):
        write(root / f"{name}.md", f"# Title {name}\n\nText about {name}.\n")
    return root


def builder(project: Path, sources: Sources | None = None, *, workers: int = 0) -> Builder:
    store = SqliteStore(project.parent / "data")
    return Builder(find_project(project), sources or load_sources({"docs"}), store, workers=workers, embedder=MODEL)


def paths(made: Builder) -> list[str]:
    snapshot = made.store.snapshot()
    return [item.key for item in snapshot.items]


def titles(made: Builder) -> set[str]:
    snapshot = made.store.snapshot()
    return {u.title for u in UnitReader(made.store, snapshot).at(snapshot.alive.nonzero()[0].tolist())}


def test_the_first_refresh_reads_everything_the_second_nothing(project: Path) -> None:
    made = builder(project)
    first = made.refresh()
    assert (first.files, first.read, first.changed) == (3, 3, True)
    assert first.text_bytes > 0
    assert first.index_bytes > 0
    second = made.refresh()
    assert (second.read, second.gone, second.changed) == (0, 0, False)
    assert made.compare()[:2] == ((), ())


def test_another_process_finds_it_fresh_too(project: Path) -> None:
    builder(project).refresh()
    again = builder(project)
    assert again.compare()[:2] == ((), ())
    assert again.refresh().read == 0


def test_a_file_as_young_as_its_reading_is_read_again_and_not_called_changed(project: Path) -> None:
    (project / "one.md").write_text("# Title one\n\nWritten this moment.\n")
    young = time.time_ns() + 60_000_000_000
    os.utime(project / "one.md", ns=(young, young))
    made = builder(project)
    made.refresh()
    assert made.compare()[0] == ()
    assert made.refresh().unchanged_content == 1
    (project / "one.md").write_text("# Title one\n\nWritten a moment later.\n")
    assert made.compare()[0] == ("one.md",)


def test_a_changed_file_costs_that_file(project: Path) -> None:
    made = builder(project)
    made.refresh()
    write(project / "two.md", "# Another\n\nChanged.\n")
    assert made.compare()[0] == ("two.md",)
    assert made.refresh().read == 1
    assert any("Another" in title for title in titles(made))
    assert not any("Title two" in title for title in titles(made))


def test_an_added_a_removed_and_a_renamed_file_are_seen(project: Path) -> None:
    made = builder(project)
    made.refresh()
    write(project / "new" / "four.md", "# Four\n")
    (project / "one.md").unlink()
    (project / "two.md").rename(project / "deux.md")
    report = made.refresh()
    assert (report.read, report.gone) == (2, 2)
    assert paths(made) == ["deux.md", "new/four.md", "three.md"]


def test_a_touched_file_with_the_same_content_is_not_indexed_again(project: Path) -> None:
    made = builder(project)
    made.refresh()
    generation = made.store.snapshot()
    os.utime(project / "one.md", ns=(1_000_000_000, 1_000_000_000))
    report = made.refresh()
    assert (report.read, report.unchanged_content) == (0, 1)
    assert [i.row for i in made.store.snapshot().items] == [i.row for i in generation.items]
    assert made.refresh().unchanged_content == 0


def test_a_file_written_at_this_very_moment_is_looked_at_again(project: Path) -> None:
    made = builder(project)
    path = project / "one.md"
    path.write_text("# Just now\n")
    made.refresh()
    stamp = path.stat()
    path.write_text("# Just NOW\n")
    os.utime(path, ns=(stamp.st_mtime_ns, stamp.st_mtime_ns))  # same size, same time: only reading can tell
    made.refresh()
    assert any("Just NOW" in title for title in titles(made))


def test_an_incremental_index_equals_a_fresh_one(project: Path) -> None:
    made = builder(project)
    made.refresh()
    for turn in range(12):
        write(project / f"extra{turn}.md", f"# Extra {turn}\n\nwords {turn}\n")
        write(project / "one.md", f"# One {turn}\n")
        made.refresh()
    (project / "extra3.md").unlink()
    made.refresh()
    fresh = Builder(
        find_project(project), load_sources({"docs"}), SqliteStore(project.parent / "fresh"), workers=0, embedder=MODEL
    )
    fresh.refresh()
    assert titles(made) == titles(fresh)
    assert paths(made) == paths(fresh)


def test_reading_processes_give_the_same_index(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "SIDE_BY_SIDE_BYTES", 1)
    monkeypatch.setattr(build, "BATCH_FILES", 2)
    monkeypatch.setattr(build, "SEGMENT_PAIRS", 3)
    seen: list[tuple[str, int, int]] = []
    made = builder(project, workers=2)
    report = made.refresh(progress=lambda *step: seen.append(step))
    assert report.read == 3
    assert paths(made) == ["one.md", "three.md", "two.md"]
    assert seen[-2] == ("reading", 3, 3)
    assert seen[-1][0] == ""


def test_processes_that_cannot_start_are_an_error_with_a_way_out(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build, "SIDE_BY_SIDE_BYTES", 1)
    monkeypatch.setattr(sys, "executable", "/bin/true")
    made = builder(project, workers=1)
    with pytest.raises(StoreError, match="cannot be started"):
        made.refresh()
    assert paths(made) == []


def test_a_file_that_kills_its_reader_is_set_aside_and_the_rest_is_read(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    killer = "import os, haversack.sources.docs as d\nold = d.DocsSource.units\n"
    killer += "d.DocsSource.units = lambda s, f: os._exit(9) if 'two' in f.path else old(s, f)\n"
    monkeypatch.setattr(build, "SIDE_BY_SIDE_BYTES", 1)
    monkeypatch.setattr(pool, "COMMAND", killer + pool.COMMAND)
    made = builder(project, workers=1)
    report = made.refresh()
    assert paths(made) == ["one.md", "three.md"]
    assert report.skipped["crashes the reader"] == 1
    assert [p.where for p in report.problems] == ["two.md"]
    assert made.refresh().read == 0


def test_files_that_no_source_reads_and_files_that_are_no_text_are_counted(project: Path) -> None:
    write(project / "code.py", "x = 1\n")
    (project / "data.md").write_bytes(b"\x00\x01\x02" * 50)
    report = builder(project).refresh()
    assert report.skipped["no source reads it"] == 1
    assert report.skipped["binary"] == 1
    assert report.examples["binary"] == ("data.md",)


def test_a_file_may_change_its_source(project: Path) -> None:
    made = builder(project)
    (project / "one.md").write_bytes(b"\x00\x01\x02" * 50)
    made.refresh()
    assert paths(made) == ["three.md", "two.md"]
    write(project / "one.md", "# Text again\n")
    made.refresh()
    assert paths(made) == ["one.md", "three.md", "two.md"]
    assert made.store.skipped() == {}


class Notes:
    """A source that is not files."""

    name = "notes"
    threshold = 0.0

    def __init__(self, notes: dict[str, str]) -> None:
        self.notes = notes

    def discover(self, project: object, known: Mapping[str, str]) -> Changes:
        changed = tuple(Item(k, v) for k, v in self.notes.items() if known.get(k) != v)
        return Changes(changed, tuple(k for k in known if k not in self.notes))

    def read(self, project: object, items: Sequence[Item]) -> Iterator[Reading]:
        for item in items:
            yield Reading(item.key, (Unit(item.key, "notes", "note", item.fingerprint, item.fingerprint, time=1.0),))

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        return ()

    def compressors(self) -> Mapping[str, Compressor]:
        return {}


class Broken(Notes):
    """One that fails in its own way."""

    def __init__(self, error: Exception) -> None:
        super().__init__({})
        self.error = error

    def discover(self, project: object, known: Mapping[str, str]) -> Changes:
        raise self.error


def test_other_sources_are_read_incrementally(project: Path) -> None:
    notes = Notes({"a": "first", "b": "second"})
    made = builder(project, Sources(load_sources({"docs"}).files, (notes,)))
    assert made.refresh().read == 5
    assert made.refresh().read == 0
    notes.notes = {"b": "second", "c": "third"}
    report = made.refresh()
    assert (report.read, report.gone) == (1, 1)
    assert {"second", "third"} <= titles(made)
    assert "first" not in titles(made)


@pytest.mark.parametrize("error", [SourceError("no history", hint="make some"), RuntimeError("a bug")])
def test_one_broken_source_never_breaks_the_index(project: Path, error: Exception) -> None:
    made = builder(project, Sources(load_sources({"docs"}).files, (Broken(error), Notes({"a": "still here"}))))
    report = made.refresh()
    assert [p.where for p in report.problems] == ["notes"]
    assert "still here" in titles(made)


class BrokenFiles:
    """A file source with a bug."""

    name = "docs"
    threshold = 0.0

    def claims(self, path: str, lang: str) -> bool:
        return True

    def units(self, file: object) -> list[Unit]:
        raise ZeroDivisionError

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        return ()

    def compressors(self) -> Mapping[str, Compressor]:
        return {}


def test_a_file_that_a_source_cannot_cut_is_named(project: Path) -> None:
    report = builder(project, Sources((BrokenFiles(),), ())).refresh()
    assert {p.where for p in report.problems} == {"one.md", "two.md", "three.md"}
    assert "ZeroDivisionError" in report.problems[0].what


def test_a_large_build_is_left_to_the_process_that_is_at_it(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "LARGE_BUILD_FILES", 2)
    made = builder(project)
    with building(made.store.folder, wait=False) as mine:
        assert mine
        report = made.refresh()
        assert report.pending == ("one.md", "three.md", "two.md")
        assert report.read == 0
    assert made.refresh(wait=True).read == 3


def test_more_changes_than_asked_for_are_left_to_somebody_else(project: Path) -> None:
    made = builder(project)
    assert made.refresh(most=2).pending == ("one.md", "three.md", "two.md")
    assert made.folders() == ()
    assert made.refresh(most=3).read == 3
    assert made.folders() == (project,)
    (project / "one.md").unlink()
    for name in ("four.md", "five.md", "six.md"):
        (project / name).write_text("# New\n", encoding="utf-8")
    assert made.refresh(most=2).pending == ("five.md", "four.md", "six.md", "one.md")


def test_waiting_for_the_lock_ends_when_its_holder_does(tmp_path: Path) -> None:
    code = "import sys, pathlib\nfrom haversack.index.lock import building\n"
    code += (
        "with building(pathlib.Path(sys.argv[1]), wait=True):\n    print('held', flush=True)\n    sys.stdin.read()\n"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    with building(tmp_path, wait=False) as mine:
        assert not mine
    holder.kill()
    holder.communicate()
    with building(tmp_path, wait=True) as mine:
        assert mine


INDEXER = textwrap.dedent(
    """
    import os, sys, pathlib
    from haversack.index import build, pool
    from haversack.index.build import Builder
    from haversack.index.embed import CodeModel
    from haversack.index.sqlite import SqliteStore
    from haversack.project import find_project
    from haversack.sources.registry import load_sources
    build.SEGMENT_PAIRS = 40
    build.BATCH_FILES = 2
    root = pathlib.Path(sys.argv[1])
    store = SqliteStore(root.parent / "data")
    made = Builder(find_project(root), load_sources({"docs"}), store, workers=0, embedder=CodeModel())
    print("ready", flush=True)
    while True:
        for path in root.glob("*.md"):
            path.write_text(path.read_text() + "more words here\\n")
        made.refresh()
    """
)


def test_killed_at_any_moment_the_index_stays_usable(project: Path) -> None:
    """Twenty indexers are killed at random moments; each time a reader finds a whole index and can refresh it."""
    moments = random.Random(7)
    survived = 0
    for _ in range(20):
        process = subprocess.Popen([sys.executable, "-c", INDEXER, str(project)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.readline()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=moments.uniform(0.0, 0.12))
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        made = builder(project)
        assert made.store.rebuilt_because == ""
        assert made.store.check() == ()
        snapshot = made.store.snapshot()
        UnitReader(made.store, snapshot).at(snapshot.alive.nonzero()[0].tolist())
        made.refresh()
        assert paths(made) == ["one.md", "three.md", "two.md"]
        assert made.compare()[1] == ()
        made.store.close()
        survived += 1
    assert survived == 20


def test_two_processes_index_and_query_at_once(project: Path) -> None:
    for number in range(40):
        write(project / f"n{number}.md", f"# Number {number}\n\nunique{number}\n")
    code = INDEXER.replace("while True:", "for _ in range(8):")
    both = [subprocess.Popen([sys.executable, "-c", code, str(project)], stdout=subprocess.DEVNULL) for _ in range(2)]
    reader = builder(project)
    looks = 0
    while any(process.poll() is None for process in both):
        snapshot = reader.store.snapshot()
        with contextlib.suppress(SnapshotGoneError):  # the writers replace files all the time; asking again answers
            units = UnitReader(reader.store, snapshot).at(snapshot.alive.nonzero()[0].tolist())
            assert len({u.id for u in units}) == len(units)
        looks += 1
    assert [process.wait() for process in both] == [0, 0]
    assert looks > 0
    reader.refresh()
    assert len(paths(reader)) == 43
    assert reader.store.check() == ()


def test_an_index_made_by_other_sources_is_made_again(project: Path) -> None:
    builder(project, Sources(load_sources({"docs"}).files, (Notes({"a": "a note"}),))).refresh()
    made = builder(project)
    report = made.refresh()
    assert report.rebuilt_because == "the sources or their settings changed"
    assert report.read == 3
    assert "a note" not in titles(made)
    again = builder(project)
    assert again.refresh().read == 0


def test_a_report_says_whether_something_changed() -> None:
    assert not IndexReport().changed
    assert IndexReport(gone=1).changed
