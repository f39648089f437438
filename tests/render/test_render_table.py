"""The allocation table: aligned at any width, with wide characters, and in plain ASCII."""

from __future__ import annotations

import pytest

from haversack.render.table import Allocation, AllocationRow, AllocationSection, allocation_table, cell_width, fit_cell

ROWS = (
    AllocationRow("src/api/auth/oauth.ts:1-120", "full", 2500, 0.95),
    AllocationRow("문서/보안/아주-긴-이름을-가진-설계-문서-그리고-더-긴-이름.md", "detailed", 800, 0.7),
    AllocationRow("decision: use RS256 \u202e", "summary", 12, None),
)
TABLE = Allocation(
    task="Add OAuth 2.1 support to API client",
    model="claude-opus",
    counter="o200k",
    total=100_000,
    reserved_output=8000,
    reserved_system=2000,
    available=90_000,
    sections=(
        AllocationSection("Primary context", 0.5, 45_000, ROWS),
        AllocationSection("Reference context", None, 13_500, ()),
        AllocationSection("Pinned", None, None, ROWS[:1]),
        AllocationSection("History", 0.02, 2_000, ROWS[:1]),
    ),
    used=8400,
    efficiency="High",
    fits=True,
    status="Within budget, no overflow handling needed",
)


def boxes(text: str, bars: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()[:1] in bars and line.strip()]


def test_the_table_reads_like_this() -> None:
    text = allocation_table(TABLE)
    assert text.startswith("=" * 80 + "\n" + " " * 27 + "CONTEXT BUDGET ALLOCATION\n")
    for line in (
        'Task: "Add OAuth 2.1 support to API client"',
        "Model: claude-opus",
        "Total Budget: 100,000 tokens (counter o200k)",
        "  - Output generation: 8,000 tokens",
        "  - System prompts: 2,000 tokens",
        "  - Available: 90,000 tokens",
        "PRIMARY CONTEXT (50% = 45,000 tokens):",
        "  │ File                                       │ Level    │ Tokens │ Relevance │",
        "  │ src/api/auth/oauth.ts:1-120                │ full     │ 2,500  │ 0.95      │",
        "  │ decision: use RS256 \\u202e                 │ summary  │ 12     │           │",
        "  Subtotal: 3,312 tokens (7% of allocation)",
        "REFERENCE CONTEXT (13,500 tokens):",
        "  (nothing)",
        "HISTORY (2% = 2,000 tokens):",
        "  Subtotal: 2,500 tokens (125% of allocation, from what others left)",
        "PINNED:",
        "  Subtotal: 2,500 tokens",
        "  Total Used: 8,400 tokens (88 of them headings and footer)",
        "  Utilization: 9.3%",
        "Status: ✓ Within budget, no overflow handling needed",
    ):
        assert line in text.splitlines(), line


@pytest.mark.parametrize("width", [10, 48, 61, 80, 133])
def test_every_line_of_a_box_has_the_same_width(width: int) -> None:
    text = allocation_table(TABLE, width=width)
    widths = {cell_width(line) for line in boxes(text, "┌│├└")}
    assert widths == {max(48, width)}


def test_plain_terminals_get_plain_ascii() -> None:
    text = allocation_table(TABLE, width=60, ascii_only=True)
    assert text.isascii()
    assert {len(line) for line in boxes(text, "+|")} == {60}
    assert "Status: ok Within budget" in text


def test_a_long_task_is_cut_at_the_edge_and_no_budget_is_no_division() -> None:
    from msgspec.structs import replace

    text = allocation_table(replace(TABLE, task="漢字" * 200, model="", available=0, fits=False))
    assert all(cell_width(line) <= 80 for line in text.splitlines())
    assert "Model:" not in text
    assert "Utilization: none available" in text
    assert "Status: ✗" in text


def test_a_path_keeps_both_its_ends() -> None:
    assert fit_cell("src/deep/folder/name/login.py", 15) == "src/…e/login.py"
    assert fit_cell("한글", 6) == "한글  "
    assert cell_width(fit_cell("漢字漢字漢字", 6)) == 6
    assert cell_width("e\u0301") == 1
