"""The exact law of tables of two rows, one filling of a row after the other: see ``nulls.significant``.

A table costs as many steps as its rarer row has fillings, up to a limit.

Main definitions: ``two_row_tails``.
"""

# mypy: disable-error-code="no-untyped-def, misc"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import called, kernel
from splitcrit.nulls import exact

_ways_to_fill = called(exact.ways_to_fill)


@called
def _log_ways(logs, b, x):
    """Return the logarithm of the number of ways to choose ``x`` of ``b``."""
    return logs[b] - logs[x] - logs[b - x]


@called
def _total(counts):
    """Return the sum of counts."""
    total = 0
    for count in counts:
        total += count
    return total


@called
def _tail(x, other, logs, limit, enough):
    """Return the chance of a gain at least that of a table, and how many fillings of its row ``x`` there are.

    Where these are more than the limit, the chance is 0; two classes have no limit, and theirs are not counted. Of all
    fillings the gain grows with ``sum x (n x - 2 a b)``, an integer. ``here`` is what each class before the last two
    has at present, of ``left`` from this class on; ``gain`` and ``chance`` are those of the classes before.
    """
    k, a, n, b, seen, tail, j = len(x), _total(x), _total(x) + _total(other), x + other, 0, 0.0, 0
    fillings = _ways_to_fill(a, b) if k > 2 else 0.0
    if fillings > limit:
        return tail, fillings
    space, chance = np.empty((5, k), np.int64), np.empty(k)
    here, left, gain, after, slope = space[0], space[1], space[2], space[3], space[4]
    for c in range(k):
        slope[c], after[c] = 2 * a * b[c], (n if c == 0 else after[c - 1]) - b[c]
        seen += x[c] * (n * x[c] - slope[c])
    here[0], left[0], gain[0], chance[0] = max(0, a - after[0]), a, 0, -_log_ways(logs, n, a)
    while j >= 0 and tail <= enough:
        if j < k - 2 and here[j] <= min(b[j], left[j]):
            chance[j + 1] = chance[j] + _log_ways(logs, b[j], here[j])
            gain[j + 1] = gain[j] + here[j] * (n * here[j] - slope[j])
            left[j + 1] = left[j] - here[j]
            here[j + 1] = max(0, left[j + 1] - after[j + 1])
            j += 1
            continue
        if j == k - 2:
            for y in range(here[j], min(b[j], left[j]) + 1):
                z = left[j] - y
                found = gain[j] + y * (n * y - slope[j]) + z * (n * z - slope[j + 1])
                if found >= seen and tail <= enough:
                    tail += np.exp(chance[j] + _log_ways(logs, b[j], y) + _log_ways(logs, b[j + 1], z))
        j -= 1
        here[j] += 1
    return tail, fillings


@kernel
def two_row_tails(tables, logs, limits, enough, out):
    """Set ``out[0, i]`` to the tail of a table of two classes or more, and ``out[1, i]`` to the number of fillings.

    Rare classes stand first; ``logs`` are logarithms of factorials. A sum is not continued beyond ``enough``, nor made
    of more than ``limits[i]`` fillings.
    """
    classes = tables.shape[2]
    for i in range(len(tables)):
        first, row = 0, 0 if _total(tables[i, 0]) <= _total(tables[i, 1]) else 1
        while first < classes - 2 and tables[i, 0, first] + tables[i, 1, first] == 0:
            first += 1
        x, other = tables[i, row, first:], tables[i, 1 - row, first:]
        out[0, i], out[1, i] = _tail(x, other, logs, limits[i], enough)
