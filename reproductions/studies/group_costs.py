"""What does a test of one column cost that moves whole groups, beside one that orders rows?

``python reproductions/studies/group_costs.py`` measures processor time of ``split_test`` in 20 data sets of each
design, in one process and in turns, and writes it to docs/data/group_costs.csv; with ``table`` it prints the table
alone. Column and labels vary within groups and have nothing to do with each other; without ``groups=`` the labels are
put in random order, so that both draw about as often. Three classes or numbers: two classes have an exact law.

Main definitions: ``results``, ``table``.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
from reports import Report, Row

from splitcrit.inference import split_test

REPORT = Report("group_costs", ("groups", "labels", "alone", "moved"))
DESIGNS = {"40 x 5": (40, 5), "30 x 20": (30, 20), "200 x 10": (200, 10)}
SETS, REPEATS = 20, 2


def seconds(*arguments: Any, **how: Any) -> float:
    """Processor time of a test, the least of some."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        split_test(*arguments, **how)
        times.append(time.process_time() - start)
    return min(times)


def results() -> Iterator[Row]:
    """Milliseconds a data set of each design."""
    for design, (many, size) in DESIGNS.items():
        for labels in ("three classes", "numbers"):
            alone = moved = 0.0
            for seed in range(SETS):
                rng, group = np.random.default_rng(seed), np.repeat(np.arange(many), size)
                x, y = rng.normal(size=(2, many))[:, group] + rng.normal(size=(2, many * size))
                y = np.searchsorted(np.quantile(y, [1 / 3, 2 / 3]), y) if labels == "three classes" else y
                how = {"response": "numbers"} if labels == "numbers" else {}
                alone += seconds(x[:, None], rng.permutation(y), **how)
                moved += seconds(x[:, None], y, groups=group, **how)
            yield {"groups": design, "labels": labels} | {
                name: f"{1000 * spent / SETS:.1f}" for name, spent in (("alone", alone), ("moved", moved))
            }


def table(rows: list[Row]) -> str:
    """A row for each design: milliseconds, and how many times as long."""
    lines = ["| groups | labels | rows alone, ms | `groups=`, ms | times |", "|---|---|---|---|---|"]
    for row in rows:
        times = float(row["moved"]) / float(row["alone"])
        lines.append(f"| {row['groups']} | {row['labels']} | {row['alone']} | {row['moved']} | {times:.1f} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    REPORT.main(results, table)
