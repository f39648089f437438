"""A machine with an empty home and an empty project, and no programs on its path."""

from __future__ import annotations

from pathlib import Path

import pytest

from haversack.install import Machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    return Machine(tmp_path / "project", tmp_path / "home", {"PATH": str(tmp_path / "bin")})
