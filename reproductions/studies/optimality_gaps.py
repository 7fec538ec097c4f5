"""How far are greedy trees of depth 2 from the best, and does the best predict better? Sixteen public sets.

``SPLITCRIT_DATA=... python -m reproductions.studies.optimality_gaps`` makes docs/data/optimality_gaps.csv (the gap at
the root of a greedy tree of depth 2, by three impurities, all rows) and docs/data/optimality_errors.csv (errors on the
other half, of ten random halves of each set), and goes on where it was stopped.

Main definitions: ``gaps``, ``errors``; ``paired`` (the interval of a difference of errors, nadeau2003).
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import train_test_split

from reproductions.datasets import load
from splitcrit import TreeClassifier, best_depth_two, entropy, gini, misclassification, optimality_gaps

DATA = Path(__file__).parents[2] / "docs" / "data"
SETS = (
    "balance_scale", "bupa_liver", "diabetes", "glass", "breast_cancer_wisconsin", "vowel", "winequality_white",
    "heart_statlog", "australian", "zoo", "vehicle", "segment", "cardiotocography10", "german_numeric", "ionosphere",
    "sonar",
)  # fmt: skip
BINS, LEAST, HALVES = 32, 5, 10
IMPURITIES = {"Gini": gini, "entropy": entropy, "errors": misclassification}
TREES: dict[str, Callable[[Any, Any], Any]] = {
    "greedy, depth 2": lambda x, y: TreeClassifier(max_depth=2, min_samples_leaf=LEAST).fit(x, y),
    "greedy, 4 leaves": lambda x, y: TreeClassifier(max_leaf_nodes=4, min_samples_leaf=LEAST).fit(x, y),
    "best by Gini": lambda x, y: best_depth_two(x, y, gini, bins=BINS, min_samples_leaf=LEAST),
    "best by errors": lambda x, y: best_depth_two(x, y, misclassification, bins=BINS, min_samples_leaf=LEAST),
}


def gaps(name: str, x: Any, y: Any) -> Iterator[dict[str, Any]]:
    """The gap of greedy trees at the root, each grown by the impurity that judges it."""
    for criterion, impurity in IMPURITIES.items():
        tree = TreeClassifier(criterion=impurity, max_depth=2, min_samples_leaf=LEAST).fit(x, y)
        (root,) = optimality_gaps(tree, x, y, impurity, max_depth=2, bins=BINS, min_samples_leaf=LEAST).nodes
        shape = {"set": name, "rows": len(y), "columns": x.shape[1], "classes": len(np.unique(y))}
        yield {
            **shape, "impurity": criterion, "greedy": f"{root.loss:.6f}", "best": f"{root.best:.6f}",
            "gap": f"{root.gap:.6f}", "exact": int(root.exact),
        }  # fmt: skip


def errors(name: str, x: Any, y: Any) -> Iterator[dict[str, Any]]:
    """The errors of trees of one half on the other half."""
    for half in range(HALVES):
        rows, others = train_test_split(np.arange(len(y)), test_size=0.5, random_state=half, stratify=y)
        for tree, grown in TREES.items():
            wrong = float(np.mean(grown(x[rows], y[rows]).predict(x[others]) != y[others]))
            yield {"set": name, "half": half, "tree": tree, "error": f"{wrong:.6f}"}


def paired(differences: Any) -> tuple[float, float, float]:
    """The mean of differences over random halves of one set, and the ends of its corrected 95 % interval.

    The variance of the mean is (1/J + 1) s^2 for J halves, since each tests as many rows as it trains on and halves
    share rows (nadeau2003).
    """
    from scipy.stats import t

    d = np.asarray(differences, dtype=float)
    width = t.ppf(0.975, len(d) - 1) * np.sqrt((1 / len(d) + 1) * d.var(ddof=1))
    return float(d.mean()), float(d.mean() - width), float(d.mean() + width)


def main() -> None:
    makers: dict[str, Callable[[str, Any, Any], Iterator[dict[str, Any]]]] = {
        "optimality_gaps": gaps, "optimality_errors": errors,
    }  # fmt: skip
    for name in SETS:
        data = load(name)
        x = np.asarray(data.X, dtype=float)
        whole = ~np.isnan(x).any(axis=1)  # rows without a gap
        for file, rows_of in makers.items():
            path = DATA / f"{file}.csv"
            done = list(csv.DictReader(path.open(encoding="utf-8"))) if path.exists() else []
            if any(row["set"] == name for row in done):
                continue
            rows = list(rows_of(name, x[whole], np.asarray(data.y)[whole]))
            with path.open("a", newline="", encoding="utf-8") as out:
                writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
                if not done:
                    writer.writeheader()
                writer.writerows(rows)


if __name__ == "__main__":
    main()
