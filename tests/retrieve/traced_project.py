"""A committed project whose knowledge and code speak of each other."""

from __future__ import annotations

import subprocess
from pathlib import Path

FILES = {
    "src/shop/login.py": (
        '"""Signing in."""\n\n# @implements: @.aiwg/requirements/UC-001-login.md\n\n\n'
        'class Gate:\n    """Lets people in."""\n\n    def open_gate(self) -> bool:\n        return True\n\n\n'
        "def redirect_target(wanted: str) -> str:\n    # see ADR-0002\n    return wanted or '/'\n"
    ),
    "src/shop/old_cart.py": "def sum_cart() -> int:\n    return 0\n",
    "src/shop/basket.py": (
        "# SHOP-12: sums are rounded, see also acme/shop#3\n# and @docs/SHOP-12-rounding.md#how-much\n"
        "def round_sum() -> int:\n    return 0\n"
    ),
    "docs/SHOP-12-rounding.md": "# Rounding\n\nHow src/shop/basket.py rounds. UTF-8 is no ticket.\n\n"
    "## How much?\n\nTo the cent, see @docs/SHOP-12-rounding.md#gone.\n",
    "docs/adr/0001-use-files.md": "# 1. Use files\n\n## Status\n\nAccepted\n",
    "docs/adr/0002-redirects.md": "# 2. Redirects\n\n## Status\n\nAccepted\n",
    ".aiwg/requirements/UC-001-login.md": "# UC-001 Login\n\n@tests @tests/test_login.py\n\nPeople sign in.\n",
    "tests/test_login.py": "def test_nothing() -> None:\n    pass\n",
    ".context/DECISIONS.md": (
        "# Decisions\n\n## [2026-03-01-100000] Redirects stay on the site\n\n**Status**: Accepted\n\n"
        "**Decision**: redirect_target() never leaves the site.\n\n---\n\n"
        "## [2026-03-02-100000] Carts are summed late\n\n**Decision**: see `src/shop/old_cart.py`.\n\n---\n\n"
        "## [2026-03-03-100000] Gates\n\n**Decision**: `Gate.close_gate()` is called at night.\n\n---\n\n"
        "## [2026-03-04-100000] Sums\n\n**Decision**: sum_cart is the only way; made_up_name is not.\n"
    ),
    ".context/LEARNINGS.md": "## [2026-03-01] Signing in is slow\n\n**Lesson**: measure src/shop/login.py. See #7.\n",
    ".context/TASKS.md": (
        "- [ ] Speed up login.py\n- [ ] Write src/shop/new_file.py\n- [ ] Fix #7\n"
        "- [ ] Prove SHOP-12 right\n- [ ] Answer acme/shop#3\n"
    ),
    "README.md": "# Shop\n\nSee [the guide](docs/guide.md), @docs/gone.md, ADR-0009, me@example.org and @decorator.\n",
}


def make(root: Path) -> Path:
    """Write and commit it, then delete a file the knowledge still speaks of."""
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "Sign people in\n\nFixes #7, follows ADR-1.\n\nctx-context: decision:2, task:99")
    (root / "src/shop/old_cart.py").unlink()
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Remove the old cart")
    return root


def git(root: Path, *args: str) -> None:
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, *args], cwd=root, check=True)
