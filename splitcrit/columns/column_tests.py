"""The test of one column against a label: a column of numbers by its best cut, a column of categories by its table.

Main definitions: ``cuts_test``, ``categories_test`` (classes), ``responses_test`` (numbers), each a ``ColumnTest``;
``subset_test`` (the best division of categories in two); ``two_classes``.
Main results: with two classes the law of the best cut is that of lattice paths, and the law of a table is listed, or
found by a dynamic programme. Where the paths are too many, the p-value lies in an interval: at least the part of them
that was followed, or the chance of one cut, and at most the chance of every first crossing (``paths.crossings``), or of
every cut, added up, ::

    P(max over cuts of S >= s)  <=  sum over cuts of P(S >= s),    each term exactly hypergeometric.

Where the tables are too many, ``r`` times the least p-value of one of ``r`` values against the rest. With more
classes random tables are drawn, and joined with exact tests of each class against the rest, so that small p-values have
no floor (``dichotomies``); responses that are numbers are permuted, and cut at quantiles for the exact tests. Which way
is taken depends on the margins, or leads to a p-value that is larger.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, inf, log
from typing import Any, final

import numpy as np

from splitcrit.arguments import PATIENT, Array, microseconds
from splitcrit.display import shortened
from splitcrit.frozen import complaint
from splitcrit.nulls import best_cut
from splitcrit.nulls.batches import standard
from splitcrit.nulls.best_split import SplitTail, best_scores, best_subset_law
from splitcrit.nulls.dichotomies import PARTS, log_joined_pvalue, of_responses
from splitcrit.nulls.exact import TooLarge, exact_surprise
from splitcrit.nulls.extremes import CLOSE, EXTREMES, inside_each
from splitcrit.nulls.feature_counts import FeatureCounts, cut_masks
from splitcrit.nulls.hypergeometric import log_outside, log_two_sided
from splitcrit.nulls.margin_totals import constant
from splitcrit.nulls.monte_carlo import statistics, tables_drawn
from splitcrit.nulls.null import null_law
from splitcrit.nulls.permutation_pvalues import tallied
from splitcrit.nulls.pvalue import QUICK
from splitcrit.nulls.resampled import TIE, scores_with_gaps
from splitcrit.nulls.response_law import Invariants, mean_variance
from splitcrit.nulls.standardisation import exact_gain, exact_score

DRAWS = 999  # random tables, or orders, at most
TABLES = 10**6  # of two classes that are listed at most
ENOUGH = 20  # of them that score as high, at which drawing stops
CELLS = 2**27  # cells of random tables at most; of large tables fewer are drawn, but never fewer than FEWEST
BLOCK = 2**20  # responses permuted at a time
FEWEST = 99
DRAWN_ROWS = 2**24  # of more no random tables are drawn, whose memory grows with the rows
MOST = 2**31
EXACT, INTERVAL, DRAWN, NO_CUT = "exact", "interval", "permutations", "no cut"
UNCLEAR = log(1e-6)  # upper ends of an interval up to which its lower end is not refined by following paths
SAME = 1e-9  # of two ends of an interval, as logarithms
CLASS, VALUE, QUANTILE = "one class against the rest", "one value against the rest", "responses above a quantile"


@final
@dataclass(frozen=True, repr=False)
class ColumnTest:
    """The test of a column.

    Parameters
    ----------
    score
        The gain of the best cut, or of the table of categories, in standard deviations above its mean by chance, as if
        it had been fixed beforehand: SGini of classes; of responses by `splitcrit.nulls.response_moments`.
    gain
        The Gini gain of that cut or table; of responses, the share of the variance that it explains.
    p, log_p
        The p-value, which accounts for the choice of the cut, and its natural logarithm where it is too small a float.
    method
        ``"exact"``; ``"interval"``, where the law takes too long, from ``least`` to ``p``; ``"permutations"`` of
        the labels, with exact tests beside them, or what these are where they decide: ``"one class against the rest"``,
        ``"one value against the rest"``, ``"responses above a quantile"``; ``"no cut"``.
    standard_error
        The Monte Carlo standard error of ``p``; None where nothing was drawn or an exact test decides.
    cut
        How many observations with a value lie to the left of the best cut; 0 for a table of categories.
    missing_left
        Whether observations without a value lie to its left.
    null_mean, null_sd
        Of responses, mean and standard deviation of the gain by chance, of this cut or table as if fixed beforehand.
    least
        The lower end of an interval, whose upper end is ``p``; None elsewhere. Where ``enough`` was asked for, the sum
        that exceeds it at which an exact law stopped, and ``p`` is 1.
    """

    score: float
    gain: float
    p: float
    log_p: float
    method: str
    standard_error: float | None = None
    cut: int = 0
    missing_left: bool = False
    null_mean: float | None = None
    null_sd: float | None = None
    least: float | None = None

    __repr__ = shortened


NOTHING = ColumnTest(0.0, 0.0, 1.0, 0.0, NO_CUT)


def cuts_test(
    counts: Array, gaps: bool, rng: np.random.Generator, *, draws: int = DRAWS, limit: float = PATIENT,
    enough: float = inf,
) -> ColumnTest:  # fmt: skip
    """Return the test of a column by its best cut.

    Parameters
    ----------
    counts : int array (r, K)
        Observations by value, in order, and class; no row and no column is empty.
    gaps
        Whether the last row has the observations without a value, which every cut puts on the better side.
    rng
        For three or more classes.
    draws
        How many random tables are drawn at most, for three or more classes.
    limit
        How many seconds the law of lattice paths may take, as counted for numpy; beyond that there is an interval.
    enough
        A p-value of two classes that is larger need not be computed to the end.

    Examples
    --------
    >>> counts = np.array([[1, 0]] * 6 + [[0, 1]] * 6)  # two classes that a number separates
    >>> found = cuts_test(counts, False, np.random.default_rng(0))
    >>> found.method, found.cut, round(found.p * 924, 9)  # two of the C(12, 6) orders do so
    ('exact', 6, 2.0)
    """
    _check_total(counts)
    found = FeatureCounts(counts, counts.sum(axis=1), gaps)
    masks, classes = cut_masks(found, 1), counts.shape[1]
    if classes < 2 or not any(mask.any() for mask in masks):
        return NOTHING
    if classes == 2:
        return two_classes(found, limit, enough=enough)
    scores = scores_with_gaps(counts, *masks, "sgini")
    at = int(scores.argmax())
    score, close = float(scores[at]), TIE * (1 + abs(float(scores[at])))
    known, right = found.sizes[:-1].cumsum(), int(masks[0].sum())
    cut = int(np.concatenate([known[masks[0]], known[:-1][masks[1][1:]]])[at])
    reached = (
        scores_with_gaps(part, *masks, "sgini").max(axis=-1) >= score - close
        for part in tables_drawn(counts, _affordable(counts, draws), "permutation", rng)
    )
    each = [log_of_two(against_rest(counts, k), True, gaps, limit) for k in range(classes)]
    p, log_p, method, error = joined_test(reached, _affordable(counts, draws), each)
    gain = float(scores_with_gaps(counts, *masks, "gini")[at])
    return ColumnTest(score, gain, p, log_p, method, error, cut, at >= right)


def categories_test(counts: Array, rng: np.random.Generator, *, draws: int = DRAWS, steps: int = QUICK) -> ColumnTest:
    """Return the test of a column of categories by the Gini gain of its table.

    Parameters
    ----------
    counts : int array (r, K)
        Observations by category and class; no row and no column is empty.
    rng, draws
        For tables whose exact law takes too long.
    steps
        How many steps an exact law may take.

    Examples
    --------
    >>> categories_test(np.array([[3, 0, 1], [0, 4, 1]]), np.random.default_rng(0)).p
    0.023809523809523808
    """
    _check_total(counts)
    r, classes = counts.shape
    if r < 2 or classes < 2:
        return NOTHING
    score, gain = exact_score(counts), float(exact_gain(counts))
    if constant(counts.sum(axis=1), counts.sum(axis=0)):
        return ColumnTest(score, gain, 1.0, 0.0, EXACT)
    exact = _exact_log(counts, steps)
    if exact is not None:
        return ColumnTest(score, gain, exp(exact), exact, EXACT)
    rows, seen = counts.sum(axis=1), statistics(counts, counts.sum(axis=1))
    drawn = _affordable(counts, draws)
    reached = (statistics(part, rows) >= seen for part in tables_drawn(counts, drawn, "permutation", rng))
    each = [table_of_two(against_rest(counts, k), steps) for k in range(classes)]
    p, log_p, method, error = joined_test(reached, drawn, *((each, CLASS) if classes > 2 else (each[:1], VALUE)))
    return ColumnTest(score, gain, p, log_p, method, error)


def responses_test(
    codes: Array, responses: Array, rng: np.random.Generator, *, ordered: bool, gaps: bool = False,
    draws: int = DRAWS, limit: float = PATIENT,
) -> ColumnTest:  # fmt: skip
    """Return the test of a column against responses that are numbers, by the decrease of their variance.

    Parameters
    ----------
    codes : int array (n,)
        The place of each observation's value among ``r``, all of which occur.
    responses : array (n,)
        Finite numbers.
    rng
        Of the random orders, which are those of the sorted responses: the order of the rows does not matter.
    ordered
        Whether the column is judged by its best cut, or by the table of its values.
    gaps
        Whether the last place is that of observations without a value.
    draws, limit
        How many random orders are drawn at most, and the seconds of an exact law.

    Examples
    --------
    >>> y = np.arange(40.0)
    >>> found = responses_test(np.arange(40), y, np.random.default_rng(0), ordered=True)
    >>> found.method, found.cut, found.p < 1e-8
    ('responses above a quantile', 20, True)
    """
    n, sizes = len(codes), np.bincount(codes)
    if len(sizes) < 2 or (responses == responses[0]).all():
        return NOTHING
    scaled = responses / np.abs(responses).max()
    y = scaled - scaled.mean()
    y = y / np.sqrt((y * y).mean())
    by_value = y[np.argsort(codes, kind="stable")][None]
    shares, m = _explained(by_value, sizes, ordered, gaps)
    at = int(shares[0].argmax())
    seen = float(shares[0, at])
    drawn = _affordable(codes, draws)
    size, ranked = max(1, BLOCK // n), np.sort(y)
    reached = (
        _explained(rng.permuted(np.tile(ranked, (min(size, drawn - start), 1)), axis=1), sizes, ordered, gaps)[0]
        .max(axis=1) >= seen - TIE * (1 + seen)
        for start in range(0, drawn, size)
    )  # fmt: skip
    halves = (np.bincount(2 * codes + above, minlength=2 * len(sizes)) for above in of_responses(responses))
    each = [log_of_two(half.reshape(-1, 2), ordered, gaps, limit) for half in halves]
    p, log_p, method, error = joined_test(reached, drawn, each, QUANTILE)
    known = len(sizes) - 1
    parts = np.array([m[at], n - m[at]] if ordered else sizes, dtype=float)
    mean, variance = (float(x) for x in mean_variance(parts, Invariants.of(y[:, None])))
    spread = variance**0.5
    score = (seen - mean) / spread if spread else 0.0
    missing_left = ordered and gaps and at >= known
    cut = int(m[at]) - missing_left * int(sizes[-1]) if ordered else 0
    return ColumnTest(score, seen, p, log_p, method, error, cut, missing_left, mean, spread)


def subset_test(
    counts: Array | None, codes: Any = None, responses: Any = None, *, draws: int = DRAWS, seed: int = 0
) -> SplitTail | None:
    """Return the chance of a best division in two as good, of the categories of a column; None if it is the table's.

    Two categories have one division, and of categories of one row all are alike; of very many rows no order is drawn,
    and None is returned as well. Given are class counts ``(r, K)``, or codes ``(n,)`` of categories that all occur, and
    responses.

    Examples
    --------
    >>> subset_test(np.array([[3, 0], [1, 1], [0, 3]]))
    SplitTail(value=0.228571..., surprise=1.475906..., method='exact', standard_error=None)
    """
    sizes = np.bincount(codes) if counts is None else counts.sum(axis=1)
    if sizes.sum() > DRAWN_ROWS or len(sizes) < 3 or sizes.max() == 1:
        return None
    number = max(FEWEST, min(draws, CELLS // (int(sizes.sum()) if counts is None else counts.size)))
    if counts is not None:
        law = best_subset_law(sizes, counts.sum(axis=0), draws=number, seed=seed)
        return law.pvalue(law.score(counts))
    y = responses / (np.abs(responses).max() or 1.0)
    y = y - y.mean()
    law, square = best_subset_law(sizes, responses=y, draws=number, seed=seed), float(y @ y)
    if not law.draws or not square:
        return SplitTail(1.0, 0.0, law.method)
    return law.pvalue(float(best_scores(np.bincount(codes, y)[None, :, None], sizes, square, subset=True)[0]))


def _explained(y: Array, sizes: Array, ordered: bool, gaps: bool) -> tuple[Array, Array]:
    """Return the shares ``(b, c)`` of the variance that cuts, or the table, explain, and how many lie left of each.

    ``y (b, n)`` has mean 0 and mean square 1, and stands in the order of the values, missing ones last. Cuts with
    missing values on their left come last.
    """
    n, ends = y.shape[1], sizes.cumsum()
    sums = np.add.reduceat(y, ends - sizes, axis=1)
    if not ordered:
        return (sums * sums / sizes).sum(axis=1, keepdims=True) / n, ends[-1:]
    left, m = sums.cumsum(axis=1)[:, :-1], ends[:-1]
    if gaps:
        left = np.concatenate([left, left[:, :-1] + sums[:, -1:]], axis=1)
        m = np.concatenate([m, m[:-1] + sizes[-1]])
    return left * left / (m * (n - m)), m


def with_error(method: str, standard_error: float | None) -> str:
    """Return a method with the standard error of its p-value, as tables show it.

    Examples
    --------
    >>> with_error("permutations", 0.0123), with_error("exact", None)
    ('permutations (+- 0.01)', 'exact')
    """
    return method + (f" (+- {standard_error:.1g})" if standard_error else "")


def _check_total(counts: Array) -> None:
    """Raise ValueError if products of the numbers of observations leave int64."""
    if counts.size and counts.sum(dtype=object) >= MOST:
        rule, remedy = "a column is judged by fewer than 2**31 rows", "divide the counts, or pass measure='sgini'"
        raise ValueError(complaint(rule, "more", remedy))


def joined_test(
    reached: Iterable[Array], draws: int, exact: list[float], name: str = CLASS
) -> tuple[float, float, str, float | None]:
    """Return p-value, its logarithm, method and standard error of random orders and exact tests together.

    Drawing stops at the 20th order that scores as high (besag1991).

    ``reached`` says of random orders, in blocks, whether they score as high; ``exact`` has the logarithms of the
    p-values of all exact tests. Orders are not drawn where they could not decide, and none are with ``draws=0``.

    Examples
    --------
    >>> joined_test([np.array([True, False, False, False] * 20)], 999, [0.0])  # twice 20/77
    (0.519..., -0.654..., 'permutations', 0.09...)
    >>> joined_test([], 999, [-20.0, 0.0])[2]
    'one class against the rest'
    """
    tests = log(len(exact)) + min(exact)
    if not draws:
        return exp(min(0.0, tests)), min(0.0, tests), name, None
    decided = tests <= -log(1 + draws)
    tally = tallied(() if decided else reached, 1.0, ENOUGH)
    value = 1.0 if decided else tally.pvalue
    log_p = log_joined_pvalue(log(value), exact)
    if log(value) <= tests:
        return exp(log_p), log_p, DRAWN, PARTS * tally.standard_error if log_p < 0 else 0.0
    return exp(log_p), log_p, name, None


def _affordable(counts: Array, draws: int) -> int:
    """Return the largest number of random tables to draw: fewer of large ones, none of very many rows."""
    if counts.sum() > DRAWN_ROWS:
        return 0
    return max(min(draws, CELLS // counts.size), min(draws, FEWEST))


def _of_cut(
    log_p: float, method: str, score: float, gain: float, cut: int, missing_left: bool, log_least: float
) -> ColumnTest:
    """Return the test of a best cut, given the logarithms of its p-value and of the lower end of an interval."""
    least = exp(log_least) if log_least < log_p else None
    return ColumnTest(score, gain, exp(log_p), log_p, method, None, cut, missing_left, least=least)


def two_classes(
    found: FeatureCounts, limit: float, min_leaf: int = 1, statistic: str = "sgini", enough: float = inf
) -> ColumnTest:
    """Return the best cut of two classes and its p-value, exact where the law takes up to ``limit`` seconds.

    A p-value that is larger than ``enough`` may be left at that: it is then 1, above a lower end that exceeds it.
    """
    if found.sizes.sum() > DRAWN_ROWS:
        return _bounded(found, min_leaf, statistic)
    best = best_cut.best(found, min_leaf, EXTREMES[statistic])
    if best is None:
        return NOTHING
    cuts, (bounds,) = best.cuts, inside_each(best.bar, best.cuts.sizes, (False,))
    at = best_cut.seen(found, min_leaf).at[best.place]
    m = cuts.sizes[best.place]
    gain = float(EXTREMES["gini"].scores(cuts.n, cuts.ones, m, cuts.n * at - m * cuts.ones))
    which = best.bar.score, gain, best.known, best.missing_left
    planned, most, upper = best_cut.plan(cuts, *bounds), microseconds(limit), 0.0
    method = EXACT if planned.cost <= most else INTERVAL
    if method == INTERVAL:
        planned, upper = best_cut.plan(cuts, *bounds, closely=True), best_cut.log_at_most(cuts, *bounds)
    least = planned.floor
    if method == EXACT or upper > UNCLEAR:
        law = best_cut.law(cuts, *bounds, planned, enough, most)
        if law.complete:
            return _of_cut(-law.surprise, EXACT, *which, -law.surprise)
        least = max(least, -law.surprise)
    return _of_cut(upper, EXACT if upper - least < SAME else method, *which, least)


def _bounded(found: FeatureCounts, min_leaf: int, statistic: str) -> ColumnTest:
    """Return the best cut of many rows, with the union bound, in time and memory of the number of cuts.

    Tables whose score is lower by rounding alone count as reaching it, so that the bound stays one.
    """
    masks = cut_masks(found, min_leaf)
    if found.counts.shape[1] != 2 or not any(mask.any() for mask in masks):
        return NOTHING
    (right, left), known = masks, found.sizes[:-1].cumsum()
    gains = scores_with_gaps(found.counts, *masks, "gini")
    n, ones = int(found.sizes.sum()), int(found.counts[:, 0].sum())
    rows = np.concatenate([known[right], known[:-1][left[1:]]])
    m = np.concatenate([known[right], known[:-1][left[1:]] + found.sizes[-1]])
    if statistic == "sgini":
        law = null_law(np.stack([m, n - m], axis=-1), np.broadcast_to([ones, n - ones], (len(m), 2)))
        scores = np.asarray(standard(gains, law.mean, law.variance))
    else:
        scores = scores_with_gaps(found.counts, *masks, statistic)
    at = int(scores.argmax())
    score = float(scores[at])
    if statistic == "pairwise_gain":
        reach = np.full(len(m), 2 * score / n)
    else:
        bar = law.mean + score * np.sqrt(law.variance) if statistic == "sgini" else np.full(len(m), score)
        reach = np.sqrt(np.maximum(bar, 0.0) * m * (n - m) / 2)
    reach = np.maximum(reach * (1 - CLOSE) - CLOSE * n / 2**10, 0.0)
    middle = m * (ones / n)
    lower, upper = np.floor(middle - reach).astype(np.int64) + 1, np.ceil(middle + reach).astype(np.int64) - 1
    logs = log_outside(n, ones, m, lower, upper, together=True)
    log_p, least = min(0.0, float(np.logaddexp.reduce(logs))), float(logs.max())
    return _of_cut(log_p, INTERVAL, score, float(gains[at]), int(rows[at]), at >= int(right.sum()), least)


def _exact_log(counts: Array, steps: int) -> float | None:
    """Return the logarithm of the exact p-value of a table; None if it takes too long."""
    if counts.shape[1] == 2 and len(counts) > 2 and steps > 1:
        logs = np.log(np.sort(counts.sum(axis=1) + 1.0)[:-1]).sum()
        if logs <= log(TABLES):
            return _listed(counts)
    try:
        return 0.0 - exact_surprise(counts.tolist(), steps)
    except TooLarge:
        return None


def _listed(counts: Array) -> float:
    """Return the logarithm of the exact p-value of a table of two classes, by listing all tables of its margins.

    Gains within 1e-11 of the observed one count as equal, so that rounding leads to larger p-values alone.
    """
    from scipy.special import gammaln, logsumexp

    counts = counts[np.argsort(counts.sum(axis=1), kind="stable")]
    sizes, seen = counts.sum(axis=1), float((counts[:, 0] ** 2 / counts.sum(axis=1)).sum())
    rest: Array = np.array([counts[:, 0].sum()])
    value, logs = np.zeros(1), np.zeros(1)
    for size in sizes[:-1].tolist():
        x = np.arange(size + 1.0)
        ways = gammaln(size + 1) - gammaln(x + 1) - gammaln(size - x + 1)
        value, logs = (value[:, None] + x * x / size).ravel(), (logs[:, None] + ways).ravel()
        rest = (rest[:, None] - x).ravel()
        fits = rest >= 0
        value, logs, rest = value[fits], logs[fits], rest[fits]
    last = float(sizes[-1])
    fits = rest <= last
    value, logs, rest = value[fits] + rest[fits] ** 2 / last, logs[fits], rest[fits]
    logs = logs + gammaln(last + 1) - gammaln(rest + 1) - gammaln(last - rest + 1)
    reached = value >= seen * (1 - TIE)
    return min(0.0, float(logsumexp(logs[reached]) - logsumexp(logs)))


def against_rest(counts: Array, k: int) -> Array:
    """Return the counts of one class and of all others."""
    return np.stack([counts[:, k], counts.sum(axis=1) - counts[:, k]], axis=1)


def log_of_two(
    counts: Array, ordered: bool, gaps: bool, limit: float = PATIENT, min_leaf: int = 1, statistic: str = "sgini"
) -> float:
    """Return the logarithm of the p-value of a column against two classes: of its best cut, or of its table."""
    if len(counts) < 2 or not counts.any(axis=0).all():
        return 0.0
    if ordered:
        return two_classes(FeatureCounts(counts, counts.sum(axis=1), gaps), limit, min_leaf, statistic).log_p
    return table_of_two(counts)


def table_of_two(counts: Array, steps: int = QUICK) -> float:
    """Return the logarithm of the p-value of a table of two classes, or of a bound of it."""
    exact = _exact_log(counts, steps)
    if exact is not None:
        return exact
    (b, _), sizes, x = counts.sum(axis=0).tolist(), counts.sum(axis=1), counts[:, 0]
    n = int(sizes.sum())
    return min(0.0, log(len(sizes)) + float(log_two_sided(n, b, sizes, x).min()))
