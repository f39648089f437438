"""Every source at every strength on real files: `python bench/compression.py FOLDER...`.

Files are taken by what they are: source code, documents (also as research, and paragraph by paragraph as conversation),
manifests, logs. Each is compressed to random targets; no result may be longer than its target.
"""

from __future__ import annotations

import argparse
import ast
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from report import write

from haversack.model import Level, Span, Unit
from haversack.pack.levels import Limits, StubInfo
from haversack.pack.levels.ladder import shortened_file
from haversack.pack.levels.leveled import STRENGTHS
from haversack.project.languages import language_of
from haversack.sources.code.syntax import outline
from haversack.sources.registry import load_sources
from haversack.tokens import counter

SOURCES = ("conversation", "research", "docs", "code", "deployment", "logs")
FILES = 60  # of each kind
LARGEST = 400_000
TARGETS = 4  # for each text and strength
ENDINGS = {".py": "code", ".go": "code", ".js": "code", ".md": "docs", ".rst": "docs", ".log": "logs"}
SEED = 7


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    given = parser.parse_args()
    texts: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for folder in given.folders:
        for source, path, text in _texts(folder):
            if len(texts[source]) < FILES:
                texts[source].append((path, text))
    body = "\n\n".join([measured(texts), detailed_code(texts["code"])])
    print(body)
    names = ", ".join(folder.name for folder in given.folders)
    write("Compression", f"`python bench/compression.py FOLDER...`: {names}.\n\n{body}")


def _texts(folder: Path) -> Iterator[tuple[str, str, str]]:
    for path in sorted(folder.rglob("*")):
        kind = "deployment" if path.suffix in (".yaml", ".yml") else ENDINGS.get(path.suffix)
        if kind is None or ".git" in path.parts or not path.is_file() or path.stat().st_size > LARGEST:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        if not text.strip():
            continue
        yield kind, path.name, text
        if kind == "docs":
            yield "research", path.name, text
            yield from (("conversation", path.name, f"user: {said}") for said in text.split("\n\n")[:3] if said.strip())


def measured(texts: dict[str, list[tuple[str, str]]]) -> str:
    """Results over their targets, and what a strength leaves when it may keep all it wants."""
    choose = random.Random(SEED)
    known = load_sources(SOURCES)
    rows = [
        "| source | texts | results | over target | light leaves | medium leaves | heavy leaves | tokens/s |",
        "|---|---|---|---|---|---|---|---|",
    ]
    count = counter().count
    for source in SOURCES:
        left: dict[str, list[float]] = defaultdict(list)
        over = results = tokens = 0
        spent = 0.0
        for path, text in texts[source]:
            unit = _unit(source, path, text)
            whole = max(count(text), 1)
            for level, strength in STRENGTHS.items():
                for number in range(TARGETS):
                    target = whole if number == 0 else choose.randint(0, whole)
                    started = time.process_time()
                    made = shortened_file(
                        text,
                        unit.lang,
                        level,
                        target,
                        info=StubInfo(path, unit.kind, unit.lang, None, 1),
                        count=count,
                        limits=Limits(detailed=-1, summary=-1),
                        unit=unit,
                        outline=outline(text, unit.lang) if source == "code" else None,
                        compressors=known.compressors(source),
                    )
                    spent += time.process_time() - started
                    results += 1
                    tokens += whole
                    over += count(made.text) > target
                    if number == 0:
                        left[strength].append(count(made.text) / whole)
        shares = [f"{statistics.mean(left[strength]):.0%}" if left[strength] else "" for strength in STRENGTHS.values()]
        rate = f"{tokens / spent:,.0f}" if spent else ""
        rows.append(f"| {source} | {len(texts[source])} | {results} | {over} | {' | '.join(shares)} | {rate} |")
    return "\n".join(rows)


def _unit(source: str, path: str, text: str) -> Unit:
    kinds = {"logs": "log", "conversation": "message"}
    lang = "" if source in kinds else language_of(path) or "markdown"
    return Unit("u", source, kinds.get(source, "file"), path, "", path, Span(1, text.count("\n") + 1), lang=lang)


def detailed_code(texts: list[tuple[str, str]]) -> str:
    """Python at "detailed": parses, or says what is missing; which signatures are there."""
    count = counter().count
    files = parsed = marked = signatures = kept = 0
    for path, text in texts:
        if not path.endswith(".py"):
            continue
        found = outline(text, "python")
        made = shortened_file(
            text,
            "python",
            Level.DETAILED,
            None,
            info=StubInfo(path, "file", "python", None, 1),
            count=count,
            limits=Limits(detailed=-1),
            unit=_unit("code", path, text),
            outline=found,
        )
        files += 1
        marked += "elided" in made.text
        parsed += _parses(made.text)
        heads = [text.split("\n")[node.head - 1].strip() for node in found.nodes]
        signatures += len(heads)
        kept += sum(head in made.text for head in heads)
    return (
        f'Python at "detailed", {files} files: {parsed} parse, {marked} are marked elided; '
        f"{kept:,} of {signatures:,} signatures kept."
    )


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


if __name__ == "__main__":
    main()
