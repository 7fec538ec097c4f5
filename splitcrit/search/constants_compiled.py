"""What belongs to a node in a compiled scan of its thresholds: its size, sums over classes, and the scale of scores.

Main definitions: ``numbers`` (of one node), ``numbers_of_nodes``, ``best_of_codes``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.impurities.forms import (
    AGINI,
    AGINI_PERMUTED,
    CROSSINGS,
    DIFFERENCE,
    ERRORS,
    LEVEL,
    LOOKED_UP,
    POWER,
    RATIO,
    TAIL,
)
from splitcrit.jit import kernel
from splitcrit.search.chance_compiled import CORRECTED, prepared
from splitcrit.search.formulas_compiled import class_law
from splitcrit.search.records import CONSTANTS, Scratch, Segment, Totals
from splitcrit.search.scans_compiled import scored
from splitcrit.search.scoring import TIE
from splitcrit.search.segments_compiled import lowest_of


@kernel
def upper_entropy(totals, size, phi, poured):  # type: ignore[no-untyped-def]
    """Return the largest entropy of counts after ``poured <= 1`` samples go to the classes of the lowest count."""
    (lowest, ties), total = lowest_of(totals), 0.0
    for c in range(len(totals)):
        total += phi[totals[c]]
    level = lowest + poured / ties
    raised = total - ties * phi[lowest] + ties * level * np.log(level)
    return np.log(size + poured) - raised / (size + poured)


@kernel
def numbers(data, totals, constants):  # type: ignore[no-untyped-def]
    """Return the size of a node, the sum over its classes, base and rate of its scores, and the width of a tie.

    A score is ``(raw - base) * rate``; the width is that of ``scoring.band``.
    """
    kind, power, unit, phi, table = data.kind, data.power, data.unit, data.phi, data.table
    n, most, sums = 0, 0, 0.0
    for c in range(len(totals)):
        n += totals[c]
        most = max(most, totals[c])
        sums += phi[totals[c]] if kind != LOOKED_UP else 0.0
    size = float(n)
    if kind == LOOKED_UP:
        base = -data.sides[totals[0], totals[1]]
        return n, sums, base, 1 / size, -TIE * base / size
    if kind in CORRECTED:
        class_law(totals, size, sums, kind in (AGINI, TAIL), constants)
        if kind in (AGINI, AGINI_PERMUTED):
            constants[2] *= power
            constants[3] *= power
            return n, sums, 0.0, 1 / size, TIE * (1 - sums / (size * size))
        return n, sums, 0.0, 1.0, TIE * size
    if kind == LEVEL:
        return n, sums, -upper_entropy(totals, size, phi, power), 1.0, TIE
    if kind == CROSSINGS:
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
        if kind == ERRORS:
            base = max(float(most - n), power * base)
    return n, sums, base, rate, data.tie * TIE * (pure - base) * rate


@kernel
def numbers_of_nodes(data, totals, sums, base, rate, constants):  # type: ignore[no-untyped-def]
    """Set sums, base, rate and constants ``(m, 4)`` of nodes with class counts ``(m, K)``."""
    for i in range(len(totals)):
        _, sums[i], base[i], rate[i], _ = numbers(data, totals[i], constants[i])


@kernel
def best_of_codes(codes, classes, data):  # type: ignore[no-untyped-def]
    """Return the best score of a threshold on samples in the order of their feature, no two of equal value."""
    n = len(codes)
    bits = 1
    while 1 << bits < classes:
        bits += 1
    totals, constants = np.zeros(classes, np.int64), np.zeros(CONSTANTS)
    order, column = np.empty(n, np.int64), np.empty(n)
    for i in range(n):
        totals[codes[i]] += 1
        order[i], column[i] = (i << bits) | codes[i], float(i)
    _, sums, base, rate, _ = numbers(data, totals, constants)
    scratch = Scratch(np.empty(classes, np.int64), np.empty(n))
    prepared(data, 0, n, constants, scratch.behind)
    found = scored(Segment(order, column, 0, n, bits, 1), Totals(totals, sums, constants), data, np.inf, scratch)
    return (found - base) * rate
