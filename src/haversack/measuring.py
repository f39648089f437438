"""What a project can tell of haversack: recall on its own past commits, and weights fitted to them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from haversack.api import Haversack
    from haversack.evaluate.recall import Evaluation
    from haversack.evaluate.tune import Tuning

WEIGHTS_FILE = "ranking.json"


class Measuring:
    """The part of `Haversack` that measures and tunes."""

    _learned: Mapping[str, float] | None = None

    @property
    def learned(self) -> Mapping[str, float]:
        """The weights of the ranking: this project's own if it was tuned, else those that ship."""
        if self._learned is None:
            from haversack.retrieve.learned import LAST

            own = _read(self._weights_file)
            # Weights of other evidence than today's belong to another version: they say nothing here.
            self._learned = own if own.keys() == LAST.weights.keys() else LAST.weights
        return self._learned

    @learned.setter
    def learned(self, weights: Mapping[str, float]) -> None:
        self._learned = weights

    def evaluate(self, *, commits: int | None = None, budgets: Sequence[int] | None = None) -> Evaluation:
        """Recall on the newest commits that say what they do, each against the project as of its parent."""
        from haversack.evaluate.recall import BUDGETS, COMMITS, evaluate

        now = cast("Haversack", self)
        return evaluate(now, commits=commits or COMMITS, budgets=budgets or BUDGETS, progress=now.progress)

    def tune(self, *, commits: int | None = None) -> Tuning:
        """Fit the ranking to older commits, check it on newer ones, and keep it only if it is better."""
        from haversack.evaluate.tune import COMMITS, tune

        now = cast("Haversack", self)
        tuned = tune(now, commits=commits or COMMITS, progress=now.progress)
        if tuned.kept:
            self._weights_file.write_text(json.dumps(dict(tuned.weights), indent=1), encoding="utf-8")
            self._learned = tuned.weights
        return tuned

    def untune(self) -> bool:
        """Back to the weights that ship; says whether there were others."""
        had = self._weights_file.exists()
        self._weights_file.unlink(missing_ok=True)
        self._learned = None
        return had

    @property
    def _weights_file(self) -> Path:
        return cast("Haversack", self).folder / WEIGHTS_FILE


def _read(path: Path) -> dict[str, float]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    numbers = found if isinstance(found, dict) else {}
    return {str(name): float(value) for name, value in numbers.items() if isinstance(value, int | float)}
