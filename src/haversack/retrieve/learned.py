"""The weights of the ranking, by the name of the evidence. Written by `training/ranking/fit.py`, not by hand.

Fitted on 937 commits of 20 repositories, November 2026.
"""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "words": 1.899,
    "coverage": 1.591,
    "rarest": 0.233,
    "name": 0.882,
    "meaning": 0.593,
    "used": 0.513,
    "file words": -2.301,
    "file words squared": 0.855,
    "file rank": 0.582,
    "file coverage": 1.107,
    "file rarest": 0.502,
    "file best words": 0.414,
    "file best name": 0.060,
    "file meaning": 0.384,
    "file used": 0.671,
    "file uses": 0.397,
    "path": 0.570,
    "file name": 0.880,
    "history": 0.471,
    "history rank": 0.792,
    "tests": 0.338,
    "length": 0.583,
    "file length": -0.477,
    "is file": 0.235,
    "is class": -0.485,
    "is method": -0.249,
    "is type": -0.657,
    "is constant": 0.040,
    "is block": -1.086,
    "in types": 0.571,
    "in test": -2.910,
    "in docs": -4.113,
    "in requirements": 0.000,
    "in config": -0.089,
    "in example": -1.457,
    "in fixture": -4.843,
    "in changelog": 0.000,
    "in generated": -3.442,
    "in vendored": 2.080,
}
