"""The expectations of ``corner`` and the counts of ``threshold_moments`` in compiled code.

Main definitions: ``expectations``, ``likely_counts``.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"
from __future__ import annotations

import numpy as np

from splitcrit.compiling import kernel, reporting_compilation

LEAST = 1e-32  # a chance, in units of the largest, after which no more are added up
LIKELY = 1e-20  # one after which no more counts of a threshold are looked at


def expectations(n, good, draws, first, values, one):
    """Compute ``corner.expectations`` in floats; ``one`` is 1.0."""
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
        # The likeliest count, or the nearest one that values has: from there on chances fall on either side.
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


def likely_counts(n, ones, sizes):
    """Compute ``threshold_moments.likely_counts``, compiled."""
    with reporting_compilation():
        return _likely_counts(n, ones, sizes)


@kernel
def _likely_counts(n, ones, sizes):
    """Walk outward from the likeliest count of each table, as above, but keep the counts and their chances.

    All arguments are int64 ``(t,)``; the counts of table i are ``x[starts[i]:starts[i + 1]]``. Space grows as needed.
    """
    starts, room = np.zeros(len(n) + 1, np.int64), 1 << 12
    x, p = np.empty(room, np.int64), np.empty(room)
    for i in range(len(n)):
        b, d, rest = ones[i], sizes[i], n[i] - ones[i] - sizes[i]
        low, high = max(0, -rest), min(b, d)
        top = min(max((b + 1) * (d + 1) // (n[i] + 2), low), high)
        first, chance, whole = top, 1.0, 1.0
        # Downward first, only to find where the list begins; the way up then writes counts in increasing order.
        while first > low and chance > LIKELY:
            chance *= float(first) * (rest + first) / (float(b - first + 1) * (d - first + 1))
            first, whole = first - 1, whole + chance
        least, last, at = chance, first, starts[i]
        if at + high - first + 1 > room:
            room = 2 * (at + high - first + 1)
            grown_x, grown_p = np.empty(room, np.int64), np.empty(room)
            grown_x[:at], grown_p[:at] = x[:at], p[:at]
            x, p = grown_x, grown_p
        chance = least
        while True:
            x[at], p[at] = last, chance
            at += 1
            if last == high or (last >= top and chance <= LIKELY):
                break
            chance *= float(b - last) * (d - last) / (float(last + 1) * (rest + last + 1))
            last += 1
            # Chances up to the likeliest were added on the way down.
            if last > top:
                whole += chance
        for k in range(starts[i], at):
            p[k] /= whole
        starts[i + 1] = at
    return starts, x[: starts[-1]], p[: starts[-1]]
