"""Vectors of values, coded as the rows or the columns of a table.

Main definitions: ``Levels`` (names and codes), ``coded`` (any one-dimensional data to its levels, by duck typing:
lists, numpy arrays, pandas, polars and pyarrow columns), ``in_order`` (numbers by size, strings as Python sorts them),
``union`` (the names of two tables).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.integers import values_of
from splitcrit.data.object_values import is_missing as is_missing
from splitcrit.data.object_values import read_objects
from splitcrit.frozen import complaint, shown

MISSING = "(missing)"


class Levels(NamedTuple):
    """The distinct values in order, and for every entry the place of its value, -1 where it is missing."""

    names: tuple[Any, ...]
    codes: Array


def coded(vector: Any, noun: str) -> Levels:
    """Return the levels of a vector; declared categories keep their order, whether observed or not."""
    values = _one_dimensional(vector, noun)
    declared = declared_by(vector)
    if declared is not None:
        return _declared_levels(values, _gaps(vector, values), declared)
    coding = _sorted_levels if values.dtype.kind in "biufUSMm" else partial(_object_levels, noun=noun)
    return coding(values, _gaps(vector, values))


def with_missing_row(levels: Levels) -> Levels:
    """Return the levels of a feature with the missing values as a last level of their own."""
    if not (levels.codes < 0).any():
        return levels
    names = named_missing((*levels.names, None), "feature")
    return Levels(names, np.where(levels.codes < 0, len(levels.names), levels.codes))


def named_missing(names: tuple[Any, ...], noun: str) -> tuple[Any, ...]:
    """Return names, the last of which is None for missing values, with a name for these."""
    if MISSING in names:
        rule = f"{noun} values must not share the name of the missing row"
        raise ValueError(complaint(rule, repr(MISSING), "rename that value"))
    return (*names[:-1], MISSING)


def in_order(names: Iterable[Any]) -> tuple[Any, ...]:
    """Return names sorted: numbers by size, strings as Python sorts them, mixtures by type, missing last."""
    kept = list(names)
    last = [name for name in kept if isinstance(name, str) and name == MISSING]
    kept = [name for name in kept if not (isinstance(name, str) and name == MISSING)]
    try:
        return (*sorted(kept), *last)
    except TypeError:
        return (*sorted(kept, key=_mixed), *last)


def union(ours: tuple[Any, ...], theirs: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return all names: in the longer list's order if it holds the other, sorted if neither does."""
    if set(theirs) <= set(ours):
        return ours
    return theirs if set(ours) <= set(theirs) else in_order({**dict.fromkeys(ours), **dict.fromkeys(theirs)})


def _mixed(name: Any) -> tuple[Any, ...]:
    return (0, "", name) if isinstance(name, Real) else (1, type(name).__name__, str(name))


def _one_dimensional(vector: Any, noun: str) -> Array:
    """Return the values; a list keeps its objects, so that no gap turns into a string."""
    if isinstance(vector, str | bytes):
        rule, remedy = f"a {noun} must be a vector", "pass one value per observation, and parameters by keyword"
        raise ValueError(complaint(rule, shown(vector), remedy))
    values = values_of(vector)
    if values.ndim != 1:
        rule = f"a {noun} must be a vector"
        raise ValueError(complaint(rule, f"{values.ndim} dimensions", "pass one column; ravel() flattens an array"))
    if not values.size:
        raise ValueError(complaint(f"a {noun} needs at least one value", "an empty vector", "pass observations"))
    return values


def declared_by(vector: Any) -> tuple[Any, ...] | None:
    """Return the categories a dtype declares in an order, as pandas categoricals and polars enumerations do."""
    categories = getattr(getattr(vector, "dtype", None), "categories", None)
    listed = getattr(categories, "to_list", None) or getattr(categories, "tolist", None)
    return tuple(listed()) if listed else None


def is_ordered(vector: Any) -> bool:
    """Tell whether the dtype of a vector declares an order of its categories, as an enumeration of polars does."""
    dtype = getattr(vector, "dtype", None)
    return bool(getattr(dtype, "ordered", type(dtype).__name__ == "Enum"))


def _gaps(vector: Any, values: Array) -> Array:
    """Tell where values are missing by their dtype: masked, nan or NaT."""
    gaps: Array = np.ma.getmaskarray(vector) if np.ma.isMaskedArray(vector) else np.zeros(values.shape, dtype=bool)
    if values.dtype.kind == "f":
        return gaps | np.isnan(values)
    return gaps | np.isnat(values) if values.dtype.kind in "Mm" else gaps


def _sorted_levels(values: Array, gaps: Array) -> Levels:
    some = gaps.any()
    names, codes = np.unique(values[~gaps] if some else values, return_inverse=True)
    if some:
        inverse, codes = codes, np.full(values.shape, -1, dtype=np.intp)
        codes[~gaps] = inverse
    return Levels(tuple(names) if names.dtype.kind in "Mm" else tuple(names.tolist()), codes)


def _declared_levels(values: Array, gaps: Array, declared: tuple[Any, ...]) -> Levels:
    place = {name: i for i, name in enumerate(declared)}
    codes = np.fromiter((place.get(entry, -1) for entry in values.tolist()), dtype=np.intp, count=len(values))
    return Levels(declared, np.where(gaps, -1, codes))


def _object_levels(values: Array, gaps: Array, noun: str) -> Levels:
    """Code objects, each distinct one read once; of equal ones the first is the name."""
    found = read_objects([None if gap else x for x, gap in zip(values.tolist(), gaps.tolist(), strict=True)], noun)
    there = np.flatnonzero(found.present).tolist()
    first: dict[Any, int] = {}
    if found.kind == "ordered":
        _, firsts, inverse = np.unique(found.values[there], return_index=True, return_inverse=True)
        names, at = tuple(found.objects[there[i]] for i in firsts.tolist()), inverse.tolist()
    else:
        for i in there:
            first.setdefault(found.values[i], i)
        names = in_order(found.objects[i] for i in first.values())
        place = {name: at for at, name in enumerate(names)}
        at = [place[found.objects[first[found.values[i]]]] for i in there]
    codes = np.full(len(found.objects), -1)
    codes[there] = at
    return Levels(names, codes[found.codes])
