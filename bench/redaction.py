"""How fast redaction is, what it takes for a secret, and whether one gets through.

`python bench/redaction.py --code CLONE... --logs FOLDER...`: clones of public repositories, folders of log files.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from report import machine, today, write
from tests import planted

from haversack import Haversack
from haversack.model import Role
from haversack.project.languages import DATA, PROSE, language_of
from haversack.project.reading import decode, is_minified, normalise
from haversack.project.roles import role_of
from haversack.units.redact import find_secrets, redact
from haversack.units.secret_files import mask_file

FASTEST = 20.0  # MB/s on one core: the limit of the issue
MOST_FALSE = 1.0  # per 10,000 lines of ordinary source code
ORDINARY = (Role.SOURCE, Role.TYPES)
LARGEST = 1_000_000
LOG_ENDINGS = (".log", ".jsonl", ".txt")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--code", type=Path, nargs="+", required=True)
    parser.add_argument("--logs", type=Path, nargs="+", required=True)
    parser.add_argument("--list", action="store_true", help="print every line in which something was found")
    given = parser.parse_args()
    redact("password='hunter2hunter'")  # patterns compile once
    body = "\n\n".join(
        [
            "`python bench/redaction.py --code CLONE... --logs FOLDER...`: masks by kind of file and the rules for "
            "text, as every file that is read goes through them, one core, processor time.",
            speeds(given.code, given.logs),
            false_hits(given.code, listed=given.list),
            planting(),
        ]
    )
    print(f"{today()}, {machine()}\n\n{body}")
    write("Redaction", body)


def speeds(code: Sequence[Path], logs: Sequence[Path]) -> str:
    """Megabytes of text per second of processor time."""
    rows = ["| text | MB | MB/s | limit |", "|---|---|---|---|"]
    kinds = {
        "source code": list(_sources(code, all_roles=True)),
        "log lines": [("a.log", text) for folder in logs for _, text in _texts(folder) if _.endswith(LOG_ENDINGS)],
    }
    for kind, texts in kinds.items():
        size = sum(len(text.encode("utf-8", "replace")) for _, text in texts) / 1e6
        spent = time.process_time()
        for path, text in texts:
            redact(mask_file(path, text))
        rows.append(f"| {kind} | {size:.1f} | {size / (time.process_time() - spent):.1f} | ≥ {FASTEST:.0f} |")
    return "\n".join(rows)


def false_hits(code: Sequence[Path], *, listed: bool) -> str:
    """Everything found in ordinary source code, real or not: an upper bound of what is false."""
    rows = ["| repository | lines | found | per 10,000 lines | kinds |", "|---|---|---|---|---|"]
    every_line = every_hit = 0
    for clone in code:
        lines = 0
        kinds: Counter[str] = Counter()
        for path, text in _sources([clone], all_roles=False):
            lines += text.count("\n")
            for hit in find_secrets(text):
                if listed:
                    start = text.rfind("\n", 0, hit.start) + 1
                    print(f"{path}: {hit.kind}: {text[start : start + 160].partition(chr(10))[0].strip()}")
            kinds.update(redact(text).found)
        found = kinds.total()
        every_line, every_hit = every_line + lines, every_hit + found
        told = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items())) or "–"
        rows.append(f"| {clone.name} | {lines:,} | {found} | {found / max(lines, 1) * 1e4:.2f} | {told} |")
    rate = every_hit / max(every_line, 1) * 1e4
    rows.append(f"| all | {every_line:,} | {every_hit} | {rate:.2f} | limit < {MOST_FALSE:.0f} |")
    how = (
        "Counted: every replacement in files whose role is source or types (no tests, examples, documents, data); "
        "those that are real credentials count too, so this is an upper bound of the false ones."
    )
    return f"{how}\n\n" + "\n".join(rows)


def planting() -> str:
    """Every example of every rule, in every source, and a search of every byte that was written or said."""
    wanted = planted.secrets()
    with tempfile.TemporaryDirectory() as folder:
        root = planted.plant(Path(folder) / "shop")
        data = Path(folder) / "data"
        said: list[bytes] = []
        with Haversack(root, data_dir=data, flags={"sources.conversation.home": folder}) as haversack:
            planted.remember(haversack, Path(folder))
            haversack.index()
            haversack.asked = frozenset({"logs"})
            sources = sorted({item.source for item in haversack.store.snapshot().items} - {"none"})
            for form in ("markdown", "json", "xml"):
                packet = haversack.pack(planted.task(), budget=60_000, format=form, fill=True)
                said += (packet.text.encode(), repr(packet).encode())
            said += [repr(haversack.search(secret)).encode() for secret in wanted]
        bodies = [*said, *(body for _, body in planted.every_byte(data))]
        leaks = sum(bool(planted.found_in(body, wanted)) for body in bodies)
    return (
        f"Planted: {len(wanted)} secrets of every rule in {len(sources)} sources ({', '.join(sources)}) and in the "
        f"task. Searched raw and in six encodings: {len(bodies):,} outputs, files and database values."
        f" Leaks: {leaks} (limit 0)."
    )


def _sources(clones: Sequence[Path], *, all_roles: bool) -> Iterator[tuple[str, str]]:
    for clone in clones:
        for path, text in _texts(clone):
            lang = language_of(path, text[:200])
            if not lang or lang in PROSE or lang in DATA or is_minified(text):
                continue
            if all_roles or role_of(path, lang) in ORDINARY:
                yield path, text


def _texts(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*")):
        if ".git" in path.parts or not path.is_file() or path.is_symlink() or path.stat().st_size > LARGEST:
            continue
        text = decode(path.read_bytes())
        if text is not None:
            yield path.relative_to(folder).as_posix(), normalise(text)


if __name__ == "__main__":
    main()
