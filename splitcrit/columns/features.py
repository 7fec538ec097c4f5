"""Columns in memory: their distinct values in order, or their categories, and which of them each row has.

Main definitions: ``Feature``; ``read_features`` (of a node), ``read_held`` (a column of a ranking).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.columns.column_tests import LabelledRows
from splitcrit.data import categories_input
from splitcrit.data.categories_input import levels_of, mask_of, names_of
from splitcrit.data.columns import NONE, InMemoryColumn, NaValues, columns_of, levels, read_columns
from splitcrit.data.counted_columns import Column, ColumnCounts, ReadingOptions
from splitcrit.data.partial_counts import APART, CELLS, ValueCounts
from splitcrit.data.targets import read_target
from splitcrit.data.training_inputs import one_for_each
from splitcrit.data.values import MISSING, Levels, is_beyond, middle
from splitcrit.nulls.feature_counts import BINS

NUMERIC, ORDERED, CATEGORIES = "numeric", "ordered", "categories"


@dataclass(frozen=True, eq=False)
class Feature:
    """One feature of the rows of a node, or one column of a ranking.

    Parameters
    ----------
    name
        Its name.
    kind
        ``"numeric"``, ``"ordered"`` (dates, and categories in a declared order) or ``"categories"``.
    levels
        The values that occur, ``(r,)``, in order.
    codes
        For every row the place of its value among them ``(n,)``, -1 where it is missing.
    binned
        Whether a level is the largest value of a bin between quantiles.
    """

    name: str
    kind: str
    levels: Array
    codes: Array
    binned: bool = False

    @cached_property
    def places(self) -> Array:
        """For every row the place of its value, those without one last ``(n,)``."""
        return np.where(self.codes < 0, len(self.levels), self.codes)

    @cached_property
    def absent(self) -> Array:
        """Whether each row is without a value ``(n,)``, be that a level of its own or not."""
        last = self.levels[-1] if len(self.levels) else None
        own = isinstance(last, float | str) and (last != last or last == MISSING)
        return np.asarray((self.codes < 0) | (own & (self.codes == len(self.levels) - 1)))

    def take(self, rows: Array) -> Feature:
        """The feature of some rows, by their places, some perhaps twice, or by a mask."""
        return of_codes(self.name, self.kind, self.levels, self.codes[rows], self.binned)

    def observed(self, labels: LabelledRows) -> tuple[Feature, LabelledRows]:
        """The feature, and labels, of the rows that count for it."""
        rows, labels = labels.observed(self.places)
        return self if rows is None else self.take(rows), labels

    def counted(self) -> ColumnCounts:
        """How many rows have each value, as those of one class."""
        counts = np.bincount(self.places)[:, None]
        cuts = self.levels[:-1] if self.binned else ()
        return ColumnCounts(counts, self.levels, len(counts) > len(self.levels), cuts)

    def threshold(self, cut: int) -> Any:
        """The threshold between values ``cut - 1`` and ``cut``: a number, or the last category to the left."""
        if self.kind != NUMERIC or (self.binned and cut < len(self.levels)):
            return self.levels[cut - 1]
        return float("inf") if cut == len(self.levels) else middle(*self.levels[cut - 1 : cut + 1].tolist())


def of_codes(name: Any, kind: str, levels: Array, codes: Array, binned: bool = False) -> Feature:
    """A feature whose levels all occur."""
    there = np.bincount(codes + 1, minlength=len(levels) + 1)[1:] > 0
    return Feature(name, kind, levels[there], np.append(there.cumsum() - 1, -1)[codes], binned)


def read_features(x: Any, categorical: Any, missing: str, times: Array | None = None) -> list[Feature]:
    """Read the features of a data frame, an array, a sparse matrix or nested lists, each row as often as it counts.

    Categories are texts, what a dtype declares to be some, and the columns that ``categorical`` names. Others are
    numbers or dates; truth values are 0 and 1. With ``missing="row"`` missing values are a last value of their own.

    Raises
    ------
    ValueError, TypeError
        If ``categorical`` names no columns, or there are none.
    """
    names, each = names_of(x), read_columns(x) if hasattr(x, "tocsc") else columns_of(x)
    named = np.zeros(len(each), dtype=bool) if categorical is None else mask_of(categorical, each, names)
    columns = categories_input.columns_read(x, np.flatnonzero(named))
    if times is not None:
        one_for_each(times, len(columns[0]))
        rows = np.repeat(np.arange(len(times)), times)
        columns = columns if (times == 1).all() else [column.take(rows) for column in columns]
    coded = levels_of(named | mask_of("from_dtype", columns, names), columns)
    categories_input.warn_many(coded, names)
    labels = names or [f"x{j}" for j in range(len(columns))]
    return [
        _categories(name, column, coded[j], missing) if j in coded else _ordered(name, column, missing)
        for j, (name, column) in enumerate(zip(labels, columns, strict=True))
    ]


def with_target(X: Any, y: Any, measured: bool) -> tuple[Any, Any, Array]:
    """The rows that have a target, a class or ``measured``, with it, and which these are of all."""
    from sklearn.utils import _safe_indexing

    present = read_target(y, "numbers" if measured else "classes").present
    if present.all():
        return X, y, present
    rows = np.flatnonzero(present)
    columns = X.items() if isinstance(X, Mapping) else ()
    X = {name: _safe_indexing(x, rows) for name, x in columns} if columns else _safe_indexing(X, rows)
    return X, _safe_indexing(y, rows), present


def read_held(name: Any, column: InMemoryColumn, reading: ReadingOptions) -> tuple[Feature, Column] | None:
    """A column in memory as ``Tables.of`` reads it, and how; None of texts with too many values."""
    if column.in_order and name not in reading.unordered:
        return _in_order(name, column, reading.na_values)
    names, codes = levels(column, reading.na_values)
    if len(names) > reading.most:
        return None
    kind = "category" if column.in_order else column.kind
    about = Column(kind, len(names), missing=int((codes < 0).sum()), note=column.note)
    return of_codes(name, CATEGORIES, np.fromiter(names, dtype=object, count=len(names)), codes), about


def _in_order(name: Any, column: InMemoryColumn, na_values: NaValues = NONE) -> tuple[Feature, Column]:
    """A feature of numbers or dates, more than 1024 of which are cut at quantiles, and how it was read."""
    there, codes = column.coded(na_values)
    about = Column(column.kind, len(there), 0, False, int((codes < 0).sum()), column.marks, column.note)
    if about.values > BINS:
        tally = ValueCounts(CELLS, in_order=True, in_cells=True)
        tally.add(there, codes, np.zeros(len(codes), dtype=np.intp), 1)
        cuts = tally.cut(BINS)[0]
        codes = np.append(np.searchsorted(cuts, there), -1)[codes]
        there = np.append(cuts, there[-1:])
        about = replace(about, values=len(tally.values), bins=len(there), merged=tally.level > APART)
    return Feature(name, ORDERED if column.kind == "date" else NUMERIC, there, codes, about.bins > 0), about


def _ordered(name: str, column: InMemoryColumn, missing: str) -> Feature:
    """A feature of numbers or dates; missing values are none, or a last level, larger than all."""
    feature, about = _in_order(name, column)
    if missing == "side" or not about.missing:
        return feature
    dated, there = feature.kind == ORDERED, feature.levels
    there = there.astype(object) if dated or is_beyond(there) else there
    return replace(feature, levels=np.append(there, MISSING if dated else np.nan), codes=feature.places)


def _categories(name: str, column: InMemoryColumn, coded: Levels, missing: str) -> Feature:
    """A feature of categories; missing values are one of them, but for an order with ``missing="side"``."""
    levels, codes = np.fromiter(coded.names, dtype=object, count=len(coded.names)), coded.codes
    ordered = column.kind == "ordered"
    if ordered and missing == "side":
        codes = np.where(column.present, codes, -1)
    return of_codes(name, ORDERED if ordered else CATEGORIES, levels, codes)
