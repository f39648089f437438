"""What the tests of the installer share: agents by name, files put and compared."""

from __future__ import annotations

from pathlib import Path

from haversack.install import AGENTS, Agent


def agents(*names: str) -> list[Agent]:
    return [AGENTS[name] for name in names]


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder with its bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }
