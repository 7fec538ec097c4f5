"""Scores that add powers of the sums over the classes of both sides.

Layout as in ``scan_sums``; ``behind[i]`` is the sum over the classes of what lies right of place ``i``. Invariant:
the tangent ``at_rest + rise_left * left + rise_right * right`` lies above the score of every place. Two passes over the
node, and two powers for each place whose bound is in reach.

Main definitions: ``by_powers`` (a scan of one column), ``numbers_of_powers`` (what a node needs).
"""

from __future__ import annotations

import numpy as np

from splitcrit.compiling import addressed, called
from splitcrit.trees.scan.scan_common import U, clear, counted_in, parted, summed
from splitcrit.trees.scan.ties_and_scores import TIE


@addressed
def by_powers(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """Return the best score (``floor`` is infinite) or the first place whose score reaches ``floor``.

    A score is ``S_left**power + S_right**power``, each sum gathered from its own end.

    A power in (0, 1) is concave, so that its tangent at the last place that was scored bounds it from above: a place
    whose bound falls short, by more than rounding, of the best so far and of ``floor`` is not scored.
    """
    order, column, start, stop, bits, least, _ = segment
    steps, power, seen, behind = data.steps, data.power, scratch.seen, scratch.behind
    mask = (1 << bits) - 1
    clear(seen)
    total = 0.0
    for i in range(stop - 1, start, -1):
        _, n = counted_in(order, i, mask, seen)
        total += steps[U(n)]
        behind[U(i - 1)] = total
    clear(seen)
    slack = 1e-12 * (stop - start)
    at_rest = np.inf  # the bound is at_rest + rise_left * S_left + rise_right * S_right; infinite: none yet
    rise_left, rise_right, total, top = 0.0, 0.0, 0.0, -np.inf
    wanted = floor if floor < np.inf else -np.inf
    for i in range(start, stop - least):
        _, n = counted_in(order, i, mask, seen)
        total += steps[U(n)]
        rest = behind[U(i)]
        if at_rest + rise_left * total + rise_right * rest < wanted - slack or i - start + 1 < least:
            continue
        on_left, on_right = total**power, rest**power
        rise_left, rise_right = power * on_left / total, power * on_right / rest
        at_rest = (1 - power) * (on_left + on_right)
        score = on_left + on_right
        if score > top and parted(order, column, i, bits):
            top = score
            if score >= floor:
                return float(i)
            wanted = max(wanted, top)
    return top


@called(_nrt=False)
def powers_of_split(data, seen, counts):  # type: ignore[no-untyped-def]
    """Return the score of the split of a node with these class counts that has ``seen`` on the left."""
    left, right = 0.0, 0.0
    for c in range(len(seen)):
        left += data.phi[U(seen[U(c)])]
        right += data.phi[U(counts[U(c)] - seen[U(c)])]
    return left**data.power + right**data.power


@addressed
def numbers_of_powers(data, totals, constants):  # type: ignore[no-untyped-def]
    """Return the size of a node, the sum over its classes, base and rate of its scores, and the width of a tie."""
    n, _, sums = summed(data.phi, totals)
    rate, base = data.unit / n, sums**data.power
    return n, sums, base, rate, data.tie * TIE * (n - base) * rate
