"""What a compiled loop that grows a whole tree knows of a node, and where it puts it.

Nodes are numbered depth first, left first, as they are grown. ``links (nodes, 8)`` holds parent, left and right child
(-1: none), feature (-1: none), depth, size, where the node's samples start, and the key of its draws; ``reals`` the
threshold and the class weights.

Main definitions: ``numbers``, ``begin``, ``advance``, ``is_leaf``, ``shuffle`` and ``draw_next``, ``between``.
"""

from __future__ import annotations

import numba
import numpy as np

from splitcrit.search.draws import GOLDEN, mixed
from splitcrit.search.levels_compiled import lowest_of
from splitcrit.search.records import LOOKED_UP
from splitcrit.search.scans_compiled import CAPPED, CROSS, DIFFERENCE, LEVEL, POWER, RATIO, STANDARD
from splitcrit.search.scoring import TIE

_mixed = numba.njit(cache=True, nogil=True, inline="always")(mixed)
PARENT, LEFT, RIGHT, FEATURE, DEPTH, SIZE, START, KEY = range(8)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _upper_entropy(totals, size, phi, poured):  # type: ignore[no-untyped-def]
    """Return the largest entropy of counts after ``poured <= 1`` samples go to the classes of the lowest count."""
    (lowest, ties), total = lowest_of(totals), 0.0
    for c in range(len(totals)):
        total += phi[totals[c]]
    level = lowest + poured / ties
    raised = total - ties * phi[lowest] + ties * level * np.log(level)
    return np.log(size + poured) - raised / (size + poured)


@numba.njit(cache=True, nogil=True, error_model="numpy")
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


@numba.njit(cache=True, nogil=True, error_model="numpy")
def numbers(data, totals, constants):  # type: ignore[no-untyped-def]
    """Return the size of a node, the sum over its classes, base and rate of its scores, and the width of a tie.

    A score is ``(raw - base) * rate``; the width is that of ``scoring.band``. See ``records.Data``.
    """
    kind, power, unit, tie, phi, _, table, sides = data
    n, most, sums = 0, 0, 0.0
    for c in range(len(totals)):
        n += totals[c]
        most = max(most, totals[c])
        sums += phi[totals[c]] if kind != LOOKED_UP else 0.0
    size = float(n)
    if kind == LOOKED_UP:
        base = -sides[totals[0], totals[1]]
        return n, sums, base, 1 / size, -TIE * base / size
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
            base = max(float(most - n), power * base)
    return n, sums, base, rate, tie * TIE * (pure - base) * rate


@numba.njit(cache=True, nogil=True, error_model="numpy")
def begin(totals, size, key):  # type: ignore[no-untyped-def]
    """Return a tree of one node with space for more."""
    links, reals = np.empty((64, 8), np.int64), np.empty((64, len(totals) + 1))
    for i in range(8):
        links[0, i] = -1
    links[0, DEPTH], links[0, SIZE], links[0, START], links[0, KEY] = 0, size, 0, np.int64(key)
    reals[0, 0] = np.nan
    for c in range(len(totals)):
        reals[0, c + 1] = totals[c]
    return links, reals


@numba.njit(cache=True, nogil=True, error_model="numpy")
def longer(rows):  # type: ignore[no-untyped-def]
    """Return an array with twice the scratch, of the same rows."""
    found = np.empty((2 * rows.shape[0], rows.shape[1]), rows.dtype)
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            found[i, j] = rows[i, j]
    return found


@numba.njit(cache=True, nogil=True, error_model="numpy")
def advance(links, reals, at, made):  # type: ignore[no-untyped-def]
    """Fill the row of the next node, number ``made``, and return whether there is one.

    It is the left child of node ``at`` if that was split just now (its class weights and size already stand there),
    otherwise the right child of the nearest node that lacks one.
    """
    side = LEFT if links[at, FEATURE] >= 0 and links[at, LEFT] < 0 else RIGHT
    links[made, START] = links[at, START]
    if side == RIGHT:
        while at >= 0 and (links[at, LEFT] < 0 or links[at, RIGHT] >= 0):
            at = links[at, PARENT]
        if at < 0:
            return False
        left = links[at, LEFT]
        links[made, SIZE] = links[at, SIZE] - links[left, SIZE]
        links[made, START] = links[at, START] + links[left, SIZE]
        for c in range(1, reals.shape[1]):
            reals[made, c] = reals[at, c] - reals[left, c]
    links[at, side] = made
    links[made, PARENT], links[made, DEPTH] = at, links[at, DEPTH] + 1
    links[made, LEFT], links[made, RIGHT], links[made, FEATURE] = -1, -1, -1
    links[made, KEY] = np.int64(_mixed(np.uint64(links[at, KEY]) + GOLDEN * np.uint64(side)))
    reals[made, 0] = np.nan
    return True


@numba.njit(cache=True, nogil=True, error_model="numpy")
def is_leaf(links, reals, at, rules, counts):  # type: ignore[no-untyped-def]
    """Tell whether a node is a leaf before any split is looked for, and set its class counts."""
    present = 0
    for c in range(len(counts)):
        counts[c] = np.int64(reals[at, c + 1])
        present += counts[c] > 0
    return present < 2 or links[at, SIZE] < rules.split or links[at, DEPTH] >= rules.depth


@numba.njit(cache=True, nogil=True, error_model="numpy")
def closed(links, reals, at, made, rules):  # type: ignore[no-untyped-def]
    """Tell of both children of a node that is split whether they are leaves; the left one's row is ``made``."""
    on_left, depth, left, right = links[made, SIZE], links[at, DEPTH] + 1, 0, 0
    for c in range(1, reals.shape[1]):
        left += reals[made, c] > 0
        right += reals[at, c] > reals[made, c]
    deep = depth >= rules.depth
    return (
        deep or left < 2 or on_left < rules.split,
        deep or right < 2 or links[at, SIZE] - on_left < rules.split,
    )


@numba.njit(cache=True, nogil=True, error_model="numpy")
def shuffle(key, numbers):  # type: ignore[no-untyped-def]
    """Set the number of each feature, whose order is the order in which the features are drawn: see ``draws``."""
    for f in range(len(numbers)):
        counter = (np.uint64(f) + np.uint64(3)) * GOLDEN
        numbers[f] = _mixed(_mixed(key + counter)) >> np.uint64(11)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def draw_next(numbers):  # type: ignore[no-untyped-def]
    """Return the feature of the smallest number, and strike the number out."""
    least = 0
    for f in range(1, len(numbers)):
        if numbers[f] < numbers[least]:
            least = f
    numbers[least] = np.uint64(0xFFFFFFFFFFFFFFFF)
    return least


@numba.njit(cache=True, nogil=True, error_model="numpy")
def between(low, high):  # type: ignore[no-untyped-def]
    """Return a threshold halfway between two values, as ``columns.midpoint`` does."""
    under = np.float64(low)
    half = under / 2 + np.float64(high) / 2
    return half if under <= half < np.float64(high) else under


@numba.njit(cache=True, nogil=True, error_model="numpy")
def pays(score, width, gain):  # type: ignore[no-untyped-def]
    """Tell whether a score is worth a split, as ``Stopping.pays`` does."""
    return score > -np.inf if np.isnan(gain) else score > max(gain, width)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def floor_of(top, base, rate, width):  # type: ignore[no-untyped-def]
    """Return what a raw score must reach to tie with the largest, which does, whatever rounding."""
    return min(((top - base) * rate - width) / rate + base, top)


@numba.njit(cache=True, nogil=True)
def first_reaching(best, floor):  # type: ignore[no-untyped-def]
    """Return the first place of a number that reaches ``floor``; there is one."""
    turn = 0
    while not best[turn] >= floor:
        turn += 1
    return turn
