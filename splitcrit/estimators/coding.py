"""Categorical features of a training set: which they are, and how they are coded.

Main definitions: ``Coding``, ``coding_of``, ``coded_by``, ``columns_of``; ``ManyLevelsWarning``.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.table.levels import MISSING, Levels, coded, with_missing_row
from splitcrit.values import complaint

Array = NDArray[Any]
MANY = 20  # fewer levels are never too many
TEXT = {"category", "categorical", "enum", "string", "str", "object", "large_string", "dictionary"}


class ManyLevelsWarning(UserWarning):
    """A categorical feature has a level for most rows, so that its levels mean little on other rows."""


@dataclass(frozen=True, eq=False)
class Coding:
    """Features ``x (n, d)`` with categories as codes; the categories of each feature, None for a numeric one."""

    x: Array
    categories: list[list[Any] | None]
    mask: Array


def coding_of(given: Any, x: Any) -> Coding | None:
    """Return features coded as ``categorical_features`` says, None where none of them is categorical.

    Raises
    ------
    ValueError, TypeError
        If ``given`` names no features of ``x``.
    """
    columns = columns_of(x)
    mask = _mask(given, columns, x)
    if not mask.any():
        return None
    found = ((int(f), columns[f]) for f in np.flatnonzero(mask))
    levels = {f: _counted(column) or with_missing_row(coded(column, "feature")) for f, column in found}
    _warn_of_many(levels, x)
    categories = [list(levels[f].names) if f in levels else None for f in range(len(columns))]
    return Coding(_stacked(columns, {f: level.codes for f, level in levels.items()}), categories, mask)


def _counted(column: Any) -> Levels | None:
    """Return the levels of whole numbers of a small range, which are counted, not sorted; None of anything else."""
    if type(column) is not np.ndarray or column.dtype not in (np.int64, np.float32, np.float64):
        return None
    values = np.ascontiguousarray(column)
    low, high = values.min(), values.max()
    if not float(high) - float(low) <= len(values):  # nan as well
        return None
    codes = (values - low).astype(np.intp)
    if (codes + low != values).any():
        return None
    there = np.bincount(codes) > 0
    return Levels(tuple((np.flatnonzero(there) + low).tolist()), (np.cumsum(there) - 1)[codes])


def _warn_of_many(levels: dict[int, Levels], x: Any) -> None:
    """Warn of categorical features with more than 20 levels, and more than half as many as rows."""
    names = getattr(x, "columns", getattr(x, "column_names", None))
    for f, level in levels.items():
        if len(level.names) > max(MANY, len(level.codes) / 2):
            name = str(f if names is None else names[f])
            got = f"{len(level.names)} levels of column {name!r} in {len(level.codes)} rows"
            remedy = "leave the column out, or make numbers of it, such as the day of a date"
            said = complaint("a category occurs in several rows", got, remedy)
            warnings.warn(said, ManyLevelsWarning, stacklevel=8)  # the line that calls ``fit``


def coded_by(columns: list[Any], categories: list[list[Any] | None]) -> Array:
    """Return features side by side, with the codes of known categories, -1 for others."""
    known = {f: _known(columns[f], names) for f, names in enumerate(categories) if names is not None}
    return _stacked(columns, known)


def _known(column: Any, names: list[Any]) -> Array:
    """Return the place of each value among known categories, -1 where it is none."""
    found, place = coded(column, "feature"), {name: i for i, name in enumerate(names)}
    return np.array([place.get(name, -1) for name in (*found.names, MISSING)])[found.codes]


def _stacked(columns: list[Any], codes: dict[int, Array]) -> Array:
    """Return columns side by side in float64, categorical ones by their codes."""
    try:
        return np.column_stack([np.asarray(codes.get(f, column), dtype=float) for f, column in enumerate(columns)])
    except (TypeError, ValueError) as error:
        rule, remedy = "features are numbers or named by categorical_features", "name it there, or encode it first"
        raise ValueError(complaint(rule, str(error), remedy)) from error


def columns_of(x: Any) -> list[Any]:
    """Return the columns of a data frame, an array or nested lists.

    Raises
    ------
    ValueError, TypeError
        If there are not two dimensions, or no rows, or the table is sparse.
    """
    if hasattr(x, "tocsr"):
        raise TypeError(complaint("features are dense", f"a sparse {type(x).__name__}", "pass X.toarray()"))
    if hasattr(x, "iloc"):
        columns = [x.iloc[:, j] for j in range(x.shape[1])]
    elif hasattr(x, "get_columns"):
        columns = x.get_columns()
    elif hasattr(x, "itercolumns"):
        columns = list(x.itercolumns())
    else:
        values = x if hasattr(x, "ndim") else np.array(x, dtype=object)
        if values.ndim != 2:
            rule, got = "features are a table of rows and columns", f"{values.ndim} dimensions"
            raise ValueError(complaint(rule, got, "Reshape your data, X.reshape(-1, 1) for one feature"))
        columns = list(np.asarray(values).T)
    shape = (len(columns[0]) if columns else np.shape(x)[0], len(columns))
    if 0 in shape:
        got = f"0 {'sample' if columns else 'feature'}(s) (shape={shape}) while a minimum of 1 is required"
        raise ValueError(complaint("features have rows and columns", got, "pass at least one of each"))
    return columns


def _mask(given: Any, columns: list[Any], x: Any) -> Array:
    """Return which features are categorical, as a mask, places, names or dtypes say."""
    if isinstance(given, str):
        framed = not isinstance(x, np.ndarray) and hasattr(x, "columns")
        return np.array([framed and _is_text(column) for column in columns])
    wanted = np.asarray(given)
    if wanted.dtype == bool and wanted.shape == (len(columns),):
        return wanted
    rule = "categorical_features is a mask, places or names of features"
    if wanted.ndim != 1 or wanted.dtype.kind not in "iuUSO" or wanted.dtype == bool:
        raise ValueError(complaint(rule, f"{given!r}", f"pass, of the {len(columns)} features, the categorical ones"))
    names = [str(name) for name in getattr(x, "columns", ())]
    found = np.zeros(len(columns), dtype=bool)
    for one in wanted.tolist():
        place = names.index(one) if one in names else one
        if not isinstance(place, int) or not -len(columns) <= place < len(columns):
            raise ValueError(complaint(rule, f"{one!r}", f"pass places below {len(columns)}, or names of a data frame"))
        found[place] = True
    return found


def _is_text(column: Any) -> bool:
    """Tell whether the dtype of a data frame's column is categorical or text."""
    dtype = getattr(column, "dtype", getattr(column, "type", None))
    return str(dtype).lower().partition("(")[0].partition("[")[0].partition("<")[0] in TEXT
