"""Categorical features of a training set: the columns of a table, which of them are categories, and their codes.

A table is a data frame, an array or nested lists. ``categorical_features`` names the
columns that are categories, or their dtypes tell (``mask_of``); the values of each are coded (``levels_of``), and all
columns stand side by side as numbers (``stacked``), with what the codes mean: a ``CategoryCoding``, made by
``coding_of`` of a training set and by ``coded_by`` of other rows. A column that has nearly as many levels as rows is
told by a ``ManyLevelsWarning``; ``numeric`` names the column that holds words or dates where numbers are needed.

Main definitions: ``CategoryCoding``, ``coding_of``, ``coded_by``, ``ManyLevelsWarning``; ``names_of``, ``numeric``.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.columns import coded, columns_of, read_column, read_in_order
from splitcrit.data.integers import values_of
from splitcrit.data.texts import read_numbers
from splitcrit.data.training_inputs import numbers
from splitcrit.data.value_codes import MISSING, Levels, with_missing_row
from splitcrit.frozen import complaint

MANY = 20  # fewer levels are never too many
BY_DTYPE, BY_NAME = 255, 1024  # the most categories of a feature that is taken for its dtype, and of one that is named
TIMES = ("date", "time", "duration", "period")  # how the names of dtypes of dates, times and durations begin
DAYS = "turn them into days since the first, (t - t.min()) / numpy.timedelta64(1, 'D'), periods by t.dt.to_timestamp()"
RULE = "features are numbers"
INSIDE = ("splitcrit", "sklearn")  # packages whose calls are not the user's


class ManyLevelsWarning(UserWarning):
    """A categorical feature has a level for most rows, so that its levels mean little on other rows."""


@dataclass(frozen=True, eq=False)
class CategoryCoding:
    """Features ``x (n, d)`` with categories as codes; the categories of each feature, None for a numeric one."""

    x: Array
    categories: list[list[Any] | None]
    mask: Array

    @property
    def shape(self) -> tuple[int, ...]:
        """The numbers of rows and of features."""
        return self.x.shape

    def __getitem__(self, rows: Any) -> CategoryCoding:
        """Return some of the rows; the categories stay, observed or not."""
        return replace(self, x=self.x[rows])


def coding_of(given: Any, x: Any) -> CategoryCoding | None:
    """Return features coded as ``categorical_features`` says, None where none of them is categorical.

    Raises
    ------
    ValueError, TypeError
        If ``given`` names no features of ``x``, or one has too many categories.
    """
    columns, names = columns_of(x), names_of(x)
    mask = mask_of(given, columns, x)
    if not mask.any():
        return None
    levels = levels_of(given, mask, columns, names)
    categories = [list(levels[f].names) if f in levels else None for f in range(len(columns))]
    return CategoryCoding(stacked(columns, {f: level.codes for f, level in levels.items()}, names), categories, mask)


def coded_by(columns: list[Any], categories: list[list[Any] | None], names: list[str] | None) -> Array:
    """Return features side by side, with the codes of known categories, -1 for others.

    Raises
    ------
    TypeError
        If a column has words where the categories are numbers, or the reverse.
    """
    known = [(f, each) for f, each in enumerate(categories) if each is not None]
    return stacked(columns, {f: _known(columns[f], each, called(f, names)) for f, each in known}, names)


def categories_in(coding: CategoryCoding | None) -> list[list[Any] | None] | None:
    """Return the categories of each feature, or None if no feature has any."""
    return None if coding is None else coding.categories


def names_of(x: Any) -> list[str] | None:
    """Return the names of the columns of a data frame, None of anything else."""
    names = getattr(x, "column_names", getattr(x, "columns", None))
    return None if names is None or isinstance(x, np.ndarray) else [str(name) for name in names]


def called(f: int, names: list[str] | None) -> str:
    """Return the name of a column as it stands in a sentence: in quotes, or its place."""
    return str(f) if names is None else repr(names[f])


def mask_of(given: Any, columns: list[Any], x: Any) -> Array:
    """Return a mask of the categorical features, which are given as a mask, by place, by name or by dtype."""
    if isinstance(given, str):
        kinds = ((read_column(column, "", as_text=True) if names_of(x) else None) for column in columns)
        return np.array([read is not None and read.kind in ("category", "ordered") for read in kinds])
    wanted = np.asarray(given)
    if wanted.dtype == bool and wanted.shape == (len(columns),):
        return wanted
    rule = "categorical_features must be a mask, positions or names of features"
    if wanted.ndim != 1 or wanted.dtype.kind not in "iuUSO" or wanted.dtype == bool:
        raise ValueError(complaint(rule, f"{given!r}", f"pass, of the {len(columns)} features, the categorical ones"))
    names = names_of(x) or []
    mask = np.zeros(len(columns), dtype=bool)
    for one in wanted.tolist():
        place = names.index(one) if one in names else one
        if not isinstance(place, int) or not -len(columns) <= place < len(columns):
            raise ValueError(complaint(rule, f"{one!r}", f"pass positions below {len(columns)}, or column names"))
        mask[place] = True
    return mask


def levels_of(given: Any, mask: Array, columns: list[Any], names: list[str] | None) -> dict[int, Levels]:
    """Return the levels of the features that are categorical by ``mask``, the code of each row among them.

    Raises
    ------
    ValueError
        If one has too many categories.
    """
    chosen = ((int(f), columns[f]) for f in np.flatnonzero(mask))
    levels = {f: with_missing_row(observed(coded(column, "feature"))) for f, column in chosen}
    refuse_many(levels, names, isinstance(given, str))
    warn_many(levels, names)
    return levels


def observed(levels: Levels) -> Levels:
    """Return levels without those that are declared and do not occur."""
    there = np.bincount(levels.codes + 1, minlength=len(levels.names) + 1)[1:] > 0
    names = tuple(name for name, present in zip(levels.names, there, strict=True) if present)
    return Levels(names, np.append(np.cumsum(there) - 1, -1)[levels.codes])


def refuse_many(levels: dict[int, Levels], names: list[str] | None, by_dtype: bool) -> None:
    """Raise ValueError if a feature has more categories than a search of subsets is for."""
    most, rule = (BY_DTYPE, "taken for its dtype") if by_dtype else (BY_NAME, "named by categorical_features")
    for f, level in levels.items():
        if len(level.names) > most:
            rule = f"a feature {rule} has at most {most} categories"
            remedy = "merge rare ones, or turn them into numbers, such as days for dates"
            remedy += ", or name the column in categorical_features" if by_dtype else ""
            raise ValueError(complaint(rule, _count(level, f, names), remedy))


def warn_many(levels: dict[int, Levels], names: list[str] | None) -> None:
    """Warn of categorical features with more than 20 levels, and more than half as many as rows."""
    for f, level in levels.items():
        if len(level.names) > max(MANY, len(level.codes) / 2):
            remedy = "leave the column out, or turn it into numbers, such as the day of a date"
            text = complaint("a category should occur in several rows", _count(level, f, names), remedy)
            warnings.warn(text, ManyLevelsWarning, stacklevel=_calls() - 1)


def _count(level: Levels, f: int, names: list[str] | None) -> str:
    return f"{len(level.names)} levels of column {called(f, names)} in {len(level.codes)} rows"


def _calls() -> int:
    """Return the number of calls up to where the library was called, perhaps through scikit-learn."""
    frame, calls = sys._getframe(), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in INSIDE:
        frame, calls = frame.f_back, calls + 1
    return calls


def _known(column: Any, categories: list[Any], name: str) -> Array:
    """Return the place of each value among known categories, -1 where it is none."""
    levels, place = observed(coded(column, "feature")), {each: i for i, each in enumerate(categories)}
    kinds, here = _kinds(categories), _kinds(levels.names)
    if kinds and here and not kinds & here:
        got = " and ".join(sorted(here))
        rule = f"categories of column {name} are {' and '.join(sorted(kinds))}, as in fit"
        raise TypeError(complaint(rule, got, "convert the column first"))
    return np.array([place.get(each, -1) for each in (*levels.names, MISSING)])[levels.codes]


def _kinds(categories: Sequence[Any]) -> set[str]:
    """Return the kinds of categories; missing values are of none."""
    kinds: dict[type, str] = {str: "words", bytes: "bytes"}
    known = (each for each in categories if each is not MISSING)
    return {kinds.get(type(each), "numbers" if isinstance(each, Real) else type(each).__name__) for each in known}


def stacked(columns: list[Any], codes: dict[int, Array], names: list[str] | None) -> Array:
    """Return columns side by side in float64, categorical ones by their codes.

    Raises
    ------
    ValueError
        If another column holds something other than numbers.
    """
    each = [_floats(column, called(f, names)) if f not in codes else codes[f] for f, column in enumerate(columns)]
    return np.column_stack(each).astype(float, copy=False)


def _floats(column: Any, name: str) -> Array:
    rule, remedy = "features are numbers or named by categorical_features", "name it there, or encode it first"
    if _timed(getattr(column, "dtype", getattr(column, "type", None))):
        raise ValueError(complaint(rule, f"dates or times in column {name}", DAYS))
    try:
        return floats_of(column)
    except (TypeError, ValueError, OverflowError) as error:
        got, dated = _described(column, name)
        raise ValueError(complaint(rule, got or str(error), DAYS if dated else remedy)) from error


def floats_of(column: Any) -> Array:
    """Return a column of numbers, numbers as text, or booleans in float64, with nan for missing values."""
    values = values_of(column)
    if values.dtype.kind == "c":
        raise ValueError("complex numbers (Complex data not supported)")
    if values.dtype.kind not in "OUS":
        return np.asarray(values, dtype=float)
    read = read_in_order(column, "")
    if read.kind == "date":
        raise ValueError("could not convert the values of a column to float")
    return np.where(read.present, read.values, np.nan).astype(float) if read.in_order else values.astype(float)


def _described(column: Any, name: str) -> tuple[str, bool]:
    """Name the first word or date in a column, "" without one, and tell whether it is a date."""
    read = read_column(column, name, as_text=True)
    if read.kind == "date" or any(hasattr(each, "year") for each in read.names):
        return f"dates or times in column {name}", True
    word = next((each for each in read.names if isinstance(each, str) and read_numbers([each]) is None), None)
    return ("", False) if word is None else (f"{word!r} in column {name}", False)


@contextmanager
def numeric(x: Any, remedy: str) -> Iterator[None]:
    """Cast features inside as ``numbers`` does; what is a word or a date is named with its column.

    ``remedy`` is what to do about words, with a place for what names the column in ``categorical_features``.
    """
    names = names_of(x)
    dtypes = x.dtypes if names and hasattr(x, "dtypes") else getattr(getattr(x, "schema", None), "types", ())
    for name, dtype in zip(names or (), dtypes, strict=False):
        if _timed(dtype):
            raise TypeError(complaint(RULE, f"dates or times in column {name!r}", DAYS))
    try:
        with numbers(x):
            yield
    except (TypeError, ValueError) as error:
        if getattr(getattr(x, "dtype", None), "kind", "") in ("m", "M", "V"):
            raise
        try:
            columns = columns_of(x)
        except (TypeError, ValueError):
            columns = []
        for f, column in enumerate(columns):
            got, dated = _described(column, called(f, names))
            if got:
                how = f"[{f}]" if names is None else '"from_dtype"'
                raise type(error)(complaint(RULE, got, DAYS if dated else remedy.format(how))) from error
        raise


def _timed(dtype: Any) -> bool:
    """Tell whether a dtype is one of dates, times or durations."""
    return str(dtype).lower().startswith(TIMES)
