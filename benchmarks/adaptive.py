"""Which lam adaptive NE chooses as labels grow noisier: python benchmarks/adaptive.py [SEEDS] [TREES IN A FOREST]

Writes docs/figures/adaptive_lambda.csv, one row for each data set, estimator, noise rate and seed, and the picture
adaptive_lambda.png; ``rows`` is about time, for ``make bench``. Half of each data set is the training set, whose labels
are changed with uniform noise; accuracies are those on the clean other half. Digits is scikit-learn's; satimage,
pendigits and letter are in SPLITCRIT_DATA.

Source: wilton2024, Experiments and Figure 6.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.tree import DecisionTreeClassifier
from timing import Row, compare
from trees import data as drawn_data

from splitcrit import (
    AdaptiveForestClassifier,
    AdaptiveTreeClassifier,
    ForestClassifier,
    TreeClassifier,
    datasets,
    ne,
    symmetric,
)
from splitcrit.estimators.tuning import held_out
from splitcrit.files import write_text

FIGURES = Path(__file__).resolve().parents[1] / "docs" / "figures"
RATES = (0.0, 0.1, 0.2, 0.3, 0.4)
GRID = (0.0, 0.25, 0.5, 0.75, 1.0)
FIELDS = ("data", "estimator", "rate", "seed", "lam", "adaptive", "lam_0", "lam_1", "leaves_0", "leaves_1")
ROWS = 4000  # rows of a data set at most, drawn by the seed


def data_sets() -> Iterator[tuple[str, Any, Any]]:
    yield "digits", *load_digits(return_X_y=True)
    for name in ("satimage", "pendigits", "letter") if os.environ.get(datasets.folder.VARIABLE) else ():
        held = datasets.load(name)
        yield name, held.X, held.y


def judged(kind: str, trees: int, x: Any, y: Any, rate: float, seed: int) -> dict[str, Any]:
    """Return what one noisy training set gives: the lam chosen, accuracies on clean labels, leaves at both ends."""
    x, y = (part[np.random.default_rng(seed).permutation(len(y))[:ROWS]] for part in (x, y))
    train, test, labels, clean = train_test_split(x, y, test_size=0.5, random_state=seed, stratify=y)
    noisy = symmetric(rate).flip(labels, rng=seed)
    if kind == "tree":
        adaptive, fixed = AdaptiveTreeClassifier(grid=GRID, random_state=seed), TreeClassifier(random_state=seed)
    else:
        adaptive = AdaptiveForestClassifier(trees, grid=GRID, random_state=seed)
        fixed = ForestClassifier(trees, random_state=seed)
    adaptive.fit(train, noisy)
    found = {"lam": adaptive.best_parameter_, "adaptive": round(adaptive.score(test, clean), 4)}
    curve = adaptive.validation_curve_
    for place, lam in ((0, 0), (-1, 1)):
        accuracy = fixed.set_params(criterion=ne(lam)).fit(train, noisy).score(test, clean)
        found |= {f"lam_{lam}": round(accuracy, 4), f"leaves_{lam}": round(curve.leaves[place], 1)}
    return found


def studied(seeds: int, trees: int) -> Iterator[dict[str, Any]]:
    for name, x, y in data_sets():
        for kind in ("tree", "forest") if name == "digits" else ("tree",):
            for rate in RATES:
                for seed in range(seeds):
                    about = {"data": name, "estimator": kind, "rate": rate, "seed": seed}
                    yield about | judged(kind, trees, x, y, rate, seed)
                print(name, kind, rate, flush=True)


def spread(found: list[dict[str, Any]], data: str, kind: str, field: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean at each rate and its standard error over the seeds."""
    mine = [r for r in found if (r["data"], r["estimator"]) == (data, kind)]
    values = [np.array([r[field] for r in mine if r["rate"] == rate]) for rate in RATES]
    return np.array([v.mean() for v in values]), np.array([v.std(ddof=1) / np.sqrt(len(v)) for v in values])


def picture(found: list[dict[str, Any]], path: Path) -> None:
    """Draw the mean lam against the rate, and what it is worth in accuracy on clean labels."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    from splitcrit.plots.style import COLOURS, LINES, MARKERS

    figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.8), layout="constrained")
    for i, (data, kind) in enumerate(dict.fromkeys((r["data"], r["estimator"]) for r in found)):
        mean, error = spread(found, data, kind, "lam")
        drawn = {"color": COLOURS[i], "marker": MARKERS[i], "linestyle": LINES[i], "capsize": 3}
        left.errorbar(RATES, mean, error, label=f"{data}, {kind}", **drawn)
    data = found[-1]["data"]
    for i, (field, label) in enumerate((("lam_0", "lam = 0"), ("lam_1", "lam = 1"), ("adaptive", "adaptive"))):
        mean, error = spread(found, data, "tree", field)
        drawn = {"color": COLOURS[i + 1], "marker": MARKERS[i], "linestyle": LINES[i], "capsize": 3}
        right.errorbar(RATES, mean, error, label=label, **drawn)
    left.set(xlabel="share of labels changed", ylabel="mean lam chosen on the hold-out", ylim=(0, 1.04), xticks=RATES)
    right.set(xlabel="share of labels changed", ylabel=f"accuracy on clean labels ({data}, tree)", xticks=RATES)
    left.legend(frameon=False)
    right.legend(frameon=False)
    figure.savefig(path, dpi=150)


ALPHAS = {"ccp_alpha": [0.0, 0.0005, 0.001, 0.002, 0.005]}  # as many as lam


def rows() -> Iterator[Row]:
    """Yield the whole tuned fit against a grid search of cost-complexity over the same hold-out, both refitted."""
    for n in (2000, 20_000):
        for classes in (2, 10):
            xy = drawn_data(n, 10, classes)
            held = held_out(xy[1], np.arange(classes), 0.2, True, 0)
            fold = [(np.flatnonzero(~held), np.flatnonzero(held))]
            for what, ours, theirs, runs in (
                ("tree", AdaptiveTreeClassifier(random_state=0), DecisionTreeClassifier(random_state=0), 7),
                ("forest of 10 trees", AdaptiveForestClassifier(10, random_state=0),
                 RandomForestClassifier(10, random_state=0), 5),
            ):  # fmt: skip
                peer, title = GridSearchCV(theirs, ALPHAS, cv=fold), f"adaptive {what} / GridSearchCV of 5 ccp_alpha"
                fits = partial(ours.fit, *xy), partial(peer.fit, *xy)
                yield compare(f"{title}, n = {n}, d = 10, K = {classes}", *fits, 1.0, runs=runs if n == 2000 else 3)


def main(seeds: int = 20, trees: int = 30) -> None:
    found = list(studied(seeds, trees))
    FIGURES.mkdir(exist_ok=True)
    lines = [FIELDS, *([r[field] for field in FIELDS] for r in found)]
    write_text(FIGURES / "adaptive_lambda.csv", "".join(",".join(map(str, line)) + "\n" for line in lines))
    picture(found, FIGURES / "adaptive_lambda.png")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
