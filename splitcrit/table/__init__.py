"""Contingency tables: the one door through which counts enter the library.

Main definitions: `Table` (frozen counts with row and class names) and its maker `Table.of`; `Tables` and `Tables.of`,
for many features of data that does not fit into memory.
Counts are kept as they were meant: machine integers, weights, or exact Python numbers.
"""

from splitcrit.table.contingency import Table
from splitcrit.table.passes import Column
from splitcrit.table.streamed import Tables

__all__ = ["Column", "Table", "Tables"]
