"""Features ranked by a measure, from their tables or from the features themselves.

Main definitions: ``rank_features`` (a ``Ranking``), ``feature_tables``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from splitcrit.arguments import finite
from splitcrit.display import html_table, summary
from splitcrit.importance.counted import Array
from splitcrit.importance.measures import Measure, listed, measure_of
from splitcrit.inputs import numbers
from splitcrit.nulls import sgini
from splitcrit.table import Column, Table, Tables
from splitcrit.table.csv_columns import Watch
from splitcrit.table.remarks import remarks
from splitcrit.values import complaint

BINS = 16


@final
@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """Features with their scores, and what the scores cost.

    Parameters
    ----------
    measure : Measure
    names : tuple
    scores : array (d,)
    evaluations : int
        How many tables were scored.
    columns : dict
        How each feature became the rows of its table; empty where tables were ranked.
    remarks : tuple of str
        What was cut, taken for missing, treated as categories or left out, in sentences.
    """

    measure: Measure
    names: tuple[Any, ...]
    scores: Array
    evaluations: int
    columns: dict[Any, Column] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def order(self) -> Array:
        """The places of the features, most important first; of equal ones the first is first."""
        return np.asarray(np.argsort(-self.scores, kind="stable"))

    @property
    def ranked(self) -> list[tuple[Any, float]]:
        """Names and scores, most important first."""
        return [(self.names[i], float(self.scores[i])) for i in self.order]

    def __repr__(self) -> str:
        return summary(
            self, measure=self.measure, features=len(self.names), first=[name for name, _ in self.ranked[:3]]
        )

    def _repr_html_(self) -> str:
        return html_table(["feature", self.measure], self.ranked, notes=self.remarks)


def rank_features(
    data: Any,
    label: Any = None,
    *,
    measure: Any = sgini,
    discretiser: Any = None,
    thresholds: Any = None,
    bins: int | None = BINS,
    na_values: Any = (),
    watch: Watch | None = None,
    resume: Any = None,
) -> Ranking:
    """Return the features in the order of a measure.

    Parameters
    ----------
    data
        A sequence of tables, or a mapping from names to tables; with a label features as columns: an array or a data
        frame of shape ``(n, d)``, a mapping of vectors, files or data that is read in parts, see `Tables.of`; or
        `Tables` themselves.
    label
        The class of every row, or the name of its column.
    measure : Measure, Criterion or Impurity
        Such as those of `MEASURES`.
    discretiser : transformer, optional
        Its ``fit_transform(data, label)`` replaces the values of continuous features by the numbers of their
        intervals, which are not cut again.
    thresholds : array (d,), optional
        A threshold for each feature, which cuts its values in two.
    bins : int, optional
        Numbers and dates with more values are cut at quantiles into this many bins, without a look at the label, so
        that the null law stays exact; texts are read as ``splitcrit rank`` reads them. With None every value is a row.
    na_values
        Texts and numbers that stand for a missing value; see `Tables.of`.
    watch, resume
        Who is told how far it is, and a folder from which an interrupted run over files goes on; see `Tables.of`.

    Returns
    -------
    Ranking
        Equal data have equal scores, whether they are in an array, a data frame or a file.

    Raises
    ------
    ValueError
        If shapes do not fit, if a table is not one of counts, or if the label is a measured number.

    Notes
    -----
    Missing values are a row of their own. Rows stand in the order of the values, which `max_selected` looks at; those
    of texts in the order of the alphabet. Columns of text with more than 65536 values are left out.

    Examples
    --------
    >>> found = rank_features({"even": [[3, 3], [2, 2]], "telling": [[5, 0], [0, 5]]})
    >>> [name for name, _ in found.ranked]
    ['telling', 'even']
    >>> import numpy as np
    >>> x = np.random.default_rng(0).random((500, 2))
    >>> found = rank_features(x, x[:, 1] > 0.5)
    >>> [name for name, _ in found.ranked], found.remarks
    ([1, 0], ('cut at quantiles into at most 16 bins without looking at the label: 0, 1.',))
    """
    chosen = measure_of(measure)
    if label is None and not isinstance(data, Tables):
        names = list(data) if isinstance(data, Mapping) else None
        tables = listed(data if names is None else data.values())
        found = Tables(0, dict(zip(names or range(len(tables)), tables, strict=True)))
    else:
        found = data
        if not isinstance(data, Tables):
            reading = {"bins": bins, "na_values": na_values, "watch": watch, "resume": resume}
            found = _counted(data, label, discretiser, thresholds, reading)
    scored = list(found.tables.values())
    cost = sum(map(chosen.evaluations, scored))
    return Ranking(chosen, tuple(found.tables), chosen(scored), cost, found.columns, remarks(found))


def feature_tables(data: Any, label: Any, *, discretiser: Any = None, thresholds: Any = None) -> dict[Any, Table]:
    """Return the table of every feature by its name or place, each value a row; see `rank_features`.

    Examples
    --------
    >>> feature_tables({"x": [1, 2, 1]}, ["a", "b", "a"])
    {'x': Table.of([[2, 0], [0, 1]], row_names=(1, 2), class_names=('a', 'b'))}
    """
    return _counted(data, label, discretiser, thresholds, {"bins": None}).tables


def _counted(data: Any, label: Any, discretiser: Any, thresholds: Any, cutting: dict[str, Any]) -> Tables:
    """Return the tables of all features; those that are cut by other means are not cut at quantiles."""
    if discretiser is None and thresholds is None:
        return Tables.of(data, label, missing="row", **cutting)
    if isinstance(label, str):
        rule, got = "data with the name of a label are cut by bins", "a discretiser or thresholds"
        raise ValueError(complaint(rule, got, "pass bins=, or the features and a vector of labels"))
    if cutting.get("resume") is not None:
        rule, got = "what is counted is resumed file by file", "a discretiser or thresholds"
        raise ValueError(complaint(rule, got, "leave out resume="))
    names = list(getattr(data, "columns", []))
    with numbers(data):
        columns = np.asarray(data if discretiser is None else discretiser.fit_transform(data, label))
    if columns.ndim != 2:
        rule, remedy = "features are the columns of an array", "pass shape (n, d), or tables without a label"
        raise ValueError(complaint(rule, f"shape {columns.shape}", remedy))
    if thresholds is not None:
        columns = _halved(columns, thresholds)
    named = dict(zip(names, columns.T, strict=True)) if len(names) == columns.shape[1] else columns
    return Tables.of(named, label, missing="row")


def _halved(columns: Array, thresholds: Any) -> Array:
    """Return which values lie above the threshold of their feature."""
    cuts = finite(thresholds, "thresholds", 1)
    if cuts.shape != (columns.shape[1],):
        rule = "every feature needs one threshold"
        raise ValueError(complaint(rule, f"{cuts.shape} for {columns.shape[1]} features", "pass one for each"))
    with numbers(columns):
        return np.asarray(columns.astype(float) > cuts)
