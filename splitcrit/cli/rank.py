"""``splitcrit rank``: which columns of a file carry information, and which only have many values.

Main definitions: ``rank``, ``quantile_codes``, ``run``.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.cli import counted
from splitcrit.cli.scored import Ranked, Ranking, in_order, report, scored
from splitcrit.datasets.reading import Column, read_csv
from splitcrit.proofs.command import tell
from splitcrit.table import Table
from splitcrit.table.files import FORMATS
from splitcrit.table.sample import quantile_cuts
from splitcrit.values import complaint


def quantile_codes(numbers: NDArray[np.float64], bins: int) -> NDArray[np.int64]:
    """Return the bin of every number, cut at equally spaced quantiles of the numbers themselves; nan gets -1."""
    codes = np.searchsorted(quantile_cuts(numbers[~np.isnan(numbers)], bins), numbers, side="left")
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
    return scored(column.name, table, null, values=distinct, bins=used, missing=int(column.missing.sum()))


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
    return in_order((_ranked(column, chosen.cells, null, bins) for column in features), by)


def run(given: argparse.Namespace) -> int:
    """Run ``splitcrit rank`` and return the exit status."""
    if given.data.is_dir() or given.data.suffix.lower() in FORMATS:
        found = counted.ranking(
            given.data, given.target, null=given.null, by=given.by, bins=given.bins, drop=given.drop
        )
    else:
        columns = without(read_csv(given.data), given.drop)
        ranked = rank(columns, given.target, null=given.null, by=given.by, bins=given.bins)
        found = Ranking(len(columns[0].cells), tuple(ranked))
    about = {"file": given.data.name, "target": given.target, "null": given.null, "by": given.by}
    tell(given.json, {**about, **found.plain()}, report(found, given.target, given.null))
    return 0


def without(columns: list[Column], drop: list[str]) -> list[Column]:
    """Return the columns but those named, which must be there."""
    if lost := set(drop) - {column.name for column in columns}:
        known = ", ".join(column.name for column in columns[:8])
        raise ValueError(complaint("--drop names columns of the file", repr(min(lost)), f"columns are {known}"))
    return [column for column in columns if column.name not in drop]
