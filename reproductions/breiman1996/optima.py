"""Best splits of random nodes, all splits allowed, held against what breiman1996 says of them.

Shares are uniform random numbers, normalised, as in the paper's simulation; here integers, so that sizes of sides are
compared without rounding. The best vertex is found by enumeration, what the paper says of it by its own rule.

Main definitions: ``VERTICES``, ``summarised``.
Source: breiman1996, Theorem 1, Proposition, (3.3) and (3.4).
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from splitcrit.criteria import decrease, twoing
from splitcrit.impurities import entropy, gini
from splitcrit.vertices import fractional_optimum, optimal_vertex

from ..pictures import Summary
from ..results import Row
from ..runner import Experiment, Options, Task
from ..tables import averaged, table

CLASSES = (2, 3, 4, 5, 6, 8, 10)
RUNS = 200
LARGEST = 10**6
DIVIDED = 8  # classes at most, where splits that divide classes are searched too
CRITERIA = {"gini": decrease(gini), "entropy": decrease(entropy), "twoing": twoing}
KEYS = ("classes", "run")


def _tasks(options: Options) -> list[Task]:
    return [
        {"classes": classes, "run": run}
        for classes in (CLASSES[:4] if options.quick else CLASSES)
        for run in range(options.runs(RUNS, 5))
    ]


def _work(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    counts = list(map(int, rng.integers(1, LARGEST, int(task["classes"]), endpoint=True)))
    return [{"criterion": name, **_optimum(counts, name, rng)} for name in CRITERIA]


def _optimum(counts: list[int], name: str, rng: np.random.Generator) -> Row:
    """The best vertex, whether it is the paper's, and what dividing classes adds to its score."""
    criterion = CRITERIA[name]
    vertex = optimal_vertex(counts, criterion, method="brute_force")
    sides = {frozenset(vertex.left), frozenset(vertex.right)}
    more = None
    if len(counts) <= DIVIDED:
        more = fractional_optimum(counts, criterion, starts=200, rng=rng).value / float(vertex.value) - 1
    share = float(min(vertex.share, 1 - vertex.share))
    return {"as_said": int(bool(sides & said(counts, name))), "share": share, "more": more}


def said(counts: list[int], name: str) -> set[frozenset[int]]:
    """The left sides that are best by the paper: a largest class alone, or the most even sizes.

    Examples
    --------
    >>> sorted(map(sorted, said([4, 3, 2, 1], "gini"))), sorted(map(sorted, said([4, 3, 2, 1], "entropy")))
    ([[0]], [[0, 3], [1, 2]])
    """
    if name == "gini":
        return {frozenset([j]) for j, count in enumerate(counts) if count == max(counts)}
    subsets = [s for size in range(1, len(counts)) for s in combinations(range(len(counts)), size)]
    uneven = [abs(2 * sum(counts[j] for j in subset) - sum(counts)) for subset in subsets]
    return {frozenset(subset) for subset, apart in zip(subsets, uneven, strict=True) if apart == min(uneven)}


def summarised(rows: list[Row]) -> list[Row]:
    """By classes and criterion, how often the vertex was the paper's, and means of the smaller side."""
    cells = averaged(sorted(rows, key=lambda row: row["classes"]), ("classes", "criterion"), ("as_said", "share"))
    for cell in cells:
        added = [r["more"] for r in rows if (r["classes"], r["criterion"]) == (cell["classes"], cell["criterion"])]
        cell["most_added"] = max((more for more in added if more is not None), default=None)
    return cells


def shown(rows: list[Row]) -> str:
    """The summary as Markdown."""
    heads = ("classes", "criterion", "nodes", "as the paper says", "smaller side", "added by dividing classes, at most")
    lines: list[Any] = []
    for row in rows:
        most = "" if row["most_added"] is None else f"{row['most_added']:.1g}"
        often = f"{round(row['runs'] * row['as_said'])} of {row['runs']}"
        lines.append((row["classes"], row["criterion"], row["runs"], often, f"{row['share']:.3f}", most))
    return table(heads, lines, 2)


VERTICES = Experiment(
    "vertices", "best splits of random nodes, all splits allowed", KEYS, _tasks, _work,
    Summary("vertices", "summary", summarised, shown), (("largest", LARGEST),),
)  # fmt: skip
