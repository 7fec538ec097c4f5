"""What is asked of some rows of a column, in memory or in Arrow: names and codes, or values that have an order.

Main definitions: ``NaValues`` (what stands for a missing value), ``encoded``, ``magnitudes``, ``vector``, ``declared``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from splitcrit.files import arrow
from splitcrit.files.held import Held
from splitcrit.files.texts import numbers
from splitcrit.frozen import complaint, printable, shown
from splitcrit.table.counting import Array


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
    names, codes = column.encoded() if isinstance(column, Held) else arrow.encoded(column)
    return na_values.dropped(names), codes


def magnitudes(column: Any, na_values: NaValues = NONE) -> tuple[Array, Array]:
    """Return the values present, as numbers or dates, and which entries are present."""
    if isinstance(column, Held):
        values, present = column.values[column.present], column.present.copy()
    else:
        values, present = arrow.magnitudes(column)
    kept = na_values.keeps(values)
    present[present] = kept
    return values[kept], present


def vector(column: Any) -> Array:
    """Return the values of a column as a vector, what is missing as nan, NaT or None."""
    if not isinstance(column, Held):
        return arrow.vector(column)
    if column.kind != "ordered":
        return np.array([*column.names, None], dtype=object)[np.where(column.present, column.values, len(column.names))]
    if column.present.all():
        return column.values
    gap = np.array("NaT", column.values.dtype) if column.values.dtype.kind in "Mm" else np.nan
    return np.where(column.present, column.values, gap)


def declared(column: Any) -> tuple[Any, ...]:
    """Return the names that a column declares, in their order."""
    return column.names if isinstance(column, Held) else arrow.declared(column)


def check(name: str, column: Any) -> None:
    """Raise a TypeError about a column whose values are no numbers, text, booleans, dates or categories."""
    if not isinstance(column, Held):
        arrow.countable(name, column.type)
