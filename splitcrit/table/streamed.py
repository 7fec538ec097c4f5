"""Tables of many features: one pass counts values, a second one bins what has too many.

Data may be in memory, in a file or in parts; the same rule reads, cuts and counts them.

Main definitions: ``Tables``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any, final

import numpy as np

from splitcrit.table.arrow import listed
from splitcrit.table.cells import NaValues
from splitcrit.table.contingency import Table
from splitcrit.table.crossing import Missing, known_missing
from splitcrit.table.levels import MISSING
from splitcrit.table.naming import listed as names_in
from splitcrit.table.passes import Column, Request, Watch, counted
from splitcrit.table.sources import Source, labelled, source_of
from splitcrit.table.tallies import Tally
from splitcrit.table.target import check_target
from splitcrit.values import complaint

MANY = 65536  # values of a column that are counted one by one


@final
@dataclass(frozen=True, eq=False, repr=False)
class Tables:
    """The contingency tables of many features against one label, counted without holding the rows.

    Parameters
    ----------
    rows
        The number of rows counted.
    tables
        The table of every feature by its name.
    cuts
        For every feature that was binned the largest value of each bin but the last.
    left_out
        Features with too many values that are no numbers.
    columns
        How every feature became the rows of its table.

    Examples
    --------
    >>> counted = Tables(rows=4, tables={"colour": Table.of([[2, 0], [0, 2]])})
    >>> counted.rows, list(counted.tables), counted.left_out
    (4, ['colour'], ())
    """

    rows: int
    tables: dict[Any, Table]
    cuts: dict[Any, tuple[Any, ...]] = field(default_factory=dict)
    left_out: tuple[Any, ...] = ()
    columns: dict[Any, Column] = field(default_factory=dict)

    @property
    def distinct(self) -> dict[Any, int]:
        """The number of values of every feature, without the missing one; for a binned one, those in the sample."""
        return {name: column.values for name, column in self.columns.items()}

    @property
    def sampled(self) -> tuple[Any, ...]:
        """Binned features with more than 65536 values present, whose cuts come from a sample of so many."""
        return tuple(name for name, column in self.columns.items() if column.sampled)

    @staticmethod
    def of(
        data: Any,
        label: Any,
        *,
        features: Iterable[Any] | None = None,
        drop: Iterable[Any] = (),
        missing: Missing = "error",
        bins: int | None = None,
        na_values: Iterable[Any] = (),
        max_values: int = MANY,
        seed: int = 0,
        watch: Watch | None = None,
    ) -> Tables:
        """Return the table of every feature against the label.

        Parameters
        ----------
        data
            With the name of the label: the path of a CSV file (gzipped or not), of a parquet or Arrow file or of a
            folder of them; a data frame of pandas, polars or Dask; a mapping from names to vectors; a pyarrow dataset;
            or anything with ``__arrow_c_stream__``, as tables of pyarrow and DuckDB have.
            With a vector of labels: a data frame, a mapping, or an array ``(n, d)``, whose columns are named 0, 1, ...
        label
            The name of a column, or the class of every row.
        features
            Names of columns; all columns but the label by default.
        drop
            Columns that are no features.
        missing
            ``"row"`` gives missing feature values a last row named ``(missing)``; ``"error"`` refuses them.
        bins
            Cut numbers, dates and times with more distinct values at so many quantiles, in a second pass. Texts are
            then read as those of a CSV file: spaces around them do not count, an empty one is missing, and a column in
            which every other text is a number (or an ISO 8601 date) is one of numbers (of dates); there ``NA``,
            ``N/A``, ``nan``, ``NULL``, ``None`` and ``?`` are missing, in small or capital letters.
        na_values
            Texts and numbers that stand for a missing value in every column.
        max_values
            A column with more distinct values, which is not cut, is refused if it stands in ``features``, and
            left out if not.
        seed
            Of the sample of 65536 rows that gives the quantiles; the label has no part in it.
        watch
            Called after every part with the rows counted so far and the rows there are, None if unknown.

        Raises
        ------
        ValueError
            If a column is absent, the label is missing somewhere, has more than 1000 values or is a measured number,
            files differ in their columns, or a stream that can be read only once has to be read again for its bins.
        TypeError
            If a column holds lists, structs or maps, or data is nothing that has columns.

        Notes
        -----
        Of up to 65536 values present the sample is all, and the cuts are the quantiles themselves; of more, the share
        of values up to the cut at quantile ``q`` is ``q`` with a standard error of ``sqrt(q (1 - q)/65536)``, 0.2 %
        at most. Dask partitions are counted where they lie; only counts and samples travel.

        Examples
        --------
        >>> found = Tables.of({"size": [1.5, 2.5, 1.5], "sold": ["no", "yes", "no"]}, "sold")
        >>> found.tables["size"]
        Table.of([[2, 0], [0, 1]], row_names=(1.5, 2.5), class_names=('no', 'yes'))
        >>> Tables.of([[1.5], [2.5], [1.5]], ["no", "yes", "no"]).tables[0] == found.tables["size"]
        True
        """
        known_missing(missing)
        _check(bins, max_values)
        source, label = (source_of(data), label) if isinstance(label, str) else labelled(data, label)
        chosen = None if features is None else names_in(features, "feature")
        wanted = _wanted(source, label, chosen, names_in(drop, "dropped"))
        found = counted(source, Request(label, wanted, bins, max_values, seed, NaValues.of(na_values), watch))
        check_target(label, found.classes.names(), found.rows)
        left_out = tuple(name for name in wanted if name not in found.tallies)
        if left_out and features is not None:
            raise ValueError(_too_many(left_out[0], max_values, bins))
        tables = {name: _table(name, tally, found.classes, missing) for name, tally in found.tallies.items()}
        cuts = {name: listed(values) for name, values in found.cuts.items()}
        return Tables(found.rows, tables, cuts, left_out, found.columns)

    def __repr__(self) -> str:
        return f"<Tables of {len(self.tables)} features and {self.rows} rows>"


def _check(bins: Any, max_values: Any) -> None:
    """Raise one sentence about a number of bins or of values that is none."""
    for number, least, rule in (
        (2 if bins is None else bins, 2, "a numeric column is cut into at least 2 bins"),
        (max_values, 1, "max_values is a positive integer"),
    ):
        if isinstance(number, bool) or not isinstance(number, Integral) or number < least:
            raise ValueError(complaint(rule, repr(number), f"pass {least} or more"))


def _wanted(source: Source, label: Any, features: Iterable[Any] | None, drop: tuple[Any, ...]) -> list[Any]:
    """Return the features to count, or say which column cannot be."""
    names = list(source.names)
    listed = [name for name in names if name != label] if features is None else list(dict.fromkeys(features))
    for name in (label, *drop, *listed):
        if name not in names:
            known = ", ".join(map(str, names[:8])) + (", ..." if len(names) > 8 else "")
            what = "the label" if name == label else "a feature"
            raise ValueError(complaint(f"{what} is a column of the data", repr(name), f"columns are {known}"))
        if names.count(name) > 1:
            raise ValueError(complaint("column names must differ", f"{name!r} twice", "rename one column"))
    wanted = [name for name in listed if name not in drop]
    if label in wanted or not wanted:
        rule, got = "a table needs a feature beside the label", "the label alone" if not wanted else repr(label)
        raise ValueError(complaint(rule, got, "name other columns"))
    return wanted


def _table(name: Any, tally: Tally, classes: Tally, missing: str) -> Table:
    """Return the table of one column, its names in order and missing values last."""
    rows, columns = tally.names(), classes.names()
    if rows and rows[-1] is None:
        if missing == "error":
            remedy = "fill it, drop it, or pass missing='row'"
            raise ValueError(complaint("feature values must be present", f"a missing value in {name!r}", remedy))
        if MISSING in rows:
            rule = "feature values must not share the name of the missing row"
            raise ValueError(complaint(rule, f"{MISSING!r} in {name!r}", "rename that value"))
    held = np.pad(tally.counts, ((0, 1), (0, len(columns) + 1 - tally.counts.shape[1])))
    counts = held[np.ix_(tally.at(rows), classes.at(columns))]
    return Table(counts, tuple(MISSING if row is None else row for row in rows), columns)


def _too_many(name: str, most: int, bins: int | None) -> str:
    remedy = "raise max_values" if bins else "cut numbers at quantiles by Tables.of(..., bins=16), or raise max_values"
    return complaint(f"a feature is counted by at most {most} values", f"more in {name!r}", remedy)
