"""Other tests of a column, in numpy and scipy: that of conditional inference trees, and orders of two statistics.

Main definitions: ``ctree``, ``linear_statistic`` (with mean and covariance over all orders), ``joint_orders``.
Main results: let ``g`` score the column and ``h`` the response of each of n rows. Over all orders of the responses the
linear statistic ``T = vec(sum g_i h_i')`` has ::

    mean         vec((sum g_i) E h')                                                E h = mean of h
    covariance   V (x) (n sum g_i g_i' - (sum g_i)(sum g_i)') / (n - 1)             V = mean of (h - E h)(h - E h)'

and ``c = (T - mean)' pinv(covariance) (T - mean)`` is asymptotically chi-square with the rank of the covariance as its
degrees of freedom. Numbers score by themselves, classes and categories by indicators. With one number and two classes,
or two numbers, c is ``(n - 1) r^2``. Rows without a value of the column are left out of its test. The p-values of
d columns are corrected by ``1 - (1 - p)^d``.
Source: hothorn2006, Sections 2 and 3; strasser1999.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import ndtri
from scipy.stats import chi2, rankdata

OF_CUT = 0.45  # of the level, which the best cut has of both statistics
HEAVY = 6.0  # the kurtosis above which numbers are replaced by their ranks
ROUNDING = 1e-9  # a singular value is 0 if it is less of the largest


def scored(values: Any) -> Any:
    """Numbers as a column ``(n, 1)``, anything else as the indicators ``(n, K)`` of its values."""
    values = np.asarray(values)
    if values.dtype.kind == "f":
        return values[:, None]
    return (values[:, None] == np.unique(values)).astype(float)


def linear_statistic(g: Any, h: Any) -> tuple[Any, Any, Any]:
    """The statistic ``(p q,)`` of scores ``(n, p)`` and ``(n, q)``, its mean and its covariance ``(p q, p q)``."""
    n, sums, centred = len(g), g.sum(axis=0), h - h.mean(axis=0)
    spread = centred.T @ centred / n
    covariance = np.kron(spread, (n * (g.T @ g) - np.outer(sums, sums)) / (n - 1))
    return (g.T @ h).ravel("F"), np.outer(sums, h.mean(axis=0)).ravel("F"), covariance


def quadratic(g: Any, h: Any) -> tuple[float, int]:
    """The quadratic form of the linear statistic, and its degrees of freedom."""
    statistic, mean, covariance = linear_statistic(g, h)
    u, singular, _ = np.linalg.svd(covariance, hermitian=True)
    there = singular > ROUNDING * max(singular.max(initial=0.0), 1e-300)
    along = u[:, there].T @ (statistic - mean)
    return float((along * along / singular[there]).sum()), int(there.sum())


def ctree(x: Any, y: Any) -> float:
    """The corrected p-value of the column of ``x (n, d)`` that a conditional inference tree would split by."""
    least = 1.0
    for column in x.T.astype(float):
        rows = ~np.isnan(column)
        form, freedom = quadratic(column[rows, None], scored(y[rows]))
        least = min(least, float(chi2.sf(form, freedom)) if freedom else 1.0)
    return float(-np.expm1(x.shape[1] * np.log1p(-least))) if least < 1 else 1.0


def ranked(statistics: Any) -> Any:
    """The rank of each of some statistics, as the share that is as large."""
    order = np.sort(statistics)
    below = np.searchsorted(order, statistics - 1e-9 * (1 + np.abs(statistics)), "left")
    return (len(order) - below) / len(order)


def joint_orders(x: Any, y: Any, orders: int, rng: np.random.Generator, exact_cuts: Any = None) -> float:
    """The corrected p-value of columns ``x (n, d)`` by the best cut and normal scores, ranked among the same orders.

    Of two classes ``exact_cuts (d,)`` are the exact p-values of best cuts, which then stand in place of their ranks.
    """
    n, d = x.shape
    h = np.asarray(y)
    if h.dtype.kind == "f":
        h = (h - h.mean()) / h.std()
        h = rankdata(h) if (h**4).mean() > HEAVY else h
        h, totals = ((h - h.mean()) / h.std())[:, None], np.array([float(n)])
    else:
        h = scored(h)
        totals = h.sum(axis=0)
        h = (h - totals / n)[:, : len(totals) if len(totals) > 2 else 1]
        totals = totals[: h.shape[1]]
    places = np.argsort(rng.random((orders, n)), axis=1)
    labels = np.concatenate([h[None], h[places]])
    exact = [None] * d if exact_cuts is None else exact_cuts
    return min(1.0, d * min(_joint(column, labels, totals, cut) for column, cut in zip(x.T, exact, strict=True)))


def _joint(x: Any, labels: Any, totals: Any, exact_cut: float | None) -> float:
    order, n = np.argsort(x, kind="stable"), len(x)
    _, place, often = np.unique(x[order], return_inverse=True, return_counts=True)
    if len(often) < 2:
        return 1.0
    here = labels[:, order]
    scores = ndtri((often.cumsum() - often / 2)[place] / n)
    sums = np.tensordot(here, scores - scores.mean(), axes=(1, 0))
    of_scores = ranked((sums * sums / totals).sum(axis=1))
    if exact_cut is not None:
        return min(exact_cut / OF_CUT, of_scores[0] / (1 - OF_CUT))
    left = often.cumsum()[:-1]
    sides = here.cumsum(axis=1)[:, left - 1]
    gain = (sides * sides).sum(axis=2) * (n / (left * (n - left)))
    if len(totals) > 1:  # in standard deviations above the mean of each cut by chance
        gain = (gain - gain[1:].mean(axis=0)) / np.maximum(gain[1:].std(axis=0), 1e-12)
    of_cuts = ranked(gain.max(axis=1))
    both = np.minimum(of_cuts / OF_CUT, of_scores / (1 - OF_CUT))
    return float((both <= both[0] + 1e-12).mean())
