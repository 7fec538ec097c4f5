"""Free alarms beside a test: rows that recur, and labels in serial order.

A p-value of random orders is void where rows are copies of each other, or follow each other in time. Both can be seen:

    recurring rows   (1) ten distinct rows of features recur; (2) few values do not explain it: of the pairs of rows
                     that agree in the finer half of the columns nine in ten agree in all, or of exact copies one class
                     has none and another ten; (3) none of 1,999 random orders of the labels agrees as well within equal
                     rows
    serial order     too few runs of the label and of a column about its median, each with probability at most .001 in
                     a random order (wald1940, exact), where neither the label nor a column is sorted

Main results: (3) is a test of its own, of labels in random order given the features, so that labels unrelated to which
rows recur raise an alarm with probability at most 1/2000, whatever else is asked; rows in random order do so with
probability at most .001, by the runs. Alarms say nothing of rows that are alike without being equal.
Near-misses: (3) left out; a sorted column counted as serial; runs of the label alone.
A design in which it fires wrongly: one column decides all others and the label, such as a city its population.

Tested rows that are among those which grew a model recur in both, each of whose distinct rows counts once.

Main definitions: ``alarms`` and ``shared_rows`` (sentences), ``recurring_rows``, ``serial_columns``.
Source: own; wald1940 for runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from math import log

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.columns import InMemoryColumn, read_column, vector
from splitcrit.display import many

LEVEL = 0.001  # of a false alarm
FEWEST = 10  # distinct rows that recur
RECURRING = 5_000  # of them that are looked at; to leave some out only makes an alarm rarer
DRAWS = 1_999  # random labels, none of which may agree as well
DIFFER = 50  # copies: at most one pair in so many differs in the label
FINE = 0.9  # of the pairs that agree in the finer half of the columns agree in all
FEW_VALUES = 20  # of a label, of which runs are those of the commonest against the rest
ROWS, COLUMNS = 100_000, 100  # the first ones, that are looked at
COPIES = "{} of {} rows are exact copies of others, label included: split before you oversample, or pass groups=."
REPEATS = "{} of {} rows repeat the features of others, with labels alike beyond chance: pass groups= for them."
SHARED = "{} rows grew the model, too: split before you oversample, or leave them out."
SERIAL = "Neighbouring rows are alike, in the label and in {}: pass groups= or strata=, such as periods of time."


def alarms(columns: Iterable[Array], labels: Array) -> tuple[str, ...]:
    """Sentences on rows that are not independent, as places ``(n,)`` of their values and labels ``(n, ...)`` show.

    Examples
    --------
    >>> x = np.random.default_rng(0).normal(size=(40, 2)).argsort(axis=0).repeat(2, axis=0)
    >>> alarms(list(x.T), np.arange(40).repeat(2) % 3 % 2)[0]
    '40 of 80 rows are exact copies of others, label included: split before you oversample, or pass groups=.'
    """
    columns = [column[:ROWS] for column in islice(columns, COLUMNS)]
    labels = np.unique(labels[:ROWS], axis=0 if labels.ndim > 1 else None, return_inverse=True)[1].reshape(-1)
    if not len(labels):
        return ()
    recurring, copies = recurring_rows(columns, labels)
    serial, sentence = serial_columns(columns, labels), (COPIES if copies else REPEATS).format(recurring, len(labels))
    return (*[sentence] * (recurring > 0), *[SERIAL.format(many(serial, "column"))] * (serial > 0))


def shared_rows(columns: Iterable[tuple[InMemoryColumn, ...]], y: Array, grew: Array) -> tuple[str, ...]:
    """A sentence if tested rows are among those that grew a model beyond chance, by the rule of recurring rows.

    Columns are pairs, of the tested rows and of the others, whose labels are ``y`` and ``grew``. Of both parts a
    distinct row counts once, so that what recurs is in both: labels of both in random order raise the alarm with
    probability at most 1/2000.

    Examples
    --------
    >>> from splitcrit.data.columns import read_columns
    >>> x = np.random.default_rng(0).normal(size=(90, 2))
    >>> pairs = zip(*(read_columns(rows).values() for rows in (x[:50], x[30:])), strict=True)
    >>> shared_rows(pairs, x[:50, 0] > 0, x[30:, 0] > 0)[0][:22]
    '20 rows grew the model'
    """
    codes = [read_column(np.concatenate([*map(vector, of)]), "x").coded()[1] for of in islice(columns, COLUMNS)]
    labels = np.unique([*map(str, np.concatenate([y, grew]))], return_inverse=True)[1]
    once = np.unique([row_keys(codes), np.arange(len(labels)) < len(y)], axis=1, return_index=True)[1]
    shared, copies = recurring_rows([places[once] for places in codes], labels[once])
    return (SHARED.format(shared),) * (shared > 0 and copies)


def recurring_rows(columns: Sequence[Array], labels: Array) -> tuple[int, bool]:
    """How many rows repeat an earlier one, if neither chance nor few values explain it, else 0; and whether labels do.

    Examples
    --------
    >>> x = np.random.default_rng(0).normal(size=(40, 2)).argsort(axis=0).repeat(2, axis=0)
    >>> recurring_rows(list(x.T), np.arange(40).repeat(2) % 3 % 2)
    (40, True)
    """
    _, row, times = np.unique(row_keys(columns), return_inverse=True, return_counts=True)
    if (times > 1).sum() < FEWEST:
        return 0, False
    finer = np.argsort([column.max() for column in columns], kind="stable")[len(columns) // 2 :]
    half, again = _pairs(row_keys([columns[j] for j in finer])), np.ones(len(row), dtype=bool)
    again[np.unique(row, return_index=True)[1]] = False
    each = np.bincount(labels[again], minlength=int(labels.max()) + 1)  # copies of each class
    pairs = _pairs(row)
    copies = DIFFER * (pairs - _pairs(row * len(each) + labels)) <= pairs
    fine = len(columns) > 1 and pairs >= FINE * half
    if not fine and not (copies and each.min() == 0 and each.max() >= FEWEST):
        return 0, False
    return (len(row) - len(times)) * _alike_beyond_chance(row, times, labels), copies


def row_keys(columns: Sequence[Array]) -> Array:
    """A number ``(n,)`` for each row, equal where all columns are; of two others once in some 2^50 pairs."""
    weights = np.random.default_rng(0).random(len(columns)).tolist()
    return np.asarray(sum(weight * column for weight, column in zip(weights, columns, strict=True)))


def _pairs(keys: Array) -> int:
    """How many pairs of rows have one key."""
    times = np.unique(keys, return_counts=True)[1]
    return int((times * (times - 1) // 2).sum())


def _alike_beyond_chance(row: Array, times: Array, labels: Array) -> bool:
    """Whether no random order of the labels agrees as well within equal rows."""
    some = np.flatnonzero(times > 1)
    some = some[times[some].cumsum() <= RECURRING]
    place = np.full(len(times), -1)
    place[some] = np.arange(len(some))
    here = place[row] >= 0
    cell, rng = place[row[here]] * (int(labels.max()) + 1), np.random.default_rng(0)
    seen = _pairs(cell + labels[here])
    drawn = (rng.choice(labels, len(cell), replace=False) for _ in range(DRAWS))
    return all(_pairs(cell + order) < seen for order in drawn)


def serial_columns(columns: Sequence[Array], labels: Array) -> int:
    """How many columns are in serial order where the label is; none if the rows are sorted by one that varies.

    Examples
    --------
    >>> walk = np.random.default_rng(0).normal(size=300).cumsum().argsort().argsort()
    >>> serial_columns([walk], walk // 150), serial_columns([np.arange(300)], walk // 150)
    (1, 0)
    """
    if not is_serial(labels) or any(column.max() > column.min() and _is_sorted(column) for column in columns):
        return 0
    return sum(map(is_serial, columns))


def is_serial(places: Array) -> bool:
    """Whether places of values have too few runs, above their median or of the commonest of few; not if sorted."""
    counts = np.bincount(places - places.min())
    few = np.count_nonzero(counts) <= FEW_VALUES
    high = places - places.min() == counts.argmax() if few else places > np.median(places)
    a, b, stretches = int(high.sum()), int((~high).sum()), 1 + np.count_nonzero(np.diff(places))
    if min(a, b) == 0 or _is_sorted(places) or (few and stretches == np.count_nonzero(counts)):
        return False
    runs = 1 + int(np.count_nonzero(np.diff(high)))
    return runs < 1 + 2 * a * b / (a + b) and log_tail_of_runs(runs, a, b) <= log(LEVEL)


def log_tail_of_runs(runs: int, a: int, b: int) -> float:
    """The logarithm of the chance of at most so many runs of ``a`` and ``b`` labels in random order (wald1940).

    Examples
    --------
    >>> round(float(np.exp(log_tail_of_runs(2, 3, 3))), 4)  # two of 20 orders
    0.1
    """
    from scipy.special import gammaln

    def ways(n: int, k: Array) -> Array:
        at = np.clip(k, 0, n)
        return np.asarray(np.where(at == k, gammaln(n + 1) - gammaln(at + 1) - gammaln(n - at + 1), -np.inf))

    k, odd = np.divmod(np.arange(2, runs + 1), 2)  # an odd run belongs to either label
    each = [ways(a - 1, k - 1 + first * odd) + ways(b - 1, k - 1 + (1 - first) * odd) for first in (0, 1)]
    return min(float(np.logaddexp.reduce(each, axis=None)) - float(ways(a + b, np.array(a))), 0.0)


def _is_sorted(places: Array) -> bool:
    steps = np.diff(places)
    return bool((steps >= 0).all() or (steps <= 0).all())
