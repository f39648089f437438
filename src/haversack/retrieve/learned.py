"""The weights of the ranking, by the name of the evidence. Written by `training/ranking/fit.py`.

Fitted on 1014 commits of 24 repositories, November 2026.
"""

from __future__ import annotations

from collections.abc import Mapping

WEIGHTS: Mapping[str, float] = {
    "words": 1.168,
    "coverage": 1.757,
    "rarest": -0.117,
    "name": 0.507,
    "meaning": 1.703,
    "used": 0.372,
    "file words": -3.645,
    "file words squared": 1.930,
    "file rank": 0.242,
    "file coverage": 0.751,
    "file rarest": 1.073,
    "file best words": 0.523,
    "file best name": 0.081,
    "file meaning": 0.778,
    "file used": 0.520,
    "file uses": 0.353,
    "path": 0.600,
    "file name": 0.621,
    "history": 0.860,
    "history rank": 0.480,
    "tests": 0.375,
    "length": 0.527,
    "file length": -0.474,
    "is file": 0.139,
    "is class": -0.298,
    "is method": -0.246,
    "is type": -0.736,
    "is constant": 0.170,
    "is block": -0.970,
    "in types": 0.975,
    "in test": -2.691,
    "in docs": -4.364,
    "in requirements": -2.000,
    "in config": -0.737,
    "in example": -1.723,
    "in fixture": -5.042,
    "in changelog": -4.000,
    "in generated": -4.000,
    "in vendored": -4.000,
}
