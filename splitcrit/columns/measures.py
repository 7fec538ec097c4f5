"""Measures of importance: criteria that score the tables of features.

Main definitions: ``MEASURES``; ``scores_of_tables``.
Source: wang2024, Section 5.1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from splitcrit.arith import Arithmetic
from splitcrit.columns.corrected_gains import adjusted, integer_tables, standardised
from splitcrit.criteria import Criterion, decrease
from splitcrit.criteria.library import size_of_node
from splitcrit.impurities import entropy, gini
from splitcrit.nulls import agini, sgini, significance
from splitcrit.nulls.pvalue import gain_surprise
from splitcrit.table import Table


def _gain_surprises(t: Any, m: Arithmetic) -> Any:
    """``-log p`` of the Gini gain, in nats: exact for small tables, Pearson III elsewhere."""
    counts, shape = integer_tables(t, m, "pvalue")
    return np.array([gain_surprise(table) for table in counts]).reshape(shape)[()]


def scores_of_tables(measure: Criterion, tables: Iterable[Table]) -> list[float]:
    """The score of each table, of a criterion that compares features by laws of their best splits the surprise.

    Examples
    --------
    >>> from splitcrit import Table, sgini
    >>> tables = Table.of([[3, 0], [1, 6]]), Table.of([[2, 3], [2, 3]])
    >>> [round(score, 3) for score in scores_of_tables(sgini, tables)]
    [3.769, -0.748]
    """
    tested = measure.search.tested
    return [float(measure(table) if tested is None else tested.tested(table).surprise) for table in tables]


MEASURES: dict[str, Criterion] = {
    "gini": decrease(gini),
    "information": decrease(entropy),
    "significance": significance,
    "agini": agini,
    "sgini": sgini,
    "pvalue": Criterion("pvalue", _gain_surprises, scale=size_of_node),
    "adjusted gini": adjusted(gini),
    "adjusted information": adjusted(entropy),
    "standardised information": standardised(entropy),
}
