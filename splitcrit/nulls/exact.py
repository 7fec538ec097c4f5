"""Exact tail probabilities of the Gini gain under permutations.

Main definitions: ``arrangements`` (the whole law), ``exact_tail`` (any small table), ``two_by_two_tail``; ``fillings``
(how many steps that takes), ``filled`` (the ways to fill a row); ``rarest``, below which no table's chance is.
Main results: with both margins fixed the gain grows with ``sum_i (d/a_i) sum_j n_ij^2``, an integer if ``d`` is a
common multiple of the row totals, so that ties are decided in integers. A dynamic programme goes over the rows; its
state is the sorted class counts that remain, its value the distribution of that integer so far. At 2 x 2 the
statistic is the distance of ``n_11`` from its mean, and both tails at that distance count.
Source: wang2024, Lemma 1 (the null law is hypergeometric).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, exp, factorial, fsum, lcm, log, log1p, prod
from typing import Any

import numpy as np

from splitcrit.nulls.hypergeometric import log_two_sided

EXACT_SUPPORT = 4000  # a hypergeometric law with more values than this is summed in float64
LONGEST_SUPPORT = 10**7
LARGEST = 2**500  # of a total, whose products are floats
WORD = 64
TIE = 1e-11  # sums of squares closer than this, relatively, are equal
FEW, LISTED = 5000, 10**6  # steps that are not counted beforehand; numbers in a list of states
MOST_CLASSES = 200  # the enumeration of a row descends one level a class

Counts = tuple[int, ...]


class TooLarge(Exception):
    """The exact law needs more steps than allowed."""


def exact_tail(rows: list[list[int]], limit: int) -> Fraction:
    """The probability of a gain at least that of the table, whose rows and columns are not empty.

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
    if len(columns) > MOST_CLASSES or totals[0] > limit or not fillings(totals, columns, limit) * cost <= limit:
        raise TooLarge
    return law_by_rows(totals, columns, d, cost, limit)


def law_by_rows(totals: list[int], columns: Counts, d: int, cost: int, limit: int) -> dict[int, int]:
    """``arrangements``; a step of the loops counts ``cost``, and more than ``limit`` are too many."""
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


def fillings(totals: Sequence[int], columns: Counts, limit: float) -> float:
    """How many steps the dynamic programme takes: ways to fill a row, times the values so far that they meet.

    The last row takes what is left. Each row is counted before it is listed, so that what takes too long costs little:
    at most K! ways to fill a row of K classes leave the same. Counting ends beyond the limit, where a list would be
    longer than a million, and where few steps can follow, so that there may be more; infinity or nan if they are too
    many for a float.

    Examples
    --------
    >>> fillings([2, 4], (1, 2, 3), 100)
    5.0
    """
    # The counts of all classes but the last are the digits of a state's code, of which there are ``codes``.
    *digits, codes = (columns[-1] + 1) ** np.arange(len(columns), dtype=object)
    scale, steps = lcm(*totals), 0.0
    left = sum(columns)
    squares = scale * left * left + 1
    states = np.array([columns])
    # How many values each state has, and these, state by state.
    often = np.ones(1, np.int64)
    value = np.zeros(1, np.int64)
    for size in totals[:-1]:
        if len(states) * (size + 1) > LISTED:
            break
        ways = ways_to_fill(size, states)
        left -= size
        steps += float(ways.sum())
        few = float(ways.sum()) * len(totals) * prod(count + 1.0 for count in columns[:-1]) <= FEW
        if few or not (steps <= limit and ways.sum() <= LISTED) or len(states) * codes * squares >= 2**62:
            break
        if (least := steps + float(ways @ (often - 1)) / factorial(len(columns))) > limit:
            return least
        place, taken = filled(size, states)
        after = np.sort(states[place] - taken, axis=1)[:, :-1] @ np.array(digits, np.int64)
        moves = (place * codes + after) * squares + scale // size * np.einsum("wk,wk->w", taken, taken)
        # With counts it sorts, which is quicker than its hashing.
        moves = np.unique(moves, return_counts=True)[0]
        (place, after), gains = np.divmod(moves // squares, codes), moves % squares
        steps += float((often[place] - 1).sum())
        if not steps <= limit or often[place].sum() > LISTED:
            break
        move, each = counted_from((often.cumsum() - often)[place], often[place])
        pairs = np.unique((after * squares + gains)[move] + value[each], return_counts=True)[0]
        after, value = np.divmod(pairs, squares)
        after, often = np.unique(after, return_counts=True)
        known = after[:, None] // np.array(digits, np.int64) % (columns[-1] + 1)
        states = np.column_stack([known, left - known.sum(axis=1)])
    return steps


def ways_to_fill(size: int, states: Any) -> Any:
    """In how many ways ``(s,)`` a row of this size can be taken from states ``(s, K)``.

    Those of all classes but the largest are counted by how many they take; the largest gives the rest.
    """
    *smaller, largest = np.sort(states, axis=1).T[:, :, None]
    most = min(size, int((states.sum(axis=1) - largest[:, 0]).max()))
    taken, state = np.arange(most + 1), np.arange(len(states))[:, None]
    ways = np.tile(1.0 * (taken == 0), (len(states), 1))
    with np.errstate(over="ignore", invalid="ignore"):
        for count in smaller:
            # Of what takes any number of the class, less what takes more than there are.
            ways = ways.cumsum(axis=1)
            ways = ways - np.where(taken > count, ways[state, np.maximum(taken - count - 1, 0)], 0.0)
        return np.where(size - taken <= largest, ways, 0.0).sum(axis=1)


def filled(size: int, states: Any) -> tuple[Any, Any]:
    """All ways to take a row from states ``(s, K)`` of as many or more: from which, and what ``(w, K)``.

    Examples
    --------
    >>> place, taken = filled(2, np.array([[1, 2], [0, 3]]))
    >>> place.tolist(), taken.tolist()
    ([0, 0, 1], [[0, 2], [1, 1], [0, 2]])
    """
    place = np.arange(len(states))
    lacking = np.full(len(states), size)
    taken, later = states[:, :0], states.sum(axis=1)
    # No row is begun that cannot be filled, and the last class fills it.
    for count in states.T[:-1]:
        later = later - count
        fewest = np.maximum(0, lacking - later[place])
        way, here = counted_from(fewest, np.minimum(count[place], lacking) - fewest + 1)
        place, lacking, taken = place[way], lacking[way] - here, np.column_stack([taken[way], here])
    return place, np.column_stack([taken, lacking])


def rarest(rows: Any, columns: Any) -> float:
    """A number that is not above the chance of any table with these totals, and so not above any p-value of one.

    The chance is ``prod a_i! prod b_j! / (n! prod n_ij!)``. The last product is at most what each row could make of it
    alone, if it took all of the largest column, then of the next; and at most what each column could.

    Examples
    --------
    >>> [round(rarest(np.array(rows), np.array([100, 100])), 9) for rows in ([199, 1], [193, 7])]
    [0.5, 0.007008883]
    """
    return _rarest(*(np.sort(each)[::-1].astype(np.int64).tobytes() for each in (rows, columns)))


# Columns whose values occur as often, such as those without ties, have one answer.
@lru_cache(maxsize=64)
def _rarest(*margins: bytes) -> float:
    """The number of ``rarest`` for totals in falling order."""
    from scipy.special import gammaln

    def product(each: Any, totals: Any, logs: Any) -> float:
        """The logarithm of the largest product of factorials that rows can make of the others' totals."""
        first = totals.cumsum() - totals  # how much a row has given when the next total is its turn
        last = np.searchsorted(first, each, side="right") - 1
        return float(((logs.cumsum() - logs)[last] + gammaln(each - first[last] + 1.0)).sum())

    rows, columns = ((falling := np.frombuffer(each, np.int64), gammaln(falling + 1.0)) for each in margins)
    most = min(product(rows[0], *columns), product(columns[0], *rows))
    return exp(min(0.0, rows[1].sum() + columns[1].sum() - gammaln(rows[0].sum() + 1.0) - most))


def counted_from(first: Any, many: Any) -> tuple[Any, Any]:
    """``many`` whole numbers from each ``first``, one after the other, before them the place of their first.

    Examples
    --------
    >>> [each.tolist() for each in counted_from(np.array([5, 0]), np.array([2, 3]))]
    [[0, 0, 1, 1, 1], [5, 6, 0, 1, 2]]
    """
    place = np.repeat(np.arange(len(many)), many)
    return place, np.arange(len(place)) + (first - many.cumsum() + many)[place]


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
    """The probability of a gain at least that of a 2 x 2 table without empty rows or columns.

    With ``X`` hypergeometric it is ``P(|n X - a b| >= |n x - a b|)``: of up to 4000 values by integers, of more by
    ``log_two_sided``.

    Raises
    ------
    TooLarge
        If ``X`` takes more than ten million values.
    """
    *_, low, high = _hypergeometric(rows)
    return float(_in_integers(rows)) if high - low <= EXACT_SUPPORT else exp(-exact_surprise(rows, 0))


def exact_surprise(rows: list[list[int]], limit: int) -> float:
    """``-log`` of the exact tail probability, which may be smaller than any float.

    Of two classes and more rows all tables are listed in floats, if they are at most a million; the dynamic programme
    in integers is for the others.

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
    two = len(rows) == 2 == len(rows[0])
    if two and sum(map(sum, rows)) < LARGEST:
        x, a, b, n, _, _ = _hypergeometric(rows)
        return 0.0 - float(log_two_sided(n, b, np.array([a], dtype=object), np.array([x], dtype=object))[0])
    if len(rows[0]) == 2 < len(rows) and fsum(map(log1p, sorted(map(sum, rows))[:-1])) <= log(LISTED):
        return _by_list(rows)
    tail = _in_integers(rows) if two else exact_tail(rows, limit)
    return log(tail.denominator) - log(tail.numerator)


def _by_list(rows: list[list[int]]) -> float:
    """``-log`` of the tail of a table of two classes, by listing all tables of its margins in floats.

    Sums of squares within 1e-11 of the observed one count as equal, so that rounding leads to larger p-values alone.
    """
    from scipy.special import gammaln, logsumexp

    counts = np.array(sorted(rows, key=sum))
    sizes = counts.sum(axis=1)
    value, logs, left = np.zeros(1), np.zeros(1), counts.sum(axis=0)[None]
    for size in sizes.tolist():
        place, taken = filled(size, left)
        x, left = taken[:, 0], left[place] - taken
        value = value[place] + x * x / size
        logs = logs[place] + (gammaln(size + 1) - gammaln(x + 1) - gammaln(size - x + 1))
    reached = value >= float((counts[:, 0] ** 2 / sizes).sum()) * (1 - TIE)
    return max(0.0, float(logsumexp(logs) - logsumexp(logs[reached])))


def _in_integers(rows: list[list[int]]) -> Fraction:
    """The tail of a 2 x 2 table by its hypergeometric weights ``C(a, x) C(n - a, b - x)`` and their ratios."""
    x, a, b, n, low, high = _hypergeometric(rows)
    weights = [comb(a, low) * comb(n - a, b - low)]
    for y in range(low, high):
        weights.append(weights[-1] * (a - y) * (b - y) // ((y + 1) * (n - a - b + y + 1)))
    distance = abs(n * x - a * b)  # the tails: X <= left, X >= from_right
    left, from_right = (a * b - distance) // n, -((-a * b - distance) // n)
    inside = sum(weights[max(left + 1 - low, 0) : max(from_right - low, 0)])
    return Fraction(sum(weights) - inside, sum(weights))


def _hypergeometric(rows: list[list[int]]) -> tuple[int, int, int, int, int, int]:
    """The first count of the rarer class, its totals, that of the table, and the ends of what it may be."""
    x, b = min(zip(rows[0], map(sum, zip(*rows, strict=True)), strict=True), key=lambda cell: cell[1])
    a, n = sum(rows[0]), sum(map(sum, rows))
    low, high = max(0, a + b - n), min(a, b)
    if high - low > LONGEST_SUPPORT:
        raise TooLarge
    return x, a, b, n, low, high
