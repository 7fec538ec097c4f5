"""How often do tests reject where rows come in groups or strata and nothing tells, and how often where something does?

``python reproductions/studies/group_levels.py --minutes 30`` adds blocks of 50 data sets a cell to
docs/data/group_levels.csv, from where it stopped before, up to 2,000; trees are grown in every second block, and where
nothing tells in as many more. It ends with status 1 if a test that is told of the dependence rejects more often than a
one-sided binomial test at .001 allows, or finds less than one row a group, or than a plain prototype did, by .03.

Columns and labels have means of groups, normal ones; with an effect of .8 those of labels are
``(v + .8 u)/sqrt(1 + .8^2)``. What varies within groups varies around them: columns by .7 standard deviations, labels
by a logistic law of slope 2; with an intraclass correlation near .9 by .33, and slope 9; where the column alone is
constant, one label in ten is noted wrongly. In cells of two strata rates and means differ by site; in those of calendar
entry the date of entry drives follow-up, in a study that closes at ten.

Main definitions: ``CELLS``, ``rejections``, ``make``, ``rates``, ``table``.
"""

from __future__ import annotations

import argparse
import sys
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from blocks import seed_of, study
from reports import Report
from scipy.stats import binom

from splitcrit.columns import log_rank
from splitcrit.inference import HonestTreeClassifier, InferenceTreeClassifier, split_test

NAME, KEYS, SETS, BLOCKS, MORE, LEVEL, ODD = (
    "group_levels", ("groups", "constant", "effect"), 50, 40, 20, 0.05, 0.001
)  # fmt: skip
ALONE, TOLD, ONE, HONEST, SELECTIVE = TESTS = "rows alone", "told", "one row a group", "honest tree", "selective tree"
REPORT = Report(NAME, (*KEYS, "block", "sets", *TESTS))
SIZES = {
    "40 x 5": lambda rng: np.full(40, 5),
    "30 x 20": lambda rng: np.full(30, 20),
    "40 of 1 to 30": lambda rng: np.minimum(1 + rng.geometric(0.15, 40), 30),
}
CONSTANT = ("both", "column", "labels", "neither", "neither, ICC .9")
STRATA = ("two strata", "rate and column differ", "0"), ("calendar entry", "study closes", "0")
NULL = tuple(product(SIZES, CONSTANT, ("0",)))
CELLS = (*NULL, *STRATA, *product(SIZES, CONSTANT[:4], ("0.8",)))
#: Power of a plain prototype: the best cut alone, one vote a group, 199 moves, in 1,000 data sets.
PROTOTYPE = {
    ("40 x 5", "column"): 0.809, ("30 x 20", "column"): 0.749, ("40 of 1 to 30", "column"): 0.800,
    ("40 of 1 to 30", "both"): 0.862,
    ("40 x 5", "labels"): 0.866, ("30 x 20", "labels"): 0.804, ("40 of 1 to 30", "labels"): 0.830,
    ("40 x 5", "neither"): 0.825, ("30 x 20", "neither"): 0.893, ("40 of 1 to 30", "neither"): 0.762,
}  # fmt: skip


def drawn(groups: str, constant: str, effect: float, rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """A column, labels of two classes and groups."""
    sizes = SIZES[groups](rng)
    g = np.repeat(np.arange(len(sizes)), sizes)
    u, v = rng.normal(size=len(sizes)), rng.normal(size=len(sizes))
    v = (v + effect * u) / np.hypot(1, effect)
    alike = constant.endswith(".9")
    x = u[g] if constant in ("both", "column") else u[g] + (0.33 if alike else 0.7) * rng.normal(size=len(g))
    if constant in ("both", "labels"):
        return x, (v > 0)[g].astype(int), g
    if constant == "column":  # one label in ten is noted wrongly
        return x, np.where(rng.random(len(g)) < 0.1, v[g] <= 0, v[g] > 0).astype(int), g
    return x, (rng.random(len(g)) < 1 / (1 + np.exp(-(9 if alike else 2) * v[g]))).astype(int), g


def rejections(
    groups: str, constant: str, effect: float, trees: bool, rng: np.random.Generator, alone: bool = False
) -> dict[str, bool]:  # fmt: skip
    """Which tests reject at .05; with ``alone`` those of trees."""
    if groups == "two strata":
        site = np.repeat([0, 1], 100)
        x, y = rng.normal(size=200) + site, (rng.random(200) < np.where(site, 0.6, 0.3)).astype(int)
        return {test: by(x, y, strata=each) for test, each in ((ALONE, None), (TOLD, site))}
    if groups == "calendar entry":
        entry, life = rng.uniform(0, 8, 300), rng.exponential(1 / 0.15, 300)
        y, limits = np.column_stack([np.minimum(life, 10 - entry), life <= 10 - entry]), 10 - entry
        tests = (ALONE, None), (TOLD, limits)
        return {test: by(entry, y, follow_up=each, response_scores=log_rank) for test, each in tests}
    x, y, g = drawn(groups, constant, effect, rng)
    first, rejected = np.unique(g, return_index=True)[1], dict[str, bool]()
    one = first + (rng.random(len(first)) * np.bincount(g)).astype(int)
    if not alone:
        rejected = {ALONE: by(x, y), TOLD: by(x, y, groups=g), ONE: y[one].min() < y[one].max() and by(x[one], y[one])}
    if trees:
        how: dict[str, Any] = {"random_state": int(rng.integers(2**31))}
        rejected[HONEST] = HonestTreeClassifier(**how).fit(x[:, None], y, groups=g).get_depth() > 0
        if constant in ("both", "column"):
            tree = InferenceTreeClassifier(**how, max_depth=1, n_permutations=199)
            rejected[SELECTIVE] = tree.fit(x[:, None], y, groups=g).get_depth() > 0
    return rejected


def by(x: Any, y: Any, **how: Any) -> bool:
    return bool(split_test(x[:, None], y, **how).pvalue <= LEVEL)


def make(groups: str, constant: str, effect: str, block: int) -> dict[str, Any]:
    """How many data sets of a block each test rejects, trees in every second block."""
    rng = np.random.default_rng(seed_of(NAME, groups, constant, effect, block))
    trees, alone = block % 2 == 0 or block >= BLOCKS, block >= BLOCKS
    sets = [rejections(groups, constant, float(effect), trees, rng, alone) for _ in range(SETS)]
    return {"sets": SETS} | {
        test: sum(rejected[test] for rejected in sets) if test in sets[0] else "" for test in TESTS
    }


def rates(rows: list[dict[str, str]]) -> pd.DataFrame:
    """Data sets and rejections of each test of each cell."""
    frame = pd.DataFrame(rows).melt([*KEYS, "block", "sets"], list(TESTS), "test", "rejected")
    frame = frame[frame["rejected"] != ""].astype({"sets": int, "rejected": int})
    return frame.groupby([*KEYS, "test"], sort=False)[["sets", "rejected"]].sum()


def too_many(counts: pd.DataFrame) -> pd.DataFrame:
    """The cells in which a test that is told of the dependence rejects too often where nothing tells."""
    null = counts[(counts.index.get_level_values("effect") == "0") & (counts.index.get_level_values("test") != ALONE)]
    return null[binom.sf(null["rejected"] - 1, null["sets"], LEVEL) < ODD]


def too_few(counts: pd.DataFrame) -> pd.DataFrame:
    """The cells with an effect in which a test that is told of groups finds less than others by .03."""
    share = (counts["rejected"] / counts["sets"]).unstack("test")
    share["prototype"] = [PROTOTYPE.get(key[:2], 0.0) for key in share.index]
    least = share[[ONE, "prototype"]].max(axis=1)
    return share[(share.index.get_level_values("effect") != "0") & (share[TOLD] < least - 0.03)]


def table(rows: list[dict[str, str]]) -> str:
    """A row for each design: how often each test rejects where nothing tells, and where something does."""
    counts = rates(rows)
    share = (counts["rejected"] / counts["sets"]).unstack("test")

    def cell(key: tuple[str, str], test: str) -> str:
        values = [share[test].get((*key, effect), np.nan) for effect in ("0", "0.8")]
        return ", ".join(f"{value:.3f}" for value in values if value == value) or "-"

    lines = ["| groups | constant in groups | data sets | " + " | ".join(TESTS) + " |", "|---" * (3 + len(TESTS)) + "|"]
    for key in dict.fromkeys((groups, constant) for groups, constant, _ in CELLS):
        if (*key, "0", TOLD) in counts.index:
            sets = [
                counts.loc[(*key, effect, TOLD), "sets"]
                for effect in ("0", "0.8")
                if (*key, effect, TOLD) in counts.index
            ]
            cells = [*key, ", ".join(f"{number:,}" for number in sets), *(cell(key, test) for test in TESTS)]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=30)
    minutes = parser.parse_args().minutes
    study(NAME, KEYS, CELLS, BLOCKS, minutes, make)
    study(NAME, KEYS, NULL, BLOCKS + MORE, minutes, make)
    wrong = too_many(rates(REPORT.rows())), too_few(rates(REPORT.rows()))
    print(table(REPORT.rows()), *wrong, sep="\n")
    return int(sum(map(len, wrong)) > 0)


if __name__ == "__main__":
    sys.exit(main())
