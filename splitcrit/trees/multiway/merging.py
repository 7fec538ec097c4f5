"""Neighbouring intervals of a row of values are merged, the closest first: hierarchies of clusters, and ChiMerge.

Main definitions: ``merge`` and what it takes for a ``kind``.
Source: wang2024, Section 5.2, for chi-square; for equal distances Fernandez and Gomez, Journal of Classification 25.
"""

from __future__ import annotations

import heapq
import math

import numpy as np

from splitcrit.compiling import kernel

SINGLE, COMPLETE, AVERAGE, CHI = range(4)


@kernel(error_model="python")
def merge(values, running, kind, number, least, clusters):  # type: ignore[no-untyped-def]
    """Merge a row of V values to one interval; return how many merges that takes and how many intervals arise.

    Boundary ``p`` lies before value ``p``, and boundary V behind the last; ``running (V + 1, K)`` are class counts
    before them. ``number[p]`` becomes the merge, from 1, in which a boundary vanishes; boundaries 0 and V stay.
    ``least[i]`` becomes the distance of merge ``i + 1``, and a row of ``clusters`` an interval that arises: its two
    boundaries and the merge. The heap holds a distance for each boundary that is left; those that were pushed before
    an interval beside them grew are known by their version. O(V (K + log V)).

    Distances are compared to 30 bits, since decimals are not exact in binary. Of equally close neighbours those with
    the fewest observations are merged, and all at once where these are equal too: the order of values changes nothing.
    Chi-squares are compared to 41 bits, and of equal ones the first pair is merged.
    """
    size = len(values)
    before, after = np.arange(-1, size), np.arange(1, size + 2)  # the neighbours of a boundary that is left
    version = np.zeros(size + 1, np.int64)  # -1 once the boundary is gone
    weight = np.zeros(size + 1, np.int64)
    for p in range(size + 1):
        weight[p] = running[p].sum()
    total = values * (weight[1:] - weight[:-1])  # of the interval that begins at a boundary

    def entry(p):  # type: ignore[no-untyped-def]
        """What the heap holds of a boundary: its distance, the observations beside it, its number and version."""
        a, b = before[p], after[p]
        left, right = weight[p] - weight[a], weight[b] - weight[p]
        distance, bits, tie = 0.0, 30, left + right
        if kind == SINGLE:
            distance = values[p] - values[p - 1]
        elif kind == COMPLETE:
            distance = values[b - 1] - values[a]
        elif kind == AVERAGE:
            distance = total[p] / right - total[a] / left
        else:
            bits, tie = 41, p
            for j in range(running.shape[1]):
                x, y = running[p, j] - running[a, j], running[b, j] - running[p, j]
                if x + y > 0:
                    apart = float(right) * x - float(left) * y
                    distance += apart * apart / (float(left) * right * (x + y))
        mantissa, power = math.frexp(distance)
        return math.ldexp(float(round(math.ldexp(mantissa, bits))), power - bits), tie, p, version[p]

    heap = [entry(p) for p in range(1, size)]  # type: ignore[no-untyped-call]
    heapq.heapify(heap)
    merges, grown, gone = 0, 0, np.empty(size, np.int64)
    while len(heap) > 0:
        distance, tie, p, known = heapq.heappop(heap)
        if known != version[p]:
            continue
        # All that are as close, with as many observations, vanish in one merge: their order cannot matter.
        gone[0], many = p, 1
        while len(heap) > 0 and heap[0][0] == distance and heap[0][1] == tie:
            _, _, p, known = heapq.heappop(heap)
            if known == version[p]:
                gone[many] = p
                many += 1
        least[merges] = distance
        merges += 1
        # The interval on the left of a boundary takes over what lies behind it.
        for p in gone[:many]:
            version[p], number[p] = -1, merges
            after[before[p]], before[after[p]] = after[p], before[p]
            total[before[p]] += total[p]
        for p in gone[:many]:
            a, b = before[p], after[p]
            if version[a] >= 0 and version[b] >= 0:  # of boundaries that vanish side by side, the last
                clusters[grown, 0], clusters[grown, 1], clusters[grown, 2] = a, b, merges
                grown += 1
                for q in (a, b):
                    if 0 < q < size:
                        version[q] += 1
                        heapq.heappush(heap, entry(q))  # type: ignore[no-untyped-call]
    return merges, grown
