"""Mean and standard deviation by chance of the scores of very many thresholds, for two classes.

A threshold divides ``n`` labels, ``b`` of them of the first class, into ``m`` and ``n - m``; one hypergeometric count
says all of its table, so that any criterion has moments that are sums over that count. They depend on ``n``, ``b`` and
``m`` alone: what one feature of a node needs is known to the others.

Main definitions: ``ThresholdMoments``, ``likely_counts``.
Main results: a count is left out where it and all beyond are less likely than 1e-20 of the likeliest. The law is
log-concave, so that these have a chance below ``2e-20 / (1 - q)``, q being the last ratio of neighbours.
"""

from __future__ import annotations

import numpy as np

from splitcrit.arguments import Array
from splitcrit.arith import FLOAT, shares
from splitcrit.criteria import Criterion
from splitcrit.nulls import corner
from splitcrit.nulls.score_moments import NOISE

BITS = 21  # of each of n, b and m in one integer
MOST = 1 << 20  # thresholds that are remembered
PAIRS = 1 << 18  # counts that are scored at a time
LIKELY = 1e-20  # of the likeliest count of a threshold: counts that are less likely are left out


def likely_counts(n: Array, ones: Array, sizes: Array) -> tuple[Array, Array, Array]:
    """Return the start of the counts of each table, counts of the first class among its first row, and their chances.

    Examples
    --------
    >>> starts, x, p = likely_counts(np.array([6]), np.array([3]), np.array([2]))
    >>> starts.tolist(), x.tolist(), p.round(12).tolist()
    ([0, 3], [0, 1, 2], [0.2, 0.6, 0.2])
    """
    first, last = corner.window(n, ones, sizes, exact=False)
    chances = corner.chances(n, ones, sizes, first, last, 1.0)
    likely = chances > LIKELY * chances.max(axis=1, keepdims=True)
    counts = first[:, None] + np.arange(chances.shape[1])
    return np.append(0, likely.sum(axis=1).cumsum()), counts[likely], chances[likely]


class ThresholdMoments:
    """The moments of a criterion at thresholds, remembered by ``n``, ``b`` and ``m``."""

    def __init__(self, criterion: Criterion) -> None:
        self.criterion = criterion
        self.known = np.zeros(0, np.int64), np.zeros(0), np.zeros(0)  # sorted keys, means, standard deviations

    def of(self, n: Array, ones: Array, sizes: Array) -> tuple[Array, Array]:
        """Return mean and standard deviation of thresholds, int64 arrays below ``2**21``; 0 where nothing can vary."""
        if self.criterion.impurity is not None:
            sizes = np.minimum(sizes, n - sizes)  # to a decrease the rows are alike
        keys, means, spreads = self.known
        packed: Array = (n << 2 * BITS) | (ones << BITS) | sizes
        asked, place = np.unique(packed, return_inverse=True)
        new = asked[~np.isin(asked, keys, assume_unique=True)]
        if len(new):
            found = self._computed(new >> 2 * BITS, (new >> BITS) & (1 << BITS) - 1, new & (1 << BITS) - 1)
            if len(keys) + len(new) > MOST:
                keep = np.isin(keys, asked, assume_unique=True)
                keys, means, spreads = keys[keep], means[keep], spreads[keep]
            joined = [np.concatenate(pair) for pair in zip((keys, means, spreads), (new, *found), strict=True)]
            order = np.argsort(joined[0], kind="stable")
            keys, means, spreads = (part[order] for part in joined)
            self.known = keys, means, spreads
        at = np.searchsorted(keys, asked)[place]
        return means[at], spreads[at]

    def _computed(self, n: Array, ones: Array, sizes: Array) -> tuple[Array, Array]:
        means, spreads = np.zeros((2, len(n)))
        varies = np.flatnonzero((sizes > 0) & (sizes < n) & (ones > 0) & (ones < n))
        wide = np.cumsum(np.minimum(np.minimum(sizes, ones), 20 * np.sqrt(sizes) + 60)[varies])
        for part in np.split(varies, np.searchsorted(wide, np.arange(PAIRS, wide[-1] if len(wide) else 0, PAIRS))):
            if len(part):
                means[part], spreads[part] = self._block(n[part], ones[part], sizes[part])
        return means, spreads

    def _block(self, n: Array, ones: Array, sizes: Array) -> tuple[Array, Array]:
        starts, x, p = likely_counts(n, ones, sizes)
        owner = np.repeat(np.arange(len(n)), np.diff(starts))
        m, b = sizes[owner], ones[owner]
        cells = [np.stack([x, m - x]), np.stack([b - x, n[owner] - m - b + x])]
        scores = np.asarray(self.criterion.of_floats([cell.astype(float) for cell in cells]), dtype=float)
        mean = np.add.reduceat(p * scores, starts[:-1])
        apart = scores - mean[owner]
        spread = np.sqrt(np.add.reduceat(p * apart * apart, starts[:-1]))
        size = np.maximum.reduceat(np.abs(scores), starts[:-1])
        if (impurity := self.criterion.impurity) is not None:
            node = np.stack([ones, n - ones]).astype(float)
            size = np.maximum(size, np.abs(impurity.of_floats(shares(node, node.sum(axis=0), FLOAT))))
        return mean, np.where(spread > NOISE * size, spread, 0.0)
