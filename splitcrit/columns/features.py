"""The features of a node: their distinct values in order, or their categories.

Main definitions: ``Feature``, ``read_features``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.categories_input import levels_of, mask_of, names_of
from splitcrit.data.columns import columns_of, magnitudes, read_in_order
from splitcrit.data.integers import is_beyond, middle
from splitcrit.data.value_codes import MISSING, Levels, is_ordered
from splitcrit.frozen import complaint

NUMERIC, ORDERED, CATEGORIES = "numeric", "ordered", "categories"


@dataclass(frozen=True, eq=False)
class Feature:
    """One feature of the rows of a node.

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
        """The number of rows with each value ``(r,)``."""
        return np.bincount(self.codes + 1, minlength=len(self.levels) + 1)[1:]

    @cached_property
    def missing(self) -> int:
        """The number of rows without a value."""
        return len(self.codes) - int(self.sizes.sum())

    @cached_property
    def absent(self) -> Array:
        """Whether each row is without a value ``(n,)``, be that a level of its own or not."""
        last = self.levels[-1] if len(self.levels) else None
        own = isinstance(last, float | str) and last in (np.inf, MISSING)
        return np.asarray((self.codes < 0) | (own & (self.codes == len(self.levels) - 1)))

    def repeated(self, counts: Array) -> Feature:
        """Return the feature of rows that each stand for a number of observations; values of none are left out."""
        return of_codes(self.name, self.kind, self.levels, np.repeat(self.codes, counts))

    def threshold(self, cut: int) -> Any:
        """Return the threshold between values ``cut - 1`` and ``cut``: a number, or the last category to the left."""
        if self.kind != NUMERIC:
            return self.levels[cut - 1]
        return float("inf") if cut == len(self.levels) else middle(*self.levels[cut - 1 : cut + 1].tolist())


def of_codes(name: str, kind: str, levels: Array, codes: Array) -> Feature:
    """Return a feature whose levels all occur."""
    present, places = np.unique(codes, return_inverse=True)
    gap = int(len(present) > 0 and present[0] < 0)
    return Feature(name, kind, levels[present[gap:]], places.reshape(-1) - gap)


def read_features(x: Any, categorical: Any, missing: str) -> list[Feature]:
    """Read the features of a data frame, an array or nested lists.

    Categories are the columns that ``categorical`` names; with None those of a data frame whose dtype is categorical or
    text. Others are numbers or dates; truth values are 0 and 1. With ``missing="row"`` missing values are a last value
    of their own.

    Raises
    ------
    ValueError, TypeError
        If columns are neither and not named, or infinite, or there are none.
    """
    columns, which = columns_of(x), "from_dtype" if categorical is None else categorical
    names = names_of(x) or [f"x{j}" for j in range(len(columns))]
    levels = levels_of(which, mask_of(which, columns, x), columns, names_of(x))
    return [
        _categories(name, column, levels[j], missing) if j in levels else _ordered(name, column, missing)
        for j, (name, column) in enumerate(zip(names, columns, strict=True))
    ]


def _ordered(name: str, column: Any, missing: str) -> Feature:
    """Return a feature of numbers or dates; missing values are none, or a last level, larger than all."""
    ordered = read_in_order(column, name)
    if not ordered.in_order:
        rule, remedy = "features are numbers, dates or categories", "encode it, or name it in categorical_features"
        raise ValueError(complaint(rule, f"{ordered.names[0]!r} in column {name!r}", remedy))
    values, present = magnitudes(ordered)
    dated = values.dtype.kind in "Mm"
    if not dated and (values.max(initial=0) == np.inf or values.min(initial=0) == -np.inf):
        rule, remedy = "features are finite numbers, or missing as nan", "replace them by nan or a number"
        raise ValueError(complaint(rule, f"an infinite one in column {name!r}", remedy))
    levels, places = np.unique(values, return_inverse=True)
    codes = np.full(len(present), -1)
    codes[present] = places
    if missing == "row" and not present.all():
        codes[~present] = len(levels)
        levels = levels.astype(object) if dated or is_beyond(levels) else levels
        levels = np.append(levels, MISSING if dated else np.inf)
    return Feature(name, ORDERED if dated else NUMERIC, levels, codes)


def _categories(name: str, column: Any, coded: Levels, missing: str) -> Feature:
    """Return a feature of categories; missing values are one of them, but for an order with ``missing="side"``."""
    ordered = is_ordered(column)
    levels, codes = np.fromiter(coded.names, dtype=object, count=len(coded.names)), coded.codes
    if ordered and missing == "side" and len(levels) and isinstance(levels[-1], str) and levels[-1] == MISSING:
        codes = np.where(codes == len(levels) - 1, -1, codes)
    return of_codes(name, ORDERED if ordered else CATEGORIES, levels, codes)
