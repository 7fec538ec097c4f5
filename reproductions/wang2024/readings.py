"""What the results say beside the printed cells: how near they are, what an open choice moves, what a run can find.

Accuracies are in points here, hundredths.

Main definitions: ``nearness``, ``ratios``, ``implied``, ``moved``, ``against``, ``behind``.
Source: wang2024, Section 5.
"""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Any

import numpy as np

from ..comparing import TIE
from ..plots.panels import grouped
from ..power import runs_needed
from ..printed import printed
from ..results import Row
from .cells import AS_PRINTED, OURS, PRINTED_SPLITS
from .samples import SETS, TEST

HALF = 0.005  # of the last printed digit
NEAR = 0.02  # accuracies are printed to two places, with deviations of about that


def nearness(cells: list[Row]) -> list[Row]:
    """For each measure how many cells are near the printed ones, and the median difference.

    ``within .02`` counts differences up to that, ``within two errors`` those up to two standard errors.
    """
    rows = []
    for (measure,), mine in grouped([c for c in cells if c["difference"] is not None], "measure").items():
        apart = [abs(c["difference"]) for c in mine]
        sure = [c for c in mine if c["standard error"] is not None]
        rows.append({
            "measure": measure, "cells": len(mine), "within .02": sum(x <= NEAR + TIE for x in apart),
            "within two errors": sum(abs(c["difference"]) <= 2 * c["standard error"] + TIE for c in sure),
            "median difference": median(c["difference"] for c in mine),
        })  # fmt: skip
    return rows


def ratios(cells: list[Row]) -> dict[str, tuple[float, int]]:
    """For both definitions of nodes per layer the median of ours over the printed one, and of how many cells."""
    medians = {}
    for measure in (*AS_PRINTED.values(), *AS_PRINTED):
        mine = [c["mean"] / c["printed"] for c in cells if c["measure"] == measure and c["difference"] is not None]
        medians[measure] = (median(mine), len(mine)) if mine else (float("nan"), 0)
    return medians


def implied(cells: list[Row]) -> list[Row]:
    """The agreement by chance that each printed accuracy and pure accuracy imply together, at the least.

    By eq. (31) it is ``1 - (1 - Acc) / (1 - PAcc)``. A mean of the shares of classes, it is at most the ``largest``;
    the least is that of all numbers that are rounded to the printed ones. The ``error`` is the standard error of that
    share in the test rows, drawn without replacement, in the mean of the printed splits.
    """
    about = {SETS[int(row["set"]) - 1]: row for row in printed("wang2024_table4")}
    shown = {(c["measure"], c["set"], c["method"]): c["printed"] for c in cells if c["printed"] is not None}
    rows = []
    for (measure, one, method), accuracy in shown.items():
        pure = shown.get(("pure accuracy", one, method))
        if measure == "accuracy" and pure is not None:
            least = 1 - (1 - accuracy + HALF) / (1 - pure - HALF)
            share, tested = float(about[one]["largest class %"]) / 100, TEST * int(about[one]["objects"])
            error = float(np.sqrt(share * (1 - share) * (1 - TEST) / tested / PRINTED_SPLITS))
            rows.append({"set": one, "method": method, "least": least, "largest": share, "error": error})
    return rows


def moved(varied: list[Row], main: list[Row], cells: list[Row]) -> list[Row]:
    """What each choice moves, on the splits that it has in common with the tables.

    Each row has the mean accuracy over methods as in the tables (``ours``), the ``printed`` one, the mean ``change`` in
    points with its standard error over splits, and the ``share`` of the way from ours to the printed one.
    """
    base = {(r["set"], r["noise"], r["split"], r["method"]): r["accuracy"] for r in main}
    known = {(c["noise"], c["set"], c["method"]): c["printed"] for c in cells if c["measure"] == "accuracy"}
    rows = []
    for (choice, noise, one), mine in grouped(varied, "choice", "noise", "set").items():
        pairs = [(r, base[key]) for r in mine if (key := (one, noise, r["split"], r["method"])) in base]
        if not pairs:
            continue
        changes = [
            float(np.mean([100 * (r["accuracy"] - before) for r, before in of_split]))
            for of_split in _by_split(pairs).values()
        ]
        ours = float(np.mean([100 * before for _, before in pairs]))
        shown = float(np.mean([100 * known[noise, one, r["method"]] for r, _ in pairs]))
        change, runs = float(np.mean(changes)), len(changes)
        error = float(np.std(changes, ddof=1) / np.sqrt(runs)) if runs > 1 else None
        about = {"choice": choice, "noise": noise, "set": one, "runs": runs, "ours": ours, "printed": shown}
        rows.append(about | {"change": change, "standard error": error, "share": change / (shown - ours)})
    return rows


def _by_split(pairs: list[tuple[Row, float]]) -> dict[Any, list[tuple[Row, float]]]:
    by_split: dict[Any, list[tuple[Row, float]]] = {}
    for row, before in pairs:
        by_split.setdefault(row["split"], []).append((row, before))
    return by_split


def against(rows: list[Row]) -> list[Row]:
    """SGini's accuracy less that of each rival, in points: mean and deviation over splits, and runs needed.

    ``runs needed`` is how many splits find a difference of one point with probability .8, in a two-sided t test at .05;
    of differences that never vary it is 2.
    """
    rivals = []
    for (noise, one), mine in grouped(rows, "noise", "set").items():
        at = {(r["method"], r["split"]): 100 * r["accuracy"] for r in mine}
        for rival in dict.fromkeys(r["method"] for r in mine if r["method"] != OURS):
            splits = [s for m, s in at if m == rival and (OURS, s) in at]
            apart = np.array([at[OURS, s] - at[rival, s] for s in splits])
            if len(apart) < 2:
                continue
            deviation = float(apart.std(ddof=1))
            needed = runs_needed(deviation) if deviation > TIE else 2
            about = {"noise": noise, "set": one, "rival": rival, "runs": len(apart), "mean": float(apart.mean())}
            rivals.append(about | {"deviation": deviation, "runs needed": needed})
    return rivals


def behind(groups: Mapping[str, Mapping[str, float]], first: str, second: str) -> dict[str, float]:
    """By how many points the first method is behind the second on each set, of mean accuracies by set."""
    return {one: 100 * (of[second] - of[first]) for one, of in groups.items()}
