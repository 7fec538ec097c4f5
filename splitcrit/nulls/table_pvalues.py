"""P-values of many splits that were fixed before the rows were seen; ``columns.column_tests`` has that of one.

``enough``, whether permutations can reach a level; ``counts_of``, weights that are counts, and what refuses those of
classes, ``refuse_class_weights``.
Many splits of two sides: ``chances`` (``Chances``), each different table once, by ``tails``, which weighs every table
with the same margins, or ``drawn_pvalues``, by random tables.

Main results: given how many rows each group and each class has, and if the classes are independent of the groups, all
orders of the labels are equally likely. With n observations, a of them on the first side and b_j of class j, the first
side holds x_j of class j in prod_j C(b_j, x_j) of C(n, a) equally likely ways, and the Gini gain grows with the integer
``sum_j (n x_j^2 - 2 a b_j x_j)``, so that ties are decided in integers. Where going through all tables is slow,
``(1 + c)/(1 + B)``, ``c`` of ``B`` random orders or tables reaching the score, is joined with evidence, which has no
floor, where none of them does: ``min(1, p/.95, 1/(.05 E))``, see ``nulls.evidence``. With the ``h``-th random table
that reaches the gain, the ``L``-th drawn, drawing stops at ``h/L``, so that an uninformative split is cheap; see
``pvalues``. The standard error of ``p`` is ``sqrt(p (1 - p)/L)``, without a stop ``sqrt(p (1 - p)/(1 + B))``. Each
p-value is at most t with probability at most t, whatever ``B``. Nothing is approximated by the limit of many rows.
Source: wang2024, Lemma 1 (the law of a table); besag1991 (drawing that stops); phipson2010 for ``(1 + c)/(1 + B)``.
"""

from __future__ import annotations

from functools import partial
from math import ceil, exp, lgamma, log
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.training_inputs import weights_of
from splitcrit.frozen import complaint
from splitcrit.nulls import gini_pvalue, sgini
from splitcrit.nulls.evidence import SHARE, log_joined, log_of_categories
from splitcrit.nulls.hypergeometric import log_factorials, log_two_sided
from splitcrit.nulls.monte_carlo import permutation_pvalue, stopped_pvalue

DRAWS = 20  # random orders for each 1/level: their p-values are multiples of a twentieth of the level
MOST_CELLS = 5_000  # of a table of three or more classes, beyond which random tables are quicker
MOST_ROWS = 1_000_000  # n^3 fits an int64
MOST = 2**27  # rows that weights may stand for
RARELY = 1000  # one data set in this number, at most, has counts that do not depend on the labels and are refused
BLOCK = 1 << 20  # tables drawn at a time
CELLS = 1 << 16  # weighed at a time, in the cache of a processor
ENOUGH = 20  # random tables that reach the gain, h
ROUNDING = 1e-9  # relative, of a p-value: sums of logarithms of factorials
READ_AS_COUNTS = "Weights are read as counts: {:,} observations."
EXACT, JOINED, CERTAIN = "exact", "random tables and evidence", "cannot reject"


def refuse_class_weights(weights: Array, labels: Array, rows: Array | None = None) -> tuple[str, ...]:
    """A remark on counts of rows that look like weights of classes; refuse them where counts do so rarely.

    A test takes a row of weight 9 for 9 rows, which makes evidence of weights that balance classes. Of ``n`` rows with
    a weight, ``n_w`` of weight ``w``, weights that do not depend on the labels have ``n!/prod n_w!`` equally likely
    arrangements. At most ``K!`` of them are one number in each of ``K`` classes: list the classes weight by weight; as
    the rows of each weight are known, this order of the classes tells the weight of each.

    Parameters
    ----------
    weights : array (n,)
        Counts.
    labels : array (n,) or (n, k), or structured
        Classes, or responses, of which each column is looked at.
    rows : array (n,), optional
        How many rows have this weight and this label; 1 by default.

    Raises
    ------
    ValueError
        If they are one number a class, not all equal, which of counts has a probability of at most 1/1000.

    Examples
    --------
    >>> refuse_class_weights(np.array([9, 1, 1, 9, 1]), np.array(["a", "b", "b", "a", "a"]))
    ()
    """
    there = weights > 0
    positive, places = weights[there], np.unique(weights[there], return_inverse=True)[1]
    sizes = np.bincount(places, None if rows is None else rows[there]).tolist()
    if len(sizes) < 2:
        return ()
    ways = lgamma(sum(sizes) + 1) - sum(lgamma(size + 1) for size in sizes)
    fields = labels.dtype.names
    columns = [labels[name] for name in fields] if fields else list(labels.reshape(len(labels), -1).T)
    for column in columns:
        each = (column.astype(str) if column.dtype == object else column)[there].tolist()
        alike = lgamma(len(set(each)) + 1)
        if ways <= alike + 1e-9 or len(set(zip(each, positive.tolist(), strict=True))) > len(set(each)):
            continue
        if ways >= alike + log(RARELY * len(columns)) - 1e-9:
            rule = "weights of a test count equal rows and are no weights of classes"
            got = f"one weight for each class of y, from {positive.min():g} to {positive.max():g}"
            raise ValueError(complaint(rule, got, "leave them out, or if they count rows, repeat these"))
        return ("Each class has one weight: if weights balance classes and count no rows, leave them out.",)
    return ()


class Counts(NamedTuple):
    """How often each row counts, None for once, and remarks on it."""

    times: Array | None = None
    remarks: tuple[str, ...] = ()


def counts_of(sample_weight: Any, labels: Array, most: int = MOST) -> Counts:
    """Weights that are counts of the rows with these labels, with a sum of at most ``most``, as int64.

    Raises
    ------
    ValueError, TypeError
        If weights are no counts, since only equal rows are interchangeable, or if they are too many; if they are those
        of classes, see ``refuse_class_weights``.
    """
    if sample_weight is None:
        return Counts()
    weights = weights_of(sample_weight, len(labels))
    if len(bad := weights[weights != np.floor(weights)]):
        rule = "weights of a permutation test are counts of rows"
        raise ValueError(complaint(rule, f"{bad[0]:g}", "leave them out, or pass numbers of equal rows"))
    if (total := float(np.minimum(weights, 2 * most).sum())) > most:
        rule = f"weights that are counts sum to at most {most}"
        raise ValueError(complaint(rule, f"{total:g} or more", "leave them out, or pass smaller ones"))
    remarks = refuse_class_weights(weights, labels)
    counted = (READ_AS_COUNTS.format(int(total)),) if (weights != 1).any() else ()
    return Counts(weights.astype(np.int64), counted + remarks)


def enough(permutations: int, level: float, remedy: str = "permutations={} or more, or None") -> None:
    """Raise ValueError if no p-value of this number of random orders can be as small as the level.

    ``remedy`` has a place for the number that is enough.

    Examples
    --------
    >>> enough(19, 0.05)
    >>> enough(19, 0.025)
    Traceback (most recent call last):
    ...
    ValueError: a p-value of B permutations is at least 1/(1 + B), which must not exceed the level; got 19 \
permutations at level 0.025; pass permutations=39 or more, or None
    """
    if (1 + permutations) * level < 1 - 1e-12:
        rule = "a p-value of B permutations is at least 1/(1 + B), which must not exceed the level"
        remedy = f"pass {remedy.format(ceil(1 / level - 1e-9) - 1)}"
        raise ValueError(complaint(rule, f"{permutations} permutations at level {level:g}", remedy))


def _joined(drawn: float, error: float, samples: int, table: Array) -> tuple[float, float]:
    """Join the p-value of random tables with evidence; return its standard error too."""
    reached = drawn > permutation_pvalue(0, samples) * (1 + ROUNDING)
    log_p, decides = log_joined(log(drawn), reached, partial(log_of_categories, table))
    return exp(log_p), 0.0 if decides or log_p == 0 else error / (1 - SHARE)


def in_order(tables: Array) -> Array:
    """Tables ``(m, 2, K)`` with the smaller side first and the classes in the order of their totals.

    Examples
    --------
    >>> in_order(np.array([[[5, 3], [0, 1]], [[1, 0], [3, 5]]])).tolist()
    [[[1, 0], [3, 5]], [[1, 0], [3, 5]]]
    """
    sides = tables.sum(axis=2)
    turned = np.where((sides[:, 0] > sides[:, 1])[:, None, None], tables[:, ::-1], tables)
    order = np.argsort(turned.sum(axis=1) * (turned.max(initial=0) + 1) + turned[:, 0], axis=1, kind="stable")
    return np.take_along_axis(turned, order[:, None, :], axis=2)


def score(x: Array, n: Array, a: Array, b: Array) -> Array:
    """The part of one class in the integer that grows with the gain."""
    return np.asarray(x * (n * x - 2 * a * b))


def tails(tables: Array) -> Array:
    """The probability of a Gini gain at least that of each table, over all orders of the labels.

    Parameters
    ----------
    tables : int array (m, 2, K)
        As ``in_order`` returns them, with rows on both sides.

    Returns
    -------
    array (m,)
        Relatively within ``ROUNDING``; nan of three classes and more, where over 5000 tables, or a million rows, would
        have to be gone through.

    Examples
    --------
    >>> tails(np.array([[[3, 0], [1, 6]]])).round(6).tolist()
    [0.033333]
    """
    a, b, p = tables[:, 0].sum(axis=1), tables.sum(axis=1), np.full(len(tables), np.nan)
    caps = np.minimum(b[:, :-1], a[:, None]) + 1
    cells = caps.prod(axis=1, dtype=np.float64)
    quick = np.flatnonzero(((cells <= MOST_CELLS) | ((caps > 1).sum(axis=1) <= 1)) & (b.sum(axis=1) <= MOST_ROWS))
    if tables.shape[2] == 2:
        p[:], quick = 1.0, np.flatnonzero(b[:, 0] > 0)  # 1 of one class
        p[quick] = np.exp(log_two_sided(b[quick].sum(axis=1), b[quick, 0], a[quick], tables[quick, 0, 0]))
        return p
    quick = quick[np.argsort(cells[quick], kind="stable")]  # tables of few cells together
    blocks = np.cumsum(cells[quick]) // CELLS
    logs = log_factorials(int(b[quick].sum(axis=1).max(initial=0)))
    for part in np.split(quick, np.flatnonzero(np.diff(blocks)) + 1):
        if len(part):
            p[part] = _weighed(tables[part], logs)
    return p


def _weighed(tables: Array, logs: Array) -> Array:
    """The p-values of some tables; ``logs`` are of the factorials from 0 on.

    A first side with x of the b observations of each class has probability in proportion to the product of
    ``C(b, x) (a / (n - a))^x``: ``weight``, here divided by its value near the mean. ``weight`` and ``points`` are of
    every x that the margins allow, ``at[i, j] + x`` the place of class j of table i. First sides grow class by class:
    ``left`` is what the classes to come have there, ``short`` what they must score; the last class takes what is left.
    """
    x, b = tables[:, 0], tables.sum(axis=1)
    a, n = x.sum(axis=1, keepdims=True), b.sum(axis=1, keepdims=True)
    mean = a * b // n
    least = np.maximum(0, a + b - n)
    sizes = np.minimum(a, b) - least + 1
    at = np.cumsum(sizes).reshape(sizes.shape) - sizes - least
    each, all_of_one = partial(np.repeat, repeats=sizes.ravel()), partial(np.repeat, repeats=sizes.sum(axis=1))
    digit = np.arange(sizes.sum()) - each(at)
    weight = each(logs[mean]) - logs[digit] + (each(logs[b - mean]) - logs[each(b) - digit])
    weight = np.exp(weight + (digit - each(mean)) * all_of_one(np.log(a / (n - a))))
    points = digit * (all_of_one(n) * digit - each(2 * a * b))
    owner, left, share, short = np.arange(len(b)), a[:, 0], np.ones(len(b)), score(x, n, a, b).sum(axis=1)
    for j, later in enumerate((n - np.cumsum(b, axis=1)).T[:-1]):
        fewest = np.maximum(0, left - later[owner])
        ways = np.minimum(left, b[owner, j]) - fewest + 1
        row, begin = np.repeat(np.arange(len(owner)), ways), np.cumsum(ways) - ways - fewest
        place = np.arange(len(row)) + (at[owner, j] - begin)[row]
        if j == b.shape[1] - 2:
            break
        owner, left = owner[row], (left + begin)[row] - np.arange(len(row))
        share, short = share[row] * weight[place], short[row] - points[place]
    last = (at[owner, -1] + left + begin)[row] - np.arange(len(row))
    chance, first = share[row] * weight[place] * weight[last], np.searchsorted(owner, np.arange(len(b)))
    reached = np.where(points[place] + points[last] >= short[row], chance, 0.0)
    sums = np.add.reduceat(np.stack([reached, chance]), (begin + fewest)[first], axis=1)
    return np.asarray(sums[0] / sums[1])


def drawn_pvalues(tables: Array, samples: int, rng: np.random.Generator) -> Array:
    """p-values and their standard errors ``(2, m)`` by at most ``samples`` random tables of the margins of each.

    Examples
    --------
    >>> tables = np.array([[[9, 0, 0], [0, 9, 9]], [[3, 3, 3], [3, 3, 3]]])
    >>> drawn_pvalues(tables, 99, np.random.default_rng(0)).round(3).tolist()
    [[0.01, 1.0], [0.01, 0.0]]
    """
    size = max(1, BLOCK // samples)
    blocks = [_block(tables[i : i + size], samples, rng) for i in range(0, max(len(tables), 1), size)]
    return np.concatenate(blocks, axis=1)


def _block(tables: Array, samples: int, rng: np.random.Generator) -> Array:
    """p-values and errors of some tables; those that go on are drawn twice as often in each round."""
    p, times = np.empty(len(tables)), np.zeros(len(tables), dtype=np.int64)
    draws = np.full(len(tables), 1 + samples)
    on, drawn, size = np.arange(len(tables)), 0, 2 * ENOUGH
    while len(on) and drawn < samples:
        size = min(size, samples - drawn)
        total = times[on, None] + np.cumsum(_reached(tables[on], size, rng), axis=1)
        stopped = total[:, -1] >= ENOUGH
        last = drawn + 1 + (total[stopped] >= ENOUGH).argmax(axis=1)
        p[on[stopped]], draws[on[stopped]] = stopped_pvalue(ENOUGH, last), last
        times[on] = total[:, -1]
        on, drawn, size = on[~stopped], drawn + size, 2 * size
    p[on] = permutation_pvalue(times[on], samples)
    return np.stack([p, np.sqrt(p * (1 - p) / draws)])


def _reached(tables: Array, size: int, rng: np.random.Generator) -> Array:
    """Tell for each table which of ``size`` random ones with its margins have at least its gain."""
    a, b = tables[:, 0].sum(axis=1), tables.sum(axis=1)
    n = b.sum(axis=1)
    left, rest = np.repeat(a[:, None], size, axis=1), n[:, None]
    value = np.zeros(left.shape, dtype=np.int64)
    for total in b.T[:, :, None]:
        rest = rest - total
        x = rng.hypergeometric(total, rest, left)
        value += score(x, n[:, None], a[:, None], total)
        left = left - x
    return np.asarray(value >= score(tables[:, 0], n[:, None], a[:, None], b).sum(axis=1)[:, None])


class Chances(NamedTuple):
    """Of each table SGini, the p-value, its Monte Carlo standard error and its method.

    A table whose rows are on one side or of one class "cannot reject", and has a p-value of 1. The error is 0 where the
    p-value is exact, or the exact tests of one class decide.
    """

    sgini: Array
    pvalue: Array
    error: Array
    method: Array


def chances(tables: Array, samples: int, rng: np.random.Generator, *, tested: bool = True) -> Chances:
    """The scores of tables ``(m, 2, K)``; p-values are nan, and methods empty, unless ``tested``.

    Examples
    --------
    >>> found = chances(np.array([[[3, 0], [1, 6]], [[6, 1], [0, 3]], [[2, 2], [0, 0]]]), 99, np.random.default_rng(0))
    >>> found.pvalue.round(4).tolist(), found.method.tolist()
    ([0.0333, 0.0333, 1.0], ['exact', 'exact', 'cannot reject'])
    """
    varies = (tables.sum(axis=2) > 0).all(axis=1) & ((tables.sum(axis=1) > 0).sum(axis=1) > 1)
    m = len(tables)
    law = Chances(
        np.zeros(m), np.full(m, 1.0 if tested else np.nan), np.full(m, 0.0 if tested else np.nan),
        np.full(m, CERTAIN if tested else "", dtype=object),
    )  # fmt: skip
    different, place = _different(in_order(tables[varies]))
    if len(different):
        law.sgini[varies] = np.asarray(sgini(different))[place]
    if tested and len(different):
        p, error, drawn = _pvalues(different, samples, rng)
        law.pvalue[varies], law.error[varies] = p[place], error[place]
        law.method[varies] = np.where(drawn, JOINED, EXACT)[place]
    return law


def _different(tables: Array) -> tuple[Array, Array]:
    """Each table once, and the place of every one among them: as ``np.unique``, but faster, of integers."""
    cells = tables.reshape(len(tables), 2 * tables.shape[2])
    order, first = np.lexsort(cells.T[::-1]), np.ones(len(cells), dtype=bool)
    first[1:] = (cells[order[1:]] != cells[order[:-1]]).any(axis=1)
    place = np.empty(len(cells), dtype=np.intp)
    place[order] = first.cumsum() - 1
    return tables[order[first]], place


def _pvalues(tables: Array, samples: int, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """The p-value of each table, its standard error, and whether tables were drawn for it."""
    p, error = tails(tables), np.zeros(len(tables))
    large = np.isnan(p)
    huge = large & (tables.sum(axis=(1, 2)) > MOST_ROWS)
    some = large & ~huge
    p[some], error[some] = drawn_pvalues(tables[some], samples, rng)
    if huge.any():
        estimate = gini_pvalue(tables[huge], method="monte_carlo", samples=samples, rng=rng)
        p[huge], error[huge] = estimate.value, estimate.standard_error
    for i in np.flatnonzero(large).tolist():
        p[i], error[i] = _joined(float(p[i]), float(error[i]), samples, tables[i])
    return p, error, large
