"""What a gain amounts to by chance: mean and variance of any decrease of impurity over random orders of the labels.

Main definitions: ``gain_moments`` (a ``GainMoments``), ``seeded_moments``.
Main results: a decrease that is a sum over cells, as of every impurity that is a sum over classes and of every
impurity of two classes, has the moments of `splitcrit.nulls.null_moments`. Others (misclassification, NE and GCE of
three classes or more) are sums over rows: if every row were drawn independently from the class proportions, the tables
whose class totals come out right would have the law of permuted labels. So the sums over rows of a statistic, with
their first two moments, are convolutions over the class counts of all classes but the largest; no table is listed.
Source: wang2024, eqs. (16), (18).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from typing import Any, final

import numpy as np

from splitcrit.arguments import Array, generator, of_kind, whole
from splitcrit.arith import FLOAT, shares, total
from splitcrit.criteria import decrease
from splitcrit.display import shortened
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity, entropy, gini
from splitcrit.nulls import gini_null
from splitcrit.nulls.margin_totals import margins, present
from splitcrit.nulls.monte_carlo import random_tables
from splitcrit.nulls.score_moments import cell_moments

Totals = tuple[int, ...]
LARGEST = 200_000  # cells of the class counts that are convolved; beyond that random tables are drawn
STEPS = 2 * 10**8  # of sums over cells: about a second of compiled code
SAMPLES = 1000
ROUNDING = 1e-13  # of the impurity of the node: a gain below it is 0
NOISE = 1e-10  # a variance that is less of the sum of squares is what rounding leaves of 0


@final
@dataclass(frozen=True, repr=False)
class GainMoments:
    """Mean and variance of a gain under permutations, and where the variance is from.

    Parameters
    ----------
    mean, variance
        In the unit of the gain and its square.
    method
        ``"formula"``, ``"corners"`` or ``"convolution"`` (exact but for rounding), or ``"monte_carlo"``.
    standard_error
        The standard error of a Monte Carlo variance, None elsewhere.

    Examples
    --------
    >>> from splitcrit import gini
    >>> found = gain_moments([3, 4], [4, 3], gini)
    >>> round(found.mean, 6), found.method
    (0.081633, 'formula')
    """

    mean: float
    variance: float
    method: str
    standard_error: float | None = None

    __repr__ = shortened


def gain_moments(
    row_totals: Sequence[int], column_totals: Sequence[int], impurity: Impurity = entropy, *, samples: int = SAMPLES,
    largest: int = LARGEST, rng: Any = None,
) -> GainMoments:  # fmt: skip
    """Return mean and variance of the decrease of an impurity over all orders of the labels.

    Parameters
    ----------
    row_totals, column_totals
        The margins of a table, classes in the order of the impurity's; zeros change nothing.
    impurity
        Any impurity. Gini has a formula; what is a sum over cells is summed by corners (see
        `splitcrit.nulls.null_moments`), unless that takes seconds; the rest is convolved.
    samples
        How many random tables are drawn where the convolution would have more than ``largest`` cells.
    rng
        What ``numpy.random.default_rng`` takes, for random tables.

    Raises
    ------
    ValueError
        If the margins are not counts of equal sum, or ``samples`` is below 2.

    References
    ----------
    wang2024, eqs. (16), (18).

    Examples
    --------
    >>> found = gain_moments([3, 7], [4, 6])
    >>> round(found.mean, 6), round(found.variance, 6), found.method
    (0.066352, 0.008107, 'corners')
    """
    of_kind(impurity, Impurity, "a gain is the decrease of an impurity", "pass an Impurity, such as splitcrit.gini")
    whole(samples, "samples", 2)
    whole(largest, "largest", 0)
    rows, columns = margins(row_totals, column_totals)
    if rows.ndim != 1:
        raise ValueError(complaint("moments are of one table", f"margins of shape {rows.shape}", "pass vectors"))
    if impurity == gini:
        law = gini_null(rows, columns)
        return GainMoments(law.mean, law.variance, "formula")
    order = np.argsort(columns, kind="stable")[np.count_nonzero(columns == 0) :]
    places = np.full(len(columns), -1)
    places[order] = np.arange(len(order))
    a, b, here = tuple(sorted(present(rows))), tuple(columns[order].tolist()), tuple(places.tolist())
    if min(len(a), len(b)) <= 1:
        return GainMoments(0.0, 0.0, "formula")
    known = cell_moments(decrease(impurity), a, tuple(columns.tolist()), limit=STEPS)
    if known is not None and known.variance is not None:
        return GainMoments(known.mean, known.variance, known.method)
    if prod(x + 1 for x in b[:-1]) <= largest:
        found = GainMoments(*_convolved(a, b, impurity, here), "convolution")
    else:
        found = _sampled(a, b, impurity, samples, generator(rng), here)
    return found if known is None else replace(found, mean=known.mean)


def seeded(seed: int, counts: Array) -> np.random.Generator:
    """Return a generator that depends on the seed and the counts alone, so that a table has one score."""
    return np.random.default_rng([seed, *counts.shape, *counts.ravel().tolist()])


def seeded_moments(
    rows: Sequence[int], columns: Sequence[int], impurity: Impurity, samples: int = SAMPLES, seed: int = 0
) -> GainMoments:
    """Return the moments at margins, the same each time and for rows in any order."""
    a, b = (sorted(total for total in totals if total) for totals in (rows, columns))
    if not a:
        return GainMoments(0.0, 0.0, "formula")
    return gain_moments(a, columns, impurity, samples=samples, rng=seeded(seed, np.array([*a, 0, *b])))


def kept(rows: Array, impurity: Impurity, places: Totals = ()) -> Array:
    """Return the impurity of rows of counts ``(k, ...)`` times their sizes.

    ``places`` has the place among them of each class of the impurity, -1 of one that is left out; of none all are there
    in its order.
    """
    size = np.asarray(total(list(rows)), dtype=float)
    counts = np.concatenate([rows, 0 * rows[:1]])[list(places)] if places else rows
    return np.asarray(size * impurity.of_floats(shares(list(counts.astype(float)), size, FLOAT)))


@lru_cache(1024)
def _convolved(a: Totals, b: Totals, impurity: Impurity, places: Totals = ()) -> tuple[float, float]:
    """Return mean and variance of the gain, from the moments of independent rows at the class totals ``b``."""
    from scipy.signal import convolve

    n, room = sum(a), tuple(x + 1 for x in b[:-1])
    crop = tuple(slice(0, size) for size in room)
    sums = [np.zeros(room) for _ in range(3)]
    sums[0][(0,) * len(room)] = 1.0
    centre = 0.0

    def spread(one: Array, other: Array) -> Array:
        return np.asarray(convolve(one, other, mode="full"))[crop]

    for size in a:
        chance, value = _row(size, b, impurity, places)
        middle = float((chance * value).sum() / chance.sum())
        centre += middle
        value = value - middle
        first, second = chance * value, chance * value**2
        none, once, twice = sums
        sums[2] = spread(twice, chance) + 2 * spread(once, first) + spread(none, second)
        sums[1], sums[0] = spread(once, chance) + spread(none, first), spread(none, chance)
    at = tuple(b[:-1])
    whole, one, two = (float(s[at]) for s in sums)
    node = float(kept(np.array(b)[:, None], impurity, places)[0])
    variance = two / whole - (one / whole) ** 2
    return (node - centre - one / whole) / n, variance / n**2 if variance > NOISE * two / whole else 0.0


def _row(size: int, b: Totals, impurity: Impurity, places: Totals) -> tuple[Array, Array]:
    """Return chance and weighted impurity of every row of a size, by the counts of all classes but the last."""
    from scipy.special import gammaln

    grid = np.indices(tuple(min(size, x) + 1 for x in b[:-1]))
    last = size - grid.sum(axis=0)
    fits = (last >= 0) & (last <= b[-1])
    counts = np.concatenate([grid, np.where(fits, last, 0)[None]])
    shape = (-1,) + (1,) * (counts.ndim - 1)
    share = np.log(np.array(b) / sum(b)).reshape(shape)
    logs = gammaln(size + 1.0) + (counts * share - gammaln(counts + 1.0)).sum(axis=0)
    counts[-1] = np.where(fits, last, 1)  # any row with observations, where the chance is 0
    return np.exp(np.where(fits, logs, -np.inf)), np.where(fits, kept(counts, impurity, places), 0.0)


def _sampled(
    a: Totals, b: Totals, impurity: Impurity, samples: int, rng: np.random.Generator, places: Totals = ()
) -> GainMoments:
    gains = drawn_gains(a, b, impurity, samples, rng, places)
    apart = gains - gains.mean()
    variance = float((apart**2).sum() / (samples - 1))
    error = float(np.sqrt(max((apart**4).mean() - variance**2, 0.0) / samples))
    return GainMoments(float(gains.mean()), variance, "monte_carlo", error)


def drawn_gains(
    a: Totals, b: Totals, impurity: Impurity, samples: int, rng: np.random.Generator, places: Totals = ()
) -> Array:
    """Return the gains of random tables with these positive margins."""
    drawn = np.moveaxis(random_tables(np.array(a), np.array(b), samples, "permutation", rng), 0, -1)
    node = float(kept(np.array(b)[:, None], impurity, places)[0])
    gains = node - total([kept(row, impurity, places) for row in drawn])
    return np.asarray(np.where(gains > ROUNDING * node, gains, 0.0) / sum(a))
