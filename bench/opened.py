"""Packets as a stranger checks them: counted with another library, every citation opened, the text compared.

    python bench/opened.py DIR... [--tasks 6] [--write]

For each project, tasks from its own history at budgets from 60 to 20,000 tokens, in all three formats. The text is
parsed as any reader would; tokens are counted by tiktoken; each item is compared with the lines, or the commit, that
its citation names. Nothing of haversack is used but the text. `--write` puts the table into RESULTS.md.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent))
import oracle  # bench is a folder of scripts, not a package
import report

from haversack import Haversack, Packet

BUDGETS = (60, 200, 600, 1500, 4000, 20_000)
FORMATS = ("markdown", "json", "xml")
HEADING = re.compile(r"### (?:\[\d+\] )?(?P<ticks>`+) ?(?P<cite>.+?) ?(?P=ticks)(?: (?P<about>.*))?")
# What is said of code begins with the name around it or with a remark: that it is code is seen by its language.
UNLABELLED = re.compile(r"$|`|light|detailed|truncated|stale|superseded|trust |score |also ")
STUB = re.compile(r"- (?:\[\d+\] )?(?P<ticks>`+) ?(?P<text>.+?) ?(?P=ticks) (?P<about>.*stub.*)")
PLACE = re.compile(r"(?P<path>.+):(?P<start>\d+)-(?P<end>\d+)")
MARK = re.compile(r"\s*\S* ?… lines? (\d+)(?:-(\d+))? elided(?: \S+)?")
CUT = re.compile(r"\S* ?… (?:line (\d+) )?cut here(?:, lines \d+-\d+ elided)?(?: \S+)?")
DEFINED = re.compile(r"(?:Defines |; )L(\d+) ([^;]*)")
FILES = re.compile(r"^Files: (.*?)(?:, \d+ more)?\.$", re.MULTILINE)
REDACTED = re.compile(r"\[redacted:[^\]]+\]")
SPACES = re.compile(r"\s+")


class Item(NamedTuple):
    """What a packet says it quotes, and from where."""

    cite: str
    about: str
    text: str


def items(text: str, form: str) -> list[Item]:
    """The items of a packet's text."""
    if not text:
        return []
    if form == "json":
        records = [record for record in json.loads(text) if "item" in record]
        return [Item(r["item"], f"{r['kind']} {r.get('about', '')}", r["text"]) for r in records]
    if form == "xml":
        found = ElementTree.fromstring(text).iter("item")
        return [
            Item(each.get("cite", ""), f"{each.get('kind')} {each.get('about', '')}", (each.text or "")[1:-1])
            for each in found
        ]
    return list(_markdown(text.split("\n")))


def _markdown(lines: list[str]) -> Iterator[Item]:
    at = 0
    while at < len(lines):
        heading, stub = HEADING.fullmatch(lines[at]), STUB.fullmatch(lines[at])
        if stub:
            yield Item(stub["text"].partition(" · ")[0], stub["about"], stub["text"])
        if heading and at + 1 < len(lines) and lines[at + 1].startswith("```"):
            fence = re.match("`+", lines[at + 1])
            end = lines.index(fence[0] if fence else "", at + 2)
            about = heading["about"] or ""
            about = f"code {about}" if UNLABELLED.match(about) else about
            yield Item(heading["cite"], about, "\n".join(lines[at + 2 : end]))
            at = end
        at += 1


def faults(root: Path, packet: Packet, budget: int, form: str) -> list[str]:
    """What is wrong with a packet of the project at `root`; nothing, as it should be."""
    name = {"o200k": "o200k_base", "cl100k": "cl100k_base"}[packet.counter]
    counted = oracle.count(name, packet.text)
    wrong = [] if counted == packet.tokens else [f"{packet.tokens} tokens are {counted}"]
    if counted > budget and not packet.budget_exceeded:
        wrong.append(f"{counted} tokens for a budget of {budget}")
    told = items(packet.text, form)
    if len(told) != len(packet.items):
        wrong.append(f"{len(told)} items are read, {len(packet.items)} were packed")
    for item, packed in zip(told, packet.items, strict=False):
        reason = fault(root, item)
        if reason:
            wrong.append(f"{item.cite} {item.about}: {reason}")
        cited = [citation.target for citation in packed.citations if citation.kind == "file"]
        wrong += [f"{item.cite} also cites {file}, which is not there" for file in cited if not (root / file).is_file()]
    return wrong


def fault(root: Path, item: Item) -> str:
    """Why an item is not what its citation opens; empty when it is."""
    if "stub" in item.about and " · " in item.text:
        item = item._replace(text="")  # it says of the thing what is known without its text
    if item.cite.startswith("commit "):
        done = subprocess.run(
            ["git", "-C", str(root), "show", "--format=%B", "-p", "-U1", "-m", "--first-parent", item.cite.split()[1]],
            capture_output=True, text=True, errors="replace", check=False,
        )  # fmt: skip
        text = FILES.sub(lambda names: names[1].replace(", ", "\n"), item.text)
        return _told(text, done.stdout) if done.returncode == 0 else "there is no such commit"
    place = PLACE.fullmatch(item.cite)
    file = root / (place["path"] if place else item.cite)
    if not file.is_file():
        return "there is no such file"
    lines = file.read_text(encoding="utf-8-sig", errors="replace").replace("\r\n", "\n").split("\n")
    first, last = (int(place["start"]), int(place["end"])) if place else (1, len(lines))
    if not 1 <= first <= last <= len(lines):
        return f"the file has {len(lines)} lines"
    cited = lines[first - 1 : last]
    if not item.text:
        return ""
    if "summary" in item.about and item.about.startswith("code "):
        return _defined(item.text, lines)
    if "light" in item.about:
        return _in_order(item.text.split("\n"), cited)
    if "detailed" in item.about and not item.about.startswith("code "):
        return _told(item.text, "\n".join(cited))
    return _told(item.text, "\n".join(cited)) if "summary" in item.about else _same(item.text.split("\n"), lines, first)


def _same(shown: list[str], lines: list[str], number: int) -> str:
    """The lines of the file from that number on, with marks for those left out."""
    for at, line in enumerate(shown):
        mark, cut = MARK.fullmatch(line), CUT.fullmatch(line)
        if number <= len(lines) and _is(line, lines[number - 1]):
            number += 1
        elif mark:
            start = int(mark[1])
            if start < number or any(each.strip() for each in lines[number - 1 : start - 1]):
                return f"a mark for {start} stands at {number}"
            number = int(mark[2] or start) + 1
        elif cut and at:
            return "" if lines[number - 2].startswith(shown[at - 1]) else f"line {number - 1} is another"
        elif at + 1 < len(shown) and CUT.fullmatch(shown[at + 1]) and lines[number - 1].startswith(line):
            number += 1
        elif any(each.strip() for each in lines[number - 1 : number]) or line.strip():
            # Blank lines beside what is left out are not shown.
            later = next((n for n in range(number, len(lines)) if lines[n].strip()), None)
            if later is None or lines[later] != line or any(each.strip() for each in lines[number - 1 : later]):
                return f"line {number} is {lines[number - 1][:60]!r}, shown is {line[:60]!r}"
            number = later + 2
    return ""


def _is(shown: str, line: str) -> bool:
    """Whether the line is shown as it is, but for what haversack took out as a secret."""
    kept = REDACTED.split(shown)
    return shown == line or (len(kept) > 1 and line.startswith(kept[0]) and line.endswith(kept[-1]))


def _in_order(shown: list[str], cited: list[str]) -> str:
    rest = iter(cited)
    missing = [line for line in shown if line.strip() and "…" not in line and not any(line == each for each in rest)]
    return f"no line is {missing[0][:60]!r}" if missing else ""


def _told(text: str, cited: str) -> str:
    """Every stretch between dots is the author's own words, but for white space and markup of its own line."""
    whole = SPACES.sub(" ", cited)
    for line in text.split("\n"):
        for part in re.split(r"…(?: (?:lines? [\d-]+|\d+ lines?) elided| cut here)?|(?<=[.!?]) | -> ", line):
            words = SPACES.sub(" ", part).strip()
            if words and words not in whole and words.lstrip("-*#>| ") not in whole:
                return f"nobody wrote {words[:60]!r}"
    return ""


def _defined(text: str, lines: list[str]) -> str:
    for number, signature in DEFINED.findall(text):
        name = re.match(r"[^(=:{<]*", signature)
        last = re.findall(r"\w+", name[0] if name else "")
        if last and last[-1] not in "\n".join(lines[int(number) - 1 : int(number) + 3]):
            return f"line {number} does not define {last[-1]}"
    return ""


def tasks_of(root: Path, number: int) -> list[str]:
    """Subjects of commits, spread over the history, and a question."""
    log = subprocess.run(
        ["git", "-C", str(root), "log", "--no-merges", "--format=%s", "-1000"],
        capture_output=True, text=True, errors="replace", check=False,
    ).stdout  # fmt: skip
    subjects = [line for line in log.split("\n") if len(line.split()) >= 4]
    return [*subjects[:: max(1, len(subjects) // number)][: number - 1], "how is this project tested and released?"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", type=Path, nargs="+")
    parser.add_argument("--tasks", type=int, default=6)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rows = ["| project | packets | items opened | of them in full | faults |", "|---|---|---|---|---|"]
    for root in options.trees:
        done: Counter[str] = Counter()
        with tempfile.TemporaryDirectory() as folder, Haversack(root, data_dir=folder) as project:
            for task in tasks_of(root, options.tasks):
                for budget in BUDGETS:
                    for form in FORMATS:
                        packet = project.pack(task, budget=budget, format=form)
                        wrong = faults(root, packet, budget, form)
                        done += Counter(
                            packets=1, items=len(packet.items), faults=len(wrong),
                            full=sum(item.level == "full" for item in packet.items),
                        )  # fmt: skip
                        for each in wrong:
                            print(f"{root.name}, {budget}, {form}, {task!r}: {each}", file=sys.stderr)
        rows.append(
            f"| {root.name} | {done['packets']:,} | {done['items']:,} | {done['full']:,} | {done['faults']:,} |"
        )
    print("\n".join(rows))
    if options.write:
        said = "`python bench/opened.py DIR...`: tokens counted by tiktoken, every citation opened, the text compared."
        report.write("Packets opened", said + "\n\n" + "\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
