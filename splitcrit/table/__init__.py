"""Contingency tables: the one door through which counts enter the library.

Main definitions: `Table` (frozen counts with row and class names) and its maker `Table.of`.
Counts are kept as they were meant: machine integers, weights, or exact Python numbers.
"""

from splitcrit.table.contingency import Table

__all__ = ["Table"]
