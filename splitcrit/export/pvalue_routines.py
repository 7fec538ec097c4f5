"""The loops of exact p-values of two classes: of a table of two rows, and of the best cut; see ``moments``.

Main definitions: ``gini_pvalue``, ``best_cut`` and ``selected_pvalue``, which the header offers.
Main results: every sum has positive terms. A number t that may be too small for a float is kept as ``t UP^e``, with e a
whole number, as a product of ratios of neighbours; no logarithm is taken before the end. The chance of a path of labels
to leave a region is found by ``q_m(x)`` of ``splitcrit.nulls.paths``, ``chances[x + 1]`` in float64: three
roundings a step, so that its relative error is below ``3 n 2^-53`` for n observations. What is left out is less than
1e-30 of the result.
Source: strobl2007, by counting; see ``splitcrit.nulls.paths``.
"""

from __future__ import annotations

from math import log

from splitcrit.export.moments import (
    NAN,
    Counts,
    Real,
    Room,
    Scores,
    class_weights,
    cut_variance,
    mean_by_pairs,
    real,
    root,
    same_pairs,
    size,
    value,
    wide,
)

UP, DOWN = 2.0**512, 2.0**-512
HIGH, LOW = 2.0**256, 2.0**-256  # numbers are kept between these, and their exponent counts factors of UP
LOG_UP = 512 * log(2)
NEGLIGIBLE = 1e-36  # of a sum: terms fall faster from here on
SLIGHT = 1e-200  # a chance of having stayed inside; where it is less, to be outside at all is likelier by 1 / SLIGHT
TIED = 1e-24  # scores that differ by less, relative to them, are equal in numbers of 31 digits
SGINI, GINI, PAIRWISE_GAIN = 0, 1, 2


def scaled(t: Real, e: Real) -> tuple[Real, Real]:
    """T UP^e with t between LOW and HIGH, where it was within a factor of UP of that."""
    if value(t) > HIGH:
        return t * wide(DOWN), e + 1
    if value(t) < LOW and value(t) > 0.0:
        return t * wide(UP), e - 1
    return t, e


def added(t: Real, e: Real, more: Real, f: Real) -> tuple[Real, Real]:
    """T UP^e + more UP^f; the smaller is left out where it is less than 2^-512 of the larger."""
    apart = value(e - f)
    if value(t) == 0.0 or apart < -1.5:
        return more, f
    if apart > 1.5:
        return t, e
    if apart < -0.5:
        return more + t * wide(DOWN), f
    if apart > 0.5:
        return t + more * wide(DOWN), e
    return scaled(t + more, e)


def probability(t: Real, e: Real, log_p: int) -> float:
    """T UP^e, at most 1, or its logarithm."""
    p, power = value(t), value(e)
    if log_p != 0:
        p = log(p) + power * LOG_UP
        return 0.0 if p > 0.0 else p
    while power < 0.0 and p > 0.0:
        p = p * DOWN
        power = power + 1.0
    if power > 0.0:
        p = p * UP
    return 1.0 if p > 1.0 else p


def neighbour(n: int, good: int, draws: int, y: int, step: int) -> Real:
    """The chance of y + step good ones among draws of n over that of y, 0 without one; step is 1 or -1."""
    if step > 0:
        return real((good - y) * (draws - y)) / real((y + 1) * (n - good - draws + y + 1))
    return real(y * (n - good - draws + y)) / real((good - y + 1) * (draws - y + 1))


def gini_pvalue(table: Counts, log_p: int) -> float:
    """The probability of a Gini gain at least that of a table of two rows and two classes, under permutations.

    The table is 4 counts, row by row. With log_p other than 0, the logarithm of it. It is 1 where the gain is the same
    for every permutation. NaN where a count is negative or their sum exceeds 2^31 - 1. Right to a relative error of
    1e-15; a p-value below 5e-324 is 0, and one below 2e-308 has fewer digits, but not its logarithm. Time grows with
    the distance of a count from its mean, some 15 nanoseconds for each observation, and with the standard deviation.
    """
    n = size(table, 4)
    if n < 0:
        return NAN
    a, b, x = table[0] + table[1], table[0] + table[2], table[0]
    if a == 0 or a == n or b == 0 or b == n:
        return 0.0 if log_p != 0 else 1.0
    if n * x > a * b:  # the other class, so that the count is at or below its mean
        b = n - b
        x = a - x
    distance, at, tail, w = a * b - n * x, x, real(1), neighbour(n, b, a, x, -1)
    while value(w) > NEGLIGIBLE * value(tail):
        tail = tail + w
        at -= 1
        w = w * neighbour(n, b, a, at, -1)
    every, height, power, e, at, w = tail, real(0), real(0), real(0), x, neighbour(n, b, a, x, 1)
    while value(w) > 0.0:
        at += 1
        w, e = scaled(w, e)
        every, height = added(every, height, w, e)
        if n * at - a * b >= distance:
            tail, power = added(tail, power, w, e)
        apart = value(e - power)
        w = w * neighbour(n, b, a, at, 1)
        if n * at > a * b and (apart < -1.5 or (apart == 0.0 and value(w) < NEGLIGIBLE * value(tail))):
            w = real(0)  # beyond the mean terms fall, and the rest is negligible
    return probability(tail / every, power - height, log_p)


def square_root(x: Real) -> Real:
    """The root of a number that is not negative, by a step of Newton's from that of a float."""
    if value(x) <= 0.0:
        return real(0)
    y = wide(root(value(x)))
    return y + (x - y * y) / (y + y)


def score_line(n: int, m: int, pairs: int, first: Real, second: Real, statistic: int) -> tuple[Real, Real]:
    """Level and scale of a cut of m of n observations: d^2 = level + scale score, with d = n x - m b.

    b of the n are of the first class, and x of the m. The weights of the classes are first and second, pairs is their
    same_pairs. The score is SGini; or d^2 for the pairwise gain, and d^2 / (m (n - m)) for Gini's, which grow with
    these. A scale of 0 says that all tables of the cut score 0.
    """
    if statistic == PAIRWISE_GAIN:
        return real(0), real(1)
    if statistic == GINI:
        return real(0), real(m) * real(n - m)
    unit = real(m) * real(n - m) * real(n * n) / real(2)
    return unit * mean_by_pairs(n, 2, pairs), unit * square_root(cut_variance(n, m, first, second))


def best_score(
    table: Counts, r: int, min_leaf: int, statistic: int, n: int, ones: int, columns: Counts
) -> tuple[Real, Real]:
    """The largest score of a cut, and how many rows are to its left, 0 if there is no cut."""
    pairs, m, x, cut, best = same_pairs(columns, 2), 0, 0, real(0), real(0)
    first, second = class_weights(columns, 2, n)
    for i in range(r - 1):
        m += table[2 * i] + table[2 * i + 1]
        x += table[2 * i]
        if m >= min_leaf and n - m >= min_leaf and m > 0 and m < n:
            d = real(n * x - m * ones)
            level, scale = score_line(n, m, pairs, first, second, statistic)
            score = (d * d - level) / scale if value(scale) > 0.0 else real(0)
            above, size_of = value(score - best), value(best)
            if value(cut) == 0.0 or above > TIED * (size_of if size_of > 0.0 else -size_of):
                best = score
                cut = real(i + 1)
    return best, cut


def two_classes(table: Counts, r: int, min_leaf: int, statistic: int, columns: Room) -> int:
    """Set the totals of two classes and return their sum; -1 where the arguments ask for nothing."""
    if r < 1 or min_leaf < 0 or statistic < 0 or statistic > 2 or size(table, 2 * r) < 0:
        return -1
    columns[0], columns[1] = 0, 0
    for i in range(r):
        columns[0] += table[2 * i]
        columns[1] += table[2 * i + 1]
    return size(columns, 2)


def best_cut(table: Counts, r: int, min_leaf: int, statistic: int, work: Room) -> int:
    """The number of rows of a table of two classes left of its best cut, the first of those that tie.

    The rows are the values of a feature in their order; the table is r pairs of counts. A cut leaves at least min_leaf
    observations on both sides. The statistic is 0 for SGini, 1 for the Gini gain, 2 for the pairwise gain. work is room
    for 2 integers. 0 where there is no cut, or one class; -1 where counts are negative, their sum exceeds 2^31 - 1, r
    is below 1, min_leaf is negative, or there is no such statistic. Scores that agree in 24 digits tie.
    """
    n = two_classes(table, r, min_leaf, statistic, work)
    if n < 0 or work[0] == 0 or work[1] == 0:
        return 0 if n >= 0 else -1
    _, cut = best_score(table, r, min_leaf, statistic, n, work[0], work)
    return int(value(cut))


def below(n: int, ones: int, m: int, x: int, side: int, bar: Real) -> bool:
    """Whether the table of x ones among m scores less, or lies on the other side of the mean."""
    d = (n * x - m * ones) * side
    return d < 0 or value(real(d) * real(d) - bar) < 0.0


def end_inside(n: int, ones: int, m: int, left: int, right: int, bar: Real, side: int) -> int:
    """The last x from left to right whose table scores less, the first if side is -1; none gives one outside."""
    reach = root(value(bar)) if value(bar) > 0.0 else 0.0
    x = int((float(m * ones) + float(side) * reach) / float(n))
    x = left if x < left else (right if x > right else x)
    while x + side >= left and x + side <= right and below(n, ones, m, x + side, side, bar):
        x += side
    while x >= left and x <= right and not below(n, ones, m, x, side, bar):
        x -= side
    return x


def moved(h: Real, e: Real, n: int, ones: int, m: int, x: int, to_m: int, to_x: int) -> tuple[Real, Real]:
    """The chance h UP^e of x ones among m of n labels, moved to that of to_x ones among to_m, m or more."""
    at = x
    for step in range(to_m - m):
        taken = m + step
        if at >= to_x:  # the next label is no one; there is such a label, for there is a way to where it goes
            h = h * real((taken + 1) * (n - taken - ones + at)) / real((taken + 1 - at) * (n - taken))
        if at < to_x:
            h = h * real((taken + 1) * (ones - at)) / real((at + 1) * (n - taken))
            at += 1
        h, e = scaled(h, e)
    while at != to_x:
        aside = 1 if at < to_x else -1
        h, e = scaled(h * neighbour(n, ones, to_m, at, aside), e)
        at += aside
    return h, e


def selected_pvalue(
    table: Counts, r: int, min_leaf: int, statistic: int, log_p: int, chances: Scores, work: Room
) -> float:
    """The probability, under permutations, that the best cut of a feature scores so high; of two classes.

    The arguments are those of best_cut, which finds the cut. With log_p other than 0, the logarithm. chances is room
    for 3 doubles and one for each observation of the rarer class, work for 2 integers. It is 1 where there is no cut,
    or one class. NaN where best_cut returns -1. Right to a relative error of 4e-16 n + 1e-15 with n observations; a
    p-value below 5e-324 is 0, and one below 2e-308 has fewer digits, but not its logarithm. Time is O(n) times the
    width of the region of lower scores, which is about the root of n unless the score is extreme.
    """
    n = two_classes(table, r, min_leaf, statistic, work)
    if n < 0:
        return NAN
    best, cut = best_score(table, r, min_leaf, statistic, n, work[0], work)
    ones = work[0] if work[0] < work[1] else work[1]
    if value(cut) == 0.0 or ones == 0:
        return 0.0 if log_p != 0 else 1.0
    pairs = same_pairs(work, 2)
    first, second = class_weights(work, 2, n)
    # chances[x + 1] is q_m(x), that a path at x ones after m labels has stayed inside; left to right are the x inside.
    for x in range(ones + 3):
        chances[x] = 0.0
    chances[1] = 1.0
    m, place, left, right, total, power = 0, 0, 0, 0, real(0), real(0)
    low, low_e, low_m, low_x = real(1), real(0), 0, 0  # the chance of the table that was outside last, on either side
    high, high_e, high_m, high_x = real(1), real(0), 0, 0
    for i in range(r - 1):
        taken = table[2 * i] + table[2 * i + 1]
        place += taken
        if taken > 0 and place < n and n - place >= min_leaf:
            for t in range(taken):
                m = place - taken + t + 1
                left = left if left > m - n + ones else m - n + ones
                right = right + 1 if right < ones else ones
                # From the largest x down, since a chance takes its left neighbour as it was one label ago.
                for j in range(right - left + 1):
                    at = right - j
                    chances[at + 1] = (chances[at + 1] * float(m - at) + chances[at] * float(at)) / float(m)
            if m >= min_leaf:
                level, scale = score_line(n, m, pairs, first, second, statistic)
                above = scale * best
                bar = level + above - wide(TIED) * (level + (above if value(best) > 0.0 else real(0) - above))
                least = end_inside(n, ones, m, left, right, bar, -1)
                most = end_inside(n, ones, m, left, right, bar, 1)
                if value(scale) == 0.0:  # all tables of this cut score 0
                    least = left if value(best) > 0.0 else right + 1
                    most = right
                # Where no table scores less, all leave on the left. What leaves counts with the chance of its table,
                # moved there from that of the last table outside on its side, and is followed no further.
                least = least if least <= most else right + 1
                most = most if least <= most else right
                for j in range(least - left):
                    at = left + j
                    if chances[at + 1] > SLIGHT:
                        low, low_e = moved(low, low_e, n, ones, low_m, low_x, m, at)
                        low_m, low_x = m, at
                        total, power = added(total, power, low * wide(chances[at + 1]), low_e)
                    chances[at + 1] = 0.0
                for j in range(right - most):
                    at = most + j + 1
                    if chances[at + 1] > SLIGHT:
                        high, high_e = moved(high, high_e, n, ones, high_m, high_x, m, at)
                        high_m, high_x = m, at
                        total, power = added(total, power, high * wide(chances[at + 1]), high_e)
                    chances[at + 1] = 0.0
                # No path is left inside, so that later cuts cannot change the sum.
                if least > right:
                    return probability(total, power, log_p)
                left, right = least, most
    return probability(total, power, log_p)
