"""Are the lines that had to be changed inside the packet? haversack, and peers if asked, on the same tasks.

    python bench/localize.py --tasks FILE --mirror DIR --out PRED.jsonl
        [--budget 16000] [--limit N] [--ids FILE] [--peers a,b] [--scorer score.py [--record]]

FILE holds one task per line (id, repo, base_commit, task); DIR holds bare clones as <owner>+<name>/repo. Each base
commit becomes a repository of its own whose history ends there, so nothing later can be seen. Rows for the scorer are
written in packet order with exact tokens; peers' rows go to PRED.<peer>.jsonl. With a scorer the table is printed, by
task file, with and without tasks that name a file they change; `--record` puts it into bench/RESULTS.md.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from report import write

from haversack import Haversack
from haversack.evaluate.measure import files_by_score, shown_lines

PEERS = {
    "semble": ("semble.py", "venvs/semble/bin/python"),
    "aider": ("aider_repomap.py", "venvs/aider/bin/python"),
    "entroly": ("entroly.py", "venvs/entroly/bin/python"),
    "jcodemunch": ("jcodemunch.py", "venvs/jcodemunch/bin/python"),
    "redcon": ("redcon.py", "venvs/redcon/bin/python"),
    "codegraph": ("codegraph.py", ""),
    "probe": ("probe.py", ""),
}


def git(folder: Path, *arguments: str) -> bytes:
    return subprocess.run(
        ["git", "-C", str(folder), "-c", "core.hooksPath=", *arguments], check=True, capture_output=True
    ).stdout


class Tree:
    """A working tree of one repository that moves from base commit to base commit, borrowing the mirror's objects."""

    def __init__(self, mirror: Path, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True)
        git(folder, "init", "-q", "-b", "main")
        (folder / ".git/objects/info/alternates").write_text(f"{(mirror / 'objects').resolve()}\n")

    def move(self, commit: str) -> None:
        """Files and history as of the commit; nothing after it is reachable."""
        git(self.folder, "update-ref", "refs/heads/main", commit)
        with contextlib.suppress(subprocess.CalledProcessError):
            git(self.folder, "read-tree", "-u", "--reset", "main")
            return
        # A mirror may lack its largest blobs: write what there is, and nothing of the commit before.
        git(self.folder, "read-tree", "main")
        git(self.folder, "clean", "-fdxq")
        subprocess.run(["git", "-C", str(self.folder), "checkout-index", "-a", "-f"], capture_output=True, check=False)


def row(project: Haversack, task: dict[str, object], budget: int) -> dict[str, object]:
    """One task's prediction."""
    started = time.perf_counter()
    packet = project.pack(str(task["task"]), budget=budget)
    seconds = time.perf_counter() - started
    spans = []
    for item in packet.items:
        shown = shown_lines(item)
        lines = sum(end - start + 1 for start, end in shown)
        spans += [
            {"path": item.path, "start": s, "end": e, "tokens": item.tokens * (e - s + 1) / lines} for s, e in shown
        ]
    files = files_by_score(packet.items)
    return {"id": task["id"], "files": files, "spans": spans, "tokens": packet.tokens, "seconds": seconds}


def peer_row(name: str, adapters: Path, tree: Path, task: dict[str, object], budget: int) -> dict[str, object]:
    script, python = PEERS[name]
    base = Path(os.environ.get("PEER_BASE", Path.home() / ".cache" / "haversack-peers"))
    command = [
        str(base / python) if python else sys.executable,
        str(adapters / script),
        str(tree),
        str(task["task"])[:8000],
        str(budget),
    ]
    started = time.perf_counter()
    done = subprocess.run(
        command, capture_output=True, timeout=900, check=False, env={**os.environ, "PYTHONHASHSEED": "0"}
    )
    try:
        told = json.loads(done.stdout.decode().splitlines()[-1])
    except (ValueError, IndexError):
        return {"id": task["id"], "files": [], "spans": [], "error": done.stderr.decode()[-300:]}
    spans = [
        {"path": p, "start": s, "end": e, "tokens": told["text_tokens"] / max(len(told["spans"]), 1)}
        for p, s, e in told.get("spans", [])
    ]
    return {
        "id": task["id"],
        "files": told["files"],
        "spans": spans,
        "tokens": told["text_tokens"],
        "seconds": time.perf_counter() - started,
        "seconds_index": told["seconds_index"],
        "seconds_query": told["seconds_query"],
    }


MEASURES = (
    "file_recall@1",
    "file_recall@5",
    "file_recall@10",
    "mrr",
    "func_recall@2000",
    "func_recall@4000",
    "func_recall@8000",
    "func_recall@16000",
    "line_recall@8000",
    "precision@8000",
)


def table(options: argparse.Namespace, tasks: list[dict[str, object]], peers: list[str]) -> str:
    """Recall of haversack and the peers, one line per task file and tool."""
    spec = importlib.util.spec_from_file_location("scorer", options.scorer)
    assert spec is not None
    assert spec.loader is not None
    scorer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(scorer)
    outs = {"haversack": options.out} | {name: options.out.with_suffix(f".{name}.jsonl") for name in peers}
    lines = [f"| tasks | tool | n | {' | '.join(MEASURES)} | s/task |", "|---" * (len(MEASURES) + 4) + "|"]
    groups = {
        (each, named): [t for t in tasks if t["from"] == each and (named == "all" or not _leaks(t))]
        for each in sorted({str(task["from"]) for task in tasks})
        for named in ("all", "no path named")
    }
    for (each, named), group in groups.items():
        for tool, path in outs.items():
            rows = {row["id"]: row for row in map(json.loads, path.read_text(encoding="utf-8").splitlines())}
            done = [task for task in group if task["id"] in rows]
            scores = [scorer.score_code(task, rows[task["id"]]) for task in done]
            means = (_mean([score[key] for score in scores if score[key] is not None]) for key in MEASURES)
            seconds = _mean([rows[task["id"]].get("seconds", 0.0) for task in done])
            told = " | ".join(f"{mean:.3f}" for mean in means)
            lines.append(f"| {each}, {named} | {tool} | {len(done)} | {told} | {seconds:.2f} |")
    return "\n".join(lines)


def _leaks(task: dict[str, object]) -> bool:
    leak = task.get("leak")
    return bool(leak.get("path")) if isinstance(leak, dict) else bool(leak)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=Path, required=True, action="append")
    parser.add_argument("--mirror", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--budget", type=int, default=16000)
    parser.add_argument("--limit", type=int, help="tasks per repository")
    parser.add_argument("--ids", type=Path)
    parser.add_argument("--peers", default="")
    parser.add_argument("--adapters", type=Path)
    parser.add_argument("--scorer", type=Path)
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    tasks = [
        json.loads(line) | {"from": path.stem}
        for path in options.tasks
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip()
    ]
    if options.ids:
        wanted = set(options.ids.read_text().split())
        tasks = [task for task in tasks if task["id"] in wanted]
    by_repo: dict[str, list[dict[str, object]]] = collections.defaultdict(list)
    for task in tasks:
        by_repo[task["repo"]].append(task)
    peers = [name for name in options.peers.split(",") if name]
    with contextlib.ExitStack() as stack:
        out = stack.enter_context(options.out.open("w", encoding="utf-8"))
        outs = {
            name: stack.enter_context(options.out.with_suffix(f".{name}.jsonl").open("w", encoding="utf-8"))
            for name in peers
        }
        for repo, mine in sorted(by_repo.items()):
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            tree = Tree(options.mirror / repo.replace("/", "+") / "repo", folder / "tree")
            started = time.perf_counter()
            for task in mine[: options.limit]:
                tree.move(str(task["base_commit"]))
                with Haversack(tree.folder, data_dir=folder / "data") as project:
                    out.write(json.dumps(row(project, task, options.budget)) + "\n")
                    out.flush()
                for name in peers:
                    outs[name].write(
                        json.dumps(peer_row(name, options.adapters, tree.folder, task, options.budget)) + "\n"
                    )
                    outs[name].flush()
            print(
                f"{repo}: {len(mine[: options.limit])} tasks in {time.perf_counter() - started:.0f} s",
                file=sys.stderr,
                flush=True,
            )
            shutil.rmtree(folder, ignore_errors=True)
    if options.scorer:
        told = table(options, tasks, peers)
        print(told)
        if options.record:
            which = options.ids.stem if options.ids else "all tasks"
            load = os.getloadavg()[0]
            about = (
                f"`python bench/localize.py --scorer … --record`: {which}, one packet of {options.budget:,} tokens each"
            )
            write(f"Localisation: {which}", f"{about}, load {load:.1f} at the end.\n\n{told}")


if __name__ == "__main__":
    main()
