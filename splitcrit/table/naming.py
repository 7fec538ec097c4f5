"""Names of the rows and classes of a table that is given as counts.

Main definitions: ``distinct_names``, ``names_of``.
"""

from __future__ import annotations

from typing import Any

from splitcrit.values import complaint


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
