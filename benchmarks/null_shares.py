"""How often does a column split the root by chance, where no column tells anything, by Gini and by ``calibrated``?

A category, or another column with few or many splits, stands beside one number or among ten columns; a fair tree takes
it once in two, or in ten, data sets. ``python benchmarks/null_shares.py FILE [SETS]`` writes the shares of each design
and response, with seeds, as CSV: 2000 data sets a cell by default.
"""

from __future__ import annotations

import csv
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from splitcrit import TreeClassifier, TreeRegressor

Array = Any
FIELDS = ("design", "response", "rows", "columns", "criterion", "sets", "seed", "chosen", "share", "fair", "error")
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
    """Tell whether the column of a design splits the root of one data set; None if nothing does."""
    rows, others, coded, draw = DESIGNS[design]
    rng = np.random.default_rng([seed, list(DESIGNS).index(design), list(RESPONSES).index(response)])
    x = np.column_stack([draw(rng, rows), rng.normal(size=(rows, others))])
    y = RESPONSES[response](rng, rows)
    if criterion == "gini" and response in ("normal", "log-normal"):
        criterion = "squared_error"
    make = TreeRegressor if response in ("normal", "log-normal") else TreeClassifier
    tree = make(criterion=criterion, max_depth=1, categorical_features=[0] if coded else None).fit(x, y)
    first = int(tree.tree_.feature[0])
    return None if first < 0 else first == 0 or first > others


def cells(sets: int) -> Iterator[dict[str, Any]]:
    """Yield the share of each design and response."""
    for design, (rows, others, _, _) in DESIGNS.items():
        for response in RESPONSES:
            for criterion in ("gini", "calibrated"):
                found = [chosen(design, response, criterion, seed) for seed in range(sets)]
                split = [one for one in found if one is not None]
                fair, share = 1 / (1 + others), sum(split) / len(split)
                error = (fair * (1 - fair) / len(split)) ** 0.5
                values = (design, response, rows, 1 + others, criterion, len(split), 0, sum(split), share, fair, error)
                yield dict(zip(FIELDS, values, strict=True))


def main(path: Path, sets: int = 2000) -> None:
    """Write all cells."""
    with path.open("w", newline="") as out:
        writer = csv.DictWriter(out, FIELDS)
        writer.writeheader()
        for row in cells(sets):
            writer.writerow({k: f"{v:.4f}" if isinstance(v, float) else v for k, v in row.items()})
            out.flush()


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
