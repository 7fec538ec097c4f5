"""Names of values, and the place of each row's value among them: the rows and the columns of a table.

Main definitions: ``Levels`` (names and codes), ``in_order`` (numbers by size, strings as Python sorts them), ``union``
(the names of two tables); ``declared_by``, ``is_ordered`` (what a dtype declares).
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.object_values import is_missing as is_missing
from splitcrit.frozen import complaint

MISSING = "(missing)"


class Levels(NamedTuple):
    """The distinct values in order, and for every entry the place of its value, -1 where it is missing."""

    names: tuple[Any, ...]
    codes: Array


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


def declared_by(vector: Any) -> tuple[Any, ...] | None:
    """Return the categories a dtype declares in an order, as pandas categoricals and polars enumerations do."""
    categories = getattr(getattr(vector, "dtype", None), "categories", None)
    listed = getattr(categories, "to_list", None) or getattr(categories, "tolist", None)
    return tuple(listed()) if listed else None


def is_ordered(vector: Any) -> bool:
    """Tell whether the dtype of a vector declares an order of its categories, as an enumeration of polars does."""
    dtype = getattr(vector, "dtype", None)
    return bool(getattr(dtype, "ordered", type(dtype).__name__ == "Enum"))
