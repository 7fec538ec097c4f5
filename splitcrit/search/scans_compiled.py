"""The scans of one node: the best score of a threshold on one column, or the first place that reaches a floor.

A node is the segment of an order from ``start`` to ``stop``, of entries ``index << bits | class``.

Main definitions: ``scored`` (by sums, largest counts and the like), ``by_table`` (sides looked up).
"""

from __future__ import annotations

import numba
import numpy as np

from splitcrit.search.chance import BOUND
from splitcrit.search.chance_compiled import by_chance
from splitcrit.search.levels_compiled import U, by_levels, clear, parted

RATIO, DIFFERENCE, ROOT, CAPPED, POWER, CROSS, STANDARD, LEVEL = range(8)


@numba.njit(cache=True, nogil=True, inline="always")
def _sums(kind, left, right, m, rest, table, constants):  # type: ignore[no-untyped-def]
    """Combine the sums over classes of both sides, of sizes ``m`` and ``rest``."""
    if kind == RATIO:
        return left * table[U(m)] + right * table[U(rest)]
    if kind == DIFFERENCE:
        return (left - table[U(m)]) + (right - table[U(rest)])
    if kind == ROOT:
        return -(np.sqrt(max(table[U(m)] - left, 0.0)) + np.sqrt(max(table[U(rest)] - right, 0.0)))
    # STANDARD: the ratio above its mean, over its standard deviation, both functions of the sizes
    apart = m - rest
    spread = (constants[1] * apart * apart + constants[2] * (m - 1.0) * (rest - 1.0)) * table[U(m)] * table[U(rest)]
    value = left * table[U(m)] + right * table[U(rest)] - constants[0]
    return value / np.sqrt(spread) if spread > 0.0 else 0.0


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _by_sums(order, column, start, stop, totals, sums, steps, table, kind, bits, least, constants, floor, seen):  # type: ignore[no-untyped-def]
    """Return the best score (``floor`` is infinite) or the first place whose score reaches ``floor``."""
    mask = (1 << bits) - 1
    size = stop - start
    clear(seen)
    left, right, top = 0.0, sums, -np.inf
    for i in range(start, stop - least):
        c = order[U(i)] & mask
        n = seen[U(c)]
        left += steps[U(n)]
        seen[U(c)] = n + 1
        right -= steps[U(totals[U(c)] - n - 1)]
        m = i - start + 1
        score = _sums(kind, left, right, m, size - m, table, constants)
        if score > top and m >= least and parted(order, column, i, bits):
            top = score
            if score >= floor:
                return float(i)
    return top


@numba.njit(cache=True, nogil=True, inline="always")
def _errors(total, most, m, table, power):  # type: ignore[no-untyped-def]
    """Return what one side contributes: minus the smaller of its errors and a multiple of a root."""
    return -min(m - most, power * np.sqrt(max(table[U(m)] - total, 0.0)))


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _by_errors(order, column, start, stop, totals, steps, table, bits, least, power, floor, seen, behind):  # type: ignore[no-untyped-def]
    """The same for scores that add one side to the other, each side's sum gathered from its own end."""
    mask = (1 << bits) - 1
    clear(seen)
    total, most = 0.0, 0
    for i in range(stop - 1, start, -1):
        c = order[U(i)] & mask
        n = seen[U(c)]
        total += steps[U(n)]
        seen[U(c)] = n + 1
        most = max(most, n + 1)
        behind[U(i - 1)] = _errors(total, most, stop - i, table, power)
    clear(seen)
    total, most, top = 0.0, 0, -np.inf
    for i in range(start, stop - least):
        c = order[U(i)] & mask
        n = seen[U(c)]
        total += steps[U(n)]
        seen[U(c)] = n + 1
        most = max(most, n + 1)
        m = i - start + 1
        if m >= least and parted(order, column, i, bits):
            score = _errors(total, most, m, table, power) + behind[U(i)]
            if score > top:
                top = score
                if score >= floor:
                    return float(i)
    return top


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _by_powers(order, column, start, stop, steps, bits, least, power, floor, seen, behind):  # type: ignore[no-untyped-def]
    """The same for ``S_left**power + S_right**power``, each sum gathered from its own end.

    A power in (0, 1) is concave, so that its tangent at the last place that was scored bounds it from above: a place
    whose bound falls short, by more than rounding, of the best so far and of ``floor`` is not scored.
    """
    mask = (1 << bits) - 1
    clear(seen)
    total = 0.0
    for i in range(stop - 1, start, -1):
        c = order[U(i)] & mask
        total += steps[U(seen[U(c)])]
        seen[U(c)] += 1
        behind[U(i - 1)] = total
    clear(seen)
    slack = 1e-12 * (stop - start)
    at_rest = np.inf  # the bound is at_rest + rise_left * S_left + rise_right * S_right; infinite: none yet
    rise_left, rise_right, total, top = 0.0, 0.0, 0.0, -np.inf
    wanted = floor if floor < np.inf else -np.inf
    for i in range(start, stop - least):
        c = order[U(i)] & mask
        total += steps[U(seen[U(c)])]
        seen[U(c)] += 1
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


@numba.njit(cache=True, nogil=True, error_model="numpy")
def _by_crossings(order, column, start, stop, totals, bits, least, power, floor, seen):  # type: ignore[no-untyped-def]
    """The same for powers of ``sum_k |N l_k - m t_k|``; power 2 is over the product of the sizes."""
    classes = len(totals)
    mask = (1 << bits) - 1
    size = stop - start
    clear(seen)
    top = -np.inf
    for i in range(start, stop - least):
        seen[U(order[U(i)] & mask)] += 1
        m = i - start + 1
        if m >= least and parted(order, column, i, bits):
            score = 0.0
            for c in range(classes):
                score += abs(float(size) * seen[U(c)] - float(m) * totals[U(c)])
            if power == 2.0:
                score = score / m * (score / (size - m))
            if score > top:
                top = score
                if score >= floor:
                    return float(i)
    return top


@numba.njit(cache=True, nogil=True, error_model="numpy")
def scored(  # type: ignore[no-untyped-def]
    order, column, start, stop, totals, sums, steps, table, kind, bits, least, constants, power, floor, seen, behind
):
    """Return the best score of one column of a node (``floor`` is infinite), or the first place that reaches ``floor``.

    ``steps[n]`` is what one more sample adds to the sum over classes of a class that has ``n``; ``table[m]`` is what
    the size of a side contributes; ``least`` is the smallest side allowed; ``seen`` and ``behind`` are room to work in.
    """
    if kind >= BOUND:
        return by_chance(
            order, column, start, stop, totals, sums, steps, table, kind, bits, least, constants, floor, seen
        )
    if kind == LEVEL:
        return by_levels(order, column, start, stop, totals, sums, steps, table, bits, least, power, floor, seen)
    if kind == CROSS:
        return _by_crossings(order, column, start, stop, totals, bits, least, power, floor, seen)
    if kind == POWER:
        return _by_powers(order, column, start, stop, steps, bits, least, power, floor, seen, behind)
    if kind == CAPPED:
        return _by_errors(order, column, start, stop, totals, steps, table, bits, least, power, floor, seen, behind)
    return _by_sums(order, column, start, stop, totals, sums, steps, table, kind, bits, least, constants, floor, seen)


@numba.njit(cache=True, nogil=True, error_model="numpy")
def by_table(order, column, start, stop, totals, table, bits, least, floor):  # type: ignore[no-untyped-def]
    """The same for two classes, where ``table[a, b]`` is what a side with these counts contributes."""
    mask = (1 << bits) - 1
    a, b, top = 0, 0, -np.inf
    for i in range(start, stop - least):
        c = order[U(i)] & mask
        b += c
        a += 1 - c
        score = -(table[U(a), U(b)] + table[U(totals[0] - a), U(totals[1] - b)])
        if score > top and i - start + 1 >= least and parted(order, column, i, bits):
            top = score
            if score >= floor:
                return float(i)
    return top
