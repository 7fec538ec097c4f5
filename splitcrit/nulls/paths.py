"""The law of the best cut of two classes in float64: the chance that a lattice path leaves a region, and what it costs.

Going through the observations in the order of a feature, the pair (observations so far, of them in the first class) is
a path from (0, 0) to (n, b); in a random order of the labels all C(n, b) paths are equally likely. At some cuts ``m``
a path is inside if ``lower[m] <= x <= upper[m]``. With ``N_m(x)`` the number of paths to ``(m, x)`` that have stayed
inside, ::

    N_m(x) = N_(m-1)(x) + N_(m-1)(x-1),    P(leave) = sum of N_m(x) C(n - m, b - x) / C(n, b),

where the sum is over ``x`` outside, whose ``N_m(x)`` is set to 0 after it counts. With ``q_m(x) = N_m(x) / C(m, x)``,
the probability to have stayed inside given that the path is at ``x``, any of the first m labels is as likely the last::

    q_m(x) = q_(m-1)(x) (m - x)/m + q_(m-1)(x - 1) x/m,    and 0 outside.

Main definitions: ``chance_of_leaving`` (a Fraction, by integers); in float64 ``tail`` (a ``Tail``),
``surprise_of_leaving``; ``region``, ``crossings``; ``roundings``.
Main results: ``N_m(x)`` is kept as ``M(x) 2^E(x)`` with an exponent for every ``x``, so that no number is too large or
too small. They grow with ``m``, and neighbours inside differ by a factor of at most ``m``: if ``N_(m-1)(x-2)`` is at
most ``(m-1) N_(m-1)(x-1)``, then ``N_m(x-1) <= m N_(m-1)(x-1) <= m N_m(x)``, and alike with zeros for ones. Where all
``M(x)`` are below 1 and ``k`` is the largest ratio of powers of two that a number is multiplied by, they grow to at
most ``(1 + k)^s`` in ``s`` places: below ``2^960`` for 256 places of ``k <= 8``, and 32 of ``k <= 2^29``.
Powers of two multiply without error, unless they underflow. So a place costs a number one rounding, that of one sum of
positive numbers, and an exit takes six logarithms of at most ``n log 2`` together: ``roundings`` counts them.
Proved: null.roundings_add_up_in_sums_and_products, null.leaving_rounds_once_a_place,
null.last_label_is_any_of_those_before.
Compiled code and arrays do the same operations, and find the same bits.
Source: strobl2007 counts the paths for the Gini gain without ties; with one bound for all cuts this is Smirnov's law.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb, inf, log
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import is_installed, reporting_compilation
from splitcrit.nulls import hypergeometric
from splitcrit.nulls.hypergeometric import LOG2, log_chance, log_choose, log_outside, remainders_for

FIRST, CHUNK = 256, 8192  # places between two looks at the sum, doubled from the first to the second
SPAN, DEEP = 959, 600.0  # numbers of paths up to 2^SPAN, and surprises below DEEP, have roundings that are counted
UNSEEN = 52 * LOG2  # a part of less than 2^-52 of the chance is left out
A_PLACE, A_CELL = 2.5, 1 / 2000  # microseconds for a place, and for a number of paths: of arrays, whatever walks


class Tail(NamedTuple):
    """``-log`` of the chance that a path leaves, and whether it is complete: if not, the chance is larger.

    A complete one differs from the truth by less than ``roundings`` times ``2^-53``; infinity where no bound is known.
    """

    surprise: float
    complete: bool
    roundings: float = inf


def chance_of_leaving(n: int, ones: int, lower: Array, upper: Array) -> Fraction:
    """The probability that a path leaves, by counting paths in integers.

    Examples
    --------
    >>> import numpy as np
    >>> chance_of_leaving(4, 2, np.array([0, 0, 0, 0, 0]), np.array([4, 4, 1, 4, 4]))
    Fraction(1, 6)
    """
    paths, first, left = [1], 0, 0
    low, high = lower.tolist(), upper.tolist()
    for m in range(1, n):
        paths = [a + b for a, b in zip([*paths, 0], [0, *paths], strict=True)]
        ways = [(x, count) for x, count in enumerate(paths, first) if m - n + ones <= x <= ones]
        left += sum(count * comb(n - m, ones - x) for x, count in ways if not low[m] <= x <= high[m])
        kept = [(x, count) for x, count in ways if low[m] <= x <= high[m]]
        if not kept:
            break
        first, paths = kept[0][0], [count for _, count in kept]
    return Fraction(left, comb(n, ones))


class Region(NamedTuple):
    """Where paths are followed: ``low[m] <= x <= high[m]``; beyond, they count as leaving at the places ``met``.

    ``last`` is the last such place, 0 without one; ``cost`` the microseconds that the law takes up to every place. All
    but ``last`` are of the places ``(n + 1,)``, or of the first of these, after which a walk stops for its limit.
    """

    met: Array
    low: Array
    high: Array
    last: int
    cost: Array


def bounded(n: int, ones: int, lower: Array, upper: Array) -> tuple[Array, Array, Array]:
    """The places where a path may meet a bound, which are few of many, and the ends of what is inside there."""
    m = np.flatnonzero((lower > 0) | (upper < n))
    least, most = np.maximum(m - n + ones, 0), np.minimum(m, ones)
    met = (lower[m] > least) | (upper[m] < most)
    return m[met], np.maximum(lower[m], least)[met], np.minimum(upper[m], most)[met]


def region(n: int, ones: int, lower: Array, upper: Array, floor: float = -inf, limit: float = inf) -> Region:
    """The region in which paths are followed, given bounds, as far as a walk of ``limit`` microseconds may come.

    ``floor`` is the logarithm of a chance that is not larger than that to leave. Between cuts, where nothing bounds a
    path, it is followed up to a distance that it exceeds anywhere with a chance below ``2^-52`` of that one, by
    Hoeffding's inequality for draws without replacement: ``P(|X - E X| >= d) <= 2 exp(-2 d^2 / k)`` for the least of
    ``m, n - m, b, n - b`` as ``k``.
    """
    at, least, most = bounded(n, ones, lower, upper)
    m = np.arange(int(min(n, limit / A_PLACE)) + 1)
    low, high, met = np.maximum(m - n + ones, 0), np.minimum(m, ones), np.zeros(len(m), bool)
    if floor > -inf:
        draws = np.minimum(np.minimum(m, n - m), min(ones, n - ones))
        reach = np.sqrt(draws * ((log(2.0 * n) + UNSEEN - floor) / 2))
        middle = m * (ones / n)
        low = np.maximum(low, np.floor(middle - reach).astype(np.int64))
        high = np.minimum(high, np.ceil(middle + reach).astype(np.int64))
    some = at < len(m)
    met[at[some]], low[at[some]], high[at[some]] = True, least[some], most[some]
    widths = m + np.minimum.accumulate(high - m) - np.maximum.accumulate(low) + 1
    cost = np.cumsum(np.maximum(widths, 0) * A_CELL + A_PLACE)
    return Region(met, low, high, int(at[-1]) if len(at) else 0, cost)


def tail(n: int, ones: int, lower: Array, upper: Array, *, floor: float = -inf, enough: float = 1.0,
         limit: float = inf) -> Tail:  # fmt: skip
    """``-log P`` in nats of the probability that a path leaves; infinity if it cannot.

    Parameters
    ----------
    n, ones
        How many observations there are, and how many of them are of the first class.
    lower, upper : int array (n + 1,)
        A cut that is not looked at allows ``0`` to ``n``.
    floor
        See ``region``.
    enough, limit
        The walk stops where the sum so far exceeds ``enough``, or would take more than ``limit`` microseconds.

    Examples
    --------
    >>> free = np.array([0, 0, 0, 0, 0]), np.array([4, 4, 1, 4, 4])  # not both ones among the first two
    >>> found = tail(4, 2, *free)
    >>> round(6 * float(np.exp(-found.surprise)), 12), found.complete
    (1.0, True)
    """
    here = region(n, ones, lower, upper, floor, limit)
    last = min(here.last, int(np.searchsorted(here.cost, limit, side="right")) - 1)
    size, walk = min(ones, len(here.low) + hypergeometric.FAR) + 2, _compiled() or by_arrays
    state = np.zeros(size), np.zeros(size, np.int32), np.ones(size), np.empty(size), np.empty((4, size + CHUNK))
    state[0][0], low, high, m, look = 1.0, 0, 0, 1, FIRST
    logs, total, t = [np.empty(0)], 0.0, remainders_for(n)
    while m <= last and low <= high:
        end, look = min(last + 1, m + look), min(2 * look, CHUNK)
        with reporting_compilation():
            m, low, high, k = walk(ones, here.low, here.high, m, end, low, high, *state)
        place, x, value, power = state[-1][:, :k]
        at, x = place.astype(np.int64), x.astype(np.int64)
        leaving = here.met[at] & (x >= at - n + ones)
        at, x, (parts, more) = at[leaving], x[leaving], np.frexp(value[leaving])
        logs.append(np.log(parts) + (power[leaving] + more) * LOG2 + log_ways(n, ones, at, x, t))
        if enough < 1:
            total += float(np.exp(logs[-1]).sum())
            if total > enough:
                return Tail(-log(total), False)
    if low > high:
        return Tail(0.0, True, 4.0)  # no path is left, but for those that ``floor`` leaves out
    every = np.concatenate(logs)
    surprise = surprise_of_sum(every)
    return Tail(surprise, last == here.last, roundings(n, last, len(every), surprise))


def roundings(n: int, places: int, exits: int, surprise: float) -> float:
    """A bound, in units of ``u = 2^-53``, of the error of a surprise that ``tail`` finds.

    A rounding is a factor between ``1 - u`` and ``1 + u``. Sums and products of positive numbers add their exponents:
    ``places`` for a number of paths, ``exits`` for the last sum. Of logarithms and exponentials it is assumed that they
    are within 4 units in the last place, a relative error of ``8 u``. With the remainders at most ``T = 1.1 +
    log(n)/2`` and off by at most ``11 + 9 T`` units, ``log_choose`` is off by at most ``10.1 n + 39 T + 33``: ``n`` for
    two ratios, ``9 n log 2`` for their logarithms and products, the rest for sums. An exit has two of them, and a
    logarithm of its number; its sums lose ``5 n`` more, the exponential and the last logarithm ``8 + 8 log(exits)``.
    ``floor`` leaves out 2 units. What is lost where a power of two underflows is, at one place, at most ``2^-1013`` of
    the chance of the paths that were there when numbers were last scaled: nothing up to 959 observations, where numbers
    of paths are below ``2^959``, and less than a unit in all of a surprise below 600.
    """
    if n > SPAN and surprise > DEEP:
        return inf
    return 26.0 * n + 49 * log(n) + 210 + places + exits


def surprise_of_sum(logs: Array) -> float:
    """Minus the logarithm of a sum of chances, at least 0, given their logarithms; infinity of none."""
    top = logs.max(initial=-inf)
    return inf if top == -inf else max(-float(top + np.log(np.exp(logs - top).sum())), 0.0)


def surprise_of_leaving(n: int, ones: int, lower: Array, upper: Array) -> float:
    """The surprise of the whole ``tail``."""
    return tail(n, ones, lower, upper).surprise


def log_ways(n: Any, ones: Any, m: Any, x: Any, t: Any) -> Any:
    """The logarithm of the share of all paths that go on from ``(m, x)`` for one that comes there."""
    return log_choose(n - m, ones - x, t) - log_choose(n, ones, t)


@cache
def _compiled() -> Any:
    """The compiled walk, None without numba."""
    from splitcrit.nulls import paths_compiled

    return paths_compiled.walk if is_installed("numba") else None


def by_arrays(
    ones: int, low: Array, high: Array, m: int, end: int, at: int, to: int, numbers: Array, exponents: Array,
    ratios: Array, others: Array, space: Array,
) -> tuple[int, int, int, int]:  # fmt: skip
    """Walk on through ``m, ..., end - 1``; return the next place, the ends of what is inside, and how many exits.

    ``numbers`` of paths, times two to the ``exponents``, are those at ``at, ..., to``; ``ratios`` are what a number
    is multiplied by on its way to the next ``x``, ``others`` is room for the next numbers. Exits are written to
    ``space``: place, ``x``, number, exponent.
    """
    due, exits, start, even = m, [], numbers, True
    for place, least, most in zip(range(m, end), low[m:end].tolist(), high[m:end].tolist(), strict=True):
        if place == due:
            places, even = _scaled(ones, at, to, numbers, exponents, ratios)
            due += places
        numbers[to + 1], others[at], to = 0.0, numbers[at], min(to, ones - 1) + 1
        left, here, new = numbers[at:to], numbers[at + 1 : to + 1], others[at + 1 : to + 1]
        np.add(here, left if even else np.multiply(left, ratios[at + 1 : to + 1], new), new)
        numbers, others = others, numbers
        while at < least and at <= to:
            exits.append((place, at, numbers[at], exponents[at]))
            at += 1
        while to > most and at <= to:
            exits.append((place, to, numbers[to], exponents[to]))
            to -= 1
        m = place + 1
        if at > to:
            break
    start[at : to + 1] = numbers[at : to + 1]
    space[:, : len(exits)] = np.array(exits).reshape(-1, 4).T
    return m, at, to, len(exits)


def _scaled(ones: int, at: int, to: int, numbers: Array, exponents: Array, ratios: Array) -> tuple[int, bool]:
    """Scale the numbers inside, and bring the ratios up to date; return for how many places that lasts, if all are 1.

    Numbers within ``2^SPREAD`` of each other have one exponent; others are brought below 1 one by one.
    """
    inside, powers = numbers[at : to + 1], exponents[at : to + 1]
    parts, more = np.frexp(inside)
    powers += more
    most = powers.max()
    if even := bool(most - powers.min() <= hypergeometric.SPREAD):
        parts = np.ldexp(parts, powers - most)
        powers[:] = most
    inside[:] = parts
    ahead = min(to + hypergeometric.FAR, ones) + 1
    exponents[to + 1 : ahead] = exponents[to]
    ratios[at + 1 : ahead] = np.ldexp(1.0, exponents[at : ahead - 1] - exponents[at + 1 : ahead])
    steep = not even and ratios[at + 1 : to + 1].max(initial=1.0) > hypergeometric.STEEP
    return hypergeometric.NEAR if steep else hypergeometric.FAR, even


def crossings(n: int, ones: int, lower: Array, upper: Array) -> float:
    """The logarithm of ``sum over m of P(outside at m, inside at m - 1)``, at most 0 and at least ``log P``.

    Examples
    --------
    >>> free = np.array([0, 0, 0, 0, 0]), np.array([4, 4, 1, 4, 4])  # not both ones among the first two
    >>> round(6 * float(np.exp(crossings(4, 2, *free))), 12)
    1.0
    """
    m, low, high = bounded(n, ones, lower, upper)
    first = np.diff(m, prepend=-1) > 1  # there a path may have been anywhere before
    logs = [log_outside(n, ones, m[first], low[first], high[first])]
    at = np.flatnonzero(~first)
    m, low, high, below, above = m[at], low[at], high[at], low[at - 1], high[at - 1]
    least, most = np.maximum(below, m - n + ones), np.minimum(above + 1, np.minimum(m, ones))
    for start, stop in ((least, np.minimum(low - 1, most)), (np.maximum(np.maximum(high + 1, low), least), most)):
        for k in range(int((stop - start).max(initial=-1)) + 1):
            some = np.flatnonzero((start + k <= stop) & (below <= above))
            at, x = m[some], start[some] + k
            ways = (at - x) * (x <= above[some]) + x * (x > below[some])  # its last label is of either class
            logs.append(log_chance(n, ones, at, x, remainders_for(n)) + np.log(ways / at))
    return -surprise_of_sum(np.concatenate(logs))
