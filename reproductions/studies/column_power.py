"""How often is a column found that tells the target: `split_test` beside ctree, F tests, rank tests and the best cut?

``python reproductions/studies/column_power.py power --minutes 30`` adds blocks of data sets to
docs/data/column_power.csv until the time is up or each design has 1,000; ``levels`` does the same for designs in which
nothing tells. All rules see the same data sets of six columns, the first of which tells, at .05 with Bonferroni's
correction. "best cut" is the exact law of two classes, by itself; "joint orders" is the best cut and normal scores
among 959 orders, shares .45 and .55, of two classes with the exact law of the best cut: see ``column_rivals``.

Main definitions: ``DESIGNS``, ``NOTHING``, ``power_block``; ``rejected``, ``far_below``, what came out.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from blocks import DATA, command, seed_of, study
from column_rivals import ctree, joint_orders
from scipy.stats import kruskal, spearmanr
from sklearn.feature_selection import f_classif, f_regression

from splitcrit.inference import split_test
from splitcrit.nulls import selected_pvalue

ALPHA, COLUMNS, SETS, ORDERS = 0.05, 6, 50, 959
RULES = ("split_test", "F", "ranks", "best cut", "ctree", "joint orders")
ALLOWED = 0.14, 0.03  # of the data sets
Rng = np.random.Generator


def logit(t: Any) -> Any:
    return 1 / (1 + np.exp(-t))


def normal(n: int, target: Callable[[Rng, Any], Any], rng: Rng) -> tuple[Any, Any]:
    x = rng.normal(size=(n, COLUMNS))
    return x, target(rng, x)


def coins(chance: Callable[[Any], Any], rng: Rng, x: Any) -> Any:
    return (rng.random(len(x)) < chance(x[:, 0])).astype(int)


def two(n: int, chance: Callable[[Any], Any]) -> Callable[[Rng], tuple[Any, Any]]:
    return partial(normal, n, partial(coins, chance))


def counted(rng: Rng) -> tuple[Any, Any]:
    x = rng.poisson(0.5, size=(150, COLUMNS)).astype(float)
    return x, coins(lambda t: np.minimum(0.4 + 0.2 * t, 0.95), rng, x)


def ten(rng: Rng) -> tuple[Any, Any]:
    x, y = rng.normal(size=(200, COLUMNS)), rng.integers(0, 10, 200)
    x[:, 0] += 0.12 * y
    return x, y


def alike(rng: Rng) -> tuple[Any, Any]:
    z = rng.normal(size=(100, 1))
    return 0.9 * z + 0.44 * rng.normal(size=(100, COLUMNS)), 0.3 * z[:, 0] + rng.normal(size=100)


DESIGNS: dict[str, Callable[[Rng], tuple[Any, Any]]] = {
    "two classes, linear, 150 rows": two(150, lambda t: logit(0.6 * t)),
    "two classes, linear, 50 rows": two(50, lambda t: logit(1.2 * t)),
    "two classes, a threshold": two(150, lambda t: 0.5 + 0.2 * np.sign(t)),
    "two classes, both ends": two(150, lambda t: np.where(abs(t) > 1, 0.75, 0.4)),
    "two classes, one tail": two(150, lambda t: np.where(t > 1.2, 0.85, 0.4)),
    "a class of 4 %, linear, 400 rows": two(400, lambda t: logit(-3.6 + 0.9 * t)),
    "two classes, zero-inflated count": counted,
    "three classes, trend": partial(
        normal, 150, lambda r, x: np.digitize(0.35 * x[:, 0] + r.normal(size=150), [-0.5, 0.5])
    ),
    "ten classes, shift": ten,
    "numbers, linear": partial(normal, 100, lambda r, x: 0.32 * x[:, 0] + r.normal(size=100)),
    "numbers, t(2) noise": partial(normal, 100, lambda r, x: 0.5 * x[:, 0] + r.standard_t(2, 100)),
    "numbers, six columns alike": alike,
    "numbers, spread": partial(normal, 100, lambda r, x: r.normal(size=100) * np.where(x[:, 0] > 0, 2, 1)),
}
NOTHING: dict[str, Callable[[Rng], tuple[Any, Any]]] = {
    "two classes": two(100, lambda t: np.full(len(t), 0.5)),
    "two classes, 7 rows": two(7, lambda t: np.full(len(t), 0.5)),
    "a class of 1 %, 400 rows": two(400, lambda t: np.full(len(t), 0.01)),
    "two classes, heavy ties": lambda r: (r.integers(0, 3, (60, COLUMNS)), r.integers(0, 2, 60)),
    "two classes, zero-inflated": lambda r: (
        r.normal(size=(80, COLUMNS)) * (r.random((80, COLUMNS)) < 0.2),
        r.integers(0, 2, 80),
    ),
    "two classes, Cauchy": lambda r: (r.standard_cauchy((80, COLUMNS)), r.integers(0, 2, 80)),
    "two classes, gaps": lambda r: (
        np.where(r.random((80, COLUMNS)) < 0.3, np.nan, r.normal(size=(80, COLUMNS))),
        r.integers(0, 2, 80),
    ),
    "ten classes": lambda r: (r.normal(size=(100, COLUMNS)), r.integers(0, 10, 100)),
    "three classes, exclusive dummies": lambda r: (np.eye(COLUMNS)[r.integers(0, COLUMNS, 100)], r.integers(0, 3, 100)),
    "three classes, shares that add to 1": lambda r: (r.dirichlet(np.ones(COLUMNS), 100), r.integers(0, 3, 100)),
    "numbers": partial(normal, 100, lambda r, x: r.normal(size=100)),
    "numbers, Cauchy": partial(normal, 100, lambda r, x: r.standard_cauchy(100)),
    "numbers, ties": lambda r: (r.integers(0, 4, (60, COLUMNS)), r.integers(0, 5, 60) / 2),
}


def exact_cuts(x: Any, y: Any) -> list[float]:
    """The exact p-value of the best cut of each column, of two classes."""
    return [float(selected_pvalue(column, y, missing="side")) for column in x.T]


def smallest(rule: str, x: Any, y: Any, seed: int) -> float:
    """The p-value of the smallest of six, corrected; nan where a rule has none."""
    numbers, two = y.dtype.kind == "f", len(np.unique(y)) == 2
    if rule == "split_test":
        return float(split_test(x, y, response="numbers" if numbers else "classes", random_state=seed).pvalue)
    if rule == "ctree":
        return ctree(x, y)
    if rule == "best cut":
        return COLUMNS * min(exact_cuts(x, y)) if two and not numbers else float("nan")
    if np.isnan(x).any():
        return float("nan")
    if rule == "joint orders":
        exact = exact_cuts(x, y) if two and not numbers else None
        return joint_orders(x, y, ORDERS, np.random.default_rng(seed), exact)
    if rule == "F":
        p = (f_regression if numbers else f_classif)(x, y)[1]
    elif numbers:
        p = [spearmanr(column, y).pvalue for column in x.T]
    else:
        p = [kruskal(*(column[y == k] for k in np.unique(y))).pvalue for column in x.T]
    return float(COLUMNS * np.nanmin(np.append(p, 1.0)))


def power_block(kind: str, design: str, block: int) -> dict[str, Any]:
    """How many of the data sets of a block each rule rejects, empty where it has no answer."""
    seed, rejections = seed_of(kind, design, block), dict.fromkeys(RULES, 0.0)
    design_of = (DESIGNS if kind == "power" else NOTHING)[design]
    for number in range(SETS):
        x, y = design_of(np.random.default_rng([seed, number]))
        if len(np.unique(y)) < 2:
            continue
        for rule in RULES:
            p = smallest(rule, x, y, number)
            rejections[rule] += p <= ALPHA + 1e-12 if p == p else p
    return {"seed": seed, "sets": SETS} | {rule: f"{x:.0f}" if x == x else "" for rule, x in rejections.items()}


def rejected() -> pd.DataFrame:
    """The share of data sets in which each rule rejects, by study and design."""
    sums = pd.read_csv(DATA / "column_power.csv").groupby(["study", "design"], sort=False)[["sets", *RULES]]
    shares = sums.sum(min_count=1)
    return shares[list(RULES)].div(shares["sets"], axis=0)


def far_below() -> dict[str, list[str]]:
    """In which designs `split_test` finds less than others by more than it may, ``ALLOWED``."""
    power = rejected().loc["power"]
    rivals = {
        "better of ctree and best cut": power[["ctree", "best cut"]].max(axis=1),
        "joint orders": power["joint orders"],
    }
    return {
        rival: list(power.index[power["split_test"] < shares - allowed])
        for (rival, shares), allowed in zip(rivals.items(), ALLOWED, strict=True)
    }


def main(kind: str, minutes: float, blocks: int) -> None:
    """Add blocks to the file of a study."""
    warnings.simplefilter("ignore")
    cells = [(kind, design) for design in (DESIGNS if kind == "power" else NOTHING)]
    study("column_power", ("study", "design"), cells, blocks, minutes, power_block)


if __name__ == "__main__":
    command(main, __doc__, 1000 // SETS)
