"""Contingency tables, and the counting of data into them: the public functions that validate counts.

Main definitions: `Table` (frozen counts with row and class names) and its maker `Table.of`; `Tables` and `Tables.of`,
for many features of data that does not fit into memory, which `splitcrit.data` counts.
Counts are kept as they were meant: machine integers, weights, or exact Python numbers.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from splitcrit.table.contingency import Table

if TYPE_CHECKING:
    from splitcrit.data.two_passes import Column
    from splitcrit.table.many_tables import Tables

__all__ = ["Column", "Table", "Tables"]


def __getattr__(name: str) -> Any:
    """Import what counts data in parts on first use: a table of counts needs none of it."""
    if name in ("Column", "Tables"):
        return getattr(import_module("splitcrit.table.many_tables"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
