"""What a column is, by its values alone: numbers, dates, categories in a declared order or in none.

Typed texts stay texts, but for ISO dates of different instants.

Main definitions: ``read_in_order``, ``IN_ORDER`` (kinds whose values are numbers or dates themselves).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from splitcrit.data.arrow_columns import as_column
from splitcrit.data.in_memory import InMemoryColumn as InMemoryColumn
from splitcrit.data.in_memory import held_column
from splitcrit.data.texts import dates
from splitcrit.data.value_codes import is_ordered

IN_ORDER = ("number", "date")


def read_in_order(vector: Any, name: Any, as_text: bool = False) -> InMemoryColumn:
    """Return what a typed vector is, truth values as the numbers 0 and 1; ``as_text`` keeps ISO dates texts.

    Examples
    --------
    >>> [read_in_order(x, "x").kind for x in (["007", "7"], ["2024-02-29", None], [True, False])]
    ['category', 'date', 'number']
    """
    if str(getattr(vector, "dtype", "")).startswith("period"):
        vector = vector.dt.to_timestamp()
    if hasattr(vector, "combine_chunks"):
        vector = vector.combine_chunks()
    dictionary = hasattr(getattr(vector, "type", None), "index_type")
    column = as_column(vector, name) if hasattr(vector, "dictionary_encode") else held_column(vector, name)
    names = tuple(each for each in column.names if each is not None)
    if column.kind == "ordered":
        return replace(column, kind="date" if column.values.dtype.kind in "Mm" else "number")
    if not column.declared and not dictionary:
        if names and all(isinstance(truth, bool | np.bool_) for truth in names):
            return InMemoryColumn("number", np.array([*names, False], dtype=np.int64)[column.values], column.present)
        if names and not as_text and (found := _iso_dates(names)) is not None:
            return InMemoryColumn("date", np.append(found, found[:1])[column.values], column.present)
    return replace(column, kind="ordered" if column.declared and (dictionary or is_ordered(vector)) else "category")


def _iso_dates(texts: tuple[Any, ...]) -> Any:
    """Return texts that are ISO dates of different instants as dates, None of others."""
    with suppress(AttributeError, TypeError, ValueError):  # other names are no texts
        found = dates(texts)
        return found if len(set(found.tolist())) == len(texts) else None
    return None
