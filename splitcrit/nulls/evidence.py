"""Evidence: likelihood ratios whose mean by chance is at most 1, beside exact laws and random orders.

Given how many labels there are of each kind, let all their orders over the rows be equally likely. With P0 the law of a
table under random orders and Q any law of tables with the same margins, chosen by the margins alone, ``E = Q/P0`` has
the mean ``sum Q <= 1``, so that ``P(E >= 1/a) <= a`` and ``p = min(1, 1/E)`` is a p-value without a floor. Means over
effects, cuts and levels keep the mean; the largest of them does not. Below a split that the same labels chose, orders
are not equally likely, and no E holds there.

Main definitions: ``log_of_categories`` (a table), ``log_of_cuts`` (classes by a number), ``log_of_responses`` (numbers
by categories or by a number), ``log_of_survival`` (times that may be censored).
Main results: of a class against the rest, rows are beta-binomial about the shares of the totals, conditioned on their
sum, over hypergeometric ones; class by class the mean is exactly 1. Of a cut the smaller side is Dirichlet-multinomial
over multivariate hypergeometric. Of numbers, with S the sum of z over a fixed set of m rows, w = exp(effect z) and any
real u, ``e_m`` the elementary symmetric polynomial, ``p = e^u w/(1 + e^u w)`` and ``v = sum p (1 - p)``, ::

    E exp(effect S) = e_m(w) / C(n, m),      e_m(w) <= e^(-u m) prod(1 + e^u w) exp(-v) I_0(v).

The quotient ``e^(u m) e_m(w)/prod(1 + e^u w)`` is the chance that independent coins of chances p show m heads. That is
at most the mean over t of ``prod |1 - p + p e^(it)|``, and ``|1 - p + p e^(it)|^2 = 1 - 2 p (1 - p)(1 - cos t)`` is at
most ``exp(-2 p (1 - p)(1 - cos t))``; so the chance is at most ``exp(-v) I_0(v)``.
Of survival times: given all that happened before, and that d of those at risk have an event now, any d of them are
equally likely, for all have one hazard and are still there whatever the column says. So ``exp(effect x)``, with x of
them in the group, has the mean that it is divided by, and the factors of all times multiply to a martingale that begins
at 1. So do those of categories whose relative hazards ``w`` are estimates from earlier events: the mean of the product
of w over d rows at risk is ``e_d(w)/C(n, d)``, by Maclaurin's inequality at most the d-th power of their mean.

Effects are mixed with equal weights: of tables ``c = 1, 4, 16, ..., n``, the concentration about the shares, one
part in ``sqrt(c)``. Names of classes and levels, the order of the rows, the sign of a column or of responses change no
bit: terms are sorted before they are added, both sides count where they are halves, and both directions.
Rounding only lowers E: see ``_lowered`` and ``_log_chance``.
Near-misses: the E of the best cut, or of the best size of effect; cuts between levels in the order of class shares;
hazards of categories from events up to now, the one that is judged among them.
Source: own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import fsum, log, log1p
from typing import Any

import numpy as np

from splitcrit.arguments import Array

SHARE = 0.05  # of a level that evidence has, beside random orders
GROUPS = 2, 4, 8  # of equally many responses, against which categories are set
EFFECTS = 0.125, 0.25, 0.5, 1.0, 2.0  # of numbers, in standard deviations; of both signs
CUTS = 128  # of numbers at most
HAZARDS = 0.25, 0.5, 1.0  # logarithms of the ratio of two hazards; of both signs
PRIOR = 0.25, 1.0, 4.0, 16.0  # expected events that the hazard of a category begins with, at that of all
TIED = 6  # classes of one total whose orders are all taken
STEPS = 10  # the largest of standardised numbers is at most 2^11 steps of their grid
SPREAD = 2**20  # rows of a table up to which evidence is divided by the chance of its totals
ULPS = 2.0**-47  # relative to the size of its terms, by which a sum is lowered: 32 units of rounding


def log_of_cuts(counts: Array, gaps: bool = False) -> float:
    """The logarithm of the evidence of a table ``(r, K)`` whose rows have an order, by the mean over its cuts.

    With ``gaps`` the last row has no value, and lies on either side of every cut.

    Examples
    --------
    >>> round(log_of_cuts(np.array([[9, 0], [0, 9]])), 3)
    8.265
    """
    counts = counts[:, counts.any(axis=0)]
    totals, left = counts.sum(axis=0), counts.cumsum(axis=0)[:-1]
    if gaps:
        left = np.concatenate([left, left[:-1] + counts[-1]])
    return log_mean(_log_cuts(left, totals)) if len(left) and len(totals) > 1 else 0.0


def log_of_categories(counts: Array, in_order: bool = False) -> float:
    """The logarithm of the evidence of a table ``(r, K)`` of categories and classes.

    Half of it is that of the whole table, half the mean over levels of one level against the rest. Classes that are
    ``in_order``, groups of a response, are set against the rest from either end; others in the order of their totals.
    Two rows are the sides of one cut.

    Examples
    --------
    >>> round(log_of_categories(np.diag([5, 5, 5])), 3)
    9.423
    """
    counts = counts[:, counts.any(axis=0)]
    totals = counts.sum(axis=0)
    if len(counts) < 2 or len(totals) < 2:
        return 0.0
    if len(counts) == 2:
        return log_of_cuts(counts)
    orders = [counts, counts[:, ::-1]] if in_order else [counts[:, np.argsort(totals, kind="stable")]]
    each = [_log_table(order, c, tied=not in_order) for order in orders for c in _concentrations(totals)]
    return log_mean([log_mean(each), log_mean(_log_cuts(counts, totals))])


def log_of_responses(codes: Array, y: Array, ordered: bool, gaps: bool = False) -> float:
    """The logarithm of the evidence of numbers ``y (n,)`` by the values ``0, 1, ...`` of a column.

    Values that are ``ordered``, or two, are cut, and half of the weight is on ranks of y; with ``gaps`` the last of
    them is no value. Others are set against groups of equally many responses, those of ``y`` and of ``-y``.

    Examples
    --------
    >>> codes = np.repeat([0, 1, 2], 20)
    >>> [round(log_of_responses(codes, codes * 1.0, ordered), 1) for ordered in (True, False)]
    [24.8, 56.0]
    """
    levels, each = int(codes.max()) + 1, []
    if ordered or levels == 2:
        _, place, often = np.unique(y, return_inverse=True, return_counts=True)
        return log_mean([_log_sums(codes, z, gaps) for z in (y, centred_ranks(often)[place] * 1.0)])
    for k in GROUPS:
        for side in (y, -y):
            counts = np.bincount(codes * k + np.searchsorted(group_ends(side, k), side), minlength=levels * k)
            each.append(log_of_categories(counts.reshape(-1, k), in_order=True))
    return log_mean(each)


def log_of_survival(codes: Array, time: Array, event: Array, ordered: bool, gaps: bool = False) -> float:
    """The logarithm of the partial likelihood ratio of times ``(n,)`` that end in an event or are censored.

    Of a fixed group of rows, with ``x`` the events in it at a time, ``d`` all of them, and ``J`` how many of the group
    are among any ``d`` of those at risk, the factors are ``exp(b x) / E exp(b J)``. One time after the other each has
    the mean 1 if all at risk have one hazard, and censoring is independent of the events *given this column*. So has
    the mean over hazard ratios ``b`` and over cuts, or over categories, one against the rest. That is half of the
    evidence of categories; the other half are all of them at once, the hazard of each from its earlier events. Where a
    second column moves both hazard and censoring it fails. Random orders of times and events meet the condition.

    Examples
    --------
    >>> codes, time = np.repeat([0, 1], 15), np.arange(30.0)
    >>> round(log_of_survival(codes, time, np.ones(30), ordered=True), 2)
    6.78
    """
    sizes = np.bincount(codes)
    if ordered:
        at, more = _cuts(sizes, gaps)
        group = (codes[:, None] <= at) | (more & (codes == len(sizes) - 1)[:, None])
    else:
        # The largest are asked about, as many as memory allows.
        smaller = np.sort(sizes)[: -(4 * SPREAD // len(codes) + 2)]
        group = codes[:, None] == np.flatnonzero(sizes > smaller.max(initial=0))
    if not group.size:
        return 0.0
    order = np.argsort(time, kind="stable")
    starts = np.flatnonzero(np.diff(time[order], prepend=-1.0) > 0)  # of times, which are not negative

    def by_time(values: Array) -> Array:
        return np.asarray(np.add.reduceat(values[order], starts, axis=0))

    risk, events = (by_time(x)[:, None] for x in (np.ones(len(codes)), event))
    risk, happens = risk[::-1].cumsum(axis=0)[::-1], events[:, 0] > 0
    inside, died = by_time(group * 1.0)[::-1].cumsum(axis=0)[::-1], by_time(group * event[:, None])
    n, d, m, x = risk[happens], events[happens], inside[happens], died[happens]
    each = [_log_partial(b, n, d, *side) for b in HAZARDS for b in (b, -b) for side in ((m, x), (n - m, d - x))]
    past = [_log_by_past(c, n, d, m, x) for c in (() if ordered else PRIOR)]
    return log_mean([log_mean(half) for half in (each, past) if half])


def _log_by_past(c: float, n: Array, d: Array, m: Array, x: Array) -> float:
    """The logarithm of the partial likelihood ratio of categories: ``m (t, L)`` of ``n`` at risk have ``x`` of ``d``.

    The relative hazard of a category is ``(c + events) / (c + expected events)``, of the times before; of rows in no
    category it is 1.
    """
    had, expected = (each.cumsum(axis=0) - each for each in (x, m * d / n))
    hazard = np.log((c + had) / (c + expected))
    mean = np.sort(m * np.expm1(hazard), axis=1).sum(axis=1, keepdims=True) / n
    return float(_lowered(np.append(x * hazard, -d * np.log1p(mean))))


def _log_partial(b: float, n: Array, d: Array, m: Array, x: Array) -> Array:
    """The logarithms of partial likelihood ratios of groups ``(c,)``, whose ``m (t, c)`` of ``n`` at risk have ``x`` of
    ``d`` events: Fisher's noncentral hypergeometric law over the central one."""
    j = np.arange(int(d.max(initial=0.0)) + 1.0)
    low = np.log(((n - m) + m * np.exp(b)) / n)  # of one event
    for t in np.flatnonzero(d[:, 0] > 1):
        ways = _log_choose(m[t][:, None], j) + _log_choose((n[t] - m[t])[:, None], d[t] - j) - _log_choose(n[t], d[t])
        low[t] = np.logaddexp.reduce(ways + b * j, axis=1)
    return _lowered(np.concatenate([b * x, -low]).T)


def _log_choose(n: Array, k: Array) -> Array:
    """The logarithm of how many subsets of ``k`` there are, of none ``-inf``."""
    inside = (k >= 0) & (k <= n)
    k = np.where(inside, k, 0)
    return np.asarray(np.where(inside, _lg(n + 1) - _lg(k + 1) - _lg(n - k + 1), -np.inf))


def group_ends(y: Array, groups: int) -> Array:
    """The largest number of each of some equally large groups but the last: order statistics ``ceil(j n / groups)``.

    Examples
    --------
    >>> group_ends(np.array([1.0, 5.0, 2.0, 2.0]), 4).tolist()
    [1.0, 2.0, 2.0]
    """
    return np.asarray(np.sort(y)[[-(-j * len(y) // groups) - 1 for j in range(1, groups)]])


def log_joined(log_orders: float, reached: bool, log_evidence: Callable[[], float]) -> tuple[float, bool]:
    """The logarithm of the p-value of random orders and evidence together, and whether evidence decides.

    It is that of ``min(1, p/.95, 1/(.05 E))``: each part is a p-value, and the weights add to 1, so that ``P(p <= t) <=
    t`` by Bonferroni's inequality. Evidence is asked where none of the orders has ``reached`` the score, which can only
    raise p.

    Examples
    --------
    >>> p, decides = log_joined(log(0.001), False, lambda: 1000.0)
    >>> round(p, 3), decides, log_joined(0.0, True, lambda: 1000.0)
    (-997.004, True, (0.0, False))
    """
    alone = min(0.0, log_orders - log1p(-SHARE))
    joined = alone if reached else min(alone, -log(SHARE) - log_evidence())
    return joined, joined < alone


def _concentrations(totals: Array) -> list[float]:
    """The sizes of effects that are mixed."""
    return [4.0**k for k in range((int(totals.sum()).bit_length() + 1) // 2)]


def _lg(x: Any) -> Any:
    """The logarithm of the gamma function."""
    from scipy.special import gammaln

    return gammaln(x)


def log_mean(logs: Any) -> float:
    """The logarithm of the mean of numbers given by theirs, whatever their order."""
    terms = np.sort(np.asarray(logs, dtype=float).ravel())
    return float(np.logaddexp.reduce(terms)) - log(len(terms))


def _lowered(terms: Array) -> Array:
    """Sums over the last axis, whatever the order of the terms, less a bound of their roundings."""
    terms = np.sort(terms, axis=-1)
    return np.asarray(terms.sum(axis=-1) - ULPS * (1 + np.abs(terms).sum(axis=-1)))


def _of_smaller_side(both: Array, m: Array, n: int) -> Array:
    """Logarithms of cuts from those of their left sides, of m rows, and of their right ones: of halves the mean."""
    left, right = np.where(2 * m <= n, both[: len(m)], -np.inf), np.where(2 * m >= n, both[len(m) :], -np.inf)
    return np.asarray(np.logaddexp(left, right) - log(2) * (2 * m == n))


def _log_cuts(left: Array, totals: Array) -> Array:
    """The logarithms of the evidence of cuts with class counts ``left (s, K)``, one row for each size of effect."""
    n, side, each = int(totals.sum()), np.concatenate([left, totals - left]), []
    m, zero = side.sum(axis=1), np.zeros(side.shape)
    for c in _concentrations(totals):
        a = c * totals / n
        by_class = _lg(side + a), zero - _lg(a), _lg(totals - side + 1), zero - _lg(totals + 1)
        whole = np.stack([_lg(n + 1) + 0 * m, -_lg(n - m + 1), -_lg(c + m), _lg(c) + 0 * m], axis=1)
        each.append(_of_smaller_side(_lowered(np.concatenate([*by_class, whole], axis=1)), m[: len(left)], n))
    return np.array(each)


def _log_table(counts: Array, c: float, tied: bool = True) -> float:
    """The logarithm of the evidence of a table for one size of effect, class by class in the order of the columns.

    Of classes that are ``tied`` by their totals any may come first: the mean over all their orders, by subsets. Of more
    than six it is that of one class against the rest.
    """
    totals = counts.sum(axis=0)

    @cache
    def rest(there: tuple[int, ...]) -> float:
        if len(there) < 2:
            return 0.0
        first = [k for k in there if totals[k] == totals[there[0]]] if tied else [there[0]]
        others, n = counts[:, there].sum(axis=1), totals.sum()
        each = []
        for k in first:
            a, b = c * totals[k] / n, c * (totals[list(there)].sum() - totals[k]) / n
            then = rest(tuple(j for j in there if j != k)) if len(first) <= TIED else 0.0
            each.append(_log_class(counts[:, k], others, a, b) + then)
        return log_mean(each)

    return rest(tuple(range(len(totals))))


def _log_class(x: Array, m: Array, a: float, b: float) -> float:
    """The logarithm of the evidence of a class with ``x (r,)`` of ``m (r,)`` rows, beta-binomial of ``a`` and ``b``."""
    n, ones, zero = int(m.sum()), int(x.sum()), np.zeros(len(x))
    terms = _lg(x + a), zero - _lg(a), _lg(m - x + b), zero - _lg(b), -_lg(m + a + b)
    whole = _lg(n + 1), -_lg(ones + 1), -_lg(n - ones + 1), -_log_chance(m[m > 0], ones, a, b)
    return float(_lowered(np.concatenate([*terms, zero + _lg(a + b), whole])))


def _log_chance(sizes: Array, total: int, a: float, b: float) -> float:
    """The logarithm of a number not below the chance that beta-binomial rows of some sizes sum to a total.

    By the product of their characteristic functions at as many frequencies as span 16 standard deviations: that is the
    chance of the sum modulo their number, which is no smaller. What rounding may take is added. Of more rows than that
    is quick for it is left at 1, which costs a factor of the order of the standard deviation.
    """
    n, s = int(sizes.sum()), a + b
    if n > SPREAD:
        return 0.0
    spread = float((sizes * (s + sizes)).sum() * a * b / (s * s * (s + 1))) ** 0.5
    width = min(n + 1, int(16 * spread) + 64)
    product = np.ones(width // 2 + 1, dtype=complex)
    for m, often in zip(*np.unique(sizes, return_counts=True), strict=True):
        k = np.arange(m + 1.0)
        logs = _lg(k + a) + _lg(m - k + b) - _lg(k + 1) - _lg(m - k + 1)
        law = np.exp(logs - logs.max())
        wrapped = np.bincount(np.arange(m + 1) % width, law / law.sum(), width)
        product *= np.fft.rfft(wrapped) ** float(often)
    chance = float(np.fft.irfft(product, width)[total % width])
    return log(max(chance, 0.0) * (1 + ULPS * n * log(n + 2)) + ULPS * (len(sizes) + 64))


def log_of_scores(scores: Array, sizes: Array, ones: Array) -> float:
    """The logarithm of the evidence of scores by the value of a column, ``ones`` of whose ``sizes`` are of one class.

    The sum over the class is that of a fixed number of rows, so that classes and scores have changed places.

    Examples
    --------
    >>> round(log_of_scores(np.arange(40.0), np.ones(40), np.arange(40) < 20), 2)
    15.96
    """
    order = np.argsort(scores, kind="stable")
    return _log_tilted(on_grid(scores[order], sizes[order], STEPS), sizes[order], ones[None, order] * 1.0)


def _log_sums(codes: Array, y: Array, gaps: bool) -> float:
    """The logarithm of the mean evidence over cuts and effects, by sums of standardised responses."""
    at, more = _cuts(np.bincount(codes), gaps)
    values, place = np.unique(on_grid(y, np.ones(len(y)), STEPS), return_inverse=True)
    ends, v = np.unique(at), len(values)
    between = np.bincount(np.searchsorted(ends, codes) * v + place, minlength=(len(ends) + 1) * v).reshape(-1, v) * 1.0
    left = between.cumsum(axis=0)[np.searchsorted(ends, at)] + more[:, None] * between[-1]
    return _log_tilted(values, between.sum(axis=0), left)


def centred_ranks(often: Array) -> Array:
    """Twice the ranks of values that occur so ``often``, tied ones sharing theirs, less their mean: whole numbers."""
    return np.asarray(2 * often.cumsum() - often - often.sum())


def on_grid(y: Array, often: Array, bits: int, rows: int = 1) -> Array:
    """Numbers in standard deviations from their mean, on a grid on which sums are exact, in any order; 0 if all equal.

    The largest times ``rows`` is at most ``2^(bits + 1)`` steps of the grid. Evidence of rounded responses is evidence:
    what they are is decided before their order.
    """
    n, scaled = often.sum(), y / (np.abs(y).max() or 1.0)
    z = scaled - fsum(scaled * often) / n
    spread = (fsum(z * z * often) / n) ** 0.5
    if not spread > 0:
        return np.zeros(len(y))
    unit = 2.0 ** (bits - int(np.log2(rows * (np.abs(z).max() / spread))))
    return np.asarray(np.rint(z / spread * unit) / unit)


def _log_tilted(z: Array, often: Array, left: Array) -> float:
    """The logarithm of the mean evidence over cuts and effects of increasing responses ``z (v,)``, each so ``often``.

    ``left (c, v)`` tells how many of each lie left of a cut. Effects are sums times a number, of both signs.
    """
    n, m, each = int(often.sum()), left.sum(axis=1), list[Array]()
    if z[0] == z[-1] or not len(m) or not ((m > 0) & (m < n)).all():
        return 0.0
    rows, sides = np.concatenate([m, n - m]), np.concatenate([left, often - left]) @ z  # exact on the grid
    some, back = np.unique(np.minimum(rows, n - rows), return_inverse=True)
    # Of many rows, whose means hardly vary by chance, smaller effects can be told from none.
    smaller = (EFFECTS[0] / 4**k for k in range(1, 20) if EFFECTS[0] / 4**k >= 2 / n**0.5)
    for effect in (sign * size for size in (*EFFECTS, *smaller) for sign in (-1, 1)):
        if abs(effect) * np.abs(z).max() > 600:  # which depends on the values of y alone
            each.append(np.full(len(m), -np.inf))
            continue
        x, times = (effect * z, often) if effect > 0 else (effect * z[::-1], often[::-1])  # in increasing order
        both = _lowered(np.stack([effect * sides, *ratio_to_sums(some, n, x, times)[:, back]], axis=1))
        each.append(_of_smaller_side(both, m, n))
    return log_mean(each)


def ratio_to_sums(m: Array, n: Any, x: Array, often: Array | float = 1.0, cell: Array | None = None) -> Array:
    """Terms ``(6, c)`` whose sum is at most ``log(C(n, m)/e_m(exp(x)))``, ``0 < m (c,) < n``.

    All sums are of x ``(v,)``, each so ``often``; or each of those x that have its ``cell``.

    Examples
    --------
    >>> ratio_to_sums(np.array([2]), 4, np.zeros(4)).sum().round(3)  # near 0
    np.float64(-0.217)
    """
    from scipy.special import ive

    def total(values: Array) -> Array:
        return np.asarray((values * often).sum(axis=-1) if cell is None else np.bincount(cell, values, len(m)))

    at: Any = (slice(None), None) if cell is None else cell
    u = np.log(m / (n - m)) - total(x) / n
    for step in range(9):  # any u is valid, a good one is sharp
        p = 1 / (1 + np.exp(-np.clip(u[at] + x, -700, 700)))
        v = total(p * (1 - p))
        u = u + np.clip((m - total(p)) / np.maximum(v, 1e-9), -1, 1) * (step < 8)
    bound = m * u, -total(np.logaddexp(0, u[at] + x)), -np.log(ive(0, v))
    return np.stack([_lg(n + 1) + 0 * m, -_lg(m + 1), -_lg(n - m + 1), *bound])


def _cuts(sizes: Array, gaps: bool) -> tuple[Array, Array]:
    """After which values there are cuts, and whether missing ones, the last, lie left of them, too.

    Many are thinned from both ends alike, so that they are the same ones in a column that is reversed.
    """
    known, most = sizes[: len(sizes) - gaps], CUTS // 2
    at, m = np.arange(len(known) - 1), known.cumsum()[:-1]
    if len(at) > 2 * most:
        ends = m, (known.sum() - m)[::-1]
        low, high = (np.searchsorted(each, np.linspace(each[0], each[-1], most)) for each in ends)
        at = np.unique(np.concatenate([low, len(at) - 1 - high]))
    after = np.concatenate([at, [len(known) - 1], at]) if gaps else at  # missing ones right, alone, left
    return after, np.arange(len(after)) > len(at)
