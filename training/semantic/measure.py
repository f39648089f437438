"""How well a table finds: mean reciprocal rank of the right code among all code of its package."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
from vocabulary import Array, Mined, Side

from haversack.index.embed import CodeModel

CUT = 10  # ranks after this count as not found


def vectors(model: CodeModel, side: Side, *, asked: bool) -> Array:
    """A row for each text, as the index would make it."""
    rows, scales = model.looked_up(side.hashes)
    weights = side.weights * scales * (model.gains[rows] if asked else 1.0)
    return model.summed(rows, weights, np.diff(side.offsets).tolist())


def measured(mined: Mined, path: Path) -> dict[str, float]:
    """MRR@10 by kind of pair, over packages, in full and with the leading 64 dimensions."""
    model = CodeModel(path)
    said, code = vectors(model, mined.said, asked=True), vectors(model, mined.code, asked=False)
    found: dict[str, list[float]] = defaultdict(list)
    for package in np.unique(mined.columns["package"]):
        inside = np.flatnonzero(mined.columns["package"] == package)
        _, first, corpus_at = np.unique(code[inside], axis=0, return_index=True, return_inverse=True)
        corpus = code[inside][first]
        for width in (code.shape[1], 64):
            near = said[inside, :width] @ corpus[:, :width].T
            own = near[np.arange(len(inside)), corpus_at.ravel()]
            ranks = (near > own[:, None] + 1e-6).sum(axis=1) + 1
            scores = np.where(ranks <= CUT, 1 / ranks, 0.0)
            for kind in np.unique(mined.columns["kind"][inside]):
                mine = mined.columns["kind"][inside] == kind
                name = mined.names["kind"][kind] + ("" if width > 64 else " (64)")
                found[name] += scores[mine].tolist()
    return {name: round(float(np.mean(values)), 4) for name, values in sorted(found.items())}
