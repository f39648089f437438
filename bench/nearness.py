"""How often the hook answers small talk, and how often it is silent when asked for something:

    python bench/nearness.py REPOSITORY... [--write]

Each repository is taken back to before its last 30 commits that touch code; the subjects of those commits are the
requests, so that nothing in the index was written with them in mind. Small talk is the same everywhere.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import report  # bench is a folder of scripts, not a package

from haversack import Haversack
from haversack.hook.worth import says_something
from haversack.retrieve.nearness import is_near
from haversack.retrieve.understand import understand

REQUESTS = 30
CODE = re.compile(r"\.(?:py|go|js|ts|rs|java|kt|cs|rb|php|c|cc|cpp|h|hpp)$")
NUMBER = re.compile(r"\s*\(#\d+\)$")  # of a pull request: nobody types that
TALK = """
thanks, that looks great!
hello there, how are you today?
what's the weather like in Paris?
tell me a joke about cats
can you write me a poem about the sea
I'm going for lunch, back in an hour
who won the football world cup in 2018?
please explain quantum entanglement to my grandmother
great job, you are the best assistant ever
recommend a good restaurant near the station
how many calories does a banana have?
ich gehe jetzt schlafen, bis morgen
let's take a break and continue tomorrow
no, the second option is better
why is the sky blue
good morning! ready to start?
my cat just walked over the keyboard, sorry
what do you think about the new season of that show
how tall is Mount Everest
book me a flight to Lisbon for Friday
translate 'good evening' into Italian
is it going to rain tomorrow?
I need a coffee first
happy birthday!
what is the capital of Australia
how do I cook rice without burning it
did you sleep well
remind me to call my mother at six
I feel tired today, let's go slowly
that was a really good explanation, thank you so much
nice work, I owe you a beer
who wrote War and Peace?
what's 17 times 23
tell me something interesting about octopuses
sing me a song
je reviens dans cinq minutes
danke, das war sehr hilfreich
gracias por tu ayuda
okay I will be back after the meeting with my boss
let me think about it for a while
you are wrong but I forgive you
what year did the Berlin wall fall
can you recommend a book for a long train ride
my back hurts from sitting all day
which is better, tea or coffee?
I had a weird dream last night
play some jazz
how far is the moon
let's celebrate with pizza
do you believe in ghosts
""".strip().splitlines()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", nargs="+", help="paths or addresses that git can clone")
    parser.add_argument("--write", action="store_true", help="put the figures into bench/RESULTS.md")
    options = parser.parse_args()
    rows = ["| project | files | small talk answered | requests answered |", "|---|---|---|---|"]
    whole = [0, 0, 0, 0]
    for repository in options.repositories:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "tree"
            subprocess.run(["git", "clone", "--quiet", repository, str(root)], check=True)
            requests = before_its_last_commits(root)
            with Haversack(root, data_dir=Path(folder) / "data") as project:
                files = project.index().files
                talk, asked = (answered(project, prompts) for prompts in (TALK, requests))
        whole = [whole[0] + talk, whole[1] + len(TALK), whole[2] + asked, whole[3] + len(requests)]
        name = Path(repository.rstrip("/").removesuffix("/repo")).name.replace("+", "/").removesuffix(".git")
        rows.append(f"| {name} | {files:,} | {talk} of {len(TALK)} | {asked} of {len(requests)} |")
        print(rows[-1], file=sys.stderr)
    shares = f"{whole[0] / whole[1]:.1%} | {whole[2] / whole[3]:.1%}"
    rows.append(f"| all | | {shares} |")
    body = "\n".join(rows)
    print(body)
    if options.write:
        report.write("Hook: prompts that are about nothing here (`python bench/nearness.py`)", body)


def before_its_last_commits(root: Path) -> list[str]:
    """Take the tree back, and return what its people then set out to do."""
    command = ["git", "-C", str(root), "log", "--no-merges", "--name-only", "--format=%x01%H%x02%s", "-500"]
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    commits = []
    for each in told.split("\x01")[1:]:
        sha, _, rest = each.partition("\x02")
        subject, *names = rest.splitlines()
        if any(map(CODE.search, names)):
            commits.append((sha, NUMBER.sub("", subject)))
    last = commits[:REQUESTS]
    subprocess.run(["git", "-C", str(root), "checkout", "--quiet", f"{last[-1][0]}~1"], check=True)
    return [subject for _, subject in last]


def answered(project: Haversack, prompts: list[str]) -> int:
    """How many the hook would look up and find to be about something here."""
    snapshot, embedder = project.store.snapshot(), project.embedder
    return sum(says_something(prompt) and is_near(snapshot, embedder, understand(prompt)) for prompt in prompts)


if __name__ == "__main__":
    main()
