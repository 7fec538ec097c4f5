"""Contingency tables, and the counting of data into them: the public functions that validate counts.

Main definitions: `Table` (frozen counts with row and class names) and its maker `Table.of`; `Tables` and `Tables.of`,
for many features of data that does not fit into memory, which `splitcrit.data` counts.
Counts are kept as they were meant: machine integers, weights, or exact Python numbers.
"""

from typing import TYPE_CHECKING

from splitcrit.lazy import on_first_use
from splitcrit.table.contingency import Table

if TYPE_CHECKING:
    from splitcrit.data.counted_columns import Column
    from splitcrit.table.many_tables import Tables

__all__ = ["Table", "Tables"]

__getattr__ = on_first_use(__name__)  # a table of counts needs nothing that counts data in parts
