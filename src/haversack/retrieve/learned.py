"""The weights of the ranking, by the name of the evidence. Written by `training/ranking/fit.py`, not by hand."""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {}
