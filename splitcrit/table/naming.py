"""Names of the rows and classes of a table that is given as counts.

Main definitions: ``distinct_names``, ``names_of``, ``on_grid`` (counts on a larger grid of names).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.table.arrays import on_host
from splitcrit.table.counting import Array, widened
from splitcrit.values import complaint

Names = tuple[Any, ...]


def distinct_names(given: Any, size: int, noun: str) -> tuple[Any, ...]:
    """Return distinct names, the places 0, 1, ... if none are given."""
    found = tuple(range(size)) if given is None else tuple(given)
    if len(found) != size or len(set(found)) != size:
        rule = f"{noun} names must be distinct, one for each {noun}"
        raise ValueError(complaint(rule, f"{found} for {size}", f"pass {size} distinct names"))
    return found


def names_of(data: Any) -> tuple[Any, Any]:
    """Return the row and class names that a table or a data frame with an index brings along."""
    if hasattr(data, "row_names"):
        return data.row_names, data.class_names
    index, columns = getattr(data, "index", None), getattr(data, "columns", None)
    framed = hasattr(index, "tolist") and hasattr(columns, "tolist")
    return (_listed(index), _listed(columns)) if framed else (None, None)


def _listed(names: Any) -> list[Any]:
    """Return the names of a data frame's axis."""
    return list(names.tolist())


def on_grid(counts: Array, names: tuple[Names, Names], rows: Names, classes: Names) -> Array:
    """Return counts, whose rows and classes have these names, on a larger grid of names, ready to be added."""
    counts = widened(on_host(counts, "merged()"))
    grid = np.zeros((*counts.shape[:-2], len(rows), len(classes)), dtype=counts.dtype)
    at_rows = {name: i for i, name in enumerate(rows)}
    at_classes = {name: i for i, name in enumerate(classes)}
    grid[..., [[at_rows[x]] for x in names[0]], [at_classes[x] for x in names[1]]] = counts
    return grid
