"""How often a selective tree keeps a split of a node in which nothing tells, by columns and labels: at most alpha.

Run ``python reproductions/studies/selective_levels.py --sets 5000 --out levels.csv``; a cell takes about a minute for
1000 sets. Each data set has a seed of its own, ``[seed, cell, set]``. ``p`` is the chance of as many false trees at
level alpha; cells at or below .001 are marked, and end the run with status 1.

The truth is ``"null"``, no column tells; or ``"split"``: a flag tells, and below it nothing does, so that a split of
rows which all have one value of the flag is false.
"""

from __future__ import annotations

import argparse
import csv
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import binom

from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor

ALPHA, ROWS = 0.05, 60
COLUMNS: dict[str, Callable[[Any, int], list[Any]]] = {
    "numbers": lambda rng, n: [rng.normal(size=n) for _ in range(4)],
    "categories": lambda rng, n: [rng.integers(0, 20, n), rng.zipf(1.6, n) % 30, rng.normal(size=n)],
    "missing": lambda rng, n: [np.where(rng.random(n) < q, np.nan, rng.normal(size=n)) for q in (0.3, 0.1, 0.5)],
    "ties": lambda rng, n: [rng.integers(0, k, n) for k in (2, 3, 8)],
}
CATEGORIES = {"categories": [1, 2]}
LABELS = ("two", "rare", "three", "normal", "log-normal")


def data_set(columns: str, labels: str, truth: str, seed: list[int]) -> tuple[Any, Any]:
    """Features, the flag first, and labels."""
    rng = np.random.default_rng(seed)
    flag = np.arange(ROWS) % 2
    x = np.column_stack([flag, *COLUMNS[columns](rng, ROWS)]).astype(float)
    shift = 1.0 * flag if truth == "split" else np.zeros(ROWS)
    noise = rng.normal(size=ROWS)
    if labels == "two":
        return x, (noise + 2 * shift > 0.8).astype(int)
    if labels == "rare":
        return x, (noise + 1.5 * shift > 1.4).astype(int)
    if labels == "three":
        return x, np.digitize(noise + 2 * shift, [0.0, 1.5])
    return x, noise + 1.5 * shift if labels == "normal" else np.exp(1.5 * noise + 2 * shift)


def is_false(columns: str, labels: str, truth: str, seed: list[int], permutations: int) -> bool:
    """Whether the tree of a data set keeps a false split."""
    x, y = data_set(columns, labels, truth, seed)
    how: dict[str, Any] = {
        "categorical_features": CATEGORIES.get(columns), "n_permutations": permutations, "alpha": ALPHA,
        "random_state": seed[-1],
    }  # fmt: skip
    if labels in ("two", "rare", "three"):
        fitted: Any = InferenceTreeClassifier(**how).fit(x, y)
    else:
        fitted = InferenceTreeRegressor(**how).fit(x, y)
    tree, ends = fitted.tree_, fitted.decision_path(x).toarray().astype(bool)
    inner = np.flatnonzero(tree.children_left >= 0)
    return any(truth == "null" or len(np.unique(x[ends[:, node], 0])) == 1 for node in inner)


def main() -> int:
    """Run the cells and return the exit status."""
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--sets", type=int, default=300)
    asked.add_argument("--permutations", type=int, default=199)
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--out", type=Path, default=Path("selective_levels.csv"))
    options, bad = asked.parse_args(), 0
    cells = [(c, y, t) for c in COLUMNS for y in LABELS for t in ("null", "split")]
    with options.out.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["columns", "labels", "truth", "rows", "sets", "permutations", "seed", "false", "rate", "p"])
        for i, cell in enumerate(cells):
            wrong = sum(is_false(*cell, [options.seed, i, s], options.permutations) for s in range(options.sets))
            p = float(binom.sf(wrong - 1, options.sets, ALPHA))
            bad += p <= 0.001
            values = [*cell, ROWS, options.sets, options.permutations, options.seed, wrong]
            rows.writerow([*values, f"{wrong / options.sets:.4f}", f"{p:.3g}"])
            file.flush()
            print(*values, f"{wrong / options.sets:.4f}", f"p = {p:.3g}", "too many" if p <= 0.001 else "", flush=True)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
