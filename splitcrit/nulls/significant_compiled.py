"""The exact law of tables of two rows, one filling of a row after the other: see ``nulls.significant``.

Main definitions: ``two_row_tails``.
"""

# mypy: disable-error-code="no-untyped-def, misc"
from __future__ import annotations

import numpy as np

from splitcrit.jit import called, kernel


@called
def _log_ways(logs, b, x):
    """Return the logarithm of the number of ways to choose ``x`` of ``b``."""
    return logs[b] - logs[x] - logs[b - x]


@called
def _tail(b, x, logs, limit, enough):
    """Return the chance of a gain at least that of a table, and how many fillings of its row ``x`` there are.

    Of all fillings the gain grows with ``sum x (n x - 2 a b)``, an integer. ``here`` is what each class before the last
    two has at present, of ``left`` from this class on; ``gain`` and ``chance`` are those of the classes before.
    """
    k, a, n = len(b), x.sum(), b.sum()
    after, slope, seen = n - np.cumsum(b), 2 * a * b, (x * (n * x - 2 * a * b)).sum()
    here, left, gain, chance = np.zeros(k, np.int64), np.full(k, a), np.zeros(k, np.int64), np.empty(k)
    here[0], chance[0], tail, fillings, j = max(0, a - after[0]), -_log_ways(logs, n, a), 0.0, 0, 0
    while j >= 0 and fillings <= limit:
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
            fillings += max(min(b[j], left[j]) + 1 - here[j], 0)
        j -= 1
        here[j] += 1
    return tail, fillings


@kernel
def two_row_tails(tables, logs, limits, enough, out):
    """Set ``out[0, i]`` to the tail of a table of two classes or more, and ``out[1, i]`` to the number of fillings.

    ``logs`` are logarithms of factorials. A sum is not continued beyond ``enough``, nor beyond ``limits[i]`` fillings.
    """
    for i in range(len(tables)):
        columns, size = tables[i, 0] + tables[i, 1], tables[i].sum()
        there, row = columns > 0, 0 if 2 * tables[i, 0].sum() <= size else 1
        out[0, i], out[1, i] = _tail(columns[there], tables[i, row][there], logs, limits[i], enough)
