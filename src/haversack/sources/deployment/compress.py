"""Deployment files shortened: without defaults, as a summary of the configuration, or only what is no default.

Every line of the result is a line of the text, in its order; a line brings the lines it stands under.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from haversack.model import Unit

# What the platform does anyway when nothing is said, and what it writes itself.
_DEFAULTS: Final = re.compile(
    r"""\s*-?\s*["']?(?: imagePullPolicy["']?:\s*["']?IfNotPresent | protocol["']?:\s*["']?TCP
      | restartPolicy["']?:\s*["']?Always | type["']?:\s*["']?(?:ClusterIP|Opaque|RollingUpdate)
      | dnsPolicy["']?:\s*["']?ClusterFirst | sessionAffinity["']?:\s*["']?None | namespace["']?:\s*["']?default
      | revisionHistoryLimit["']?:\s*10 | progressDeadlineSeconds["']?:\s*600 | terminationGracePeriodSeconds["']?:\s*30
      | driver["']?:\s*["']?(?:bridge|local) | restart["']?:\s*["']?no | timeout-minutes["']?:\s*360
      | fail-fast["']?:\s*true | shell["']?:\s*["']?bash | [\w.-]+["']?:\s*(?:null|~|\{\}|\[\]|""|'')
      | (?: terminationMessage\w+ | schedulerName | creationTimestamp | uid | resourceVersion | generation | selfLink
          | schema_version | identity_schema_version | private | lineage | serial )["']?:.*
      )["']?,?\s*(?:\#.*)?$""",
    re.VERBOSE,
)
_COMMENT: Final = re.compile(r"\s*(?:#|//|;)")
_MARKS_ONLY: Final = re.compile(r"[\s{}\[\](),-]*$")
# Keys and instructions that say what runs where.
_TELLING: Final = re.compile(
    r"""\s*-?\s*["']?(?: (?:kind|name|namespace|image|replicas|containerPort|port|targetPort|nodePort|host|hosts
        |schedule|command|args|entrypoint|ports|environment|env|env_file|depends_on|volumes|secrets|secretName|configMap|on|runs-on
        |needs|uses|if|strategy|matrix|stage|script|only|rules|build|context|dockerfile|limits|requests|cpu|memory
        |minReplicas|maxReplicas|path|serviceAccountName|type|source|version|engine|instance_type|instance_class|region
        |location|sensitive|default)\b["']?\s*[:=]
      | (?:resource|data|module|variable|output|provider|terraform|locals)\b
      | (?i:FROM|ENTRYPOINT|CMD|EXPOSE|ENV|ARG|USER|WORKDIR|HEALTHCHECK)\s | \[[\w -]+\]
      | (?:ExecStart\w*|Environment\w*|User|WorkingDirectory|Restart|After|Requires|WantedBy)=
      | [A-Z][A-Z0-9_]{2,}["']?\s*[:=] | [~+-]\s\S )""",
    re.VERBOSE,
)
_DIFFERENT: Final = re.compile(r"~\s")


def light(unit: Unit, text: str, limit: int) -> str:  # noqa: ARG001 - a compressor's signature
    """Without comments, empty lines and defaults; from the end on if that is still too much."""
    lines = text.split("\n")
    dropped = _defaulted(lines)
    return _fitted(lines, [None if number in dropped else 0 for number in range(len(lines))], limit)


def medium(unit: Unit, text: str, limit: int) -> str:
    """What runs where, with which settings: telling lines first, then the rest that is no default."""
    lines = text.split("\n")
    dropped = _defaulted(lines)
    wanted = _asked(unit)
    ranks = [None if n in dropped else 0 if _tells(line, wanted) else 1 for n, line in enumerate(lines)]
    return _fitted(lines, ranks, limit)


def heavy(unit: Unit, text: str, limit: int) -> str:
    """Only what differs from the defaults: values that somebody set, the telling ones first."""
    lines = text.split("\n")
    dropped = _defaulted(lines)
    if unit.kind == "difference":
        ranks: list[int | None] = [0 if not n or _DIFFERENT.match(line) else 1 for n, line in enumerate(lines)]
        return _fitted(lines, ranks, limit)
    wanted = _asked(unit)
    ranks = [
        None if n in dropped or not _sets(line) else 0 if _tells(line, wanted) else 1 for n, line in enumerate(lines)
    ]
    return _fitted(lines, ranks, limit)


def _asked(unit: Unit) -> frozenset[str]:
    names = unit.meta.get("secrets")
    return frozenset(names) if isinstance(names, tuple) else frozenset()


def _tells(line: str, wanted: frozenset[str]) -> bool:
    return _TELLING.match(line) is not None or any(name in line for name in wanted)


def _sets(line: str) -> bool:
    """Whether a line gives something a value: the lines it stands under come along by themselves."""
    bare = line.strip()
    return bool(bare) and not bare.endswith((":", "{", "[", "(")) and not _MARKS_ONLY.match(bare)


def _defaulted(lines: Sequence[str]) -> set[int]:
    """Lines that say nothing: comments, empty ones, defaults, and what a cluster writes into a manifest itself."""
    dropped: set[int] = set()
    managed = -1
    for number, line in enumerate(lines):
        bare = line.strip()
        indent = len(line) - len(line.lstrip())
        if managed >= 0 and bare and (indent > managed or (indent == managed and bare.startswith("- "))):
            dropped.add(number)
            continue
        managed = -1
        if bare.startswith(("managedFields:", "status:")) and bare.endswith(":"):
            managed = indent
            dropped.add(number)
        elif not bare or _COMMENT.match(line) or _DEFAULTS.match(line):
            dropped.add(number)
    return dropped


def _fitted(lines: Sequence[str], ranks: Sequence[int | None], limit: int) -> str:
    """The lines of the lowest ranks that fit, with the lines they stand under, in their order."""
    from haversack.tokens import counter

    count = counter().count
    parents = _parents(lines)
    kept: set[int] = set()
    used = 0
    for rank in sorted({rank for rank in ranks if rank is not None}):
        for number, own in enumerate(ranks):
            if own != rank or number in kept:
                continue
            chain = [number]
            while (above := parents[chain[-1]]) >= 0 and above not in kept:
                chain.append(above)
            cost = sum(count(lines[each] + "\n") for each in chain)
            if used + cost > limit:
                return _measured(lines, kept, limit, count)
            kept.update(chain)
            used += cost
    return _measured(lines, kept, limit, count)


def _measured(lines: Sequence[str], kept: set[int], limit: int, count: Callable[[str], int]) -> str:
    chosen = sorted(kept)
    text = "\n".join(lines[number] for number in chosen)
    while chosen and count(text) > limit:
        chosen.pop()
        text = "\n".join(lines[number] for number in chosen)
    return text


def _parents(lines: Sequence[str]) -> list[int]:
    """For each line the nearest line above that is indented less, -1 at the top."""
    parents: list[int] = []
    above: list[tuple[int, int]] = []
    for number, line in enumerate(lines):
        bare = line.lstrip(" \t")
        indent = len(line) - len(bare)
        if not bare:
            parents.append(-1)
            continue
        while above and above[-1][0] >= indent:
            above.pop()
        parents.append(above[-1][1] if above else -1)
        above.append((indent, number))
    return parents
