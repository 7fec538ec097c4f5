"""How often noise is split under a look at every row, and how soon a column that matters is: the evidence of a root.

``python -m reproductions.studies.stream_levels`` makes docs/data/stream_levels.csv and docs/data/stream_power.csv. The
thresholds are those of the estimator; its evidence is added up label by label, in compiled code, and
``tests/inference/test_streams.py`` holds it against the estimator at every row.

Main definitions: ``crossing`` (when the evidence of a stream is enough), ``parts``; ``LEVELS`` and ``rates`` (streams).
"""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from splitcrit.inference.streams import StreamColumn

DATA = Path(__file__).parents[2] / "docs" / "data"
WARM_UP, CUTS, ALPHA = 100, 16, 0.05  # as by default
ROWS, STREAMS = 10_000, 2_000
LOOKS = (300, 1_000, 3_000, ROWS)
COLUMNS = 10  # of streams in which one matters
EFFECTS, LONGEST, POWER_STREAMS = (0.1, 0.2, 0.3), 20_000, 500


@njit(cache=False)
def crossing(part: Any, label: Any, column: Any, threshold: Any, classes: int, bar: float) -> tuple[int, int, float]:
    """The row after which the mean evidence is at least exp(bar), the column of the best split, the evidence at last.

    ``part (n, d)`` is the part of each row in each column, ``label (n,)`` its class below ``classes``; split i is that
    of ``column[i]``, of parts up to ``threshold[i]``. Splits of a column stand together, columns in order. The row is
    -1 if the evidence never reaches the bar.

    Invariant: ``above[i]`` is the logarithm of the mixture of split i, a sum over its labels of the logarithm of what
    the counts of their side before them predicted; ``most`` that of the largest likelihood of one law.
    """
    splits, n = len(column), len(label)
    counts, sizes = np.zeros((splits, 2, classes)), np.zeros((splits, 2))
    above, totals, most = np.zeros(splits), np.zeros(classes), 0.0
    per_column = np.zeros(int(column.max()) + 1)
    for i in range(splits):
        per_column[column[i]] += 1
    last, best = -np.inf, 0
    for row in range(n):
        k = label[row]
        # N log N terms of the class and of all: the others stand as they were
        most -= (totals[k] * np.log(totals[k]) if totals[k] else 0.0) - (row * np.log(row) if row else 0.0)
        totals[k] += 1
        most += totals[k] * np.log(totals[k]) - (row + 1) * np.log(row + 1)
        largest = -np.inf
        for i in range(splits):
            side = 0 if part[row, column[i]] <= threshold[i] else 1
            above[i] += np.log((counts[i, side, k] + 0.5) / (sizes[i, side] + classes / 2))
            counts[i, side, k] += 1
            sizes[i, side] += 1
            if above[i] > largest:
                largest, best = above[i], i
        # no mean exceeds the largest, so that most looks end here
        if largest - most >= bar or row == n - 1:
            total = 0.0
            for i in range(splits):
                total += np.exp(above[i] - largest) / (per_column[column[i]] * len(per_column))
            last = largest - most + np.log(total)
            if last >= bar:
                return row, column[best], last
    return -1, column[best], last


def parts(x: Any, y: Any) -> tuple[Any, ...]:
    """What ``crossing`` takes of a stream: the rows after those that fix thresholds and classes."""
    classes = {label: i for i, label in enumerate(np.unique(y[:WARM_UP]).tolist())}
    codes = np.array([classes.get(label, len(classes)) for label in y[WARM_UP:].tolist()])
    cuts = [StreamColumn(values[:WARM_UP].tolist(), True, CUTS, len(classes)).parts for values in x.T]
    part = np.column_stack([np.searchsorted(ends, values[WARM_UP:]) for ends, values in zip(cuts, x.T, strict=True)])
    column = np.repeat(np.arange(len(cuts)), [len(ends) for ends in cuts])
    threshold = np.concatenate([np.arange(len(ends)) for ends in cuts])
    return part, codes, column, threshold, len(classes) + 1


def split_at(x: Any, y: Any) -> tuple[int, int]:
    """After how many rows a root is split, and by which column; -1 if it is not."""
    row, column, _ = crossing(*parts(x, y), -np.log(ALPHA))
    return (row + 1 + WARM_UP if row >= 0 else -1), int(column)


def normal(rng: np.random.Generator, n: int) -> Any:
    """Five independent normal columns."""
    return rng.normal(size=(n, 5))


def alike(rng: np.random.Generator, n: int) -> Any:
    """Five normal columns of correlation .9."""
    return np.sqrt(0.9) * rng.normal(size=(n, 1)) + np.sqrt(0.1) * rng.normal(size=(n, 5))


Columns = Callable[[np.random.Generator, int], Any]
LEVELS: dict[str, tuple[tuple[float, ...], Columns]] = {
    "shares .5, .5": ((0.5, 0.5), normal),
    "shares .9, .1": ((0.9, 0.1), normal),
    "shares .98, .02": ((0.98, 0.02), normal),
    "three classes, .6, .3, .1": ((0.6, 0.3, 0.1), normal),
    "shares .5, .5, columns of correlation .9": ((0.5, 0.5), alike),
}


def level_rows(streams: int) -> list[dict[str, Any]]:
    """How many streams of noise are split by some looks, for each design."""
    rows = []
    for name, (shares, columns) in LEVELS.items():
        when = []
        for seed in range(streams):
            rng = np.random.default_rng(seed)
            when.append(split_at(columns(rng, ROWS), rng.choice(len(shares), ROWS, p=shares))[0])
        at = np.array(when)
        rows += [
            {"design": name, "streams": streams, "rows": n, "split": int(((at > 0) & (at <= n)).sum())} for n in LOOKS
        ]
    return rows


def rates(rng: np.random.Generator, effect: float, n: int) -> tuple[Any, Any]:
    """Ten normal columns, of which the first moves the rate of labels from .5 - effect to .5 + effect."""
    x = rng.normal(size=(n, COLUMNS))
    return x, (rng.random(n) < 0.5 + effect * np.where(x[:, 0] > 0, 1, -1)).astype(np.intp)


def known(x: Any, y: Any, effect: float) -> int:
    """After how many rows the likelihood ratio of the true rates to one rate of a half reaches the same bar."""
    rate = 0.5 + effect * np.where(x[:, 0] > 0, 1, -1)
    reached = np.cumsum(np.log(2 * np.where(y == 1, rate, 1 - rate))) >= -np.log(ALPHA)
    return int(reached.argmax()) + 1 if reached.any() else -1


def power_rows(streams: int) -> list[dict[str, Any]]:
    """When the root is split, with ten columns and with the right one alone, and when the rates are known."""
    rows = []
    for effect in EFFECTS:
        for seed in range(streams):
            x, y = rates(np.random.default_rng(seed), effect, LONGEST)
            all_columns, column = split_at(x, y)
            rows.append({
                "effect": effect, "seed": seed, "ten_columns": all_columns, "column": column,
                "right_column_alone": split_at(x[:, :1], y)[0], "rates_known": known(x, y, effect),
            })  # fmt: skip
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=STREAMS)
    streams = parser.parse_args().streams
    tables = {"stream_power": power_rows(min(POWER_STREAMS, streams)), "stream_levels": level_rows(streams)}
    for name, rows in tables.items():
        with (DATA / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    main()
