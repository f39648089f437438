"""Text to the clipboard: through a program of the system, or through the terminal itself (OSC 52)."""

from __future__ import annotations

import sys
from typing import TextIO

from haversack.errors import HaversackError

PROGRAMS = (
    ("pbcopy",),
    ("wl-copy",),
    ("xclip", "-selection", "clipboard"),
    ("xsel", "--clipboard", "--input"),
    ("clip.exe",),
)
"""Tried in this order; each reads the text from its standard input."""

TERMINAL_LIMIT = 74_994
"""Bytes of text most terminals take in one OSC 52 sequence (100,000 characters of base64 with its frame)."""

SECONDS = 10
"""A clipboard program that takes longer waits for a display that is not there."""


def copy(text: str, terminal: TextIO | None = None) -> str:
    """Put the text on the clipboard and say through what."""
    import shutil
    import subprocess

    raw = text.encode("utf-8", "backslashreplace")
    for program in PROGRAMS:
        if found := shutil.which(program[0]):
            try:
                subprocess.run([found, *program[1:]], input=raw, check=True, timeout=SECONDS, capture_output=True)
            except (OSError, subprocess.SubprocessError):
                continue
            return program[0]
    terminal = terminal or sys.stderr
    if terminal.isatty() and len(raw) <= TERMINAL_LIMIT:
        from base64 import b64encode

        terminal.write(f"\033]52;c;{b64encode(raw).decode()}\a")
        terminal.flush()
        return "the terminal (OSC 52)"
    raise HaversackError(
        "there is no clipboard to copy to",
        hint="Install wl-copy, xclip or xsel, run it in a terminal, or write to a file with -o.",
    )
