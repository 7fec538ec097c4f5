"""Which lam adaptive NE chooses as labels grow noisier, and what that is worth beside scikit-learn's own means.

``python reproductions/studies/adaptive.py`` writes docs/data/adaptive.csv, one row for each data set, estimator, noise
rate and seed, and the picture adaptive_lambda.png, and prints the table of docs/noisy-labels.md; with ``table`` it
measures nothing. ``rows`` is about time, for ``make bench``. Half of each data set is the training set, whose labels
are changed with uniform noise; accuracies are those on the clean other half. The peer is scikit-learn's tree pruned by
the ``ccp_alpha``, or its forest with the ``min_samples_leaf``, that five-fold cross-validation on the noisy training
set finds best. Digits is scikit-learn's; satimage, pendigits and letter are in SPLITCRIT_DATA.

Source: wilton2024, Experiments and Figure 6.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from reports import DOCS, Report
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.tree import DecisionTreeClassifier

from reproductions import datasets
from splitcrit import (
    AdaptiveForestClassifier,
    AdaptiveTreeClassifier,
    ForestClassifier,
    TreeClassifier,
    ne,
    symmetric,
)

FIGURES = DOCS / "figures"
RATES = (0.0, 0.1, 0.2, 0.3, 0.4)
GRID = (0.0, 0.25, 0.5, 0.75, 1.0)
FIELDS = ("data", "estimator", "rate", "seed", "lam", "adaptive", "lam_0", "lam_1", "peer", "leaves_0", "leaves_1")
REPORT = Report("adaptive", FIELDS)
ROWS = 4000  # rows of a data set at most, drawn by the seed
SEEDS, TREES = 20, 30  # draws of a cell, trees of a forest
PRUNED = {"ccp_alpha": [0.0, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02]}
LEAVES = {"min_samples_leaf": [1, 2, 5, 10]}


def data_sets() -> Iterator[tuple[str, Any, Any]]:
    yield "digits", *load_digits(return_X_y=True)
    for name in ("satimage", "pendigits", "letter") if os.environ.get(datasets.folder.VARIABLE) else ():
        data = datasets.load(name)
        yield name, data.X, data.y


def judged(kind: str, trees: int, x: Any, y: Any, rate: float, seed: int) -> dict[str, Any]:
    """What one noisy training set gives: the lam chosen, accuracies on clean labels, leaves at both ends."""
    x, y = (part[np.random.default_rng(seed).permutation(len(y))[:ROWS]] for part in (x, y))
    train, test, labels, clean = train_test_split(x, y, test_size=0.5, random_state=seed, stratify=y)
    noisy = symmetric(rate).flip(labels, rng=seed)
    if kind == "tree":
        adaptive, fixed = AdaptiveTreeClassifier(grid=GRID, random_state=seed), TreeClassifier(random_state=seed)
        peer = GridSearchCV(DecisionTreeClassifier(random_state=seed), PRUNED)
    else:
        adaptive = AdaptiveForestClassifier(trees, grid=GRID, random_state=seed)
        fixed = ForestClassifier(trees, random_state=seed)
        peer = GridSearchCV(RandomForestClassifier(trees, random_state=seed), LEAVES)
    adaptive.fit(train, noisy)
    measured = {"lam": adaptive.best_parameter_, "adaptive": round(adaptive.score(test, clean), 4)}
    curve = adaptive.validation_curve_
    for place, lam in ((0, 0), (-1, 1)):
        accuracy = fixed.set_params(criterion=ne(lam)).fit(train, noisy).score(test, clean)
        measured |= {f"lam_{lam}": round(accuracy, 4), f"leaves_{lam}": round(curve.leaves[place], 1)}
    return measured | {"peer": round(peer.fit(train, noisy).score(test, clean), 4)}


def results(seeds: int = SEEDS, trees: int = TREES) -> Iterator[dict[str, Any]]:
    """Yield a row for each data set, estimator, noise rate and seed."""
    for name, x, y in data_sets():
        for kind in ("tree", "forest") if name == "digits" else ("tree",):
            for rate in RATES:
                for seed in range(seeds):
                    about = {"data": name, "estimator": kind, "rate": rate, "seed": seed}
                    yield about | judged(kind, trees, x, y, rate, seed)
                print(name, kind, rate, flush=True)


def spread(rows: list[dict[str, Any]], data: str, kind: str, field: str) -> tuple[np.ndarray, np.ndarray]:
    """The mean at each rate and its standard error over the seeds."""
    mine = [r for r in rows if (r["data"], r["estimator"]) == (data, kind)]
    values = [np.array([float(r[field]) for r in mine if float(r["rate"]) == rate]) for rate in RATES]
    return np.array([v.mean() for v in values]), np.array([v.std(ddof=1) / np.sqrt(len(v)) for v in values])


COLUMNS = {"lam": "lam chosen", "lam_0": "lam = 0", "adaptive": "adaptive", "peer": "scikit-learn"}


def table(rows: list[dict[str, Any]]) -> str:
    """Means and standard errors at the middle rate as a Markdown table."""
    middle = len(RATES) // 2
    lines = ["| data | " + " | ".join(COLUMNS.values()) + " |", "|---" * (1 + len(COLUMNS)) + "|"]
    for data, kind in dict.fromkeys((row["data"], row["estimator"]) for row in rows):
        spreads = [spread(rows, data, kind, field) for field in COLUMNS]
        cells = " | ".join(f"{mean[middle]:.3f} +- {error[middle]:.3f}" for mean, error in spreads)
        lines.append(f"| {data}, {kind} | {cells} |")
    return "\n".join([*lines, ""])


def picture(rows: list[dict[str, Any]], path: Path) -> None:
    """Draw the mean lam against the rate, and what it is worth in accuracy on clean labels."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    from splitcrit.plots.style import COLOURS, LINES, MARKERS

    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.8), layout="constrained")
    for i, (data, kind) in enumerate(dict.fromkeys((r["data"], r["estimator"]) for r in rows)):
        mean, error = spread(rows, data, kind, "lam")
        drawn = {"color": COLOURS[i], "marker": MARKERS[i], "linestyle": LINES[i], "capsize": 3}
        left.errorbar(RATES, mean, error, label=f"{data}, {kind}", **drawn)
    data = rows[-1]["data"]
    shown = {"lam_0": "lam = 0", "lam_1": "lam = 1", "adaptive": "adaptive", "peer": "scikit-learn, pruned"}
    for i, (field, label) in enumerate(shown.items()):
        mean, error = spread(rows, data, "tree", field)
        drawn = {"color": COLOURS[i + 1], "marker": MARKERS[i], "linestyle": LINES[i], "capsize": 3}
        right.errorbar(RATES, mean, error, label=label, **drawn)
    left.set(xlabel="share of labels changed", ylabel="mean lam chosen on the hold-out", ylim=(0, 1.04), xticks=RATES)
    right.set(xlabel="share of labels changed", ylabel=f"accuracy on clean labels ({data}, tree)", xticks=RATES)
    left.legend(frameon=False)
    right.legend(frameon=False)
    figure.savefig(path, dpi=150)


def main() -> None:
    REPORT.main(results, table)
    with REPORT.results.open(newline="", encoding="utf-8") as file:
        picture(list(csv.DictReader(file)), FIGURES / "adaptive_lambda.png")


if __name__ == "__main__":
    main()
