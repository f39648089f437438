"""Mine training pairs: python training/semantic/mine.py --out DIR [--exclude FILE] [--mirror DIR] [--only NAME ...]

Writes one file of JSON lines for each package (DIR/<part>/<origin>-<name>.jsonl) and DIR/manifest.tsv: part, origin,
name, version, licence, files, pairs by kind, or why it was refused. What is there already is not mined again.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import random
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from gather import Excluded, RefusedError, gather, listed
from pairs import pairs_of

SEED = 5
COLUMNS = ("part", "origin", "name", "version", "licence", "files", "pairs", "kinds")


def mine(part: str, origin: str, name: str, options: argparse.Namespace) -> tuple[str, ...]:
    """One package: its line of the manifest."""
    path = options.out / part / f"{origin}-{name.replace('/', '+')}.jsonl"
    told = path.with_suffix(".tsv")
    if told.exists():
        return tuple(told.read_text(encoding="utf-8").rstrip("\n").split("\t"))
    try:
        package = gather(origin, name, options.cache, options.mirror, Excluded.read(options.exclude))
        found = list(pairs_of(package, random.Random(f"{SEED}{origin}{name}")))
    except RefusedError as error:
        return (part, origin, name, "-", f"refused: {error}", "0", "0", "")
    except Exception as error:  # one bad archive must not stop the rest; the manifest says what happened
        return (part, origin, name, "-", f"failed: {error!r}"[:200], "0", "0", "")
    kinds = Counter(pair.kind for pair in found)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", errors="replace") as out:
        for pair in found:
            out.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")
    row = (part, origin, name, package.version, package.licence, str(len(package.files)), str(len(found)),
           " ".join(f"{kind}={count}" for kind, count in sorted(kinds.items())))  # fmt: skip
    told.write_text("\t".join(row) + "\n", encoding="utf-8")
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--cache", type=Path, help="where archives are kept (default: OUT/cache)")
    parser.add_argument("--mirror", type=Path, help="bare clones as <owner>+<name>/repo instead of cloning")
    parser.add_argument(
        "--exclude",
        type=Path,
        default=Path(__file__).with_name("excluded.txt"),
        help="repositories, one owner/name a line, that must not be used (default: excluded.txt beside this file)",
    )
    parser.add_argument("--only", nargs="*", help="just these names")
    parser.add_argument("--part", choices=("train", "tune", "evaluate"), help="just this part")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    options.cache = options.cache or options.out / "cache"
    wanted = [
        each
        for each in listed(Path(__file__).with_name("sources.toml"))
        if (not options.only or each[2] in options.only) and options.part in (None, each[0])
    ]
    random.Random(SEED).shuffle(wanted)  # stopped early, what is there is still a sample of everything
    rows = []
    with concurrent.futures.ProcessPoolExecutor(options.workers) as pool:
        for row in pool.map(mine, *zip(*wanted, strict=True), [options] * len(wanted)):
            print("  ".join(row), file=sys.stderr, flush=True)
            rows.append(row)
    lines = ["\t".join(COLUMNS), *("\t".join(row) for row in sorted(rows))]
    (options.out / "manifest.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
