"""Time, memory and result sizes of recall on made-up memories; `bench/memory.py --size N` runs it."""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

from haversack import Haversack
from haversack.memory.nouns import Memory
from haversack.memory.vocabulary import CATEGORIES, DOMAINS, STRATEGIES
from haversack.recall.context.alike import distinct
from haversack.recall.context.nouns import Piece
from haversack.recall.sizes import DETAIL_TOKENS, SEARCH_TOKENS, TIMELINE_TOKENS

EXPERIENCES = 2_000
QUERIES = 120
TYPES = ("memories", "code", "experiences", "values", "commits")
WORDS = [
    "cache",
    "token",
    "session",
    "retry",
    "queue",
    "worker",
    "index",
    "schema",
    "migration",
    "timeout",
    "login",
    "cart",
    "invoice",
    "payment",
    "search",
    "ranking",
    "batch",
    "deploy",
    "cluster",
    "region",
    "shard",
    "replica",
    "lock",
    "thread",
    "pool",
    "socket",
    "parser",
    "lexer",
    "grammar",
    "packet",
    "budget",
    "ledger",
    "receipt",
    "profile",
    "config",
    "setting",
    "flag",
    "release",
    "branch",
    "merge",
    "rebase",
    "review",
    "test",
    "fixture",
    "mock",
    "snapshot",
    "metric",
    "alert",
    "trace",
    "span",
    "log",
    "rotate",
    "encrypt",
    "decrypt",
    "signature",
    "certificate",
    "proxy",
    "gateway",
    "router",
    "handler",
    "middleware",
    "template",
    "render",
    "widget",
    "theme",
    "layout",
    "font",
]


def scale(size: int) -> str:
    """Fill a memory, ask it, and say what that took beside what was asked for."""
    chance = random.Random(8)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "project"
        root.mkdir()
        for number in range(200):
            words = chance.sample(WORDS, 3)
            body = f'    """{" ".join(words).capitalize()}."""\n    return {number}\n'
            (root / f"{words[0]}_{number}.py").write_text(f"def {words[0]}_{words[1]}_{number}():\n{body}")
        with Haversack(root, data_dir=Path(folder) / "data") as haversack:
            started = time.perf_counter()
            haversack.memory.add_many(memories(size, chance), merge=False)
            for record in experiences(chance):
                haversack.memory.put_experience(record)
            stored = time.perf_counter() - started
            started = time.perf_counter()
            haversack.index()
            indexed = time.perf_counter() - started
            rows = [
                f"`python bench/memory.py --size {size}`: {size:,} memories and {EXPERIENCES:,} experiences, stored in "
                f"{stored:.0f} s, indexed in {indexed:.0f} s.",
                "",
                "| what | figure | asked for |",
                "|---|---|---|",
                *searches(haversack, chance),
                *contexts(haversack, chance),
                *sizes(haversack, chance),
            ]
    return "\n".join(rows)


def memories(size: int, chance: random.Random) -> Iterator[Memory]:
    for number in range(size):
        said = " ".join(chance.choices(WORDS, k=chance.randint(5, 30)))
        session = f"s{number // 40}" if number % 3 else ""
        yield Memory(
            text=f"{said.capitalize()} {number}.",
            category=CATEGORIES[number % len(CATEGORIES)],
            importance=(number % 10) / 10,
            session=session,
            speaker="ann" if session and number % 2 else "",
            paths=(f"src/{chance.choice(WORDS)}.py",) if number % 2 else (),
            created=1.6e9 + number * 600,
        )


def experiences(chance: random.Random) -> Iterator[dict[str, object]]:
    def text(count: int) -> str:
        return " ".join(chance.choices(WORDS, k=count))

    for number in range(EXPERIENCES):
        failed = number % 2 == 0
        yield {
            "id": f"ghap_20260101_{number:06d}_abcdef",
            "session_id": f"s{number // 10}",
            "created_at": "2026-01-01T00:00:00+00:00",
            "domain": DOMAINS[number % len(DOMAINS)],
            "strategy": STRATEGIES[number % len(STRATEGIES)],
            **{name: text(12) for name in ("goal", "hypothesis", "action", "prediction")},
            "iteration_count": 1,
            "outcome": {"status": "falsified" if failed else "confirmed", "result": text(8)},
            "surprise": text(8) if failed else None,
            "root_cause": {"category": "wrong-assumption", "description": text(8)} if failed else None,
            "lesson": {"what_worked": text(8), "takeaway": text(8)},
            "confidence_tier": "silver",
        }


def searches(haversack: Haversack, chance: random.Random) -> Iterator[str]:
    queries = [f"how did we handle {' '.join(chance.sample(WORDS, 3))}?" for _ in range(QUERIES + 5)]
    taken = timed(lambda query: haversack.recall.search_memory(query), queries)
    yield f"| `search_memory`, p50 | {statistics.median(taken):.1f} ms | 30 ms |"
    yield f"| `search_memory`, p95 | {sorted(taken)[int(len(taken) * 0.95)]:.1f} ms | 80 ms |"


def contexts(haversack: Haversack, chance: random.Random) -> Iterator[str]:
    queries = [" ".join(chance.sample(WORDS, 4)) for _ in range(25)]
    taken = timed(lambda query: haversack.recall.assemble_context(query, TYPES), queries)
    yield f"| `assemble_context` over 5 sources, median | {statistics.median(taken):.0f} ms | 200 ms |"
    domains = [DOMAINS[number % len(DOMAINS)] for number in range(25)]
    taken = timed(lambda domain: haversack.recall.get_premortem_context(domain, STRATEGIES[0]), domains)
    yield f"| `get_premortem_context`, median | {statistics.median(taken):.0f} ms | 300 ms |"
    pieces = {"memories": [piece(number, chance) for number in range(500)]}
    taken = timed(lambda _: distinct(pieces), [""] * 15)
    yield f"| duplicates among 500 candidates, median | {statistics.median(taken):.1f} ms | 20 ms |"
    tracemalloc.start()
    asyncio.run(haversack.recall.assembler.assemble_context(queries[0], TYPES))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    yield f"| peak memory of one assembly above the open index | {peak / 1e6:.0f} MB | 50 MB |"


def piece(number: int, chance: random.Random) -> Piece:
    text = " ".join(chance.choices(WORDS, k=25))
    return Piece("memory", str(number), "", text, "", chance.random(), {"id": str(number)}, says=text)


def sizes(haversack: Haversack, chance: random.Random) -> Iterator[str]:
    lines, moments, details = [], [], []
    for _ in range(40):
        answer = haversack.recall.search_memory(" ".join(chance.sample(WORDS, 3)))
        lines += [each.tokens for each in answer.results]
        name = chance.choice(answer.results).id
        moments += [each.tokens for each in haversack.recall.get_timeline(name)]
        details.append(haversack.recall.get_details(name).tokens)
    for what, limit, found in (
        ("`search_memory`", SEARCH_TOKENS, lines),
        ("`get_timeline`", TIMELINE_TOKENS, moments),
        ("`get_details`", DETAIL_TOKENS, details),
    ):
        within = sum(each <= limit for each in found) / len(found)
        yield (
            f"| {what}: results within {limit} tokens | {within:.1%} of {len(found)}, largest {max(found)} "
            f"| 95 %, none over {2 * limit} |"
        )


def timed(call: Callable[[str], object], given: list[str]) -> list[float]:
    """Milliseconds of each call after the first five."""
    taken = []
    for number, each in enumerate(given):
        started = time.perf_counter()
        call(each)
        if number >= 5:
            taken.append((time.perf_counter() - started) * 1e3)
    return taken
