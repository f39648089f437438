"""How long values take, and whether a journal comes out as it went in: `python bench/values.py [JOURNAL]`.

5,000 experiences are made of words in many combinations, some alike and most not; JOURNAL is a CLAMS journal, for
which the record has the public one of 81 entries.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from report import write

from haversack.api import Haversack
from haversack.memory.exchange import export_lines, import_from
from haversack.memory.store import MemoryStore
from haversack.memory.vocabulary import AXES, DOMAINS, ROOT_CAUSES, STRATEGIES
from haversack.recall.values import find_values, refresh_values

EXPERIENCES = 5_000
LIMIT_SECONDS = 10.0
PARTS = (
    "login session cart checkout parser scheduler worker queue cache router renderer exporter importer migration "
    "webhook mailer searcher indexer uploader gateway balancer registry compiler linker tokenizer encoder validator"
)
TROUBLES = (
    "leaks memory|times out under load|drops events|deadlocks on shutdown|returns stale data|fails on unicode|"
    "retries forever|loses the first message|writes twice|ignores its timeout|crashes on empty input|blocks the loop"
)
CAUSES = (
    "a missing lock|an index that is not used|a mutable default|a clock in local time|an unclosed file|"
    "a cached connection|a wrong unit|a swallowed error|a race at start|a fixture that leaks|an old dependency"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("journal", type=Path, nargs="?")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "project").mkdir()
        with Haversack(root / "project", data_dir=root / "data") as haversack:
            body = "\n\n".join(["`python bench/values.py JOURNAL`", clustering(haversack)])
            if given.journal is not None:
                body += f"\n\n{round_trip(given.journal, root)}"
    print(body)
    write("Values and journals", body)


def clustering(haversack: Haversack) -> str:
    """Seconds for all of them and for one more, and what was found."""
    store, model = haversack.memory, haversack.embedder
    assert model is not None
    with store.database.writing():
        for number in range(EXPERIENCES):
            store.put_experience(made(number))
    all_of_them = timed(lambda: refresh_values(store, model))
    before = {value.id: value for value in store.values()}
    store.put_experience(made(EXPERIENCES))
    one_more = timed(lambda: refresh_values(store, model))
    after = {value.id: value for value in store.values()}
    again = timed(lambda: refresh_values(store, model))
    changed = sum(before.get(name) != value for name, value in after.items())
    found = find_values(store, model)
    sizes = {axis: sum(value.axis == axis for value in found.values) for axis in AXES}
    return "\n".join(
        [
            "| what | measured | limit |",
            "|---|---|---|",
            f"| {EXPERIENCES:,} experiences clustered on four axes | {all_of_them:.2f} s | {LIMIT_SECONDS:.0f} s |",
            f"| one more added | {one_more * 1e3:.0f} ms; {changed} of {len(after)} values changed | not the rest |",
            f"| nothing new | {again * 1e3:.1f} ms | |",
            f"| values by axis | {', '.join(f'{axis} {count}' for axis, count in sizes.items())} | |",
        ]
    )


def round_trip(journal: Path, root: Path) -> str:
    """A journal taken in and exported, and that export taken in elsewhere and exported again."""
    lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    outs = []
    source = journal
    for name in ("first", "second"):
        (root / name).mkdir()
        store = MemoryStore(root / name)
        import_from(store, source)
        outs.append([json.loads(line) for line in export_lines(store)])
        source = root / f"{name}.jsonl"
        source.write_text("".join(f"{json.dumps(line)}\n" for line in outs[-1]), encoding="utf-8")
        store.close()
    equal = sum(a == b == c for a, b, c in zip(lines, *outs, strict=True))
    return f"Journal: {equal} of {len(lines)} entries equal after import and export, once and twice."


def timed(work: Callable[[], None]) -> float:
    """Seconds."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def made(number: int) -> dict[str, object]:
    """An experience like no other, and somewhat like a few."""
    pick = random.Random(number)
    part, other = pick.sample(PARTS.split(), 2)
    trouble, cause = pick.choice(TROUBLES.split("|")), pick.choice(CAUSES.split("|"))
    failed = pick.random() < 0.5
    return {
        "id": f"ghap_20260101_{number:06d}_{number:06x}",
        "session_id": f"session_{number // 20}",
        "created_at": "2026-01-01T12:00:00Z",
        "domain": pick.choice(DOMAINS),
        "strategy": pick.choice(STRATEGIES),
        "goal": f"Find out why the {part} {trouble}",
        "hypothesis": f"The {other} has {cause}, so the {part} {trouble}",
        "action": f"Remove {cause} from the {other} and run the {part} again",
        "prediction": f"The {part} no longer {trouble}",
        "history": [],
        "iteration_count": 1,
        "notes": [],
        "outcome": {
            "status": "falsified" if failed else "confirmed",
            "result": f"The {part} still {trouble}" if failed else f"It was {cause} in the {other}",
            "captured_at": "2026-01-01T13:00:00Z",
            "auto_captured": False,
        },
        **(
            {
                "surprise": f"The {other} had nothing to do with it: {cause} was in the {part}",
                "root_cause": {"category": pick.choice(ROOT_CAUSES), "description": f"{cause} in the {part}"},
            }
            if failed
            else {}
        ),
        "lesson": {"what_worked": f"Looking for {cause}", "takeaway": f"When the {part} {trouble}, look for {cause}"},
        "confidence_tier": "silver",
    }


if __name__ == "__main__":
    main()
