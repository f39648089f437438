"""Modules and parts of the project that a task names are found among its folders."""

from __future__ import annotations

from pathlib import Path

from tests.index.made import store_with, unit

from haversack.retrieve.addressed import addressed
from haversack.retrieve.understand import understand

PATHS = (
    "lib/ext/autodoc/__init__.py",
    "lib/ext/autodoc/typehints.py",
    "lib/ext/napoleon.py",
    "lib/pyreverse/main.py",
    "lib/pyreverse/writer.py",
    "other/napoleon.py",
)


def told(tmp_path: Path, task: str, column: str) -> dict[str, float]:
    store = store_with(tmp_path, [unit(path, "f", "words", start=1) for path in PATHS])
    snapshot = store.snapshot()
    found = addressed(snapshot, understand(task))[column]
    return {item.key: round(float(value), 3) for item, value in zip(snapshot.items, found, strict=True) if value}


def test_a_module_is_the_file_it_is_written_in(tmp_path: Path) -> None:
    assert told(tmp_path, "lib.ext.napoleon is broken", "module") == {"lib/ext/napoleon.py": 1.0}
    assert told(tmp_path, "call lib.ext.napoleon.setup() twice", "module") == {"lib/ext/napoleon.py": 1.0}


def test_a_package_is_all_that_is_in_it_and_counts_less(tmp_path: Path) -> None:
    found = told(tmp_path, "import lib.ext.autodoc", "module")
    assert found.keys() == {"lib/ext/autodoc/__init__.py", "lib/ext/autodoc/typehints.py"}
    assert 0.0 < min(found.values()) <= max(found.values()) <= 1.0
    assert told(tmp_path, "numpy.linalg.norm fails", "module") == {}


def test_a_word_that_is_a_folder_means_what_is_in_it(tmp_path: Path) -> None:
    found = told(tmp_path, "pyreverse does not read type hints", "folder name")
    assert found.keys() == {"lib/pyreverse/main.py", "lib/pyreverse/writer.py"}
    assert told(tmp_path, "nothing is read", "folder name") == {}
