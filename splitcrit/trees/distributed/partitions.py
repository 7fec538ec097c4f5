"""Validation for distributed trees: Dask arrays and data frames become partitions of rows, or one sentence.

Main definitions: ``Partitions``, ``features_of``; ``asked``, which features are categories, and
``coding_of``, what all partitions together hold of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from dask.delayed import delayed

from splitcrit.arguments import Array, a_table
from splitcrit.data import categories_input
from splitcrit.data.categories_input import CategoryCoding, coded_by
from splitcrit.data.columns import InMemoryColumn, columns_of, levels, read_in_order
from splitcrit.data.training_inputs import finite_weights, unmasked
from splitcrit.data.values import IN_ORDER, MISSING, Levels, in_order, with_missing_row
from splitcrit.frozen import complaint
from splitcrit.trees.distributed.histograms import merged
from splitcrit.trees.estimators.narrowing import finite_ends

WORDS = "name it in categorical_features, or encode or drop it first"


@dataclass(frozen=True, eq=False)
class Partitions:
    """Partitions of rows (features, labels, weights, each delayed or None), names and number of the features.

    ``categories`` are those of each feature, None for a numeric one, or for all. ``wide`` tasks are also given the
    columns of a partition as they are, before they are floats.
    """

    parts: list[tuple[Any, Any, Any]]
    names: tuple[Any, ...] | None
    features: int
    categories: list[list[Any] | None] | None = None
    wide: bool = False

    @staticmethod
    def of(x: Any, y: Any, weights: Any = None) -> Partitions:
        """The partitions of features, labels and weights that are Dask arrays or data frames.

        Raises
        ------
        TypeError, ValueError
            If one is neither, has another shape, or has other partitions than the features.
        """
        names = _columns(x)
        features = len(names) if names is not None else _width(x)
        blocks, known = blocks_of(x)
        others = [_alike(blocks, known, _column(other, what), what) for other, what in ((y, "y"), (weights, "weights"))]
        return Partitions(list(zip(blocks, *others, strict=True)), names, features)

    def each(self, task: Callable[..., Any], *options: Any, own: Sequence[tuple[Any, ...]] | None = None) -> list[Any]:
        """``task(features, labels, weights, *options)`` of each partition, delayed and validated.

        ``own`` holds more options for each partition.
        """
        shared = delayed((replace(self, parts=[]), *options), traverse=False)
        more = [()] * len(self.parts) if own is None else [delayed(one, traverse=False) for one in own]
        return [delayed(_validated)(task, i, part, shared, more[i]) for i, part in enumerate(self.parts)]


def _validated(
    task: Callable[..., Any], number: int, part: tuple[Any, Any, Any], shared: tuple[Any, ...], own: tuple[Any, ...]
) -> Any:  # fmt: skip
    x, y, weights = part
    data, *options = shared
    unmasked(x, "features")
    unmasked(y, "labels")
    frame, x = x, features_of(x, number, data)
    weights = None if weights is None else finite_weights(weights).reshape(-1)
    y = None if y is None else np.asarray(y).reshape(-1)
    for other, what in ((y, "labels"), (weights, "weights")):
        if other is not None and len(other) != len(x):
            rule = "partitions hold as many labels and weights as rows"
            got = f"{len(x)} rows and {len(other)} {what} in partition {number}"
            raise ValueError(complaint(rule, got, "repartition them alike"))
    wide = {"columns": columns_of(frame)} if data.wide and len(x) else {}
    return task(x, y, weights, *options, *own, **wide)


def _columns(x: Any) -> tuple[Any, ...] | None:
    """The names of the columns of a data frame, None for an array."""
    if not hasattr(x, "divisions"):
        return None
    if getattr(x, "ndim", 2) != 2:
        raise ValueError(complaint("features have two dimensions", type(x).__name__, "pass a data frame of them"))
    return tuple(x.columns)


def _width(x: Any) -> int:
    """The number of columns of an array of features."""
    if not hasattr(x, "chunks") or not hasattr(x, "to_delayed"):
        rule, remedy = "features are a Dask array or data frame", "pass dask.array.from_array(X), or TreeClassifier"
        raise TypeError(complaint(rule, type(x).__name__, remedy))
    a_table(x)
    if not isinstance(x.shape[1], int | np.integer):
        rule = "the number of features is known"
        raise ValueError(complaint(rule, "chunks of unknown width", "call X.compute_chunk_sizes() first"))
    if not x.shape[1]:
        raise ValueError(complaint("a tree needs at least one feature", "no columns", "pass those of the features"))
    return int(x.shape[1])


def blocks_of(a: Any) -> tuple[list[Any], Any]:
    """The partitions of a Dask array or data frame, delayed, each with all columns, and what they are of."""
    whole = a.rechunk({1: -1}) if a.ndim == 2 and hasattr(a, "chunks") and len(a.chunks[1]) > 1 else a
    return list(np.asarray(whole.to_delayed(), dtype=object).reshape(-1)), whole


def _column(a: Any, what: str) -> Any:
    """Labels or weights as one column."""
    if a is None and what == "weights":
        return None
    if not hasattr(a, "to_delayed"):
        rule, remedy = f"{what} are a Dask array or series", "pass dask.array.from_array(...), chunked as X is"
        raise TypeError(complaint(rule, type(a).__name__, remedy))
    width = a.shape[1] if a.ndim == 2 else 1
    if a.ndim > 2 or width != 1:
        raise ValueError(complaint(f"{what} have one column", f"{width}", "fit one estimator for each"))
    return a


def _alike(blocks: list[Any], x: Any, other: Any, what: str) -> list[Any]:
    """The partitions of labels or weights, each with the rows of one of the features'."""
    if other is None:
        return [None] * len(blocks)
    chunks = [getattr(a, "chunks", [(np.nan,)])[0] for a in (x, other)]
    if not np.isnan([*chunks[0], *chunks[1]]).any():
        if sum(chunks[0]) != sum(chunks[1]):
            got = f"{sum(chunks[0])} rows and {sum(chunks[1])} in {what}"
            raise ValueError(complaint(f"X and {what} have as many rows", got, "pass rows that belong together"))
        other = other.rechunk({0: chunks[0]})
    ends = [getattr(a, "divisions", (None,)) for a in (x, other)]
    known = all(None not in end for end in ends)
    if len(others := blocks_of(other)[0]) != len(blocks) or (known and ends[0] != ends[1]):
        got = f"{len(blocks)} and {len(others)}" if len(others) != len(blocks) else "other divisions"
        raise ValueError(complaint(f"X and {what} have the same partitions", got, "repartition them alike"))
    return others


def features_of(x: Any, number: int, data: Partitions) -> Array:
    """The features ``(n, d)`` of a partition in float64; categories are codes, unknown ones -1.

    Raises
    ------
    ValueError, TypeError
        If it has other columns, words or dates that are no categories.
    """
    names, features, known = data.names, data.features, data.categories
    if names is not None and tuple(x.columns) != names:
        rule = "partitions have the columns that the data frame names"
        raise ValueError(complaint(rule, f"{list(x.columns)} in partition {number}", "correct how it is read"))
    if x.ndim != 2 or x.shape[1] != features:
        rule = f"partitions have {features} columns"
        raise ValueError(complaint(rule, f"shape {x.shape} in partition {number}", "correct how it is read"))
    if known is not None or any(dtype.kind not in "biuf" for dtype in (x.dtypes if names is not None else [x.dtype])):
        floats = coded_by(x, known or [], WORDS) if len(x) else np.empty(x.shape)
    else:
        floats = np.asarray(x, np.float64) if names is None else x.to_numpy(np.float64, na_value=np.nan)
    return np.asarray(finite_ends(floats) + 0.0)


def asked(chosen: Any, x: Any) -> Array | None:
    """The features of a Dask array or data frame that ``categorical_features`` may mean, None for none.

    Raises
    ------
    ValueError
        If it names no features of ``x``.
    """
    framed = hasattr(x, "divisions")
    if chosen is None or getattr(x, "ndim", 0) != 2 or not isinstance(x.shape[1], int | np.integer):
        return None
    kinds = [dtype.kind for dtype in (x.dtypes if framed else [x.dtype] * x.shape[1])]
    if isinstance(chosen, str):  # what the partitions hold will say whether these are categories
        mask = np.array([kind in "OSUV" for kind in kinds], dtype=bool)
    else:
        mask = categories_input.mask_of(chosen, kinds, categories_input.names_of(x._meta) if framed else None)
    return mask if mask.any() else None


@dataclass(frozen=True, eq=False)
class CategoriesSeen:
    """What the rows of a column hold: of which kinds, in which declared order, which categories, and how many rows.

    Rows without a value are of no kind.
    """

    kinds: frozenset[str]
    declared: tuple[Any, ...] | None
    names: tuple[Any, ...]
    rows: int

    @staticmethod
    def of(column: InMemoryColumn, by_dtype: bool) -> CategoriesSeen:
        """The categories of a column; missing values are one. Numbers are some only if they are named."""
        names = () if by_dtype and column.kind in IN_ORDER else with_missing_row(levels(column)).names
        kinds = frozenset({column.kind} if column.present.any() else ())
        return CategoriesSeen(kinds, column.names if column.declared else None, names, len(column.present))

    @staticmethod
    def merged(parts: Sequence[CategoriesSeen]) -> CategoriesSeen:
        """The categories of several parts: in the order that all declare, else sorted."""
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
    """The categories of the features that ``mask`` tells, and no rows.

    Raises
    ------
    ValueError, TypeError
        If a feature has too many, or holds dates that are not named.
    """
    names = None if data.names is None else [str(name) for name in data.names]
    which = np.flatnonzero(mask).tolist()
    shared = delayed((names, which, by_dtype), traverse=False)
    seen_in = merged([delayed(seen)(x, shared) for x, _, _ in data.parts], together, shared).compute()
    each = dict(zip(which, seen_in, strict=False))
    if by_dtype and (dates := [f for f, column in each.items() if column.dated]):
        got = f"dates or times in column {categories_input.called(dates[0], names)}"
        raise TypeError(complaint(categories_input.RULE, got, categories_input.DAYS))
    coded = {f: column.levels for f, column in each.items() if not by_dtype or column.kinds != {"number"}}
    categories_input.warn_many(coded, names)
    categories = [list(coded[f].names) if f in coded else None for f in range(data.features)]
    return CategoryCoding(np.empty((0, data.features)), categories, np.isin(np.arange(data.features), list(coded)))


Held = tuple[list[str] | None, list[int], bool]


def seen(x: Any, shared: Held) -> list[CategoriesSeen]:
    """The categories of the columns of a partition, none if it has no rows."""
    columns = categories_input.columns_read(x, shared[1]) if len(x) else []
    return few([CategoriesSeen.of(columns[f], shared[2]) for f in shared[1] if columns], shared)


def together(parts: Sequence[list[CategoriesSeen]], shared: Held) -> list[CategoriesSeen]:
    """The categories of the columns of several partitions."""
    return few([CategoriesSeen.merged(each) for each in zip(*(part for part in parts if part), strict=True)], shared)


def few(seen_in: list[CategoriesSeen], shared: Held) -> list[CategoriesSeen]:
    """The categories of columns, refusing too many, so that they may travel."""
    names, which, by_dtype = shared
    categories_input.refuse_many({f: each.levels for f, each in zip(which, seen_in, strict=False)}, names, by_dtype)
    return seen_in
