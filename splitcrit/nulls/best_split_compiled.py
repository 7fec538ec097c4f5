"""The law of the best split of a column by random orders, compiled: drawing, scoring, and the tail beyond the draws.

A column is a vector of cell sizes ``sizes (V,)``: its values in increasing order, with the missing values as the last
cell if ``gaps``, or its levels in any order. Responses are ``types (n,)``, sorted, of the rows of ``vectors (T, q)``,
which are centred: over all n objects they add up to 0. Two classes are one coordinate. Draw ``b`` depends on the key,
``b`` and the sorted types alone, so that it can be drawn again, and more can be drawn later.

A draw costs a shuffle of the n types or, where the cells are large, a hypergeometric number for each cell and type.

Main definitions: ``ResponseTotals``, ``totals_of``; ``best_of_cuts``, ``best_of_subsets``; ``draw``; ``null_scores``
(the law), ``surprise_of`` (one score of it, given up when it is known to be below another), ``exact_surprise``.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"
from __future__ import annotations

from math import exp, floor, inf, lgamma, log, log1p
from typing import NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import called, kernel
from splitcrit.nulls import monte_carlo
from splitcrit.nulls.monte_carlo import BEYOND, TIE
from splitcrit.nulls.paths_compiled import leaving

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
RATIOS = 200  # draws that the smooth tail of a subset is averaged over
WORTH = 22  # steps of a shuffle of two classes that a hypergeometric number takes
GIVEN_UP = 4.0  # standard deviations, and draws, after which a column is known to lose
draws_for = called(monte_carlo.draws_for, _nrt=False)


class ResponseTotals(NamedTuple):
    """The responses of a node: type of each object, sorted; a centred vector and a number of objects for each type.

    ``square`` is the sum of the squared lengths, ``fourth`` that of their squares, ``spread`` the sum of the squared
    entries of the matrix of products; ``freedom`` is the number of dimensions, and ``rate`` half the sum of the
    eigenvalues of that matrix over the largest.
    """

    types: Array
    vectors: Array
    counts: Array
    square: float
    fourth: float
    spread: float
    freedom: int
    rate: float


@called(_nrt=False)
def mixed(z):
    """Return the finaliser of splitmix64."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@called(_nrt=False)
def absorbed(key, number):
    """Return the key of a sequence with one more whole number."""
    return mixed((key ^ np.uint64(number)) + GOLDEN)


@called(_nrt=False)
def _below(state, n):
    """Return a random whole number below n < 2^31."""
    # The upper 32 bits times n, over 2^32: no division, and no chance off by more than 2^-32.
    state[0] += GOLDEN
    return np.int64(((mixed(state[0]) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@called(_nrt=False)
def _hypergeometric(n, ones, drawn, state, logs):
    """Draw how many of ``drawn`` among n objects are ``ones``: by inversion, outward from the mode."""
    # All are counts of objects; logs[i] is log i!, so that the chance of the mode takes no loop.
    low, high = max(0, drawn - (n - ones)), min(drawn, ones)
    if low == high:
        return low
    state[0] += GOLDEN
    u = np.float64(mixed(state[0]) >> np.uint64(11)) * 2.0**-53
    if drawn == 1:
        return np.int64(1) if u * n < ones else np.int64(0)
    # From the mode outward the chances fall, so that u is used up after a few standard deviations.
    mode = np.int64((drawn + 1.0) * (ones + 1.0) / (n + 2.0))
    mode = min(max(mode, low), high)
    rest, others = drawn - mode, n - ones
    p = exp(
        logs[ones] - logs[mode] - logs[ones - mode] + logs[others] - logs[rest] - logs[others - rest]
        - logs[n] + logs[drawn] + logs[n - drawn]
    )  # fmt: skip
    u -= p
    left, right, p_left, p_right = mode, mode, p, p
    while u >= 0:
        if right < high:
            p_right *= float(ones - right) * (drawn - right) / ((right + 1.0) * (others - drawn + right + 1.0))
            right += 1
            u -= p_right
            if u < 0:
                return right
        if left > low:
            p_left *= float(left) * (others - drawn + left) / ((ones - left + 1.0) * (drawn - left + 1.0))
            left -= 1
            u -= p_left
            if u < 0:
                return left
        # Rounding may leave u above 0 when all chances are spent.
        if left == low and right == high:
            return mode
    return mode


@called(_nrt=False)
def draw(sizes, totals, key, number, logs, space, state, sums):
    """Set ``sums (V, q)`` to those of the cells for one random order; ``space`` holds n whole numbers."""
    # sizes (v,) and space (n,) count objects; state (1,) is the generator, set by the number of the draw alone.
    n, v, kinds = len(totals.types), len(sizes), len(totals.counts)
    state[0] = absorbed(key, number)
    sums[:v] = 0.0
    if n * min(kinds - 1, 2) > WORTH * v * (kinds - 1):
        # Cell by cell: space holds how many objects of each type are left; a cell takes its share of each type in turn.
        left = n
        for k in range(kinds):
            space[k] = totals.counts[k]
        for i in range(v):
            rest, wanted = left, sizes[i]
            for k in range(kinds):
                x = wanted if k == kinds - 1 else _hypergeometric(rest, space[k], wanted, state, logs)
                rest -= space[k]
                wanted -= x
                space[k] -= x
                for c in range(sums.shape[1]):
                    sums[i, c] += x * totals.vectors[k, c]
            left -= sizes[i]
        return
    if kinds == 2 and sums.shape[1] == 1:  # two classes, one after another
        left, ones, first, second = n, totals.counts[0], totals.vectors[0, 0], totals.vectors[1, 0]
        for i in range(v):
            before = ones
            for _ in range(sizes[i]):
                # One of the objects left, at random: an object of the first class with chance ones / left.
                ones -= _below(state, left) < ones
                left -= 1
            sums[i, 0] = (before - ones) * first + (sizes[i] - before + ones) * second
        return
    # A shuffle from the back: the last object that is left takes the place of the one drawn.
    for i in range(n):
        space[i] = totals.types[i]
    at = n
    for i in range(v):
        for _ in range(sizes[i]):
            j = _below(state, at)
            at -= 1
            kind = space[j]
            space[j] = space[at]
            for c in range(sums.shape[1]):
                sums[i, c] += totals.vectors[kind, c]


@called(_nrt=False)
def best_of_cuts(sizes, sums, gaps, least, n, square):
    """Return the largest score of the cuts between cells; missing values, the last cell if ``gaps``, go either way."""
    # sizes (v,) objects and sums (v, q) of a cell; m objects and the running sums lie left of the cut behind cell i.
    best, m, cells = 0.0, 0, len(sizes) - 1
    if sums.shape[1] == 1 and not gaps:
        one = 0.0
        for i in range(cells):
            m += sizes[i]
            one += sums[i, 0]
            if m >= least and n - m >= least:
                best = max(best, one * one / (float(m) * (n - m)))
        return best * n * (n - 1.0) / square
    for i in range(cells):
        for c in range(sums.shape[1]):
            sums[i, c] += sums[i - 1, c] if i else 0.0  # running sums from here on
        m += sizes[i]
        # more = 1: the missing values, the last cell, on the left. Behind the last known cell this would leave no right
        # side.
        for more in range(2 if gaps and i < cells - 1 else 1):
            there, length = m + more * sizes[cells], 0.0
            if there < least or n - there < least:
                continue
            for c in range(sums.shape[1]):
                x = sums[i, c] + more * sums[cells, c]
                length += x * x
            best = max(best, length / (float(there) * (n - there)))
    return best * n * (n - 1.0) / square


@called(_nrt=False)
def sort(values):
    """Sort numbers in place, in increasing order, by Shell's method: small, and soon compiled."""
    gap = len(values) // 2
    while gap:
        for i in range(gap, len(values)):
            x, j = values[i], i
            while j >= gap and values[j - gap] > x:
                values[j] = values[j - gap]
                j -= gap
            values[j] = x
        gap = 1 if gap == 2 else gap * 5 // 11


@called(_nrt=False)
def sort_by_share(share, order, first):
    """Write the places of V shares in increasing order, equal ones in their own: V buckets, then insertion."""
    # share (v,), order (v,) and first (v + 1,): the place where the next share of each bucket is written.
    v, low, high = len(share), inf, -inf
    for i in range(v):
        low, high = min(low, share[i]), max(high, share[i])
        first[i + 1] = 0
    first[0] = 0
    # Less than v, so that the largest share falls in the last bucket whatever the product is rounded to.
    scale = (v - 0.5) / (high - low) if high > low else 0.0
    for i in range(v):
        first[np.int64((share[i] - low) * scale) + 1] += 1
    for i in range(1, v):
        first[i] += first[i - 1]
    for i in range(v):
        bucket = np.int64((share[i] - low) * scale)
        order[first[bucket]] = i
        first[bucket] += 1
    # Within a bucket shares may stand in any order: insertion moves each a few places at most.
    for i in range(1, v):
        x, j = order[i], i
        while j > 0 and share[order[j - 1]] > share[x]:
            order[j] = order[j - 1]
            j -= 1
        order[j] = x


@called(_nrt=False)
def best_of_subsets(sizes, sums, least, n, square, order, share):
    """Return the largest score of the prefixes of the levels in the order of each coordinate of their means.

    Space: ``order (2 V + 1,)`` and ``share (V + q,)``.
    """
    # sizes (v,) and sums (v, q) by level; share holds the means of one coordinate, then the q running sums.
    # Scores are compared as products of numerators and denominators: a division is made once, at the end.
    v, q, above, below = len(sizes), sums.shape[1], 0.0, 1.0  # the best score is their ratio
    for first in range(q):
        for i in range(v):
            share[i] = sums[i, first] / sizes[i]
        sort_by_share(share[:v], order, order[v:])
        m = 0
        for c in range(q):
            share[v + c] = 0.0  # running sums
        for i in range(v - 1):
            at, length = order[i], 0.0
            m += sizes[at]
            for c in range(q):
                share[v + c] += sums[at, c]
                length += share[v + c] * share[v + c]
            apart = float(m) * (n - m)
            if length * below > above * apart and m >= least and n - m >= least:
                above, below = length, apart
    return above / below * n * (n - 1.0) / square


@called(_nrt=False)
def _of_table(sizes, sums, n, square):
    """Return the score of the whole table."""
    # sum_i |sums_i|^2 / sizes_i, in the unit of the best score: no subset of the levels exceeds it.
    found = 0.0
    for i in range(len(sizes)):
        length = 0.0
        for c in range(sums.shape[1]):
            length += sums[i, c] * sums[i, c]
        found += length / sizes[i]
    return found * (n - 1.0) / square


@called(_nrt=False)
def log_upper_gamma(shape, x):
    """Return ``log Q(shape, x)``, Q the upper regularised incomplete gamma function, for x > 0."""
    front = shape * log(x) - x - lgamma(shape)
    # Below the mean the series of the lower function converges, above it the continued fraction of the upper one.
    if x < shape + 1:
        term = total = 1.0 / shape
        a = shape
        for _ in range(2000):
            a += 1.0
            term *= x / a
            total += term
            if term < total * 1e-15:
                break
        # 1 - P: where P rounds to 1 the logarithm stays finite.
        return log1p(-min(exp(front + log(total)), 1.0 - 1e-16))
    b = x + 1.0 - shape
    d, c = 1.0 / b, 1e300
    value = d
    for i in range(1, 2000):
        a, b = i * (shape - i), b + 2.0
        d, c = 1.0 / (b + a * d), b + a / c
        value *= c * d
        if abs(c * d - 1.0) < 1e-14:
            break
    return front + log(value)


@called(_nrt=False)
def log_tail(ratios, shape, rate, score):
    """Return the logarithm of the smooth tail ``E Q(shape, rate score / ratio)``."""
    # A mean of exponentials, kept as its largest term and the sum in units of that: none underflows.
    top, total = -inf, 0.0
    for r in ratios:
        at = log_upper_gamma(shape, rate * score / r)
        if at > top:
            top, total = at, total * exp(top - at) + 1.0
        else:
            total += exp(at - top)
    return top + log(total / len(ratios))


@called(_nrt=False)
def variance_of_table(sizes, totals):
    """Return the variance over all orders of the score of the whole table, exactly; 0 of fewer than 4 objects.

    It is that of the product of two matrices one of which is permuted (Kazi-Aoual et al. 1995).
    """
    n, v, inverse = float(len(totals.types)), float(len(sizes)), 0.0
    if n < 4:
        return 0.0
    for a in sizes:
        inverse += 1.0 / a
    t, t2, t3 = v - 1, v - 1, inverse - 2 * v / n + 1 / n
    s, s2, s3 = totals.square, totals.spread, totals.fourth
    even = 2 * ((n - 1) * t2 - t * t) * ((n - 1) * s2 - s * s) / ((n - 1) ** 2 * (n + 1) * (n - 2))
    odd = (n * (n + 1) * t3 - (n - 1) * (t * t + 2 * t2)) * (n * (n + 1) * s3 - (n - 1) * (s * s + 2 * s2))
    return max(even + odd / ((n + 1) * n * (n - 1) * (n - 2) * (n - 3)), 0.0) * ((n - 1) / s) ** 2


@called
def totals_of(types, vectors, counts):
    """Return the totals of responses, given sorted types and centred vectors ``(T, q)``."""
    # vectors (T, q) centred, counts (T,): products (q, q) is the matrix of sums of squares and products of the objects.
    kinds, q = vectors.shape
    products, square, fourth = np.zeros((q, q)), 0.0, 0.0
    for k in range(kinds):
        length = 0.0
        for c in range(q):
            length += vectors[k, c] * vectors[k, c]
            for e in range(q):
                products[c, e] += counts[k] * vectors[k, c] * vectors[k, e]
        square += counts[k] * length
        fourth += counts[k] * length * length
    spread, dimensions, along, largest = 0.0, 0, np.ones(q), square
    for c in range(q):
        # A start without the symmetries of classes, which could make it orthogonal to the first eigenvector.
        along[c] += products[c, c] / max(square, 1e-300) + c / 7.0
        dimensions += products[c, c] > TIE * square
        for e in range(q):
            spread += products[c, e] * products[c, e]
    for _ in range(60 if q > 1 and square > 0 else 0):  # the largest eigenvalue
        ahead, length, inner = np.zeros(q), 0.0, 0.0
        for c in range(q):
            for e in range(q):
                ahead[c] += products[c, e] * along[e]
        for c in range(q):
            length += ahead[c] * ahead[c]
            inner += along[c] * along[c]
        largest = (length / inner) ** 0.5
        along = ahead / length**0.5
    freedom = dimensions - (1 if q > 1 else 0)
    return ResponseTotals(
        types, vectors, counts, square, fourth, spread, freedom, square / largest / 2 if square else 0.5
    )


@called(_nrt=False)
def splits_of(sizes, gaps, least, n):
    """Return the number of allowed cuts."""
    # The walk of best_of_cuts, counting; missing values either way are two cuts.
    m, found, cells = 0, 0, len(sizes) - 1
    for i in range(cells):
        m += sizes[i]
        for more in range(2 if gaps and i < cells - 1 else 1):
            there = m + more * sizes[cells]
            found += there >= least and n - there >= least
    return found


@called
def tail_of(sizes, subset, gaps, least, totals):
    """Return shape and rate of the smooth tail; a shape of 0 means no tail."""
    if subset:
        mean, variance = len(sizes) - 1.0, variance_of_table(sizes, totals)
        return (mean * mean / variance, mean / variance) if variance > TIE else (0.0, 0.0)
    cuts = splits_of(sizes, gaps, least, len(totals.types))
    return (totals.freedom + (2 if cuts > 8 else 1 if cuts > 2 else 0)) / 2.0, totals.rate


@called(_nrt=False)
def structure_key(sizes, subset, gaps, least, counts, seed):
    """Return the key of the draws of a structure; sizes of levels are sorted."""
    key = absorbed(absorbed(mixed(np.uint64(seed) + GOLDEN), 2 * subset + gaps), least)
    for a in sizes:
        key = absorbed(key, a)
    for a in counts[: min(len(counts), 64)]:
        key = absorbed(key, a)
    return key


@called
def _one(sizes, subset, gaps, least, totals, key, b, logs, space, state, sums, order, share, ratios, below):
    """Return the best score of draw ``b``, any number up to ``below`` if it is none above it; keep its ratio.

    The ratio is that to the score of the whole table, which the best one does not exceed.
    """
    n, v = len(totals.types), len(sizes)
    draw(sizes, totals, key, b, logs, space, state, sums)
    if not subset:
        return best_of_cuts(sizes, sums, gaps, least, n, totals.square)
    # A table that scores less as a whole than what is asked for cannot hold a better subset: it is not searched.
    whole = _of_table(sizes, sums[:v], n, totals.square)
    if whole <= below and b >= len(ratios):
        return 0.0
    best = best_of_subsets(sizes, sums[:v], least, n, totals.square, order, share)
    if b < len(ratios):
        ratios[b] = max(best, TIE) / max(whole, TIE)
    return best


@called
def _room(totals, v, draws, subset):
    """Return the space of ``_one`` for v cells, and room for the scores and ratios of the draws."""
    q = totals.vectors.shape[1]
    space = np.empty(max(len(totals.types), len(totals.counts)), np.int64)
    state, order, share = np.zeros(1, np.uint64), np.empty(2 * v + 1, np.int64), np.empty(v + q)
    return space, state, order, share, np.empty((v, q)), np.empty(draws), np.ones(min(draws, RATIOS) if subset else 1)


@called(_nrt=False)
def placed(scores, ratios, shape, rate, score):
    """Return ``-log p`` of a score among sorted scores: its rank, ties half, and beyond the last 20 the smooth tail."""
    b, width = len(scores), TIE * (1 + score)
    if not score > TIE or scores[b - 1] - scores[0] <= TIE:  # what does not vary is no surprise
        return 0.0
    # scores (b,) in increasing order; beyond the bar, the 20th from the end, the tail takes over from the rank.
    bar = scores[b - min(BEYOND, b // 2)]
    smooth = score > bar + width and shape > 0 and bar > TIE
    at = bar if smooth else score
    above = ties = 0
    for g in scores:
        above += g > at + width
        ties += abs(g - at) <= width
    found = -log((0.5 + above + 0.5 * ties) / (1 + b))
    if smooth:
        # The tail is scaled to meet the rank at the bar, so that the surprise is continuous there.
        found += log_tail(ratios, shape, rate, bar) - log_tail(ratios, shape, rate, score)
    return found


@called
def surprise_of(sizes, subset, gaps, least, totals, score, draws, key, logs, bar):
    """Return ``-log p`` of one score, or -1 as soon as it is known to be below ``bar``.

    That is when four standard deviations and four draws more lie above the score than a p-value of ``exp(-bar)`` has on
    average. Draws that are neither above the score nor among the 20 largest are not searched.
    """
    if not score > TIE:
        return 0.0
    space, state, order, share, sums, scores, ratios = _room(totals, len(sizes), draws, subset)
    largest, beyond = np.zeros(BEYOND + 1), min(BEYOND, draws // 2)  # the largest scores, in decreasing order
    p, width, above = exp(-bar), TIE * (1 + score), 0.0
    for b in range(draws):
        # What is below both changes neither the rank of the score nor the bar at which the tail begins.
        below = min(score - width, largest[beyond - 1])
        found = _one(sizes, subset, gaps, least, totals, key, b, logs, space, state, sums, order, share, ratios, below)
        scores[b] = found
        if found > largest[beyond - 1]:
            j = beyond - 1
            while j > 0 and largest[j - 1] < found:
                largest[j] = largest[j - 1]
                j -= 1
            largest[j] = found
        if found >= score - width:
            above += 1.0 if found > score + width else 0.5
            excess = above - (b + 1) * p - GIVEN_UP
            if excess > 0 and excess * excess > GIVEN_UP * GIVEN_UP * (b + 1) * p * (1 - p):
                return -1.0
    shape, rate = tail_of(sizes, subset, gaps, least, totals)
    sort(scores)
    return placed(scores, ratios, shape, rate, score)


@called
def exact_surprise(sizes, ones, least, score, rest):
    """Return ``-log`` of the exact mid p-value of the best cut of two classes; ``rest`` are the remainders of n."""
    n = 0
    for a in sizes:
        n += a
    if not score > TIE:
        return 0.0
    lower, upper = np.zeros(n + 1, np.int64), np.full(n + 1, n)
    factor, found = float(n) * n * (n - 1.0) / (float(ones) * (n - ones)), np.zeros(2)
    # Paths of labels that stay within the region of lower scores, once with ties outside and once with ties inside.
    for side in range(2):
        m = 0
        for i in range(len(sizes) - 1):
            m += sizes[i]
            if m >= least and n - m >= least:
                reach = ((score + (2 * side - 1) * TIE * (1 + score)) * m * (n - m) / factor) ** 0.5
                mean = m * (float(ones) / n)
                lower[m], upper[m] = np.int64(floor(mean - reach)) + 1, -np.int64(floor(-mean - reach)) - 1
        found[side] = leaving(n, ones, lower, upper, rest)
    # The mid p-value is the mean of the two chances, taken in logarithms.
    if found[0] == inf or (found[0] < TIE and found[1] == inf):
        return found[0]
    return found[0] + log(2.0) - log1p(exp(found[0] - found[1]))


@kernel
def exact_surprises(sizes, ones, least, rest, asked, found):
    """Set ``found`` to the exact surprise of each score that is asked about."""
    for i in range(len(asked)):
        found[i] = exact_surprise(sizes, ones, least, asked[i], rest)
