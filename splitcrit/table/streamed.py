"""Tables of data that does not fit into memory: one pass counts values, a second one bins what has too many.

Main definitions: ``Tables``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, final

import numpy as np

from splitcrit.table.arrow import countable, listed, ordered
from splitcrit.table.contingency import Table
from splitcrit.table.counting import Array
from splitcrit.table.levels import MISSING
from splitcrit.table.partial import Partial, Plan
from splitcrit.table.sample import quantile_cuts
from splitcrit.table.sources import Source, source_of
from splitcrit.values import complaint

MANY = 65536  # values of a column that are counted one by one
Watch = Callable[[int, "int | None"], None]


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
    distinct
        The number of values of every feature, without the missing one; for a binned one, those in the sample.
    sampled
        Binned features with more than 65536 values present, whose cuts come from a sample of so many.
    left_out
        Features with too many values that are no numbers.

    Examples
    --------
    >>> counted = Tables(rows=4, tables={"colour": Table.of([[2, 0], [0, 2]])})
    >>> counted.rows, list(counted.tables), counted.left_out
    (4, ['colour'], ())
    """

    rows: int
    tables: dict[str, Table]
    cuts: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    distinct: dict[str, int] = field(default_factory=dict)
    sampled: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    @staticmethod
    def of(
        data: Any,
        label: str,
        *,
        features: Iterable[str] | None = None,
        drop: Iterable[str] = (),
        missing: Literal["error", "row"] = "error",
        bins: int | None = None,
        max_values: int = MANY,
        seed: int = 0,
        watch: Watch | None = None,
    ) -> Tables:
        """Return the table of every feature against the label, in one pass over the data.

        Parameters
        ----------
        data
            The path of a parquet or Arrow file or of a folder of them; a Dask data frame; a pyarrow dataset; or
            anything with ``__arrow_c_stream__``, as tables of pyarrow, pandas, polars and DuckDB have.
        label, features
            Names of columns; all columns but the label by default.
        drop
            Columns that are no features.
        missing
            ``"row"`` gives missing feature values a last row named ``(missing)``; ``"error"`` refuses them.
        bins
            Cut numbers, dates and times with more distinct values at so many quantiles, in a second pass.
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
            If a column is absent, the label is missing somewhere or has more than 1000 values, files differ in their
            columns, or a stream that can be read only once has to be read again for its bins.
        TypeError
            If a column holds lists, structs or maps, or data is nothing that can be read in parts.

        Notes
        -----
        Of up to 65536 values present the sample is all, and the cuts are the quantiles themselves; of more, the share
        of values up to the cut at quantile ``q`` is ``q`` with a standard error of ``sqrt(q (1 - q)/65536)``, 0.2 %
        at most. Dask partitions are counted where they lie; only counts and samples travel.

        Examples
        --------
        >>> import pyarrow as pa
        >>> found = Tables.of(pa.table({"size": [1.5, 2.5, 1.5], "sold": ["no", "yes", "no"]}), "sold")
        >>> found.tables["size"]
        Table.of([[2, 0], [0, 1]], row_names=(1.5, 2.5), class_names=('no', 'yes'))
        """
        if missing not in ("error", "row"):
            raise ValueError(complaint("missing is 'error' or 'row'", repr(missing), "pass one of the two"))
        if bins is not None and bins < 2:
            raise ValueError(complaint("a numeric column is cut into at least 2 bins", bins, "pass bins=2 or more"))
        source = source_of(data)
        plan = _plan(source, label, _wanted(source, label, features, tuple(drop)), bins, max_values)
        first = _passed(source, plan, seed, watch)
        cut = {name: sample for name, sample in first.samples.items() if first.tallies[name].over}
        left_out = tuple(name for name in plan.limits if first.tallies[name].over and name not in cut)
        if left_out and features is not None:
            raise ValueError(_too_many(left_out[0], max_values, bins))
        second = _binned(source, plan, first, {k: quantile_cuts(v.values, bins or 0) for k, v in cut.items()}, watch)
        parts = {name: second if name in cut else first for name in plan.limits if name not in left_out}
        return Tables(
            first.rows,
            {name: _table(name, part, missing) for name, part in parts.items()},
            {name: listed(cuts) for name, cuts in second.plan.cuts.items()},
            {name: len(np.unique(cut[name].values)) if name in cut else part.tallies[name].values
             for name, part in parts.items()},
            tuple(name for name, sample in cut.items() if not sample.whole),
            left_out,
        )  # fmt: skip

    def __repr__(self) -> str:
        return f"<Tables of {len(self.tables)} features and {self.rows} rows>"


def _wanted(source: Source, label: str, features: Iterable[str] | None, drop: tuple[str, ...]) -> list[str]:
    """Return the features to count, or say which column cannot be."""
    names = list(source.schema.names)
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


def _plan(source: Source, label: str, wanted: list[str], bins: int | None, max_values: int) -> Plan:
    """Return what the first pass counts and samples, or say which column holds no values to count."""
    for name in (label, *wanted):
        countable(name, source.schema.field(name).type)
    cut = [name for name in wanted if bins and ordered(source.schema.field(name).type)]
    limits = {name: bins or 0 if name in cut else max_values for name in wanted}
    listed = frozenset(name for name in (label, *wanted) if source.declared(name))
    return Plan(label, limits, sampled=tuple(cut), declared=listed)


def _passed(source: Source, plan: Plan, seed: int, watch: Watch | None) -> Partial:
    """Return the counts of all rows."""
    total = Partial(plan)
    for _ in source.fill(total, seed):
        if watch is not None:
            watch(total.rows, source.rows)
    if not total.rows:
        raise ValueError(complaint("a table needs observations", "no rows", "pass data with rows"))
    return total


def _binned(source: Source, plan: Plan, first: Partial, cuts: dict[str, Array], watch: Watch | None) -> Partial:
    """Return the counts between cuts, for which the rows are read again."""
    again = Plan(plan.label, cuts=cuts, declared=plan.declared)
    if not cuts:
        return Partial(again)
    remedy = "pass a folder, a dataset or a table, or leave out bins"
    rule = "cutting at quantiles reads the data twice"
    if not source.again:
        raise ValueError(complaint(rule, f"a stream that can be read once, with {next(iter(cuts))!r} to cut", remedy))
    second = _passed(source, again, 0, watch)
    if second.rows != first.rows:
        raise ValueError(complaint(rule, f"{first.rows} rows, then {second.rows}", remedy))
    return second


def _table(name: str, part: Partial, missing: str) -> Table:
    """Return the table of one column, its names in order and missing values last."""
    tally = part.tallies[name]
    rows, classes = tally.names(), part.classes.names()
    if rows[-1] is None:
        if missing == "error":
            remedy = "fill it, drop it, or pass missing='row'"
            raise ValueError(complaint("feature values must be present", f"a missing value in {name!r}", remedy))
        if MISSING in rows:
            rule = "feature values must not share the name of the missing row"
            raise ValueError(complaint(rule, f"{MISSING!r} in {name!r}", "rename that value"))
    held = np.pad(tally.counts, ((0, 1), (0, len(classes) + 1 - tally.counts.shape[1])))
    counts = held[np.ix_(tally.at(rows), part.classes.at(classes))]
    return Table(counts, (*rows[:-1], MISSING if rows[-1] is None else rows[-1]), classes)


def _too_many(name: str, most: int, bins: int | None) -> str:
    remedy = "raise max_values" if bins else "cut numbers at quantiles by Tables.of(..., bins=16), or raise max_values"
    return complaint(f"a feature is counted by at most {most} values", f"more in {name!r}", remedy)
