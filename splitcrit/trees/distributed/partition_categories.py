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
from splitcrit.data import categories_input
from splitcrit.data.categories_input import CategoryCoding
from splitcrit.data.columns import IN_ORDER, InMemoryColumn, read_in_order
from splitcrit.data.value_codes import MISSING, Levels, in_order, with_missing_row
from splitcrit.frozen import complaint
from splitcrit.trees.distributed.histograms import merged
from splitcrit.trees.distributed.partitions import Partitions


def asked(given: Any, x: Any) -> Array | None:
    """Return the features of a Dask array or data frame that ``categorical_features`` may mean, None for none.

    Raises
    ------
    ValueError
        If it names no features of ``x``.
    """
    framed = hasattr(x, "divisions")
    if given is None or getattr(x, "ndim", 0) != 2 or not isinstance(x.shape[1], int | np.integer):
        return None
    kinds = [dtype.kind for dtype in (x.dtypes if framed else [x.dtype] * x.shape[1])]
    if isinstance(given, str):  # what the partitions hold will say whether these are categories
        mask = np.array([kind in "OSUV" for kind in kinds], dtype=bool)
    else:
        mask = categories_input.mask_of(given, kinds, categories_input.names_of(x._meta) if framed else None)
    return mask if mask.any() else None


@dataclass(frozen=True, eq=False)
class CategoriesSeen:
    """What the rows of a column hold: of which kinds, in which declared order, which categories, and how many rows."""

    kinds: frozenset[str]
    declared: tuple[Any, ...] | None
    names: tuple[Any, ...]
    rows: int

    @staticmethod
    def of(column: InMemoryColumn, by_dtype: bool) -> CategoriesSeen:
        """Return the categories of a column; missing values are one. Numbers are some only if they are named."""
        names = () if by_dtype and column.kind in IN_ORDER else with_missing_row(categories_input.levels(column)).names
        return CategoriesSeen(
            frozenset({column.kind}), column.names if column.declared else None, names, len(column.present)
        )

    @staticmethod
    def merged(parts: Sequence[CategoriesSeen]) -> CategoriesSeen:
        """Return the categories of several parts: in the order that all declare, else sorted."""
        names, orders = dict.fromkeys(name for part in parts for name in part.names), {part.declared for part in parts}
        declared = next(iter(orders)) if len(orders) == 1 else None
        place = {} if declared is None else {name: i for i, name in enumerate(declared)}
        ordered = in_order(names) if declared is None else sorted(names, key=lambda name: place.get(name, len(place)))
        kinds = frozenset[str]().union(*(part.kinds for part in parts))
        return CategoriesSeen(kinds, declared, tuple(ordered), sum(part.rows for part in parts))

    @property
    def dated(self) -> bool:
        """Whether all rows hold dates, be it as texts, which parts may hold among others."""
        texts = [name for name in self.names if name != MISSING]
        return self.kinds == {"date"} or (self.declared is None and read_in_order(texts, "").kind == "date")

    @property
    def levels(self) -> Levels:
        """The categories, and as many codes as rows, which say nothing."""
        return Levels(self.names, np.broadcast_to(0, self.rows))


def coding_of(data: Partitions, mask: Array, by_dtype: bool) -> CategoryCoding:
    """Return the categories of the features that ``mask`` tells, and no rows.

    Raises
    ------
    ValueError, TypeError
        If a feature has too many, or holds dates that are not named.
    """
    names = None if data.names is None else [str(name) for name in data.names]
    which = np.flatnonzero(mask).tolist()
    held = delayed((names, which, by_dtype), traverse=False)
    found = merged([delayed(seen)(x, held) for x, _, _ in data.parts], together, held).compute()
    each = dict(zip(which, found, strict=False))
    if by_dtype and (dates := [f for f, column in each.items() if column.dated]):
        got = f"dates or times in column {categories_input.called(dates[0], names)}"
        raise TypeError(complaint(categories_input.RULE, got, categories_input.DAYS))
    coded = {f: column.levels for f, column in each.items() if not by_dtype or column.kinds != {"number"}}
    categories_input.warn_many(coded, names)
    categories = [list(coded[f].names) if f in coded else None for f in range(data.features)]
    return CategoryCoding(np.empty((0, data.features)), categories, np.isin(np.arange(data.features), list(coded)))


Held = tuple[list[str] | None, list[int], bool]


def seen(x: Any, held: Held) -> list[CategoriesSeen]:
    """Return the categories of the columns of a partition, none if it has no rows."""
    columns = categories_input.columns_read(x, held[1]) if len(x) else []
    return few([CategoriesSeen.of(columns[f], held[2]) for f in held[1] if columns], held)


def together(parts: Sequence[list[CategoriesSeen]], held: Held) -> list[CategoriesSeen]:
    """Return the categories of the columns of several partitions."""
    return few([CategoriesSeen.merged(each) for each in zip(*(part for part in parts if part), strict=True)], held)


def few(found: list[CategoriesSeen], held: Held) -> list[CategoriesSeen]:
    """Return the categories of columns, refusing too many, so that they may travel."""
    names, which, by_dtype = held
    categories_input.refuse_many({f: each.levels for f, each in zip(which, found, strict=False)}, names, by_dtype)
    return found
