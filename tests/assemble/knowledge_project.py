"""A project with knowledge of every kind."""

from __future__ import annotations

from pathlib import Path

RULES = ["Never commit secrets", "Ask before you delete", "Every change has a test"]
MODULES = ("parser", "network", "storage", "billing", "search", "journal", "webhook", "scheduler")


def make(root: Path, *, entries: int = 8) -> Path:
    """Write the project; the more entries, the longer its files."""
    context = root / ".context"
    context.mkdir(parents=True)
    (context / "CONSTITUTION.md").write_text(
        "# Constitution\n\n## Rules\n\n" + "".join(f"- [ ] {rule}\n" for rule in RULES)
    )
    tasks = "".join(
        f"- [ ] Make the {MODULES[n % 8]} part number {n} faster #added:2026-01-{n % 27 + 1:02}-100000\n"
        for n in range(entries)
    )
    (context / "TASKS.md").write_text(
        "# Tasks\n\n## Phase 1\n\n- [ ] Retry failed webhook deliveries #in-progress\n- [x] Done already\n"
        f"- [ ] Outer\n  - [ ] Inner part\n{tasks}"
    )
    (context / "CONVENTIONS.md").write_text(
        "# Conventions\n\n" + "".join(f"- In {name} names are short\n" for name in MODULES)
    )
    for file, kind, field in (("DECISIONS", "Decide", "Decision"), ("LEARNINGS", "Learn", "Lesson")):
        text = "".join(
            f"## [2026-03-{n % 27 + 1:02}-{n % 24:02}{n % 60:02}00] {kind} about the {MODULES[n % 8]} {n}\n\n"
            f"**Status**: Accepted\n\n**{field}**: The {MODULES[n % 8]} module keeps its own queue number {n}, "
            f"because the others were too slow for it in practice.\n\n---\n\n"
            for n in range(entries)
        )
        (context / f"{file}.md").write_text(f"# {file.title()}\n\n{text}")
    with (context / "DECISIONS.md").open("a") as file_:
        file_.write("## [2026-01-01] Old way of webhooks\n\n**Status**: Superseded by something\n")
    (root / "docs/adr").mkdir(parents=True)
    (root / "docs/adr/0001-use-queues.md").write_text(
        "# 1. Use queues\n\n## Status\n\nAccepted\n\n## Decision\n\nYes.\n"
    )
    return root
