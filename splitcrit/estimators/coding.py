"""Categorical features of a training set: which they are, and how they are coded.

Main definitions: ``Coding``, ``coding_of``, ``coded_by``; ``ManyLevelsWarning``.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.estimators.columns import called, columns_of, names_of, stacked
from splitcrit.frozen import complaint
from splitcrit.table.object_values import read_objects
from splitcrit.table.value_codes import MISSING, Levels, coded, is_missing, with_missing_row

Array = NDArray[Any]
MANY = 20  # fewer levels are never too many
BY_DTYPE, NAMED = 255, 1024  # the most categories of a feature that is taken for its dtype, and of one that is named
TEXT = {"category", "categorical", "enum", "string", "str", "object", "large_string", "dictionary", "binary"}


class ManyLevelsWarning(UserWarning):
    """A categorical feature has a level for most rows, so that its levels mean little on other rows."""


@dataclass(frozen=True, eq=False)
class Coding:
    """Features ``x (n, d)`` with categories as codes; the categories of each feature, None for a numeric one."""

    x: Array
    categories: list[list[Any] | None]
    mask: Array

    @property
    def shape(self) -> tuple[int, ...]:
        """How many rows and features there are."""
        return self.x.shape

    def __getitem__(self, rows: Any) -> Coding:
        """Return some of the rows; the categories stay, observed or not."""
        return replace(self, x=self.x[rows])


def categories_in(coding: Coding | None) -> list[list[Any] | None] | None:
    """Return the categories of each feature, None where there are none at all."""
    return None if coding is None else coding.categories


def coding_of(given: Any, x: Any) -> Coding | None:
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
    return Coding(stacked(columns, {f: level.codes for f, level in levels.items()}, names), categories, mask)


def levels_of(given: Any, mask: Array, columns: list[Any], names: list[str] | None) -> dict[int, Levels]:
    """Return the levels of the features that are categorical by ``mask``, the code of each row among them.

    Raises
    ------
    ValueError
        If one has too many categories.
    """
    found = ((int(f), columns[f]) for f in np.flatnonzero(mask))
    levels = {f: _counted(column) or with_missing_row(observed(coded(column, "feature"))) for f, column in found}
    refuse_many(levels, names, isinstance(given, str))
    warn_of_many(levels, names)
    return levels


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


def observed(levels: Levels) -> Levels:
    """Return levels without those that are declared and do not occur."""
    there = np.bincount(levels.codes + 1, minlength=len(levels.names) + 1)[1:] > 0
    names = tuple(name for name, present in zip(levels.names, there, strict=True) if present)
    return Levels(names, np.append(np.cumsum(there) - 1, -1)[levels.codes])


def _count(level: Levels, f: int, names: list[str] | None) -> str:
    return f"{len(level.names)} levels of column {called(f, names)} in {len(level.codes)} rows"


def refuse_many(levels: dict[int, Levels], names: list[str] | None, by_dtype: bool) -> None:
    """Raise ValueError if a feature has more categories than a search of subsets is for."""
    most, rule = (BY_DTYPE, "taken for its dtype") if by_dtype else (NAMED, "named by categorical_features")
    for f, level in levels.items():
        if len(level.names) > most:
            rule = f"a feature {rule} has at most {most} categories"
            remedy = "merge rare ones, or make numbers of them, such as days of dates"
            remedy += ", or name the column in categorical_features" * by_dtype
            raise ValueError(complaint(rule, _count(level, f, names), remedy))


def warn_of_many(levels: dict[int, Levels], names: list[str] | None) -> None:
    """Warn of categorical features with more than 20 levels, and more than half as many as rows."""
    for f, level in levels.items():
        if len(level.names) > max(MANY, len(level.codes) / 2):
            remedy = "leave the column out, or make numbers of it, such as the day of a date"
            said = complaint("a category occurs in several rows", _count(level, f, names), remedy)
            warnings.warn(said, ManyLevelsWarning, stacklevel=_calls() - 1)


def _calls() -> int:
    """Return how many calls up the line is that called the library, which may be through scikit-learn."""
    frame, calls = sys._getframe(), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in (
        "splitcrit",
        "sklearn",
    ):
        frame, calls = frame.f_back, calls + 1
    return calls


def coded_by(columns: list[Any], categories: list[list[Any] | None], names: list[str] | None) -> Array:
    """Return features side by side, with the codes of known categories, -1 for others.

    Raises
    ------
    TypeError
        If a column has words where the categories are numbers, or the reverse.
    """
    known = [(f, each) for f, each in enumerate(categories) if each is not None]
    return stacked(columns, {f: _known(columns[f], each, called(f, names)) for f, each in known}, names)


def _known(column: Any, categories: list[Any], name: str) -> Array:
    """Return the place of each value among known categories, -1 where it is none."""
    found, place = observed(coded(column, "feature")), {each: i for i, each in enumerate(categories)}
    kinds, here = _kinds(categories), _kinds(found.names)
    if kinds and here and not kinds & here:
        got = " and ".join(sorted(here))
        rule = f"categories of column {name} are {' and '.join(sorted(kinds))}, as in fit"
        raise TypeError(complaint(rule, got, "convert the column first"))
    return np.array([place.get(each, -1) for each in (*found.names, MISSING)])[found.codes]


def _kinds(categories: Sequence[Any]) -> set[str]:
    """Return of which kinds categories are; that of missing values is of none."""
    kinds: dict[type, str] = {str: "words", bytes: "bytes"}
    known = (each for each in categories if each is not MISSING)
    return {kinds.get(type(each), "numbers" if isinstance(each, Real) else type(each).__name__) for each in known}


def mask_of(given: Any, columns: list[Any], x: Any) -> Array:
    """Return which features are categorical, as a mask, places, names or dtypes say."""
    if isinstance(given, str):
        return np.array([names_of(x) is not None and _is_text(column) for column in columns])
    wanted = np.asarray(given)
    if wanted.dtype == bool and wanted.shape == (len(columns),):
        return wanted
    rule = "categorical_features is a mask, places or names of features"
    if wanted.ndim != 1 or wanted.dtype.kind not in "iuUSO" or wanted.dtype == bool:
        raise ValueError(complaint(rule, f"{given!r}", f"pass, of the {len(columns)} features, the categorical ones"))
    names = names_of(x) or []
    found = np.zeros(len(columns), dtype=bool)
    for one in wanted.tolist():
        place = names.index(one) if one in names else one
        if not isinstance(place, int) or not -len(columns) <= place < len(columns):
            raise ValueError(complaint(rule, f"{one!r}", f"pass places below {len(columns)}, or names of a data frame"))
        found[place] = True
    return found


def _is_text(column: Any) -> bool:
    """Tell whether a column of a data frame is one of categories or texts; of objects, if they have no order and are
    not only truth values."""
    dtype = getattr(column, "dtype", getattr(column, "type", None))
    if str(dtype) == "object":
        some = next((each for each in column if not is_missing(each)), None)
        if some is None or isinstance(some, str):
            return True
        found = read_objects(list(column))
        truths = all(isinstance(x, bool | np.bool_) or is_missing(x) for x in found.objects)
        return not (found.kind == "ordered" or truths)
    return str(dtype).lower().partition("(")[0].partition("[")[0].partition("<")[0] in TEXT
