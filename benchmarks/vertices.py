"""Rows and lines of ``make bench`` about best vertices: each exact method at the size it is for.

Main definitions: ``rows``, ``lines``. Alone, ``python benchmarks/vertices.py`` prints them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
from timing import Row, compare

from splitcrit import entropy, optimal_vertex, twoing

GOAL = 1.0  # seconds, for a thousand classes


def counts(classes: int, most: int, seed: int = 0) -> list[int]:
    return np.random.default_rng(seed).integers(1, most, classes).tolist()


def boolean_table(weights: list[int]) -> list[int]:
    """Return the lighter of two sides as equal as can be, with a byte for each sum and the weight that reached it."""
    half = sum(weights) // 2
    reach, reached_by = np.zeros(half + 1, dtype=bool), np.zeros(half + 1, dtype=np.int16)
    reach[0] = True
    for i, w in enumerate(weights):
        if w <= half:
            fresh = np.flatnonzero(reach[:-w] & ~reach[w:]) + w
            reach[fresh], reached_by[fresh] = True, i
    chosen, rest = [], int(np.flatnonzero(reach)[-1])
    while rest:
        chosen.append(int(reached_by[rest]))
        rest -= weights[chosen[-1]]
    return chosen


def every_subset(weights: list[int]) -> int:
    """Return the least difference of two sides over all subsets at once."""
    sums = np.array([weights[0]])
    for w in weights[1:]:
        sums = np.concatenate([sums, sums + w])
    return int(np.abs(sum(weights) - 2 * sums).min())


def rows() -> Iterator[Row]:
    """Yield the bitset and the meeting in the middle against the plain ways to the same number."""
    wide, few = counts(1000, 5000), counts(22, 10**6)
    best = optimal_vertex(wide, twoing, method="bitset", most_ties=1)
    light = min(sum(wide[k] for k in side) for side in (best.left, best.right))
    assert light == sum(wide[k] for k in boolean_table(wide))
    half = optimal_vertex(few, twoing, method="meet_in_the_middle")
    assert every_subset(few) == abs(sum(few[k] for k in half.left) - sum(few[k] for k in half.right))
    what = f"best vertex, J = 1000, N = {sum(wide)}, bitset / boolean table"
    yield compare(
        what,
        lambda: optimal_vertex(wide, twoing, method="bitset", most_ties=1),
        lambda: boolean_table(wide),
        1 / 2,
        runs=5,
    )
    yield compare(
        "best vertex, J = 22, meet in the middle / all subsets",
        lambda: optimal_vertex(few, twoing, method="meet_in_the_middle"),
        lambda: every_subset(few),
        1 / 5,
    )


def lines() -> Iterator[str]:
    """Yield how long each method takes where it is needed, and whether what it found is proved best."""
    for method, classes, most in (
        ("bitset", 1000, 5000),
        ("karmarkar_karp", 1000, 10**6),
        ("karmarkar_karp", 50, 10**6),
        ("meet_in_the_middle", 40, 10**9),
    ):
        weights = counts(classes, most)
        start = time.perf_counter()
        found = optimal_vertex(weights, entropy, method=method)  # type: ignore[arg-type]
        seconds = time.perf_counter() - start
        verdict = "met" if found.proven and seconds < GOAL else "MISSED"
        what = f"Best vertex of {classes} classes with counts to {most}, {found.method}"
        proved = "proved best" if found.proven else "not proved"
        yield f"{what}: {seconds:.2g} s, {proved} (goal {GOAL:.0f} s, {verdict})."


if __name__ == "__main__":
    for row in rows():
        print(f"{row.what}: {row.ratio:.2g} ({row.low:.2g} to {row.high:.2g}), gate {row.gate:.2g} {row.verdict}")
    print(*lines(), sep="\n")
