"""How often do alarms of rows that are not independent fire where rows are independent?

``python reproductions/studies/false_alarms.py`` makes 10,000 data sets of each design, of independent rows in random
order, and writes how many of each ``alarms`` sees as recurring or serial to docs/data/false_alarms.csv; with ``table``
it prints the table alone. Labels are noise, or few-valued columns decide them: copies of such rows are no copies.

Main definitions: ``DESIGNS``, ``results``, ``table``.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from reports import Report, Row
from scipy.stats import binom

from splitcrit.arguments import Array
from splitcrit.nulls.alarms import LEVEL, recurring_rows, serial_columns

SETS = 10_000
REPORT = Report("false_alarms", ("design", "sets", "recurring", "serial"))
Made = tuple[list[Array], Array]


def noise(rng: np.random.Generator) -> Made:
    return list(rng.integers(0, 300, (2, 100))), rng.integers(0, 2, 100)


def age(rng: np.random.Generator) -> Made:
    x = rng.integers(0, 72, 300)
    return [x], (x > 32).astype(int)


def five_valued(rng: np.random.Generator) -> Made:
    x = list(rng.integers(0, 5, (4, 300)))
    return x, (x[0] + x[1] > 4).astype(int)


def two_valued(rng: np.random.Generator) -> Made:
    return list(rng.integers(0, 2, (6, 200))), rng.integers(0, 3, 200)


def copied_features(rng: np.random.Generator) -> Made:
    return list(rng.permutation(60)[None].repeat(3, axis=0).repeat(2, axis=1)), rng.integers(0, 2, 120)


def rare_class(rng: np.random.Generator) -> Made:
    return list(rng.permuted(np.arange(300)[None].repeat(3, axis=0), axis=1)), (rng.random(300) < 0.03).astype(int)


def mixed(rng: np.random.Generator) -> Made:
    x = [rng.integers(0, 2, 400), rng.integers(0, 12, 400), rng.permutation(400)]
    return x, ((x[0] + x[1] / 12 + rng.normal(size=400)) > 1).astype(int)


DESIGNS = {
    "two columns of 300 values, noise": noise, "age decides the label": age, "four of 5 values decide it": five_valued,
    "six of 2 values, three classes": two_valued, "features copied, labels noise": copied_features,
    "a class of 3 in 100": rare_class, "2, 12 and 400 values, related": mixed,
}  # fmt: skip


def results() -> Iterator[Row]:
    """How many data sets of each design raise each alarm."""
    for j, (name, make) in enumerate(DESIGNS.items()):
        recurring = serial = 0
        for seed in range(SETS):
            columns, labels = make(np.random.default_rng([j, seed]))
            recurring += recurring_rows(columns, labels)[0] > 0
            serial += serial_columns(columns, labels) > 0
        yield {"design": name, "sets": str(SETS), "recurring": str(recurring), "serial": str(serial)}


def too_many(rows: list[Row]) -> list[Row]:
    """The designs in which an alarm is false more often than a binomial test at .001 allows."""
    return [row for row in rows for key in ("recurring", "serial")
            if binom.sf(int(row[key]) - 1, int(row["sets"]), LEVEL) < 0.001]  # fmt: skip


def table(rows: list[Row]) -> str:
    """False alarms in each design."""
    lines = ["| independent rows | data sets | rows recur | neighbours are alike |", "|---|---|---|---|"]
    lines += [f"| {row['design']} | {int(row['sets']):,} | {row['recurring']} | {row['serial']} |" for row in rows]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    REPORT.main(results, table)
    if too_many(REPORT.rows()):
        raise SystemExit(1)
