"""How often each test rejects where nothing tells: 24 designs, up to 5,000 null data sets each.

``python reproductions/studies/test_levels.py run --minutes 60`` adds blocks of 50 data sets a design to
docs/data/test_levels.csv.gz, from where it stopped before; ``summary`` adds the blocks up, and ends with status 1 if a
test rejects more often than a one-sided binomial test at .001 allows; ``table`` prints the tables of
docs/inference-study.md and docs/scored-responses.md. Block ``b`` of design ``d`` depends on the seed ``[40, d, b]``
alone.

``follow-up`` adds blocks of four more designs to docs/data/test_levels_follow_up.csv, in which survival does not depend
on a column, but how long patients are followed does: there tests of log-rank scores are approximate, so that they have
a table of their own, without ``summary``.

A design is a column, beside a normal one, and labels: its tests are those of both columns (a split test, two trees,
audits and subtrees of a tree that the other half of the rows grew), and of the column alone (laws and tables).

Main definitions: ``DESIGNS``, ``pvalues``, ``FOLLOW_UP``, ``survival_pvalues``, ``run``, ``summary``, ``table``,
``follow_up_table``.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from reports import Report, Row
from scipy.stats import binom

from splitcrit import TreeClassifier, TreeRegressor
from splitcrit.audits import audit
from splitcrit.columns import log_rank
from splitcrit.inference import InferenceTreeClassifier, InferenceTreeRegressor, significant_subtree, split_test
from splitcrit.nulls import best_cut_law, best_subset_law, gini_pvalue

FIELDS = ("column", "labels", "test", "block", "sets", "at .05", "at .01", "at .001")
REPORT = Report("test_levels", FIELDS)
FILE = REPORT.results
CENSORED = Report("test_levels_follow_up", FIELDS)
LEVELS, SETS, BLOCKS, ROWS, SEED, DRAWS = (0.05, 0.01, 0.001), 50, 100, 60, 40, 199
FEWER = 20  # blocks of each design of follow-up
Draw = Callable[[np.random.Generator], Any]
COLUMNS: dict[str, Draw] = {
    "number": lambda rng: rng.normal(size=ROWS),
    "tied number, 30 % missing": lambda rng: np.where(rng.random(ROWS) < 0.3, np.nan, rng.integers(0, 6, ROWS)),
    "category of 10": lambda rng: pd.Categorical(rng.integers(0, 10, ROWS).astype(str)),
    "category, many single levels": lambda rng: pd.Categorical((rng.zipf(1.6, ROWS) % 40).astype(str)),
}
LABELS: dict[str, Draw] = {
    "two classes": lambda rng: rng.permutation(np.arange(ROWS) % 2),
    "a 5 % class": lambda rng: rng.permutation(np.arange(ROWS) < 3).astype(int),
    "three classes": lambda rng: rng.permutation(np.arange(ROWS) % 3),
    "normal": lambda rng: rng.normal(size=ROWS),
    "log-normal": lambda rng: np.exp(1.5 * rng.normal(size=ROWS)),
    "tied numbers": lambda rng: rng.integers(0, 4, ROWS) + 0.5,
}
DESIGNS = tuple(product(COLUMNS, LABELS))


def calendar_entry(rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Entry into a study of ten years, times of hazard .15, and the years until it closes."""
    entry = rng.uniform(0, 8, 300).round(2)
    return entry, rng.exponential(1 / 0.15, 300), 10 - entry


def two_sites(rows: tuple[int, int], means: tuple[float, float]) -> Draw:
    """A design of two sites, whose rows are followed for an exponential time of these means."""

    def drawn(rng: np.random.Generator) -> tuple[Any, Any, Any]:
        site = np.repeat([0, 1], rows)
        return site, rng.exponential(size=len(site)), rng.exponential(np.array(means)[site])

    return drawn


FOLLOW_UP: dict[tuple[str, str], Draw] = {
    ("calendar entry, study closes", "300 rows"): calendar_entry,
    ("two sites, followed for .7 and 3", "150 and 150 rows"): two_sites((150, 150), (0.7, 3.0)),
    ("two sites, followed for .1 and 10", "100 and 100 rows"): two_sites((100, 100), (0.1, 10.0)),
    ("two sites, followed for .1 and 30", "290 and 10 rows"): two_sites((290, 10), (0.1, 30.0)),
}


def pvalues(column: str, labels: str, rng: np.random.Generator) -> dict[str, float]:
    """The p-value of each test that applies."""
    frame, y = pd.DataFrame({"column": COLUMNS[column](rng), "normal": rng.normal(size=ROWS)}), LABELS[labels](rng)
    numbers, seed = y.dtype.kind == "f", int(rng.integers(2**31))
    tested, plain = (InferenceTreeRegressor, TreeRegressor) if numbers else (InferenceTreeClassifier, TreeClassifier)
    response = "numbers" if numbers else "classes"
    p = {"split test": split_test(frame, y, n_permutations=DRAWS, response=response, random_state=seed).pvalue}
    for test in ("selective", "node"):
        model = tested(
            test=test, max_depth=1, n_permutations=DRAWS, categorical_features="from_dtype", random_state=seed
        )
        tests = model.fit(frame, y).verdicts_
        p[f"tree, {test}"] = tests[0].pvalue if tests else 1.0
    grown, rest = slice(None, None, 2), slice(1, None, 2)
    tree = plain(max_depth=2, categorical_features="from_dtype").fit(frame[grown], y[grown])
    if numbers or 1 < len(set(y[rest])) <= len(set(y[grown])) == len(set(y)):
        if not numbers:
            p["audit, held-out"] = float(audit(tree, frame[rest], y[rest]).splits.adjusted.min(initial=1.0))
        subtree = significant_subtree(tree, frame[rest], y[rest], rng=seed)
        p["subtree, held-out"] = float(np.nan_to_num(subtree.tests.p[0], nan=1.0))
    if not numbers:
        codes, category = pd.factorize(frame["column"], sort=True)[0], "category" in column
        table = pd.crosstab(codes, y).to_numpy()
        p["table"] = float(gini_pvalue(table, rng=seed))
        missing = int((codes < 0).sum())
        table = np.roll(table, -1, axis=0) if missing else table  # missing values are the last row
        rows, classes = table.sum(axis=1), table.sum(axis=0)
        sizes = rows[: len(rows) - (missing > 0)]
        law = best_subset_law(rows, classes) if category else best_cut_law(sizes, classes, missing=missing)
        p["law of the best split"] = float(law.pvalue(law.score(table)))
    return p


def survival_pvalues(column: str, labels: str, rng: np.random.Generator) -> dict[str, float]:
    """The p-values of tests of log-rank scores; survival times do not depend on the columns."""
    driving, time, end = FOLLOW_UP[column, labels](rng)
    frame = pd.DataFrame({"column": driving, "normal": rng.normal(size=len(time))})
    y, seed = np.column_stack([np.minimum(time, end), time <= end]), int(rng.integers(2**31))
    how: dict[str, Any] = {"n_permutations": DRAWS, "response_scores": log_rank, "random_state": seed}
    p = {"split test": split_test(frame, y, **how).pvalue}
    for test, correction in (("selective", None), ("node", "bonferroni")):
        tests = InferenceTreeRegressor(test=test, correction=correction, max_depth=1, **how).fit(frame, y).verdicts_
        p[f"tree, {test}"] = tests[0].pvalue if tests else 1.0
    return p


def opened(path: Path, mode: str) -> Any:
    """Open a CSV file as text, a compressed one too."""
    return (gzip.open if path.suffix == ".gz" else open)(path, mode, newline="", encoding="utf-8")


def run(path: Path, minutes: float, follow_up: bool = False) -> None:
    """Add blocks, the designs in turn, until the time is up or all are there."""
    designs, tests = (FOLLOW_UP, survival_pvalues) if follow_up else (DESIGNS, pvalues)
    first, blocks = (len(DESIGNS), FEWER) if follow_up else (0, BLOCKS)
    done: set[tuple[str, ...]] = set()
    if path.exists():
        with opened(path, "rt") as file:
            done = {(row["column"], row["labels"], row["block"]) for row in csv.DictReader(file)}
    until = time.monotonic() + 60 * minutes
    with opened(path, "at") as file:
        out = csv.DictWriter(file, FIELDS, lineterminator="\n")
        if not done:
            out.writeheader()
        for block in range(blocks):
            for d, (column, labels) in enumerate(designs, first):
                if (column, labels, str(block)) in done:
                    continue
                if time.monotonic() > until:
                    return
                out.writerows(_block(tests, column, labels, block, np.random.default_rng([SEED, d, block])))
                file.flush()


def _block(
    tests: Callable[..., dict[str, float]], column: str, labels: str, block: int, rng: np.random.Generator
) -> Iterator[dict[str, Any]]:
    sets: Counter[str] = Counter()
    rejected: Counter[tuple[str, float]] = Counter()
    for _ in range(SETS):
        for test, p in tests(column, labels, rng).items():
            sets[test] += 1
            rejected.update((test, level) for level in LEVELS if p <= level * (1 + 1e-12))
    for test in sets:
        counts = dict(zip(FIELDS[-3:], (rejected[test, level] for level in LEVELS), strict=True))
        yield {"column": column, "labels": labels, "test": test, "block": block, "sets": sets[test], **counts}


def summary(path: Path) -> int:
    """Print the rejections of each cell, and return 1 if some cell has too many."""
    rows = pd.read_csv(path).groupby(["column", "labels", "test"], sort=False).sum(numeric_only=True)
    bad = 0
    for cell, row in rows.iterrows():
        surprise = [float(binom.sf(row[f] - 1, row["sets"], x)) for f, x in zip(FIELDS[-3:], LEVELS, strict=True)]
        bad += min(surprise) < 0.001
        print(*cell, int(row["sets"]), *(int(row[f]) for f in FIELDS[-3:]), "too many" * (min(surprise) < 0.001))
    sets = rows["sets"].astype(int)
    print(f"{len(rows)} cells, {sets.min()} to {sets.max()} data sets each; {bad} reject too often")
    return int(bad > 0)


def table(rows: list[Row]) -> str:
    """A row for each test: its designs, and the share of all its data sets, and of the worst, at each level."""
    sums = pd.DataFrame(rows).drop(columns="block").astype(dict.fromkeys(FIELDS[4:], int))
    cells = sums.groupby(["test", "column", "labels"], sort=False).sum()
    levels = (".05", ".01", ".001")
    lines = [f"| test | designs | data sets | {' | '.join(f'share at {x} (largest)' for x in levels)} | smallest P |"]
    lines.append("|---" * 7 + "|")
    for test, of in cells.groupby(level=0, sort=False):
        shares = of[list(FIELDS[-3:])].div(of["sets"], axis=0)
        surprise = [binom.sf(of[f] - 1, of["sets"], x).min() for f, x in zip(FIELDS[-3:], LEVELS, strict=True)]
        total = of[list(FIELDS[-3:])].sum() / of["sets"].sum()
        shares_shown = [f"{total[f]:.4f} ({shares[f].max():.4f})" for f in FIELDS[-3:]]
        lines.append(
            f"| {test} | {len(of)} | {of['sets'].sum():,} | {' | '.join(shares_shown)} | {min(surprise):.4f} |"
        )
    return "\n".join(lines) + "\n"


def follow_up_table(rows: list[Row]) -> str:
    """A row for each design: the share of its data sets in which each test rejects at .05."""
    sums = pd.DataFrame(rows).astype({"sets": int, "at .05": int})
    tests = sums["test"].unique()
    lines = [f"| follow-up | rows | data sets | {' | '.join(tests)} |", "|---" * (3 + len(tests)) + "|"]
    for (column, labels), of in sums.groupby(["column", "labels"], sort=False):
        counts = of.groupby("test")[["at .05", "sets"]].sum()
        shares = counts["at .05"] / counts["sets"]
        figures = " | ".join(f"{shares[test]:.3f}" for test in tests)
        lines.append(f"| {column} | {labels.removesuffix(' rows')} | {counts['sets'].iloc[0]:,} | {figures} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("what", choices=["run", "summary", "follow-up", "table"])
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--file", type=Path, default=FILE)
    options = parser.parse_args()
    if options.what == "table":
        print(table(REPORT.rows()), follow_up_table(CENSORED.rows()), sep="\n")
    elif options.what == "follow-up":
        run(CENSORED.results, options.minutes, follow_up=True)
    else:
        sys.exit(summary(options.file) if options.what == "summary" else run(options.file, options.minutes))
