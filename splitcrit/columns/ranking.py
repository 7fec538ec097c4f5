"""Columns ranked by what they tell about a target: numbers by their best cut, categories by their table.

Main definitions: ``rank_features`` (a ``Ranking`` of ``RankedFeature``), ``feature_tables``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from splitcrit.arguments import PATIENT, Array, finite, microseconds, one_of, truth, whole
from splitcrit.arguments import listed as names_in
from splitcrit.columns.column_tests import (  # fmt: skip
    DRAWN,
    DRAWS,
    NO_CUT,
    QUANTILE,
    ColumnTest,
    categories_test,
    cuts_test,
    subset_test,
)
from splitcrit.columns.measures import MEASURES, Measure, listed, measure_of
from splitcrit.columns.numeric_targets import columns_tested, cut_target, target_cuts, with_target
from splitcrit.columns.ranking_results import RankedFeature as RankedFeature
from splitcrit.columns.ranking_results import Ranking as Ranking
from splitcrit.data.columns import NaValues, encoded
from splitcrit.data.csv_files import Watch
from splitcrit.data.resume import ResumeFolder
from splitcrit.data.row_parts import ColumnSource
from splitcrit.data.targets import MeasuredTarget, response_of
from splitcrit.data.training_inputs import numbers
from splitcrit.data.two_passes import MANY, ReadingOptions, counted, counted_source, crossed, source_for, wanted_columns
from splitcrit.data.value_codes import MISSING
from splitcrit.display import many
from splitcrit.frozen import complaint
from splitcrit.impurities import gini
from splitcrit.nulls import gini_gain, gini_null, gini_pvalue, sgini
from splitcrit.nulls.best_split import SplitTail
from splitcrit.nulls.feature_counts import BINS
from splitcrit.nulls.multiple import holm
from splitcrit.table import Column, Table, Tables
from splitcrit.table.many_tables import first_of, remarks, tables_of

COARSE = 16  # bins of the measures that score whole tables
FEWEST = 3  # rows
LEVEL = 0.1  # a p-value above it is not told apart from others unless asked for
WITH_NULL = ("gini", "sgini", "pvalue")  # measures that may come with mean, spread and p-value by chance
ORDERED = ("number", "date", "ordered")


def rank_features(
    data: Any, label: Any = None, *, measure: Any = None, response: Literal["auto", "classes", "numbers"] = "auto",
    categorical: Iterable[Any] = (), drop: Iterable[Any] = (), discretiser: Any = None, thresholds: Any = None,
    bins: Any = "auto", null: Literal["permutation", "multinomial"] | None = None, na_values: Any = (),
    n_permutations: int = DRAWS, limit: float = PATIENT, exact: bool = False, seed: int = 0, watch: Watch | None = None,
    resume: Any = None,
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
    measure : str, Measure, Criterion or Impurity, optional
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
        A callback for progress, and a folder from which an interrupted run over files goes on; see `Tables.of`.
    discretiser : transformer, optional
        For measures: its ``fit_transform(data, label)`` replaces values by the numbers of their intervals.
    thresholds : array (d,), optional
        For measures: a threshold for each feature, which cuts its values in two.
    bins : int or None
        For measures: numbers and dates with more values are cut at quantiles into this many bins (16), without a look
        at the label. With None every value is a row.
    null : {"permutation", "multinomial"}, optional
        For the measures ``"gini"``, ``"sgini"`` and ``"pvalue"``: the law of chance by which mean, standard deviation
        and p-value of the Gini gain of the table are given as well.

    Returns
    -------
    Ranking
        Equal data give equal results, in an array, a data frame or a file, and in any order of columns.

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
    a file too large for memory is cut into eight classes at the quantiles of a sample, since no rows are kept.
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
    one_of(response, ("auto", "classes", "numbers"), "a response")
    draws = whole(n_permutations, "n_permutations", 1, 2**31)
    microseconds(limit)
    seed, level = whole(seed, "seed", 0), math.inf if truth(exact, "exact") else LEVEL
    usual = isinstance(bins, str) and bins == "auto"
    given = discretiser is not None or thresholds is not None or not usual or null is not None
    if measure is None and given:
        rule = "discretiser, thresholds, bins and null are for measures of tables"
        raise ValueError(complaint(rule, "no measure", "pass measure='sgini', for instance"))
    reading = {"na_values": na_values, "watch": watch, "resume": resume, "drop": drop}
    if measure is not None:
        return _by_measure(data, label, measure, discretiser, thresholds, COARSE if usual else bins, null, reading)
    chosen = frozenset(names_in(categorical, "categorical"))
    if label is None or isinstance(data, Tables):
        found = data if isinstance(data, Tables) else _given(data)
        return _tested(found, chosen, frozenset(), "", draws, limit, level, seed)
    if response != "numbers":
        try:
            return _of_classes(data, label, response, chosen, reading, draws, limit, level, seed)
        except MeasuredTarget:
            if response == "classes":
                raise
    return _of_numbers(data, label, chosen, reading, draws, limit, level, seed)


def _given(data: Any) -> Tables:
    """Return tables that were given as they are."""
    names = list(data) if isinstance(data, Mapping) else None
    tables = listed(data if names is None else data.values())
    return Tables(0, dict(zip(names or range(len(tables)), tables, strict=True)))


def _named(label: Any) -> str:
    return label if isinstance(label, str) else "the label"


def _declared_orders(source: ColumnSource) -> frozenset[Any]:
    """Return the columns whose categories have a declared order."""
    return frozenset(name for name, kind in source.kinds.items() if kind == "ordered")


def _of_classes(
    data: Any, label: Any, response: str, categorical: frozenset[Any], reading: dict[str, Any], draws: int,
    limit: float, level: float, seed: int,
) -> Ranking:  # fmt: skip
    """Return the ranking against a label of classes; raise MeasuredTarget if it holds measured numbers."""
    how = ReadingOptions(
        BINS, MANY, seed, NaValues.of(reading["na_values"]), reading["watch"], ResumeFolder.of(reading["resume"]),
        categorical,
    )  # fmt: skip
    source, name = source_for(data, label, how)
    if name in source.columns:  # before anything is counted
        names, codes = encoded(source.columns[name], how.na_values)
        there = [i for i, x in enumerate(names) if x is not None]
        counts = np.bincount(codes, minlength=len(names))[there].tolist()
        if response_of([names[i] for i in there], counts, response, name)[0] == "numbers":
            raise MeasuredTarget
    found = tables_of(counted_source(source, name, None, names_in(reading["drop"], "dropped"), "row", how))
    classes = next((table.dropped().class_names for table in found.tables.values()), ())
    _check(found.rows, len(classes), repr(classes[0]) if classes else "", _named(label))
    target = f"{_named(label)}, classes {first_of(classes, 4)}"
    return _tested(found, categorical, _declared_orders(source), target, draws, limit, level, seed)


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
        found = [f"{many(len(features), 'column')}, all constant"] if features else []
        if left_out:
            found.append(f"{first_of(map(repr, left_out), 3)} with more than {MANY} texts")
        rule, got = "a ranking needs a column with at least two values", " and ".join(found) or "none"
        raise ValueError(complaint(rule, got, "pass columns that vary" + ", or texts put into groups" * bool(left_out)))


def _tested(
    found: Tables, categorical: frozenset[Any], orders: frozenset[Any], target: str, draws: int, limit: float,
    level: float, seed: int,
) -> Ranking:  # fmt: skip
    """Return the ranking of tables by their tests."""
    features, unfinished = [], {}
    for name, whole_table in found.tables.items():
        column, table = found.columns.get(name), whole_table.dropped()
        counts = table.integers()
        kind = "category" if column is None or name in categorical else "ordered" if name in orders else column.kind
        if len(counts) == 1:  # a constant, which takes no time
            chance: dict[str, Any] = {"p": 1.0, "log_p": 0.0, "method": NO_CUT, "null_mean": 0.0, "null_sd": 0.0}
            features.append(RankedFeature(name, kind, 0.0, 0.0, 0.0, **chance, column=column))
            continue
        rows, columns = (counts.sum(axis=axis, dtype=object).tolist() for axis in (1, 0))
        seeds = [seed, *rows, 0, *columns]
        rng = np.random.default_rng(np.array(seeds, dtype=np.uint32) if max(seeds) < 2**32 else seeds)  # the same seeds
        gaps = kind in ORDERED and len(counts) > 0 and table.row_names[-1] == MISSING
        subset = None
        if kind in ORDERED:
            test = cuts_test(counts, gaps, rng, draws=draws, limit=limit, enough=level)
            if test.least is not None and test.least > level:
                unfinished[name] = counts, gaps
            words = _words(test, counts.sum(axis=1), gaps, table.row_names, found.cuts.get(name, ()), kind)
            left = _left_of(test, counts, gaps)
            sizes = [int(left.sum()), int(counts.sum() - left.sum())]
        else:
            test, words = categories_test(counts, rng, draws=draws), ""
            subset = subset_test(counts, draws=draws, seed=seed) if test.method != NO_CUT else None
            left, sizes = _better_half(counts), rows
        law = gini_null(sizes, columns) if counts.size else None
        mean, sd = (None, None) if law is None else (float(law.mean), math.sqrt(law.variance))
        totals = counts.sum(axis=0)
        impurity = float(gini(totals)) if counts.size else 0.0
        share = min(test.gain / impurity, 1.0) if impurity else 0.0
        features.append(RankedFeature(
            name, kind, test.score, test.gain, share, _difference(left, totals), words, test.p,
            test.log_p, None, test.method, test.standard_error, mean, sd, column=column, p_least=test.least,
            **_of_subset(subset),
        ))  # fmt: skip
    if found.rows:
        _check_columns(features, found.left_out)
    return _ranking(features, found, target, level, unfinished=unfinished, limit=limit)


def _ranking(
    features: list[RankedFeature], found: Tables, target: str, level: float, *said: str,
    unfinished: Mapping[Any, tuple[Array, bool]] = MappingProxyType({}), limit: float = PATIENT,
) -> Ranking:  # fmt: skip
    """Return features with adjusted p-values, best first."""
    told = (*said, *remarks(found, cut_in_two={f.name for f in features if f.kind in ORDERED}))
    known = holm([f.at_most for f in features])
    above = holm([level if f.is_above(level) else f.at_least for f in features])
    each = [
        replace(f, p_adjusted=p if f.at_most <= level else least)
        for f, p, least in zip(features, known, above, strict=True)
    ]
    each.sort(key=lambda f: (f.log_p if f.at_most <= LEVEL else 0.0, -f.score, str(f.name)))
    names, listed = tuple(f.name for f in features), tuple(each)
    finish = partial(_finished, listed, dict(unfinished), limit) if level < 1 else None
    return Ranking(listed, names, found.rows, target, left_out=found.left_out, remarks=told, level=level, finish=finish)


def _finished(
    listed: tuple[RankedFeature, ...], unfinished: dict[Any, tuple[Array, bool]], limit: float
) -> tuple[RankedFeature, ...]:
    """Return features whose p-values are computed to the end."""

    def whole_law(f: RankedFeature) -> RankedFeature:
        if f.name not in unfinished:
            return f
        test = cuts_test(*unfinished[f.name], np.random.default_rng(0), limit=limit)
        return replace(f, p=test.p, log_p=test.log_p, method=test.method, p_least=test.least)

    each = [whole_law(f) for f in listed]
    return tuple(replace(f, p_adjusted=p) for f, p in zip(each, holm([f.at_most for f in each]), strict=True))


def _of_subset(found: SplitTail | None) -> dict[str, Any]:
    """Return the fields of a feature that tell about its best subset."""
    if found is None:
        return {}
    method = DRAWN if found.method == "ranks" else found.method
    return {"subset_p": found.value, "subset_method": method, "subset_error": found.standard_error}


def _left_of(test: ColumnTest, counts: Array, gaps: bool) -> Array:
    """Return the class counts to the left of the best cut."""
    known: Array = counts[:-1] if gaps else counts
    values = int(np.searchsorted(known.sum(axis=1).cumsum(), test.cut)) + 1 if test.cut else 0
    return np.asarray(known[:values].sum(axis=0) + (counts[-1] if test.missing_left else 0))


def _better_half(counts: Array) -> Array:
    """Return the class counts of the categories on one side of the best division in two, for two classes."""
    if counts.shape[1] != 2 or len(counts) < 2:
        return np.zeros(counts.shape[1])
    ranked = counts[np.argsort(counts[:, 1] / counts.sum(axis=1), kind="stable")]
    left, totals = ranked.cumsum(axis=0)[:-1], counts.sum(axis=0)
    m, n = left.sum(axis=1), totals.sum()
    return np.asarray(left[((n * left[:, 1] - m * totals[1]) ** 2 / (m * (n - m))).argmax()])


def _difference(left: Array, totals: Array) -> float | None:
    """Return the share of the second class on the right less that on the left; None for other numbers of classes."""
    if len(totals) != 2 or not 0 < left.sum() < totals.sum():
        return None
    right = totals - left
    return float(right[1] / right.sum() - left[1] / left.sum())


def _words(
    test: ColumnTest, sizes: Array, gaps: bool, values: tuple[Any, ...], cuts: tuple[Any, ...], kind: str
) -> str:
    """Return the best cut in words: the values on its left."""
    if not test.cut:
        return ""
    known = sizes[:-1] if gaps else sizes
    at = int(np.searchsorted(known.cumsum(), test.cut))
    if at == len(known) - 1:
        return "present"
    low, high = (cuts[at], cuts[at]) if cuts else (values[at], values[at + 1])
    return f"<= {_between(low, high) if kind == 'number' else _day(low)}" + " or missing" * test.missing_left


def _day(value: Any) -> str:
    """Return a date, a duration or a category in words; midnight is left out."""
    if isinstance(value, np.timedelta64):
        return str(value.astype("timedelta64[us]").item())
    return str(value).removesuffix(".000000").removesuffix("T00:00:00").removesuffix(" 00:00:00")


def _between(low: Any, high: Any) -> str:
    """Return a number from ``low`` up to below ``high``, in as few digits as that needs."""
    try:
        middle = float(low) / 2 + float(high) / 2
    except OverflowError:  # integers beyond any float
        return str(low)
    if not (low <= middle < high):
        middle = float(low)
    return next((text for digits in (6, 9, 13, 17) if low <= float(text := f"{middle:.{digits}g}") < high), str(low))


def _of_numbers(
    data: Any, label: Any, categorical: frozenset[Any], given: dict[str, Any], draws: int, limit: float,
    level: float, seed: int,
) -> Ranking:  # fmt: skip
    """Return the ranking against a target of numbers."""
    if given["resume"] is not None:
        rule, got = "resume= needs a target of classes", f"numbers in {_named(label)!r}"
        raise ValueError(complaint(rule, got, "cut the target into classes, or leave out resume="))
    reading = ReadingOptions(BINS, MANY, seed, NaValues.of(given["na_values"]), given["watch"], unordered=categorical)
    source, name = source_for(data, label, reading)
    wanted = wanted_columns(source, name, None, names_in(given["drop"], "dropped"))
    if source.columns:
        source = with_target(source, name, reading.na_values)[0]
    orders = _declared_orders(source)
    if not source.columns:
        return _of_parts(source, name, wanted, categorical, reading, limit, level)
    features, read = [], {}
    for feature, how, test, subset in columns_tested(
        source, name, wanted, reading, categorical, orders, draws, limit, seed
    ):
        kind = "category" if feature in categorical else "ordered" if feature in orders else how.column.kind
        read[feature] = how
        sizes = np.bincount(how.codes)
        words = _words(test, sizes[sizes > 0], how.column.missing > 0, how.values, how.cuts, kind)
        features.append(RankedFeature(
            feature, kind, test.score, test.gain, test.gain, None, words, test.p, test.log_p, None, test.method,
            test.standard_error, test.null_mean, test.null_sd, **_of_subset(subset), column=how.column,
        ))  # fmt: skip
    only = "one value" if all(f.method == NO_CUT for f in features) and _constant(source, name) else ""
    rows = int(source.rows or 0)
    _check(rows, 1 if only else 2, only, _named(label))
    left_out = tuple(feature for feature in wanted if feature not in read)
    _check_columns(features, left_out)
    found = Tables(rows, {}, {}, left_out, {feature: how.column for feature, how in read.items()}, source.remarks)
    return _ranking(features, found, f"{_named(label)}, numbers", level)


def _constant(source: ColumnSource, name: Any) -> bool:
    return len(np.unique(encoded(source.columns[name])[1])) < 2


def _of_parts(
    source: Any, label: Any, wanted: list[Any], categorical: frozenset[Any], reading: ReadingOptions, limit: float,
    level: float,
) -> Ranking:  # fmt: skip
    """Return the ranking of columns that are read in parts, their target cut at the quantiles of a sample."""
    if not source.again:
        rule, got = "a numeric target is read twice", f"a stream that can be read once, with {label!r} to cut"
        raise ValueError(complaint(rule, got, "pass a folder, a dataset or a table, or cut it into classes"))
    cuts, sample = target_cuts(source, label, reading)
    class_of = np.searchsorted(cuts, sample, side="left")
    sizes = np.bincount(class_of, minlength=len(cuts) + 1)
    class_means = np.bincount(class_of, sample, len(sizes)) / np.maximum(sizes, 1)
    found = counted(cut_target(source, label, cuts, reading.na_values), label, wanted, reading)
    features = []
    for name, tally in found.tallies.items():
        table = Table(*crossed(name, tally, found.classes, "row")).dropped()
        means = class_means[list(table.class_names)]
        kind = "category" if name in categorical else found.columns[name].kind
        features.append(_by_quantiles(name, kind, table, means, found.cuts.get(name, ()), found.columns[name], limit))
    left_out = tuple(name for name in wanted if name not in found.tallies)
    _check(found.rows, len(cuts) + 1, "one value", str(label))
    _check_columns(features, left_out)
    said = f"the target is cut into {len(cuts) + 1} classes at quantiles, and stands for their means."
    return _ranking(features, Tables(found.rows, {}, {}, left_out, found.columns), f"{label}, numbers", level, said)


def _by_quantiles(
    name: Any, kind: str, table: Table, means: Array, cuts: Any, column: Column, limit: float
) -> RankedFeature:
    """Return a column judged by what lies above each quantile: ``m`` times the least exact p-value."""
    counts, rng = table.integers(), np.random.default_rng(0)
    gaps = kind in ORDERED and table.row_names[-1] == MISSING
    above = np.stack([counts[:, k:].sum(axis=1) for k in range(1, counts.shape[1])])
    halves = [np.stack([counts.sum(axis=1) - x, x], axis=1) for x in above]
    tests = [cuts_test(h, gaps, rng, limit=limit) if kind in ORDERED else categories_test(h, rng) for h in halves]
    best = min(tests, key=lambda test: test.log_p, default=None)
    if best is None:
        return RankedFeature(name, kind, 0.0, 0.0, 0.0, None, "", 1.0, 0.0, None, NO_CUT, column=column)
    log_p = min(0.0, math.log(len(tests)) + best.log_p)
    sizes, totals = counts.sum(axis=1), counts.sum(axis=0)
    grand = (totals * means).sum() / totals.sum()
    spread = (totals * (means - grand) ** 2).sum()
    groups, words = counts, ""
    if kind in ORDERED:
        left = _left_of(best, counts, gaps)
        groups = np.stack([left, totals - left])
        words = _words(best, sizes, gaps, table.row_names, tuple(np.asarray(cuts).tolist()), kind)
    between = (groups @ (means - grand)) ** 2 / np.maximum(groups.sum(axis=1), 1)
    share = float(between.sum() / spread) if spread else 0.0
    return RankedFeature(
        name, kind, best.score, share, share, None, words, math.exp(log_p), log_p, None,
        QUANTILE if best.method != NO_CUT else NO_CUT, column=column,
    )  # fmt: skip


def _by_measure(
    data: Any, label: Any, measure: Any, discretiser: Any, thresholds: Any, bins: int | None, null: Any,
    reading: dict[str, Any],
) -> Ranking:  # fmt: skip
    """Return the ranking by another measure, each column judged by its table."""
    if isinstance(measure, str):
        measure = MEASURES[one_of(measure, tuple(MEASURES), "a measure")]
    chosen = measure_of(measure)
    if isinstance(data, Tables):
        found = data
    elif label is None:
        found = _given(data)
    else:
        found = _counted(data, label, discretiser, thresholds, {"bins": bins, **reading})
    scored = list(found.tables.values())
    scores, cost = chosen(scored), sum(map(chosen.evaluations, scored))
    features = []
    for (name, table), score in zip(found.tables.items(), scores.tolist(), strict=True):
        column = found.columns.get(name)
        feature = RankedFeature(name, "category" if column is None else column.kind, score, column=column)
        features.append(feature if null is None else replace(feature, **_described(table.dropped(), null, chosen)))
    best = sorted(zip(scores.tolist(), features, strict=True), key=lambda pair: (-pair[0], str(pair[1].name)))
    target = "" if label is None else _named(label)
    return Ranking(
        tuple(f for _, f in best), tuple(found.tables), found.rows, target, chosen, cost, found.left_out, remarks(found)
    )


def _described(table: Table, null: Any, measure: Measure) -> dict[str, Any]:
    """Return the Gini gain of a table beside its law by chance, and the p-value of the table."""
    if measure not in [MEASURES[name] for name in WITH_NULL]:
        rule, remedy = "null= is for the measures 'gini', 'sgini' and 'pvalue'", "leave out null"
        raise ValueError(complaint(rule, str(measure), remedy))
    law = gini_null(table.row_totals, table.column_totals, model=null)
    gain, sd = float(gini_gain(table)), math.sqrt(law.variance)
    score = float(sgini(table)) if null == "permutation" else ((gain - law.mean) / sd if sd else 0.0)
    p = gini_pvalue(table, method="auto" if null == "permutation" else "gamma", model=null)
    law_by_chance = {"null_mean": float(law.mean), "null_sd": sd}
    return {"score": score, "gain": gain, **law_by_chance, "p": float(p), "method": p.method}


def feature_tables(data: Any, label: Any, *, discretiser: Any = None, thresholds: Any = None) -> dict[Any, Table]:
    """Return the table of every feature by its name or position, each value a row; see `rank_features`.

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
        rule, got = "data with the name of a label take bins=", "a discretiser or thresholds"
        raise ValueError(complaint(rule, got, "pass bins=, or the features and a vector of labels"))
    if cutting.get("resume") is not None:
        rule, got = "resume= works on files", "a discretiser or thresholds"
        raise ValueError(complaint(rule, got, "leave out resume="))
    names = list(getattr(data, "columns", []))
    with numbers(data):
        columns = np.asarray(data if discretiser is None else discretiser.fit_transform(data, label))
    if thresholds is not None:
        columns = _halved(columns, thresholds)
    named = dict(zip(names, columns.T, strict=True)) if len(names) == columns.shape[1] else columns
    return Tables.of(named, label, missing="row")


def _halved(columns: Array, thresholds: Any) -> Array:
    """Tell which values lie above the threshold of their feature."""
    cuts = finite(thresholds, "thresholds", 1)
    if cuts.shape != (columns.shape[1],):
        rule = "every feature needs one threshold"
        raise ValueError(complaint(rule, f"{cuts.shape} for {columns.shape[1]} features", "pass one for each"))
    with numbers(columns):
        return np.asarray(columns.astype(float) > cuts)
