"""The counts of one feature in its order, the observations without a value apart.

Main definitions: ``FeatureCounts``, ``feature_counts`` (of whatever a table can be made of), ``column_counts`` (of a
column that is read in parts).
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

from splitcrit.arguments import Array, one_of
from splitcrit.data.values import MISSING, values_of
from splitcrit.frozen import complaint
from splitcrit.nulls.margin_totals import compact
from splitcrit.table import Table

Sides = Literal["error", "row", "side"]  # what becomes of observations without a value
BINS = 1024  # of a column that is read in parts, unless said otherwise


class FeatureCounts(NamedTuple):
    """Counts ``(r, k)`` without empty rows and columns, and the rows' totals.

    With ``gaps`` the last row has the observations without a value.
    """

    counts: Array
    sizes: Array
    gaps: bool


def feature_counts(table: Any, label: Any, missing: Sides) -> FeatureCounts:
    """The counts of a feature, which must have an order; that of text is declared or is none."""
    one_of(missing, Sides, "missing")
    crossed = Table.of(table, label, missing="error" if missing == "error" else "row")
    declared = getattr(getattr(table, "dtype", None), "categories", None)
    if not (label is None or declared is not None or values_of(table).dtype.kind in "biufmM"):
        _ordered(crossed)
    counts = crossed.integers()
    if counts.ndim != 2:
        raise ValueError(complaint("one feature is tested at a time", f"{counts.shape}", "pass one table"))
    return _compact(counts, counts.sum(axis=1), missing == "side" and (label is None or MISSING in crossed.row_names))


def column_counts(
    data: Any, label: Any, feature: str, bins: int, missing: Sides, resume: Any = None
) -> FeatureCounts:  # fmt: skip
    """The counts of a column that is read in parts: by its values, or in bins if it has more than these."""
    from splitcrit.table.many_tables import Tables

    one_of(missing, Sides, "missing")
    how: Any = "error" if missing == "error" else "row"
    tables = Tables.of(data, label, features=[feature], bins=bins, missing=how, resume=resume)
    table = tables.tables[feature]
    _ordered(table)
    return _compact(table.counts, table.row_totals, missing == "side" and MISSING in table.row_names)


def _ordered(table: Table) -> None:
    """Raise a ValueError if values are text, whose order is that of the alphabet and no feature's."""
    texts = (name for name in table.row_names if isinstance(name, str | bytes) and name != MISSING)
    if (text := next(texts, None)) is not None:
        remedy = "pass numbers, dates, categories of a declared order, or the table with its rows in order"
        raise ValueError(complaint("the cuts of a feature follow the order of its values", f"text, {text!r}", remedy))


def _compact(counts: Array, sizes: Array, gaps: bool) -> FeatureCounts:
    """Counts without empty rows and columns, the last of them with the observations without a value."""
    return FeatureCounts(compact(counts), sizes[sizes > 0], gaps and bool(sizes[-1] > 0))
