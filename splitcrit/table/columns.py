"""The table of two columns that are read in parts.

Main definitions: ``crossed_columns``.
"""

from __future__ import annotations

from typing import Any

from splitcrit.table.contingency import Table
from splitcrit.table.crossing import Missing
from splitcrit.table.streamed import Tables
from splitcrit.values import complaint


def crossed_columns(data: Any, feature: Any, label: Any, weights: Any, missing: Missing) -> Table:
    """Return the table of two columns that are read in parts: their names, or two columns of a Dask data frame."""
    if weights is not None:
        rule, remedy = "columns that are read in parts have no weights", "pass two vectors with weights"
        raise TypeError(complaint(rule, type(weights).__name__, remedy))
    if feature is None:
        data, feature, label = data.to_frame(name="feature").assign(label=label), "feature", "label"
    if not isinstance(label, str):
        rule, remedy = "feature and label are names of columns", "pass feature='...', label='...'"
        raise TypeError(complaint(rule, f"a label of type {type(label).__name__}", remedy))
    return Tables.of(data, label, features=[feature], missing=missing).tables[feature]
