"""Train the table: python training/semantic/train.py --data DIR --out model.hvm

Two towers share one table; each makes a text's vector of the weighted sum of its terms' vectors, and the asking side
weighs every term by a gain of its own. Contrastive: the other pairs of a batch are the negatives, and a batch is made
of runs of neighbours, so that functions of the same package are among them. Every third step trains the leading
dimensions alone (64 of 256). Seeded: the same data give the same table.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from measure import measured
from vocabulary import Array, Counts, Mined, Side, aliases, load, near_duplicates

from haversack.index.embed import write_model
from haversack.index.terms import term_hash

SEED = 5
COARSE = 64  # leading dimensions that the index reads first
# Neighbours that go into a batch together, of the same file or package: what is asked is which of these it is. In runs
# of 8 the packages for tuning are at .569 (mean of languages), of 32 at .571, of 64 at .574, of 128 at .576.
RUN = 128
COARSE_EVERY = 3  # steps


class Towers(torch.nn.Module):
    """The table and the gains of the asking side."""

    def __init__(self, rows: int, dimensions: int, rarity: Array) -> None:
        super().__init__()
        start = torch.randn(rows, dimensions, generator=torch.Generator().manual_seed(SEED)) / dimensions**0.5
        self.table = torch.nn.EmbeddingBag(rows, dimensions, mode="sum")
        with torch.no_grad():
            self.table.weight.copy_(start * torch.from_numpy(rarity)[:, None])
        self.gains = torch.nn.Embedding(rows, 1)
        torch.nn.init.zeros_(self.gains.weight)
        self.temperature = torch.nn.Parameter(torch.tensor(3.0))

    def code(self, rows: torch.Tensor, weights: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
        return self.table(rows, offsets, per_sample_weights=weights)

    def said(self, rows: torch.Tensor, weights: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
        return self.table(rows, offsets, per_sample_weights=weights * self.gains(rows)[:, 0].exp())


def batches(mined: Mined, size: int, chance: random.Random) -> list[Array]:
    """All pairs once, in batches of runs of neighbours."""
    starts = list(range(0, len(mined), RUN))
    chance.shuffle(starts)
    per = size // RUN
    runs = [np.arange(start, min(start + RUN, len(mined))) for start in starts]
    return [np.concatenate(runs[at : at + per]) for at in range(0, len(runs) - per + 1, per)]


def taken(
    side: Side, rows: Array, numbers: Array, forgotten: float, chance: np.random.Generator
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Rows, weights and offsets of some texts; a share of their terms is forgotten, so that the others learn to do."""
    starts, ends = side.offsets[numbers], side.offsets[numbers + 1]
    sizes = ends - starts
    offsets = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    at = np.arange(int(sizes.sum())) + np.repeat(starts - offsets, sizes)
    weights = side.weights[at] * (chance.random(len(at), dtype=np.float32) >= forgotten)
    return torch.from_numpy(rows[at]), torch.from_numpy(weights), torch.from_numpy(offsets)


def loss_of(asked: torch.Tensor, found: torch.Tensor, scale: torch.Tensor, same: torch.Tensor) -> torch.Tensor:
    """How far each saying is from its code against all other code of the batch, and the other way round."""
    near = torch.nn.functional.normalize(asked, dim=1) @ torch.nn.functional.normalize(found, dim=1).T
    near = (near * scale).masked_fill(same, -1e4)
    wanted = torch.arange(len(near))
    return (torch.nn.functional.cross_entropy(near, wanted) + torch.nn.functional.cross_entropy(near.T, wanted)) / 2


def identity(side: Side) -> Array:
    """A number for each text: equal texts are not each other's negatives."""
    mixed = (side.hashes.view(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(7)
    return np.add.reduceat(mixed, side.offsets[:-1])


def rows_for(side: Side, hashes: Array, rows: Array, buckets: int, known: int) -> Array:
    """Each term's row, as CodeModel looks them up."""
    at = np.searchsorted(hashes, side.hashes)
    at[at == len(hashes)] = 0
    shared = known + buckets - 1 - (side.hashes & np.int64(buckets - 1))
    return np.where(hashes[at] == side.hashes, rows[at], shared).astype(np.int64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--name", default="haversack-code-2")
    parser.add_argument("--words", type=int, default=40_000)
    parser.add_argument("--buckets", type=int, default=2_048)
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--epochs", type=float, default=4.0)
    parser.add_argument("--batch", type=int, default=1_024)
    parser.add_argument("--rate", type=float, default=4e-3)
    parser.add_argument("--forgotten", type=float, default=0.15, help="share of terms left out of a text at each step")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=60.0, help="stop after this long, whatever is left")
    options = parser.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(options.threads)
    started = time.monotonic()
    counts = Counts()
    mined = load(options.data / "train", counts)
    if len(mined) < RUN:
        raise SystemExit(f"{options.data / 'train'} holds {len(mined)} pairs: run mine.py first")
    options.batch = min(options.batch, len(mined) // RUN * RUN)
    tune = load(options.data / "tune")
    kept_back = [tune, load(options.data / "evaluate")]
    too_near = np.zeros(len(mined), dtype=bool)
    for other in kept_back:
        too_near |= near_duplicates(mined.code, other.code) | near_duplicates(mined.said, other.said, alike=0.95)
    words = counts.chosen(options.words)
    hash_of = {term_hash(word): row for row, word in enumerate(words)}
    for word, row in aliases(words).items():
        hash_of.setdefault(term_hash(word), row)
    hashes = np.asarray(sorted(hash_of), dtype=np.int64)
    rows = np.asarray([hash_of[int(each)] for each in hashes], dtype=np.int64)
    frequency = np.asarray([counts.texts[word] for word in words] + [20] * options.buckets, dtype=np.float32)
    rarity = np.log(2 * len(mined) / frequency).clip(0.5).astype(np.float32)
    rarity[len(words) :] /= 3  # what shares a row with others says little
    towers = Towers(len(frequency), options.dimensions, rarity / 8)
    report = {"pairs": len(mined), "too near to what is kept back": int(too_near.sum()), "words": len(words),
              "kinds": dict(Counter(mined.names["kind"][k] for k in mined.columns["kind"])),
              "languages": dict(Counter(mined.names["lang"][k] for k in mined.columns["lang"])),
              "packages": len(mined.names["package"])}  # fmt: skip
    print(json.dumps(report), f"{time.monotonic() - started:.0f} s", flush=True)
    said_rows, code_rows = (
        rows_for(side, hashes, rows, options.buckets, len(words)) for side in (mined.said, mined.code)
    )
    said_is, code_is = identity(mined.said), identity(mined.code)
    # Fused and dense: for a table of this size five times faster than the sparse one.
    optimiser = torch.optim.Adam(
        [{"params": [towers.table.weight, towers.gains.weight]}, {"params": [towers.temperature], "lr": 1e-2}],
        fused=True,
    )
    chance, dice = random.Random(SEED), np.random.default_rng(SEED)
    step, total = 0, int(options.epochs * (len(mined) // options.batch))
    recent: list[float] = []
    while step < total:
        for numbers in batches(mined, options.batch, chance):
            numbers = numbers[~too_near[numbers]]
            rate = options.rate * min(1.0, (step + 1) / 50) * max(0.05, 1 - step / total)
            optimiser.param_groups[0]["lr"] = rate
            asked = towers.said(*taken(mined.said, said_rows, numbers, options.forgotten, dice))
            found = towers.code(*taken(mined.code, code_rows, numbers, options.forgotten, dice))
            same = (said_is[numbers][:, None] == said_is[numbers]) | (code_is[numbers][:, None] == code_is[numbers])
            np.fill_diagonal(same, val=False)
            hidden, scale = torch.from_numpy(same), towers.temperature.exp().clamp(max=60)
            width = options.dimensions if step % COARSE_EVERY else COARSE
            loss = loss_of(asked[:, :width], found[:, :width], scale, hidden)
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            recent.append(float(loss.detach()))
            step += 1
            if step % 100 == 0 or step >= total:
                told = f"step {step}/{total} loss {np.mean(recent[-200:]):.4f} scale {scale.item():.1f}"
                print(told, f"{time.monotonic() - started:.0f} s", flush=True)
            if step >= total or time.monotonic() - started > options.minutes * 60:
                total = min(total, step)
                break
        if step >= total or step % (3 * (len(mined) // options.batch)) < 2:
            save(options, towers, hashes, rows)
            if len(tune):
                print(json.dumps(measured(tune, options.out)), flush=True)


def save(options: argparse.Namespace, towers: Towers, hashes: Array, rows: Array) -> None:
    """The table as the package ships it: int8, one scale a row."""
    table = towers.table.weight.detach().numpy()
    scales = np.abs(table).max(axis=1) / 127
    vectors = np.rint(table / np.maximum(scales, 1e-12)[:, None]).astype(np.int8)
    gains = np.exp(towers.gains.weight.detach().numpy()[:, 0])
    columns = {"hashes": hashes, "rows": rows, "vectors": vectors, "scales": scales, "gains": gains}
    write_model(options.out, options.name, options.buckets, columns)


if __name__ == "__main__":
    main()
