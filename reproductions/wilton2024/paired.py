"""Differences of runs that learnt from the same noisy labels, and what they can show.

Main definitions: ``differences``, ``means_of``, ``settled``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..plots.panels import grouped
from ..power import runs_needed
from ..results import Row
from ..tables import textual

PLACE = ("data", "task", "noise")


def differences(rows: list[Row], name: str, first: Any, second: Any, of: str = "accuracy") -> list[Row]:
    """Run by run, an entry where ``name`` is ``first`` less where it is ``second``.

    Examples
    --------
    >>> place = {"data": "a", "task": "b", "noise": 0, "run": 0}
    >>> rows = [place | {"m": "u", "accuracy": 3}, place | {"m": "v", "accuracy": 1}]
    >>> differences(rows, "m", "u", "v")
    [{'data': 'a', 'task': 'b', 'noise': '0', 'run': 0, 'difference': 2}]
    """
    place = (*PLACE, "run")
    at = {(*(row[key] for key in place), row[name]): row[of] for row in textual(rows)}
    return [
        dict(zip(place, key[:-1], strict=True)) | {"difference": value - at[(*key[:-1], second)]}
        for key, value in at.items()
        if key[-1] == first and (*key[:-1], second) in at
    ]


def means_of(rows: list[Row], *by: str) -> list[float]:
    """The mean difference of each combination of some entries."""
    return [float(np.mean([row["difference"] for row in mine])) for mine in grouped(rows, *by).values()]


def settled(rows: list[Row], points: float = 1.0) -> Row:
    """The mean of differences, how they vary, and how many would find a difference of some points.

    Runs of a cell (a problem with a noise) share rows and differ in noise and seed; their deviation is pooled over
    cells. Problems (a data set with a task) differ in all; theirs is that of means over noises. A number is None where
    nothing varies.
    """
    cells = [[row["difference"] for row in mine] for mine in grouped(rows, *PLACE).values()]
    problems = means_of(rows, *PLACE[:2])
    over_runs = float(np.sqrt(np.mean([np.var(cell, ddof=1) for cell in cells if len(cell) > 1])))
    over_problems = float(np.std(problems, ddof=1))
    return {
        "mean": float(np.mean(problems)), "runs": min(map(len, cells)), "over_runs": over_runs,
        "runs_needed": _needed(over_runs, points), "problems": len(problems), "over_problems": over_problems,
        "problems_needed": _needed(over_problems, points),
    }  # fmt: skip


def _needed(deviation: float, points: float) -> int | None:
    return runs_needed(deviation, difference=points) if deviation > 0 else None
