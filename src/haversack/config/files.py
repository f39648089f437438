"""Reading settings files: where they stand, what they hold, and the line a setting is on."""

from __future__ import annotations

import re
import stat
import tomllib
from pathlib import Path
from typing import cast

from msgspec import Struct

from haversack.errors import ConfigError

PROJECT_FILE = "haversack.toml"
PYPROJECT = "pyproject.toml"

MAX_BYTES = 1_000_000
"""A settings file is a page or two; anything this large is something else and would only cost time."""

_AT = re.compile(r" \(at line (\d+), column (\d+)\)$")
_AT_END = " (at end of document)"


class Document(Struct, frozen=True):
    """A settings file as read. `prefix` is where our settings start in it; `shown` is how it is named to the user."""

    shown: str
    text: str
    data: dict[str, object]
    prefix: tuple[str, ...] = ()

    def place(self, path: tuple[str, ...]) -> str:
        """`file:line` of a setting, or the file alone when the line cannot be told."""
        from haversack.config.lines import line_of

        line = line_of(self.text, self.prefix + path)
        return f"{self.shown}:{line}" if line else self.shown


def project_document(root: Path) -> Document | None:
    """The project's own settings: `haversack.toml`, or `[tool.haversack]` in `pyproject.toml`."""
    own = read(root / PROJECT_FILE, inside=root)
    shared = _pyproject(root)
    if own and shared:
        raise ConfigError(
            f"settings stand in two places: {own.shown} and [tool.haversack] in {shared.shown}",
            hint="Keep one of the two.",
        )
    return own or shared


def _pyproject(root: Path) -> Document | None:
    path = root / PYPROJECT
    try:
        # Most projects have this file and nothing of ours in it: then its faults are not our concern.
        if not path.is_file() or path.stat().st_size > MAX_BYTES or b"haversack" not in path.read_bytes():
            return None
    except OSError:
        return None
    document = read(path, inside=root)
    tool = document.data.get("tool") if document else None
    section = tool.get("haversack") if isinstance(tool, dict) else None
    if document is None or section is None:
        return None
    if not isinstance(section, dict):
        raise ConfigError(f"{document.shown}: tool.haversack must be a table", hint="Write [tool.haversack] above it.")
    return Document(document.shown, document.text, section, ("tool", "haversack"))


def read(path: Path, *, inside: Path | None = None) -> Document | None:
    """The file parsed, or None when there is none. With `inside`, a link that leads out of that folder is refused."""
    shown = path.name if inside else str(path)
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _unreadable(shown, error) from error
    if not stat.S_ISREG(mode):
        what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        raise ConfigError(f"{shown} is {what}, not a settings file", hint="Move it away or rename it.")
    if inside and not path.resolve().is_relative_to(inside.resolve()):
        raise ConfigError(
            f"{shown} is a link that leads outside the project", hint="Replace the link with a copy of the file."
        )
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise _unreadable(shown, error) from error
    return parse(raw, shown)


def parse(raw: bytes, shown: str) -> Document:
    """The bytes of a settings file as a document."""
    if len(raw) > MAX_BYTES:
        raise ConfigError(f"{shown} is larger than {MAX_BYTES:,} bytes", hint="This is not a settings file.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigError(
            f"{shown}:{line}: not UTF-8 (byte 0x{raw[error.start]:02x})", hint="Save the file as UTF-8."
        ) from error
    try:
        return Document(shown, text, cast("dict[str, object]", tomllib.loads(text)))
    except tomllib.TOMLDecodeError as error:
        raise _syntax(shown, text, str(error)) from error
    except RecursionError as error:
        raise ConfigError(f"{shown}: nested too deeply", hint="Settings are at most five levels deep.") from error


def _unreadable(shown: str, error: OSError) -> ConfigError:
    reason = (error.strerror or type(error).__name__).lower()
    return ConfigError(f"{shown} cannot be read: {reason}", hint="Make the file readable, or move it away.")


def _syntax(shown: str, text: str, message: str) -> ConfigError:
    place = _AT.search(message)
    if place:
        line, column, what = int(place[1]), int(place[2]), message[: place.start()]
    else:
        line, column, what = len(text.splitlines()) or 1, 0, message.removesuffix(_AT_END)
    where = f"{shown}:{line}" + (f":{column}" if column else "")
    return ConfigError(
        f"{where}: not valid TOML: {what[:1].lower()}{what[1:]}",
        hint="Correct that line. `haversack init --print` shows a file that is valid.",
    )
