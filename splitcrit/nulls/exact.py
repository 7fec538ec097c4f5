"""Exact tail probabilities of the Gini gain under permutations.

Main definitions: ``arrangements`` (the whole law), ``exact_tail`` (any small table), ``two_by_two_tail``; ``fillings``
(how many tables of two rows there are).
Main results: with both margins fixed the gain grows with ``sum_i (d/a_i) sum_j n_ij^2``, an integer if ``d`` is a
common multiple of the row totals, so that ties are decided in integers. A dynamic programme goes over the rows; its
state is the sorted class counts that remain, its value the distribution of that integer so far. At 2 x 2 the
statistic is the distance of ``n_11`` from its mean, and both tails at that distance count.
Source: wang2024, Lemma 1 (the null law is hypergeometric).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import comb, lcm, log

import numpy as np
from numpy.typing import NDArray

EXACT_SUPPORT = 4000  # a hypergeometric law with more values than this is summed in float64
LONGEST_SUPPORT = 10**7
WORD = 64
MOST_CLASSES = 200  # the enumeration of a row descends one level a class

Counts = tuple[int, ...]


class TooLarge(Exception):
    """The exact law needs more steps than allowed."""


def exact_tail(rows: list[list[int]], limit: int) -> Fraction:
    """Return the probability of a gain at least that of the table, whose rows and columns are not empty.

    Raises
    ------
    TooLarge
        If more than ``limit`` pairs of a move and a value would be visited, or if there are over 200 classes.
    """
    totals = [sum(row) for row in rows]
    d = lcm(*totals)
    seen = sum(d // a * sum(x * x for x in row) for a, row in zip(totals, rows, strict=True))
    law = arrangements(sorted(totals, reverse=True), tuple(sorted(map(sum, zip(*rows, strict=True)))), d, limit)
    return Fraction(sum(weight for value, weight in law.items() if value >= seen), sum(law.values()))


def arrangements(totals: list[int], columns: Counts, d: int, limit: int) -> dict[int, int]:
    """Count the arrangements of the labels that give each value of the integer statistic.

    The last row is what the others leave. A step is a way to fill a row, times the values so far that it meets.
    """
    cost = 1 + sum(totals) // WORD  # weights have as many bits as there are observations
    if len(columns) > MOST_CLASSES or totals[0] > limit or not fillings(totals[0], columns) * cost <= limit:
        raise TooLarge
    return law_by_rows(totals, columns, d, cost, limit)


def law_by_rows(totals: list[int], columns: Counts, d: int, cost: int, limit: int) -> dict[int, int]:
    """Return ``arrangements``; a step of the loops counts ``cost``, and more than ``limit`` are too many."""
    steps = 0
    states: dict[Counts, dict[int, int]] = {columns: {0: 1}}
    for a in totals[:-1]:
        reached: defaultdict[Counts, defaultdict[int, int]] = defaultdict(lambda: defaultdict(int))
        for state, law in states.items():
            moves: Counter[tuple[Counts, int]] = Counter()
            for left, squares, ways in _moves(state, a):
                steps += cost
                moves[tuple(sorted(left)), squares] += ways
                if steps > limit:
                    raise TooLarge
            steps += len(moves) * (len(law) - 1) * cost
            if steps > limit:
                raise TooLarge
            for (left, squares), ways in moves.items():
                reached[left] = joined(reached[left], law, d // a * squares, ways)
        states = {state: dict(law) for state, law in reached.items()}
    found: defaultdict[int, int] = defaultdict(int)
    for left, law in states.items():
        squares = d // totals[-1] * sum(x * x for x in left)
        for value, weight in law.items():
            found[value + squares] += weight
    return found


def joined(sums: defaultdict[int, int], law: dict[int, int], shift: int, times: int) -> defaultdict[int, int]:
    """Add a law, its values shifted and its weights multiplied, to sums of weights by value; return these."""
    for value, weight in law.items():
        sums[value + shift] += weight * times
    return sums


def fillings(size: int, columns: Iterable[int]) -> float:
    """Return in how many ways the counts of a row can be chosen, given all column totals; infinity or nan if too many.

    Examples
    --------
    >>> fillings(2, [1, 2, 3])
    5.0
    """
    with np.errstate(over="ignore", invalid="ignore"):
        return float(ways_to_fill(size, columns))


def ways_to_fill(size: int, columns: Iterable[int]) -> float:
    """Return the same as ``fillings``; this is compiled, too, which takes longer where arrays are changed in part."""
    ways = np.zeros(size + 1)
    ways[0] = 1
    for b in columns:
        ways = np.cumsum(ways)
        ways = ways - np.append(np.zeros(b + 1), ways)[: size + 1]
    return ways[size]  # type: ignore[no-any-return]


def _moves(state: Counts, size: int) -> Iterator[tuple[Counts, int, int]]:
    """Yield the ways to take ``size`` from the counts: what is left, the sum of squares taken, how many ways."""
    first, rest = state[0], state[1:]
    if not rest:
        yield (first - size,), size * size, comb(first, size)
        return
    for taken in range(max(0, size - sum(rest)), min(first, size) + 1):
        ways = comb(first, taken)
        for left, squares, more in _moves(rest, size - taken):
            yield (first - taken, *left), squares + taken * taken, ways * more


def two_by_two_tail(rows: list[list[int]]) -> float:
    """Return the probability of a gain at least that of a 2 x 2 table without empty rows or columns.

    With ``X`` hypergeometric it is ``P(|n X - a b| >= |n x - a b|)``.

    Raises
    ------
    TooLarge
        If ``X`` takes more than ten million values.
    """
    a, b, n, low, high, left, from_right = _hypergeometric(rows)
    if high - low <= EXACT_SUPPORT:
        weights = _weights(low, high, a, b, n)
        inside = sum(weights[max(left + 1 - low, 0) : max(from_right - low, 0)])
        return float(Fraction(sum(weights) - inside, sum(weights)))
    chances = np.exp(_log_chances(low, high, a, b, n))
    tails = chances[: max(left + 1 - low, 0)].sum() + chances[max(from_right - low, 0) :].sum()
    return min(float(tails / chances.sum()), 1.0)


def _hypergeometric(rows: list[list[int]]) -> tuple[int, int, int, int, int, int, int]:
    """Return the parameters of ``X``, its ends, and where its tails begin: ``X <= left``, ``X >= from_right``."""
    x, a, b, n = rows[0][0], sum(rows[0]), rows[0][0] + rows[1][0], sum(rows[0]) + sum(rows[1])
    low, high = max(0, a + b - n), min(a, b)
    if high - low > LONGEST_SUPPORT:
        raise TooLarge
    distance = abs(n * x - a * b)
    return a, b, n, low, high, (a * b - distance) // n, -((-a * b - distance) // n)


def exact_surprise(rows: list[list[int]], limit: int) -> float:
    """Return ``-log`` of the exact tail probability, which may be smaller than any float.

    Raises
    ------
    TooLarge
        As ``exact_tail`` and ``two_by_two_tail`` do.

    Examples
    --------
    >>> round(exact_surprise([[600, 0], [0, 600]], 10**6), 6)  # log(C(1200, 600) / 2)
    827.312431
    >>> exact_surprise([[3, 3], [2, 2]], 10**6)  # a table at the mean
    0.0
    """
    if len(rows) != 2 or len(rows[0]) != 2:
        tail = exact_tail(rows, limit)
        return log(tail.denominator) - log(tail.numerator)
    a, b, n, low, high, left, from_right = _hypergeometric(rows)
    logs = _log_chances(low, high, a, b, n)
    from_right = max(from_right, left + 1)  # a table at the mean is in both tails, and counts once
    tails = np.concatenate([logs[: max(left + 1 - low, 0)], logs[max(from_right - low, 0) :]])
    return float(_log_sum(logs) - _log_sum(tails))


def _log_sum(logs: NDArray[np.float64]) -> float:
    top = float(logs.max())
    return top + log(float(np.exp(logs - top).sum()))


def _weights(low: int, high: int, a: int, b: int, n: int) -> list[int]:
    """Return the hypergeometric weights ``C(a, x) C(n - a, b - x)`` by their ratios."""
    weights = [comb(a, low) * comb(n - a, b - low)]
    for x in range(low, high):
        weights.append(weights[-1] * (a - x) * (b - x) // ((x + 1) * (n - a - b + x + 1)))
    return weights


def _log_chances(low: int, high: int, a: int, b: int, n: int) -> NDArray[np.float64]:
    """Return logarithms of the weights over the largest, sums of log-ratios from the mode outwards."""
    k = np.arange(high - low, dtype=np.float64)  # differences of integers are exact, those of their floats may vanish
    ratios = np.log((a - low - k) * (b - low - k)) - np.log((low + 1 + k) * (n - a - b + low + 1 + k))
    mode = min(max((a + 1) * (b + 1) // (n + 2), low), high) - low
    up, down = np.cumsum(ratios[mode:]), np.cumsum(-ratios[:mode][::-1])[::-1]
    return np.asarray(np.concatenate([down, [0.0], up]))
