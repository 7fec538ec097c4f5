"""Mean, variance and covariance by chance of every criterion that is a sum over the cells of a table.

Main definitions: ``null_moments``, ``null_covariance``; ``cell_moments`` (for margins that are checked, remembered);
``threshold_moments`` (of very many tables of two rows and two classes), ``likely_counts``.
Main results: exact for the decrease of every impurity that is a sum over classes (Gini, entropy, Matushita, the Bayes
sum, powers), of every impurity where there are two classes, for chi-square, the G statistic, and any formula of yours
that adds up functions of one cell each; the formula itself says whether it does (``cells``).

A threshold divides ``n`` labels, ``b`` of them of the first class, into ``m`` and ``n - m``; one hypergeometric count
says all of its table, so that any criterion has moments that are sums over that count. There a count is left out where
it and all beyond are less likely than 1e-20 of the likeliest. The law is log-concave, so that these have a chance below
``2e-20 / (1 - q)``, q being the last ratio of neighbours.
Source: the corner formula (``corner``), own; wang2024, eqs. (16)-(26) for Gini.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from math import inf
from typing import Any

import numpy as np

from splitcrit.arguments import PATIENT, Array, affordable, truth
from splitcrit.arith import FLOAT, Irrational, shares
from splitcrit.arith.symbolic import MPMATH, OtherNumbers, no_formula, other_numbers
from splitcrit.criteria import Criterion, as_criterion
from splitcrit.frozen import complaint
from splitcrit.impurities import gini
from splitcrit.nulls.cells import NoSum, cell_functions
from splitcrit.nulls.corner import QUICK, CellSums, chances, steps, window
from splitcrit.nulls.margin_totals import margins
from splitcrit.nulls.null import NullMoments, gini_null
from splitcrit.nulls.other_laws import integers

NOISE = 1e-13  # a standard deviation that is less of the largest term is what rounding leaves of 0
LOSS = 1e-6  # one that is less is found in Fractions, where the formula is rational and that takes few steps
FEW = 20_000
BITS = 21  # of each of n, b and m of a threshold in one integer
PAIRS = 1 << 18  # counts that are scored at a time
LIKELY = 1e-20  # of the likeliest count of a threshold: counts that are less likely are left out


def null_moments(
    criterion: Any, row_totals: Any, column_totals: Any, exact: bool = False, *, limit: float = PATIENT
) -> NullMoments:
    """Mean and variance of a criterion over all orders of the labels of a table with these margins.

    Parameters
    ----------
    criterion : Criterion or Impurity
        A sum over cells: its formula adds up functions of one count each, given the margins. An impurity stands for its
        decrease.
    row_totals, column_totals
        The margins of one table, classes in the order of the criterion's; empty rows and classes are counted as such.
    exact
        Whether to return Fractions, for criteria that are rational.
    limit
        How many seconds it may take, as counted for one processor.

    Returns
    -------
    NullMoments
        ``mean``, ``variance`` and ``method``: ``"formula"`` for the decrease of Gini, ``"corners"`` for the others.

    Raises
    ------
    ValueError
        If the margins are not counts of equal sum, of at least two observations; if the criterion is no sum over
        cells; or if it would take more than ``limit`` seconds.
    splitcrit.arith.Irrational
        If you ask for exact moments of a criterion that is not rational.

    See Also
    --------
    gini_null : The Gini gain, with its third moment.
    response_moments : Numeric responses.
    null_covariance : Two criteria at once.

    Notes
    -----
    In floats a law is cut where less than 1e-30 of it is left; see `splitcrit.nulls.corner.window` for the bound.

    Proved: null.corner_variance_of_cell_sums

    References
    ----------
    romano2014; romano2016 (the same moments, by sums over three nested counts).

    Examples
    --------
    >>> from splitcrit import entropy
    >>> from splitcrit.criteria import chi_square
    >>> null_moments(chi_square, [3, 7], [4, 2, 4], exact=True).variance
    Fraction(13400, 3969)
    >>> law = null_moments(entropy, [200] * 5, [100] * 10)
    >>> round(law.mean, 9), round(law.variance, 12), law.method
    (0.018206169, 1.8430357e-05, 'corners')
    """
    chosen, exact = as_criterion(criterion), truth(exact, "exact")
    if (other := other_numbers(row_totals, column_totals)) is not None:
        if chosen.impurity == gini:
            return gini_null(row_totals, column_totals)
        return NullMoments(*_of_others([chosen], *other, limit), method="corners")
    a, b = _totals(row_totals, column_totals)
    chosen.check(len(a), len(b))
    if chosen.impurity == gini:
        return gini_null(a, b, exact=exact)
    law: NullMoments = _asked([chosen], a, b, exact, limit, "its mean and variance")
    return law


def null_covariance(
    criterion: Any, other: Any, row_totals: Any, column_totals: Any, exact: bool = False, *, limit: float = PATIENT
) -> Any:
    """The covariance of two criteria over all orders of the labels of a table with these margins.

    See `null_moments`; both must be sums over cells.

    Parameters
    ----------
    criterion, other : Criterion or Impurity
    row_totals, column_totals : array of int
        The margins of one table.
    exact : bool, default=False
        Return a Fraction instead of a float.
    limit : float
        How many seconds it may take, as counted for one processor.

    Examples
    --------
    >>> from splitcrit import entropy, gini
    >>> law = [null_moments(impurity, [5, 5, 6], [4, 12]).variance for impurity in (gini, entropy)]
    >>> round(null_covariance(gini, entropy, [5, 5, 6], [4, 12]) / (law[0] * law[1]) ** 0.5, 6)
    0.98823
    """
    chosen, exact = [as_criterion(criterion), as_criterion(other)], truth(exact, "exact")
    if (numbers := other_numbers(row_totals, column_totals)) is not None:
        return _of_others(chosen, *numbers, limit)
    a, b = _totals(row_totals, column_totals)
    for one in chosen:
        one.check(len(a), len(b))
    return _asked(chosen, a, b, exact, limit, "their covariance")


def _of_others(chosen: list[Criterion], m: OtherNumbers, totals: list[Any], limit: float) -> Any:
    """Mean and variance of one criterion, or the covariance of two, at margins that are numbers of mpmath."""
    if not isinstance(m, MPMATH):
        names = " and ".join(map(repr, chosen))
        law_of = f"the law of {names}, a sum over all counts of a cell,"
        raise no_formula(law_of, m, "pass counts, or ask for gini_null")
    rows = totals[0].size

    def law(entries: list[Any], m: Any) -> Any:
        counts = integers(entries, m)
        a, b = _totals(counts[:rows], counts[rows:])
        for one in chosen:
            one.check(len(a), len(b))
        return _asked(chosen, a, b, True, limit, "a law in numbers of mpmath", m)

    return m.run([*totals[0].ravel(), *totals[1].ravel()], "row and column totals", law)


def _totals(row_totals: Any, column_totals: Any) -> tuple[list[int], list[int]]:
    """The margins of one table of at least two observations."""
    rows, columns = margins(row_totals, column_totals)
    rule, remedy = "a null law needs one table of at least two observations", "pass the margins of a table"
    if rows.ndim != 1 or sum(rows.tolist()) < 2:
        got = f"margins of shape {rows.shape}" if rows.ndim != 1 else f"{sum(rows.tolist())}"
        raise ValueError(complaint(rule, got, remedy))
    return rows.tolist(), columns.tolist()


def _asked(
    chosen: list[Criterion], a: list[int], b: list[int], exact: bool, limit: float, noun: str, m: Any = None
) -> Any:
    """Return moments of one criterion, or the covariance of two, or say in a sentence why there are none.

    In another arithmetic than that of floats and Fractions, the moments are a tuple.
    """
    here = [x for x in a if x], [x for x in b if x]
    work = steps(*here, exact)
    affordable(work * (2 + sum(a) // 50) if exact else work // QUICK, limit, noun, "take random tables")
    try:
        if m is not None:
            sums = CellSums(*here, [cell_functions(one, a, b, exact, m)[1] for one in chosen], exact, m.number(1))
            constant = cell_functions(chosen[0], a, b, exact, m)[0]
            return sums.covariance(0, 1) if len(chosen) == 2 else (constant + sums.mean(), sums.covariance())
        if len(chosen) == 1:
            return _cell_moments(chosen[0], a, b, exact)
        sums = CellSums(*here, [cell_functions(one, a, b, exact)[1] for one in chosen], exact)
        return sums.covariance(0, 1) if exact else float(sums.covariance(0, 1))
    except NoSum:
        names, remedy = " and ".join(map(repr, chosen)), "take columns.standardised, or random tables"
        rule = "moments by corners are those of criteria that add up functions of one cell each"
        raise ValueError(complaint(rule, names, remedy)) from None


@lru_cache(4096)
def cell_moments(
    criterion: Criterion, rows: tuple[int, ...], columns: tuple[int, ...], limit: float
) -> NullMoments | None:
    """Mean and variance of a criterion for integer totals of equal sum; None if it is no sum over cells.

    The variance is None if it would take more than ``limit`` steps.
    """
    try:
        return _cell_moments(criterion, rows, columns, False, limit)
    except NoSum:
        return None


def _cell_moments(
    criterion: Criterion, rows: Sequence[int], columns: Sequence[int], exact: bool, limit: float = inf
) -> NullMoments:
    constant, cells = cell_functions(criterion, rows, columns, exact)
    a, b = [x for x in rows if x], [x for x in columns if x]
    sums = CellSums(a, b, [cells], exact)
    quick = limit == inf or steps(a, b, exact) <= limit
    mean, variance = constant + sums.mean(), sums.covariance() if quick else None
    if exact:
        return NullMoments(mean, variance, method="corners")
    if variance is not None:
        scale = len(a) * len(b) * float(abs(np.concatenate([values for row in cells for values in row])).max()) ** 2
        variance = variance if variance > NOISE**2 * scale else 0.0
        if variance < LOSS**2 * scale and steps(a, b, exact=True) <= FEW:  # of digits that the formula itself has lost
            with suppress(Irrational):
                law = _cell_moments(criterion, rows, columns, True)
                mean, variance = law.mean, law.variance
    return NullMoments(float(mean), None if variance is None else float(variance), method="corners")


def threshold_moments(criterion: Criterion, n: Array, ones: Array, sizes: Array) -> tuple[Array, Array]:
    """Mean and standard deviation of a criterion at thresholds, 0 where nothing can vary.

    They depend on ``n``, ``ones`` and ``sizes``, int64 arrays below ``2**21``, alone: those of the last columns are
    remembered, so that columns of a node without ties have theirs computed once.

    Examples
    --------
    >>> from splitcrit import decrease, gini
    >>> mean, spread = threshold_moments(decrease(gini), np.array([6, 6]), np.array([3, 3]), np.array([2, 4]))
    >>> mean.round(9).tolist(), (spread**2).round(9).tolist()
    ([0.1, 0.1], [0.015, 0.015])
    """
    if criterion.impurity is not None:
        sizes = np.minimum(sizes, n - sizes)  # to a decrease the rows are alike
    asked, place = np.unique((n << 2 * BITS) | (ones << BITS) | sizes, return_inverse=True)
    means, spreads = _at_thresholds(criterion, asked.tobytes())
    return means[place], spreads[place]


@lru_cache(16)
def _at_thresholds(criterion: Criterion, packed: bytes) -> tuple[Array, Array]:
    keys = np.frombuffer(packed, np.int64)
    n, ones, sizes = keys >> 2 * BITS, (keys >> BITS) & (1 << BITS) - 1, keys & (1 << BITS) - 1
    means, spreads = np.zeros((2, len(n)))
    varies = np.flatnonzero((sizes > 0) & (sizes < n) & (ones > 0) & (ones < n))
    wide = np.cumsum(np.minimum(np.minimum(sizes, ones), 20 * np.sqrt(sizes) + 60)[varies])
    for part in np.split(varies, np.searchsorted(wide, np.arange(PAIRS, wide[-1] if len(wide) else 0, PAIRS))):
        if len(part):
            means[part], spreads[part] = _of_thresholds(criterion, n[part], ones[part], sizes[part])
    return means, spreads


def _of_thresholds(criterion: Criterion, n: Array, ones: Array, sizes: Array) -> tuple[Array, Array]:
    starts, x, p = likely_counts(n, ones, sizes)
    owner = np.repeat(np.arange(len(n)), np.diff(starts))
    m, b = sizes[owner], ones[owner]
    cells = [np.stack([x, m - x]), np.stack([b - x, n[owner] - m - b + x])]
    scores = np.asarray(criterion.of_floats([cell.astype(float) for cell in cells]), dtype=float)
    mean = np.add.reduceat(p * scores, starts[:-1])
    apart = scores - mean[owner]
    spread = np.sqrt(np.add.reduceat(p * apart * apart, starts[:-1]))
    size = np.maximum.reduceat(np.abs(scores), starts[:-1])
    if (impurity := criterion.impurity) is not None:
        node = np.stack([ones, n - ones]).astype(float)
        size = np.maximum(size, np.abs(impurity.of_floats(shares(node, node.sum(axis=0), FLOAT))))
    return mean, np.where(spread > NOISE * size, spread, 0.0)


def likely_counts(n: Array, ones: Array, sizes: Array) -> tuple[Array, Array, Array]:
    """The start of the counts of each table, counts of the first class among its first row, and their chances.

    Examples
    --------
    >>> starts, x, p = likely_counts(np.array([6]), np.array([3]), np.array([2]))
    >>> starts.tolist(), x.tolist(), p.round(12).tolist()
    ([0, 3], [0, 1, 2], [0.2, 0.6, 0.2])
    """
    first, last = window(n, ones, sizes, exact=False)
    p = chances(n, ones, sizes, first, last, 1.0)
    likely = p > LIKELY * p.max(axis=1, keepdims=True)
    counts = first[:, None] + np.arange(p.shape[1])
    return np.append(0, likely.sum(axis=1).cumsum()), counts[likely], p[likely]
