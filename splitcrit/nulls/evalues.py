"""E-values of the features of a model, and which features pass at a false discovery rate, whatever the dependence.

Main definitions: ``log_ratios`` of the splits of a tree, ``log_pair_ratios`` where responses are numbers;
``mean_evalues`` of features by them; ``discovery_rates``; ``bars``, the e-values that features need.
Main results: given its margins, let all orders of the labels of a table be equally likely. Class by class, that one
against those after it, the number of its rows on the left is hypergeometric; with odds ``exp(t)`` to be there, Fisher's
noncentral law in its place, ::

    E_t = exp(t x) / sum_j h(j) exp(t j)

has the mean 1 for every t that the margins and other rows fix. *Lemma*: if, for every split of a feature in one tree,
the response is independent of the side among the rows that reach it, the product of their ``E_t`` has mean 1, also
where one lies below another. *Proof.* Take one, w, with none below it. Given which of these nodes each row reaches and
on which side, the rows left of w and those right of it have one law, so that the responses that reach w are in random
order given which they are: ``E_t`` of w has mean 1. What is held fixes all other factors, for R_w lies on one side of
each split above. Without w, forget where its rows went, and go on. The label of a split may be "above c", if training
rows or the responses at its node, whatever their order, fix c. A mean over sizes and over trees, with weights that the
rows which grew the trees fix, has mean 1 as well; with constant weights also where rows of one tree grew another.

Nothing is used of E but its mean in random orders. Where responses are numbers, let D of the ``m (n - m)`` pairs of
rows left and right be in the order that is not expected, ties counting half (Mann and Whitney's U). Without ties all
orders have the mean of ``q^D`` that Gauss's binomial coefficient gives, with ties a smaller one (Jensen: as a mean over
the orders of equal rows), so that ::

    E_q = q^D C(n, m) / [n choose m]_q,   [n choose m]_q = prod_(j=1..m) (1 - q^(n-m+j)) / (1 - q^j).

Of d e-values the k largest pass, k the largest number with ``e_(k) >= d/(alpha k)``. *Proof* of the false discovery
rate: each that passes has ``1/k <= alpha e/d``, so that the false share is at most ``alpha/d`` times the sum of the
e-values of true null hypotheses, whose mean is at most their number.
Near-misses: the direction, or weights of trees, from the rows that are tested; products over trees; rows held in their
places; labels above several c where only these are independent of the side.
Source: own (the lemma), mann1947 (the law of D), vovk2021 (means), wangramdas2022 (the rule).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.nulls.hypergeometric import REMAINDERS, log_chance, log_choose, log_factorials

SIZES, WEIGHTS = np.array([0.125, 0.25, 0.5, 1.0, 2.0]), np.log(np.array([1, 1, 12, 1, 1]) / 16)  # log odds; logarithms
LARGEST = 690.0  # the logarithm of the largest e-value that is told


def log_ratios(tables: Array, signs: Array) -> tuple[Array, Array]:
    """For tables ``(m, 2, K)`` the logarithms of E of each size, and the largest that their margins allow.

    ``signs (m, K - 1)`` tell on which side a class is expected rather than those after it: 1 for left, -1, or 0 for
    neither. Of three classes the largest is a bound: a table with ``a`` of ``n`` rows on the left has at least one of
    ``C(n, a)`` choices.

    Examples
    --------
    >>> found, most = log_ratios(np.array([[[3, 0], [1, 2]], [[2, 0], [2, 0]]]), np.array([[1], [1]]))
    >>> np.exp(found).round(3).tolist()  # one of four rows that are on the left and of the first class, or 2, or 3
    [[1.13, 1.268, 1.569, 2.233, 3.51], [1.0, 1.0, 1.0, 1.0, 1.0]]
    >>> bool((found == most).all())
    True
    """
    m, n = tables[:, 0].sum(axis=1), tables.sum(axis=(1, 2))
    rows, left, log_e = n, m, np.zeros((len(tables), len(SIZES)))
    for k, sign in enumerate(signs.T):
        x, b = tables[:, 0, k], tables[:, :, k].sum(axis=1)
        some = np.flatnonzero((m > 0) & (m < n) & (b > 0) & (b < n) & (sign != 0))
        log_e[some] += _log_noncentral(*(each[some] for each in (n, b, m, x, sign)))
        apart = sign * (np.where(sign > 0, np.minimum(m, b), np.maximum(0, m + b - n)) - x)
        m, n = m - x, n - b
    if signs.shape[1] == 1:
        return log_e, log_e + SIZES * apart[:, None]
    return log_e, log_choose(np.maximum(rows, 1), left, REMAINDERS)[:, None] + 0 * log_e


def _log_noncentral(n: Array, b: Array, m: Array, x: Array, sign: Array) -> Array:
    """The logarithms ``(m, sizes)`` of Fisher's noncentral chance of ``x``, less those of the central one.

    The values that each table may have lie one after the other.
    """
    rest, low = n - m - b, np.maximum(0, m + b - n)
    count = np.minimum(m, b) - low + 1
    start, most = count.cumsum() - count, int(n.max(initial=0))
    j = np.arange(count.sum()) - np.repeat(start - low, count)
    # Of each factorial nine are looked up; their logarithms cancel to some 1e-11 at 5,000 rows.
    if most < 9 * len(j):
        f = log_factorials(most)
        logs = np.repeat(f[m] + f[n - m] + f[b] + f[n - b] - f[n], count) - f[j] - f[np.repeat(m, count) - j]
        logs -= f[np.repeat(b, count) - j] + f[np.repeat(rest, count) + j]
    else:
        logs = log_chance(np.repeat(n, count), np.repeat(b, count), np.repeat(m, count), j, REMAINDERS)
    # Integers times floats would be cast row by row, which takes ten times as long.
    tilted = logs + np.multiply.outer(SIZES, np.repeat(sign, count) * (j - np.repeat(x, count)) * 1.0)
    top = np.maximum.reduceat(tilted, start, axis=1)
    tilted -= np.repeat(top, count, axis=1)
    return np.asarray(-top - np.log(np.add.reduceat(np.exp(tilted), start, axis=1))).T


def log_pair_ratios(discordant: Array, left: Array, rows: Array) -> tuple[Array, Array]:
    """The logarithms ``(m, sizes)`` of E by discordant pairs of splits, and of the largest, without any.

    ``left`` of ``rows`` are on the left. ``q = exp(-4 size/N)``, N the power of two from ``rows`` on: margins fix it.
    Ties count half. With ``L(n)`` the sum of ``log((1 - q^j)/(j (1 - q)))`` up to n, the mean of ``q^D`` is
    ``exp(L(n) - L(m) - L(n - m))``.

    Examples
    --------
    >>> logs, most = log_pair_ratios(np.array([0, 1, 2]), np.array([1, 1, 1]), np.array([3, 3, 3]))
    >>> np.exp(logs).mean(axis=0).round(12).tolist(), np.exp(most[0]).round(3).tolist()  # a row above, between, below
    ([1.0, 1.0, 1.0, 1.0, 1.0], [1.127, 1.258, 1.519, 1.996, 2.6])
    """
    power = np.ceil(np.log2(np.maximum(rows, 1))).astype(int)
    sums, start = _log_factorials(int(power.max(initial=0))), 2**power + power - 1
    most = sums[start + left] + sums[start + rows - left] - sums[start + rows]
    return most - np.outer(discordant / 2**power, 4 * SIZES), most


@lru_cache(maxsize=2)
def _log_factorials(most: int) -> Array:
    """``L(n)`` of each size, ``(N + 1, sizes)``, n from 0 to N, for N = 1, 2, 4, .., ``2^most`` one after the other."""
    steps = ((4 * SIZES / 2**power, np.arange(1, 2**power + 1)[:, None]) for power in range(most + 1))
    each = (np.log(np.expm1(-t * j) / (j * np.expm1(-t))).cumsum(axis=0) for t, j in steps)
    return np.concatenate([part for logs in each for part in (np.zeros((1, len(SIZES))), logs)])


def mean_evalues(trees: Sequence[tuple[Array, Array]], features: int, weights: Array | None = None) -> Array:
    """The mean over trees of the products over the splits of each feature, of which sizes are mixed.

    A tree is the logarithms ``(m, sizes)`` of its splits, and their features ``(m,)``. Of a feature whose ``weights
    (trees, features)`` are all 0 trees count alike, as without weights.

    Examples
    --------
    >>> trees = [(np.zeros((2, 5)), np.array([0, 0])), (np.full((1, 5), np.log(3)), np.array([1]))]
    >>> [mean_evalues(trees, 3, w).round(9).tolist() for w in (None, np.array([[2, 1, 0], [0, 3, 0]]))]
    [[1.0, 2.0, 1.0], [1.0, 2.5, 1.0]]
    """
    each = [
        np.logaddexp.reduce([np.bincount(feature, r, features) + w for r, w in zip(ratios.T, WEIGHTS, strict=True)])
        for ratios, feature in trees
    ]
    shares = np.ones((len(each), 1)) if weights is None else np.where(weights.any(axis=0), weights, 1.0)
    with np.errstate(divide="ignore"):
        logs = np.logaddexp.reduce(np.log(shares / shares.sum(axis=0)) + each)
    return np.asarray(np.exp(np.minimum(logs, LARGEST)))


def discovery_rates(evalues: Sequence[Any]) -> list[Any]:
    """For each of ``d`` e-values the least false discovery rate at which it passes, at most 1.

    ``min over j >= i of d/(j e_(j))`` for the ``i``-th largest.

    References
    ----------
    wangramdas2022, Definition 1.

    Examples
    --------
    >>> discovery_rates([50.0, 0.0, 100.0, 1.0])
    [0.04, 1, 0.04, 1]
    """
    rates, least = [1] * len(evalues), 1
    for rank, j in reversed([*enumerate(sorted(range(len(evalues)), key=evalues.__getitem__, reverse=True), 1)]):
        if evalues[j] > 0:
            least = min(least, len(evalues) / (rank * evalues[j]))
        rates[j] = least
    return rates


def bars(evalues: Array, alpha: float) -> Array:
    """For each e-value that does not pass at ``alpha`` the least one that would, the others being as they are.

    Examples
    --------
    >>> bars(np.array([100.0, 25.0, 0.0]), 0.05).round(9).tolist()  # the second passes at 30, the third at 20
    [60.0, 30.0, 20.0]
    """
    k = np.arange(1, len(evalues) + 1)
    need = len(evalues) / (alpha * k)
    reached = len(evalues) - np.searchsorted(np.sort(evalues), need)
    # They rise: one more e-value is enough for these k.
    lacking = np.append(need[0], need[reached == k - 1])[::-1]
    return np.asarray(lacking[np.minimum(np.searchsorted(lacking, evalues, side="right"), len(lacking) - 1)])
