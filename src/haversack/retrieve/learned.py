"""The weights of the ranking, by the name of the evidence. Written by `training/ranking/fit.py`.

Fitted on 1228 commits of 29 repositories, November 2026.
"""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "words": 1.051,
    "coverage": 1.729,
    "rarest": -0.004,
    "name": 0.667,
    "meaning": 1.259,
    "used": 0.360,
    "file words": -3.247,
    "file words squared": 1.719,
    "file rank": 0.293,
    "file coverage": 0.795,
    "file rarest": 0.910,
    "file best words": 0.625,
    "file best name": 0.064,
    "file meaning": 1.034,
    "file used": 0.386,
    "file uses": 0.220,
    "path": 0.498,
    "file name": 0.691,
    "history": 0.712,
    "history rank": 0.645,
    "tests": 0.342,
    "length": 0.538,
    "file length": -0.458,
    "is file": 0.238,
    "is class": -0.219,
    "is method": -0.279,
    "is type": -0.638,
    "is constant": 0.138,
    "is block": -0.704,
    "in types": 0.824,
    "in test": -2.789,
    "in docs": -4.375,
    "in requirements": -2.000,
    "in config": -0.727,
    "in example": -1.709,
    "in fixture": -5.468,
    "in changelog": -4.000,
    "in generated": -4.000,
    "in vendored": -4.000,
}
