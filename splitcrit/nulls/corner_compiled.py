"""The expectations of ``corner`` in compiled code.

Main definitions: ``expectations``.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"
from __future__ import annotations

import numpy as np

from splitcrit.compile_notice import reporting_compilation
from splitcrit.jit import kernel

LEAST = 1e-32  # a chance, in units of the largest, after which no more are added up


def expectations(n, good, draws, first, values, one):
    """Return what ``corner.expectations`` does, of floats; ``one`` is 1.0."""
    with reporting_compilation():
        return _expectations(n, good, draws, first, values)


@kernel
def _expectations(n, good, draws, first, values):
    """Add up chances outward from the likeliest count, each a ratio times its neighbour; in O(1) space for one draw.

    ``draws`` int64 ``(m,)`` and ``values`` float64 ``(w,)``, of the counts from ``first`` on; time O(m w) at most.
    """
    last, found = first + len(values) - 1, np.empty(len(draws))
    for i in range(len(draws)):
        d = draws[i]
        low = min(max(d + good - n, first), last)
        high = min(max(min(good, d), first), last)
        top = min(max((good + 1) * (d + 1) // (n + 2), low), high)
        chance, whole, total = 1.0, 1.0, values[top - first]
        for x in range(top, high):
            chance *= float(good - x) * (d - x) / (float(x + 1) * (n - good - d + 1 + x))
            whole += chance
            total += chance * values[x + 1 - first]
            if chance < LEAST:
                break
        chance = 1.0
        for x in range(top, low, -1):
            chance *= float(x) * (n - good - d + x) / (float(good - x + 1) * (d - x + 1))
            whole += chance
            total += chance * values[x - 1 - first]
            if chance < LEAST:
                break
        found[i] = total / whole
    return found
