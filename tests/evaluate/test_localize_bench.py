"""The benchmark of localisation: tools are run alike, charged alike, and what is done is not done again."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.histories import git, make_history

from haversack import Haversack
from haversack.evaluate.measure import shown_lines
from haversack.tokens import counter

BENCH = Path(__file__).parents[2] / "bench"

CART = """class Cart:
    def add(self, item):
        self.items.append(item)

    def total(self):
        return sum(self.items)

    def empty(self):
        return not self.items
"""
FILES = {"shop/cart.py": CART, "shop/other.py": "x = 1\n"}


@pytest.fixture(scope="module")
def spans_of() -> Callable[..., list[Any]]:
    found: Callable[..., list[Any]] = runpy.run_path(str(BENCH / "emitted.py"))["spans_of"]
    return found


def words(text: str) -> int:
    return len(text.split())


def ranges(spans: list[Any]) -> list[tuple[str, int, int]]:
    return [(span.path, span.start, span.end) for span in spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("shop/cart.py:5-6\n    def total(self):\n        return sum(self.items)", [(5, 6)]),
        ("## shop/cart.py\ndef total(self):\n        return sum(self.items)", [(5, 6)]),
        ("# File: shop/cart.py\nclass Cart:\n    def add(self, item):", [(1, 2)]),
        ("shop/cart.py:\n⋮\n│    def add(self, item):\n⋮\n│    def empty(self):\n⋮", [(2, 2), (8, 8)]),
        ("**`shop/cart.py`** — add\n\n```python\n5\t    def total(self):\n\n8\t    def empty(self):", [(5, 5), (8, 8)]),
        ("shop/cart.py shop/cart.py::Cart.add#method\ndef add(self, item):\n    self.items.append(item)", [(2, 3)]),
        ("shop/cart.py\n        self.items.append(item)\n    def total(self):", [(3, 5)]),  # without blank lines
        ("shop/gone.py\n    def total(self):", []),
        ("no file is named here\n    def total(self):", []),
    ],
)
def test_what_a_text_shows_is_found_in_the_files_it_names(
    spans_of: Callable[..., list[Any]], text: str, expected: list[tuple[int, int]]
) -> None:
    assert ranges(spans_of(text, FILES, words)) == [("shop/cart.py", start, end) for start, end in expected]


def test_every_token_is_charged_and_headings_cost_what_follows_them(spans_of: Callable[..., list[Any]]) -> None:
    text = "an introduction of five words\n\nshop/cart.py:5-6\n    def total(self):\n        return sum(self.items)"
    (span,) = spans_of(text, FILES, words)
    assert span.tokens == pytest.approx(words(text))


def test_a_packet_is_charged_where_its_tokens_stand(tmp_path: Path) -> None:
    charged = runpy.run_path(str(BENCH / "localize.py"))["charged"]
    totals = {"shop/totals.py": "def total_of(carts):\n    return sum(cart.total() for cart in carts)\n"}
    make_history(tmp_path, [("Begin the cart", FILES), ("Sum the total of every cart", totals)])
    with Haversack(tmp_path, data_dir=tmp_path / "data") as project:
        packet = project.pack("the total of the cart is wrong", budget=2000)
        shown = [shown_lines(item, project.texts) for item in packet.items]
    assert not all(shown), "a commit shows no lines"
    spans = charged(packet, shown)
    count = counter(packet.counter).count
    first = packet.items[0]
    assert sum(span["tokens"] for span in spans) == pytest.approx(packet.tokens)
    assert sum(span["tokens"] for span in spans[: len(shown[0])]) == count(
        packet.text.partition(first.text)[0] + first.text
    )


def test_a_line_that_stands_twice_counts_where_the_text_goes_on_alike(spans_of: Callable[..., list[Any]]) -> None:
    files = {
        "a.py": "def first():\n    value = load()\n    return 1\n\ndef second():\n    value = load()\n    return 2\n"
    }
    assert ranges(spans_of("a.py\nvalue = load()\n    return 2", files, words)) == [("a.py", 6, 7)]
    assert ranges(spans_of("a.py\nvalue = load()\n    return 1", files, words)) == [("a.py", 2, 3)]


def test_the_files_of_a_map_count_in_the_order_of_its_ranking(spans_of: Callable[..., list[Any]]) -> None:
    text = "shop/cart.py:\n│class Cart:\n\nshop/other.py:\n│x = 1"
    ranked = spans_of(text, FILES, words, ranked=["shop/other.py", "shop/cart.py"])
    assert [span.path for span in spans_of(text, FILES, words)] == ["shop/cart.py", "shop/other.py"]
    assert [span.path for span in ranked] == ["shop/other.py", "shop/cart.py"]


ADAPTER = """import json, pathlib, sys
tree, task, budget = sys.argv[1:]
seen = pathlib.Path(__file__).with_name("seen")
seen.write_text((seen.read_text() if seen.exists() else "") + task + "\\n")
if "fail" in task:
    raise SystemExit("it broke")
if "forever" in task:
    while True:
        pass
text = "shop/cart.py:5-6\\n    def total(self):\\n        return sum(self.items)"
print(json.dumps({"files": ["shop/cart.py"], "text": text, "seconds_index": 1.0, "seconds_query": 0.5}))
"""
SCORER = """def score_code(task, row):
    keys = ("file_recall@1", "file_recall@5", "file_recall@10", "mrr", "line_recall@8000", "precision@8000")
    keys += tuple(f"func_recall@{budget}" for budget in (2000, 4000, 8000, 16000))
    return dict.fromkeys(keys, float(task["gold"] in row["files"]))
"""


@pytest.fixture
def ground(tmp_path: Path) -> Path:
    """A mirror of one repository, tasks at its two commits (the newer one first), an adapter and a scorer."""
    made = tmp_path / "made"
    made.mkdir()
    make_history(made, [("Begin", FILES), ("Go on", {"shop/other.py": "x = 2\n"})])
    git(tmp_path, "clone", "-q", "--bare", str(made), "mirror/acme+shop/repo")
    newer, older = git(made, "rev-list", "main").split()
    rows = [
        {"id": "2", "task": "the total of the cart is wrong", "base_commit": newer, "leak": {"path": False}},
        {"id": "1", "task": "adding to the cart is slow", "base_commit": older, "leak": {"path": True}},
    ]
    lines = (json.dumps(row | {"repo": "acme/shop", "gold": "shop/cart.py", "n_repo_files": 2}) for row in rows)
    (tmp_path / "tasks.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "peers").mkdir()
    (tmp_path / "peers" / "probe.py").write_text(ADAPTER)
    (tmp_path / "tools" / "npm").mkdir(parents=True)
    (tmp_path / "tools" / "npm" / "probe").touch()
    (tmp_path / "score.py").write_text(SCORER)
    return tmp_path


def localize(ground: Path, *options: str) -> str:
    program = [sys.executable, str(BENCH / "localize.py"), "--tasks", "tasks.jsonl", "--mirror", "mirror"]
    program += ["--out", "rows.jsonl", "--scorer", "score.py", *options]
    env = {**os.environ, "PEER_BASE": str(ground / "tools")}
    return subprocess.run(program, cwd=ground, env=env, capture_output=True, text=True, check=True).stdout


def rows_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_tools_are_run_in_the_order_of_the_commits_and_one_table_holds_them(ground: Path) -> None:
    told = localize(ground, "--peers", "probe")
    for name in ("rows.jsonl", "rows.probe.jsonl"):
        rows = rows_of(ground / name)
        assert [row["id"] for row in rows] == ["1", "2"], "the index moves forward"
        assert [row["first"] for row in rows] == [True, False]
        assert all(row["files"][0] == "shop/cart.py" for row in rows)
        for row in rows:
            assert sum(span["tokens"] for span in row["spans"]) == pytest.approx(row["tokens"])
    assert "| tasks, all | haversack | 2 | 1.000 |" in told
    assert "| tasks, no path named | probe | 1 | 1.000 |" in told
    assert "haversack is first in every column" in told
    assert "| acme/shop | 2 | **1.00** | **1.00** |" in told


def test_a_tool_that_is_not_installed_is_left_out(ground: Path) -> None:
    (ground / "tools" / "npm" / "probe").unlink()
    assert "probe" not in localize(ground, "--peers", "all")
    assert not (ground / "rows.probe.jsonl").exists()


def test_what_is_done_is_not_done_again_and_what_failed_is(ground: Path) -> None:
    tasks = ground / "tasks.jsonl"
    tasks.write_text(tasks.read_text().replace("adding to", "fail adding to"))
    localize(ground, "--peers", "probe", "--only-peers")
    assert "it broke" in rows_of(ground / "rows.probe.jsonl")[0]["error"]
    assert not (ground / "rows.jsonl").exists()
    told = localize(ground, "--peers", "probe", "--resume", "--only-peers")
    assert "Of 2 tasks probe failed on 1." in told
    seen = (ground / "peers" / "seen").read_text().splitlines()
    assert [line.startswith("fail") for line in seen] == [True, False, True]
    localize(ground, "--peers", "probe", "--only-table")
    assert (ground / "peers" / "seen").read_text().splitlines() == seen


def test_a_tool_that_computes_too_long_found_nothing(ground: Path) -> None:
    tasks = ground / "tasks.jsonl"
    tasks.write_text(tasks.read_text().replace("adding to", "forever adding to"))
    told = localize(ground, "--peers", "probe", "--only-peers", "--seconds", "1", "--limit", "2")
    assert [row.get("error") for row in rows_of(ground / "rows.probe.jsonl")] == ["out of time", None]
    assert "Of 2 tasks probe did not answer in time for 1." in told


def test_a_sample_is_spread_over_task_files_and_repositories(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCH))
    spread = runpy.run_path(str(BENCH / "localize.py"))["spread"]
    tasks = [
        {"id": f"{repo}{number}", "repo": repo, "from": name}
        for repo, name, many in (("a/a", "swe", 50), ("b/b", "swe", 3), ("b/b", "commits", 20))
        for number in range(many)
    ]
    chosen = spread(tasks, 9)
    assert sorted((task["repo"], task["from"]) for task in chosen) == sorted(
        [("a/a", "swe"), ("b/b", "swe"), ("b/b", "commits")] * 3
    )
    assert spread(list(reversed(tasks)), 9) == chosen
    assert spread(tasks, 6) == [task for task in chosen if task in spread(tasks, 6)]


def test_rows_that_another_program_made_stand_beside_the_others(ground: Path) -> None:
    localize(ground)
    mine = [{"id": row["id"], "files": ["shop/other.py"], "spans": []} for row in rows_of(ground / "rows.jsonl")]
    (ground / "theirs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in mine))
    told = localize(ground, "--only-table", "--rows", "plain=theirs.jsonl")
    (line,) = [line for line in told.splitlines() if line.startswith("| tasks, all | plain |")]
    assert "| 0.000 | – |" in line, "what they cost is not known"


def test_a_reader_is_measured_with_whoever_answers_its_questions(ground: Path) -> None:
    program = [sys.executable, str(BENCH / "reader.py"), "--tasks", "tasks.jsonl", "--mirror", "mirror"]
    program += ["--out", "read", "--scorer", "score.py", "--answered-by", "a test"]

    def told() -> str:
        return subprocess.run(program, cwd=ground, capture_output=True, text=True, check=True).stdout

    assert "2 tasks, 0 of them read by a test" in told()
    (first, _) = sorted((ground / "read" / "questions").glob("*.txt"))
    assert "shop/cart.py" in first.read_text()
    first.with_suffix(".answer.txt").write_text("[1]")
    again = told()
    assert "2 tasks, 1 of them read by a test" in again
    assert "| without | 1.000 |" in again
    assert "| with a reader | 1.000 |" in again
