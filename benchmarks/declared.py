"""What a declaration saves: trees by a criterion that declares its sums, and by its formula alone, beside Gini's.

``python benchmarks/declared.py`` times fits in pairs, writes docs/data/declared.csv (one row a comparison) and the
table of docs/declare-a-criterion.md; with ``table`` it writes the table alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from reports import Report, Row
from timing import compare

from splitcrit import Impurity, TreeClassifier
from splitcrit.arith import total
from splitcrit.impurities import by_sums

SAMPLES, FEATURES, DEPTH, RUNS = 20_000, 10, 8, 41
FIELDS = ("classes", "criterion", "seconds", "gini", "ratio", "low", "high")
REPORT = Report("declared", "declare-a-criterion.md", FIELDS)


def cubes(p: Any, m: Any) -> Any:
    """Return one minus the sum of the cubes of the class shares."""
    return 1 - total([x * x * x for x in p])


CRITERIA = {
    "declared": Impurity("cubes", cubes, search=by_sums(lambda n: n**3, times=lambda n: n**-2.0)),
    "formula alone": Impurity("cubes", cubes),
}


def fit(criterion: Any, x: Any, y: Any) -> Callable[[], object]:
    """Return an action that fits a tree."""
    return lambda: TreeClassifier(criterion=criterion, max_depth=DEPTH).fit(x, y)


def results() -> Iterator[Row]:
    """Yield medians of the fits of both sides, the ratio of medians and its range."""
    for classes in (2, 10):
        rng = np.random.default_rng(0)
        x = rng.normal(size=(SAMPLES, FEATURES))
        y = (x[:, 0] + rng.normal(size=SAMPLES)).argsort().argsort() * classes // SAMPLES
        for name, impurity in CRITERIA.items():
            row = compare(name, fit(impurity, x, y), fit("gini", x, y), runs=RUNS)
            numbers = row.ours, row.theirs, row.ratio, row.low, row.high
            yield dict(zip(FIELDS, [str(classes), name, *(f"{number:.3g}" for number in numbers)], strict=True))


def table(rows: list[Row]) -> str:
    """Return the comparisons as a Markdown table."""
    lines = ["| classes | criterion | its fit / Gini's fit | range |", "|---|---|---|---|"]
    for row in rows:
        ratio, low, high = (f"{float(row[name]):.2g}" for name in ("ratio", "low", "high"))
        lines.append(f"| {row['classes']} | {row['criterion']} | {ratio} | {low} to {high} |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    REPORT.main(results, table)
