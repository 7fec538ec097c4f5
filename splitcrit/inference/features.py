"""The features of a node: their distinct values in order, or their categories.

Main definitions: ``Feature``, ``read_features``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.estimators.coding import coding_of
from splitcrit.estimators.columns import columns_of, floats_of, names_of
from splitcrit.frozen import complaint
from splitcrit.table.counting import EXACT_FLOAT
from splitcrit.table.integers import as_numbers, is_beyond, middle, values_of
from splitcrit.table.value_codes import MISSING
from splitcrit.training_inputs import numbers

Array = NDArray[Any]
NUMERIC, ORDERED, CATEGORIES = "numeric", "ordered", "categories"


@dataclass(frozen=True, eq=False)
class Feature:
    """One feature of the rows of a node.

    Parameters
    ----------
    name
        What it is called.
    kind
        ``"numeric"``, ``"ordered"`` (categories in a declared order) or ``"categories"``.
    levels
        The values that occur, ``(r,)``, in order.
    codes
        For every row the place of its value among them ``(n,)``, -1 where it is missing.
    """

    name: str
    kind: str
    levels: Array
    codes: Array

    @cached_property
    def order(self) -> Array:
        """The rows by their values, those without one first."""
        return np.argsort(self.codes, kind="stable")

    @cached_property
    def sizes(self) -> Array:
        """How many rows have each value ``(r,)``."""
        return np.bincount(self.codes + 1, minlength=len(self.levels) + 1)[1:]

    @cached_property
    def missing(self) -> int:
        """How many rows have no value."""
        return len(self.codes) - int(self.sizes.sum())

    def repeated(self, counts: Array) -> Feature:
        """Return the feature of rows that each stand for a number of observations; values of none are left out."""
        return of_codes(self.name, self.kind, self.levels, np.repeat(self.codes, counts))

    def threshold(self, cut: int) -> Any:
        """Return what lies between the values ``cut - 1`` and ``cut``: a number, or the last category to the left."""
        if self.kind != NUMERIC:
            return self.levels[cut - 1]
        return float("inf") if cut == len(self.levels) else middle(*self.levels[cut - 1 : cut + 1].tolist())


def of_codes(name: str, kind: str, levels: Array, codes: Array) -> Feature:
    """Return a feature whose levels all occur."""
    present, places = np.unique(codes, return_inverse=True)
    gap = int(len(present) > 0 and present[0] < 0)
    return Feature(name, kind, levels[present[gap:]], places.reshape(-1) - gap)


def read_features(x: Any, categorical: Any, missing: str) -> list[Feature]:
    """Return the features of a data frame, an array or nested lists.

    Numeric are all columns that ``categorical`` does not name; with None those of a data frame whose dtype is
    categorical or text are named. With ``missing="row"`` missing values are a last value of their own.

    Raises
    ------
    ValueError, TypeError
        If columns are no numbers and not named, or infinite, or there are none.
    """
    columns = columns_of(x)
    coding = coding_of("from_dtype" if categorical is None else categorical, x)
    if coding is None:
        with numbers(x):
            values, mask = np.column_stack([floats_of(column) for column in columns]), None
    else:
        values, mask = coding.x, coding.mask
    if np.isinf(values).any():
        rule, remedy = "features are finite numbers, or missing as nan", "replace them by nan or a number"
        raise ValueError(complaint(rule, "an infinite one", remedy))
    names = names_of(x) or [f"x{j}" for j in range(len(columns))]
    found = []
    for j, column in enumerate(columns):
        if mask is None or coding is None or not mask[j]:
            found.append(_numeric(names[j], column, values[:, j], missing))
        else:
            found.append(_categories(names[j], column, values[:, j], coding.categories[j] or [], missing))
    return found


def _numeric(name: str, column: Any, values: Array, missing: str) -> Feature:
    """Return a feature of numbers, given in float64 too; missing values are none, or a last level, larger than all."""
    there = ~np.isnan(values)
    held = values[there]
    if (np.abs(held) >= EXACT_FLOAT).any() and (given := values_of(column)).dtype.kind in "iuO":
        held = as_numbers(given[there].tolist())  # integers that float64 does not keep apart
    levels, places = np.unique(held, return_inverse=True)
    codes = np.full(len(values), -1)
    codes[there] = places
    if missing == "row" and not there.all():
        codes[~there] = len(levels)
        levels = np.append(levels.astype(object) if is_beyond(levels) else levels, np.inf)
    return Feature(name, NUMERIC, levels, codes)


def _categories(name: str, column: Any, values: Array, categories: list[Any], missing: str) -> Feature:
    """Return a feature of categories; missing values are one of them, but for an order with ``missing="side"``."""
    ordered = bool(getattr(getattr(column, "dtype", None), "ordered", False))
    levels = np.fromiter(categories, dtype=object, count=len(categories))
    codes = values.astype(np.int64)
    if ordered and missing == "side" and len(levels) and isinstance(levels[-1], str) and levels[-1] == MISSING:
        codes = np.where(codes == len(levels) - 1, -1, codes)
    return of_codes(name, ORDERED if ordered else CATEGORIES, levels, codes)
