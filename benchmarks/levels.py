"""The level of the rule for small p-values: how often it rejects where nothing depends on the labels.

Ten thousand null data sets in each cell, permutations joined with exact tests of each class against the rest, or of
responses above each of seven quantiles. A cell fails if its rejections are more than a one-sided binomial test at .001
allows. Prints a line a cell, and writes them as CSV to the path given: python benchmarks/levels.py levels.csv
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator

import numpy as np
from scipy.stats import binom

from splitcrit.nulls.column_tests import categories_test, cuts_test, responses_test

RUNS, DRAWS, SEED = 10_000, 99, 20
LEVELS = (0.05, 0.02, 0.001)
SIZES = (20, 50, 200)
LABELS: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "three classes": lambda rng, n: rng.permutation(np.arange(n) % 3),
    "rare classes": lambda rng, n: rng.permutation(np.minimum(np.arange(n), 5) // 2),
    "normal responses": lambda rng, n: rng.normal(size=n),
    "log-normal responses": lambda rng, n: np.exp(1.5 * rng.normal(size=n)),
    "tied responses": lambda rng, n: rng.integers(0, 4, n).astype(float),
}


def pvalue(kind: str, column: str, n: int, rng: np.random.Generator) -> float:
    """Return the p-value of a column that the labels do not depend on."""
    labels = LABELS[kind](rng, n)
    codes = np.arange(n) if column == "number" else np.arange(n) % 6
    if "responses" in kind:
        return responses_test(codes, labels, rng, ordered=column == "number", draws=DRAWS).p
    counts = np.bincount(3 * codes + labels, minlength=3 * (int(codes.max()) + 1)).reshape(-1, 3)
    if column == "number":
        return cuts_test(counts, False, rng, draws=DRAWS).p
    return categories_test(counts, rng, draws=DRAWS, steps=1).p


def cells() -> Iterator[dict[str, object]]:
    """Yield how often each cell rejects, and the most rejections that a one-sided test at .001 allows."""
    for kind in LABELS:
        for column in ("number", "category"):
            for n in SIZES:
                rng = np.random.default_rng([SEED, list(LABELS).index(kind), column == "number", n])
                found = np.array([pvalue(kind, column, n, rng) for _ in range(RUNS)])
                for level in LEVELS:
                    most = int(binom.isf(0.001, RUNS, level))
                    rejected = int((found <= level * (1 + 1e-12)).sum())
                    yield {
                        "labels": kind, "column": column, "n": n, "level": level, "runs": RUNS, "seed": SEED,
                        "rejected": rejected, "allowed": most, "held": rejected <= most,
                    }  # fmt: skip


if __name__ == "__main__":
    rows = []
    for cell in cells():
        rows.append(cell)
        print(*cell.values(), flush=True)
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
