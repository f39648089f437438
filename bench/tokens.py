"""How fast tokens are counted and whether the counts are exact: `python bench/tokens.py [FOLDER ...]`.

Counts every text file of the folders (by default this Python's own library) with each counter, compares with tiktoken
file by file, and checks the joining law on the blocks between blank lines. Writes the section "Counting tokens".
"""

from __future__ import annotations

import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

import oracle
import report

from haversack import tokens

LIMIT = 20_000_000  # characters: enough to be steady, done in a few seconds
LARGEST_FILE = 1_000_000


def texts(folders: list[str]) -> list[str]:
    """The text files of the folders, up to the limit."""
    found, size = [], 0
    for text in _read(folders):
        found.append(text)
        size += len(text)
        if size > LIMIT:
            break
    return found


def _read(folders: list[str]) -> Iterator[str]:
    for folder in folders:
        for path in sorted(Path(folder).rglob("*")):
            try:
                if path.is_file() and path.stat().st_size < LARGEST_FILE:
                    yield path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue  # binary or unreadable: not text


def blocks(text: str) -> list[str]:
    """The text cut where blocks join safely."""
    cut, start = [], 0
    while (end := text.find("\n", start) + 1) > 0:
        while end < len(text) and not tokens.is_safe_start(text[end : end + 1]):
            end = text.find("\n", end) + 1 or len(text)
        cut.append(text[start:end])
        start = end
    return [*cut, text[start:]]


def measure(name: str, sample: list[str]) -> str:
    """One row of the table."""
    counter = tokens.counter(name)
    counter.count("warm")
    size = sum(len(text.encode()) for text in sample)
    start = time.perf_counter()
    counts = [counter.count(text) for text in sample]
    seconds = time.perf_counter() - start
    row = f"| {name} | {size / seconds / 1e6:.0f} MB/s | {sum(counts):,} |"
    if name not in tokens.VOCABULARIES:
        exact = sum(oracle.count("o200k_base", text) for text in sample)
        return f"{row} {(sum(counts) / exact - 1):+.1%} against o200k | does not apply |"
    wrong = sum(oracle.count(f"{name}_base", text) != count for text, count in zip(sample, counts, strict=True))
    parted = [sum(map(counter.count, blocks(text))) for text in sample]
    unequal = sum(parts != whole for parts, whole in zip(parted, counts, strict=True))
    pieces = sum(len(blocks(text)) for text in sample)
    return f"{row} {wrong} of {len(sample):,} files differ | {unequal} files differ ({pieces:,} blocks) |"


def main() -> None:
    """Measure, print, write."""
    folders = sys.argv[1:] or [sysconfig.get_paths()["stdlib"]]
    sample = texts(folders)
    lines = [
        f"`python bench/tokens.py`: {len(sample):,} files, {sum(map(len, sample)) / 1e6:.1f} M characters, one thread.",
        "",
        "| counter | speed | tokens | against tiktoken | sum of parts against the whole |",
        "|---|---|---|---|---|",
        *(measure(name, sample) for name in (*tokens.VOCABULARIES, tokens.CHARS)),
    ]
    print(report.machine(), report.today())
    print("\n".join(lines))
    report.write("Counting tokens", "\n".join(lines))


if __name__ == "__main__":
    main()
