"""What a column is, by its values alone: numbers, dates, categories in a declared order or in none, or truth values.

One rule for every typed vector: lists, arrays, columns of pandas, polars and Arrow. Typed texts stay texts, but for ISO
dates (``object_values``); the texts of a file are read by ``formats``, into columns of the same kind.

Main definitions: ``InMemoryColumn``, ``read_column``, ``read_columns`` (of an array, a data frame, a mapping),
``read_in_order``; ``of_names``, ``of_arrow`` (some rows of an Arrow array), ``pyarrow``
(the library, imported on first use); ``NaValues`` (what stands for a missing value); ``levels``, ``magnitudes``,
``vector`` (views of a column).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, time, timedelta
from decimal import Decimal
from functools import cache
from importlib import import_module
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np

from splitcrit.arguments import Array, a_table
from splitcrit.data.values import (
    IN_ORDER,
    TRUTHS,
    Kind,
    Levels,
    as_numbers,
    dates,
    in_order,
    in_order_of,
    is_missing,
    numbers,
    spread,
    values_of,
)
from splitcrit.frozen import complaint, printable, shown

KNOWN = (str, bytes, bool, np.bool_, Real, Decimal, date, time, timedelta, np.datetime64)


@dataclass(frozen=True)
class NaValues:
    """Texts and numbers that stand for a missing value; a text that is a number stands for both."""

    texts: frozenset[str] = frozenset()
    numbers: frozenset[Any] = frozenset()

    @staticmethod
    def of(marks: Any) -> NaValues:
        """Return texts and numbers, or raise one sentence about what is neither."""
        alone = isinstance(marks, str | Real) or not isinstance(marks, Iterable) or getattr(marks, "ndim", 1) != 1
        listed = [marks] if alone else list(marks)
        for value in listed:
            if not (isinstance(value, str | Real) and printable(value)):
                rule = "na_values are strings or numbers"
                raise TypeError(complaint(rule, shown(value), "pass na_values=('NA', '?', -999)"))
        texts = frozenset(str(value).strip() for value in listed)
        both = set[Any]()
        for text in texts:
            with suppress(ValueError):
                both.update(numbers([text]).tolist())
        return NaValues(texts, frozenset(both))

    def keeps(self, values: Array) -> Array:
        """Which values, numbers, dates or names, stand for themselves; dates all do."""
        if not (self.texts if values.dtype.kind == "O" else self.numbers) or values.dtype.kind in "Mm":
            return np.ones(len(values), dtype=bool)
        if values.dtype.kind in "Oiu":  # one by one: numpy may compare integers with marks as floats, which merges some
            gone = (x in self.numbers or (isinstance(x, str) and x.strip() in self.texts) for x in values.tolist())
            return ~np.fromiter(gone, dtype=bool, count=len(values))
        return ~np.isin(values, list(self.numbers))


NONE = NaValues()


@dataclass(frozen=True)
class InMemoryColumn:
    """A column, or some rows of one.

    Parameters
    ----------
    kind
        ``"number"``, ``"date"`` (and durations), ``"ordered"`` (categories in a declared order), ``"category"`` or
        ``"flag"`` (truth values).
    values
        The numbers or dates themselves, or the places in ``names``; anything where a value is missing.
    present
        Which values are not missing.
    names
        Of a column of neither numbers nor dates.
    declared
        Whether all names that may occur are declared, as those of a categorical are.
    marks
        The texts of a file that were taken for a missing value among numbers or dates.
    note
        What was guessed about the texts of a file, in one line; "" if nothing was.
    """

    kind: Kind
    values: Array
    present: Array
    names: tuple[Any, ...] = ()
    declared: bool = False
    marks: tuple[str, ...] = ()
    note: str = ""

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Any) -> InMemoryColumn:
        """Some of the rows."""
        return replace(self, values=self.values[rows], present=self.present[rows])

    @property
    def in_order(self) -> bool:
        """Whether the values are numbers or dates themselves."""
        return self.kind in IN_ORDER

    def coded(self, na_values: NaValues = NONE) -> tuple[Array, Array]:
        """The values that some row has, numbers and dates in order, and the place of each row's, -1 of none."""
        values = self.values[self.present]
        if self.in_order and not _is_dense(values):
            there, places = np.unique(values, return_inverse=True)
        else:  # counted rather than sorted
            names = np.fromiter(self.names, dtype=object, count=len(self.names))
            if self.in_order:
                least, most, values = int(values.min()), int(values.max()), values.astype(np.int64)
                names, values = (np.arange(most - least + 1) + least).astype(self.values.dtype), values - least
            some = np.bincount(values, minlength=len(names)) > 0
            there, places = names[some], (np.cumsum(some) - 1)[values]
        real = na_values.keeps(there)
        codes = np.full(len(self), -1)
        codes[self.present] = places if real.all() else np.where(real, np.cumsum(real) - 1, -1)[places]
        return there[real], codes


def _is_dense(values: Array) -> bool:
    """Whether values are integers of so small a range that they are counted rather than sorted."""
    whole = values.dtype.kind in "iu" and values.dtype != np.uint64 and len(values) > 0
    return whole and int(values.max()) - int(values.min()) < len(values)


class LazyColumns(Mapping[Any, InMemoryColumn]):
    """Columns by their names, each read when it is looked at, so that one that is left out may hold anything.

    ``headers`` are the same columns, or columns of no rows where reading one takes memory.
    """

    def __init__(self, names: Collection[Any], read: Callable[[Any], InMemoryColumn], rows: int, headers: Any = None):
        self.names, self.read, self.rows = names, read, rows
        self.headers: Mapping[Any, InMemoryColumn] = self if headers is None else headers

    def __getitem__(self, name: Any) -> InMemoryColumn:
        return self.read(name)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def read_column(vector: Any, name: Hashable, as_text: bool = False) -> InMemoryColumn:
    """What a typed vector is: a list, an array, a column of pandas, polars or Arrow; ``as_text`` reads no dates.

    Raises
    ------
    TypeError
        If its values are of another kind.
    ValueError
        If it is no vector.

    Examples
    --------
    >>> read_column(["007", "7", None], "code")
    InMemoryColumn(kind='category', values=array([0, 1, 0]), present=array([ True,  True, False]), names=('007', '7'), \
declared=False, marks=(), note='')
    >>> read_column(["2024-02-29", "2024-03-01"], "day").kind, read_column([True, False], "sold").kind
    ('date', 'flag')
    """
    if not isinstance(vector, np.ndarray) and str(getattr(vector, "dtype", "")).startswith("period"):
        vector = vector.dt.to_timestamp()
    if hasattr(vector, "combine_chunks"):
        vector = vector.combine_chunks()
    if hasattr(vector, "dictionary_encode"):
        column = of_arrow(vector, name)
        return column if as_text or column.kind != "category" or hasattr(vector, "dictionary") else as_dates(column)
    dtype = getattr(vector, "dtype", None)
    declared = getattr(getattr(dtype, "categories", None), "to_list", None)  # of pandas, or an enumeration of polars
    if declared:
        places = {each: place for place, each in enumerate(declared())}
        codes = np.array([places.get(x, -1) for x in values_of(vector).tolist()], dtype=np.intp)
        kind: Kind = "ordered" if getattr(dtype, "ordered", type(dtype).__name__ == "Enum") else "category"
        return InMemoryColumn(kind, np.maximum(codes, 0), codes >= 0, tuple(places), True)
    gaps = np.ma.getmaskarray(vector) if np.ma.isMaskedArray(vector) else False
    values = values_of(vector)
    if values.ndim != 1:
        rule = f"{name!r} must be a vector, of one value for each row"
        got, remedy = f"{values.ndim} dimensions", "pass one column; ravel() flattens an array"
        if not values.ndim:
            got, remedy = shown(vector), "pass one value for each row, and parameters by keyword"
        raise ValueError(complaint(rule, got, remedy))
    present = np.ones(len(values), dtype=bool) & ~np.asarray(gaps)
    if values.dtype.kind in "iufMm":
        undefined = {"f": np.isnan, "M": np.isnat, "m": np.isnat}.get(values.dtype.kind)
        return ordered(values, present & ~undefined(values) if undefined else present)
    if values.dtype.kind not in "bOUS":
        raise TypeError(no_kind(values.dtype, name))
    return _of_objects(values.astype(object), present, name, as_text)


def coded(vector: Any, noun: str) -> Levels:
    """The levels of a vector; declared categories keep their order, whether observed or not."""
    column = read_column(vector, noun, as_text=True)
    if not len(column):
        raise ValueError(complaint(f"a {noun} needs at least one value", "an empty vector", "pass observations"))
    if not column.declared:
        return levels(column)
    return Levels(column.names, np.where(column.present, column.values, -1))


def ordered(values: Array, present: Array) -> InMemoryColumn:
    """Numbers, dates or durations as a column; -0 is 0."""
    values = values + 0.0 if values.dtype.kind == "f" else values
    return InMemoryColumn("date" if values.dtype.kind in "Mm" else "number", values, present)


def as_dates(column: InMemoryColumn) -> InMemoryColumn:
    """A whole column of texts as dates if all are ISO dates, else as it is."""
    days = dates(column.names) if column.names else None
    return column if days is None else ordered(days[column.values], column.present)


def of_names(kind: Kind, names: Iterable[Any], codes: Array, declared: bool = False, note: str = "") -> InMemoryColumn:
    """A column of names, None for what is missing, by the place of the name of each row."""
    places: dict[Any, int] = {}
    each = [-1 if name is None else places.setdefault(name, len(places)) for name in names]
    rows = np.array(each, dtype=np.intp)[codes]
    return InMemoryColumn(kind, np.maximum(rows, 0), rows >= 0, tuple(places), declared, note=note)


def pyarrow() -> Any:
    """Return pyarrow, or say how to install it."""
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.dataset
        import pyarrow.parquet
    except ModuleNotFoundError as error:
        rule = "counting data that does not fit into memory needs pyarrow"
        got = f"no module {error.name}"
        raise ModuleNotFoundError(complaint(rule, got, "pip install 'splitcrit[tables]'"), name=error.name) from None
    return pyarrow


def of_arrow(array: Any, name: Any = "") -> InMemoryColumn:
    """Some rows of an Arrow array as a column, whose kind its type tells; nan is missing.

    A dictionary may name what no entry has, name it twice, and differ from that of the next chunk.

    Raises
    ------
    TypeError
        If its values can not be counted.
    """
    types, kind = pyarrow().types, array.type
    is_coded, is_decimal = types.is_dictionary(kind), types.is_decimal(kind)
    value = kind.value_type if is_coded else kind
    others = ("decimal", "null", "string", "large_string", "string_view", "binary", "large_binary", "binary_view",
              "fixed_size_binary")  # fmt: skip
    if not any(getattr(types, f"is_{each}")(value) for each in ("primitive", *others)):
        raise TypeError(no_kind(kind, name))
    in_order = types.is_integer(kind) or types.is_floating(kind) or types.is_temporal(kind)
    if is_coded or not in_order:
        encoding = array if is_coded else array.dictionary_encode()
        codes = encoding.indices.cast("int64").fill_null(-1).to_numpy(zero_copy_only=False)
        if is_decimal:
            return ordered(as_numbers([*encoding.dictionary.to_pylist(), 0])[codes], codes >= 0)
        names = [None if is_missing(x) else x for x in listed(encoding.dictionary.to_numpy(zero_copy_only=False))]
        declared = is_coded and kind.ordered
        what: Kind = "ordered" if declared else "flag" if types.is_boolean(kind) else "category"
        return of_names(what, [*names, None], codes, declared)
    present = array.is_valid().to_numpy(zero_copy_only=False)
    if types.is_time(kind):  # the duration since midnight
        whole = array.cast(pyarrow().time64("ns" if kind.unit == "ns" else "us"))
        array = whole.cast("int64").cast(pyarrow().duration(whole.type.unit))
    values = (array.fill_null(0) if types.is_integer(kind) else array).to_numpy(zero_copy_only=False)
    return ordered(values, present & (values == values))


def listed(values: Array) -> tuple[Any, ...]:
    """Values as names: Python's numbers and text, numpy's dates."""
    return tuple(values if values.dtype.kind in "Mm" else values.tolist())


def read_columns(data: Any) -> LazyColumns:
    """The columns of an array ``(n, d)`` or a sparse matrix, by their places, of a data frame or a mapping, by
    their names; a column that holds values of another kind is a TypeError once it is looked at.

    Raises
    ------
    ValueError
        If data have another shape, or columns of several lengths.
    """
    if hasattr(data, "tocsc"):
        some_of_each(*data.shape)
        matrix, names = data.tocsc(), range(data.shape[1])
        headers = dict.fromkeys(names, read_column(np.zeros(0, matrix.dtype), "sparse"))
        return LazyColumns(names, lambda j: read_column(matrix[:, [j]].toarray().ravel(), j), matrix.shape[0], headers)
    vectors = _vectors(data)
    lengths = {name: len(vector) for name, vector in vectors.items() if hasattr(vector, "__len__")}
    if len(set(lengths.values())) > 1:
        (one, n), (other, m) = next((a, b) for a, b in pairwise(lengths.items()) if a[1] != b[1])
        got = f"{n} rows in {one!r} and {m} in {other!r}"
        raise ValueError(complaint("columns must have the same length", got, "pass one value for each row"))
    return LazyColumns(vectors, cache(lambda name: read_column(vectors[name], name)), next(iter(lengths.values()), 0))


def _vectors(data: Any) -> dict[Any, Any]:
    """Vectors by their names."""
    if isinstance(data, Mapping):
        return dict(data)
    names = list(getattr(data, "column_names", getattr(data, "columns", ())))
    if twice := [name for name in names if names.count(name) > 1]:  # such a name may be 0 or ""
        raise ValueError(complaint("column names must differ", f"{twice[0]!r} twice", "rename one column"))
    vectors = columns_of(data)
    return dict(zip(names or range(len(vectors)), vectors, strict=True))


def columns_of(x: Any) -> list[Any]:
    """The columns of a data frame, an array or nested lists.

    Raises
    ------
    ValueError, TypeError
        If there are not two dimensions, or no rows, or the table is sparse.
    """
    a_table(x)
    if hasattr(x, "iloc"):
        columns = [x.iloc[:, j] for j in range(x.shape[1])]
    elif hasattr(x, "get_columns"):
        columns = x.get_columns()
    elif hasattr(x, "itercolumns"):
        columns = list(x.itercolumns())
    else:
        values = np.asanyarray(x) if hasattr(x, "ndim") else np.array(x, dtype=object)
        if values.ndim == 1 and isinstance(x, list | tuple) and x and isinstance(x[0], list | tuple):
            raise ValueError(complaint("features are numbers", "rows of several lengths", "encode or drop them first"))
        a_table(values)
        columns = list((values if np.ma.isMaskedArray(values) else np.asarray(values)).T)
    some_of_each(len(columns[0]) if columns else np.shape(x)[0], len(columns))
    return columns


def some_of_each(rows: int, columns: int) -> None:
    """Raise ValueError unless there are rows and columns."""
    if not rows or not columns:
        got = f"0 {'sample' if columns else 'feature'}(s) (shape={(rows, columns)}) while a minimum of 1 is required"
        raise ValueError(complaint("features have rows and columns", got, "pass at least one of each"))


def _of_objects(values: Array, present: Array, name: Hashable, as_text: bool) -> InMemoryColumn:
    """Python objects as a column."""
    entries = [x if real else None for x, real in zip(values.tolist(), present.tolist(), strict=True)]
    for kind, some in {type(x): x for x in entries}.items():
        if not isinstance(some, KNOWN) and not is_missing(some):
            raise TypeError(no_kind(kind.__name__, name))
    pairs = list(zip(map(type, entries), entries, strict=True))  # apart are 1 and True, which are equal
    try:
        places = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
    except TypeError:  # what is masked and a signalling nan have no hash
        pairs = [(type(x), None if is_missing(x) else x) for x in entries]
        places = {pair: place for place, pair in enumerate(dict.fromkeys(pairs))}
    codes = np.fromiter(map(places.__getitem__, pairs), dtype=np.intp, count=len(pairs))
    objects = [None if is_missing(x) else x for _, x in places]
    there = [x for x in objects if x is not None]
    texts = any(isinstance(x, str) for x in there)
    typed = (None if as_text else dates(there)) if texts else in_order_of(there)
    if typed is not None:
        read, known = spread(typed, np.array([x is not None for x in objects], dtype=bool))
        return ordered(read[codes], known[codes])
    flags = bool(there) and all(isinstance(x, TRUTHS) for x in there)
    return of_names("flag" if flags else "category", [str(x) if texts and x is not None else x for x in objects], codes)


def no_kind(kind: object, name: Hashable) -> str:
    """The sentence about a column whose values cannot be counted."""
    rule = "argument must be columns of strings, numbers, truth values, dates or categories"  # as scikit-learn says
    return complaint(rule, f"{kind} in {name!r}", "leave the column out, or make columns of its parts")


def read_in_order(vector: Any, name: Any, as_text: bool = False) -> InMemoryColumn:
    """A vector as `read_column` does, truth values as the numbers 0 and 1."""
    column = read_column(vector, name, as_text)
    if column.kind != "flag":
        return column
    return ordered(np.array([*column.names, False], dtype=np.int64)[column.values], column.present)


def as_column(array: Any, name: Any = "") -> InMemoryColumn:
    """Some rows of a column: an Arrow array, or a column in memory as it is."""
    return array if isinstance(array, InMemoryColumn) else of_arrow(array, name)


def levels(column: InMemoryColumn, na_values: NaValues = NONE) -> Levels:
    """The values that occur in a column, in their order or a declared one, and the place of each row's."""
    there, codes = column.coded(na_values)
    names = listed(there)
    if column.declared or column.in_order:
        return Levels(names, codes)
    order = in_order(names)
    place = {name: at for at, name in enumerate(order)}
    return Levels(order, np.array([*(place[name] for name in names), -1], dtype=np.intp)[codes])


def magnitudes(column: Any, na_values: NaValues = NONE) -> tuple[Array, Array]:
    """The values present, as numbers or dates, and which entries are present."""
    column = as_column(column)
    present = column.present.copy()
    present[present] = na_values.keeps(column.values[present])
    return column.values[present], present


def vector(column: Any) -> Array:
    """The values of a column as a vector, what is missing as nan, NaT or None."""
    read = as_column(column)
    if not read.in_order:
        names = np.array([*read.names, None], dtype=object)[np.where(read.present, read.values, -1)]
        return names.astype(bool) if read.kind == "flag" and read.present.all() else names
    if read.present.all():
        return read.values
    gap = np.array("NaT", read.values.dtype) if read.values.dtype.kind in "Mm" else np.nan
    return np.where(read.present, read.values, gap)


def as_frame(data: Any, remedy: str) -> Any:
    """A pandas data frame of columns of equal length, or of rows.

    Raises
    ------
    ImportError
        If there is no pandas; the remedy says what to read instead.

    Examples
    --------
    >>> as_frame({"node": [0, 1], "rows": [9, 4]}, "install it").shape
    (2, 2)
    """
    try:
        pandas = import_module("pandas")
    except ImportError:
        raise ImportError(complaint("a data frame is one of pandas", "no module pandas", remedy)) from None
    return pandas.DataFrame(data)
