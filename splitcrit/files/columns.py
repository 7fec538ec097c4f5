"""Columns of data that may be in memory, in a file or in parts, counted against a label: one rule for all of them.

Main definitions: ``Reading`` (how columns are read), ``counted_columns`` (any features), ``crossed_columns`` (one).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from splitcrit.files.arrow import listed
from splitcrit.files.passes import Column, Reading, counted
from splitcrit.files.readers import Source
from splitcrit.files.sources import labelled, paths_of, source_of
from splitcrit.files.tallies import Tally
from splitcrit.files.target import check_target
from splitcrit.frozen import complaint, shown
from splitcrit.table.counting import Array
from splitcrit.table.crossing import FILL, Crossed, Missing
from splitcrit.table.naming import listed as names_in
from splitcrit.table.value_codes import named_missing


class Columns(NamedTuple):
    """The counts of features with the names of their rows and classes, and how each of them was read."""

    rows: int
    counts: dict[Any, Crossed]
    cuts: dict[Any, tuple[Any, ...]]
    left_out: tuple[Any, ...]
    columns: dict[Any, Column]


def counted_columns(
    data: Any, label: Any, features: Iterable[Any] | None, drop: Iterable[Any], missing: Missing, reading: Reading
) -> Columns:
    """Return the counts of features against a label; see ``Tables.of``."""
    return counted_source(*source_for(data, label, reading), features, drop, missing, reading)


def source_for(data: Any, label: Any, reading: Reading) -> tuple[Source, Any]:
    """Return the source that data are, and the name of the label there."""
    if isinstance(label, str):
        return source_of(data, reading.watch, reading.kept), label
    if paths_of(data) and data:
        rule = "the label of data in files is one of their columns"
        raise TypeError(complaint(rule, f"a label of type {type(label).__name__}", "pass the name of a column"))
    if reading.kept is not None:
        rule, remedy = "what is counted is resumed file by file", "pass paths, or leave out resume="
        raise TypeError(complaint(rule, f"a label of type {type(label).__name__}", remedy))
    return labelled(data, label)


def counted_source(
    source: Source, label: Any, features: Iterable[Any] | None, drop: Iterable[Any], missing: Missing, reading: Reading
) -> Columns:
    """Return the counts of features of a source against its label."""
    chosen = None if features is None else names_in(features, "feature")
    wanted = wanted_columns(source, label, chosen, names_in(drop, "dropped"))
    found = counted(source, label, wanted, reading)
    check_target(label, found.classes.names(), found.rows)
    left_out = tuple(name for name in wanted if name not in found.tallies)
    if left_out and features is not None:
        raise ValueError(_too_many(left_out[0], reading))
    counts = {name: crossed(name, tally, found.classes, missing) for name, tally in found.tallies.items()}
    cuts = {name: listed(values) for name, values in found.cuts.items()}
    return Columns(found.rows, counts, cuts, left_out, found.columns)


def crossed_columns(data: Any, feature: Any, label: Any, weights: Any, missing: Missing) -> Crossed:
    """Return the counts of two columns that are read in parts: their names, or two columns of a Dask data frame."""
    if weights is not None:
        rule, remedy = "columns that are read in parts have no weights", "pass two vectors with weights"
        raise TypeError(complaint(rule, type(weights).__name__, remedy))
    if feature is None:
        data, feature, label = data.to_frame(name="feature").assign(label=label), "feature", "label"
    if not isinstance(label, str):
        rule, remedy = "feature and label are names of columns", "pass feature='...', label='...'"
        raise TypeError(complaint(rule, f"a label of type {type(label).__name__}", remedy))
    return counted_columns(data, label, [feature], (), missing, Reading()).counts[feature]


def wanted_columns(source: Source, label: Any, features: Iterable[Any] | None, drop: tuple[Any, ...]) -> list[Any]:
    """Return the features to count, or say which column cannot be."""
    names = list(source.names)
    listed = [name for name in names if name != label] if features is None else list(dict.fromkeys(features))
    for name in (label, *drop, *listed):
        if name not in names:
            known = ", ".join(map(str, names[:8])) + (", ..." if len(names) > 8 else "")
            what = "the label" if name == label else "a feature"
            raise ValueError(complaint(f"{what} is a column of the data", shown(name), f"columns are {known}"))
        if names.count(name) > 1:
            raise ValueError(complaint("column names must differ", f"{name!r} twice", "rename one column"))
    wanted = [name for name in listed if name not in drop]
    if label in wanted or not wanted:
        rule, got = "a table needs a feature beside the label", "the label alone" if not wanted else repr(label)
        raise ValueError(complaint(rule, got, "name other columns"))
    return wanted


def crossed(name: Any, tally: Tally, classes: Tally, missing: str) -> Crossed:
    """Return the counts of one column, its names in order and missing values last."""
    rows, columns = tally.names(), classes.names()
    gaps = bool(rows) and rows[-1] is None
    if gaps and missing == "error":
        raise ValueError(complaint("feature values must be present", f"a missing value in {name!r}", FILL))
    held: Array = np.pad(tally.counts, ((0, 1), (0, len(columns) + 1 - tally.counts.shape[1])))
    counts = held[np.ix_(tally.at(rows), classes.at(columns))]
    return counts, named_missing(rows, f"feature {name!r}") if gaps else rows, columns


def _too_many(name: str, reading: Reading) -> str:
    cut = "cut numbers at quantiles by Tables.of(..., bins=16), or raise max_values"
    remedy = "raise max_values" if reading.bins else cut
    return complaint(f"a feature is counted by at most {reading.most} values", f"more in {name!r}", remedy)
