"""Views of some rows of a column, in memory or in Arrow: names and codes, or values that have an order.

Main definitions: ``pyarrow`` (the library, imported on first use), ``kind_of`` (a type), ``as_column`` (an array in
memory); ``NaValues`` (what stands for a missing value), ``encoded``, ``magnitudes``, ``vector`` (of either);
``of_texts``, ``read_texts`` (texts as numbers and dates); ``listed``, ``framed`` (a data frame).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.data.counting import EXACT_FLOAT
from splitcrit.data.in_memory import InMemoryColumn, Order, no_kind
from splitcrit.data.integers import as_numbers
from splitcrit.data.texts import ORDERED, Texts, numbers, ordered
from splitcrit.frozen import complaint, printable, shown


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


def kind_of(name: Any, type_: Any) -> Order:
    """Tell whether values of a type are numbers, dates or times, which have an order, or texts, or other names.

    Raises
    ------
    TypeError
        If they are none of these.
    """
    types = pyarrow().types
    value = type_.value_type if types.is_dictionary(type_) else type_
    is_text = any(test(value) for test in (types.is_string, types.is_large_string, types.is_string_view))
    others = ("primitive", "decimal", "null", "binary", "large_binary", "binary_view", "fixed_size_binary")
    if not (is_text or any(getattr(types, f"is_{other}")(value) for other in others)):
        raise TypeError(no_kind(type_, name))
    if is_text:
        return "text" if value is type_ else "named"
    ordered = (types.is_integer, types.is_floating, types.is_decimal, types.is_temporal)
    return "ordered" if any(test(type_) for test in ordered) else "named"


def as_column(array: Any, name: Any = "") -> InMemoryColumn:
    """Return an Arrow array as a column in memory, and such a column as it is; nan is missing.

    A dictionary may name what no entry has, name it twice, and differ from that of the next chunk.
    """
    if isinstance(array, InMemoryColumn):
        return array
    kind, types = kind_of(name, array.type), pyarrow().types
    if kind != "ordered":
        encoding = array if types.is_dictionary(array.type) else array.dictionary_encode()
        names = _names(encoding.dictionary)
        codes = encoding.indices.cast("int64").fill_null(len(names)).to_numpy(zero_copy_only=False)
        present = np.array([name is not None for name in names] + [False])[codes]
        return InMemoryColumn(kind, codes, present, (*names, None), bool(getattr(encoding.type, "ordered", False)))
    present = array.is_valid().to_numpy(zero_copy_only=False)
    if types.is_decimal(array.type):
        exact, array = array, array.cast("float64")
        if (np.abs(array.drop_null().to_numpy(zero_copy_only=False)) >= EXACT_FLOAT).any():
            values = np.zeros(len(exact), dtype=object)
            values[present] = as_numbers(exact.drop_null().to_pylist())
            return InMemoryColumn("ordered", values, present)
    elif types.is_time(array.type):  # the duration since midnight
        whole = array.cast(pyarrow().time64("ns" if array.type.unit == "ns" else "us"))
        array = whole.cast("int64").cast(pyarrow().duration(whole.type.unit))
    values = (array.fill_null(0) if types.is_integer(array.type) else array).to_numpy(zero_copy_only=False)
    return InMemoryColumn("ordered", values, present & (values == values))


def framed(columns: dict[str, Array]) -> Any:
    """Return vectors as a data frame of pandas."""
    return pyarrow().table(columns).to_pandas()


def listed(values: Array) -> tuple[Any, ...]:
    """Return values as names: Python's numbers and text, numpy's dates."""
    return tuple(values if values.dtype.kind in "Mm" else values.tolist())


def _names(dictionary: Any) -> list[Any]:
    """Return the values of an array, None for what is null or nan."""
    present = dictionary.is_valid().to_numpy(zero_copy_only=False)
    values = iter(listed(dictionary.drop_null().to_numpy(zero_copy_only=False)))
    found = [next(values) if there else None for there in present]
    return [None if name != name else name for name in found]


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
                rule = "na_values are strings or numbers"
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
        """Tell which values stand for themselves."""
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
    """Return names, None among them where entries are missing, and for every entry the place of its name.

    A name may stand twice.
    """
    names, codes = as_column(column).encoded()
    return na_values.dropped(names), codes


def magnitudes(column: Any, na_values: NaValues = NONE) -> tuple[Array, Array]:
    """Return the values present, as numbers or dates, and which entries are present."""
    column = as_column(column)
    values, present = column.values, column.present
    if not na_values.numbers and present.all():
        return values, present
    values, present = values[present], present.copy()
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
    """Return the kind of a whole column of texts, and the column as numbers, dates or words; ``words`` wants these."""
    texts = Texts(words)
    names, codes = encoded(column, na_values)
    names = texts.read(names, codes, 0)
    return texts, of_texts(names, codes, texts.kind)


def vector(column: Any) -> Array:
    """Return the values of a column as a vector, what is missing as nan, NaT or None."""
    found = as_column(column)
    if found.kind != "ordered":
        names = np.array([*found.names, None], dtype=object)[np.where(found.present, found.values, -1)]
        truths = all(isinstance(truth, bool | None) for truth in found.names)
        return names.astype(bool) if truths and found.present.all() else names
    if found.present.all():
        return found.values
    gap = np.array("NaT", found.values.dtype) if found.values.dtype.kind in "Mm" else np.nan
    return np.where(found.present, found.values, gap)
