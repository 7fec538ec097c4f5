"""What finds more where rows come in groups: whole groups that vote, or one row drawn of each?

``python reproductions/studies/group_evalues.py`` audits 500 forests of each design, with as many new groups as grew
them, and writes in how many a feature that tells, and one of three that do not, is shown at .05 to
docs/data/group_evalues.csv; with ``table`` it prints the table alone. Compared are

- what ``audit(groups=)`` does: within a tree the product over the splits of a feature, by the votes of groups all of
  whose rows reach a split, then the mean over trees;
- the mean over these splits in place of the product;
- the product by one row of each group, drawn 20 times, and the mean over the draws, of the first 100 forests.

Columns are a group's value and noise of each row. Labels are constant within groups, or vary; in one design the column
that tells does so row by row, and the others are almost constant within groups, and in the last these are also almost
one another.

Main definitions: ``DESIGNS``, ``results``, ``table``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
from reports import Report, Row
from sklearn.ensemble import RandomForestClassifier

from splitcrit.arguments import Array
from splitcrit.audits import audit, auditing
from splitcrit.nulls.evalues import discovery_rates, mean_evalues

SETS, DRAWN, TREES, COLUMNS, DRAWS, LEVEL, EFFECT = 500, 100, 10, 4, 20, 0.05, 1.0


class Design(NamedTuple):
    """Groups of a size, or up to it, the spread of rows in a group, whether labels vary there, and the depth of trees.

    Where rows tell, the first column does so row by row; where columns are alike, those that do not tell are related.
    """

    groups: int
    size: int
    noise: float
    vary: bool = False
    depth: int = 2
    by_rows: bool = False
    uneven: bool = False
    alike: bool = False


DESIGNS = {
    "60 x 5": Design(60, 5, 0.7), "60 x 20": Design(60, 20, 0.7), "60 x 5, noise 2": Design(60, 5, 2.0),
    "120 x 5": Design(120, 5, 0.7), "60 of 1 to 30": Design(60, 30, 0.7, uneven=True),
    "60 x 5, labels vary": Design(60, 5, 0.7, vary=True),
    "60 of 1 to 30, labels vary": Design(60, 30, 0.7, vary=True, uneven=True),
    "200 x 5, rows tell, others vary little": Design(200, 5, 0.33, depth=3, by_rows=True),
    "200 x 5, rows tell, others are alike": Design(200, 5, 0.33, depth=4, by_rows=True, alike=True),
}  # fmt: skip
WAYS = "whole groups vote", "their mean over splits", "one row a group, 20 draws"
FIGURES = *(f"{way}, {who}" for way in WAYS for who in ("true", "false")), "mean of false e-values", "its error"
REPORT = Report("group_evalues", ("groups", "sets", "with draws", *FIGURES))


def data(design: Design, rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """Columns, labels and groups of twice as many groups as a design has."""
    many = 2 * design.groups
    g = np.repeat(np.arange(many), rng.integers(1, design.size + 1, many) if design.uneven else design.size)
    u = rng.normal(size=(many, COLUMNS))
    if design.alike:
        u[:, 2:] = u[:, [1]] + 0.3 * u[:, 2:]
    x, own = u[g] + design.noise * rng.normal(size=(len(g), COLUMNS)), rng.normal(size=many)[g]
    y = EFFECT * u[g, 0] + own + design.vary * rng.normal(size=len(g)) > 0
    if design.by_rows:
        y = own > 0
        x[:, 0] = 1.2 * y + rng.normal(size=len(g))
    return x, y.astype(int), g


def means_over_splits(trees: Any, features: int, weights: Any = None) -> Array:
    """The mean over the splits of a feature in a tree, in place of their product, then over trees as they weigh."""
    each = []
    for ratios, feature in trees:
        alone = mean_evalues([(ratios, np.arange(len(feature)))], len(feature))
        many = np.bincount(feature, minlength=features)
        each.append(np.where(many > 0, np.bincount(feature, alone, features) / np.maximum(many, 1), 1.0))
    shares = np.ones((len(each), 1)) if weights is None else np.where(weights.any(axis=0), weights, 1.0)
    return np.asarray((shares * each).sum(axis=0) / shares.sum(axis=0))


def passing(evalues: Array) -> tuple[bool, bool]:
    """Whether the first feature is shown, and whether another is."""
    shown = np.array(discovery_rates(evalues.tolist())) <= LEVEL
    return bool(shown[0]), bool(shown[1:].any())


def one_row_a_group(forest: Any, x: Array, y: Array, g: Array, rng: np.random.Generator) -> Array:
    """The mean e-values over draws of one row of each group."""
    each = []
    for _ in range(DRAWS):
        order = rng.permutation(len(g))
        rows = order[np.unique(g[order], return_index=True)[1]]
        if y[rows].min() < y[rows].max():
            each.append(audit(forest, x[rows], y[rows], "held-out").evalues)
    return np.asarray(np.mean(each, axis=0))


def results() -> Iterator[Row]:
    """In how many data sets of each design each way shows a feature."""
    for name, design in DESIGNS.items():
        counts, means = np.zeros((len(WAYS), 2), dtype=int), []
        for seed in range(SETS):
            rng = np.random.default_rng(seed)
            x, y, g = data(design, rng)
            old = g < design.groups
            forest = RandomForestClassifier(TREES, max_depth=design.depth, random_state=seed).fit(x[old], y[old])
            new: Any = x[~old], y[~old]
            built = audit(forest, *new, "held-out", groups=g[~old]).evalues
            with patch.object(auditing, "mean_evalues", means_over_splits):
                averaged = audit(forest, *new, "held-out", groups=g[~old]).evalues
            each = [built, averaged, *([one_row_a_group(forest, *new, g[~old], rng)] if seed < DRAWN else [])]
            for count, evalues in zip(counts, each, strict=False):
                count += passing(np.asarray(evalues))
            means.append(np.asarray(built)[1:].mean())
        figures = *map(str, counts.ravel()), f"{np.mean(means):.2f}", f"{np.std(means) / len(means) ** 0.5:.2f}"
        yield {"groups": name, "sets": str(SETS), "with draws": str(DRAWN)} | dict(zip(FIGURES, figures, strict=True))


def table(rows: list[Row]) -> str:
    """A row for each design: the share of data sets in which each way shows the true feature, and a false one."""
    lines = ["| groups | data sets | " + " | ".join((*WAYS, *FIGURES[-2:])) + " |", "|---" * (4 + len(WAYS)) + "|"]
    for row in rows:
        sets = [int(row["sets"])] * 2 + [int(row["with draws"])]
        each = [[int(row[f"{way}, {who}"]) / n for who in ("true", "false")] for way, n in zip(WAYS, sets, strict=True)]
        cells = [row["groups"], row["sets"], *(f"{a:.3f}, {b:.3f}" for a, b in each), *(row[f] for f in FIGURES[-2:])]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    REPORT.main(results, table)
