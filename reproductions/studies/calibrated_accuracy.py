"""Do trees lose by comparing columns fairly, and what do they gain where categories are noise?

Trees of depth 4 with five rows in a leaf, by Gini and by ``calibrated``, on the same random divisions into training and
test rows, with and without columns of noise categories. ``python reproductions/studies/calibrated_accuracy.py`` writes
error and log loss (leaf shares with one row of each class added) to docs/data/calibrated_accuracy.csv, and prints a
table of docs/inference-study.md. Data sets lie in the folder that ``SPLITCRIT_DATA`` names.

Main definitions: ``SETS``, ``measured``, ``table``.
"""

from __future__ import annotations

import csv
import gzip
import os
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from reports import Report, Row

from splitcrit import TreeClassifier

Array = Any
LOSSES = ("error", "log loss")
FIELDS = ("set", "noise", "rows", "divisions", "loss", "gini", "calibrated", "difference", "standard error")
REPORT = Report("calibrated_accuracy", FIELDS)
# Of each set: rows in training, divisions, and levels of the noise categories that are added.
SETS = {
    "german_credit.csv": (500, 30, (100, 100)),
    "splice.csv.gz": (800, 12, (200,)),
    "heart_statlog.csv": (135, 30, (60,)),
    "australian.csv": (345, 30, (100,)),
    "breast_cancer_wisconsin.csv": (350, 20, (100,)),
    "diabetes.csv": (384, 30, (100,)),
    "ionosphere.csv": (175, 20, (60,)),
    "vehicle.csv": (420, 20, (100,)),
    "zoo.csv": (50, 30, (20,)),
    "segment.csv.gz": (600, 10, (200,)),
}


def loaded(name: str) -> tuple[Array, Array, list[int]]:
    """Features as numbers, texts coded, class codes, and which columns are texts."""
    path = Path(os.environ.get("SPLITCRIT_DATA", "data")) / name
    with gzip.open(path, "rt") if name.endswith("gz") else path.open() as file:
        _, *rows = csv.reader(file)
    columns, coded = [], []
    for f, column in enumerate(zip(*(row[:-1] for row in rows), strict=True)):
        try:
            columns.append(np.array([np.nan if c in ("", "?") else float(c) for c in column]))
        except ValueError:
            columns.append(np.unique(column, return_inverse=True)[1].astype(float))
            coded.append(f)
    return np.column_stack(columns), np.unique([row[-1] for row in rows], return_inverse=True)[1], coded


def judged(tree: TreeClassifier, x: Array, y: Array, classes: int) -> tuple[float, float]:
    """Error and log loss on test rows."""
    at = tree.apply(x)
    counts = tree.tree_.value[at, 0] * tree.tree_.weighted_n_node_samples[at][:, None]
    shares = np.zeros((len(x), classes))
    shares[:, tree.classes_.astype(int)] = counts
    shares = (shares + 1) / (shares + 1).sum(axis=1, keepdims=True)
    return float((shares.argmax(axis=1) != y).mean()), float(-np.log(shares[np.arange(len(y)), y]).mean())


def measured(name: str, noise: bool) -> Iterator[Row]:
    """Yield the mean error and log loss by both criteria, and the paired difference, each with the rows of training."""
    rows, divisions, levels = SETS[name]
    x, y, coded = loaded(name)
    rng, differences = np.random.default_rng(1), []
    for _ in range(divisions):
        more = [rng.integers(0, v, len(y)) for v in levels] if noise else []
        mine, order = np.column_stack([x, *more]), rng.permutation(len(y))
        cats = [*coded, *range(x.shape[1], mine.shape[1])] or None
        train, test = order[:rows], order[rows : rows + 1000]
        each = []
        for criterion in ("gini", "calibrated"):
            tree = TreeClassifier(criterion=criterion, max_depth=4, min_samples_leaf=5, categorical_features=cats)
            each.append(judged(tree.fit(mine[train], y[train]), mine[test], y[test], int(y.max()) + 1))
        differences.append(each)
    a = np.array(differences)
    apart = a[:, 1] - a[:, 0]
    for i, loss in enumerate(LOSSES):
        numbers = (*a[:, :, i].mean(axis=0), apart[:, i].mean(), apart[:, i].std(ddof=1) / divisions**0.5)
        cell = (name.partition(".")[0], "yes" if noise else "no", str(rows), str(divisions), loss)
        yield dict(zip(FIELDS, (*cell, *(f"{v:.4f}" for v in numbers)), strict=True))


def table(rows: list[Row]) -> str:
    """A row for each data set, without and with noise categories."""
    names = ("data set", "noise categories", "error, Gini", "calibrated", "log loss, Gini", "calibrated")
    lines = [f"| {' | '.join(names)} |", "|---" * len(names) + "|"]
    for at in range(0, len(rows), 2):
        cells = [rows[at]["set"].replace("_", " "), rows[at]["noise"]]
        for row in rows[at : at + 2]:
            cells += [f"{float(row['gini']):.3f}"]
            cells += [f"{float(row['difference']):+.3f} ± {float(row['standard error']):.3f}"]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def results() -> Iterator[Row]:
    """Yield the rows of all data sets."""
    for name in SETS:
        for noise in (False, True):
            yield from measured(name, noise)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    REPORT.main(results, table)
