"""Means beside the printed numbers, and what tests say of their differences.

The paper marks a difference by the paired t test at 5 %, over the folds of all runs or over the means of runs. Folds
share training rows, so neither has independent pairs; the corrected resampled t test allows for it. Over data sets,
whose results are independent, stand Friedman's test, Nemenyi's difference, Wilcoxon's test and the sign test.

Main definitions: ``table3``, ``known_of``, ``summarised``, ``compared``, ``ranges``, ``tally``, ``OverSets``,
``over_sets``.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..comparing import (
    CriticalDifference,
    average_ranks,
    corrected_t,
    critical_difference,
    paired_t,
    record,
    sign_test,
)
from ..plots.panels import grouped
from ..power import runs_needed
from ..printed import printed
from ..results import Row
from ..tables import beside_printed
from .problems import FOLDS, KNOWN
from .stopping import CRITERIA

Array = NDArray[Any]
Key = tuple[Any, ...]  # data, both rates and method
OURS, *RIVALS = CRITERIA
NAMES = {"ours": OURS, "gini": "Gini", "information gain": "information gain"}
RULES = ("over folds", "over runs", "corrected")


def table3() -> dict[Key, Row]:
    """Every cell of Table III, in percent, by data, both rates and method."""
    return {
        (r["data"], float(r["tau_neg"]), float(r["tau_pos"]), NAMES[r["method"]]): {
            "accuracy": 100 * float(r["accuracy"]), "std": 100 * float(r["std"]), "mark": r["mark"],
        }
        for r in printed("yang2019_table3")
    }  # fmt: skip


def known_of(experiment: str) -> dict[Key, Row]:
    """The printed cells that an experiment repeats: those of Table III are of forests."""
    return table3() if experiment in ("table3", "sampled") else {}


def cells(rows: list[Row]) -> dict[Key, list[Row]]:
    """The rows of each cell, by run and fold; of each problem those judged by one size of inner forests.

    It is the one with the most rows, the larger of two that have as many.
    """
    count = Counter((row["data"], row.get("inner") or 0) for row in rows)
    inner = {data: max((n, trees) for (name, trees), n in count.items() if name == data)[1] for data, _ in count}
    chosen = [row for row in rows if (row.get("inner") or 0) == inner[row["data"]]]
    chosen.sort(key=lambda row: (_place(row), row["run"], row["fold"]))
    return grouped(chosen, "data", "tau_neg", "tau_pos", "method")


def _place(row: Row) -> tuple[int, float, float, int]:
    data, method = list(KNOWN), list(CRITERIA)
    return data.index(row["data"]), row["tau_pos"], row["tau_neg"], method.index(row["method"])


def summarised(rows: list[Row], columns: tuple[str, ...] = (), *, known: dict[Key, Row]) -> list[Row]:
    """A row for each problem, noise and method: means over folds and runs, in percent, and the known mean."""
    mean_rows = []
    for key, mine in cells(rows).items():
        ours = _percent(mine)
        mean_rows.append(
            dict(zip(("data", "tau_neg", "tau_pos", "method"), key, strict=True))
            | {
                "runs": len({row["run"] for row in mine}),
                "accuracy": float(ours.mean()),
                "std": float(ours.std(ddof=1)),
            }
            | {"accuracy_shifted": float(100 * np.mean([row["accuracy_shifted"] for row in mine]))}
            | {name: float(np.mean([row[name] for row in mine])) for name in columns}
            | beside_printed(float(ours.mean()), known.get(key))
        )
    return mean_rows


def compared(rows: list[Row], *, known: dict[Key, Row]) -> list[Row]:
    """A row for each problem, noise and rival: our mean less the rival's in points, p-values and marks.

    Beside the difference stand its standard deviation over runs, and how many runs find a difference of one point.
    """
    mine, rows_out = cells(rows), []
    for key in (key for key in mine if key[3] == OURS):
        for rival in RIVALS:
            ours, theirs = (_percent(mine[*key[:3], method]) for method in (OURS, rival))
            about = known.get((*key[:3], rival))
            row = {"data": key[0], "tau_neg": key[1], "tau_pos": key[2], "rival": rival}
            row |= _tested(ours, theirs, np.array([row["run"] for row in mine[key]]))
            rows_out.append(row | {"printed apart": about and known[key]["accuracy"] - about["accuracy"]}
                         | {"printed mark": about and about["mark"]})  # fmt: skip
    return rows_out


def _percent(rows: list[Row]) -> Array:
    return 100 * np.array([row["accuracy"] for row in rows])


def _tested(ours: Array, theirs: Array, runs: Array) -> Row:
    """The difference of two criteria in the same folds, what it varies by over runs, p-values and marks."""
    each, apart = np.unique(runs), float(np.mean(ours - theirs))
    means = [np.array([values[runs == run].mean() for run in each]) for values in (ours, theirs)]
    deviation = float(np.std(means[0] - means[1], ddof=1)) if len(each) > 1 else None
    over_runs = paired_t(*means) if len(each) > 1 else None
    corrected = corrected_t(ours, theirs, test_share=1 / (FOLDS - 1))
    p = dict(zip(RULES, (paired_t(ours, theirs), over_runs, corrected), strict=True))
    row = {"runs": len(each), "apart": apart, "deviation": deviation}
    row["runs for one point"] = runs_needed(deviation) if deviation else None
    return row | {f"p {rule}": p[rule] for rule in RULES} | {f"mark {rule}": _mark(apart, p[rule]) for rule in RULES}


def _mark(apart: float, pvalue: float | None) -> str | None:
    if pvalue is None:
        return None
    return "tie" if pvalue >= 0.05 else "win" if apart > 0 else "loss"


def ranges(means: list[Row]) -> dict[tuple[float, float], float]:
    """For each noise, the largest less the smallest mean of the criteria on a problem, averaged over problems.

    Examples
    --------
    >>> known = {"data": "sonar", "tau_neg": 0.1, "tau_pos": 0.3}
    >>> ranges([known | {"accuracy": value} for value in (80.0, 83.0, 81.0)])
    {(0.1, 0.3): 3.0}
    """
    spans: dict[tuple[float, float], list[float]] = {}
    for (tau_neg, tau_pos, _), mine in grouped(means, "tau_neg", "tau_pos", "data").items():
        spans.setdefault((tau_neg, tau_pos), []).append(float(np.ptp([row["accuracy"] for row in mine])))
    return {noise: float(np.mean(each)) for noise, each in spans.items()}


def tally(rows: list[Row], column: str) -> str:
    """Wins / ties / losses of a column of marks, as the paper writes them; nothing where there is no mark."""
    count = Counter(row[column] for row in rows if row[column])
    return "" if not count else "/".join(str(count[mark]) for mark in ("win", "tie", "loss"))


@dataclass(frozen=True)
class OverSets:
    """Tests over data sets under one noise: ranks, and the p-values of pairwise gain against each rival."""

    noise: tuple[float, float]
    sets: int
    ranks: CriticalDifference
    wilcoxon: dict[str, float]
    sign: dict[str, float]
    median: dict[str, float]
    larger: dict[str, int]


def over_sets(means: list[Row], noise: tuple[float, float], column: str = "accuracy") -> OverSets:
    """The tests of a column of means, the larger the better, over the data sets run under a noise."""
    from scipy.stats import wilcoxon

    here = {(r["data"], r["method"]): r[column] for r in means if (r["tau_neg"], r["tau_pos"]) == noise}
    sets = list(dict.fromkeys(data for data, _ in here))
    scores = {method: np.array([here[data, method] for data in sets]) for method in CRITERIA}
    apart = {rival: np.round(scores[OURS] - scores[rival], 9) for rival in RIVALS}  # ties of floats are ties
    return OverSets(
        noise, len(sets), _ranked(np.stack(list(scores.values()), axis=1)),
        {rival: float(wilcoxon(d).pvalue) if d.any() else 1.0 for rival, d in apart.items()},
        {rival: min(1.0, 2 * min(sign_test(d, 0 * d), sign_test(0 * d, d))) for rival, d in apart.items()},
        {rival: float(np.median(d)) for rival, d in apart.items()},
        {rival: record(d, 0 * d)[0] for rival, d in apart.items()},
    )  # fmt: skip


def _ranked(scores: Array) -> CriticalDifference:
    """Friedman's test and the critical difference; of one data set there is none."""
    if len(scores) > 1:
        return critical_difference(scores, tuple(CRITERIA))
    return CriticalDifference(tuple(CRITERIA), tuple(map(float, average_ranks(scores))), 1.0, np.inf)
