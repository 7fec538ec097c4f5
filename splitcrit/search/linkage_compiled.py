"""Loops that build hierarchies of clusters of sorted values, and the merging of ChiMerge.

Entries (different values, with their class counts) stand in a row, cut into segments: one segment is one feature at one
node, sorted. In each a hierarchy has one cut fewer than entries. Cut ``p`` lies between entries ``p`` and ``p + 1``
and divides the cluster of the entries ``low[p]`` to ``high[p]``.

Main definitions: ``gap_spans``, ``merge_spans``, ``cutting_order``, ``chi_merge``.
"""

from __future__ import annotations

import heapq

import numpy as np

from splitcrit.compiling import kernel


@kernel(error_model="python")
def gap_spans(gaps, low, high):  # type: ignore[no-untyped-def]
    """Set the clusters that the cuts of single linkage divide; ``gaps[p]`` is infinite between segments.

    A larger gap is cut before a smaller one, and of equal gaps the last: single linkage that merges the first of the
    closest pairs.
    """
    waiting = np.empty(len(gaps) + 1, np.int64)
    waiting[0] = -1
    top = 0
    for p in range(len(gaps)):
        while top > 0 and gaps[waiting[top]] <= gaps[p]:
            high[waiting[top]] = p
            top -= 1
        low[p] = waiting[top] + 1
        top += 1
        waiting[top] = p
    while top > 0:
        high[waiting[top]] = len(gaps)
        top -= 1


@kernel(error_model="python")
def cutting_order(heights, starts, order):  # type: ignore[no-untyped-def]
    """Set the cuts of each segment in the order of falling heights, the last of equals first.

    Segment ``s`` has the entries ``starts[s]`` to ``starts[s + 1]`` and fills ``order`` from ``starts[s] - s`` on.
    """
    for s in range(len(starts) - 1):
        first, last = starts[s], starts[s + 1] - 1
        if last > first:
            found = np.argsort(-heights[first:last][::-1], kind="mergesort")
            for i in range(last - first):
                order[first - s + i] = last - 1 - found[i]


@kernel(error_model="python")
def merge_spans(values, sizes, starts, complete, low, high, order):  # type: ignore[no-untyped-def]
    """Set the clusters that cuts divide, and the order of cutting, under complete or average linkage.

    The distance of neighbours is their largest distance, or the difference of their means; of equally close pairs the
    first is merged.
    """
    m = len(values)
    left_end, right_end = np.arange(m), np.arange(m)  # of the cluster that ends, or begins, at an entry
    weight, total = sizes.astype(np.float64), sizes * values  # of the cluster, kept at both of its ends
    stamp = np.zeros(m, np.int64)
    for s in range(len(starts) - 1):
        first, last = starts[s], starts[s + 1] - 1
        heap = [(values[p + 1] - values[p], p, 0) for p in range(first, last)]
        heapq.heapify(heap)
        place = last - s
        while len(heap) > 0:
            _, p, version = heapq.heappop(heap)
            if version != stamp[p]:
                continue
            a, b = left_end[p], right_end[p + 1]
            low[p], high[p] = a, b
            place -= 1
            order[place] = p
            stamp[p] = -1
            weight[a] = weight[b] = weight[p] + weight[p + 1]
            total[a] = total[b] = total[p] + total[p + 1]
            right_end[a], left_end[b] = b, a
            for q in (a - 1, b):
                if first <= q < last:
                    if complete:
                        distance = values[right_end[q + 1]] - values[left_end[q]]
                    else:
                        distance = total[q + 1] / weight[q + 1] - total[q] / weight[q]
                    stamp[q] += 1
                    heapq.heappush(heap, (distance, q, stamp[q]))


@kernel(error_model="python")
def chi_merge(counts, threshold, fewest, most, kept):  # type: ignore[no-untyped-def]
    """Clear ``kept[p]`` where the intervals about boundary ``p`` were merged, the least chi-square first.

    ``counts`` are running class counts before each entry, and behind the last; ``kept`` has a place for each boundary
    between entries. Merging stops at ``fewest`` intervals, and, once there are no more than ``most``, where no
    chi-square is below the threshold; of equals (to 12 digits) the first pair is merged. With row totals ``a`` and
    ``b`` chi-square is ``sum_j (b x_j - a y_j)^2 / (a b (x_j + y_j))`` over the classes that the two intervals have.
    """

    def chi_square(first, middle, last):  # type: ignore[no-untyped-def]
        a, b, found = counts[middle].sum() - counts[first].sum(), counts[last].sum() - counts[middle].sum(), 0.0
        for j in range(counts.shape[1]):
            x, y = counts[middle, j] - counts[first, j], counts[last, j] - counts[middle, j]
            if x + y > 0:
                apart = float(b) * x - float(a) * y
                found += apart * apart / (float(a) * b * (x + y))
        scaled = 4097.0 * found
        return scaled - (scaled - found)  # rounded to 41 bits, so that equal fractions are equal

    m = len(counts) - 1
    before, after = np.arange(-1, m), np.arange(1, m + 2)  # neighbouring boundaries; boundary p lies before entry p
    stamp = np.zeros(m + 1, np.int64)
    heap = [(chi_square(p - 1, p, p + 1), p, 0) for p in range(1, m)]  # type: ignore[no-untyped-call]
    heapq.heapify(heap)
    intervals = m
    while intervals > fewest and len(heap) > 0:
        chi, p, version = heapq.heappop(heap)
        if version != stamp[p]:
            continue
        if intervals <= most and chi >= threshold:
            break
        kept[p - 1] = False
        intervals -= 1
        stamp[p] = -1
        after[before[p]], before[after[p]] = after[p], before[p]
        for q in (before[p], after[p]):
            if 0 < q < m:
                stamp[q] += 1
                heapq.heappush(heap, (chi_square(before[q], q, after[q]), q, stamp[q]))  # type: ignore[no-untyped-call]
