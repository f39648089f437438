"""Where benchmark figures go: one section per benchmark in bench/RESULTS.md, replaced on every run."""

from __future__ import annotations

import datetime
import os
import platform
import re
from pathlib import Path

RESULTS = Path(__file__).with_name("RESULTS.md")
TITLE = "# Results\n\nEach section is written by the command it names; nothing here is typed by hand.\n"


def machine() -> str:
    """The size of this machine and its Python; never its name."""
    ram = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30 if hasattr(os, "sysconf") else 0.0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{cores} cores, {ram:.0f} GB RAM, {platform.python_implementation()} {platform.python_version()}"


def today() -> str:
    """The date of the run, in UTC."""
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def write(section: str, body: str, *, results: Path = RESULTS) -> None:
    """Replace the section `## <section>` of the results, or add it at the end; the other sections stay as they are."""
    text = results.read_text(encoding="utf-8") if results.exists() else TITLE
    block = f"## {section}\n\n{today()}, {machine()}\n\n{body.strip()}\n"
    # A section ends where the next one of the same rank begins.
    found = re.search(rf"^## {re.escape(section)}$.*?(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found:
        rest = text[found.end() :]
        text = text[: found.start()] + block + ("\n" if rest else "") + rest
    else:
        text = text.rstrip("\n") + "\n\n" + block
    partial = results.with_suffix(".part")
    partial.write_text(text, encoding="utf-8")
    partial.replace(results)
