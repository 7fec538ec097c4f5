"""Measures of importance: scores of the tables of features.

Main definitions: ``Measure``, ``measure_of``, ``MEASURES``.
Source: wang2024, Section 5.1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, final

import numpy as np

from splitcrit.arguments import Array
from splitcrit.columns.corrected_gains import adjusted, standardised
from splitcrit.criteria import as_criterion
from splitcrit.frozen import complaint
from splitcrit.impurities import entropy, gini
from splitcrit.nulls import agini, gini_gain, sgini, significance
from splitcrit.nulls.calibration import Calibrated
from splitcrit.nulls.pvalue import gain_surprise
from splitcrit.table import Table


def listed(tables: Any) -> list[Table]:
    """Return some tables of a sequence; raise one sentence about anything else, or a batch among them."""
    rule, remedy = "a measure scores a sequence of tables", "pass [table, ...]"
    if not hasattr(tables, "__iter__") or isinstance(tables, type) or getattr(tables, "ndim", 1) == 0:
        raise TypeError(complaint(rule, type(tables).__name__, remedy))
    found = [Table.of(table) for table in (np.asarray(tables) if isinstance(tables, memoryview) else tables)]
    for table in found:
        if len(table.shape) != 2:
            raise ValueError(complaint(rule, f"a batch of shape {table.shape}", remedy))
    return found


@final
@dataclass(frozen=True)
class Measure:
    """A score of features; larger is more important.

    Parameters
    ----------
    name : str
    score : callable
        ``score(table)`` returns the number of one `Table`.

    Examples
    --------
    >>> from splitcrit import sgini
    >>> measure_of(sgini)
    sgini
    """

    name: str
    score: Callable[[Table], Any]

    def __repr__(self) -> str:
        return self.name

    def __call__(self, tables: Any) -> Array:
        """Return the scores of a sequence of tables: anything ``Table.of`` takes."""
        return np.array([float(self.score(table)) for table in listed(tables)])


def _surprise(score: Calibrated, table: Table) -> float:
    return score.tested(table).surprise


def measure_of(value: Any) -> Measure:
    """Return a measure as it is, and a criterion or an impurity as the measure that scores each table by it.

    Examples
    --------
    >>> from splitcrit import sgini
    >>> measure_of(sgini)([[[3, 0], [1, 6]], [[2, 3], [2, 3]]]).round(3).tolist()
    [3.769, -0.748]
    """
    if isinstance(value, Measure):
        return value
    criterion = as_criterion(value)
    if (tested := criterion.search.tested) is not None:
        return Measure(criterion.name, partial(_surprise, tested))
    return Measure(criterion.name, criterion)


MEASURES: dict[str, Measure] = {
    "gini": Measure("gini_gain", gini_gain),
    "information": measure_of(entropy),
    "significance": measure_of(significance),
    "agini": measure_of(agini),
    "sgini": measure_of(sgini),
    # Exact for small tables, Pearson III elsewhere.
    "pvalue": Measure("pvalue", gain_surprise),
    "adjusted gini": measure_of(adjusted(gini)),
    "adjusted information": measure_of(adjusted(entropy)),
    "standardised information": measure_of(standardised(entropy)),
}
