"""What finds more where rows come in groups: products of e-values by one row a group, or means of e-values of nodes?

``python reproductions/studies/group_evalues.py`` audits 100 forests of each design, with as many new groups as grew
them, and writes in how many a feature that tells, and one of three that do not, is shown at .05 to
docs/data/group_evalues.csv; with ``table`` it prints the table alone. Compared are

- what ``audit(groups=)`` does: within a tree the product over the nodes of a feature, of one row a group, then the mean
  over trees and 20 draws;
- the mean in place of the product: the e-values of single nodes, by the same rows;
- the mean over nodes of e-values by whole groups, without draws, see ``of_node``; nodes weigh their gain in growth.

Columns are a group's value and noise of each row. Labels are constant within groups, or vary; in the last design the
column that tells does so row by row, and the others are almost constant within groups.

Main definitions: ``DESIGNS``, ``of_node``, ``results``, ``table``.
Main results: with b of the C groups above the mean of their labels and s the share of each on the left, the sum S of s
over these groups is one over a random subset, so that ``E exp(t S) = e_b(exp(t s))/C(C, b)``, which ``nulls.evidence``
bounds. Only the first split by a feature on each way from the root counts. Below it the number of rows of a group at a
node is a function of the feature, and where a feature above tells, of the label: given that number labels are related
to sides, though the feature is unrelated to the labels, and the mean may be above 1, see ``OWN``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from reports import Report, Row
from scipy.special import gammaln, ive
from sklearn.ensemble import RandomForestClassifier

from splitcrit.arguments import Array
from splitcrit.audits import audit, auditing
from splitcrit.nulls.evalues import discovery_rates, mean_evalues
from splitcrit.nulls.groups import Dependence, numbered

SETS, TREES, COLUMNS, LEVEL, EFFECT = 100, 10, 4, 0.05, 1.0
EFFECTS = np.array([[2.0], [3.0], [4.0]])  # in standard deviations of the sum
LEAST = 1e-12  # a variance that rounding leaves


class Design(NamedTuple):
    """Groups of a size, the spread of rows in a group, whether labels vary there, and the depth of trees."""

    groups: int
    size: int
    noise: float
    vary: bool = False
    depth: int = 2
    by_rows: bool = False


OWN = "200 x 5, rows tell, others vary little"
DESIGNS = {
    "60 x 5": Design(60, 5, 0.7), "60 x 20": Design(60, 20, 0.7), "60 x 5, noise 2": Design(60, 5, 2.0),
    "120 x 5": Design(120, 5, 0.7), "60 x 5, labels vary": Design(60, 5, 0.7, vary=True),
    OWN: Design(200, 5, 0.33, depth=3, by_rows=True),
}  # fmt: skip
WAYS = "product, one row", "mean, one row", "mean, whole groups"
FIGURES = *(f"{way}, {who}" for way in WAYS for who in ("true", "false")), "mean of false e-values", "of all nodes"
REPORT = Report("group_evalues", ("groups", "sets", *FIGURES))


def data(design: Design, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Columns, labels and groups of twice as many groups as a design has."""
    g = np.repeat(np.arange(2 * design.groups), design.size)
    u = rng.normal(size=(2 * design.groups, COLUMNS))
    x, own = u[g] + design.noise * rng.normal(size=(len(g), COLUMNS)), rng.normal(size=2 * design.groups)[g]
    y = EFFECT * u[g, 0] + own + design.vary * rng.normal(size=len(g)) > 0
    if design.by_rows:
        y = own > 0
        x[:, 0] = 1.2 * y + rng.normal(size=len(g))
    return x, y.astype(int), g


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


def of_node(left: Array, labels: Array, among: Dependence) -> float:
    """The e-value of a split, on whose left larger labels are expected: labels of whole groups change places.

    Groups of similar size are runs, cut to one size (``Dependence.runs``). Sides or labels, whichever this changes
    less, become above their mean in the run or not.
    """
    rows, runs = among.runs
    units = Dependence(numbered(np.asarray(among.groups)[rows]), numbered(runs))
    block, votes = np.asarray(units.strata)[units.first], units.labels(np.stack([left, labels], axis=1)[rows] * 1.0)
    n = np.bincount(block)

    def apart(values: Array) -> Array:
        return np.asarray((values - (np.bincount(block, values) / n)[block]).round(12))

    each = [apart(values) for values in votes.T]
    alike = [(v @ h) ** 2 / max((v @ v) * (h @ h), LEAST) for v in each for h in (apart(v > 0),)]
    above, sums = (each[0] > 0, each[1]) if alike[0] > alike[1] else (each[1] > 0, each[0])
    m = np.bincount(block, above)
    variance = m * (n - m) / np.maximum(n * (n - 1), 1) @ np.bincount(block, sums**2)
    logs = np.zeros(len(EFFECTS))
    for b in np.flatnonzero((m > 0) & (m < n) & (variance > LEAST)):
        x = EFFECTS * sums[block == b] / variance**0.5
        logs += x[:, above[block == b]].sum(axis=1) - log_mean_of_sums(x, int(m[b]))
    return float(np.exp(logs).mean())


def log_mean_of_sums(x: Array, m: int) -> Array:
    """Logarithms ``(c,)`` of bounds of the mean of ``exp`` of sums of m of ``x (c, n)``, as in ``nulls.evidence``."""
    n = x.shape[1]
    u = np.log(m / (n - m)) - x.mean(axis=1)
    for step in range(9):
        p = 1 / (1 + np.exp(-u[:, None] - x))
        v = (p * (1 - p)).sum(axis=1)
        u = u + np.clip((m - p.sum(axis=1)) / np.maximum(v, 1e-9), -1, 1) * (step < 8)
    ways = gammaln(n + 1) - gammaln(m + 1) - gammaln(n - m + 1)
    return np.asarray(np.logaddexp(0, u[:, None] + x).sum(axis=1) - m * u + np.log(ive(0, v)) - ways)


def by_whole_groups(forest: Any, x: Array, y: Array, g: Array) -> tuple[Array, Array]:
    """The means over nodes and trees of e-values of single nodes by whole groups: of first splits, and of all."""
    sums, weights = np.zeros((2, 2, COLUMNS))
    for model in forest.estimators_:
        tree, path = model.tree_, model.decision_path(x.astype(np.float32)).tocsc()
        parts, used = (
            tree.weighted_n_node_samples / tree.weighted_n_node_samples[0] * tree.impurity,
            {0: frozenset[int]()},
        )
        for v in np.flatnonzero(tree.children_left >= 0).tolist():
            feature, sides = int(tree.feature[v]), [int(tree.children_left[v]), int(tree.children_right[v])]
            used |= dict.fromkeys(sides, used[v] | {feature})
            rows, left = (path.indices[path.indptr[i] : path.indptr[i + 1]] for i in (v, sides[0]))
            if not len(rows):
                continue
            ends = tree.value[sides, 0, 1]
            e = of_node(np.isin(rows, left), y[rows] * np.sign(ends[0] - ends[1]), Dependence(g).take(rows))
            some = [feature not in used[v], True]
            sums[some, feature] += (parts[v] - parts[sides].sum()) * e
            weights[some, feature] += parts[v] - parts[sides].sum()
    first, every = np.where(weights > 0, sums / np.maximum(weights, LEAST), 1.0)
    return first, every


def passing(evalues: Array) -> tuple[bool, bool]:
    """Whether the first feature is shown, and whether another is."""
    shown = np.array(discovery_rates(evalues.tolist())) <= LEVEL
    return bool(shown[0]), bool(shown[1:].any())


def results() -> Iterator[Row]:
    """In how many data sets of each design each way shows a feature."""
    for name, design in DESIGNS.items():
        counts, means = np.zeros((len(WAYS), 2), dtype=int), np.zeros(2)
        for seed in range(SETS):
            x, y, g = data(design, np.random.default_rng(seed))
            old = g < design.groups
            forest = RandomForestClassifier(TREES, max_depth=design.depth, random_state=seed).fit(x[old], y[old])
            new: Any = x[~old], y[~old], g[~old] - design.groups
            built = audit(forest, *new[:2], "held-out", groups=new[2]).evalues
            with patch.object(auditing, "mean_evalues", means_over_nodes):
                one_row = audit(forest, *new[:2], "held-out", groups=new[2]).evalues
            first, every = by_whole_groups(forest, *new)
            for i, evalues in enumerate((built, one_row, first)):
                counts[i] += passing(np.asarray(evalues))
            means += first[1:].mean() / SETS, every[1:].mean() / SETS
        figures = *map(str, counts.ravel()), *(f"{mean:.2f}" for mean in means)
        yield {"groups": name, "sets": str(SETS)} | dict(zip(FIGURES, figures, strict=True))


def table(rows: list[Row]) -> str:
    """A row for each design: the share of data sets in which each way shows the true feature, and a false one."""
    lines = ["| groups | data sets | " + " | ".join((*WAYS, *FIGURES[-2:])) + " |", "|---" * (4 + len(WAYS)) + "|"]
    for row in rows:
        each = [[int(row[f"{way}, {who}"]) / int(row["sets"]) for who in ("true", "false")] for way in WAYS]
        lines.append(
            " | ".join(
                [
                    f"| {row['groups']} | {row['sets']}",
                    *(f"{a:.3f}, {b:.3f}" for a, b in each),
                    *(row[f] for f in FIGURES[-2:]),
                ]
            )
            + " |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    REPORT.main(results, table)
