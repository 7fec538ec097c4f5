"""Contingency tables, and the counting of data into them: the public functions that validate counts.

Main definitions: `Table` (frozen counts with row and class names) and its maker `Table.of`; `Tables` and `Tables.of`,
for many features of data that does not fit into memory.
Counts are kept as they were meant: machine integers, weights, or exact Python numbers.
"""

from typing import TYPE_CHECKING, Any

from splitcrit.table.contingency import Table
from splitcrit.values import on_first_use

if TYPE_CHECKING:
    from splitcrit.table.passes import Column
    from splitcrit.table.streamed import Tables

__all__ = ["Column", "Table", "Tables"]


def __getattr__(name: str) -> Any:
    """Import what counts data in parts on first use: a table of counts needs none of it."""
    return on_first_use(globals(), name, {"passes": ("Column",), "streamed": ("Tables",)})
