"""Names of the rows and classes of a table that is given as counts.

Main definitions: ``distinct_names``, ``names_of``, ``on_grid`` (counts on a larger grid of names).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import Array, listed
from splitcrit.data.counting import widened
from splitcrit.frozen import complaint, shown
from splitcrit.table.array_counts import on_host

Names = tuple[Any, ...]


def distinct_names(given: Any, size: int, noun: str) -> tuple[Any, ...]:
    """Return distinct names, the places 0, 1, ... if none are given."""
    found = tuple(range(size)) if given is None else tuple(given if isinstance(given, str) else listed(given, noun))
    rule, remedy = f"{noun} names must be distinct, one for each {noun}", f"pass {size} distinct names"
    try:
        distinct = len(set(found))
    except TypeError as error:
        raise TypeError(complaint(rule, error, remedy)) from None
    if len(found) != size or distinct != size:
        got = f"{shown(found)} for {size}"
        raise ValueError(complaint(rule, got, remedy))
    return found


def names_of(data: Any) -> tuple[Any, Any]:
    """Return the row and class names that a table or a data frame with an index brings along."""
    if hasattr(data, "row_names"):
        return data.row_names, data.class_names
    axes: list[Any] = [getattr(data, axis, None) for axis in ("index", "columns")]
    if not all(hasattr(axis, "tolist") for axis in axes):
        return None, None
    return list(axes[0].tolist()), list(axes[1].tolist())


def on_grid(counts: Array, names: tuple[Names, Names], rows: Names, classes: Names) -> Array:
    """Return counts, whose rows and classes have these names, on a larger grid of names, ready to be added."""
    counts = widened(on_host(counts, "merged()"))
    grid = np.zeros((*counts.shape[:-2], len(rows), len(classes)), dtype=counts.dtype)
    at_rows = {name: i for i, name in enumerate(rows)}
    at_classes = {name: i for i, name in enumerate(classes)}
    grid[..., [[at_rows[x]] for x in names[0]], [at_classes[x] for x in names[1]]] = counts
    return grid
