"""How often is a p-value that joins random orders and exact tests small, if the split was fixed and tells nothing?

``python reproductions/studies/fixed_split_levels.py [RUNS]`` writes a line for each test, number of rows and share of
them on the left: how many of 10,000 data sets have a p-value of at most t, for several t, and the least probability of
as many if that of each were t. Its exit status is 1 if one is below .001.

Three classes are independent of the side, or responses are, a third of which are equal. Exact laws of whole tables of
three classes, which are quick at these sizes, are switched off.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from unittest.mock import patch

import numpy as np
from scipy.stats import binom

from splitcrit.columns import column_tests
from splitcrit.columns.column_tests import LabelledRows, column_test
from splitcrit.nulls import table_pvalues

RUNS, LEAST, SAMPLES = 10_000, 0.001, 199
ROWS, SHARES, LEVELS = (20, 50, 100, 200), (0.5, 0.2), (0.01, 0.02, 0.05, 0.1, 0.2)
Test = Callable[[np.ndarray, int, np.random.Generator], np.ndarray]


def classes(rows: int, runs: int, rng: np.random.Generator) -> np.ndarray:
    """Independent labels of three classes of probabilities 1/2, 3/10 and 1/5."""
    return rng.choice(3, size=(runs, rows), p=[0.5, 0.3, 0.2])


def of_audits(left: np.ndarray, runs: int, rng: np.random.Generator) -> np.ndarray:
    """The p-values that an audit gives splits of three classes."""
    labels = classes(len(left), runs, rng)
    tables = np.stack([[(labels[:, left == side] == k).sum(axis=1) for k in range(3)] for side in (True, False)])
    with patch.object(table_pvalues, "MOST_CELLS", 0):
        return table_pvalues._pvalues(table_pvalues.in_order(tables.transpose(2, 0, 1)), SAMPLES, rng)[0]


def of_tables(left: np.ndarray, runs: int, rng: np.random.Generator) -> np.ndarray:
    """The p-values that the test of a tree gives splits of three classes."""
    with patch.object(column_tests, "QUICK", 1):
        return np.array([of_tree(left, labels, rng) for labels in classes(len(left), runs, rng)])


def of_responses(left: np.ndarray, runs: int, rng: np.random.Generator) -> np.ndarray:
    """The p-values that the test of a tree gives splits of responses."""
    y = rng.exponential(size=(runs, len(left)))
    y[rng.random(y.shape) < 1 / 3] = 0.5
    return np.array([of_tree(left, responses[:, None], rng) for responses in y])


def of_tree(left: np.ndarray, labels: np.ndarray, rng: np.random.Generator) -> float:
    """The p-value that the test of a tree gives a split."""
    rows = LabelledRows(labels if labels.ndim == 2 else np.unique(labels, return_inverse=True)[1], plain=False)
    sides = rows.column(left.astype(int))
    return column_test(sides, rows.target, question="table", draws=SAMPLES, seed=int(rng.integers(2**32))).p


TESTS: dict[str, Test] = {
    "three classes in audits": of_audits, "three classes in trees": of_tables, "responses in trees": of_responses,
}  # fmt: skip


def surprise(p: np.ndarray) -> tuple[list[int], float]:
    """How many p-values are at most t, for all t, and the least probability of as many at that level."""
    counts = [int((p <= t * (1 + 1e-9)).sum()) for t in LEVELS]
    return counts, min(float(binom.sf(c - 1, len(p), t)) for c, t in zip(counts, LEVELS, strict=True))


def main(runs: int = RUNS) -> int:
    odd = 0
    for name, test in TESTS.items():
        for rows in ROWS:
            for share in SHARES:
                left = np.arange(rows) < share * rows
                counts, least = surprise(test(left, runs, np.random.default_rng([rows, int(100 * share)])))
                counted = ", ".join(f"{c} at {t}" for c, t in zip(counts, LEVELS, strict=True))
                of = f"{name}, {rows} rows, {share} on the left: of {runs} p-values"
                print(f"{of} {counted}; P = {least:.2g}", flush=True)
                odd += least < LEAST
    return int(odd > 0)


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
