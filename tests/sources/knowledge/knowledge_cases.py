"""Small knowledge files that show each form, and a reader for them."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime

from haversack.model import Role, Unit
from haversack.sources.knowledge import KnowledgeSource
from haversack.sources.protocol import TextFile

WRITTEN = datetime(2026, 8, 1, tzinfo=UTC).timestamp()


def read(text: str, name: str, *, written: float = WRITTEN) -> list[Unit]:
    """The units of a text as if it stood in the knowledge folder under that name."""
    path = f".context/{name}"
    size = len(text.encode("utf-8", "surrogatepass"))
    file = TextFile(path, text, "markdown", Role.DOCS, size, int(written * 1e9), "digest")
    return list(KnowledgeSource().units(file))


def kinds(units: list[Unit]) -> Counter[str]:
    return Counter(unit.kind for unit in units if unit.kind != "file")


def of_kind(units: list[Unit], kind: str) -> list[Unit]:
    return [unit for unit in units if unit.kind == kind]


DECISIONS = """# Decisions

<!-- INDEX:START -->
| Date | Decision |
|------|----------|
| 2026-07-25 | Keep one key |
<!-- INDEX:END -->

<!-- The form of an entry:
## [YYYY-MM-DD] Example that is no entry
**Status**: Accepted
-->

## [2026-07-25-190410] Keep one key per machine

**Status**: Accepted

**Context**: Keys were stored beside the data,
and copied with it.

**Decision**: One key per machine.

**Rationale**: Fewer places to look.

**Consequences**: The old folder is gone.

**Alternatives Considered**: A key per project.

**Related**: [2026-01-20]

---

## [2026-01-20] A key per project

**Status**: Superseded by [2026-07-25] Keep one key per machine

**Context**: Before.

---

## [2026-02-01-080000] Hooks write logs

**Status**: Superseded (removed in 0.4)

## [2026-02-02-080000] Colours in the terminal

> **Superseded** (2026-02-17): symbols are enough

**Context**: Old.

## [2026-02-03-080000] Plural rules in code #superseded:2026-03-01

**Context**: Old.

## [2026-02-04-080000] Sessions in one file

~~Superseded by one file per session~~

## [2026-02-05-080000] Proposed thing

**Status**: Proposed

## [2026-02-06-080000] Deprecated thing

**Status**: Deprecated
"""

TASKS = """# Tasks

<!--
- [ ] a legend, no task
-->

## Phase 1: Input

What this phase is about.

- [ ] Clean session ids before they become paths and
  keep the first eight characters
  of them #priority:high
  #added:2026-03-21-103412 #in-progress
- [x] Read the file once #done:2026-03-22
* [-] Move the folder — superseded by Phase 2

  A paragraph that still belongs to it.

A sentence between tasks.

### Phase 1b

- [ ] Outer task
  - a remark in it
  - [ ] Inner task #blocked
  - [x] Inner done
- plain remark, no task

```
- [ ] code, no task
```
"""
