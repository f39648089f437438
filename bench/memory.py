"""How well and how fast memory answers.

`python bench/memory.py --tasks FILE --conversations FILE --out PRED.jsonl` ranks the turns of conversations for
questions and prints recall of the evidence beside BM25 alone and vectors alone. `python bench/memory.py --size 100000`
measures time, memory and the sizes of results on made-up memories. With `--record` the figures go into RESULTS.md.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import tempfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from report import write

from haversack import Haversack
from haversack.memory.nouns import Memory
from haversack.recall.evidence import evidence
from haversack.recall.rank import Ranker, Weighing, space_of

BUDGETS = (250, 500, 1000, 2000, 4000)
RANKED = 200  # turns: several times what 4,000 tokens hold
REFERENCE = {250: 0.545, 500: 0.635, 1000: 0.718, 2000: 0.765, 4000: 0.819}  # shared/bench/bm25_memory.py
GOALS = {500: 0.70, 1000: 0.80}
MARGIN = 1.05

Ranking = dict[str, list[str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=Path)
    parser.add_argument("--conversations", type=Path)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--size", type=int)
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    if given.tasks:
        body = conversations(given.tasks, given.conversations, given.out)
        print(body)
        if given.record:
            write("Memory: conversations", body)
    if given.size:
        from memory_scale import scale

        body = scale(given.size)
        print(body)
        if given.record:
            write("Memory: time and size", body)


def conversations(tasks: Path, talks: Path, out: Path | None) -> str:
    """Rank the turns for every question in three ways; the hybrid's ranking is written to `out`."""
    questions = [json.loads(line) for line in tasks.read_text(encoding="utf-8").splitlines() if line.strip()]
    found: dict[str, Ranking] = {"BM25": {}, "vectors": {}, "hybrid": {}}
    costs: dict[str, dict[str, int]] = {}
    for line in talks.read_text(encoding="utf-8").splitlines():
        talk = json.loads(line)
        costs[talk["id"]] = {
            turn["id"]: math.ceil(len(f"{turn['speaker']}: {turn['text']}") / 4) for turn in talk["turns"]
        }
        own = [each for each in questions if each["conversation_id"] == talk["id"]]
        for way, ranked in ranking(talk, own).items():
            found[way].update(ranked)
    if out is not None:
        rows = [json.dumps({"id": each["id"], "turns": found["hybrid"].get(each["id"], [])}) for each in questions]
        out.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return table(questions, found, costs)


def ranking(talk: dict[str, object], questions: Sequence[dict[str, str]]) -> dict[str, Ranking]:
    """Remember a conversation, then rank its turns: by BM25, by vectors, and as `search_memory` does."""
    turns = talk["turns"]
    assert isinstance(turns, list)
    found: dict[str, Ranking] = {"BM25": {}, "vectors": {}, "hybrid": {}}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        root.mkdir()
        with Haversack(root, data_dir=Path(folder) / "data") as haversack:
            kept = haversack.memory.add_many([turn_memory(turn) for turn in turns], merge=False)
            names = {each.memory.id: turn["id"] for each, turn in zip(kept, turns, strict=True)}
            haversack.index()
            ranker = Ranker(haversack.store, haversack.embedder)
            for each in questions:
                asked = ranker.ask(each["question"])
                ranked = ranker.rank(asked, Weighing(asked.task.intent), limit=RANKED)
                found["hybrid"][each["id"]] = [names[one.id] for one in ranked][: 2 * RANKED]
                for way, order in alone(haversack, ranker, each["question"]).items():
                    found[way][each["id"]] = [names[name] for name in order]
    return found


def alone(haversack: Haversack, ranker: Ranker, question: str) -> dict[str, list[str]]:
    """The same memories by one view each."""
    from haversack.index.units import UnitReader

    snapshot = haversack.store.snapshot()
    space = space_of(snapshot, ("memories",))
    assert haversack.embedder is not None
    signals = evidence(snapshot, space, ranker.ask(question), haversack.embedder.embed([question])[0])
    orders = {}
    for way, scores in (("BM25", signals.match), ("vectors", signals.near)):
        order = [at for at in np.argsort(-scores, kind="stable")[: 2 * RANKED].tolist() if scores[at] > 0]
        orders[way] = [unit.id for unit in UnitReader(haversack.store, snapshot).at(order)]
    return orders


def turn_memory(turn: dict[str, str]) -> Memory:
    """A turn as it would be remembered: who said it, in which session, when."""
    return Memory(
        text=turn["text"],
        category="event",
        speaker=turn["speaker"],
        session=str(turn.get("session", "")),
        created=moment(turn.get("time", "")),
    )


def moment(text: str) -> float:
    """Seconds since 1970 from `1:56 pm on 8 May, 2023` or an ISO date; 0 when there is none."""
    found = re.search(r"(?:(\d+):(\d+) ([ap])m on )?(\d+) (\w+),? (\d{4})", text)
    if not found:
        try:
            return datetime.fromisoformat(text).astimezone(UTC).timestamp()
        except ValueError:
            return 0.0
    day = datetime.strptime(f"{found[4]} {found[5][:3]} {found[6]}", "%d %b %Y").replace(tzinfo=UTC)
    hour = (int(found[1]) % 12 + 12 * (found[3] == "p")) * 3600 + int(found[2]) * 60 if found[1] else 0
    return day.timestamp() + hour


def table(questions: Iterable[dict[str, object]], found: dict[str, Ranking], costs: dict[str, dict[str, int]]) -> str:
    """Recall by budget, a turn costing a quarter of its characters, taken in order until one does not fit."""
    asked = [each for each in questions if each["gold_turn_ids"]]
    rows = [
        f"`python bench/memory.py --tasks … --conversations …`: {len(asked)} questions about {len(costs)} "
        "conversations, recall of the evidence within a budget. No model is called.",
        "",
        f"| tokens | {' | '.join(map(str, BUDGETS))} |",
        f"|---|{'---|' * len(BUDGETS)}",
        f"| reference BM25 (shared) | {' | '.join(f'{REFERENCE[budget]:.3f}' for budget in BUDGETS)} |",
    ]
    means: dict[str, list[float]] = {}
    for way, ranked in found.items():
        means[way] = [float(np.mean([recall(each, ranked, costs, budget) for each in asked])) for budget in BUDGETS]
        rows.append(f"| {way} | {' | '.join(f'{value:.3f}' for value in means[way])} |")
    better = [max(pair) for pair in zip(means["BM25"], means["vectors"], strict=True)]
    rows.append(
        "| hybrid over the better of the two | "
        + " | ".join(f"+{value / best - 1:.1%}" for value, best in zip(means["hybrid"], better, strict=True))
        + " |"
    )
    goals = ", ".join(f"{goal:.2f} at {budget}" for budget, goal in GOALS.items())
    rows += ["", f"Asked for: {goals} tokens, and {MARGIN - 1:.0%} over the better of the two everywhere."]
    by: dict[str, list[dict[str, object]]] = {}
    for each in asked:
        by.setdefault(str(each.get("category", "")), []).append(each)
    if len(by) > 1:
        rows += ["", "| kind of question | number | BM25 at 1000 | hybrid at 1000 |", "|---|---|---|---|"]
        for kind, own in sorted(by.items()):
            both = [np.mean([recall(each, found[way], costs, 1000) for each in own]) for way in ("BM25", "hybrid")]
            rows.append(f"| {kind} | {len(own)} | {both[0]:.3f} | {both[1]:.3f} |")
    return "\n".join(rows)


def recall(question: dict[str, object], ranked: Ranking, costs: dict[str, dict[str, int]], budget: int) -> float:
    """The share of a question's evidence among the turns that fit."""
    gold = question["gold_turn_ids"]
    assert isinstance(gold, list)
    cost = costs[str(question["conversation_id"])]
    shown: set[str] = set()
    for turn in ranked.get(str(question["id"]), []):
        budget -= cost[turn]
        if budget < 0:
            break
        shown.add(turn)
    return len(shown & set(gold)) / len(gold)


if __name__ == "__main__":
    main()
