"""Scans for gains corrected for chance: what a place needs is prepared once a node, for all of its columns.

A threshold with m of n samples on its left scores ``(sums - mean) rate``, and mean and rate follow from m: of a gain in
standard deviations above chance the rate is one over the deviation; of one less its deviation (AGini) that stands in
the mean, and the rate is 1. Of Gini's gains of any number of classes both are formulas (``formulas_compiled``).

Of two classes and other impurities that are sums over classes, mean and standard deviation are sums over one
hypergeometric count. The law is that of `splitcrit.nulls.score_moments`. Likely counts lie within some ten standard
deviations of the mean, so that one size takes O(sqrt(m)) steps. Differences of the mean between neighbouring sizes are
means of differences of the score, so that both moments are smooth in m, at the scale of m. They are added up at six
sizes whose distances are 1/64 of the first, and interpolated between these; at one size more, where interpolation errs
most, both ways must agree, else each size of this part is added up. So a node takes O(sqrt(n)) steps beside O(n) cheap
ones.

Main definitions: ``numbers_of_standardised``, ``prepared`` (what a node needs), ``by_standardised`` (a scan of one
column), ``standardised`` (one split); ``independent``; ``way_of`` (how the sums of both sides are combined).
"""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import addressed, called, inlined
from splitcrit.impurities.search_declaration import AGINI, AGINI_PERMUTED, RATIO, STANDARDISED, SUMS, TAIL
from splitcrit.trees.scan.formulas_compiled import class_law, independent_spread, spread
from splitcrit.trees.scan.scan_common import U, clear, counted_in, parted, step_of, summed
from splitcrit.trees.scan.scan_sums import combined
from splitcrit.trees.scan.ties_and_scores import TIE

UNLIKELY = 1e-17  # of the likeliest count, after which no more are looked at
FINE = 64  # one over the distance of sizes whose moments are added up, as a share of the least of them
CLOSE = 1e-10  # standard deviations by which interpolation may be off, beside rounding of the scores themselves
ROUNDING = 1e-15
NOISE = 1e-13  # a standard deviation that is less of the score is what rounding leaves of 0


@inlined
def way_of(data):
    """How the sums over classes of both sides are combined; Gini's gains are ratios."""
    return data.kind if data.kind in SUMS else int(data.power) if data.kind == STANDARDISED else RATIO


@addressed
def numbers_of_standardised(data, totals, constants):
    """The size of a node, the sum over its classes, base and rate of its scores, and the width of a tie.

    ``constants`` get the law of its gains or, without a formula, the number of samples of the first class.
    """
    n, _, sums = summed(data.phi, totals)
    size = float(n)
    if data.kind == STANDARDISED:
        constants[0] = totals[0]
        return n, sums, 0.0, 1.0, TIE * size
    class_law(totals, size, sums, data.kind in (AGINI, TAIL), constants)
    if data.kind in (AGINI, AGINI_PERMUTED):
        constants[2] *= data.power
        constants[3] *= data.power
        return n, sums, 0.0, 1 / size, TIE * (1 - sums / (size * size))
    return n, sums, 0.0, 1.0, TIE * size


@called(_nrt=False)
def independent(m, n, table, constants):
    """The variance of ``n`` times the gain under the multinomial model, ``m`` samples on the left."""
    w, w_rest = table[U(m)], table[U(n - m)]
    return max(independent_spread(float(n), float(m), w, w_rest, constants[2], constants[3]), 0.0)


@called(_nrt=False)
def _of_law(data, m, n, constants):
    """What Gini's sums are measured from with ``m`` samples on the left, and the rate of the score."""
    mean = constants[0] + constants[1]
    if data.kind == AGINI:
        return mean + np.sqrt(independent(m, n, data.table, constants)), 1.0
    w, w_rest = data.table[U(m)], data.table[U(n - m)]
    deviation = np.sqrt(max(spread(float(n), float(m), w, w_rest, constants[2], constants[3]), 0.0))
    if data.kind == AGINI_PERMUTED:
        return mean + deviation, 1.0
    return mean, 1 / deviation if deviation > 0.0 else 0.0


@inlined
def _score(data, x, m, ones, n):
    """The score of a threshold with ``x`` of the first class among ``m`` on its left."""
    phi = data.phi
    left, right = phi[U(x)] + phi[U(m - x)], phi[U(ones - x)] + phi[U(n - m - ones + x)]
    return combined(int(data.power), left, right, m, n - m, data.table, 0.0)


@called(_nrt=False)
def _added_up(data, m, ones, n):
    """The mean of the score of a threshold with ``m`` on its left, and one over its standard deviation.

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
def standardised(data, sums, m, n, constants):
    """The score of one split of a node, given the combined sums and the sizes of its left side and the node."""
    if data.kind == STANDARDISED:
        mean, rate = _added_up(data, m, int(constants[0]), n)
    else:
        mean, rate = _of_law(data, m, n, constants)
    return (sums - mean) * rate


@inlined
def _interpolated(behind, at, step, t):
    """The polynomial of degree 5 through ``behind[at + i step]``, i from 0 to 5, at ``at + t step``."""
    a, b, c, d, e, f = t, t - 1, t - 2, t - 3, t - 4, t - 5
    ends = a * b * c * d * e * behind[U(at + 5 * step)] - b * c * d * e * f * behind[U(at)]
    inner = a * c * d * e * f * behind[U(at + step)] - a * b * c * d * f * behind[U(at + 4 * step)]
    middle = a * b * c * e * f * behind[U(at + 3 * step)] - a * b * d * e * f * behind[U(at + 2 * step)]
    return ends / 120 + inner / 24 + middle / 12


@addressed
def prepared(data, start, stop, constants, behind):
    """Set ``behind[i]`` to the mean at the threshold after place ``i`` of a node, and the rate in its second half.

    The rate is 0 where the score cannot vary. Without a formula the moments of size m, at ``start + m - 1``, are those
    of n - m.
    """
    n, ones, half = stop - start, int(constants[0]), len(behind) // 2
    zero, last = start - 1, n // 2
    if data.kind != STANDARDISED:
        for i in range(start, stop - 1):
            behind[U(i)], behind[U(half + i)] = _of_law(data, i - start + 1, n, constants)
        return
    if last < 1:
        return
    behind[U(start)], behind[U(half + start)] = _added_up(data, 1, ones, n)
    m = 1
    while m < last:  # the moments up to size m are known
        # Six sizes from m on, step apart, carry the polynomial; sizes 1 apart leave nothing to interpolate.
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
def by_standardised(segment, node, data, floor, scratch):
    """The best score (``floor`` is infinite), or the first place whose score reaches ``floor``."""
    order, column, start, stop, bits, least, _ = segment
    totals = node.counts
    way, phi, table, seen, behind = way_of(data), data.phi, data.table, scratch.seen, scratch.behind
    mask, size, half = (1 << bits) - 1, stop - start, len(behind) // 2
    clear(seen)
    left, right, top = 0.0, node.sums, -np.inf
    for i in range(start, stop - least):
        c, n = counted_in(order, i, mask, seen)
        left += step_of(phi, n)
        right -= step_of(phi, totals[U(c)] - n - 1)
        m = i - start + 1
        score = (combined(way, left, right, m, size - m, table, 0.0) - behind[U(i)]) * behind[U(half + i)]
        if score > top and m >= least and parted(order, column, i, bits):
            top = score
            if score >= floor:
                return float(i)
    return top
