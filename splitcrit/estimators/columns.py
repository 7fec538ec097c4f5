"""The columns of a table, and which of them are words or dates where numbers are asked for.

Main definitions: ``columns_of``, ``names_of``; ``called``; ``numeric``, ``stacked``.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.files.arrow_columns import in_order
from splitcrit.frozen import complaint
from splitcrit.table.integers import values_of
from splitcrit.training_inputs import numbers

Array = NDArray[Any]
TIMES = ("date", "time", "duration", "period")  # how the names of dtypes of dates, times and durations begin
DAYS = "make numbers of them, such as days since the first of them"
RULE = "features are numbers"


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
        columns = list((values if np.ma.isMaskedArray(values) else np.asarray(values)).T)
    shape = (len(columns[0]) if columns else np.shape(x)[0], len(columns))
    if 0 in shape:
        got = f"0 {'sample' if columns else 'feature'}(s) (shape={shape}) while a minimum of 1 is required"
        raise ValueError(complaint("features have rows and columns", got, "pass at least one of each"))
    return columns


def names_of(x: Any) -> list[str] | None:
    """Return the names of the columns of a data frame, None of anything else."""
    names = getattr(x, "column_names", getattr(x, "columns", None))
    return None if names is None or isinstance(x, np.ndarray) else [str(name) for name in names]


@contextmanager
def numeric(x: Any, remedy: str) -> Iterator[None]:
    """Cast features inside as ``numbers`` does; what is a word or a date is named with its column.

    ``remedy`` is what to do about words, with a place for what names the column in ``categorical_features``.
    """
    names = names_of(x)
    for name, dtype in zip(names or (), _dtypes(x), strict=False):
        if _timed(dtype):
            raise TypeError(complaint(RULE, f"dates or times in column {name!r}", DAYS))
    try:
        with numbers(x):
            yield
    except (TypeError, ValueError) as error:
        kind = getattr(getattr(x, "dtype", None), "kind", "")
        place, got, dated = (0, "", False) if kind in "mMV" and kind else _odd(x, names)
        if not got:
            raise
        how = f"[{place}]" if names is None else '"from_dtype"'
        raise type(error)(complaint(RULE, got, DAYS if dated else remedy.format(how))) from error


def _dtypes(x: Any) -> Any:
    """Return the dtypes of the columns of a data frame."""
    return x.dtypes if hasattr(x, "dtypes") else getattr(getattr(x, "schema", None), "types", ())


def _timed(dtype: Any) -> bool:
    """Tell whether a dtype is one of dates, times or durations."""
    return str(dtype).lower().startswith(TIMES)


def _odd(x: Any, names: list[str] | None) -> tuple[int, str, bool]:
    """Return the place of the first column that holds words or dates, what it holds, and whether these are dates."""
    try:
        columns = columns_of(x)
    except (TypeError, ValueError):
        return 0, "", False
    found = ((f, *_described(column, called(f, names))) for f, column in enumerate(columns))
    return next((each for each in found if each[1]), (0, "", False))


def called(f: int, names: list[str] | None) -> str:
    """Return how a sentence calls a column: its name in quotes, or its place."""
    return str(f) if names is None else repr(names[f])


def _described(column: Any, name: str) -> tuple[str, bool]:
    """Return what of a column is a word or a date, empty if nothing is, and whether it is a date."""
    values = np.asarray(column)
    for value in values.tolist() if values.dtype.kind in "OUS" else ():
        if isinstance(value, str | bytes) and not _reads(value):
            return f"{value!r} in column {name}", False
        if hasattr(value, "year"):
            return f"dates or times in column {name}", True
    timed = _timed(values.dtype)
    return f"dates or times in column {name}" * timed, timed


def _reads(value: str | bytes) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def stacked(columns: list[Any], codes: dict[int, Array], names: list[str] | None) -> Array:
    """Return columns side by side in float64, categorical ones by their codes.

    Raises
    ------
    ValueError
        If another column holds what is no number.
    """
    each = [_floats(column, called(f, names)) if f not in codes else codes[f] for f, column in enumerate(columns)]
    return np.column_stack(each).astype(float, copy=False)


def floats_of(column: Any) -> Array:
    """Return a column of numbers, of texts that are some, or of truth values in float64; what is missing is nan."""
    values = values_of(column)
    if values.dtype.kind not in "OUS":
        return np.asarray(values, dtype=float)
    held = in_order(column, "")
    if held.kind != "ordered" or held.values.dtype.kind in "Mm":
        raise ValueError("could not convert what is no number to float")
    return np.where(held.present, held.values, np.nan).astype(float)


def _floats(column: Any, name: str) -> Array:
    rule, remedy = "features are numbers or named by categorical_features", "name it there, or encode it first"
    if _timed(getattr(column, "dtype", getattr(column, "type", None))):
        raise ValueError(complaint(rule, f"dates or times in column {name}", DAYS))
    try:
        return floats_of(column)
    except (TypeError, ValueError) as error:
        got, dated = _described(column, name)
        raise ValueError(complaint(rule, got or str(error), DAYS if dated else remedy)) from error
