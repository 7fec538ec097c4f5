"""Features ranked by a measure, from their tables or from the features themselves.

Main definitions: ``rank_features`` (a ``Ranking``), ``feature_tables``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from splitcrit.importance.counted import Array
from splitcrit.importance.measures import Measure, measure_of
from splitcrit.moments import sgini
from splitcrit.table import Table, Tables
from splitcrit.values import complaint


@final
@dataclass(frozen=True, eq=False)
class Ranking:
    """Features with their scores, and what the scores cost.

    Parameters
    ----------
    measure : Measure
    names : tuple
    scores : array (d,)
    evaluations : int
        How many tables were scored.
    """

    measure: Measure
    names: tuple[Any, ...]
    scores: Array
    evaluations: int

    @property
    def order(self) -> Array:
        """The places of the features, most important first; of equal ones the first is first."""
        return np.asarray(np.argsort(-self.scores, kind="stable"))

    @property
    def ranked(self) -> list[tuple[Any, float]]:
        """Names and scores, most important first."""
        return [(self.names[i], float(self.scores[i])) for i in self.order]


def rank_features(
    data: Any,
    label: Any = None,
    *,
    measure: Any = sgini,
    discretiser: Any = None,
    thresholds: Any = None,
    bins: int | None = None,
) -> Ranking:
    """Return the features in the order of a measure.

    Parameters
    ----------
    data
        A sequence of tables, or a mapping from names to tables; with a label features as columns: an array or a data
        frame of shape ``(n, d)``; or data that is read in parts, see `Tables.of`.
    label
        The class of every row; of data that is read in parts the name of its column.
    measure : Measure, Criterion or Impurity
        Such as those of `MEASURES`.
    discretiser : transformer, optional
        Its ``fit_transform(data, label)`` replaces the values of continuous features by the numbers of their
        intervals.
    thresholds : array (d,), optional
        A threshold for each feature, which cuts its values in two.
    bins : int, optional
        Numbers and dates of data that is read in parts are cut at so many quantiles where they have more values;
        columns of text with more than 65536 values are left out. Missing values are a row.

    Returns
    -------
    Ranking

    Raises
    ------
    ValueError
        If shapes do not fit, or if a table is not one of counts.

    Notes
    -----
    Without discretiser or thresholds every value is a row of the table. Rows stand in the order of the values, which
    `max_selected` looks at.

    Examples
    --------
    >>> found = rank_features({"even": [[3, 3], [2, 2]], "telling": [[5, 0], [0, 5]]})
    >>> [name for name, _ in found.ranked]
    ['telling', 'even']
    >>> import numpy as np
    >>> from splitcrit import gini
    >>> X, y = np.array([[0, 3], [0, 2], [1, 1], [1, 0]]), [0, 0, 1, 1]
    >>> rank_features(X, y, measure=gini, thresholds=[0.5, 2.5]).scores.round(3).tolist()
    [0.5, 0.167]
    """
    if label is None:
        tables: dict[Any, Any] = dict(data) if isinstance(data, Mapping) else dict(enumerate(data))
        tables = {name: Table.of(table) for name, table in tables.items()}
    elif isinstance(label, str):
        _only_bins(discretiser, thresholds)
        tables = Tables.of(data, label, missing="row", bins=bins).tables
    else:
        tables = feature_tables(data, label, discretiser=discretiser, thresholds=thresholds)
    chosen = measure_of(measure)
    listed = list(tables.values())
    return Ranking(chosen, tuple(tables), chosen(listed), sum(map(chosen.evaluations, listed)))


def _only_bins(discretiser: Any, thresholds: Any) -> None:
    if discretiser is not None or thresholds is not None:
        rule, got = "data that is read in parts is cut by bins", "a discretiser or thresholds"
        raise ValueError(complaint(rule, got, "pass bins=, or arrays that fit into memory"))


def feature_tables(data: Any, label: Any, *, discretiser: Any = None, thresholds: Any = None) -> dict[Any, Table]:
    """Return the table of every feature by its name or place; see `rank_features`."""
    names = list(getattr(data, "columns", []))
    if discretiser is not None:
        data = discretiser.fit_transform(data, label)
    columns = np.asarray(data)
    if columns.ndim != 2:
        rule, remedy = "features are the columns of an array", "pass shape (n, d), or tables without a label"
        raise ValueError(complaint(rule, f"shape {columns.shape}", remedy))
    if thresholds is not None:
        cuts = np.asarray(thresholds, dtype=float)
        if cuts.shape != (columns.shape[1],):
            rule = "every feature needs one threshold"
            raise ValueError(complaint(rule, f"{cuts.shape} for {columns.shape[1]} features", "pass one for each"))
        columns = columns.astype(float) > cuts
    found = names if len(names) == columns.shape[1] else list(range(columns.shape[1]))
    return {name: Table.of(columns[:, j], label) for j, name in enumerate(found)}
