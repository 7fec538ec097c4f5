"""Table 3 and Figure 2 of wang2024: three features scored, and a cell of a table under permutations.

Main definitions: ``EXPERIMENTS`` (``table3``, ``figure2``), ``same_of``, ``distances_of``.
Source: wang2024, Table 3 and Figure 2.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.criteria import decrease
from splitcrit.impurities import gini
from splitcrit.nulls import gini_null, sgini
from splitcrit.table import Table

from ..plots.panels import grouped
from ..printed import printed
from ..results import Row
from ..runner import Experiment, Options, Task

LABELS = "1111222222"  # Table 3: the class of x1, ..., x10, and the value of each feature
FEATURES = {"a": "1112222222", "b": "1122222222", "b'": "1122223333"}
READINGS = ("feature by class", "class by feature")


def _table3_tasks(options: Options) -> list[Task]:
    return [{"feature": feature, "reading": reading} for feature in FEATURES for reading in READINGS]


def _table3_work(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """The Gini gain and SGini of a feature, with its values as rows or, exchanged, as classes."""
    pair = [np.array(list(FEATURES[task["feature"]])), np.array(list(LABELS))]
    table = Table.of(*(pair if task["reading"] == READINGS[0] else pair[::-1]))
    shown = {row["feature"]: row for row in printed("wang2024_table3")}.get(task["feature"], {})
    gain = decrease(gini).exact(table)
    null = gini_null(table.counts.sum(axis=1), table.counts.sum(axis=0), exact=True)
    exact = {"Gini": str(gain), "SGini": f"{gain - null.mean} / sqrt({null.variance})"}
    ours = {"Gini": float(gain), "SGini": float(sgini(table))}
    return [{"measure": m, "exact": exact[m], "ours": ours[m], "printed": _number(shown.get(m))} for m in ours]


def _number(cell: str | None) -> float | None:
    return float(cell) if cell else None


def _table3_said(rows: list[Row], options: Options) -> str:
    """How many printed cells each reading gives."""
    return "\n".join(
        f"{reading}: {same} of {cells} printed cells, to all digits" for reading, same, cells in same_of(rows)
    )


def same_of(rows: list[Row]) -> list[tuple[str, int, int]]:
    """For each reading how many printed cells it gives to all digits, and how many there are."""
    counts = []
    for reading in READINGS:
        mine = [row for row in rows if row["reading"] == reading and row["printed"] is not None]
        counts.append((reading, sum(f"{row['ours']:.4f}" == f"{row['printed']:.4f}" for row in mine), len(mine)))
    return counts


TABLE3 = Experiment(
    "table3",
    "Gini gain and SGini of the features a, b and b', read both ways",
    ("feature", "reading"),
    _table3_tasks,
    _table3_work,
    _table3_said,
)

SAMPLES, FIRST_CLASS, FIRST_VALUE = 1000, 200, 400  # Figure 2: N, n_1^Y and n_1^A
DRAWS = (1000, 30000)
BLOCK = 1000  # permutations drawn at once
LAWS = (  # what is compared with; the paper names no parameters of its binomial law
    "hypergeometric(1000, 200, 400)",
    "binomial(400, 0.2)",
    "binomial(1000, 0.08)",
    "binomial(200, 0.4)",
)


def laws(cells: Any) -> dict[str, Any]:
    """The probability of each count under each law of Figure 2."""
    from scipy.stats import binom, hypergeom

    size, ones, drawn = SAMPLES, FIRST_CLASS, FIRST_VALUE
    fitted = [hypergeom(size, ones, drawn)]
    fitted += [binom(drawn, ones / size), binom(size, ones * drawn / size**2), binom(ones, drawn / size)]
    return {name: law.pmf(cells) for name, law in zip(LAWS, fitted, strict=True)}


def distance(shares: Any, probabilities: Any) -> float:
    """The total variation distance; what the probabilities lack to 1 lies on counts that are not listed."""
    listed = np.abs(np.asarray(shares) - np.asarray(probabilities)).sum()
    return float((listed + abs(1 - np.sum(probabilities))) / 2)


def _figure2_tasks(options: Options) -> list[Task]:
    return [{"draws": draws} for draws in ((DRAWS[0],) if options.quick else DRAWS)]


def _figure2_work(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """For every count of samples with the first value and the first class, its share and its probabilities."""
    labels = np.arange(SAMPLES) < FIRST_CLASS
    counted = np.zeros(FIRST_CLASS + 1, dtype=np.int64)
    for first in range(0, task["draws"], BLOCK):
        block = np.broadcast_to(labels, (min(BLOCK, task["draws"] - first), SAMPLES))
        cells = rng.permuted(block, axis=1)[:, :FIRST_VALUE].sum(axis=1)
        counted += np.bincount(cells, minlength=len(counted))
    counts, shares = np.arange(len(counted)), counted / task["draws"]
    by_law = laws(counts)
    shown = np.flatnonzero((shares > 0) | (np.max(list(by_law.values()), axis=0) > 1e-9))
    return [
        {"count": int(n), "observed": float(shares[n]), **{name: float(p[n]) for name, p in by_law.items()}}
        for n in shown
    ]


def distances_of(rows: list[Row]) -> list[Row]:
    """How far the hypergeometric law, and the shares of each number of draws, are from every law."""
    lines = []
    for name in LAWS:
        law = laws(np.arange(SAMPLES + 1))
        line: Row = {"law": name, "hypergeometric law": distance(law[LAWS[0]], law[name])}
        for (draws,), mine in grouped(rows, "draws").items():
            line[f"{draws} permutations"] = distance([row["observed"] for row in mine], [row[name] for row in mine])
        lines.append(line)
    return lines


def _figure2_said(rows: list[Row], options: Options) -> str:
    """The distances of what was observed, and of the hypergeometric law, from each law."""
    lines = ["total variation distance"]
    for line in distances_of(rows):
        apart = ", ".join(f"{name} {value:.4f}" for name, value in line.items() if name != "law")
        lines.append(f"to {line['law']:32}{apart}")
    return "\n".join(lines)


FIGURE2 = Experiment(
    "figure2",
    "n_11 of a 2 x 2 table under permutations, against hypergeometric and binomial laws",
    ("draws",),
    _figure2_tasks,
    _figure2_work,
    _figure2_said,
    (("samples", SAMPLES), ("first class", FIRST_CLASS), ("first value", FIRST_VALUE)),
)
EXPERIMENTS = (TABLE3, FIGURE2)
