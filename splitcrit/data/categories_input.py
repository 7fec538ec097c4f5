"""Features of a training set: each column read once, which of them are categories, and their codes.

A table is a data frame, an array or nested lists (``columns_of``, ``names_of``); ``columns_read`` says what each column
is. ``categorical_features`` names columns that are categories, or what they hold tells (``mask_of``); the values of
each are coded (``levels_of``), and all columns stand side by side as numbers (``stacked``), with what the codes mean: a
``CategoryCoding``, made by ``coding_of`` of a training set and by ``coded_by`` of other rows. A column that has nearly
as many levels as rows is told by a ``ManyLevelsWarning``.

Main definitions: ``CategoryCoding``, ``coding_of``, ``coded_by``, ``ManyLevelsWarning``; ``columns_of``, ``names_of``,
``columns_read``, ``stacked``.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.columns import InMemoryColumn, columns_of, levels, read_columns, read_in_order
from splitcrit.data.training_inputs import numbers
from splitcrit.data.values import MISSING, Levels, is_beyond, with_missing_row
from splitcrit.frozen import complaint

MANY = 20  # fewer levels are never too many
BY_DTYPE, BY_NAME = 255, 1024  # the most categories of a feature that is taken for its values, and of one that is named
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
        """Some of the rows; the categories stay, observed or not."""
        return replace(self, x=self.x[rows])


def coding_of(
    chosen: Any, x: Any, remedy: str = "name it in categorical_features, or encode it first"
) -> CategoryCoding:
    """Features as numbers, those that ``categorical_features`` chooses as codes of categories.

    Raises
    ------
    ValueError, TypeError
        If ``chosen`` names no features of ``x``, one has too many categories, or another holds words, dates or times.
    """
    names, each = names_of(x), columns_of(x)
    none = np.zeros(len(each), dtype=bool)
    named = none if chosen is None or isinstance(chosen, str) else mask_of(chosen, each, names)
    columns = columns_read(x, np.flatnonzero(named))
    mask = mask_of(chosen, columns, names) if isinstance(chosen, str) else named
    coded = levels_of(mask, columns)
    refuse_many(coded, names, isinstance(chosen, str))
    warn_many(coded, names)
    categories = [list(coded[f].names) if f in coded else None for f in range(len(columns))]
    return CategoryCoding(
        stacked(columns, {f: each.codes for f, each in coded.items()}, names, remedy), categories, mask
    )


def coded_by(x: Any, categories: list[list[Any] | None], remedy: str = "convert the column first") -> Array:
    """Features side by side, with the codes of known categories, -1 for others.

    Raises
    ------
    TypeError
        If a column has words where the categories are numbers, or the reverse.
    """
    known, names = {f: each for f, each in enumerate(categories) if each is not None}, names_of(x)
    columns = columns_read(x, known)
    codes = {f: _known(columns[f], each, called(f, names)) for f, each in known.items() if f < len(columns)}
    return stacked(columns, codes, names, remedy)


def are_numbers(x: Any) -> bool:
    """Whether features are sparse, or an array of neither texts nor objects."""
    return hasattr(x, "tocsr") or getattr(getattr(x, "dtype", None), "kind", "O") not in "OUS"


def numbers_of(x: Any, remedy: str) -> Any:
    """Features as float64 ``(n, d)``; an array of numbers, or a sparse matrix, is returned as it is.

    Raises
    ------
    ValueError, TypeError
        If a column holds anything but numbers, or two that are one in float64.
    """
    if are_numbers(x) and (hasattr(x, "tocsr") or not is_beyond(x)):
        return x
    columns, names = columns_read(x), names_of(x)
    stack = stacked(columns, {}, names, remedy)
    for f, column in enumerate(columns):
        values = np.unique(column.values[column.present])
        if len(merged := np.flatnonzero(np.diff(values.astype(float)) == 0)):
            got = f"{values[merged[0]]} and {values[merged[0] + 1]} in column {called(f, names)}"
            rule = "features are compared in float64, in which values that differ stay apart"
            raise ValueError(complaint(rule, got, "pass ranks, in new rows too"))
    return stack


def columns_read(x: Any, words: Container[int] = ()) -> list[InMemoryColumn]:
    """What each column of a table holds, by the rule of `read_in_order`; the texts of ``words`` are no dates.

    Raises
    ------
    ValueError, TypeError
        If there are not two dimensions, or no rows, or a column holds values of another kind.
    """
    if getattr(getattr(x, "dtype", None), "kind", "") == "c":
        raise ValueError(complaint("features are real numbers", "Complex data not supported", "pass parts apart"))
    if hasattr(x, "tocsc"):
        return list(read_columns(x).values())
    each, names = columns_of(x), names_of(x)
    labels = range(len(each)) if names is None else names
    return [read_in_order(column, labels[f], as_text=f in words) for f, column in enumerate(each)]


def names_of(x: Any) -> list[str] | None:
    """The names of the columns of a data frame, None of anything else."""
    names = getattr(x, "column_names", getattr(x, "columns", None))
    return None if names is None or isinstance(x, np.ndarray) else [str(name) for name in names]


def called(f: int, names: list[str] | None) -> str:
    """The name of a column as it stands in a sentence: in quotes, or its place."""
    return str(f) if names is None else repr(names[f])


def mask_of(chosen: Any, columns: Collection[Any], names: list[str] | None) -> Array:
    """A mask of the categorical features, which are given as a mask, by place, by name or by what they hold."""
    if isinstance(chosen, str) and chosen == "from_dtype":  # what is not read yet declares nothing
        return np.array([getattr(column, "kind", "") in ("category", "ordered") for column in columns])
    wanted = np.asarray(chosen)
    if wanted.dtype == bool and wanted.shape == (len(columns),):
        return wanted
    rule = "categorical_features must be a mask, positions or names of features"
    if wanted.ndim != 1 or wanted.dtype.kind not in "iuUSO" or wanted.dtype == bool:
        raise ValueError(complaint(rule, f"{chosen!r}", f"pass, of the {len(columns)} features, the categorical ones"))
    mask = np.zeros(len(columns), dtype=bool)
    for one in wanted.tolist():
        place = (names or []).index(one) if one in (names or ()) else one
        if not isinstance(place, int) or not -len(columns) <= place < len(columns):
            raise ValueError(complaint(rule, f"{one!r}", f"pass positions below {len(columns)}, or column names"))
        mask[place] = True
    return mask


def levels_of(mask: Array, columns: Sequence[InMemoryColumn]) -> dict[int, Levels]:
    """The levels of the columns that are categories by a mask; missing values are a last one."""
    return {f: with_missing_row(levels(columns[f])) for f in np.flatnonzero(mask).tolist()}


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
    """The number of calls up to where the library was called, perhaps through scikit-learn."""
    frame, calls = sys._getframe(), 1
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in INSIDE:
        frame, calls = frame.f_back, calls + 1
    return calls


def _known(column: InMemoryColumn, categories: list[Any], name: str) -> Array:
    """The place of each value among known categories, -1 where it is none."""
    new, place = levels(column), {each: i for i, each in enumerate(categories)}
    kinds, here = _kinds(categories), _kinds(new.names)
    if kinds and here and not kinds & here:
        got = " and ".join(sorted(here))
        rule = f"categories of column {name} are {' and '.join(sorted(kinds))}, as in fit"
        raise TypeError(complaint(rule, got, "convert the column first"))
    return np.array([place.get(each, -1) for each in (*new.names, MISSING)])[new.codes]


def _kinds(categories: Sequence[Any]) -> set[str]:
    """The kinds of categories; missing values are of none."""
    kinds: dict[type, str] = {str: "words", bytes: "bytes"}
    known = (each for each in categories if each is not MISSING)
    return {kinds.get(type(each), "numbers" if isinstance(each, Real) else type(each).__name__) for each in known}


def stacked(columns: Sequence[InMemoryColumn], codes: dict[int, Array], names: list[str] | None, remedy: str) -> Array:
    """Columns side by side in float64, categorical ones by their codes.

    Raises
    ------
    ValueError, TypeError
        If another column holds words, dates or times; ``remedy`` has a place for what names the column.
    """
    each = [codes[f] if f in codes else _floats(column, f, names, remedy) for f, column in enumerate(columns)]
    return np.column_stack(each).astype(float, copy=False)


def _floats(column: InMemoryColumn, f: int, names: list[str] | None, remedy: str) -> Array:
    """A column of numbers or truth values, nan where one is missing."""
    if column.kind == "date":
        raise TypeError(complaint(RULE, f"dates or times in column {called(f, names)}", DAYS))
    if column.kind not in ("number", "flag") and column.present.any():
        got = f"{column.names[column.values[int(column.present.argmax())]]!r} in column {called(f, names)}"
        raise ValueError(complaint(RULE, got, remedy.format(f"[{f}]" if names is None else '"from_dtype"')))
    with numbers(column.values, f"values of column {called(f, names)}"):
        floats = np.where(column.present, column.values, np.nan).astype(float)
    return floats
