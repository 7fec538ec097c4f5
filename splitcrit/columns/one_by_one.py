"""Scores that go through tables of counts one at a time, as criteria that score a batch.

Main definitions: ``integer_tables``, ``on_counts``, ``seeded``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arith import FLOAT, Arithmetic, Irrational
from splitcrit.data.counting import EXACT_FLOAT
from splitcrit.frozen import complaint
from splitcrit.table import Table
from splitcrit.table.array_counts import as_floats


def integer_tables(t: Any, m: Arithmetic, name: str) -> tuple[Array, tuple[int, ...]]:
    """Return a batch given class-first as int64 counts ``(b, r, k)``, and its shape.

    Raises
    ------
    splitcrit.arith.Irrational
        If the arithmetic is not that of floats.
    ValueError
        If a count is fractional or negative: labels that are permuted are counted. If a total is 2^53 or more, where
        floats are no counts any more and the score of a random order is lost in their rounding.
    """
    if m is not FLOAT:
        raise Irrational(complaint(f"{m.name} has no {name}", "a score of random orders", "score it in FLOAT"))
    cells = np.stack([np.asarray(row, dtype=float) for row in t])
    flat = np.moveaxis(cells.reshape(*cells.shape[:2], -1), -1, 0)
    if (most := flat.sum(axis=(1, 2)).max(initial=0.0)) >= EXACT_FLOAT:
        raise ValueError(complaint(f"{name} scores fewer than 2**53 observations", f"{most:.4g}", "take sgini, of any"))
    with np.errstate(invalid="ignore"):
        counts = np.floor(flat).astype(np.int64)
    if (counts != flat).any() or (counts < 0).any():
        bad = flat[(counts != flat) | (counts < 0)][0]
        raise ValueError(complaint(f"{name} permutes labels, which are counted", f"{bad:g}", "pass integer counts"))
    return counts, cells.shape[2:]


def on_counts(score: Any, table: Table) -> Any:
    """Return the score of counts: a float of one table, an array of a batch."""
    found = score(as_floats(Table.of(table.integers()).cells), FLOAT)
    return float(found) if np.ndim(found) == 0 else found


def seeded(seed: int, counts: Array) -> np.random.Generator:
    """Return a generator that depends on the seed and the counts alone, so that a table has one score."""
    return np.random.default_rng([seed, *counts.shape, *counts.ravel().tolist()])
