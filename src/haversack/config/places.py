"""Where the user's own files live, on each operating system."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from haversack.errors import ConfigError

APP = "haversack"


def user_file(env: Mapping[str, str], platform: str = sys.platform) -> Path | None:
    """The user's settings file, whether or not it exists; None when there is no home folder."""
    base = _folder(
        env, platform, "XDG_CONFIG_HOME", mac="Library/Application Support", windows="APPDATA", unix=".config"
    )
    return base / APP / "config.toml" if base else None


def cache_folder(env: Mapping[str, str], platform: str = sys.platform) -> Path:
    """The folder for indexes and receipts when none is configured."""
    base = _folder(env, platform, "XDG_CACHE_HOME", mac="Library/Caches", windows="LOCALAPPDATA", unix=".cache")
    if base is None:
        raise ConfigError(
            "there is no home folder to keep the index in", hint="Name one with --data-dir or HAVERSACK_DATA_DIR."
        )
    return base / APP


def memory_folder(env: Mapping[str, str], platform: str = sys.platform) -> Path:
    """The folder for what is remembered: not the cache, which anybody may empty. The cache's when there is no other."""
    base = _folder(
        env, platform, "XDG_DATA_HOME", mac="Library/Application Support", windows="LOCALAPPDATA", unix=".local/share"
    )
    return base / APP if base else cache_folder(env, platform)


def _folder(env: Mapping[str, str], platform: str, variable: str, *, mac: str, windows: str, unix: str) -> Path | None:
    named = env.get(variable, "")
    # The XDG specification: a relative path there is to be ignored.
    if named and Path(named).is_absolute():
        return Path(named)
    if platform == "win32":
        named = env.get(windows, "")
        return Path(named) if named else None
    home = _home(env)
    if home is None:
        return None
    return home / (mac if platform == "darwin" else unix)


def _home(env: Mapping[str, str]) -> Path | None:
    try:
        home = Path(env["HOME"]) if env.get("HOME") else Path.home()
    except RuntimeError:
        return None
    return home if home.is_absolute() else None
