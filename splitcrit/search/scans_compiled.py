"""The scans of one node: the best score of a threshold on one column, or the first place that reaches a floor.

Each scan goes through a ``Segment`` and keeps sums over the classes of both sides by the tables of a criterion
(``Data``). The functions only borrow arrays and make none, so that numba need not count references to them
(``_nrt=False``): for small nodes that would take as long as the search.

Main definitions: ``scored``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.impurities.forms import (
    CROSSINGS,
    DIFFERENCE,
    ERRORS,
    LEVEL,
    LOOKED_UP,
    POWER,
    RATIO,
)
from splitcrit.jit import inlined, kernel
from splitcrit.search.chance_compiled import CORRECTED, by_chance
from splitcrit.search.segments_compiled import U, clear, counted_in, lowest_of, parted


@inlined
def _sums(kind, left, right, m, rest, table):  # type: ignore[no-untyped-def]
    """Combine the sums over classes of both sides, of sizes ``m`` and ``rest``."""
    if kind == RATIO:
        return left * table[U(m)] + right * table[U(rest)]
    if kind == DIFFERENCE:
        return (left - table[U(m)]) + (right - table[U(rest)])
    return -(np.sqrt(max(table[U(m)] - left, 0.0)) + np.sqrt(max(table[U(rest)] - right, 0.0)))


@kernel(_nrt=False)
def _by_sums(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """Return the best score (``floor`` is infinite) or the first place whose score reaches ``floor``."""
    (order, column, start, stop, bits, least), totals = segment, node.counts
    kind, steps, table, seen = data.kind, data.steps, data.table, scratch.seen
    mask = (1 << bits) - 1
    size = stop - start
    clear(seen)
    left, right, top = 0.0, node.sums, -np.inf
    for i in range(start, stop - least):
        c, n = counted_in(order, i, mask, seen)
        left += steps[U(n)]
        right -= steps[U(totals[U(c)] - n - 1)]
        m = i - start + 1
        score = _sums(kind, left, right, m, size - m, table)
        if score > top and m >= least and parted(order, column, i, bits):
            top = score
            if score >= floor:
                return float(i)
    return top


@inlined
def _errors(total, most, m, table, power):  # type: ignore[no-untyped-def]
    """Return what one side contributes: minus the smaller of its errors and a multiple of a root."""
    return -min(m - most, power * np.sqrt(max(table[U(m)] - total, 0.0)))


@kernel(_nrt=False)
def _by_errors(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """The same for scores that add one side to the other, each side's sum gathered from its own end."""
    order, column, start, stop, bits, least = segment
    steps, table, power, seen, behind = data.steps, data.table, data.power, scratch.seen, scratch.behind
    mask = (1 << bits) - 1
    clear(seen)
    total, most = 0.0, 0
    for i in range(stop - 1, start, -1):
        _, n = counted_in(order, i, mask, seen)
        total += steps[U(n)]
        most = max(most, n + 1)
        behind[U(i - 1)] = _errors(total, most, stop - i, table, power)
    clear(seen)
    total, most, top = 0.0, 0, -np.inf
    for i in range(start, stop - least):
        _, n = counted_in(order, i, mask, seen)
        total += steps[U(n)]
        most = max(most, n + 1)
        m = i - start + 1
        if m >= least and parted(order, column, i, bits):
            score = _errors(total, most, m, table, power) + behind[U(i)]
            if score > top:
                top = score
                if score >= floor:
                    return float(i)
    return top


@kernel(_nrt=False)
def _by_powers(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """The same for ``S_left**power + S_right**power``, each sum gathered from its own end.

    A power in (0, 1) is concave, so that its tangent at the last place that was scored bounds it from above: a place
    whose bound falls short, by more than rounding, of the best so far and of ``floor`` is not scored.
    """
    order, column, start, stop, bits, least = segment
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


@kernel(_nrt=False)
def _by_crossings(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """The same for powers of ``sum_k |N l_k - m t_k|``; power 2 is over the product of the sizes."""
    (order, column, start, stop, bits, least), totals = segment, node.counts
    mask, seen, power = (1 << bits) - 1, scratch.seen, data.power
    size = stop - start
    clear(seen)
    top = -np.inf
    for i in range(start, stop - least):
        counted_in(order, i, mask, seen)
        m = i - start + 1
        if m >= least and parted(order, column, i, bits):
            score = 0.0
            for c in range(len(totals)):
                score += abs(float(size) * seen[U(c)] - float(m) * totals[U(c)])
            if power == 2.0:
                score = score / m * (score / (size - m))
            if score > top:
                top = score
                if score >= floor:
                    return float(i)
    return top


@inlined
def _raised(lowest, ties, table, poured):  # type: ignore[no-untyped-def]
    """Return what ``sum n_k log n_k`` gains when ``poured <= 1`` samples go to the classes of the lowest count."""
    size = len(table) // 3
    if ties == 1:
        return table[U(2 * size + lowest)] - table[U(lowest)]
    level = lowest + poured / ties
    return ties * (level * np.log(level) - table[U(lowest)])


@kernel(_nrt=False)
def _by_levels(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """The same for the decrease of the largest entropy when ``poured`` samples may fall anywhere.

    The lowest count of each side and how many classes have it are kept up.
    ``table`` holds ``n log n``, ``log(n + poured)`` and ``(n + poured) log(n + poured)`` one after the other.
    """
    (order, column, start, stop, bits, least), totals = segment, node.counts
    steps, table, poured, seen = data.steps, data.table, data.power, scratch.seen
    half, mask, size = len(table) // 3, (1 << bits) - 1, stop - start
    rate = 1 / (size + poured)
    clear(seen)
    low, low_ties = 0, len(totals)
    high, high_ties = lowest_of(totals)
    raised_left, raised_right = _raised(low, low_ties, table, poured), _raised(high, high_ties, table, poured)
    left, right, top = 0.0, node.sums, -np.inf
    for i in range(start, stop - least):
        c, n = counted_in(order, i, mask, seen)
        left += steps[U(n)]
        if n == low:
            low_ties -= 1
            if low_ties == 0:
                low, low_ties = lowest_of(seen)
            raised_left = _raised(low, low_ties, table, poured)
        n = totals[U(c)] - n - 1
        right -= steps[U(n)]
        if n <= high:
            high_ties = high_ties + 1 if n == high else 1
            high = n
            raised_right = _raised(high, high_ties, table, poured)
        m = i - start + 1
        on_left = table[U(half + m)] - (left + raised_left) / (m + poured)
        on_right = table[U(half + size - m)] - (right + raised_right) / (size - m + poured)
        score = -(m * on_left + (size - m) * on_right + poured * max(on_left, on_right)) * rate
        if score > top and m >= least and parted(order, column, i, bits):
            top = score
            if score >= floor:
                return float(i)
    return top


@kernel(_nrt=False)
def _by_table(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """The same for two classes, where ``data.sides[a, b]`` is what a side with these counts contributes."""
    (order, column, start, stop, bits, least), totals = segment, node.counts
    mask = (1 << bits) - 1
    a, b, top = 0, 0, -np.inf
    for i in range(start, stop - least):
        c = order[U(i)] & mask
        b += c
        a += 1 - c
        score = -(data.sides[U(a), U(b)] + data.sides[U(totals[0] - a), U(totals[1] - b)])
        if score > top and i - start + 1 >= least and parted(order, column, i, bits):
            top = score
            if score >= floor:
                return float(i)
    return top


@kernel(_nrt=False)
def scored(segment, node, data, floor, scratch):  # type: ignore[no-untyped-def]
    """Return the best raw score of one column (``floor`` is infinite), or the first place that reaches ``floor``.

    ``segment``, ``node`` (``Totals``), ``data`` and ``scratch`` are the named tuples of ``records``; it must have
    been ``prepared`` for the node (``chance_compiled``).
    """
    kind = data.kind
    if kind == LOOKED_UP:
        return _by_table(segment, node, data, floor, scratch)
    if kind in CORRECTED:
        return by_chance(segment, node, data, floor, scratch)
    if kind == LEVEL:
        return _by_levels(segment, node, data, floor, scratch)
    if kind == CROSSINGS:
        return _by_crossings(segment, node, data, floor, scratch)
    if kind == POWER:
        return _by_powers(segment, node, data, floor, scratch)
    if kind == ERRORS:
        return _by_errors(segment, node, data, floor, scratch)
    return _by_sums(segment, node, data, floor, scratch)
