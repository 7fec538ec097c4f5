"""``make bench``: our times as ratios to those of peers, measured side by side; writes results.md.

Rows here: the null moments of the Gini gain against the O(r^2 k^2) sums of wang2024 and against label permutations,
alone and in batches; the SGini of every number of clusters against a linkage; the import; the whole of
``splitcrit verify``. Rows of trees, forests, sums over cells (``corners``), small data, categories, sparse features,
files, trees of tested splits and audits are in modules of these names; what comes first is in ``first``.
"""

from __future__ import annotations

import itertools
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import audit
import categories
import corners
import files
import first
import forests
import inference_trees
import numpy as np
import small
import sparse_features
import trees
from scipy.cluster.hierarchy import linkage
from timing import Row, compare, fresh_process

import splitcrit
from splitcrit import gini_gain, gini_null
from splitcrit.trees import clusterings

RESULTS = Path(__file__).with_name("results.md")


def falling(x: np.ndarray, order: int) -> np.ndarray:
    """``x (x - 1) ... (x - order + 1)``."""
    out = np.ones_like(x, dtype=float)
    for i in range(order):
        out = out * (x - i)
    return out


def pairwise_variance(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The permutation variance by sums over all pairs of cells, the cost of wang2024 eqs. (22)-(26).

    The expectation of ``n_ij^2 n_uv^2`` is a sum of joint factorial moments of the hypergeometric law; leading axes of
    ``a (..., r)`` and ``b (..., k)`` are a batch.
    """
    a, b = np.asarray(a, float), np.asarray(b, float)
    n = a.sum(axis=-1)[..., None, None]
    first = sum(falling(a, s)[..., :, None] * falling(b, s)[..., None, :] / falling(n, s) for s in (1, 2))
    mean = (first / a[..., :, None]).sum(axis=(-2, -1))
    square = 0.0
    same_row, same_column = np.eye(a.shape[-1]), np.eye(b.shape[-1])
    wide = n[..., None, None]
    for s in (1, 2):
        for t in (1, 2):
            rows = np.where(
                same_row, falling(a, s + t)[..., :, None], falling(a, s)[..., :, None] * falling(a, t)[..., None, :]
            )
            columns = np.where(
                same_column, falling(b, s + t)[..., :, None], falling(b, s)[..., :, None] * falling(b, t)[..., None, :]
            )
            square = square + rows[..., :, None, :, None] * columns[..., None, :, None, :] / falling(wide, s + t)
    # in one cell the product of two falling factorials is not one falling factorial: n^4 has moments of its own
    stirling = {1: 1, 2: 7, 3: 6, 4: 1}
    fourth = sum(
        c * falling(a, s)[..., :, None] * falling(b, s)[..., None, :] / falling(n, s) for s, c in stirling.items()
    )
    r, k = a.shape[-1], b.shape[-1]
    i, j = np.arange(r)[:, None], np.arange(k)[None, :]
    square[..., i, j, i, j] = fourth
    weights = 1 / (a[..., :, None] * a[..., None, :])
    second = (square * weights[..., :, None, :, None]).sum(axis=(-4, -3, -2, -1))
    return (second - mean**2) / n[..., 0, 0] ** 2


def margins(r: int, k: int, n: int, batch: tuple[int, ...] = ()) -> tuple[np.ndarray, np.ndarray]:
    """Random margins without zeros."""
    rng = np.random.default_rng(0)
    return (rng.multinomial(n - r, np.ones(r) / r, batch) + 1, rng.multinomial(n - k, np.ones(k) / k, batch) + 1)


def permuted_gains(a: np.ndarray, b: np.ndarray, times: int) -> np.ndarray:
    """The gains of random permutations of the labels."""
    rng = np.random.default_rng(0)
    rows, labels = np.repeat(np.arange(len(a)), a), np.repeat(np.arange(len(b)), b)
    tables = [np.bincount(rows * len(b) + rng.permutation(labels), minlength=len(a) * len(b)) for _ in range(times)]
    return gini_gain(np.array(tables).reshape(times, len(a), len(b)))


def moment_rows() -> Iterator[Row]:
    """Yield the null variance against its peers; what takes microseconds is timed a hundred times in a row."""
    one, big, many = margins(10, 10, 1000), margins(100, 100, 100_000), margins(10, 10, 1000, (1000,))
    check = gini_null(*one, exact=True).variance
    assert abs(pairwise_variance(*one) / float(check) - 1) < 1e-6, "the peer must compute the same number"

    def hundred(table: tuple[np.ndarray, np.ndarray]) -> Callable[[], object]:
        return lambda: [gini_null(*table) for _ in range(100)]

    each = {"scale": 0.01}
    yield compare(
        "null variance, 10 x 10 / pairwise sums", hundred(one), lambda: pairwise_variance(*one), 1 / 2, **each
    )
    batch = "the same, 1000 tables in a batch"
    yield compare(batch, lambda: gini_null(*many), lambda: pairwise_variance(*many), 1 / 50, runs=3)
    yield compare("the same, 100 x 100", hundred(big), lambda: pairwise_variance(*big), 1 / 5000, runs=3, **each)
    what = "null variance, 10 x 10, N = 1000 / 1000 label permutations"
    yield compare(what, hundred(one), lambda: permuted_gains(*one, 1000), 1 / 500, **each)


def batch_line() -> str:
    a, b = margins(3, 2, 60, (1_000_000,))
    gini_null(a[:1000], b[:1000])
    start = time.perf_counter()
    gini_null(a, b)
    return f"A batch of 10^6 tables of 3 x 2 takes {time.perf_counter() - start:.2f} microseconds a table."


def other_rows() -> Iterator[Row]:
    rng = np.random.default_rng(0)
    x, y = rng.random(10_000), rng.integers(0, 2, 10_000)
    what = "SGini of all numbers of clusters / scipy's single linkage, V=10000"
    yield compare(what, lambda: clusterings(x, y), lambda: linkage(x[:, None], "single"), 1 / 200)
    yield compare(
        "import splitcrit / import numpy", fresh_process("import splitcrit"), fresh_process("import numpy"), 1.6, runs=9
    )


def verify_line() -> str:
    start = time.perf_counter()
    command = [sys.executable, "-m", "splitcrit.proofs", "--no-cache"]
    last = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip().splitlines()[-1]
    return f"`splitcrit verify --no-cache` takes {time.perf_counter() - start:.0f} s: {last}."


def said(row: Row) -> str:
    """A row as one line of text."""
    return f"{row.what}: {row.ratio:.2g} ({row.low:.2g} to {row.high:.2g}){gate(row)}"


def gate(row: Row) -> str:
    return "" if row.gate is None else f", gate {row.gate:.2g} {row.verdict}"


def cells(row: Row) -> str:
    """A row as a line of a Markdown table."""
    times = f"{row.ours:.3g} | {row.theirs:.3g} | {row.ratio:.2g} | {row.low:.2g} to {row.high:.2g}"
    return f"| {row.what} | {times} | {'' if row.gate is None else f'{row.gate:.2g}'} | {row.verdict} |"


def main() -> None:
    rows, reading = [], [files] if find_spec("pyarrow") else []
    groups = (small, trees, forests, corners, categories, sparse_features, inference_trees, audit, *reading)
    for row in itertools.chain(moment_rows(), other_rows(), *(group.rows() for group in groups)):
        rows.append(row)
        print(said(row), flush=True)
    lines = []
    talkers = (first, *reading, trees, sparse_features, inference_trees)
    parts = (part() for part in (batch_line, verify_line))
    for line in itertools.chain(*(group.lines() for group in talkers), parts):
        lines.append(line)
        print(line, flush=True)
    versions = f"Python {platform.python_version()}, numpy {np.__version__}, splitcrit {splitcrit.__version__}"
    machine = f"Medians of alternating runs in one process; {versions}, {os.cpu_count()} cores."
    table = [
        "| what | ours (s) | theirs (s) | ratio | range | gate | |",
        "|---|---|---|---|---|---|---|",
        *map(cells, rows),
    ]
    RESULTS.write_text(
        "\n".join(
            ["# Results", "", f"Written by `make bench`. {machine}", "", *table, "", *(f"- {line}" for line in lines)]
        )
        + "\n"
    )


if __name__ == "__main__":
    sys.exit(main())
