"""The weights of the ranking, by the name of the evidence. Written by `training/ranking/fit.py`.

Fitted on 3478 commits of 60 repositories, November 2026.
"""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "words": 1.048,
    "coverage": 1.678,
    "rarest": -0.349,
    "name": 0.558,
    "meaning": 1.593,
    "used": 0.424,
    "file words": -2.748,
    "file words squared": 1.860,
    "file rank": 0.235,
    "file coverage": 1.255,
    "file rarest": 0.984,
    "file best words": 0.034,
    "file best name": 0.228,
    "file meaning": 0.571,
    "file used": 0.440,
    "file uses": 0.281,
    "path": 0.614,
    "file name": 0.608,
    "history": 0.257,
    "history rank": 1.071,
    "tests": 0.329,
    "length": 0.570,
    "file length": -0.371,
    "is file": 0.285,
    "is class": -0.397,
    "is method": -0.439,
    "is type": -0.717,
    "is constant": 0.035,
    "is block": -1.416,
    "in types": -0.163,
    "in test": -2.720,
    "in docs": -1.891,
    "in requirements": -2.000,
    "in config": -1.148,
    "in example": -2.560,
    "in fixture": -5.034,
    "in changelog": -4.000,
    "in generated": -4.000,
    "in vendored": -4.000,
}
