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
from splitcrit.estimators.columns import columns_of
from splitcrit.inputs import numbers
from splitcrit.table.levels import MISSING
from splitcrit.values import complaint

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
        below = self.levels[cut - 1]
        if self.kind != NUMERIC:
            return below
        if cut == len(self.levels):
            return float("inf")
        middle = float(0.5 * below + 0.5 * self.levels[cut])
        return middle if middle < self.levels[cut] else float(below)


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
            values, mask = np.column_stack([np.asarray(column, dtype=float) for column in columns]), None
    else:
        values, mask = coding.x, coding.mask
    if np.isinf(values).any():
        rule, remedy = "features are finite numbers, or missing as nan", "replace them by nan or a number"
        raise ValueError(complaint(rule, "an infinite one", remedy))
    names = [str(name) for name in getattr(x, "columns", ())] or [f"x{j}" for j in range(len(columns))]
    found = []
    for j, column in enumerate(columns):
        if mask is None or coding is None or not mask[j]:
            found.append(_numeric(names[j], values[:, j], missing))
        else:
            found.append(_categories(names[j], column, values[:, j], coding.categories[j] or [], missing))
    return found


def _numeric(name: str, values: Array, missing: str) -> Feature:
    """Return a feature of numbers; missing values, which are the last level, are none, or larger than all."""
    levels, codes = np.unique(values, return_inverse=True)
    if len(levels) and np.isnan(levels[-1]):
        last = len(levels) - 1
        if missing == "row":
            levels[last] = np.inf
        else:
            levels, codes = levels[:last], np.where(codes == last, -1, codes)
    return Feature(name, NUMERIC, levels, codes)


def _categories(name: str, column: Any, values: Array, categories: list[Any], missing: str) -> Feature:
    """Return a feature of categories; missing values are one of them, but for an order with ``missing="side"``."""
    ordered = bool(getattr(getattr(column, "dtype", None), "ordered", False))
    levels = np.fromiter(categories, dtype=object, count=len(categories))
    codes = values.astype(np.int64)
    if ordered and missing == "side" and len(levels) and isinstance(levels[-1], str) and levels[-1] == MISSING:
        codes = np.where(codes == len(levels) - 1, -1, codes)
    return of_codes(name, ORDERED if ordered else CATEGORIES, levels, codes)
