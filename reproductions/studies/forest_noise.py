"""How often is a root split at level .05 by a feature that tells nothing, if its rows are a bootstrap sample?

Each tree has noise of its own: a feature of two values, of which one cut is possible, or of as many values as rows, and
labels of two classes, half of each. ``python reproductions/studies/forest_noise.py`` writes docs/data/forest_noise.csv
(how many trees of each kind are split) and the table of docs/forests.md; with ``table`` it writes the table alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from reports import Report, Row

from splitcrit import ForestClassifier, TreeClassifier

LEVEL, TREES = 0.05, 4000
ROWS = (30, 100, 300)
FEATURES = {"two values": "gini", "distinct values": "max_selected"}
SAMPLES = ("all rows", "drawn, as often as drawn", "drawn, once each")
FIELDS = ("rows", "feature", "criterion", "sample", "trees", "split")
REPORT = Report("forest_noise", "forests.md", FIELDS)
RESULTS, PAGE, paged = REPORT.results, REPORT.page, REPORT.paged


def split(rows: int, feature: str, seed: int) -> list[bool]:
    """Tell for each of the samples whether the root is split."""
    rng = np.random.default_rng((rows, seed))
    y = rng.permutation(rows) % 2
    x = (np.arange(rows) % 2 if feature == "two values" else rng.random(rows))[:, None]
    rules: dict[str, Any] = {"criterion": FEATURES[feature], "max_pvalue": LEVEL, "max_depth": 1}
    forest = ForestClassifier(1, random_state=seed, **rules).fit(x, y)
    often = np.bincount(forest.estimators_samples_[0], minlength=rows)
    tree = TreeClassifier(**rules)
    depths = tree.fit(x, y).get_depth(), tree.fit(x, y, often).get_depth(), forest.estimators_[0].get_depth()
    return [depth > 0 for depth in depths]


def results(trees: int = TREES) -> Iterator[Row]:
    """Yield how many trees of each kind are split."""
    for rows in ROWS:
        for feature, criterion in FEATURES.items():
            counted = np.sum([split(rows, feature, seed) for seed in range(trees)], axis=0)
            for sample, number in zip(SAMPLES, counted, strict=True):
                values = rows, feature, criterion, sample, trees, number
                yield dict(zip(FIELDS, map(str, values), strict=True))


def table(rows: list[Row]) -> str:
    """Return the shares of roots that are split, in per cent, as a Markdown table."""
    lines = ["| rows | feature | criterion | " + " | ".join(SAMPLES) + " |", "|---" * (3 + len(SAMPLES)) + "|"]
    for first in range(0, len(rows), len(SAMPLES)):
        here = rows[first : first + len(SAMPLES)]
        shares = " | ".join(f"{100 * int(row['split']) / int(row['trees']):.1f} %" for row in here)
        lines.append(f"| {here[0]['rows']} | {here[0]['feature']} | `{here[0]['criterion']}` | {shares} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    REPORT.main(results, table)
