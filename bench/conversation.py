"""How fast transcripts are read, and that only new lines are read the next time: `python bench/conversation.py`.

The transcript is made here: prompts and answers of the usual lengths with tool calls and results between them, with
decisions and secrets among them. Nothing of the user's own is read.
"""

from __future__ import annotations

import json
import random
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from report import write

from haversack import Haversack
from haversack.project import find_project
from haversack.sources.conversation import ConversationSource
from haversack.sources.conversation.formats.claude import slug
from haversack.sources.conversation.lines import Line

MESSAGES = 10_000
LIMIT_SECONDS = 5.0  # from the issue
NEW = 20
RUNS = 30
START = 1_760_000_000
WORDS = (
    "session token cart total price login refresh expired user queue worker retry cache header parse config "
    "test build release index query schema migrate column router handler middleware socket timeout buffer "
    "stream chunk render page"
)
DECISIONS = (
    "use {}h token expiry",
    "Set max retries to {}.",
    "No, the timeout should be {} seconds.",
    "Always run ruff.",
)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        body = measure(Path(folder))
    print(body)
    write("Conversation", body)


def measure(folder: Path) -> str:
    """Every figure, as Markdown."""
    root, home = folder / "shop", folder / "home"
    root.mkdir()
    (root / "shop.py").write_text("def total(prices):\n    return sum(prices)\n")
    path = home / ".claude" / "projects" / slug(str(root)) / "session.jsonl"
    path.parent.mkdir(parents=True)
    lines = list(transcript(str(root), MESSAGES + NEW))
    most = next(at for at, line in enumerate(lines) if line.startswith("#"))
    path.write_text("".join(lines[:most]))
    size = path.stat().st_size
    with Haversack(root, data_dir=folder / "data", flags={"sources.conversation.home": str(home)}) as haversack:
        haversack.embedder.embed(["loaded before the clock starts"])
        started, spent = time.perf_counter(), time.process_time()
        report = haversack.index()
        whole, processor = time.perf_counter() - started, time.process_time() - spent
        known = {key: stamp for key, (stamp, _) in haversack.store.known("conversation").items()}
        with path.open("a") as file:
            file.write("".join(lines[most + 1 :]))
        grown = path.stat().st_size - size
        reader = Counting(home)
        changes = reader.source.discover(find_project(root), known)
        with reader:
            readings = list(reader.source.read(find_project(root), changes.changed))
        started = time.perf_counter()
        after = haversack.index()
        again = time.perf_counter() - started
        quiet = [
            timed(lambda: ConversationSource(home=str(home)).discover(find_project(root), known)) for _ in range(RUNS)
        ]
    empty = [
        timed(lambda: ConversationSource(home=str(folder / "none")).discover(find_project(root), {}))
        for _ in range(RUNS)
    ]
    units = sum(len(reading.units) for reading in readings)
    rows = [
        "`python bench/conversation.py`: a made transcript in Claude Code's form, with tool calls and secrets.",
        "",
        "| what | figure | limit |",
        "|---|---|---|",
        f"| {MESSAGES:,} messages, {size / 1e6:.0f} MB, found, read, redacted, embedded and indexed | "
        f"{whole:.2f} s (processor {processor:.2f} s), {report.units:,} units | {LIMIT_SECONDS:.0f} s |",
        f"| {NEW} messages later: bytes read of {grown:,} new and {size:,} old | {reader.bytes:,} | the new ones |",
        f"| the same, indexed | {again * 1e3:.0f} ms, {units} units made, {after.units:,} in all | |",
        f"| looking, nothing changed | {statistics.median(quiet) * 1e3:.2f} ms (median of {RUNS}) | |",
        f"| looking, no transcripts at all | {statistics.median(empty) * 1e3:.2f} ms (median of {RUNS}) | |",
    ]
    assert whole < LIMIT_SECONDS
    return "\n".join(rows)


class Counting:
    """Counts the bytes that a source reads of transcripts."""

    def __init__(self, home: Path) -> None:
        self.source = ConversationSource(home=str(home))
        self.bytes = 0

    def __enter__(self) -> Counting:
        from haversack.sources.conversation import transcript

        self._plain = transcript.read_lines

        def counted(file: BinaryIO, offset: int = 0, breaks: int = 0, **more: int) -> Iterator[Line]:
            for line in self._plain(file, offset, breaks, **more):
                self.bytes += len(line.body or b"") + 1
                yield line

        transcript.read_lines = counted
        return self

    def __exit__(self, *_: object) -> None:
        from haversack.sources.conversation import transcript

        transcript.read_lines = self._plain


def timed(call: object) -> float:
    """Seconds a call takes."""
    assert callable(call)
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def transcript(cwd: str, messages: int) -> Iterator[str]:
    """Lines of a session; one that is only `#` stands where the first indexing ends."""
    made = random.Random(7)
    parent = None
    for number in range(messages):
        if number == MESSAGES:
            yield "#\n"
        for record in records(made, number):
            identity = f"{number:06}-{made.randrange(16**8):08x}"
            yield (
                json.dumps(
                    {
                        "parentUuid": parent,
                        "uuid": identity,
                        "sessionId": "session",
                        "cwd": cwd,
                        "gitBranch": "main",
                        "version": "2.1.0",
                        "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(START + number * 60)),
                        **record,
                    }
                )
                + "\n"
            )
            parent = identity


def records(made: random.Random, number: int) -> Iterator[dict[str, object]]:
    """A prompt, or an answer with the tool call and the result before it."""
    if number % 2 == 0:
        said = sentence(made, 25)
        if number % 40 == 0:
            said += " " + made.choice(DECISIONS).format(made.randrange(1, 90))
        if number % 200 == 0:
            said += f" The key is AKIA{''.join(made.choices('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', k=16))}."
        yield {"type": "user", "message": {"role": "user", "content": said}}
        return
    call = {"type": "tool_use", "id": f"t{number}", "name": "Read", "input": {"file_path": "shop.py"}}
    yield {"type": "assistant", "message": {"role": "assistant", "id": f"m{number}a", "content": [call]}}
    result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": sentence(made, 150)}
    yield {"type": "user", "message": {"role": "user", "content": [result]}}
    said = "\n\n".join(sentence(made, 40) for _ in range(3))
    yield {
        "type": "assistant",
        "message": {"role": "assistant", "id": f"m{number}", "content": [{"type": "text", "text": said}]},
    }


def sentence(made: random.Random, words: int) -> str:
    """Some words with a full stop."""
    return " ".join(made.choices(WORDS.split(), k=words)).capitalize() + "."


if __name__ == "__main__":
    main()
