"""Means over runs beside the printed numbers, the paper's bold rule, and ranks over data sets.

Main definitions: ``printed_cells``, ``with_print``, ``summarised``, ``bold``, ``ranked``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..comparing import critical_difference
from ..plots.panels import grouped
from ..printed import printed
from ..results import Row
from ..tables import averaged, textual
from .learners import METHODS
from .problems import DATA, NEAR, NOISES, TASKS

MODEL = {"trees": "DT", "forests": "RF"}
NAMES = {"mushrooms": "Mushrooms", "mnist": "MNIST"}
CELL = ("data", "task", "noise", "method")
FEWEST = 3  # data sets that ranks are averaged over
BOLD_LEVEL = 0.9875  # of one side: this reproduces 1087 of the 1092 printed marks


def printed_cells() -> list[Row]:
    """The printed cells of Tables 2 to 5."""
    numbers = ("mean_acc_pct", "mean"), ("two_sd_pct", "two_sd")
    rows: list[Row] = [dict(row) for row in printed("wilton2024_tables")]
    return [row | {name: float(row[of]) for of, name in numbers} | {"bold": row["bold"] == "1"} for row in rows]


def printed_noise(noise: str) -> str:
    """What the printed tables call a noise; both orders of a pair are one column there.

    Examples
    --------
    >>> printed_noise("20"), printed_noise("30/10")
    ('uniform 0.2', 'cc (0.1,0.3)')
    """
    if noise == NEAR:
        return "cc Mahalanobis (Alg 1)"
    if "/" not in noise:
        return f"uniform 0.{int(noise) // 10}"
    low, high = sorted(int(part) for part in noise.split("/"))
    return f"cc ({low / 100},{high / 100})"


def in_order(row: Row) -> tuple[Any, ...]:
    """The place of a row: task, data set, noise, method, each in the order of the experiment."""
    data = list(DATA).index(row["data"]) if row["data"] in DATA else 0
    noise = NOISES[row["task"]].index(str(row["noise"]))
    return TASKS.index(row["task"]), data, noise, METHODS.index(row["method"]) if "method" in row else 0


def with_print(rows: list[Row], by: tuple[str, ...], model: str) -> list[Row]:
    """Mean and two deviations of each cell of ``by``, and the printed ones of trees (DT) or forests (RF)."""
    known = {(r["dataset"], r["task"], r["noise"], r["criterion"]): r for r in printed_cells() if r["model"] == model}
    cells = averaged(textual(rows), by, ("accuracy", "leaves"), {"two_sd": "accuracy"})
    for cell in cells:
        cell["two_sd"] = None if cell["two_sd"] is None else 2 * cell["two_sd"]
        beside = known.get((NAMES.get(cell["data"]), cell["task"], printed_noise(cell["noise"]), cell["method"]))
        cell["printed"], cell["printed_two_sd"] = (beside["mean"], beside["two_sd"]) if beside else (None, None)
    return sorted(cells, key=in_order)


def summarised(rows: list[Row], name: str) -> list[Row]:
    """The cells of a table with the paper's mark."""
    cells = with_print(rows, CELL, MODEL[name])
    for column in grouped(cells, *CELL[:3]).values():
        marks = bold([c["accuracy"] for c in column], [c["two_sd"] for c in column], column[0]["runs"])
        for cell, mark in zip(column, marks, strict=True):
            cell["bold"] = mark
    return cells


def bold(means: list[float], two_sds: list[float | None], runs: int) -> list[bool]:
    """Which methods the paper would print bold: those whose interval meets that of the best mean.

    The paper does not print its rule; intervals ``mean +- t sd / sqrt(runs)``, with the quantile of ``BOLD_LEVEL`` of
    Student's t, give back 1087 of its 1092 marks. With one run, the best alone is marked.

    Examples
    --------
    >>> bold([90.0, 89.0, 80.0], [1.0, 1.0, 1.0], runs=5)
    [True, True, False]
    """
    from scipy.stats import t

    best = int(np.argmax(means))
    if runs < 2 or any(value is None for value in two_sds):
        return [mean == means[best] for mean in means]
    wide = float(t.ppf(BOLD_LEVEL, runs - 1)) / np.sqrt(runs) / 2 * np.array(two_sds, dtype=float)
    return [bool(mark) for mark in np.array(means) + wide >= means[best] - wide[best]]


def ranked(cells: list[Row]) -> list[Row]:
    """For each task and noise, the average ranks over data sets, Friedman's p-value and the difference.

    Only data sets with all methods take part; of Twoing and MSE, which are one criterion for two classes, both.
    """
    ranks = []
    for task in TASKS:
        for noise in NOISES[task]:
            mine = grouped([cell for cell in cells if (cell["task"], cell["noise"]) == (task, noise)], "data")
            scores = [{cell["method"]: cell["accuracy"] for cell in of_data} for of_data in mine.values()]
            names = [m for m in METHODS if any(m in row for row in scores)]
            whole = [[row[m] for m in names] for row in scores if len(row) == len(names)]
            if len(whole) < FEWEST:
                continue
            test = critical_difference(np.round(np.array(whole), 9), names)
            about = {"task": task, "noise": noise, "sets": len(whole), "pvalue": test.pvalue, "distance": test.distance}
            ranks.append(about | {m: dict(zip(names, test.ranks, strict=True)).get(m) for m in METHODS})
    return ranks
