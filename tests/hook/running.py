"""The hook as a host runs it: a process of its own, with a data folder and a meeting place of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

HOOK = [sys.executable, "-m", "haversack", "hook"]


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    """A helper that ends with its answer, unless a test says otherwise."""
    (tmp_path / "run").mkdir(exist_ok=True)
    own = {
        "HOME": str(tmp_path), "HAVERSACK_DATA_DIR": str(tmp_path / "data"), "XDG_RUNTIME_DIR": str(tmp_path / "run"),
        "HAVERSACK_HOOK__LINGER_MINUTES": "0", "HAVERSACK_WORKERS": "1",
    }  # fmt: skip
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HAVERSACK_", "XDG_"))}
    return {**kept, **own, **more}


def run(payload: object, env: dict[str, str], **more: Any) -> str:
    """What the hook writes; its exit code is 0 whatever it is given."""
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    done = subprocess.run(HOOK, input=raw, env=env, capture_output=True, timeout=60, **more)
    assert done.returncode == 0
    assert done.stderr == b""
    return done.stdout.decode()


def log(tmp_path: Path) -> str:
    """What the hook's log says."""
    path = tmp_path / "data" / "hook.log"
    return path.read_text(encoding="utf-8") if path.exists() else ""
