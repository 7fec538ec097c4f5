"""Does looking two steps ahead pay? Accuracy and leaves of trees by three criteria on three sets of many classes.

Stratified five-fold cross-validation, repeated with other folds; every tree is grown until its leaves are pure or no
split gains. ``python benchmarks/look_ahead.py`` reads the sets from the folder that SPLITCRIT_DATA names, writes
docs/data/look_ahead.csv (one row a tree) and the table of docs/look-ahead.md; with ``table`` it writes the table alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from reports import Report, Row
from sklearn.model_selection import StratifiedKFold

from splitcrit import TreeClassifier, datasets

REPEATS = {"libras": 5, "vowel": 5, "letter": 2}
CRITERIA, AHEAD = ("gini", "entropy", "twoing"), (1, 5, 20)
FIELDS = ("dataset", "criterion", "look_ahead", "repeat", "fold", "accuracy", "leaves")
REPORT = Report("look_ahead", "look-ahead.md", FIELDS)
RESULTS, PAGE, paged = REPORT.results, REPORT.page, REPORT.paged


def results() -> Iterator[Row]:
    """Yield the accuracy and the leaves of every tree."""
    for name, repeats in REPEATS.items():
        data = datasets.load(name)
        for repeat in range(repeats):
            folds = StratifiedKFold(5, shuffle=True, random_state=repeat).split(data.X, data.y)
            for fold, (train, test) in enumerate(folds):
                for criterion in CRITERIA:
                    for ahead in AHEAD:
                        tree = TreeClassifier(criterion=criterion, look_ahead=ahead).fit(data.X[train], data.y[train])
                        found = tree.score(data.X[test], data.y[test]), tree.get_n_leaves()
                        values = name, criterion, ahead, repeat, fold, f"{found[0]:.6f}", found[1]
                        yield dict(zip(FIELDS, map(str, values), strict=True))


def table(rows: list[Row]) -> str:
    """Return means over folds as a Markdown table, with differences from the plain tree of the same fold, summed up."""
    cells: dict[tuple[str, ...], dict[tuple[str, ...], tuple[float, float]]] = defaultdict(dict)
    for row in rows:
        where = row["dataset"], row["criterion"], row["look_ahead"]
        cells[where][row["repeat"], row["fold"]] = 100 * float(row["accuracy"]), float(row["leaves"])
    lines = [
        "| set | criterion | N | accuracy, % | against N = 1 | leaves | against N = 1 |",
        "|---|---|---|---|---|---|---|",
    ]
    pairs = smaller = moved = 0
    for (name, criterion, ahead), folds in cells.items():
        own = np.array(list(folds.values()))
        gain = own - np.array([cells[name, criterion, "1"][key] for key in folds])
        mean, apart, spread = own.mean(axis=0), gain.mean(axis=0), gain.std(axis=0, ddof=1)
        pairs, smaller, moved = pairs + (ahead != "1"), smaller + (apart[1] < 0), moved + (abs(apart[0]) > spread[0])
        steps = "" if ahead == "1" else f"{apart[0]:+.2f} ({spread[0]:.2f})"
        fewer = "" if ahead == "1" else f"{100 * apart[1] / (mean[1] - apart[1]):+.1f} %"
        lines.append(f"| {name} | {criterion} | {ahead} | {mean[0]:.2f} | {steps} | {mean[1]:.1f} | {fewer} |")
    said = (
        f"Trees are smaller in {smaller} of {pairs} rows; accuracy moves by more than its spread over folds in {moved}."
    )
    return "\n".join([*lines, "", said, ""])


if __name__ == "__main__":
    REPORT.main(results, table)
