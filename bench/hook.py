"""How fast the hook answers and how much it injects: `python bench/hook.py PROJECT --sessions PROJECT [--write]`.

PROJECT is a git repository; the figures of the record are those of a project of 5,000 files. The prompts are subjects
of its own commits: the last 20 that touch the folder of code which changed most often lately, oldest first.
Sessions that are replayed are real: of a project that keeps its conversations with agents, as SpecStory writes them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from report import write

from haversack.hook.desk import Desk
from haversack.hook.hosts import recognise
from haversack.hook.worth import worth_asking
from haversack.tokens import counter

PROMPTS = 20
RECENT = 300  # commits that say where people are at work
COLD = 5
LONG, CHOSEN_ON = 30, 4  # the newest sessions of so many prompts or more: the hook's threshold was chosen on them
OTHERS = 6  # sessions that nothing was chosen on
TYPED = re.compile(r"(?m)^_\*\*User[^\n]*\*\*_\s*$")
ENDS = re.compile(r"(?m)^(?:---|_\*\*(?:Agent|Assistant)[^\n]*)\s*$")
NOT_TYPED = ("[Request", "[Image", "<")  # what the agent's program put there
START = "import sys; sys.argv = ['haversack', 'hook']; from haversack.__main__ import main; main()"
HEAVY = ("numpy", "pydantic", "mcp", "click", "haversack.api")
LOADED = (
    "import sys; from haversack.hook.run import main; main(); "
    f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("project", type=Path)
    parser.add_argument("--sessions", type=Path, help="a project with .specstory/history, whose sessions are replayed")
    parser.add_argument("--data", type=Path, help="where the index is kept between runs")
    parser.add_argument("--write", action="store_true", help="put the figures into bench/RESULTS.md")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HAVERSACK_DATA_DIR"] = str(given.data or Path(folder) / "data")
        os.environ["XDG_RUNTIME_DIR"] = folder
        root = given.project.resolve()
        prompts = real_prompts(root)
        subprocess.run([sys.executable, "-m", "haversack", "-C", root, "index"], check=True, stdout=subprocess.DEVNULL)
        parts = [speed(root, prompts)]
        if given.sessions:
            # Not to be found in the very words of the session that is replayed.
            os.environ["HAVERSACK_IGNORE"] = ".specstory/"
            parts.append(replay(given.sessions.resolve()))
        body = "\n\n".join(parts)
    print(body)
    if given.write:
        write("Hook (`python bench/hook.py PROJECT --write`)", body)


def real_prompts(root: Path) -> list[str]:
    """What the project's own people wanted, one after the other, in one part of it."""
    git = ["git", "-C", str(root), "log", "--no-merges"]
    changed = subprocess.run([*git, f"-{RECENT}", "--name-only", "--format="], capture_output=True, text=True).stdout
    folders = Counter(
        line.rpartition("/")[0] for line in changed.splitlines() if line.endswith((".py", ".ts", ".go", ".rs", ".java"))
    )
    for folder, _ in folders.most_common():
        command = [*git, f"-{PROMPTS}", "--format=%s", "--", f":(glob){folder}/*"]
        subjects = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
        if folder and len(subjects) == PROMPTS:
            print(f"prompts: the last {PROMPTS} commits in {folder}", file=sys.stderr)
            return subjects[::-1]
    raise SystemExit(f"{root} has no folder with {PROMPTS} commits")


def prompt_payload(root: Path, prompt: str, session: str) -> dict[str, object]:
    return {"session_id": session, "cwd": str(root), "hook_event_name": "UserPromptSubmit", "prompt": prompt}


def speed(root: Path, prompts: list[str]) -> str:
    """Wall time of the whole process, as a host sees it."""
    done = {"command": "pytest -q"}, {"stdout": "12 passed", "exit_code": 0}
    passing = {
        "session_id": "s", "cwd": str(root), "hook_event_name": "PostToolUse",
        "tool_name": "Bash", "tool_input": done[0], "tool_response": done[1],
    }  # fmt: skip
    rows = [
        "| the hook, process start included | p50 | p95 | runs | limit |",
        "|---|---|---|---|---|",
    ]
    cold = []
    for number in range(COLD):
        cold.append(timed(prompt_payload(root, prompts[number], f"cold{number}")))
        end(root, f"cold{number}")
    for prompt in prompts[:3]:
        timed(prompt_payload(root, prompt, "warm"))
    for prompt in prompts:
        timed(prompt_payload(root, prompt, "first"))
    first = [timed(prompt_payload(root, prompt, f"new{number}")) for number, prompt in enumerate(prompts)]
    again = [timed(prompt_payload(root, prompt, "first")) for prompt in prompts]
    rows.append(_row("not packing: a check that passes", [timed(passing) for _ in prompts], "150 / 300 ms"))
    rows.append(_row("not packing: small talk", [timed(prompt_payload(root, "thanks!", "w")) for _ in prompts], ""))
    rows.append(_row("packing, the helper is there: a prompt of a new session", first, "150 / 300 ms"))
    rows.append(_row("packing, the helper is there: a prompt the session had", again, "150 / 300 ms"))
    rows.append(_row("packing, nothing is there: the helper starts first", cold, ""))
    for name in ("warm", "first", "w", *(f"new{number}" for number in range(len(prompts)))):
        end(root, name)
    loaded = subprocess.run(
        [sys.executable, "-c", LOADED],
        input=json.dumps(prompt_payload(root, prompts[0], "loaded")),
        capture_output=True,
        text=True,
    )
    end(root, "loaded")
    rows.append(f"\nLoaded by the hook itself on the packing path, of {', '.join(HEAVY)}: {loaded.stderr.strip()}")
    return "\n".join(rows)


def timed(payload: dict[str, object]) -> float:
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", START], input=json.dumps(payload).encode(), stdout=subprocess.DEVNULL, check=True
    )
    return (time.perf_counter() - started) * 1e3


def end(root: Path, session: str) -> None:
    """The session ends; when it was the last, so does the helper."""
    timed({"session_id": session, "cwd": str(root), "hook_event_name": "SessionEnd", "reason": "exit"})
    time.sleep(0.1)


def _row(name: str, values: list[float], limit: str) -> str:
    late = statistics.quantiles(values, n=20)[-1]
    return f"| {name} | {statistics.median(values):.0f} ms | {late:.0f} ms | {len(values)} | {limit} |"


def sessions(root: Path) -> dict[str, list[list[str]]]:
    """The first prompts of the newest sessions that have enough of them."""
    found: list[list[str]] = []
    for path in sorted(root.rglob(".specstory/history/*.md"), key=lambda path: path.name, reverse=True):
        parts = TYPED.split(path.read_text(encoding="utf-8", errors="replace"))[1:]
        typed = [text for part in parts if (text := ENDS.split(part)[0].strip()) and not text.startswith(NOT_TYPED)]
        if len(typed) >= PROMPTS and typed not in found:
            found.append(typed)
    chosen = [typed for typed in found if len(typed) >= LONG][:CHOSEN_ON]
    begun = [typed[:PROMPTS] for typed in chosen]  # a session that was taken up again has two records
    others = [typed for typed in found if typed[:PROMPTS] not in begun][:OTHERS]
    return {
        name: [typed[:PROMPTS] for typed in each]
        for name, each in (("chosen on", chosen), ("nothing chosen on", others))
    }


def replay(root: Path) -> str:
    """What sessions of 20 prompts cost with the ledger and without; what a prompt costs the second time."""
    desk, count = Desk(), counter().count
    subprocess.run([sys.executable, "-m", "haversack", "-C", root, "index"], check=True, stdout=subprocess.DEVNULL)

    def told(prompt: str, session: str) -> int:
        moment = recognise(prompt_payload(root, prompt, session))
        assert moment is not None
        if not worth_asking(moment):
            return 0
        reply = desk.answer(moment)
        reply.delivered()
        return count(reply.text)

    rows = [
        f"| real session of {PROMPTS} prompts | without the ledger | with it | share | the same prompts again |",
        "|---|---|---|---|---|",
    ]
    for kind, chosen in sessions(root).items():
        whole = [0, 0, 0]
        for number, prompts in enumerate(chosen, 1):
            name = f"bench-{time.time_ns()}"
            alone, given, again = (sum(told(prompt, session) for prompt in prompts) for session in ("", name, name))
            whole = [whole[0] + alone, whole[1] + given, whole[2] + again]
            shares = f"{given / alone:.1%} | {again / alone:.1%}"
            rows.append(f"| {kind}, {number} | {alone:,} tokens | {given:,} | {shares} |")
        if chosen:
            shares = f"{whole[1] / whole[0]:.1%} | {whole[2] / whole[0]:.1%}"
            rows.append(f"| {kind}, all | {whole[0]:,} tokens | {whole[1]:,} | {shares} |")
    desk.close()
    rows.append("| limit | | | 40 % | 5 % |")
    return "\n".join(rows)


if __name__ == "__main__":
    main()
