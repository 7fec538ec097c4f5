"""Scans for gains in standard deviations above chance, for two classes and impurities that are sums over classes.

Mean and standard deviation of a threshold with m of n samples on its left are sums over one hypergeometric count, and
the same for all columns of a node: they are prepared once. The law is that of `splitcrit.nulls.score_moments`.

Likely counts lie within some ten standard deviations of the mean, so that one size takes O(sqrt(m)) steps. Differences
of the mean between neighbouring sizes are means of differences of the score, so that both moments are smooth in m, at
the scale of m. They are added up at six sizes whose distances are 1/64 of the first, and interpolated between these; at
one size more, where interpolation errs most, both ways must agree, else each size of this part is added up. So a node
takes O(sqrt(n)) steps beside O(n) cheap ones.

Main definitions: ``numbers_of_standardised``, ``prepared`` (what a node needs), ``by_standardised`` (a scan of one
column).
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import addressed, called, inlined
from splitcrit.trees.scan.scan_common import U, clear, counted_in, parted, summed
from splitcrit.trees.scan.scan_sums import combined
from splitcrit.trees.scan.ties_and_scores import TIE

UNLIKELY = 1e-17  # of the likeliest count, after which no more are looked at
FINE = 64  # one over the distance of sizes whose moments are added up, as a share of the least of them
CLOSE = 1e-10  # standard deviations by which interpolation may be off, beside rounding of the scores themselves
ROUNDING = 1e-15
NOISE = 1e-13  # a standard deviation that is less of the score is what rounding leaves of 0


@addressed
def numbers_of_standardised(data, totals, constants):  # type: ignore[no-untyped-def]
    """Return the size of a node, the sum over its classes, base and rate of its scores, and the width of a tie.

    The number of samples of the first class is set in ``constants``.
    """
    n, _, sums = summed(data.phi, totals)
    constants[0] = totals[0]
    return n, sums, 0.0, 1.0, TIE * n


@inlined
def _score(data, x, m, ones, n):  # type: ignore[no-untyped-def]
    """Return the score of a threshold with ``x`` of the first class among ``m`` on its left."""
    phi = data.phi
    left, right = phi[U(x)] + phi[U(m - x)], phi[U(ones - x)] + phi[U(n - m - ones + x)]
    return combined(int(data.power), left, right, m, n - m, data.table, 0.0)


@called(_nrt=False)
def _added_up(data, m, ones, n):  # type: ignore[no-untyped-def]
    """Return the mean of the score of a threshold with ``m`` on its left, and one over its standard deviation.

    Chances are added up outward from the likeliest count; the second number is 0 where the score cannot vary.
    """
    low, high, rest = max(0, m + ones - n), min(m, ones), n - m - ones
    top = min(max((m + 1) * (ones + 1) // (n + 2), low), high)
    middle = _score(data, top, m, ones, n)
    whole, first, second = 1.0, 0.0, 0.0
    chance, x = 1.0, top
    while x < high and chance > UNLIKELY:
        chance *= float(m - x) * (ones - x) / (float(x + 1) * (rest + x + 1))
        x += 1
        apart = _score(data, x, m, ones, n) - middle
        whole, first, second = whole + chance, first + chance * apart, second + chance * apart * apart
    chance, x = 1.0, top
    while x > low and chance > UNLIKELY:
        chance *= float(x) * (rest + x) / (float(m - x + 1) * (ones - x + 1))
        x -= 1
        apart = _score(data, x, m, ones, n) - middle
        whole, first, second = whole + chance, first + chance * apart, second + chance * apart * apart
    first /= whole
    spread = np.sqrt(max(second / whole - first * first, 0.0))
    return middle + first, 1 / spread if spread > NOISE * (abs(middle) + abs(first)) else 0.0


@called(_nrt=False)
def standardised_of_split(data, seen, counts):  # type: ignore[no-untyped-def]
    """Return the score of the split of a node with these counts of two classes that has ``seen`` on the left."""
    m, n, ones = seen[0] + seen[1], counts[0] + counts[1], counts[0]
    mean, rate = _added_up(data, m, ones, n)
    return (_score(data, seen[0], m, ones, n) - mean) * rate


@inlined
def _interpolated(behind, at, step, t):  # type: ignore[no-untyped-def]
    """Return the polynomial of degree 5 through ``behind[at + i step]``, i from 0 to 5, at ``at + t step``."""
    a, b, c, d, e, f = t, t - 1, t - 2, t - 3, t - 4, t - 5
    ends = a * b * c * d * e * behind[U(at + 5 * step)] - b * c * d * e * f * behind[U(at)]
    inner = a * c * d * e * f * behind[U(at + step)] - a * b * c * d * f * behind[U(at + 4 * step)]
    middle = a * b * c * e * f * behind[U(at + 3 * step)] - a * b * d * e * f * behind[U(at + 2 * step)]
    return ends / 120 + inner / 24 + middle / 12


@addressed
def prepared(data, start, stop, constants, behind):  # type: ignore[no-untyped-def]
    """Set ``behind[i]`` to the mean at the threshold after place ``i`` of a node, and in its second half one over the
    standard deviation, 0 where the score cannot vary. That of size m is at ``start + m - 1``, and so is that of n - m.
    """
    n, ones, half = stop - start, int(constants[0]), len(behind) // 2
    zero, last = start - 1, n // 2
    if last < 1:
        return
    behind[U(start)], behind[U(half + start)] = _added_up(data, 1, ones, n)
    m = 1
    while m < last:  # the moments up to size m are known
        step = min(m // FINE, (last - m) // 5)
        if step > 1:
            smooth = behind[U(half + zero + m)] > 0
            for i in range(m + step, m + 5 * step + 1, step):
                behind[U(zero + i)], behind[U(half + zero + i)] = _added_up(data, i, ones, n)
                smooth = smooth and behind[U(half + zero + i)] > 0
            between = max(step // 2 - (step % 4 == 0) - 2 * (step % 4 == 2), 1)  # no common divisor: no period passes
            mean, rate = _added_up(data, m + between, ones, n)
            apart = abs(_interpolated(behind, zero + m, step, between / step) - mean)
            ratio = abs(_interpolated(behind, half + zero + m, step, between / step) / rate - 1) if rate > 0 else np.inf
            near = CLOSE + ROUNDING * max(abs(mean), abs(data.table[U(n)])) * rate
            smooth = smooth and apart * rate < near and ratio < near
            for j in range(1, 5 * step):
                if j % step:
                    place = zero + m + j
                    if smooth:
                        behind[U(place)] = _interpolated(behind, zero + m, step, j / step)
                        behind[U(half + place)] = _interpolated(behind, half + zero + m, step, j / step)
                    else:
                        behind[U(place)], behind[U(half + place)] = _added_up(data, m + j, ones, n)
            m += 5 * step
        else:
            m += 1
            behind[U(zero + m)], behind[U(half + zero + m)] = _added_up(data, m, ones, n)
    for m in range(1, (n + 1) // 2):
        behind[U(zero + n - m)] = behind[U(zero + m)]
        behind[U(half + zero + n - m)] = behind[U(half + zero + m)]


@addressed
def by_standardised(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """Return the best score (``floor`` is infinite), or the first place whose score reaches ``floor``."""
    order, column, start, stop, bits, least, _ = segment
    totals = node.counts
    kind, steps, table, seen, behind = int(data.power), data.steps, data.table, scratch.seen, scratch.behind
    mask, size, half = (1 << bits) - 1, stop - start, len(behind) // 2
    clear(seen)
    left, right, top = 0.0, node.sums, -np.inf
    for i in range(start, stop - least):
        c, n = counted_in(order, i, mask, seen)
        left += steps[U(n)]
        right -= steps[U(totals[U(c)] - n - 1)]
        m = i - start + 1
        score = (combined(kind, left, right, m, size - m, table, 0.0) - behind[U(i)]) * behind[U(half + i)]
        if score > top and m >= least and parted(order, column, i, bits):
            top = score
            if score >= floor:
                return float(i)
    return top
