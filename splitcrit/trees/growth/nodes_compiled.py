"""What a compiled loop that grows a whole tree knows of a node, and where it puts it.

Nodes are numbered depth first, left first, as they are grown; ``records.TreeRows`` says what their rows hold. When a
node is split, its left child's row holds size and class weights already; all else is filled as its turn comes.

Main definitions: ``advance``, ``is_leaf``, ``undone``, ``draw_next`` and ``put_back``, ``between`` and
``random_threshold``, ``rounded``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, inlined
from splitcrit.trees.growth.records import DEPTH, FEATURE, KEY, LEFT, LOST, PARENT, RIGHT, SIZE, START, THRESHOLD
from splitcrit.trees.growth.zero_gain import DOUBT
from splitcrit.trees.scan.random_keys import GOLDEN, mixed
from splitcrit.trees.scan.scan_common import U

_mixed = inlined(mixed)


@called(_nrt=False)
def advance(links, reals, at, new):  # type: ignore[no-untyped-def]
    """Fill the row of the next node, number ``new``, and tell whether there is one.

    It is the left child of node ``at`` if that was split just now (its class weights and size already stand there),
    otherwise the right child of the nearest node that lacks one.
    """
    # links (nodes, 9) and reals (nodes, 1 + K) are the rows of all nodes; new is the first row that is not yet a node.
    side = LEFT if links[at, FEATURE] >= 0 and links[at, LEFT] < 0 else RIGHT
    links[new, START] = links[at, START]
    if side == RIGHT:
        # Up the path, past leaves and past nodes that have both children.
        while at >= 0 and (links[at, LEFT] < 0 or links[at, RIGHT] >= 0):
            at = links[at, PARENT]
        if at < 0:
            return False
        left = links[at, LEFT]
        links[new, SIZE] = links[at, SIZE] - links[left, SIZE]
        links[new, START] = links[at, START] + links[left, SIZE]
        for c in range(1, reals.shape[1]):
            # The right child's class weights are what the left one leaves: they are exact, so that no row is counted
            # again. Of responses this means nothing; they are described when the node is opened.
            reals[new, c] = reals[at, c] - reals[left, c]
    links[at, side] = new
    links[new, PARENT], links[new, DEPTH] = at, links[at, DEPTH] + 1
    links[new, LEFT], links[new, RIGHT], links[new, FEATURE] = -1, -1, -1
    links[new, KEY] = np.int64(_mixed(np.uint64(links[at, KEY]) + GOLDEN * np.uint64(side)))
    links[new, LOST], reals[new, THRESHOLD] = 0, np.nan
    return True


@inlined
def is_leaf(links, reals, at, rules, counts):  # type: ignore[no-untyped-def]
    """Tell whether a node is a leaf before any split is looked for, and set its class counts."""
    present = 0
    for c in range(len(counts)):
        counts[c] = np.int64(reals[at, c + 1])
        present += counts[c] > 0
    return present < 2 or links[at, SIZE] < rules.split or links[at, DEPTH] >= rules.depth


@inlined
def closed(links, reals, at, new, rules):  # type: ignore[no-untyped-def]
    """Whether the left child of a split node, row ``new``, is a leaf, and whether the right one is."""
    # left and right count the classes that each side holds; one class is a leaf.
    on_left, depth, left, right = links[new, SIZE], links[at, DEPTH] + 1, 0, 0
    for c in range(1, reals.shape[1]):
        left += reals[new, c] > 0
        right += reals[at, c] > reals[new, c]
    deep = depth >= rules.depth
    return (
        deep or left < 2 or on_left < rules.split,
        deep or right < 2 or links[at, SIZE] - on_left < rules.split,
    )


@inlined
def _in_zone(left, whole, sign, factor):  # type: ignore[no-untyped-def]
    """Whether the NE impurity of the left side (``sign`` 1), or of the other (-1), is surely misclassification."""
    # The test of zero_gain: (n - M)^2 <= factor (n^2 - S). spread is n^2 - S, added up class by class in integers.
    n, most, spread = 0, 0, 0
    for c in range(1, len(left)):
        count = int(left[c] if sign > 0 else whole[c] - left[c])
        spread += 2 * n * count
        n += count
        most = max(most, count)
    errors = float(n - most)
    return errors == 0.0 or errors * errors <= factor * spread


@called(_nrt=False)
def undone(links, reals, at, new, rules):  # type: ignore[no-untyped-def]
    """Make a node a leaf again if its split, whose left side is row ``new``, surely gains nothing by ``zero_gain``.

    Otherwise splits without gain are followed by many more, all of which are undone in the end.
    """
    if np.isnan(rules.zone) or links[at, FEATURE] < 0:
        return
    classes, whole, left = reals.shape[1] - 1, reals[at], reals[new]
    # lam^2 (K - 1) / K, a little less: where rounding leaves a doubt the split stands, and is looked at in the end.
    factor = (1.0 - DOUBT) * rules.zone * rules.zone * (classes - 1) / classes
    on_left, on_right, both = 0.0, 0.0, 0.0
    for c in range(1, classes + 1):
        on_left, on_right = max(on_left, left[c]), max(on_right, whole[c] - left[c])
        both = max(both, whole[c])
    # The commonest class is the same on both sides, and both impurities are misclassification: the gain is 0 exactly.
    if on_left + on_right == both and _in_zone(left, whole, 1, factor) and _in_zone(left, whole, -1, factor):
        links[at, FEATURE], reals[at, THRESHOLD] = -1, np.nan


@inlined
def uniform(key, number, stream):  # type: ignore[no-untyped-def]
    """A uniform number in [0, 1): see ``random_keys.uniform``."""
    # Streams lie 2^32 numbers apart. Numbers 1 and 2 make the keys of the children (``advance``): draws begin at 3.
    counter = (np.uint64(number) + np.uint64(3 + (stream << 32))) * GOLDEN
    return np.float64(_mixed(_mixed(key + counter)) >> np.uint64(11)) * 2.0**-53


@inlined
def random_threshold(key, f, low, high):  # type: ignore[no-untyped-def]
    """A random threshold of a feature between its smallest and largest value, as ``random_thresholds`` does."""
    under = np.float64(low)
    cut = under + uniform(key, f, 1) * (np.float64(high) - under)
    # Rounding may reach the largest value, which would leave no right side.
    return cut if cut < np.float64(high) else under


@inlined
def draw_next(key, drawn, places):  # type: ignore[no-untyped-def]
    """The feature that is drawn next, as in ``random_keys.drawn_ranks``; those ``drawn`` before stand first.

    At a node's first draw every feature has its own place, 0, 1, ...
    """
    # places (d,) is a permutation: a step of Fisher and Yates's shuffle for each draw.
    at = drawn + np.int64(uniform(key, drawn, 0) * np.float64(len(places) - drawn))
    f = places[U(at)]
    places[U(at)] = places[U(drawn)]
    places[U(drawn)] = f
    return f


@inlined
def put_back(places, drawn):  # type: ignore[no-untyped-def]
    """Give every feature its own place again after some draws."""
    # A place beyond the draws was touched only if the feature that belongs there was drawn, and so stands before it.
    for i in range(drawn):
        f = places[U(i)]
        if f >= drawn:
            places[U(f)] = f
        places[U(i)] = i


@inlined
def between(low, high):  # type: ignore[no-untyped-def]
    """A threshold halfway between two values, infinite below a missing one, as ``sorted_columns.midpoint`` does."""
    under = np.float64(low)
    # Halves first: the sum of two large values would overflow. Where no float lies between, the lower one is taken.
    half = under / 2 + np.float64(high) / 2
    if not half < np.inf:
        return np.inf
    return half if under <= half < np.float64(high) else under


@inlined
def rounded(low, high, cut):  # type: ignore[no-untyped-def]
    """1 if float32 moves one of the values next to a threshold to the other side of it, 0 elsewhere."""
    # All values of the node are rounded in their order, so that the two next to the threshold decide for all.
    same = np.float64(np.float32(low)) <= cut and (cut < np.float64(np.float32(high)) or cut == np.inf)
    return 1 - np.int64(same)


@inlined
def pays(score, width, gain):  # type: ignore[no-untyped-def]
    """Whether a score is worth a split, as ``Stopping.pays`` does."""
    return score > -np.inf if np.isnan(gain) else score > max(gain, width)


@inlined
def floor_of(top, base, rate, width):  # type: ignore[no-untyped-def]
    """The least raw score that ties with the largest, and never more than that one, whatever rounding does."""
    return min(((top - base) * rate - width) / rate + base, top)


@inlined
def first_reaching(best, floor):  # type: ignore[no-untyped-def]
    """The first place of a number that reaches ``floor``; the caller knows that there is one."""
    turn = 0
    while not best[turn] >= floor:
        turn += 1
    return turn
