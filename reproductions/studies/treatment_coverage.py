"""How often ``treatment_test`` errs in simulated trials, and how often its intervals hold.

``python -m reproductions.studies.treatment_coverage`` makes docs/data/treatment_coverage.csv. The feature ``x0`` moves
the rates of both arms from .1 to .4; the others move nothing, but for ``x1`` where it decides. A trial is covered if
each leaf's interval holds the ratio of the rates of a hundred thousand people like those in it.

Main definitions: ``DESIGNS``, ``trial``, ``run``.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

from splitcrit import treatment_test

DATA = Path(__file__).parents[2] / "docs" / "data"
TRIALS, PEOPLE, LIKE_THEM = 400, 1000, 100_000
DESIGNS = {  # the ratio of rates, and the probability of treatment
    "no effect": ("none", 0.5),
    "one ratio, 1.5": ("one", 0.5),
    "one ratio, 1.5, three of ten treated": ("one", 0.3),
    "ratio 1, or 2.2 where x1 > 0.3": ("x1", 0.5),
}


def trial(rng: np.random.Generator, n: int, effect: str) -> tuple[Any, Any, Any]:
    """Features, and the rates without and with treatment."""
    x = rng.normal(size=(n, 5))
    without = np.where(x[:, 0] > 0, 0.4, 0.1)
    ratio = {"none": 1.0, "one": 1.5, "x1": np.where(x[:, 1] > 0.3, 2.2, 1.0)}[effect]
    return x, without, without * ratio


def members(who: str, x: Any) -> Any:
    """Who falls into a leaf, by its words."""
    inside = np.ones(len(x), dtype=bool)
    for condition in () if who == "all" else who.split(" and "):
        name, sign, threshold = condition.split(" ")
        below = x[:, int(name[1:])] <= float(threshold)
        inside &= below if sign == "<=" else ~below
    return inside


def run(design: str) -> dict[str, Any]:
    """Count the trials that are rejected, by the right column, and covered."""
    effect, share = DESIGNS[design]
    rejected = right = covered = 0
    for seed in range(TRIALS):
        rng = np.random.default_rng(seed)
        x, without, treated_rate = trial(rng, PEOPLE, effect)
        treated = rng.random(PEOPLE) < share
        y = rng.random(PEOPLE) < np.where(treated, treated_rate, without)
        answer = treatment_test(x, treated, y, probability=share)
        rejected += answer.rejected
        right += answer.rejected and answer.test.name == "x1"
        like, low, high = trial(np.random.default_rng(10_000 + seed), LIKE_THEM, effect)
        each = [(effect, members(effect.who, like)) for effect in answer.effects]
        ratios = [(effect, high[here].sum() / low[here].sum()) for effect, here in each if here.any()]
        covered += all(effect.low <= ratio <= effect.high for effect, ratio in ratios)
    return {"design": design, "trials": TRIALS, "people": PEOPLE, "rejected": rejected, "x1": right, "covered": covered}


def main() -> None:
    with (DATA / "treatment_coverage.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, ["design", "trials", "people", "rejected", "x1", "covered"], lineterminator="\n")
        writer.writeheader()
        for design in DESIGNS:
            writer.writerow(run(design))
            file.flush()


if __name__ == "__main__":
    main()
