"""The law of the best split of a column, compiled: best cuts and subsets, and draws that are given up once one loses.

A column is a vector of cell sizes ``sizes (V,)``: its values in increasing order, with the missing values as the last
cell if ``gaps``, or its levels in any order. Labels are of ``T`` kinds, ``counts (T,)`` objects of each, with rows of
``vectors (T, q)``, which are centred: over all n objects they add up to 0. Two classes are one coordinate. ``sums (q,
V)`` are those of the cells. A score is the G of ``best_split``; searches of one table leave out its constant ``unit = n
(n - 1) / SS``. Draw ``b`` depends on the key, ``b``, the sizes and the counts alone, so that it can be drawn again.

A draw costs a shuffle of the n kinds or, where the cells are large, a hypergeometric number for each cell and kind.

Main definitions: ``best_of_cuts``, ``best_of_subsets``; ``cut_weights``; ``draw``; ``surprise_of`` (of one score, given
up when it is known to be below another), ``exact_surprise``, ``surprises_of_cuts``.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"
from __future__ import annotations

from math import exp, floor, inf, log, log1p

import numpy as np

from splitcrit.arguments import Array
from splitcrit.compiling import called, kernel, reporting_compilation
from splitcrit.nulls import gamma_tails, monte_carlo
from splitcrit.nulls.best_split import ONE_MEAN, ColumnStructure, cut_lines, sides
from splitcrit.nulls.hypergeometric import remainders
from splitcrit.nulls.monte_carlo import BEYOND, GOLDEN, TIE
from splitcrit.nulls.paths_compiled import leaving

RATIOS = 200  # draws that the smooth tail of a subset is averaged over
WORTH = 22  # steps of a shuffle of two classes that a hypergeometric number takes
GIVEN_UP = 4.0  # standard deviations, and draws, after which a column is known to lose
draws_for, mixed = called(monte_carlo.draws_for, _nrt=False), called(monte_carlo.mixed, _nrt=False)
label_moments, tail_of = called(gamma_tails.label_moments), called(gamma_tails.tail_of)
log_upper_gamma = called(gamma_tails.log_upper_gamma, _nrt=False)


@called(_nrt=False)
def absorbed(key, number):
    """The key of a sequence with one more whole number."""
    return mixed((key ^ np.uint64(number)) + GOLDEN)


@called(_nrt=False)
def _below(state, n):
    """A random whole number below n < 2^31."""
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
        logs[ones]
        - logs[mode]
        - logs[ones - mode]
        + logs[others]
        - logs[rest]
        - logs[others - rest]
        - logs[n]
        + logs[drawn]
        + logs[n - drawn]
    )
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
def draw(sizes, vectors, counts, key, number, logs, space, state, sums):
    """Set ``sums (q, V)`` to those of the cells for one random order; ``space`` holds n whole numbers."""
    # sizes (v,) and space (n,) count objects; state (1,) is the generator, set by the number of the draw alone.
    v, (kinds, q), n = len(sizes), vectors.shape, 0
    for k in range(kinds):
        n += counts[k]
    state[0] = absorbed(key, number)
    sums[:, :v] = 0.0
    if n * min(kinds - 1, 2) > WORTH * v * (kinds - 1):
        # Cell by cell: space holds how many objects of each kind are left; a cell takes its share of each in turn.
        left = n
        for k in range(kinds):
            space[k] = counts[k]
        for i in range(v):
            rest, wanted = left, sizes[i]
            for k in range(kinds):
                x = wanted if k == kinds - 1 else _hypergeometric(rest, space[k], wanted, state, logs)
                rest -= space[k]
                wanted -= x
                space[k] -= x
                for c in range(q):
                    sums[c, i] += x * vectors[k, c]
            left -= sizes[i]
        return
    if kinds == 2 and q == 1:  # two classes, one after another
        left, ones, first, second = n, counts[0], vectors[0, 0], vectors[1, 0]
        for i in range(v):
            before = ones
            for _ in range(sizes[i]):
                # One of the objects left, at random: an object of the first class with chance ones / left.
                ones -= _below(state, left) < ones
                left -= 1
            sums[0, i] = (before - ones) * first + (sizes[i] - before + ones) * second
        return
    # A shuffle from the back: the last object that is left takes the place of the one drawn.
    at = 0
    for k in range(kinds):
        for _ in range(counts[k]):
            space[at] = k
            at += 1
    for i in range(v):
        for _ in range(sizes[i]):
            j = _below(state, at)
            at -= 1
            kind = space[j]
            space[j] = space[at]
            for c in range(q):
                sums[c, i] += vectors[kind, c]


@called(_nrt=False)
def cut_weights(sizes, gaps, inverse, weights):
    """Set ``weights (2, V)`` of the cuts after each cell, missing values right and left; return how many there are.

    ``inverse[m]`` is ``1 / (m (n - m))``, the weight of a cut with m objects on its left, 0 where a side is too small.
    """
    cells, m, cuts = len(sizes) - 1, 0, 0
    lost = sizes[cells] if gaps else 0
    for i in range(cells):
        m += sizes[i]
        # Behind the last known cell missing values on the left would leave no right side.
        weights[0, i], weights[1, i] = inverse[m], inverse[m + lost] if gaps and i < cells - 1 else 0.0
        cuts += (weights[0, i] > 0) + (weights[1, i] > 0)
    weights[0, cells] = weights[1, cells] = 0.0
    return cuts


@called(_nrt=False)
def best_of_cuts(values, order, weights, less, lost, length, bar):
    """The largest ``weight |sum|^2 - less`` of the cuts behind items, and the first that reaches ``bar``.

    ``values (q, n)`` are those of the items (rows, or sums of cells), in an order; ``weights (2, n)`` and ``less (2,
    n)`` are by place of it, 0 where there is no cut; the last ``lost`` items, without a value, lie on the right, and in
    a second turn on the left. ``length (n,)`` is space. Returned: the largest, and turn and place of the first that is
    at least ``bar``; the place is -1 without one.
    """
    n, best, turn, place = len(order) - lost, 0.0, 0, -1
    if len(values) == 1 and lost == 0 and bar == inf:  # the usual case: one look-up for each item
        y, weight, lower, running = values[0], weights[0], less[0], 0.0
        for i in range(n):
            running += y[order[i]]
            best = max(best, running * running * weight[i] - lower[i])
        return best, turn, place
    for side in range(2 if lost else 1):
        for i in range(n):
            length[i] = 0.0
        for k in range(len(values)):
            y, running = values[k], 0.0
            for i in range(n, n + lost if side else n):
                running += y[order[i]]
            for i in range(n):
                running += y[order[i]]
                length[i] += running * running
        for i in range(n):
            score = length[i] * weights[side, i] - less[side, i]
            best = max(best, score)
            if score >= bar and place < 0:
                turn, place = side, i
    return best, turn, place


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
    # Within a bucket shares may stand in any order: insertion moves each a few places at most. Shares that rounding
    # alone tells apart keep their order, unless a bucket ends between them.
    near = ONE_MEAN * (high - low)
    for i in range(1, v):
        x, j = order[i], i
        while j > 0 and share[order[j - 1]] > share[x] + near:
            order[j] = order[j - 1]
            j -= 1
        order[j] = x


@called(_nrt=False)
def best_of_subsets(sizes, sums, least, order, share, bar):
    """The largest ``|sum|^2 / (m (n - m))`` of the prefixes of levels by each coordinate of their means.

    Also how many levels the first prefix has that is at least ``bar``, -1 without one; ``order`` is then its order. Of
    several coordinates no prefix parts levels of one mean: only their names, or the order of the rows, could choose.
    Space: ``order (2 V + 1,)`` and ``share (V + q,)``.
    """
    # sizes (v,) and sums (q, v) by level; share holds the means of one coordinate, then the q running sums.
    # Scores are compared as products of numerators and denominators: a division is made once, at the end.
    v, q, n, above, below = len(sizes), len(sums), sizes.sum(), 0.0, 1.0  # the best score is the ratio of the last two
    for first in range(q):
        for i in range(v):
            share[i] = sums[first, i] / sizes[i]
        sort_by_share(share[:v], order, order[v:])
        m, near = 0, ONE_MEAN * (share[order[v - 1]] - share[order[0]])
        share[v : v + q] = 0.0  # running sums
        for i in range(v - 1):
            at, length = order[i], 0.0
            m += sizes[at]
            for c in range(q):
                share[v + c] += sums[c, at]
                length += share[v + c] * share[v + c]
            apart, ends = float(m) * (n - m), q == 1 or share[order[i + 1]] - share[at] > near
            if ends and length * below > above * apart and m >= least and n - m >= least:
                above, below = length, apart
                if above >= bar * below:
                    return above / below, i + 1
    return above / below, -1


@called(_nrt=False)
def log_tail(ratios, shape, rate, score):
    """The logarithm of the smooth tail ``E Q(shape, rate score / ratio)``."""
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
def structure_key(sizes, subset, gaps, least, counts, seed):
    """The key of the draws of a structure; sizes of levels are sorted."""
    key = absorbed(absorbed(mixed(np.uint64(seed) + GOLDEN), 2 * subset + gaps), least)
    for a in sizes:
        key = absorbed(key, a)
    for a in counts[: min(len(counts), 64)]:
        key = absorbed(key, a)
    return key


@called(_nrt=False)
def placed(scores, bar, ratios, shape, rate, score):
    """``-log p`` of a score among others: its rank, ties half, and beyond ``bar``, the 20th, the smooth tail."""
    # scores (b,) in any order; beyond the bar, the 20th of the largest, the tail takes over from the rank.
    b, width, least, most = len(scores), TIE * (1 + score), inf, -inf
    smooth = score > bar + width and shape > 0 and bar > TIE
    at = bar if smooth else score
    above = ties = 0
    for g in scores:
        above += g > at + width
        ties += abs(g - at) <= width
        least, most = min(least, g), max(most, g)
    if not score > TIE or most - least <= TIE:  # what does not vary is no surprise
        return 0.0
    surprise = -log((0.5 + above + 0.5 * ties) / (1 + b))
    if smooth:
        # The tail is scaled to meet the rank at the bar, so that the surprise is continuous there.
        surprise += log_tail(ratios, shape, rate, bar) - log_tail(ratios, shape, rate, score)
    return surprise


@called
def surprise_of(sizes, subset, gaps, least, inverse, vectors, counts, moments, score, draws, key, logs, bar):
    """``-log p`` of one score, or -1 as soon as it is known to be below ``bar``.

    That is when four standard deviations and four draws more lie above the score than a p-value of ``exp(-bar)`` has on
    average. Draws that are neither above the score nor among the 20 largest are not searched.
    """
    v, (kinds, q), n = len(sizes), vectors.shape, np.int64(moments.n)
    unit = n * (n - 1.0) / moments.square
    if not score > TIE:
        return 0.0
    space, state, sums = np.empty(max(n, kinds), np.int64), np.zeros(1, np.uint64), np.empty((q, v))
    order, share, scores = np.empty(2 * v + 1, np.int64), np.empty(v + q), np.empty(draws)
    weights, less, cells, length = np.zeros((2, v)), np.zeros((2, v)), np.arange(v), np.empty(v)
    cuts = 0 if subset else cut_weights(sizes, gaps, inverse, weights)
    ratios = np.ones(min(draws, RATIOS) if subset else 1)  # of the best score to that of the whole table
    largest, beyond = np.zeros(BEYOND + 1), min(BEYOND, draws // 2)  # the largest scores, in decreasing order
    p, width, above = exp(-bar), TIE * (1 + score), 0.0
    for b in range(draws):
        draw(sizes, vectors, counts, key, b, logs, space, state, sums)
        if not subset:
            best = best_of_cuts(sums, cells, weights, less, 1 if gaps else 0, length, inf)[0] * unit
        else:
            # A table that scores less as a whole than what is asked for cannot hold a better subset: what is below both
            # the score and the 20 largest changes neither its rank nor where the tail begins, and is not searched.
            best = whole = 0.0
            for c in range(q):
                for i in range(v):
                    whole += sums[c, i] * sums[c, i] / sizes[i] * (unit / n)
            if b < len(ratios) or whole > min(score - width, largest[beyond - 1]):
                best = best_of_subsets(sizes, sums, least, order, share, inf)[0] * unit
            if b < len(ratios):
                ratios[b] = max(best, TIE) / max(whole, TIE)
        scores[b] = best
        if best > largest[beyond - 1]:
            j = beyond - 1
            while j > 0 and largest[j - 1] < best:
                largest[j] = largest[j - 1]
                j -= 1
            largest[j] = best
        if best >= score - width:
            above += 1.0 if best > score + width else 0.5
            excess = above - (b + 1) * p - GIVEN_UP
            if excess > 0 and excess * excess > GIVEN_UP * GIVEN_UP * (b + 1) * p * (1 - p):
                return -1.0
    shape, rate = tail_of(sizes, subset, cuts, moments)
    return placed(scores, largest[beyond - 1], ratios, shape, rate, score)


@called
def exact_surprise(sizes, ones, slope, less, rest, score):
    """``-log`` of the exact mid p-value of the best cut of two classes; ``rest`` are the remainders of n.

    A cut with x of the ``ones`` among m objects on its left scores ``slope (x - m ones/n)^2 - less``. Slope and less
    have the place of the last cell on its left; the slope is 0 where there is no cut.
    """
    n = 0
    for a in sizes:
        n += a
    if not score > TIE:
        return 0.0
    lower, upper, surprises = np.zeros(n + 1, np.int64), np.full(n + 1, n), np.zeros(2)
    # Paths of labels that stay within the region of lower scores, once with ties outside and once with ties inside.
    for side in range(2):
        m, bar = 0, score + (2 * side - 1) * TIE * (1 + score)
        for i in range(len(sizes) - 1):
            m += sizes[i]
            if slope[i] > 0:
                reach, mean = (max(bar + less[i], 0.0) / slope[i]) ** 0.5, m * (float(ones) / n)
                lower[m], upper[m] = np.int64(floor(mean - reach)) + 1, -np.int64(floor(-mean - reach)) - 1
        surprises[side] = leaving(n, ones, lower, upper, rest)
    # The mid p-value is the mean of the two chances, taken in logarithms.
    # What every order reaches and none exceeds is no surprise.
    if surprises[0] == inf or (surprises[0] < TIE and surprises[1] == inf):
        return surprises[0]
    return surprises[0] + log(2.0) - log1p(exp(surprises[0] - surprises[1]))


@kernel
def exact_surprises(sizes, ones, slope, less, rest, asked, surprises):
    """Set ``surprises`` to the exact surprise of each score that is asked about."""
    for i in range(len(asked)):
        surprises[i] = exact_surprise(sizes, ones, slope, less, rest, asked[i])


def surprises_of_cuts(structure: ColumnStructure, scores: Array) -> Array:
    """Surprises of many scores of cuts of two classes: those of ``BestSplitLaw.surprises``, but for rounding."""
    (sizes, labels, *_), surprises = structure, np.empty(len(scores))
    m, after, _ = sides(sizes, False, structure.least)
    lines = np.zeros((2, len(sizes)))
    lines[:, after] = cut_lines(m, structure)
    with reporting_compilation():
        exact_surprises(sizes, int(labels.counts[0]), *lines, remainders(int(sizes.sum())), scores, surprises)
    return surprises
