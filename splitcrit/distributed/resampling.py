"""Bootstrap samples of rows that lie on many machines: how often a row is drawn follows from its number alone.

Rows are drawn with replacement, as many as there are. How many draws fall into each block of rows is one multinomial
draw that every partition repeats; where they fall in a block, the block's own generator says. So the law is that of
the bootstrap in memory, and partitions do not matter.

Main definitions: ``times_drawn``, ``resampled``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.distributed.histograms import Binned

Array = NDArray[Any]
BLOCK = 1 << 12  # rows


def times_drawn(numbers: Array, rows: int, seed: int) -> Array:
    """Return how often rows with these numbers are among ``rows`` draws from all ``rows``.

    Examples
    --------
    >>> every = times_drawn(np.arange(10_000), 10_000, seed=0)
    >>> int(every.sum()), np.array_equal(times_drawn(np.arange(5000, 9000), 10_000, seed=0), every[5000:9000])
    (10000, True)
    """
    sizes = np.minimum(BLOCK, rows - np.arange(0, rows, BLOCK))
    draws = np.random.default_rng([seed, 0]).multinomial(rows, sizes / rows)
    found, order = np.zeros(len(numbers)), np.argsort(numbers, kind="stable")
    blocks, starts = np.unique(numbers[order] // BLOCK, return_index=True)
    for one, here in zip(blocks.tolist(), np.split(order, starts[1:]), strict=False):  # no rows: one empty piece
        drawn = np.random.default_rng([seed, 1 + one]).integers(0, sizes[one], draws[one])
        found[here] = np.bincount(drawn, minlength=BLOCK)[numbers[here] - one * BLOCK]
    return found


def resampled(part: Binned, rows: int, seed: int) -> Binned:
    """Return the rows of a partition with a bootstrap sample for weights; rows that are not drawn weigh 0."""
    return replace(part, weights=times_drawn(part.numbers, rows, seed))
