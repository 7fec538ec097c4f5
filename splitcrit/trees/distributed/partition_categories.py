"""The categories of features in partitions: which features have them, and what all partitions together hold.

Main definitions: ``asked``, ``coding_of``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from dask.delayed import delayed

from splitcrit.arguments import Array
from splitcrit.data.categories_input import CategoryCoding, mask_of, observed, refuse_many, warn_many
from splitcrit.data.columns import coded, columns_of
from splitcrit.data.value_codes import Levels, declared_by, in_order, with_missing_row
from splitcrit.frozen import complaint
from splitcrit.trees.distributed.histograms import merged
from splitcrit.trees.distributed.partitions import Partitions


def asked(given: Any, x: Any) -> Array | None:
    """Return the features of a Dask array or data frame that ``categorical_features`` names, None for none.

    Raises
    ------
    ValueError
        If it names no features of ``x``.
    """
    framed = hasattr(x, "divisions")
    if given is None or getattr(x, "ndim", 0) != 2 or not isinstance(x.shape[1], int | np.integer):
        return None
    columns = [x._meta.iloc[:, j] if framed else None for j in range(x.shape[1])]  # of a frame without rows
    mask = mask_of(given, columns, x._meta if framed else x)
    return mask if mask.any() else None


@dataclass(frozen=True, eq=False)
class CategoriesSeen:
    """What the rows of a column hold: an order that its dtype declares if it does, categories, and how many rows."""

    declared: tuple[Any, ...] | None
    names: tuple[Any, ...]
    rows: int

    @staticmethod
    def of(column: Any) -> CategoriesSeen:
        """Return the categories of a column; missing values are one."""
        found = with_missing_row(observed(coded(column, "feature")))
        return CategoriesSeen(declared_by(column), found.names, len(found.codes))

    @staticmethod
    def merged(parts: Sequence[CategoriesSeen]) -> CategoriesSeen:
        """Return the categories of several parts: in the order that all declare, else sorted."""
        names, orders = dict.fromkeys(name for part in parts for name in part.names), {part.declared for part in parts}
        declared = next(iter(orders)) if len(orders) == 1 else None
        place = {} if declared is None else {name: i for i, name in enumerate(declared)}
        ordered = in_order(names) if declared is None else sorted(names, key=lambda name: place.get(name, len(place)))
        return CategoriesSeen(declared, tuple(ordered), sum(part.rows for part in parts))

    @property
    def levels(self) -> Levels:
        """The categories, and as many codes as rows, which say nothing."""
        return Levels(self.names, np.broadcast_to(0, self.rows))


def coding_of(data: Partitions, mask: Array, by_dtype: bool) -> CategoryCoding:
    """Return the categories of the features that ``mask`` tells, and no rows.

    Raises
    ------
    ValueError
        If a feature has too many.
    """
    names = None if data.names is None else [str(name) for name in data.names]
    which, held = np.flatnonzero(mask).tolist(), delayed((names, mask, by_dtype), traverse=False)
    parts = [delayed(seen)(x, held) for x, _, _ in data.parts]
    found = merged(parts, together, held).compute()
    levels = {f: each.levels for f, each in zip(which, found, strict=True)} if found else {}
    warn_many(levels, names)
    categories = [list(levels[f].names) if f in levels else None for f in range(data.features)]
    return CategoryCoding(np.empty((0, data.features)), categories, mask)


Held = tuple[list[str] | None, Array, bool]


def seen(x: Any, held: Held) -> list[CategoriesSeen]:
    """Return the categories of the columns of a partition, none if it has no rows."""
    if not len(x):
        return []
    columns, (names, mask, by_dtype) = columns_of(x), held
    if by_dtype and (other := mask & ~mask_of("from_dtype", columns, x)).any():
        rule = "a feature taken for its dtype holds words or categories in every partition"
        got = f"others in column {names[int(other.argmax())]!r}" if names else "others in a column"
        raise ValueError(complaint(rule, got, "name the column in categorical_features, or turn it into numbers"))
    return few([CategoriesSeen.of(columns[f]) for f in np.flatnonzero(mask)], held)


def together(parts: Sequence[list[CategoriesSeen]], held: Held) -> list[CategoriesSeen]:
    """Return the categories of the columns of several partitions."""
    return few([CategoriesSeen.merged(each) for each in zip(*(part for part in parts if part), strict=True)], held)


def few(found: list[CategoriesSeen], held: Held) -> list[CategoriesSeen]:
    """Return the categories of columns, refusing too many, so that they may travel."""
    names, mask, by_dtype = held
    refuse_many({int(f): each.levels for f, each in zip(np.flatnonzero(mask), found, strict=False)}, names, by_dtype)
    return found
