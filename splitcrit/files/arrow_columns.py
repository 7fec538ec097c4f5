"""What is asked of some rows of a column, in memory or in Arrow: names and codes, or values that have an order.

Main definitions: ``NaValues`` (what stands for a missing value), ``encoded``, ``magnitudes``, ``vector``, ``declared``
(of either); ``pyarrow`` (the library, imported on first use), ``countable`` (which types of columns), ``has_order``,
``listed``; ``framed`` (a data frame of vectors).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from splitcrit.files.in_memory import InMemoryColumn, held_column, no_kind
from splitcrit.files.texts import ORDERED, Texts, numbers, ordered
from splitcrit.frozen import complaint, printable, shown
from splitcrit.table.counting import EXACT_FLOAT, Array
from splitcrit.table.integers import as_numbers


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


def countable(name: str, kind: Any) -> None:
    """Raise a TypeError about a column whose values are no numbers, text, booleans, dates or categories."""
    types = pyarrow().types
    value = kind.value_type if types.is_dictionary(kind) else kind
    if types.is_primitive(value) or types.is_decimal(value) or types.is_null(value) or _textual(value):
        return
    raise TypeError(no_kind(kind, name))


def _textual(kind: Any) -> bool:
    types = pyarrow().types
    tests = ("binary", "large_binary", "binary_view", "fixed_size_binary")
    return is_text(kind) or any(getattr(types, f"is_{test}")(kind) for test in tests)


def is_text(kind: Any) -> bool:
    """Return whether values of a type are texts."""
    types = pyarrow().types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def has_order(kind: Any) -> bool:
    """Return whether values of a type are numbers, dates or times, which quantiles may cut."""
    types = pyarrow().types
    tests = (types.is_integer, types.is_floating, types.is_decimal, types.is_temporal)
    return any(test(kind) for test in tests)


def _encoded(array: Any) -> tuple[list[Any], Array]:
    """Return names, None among them where entries are missing, and for every entry the place of its name.

    Names are those of ``Table.of`` on the array: Python's numbers, text and booleans, and numpy's dates. A dictionary
    may name what no entry has, name it twice, and differ from that of the next chunk.
    """
    array = _timed(array)
    if not pyarrow().types.is_dictionary(array.type):
        array = array.dictionary_encode()
    names = [*_names(array.dictionary), None]
    places = array.indices.cast("int64").fill_null(len(names) - 1)
    return names, places.to_numpy(zero_copy_only=False)


def _timed(array: Any) -> Any:
    """Return times of the day as durations since midnight, and any other array as it is."""
    if not pyarrow().types.is_time(array.type):
        return array
    whole = array.cast(pyarrow().time64("ns" if array.type.unit == "ns" else "us"))
    return whole.cast("int64").cast(pyarrow().duration(whole.type.unit))


def _vector(array: Any) -> Array:
    """Return the values of an array; what is missing is nan, NaT or None."""
    if pyarrow().types.is_dictionary(array.type):
        array = array.dictionary_decode()
    return np.asarray(array.to_numpy(zero_copy_only=False))


def framed(columns: dict[str, Array]) -> Any:
    """Return vectors as a data frame of pandas."""
    return pyarrow().table(columns).to_pandas()


def _declared(array: Any) -> tuple[Any, ...]:
    """Return the names of a dictionary, whether or not an entry has them."""
    return tuple(name for name in _names(array.dictionary) if name is not None)


def listed(values: Array) -> tuple[Any, ...]:
    """Return values as names: Python's numbers and text, numpy's dates."""
    return tuple(values if values.dtype.kind in "Mm" else values.tolist())


def _names(dictionary: Any) -> list[Any]:
    """Return the values of an array, None for what is null or nan."""
    present = dictionary.is_valid().to_numpy(zero_copy_only=False)
    values = iter(listed(dictionary.drop_null().to_numpy(zero_copy_only=False)))
    found = [next(values) if there else None for there in present]
    return [None if name != name else name for name in found]


def _magnitudes(array: Any) -> tuple[Array, Array]:
    """Return the values present, as numbers or numpy dates, and which entries are present; nan is missing."""
    types = pyarrow().types
    if types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if types.is_null(array.type):
        return np.empty(0), np.zeros(len(array), dtype=bool)
    if types.is_decimal(array.type):
        exact, array = array, array.cast("float64")
        if (np.abs(array.drop_null().to_numpy(zero_copy_only=False)) >= EXACT_FLOAT).any():
            present = np.array(array.is_valid().to_numpy(zero_copy_only=False))
            return as_numbers(exact.drop_null().to_pylist()), present
    array = _timed(array)
    present = np.array(array.is_valid().to_numpy(zero_copy_only=False))
    values = array.drop_null().to_numpy(zero_copy_only=False)
    if values.dtype.kind == "f":
        real = ~np.isnan(values)
        present[present] = real
        values = values[real]
    return values, present


@dataclass(frozen=True)
class NaValues:
    """Texts and numbers that stand for a missing value; a text that is a number stands for both."""

    texts: frozenset[str] = frozenset()
    numbers: frozenset[Any] = frozenset()

    @staticmethod
    def of(given: Any) -> NaValues:
        """Return texts and numbers, or raise one sentence about what is neither."""
        alone = isinstance(given, str | Real) or not isinstance(given, Iterable) or getattr(given, "ndim", 1) != 1
        listed = [given] if alone else list(given)
        for value in listed:
            if not (isinstance(value, str | Real) and printable(value)):
                rule = "what stands for a missing value is a text or a number"
                raise TypeError(complaint(rule, shown(value), "pass na_values=('NA', '?', -999)"))
        texts = frozenset(str(value).strip() for value in listed)
        return NaValues(texts, frozenset(number for text in texts for number in _number(text)))

    def dropped(self, names: list[Any]) -> list[Any]:
        """Return names, None where one stands for a missing value."""
        if not self.texts:
            return names
        return [None if name in self.numbers or (isinstance(name, str) and name.strip() in self.texts) else name
                for name in names]  # fmt: skip

    def keeps(self, values: Array) -> Array:
        """Return which values stand for themselves."""
        if not self.numbers or values.dtype.kind in "Mm":
            return np.ones(len(values), dtype=bool)
        return ~np.isin(values, list(self.numbers))


NONE = NaValues()


def _number(text: str) -> list[Any]:
    try:
        return list(numbers([text]).tolist())
    except ValueError:
        return []


def encoded(column: Any, na_values: NaValues = NONE) -> tuple[list[Any], Array]:
    """Return names, None among them where entries are missing, and for every entry the place of its name."""
    names, codes = column.encoded() if isinstance(column, InMemoryColumn) else _encoded(column)
    return na_values.dropped(names), codes


def magnitudes(column: Any, na_values: NaValues = NONE) -> tuple[Array, Array]:
    """Return the values present, as numbers or dates, and which entries are present."""
    if isinstance(column, InMemoryColumn):
        values, present = column.values[column.present], column.present.copy()
    else:
        values, present = _magnitudes(column)
    kept = na_values.keeps(values)
    present[present] = kept
    return values[kept], present


def of_texts(names: list[str | None], codes: Array, kind: str) -> InMemoryColumn:
    """Return texts of a kind, each row's by its place, as a column of numbers or dates; else as one of words."""
    if kind in ORDERED:
        values, present = ordered(names, kind)
        return InMemoryColumn("ordered", values[codes], present[codes])
    places = {name: i for i, name in enumerate(dict.fromkeys(name for name in names if name is not None))}
    at = np.array([-1 if name is None else places[name] for name in names], dtype=np.intp)[codes]
    return InMemoryColumn("text", np.maximum(at, 0), at >= 0, tuple(places))


def read_texts(column: Any, na_values: NaValues, words: bool = False) -> tuple[Texts, InMemoryColumn]:
    """Return what the texts of a whole column are, and the column as numbers, dates or words; ``words`` wants these."""
    texts = Texts(words)
    names, codes = encoded(column, na_values)
    names = texts.read(names, codes, 0)
    return texts, of_texts(names, codes, texts.kind)


def in_order(vector: Any, name: Any) -> InMemoryColumn:
    """Return a vector as a column of numbers or dates, also if it is of texts that all are some; truth values are 0 and
    1. What has no order is returned as it is."""
    column = held_column(vector, name)
    if column.kind == "text":
        return read_texts(column, NONE)[1]
    if column.kind == "named" and all(isinstance(truth, bool | np.bool_) for truth in column.names):
        truths = np.array([*column.names, False], dtype=np.int64)
        return InMemoryColumn("ordered", truths[column.values], column.present)
    return column


def vector(column: Any) -> Array:
    """Return the values of a column as a vector, what is missing as nan, NaT or None."""
    if not isinstance(column, InMemoryColumn):
        return _vector(column)
    if column.kind != "ordered":
        return np.array([*column.names, None], dtype=object)[np.where(column.present, column.values, len(column.names))]
    if column.present.all():
        return column.values
    gap = np.array("NaT", column.values.dtype) if column.values.dtype.kind in "Mm" else np.nan
    return np.where(column.present, column.values, gap)


def declared(column: Any) -> tuple[Any, ...]:
    """Return the names that a column declares, in their order."""
    return column.names if isinstance(column, InMemoryColumn) else _declared(column)


def check(name: str, column: Any) -> None:
    """Raise a TypeError about a column whose values are no numbers, text, booleans, dates or categories."""
    if not isinstance(column, InMemoryColumn):
        countable(name, column.type)
