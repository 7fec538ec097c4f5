"""Figure 1 of ghosh2017: how large leaves, and how many samples, the 2 x 2 checkerboard needs under noise.

Panel (a) learns from 20 000 samples with leaves of at least 1 to 250. Panel (b) learns trees from 100 to 10 000
samples; the paper prints no leaf size for it, so four fixed sizes and two that grow with the samples are run.

Main definitions: ``FIGURE1``, ``curves``, ``needed``, ``growth``.
Source: ghosh2017, Section 4.3 and Lemma 7.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..datasets import checkerboard
from ..results import Row, save_summary
from ..runner import Experiment, Options, Task
from ..tables import averaged, table, textual
from ..trials import Trial
from ..verdicts import Interval, bootstrap_interval
from .learners import grown
from .problems import NOISES, channel

Array = NDArray[Any]
TRAIN, TEST, RUNS = 20_000, 5_000, 6
LEAVES = (1, 5, 10, 25, 50, 100, 150, 200, 250)
SIZES = (100, 150, 200, 300, 400, 500, 700, 1000, 1400, 2000, 2800, 4000, 5600, 8000, 10_000)
RULES = {"10": 10, "25": 25, "50": 50, "100": 100, "n/16": 1 / 16, "n/32": 1 / 32}  # a number, or a share of n
TARGET = 95.0
PRINTED = {"20": 400, "40": 4000}  # Section 4.3: the samples that reach it, by noise
KEYS = ("panel", "method", "leaves", "noise", "run")


def tasks(options: Options) -> list[Task]:
    """List the tasks: a curve of one run each."""
    runs = range(options.runs(RUNS))
    noises = ("0", "40") if options.quick else NOISES[:-1]
    left = [("a", method, "1 to 250") for method in ("Gini", "RF")]
    curves = left + [("b", "Gini", rule) for rule in RULES]
    return [
        {"panel": panel, "method": method, "leaves": leaves, "noise": noise, "run": run}
        for run in runs
        for panel, method, leaves in curves
        for noise in noises
    ]


def work(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """Learn along one curve; the points of a run in (b) are the first ``n`` of the same samples."""
    most = TRAIN // (10 if options.quick else 1)
    X, y = checkerboard(most + TEST, rng=rng)
    halves = np.arange(most), np.arange(most, most + TEST)
    trial = Trial(X, y, halves, channel=channel(task["noise"]), rng=rng)
    sizes = SIZES[::4] if options.quick else SIZES
    along = [(most, leaf) for leaf in LEAVES[:: 4 if options.quick else 1]]
    if task["panel"] == "b":
        along = [(n, _leaf(RULES[str(task["leaves"])], n)) for n in sizes if n <= most]
    rows = []
    for n, leaf in along:
        model = grown(task["method"], leaf, int(rng.integers(2**31))).fit(trial.X[:n], trial.y[:n])
        rows.append({"n": n, "leaf": leaf, "accuracy": 100 * trial.accuracy(model.predict)})
    return rows


def _leaf(rule: float, n: int) -> int:
    return int(rule * n) if rule < 1 else int(rule)


def curves(rows: list[Row]) -> list[Row]:
    """The mean over runs of every point of every curve."""
    names, rules = ("panel", "method", "leaves", "noise", "n", "leaf"), ["1 to 250", *RULES]
    rows = [row | {"leaves": str(row["leaves"])} for row in textual(rows)]
    points = averaged(rows, names, ("accuracy",), {"std": "accuracy"}, ddof=0)
    return sorted(points, key=lambda row: (rules.index(row["leaves"]), *(row[name] for name in names)))


def needed(means: list[Row]) -> list[Row]:
    """For each leaf rule and noise of (b), the smallest ``n`` whose mean accuracy reaches 95 %.

    Beside it stands what Lemma 7's ``(1 - 2 eta)^-2`` makes of the ``n`` at 20 % noise, as the paper compares.
    """
    reached: dict[tuple[str, str], int | None] = {}
    for row in means:
        if row["panel"] == "b":
            key, met = (row["leaves"], row["noise"]), row["accuracy"] >= TARGET
            reached[key] = reached.get(key) or (row["n"] if met else None)
    return [
        {"leaves": leaves, "noise": noise, "n": n, "by_law": _by_law(reached.get((leaves, "20")), noise)}
        for (leaves, noise), n in reached.items()
    ]


def _by_law(at_twenty: int | None, noise: str) -> float | None:
    return None if at_twenty is None else at_twenty * ((1 - 2 * 0.2) / (1 - 2 * int(noise) / 100)) ** 2


def growth(rows: list[Row]) -> dict[str, Interval]:
    """How many times the samples of 20 % noise 40 % takes, for each leaf rule whose mean reaches 95 % at both.

    Runs at either noise are drawn anew, independently, since each has samples of its own.
    """
    at: dict[tuple[str, str, int], dict[int, float]] = {}
    for row in textual(rows):
        if row["panel"] == "b" and row["noise"] in PRINTED:
            at.setdefault((str(row["leaves"]), row["noise"], row["run"]), {})[row["n"]] = row["accuracy"]
    sizes = np.array(sorted({n for curve in at.values() for n in curve}))

    def times(few: Array, many: Array) -> float:
        return float(_reached(sizes, many) / _reached(sizes, few))

    intervals = {}
    for rule in RULES:
        runs = [np.array([[at[key][n] for n in sizes] for key in at if key[:2] == (rule, noise)]) for noise in PRINTED]
        if all(len(curves) and np.isfinite(_reached(sizes, curves)) for curves in runs):
            intervals[rule] = bootstrap_interval(times, *runs)
    return intervals


def _reached(sizes: Array, runs: Array) -> float:
    """The smallest size at which the mean over runs reaches 95 %, infinity if none does."""
    met = np.flatnonzero(runs.mean(axis=0) >= TARGET)
    return float(sizes[met[0]]) if met.size else np.inf


def finish(rows: list[Row], options: Options) -> str:
    """Write the curves and the sizes that are needed."""
    means = curves(rows)
    sizes = needed(means)
    save_summary(means, options.out / "figure1_curves.csv")
    save_summary(sizes, options.out / "figure1_needed.csv")
    return shown_sizes(sizes)


def shown_sizes(sizes: list[Row]) -> str:
    """The sizes that are needed as Markdown."""
    lines = []
    for row in sizes:
        n = "not reached" if row["n"] is None else row["n"]
        law = "" if row["by_law"] is None else f"{row['by_law']:.0f}"
        lines.append((row["leaves"], f"{row['noise']} %", n, law))
    return table(("leaves of at least", "noise", "n for 95 %", "by the law, from n at 20 %"), lines)


FIGURE1 = Experiment(
    "figure1", "accuracy against leaf size and against the number of samples", KEYS, tasks, work, finish,
    (("train", TRAIN), ("test", TEST)),
)  # fmt: skip
