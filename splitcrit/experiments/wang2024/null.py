"""Table 3, Figures 2 and 3 of wang2024: features without labels behind them, or with some.

Main definitions: ``EXPERIMENTS`` (``table3``).
Source: wang2024, Sections 2 to 4.
"""

from __future__ import annotations

import numpy as np

from splitcrit.criteria import decrease
from splitcrit.experiments.results import Row
from splitcrit.experiments.runner import Experiment, Options, Task
from splitcrit.experiments.wang2024.printed import printed
from splitcrit.impurities import gini
from splitcrit.moments import gini_null, sgini
from splitcrit.table import Table

LABELS = "1111222222"  # Table 3: the class of x1, ..., x10, and the value of each feature
FEATURES = {"a": "1112222222", "b": "1122222222", "b'": "1122223333"}
READINGS = ("feature by class", "class by feature")


def _table3_tasks(options: Options) -> list[Task]:
    return [{"feature": feature, "reading": reading} for feature in FEATURES for reading in READINGS]


def _table3_work(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """Return the Gini gain and SGini of a feature, with its values as rows or, exchanged, as classes."""
    pair = [np.array(list(FEATURES[task["feature"]])), np.array(list(LABELS))]
    table = Table.of(*(pair if task["reading"] == READINGS[0] else pair[::-1]))
    shown = {row["feature"]: row for row in printed(3)}.get(task["feature"], {})
    gain = decrease(gini).exact(table)
    null = gini_null(table.counts.sum(axis=1), table.counts.sum(axis=0), exact=True)
    exact = {"Gini": str(gain), "SGini": f"{gain - null.mean} / sqrt({null.variance})"}
    ours = {"Gini": float(gain), "SGini": float(sgini(table))}
    return [{"measure": m, "exact": exact[m], "ours": ours[m], "printed": _number(shown.get(m))} for m in ours]


def _number(cell: str | None) -> float | None:
    return float(cell) if cell else None


def _table3_said(rows: list[Row], options: Options) -> str:
    """Return the cells beside the printed ones, and which reading gives those."""
    lines = [f"{'feature':8}{'reading':18}{'measure':8}{'ours':>9}{'printed':>9}"]
    for row in rows:
        shown = "" if row["printed"] is None else f"{row['printed']:.4f}"
        lines.append(f"{row['feature']:8}{row['reading']:18}{row['measure']:8}{row['ours']:9.4f}{shown:>9}")
    for reading in READINGS:
        mine = [row for row in rows if row["reading"] == reading and row["printed"] is not None]
        same = sum(f"{row['ours']:.4f}" == f"{row['printed']:.4f}" for row in mine)
        lines.append(f"{reading}: {same} of {len(mine)} printed cells, to all digits")
    return "\n".join(lines)


TABLE3 = Experiment(
    "table3",
    "Gini gain and SGini of the features a, b and b', read both ways",
    ("feature", "reading"),
    _table3_tasks,
    _table3_work,
    _table3_said,
)
EXPERIMENTS = (TABLE3,)
