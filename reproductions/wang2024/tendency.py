"""Figure 3 of wang2024: which of two features a criterion chooses, and which of the two predicts better.

A feature starts as the label; then a share ``p`` of the samples is drawn anew, uniformly from its ``r`` values. The
paper calls two features with the same ``p`` equally consistent. They are not: a value drawn anew hits the label with
probability ``1 / r``, and shows that it was drawn anew if it is not among the labels. So beside the two criteria stands
what a node that branches on the feature would predict, judged on the whole population (there ties count as half).

Main definitions: ``EXPERIMENTS`` (``figure3``), ``PANELS``, ``population``.
Source: wang2024, Section 4 and Figure 3.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.nulls import gini_gain, sgini

from ..results import Row
from ..runner import Experiment, Options, Task

Array = NDArray[Any]
SIZES = (30, 70)  # samples of the classes 1 and 2
VALUES = 3  # of the first feature
MOST = 50  # values of the second
REPETITIONS = 300
PANELS = {
    "a": (0.3, 1.0), "b": (0.7, 1.0), "c": (1.0, 0.3), "d": (1.0, 0.8),
    "e": (0.5, 0.5), "f": (1.0, 1.0), "g": (0.3, 0.4), "h": (0.4, 0.3),
}  # fmt: skip
CHOOSERS = ("Gini", "SGini", "predicts better")
EQUAL = 1e-12  # scores nearer than this are the same number, summed in another order


def sampled(p: float, values: int, repetitions: int, rng: np.random.Generator) -> Array:
    """Tables ``(repetitions, values, 2)`` of a feature of which a share ``p``, exactly, was drawn anew."""
    labels, size = np.repeat((0, 1), SIZES), sum(SIZES)
    places = rng.permuted(np.tile(np.arange(size), (repetitions, 1)), axis=1)
    anew = places < round(p * size)
    feature = np.where(anew, rng.integers(0, values, (repetitions, size)), labels)
    cells = (np.arange(repetitions)[:, None] * values + feature) * 2 + labels
    return np.bincount(cells.ravel(), minlength=repetitions * values * 2).reshape(repetitions, values, 2)


def population(p: float, values: int) -> Array:
    """The probability ``(values, 2)`` of each value with each class, the law that is sampled."""
    share = np.array(SIZES) / sum(SIZES)
    pure = np.zeros((values, 2))
    pure[[0, 1], [0, 1]] = 1 - p
    return np.asarray((pure + p / values) * share)


def predictive(tables: Array, law: Array) -> Array:
    """How often the most frequent class of each value is right; of equal ones that with more samples in all."""
    second = tables[..., 1] >= tables[..., 0]
    return np.asarray(np.where(second, law[:, 1], law[:, 0]).sum(axis=-1))


def population_gain(law: Array) -> float:
    """The Gini gain of a joint law."""
    return float((law**2 / law.sum(axis=1, keepdims=True)).sum() - (law.sum(axis=0) ** 2).sum())


def chosen(ahead: Array, ties: float) -> float:
    """The share of numbers above 0, those that are 0 counted as given: the figure counts them whole."""
    return float(np.mean(np.where(np.abs(ahead) <= EQUAL, ties, ahead > 0)))


def _tasks(options: Options) -> list[Task]:
    repeats = options.runs(REPETITIONS, quick=20)
    values = (3, 10, 25, 50) if options.quick else range(VALUES, MOST + 1)
    return [{"panel": panel, "r2": r2, "repetitions": repeats} for panel in PANELS for r2 in values]


def _work(task: Task, options: Options, rng: np.random.Generator) -> list[Row]:
    """The shares of repetitions in which the first feature scores at least as much as the second."""
    features = [(p, r) for p, r in zip(PANELS[task["panel"]], (VALUES, task["r2"]), strict=True)]
    tables = [sampled(p, r, task["repetitions"], rng) for p, r in features]
    joint = [population(p, r) for p, r in features]
    right = [predictive(t, law) for t, law in zip(tables, joint, strict=True)]
    scores = ([gini_gain(t) for t in tables], [sgini(t) for t in tables], right)
    gains = [population_gain(law) for law in joint]
    return [
        {
            "chooser": chooser,
            "first": chosen(one - other, ties=1.0 if chooser != CHOOSERS[2] else 0.5),
            "population gain 1": gains[0], "population gain 2": gains[1],
            "accuracy 1": float(right[0].mean()), "accuracy 2": float(right[1].mean()),
        }
        for chooser, (one, other) in zip(CHOOSERS, scores, strict=True)
    ]  # fmt: skip


def _said(rows: list[Row], options: Options) -> str:
    """The shares at a few numbers of values."""
    by_place = {(r["panel"], r["r2"], r["chooser"]): r for r in rows}
    columns = [r2 for r2 in (3, 10, 25, 30, 50) if ("a", r2, "Gini") in by_place]
    lines = ["share of repetitions in which A1 scores at least as much; r2 = " + ", ".join(map(str, columns))]
    for panel, (p1, p2) in PANELS.items():
        for chooser in CHOOSERS:
            shares = " ".join(f"{by_place[panel, r2, chooser]['first']:5.2f}" for r2 in columns)
            lines.append(f"({panel}) p = {p1:g}, {p2:g}  {chooser:16}{shares}")
    return "\n".join(lines)


FIGURE3 = Experiment(
    "figure3",
    "which of two features Gini and SGini choose, as the second gets more values",
    ("panel", "r2", "repetitions"),
    _tasks,
    _work,
    _said,
    (("class sizes", SIZES), ("values of A1", VALUES), ("drawn anew", "an exact share of the samples, uniformly")),
)
EXPERIMENTS = (FIGURE3,)
