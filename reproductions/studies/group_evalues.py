"""What finds more where rows come in groups: products of e-values by one row a group, or means of e-values of nodes?

``python reproductions/studies/group_evalues.py`` audits 100 forests of each design, with as many new groups as grew
them, and writes in how many a feature that tells, and one of three that do not, is shown at .05 to
docs/data/group_evalues.csv; with ``table`` it prints the table alone. Compared are

- what ``audit(groups=)`` does: within a tree the product over the nodes of a feature, of one row a group, then the mean
  over trees and 20 draws;
- the mean in place of the product: the e-values of single nodes, by the same rows;
- the mean over nodes of e-values by whole groups: with S the sum of the groups' shares of rows on the side where the
  rows that grew the tree have more of class 1, over the groups of class 1, ``exp(t S)`` over its mean over the labels
  observed and 999 random orders of the groups' labels, for t of 1, 2 and 3 in standard deviations of S.

Labels are constant within groups, and columns are a group's value and noise of each row.

Main definitions: ``DESIGNS``, ``results``, ``table``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
from reports import Report, Row
from sklearn.ensemble import RandomForestClassifier

from splitcrit.arguments import Array
from splitcrit.audits import audit, auditing
from splitcrit.nulls.evalues import discovery_rates, mean_evalues

SETS, TREES, DEPTH, ORDERS, COLUMNS, LEVEL, EFFECT = 100, 10, 2, 999, 4, 0.05, 1.0
SIZES = np.array([1.0, 2.0, 3.0])
DESIGNS = {"60 x 5": (60, 5, 0.7), "60 x 20": (60, 20, 0.7), "60 x 5, noise 2": (60, 5, 2.0), "120 x 5": (120, 5, 0.7)}
WAYS = "product, one row", "mean, one row", "mean, whole groups"
REPORT = Report("group_evalues", ("groups", "sets", *(f"{way}, {who}" for way in WAYS for who in ("true", "false"))))


def means_over_nodes(trees: Any, features: int, weights: Any = None) -> Array:
    """The mean over the nodes of a feature in a tree, in place of their product, then over trees as they weigh."""
    each = []
    for ratios, feature in trees:
        many = np.bincount(feature, minlength=features)
        sums = np.zeros(features)
        for i in range(len(feature)):
            sums += mean_evalues([(ratios[[i]], feature[[i]])], features) - 1
        each.append(1 + sums / np.maximum(many, 1))
    shares = np.ones((len(each), 1)) if weights is None else np.where(weights.any(axis=0), weights, 1.0)
    return np.asarray((shares * each).sum(axis=0) / shares.sum(axis=0))


def by_whole_groups(forest: Any, x: Array, y: Array, g: Array, rng: np.random.Generator) -> Array:
    """The mean over nodes and trees of e-values of single nodes in which labels of whole groups move."""
    each = []
    for model in forest.estimators_:
        tree, path = model.tree_, model.decision_path(x.astype(np.float32)).tocsc()
        sums, many = np.zeros((2, COLUMNS))
        for v in np.flatnonzero(tree.children_left >= 0):
            rows, left = (path.indices[path.indptr[i] : path.indptr[i + 1]] for i in (v, tree.children_left[v]))
            ends = tree.value[[tree.children_left[v], tree.children_right[v]], 0, 1]
            there, sizes = np.unique(g[rows], return_counts=True)
            share = np.bincount(g[left], minlength=g[-1] + 1)[there] / sizes * (1 if ends[0] > ends[1] else -1)
            label = y[np.unique(g, return_index=True)[1]][there]
            orders = np.stack([label, *(rng.permutation(label) for _ in range(ORDERS))]) @ share
            z = (orders - orders.mean()) / (orders.std() or 1.0)
            tilted = np.exp(np.outer(SIZES, z))
            sums[tree.feature[v]] += (tilted[:, 0] / tilted.mean(axis=1)).mean()
            many[tree.feature[v]] += 1
        each.append(np.where(many > 0, sums / np.maximum(many, 1), 1.0))
    return np.asarray(np.mean(each, axis=0))


def passing(evalues: Array) -> tuple[bool, bool]:
    """Whether the first feature is shown, and whether another is."""
    shown = np.array(discovery_rates(evalues.tolist())) <= LEVEL
    return bool(shown[0]), bool(shown[1:].any())


def results() -> Iterator[Row]:
    """In how many data sets of each design each way shows a feature."""
    for name, (many, size, noise) in DESIGNS.items():
        counts = np.zeros((len(WAYS), 2), dtype=int)
        for seed in range(SETS):
            rng, g = np.random.default_rng(seed), np.repeat(np.arange(2 * many), size)
            u = rng.normal(size=(2 * many, COLUMNS))
            x, y = (
                u[g] + noise * rng.normal(size=(len(g), COLUMNS)),
                (EFFECT * u[:, 0] + rng.normal(size=2 * many) > 0)[g],
            )
            old, y = g < many, y.astype(int)
            forest = RandomForestClassifier(TREES, max_depth=DEPTH, random_state=seed).fit(x[old], y[old])
            new: Any = x[~old], y[~old], g[~old] - many
            built = audit(forest, *new[:2], "held-out", groups=new[2]).evalues
            with patch.object(auditing, "mean_evalues", means_over_nodes):
                means = audit(forest, *new[:2], "held-out", groups=new[2]).evalues
            for i, evalues in enumerate((built, means, by_whole_groups(forest, *new, rng))):
                counts[i] += passing(np.asarray(evalues))
        yield {"groups": name, "sets": str(SETS)} | dict(zip(REPORT.fields[2:], map(str, counts.ravel()), strict=True))


def table(rows: list[Row]) -> str:
    """A row for each design: the share of data sets in which each way shows the true feature, and a false one."""
    lines = ["| groups | data sets | " + " | ".join(WAYS) + " |", "|---" * (2 + len(WAYS)) + "|"]
    for row in rows:
        each = [[int(row[f"{way}, {who}"]) / int(row["sets"]) for who in ("true", "false")] for way in WAYS]
        lines.append(" | ".join([f"| {row['groups']} | {row['sets']}", *(f"{a:.3f}, {b:.3f}" for a, b in each)]) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    REPORT.main(results, table)
