"""Columns in memory: each is numbers or dates, which have an order, or texts, or names.

Main definitions: ``InMemoryColumn``, ``held_column``, ``held_columns`` (of an array, a data frame, a mapping).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from datetime import date, time, timedelta
from decimal import Decimal
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np

from splitcrit.arguments import Array, a_table
from splitcrit.data.counting import as_array
from splitcrit.data.integers import values_of
from splitcrit.data.object_values import Order as Order
from splitcrit.data.object_values import read_objects
from splitcrit.data.value_codes import coded, declared_by
from splitcrit.frozen import complaint

KNOWN = (str, bytes, bool, np.bool_, Real, Decimal, date, time, timedelta, np.datetime64)


@dataclass(frozen=True)
class InMemoryColumn:
    """A column, or some rows of one.

    Parameters
    ----------
    kind
        ``"ordered"``: numbers or dates; ``"text"``; ``"named"``: booleans, categories and other values.
    values
        The numbers or dates themselves, or the places in ``names``; anything where a value is missing.
    present
        Which values are not missing.
    names
        Of a column that is not ordered.
    declared
        Whether the order of the names is declared, as that of a categorical is.
    """

    kind: Order
    values: Array
    present: Array
    names: tuple[Any, ...] = ()
    declared: bool = False

    def __len__(self) -> int:
        return len(self.values)

    def take(self, rows: Any) -> InMemoryColumn:
        """Return some of the rows."""
        return InMemoryColumn(self.kind, self.values[rows], self.present[rows], self.names, self.declared)

    def slice(self, start: int, length: int) -> InMemoryColumn:
        """Return the rows from one on, as an Arrow array does."""
        return self.take(slice(start, start + length))

    @property
    def declared_names(self) -> tuple[Any, ...]:
        """The names, whether or not a row has them."""
        return tuple(name for name in self.names if name is not None)

    def encoded(self) -> tuple[list[Any], Array]:
        """Return the names that some row has, and None; for every row the place of its name."""
        listed: Any = self.names
        whole = self.present.all()
        held = self.values if whole else self.values[self.present]
        if self.kind == "ordered" and not _is_dense(held):
            found, inverse = np.unique(held, return_inverse=True)
            names = found if found.dtype.kind in "Mm" else found.tolist()
        else:
            if self.kind == "ordered":
                low, high = int(held.min()), int(held.max())
                held, listed = held.astype(np.int64) - low, range(low, high + 1)
            there = np.bincount(held, minlength=len(listed)) > 0
            inverse = (np.cumsum(there) - 1)[held]
            names = [listed[i] for i in np.flatnonzero(there)]
        if whole:
            return [*names, None], inverse
        places = np.full(len(self), len(names))
        places[self.present] = inverse
        return [*names, None], places


def _is_dense(values: Array) -> bool:
    """Tell whether values are integers of so small a range that they are counted rather than sorted."""
    if values.dtype.kind not in "iu" or values.dtype == np.uint64 or not len(values):
        return False
    return int(values.max()) - int(values.min()) < len(values)


def held_column(vector: Any, name: Hashable) -> InMemoryColumn:
    """Return a vector of numbers, dates, texts, booleans or categories as a column.

    Raises
    ------
    TypeError
        If its values are of another kind.
    ValueError
        If it is no vector.
    """
    if hasattr(getattr(vector, "dtype", None), "categories"):
        levels = coded(vector, f"column {name!r}")
        there = levels.codes >= 0
        return InMemoryColumn(
            "named", np.maximum(levels.codes, 0), there, levels.names, declared_by(vector) is not None
        )
    gaps = np.ma.getmaskarray(vector) if np.ma.isMaskedArray(vector) else False
    values = values_of(vector)
    if values.ndim != 1:
        rule = "a column has one value for each row"
        raise ValueError(complaint(rule, f"shape {values.shape} in {name!r}", "pass one vector for each column"))
    present = np.ones(len(values), dtype=bool) & ~np.asarray(gaps)
    if values.dtype.kind in "iufMm":
        undefined = {"f": np.isnan, "M": np.isnat, "m": np.isnat}.get(values.dtype.kind)
        return InMemoryColumn("ordered", values, present & ~undefined(values) if undefined else present)
    if values.dtype.kind not in "bOUS":
        raise TypeError(no_kind(values.dtype, name))
    return _of_objects(values.astype(object), present, name)


def held_columns(data: Any) -> dict[Any, InMemoryColumn]:
    """Return the columns of an array ``(n, d)``, by their places, or of a data frame or a mapping, by their names.

    Raises
    ------
    ValueError
        If data have another shape, or columns of several lengths.
    TypeError
        If a column holds values of another kind.
    """
    found = {name: held_column(vector, name) for name, vector in _vectors(data).items()}
    lengths = {name: len(column) for name, column in found.items()}
    if len(set(lengths.values())) > 1:
        (one, n), (other, m) = next((a, b) for a, b in pairwise(lengths.items()) if a[1] != b[1])
        got = f"{n} rows in {one!r} and {m} in {other!r}"
        raise ValueError(complaint("columns must have the same length", got, "pass one value for each row"))
    return found


def _vectors(data: Any) -> dict[Any, Any]:
    """Return vectors by their names."""
    if isinstance(data, Mapping):
        return dict(data)
    if hasattr(data, "columns"):
        names = list(data.columns)
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(complaint("column names must differ", f"{twice!r} twice", "rename one column"))
        return {name: data[name] for name in names}
    a_table(data)
    array = data if np.ma.isMaskedArray(data) else as_array(data, "features")
    a_table(array)
    if isinstance(data, list | tuple):  # numpy turns a row of numbers and texts into texts, and a None into one
        return dict(enumerate(map(list, zip(*data, strict=True))))
    return {j: array[:, j] for j in range(array.shape[1])}


def _of_objects(values: Array, present: Array, name: Hashable) -> InMemoryColumn:
    """Return Python objects as a column."""
    entries = [x if held else None for x, held in zip(values.tolist(), present.tolist(), strict=True)]
    try:
        found = read_objects(entries)
    except TypeError:
        strange = next(x for x in entries if not isinstance(x, (*KNOWN, type(None))))
        raise TypeError(no_kind(type(strange).__name__, name)) from None
    if found.kind == "ordered":
        return InMemoryColumn("ordered", found.values[found.codes], found.present[found.codes])
    there = [x for x, held in zip(found.values, found.present, strict=True) if held]
    if (strange := next((x for x in there if not isinstance(x, KNOWN)), None)) is not None:
        raise TypeError(no_kind(type(strange).__name__, name))
    places = {name: at for at, name in enumerate(dict.fromkeys(there))}
    at = np.array(
        [places[x] if held else 0 for x, held in zip(found.values, found.present, strict=True)], dtype=np.intp
    )
    return InMemoryColumn(found.kind, at[found.codes], found.present[found.codes], tuple(places))


def no_kind(kind: object, name: Hashable) -> str:
    """Return the sentence about a column whose values cannot be counted."""
    rule = "a column to count holds numbers, text, booleans, dates or categories"
    return complaint(rule, f"{kind} in {name!r}", "leave the column out, or make columns of its parts")
