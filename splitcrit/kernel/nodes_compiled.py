"""What a compiled loop that grows a whole tree knows of a node, and where it puts it.

Nodes are numbered depth first, left first, as they are grown: ``links (nodes, 7)`` holds parent, left and right child
(-1: none), feature (-1: none), depth, size, and where the node's samples start; other arrays hold thresholds, class
weights and keys.

Main definitions: ``numbers``, ``stays_leaf``, ``begin``, ``advance``, ``draw_next``, ``between``.
"""

from __future__ import annotations

import numba
import numpy as np

from splitcrit.kernel.compiled import CAPPED, CROSS, DIFFERENCE, LEVEL, POWER, RATIO, STANDARD
from splitcrit.kernel.scoring import TIE

PARENT, LEFT, RIGHT, FEATURE, DEPTH, SIZE, START = range(7)
LOOKED_UP = 8  # the kind of criteria whose sides are looked up, after the kinds of ``compiled``


@numba.njit(cache=True, nogil=True)
def _upper_entropy(totals, size, phi, poured):  # type: ignore[no-untyped-def]
    """Return the largest entropy of counts after ``poured <= 1`` samples go to the classes of the lowest count."""
    lowest, ties, total = totals.min(), 0, 0.0
    for c in range(len(totals)):
        ties += totals[c] == lowest
        total += phi[totals[c]]
    level = lowest + poured / ties
    raised = total - ties * phi[lowest] + ties * level * np.log(level)
    return np.log(size + poured) - raised / (size + poured)


@numba.njit(cache=True, nogil=True)
def _standard(totals, n, square, constants):  # type: ignore[no-untyped-def]
    """Set what SGini needs of a node of ``n`` samples: see ``forms``."""
    n1, n2, n3 = max(n - 1.0, 1.0), max(n - 2.0, 1.0), max(n - 3.0, 1.0)
    middle, most, mixed, moved = np.floor((2 * square + n) / (2 * n)), 0, 0.0, 0.0
    for c in range(len(totals)):
        most = c if totals[c] > totals[most] else most
        mixed += totals[c] * (n - totals[c])
        moved += totals[c] * (totals[c] - middle)
    uneven, thick, without = 0.0, 0.0, 0.0
    for c in range(len(totals)):
        apart = totals[c] - middle - moved / n
        uneven += totals[c] * apart * apart
        without += 0.0 if c == most else totals[c] * (totals[c] - 1.0)
    for c in range(len(totals)):
        b = float(totals[c])
        pairs = b * (b - 1.0)
        rest = without if c == most else totals[most] * (totals[most] - 1.0) + (without - pairs)
        thick += pairs * ((n - b) * (n - b - 1.0) + rest)
    constants[0] = square / n + mixed / (n * n1)
    constants[1] = 4 * uneven / (n * n1 * n2 * n2) if n > 2 else 0.0
    constants[2] = 2 * n * thick / (n1 * n1 * n2 * n2 * n3) if n > 3 else 0.0


@numba.njit(cache=True, nogil=True)
def numbers(form, totals, constants):  # type: ignore[no-untyped-def]
    """Return the size of a node, the sum over its classes, base and rate of its scores, and the width of a tie.

    ``form`` is (kind, power, unit, tie, phi, steps, table, sides) as in ``forms``; ``tie`` widens the tie. A score is
    ``(raw - base) * rate``; the width is that of ``scoring.band``.
    """
    kind, power, unit, tie, phi, _, table, sides = form
    n = totals.sum()
    size, sums = float(n), 0.0
    if kind == LOOKED_UP:
        base = -sides[totals[0], totals[1]]
        return n, sums, base, 1 / size, -TIE * base / size
    for c in range(len(totals)):
        sums += phi[totals[c]]
    if kind == STANDARD:
        _standard(totals, size, sums, constants)
        return n, sums, 0.0, 1.0, TIE * size
    if kind == LEVEL:
        return n, sums, -_upper_entropy(totals, size, phi, power), 1.0, TIE
    if kind == CROSS:
        if power == 2.0:
            return n, sums, 0.0, 1 / (4 * size * size), TIE * (1 - sums / (size * size))
        return n, sums, 0.0, 0.25, TIE * (size * size - sums) / 4
    pure, rate = 0.0, unit / size
    if kind == RATIO:
        base, pure = sums * table[n], size
    elif kind == DIFFERENCE:
        base = sums - table[n]
    elif kind == POWER:
        base, pure = sums**power, size
    else:
        base = -np.sqrt(max(table[n] - sums, 0.0))
        if kind == CAPPED:
            base = max(float(totals.max() - n), power * base)
    return n, sums, base, rate, tie * TIE * (pure - base) * rate


@numba.njit(cache=True, nogil=True)
def stays_leaf(weights, size, depth, rules):  # type: ignore[no-untyped-def]
    """Tell whether a node of these class weights, size and depth is a leaf before any split is looked for."""
    if size < rules[1] or depth >= rules[0]:
        return True
    present = 0
    for c in range(len(weights)):
        present += weights[c] > 0
    return present < 2


@numba.njit(cache=True, nogil=True)
def begin(totals, size):  # type: ignore[no-untyped-def]
    """Return links, thresholds, class weights and keys with room for some nodes, the first of them the root."""
    links, thresholds = np.empty((64, 7), np.int64), np.empty(64)
    weights, keys = np.empty((64, len(totals))), np.empty(64, np.uint64)
    links[0] = -1
    links[0, DEPTH], links[0, SIZE], links[0, START] = 0, size, 0
    weights[0], thresholds[0] = totals, np.nan
    return links, thresholds, weights, keys


@numba.njit(cache=True, nogil=True)
def longer(array):  # type: ignore[no-untyped-def]
    """Return an array with twice the room, of the same rows."""
    found = np.empty((2 * len(array), *array.shape[1:]), array.dtype)
    found[: len(array)] = array
    return found


@numba.njit(cache=True, nogil=True)
def advance(links, thresholds, weights, keys, at, made):  # type: ignore[no-untyped-def]
    """Fill the row of the next node, number ``made``, and return whether there is one.

    It is the left child of node ``at`` if that was split just now (its class weights and size already stand there),
    otherwise the right child of the nearest node that lacks one.
    """
    side = LEFT if links[at, FEATURE] >= 0 and links[at, LEFT] < 0 else RIGHT
    if side == RIGHT:
        while at >= 0 and (links[at, LEFT] < 0 or links[at, RIGHT] >= 0):
            at = links[at, PARENT]
        if at < 0:
            return False
        left = links[at, LEFT]
        links[made, SIZE] = links[at, SIZE] - links[left, SIZE]
        links[made, START] = links[at, START] + links[left, SIZE]
        for c in range(weights.shape[1]):
            weights[made, c] = weights[at, c] - weights[left, c]
    else:
        links[made, START] = links[at, START]
    links[at, side] = made
    links[made, PARENT], links[made, DEPTH] = at, links[at, DEPTH] + 1
    links[made, LEFT], links[made, RIGHT], links[made, FEATURE] = -1, -1, -1
    thresholds[made] = np.nan
    keys[made] = _mixed(keys[at] + GOLDEN * np.uint64(side))
    return True


GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST, SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@numba.njit(cache=True, nogil=True, inline="always")
def _mixed(z):  # type: ignore[no-untyped-def]
    """Return the finaliser of splitmix64, as ``draws`` does."""
    z = (z ^ (z >> np.uint64(30))) * FIRST
    z = (z ^ (z >> np.uint64(27))) * SECOND
    return z ^ (z >> np.uint64(31))


@numba.njit(cache=True, nogil=True)
def shuffle(key, numbers):  # type: ignore[no-untyped-def]
    """Set the number of each feature, whose order is the order in which the features are drawn: see ``draws``."""
    for f in range(len(numbers)):
        counter = (np.uint64(f) + np.uint64(3)) * GOLDEN
        numbers[f] = _mixed(_mixed(key + counter)) >> np.uint64(11)


@numba.njit(cache=True, nogil=True)
def draw_next(numbers):  # type: ignore[no-untyped-def]
    """Return the feature of the smallest number, and strike the number out."""
    least = 0
    for f in range(1, len(numbers)):
        if numbers[f] < numbers[least]:
            least = f
    numbers[least] = np.uint64(0xFFFFFFFFFFFFFFFF)
    return least


@numba.njit(cache=True, nogil=True)
def between(low, high):  # type: ignore[no-untyped-def]
    """Return a threshold halfway between two values, as ``columns.midpoint`` does."""
    under = np.float64(low)
    half = under / 2 + np.float64(high) / 2
    return half if under <= half < np.float64(high) else under
