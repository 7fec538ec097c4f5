"""Random columns of known values, written in many ways, and what each entry of the package takes them for.

A column is made of places: rows of equal places are written as equal values, places follow the order of the values, and
-1 is a missing value. So what an entry should read is known before anything is read. An entry is judged by its answer:
it must be the answer to the places themselves, as floats or as categories named by letters. Where it is not, other
readings of the column (values that were merged, missing values that count as values) are tried, to name what it read.

Main definitions: ``KINDS`` (what makes a column), ``ENTRIES`` (what answers), ``read_by`` (what an entry took a column
for), ``disagreements``.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

from splitcrit import SplitSelector, Table, Tables, TreeClassifier, audit, rank_features, selected_pvalue, split_test
from splitcrit.inference import InferenceTreeClassifier
from splitcrit.inference.selection import selected_score
from splitcrit.trees.distributed.dask_estimators import DaskTreeClassifier
from splitcrit.trees.multiway.classifier import MultiwayTreeClassifier

Array = Any
ROWS = 28
# What stands for a missing value.
GAPS = (None, float("nan"), pd.NaT, pd.NA, np.datetime64("NaT"), Decimal("NaN"), Decimal("sNaN"), np.ma.masked)


@dataclass(frozen=True)
class Reading:
    """What a column may be read as: ``"ordered"`` or ``"category"``, with the place of each row, -1 without a value."""

    name: str
    kind: str
    places: Array

    @property
    def table(self) -> Any:
        """The places themselves, in the plainest form."""
        if self.kind == "ordered":
            return pd.DataFrame({"x": np.where(self.places < 0, np.nan, self.places.astype(float))})
        return pd.DataFrame({"x": pd.Series([None if p < 0 else f"v{p:03d}" for p in self.places], dtype="category")})


@dataclass(frozen=True)
class Written:
    """A column in some container: a table of it alone, and its readings, the right one first."""

    kind: str
    form: str
    table: Any
    readings: tuple[Reading, ...]
    values: list[Any]

    @property
    def places(self) -> Array:
        """The place of the value of each row."""
        return self.readings[0].places


# Containers: each takes Python's values, None where one is missing, and returns a table of one column.


def as_list(values: list[Any]) -> Any:
    return [[x] for x in values]


def as_objects(values: list[Any]) -> Any:
    table = np.empty((len(values), 1), dtype=object)
    table[:, 0] = values
    return table


def as_array(dtype: str | None = None) -> Callable[[list[Any]], Any]:
    return lambda values: np.array([[x] for x in values], dtype=dtype)


def as_pandas(dtype: Any = None) -> Callable[[list[Any]], Any]:
    return lambda values: pd.DataFrame({"x": pd.Series(values, dtype=dtype)})


def as_polars(dtype: Any = None) -> Callable[[list[Any]], Any]:
    return lambda values: pl.DataFrame({"x": pl.Series(values, dtype=dtype)})


def as_arrow(dtype: Any = None) -> Callable[[list[Any]], Any]:
    return lambda values: pa.table({"x": pa.array(values, type=dtype)})


def as_dictionary(values: list[Any]) -> Any:
    return pa.table({"x": pa.array(values).dictionary_encode()})


def with_unused_levels(values: list[Any]) -> Any:
    found = pa.array(values).dictionary_encode()
    names = pa.array(["never", *found.dictionary.to_pylist(), "unused"])
    return pa.table({"x": pa.DictionaryArray.from_arrays(pa.compute.add(found.indices, 1), names)})


def as_categorical(values: list[Any], more: Sequence[Any] = (), ordered: bool = False) -> Any:
    levels = sorted({x for x in values if x is not None} | set(more))
    return pd.DataFrame({"x": pd.Categorical(values, categories=levels, ordered=ordered)})


def as_masked(values: list[Any]) -> Any:
    found = as_objects(values)
    return np.ma.MaskedArray(found, [[any(x is gap for gap in GAPS)] for x in values])


PYTHON: dict[str, Callable[[list[Any]], Any]] = {
    "list": as_list, "object array": as_objects, "masked array": as_masked, "pandas object": as_pandas(object),
}  # fmt: skip
TEXTS = PYTHON | {
    "pandas str": as_pandas("str"), "pandas string": as_pandas("string"), "pandas categorical": as_categorical,
    "polars": as_polars(pl.String), "polars categorical": as_polars(pl.Categorical), "Arrow": as_arrow(pa.string()),
    "Arrow large": as_arrow(pa.large_string()), "Arrow dictionary": as_dictionary,
}  # fmt: skip


AS_CATEGORIES = {name: TEXTS[name] for name in ("pandas categorical", "Arrow dictionary")}
UNTYPED = {name: TEXTS[name] for name in TEXTS if name not in AS_CATEGORIES}


def typed(numpy: str, pandas: str, polars: Any, arrow: Any) -> dict[str, Callable[[list[Any]], Any]]:
    """The containers of numbers of a type."""
    return {"nullable": as_pandas(pandas), "polars": as_polars(polars), "Arrow": as_arrow(arrow)} | (
        {"numpy": as_array(numpy), "pandas": as_pandas(numpy)}
    )


WHOLE = PYTHON | typed("int64", "Int64", pl.Int64, pa.int64())
UNSIGNED = PYTHON | typed("uint64", "UInt64", pl.UInt64, pa.uint64())
FLOATS = PYTHON | typed("float64", "Float64", pl.Float64, pa.float64())
WITH_GAPS = ("numbers", "infinite", "dates", "time zones")  # kinds whose plain numpy and pandas columns may have some


def places_of(rng: np.random.Generator, values: int, gaps: float) -> Array:
    """Random places: ``values`` of them occur, and a share of rows has none."""
    found = np.concatenate([np.arange(values), rng.integers(0, values, ROWS - values)])
    rng.shuffle(found)
    return np.where(rng.random(ROWS) < gaps, -1, found)


def dense(places: Array) -> Array:
    """Places without those that do not occur."""
    there = np.unique(places[places >= 0])
    return np.where(places < 0, -1, np.searchsorted(there, places))


def written(
    rng: np.random.Generator, kind: str, pool: Sequence[Any], forms: dict[str, Callable[[list[Any]], Any]], shape: str,
    *, key: Callable[[Any], Any] = lambda x: x, merge: Callable[[Any], Any] | None = None, marks: bool = False,
    needs: Callable[[Any], bool] = lambda x: True,
) -> Written:  # fmt: skip
    """A column of some values of a pool, which may be equal to others by ``key``; ``merge`` is a wrong reading.

    At least one of them is of what the kind ``needs``.
    """
    form = str(rng.choice(list(forms)))
    full = form in ("numpy", "pandas") and kind not in WITH_GAPS
    chosen = list(pool) if len(pool) <= ROWS else [pool[i] for i in rng.choice(len(pool), ROWS, replace=False)]
    values: list[Any] = []
    while not any(map(needs, values)):
        size = int(rng.integers(2, min(len(chosen), 9) + 1))
        some = [chosen[i] for i in rng.permutation(len(chosen))[:size]]
        at = places_of(rng, size, 0.0 if full or rng.random() < 0.5 else 0.2)
        values = [None if p < 0 else some[p] for p in at]
    gaps = [GAPS[i] for i in rng.integers(0, len(GAPS), ROWS)]
    given = [g if x is None and marks and form in PYTHON else x for x, g in zip(values, gaps, strict=True)]

    def read(name: str, how: str, by: Callable[[Any], Any]) -> Reading:
        levels = sorted({by(x) for x in values if x is not None})
        place = {level: p for p, level in enumerate(levels)}
        return Reading(name, how, np.array([-1 if x is None else place[by(x)] for x in values]))

    others = [read("other kind", "category" if shape == "ordered" else "ordered", key)]
    if merge is not None:
        others += [read("merged", how, merge) for how in ("ordered", "category")]
    right = read("right", shape, key)
    kept = Reading("gaps kept", shape, np.where(right.places < 0, right.places.max() + 1, right.places))
    return Written(kind, form, forms[form](given), (right, *others, kept), values)


def number(x: Any) -> Any:
    """The size of a number: of an integer itself, of others that of the float next to it."""
    if isinstance(x, float | np.floating):
        return Fraction(float(x))
    exact = Fraction(int(x)) if isinstance(x, np.integer | bool | np.bool_) else Fraction(x)
    return exact if exact.denominator == 1 else Fraction(float(exact))


def instant(x: Any) -> int:
    """Nanoseconds since 1970."""
    return int(pd.Timestamp(x).value)


def length(x: Any) -> int:
    """The nanoseconds of a duration, or of a time of the day since midnight."""
    return int(pd.Timedelta(x if isinstance(x, timedelta) else datetime.combine(DAY, x) - MIDNIGHT).value)


DAY = date(2024, 2, 26)
MIDNIGHT = datetime(DAY.year, DAY.month, DAY.day)
DAYS = [DAY + timedelta(days=k) for k in range(40)]
ZONES = [timezone(timedelta(hours=h)) for h in (-5, 0, 2)]
MOMENTS = [datetime(2024, 3, 9, h, 30, tzinfo=UTC).astimezone(zone) for h in range(12) for zone in ZONES]
TYPED_DAYS = PYTHON | {
    "numpy": as_array("datetime64[D]"), "pandas": as_pandas("datetime64[ns]"), "polars": as_polars(pl.Date),
    "Arrow": as_arrow(pa.date32()),
}  # fmt: skip
ZONED = PYTHON | {
    "pandas": as_pandas("datetime64[ns, Europe/Berlin]"), "polars": as_polars(pl.Datetime("us", "Europe/Berlin")),
    "Arrow": as_arrow(pa.timestamp("us", "Europe/Berlin")),
}  # fmt: skip
DECIMALS = PYTHON | {"Arrow": as_arrow(pa.decimal128(30, 6)), "polars": as_polars(pl.Decimal(30, 6))}
HOURS = PYTHON | {"polars": as_polars(pl.Time), "Arrow": as_arrow(pa.time64("us"))}
SPANS = PYTHON | {"polars": as_polars(pl.Duration("us")), "Arrow": as_arrow(pa.duration("us"))}
BYTES = PYTHON | {"polars": as_polars(pl.Binary), "Arrow": as_arrow(pa.binary())}
TRUTHS = PYTHON | {
    "numpy": as_array("bool"), "pandas": as_pandas("bool"), "nullable": as_pandas("boolean"),
    "polars": as_polars(pl.Boolean), "Arrow": as_arrow(pa.bool_()),
}  # fmt: skip
UNUSED: dict[str, Callable[[list[Any]], Any]] = {
    "pandas categorical": lambda values: as_categorical(values, ("aaa", "zzz")), "Arrow dictionary": with_unused_levels,
}  # fmt: skip
STEPS: dict[str, Callable[[list[Any]], Any]] = {
    "pandas ordered": lambda values: as_categorical(values, ("0 none", "9 all"), ordered=True),
    "polars enum": as_polars(pl.Enum(["0 none", "1 low", "2 mid", "3 high", "4 top", "9 all"])),
}  # fmt: skip

LARGE = [0, 1, 2**53, 2**53 + 1, -(2**53) - 1, 2**63, 2**63 + 1, -(2**63) - 1, 10**40, 10**40 + 1]
MANY_TYPES = [1, 1.0, 0.5, Decimal("0.5"), Fraction(1, 2), Decimal("0.1"), 0.1, np.int8(1), np.float32(0.5),
              np.uint64(2**63), 2**63, 2**63 + 1, np.longdouble(0.5)]  # fmt: skip
MIXED_DAYS = [date(2024, 1, 1), datetime(2024, 1, 1), datetime(2024, 1, 1, 1), date(1969, 1, 1), datetime(2024, 2, 1)]
OF_LIBRARIES = [np.datetime64("2024-01-01"), np.datetime64("2024-01-02"), np.datetime64("2024-01-01T00:00"),
                pd.Timestamp("2024-01-01"), pd.Timestamp("2024-01-01T00:00:00.000000001")]  # fmt: skip
TENS = [Decimal(x) for x in ("1.10", "1.1", "2.50", "2.5", "3", "4.0001", "-7")]
THIRDS = [Fraction(1, 3), Fraction(2, 3), Fraction(5, 7), Fraction(4, 2), Fraction(-1, 9)]
QUARTERS, ENDS = [k / 4 for k in range(-9, 40)], [float("-inf"), float("inf"), *(k / 2 for k in range(9))]
DAYS_AS_TEXTS = [str(day) for day in DAYS]
MERGED: dict[str, Any] = {"merge": float, "marks": True}  # by a reader that takes texts for numbers
MARKS = {"marks": True}
OF_KINDS: dict[str, tuple[Any, dict[str, Any], str, dict[str, Any]]] = {  # values, how they are written, what they are
    "numbers": (QUARTERS, FLOATS, "ordered", {}),
    "whole numbers": (range(-4, 30), WHOLE, "ordered", {}),
    "leading zeros": (["007", "7", "07", "0123", "123", "00123", "45", "045"], TEXTS, "category", MERGED),
    "1.10 and 1.1": (["1.10", "1.1", "1.100", "2.50", "2.5", "3", "3.0"], TEXTS, "category", MERGED),
    "3E4 and 30000": (["3E4", "30000", "3e4", "1E3", "1000", "1e3", "20"], TEXTS, "category", MERGED),
    "about 2^53": ([2**53 + k for k in range(-6, 12)], WHOLE, "ordered", {"merge": float}),
    "about 2^63": ([2**63 + k for k in range(-6, 12)], UNSIGNED, "ordered", {"merge": float}),
    "seconds": ([1_700_000_000 + k for k in range(60)], WHOLE, "ordered", {}),
    "Decimals": (TENS, DECIMALS, "ordered", {}),
    "fractions": (THIRDS, PYTHON, "ordered", {}),
    "mixed texts": (["a", "b", "c7", "1", "e", "f", 1], PYTHON, "category", {"key": str} | MARKS),
    "time zones": (MOMENTS, ZONED, "ordered", MARKS),
    "dates": (DAYS, TYPED_DAYS, "ordered", MARKS),
    "dates as texts": (DAYS_AS_TEXTS, UNTYPED, "ordered", MARKS),
    "categories of dates": (DAYS_AS_TEXTS, AS_CATEGORIES, "category", {}),
    "marks of missing": (QUARTERS, PYTHON, "ordered", MARKS),
    "booleans": ([False, True], TRUTHS, "ordered", MARKS),
    "unused levels": (["bb", "cc", "dd", "ee", "x1"], UNUSED, "category", {}),
    "declared order": (["1 low", "2 mid", "3 high", "4 top"], STEPS, "ordered", {}),
    "infinite": (ENDS, FLOATS, "ordered", {}),
    "integers of any size": (LARGE, PYTHON, "ordered", {"key": number} | MARKS),
    "numbers of many types": (MANY_TYPES, PYTHON, "ordered", {"key": number} | MARKS),
    "days and instants": (MIXED_DAYS, PYTHON, "ordered", {"key": instant} | MARKS),
    "dates of libraries": (OF_LIBRARIES, PYTHON, "ordered", {"key": instant} | MARKS),
    "times of the day": ([time(1), time(2), time(1, 0, 0, 1)], HOURS, "ordered", {"key": length} | MARKS),
    "durations": ([timedelta(1), timedelta(hours=2), timedelta(0)], SPANS, "ordered", {"key": length} | MARKS),
    "truth values and numbers": ([True, False, 0, 1, 2.5, np.False_], PYTHON, "ordered",  # the first two: another kind
                                 {"key": number, "needs": lambda x: type(x) in (int, float)} | MARKS),
    "bytes": ([b"a", b"b", b"c"], BYTES, "category", MARKS),
    "texts and others": (["a", "b", "1", "True", True], PYTHON, "category", {"key": str}),
}  # fmt: skip
KINDS: dict[str, Callable[[np.random.Generator], Written]] = {
    kind: partial(written, kind=kind, pool=pool, forms=forms, shape=shape, **options)
    for kind, (pool, forms, shape, options) in OF_KINDS.items()
}


FORMS = {*TEXTS, *FLOATS, *UNUSED, *STEPS}


# Entries: each answers to a table of one column and the labels of its rows.


def labels_of(rng: np.random.Generator, places: Array) -> Array:
    """Two classes that depend on the places a little."""
    chance = rng.random(places.max() + 2)[places]
    y = (rng.random(len(places)) < chance).astype(int)
    y[:2] = 0, 1
    return y


def by_rank(x: Any, y: Any, **options: Any) -> Any:
    ranked = rank_features(x, y, exact=True, **options)
    (found,), (column,) = ranked.features, ranked.columns.values()
    return found.kind == "category", column.values, column.missing, repr(found.p), repr(found.score)


def by_test(x: Any, y: Array) -> Any:
    found = split_test(x, y, n_permutations=99).features[0]
    return found.kind == "categories", repr(found.p), repr(found.score)


def by_score(x: Any, y: Array) -> Any:
    return [repr(part.tolist()) for part in selected_score(x, y)]


def by_selector(x: Any, y: Array) -> Any:
    found = SplitSelector(n_permutations=99).fit(x, y)
    return found.test_.features[0].kind == "categories", repr(found.pvalues_.tolist())


def leaves_of(tree: Any, ends: Array) -> Array:
    """The leaf of each row, counted from the left."""
    order, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if tree.children_left[node] < 0:
            order.append(node)
        else:
            waiting += [tree.children_right[node], tree.children_left[node]]
    return np.argsort(np.array(order))[np.searchsorted(np.sort(order), ends)]


def partition(ends: Array) -> list[int]:
    """Rows together, whatever the order of the parts."""
    first: dict[Any, int] = {}
    return [first.setdefault(end, len(first)) for end in np.asarray(ends).tolist()]


def by_tree(x: Any, y: Array) -> Any:
    """The leaves of a tree whose rows all differ: one for each value."""
    model = TreeClassifier(categorical_features="from_dtype").fit(x, np.arange(len(y)))
    ends, words = model.apply(x), model.categories_ is not None
    return words, partition(ends) if words else leaves_of(model.nodes_, ends).tolist()


def by_tested_tree(x: Any, y: Array) -> Any:
    model = InferenceTreeClassifier(categorical_features="from_dtype", n_permutations=49, max_depth=1, random_state=0)
    return repr(model.fit(x, y).pvalues_[:1].tolist())


def by_audit(x: Any, y: Array) -> Any:
    tree = TreeClassifier(categorical_features="from_dtype", max_depth=1).fit(x, y)
    found = audit(tree, x, y, rows="training").splits
    held = audit(tree, x, y, rows="held-out")
    return found.tables.tolist(), held.splits.tables.tolist(), repr(held.alone)


def by_multiway(x: Any, y: Array) -> Any:
    model = MultiwayTreeClassifier(d_num=ROWS, max_depth=1).fit(x, np.arange(len(y)))
    return partition(model.apply(x))


def by_dask(x: Any, y: Array) -> Any:
    """The leaves of a tree of two partitions."""
    if isinstance(x, pd.DataFrame):
        with dask.config.set({"dataframe.convert-string": False}):  # Dask makes texts of all objects
            parts, labels = (dd.from_pandas(each, npartitions=2) for each in (x, pd.Series(np.arange(len(y)))))
    else:
        parts, labels = da.from_array(x, chunks=(ROWS // 2, 1)), da.from_array(np.arange(len(y)), chunks=ROWS // 2)
    model = DaskTreeClassifier(categorical_features="from_dtype").fit(parts, labels)
    ends, words = model.to_local().apply(x), model.categories_ is not None
    return words, partition(ends) if words else leaves_of(model.nodes_, ends).tolist()


def vector_of(x: Any) -> Any:
    """The column of a table as a vector."""
    return [row[0] for row in x] if isinstance(x, list) else x[:, 0] if isinstance(x, np.ndarray) else x["x"]


def each(y: Array) -> list[str]:
    """A label of its own for each row."""
    return [f"row {i:02}" for i in range(len(y))]


def rows_of(table: Any, words: bool) -> Any:
    """The row of a table in which each observation is; of words, which are together."""
    rows = np.unique(table.counts.argmax(axis=0), return_inverse=True)[1]  # declared levels that are not there apart
    return words, partition(rows) if words else rows.tolist(), "(missing)" in [str(name) for name in table.row_names]


def by_tables(x: Any, y: Array) -> Any:
    found = [Tables.of({"x": vector_of(x)}, each(y), missing="row", bins=bins) for bins in (64, None)]
    return [rows_of(t.tables["x"], t.columns["x"].kind == "category") for t in found]


def by_table(x: Any, y: Array) -> Any:
    found = Table.of(vector_of(x), each(y), missing="row")
    return rows_of(found, isinstance(found.row_names[0], str | bytes))


def by_pvalue(x: Any, y: Array) -> Any:
    found = selected_pvalue(vector_of(x), y, missing="side")
    return repr(found.value), found.cut


ENTRIES: dict[str, Callable[[Any, Array], Any]] = {
    "rank_features": by_rank, "split_test": by_test, "selected_score": by_score, "SplitSelector": by_selector,
    "TreeClassifier": by_tree, "tested tree": by_tested_tree, "audit": by_audit, "multiway": by_multiway,
    "Dask": by_dask, "Tables.of": by_tables, "Table.of": by_table, "selected_pvalue": by_pvalue,
}  # fmt: skip


def answer(entry: Callable[[Any, Array], Any], x: Any, y: Array) -> Any:
    """The answer of an entry, or its refusal in words."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return entry(x, y)
        except (ValueError, TypeError) as error:
            return f"refused: {error}"
        except Exception as error:
            return f"{type(error).__name__}: {error}"


def read_by(entry: Callable[[Any, Array], Any], column: Written, y: Array) -> str:
    """The name of the reading of a column whose answer an entry gives; ``"right"`` where it is the right one."""
    found = answer(entry, column.table, y)
    for reading in column.readings:
        if found == answer(entry, reading.table, y):
            return f"{reading.name}" if reading.name != "merged" else f"merged, {reading.kind}"
    return found if isinstance(found, str) and ":" in found else "another reading"


DATES = r"got dates or times in column|got dtype datetime64"
DATED = ("dates", "time zones", "dates as texts", "days and instants", "dates of libraries", "times of the day",
         "durations")  # fmt: skip
LEARNERS = ("TreeClassifier", "tested tree", "audit", "Dask")  # of a tree of ours
WORDS = {"multiway": "features are numbers; got", "selected_pvalue": "follow the order of its values; got text"}
LARGE_KINDS = ("about 2^53", "about 2^63", "integers of any size", "numbers of many types")
SAID = {  # what an entry does not take, by the sentence that says so
    **{(name, kind): DATES for name in (*LEARNERS, "multiway") for kind in DATED},
    **{(name, kind): "trees compare features in float64" for name in LEARNERS for kind in ("about 2^53", "about 2^63")},
    **{("Table.of", kind): "" for kind in ("dates as texts", "declared order")},  # texts are words there
    ("selected_pvalue", "dates as texts"): "follow the order of its values; got text",
    **{(name, kind): "float64" for name in LEARNERS for kind in ("integers of any size", "numbers of many types")},
    **{(name, "declared order"): "" for name in LEARNERS},  # whose subsets split it as a set, which reads no order
    **{(name, "booleans"): "" for name in ("rank_features", "audit")},  # a ranking judges truth values by their table
    ("multiway", "declared order"): "features are numbers; got", ("multiway", "infinite"): "contains infinity",
    **{("multiway", kind): "features are compared in float64" for kind in LARGE_KINDS},
}  # fmt: skip


def is_said(name: str, column: Written, found: str) -> bool:
    """Whether an entry says in a sentence that it does not take such a column."""
    if column.form == "masked array" and "features have no masked entries" in found:
        return name in LEARNERS or name == "multiway"
    words = column.readings[0].kind == "category" and name in WORDS
    said = WORDS[name] if words else SAID.get((name, column.kind))
    return said == "" or (said is not None and found.startswith("refused") and re.search(said, found) is not None)


def columns(kind: str, number: int, seed: int = 0) -> Iterator[tuple[Written, Array]]:
    """Some columns of a kind with labels."""
    for k in range(number):
        rng = np.random.default_rng([seed, k, *kind.encode()])
        column = KINDS[kind](rng)
        yield column, labels_of(rng, column.places)


def disagreements(kind: str, number: int, entries: Sequence[str] = tuple(ENTRIES)) -> Iterator[tuple[str, str, str]]:
    """Entry, form and reading wherever an entry reads a column of a kind otherwise than it is."""
    for column, y in columns(kind, number):
        for name in entries:
            if name == "Dask" and not isinstance(column.table, pd.DataFrame | np.ndarray):
                continue
            found = read_by(ENTRIES[name], column, y)
            if found != "right" and not is_said(name, column, found):
                yield name, column.form, found
