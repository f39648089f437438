"""Pipelines: one piece per job, whatever service runs them."""

from __future__ import annotations

import re
from typing import Final

from haversack.sources.deployment.piece import Piece, extents, grouped, unique
from haversack.units.secret_names import words
from haversack.units.yaml_lines import Entry, entries

_SECRET: Final = re.compile(r"\bsecrets\.([A-Za-z_]\w*)")
_SECRET_VARIABLE: Final = re.compile(r"\$\{?(\w*(?:TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS|API_KEY)\w*)\}?")
# Keys at the top of a pipeline that are no job of it.
_SETTINGS: Final = words(
    "name on env permissions concurrency defaults jobs run-name stages variables include workflow default "
    "image services before_script after_script cache version orbs executors commands parameters workflows "
    "trigger pr pool resources steps stage extends schedules language os dist sudo branches notifications "
    "addons install script deploy matrix git substitutions options timeout availableSecrets artifacts "
    "images tags logsBucket serviceAccount pipelines definitions clone kind type agents inputs outputs "
    "runs description author branding phases proxy reports batch"
)
_NAMES_A_STEP: Final = ("name", "id", "job", "label", "key", "stage")


def pieces(text: str, path: str) -> list[Piece]:
    """The jobs in order; what is said for all of them stays with the file."""
    if path.lower().rpartition("/")[2].startswith("jenkinsfile"):
        return []
    lines = text.split("\n")
    found = list(entries(text))
    has_jobs = any(entry.path[:1] == ("jobs",) and len(entry.path) > 1 for entry in found)
    groups = grouped(found, 1) | grouped(found, 2)
    made = []
    for entry, first, last in extents(found, lambda e: _is_job(e, has_jobs), lines):
        body = "\n".join(lines[first - 1 : last])
        held = groups[entry.path]
        name = _name(entry, held, text)
        uses = [text[o.start : o.end] for o in held if o.path[-1] in {"uses", "image", "extends"} and o.start < o.end]
        needs = [text[o.start : o.end] for o in held if len(o.path) > 1 and "needs" in o.path[-2:] and o.start < o.end]
        made.append(
            Piece(
                first,
                last,
                "job",
                name,
                f"job {name}",
                qualname=name,
                doc=", ".join(unique(uses)[:8]),
                names=unique([name]),
                secrets=unique([*_SECRET.findall(body), *_SECRET_VARIABLE.findall(body)]),
                refs=unique(needs),
            )
        )
    return made


def _is_job(entry: Entry, has_jobs: bool) -> bool:
    path = entry.path
    if has_jobs:
        return len(path) == 2 and path[0] in {"jobs", "workflows"}
    if len(path) == 2 and path[0] in {"steps", "stages"}:
        return path[1].startswith("#") and entry.start == entry.end
    return len(path) == 1 and path[0] not in _SETTINGS and not path[0].startswith("#") and entry.start == entry.end


def _name(entry: Entry, found: list[Entry], text: str) -> str:
    last = entry.path[-1]
    if not last.startswith("#"):
        return last
    for key in _NAMES_A_STEP:
        for other in found:
            if other.path == (*entry.path, key):
                return text[other.start : other.end]
    return f"{entry.path[0]} {int(last[1:]) + 1}"
