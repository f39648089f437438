"""What the shipped model finds: python bench/semantic.py --data DIR [--part evaluate] [--peer] [--record]

DIR is what `python training/semantic/mine.py --out DIR --part evaluate` wrote: functions of packages that are in
neither training nor tuning. The question is the first sentence of a function's documentation, the corpus all documented
functions of the same language without their documentation. `--peer` measures the table inside the `wordllama` wheel too
(pip install wordllama; nothing else needs it). Tasks and conversations: bench/semantic_tasks.py and bench/memory.py.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import report
from numpy.typing import NDArray

from haversack.index.embed import DISTINCT, SHIPPED, CodeModel, to_length_one
from haversack.index.lexical import ask, bm25
from haversack.index.prepare import prepare
from haversack.index.segment import open_segment, write_segment
from haversack.index.snapshot import ItemInfo, Snapshot
from haversack.index.terms import count_terms, reset_memo, terms
from haversack.model import Unit

CUT = 10  # ranks after this count as not found
SHARES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.5)  # of the vectors beside BM25, both scaled to the question's best
SHARE = 1.5  # chosen on the packages for tuning: nothing between .1 and 1.5 is better there
AGAIN = 100  # nearest units that are looked at again by pairs of words
PAIRS = 0.6  # their share beside the model, chosen on the packages for tuning
RANK_CONSTANT = 60  # as reciprocal rank fusion is commonly used
LIMITS = {"table": 1.4, "words": 1.12, "units": 5_000, "asked": 2.0, "load": 40.0, "size": 12.0}
FAMILIES = {"jsx": "javascript", "tsx": "typescript", "cpp": "c/c++", "c": "c/c++"}

Matrix = NDArray[np.float32]


def functions(folder: Path, kind: str) -> dict[str, tuple[list[str], list[Unit], list[int]]]:
    """By language: questions, functions, and which function each question is about."""
    found: dict[str, tuple[list[str], list[Unit], list[int]]] = defaultdict(lambda: ([], [], []))
    places: dict[tuple[str, str], int] = {}
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n"):
            pair = json.loads(line)
            if pair["kind"] != kind:
                continue
            lang = FAMILIES.get(pair["lang"], pair["lang"])
            questions, units, answers = found[lang]
            key = (lang, pair["text"])
            if key not in places:
                places[key] = len(units)
                units.append(Unit(id=f"c{len(units)}", source="code", kind="function", title=pair["title"],
                                  text=pair["text"], path=pair["file"], qualname=pair["title"]))  # fmt: skip
            questions.append(re.split(r"(?<=[a-z)])\. ", pair["said"])[0])
            answers.append(places[key])
    return found


def ranks(scores: Matrix, answers: Sequence[int]) -> Matrix:
    """1 / rank of each answer, 0 after the cut; what ties with it stands before it."""
    own = scores[np.arange(len(answers)), answers]
    rank = (scores >= own[:, None]).sum(axis=1)
    return np.where((rank <= CUT) & (own > 0), 1.0 / rank, 0.0)


def by_words(questions: Sequence[str], units: Sequence[Unit]) -> Matrix:
    """BM25 as haversack's lexical view computes it, the name's terms counted with the text."""
    spoken = [Unit(id=u.id, source="docs", kind="section", title=u.title, text=u.text) for u in units]
    with tempfile.TemporaryDirectory() as folder:
        segment = open_segment(Path(folder), write_segment(Path(folder), prepare(spoken, None)))
        item = ItemInfo(row=0, source="docs", key="all", lang="", role="source", time=None, digest="", segment=0,
                        first=0, count=len(units))  # fmt: skip
        snapshot = Snapshot(0, [segment], [item])
        return np.stack([bm25(snapshot, ask(dict.fromkeys(terms(question), 1.0))) for question in questions])


def by_model(questions: Sequence[str], units: Sequence[Unit], model: CodeModel) -> Matrix:
    """Cosines, as the semantic view compares them in full."""
    code = model.embed_units(units, [count_terms(unit.text) for unit in units])
    near: Matrix = model.embed(questions) @ code.T
    return near


def by_pairs(questions: Sequence[str], units: Sequence[Unit], model: CodeModel, near: Matrix) -> Matrix:
    """Late interaction over the model's own vectors, for each question's nearest: how well a unit's best word answers
    each word of the question, on average, words weighted as the model weighs them. Scaled to the question's best."""
    table = model._vectors * model._scales[:, None]  # a look inside: nothing else needs single words
    directions, lengths = to_length_one(table), np.linalg.norm(table, axis=1)
    held = [
        np.unique(model.looked_up([*count_terms(unit.title), *islice(count_terms(unit.text), DISTINCT)])[0])
        for unit in units
    ]
    found = np.zeros_like(near)
    for number, question in enumerate(questions):
        counted = count_terms(question)
        asked = model.looked_up(list(counted))[0]
        first = [u for u in np.argsort(-near[number], kind="stable")[:AGAIN].tolist() if len(held[u])]
        if not len(asked) or not first:
            continue
        weights = np.asarray(list(counted.values())) * (lengths[asked] * model.gains[asked]) ** 2
        starts = np.cumsum([0, *(len(held[u]) for u in first[:-1])])
        pairs = directions[asked] @ directions[np.concatenate([held[u] for u in first])].T
        found[number, first] = weights @ np.maximum.reduceat(pairs, starts, axis=1) / weights.sum()
    return scaled(found)


def by_table(questions: Sequence[str], units: Sequence[Unit], longest: int) -> Matrix:
    """The same with the table in the wordllama wheel: subtokens, rarer pieces heavier, as haversack used it before."""
    from peer_table import StaticTable

    table = StaticTable(longest)
    near: Matrix = table.embed(questions) @ table.embed([f"{u.title}\n{u.text}" for u in units]).T
    return near


def scaled(scores: Matrix) -> Matrix:
    """Each question's scores divided by its best."""
    best = scores.max(axis=1, keepdims=True)
    return np.divide(np.maximum(scores, 0), best, out=np.zeros_like(scores), where=best > 0)


def by_rank(*scores: Matrix) -> Matrix:
    """Reciprocal rank fusion: what each list says, by places alone."""
    places = [np.argsort(np.argsort(-each, axis=1, kind="stable"), axis=1) for each in scores]
    fused: Matrix = np.sum([1.0 / (RANK_CONSTANT + 1 + place) for place in places], axis=0, dtype=np.float32)
    return fused


def found_by(folder: Path, model: CodeModel, kind: str, *, peer: bool) -> dict[str, dict[str, float]]:
    """MRR@10 of every method by language, and over all questions."""
    all_ranks: dict[str, list[Matrix]] = defaultdict(list)
    table: dict[str, dict[str, float]] = {}
    for lang, (questions, units, answers) in sorted(functions(folder, kind).items()):
        words, near = by_words(questions, units), by_model(questions, units, model)
        mine = {"BM25": ranks(words, answers), "model": ranks(near, answers)}
        pairs = np.float32(PAIRS) * by_pairs(questions, units, model, near)
        mine[f"model + {PAIRS} pairs of words"] = ranks(scaled(near) + pairs, answers)
        if peer:
            mine |= {f"wordllama, {n} characters": ranks(by_table(questions, units, n), answers) for n in (600, 2_500)}
        for share in SHARES[1:]:
            mine[f"BM25 + {share} model"] = ranks(scaled(words) + np.float32(share) * scaled(near), answers)
        mine["BM25 and model by rank"] = ranks(by_rank(words, near), answers)
        hybrid = scaled(words) + np.float32(SHARE) * scaled(near)
        mine[f"BM25 + {SHARE} model + {PAIRS} pairs"] = ranks(hybrid + pairs, answers)
        table[f"{lang} ({len(questions)} of {len(units)})"] = {name: float(r.mean()) for name, r in mine.items()}
        for name, r in mine.items():
            all_ranks[name].append(r)
    table["mean of languages"] = {n: float(np.mean([r.mean() for r in all_ranks[n]])) for n in all_ranks}
    table["all"] = {name: float(np.concatenate(found).mean()) for name, found in all_ranks.items()}
    return table


def speeds(folder: Path) -> dict[str, float]:
    """Units a second of one core, a question and the load in milliseconds of it, the file in megabytes.

    By processor time: a busy machine is slow, not the model.
    """
    units = [unit for _, found, _ in functions(folder, "docstring").values() for unit in found]
    counted = [count_terms(unit.text) for unit in units]
    model = CodeModel()
    model.embed_units(units[:100], counted[:100])
    started = time.process_time()
    for at in range(0, len(units), 500):
        model.embed_units(units[at : at + 500], counted[at : at + 500])
    a_second = len(units) / (time.process_time() - started)
    reset_memo()
    started = time.process_time()
    for at in range(0, len(units), 500):
        model.embed_units(units[at : at + 500], [count_terms(unit.text) for unit in units[at : at + 500]])
    with_terms = len(units) / (time.process_time() - started)
    asked = []
    for unit in units[:300]:
        started = time.process_time()
        model.embed([unit.text])
        asked.append((time.process_time() - started) * 1e3)
    script = (
        "import time, numpy, haversack.index.embed as e; t = time.process_time(); e.CodeModel().embed(['a file']); "
        "print((time.process_time() - t) * 1e3)"
    )
    load = [
        float(subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, text=True).stdout)
        for _ in range(5)
    ]
    return {
        "units a second of processor time": a_second,
        "the same, terms counted too": with_terms,
        "question, ms": float(np.median(asked)),
        "load, ms": float(np.median(load)),
        "file, MB": SHIPPED.stat().st_size / 1e6,
    }


def shown(table: dict[str, dict[str, float]]) -> str:
    """A table of methods by language."""
    names = list(dict.fromkeys(name for row in table.values() for name in row))
    lines = ["| MRR@10 | " + " | ".join(table) + " |", "|---|" + "---|" * len(table)]
    lines += [f"| {name} | " + " | ".join(f"{row[name]:.3f}" for row in table.values()) + " |" for name in names]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--part", default="evaluate")
    parser.add_argument("--kind", default="docstring", help="of pair: docstring, commit, test, comment, readme")
    parser.add_argument("--model", type=Path, default=SHIPPED)
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--record", action="store_true", help="write the section of RESULTS.md")
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    found = found_by(options.data / options.part, CodeModel(options.model), options.kind, peer=options.peer)
    body = shown(found)
    overall = found["all"]
    hybrid = overall[f"BM25 + {SHARE} model"]
    lines = [f"hybrid (share {SHARE}) / BM25 = {hybrid / overall['BM25']:.2f} (at least {LIMITS['words']})"]
    peers = [value for name, value in overall.items() if name.startswith("wordllama")]
    if peers:
        lines.append(f"model / better wordllama = {overall['model'] / max(peers):.2f} (at least {LIMITS['table']})")
    if options.kind == "docstring":
        measured = speeds(options.data / options.part)
        limits = (LIMITS["units"], LIMITS["units"], LIMITS["asked"], LIMITS["load"], LIMITS["size"])
        lines += [f"{n}: {v:,.1f} (limit {w:,.0f})" for (n, v), w in zip(measured.items(), limits, strict=True)]
    body += "\n\n" + "\n".join(f"- {line}" for line in lines)
    print(f"{report.machine()}, {report.today()}\n\n{body}")
    if options.record:
        counts = Counter(path.name.partition("-")[0] for path in (options.data / options.part).glob("*.jsonl"))
        said = (
            f"`python bench/semantic.py --data DIR --peer --record`: documentation → function, {dict(counts)} packages."
        )
        report.write("Semantic model", f"{said}\n\n{body}")


if __name__ == "__main__":
    main()
