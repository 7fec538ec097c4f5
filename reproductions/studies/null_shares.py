"""How often does a column split the root by chance, where no column tells anything, by Gini and by ``calibrated``?

A category, or another column with few or many splits, stands beside one number or among ten columns; a fair tree takes
it once in two, or in ten, data sets. ``python reproductions/studies/null_shares.py run --minutes 30`` adds blocks of
100 data sets to docs/data/null_shares.csv until the time is up or each design, response and criterion has 2,000;
``table`` prints the table of docs/inference-study.md. Data set ``s`` of a design and response has the seed ``[s,
design, response]``.

Main definitions: ``DESIGNS``, ``RESPONSES``, ``block``, ``table``.
"""

from __future__ import annotations

import argparse
import warnings
from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from blocks import study
from reports import Report, Row

from splitcrit import TreeClassifier, TreeRegressor

Array = Any
KEYS, SETS, BLOCKS = ("design", "response", "criterion"), 100, 20
REPORT = Report("null_shares", (*KEYS, "block", "sets", "chosen"))
ZIPF = 1 / np.arange(1, 31)


def category(levels: int) -> Callable[[Any, int], Array]:
    return lambda rng, n: rng.integers(0, levels, n)


def few_large_and_singles(rng: Any, n: int) -> Array:
    return rng.permutation(np.concatenate([np.arange(60), rng.integers(60, 63, n - 60)]))


def with_gaps(rng: Any, n: int) -> Array:
    return np.where(rng.random(n) < 0.3, np.nan, rng.normal(size=n))


# Of each design: rows, columns beside it, whether it is a category, and how it is drawn.
DESIGNS: dict[str, tuple[int, int, bool, Callable[[Any, int], Array]]] = {
    "10 levels": (600, 1, True, category(10)),
    "30 levels": (600, 1, True, category(30)),
    "100 levels": (600, 1, True, category(100)),
    "1000 levels": (3000, 1, True, category(1000)),
    "30 levels, Zipf": (600, 1, True, lambda rng, n: rng.choice(30, n, p=ZIPF / ZIPF.sum())),
    "60 single levels and 3": (600, 1, True, few_large_and_singles),
    "two values": (200, 9, False, category(2)),
    "four values": (200, 9, False, category(4)),
    "twenty values": (200, 9, False, category(20)),
    "30 % missing": (200, 9, False, with_gaps),
    "category of 30": (300, 9, True, category(30)),
}
RESPONSES: dict[str, Callable[[Any, int], Array]] = {
    "two classes": lambda rng, n: rng.integers(0, 2, n),
    "5 % class": lambda rng, n: (rng.random(n) < 0.05).astype(int),
    "three classes": lambda rng, n: rng.choice(3, n, p=[0.5, 0.3, 0.2]),
    "normal": lambda rng, n: rng.normal(size=n),
    "log-normal": lambda rng, n: rng.lognormal(size=n),
}


def chosen(design: str, response: str, criterion: str, seed: int) -> bool | None:
    """Whether the column of a design splits the root of one data set; None if nothing does."""
    rows, others, coded, draw = DESIGNS[design]
    rng = np.random.default_rng([seed, list(DESIGNS).index(design), list(RESPONSES).index(response)])
    x = np.column_stack([draw(rng, rows), rng.normal(size=(rows, others))])
    y = RESPONSES[response](rng, rows)
    if criterion == "gini" and response in ("normal", "log-normal"):
        criterion = "squared_error"
    make = TreeRegressor if response in ("normal", "log-normal") else TreeClassifier
    tree = make(criterion=criterion, max_depth=1, categorical_features=[0] if coded else None).fit(x, y)
    first = int(tree.nodes_.feature[0])
    return None if first < 0 else first == 0 or first > others


def block(design: str, response: str, criterion: str, number: int) -> dict[str, Any]:
    """Of how many of 100 data sets the root is split, and of how many by the column of the design."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        roots = [chosen(design, response, criterion, seed) for seed in range(SETS * number, SETS * (number + 1))]
    return {"sets": sum(one is not None for one in roots), "chosen": sum(bool(one) for one in roots)}


def table(rows: list[Row]) -> str:
    """The shares by ``calibrated``, those by Gini in brackets, a row for each design."""
    sets: Counter[tuple[str, ...]] = Counter()
    hits: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        cell = tuple(row[key] for key in KEYS)
        sets[cell] += int(row["sets"])
        hits[cell] += int(row["chosen"])
    lines = [f"| column | fair | {' | '.join(RESPONSES)} |", "|---" * (2 + len(RESPONSES)) + "|"]
    for design, (_, others, _, _) in DESIGNS.items():
        cells = []
        for response in RESPONSES:
            ours, gini = ((design, response, criterion) for criterion in ("calibrated", "gini"))
            known = sets[ours] and sets[gini]
            cells.append(f"{hits[ours] / sets[ours]:.3f} ({hits[gini] / sets[gini]:.2f})" if known else "")
        lines.append(f"| {design} | {1 / (1 + others):.2f} | {' | '.join(cells)} |")
    return "\n".join(lines) + f"\n\n{min(sets.values()):,} data sets or more in each cell.\n"


def main() -> None:
    """Add blocks, or write the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", choices=["run", "table"])
    parser.add_argument("--minutes", type=float, default=60)
    options = parser.parse_args()
    if options.what == "run":
        study(REPORT.name, KEYS, product(DESIGNS, RESPONSES, ("gini", "calibrated")), BLOCKS, options.minutes, block)
    else:
        print(table(REPORT.rows()))


if __name__ == "__main__":
    main()
