"""A contingency table with its totals, as HTML.

Main definitions: ``as_html``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from splitcrit.arith import of_other_library
from splitcrit.display import html_table

if TYPE_CHECKING:
    from splitcrit.table.contingency import Table


def as_html(table: Table) -> str | None:
    """Return the rows, classes and totals of a single table; None of a batch, or of an array that is elsewhere.

    Examples
    --------
    >>> from splitcrit.table import Table
    >>> as_html(Table.of([[1, 0], [2, 3]])).count("<tr>"), as_html(Table.of([[[1, 2]]]))
    (4, None)
    """
    if of_other_library(table.counts) or table.counts.ndim != 2:
        return None
    totals = zip(table.row_names, table.counts.tolist(), table.row_totals.tolist(), strict=True)
    rows = ([name, *counts, total] for name, counts, total in totals)
    foot = ["total", *table.column_totals.tolist(), table.total]
    return html_table(["", *table.class_names, "total"], rows, foot=foot)
