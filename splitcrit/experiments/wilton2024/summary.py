"""Means over runs beside the printed numbers, the paper's bold rule, and ranks over data sets.

Main definitions: ``printed_cells``, ``summarised``, ``bold``, ``ranked``, ``averaged``, ``pivoted``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.experiments.comparing import critical_difference
from splitcrit.experiments.printed import printed
from splitcrit.experiments.results import Row
from splitcrit.experiments.wilton2024.learners import METHODS
from splitcrit.experiments.wilton2024.problems import DATA, NEAR, NOISES, TASKS

MODEL = {"trees": "DT", "forests": "RF"}
NAMES = {"mushrooms": "Mushrooms", "mnist": "MNIST"}
FEWEST = 3  # data sets that ranks are averaged over
BOLD_LEVEL = 0.9875  # of one side: this reproduces 1087 of the 1092 printed marks


def printed_cells() -> list[Row]:
    """Return the printed cells of Tables 2 to 5."""
    numbers = ("mean_acc_pct", "mean"), ("two_sd_pct", "two_sd")
    rows: list[Row] = [dict(row) for row in printed("wilton2024_tables")]
    return [row | {name: float(row[of]) for of, name in numbers} | {"bold": row["bold"] == "1"} for row in rows]


def printed_noise(noise: str) -> str:
    """Return what the printed tables call a noise; both orders of a pair are one column there.

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


def textual(rows: list[Row]) -> list[Row]:
    """Return rows with their noise as text, which a file of results gives back as a number."""
    return [row | {"noise": str(row["noise"])} for row in rows]


def averaged(rows: list[Row], by: tuple[str, ...], values: tuple[str, ...]) -> list[Row]:
    """Return a row for each combination of ``by`` in order of appearance, with its number of runs and means."""
    cells: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        cells.setdefault(tuple(row[name] for name in by), []).append(row)
    found = []
    for key, cell in cells.items():
        about = dict(zip(by, key, strict=True)) | {"runs": len({row["run"] for row in cell})}
        found.append(about | {name: _mean([row[name] for row in cell]) for name in values})
    return found


def _mean(values: list[Any]) -> float | None:
    present = [value for value in values if value is not None]
    return float(np.mean(present)) if present else None


def in_order(row: Row) -> tuple[Any, ...]:
    """Return the place of a row: task, data set, noise, method, each in the order of the experiment."""
    data = list(DATA).index(row["data"]) if row["data"] in DATA else 0
    noise = NOISES[row["task"]].index(str(row["noise"]))
    return TASKS.index(row["task"]), data, noise, METHODS.index(row["method"]) if "method" in row else 0


def summarised(rows: list[Row], name: str) -> list[Row]:
    """Return mean, two deviations and mark of each cell, and the printed ones."""
    known = {
        (r["dataset"], r["task"], r["noise"], r["criterion"]): r for r in printed_cells() if r["model"] == MODEL[name]
    }  # fmt: skip
    rows = textual(rows)
    cells = averaged(rows, ("data", "task", "noise", "method"), ("accuracy", "leaves"))
    spread: dict[tuple[Any, ...], list[float]] = {}
    for row in rows:
        spread.setdefault(_cell(row), []).append(row["accuracy"])
    for cell in cells:
        values = spread[_cell(cell)]
        cell["two_sd"] = 2 * float(np.std(values, ddof=1)) if len(values) > 1 else None
        beside = known.get((NAMES.get(cell["data"]), cell["task"], printed_noise(cell["noise"]), cell["method"]))
        cell["printed"], cell["printed_two_sd"] = (beside["mean"], beside["two_sd"]) if beside else (None, None)
    columns: dict[tuple[Any, ...], list[Row]] = {}
    for cell in cells:
        columns.setdefault(_cell(cell)[:3], []).append(cell)
    for column in columns.values():
        marks = bold([c["accuracy"] for c in column], [c["two_sd"] for c in column], column[0]["runs"])
        for cell, mark in zip(column, marks, strict=True):
            cell["bold"] = mark
    return sorted(cells, key=in_order)


def _cell(row: Row) -> tuple[Any, ...]:
    return row["data"], row["task"], row["noise"], row["method"]


def bold(means: list[float], two_sds: list[float | None], runs: int) -> list[bool]:
    """Return which methods the paper would print bold: those whose interval meets that of the best mean.

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
    """Return, for each task and noise, the average ranks over data sets, Friedman's p-value and the difference.

    Only data sets with all methods take part; of Twoing and MSE, which are one criterion for two classes, both.
    """
    found = []
    for task in TASKS:
        for noise in NOISES[task]:
            scores: dict[str, dict[str, float]] = {}
            for cell in cells:
                if (cell["task"], cell["noise"]) == (task, noise):
                    scores.setdefault(cell["data"], {})[cell["method"]] = cell["accuracy"]
            names = [m for m in METHODS if any(m in row for row in scores.values())]
            whole = [[row[m] for m in names] for row in scores.values() if len(row) == len(names)]
            if len(whole) < FEWEST:
                continue
            test = critical_difference(np.round(np.array(whole), 9), names)
            about = {"task": task, "noise": noise, "sets": len(whole), "pvalue": test.pvalue, "distance": test.distance}
            found.append(about | {m: dict(zip(names, test.ranks, strict=True)).get(m) for m in METHODS})
    return found


def pivoted(rows: list[Row], down: tuple[str, ...], across: str, cell: Any) -> str:
    """Return Markdown: a line for each combination of ``down`` with its runs, a column for each value of ``across``."""
    heads = list(dict.fromkeys(row[across] for row in rows))
    lines: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        lines.setdefault(tuple(row[name] for name in down), []).append(row)
    counted = "runs" in rows[0]
    found = ["| " + " | ".join([*down, *["runs"] * counted, *map(str, heads)]) + " |"]
    found.append("|" + "---|" * (len(down) + counted) + "---:|" * len(heads))
    for key, mine in lines.items():
        at = {row[across]: row for row in mine}
        texts = [cell(at[head]) if head in at else "" for head in heads]
        runs = [_span([row["runs"] for row in mine])] if counted else []
        found.append("| " + " | ".join([*map(str, key), *runs, *texts]) + " |")
    return "\n".join(found)


def _span(counts: list[int]) -> str:
    return f"{min(counts)}" if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"
