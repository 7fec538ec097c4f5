"""Columns ranked by what they tell about a target: numbers by their best cut, categories by their table.

Main definitions: ``rank_features`` (a ``Ranking`` of ``RankedFeature``).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

from splitcrit.arguments import PATIENT, Array, listed, microseconds, one_of, truth, whole
from splitcrit.columns.column_counts import cut_words, of_present, of_table, on_left
from splitcrit.columns.column_tests import (
    DRAWS,
    NO_CUT,
    RANKED,
    ColumnTest,
    LabelledRows,
    PermutedTarget,
    Question,
    column_test,
    too_coarse,
)
from splitcrit.columns.effects import SideDifference, class_difference, column_effect, mean_difference
from splitcrit.columns.features import read_held
from splitcrit.columns.measures import MEASURES, scores_of_tables
from splitcrit.columns.ranking_results import KEPT, RankedFeature, Ranking
from splitcrit.criteria import as_criterion
from splitcrit.data.columns import NaValues, ordered
from splitcrit.data.counted_columns import (  # fmt: skip
    MANY,
    ColumnCounts,
    ReadingOptions,
    counted_source,
    noted,
    source_for,
    wanted_columns,
)
from splitcrit.data.csv_files import Watch
from splitcrit.data.formats import DateOrder, DecimalMark, FileOptions
from splitcrit.data.partial_counts import CELLS, ValueCounts
from splitcrit.data.resume import ResumeFolder
from splitcrit.data.row_parts import ColumnSource, Piece, RowPart
from splitcrit.data.targets import MeasuredTarget, ResponseChoice, Target, read_target
from splitcrit.display import many
from splitcrit.frozen import complaint
from splitcrit.nulls.alarms import ROWS, alarms
from splitcrit.nulls.feature_counts import BINS
from splitcrit.nulls.groups import dependence_of
from splitcrit.nulls.multiple import holm
from splitcrit.table import Table, Tables
from splitcrit.table.many_tables import first_of, remarks

COARSE = 16  # bins of the measures that score whole tables
FEWEST = 3  # rows
GROUPS = 8  # of a target that is read in parts
LEVEL = 0.1  # a p-value above it is not told apart from others unless asked for
ORDERED = ("number", "date", "ordered")
OF_TEST = ("score", "gain", "p", "log_p", "method", "standard_error", "null_mean", "null_sd", "statistic")


def rank_features(
    data: Any, label: Any = None, *, measure: Any = None, response: ResponseChoice = "auto",
    categorical: Iterable[Any] = (), drop: Iterable[Any] = (), bins: Any = "auto", na_values: Any = (),
    decimal: DecimalMark | None = None, dates: DateOrder | None = None, header: bool | None = None,
    skip_footer: int = 0, n_permutations: int = DRAWS, limit: float = PATIENT, exact: bool = False, seed: int = 0,
    watch: Watch | None = None, resume: Any = None, groups: Any = None, strata: Any = None,
) -> Ranking:  # fmt: skip
    """Rank the columns of a data set by their association with a label.

    A column of numbers or dates is judged by its best cut, a column of categories by its table; the p-value of the best
    division of the categories in two, which a tree would take, stands beside. With ``S`` the score of
    the column, ``p = P(S of random labels >= S)``, which accounts for the choice of the cut.

    Parameters
    ----------
    data
        Columns: an array or a data frame of shape ``(n, d)``, a mapping of vectors, files or data that is read in
        parts, see `Tables.of`; or `Tables`. Without a label a sequence of tables, or a mapping from names to tables,
        whose rows are taken for categories.
    label
        The label of every row, or the name of its column.
    measure : str, Criterion or Impurity, optional
        Another score, such as ``"sgini"``: see `MEASURES`. It judges every column by its table and gives no p-value.
    response
        ``"classes"``; ``"numbers"``, whose variance is decreased; or ``"auto"``: numbers if the label holds fractions,
        or more than 20 different numbers.
    categorical
        Names of columns of numbers that are categories; every other column of numbers has an order, however few
        values it has.
    drop
        Columns that are no features.
    na_values
        Texts and numbers that stand for a missing value; see `Tables.of`.
    decimal, dates, header, skip_footer
        How CSV files are written, where their texts do not tell: ``"."`` or ``","`` before decimals; ``"day-first"``,
        ``"month-first"``, ``"excel"`` (days as Excel counts them) or ``"iso"`` (no other dates); whether the first row
        holds names; and how many rows at the end are none.
    n_permutations
        How many random orders are drawn at most, where a law is not exact; fewer of large tables.
    limit
        How many seconds the exact law of a column may take, as counted for numpy on one processor, whatever is
        installed; beyond that an interval stands for its p-value.
    exact
        Whether to print p-values above .1 to the last digit. Else they print as ``> 0.1``, those of best cuts are not
        computed further before they are read from ``features``, and such columns are ordered by their scores.
    seed
        Of random orders, which depend on the margins of a table as well: two calls agree, in any order of columns.
    watch, resume
        A callback for progress, and a folder from which an interrupted run over files goes on; see `Tables.of`. If the
        callback has a method ``columns``, that is called with how many columns are judged, and how many there are.
    groups, strata
        A vector ``(n,)``, or the name of a column, which is then no feature. Rows of one group (a patient, a household)
        are not independent: a group has one vote, and whole groups change places. Where column and label vary within
        groups, the first row of one meets that of another, so that the order of its rows counts. Labels are
        exchangeable within strata (sites, matched sets) alone: they change places there. Data must fit in memory.
    bins : int or None
        For measures: numbers and dates with more values are cut at quantiles into this many bins (16), without a look
        at the label. With None every value is a row.

    Returns
    -------
    Ranking
        Equal data give equal results, in an array, a data frame or a file, and in any order of columns. What is read in
        parts (large files, streams, Dask) gives others where the target is numbers: they are cut at quantiles, and a
        remark says so.

    Raises
    ------
    ValueError
        If shapes do not fit, if a table is not one of counts, if there are fewer than three rows, one class or one
        value of the label, or no column that varies.

    See Also
    --------
    SplitSelector : Feature selection in a scikit-learn pipeline.
    split_test : One p-value for all features of a node.
    audit : The features of a fitted model.

    Notes
    -----
    Numbers with more than 1024 different values are cut at quantiles into 1024 bins, and the best of these cuts is
    judged. Missing values stand on the better side of every cut; among categories they are one. A target of numbers in
    data that are read in parts is cut into eight classes at its quantiles, since no rows are kept.
    Adjusted p-values hold whatever the dependence of the columns; that of an interval is that of its upper end.

    References
    ----------
    strobl2007 (the law of the best cut); holm1979; besag1991 (when to stop drawing).

    Examples
    --------
    >>> import numpy as np
    >>> x = np.random.default_rng(0).random((200, 2))
    >>> found = rank_features({"noise": x[:, 0], "signal": x[:, 1]}, x[:, 1] > 0.5)
    >>> [(f.name, f.cut, f.p < 1e-50, f.method) for f in found.features]
    [('signal', '<= 0.504065', True, 'exact'), ('noise', '<= 0.299204', False, 'exact')]
    >>> found = rank_features({"even": [[3, 3], [2, 2]], "telling": [[5, 0], [0, 5]]})
    >>> [(f.name, round(f.p, 6), round(f.p_adjusted, 6)) for f in found.features]
    [('telling', 0.007937, 0.015873), ('even', 1.0, 1.0)]
    """
    one_of(response, ResponseChoice, "a response")
    draws = whole(n_permutations, "n_permutations", 1, 2**31)
    microseconds(limit)
    seed, level = whole(seed, "seed", 0), math.inf if truth(exact, "exact") else LEVEL
    usual = isinstance(bins, str) and bins == "auto"
    files = FileOptions.of((), decimal, dates, header, skip_footer)
    apart = [by for by in (groups, strata) if by is not None]
    if apart and (measure is not None or label is None or isinstance(data, Tables)):
        rule, got = "groups= and strata= are for p-values of rows", "tables" if measure is None else "a measure"
        raise ValueError(complaint(rule, got, "pass rows and their label"))
    if measure is not None:
        reading = {"na_values": na_values, "watch": watch, "resume": resume, "drop": drop, "files": files}
        return _by_measure(data, label, measure, COARSE if usual else bins, reading)
    if not usual:
        rule = "bins are for measures of tables"
        raise ValueError(complaint(rule, "no measure", "pass measure='sgini', for instance"))
    chosen = frozenset(listed(categorical, "categorical"))
    how = Testing(label if isinstance(label, str) else "the label", draws, limit, level, seed, watch, chosen)
    if label is None or isinstance(data, Tables):
        tables = data if isinstance(data, Tables) else _given(data)
        counts = {name: of_table(table, tables.cuts.get(name, ())) for name, table in tables.tables.items()}
        return _ranked(tables, _of_counts(tables, counts, how), "", how)
    options = ReadingOptions(
        BINS, MANY, NaValues.of(na_values), watch, ResumeFolder.of(resume), chosen, files, response
    )
    source, name = source_for(data, label, options)
    wanted_columns(source, name, chosen or None, ())  # raises about a name of no column
    own = [by for by in apart if isinstance(by, str)]
    wanted = wanted_columns(source, name, None, (*listed(drop, "dropped"), *own))
    target = read_target(source.columns[name], response, name, options.na_values) if source.columns else None
    if apart and target is None:
        raise ValueError(complaint("groups= and strata= are of rows in memory", "parts", "pass a frame or a table"))
    if target and not apart and not hasattr(data, "tocsr"):  # a sparse matrix stays sparse
        first = np.flatnonzero(target.present)[:ROWS]
        lines = alarms((source.columns[by].take(first).coded()[1] for by in wanted), target.values)
        source = replace(source, remarks=(*source.remarks, *lines))
    if target and (apart or target.kind == "numbers"):
        g, s = (source.columns[by] if isinstance(by, str) else by for by in (groups, strata))
        labels = target.values if target.kind == "classes" else target.responses[:, None]
        among = dependence_of(g, s, len(target.present), target.present)
        return _in_memory(source, target, LabelledRows(labels, among=among), wanted, options, how)
    if response != "numbers":
        try:
            tables, counts, classes = _of_rows(source, name, wanted, options)
            _check(tables.rows, len(classes), repr(classes[0]) if classes else "", how.target)
            words = f"{how.target}, classes {first_of(classes, 4)}"
            return _ranked(tables, _of_counts(tables, counts, how), words, how)
        except MeasuredTarget:
            if response == "classes":
                raise
    if resume is not None:
        rule, got = "resume= needs a target of classes", f"numbers in {how.target!r}"
        raise ValueError(complaint(rule, got, "cut the target into classes, or leave out resume="))
    return _of_parts(source, name, wanted, options, how)


class Testing(NamedTuple):
    """How columns are tested: see the parameters of `rank_features`; p-values above ``level`` are not computed."""

    target: str
    draws: int
    limit: float
    level: float
    seed: int
    watch: Any
    categorical: frozenset[Any]

    def followed(self, columns: Iterable[Any], number: int) -> Iterator[Any]:
        """Yield columns, and tell a watch that has a method ``columns`` after each how many of how many are judged."""
        for done, column in enumerate(columns, 1):
            yield column
            if hasattr(self.watch, "columns"):
                self.watch.columns(done, number)


def _given(data: Any) -> Tables:
    """Tables that were given as they are; raise one sentence about anything else, or a batch among them."""
    rule, remedy = "a ranking without a label takes tables", "pass [table, ...], or rows and their label"
    if not hasattr(data, "__iter__") or isinstance(data, type) or getattr(data, "ndim", 1) == 0:
        raise TypeError(complaint(rule, type(data).__name__, remedy))
    data = np.asarray(data) if isinstance(data, memoryview) else data
    each = data if isinstance(data, Mapping) else dict(enumerate(data))
    tables = {name: Table.of(table) for name, table in each.items()}
    if batch := [table.shape for table in tables.values() if len(table.shape) != 2]:
        raise ValueError(complaint(rule, f"a batch of shape {batch[0]}", remedy))
    return Tables(0, tables)


def _of_rows(
    source: ColumnSource, label: Any, wanted: list[Any], reading: ReadingOptions
) -> tuple[Tables, dict[Any, ColumnCounts], tuple[Any, ...]]:
    """How columns were read, their counts and the classes; raise MeasuredTarget if these are numbers."""
    counted = counted_source(source, label, None, set(source.headers) - {label, *wanted}, reading)
    counts = {name: of_present(read) for name, read in counted.counts.items()}
    sizes: list[int] = next((read.counts.sum(axis=0).tolist() for read in counted.counts.values()), [])
    classes = tuple(name for name, size in zip(counted.classes, sizes, strict=False) if size)
    return Tables(counted.rows, {}, {}, *counted[3:]), counts, classes


def _check(rows: int, values: int, only: str, label: str) -> None:
    """Raise ValueError if nothing can be ranked."""
    if values == 1:
        rule = "a ranking needs a target of at least two classes"
        raise ValueError(complaint(rule, f"only {only} in {label!r}", "choose another target"))
    if rows < FEWEST:
        raise ValueError(complaint(f"a ranking needs at least {FEWEST} rows", f"{rows}", "pass more rows"))


def _check_columns(features: list[RankedFeature], left_out: tuple[Any, ...]) -> None:
    """Raise ValueError if no column varies, or none is left."""
    if all(f.method == NO_CUT for f in features):
        none = [f"{many(len(features), 'column')}, all constant"] if features else []
        if left_out:
            none.append(f"{first_of(map(repr, left_out), 3)} with more than {MANY} texts")
        rule, got = "a ranking needs a column with at least two values", " and ".join(none) or "none"
        raise ValueError(complaint(rule, got, "pass columns that vary" + ", or texts put into groups" * bool(left_out)))


class Judged(NamedTuple):
    """A column with its values, as ``column_test`` takes it, what it is tested against, and labels that are numbers."""

    name: Any
    kind: str
    read: ColumnCounts
    column: Array
    target: PermutedTarget
    responses: Array | None = None


def _of_counts(
    tables: Tables, counts: Mapping[Any, ColumnCounts], how: Testing,
    of: Callable[[Array], PermutedTarget] = PermutedTarget.of_classes,
) -> Iterator[Judged]:  # fmt: skip
    """Yield columns by their counts; those with equal totals of classes share a target."""
    targets = cache(lambda totals: of(np.array(totals)))
    for name, read in how.followed(counts.items(), len(counts)):
        totals = tuple(read.counts.sum(axis=0, dtype=read.counts.dtype).tolist())
        kind = "category" if name in how.categorical or name not in tables.columns else tables.columns[name].kind
        yield Judged(name, kind, read, read.counts, targets(totals))


def _ranked(
    tables: Tables, columns: Iterable[Judged], words: str, how: Testing, lines: Sequence[str] = (),
    wanted: Sequence[Any] = (),
) -> Ranking:  # fmt: skip
    """The ranking of columns with adjusted p-values, best first; ``wanted`` ones that are none of them are left out."""
    features, unfinished, ranked = list[RankedFeature](), dict[Any, Callable[[], ColumnTest]](), False
    floors = dict[Any, float | None]()
    for name, kind, read, column, target, responses in columns:
        question: Question = "cut" if kind in ORDERED else "table"
        gaps = read.gaps and question == "cut"
        asked = partial(
            column_test, column, target, question=question, gaps=gaps, draws=how.draws, limit=how.limit, seed=how.seed
        )
        test = asked(enough=how.level)
        if test.least is not None and test.least > how.level:
            unfinished[name] = asked
        ranked |= target.ranked
        floors[name] = test.floor
        left = on_left(test, read) if test.cut else None
        between, low, high = _difference(left, read, column, target, responses) or (None, None, None)
        features.append(RankedFeature(
            name, kind, share=min(test.gain / (target.impurity or 1.0), 1.0),
            difference=between, difference_low=low, difference_high=high,
            effect=column_effect(column, target, question, gaps) if test.method != NO_CUT else None,
            cut="" if left is None else cut_words(left, read, kind == "number"), column=tables.columns.get(name),
            **_of_test(test),
        ))  # fmt: skip
    left_out = tables.left_out or tuple(name for name in wanted if name not in tables.columns)
    if tables.rows:
        _check_columns(features, left_out)
    notes = (
        *lines,
        *too_coarse(floors, KEPT / max(len(features), 1)),
        *[RANKED] * ranked,
        *remarks(tables, cut_in_two={f.name for f in features if f.kind in ORDERED}),
    )
    known = holm([f.at_most for f in features])
    above = holm([how.level if f.is_above(how.level) else f.at_least for f in features])
    each = [
        replace(f, p_adjusted=p if f.at_most <= how.level else least)
        for f, p, least in zip(features, known, above, strict=True)
    ]
    each.sort(key=lambda f: (f.log_p if f.at_most <= LEVEL else 0.0, -f.score, str(f.name)))
    names, best = tuple(f.name for f in features), tuple(each)
    finish = partial(_finished, best, unfinished) if how.level < 1 else None
    return Ranking(best, names, tables.rows, words, left_out=left_out, remarks=notes, level=how.level, finish=finish)


def _difference(
    left: Array | None, read: ColumnCounts, column: Array, target: PermutedTarget, responses: Array | None
) -> SideDifference | None:
    """The difference of the sides of the best cut, of two classes or of independent numbers; None without one."""
    if left is None or target.valued or target.ranked or target.dependent is not None:
        return None
    known = len(read.counts) - read.gaps
    # Where values are missing, these may lie on either side.
    cuts = known - 1 + known * read.gaps
    if responses is not None:
        return mean_difference(responses, ~left[column], cuts)
    return class_difference(column[left].sum(axis=0), column.sum(axis=0), cuts)


def _of_test(test: ColumnTest) -> dict[str, Any]:
    """The parts of a test that a ranked feature shows."""
    return {part: getattr(test, part) for part in OF_TEST} | {"p_least": test.least}


def _finished(
    features: tuple[RankedFeature, ...], unfinished: dict[Any, Callable[[], ColumnTest]]
) -> tuple[RankedFeature, ...]:
    """Features whose p-values are computed to the end."""
    each = [replace(f, **_of_test(unfinished[f.name]())) if f.name in unfinished else f for f in features]
    return tuple(replace(f, p_adjusted=p) for f, p in zip(each, holm([f.at_most for f in each]), strict=True))


def _in_memory(
    source: ColumnSource, target: Target, labels: LabelledRows, wanted: list[Any], reading: ReadingOptions, how: Testing
) -> Ranking:
    """The ranking of columns in memory against numbers, or labels of rows that are not independent."""
    labelled, rows = target.present, len(labels.values)
    tables = Tables(rows, {}, {}, (), {}, len(labelled) - rows, noted(source, target.label))
    _check(rows, len(np.unique(labels.values)), "one value", how.target)

    def columns() -> Iterator[Judged]:
        for name in how.followed(wanted, len(wanted)):
            column = source.columns[name]
            if read := read_held(name, column if labelled.all() else column.take(labelled), reading):
                tables.columns[name] = about = read[1]
                feature, here = read[0].observed(labels)
                numbers, counts = here.values[:, 0] if here.measured else None, feature.counted()
                yield Judged(name, about.kind, counts, here.column(feature.places), here.target, numbers)

    words = f"classes {first_of(target.classes, 4)}" if target.kind == "classes" else "numbers"
    lines = () if labels.among is None else labels.among.remarks(labels.values)
    return _ranked(tables, columns(), f"{how.target}, {words}", how, lines, wanted)


def _of_parts(source: ColumnSource, label: Any, wanted: list[Any], reading: ReadingOptions, how: Testing) -> Ranking:
    """The ranking of columns that are read in parts, their target cut at quantiles."""
    if not source.again:
        rule, got = "a numeric target is read twice", f"a stream that can be read once, with {label!r} to cut"
        raise ValueError(complaint(rule, got, "pass a folder, a dataset or a table, or cut it into classes"))
    cuts, class_means = _target_cuts(source, label, reading)
    tables, counts, classes = _of_rows(_cut_target(source, label, cuts, reading.na_values), label, wanted, reading)
    _check(tables.rows, len(cuts) + 1, "one value", str(label))
    columns = _of_counts(tables, counts, how, partial(PermutedTarget.of_groups, means=class_means[list(classes)]))
    line = f"the target is cut into {len(cuts) + 1} classes at quantiles, and stands for their means."
    return _ranked(tables, columns, f"{label}, numbers", how, [line])


def _cut_target(source: ColumnSource, label: Any, cuts: Array, na_values: NaValues) -> ColumnSource:
    """A source whose target of numbers is replaced by how many of some cuts are below it."""

    def read(columns: list[Any]) -> Iterator[RowPart]:
        for batch in source.read(columns):
            target = read_target(batch.column(label), "numbers", label, na_values)
            codes = np.zeros(len(target.present), dtype=np.int64)
            codes[target.present] = np.searchsorted(cuts, target.values)
            each = {name: batch.column(name) for name in columns}
            yield RowPart(each | {label: ordered(codes, target.present)}, batch.num_rows)

    return replace(
        source,
        headers={**source.headers, label: ordered(cuts[:0], np.ones(0, dtype=bool))}, pieces=[Piece(read)], columns={},
        frame=None,
    )  # fmt: skip


def _target_cuts(source: ColumnSource, label: Any, reading: ReadingOptions) -> tuple[Array, Array]:
    """The quantiles at which a target is cut, and the mean of each class, of cells their largest value."""
    tally = ValueCounts(CELLS, in_order=True, in_cells=True)
    for batch in source.read([label]):
        values = read_target(batch.column(label), "numbers", label, reading.na_values).values
        there, codes = np.unique(values, return_inverse=True)
        tally.add(there, codes, np.zeros(len(codes), dtype=np.intp), 1)
    cuts, sizes = tally.cut(GROUPS)
    sums = np.bincount(np.searchsorted(cuts, tally.values), tally.counts[:, 0] * tally.values.astype(float))
    return cuts, sums / sizes[:, 0]


def _by_measure(data: Any, label: Any, measure: Any, bins: int | None, reading: dict[str, Any]) -> Ranking:
    """The ranking by another measure, each column judged by its table."""
    if isinstance(measure, str):
        measure = MEASURES[one_of(measure, tuple(MEASURES), "a measure")]
    chosen = as_criterion(measure)
    if not isinstance(data, Tables):
        data = _given(data) if label is None else Tables.of(data, label, missing="row", bins=bins, **reading)
    tables: Tables = data
    features = []
    for name, score in zip(tables.tables, scores_of_tables(chosen, tables.tables.values()), strict=True):
        column = tables.columns.get(name)
        features.append(RankedFeature(name, "category" if column is None else column.kind, score, column=column))
    best = tuple(sorted(features, key=lambda feature: (-feature.score, str(feature.name))))
    target = label if isinstance(label, str) else "the label" * (label is not None)
    return Ranking(best, tuple(tables.tables), tables.rows, target, chosen, tables.left_out, remarks(tables))
