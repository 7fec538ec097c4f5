"""Bootstrap samples of rows that lie on many machines: how often a row is drawn follows from its place alone.

Rows are drawn with replacement, as many as there are, each in proportion to its weight: a row has places, behind those
of the rows before it, and places are drawn. How many draws fall into each block of places is one multinomial draw that
every partition repeats; where they fall in a block, the block's own generator says. So the law is that of the bootstrap
in memory, and partitions do not matter.

Main definitions: ``times_drawn``, ``resampled``, ``placed``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.trees.distributed.histograms import Binned

BLOCK = 1 << 12  # draws, on average


def times_drawn(places: Array, rows: int, seed: int, widths: Any = 1, whole: int | None = None) -> Array:
    """Count how often each row is among ``rows`` draws from ``whole`` places, one a row by default.

    A row has ``widths`` places, the first of which is given.

    Examples
    --------
    >>> every = times_drawn(np.arange(10_000), 10_000, seed=0)
    >>> int(every.sum()), np.array_equal(times_drawn(np.arange(5000, 9000), 10_000, seed=0), every[5000:9000])
    (10000, True)
    """
    whole = rows if whole is None else whole
    length = -(-whole * BLOCK // rows)
    sizes = np.minimum(length, whole - np.arange(0, whole, length))
    draws = np.random.default_rng([seed, 0]).multinomial(rows, sizes / whole)
    found, order = np.zeros(len(places)), np.argsort(places, kind="stable")
    starts = places[order]
    stops = starts + np.broadcast_to(widths, starts.shape)[order]
    for one in _blocks(starts // length, (stops - 1) // length, len(sizes)):
        drawn = np.sort(np.random.default_rng([seed, 1 + one]).integers(0, sizes[one], draws[one])) + one * length
        here = slice(np.searchsorted(stops, one * length, "right"), np.searchsorted(starts, (one + 1) * length))
        found[order[here]] += np.searchsorted(drawn, stops[here]) - np.searchsorted(drawn, starts[here])
    return found


def _blocks(first: Array, last: Array, count: int) -> list[int]:
    """Return the blocks in which some rows have places, from their first to their last."""
    met = np.bincount(first, minlength=count + 1) - np.bincount(last + 1, minlength=count + 1)
    return list(np.flatnonzero(np.cumsum(met)).tolist())


def placed(part: Binned, before: float, unit: float) -> Binned:
    """Return the rows of a partition with the weight before each, in units, in place of its number."""
    assert part.weights is not None
    weights = np.concatenate([[before], part.weights]) / unit
    return replace(part, numbers=np.cumsum(weights)[:-1].astype(np.int64))


def resampled(part: Binned, rows: int, seed: int, unit: float | None = None, whole: int | None = None) -> Binned:
    """Return the rows of a partition with a bootstrap sample for weights; rows that are not drawn weigh 0.

    With a ``unit`` rows are drawn in proportion to their weights.
    """
    widths: Any = 1 if unit is None or part.weights is None else (part.weights / unit).astype(np.int64)
    return replace(part, weights=times_drawn(part.numbers, rows, seed, widths, whole))
