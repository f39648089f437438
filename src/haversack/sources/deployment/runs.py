"""The source "ci": recent runs of the project's pipelines, asked of `gh`. Off unless the user turns it on."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from haversack.model import Citation, Problem, Role, Unit
from haversack.sources.protocol import Changes, Compressor, Item, Reading
from haversack.units.ids import unit_id
from haversack.units.redact import redact

if TYPE_CHECKING:
    from haversack.project import Project

NAME: Final = "ci"
KEY: Final = "ci:runs"
FRESH_SECONDS: Final = 300  # runs are asked for again after this; seed 002's time to live
MOST_RUNS: Final = 20
SECONDS: Final = 10  # that `gh` may take
FIELDS: Final = "databaseId,workflowName,displayTitle,event,headBranch,headSha,status,conclusion,createdAt,url"
_WAY_OUT: Final = "run `gh auth status` in the project, or set ci_runs = false under [sources.deployment]"


class RunsSource:
    """Asks `gh run list` at most every five minutes; when it does not answer, the packet goes on without."""

    name: str = NAME
    threshold: float = 0.6  # that of deployment

    def discover(self, project: Project, known: Mapping[str, str]) -> Changes:  # noqa: ARG002 - the protocol
        """The runs, once what is known of them is old."""
        now = int(time.time())
        before = known.get(KEY, "")
        if before.isdecimal() and 0 <= now - int(before) < FRESH_SECONDS:
            return Changes()
        return Changes((Item(KEY, str(now)),))

    def read(self, project: Project, items: Sequence[Item]) -> Iterator[Reading]:
        """One unit per run."""
        for item in items:
            answer = _ask(str(project.roots[0]))
            if isinstance(answer, Problem):
                yield Reading(item.key, (), (answer,))
            else:
                yield Reading(item.key, tuple(_unit(run) for run in answer))

    def cite(self, unit: Unit) -> tuple[Citation, ...]:
        """The run's page and the commit it ran on."""
        return unit.citations

    def compressors(self) -> Mapping[str, Compressor]:
        """None: a run is a few lines."""
        return {}


def _ask(folder: str) -> list[dict[str, object]] | Problem:
    import subprocess

    command = ["gh", "run", "list", "--limit", str(MOST_RUNS), "--json", FIELDS]
    environment = os.environ | {"GH_PROMPT_DISABLED": "1", "NO_COLOR": "1", "GH_NO_UPDATE_NOTIFIER": "1"}
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Problem(NAME, f"gh did not answer within {SECONDS} s", _WAY_OUT)
    except OSError as error:
        return Problem(NAME, f"gh cannot be run: {error.strerror}", "install it, or set ci_runs = false")
    if done.returncode:
        said = redact(done.stderr.decode("utf-8", "replace").strip()).text.partition("\n")[0]
        return Problem(NAME, f"gh failed: {said[:200]}", _WAY_OUT)
    try:
        runs = json.loads(done.stdout)
    except (ValueError, RecursionError):
        return Problem(NAME, "gh answered with something that is no JSON", _WAY_OUT)
    return [run for run in runs if isinstance(run, dict)][:MOST_RUNS] if isinstance(runs, list) else []


def _unit(run: Mapping[str, object]) -> Unit:
    said = {key: redact(str(value)).text for key, value in run.items() if value not in (None, "")}
    workflow, outcome = said.get("workflowName", "run"), said.get("conclusion") or said.get("status", "unknown")
    branch, sha = said.get("headBranch", ""), said.get("headSha", "")
    lines = [f"{workflow}: {outcome}", said.get("displayTitle", ""), f"branch {branch}" if branch else ""]
    lines += [f"event {said['event']}" if "event" in said else "", said.get("createdAt", "")]
    commit = (Citation.of_commit(sha),) if sha else ()
    return Unit(
        id=unit_id(NAME, "", "run", said.get("databaseId", said.get("url", ""))),
        source=NAME,
        kind="run",
        title=f"{workflow} {outcome}" + (f" on {branch}" if branch else ""),
        text="\n".join(line for line in lines if line),
        name=workflow,
        lang="text",
        role=Role.CONFIG,
        time=_time(said.get("createdAt", "")),
        citations=(Citation.of_log(said.get("url", f"{NAME} run")), *commit),
        meta={"deploys": "run", "outcome": outcome},
    )


def _time(written: str) -> float | None:
    try:
        return datetime.fromisoformat(written).timestamp()
    except ValueError:
        return None
