"""``splitcrit rank``: which columns of a file carry information, and which only have many values.

Main definitions: ``Ranked``, ``rank``, ``quantile_codes``, ``run``.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.datasets.reading import Column, read_csv
from splitcrit.files import write_json
from splitcrit.moments import gini_gain, gini_null, gini_pvalue, sgini
from splitcrit.table import Table
from splitcrit.values import complaint


@dataclass(frozen=True)
class Ranked:
    """One feature of a ranking; ``bins`` is 0 where the values themselves are the rows of the table."""

    feature: str
    values: int
    bins: int
    missing: int
    gini: float
    null_mean: float
    null_sd: float
    sgini: float
    pvalue: float
    method: str


def quantile_codes(numbers: NDArray[np.float64], bins: int) -> NDArray[np.int64]:
    """Return the bin of every number, cut at equally spaced quantiles of the numbers themselves; nan gets -1."""
    present = numbers[~np.isnan(numbers)]
    cuts = np.unique(np.quantile(present, np.arange(1, bins) / bins, method="inverted_cdf"))
    codes = np.searchsorted(cuts, numbers, side="left")
    return np.where(np.isnan(numbers), -1, codes)


def _rows(column: Column, bins: int) -> tuple[Any, int, int]:
    """Return the rows of a column's table, its number of distinct values and of bins (0 if the values serve)."""
    if column.numbers is None:
        return column.cells, len(np.unique(column.cells[~column.missing])), 0
    distinct = len(np.unique(column.numbers[~column.missing]))
    if distinct <= bins:
        return column.numbers, distinct, 0
    codes = quantile_codes(column.numbers, bins)
    return codes, distinct, len(np.unique(codes[codes >= 0]))


def _ranked(column: Column, label: NDArray[np.str_], null: str, bins: int) -> Ranked:
    rows, distinct, used = _rows(column, bins)
    named = np.unique(rows, return_inverse=True)[1]
    codes = np.where(column.missing, -1, named)  # missing cells are a row of their own
    table = Table.of(codes, label).dropped()
    law = gini_null(table.row_totals, table.column_totals, model=null)  # type: ignore[arg-type]
    gain, sd = gini_gain(table), math.sqrt(law.variance)
    score = sgini(table) if null == "permutation" else ((gain - law.mean) / sd if sd else 0.0)
    p = gini_pvalue(table, method="auto" if null == "permutation" else "gamma", model=null)  # type: ignore[arg-type]
    missing = int(column.missing.sum())
    return Ranked(column.name, distinct, used, missing, gain, law.mean, sd, score, float(p), p.method)


def rank(
    columns: list[Column], target: str, *, null: str = "permutation", by: str = "sgini", bins: int = 16
) -> list[Ranked]:
    """Return the features in order of what they tell about the target, best first.

    Numeric columns with more than ``bins`` distinct values are cut at quantiles, without a look at the label, so that
    the null law stays exact. Rows without a label are refused.

    Raises
    ------
    ValueError
        If the target is missing or has one class only, or ``bins`` is below 2.
    """
    if bins < 2:
        raise ValueError(complaint("a numeric column is cut into at least 2 bins", bins, "pass --bins 2 or more"))
    chosen = next((column for column in columns if column.name == target), None)
    if chosen is None:
        known = ", ".join(column.name for column in columns[-8:])
        where = known if len(columns) <= 8 else f"..., {known}"
        raise ValueError(complaint("the target is a column of the file", repr(target), f"columns are {where}"))
    if chosen.missing.any():
        row = int(np.flatnonzero(chosen.missing)[0]) + 2
        raise ValueError(
            complaint("every row needs a label", f"an empty cell in row {row}", "drop rows without a label")
        )
    if len(np.unique(chosen.cells)) < 2:
        rule = "a ranking needs at least two classes"
        raise ValueError(complaint(rule, f"only {str(chosen.cells[0])!r} in {target!r}", "choose another target"))
    features = [column for column in columns if column is not chosen]
    if not features:
        raise ValueError(complaint("a ranking needs a feature", "the target alone", "pass a file with more columns"))
    ranked = [_ranked(column, chosen.cells, null, bins) for column in features]
    order = {
        "sgini": lambda r: -r.sgini,
        "pvalue": lambda r: (r.pvalue, -r.sgini),
        "gini": lambda r: -r.gini,
    }[by]
    return sorted(ranked, key=order)


def _chance(p: float) -> str:
    return f"{p:.3g}" if p >= 1e-300 else "<1e-300"


def _cells(r: Ranked) -> tuple[str, ...]:
    values = f"{r.values}{'*' if r.bins else ''}"
    return r.feature, values, f"{r.gini:.6f}", f"{r.null_mean:.6f}", f"{r.sgini:.2f}", _chance(r.pvalue), r.method


def _aligned(row: tuple[str, ...], widths: list[int]) -> list[str]:
    """Return the cells padded to their widths, the first and the last to the left, numbers to the right."""
    ends = (0, len(row) - 1)
    return [x.ljust(w) if i in ends else x.rjust(w) for i, (x, w) in enumerate(zip(row, widths, strict=True))]


def report(ranked: list[Ranked], rows: int, target: str, null: str) -> str:
    """Return the ranking as text of aligned columns, with what was binned said below."""
    head = ("feature", "values", "Gini gain", "null mean", "SGini", "p-value", "method")
    body = [_cells(r) for r in ranked]
    widths = [max(len(row[i]) for row in (head, *body)) for i in range(len(head))]
    lines = ["  ".join(_aligned(row, widths)).rstrip() for row in (head, *body)]
    notes = [f"{rows} rows, target {target}; SGini: standard deviations above chance ({null} null)."]
    if binned := [r for r in ranked if r.bins]:
        most = max(r.bins for r in binned)
        notes.append(f"* numeric, cut at quantiles into at most {most} bins without looking at the target.")
    if holes := [r.feature for r in ranked if r.missing]:
        notes.append(f"missing cells are a value of their own in: {', '.join(holes)}.")
    return "\n".join([*lines, "", *notes])


def run(given: argparse.Namespace) -> int:
    """Run ``splitcrit rank`` and return the exit status."""
    columns = read_csv(given.data)
    ranked = rank(columns, given.target, null=given.null, by=given.by, bins=given.bins)
    rows = len(columns[0].cells)
    if given.json is not None:
        write_json(
            given.json,
            {"file": given.data.name, "target": given.target, "rows": rows, "null": given.null, "by": given.by,
             "features": [asdict(r) for r in ranked]},
        )  # fmt: skip
    print(report(ranked, rows, given.target, given.null))
    return 0
