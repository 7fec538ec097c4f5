"""How often does the interval of an effect cover it? Effects of columns, and the differences at all cuts of a column.

``python reproductions/studies/effect_coverage.py`` adds cells of 1,000 data sets to docs/data/effect_coverage.csv, from
where it stopped before, and ends with status 1 if an interval of 95 % covers less than .95 less three standard errors,
but for the designs of ``BEYOND``. A cell that does is made again first, from another seed, with 4,000 data sets. Rows
are independent draws; the truth is the effect in 500,000 of them, or 1/2 or 0 where nothing tells. Of R2 the interval
is ``[0, bound]``. Of differences a data set counts as covered if all cuts are at once, of responses all with 10 rows or
more on each side.

Main definitions: ``DESIGNS``, ``BEYOND``, ``cell``, ``least``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from blocks import seed_of, study
from reports import Report

from splitcrit.columns.column_tests import PermutedTarget
from splitcrit.columns.effects import class_difference, column_effect, mean_difference

SETS, MANY = 1000, 500_000
NAME, KEYS = "effect_coverage", ("effect", "design", "rows")
BEYOND = ("linear, 3 % of the rows anywhere",)  # what a sample of 60 hardly shows, its interval cannot know
Rng = np.random.Generator
Draw = Callable[[Rng, int], tuple[Any, Any]]  # a column and a target


def classes(first: Callable[[Rng, int], Any], second: Callable[[Rng, int], Any], share: float, rng: Rng, n: int) -> Any:
    """A column by its values in either class; of a share of the second, with at least two rows of it."""
    ones = max(2, round(share * n))
    return np.concatenate([first(rng, n - ones), second(rng, ones)]), np.arange(n) >= n - ones


def gauss(rng: Rng, n: int, at: float = 0.0, sd: float = 1.0) -> Any:
    return at + sd * rng.normal(size=n)


def rare(rng: Rng, n: int, share: float = 0.02) -> Any:
    return (rng.random(n) < share) * 1.0


def inflated(rng: Rng, n: int, share: float = 0.1) -> Any:
    return (rng.random(n) < share) * rng.random(n)


def pair(target: Callable[[Rng, Any], Any], column: Callable[[Rng, int], Any], rng: Rng, n: int) -> Any:
    """A column, and numbers that depend on it."""
    x = column(rng, n)
    return x, target(rng, x)


def levels(number: int, uneven: bool, rng: Rng, n: int) -> Any:
    shares = 1 / np.arange(1, number + 1) ** uneven
    return rng.choice(number, n, p=shares / shares.sum())


def grouped(number: int, uneven: bool, base: tuple[float, ...], size: float, rng: Rng, n: int) -> Any:
    """Categories, and classes whose log-odds they shift."""
    group = levels(number, uneven, rng, n)
    chance = np.array(base) * np.exp(size * np.random.default_rng(3).normal(size=(number, len(base))))
    chance = (chance / chance.sum(axis=1, keepdims=True)).cumsum(axis=1)
    return group, (rng.random(n)[:, None] > chance[group, :-1]).sum(axis=1)


def measured(number: int, uneven: bool, size: float, spread: float, noise: Callable[..., Any], rng: Rng, n: int) -> Any:
    """Categories, and numbers whose mean and spread they shift."""
    group, known = levels(number, uneven, rng, n), np.random.default_rng(4)
    return group, size * known.normal(size=number)[group] + np.exp(spread * known.normal(size=number))[group] * noise(
        rng, n
    )


def several(size: float, rng: Rng, n: int) -> Any:
    """A number, and four classes, one of 1 %, that it tells."""
    y = rng.choice(4, n, p=(0.4, 0.3, 0.29, 0.01))
    return np.round(size * y + rng.normal(size=n), 1), y


TWO = {
    "nothing": (gauss, gauss),
    "shift of .5": (gauss, partial(gauss, at=0.5)),
    "shift of 2": (gauss, partial(gauss, at=2.0)),
    "shift of 4": (gauss, partial(gauss, at=4.0)),
    "nothing, wide second class": (gauss, partial(gauss, sd=5.0)),
    "nothing, wide first class": (partial(gauss, sd=5.0), gauss),
    "nothing, two values, one of 2 %": (rare, rare),
    "two values": (partial(rare, share=0.3), partial(rare, share=0.5)),
    "a rare value": (rare, partial(rare, share=0.3)),
    "zero-inflated": (inflated, partial(inflated, share=0.3)),
    "five values": (lambda r, n: r.integers(0, 5, n), lambda r, n: np.minimum(r.integers(0, 6, n), 4)),
    "a fifth of the class": (gauss, lambda r, n: gauss(r, n) + 4 * rare(r, n, 0.2)),
    "Cauchy": (lambda r, n: r.standard_cauchy(n), lambda r, n: 1 + r.standard_cauchy(n)),
}
BOTH: dict[str, Draw] = {
    "nothing": partial(pair, lambda r, x: gauss(r, len(x)), gauss),
    "linear, .3": partial(pair, lambda r, x: 0.3 * x + gauss(r, len(x)), gauss),
    "linear, .8": partial(pair, lambda r, x: 0.8 * x + gauss(r, len(x), sd=0.6), gauss),
    "linear, .98": partial(pair, lambda r, x: 0.98 * x + gauss(r, len(x), sd=0.2), gauss),
    "nothing, spread": partial(pair, lambda r, x: x * gauss(r, len(x)), gauss),
    "linear, spread": partial(pair, lambda r, x: x + np.exp(x) * gauss(r, len(x)), gauss),
    "nothing, both ends alike": partial(pair, lambda r, x: abs(x) + gauss(r, len(x), sd=0.1), gauss),
    "steps": partial(pair, lambda r, x: x + 2 * gauss(r, len(x)), lambda r, n: np.floor(2 * gauss(r, n))),
    "nothing, ties": partial(pair, lambda r, x: r.poisson(0.3, len(x)), lambda r, n: r.poisson(0.3, n)),
    "ties": partial(pair, lambda r, x: r.poisson(0.3 + 0.5 * x), lambda r, n: r.poisson(0.3, n)),
    "nothing, a value of 1 %": partial(pair, lambda r, x: gauss(r, len(x)), partial(rare, share=0.01)),
    "a value of 1 %": partial(pair, lambda r, x: 2 * x + gauss(r, len(x)), partial(rare, share=0.01)),
    "nothing, a value of 5 %, spread": partial(
        pair, lambda r, x: (1 + 4 * x) * gauss(r, len(x)), partial(rare, share=0.05)
    ),
    "zeros together": partial(pair, lambda r, x: (x > 0) * r.random(len(x)), partial(inflated, share=0.2)),
    "Cauchy": partial(pair, lambda r, x: x + r.standard_cauchy(len(x)), gauss),
    BEYOND[0]: partial(pair, lambda r, x: np.where(r.random(len(x)) < 0.03, gauss(r, len(x), sd=10.0), x), gauss),
}
CLASSES = {"two classes": (0.5, 0.5), "a class of 1 %": (0.99, 0.01), "four classes": (0.4, 0.3, 0.29, 0.01)}
SHARES: dict[str, Draw] = (
    {
        f"{words or 'nothing'}, {'uneven ' * uneven}levels: {number}, {name}": partial(
            grouped, number, uneven, base, size
        )
        for size, words in ((0.0, ""), (0.3, "weak"), (2.0, "strong"))
        for number, uneven in ((2, False), (20, True), (100, True))
        for name, base in CLASSES.items()
    }
    | {
        f"{words or 'nothing'}, levels: {number}, {name}": partial(measured, number, False, size, spread, noise)
        for size, words in ((0.0, ""), (0.5, "weak"), (2.0, "strong"))
        for number in (3, 100)
        for name, spread, noise in (
            ("normal", 0.0, gauss),
            ("spread", 1.0, gauss),
            ("Cauchy", 0.0, lambda r, n: r.standard_cauchy(n)),
            ("ties", 0.0, lambda r, n: r.poisson(0.3, n)),
        )
    }
    | {
        f"{words}, a number and four classes": partial(several, size)
        for size, words in ((0.0, "nothing"), (0.3, "weak"), (2.0, "strong"))
    }
)
CHANCES: dict[str, Callable[[Any], Any]] = {
    "nothing": lambda x: 0 * x + 0.5, "nothing, a class of 1 %": lambda x: 0 * x + 0.01, "linear": lambda x: x,
    "one end": lambda x: 0.05 + 0.8 * (x > 0.9),
}  # fmt: skip
MEANS: dict[str, Callable[[Rng, Any], tuple[Any, Any]]] = {
    "nothing": lambda r, x: (0 * x, gauss(r, len(x))),
    "nothing, exponential": lambda r, x: (0 * x, r.exponential(size=len(x)) - 1),
    "linear, spread": lambda r, x: (5 * x, gauss(r, len(x)) * (0.2 + 3 * x)),
    "nothing, spread": lambda r, x: (0 * x, gauss(r, len(x)) * np.exp(2 * x)),
    "nothing, ties": lambda r, x: (0 * x, rare(r, len(x), 0.2) - 0.2),
}
DESIGNS: dict[str, dict[str, Any]] = {
    "AUC": {
        f"{name}, {share:.0%}": partial(classes, *draws, share) for name, draws in TWO.items() for share in (0.5, 0.01)
    },
    "rho": BOTH,
    "R2": SHARES,
    "difference of shares": CHANCES,
    "difference of means": MEANS,
}
ROWS = {"AUC": (20, 200), "rho": (7, 20, 60, 200, 1000), "R2": (60, 400)}


def effect_of(effect: str, x: Any, y: Any) -> Any:
    """The effect of a column with its interval; None where every row has a level of its own, or nothing varies."""
    codes = np.unique(x, return_inverse=True)[1]
    if len(np.unique(y)) < 2 or not codes.any():
        return None
    if y.dtype.kind == "f" or effect == "rho":
        return column_effect(codes, PermutedTarget.of_responses(y * 1.0), "cut" if effect == "rho" else "table", False)
    labels = np.unique(y, return_inverse=True)[1]
    table = np.zeros((codes.max() + 1, labels.max() + 1), dtype=np.int64)
    np.add.at(table, (codes, labels), 1)
    ordered = effect == "AUC" or x.dtype.kind == "f"
    return column_effect(table, PermutedTarget.of_classes(table.sum(axis=0)), "cut" if ordered else "table", False)


def differences(effect: str, design: str, rng: Rng, n: int) -> tuple[bool, float]:
    """Whether all cuts are covered, and how wide the interval of the middle one is."""
    x = np.sort(rng.random(n))
    if effect == "difference of shares":
        mean = CHANCES[design](x)
        labels = (rng.random(n) < mean).astype(int)
        table = np.stack([1 - labels, labels], axis=1)
        if not 0 < labels.sum() < n:
            return True, 1.0
        each = [class_difference(table[:m].sum(axis=0), table.sum(axis=0), n - 1) for m in range(1, n)]
    else:
        mean, noise = MEANS[design](rng, x)
        each = [mean_difference(mean + noise, np.arange(n) >= m, n - 1) for m in range(1, n)]
    true = [mean[m:].mean() - mean[:m].mean() for m in range(1, n)]
    intervals = [(t, *d[1:]) for t, d in zip(true, each, strict=True) if d is not None and d[1] is not None]
    return all(low <= t <= high for t, low, high in intervals), float(each[n // 2 - 1][2] - each[n // 2 - 1][1])


def cell(effect: str, design: str, rows: str, block: int) -> dict[str, Any]:
    """How many of the data sets of a cell are covered, and the mean width."""
    seed, n, sets = seed_of(effect, design, rows, block), int(rows), SETS * (1 + 3 * block)
    rng = np.random.default_rng(seed)
    if effect not in ROWS:
        covered = [differences(effect, design, rng, n) for _ in range(sets)]
        return {"seed": seed, "sets": sets, "truth": "", "covered": sum(c for c, _ in covered), "width": width(covered)}
    draw = DESIGNS[effect][design]
    truth = 0.5 * (effect == "AUC")
    if not design.startswith("nothing"):
        truth = effect_of(effect, *draw(np.random.default_rng(seed + 1), MANY)).value
    covered = []
    for _ in range(sets):
        interval = effect_of(effect, *draw(rng, n))
        if interval is not None:
            low = 0.0 if interval.low is None else interval.low
            covered.append((low <= truth <= interval.high, interval.high - low))
    return {
        "seed": seed, "sets": len(covered), "truth": f"{truth:.4f}", "covered": sum(c for c, _ in covered),
        "width": width(covered),
    }  # fmt: skip


def width(covered: list[tuple[bool, float]]) -> str:
    return f"{np.mean([w for _, w in covered]):.3f}"


def least(sets: int) -> float:
    """The share that must be covered: .95 less three standard errors."""
    return 0.95 - 3 * (0.95 * 0.05 / sets) ** 0.5


def main() -> int:
    """Add what is missing, and print each cell that covers too seldom."""
    cells = [
        (effect, design, str(n)) for effect, designs in DESIGNS.items() for design in designs
        for n in ROWS.get(effect, (20, 100)) if n >= 200 or effect != "R2" or not ("1 %" in design or "100" in design)
    ]  # fmt: skip
    study(NAME, KEYS, cells, 1, float("inf"), cell)
    study(NAME, KEYS, [tuple(row[key] for key in KEYS) for row in too_low()], 2, float("inf"), cell)
    print(*too_low(), sep="\n")
    return len(too_low()) > 0


def last_blocks() -> list[dict[str, str]]:
    """The rows that count: a cell that covered too seldom was made again, from another seed and four times the sets."""
    rows = sorted(Report(NAME, ()).rows(), key=lambda row: row["block"])
    return list({tuple(row[key] for key in KEYS): row for row in rows}.values())


def too_low() -> list[dict[str, str]]:
    """The cells that cover too seldom, but for those of which that is known."""
    each = [row for row in last_blocks() if row["design"] not in BEYOND]
    return [row for row in each if int(row["covered"]) < least(int(row["sets"])) * int(row["sets"])]


if __name__ == "__main__":
    sys.exit(main())
