"""One rule for what a column is: every entry finds the same rows equal, in the same order, and the same rows missing.

The rule, said again by a key for each kind of value: numbers by size, integers of any size apart and others as floats;
dates as instants, in UTC if they have a time zone; times of the day and durations by length; truth values as 0 and 1;
typed texts by themselves, but for those that are all ISO dates, which are dates; what is no text among texts by what it
would be written as.

Where an entry cannot agree by nature, this is said here: a CSV file holds texts alone, so that its texts are numbers if
all are, truth values and durations are words there, and dates have microseconds; spaces around texts count in a vector,
but not in a CSV file. `Table.of` and `selected_pvalue` take texts for words, dates too.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from splitcrit import Table, Tables, TreeClassifier, rank_features
from splitcrit.columns.features import read_features
from splitcrit.data import csv_files, sources
from splitcrit.data.formats import FileOptions
from splitcrit.nulls.feature_counts import feature_counts
from tiers import fewer

UTC, EAST = dt.UTC, dt.timezone(dt.timedelta(hours=2))
NOON = dt.datetime(2024, 1, 1, 12)
Codes = tuple[int, ...]
GAPS = [None, float("nan"), pd.NA, pd.NaT, np.datetime64("NaT"), np.ma.masked, Decimal("NaN"), Decimal("sNaN")]


def number(x: Any) -> Any:
    """The key of a number: itself if it is an integer, else the float next to it."""
    if isinstance(x, float | np.floating):
        return Fraction(float(x)) if np.isfinite(x) else float(x)
    exact = Fraction(int(x)) if isinstance(x, np.integer | bool | np.bool_) else Fraction(x)
    return exact if exact.denominator == 1 else Fraction(float(exact))


def instant(x: Any) -> Any:
    """The key of a date: nanoseconds since 1970, in UTC if it has a time zone."""
    if isinstance(x, dt.datetime) and x.tzinfo is not None:
        x = x.astimezone(UTC).replace(tzinfo=None)
    return pd.Timestamp(x).value


def length(x: Any) -> Any:
    """The key of a duration, or of a time of the day."""
    if isinstance(x, dt.time):
        x = dt.timedelta(hours=x.hour, minutes=x.minute, seconds=x.second, microseconds=x.microsecond)
    return pd.Timedelta(x).value


Kind = tuple[list[Any], Callable[[Any], Any], str]
BIG = [0, 1, 2**53, 2**53 + 1, 2**63 - 1, -(2**53) - 1]
KINDS: dict[str, Kind] = {
    "integers": (BIG, number, "number"),
    "unsigned integers": ([0, 2**53, 2**53 + 1, 2**63, 2**63 + 1, 2**64 - 1], number, "number"),
    "integers of any size": ([*BIG, 2**63, 2**63 + 1, -(2**63) - 1, 10**40, 10**40 + 1], number, "number"),
    "floats": ([0.0, -0.0, 0.5, -0.5, 1e300, 1e-300, 2.0**53], number, "number"),
    "floats, infinite ones among them": ([0.0, 0.5, float("inf"), -float("inf")], number, "number"),
    "Decimals": ([Decimal("0.5"), Decimal("0.50"), Decimal("0.1"), Decimal(2**53 + 1), Decimal(2**53), Decimal("1e3")],
                 number, "number"),
    "Fractions": ([Fraction(1, 2), Fraction(1, 3), Fraction(2**53 + 1), Fraction(2**53), Fraction(-7, 2)], number,
                  "number"),
    "numbers of many types": ([1, 1.0, 0.5, Decimal("0.5"), Fraction(1, 2), Decimal("0.1"), 0.1, np.int8(1),
                               np.float32(0.5), np.uint64(2**63), 2**63, 2**63 + 1, np.longdouble(0.5)],
                              number, "number"),
    "truth values": ([True, False, np.True_], number, "flag"),
    "truth values and numbers": ([True, False, 0, 1, 2.5, np.False_], number, "number"),
    "days": ([dt.date(2024, 1, 1), dt.date(2024, 2, 1), dt.date(1969, 1, 1)], instant, "date"),
    "instants": ([NOON, NOON + dt.timedelta(microseconds=1), dt.datetime(2024, 2, 1)], instant, "date"),
    "days and instants": ([dt.date(2024, 1, 1), dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 1, 1)], instant, "date"),
    "time zones": ([NOON.replace(tzinfo=UTC), NOON.replace(hour=14, tzinfo=EAST), NOON.replace(hour=13, tzinfo=UTC)],
                   instant, "date"),
    "dates of numpy": ([np.datetime64("2024-01-01"), np.datetime64("2024-01-02"), np.datetime64("2024-01-01T00:00")],
                       instant, "date"),
    "dates of pandas": ([pd.Timestamp("2024-01-01"), pd.Timestamp("2024-01-01T00:00:00.000000001"),
                         pd.Timestamp("2024-01-02")], instant, "date"),
    "times of the day": ([dt.time(1), dt.time(2), dt.time(1, 0, 0, 1)], length, "date"),
    "durations": ([dt.timedelta(1), dt.timedelta(hours=2), dt.timedelta(0)], length, "date"),
    "words": (["a", "b", "A", "b c"], str, "category"),
    "numbers as texts": (["1", "2", "10", "1.0", str(2**53 + 1), str(2**53), "-3"], str, "category"),
    "dates as texts": (["2024-01-01", "2024-01-01T00:00", "2023-12-31"], instant, "date"),
    "texts and others": (["a", 1, "1", 1.5, True, "True"], str, "category"),
    "bytes": ([b"a", b"b"], str, "category"),
}  # fmt: skip
TYPES = {  # of Arrow and polars, for kinds that have one
    "integers": pa.int64(), "unsigned integers": pa.uint64(), "floats": pa.float64(), "truth values": pa.bool_(),
    "floats, infinite ones among them": pa.float64(), "days": pa.date32(), "instants": pa.timestamp("us"),
    "time zones": pa.timestamp("us", "UTC"), "times of the day": pa.time64("us"), "durations": pa.duration("us"),
    "words": pa.string(), "numbers as texts": pa.string(), "dates as texts": pa.string(), "bytes": pa.binary(),
}  # fmt: skip
IN_FILES: dict[str, tuple[Callable[[Any], Any], str]] = {  # keys and kinds that are others there
    "numbers as texts": (lambda x: number(Fraction(x)), "number"), "truth values": (str, "category"),
}  # fmt: skip
IN_CROSSINGS = ("dates as texts",)  # words where a vector is crossed with another, or ordered
NOT_IN_TEXT = ("truth values and numbers", "times of the day", "durations", "dates of pandas")


def missing(x: Any) -> bool:
    return any(x is gap for gap in GAPS)


def expected(values: list[Any], key: Callable[[Any], Any], in_order: bool) -> Codes:
    """The place of each row among the distinct keys, in their order or in that of the rows; -1 where it is missing."""
    keys = [None if missing(x) else key(x) for x in values]
    there = [x for x in keys if x is not None]
    places = {x: i for i, x in enumerate(sorted(set(there)) if in_order else dict.fromkeys(there))}
    return tuple(-1 if x is None else places[x] for x in keys)


def places(rows: Any, gap: int | None, in_order: bool) -> Codes:
    """Row numbers of a table as places that all occur."""
    listed = [int(row) for row in rows]
    there = [row for row in listed if row != gap]
    at = {row: i for i, row in enumerate(sorted(set(there)) if in_order else dict.fromkeys(there))}
    return tuple(-1 if row == gap else at[row] for row in listed)


def of_table(table: Table, in_order: bool) -> Codes:
    """The row of each observation, which alone has its class."""
    names = [name if isinstance(name, str) else None for name in table.row_names]
    gap = names.index("(missing)") if "(missing)" in names else None
    return places(table.counts.argmax(axis=0), gap, in_order)


def label(values: list[Any]) -> list[str]:
    return [f"row {i:02}" for i in range(len(values))]


def objects(values: list[Any]) -> Any:
    return np.fromiter(values, dtype=object, count=len(values))


def cell(x: Any) -> str:
    if missing(x):
        return ""
    if isinstance(x, Fraction) and x.denominator > 1:
        return repr(float(x))
    return x.isoformat() if isinstance(x, dt.datetime) else str(x)


def file_of(values: list[Any], folder: Path) -> Path:
    rows = (f"{cell(x)},{y}\n" for x, y in zip(values, label(values), strict=True))
    (path := folder / "data.csv").write_text("x,y\n" + "".join(rows))
    return path


@contextmanager
def read_so(**sizes: int) -> Iterator[None]:
    """Files are read by pyarrow (LARGE) or in parts (HELD)."""
    with pytest.MonkeyPatch.context() as patch:
        for name, size in sizes.items():
            patch.setattr(csv_files if hasattr(csv_files, name) else sources, name, size)
        yield


def vectors(kind: str, values: list[Any]) -> Iterator[tuple[str, Any]]:
    """The same values in every container that holds them."""
    yield "list", values
    yield "object array", objects(values)
    yield "object column of pandas", pd.Series(objects(values), dtype=object)
    yield "masked array", np.ma.MaskedArray(objects(values), [missing(x) for x in values])
    if kind in TYPES:
        plain = [None if missing(x) else bool(x) if kind == "truth values" else x for x in values]
        array = pa.array(plain, TYPES[kind])
        yield "Arrow", array
        yield "polars", pl.from_arrow(array)
        yield "Arrow in pandas", pd.Series(array, dtype=pd.ArrowDtype(array.type))


def tables_of(kind: str, values: list[Any], in_order: bool) -> Iterator[tuple[str, Codes]]:
    """What each entry of tables finds in vectors, whether or not they may be cut."""
    for name, vector in vectors(kind, values):
        found = Tables.of({"x": vector}, label(values), missing="row", bins=64)
        yield f"Tables.of, {name}, bins", of_table(found.tables["x"], in_order)
        found = Tables.of({"x": vector}, label(values), missing="row")
        yield f"Tables.of, {name}", of_table(found.tables["x"], in_order)
        if kind not in IN_CROSSINGS:
            yield f"Table.of, {name}", of_table(Table.of(vector, label(values), missing="row"), in_order)
    if kind in TYPES:
        table = pa.table({"x": dict(vectors(kind, values))["Arrow"], "y": label(values)})
        for bins in (64, None):
            yield (
                f"Arrow table, {bins}",
                of_table(Tables.of(table, "y", missing="row", bins=bins).tables["x"], in_order),
            )


def tables_of_file(values: list[Any], folder: Path, in_order: bool) -> Iterator[tuple[str, Codes]]:
    """What is found in a CSV file, however it is read."""
    path = file_of(values, folder)
    for name, sizes in (("csv", {"LARGE": 2**20}), ("pyarrow", {"LARGE": 0}), ("in parts", {"HELD": 0})):
        with read_so(**sizes):
            found = Tables.of(path, "y", missing="row", bins=64)
            yield f"CSV file, {name}", of_table(found.tables["x"], in_order)
    kept = Tables.of(path, "y", missing="row", bins=64, resume=str(folder / "kept"))
    yield "CSV file, resumed", of_table(kept.tables["x"], in_order)


def in_tests(kind: str, values: list[Any], in_order: bool) -> Iterator[tuple[str, Codes]]:
    """What a test of a split and a p-value of a column read."""
    for name, vector in vectors(kind, values):
        if in_order and kind not in IN_CROSSINGS:
            counts = feature_counts(vector, label(values), "side")
            yield (
                f"selected_pvalue, {name}",
                places(counts.counts.argmax(axis=0), len(counts.counts) - 1 if counts.gaps else None, True),
            )
        if "infinite" in kind:  # which a learner refuses
            continue
        frames = []
        if "polars" in name or "pandas" in name:  # pandas makes floats of a list with gaps
            frames += [("frame", pl.DataFrame({"x": vector}) if name == "polars" else pd.DataFrame({"x": vector}))]
        if name == "list" and in_order:
            frames += [("rows", [[x] for x in values])]
        for what, frame in frames:
            (feature,) = read_features(frame, None, "side")
            gap = next(
                (i for i, x in enumerate(feature.levels.tolist()) if isinstance(x, str) and x == "(missing)"), -1
            )
            yield f"split_test, {what}, {name}", places(feature.codes, gap, in_order)


@st.composite
def columns(draw: Callable[..., Any], kind: str) -> list[Any]:
    values = draw(st.lists(st.sampled_from(KINDS[kind][0]), min_size=2, max_size=9))
    gaps = draw(st.lists(st.sampled_from(GAPS), max_size=2))
    text = ["a"] if kind == "texts and others" else []
    return list(draw(st.permutations([*values, *gaps, *text])))


@pytest.mark.parametrize("kind", KINDS)
@fewer(6)
@given(data=st.data())
def test_every_entry_reads_a_column_alike(
    tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
) -> None:
    values = data.draw(columns(kind))
    _, key, sort = KINDS[kind]
    in_order = sort != "category"
    want = expected(values, key, in_order)
    for entry, codes in (*tables_of(kind, values, in_order), *in_tests(kind, values, in_order)):
        assert codes == want, entry
    if kind not in NOT_IN_TEXT:
        key, sort = IN_FILES.get(kind, (key, sort))
        want = expected(values, key, sort != "category")
        for entry, codes in tables_of_file(values, tmp_path_factory.mktemp("column"), sort != "category"):
            assert codes == want, entry


@pytest.mark.parametrize("kind", KINDS)
@fewer(13)
@given(data=st.data())
def test_every_ranking_says_the_same_of_a_column(
    tmp_path_factory: pytest.TempPathFactory, kind: str, data: st.DataObject
) -> None:
    """Its kind, the number of its values and of the rows without one, whatever the target."""
    values = [*KINDS[kind][0], *data.draw(columns(kind))]
    _, key, sort = KINDS[kind]
    gaps = sum(map(missing, values))
    want = sort, len(set(expected(values, key, False)) - {-1}), gaps
    path = file_of(values, tmp_path_factory.mktemp("column"))
    (path.parent / "target.csv").write_text(
        "x,y\n" + "".join(f"{cell(x)},{'ab'[i % 2]}\n" for i, x in enumerate(values))
    )
    given_ = dict(vectors(kind, values))
    for name, vector in given_.items():
        for target in ([i % 2 for i in range(len(values))], [i + 0.5 for i in range(len(values))]):
            found = rank_features({"x": vector}, target).columns["x"]
            assert (found.kind, found.values, found.missing) == want, name
    if kind not in NOT_IN_TEXT:
        key, sort = IN_FILES.get(kind, (key, sort))
        found = rank_features(path.parent / "target.csv", "y").columns["x"]
        assert (found.kind, found.values, found.missing) == (sort, len({*expected(values, key, False)} - {-1}), gaps)
    if "Arrow" in given_:
        for target in ([i % 2 for i in range(len(values))], [i + 0.5 for i in range(len(values))]):
            found = rank_features(pa.table({"x": given_["Arrow"], "y": target}), "y").columns["x"]
            assert (found.kind, found.values, found.missing) == want


@pytest.mark.parametrize("entry", ["list", "objects", "file", "two vectors", "arrow"])
def test_dates_with_and_without_a_time_zone_have_no_order(tmp_path: Path, entry: str) -> None:
    values = [NOON, NOON.replace(tzinfo=UTC), NOON]
    file = tmp_path / "x.csv"
    file.write_text("x,y\n" + "".join(f"{x.isoformat()},{y}\n" for x, y in zip(values, "aba", strict=True)))
    calls: dict[str, Callable[[], Any]] = {
        "list": lambda: Tables.of({"x": values}, list("aba")),
        "objects": lambda: rank_features({"x": objects(values)}, list("aba")),
        "file": lambda: rank_features(file, "y"),
        "two vectors": lambda: Table.of(values, list("aba")),
        "arrow": lambda: rank_features(pa.table({"x": [x.isoformat() for x in values], "y": list("aba")}), "y"),
    }
    with pytest.raises(ValueError, match=r"all dates of a column must have a time zone, or none; got .* and .*; write"):
        calls[entry]()


def test_what_a_file_and_a_vector_cannot_have_alike(tmp_path: Path) -> None:
    """A file has texts alone, which are read unless words are asked for; typed texts stay texts."""
    (path := tmp_path / "x.csv").write_text("x,y\nTrue,a\n1,b\n 1:00:00,a\n1:00:00,b\n")
    assert Tables.of(path, "y", bins=9).tables["x"].row_names == ("1", "1:00:00", "True")
    for texts, of_file in (
        ([" a", "a"], ("a",)), (["1", "1.0"], (1.0,)), (["007", "7"], ("007", "7")), (["3E4", "30000"], (30000.0,)),
        (["1,5", "1.5"], ("1,5", "1.5")), (["?", "a"], ("?", "a")), (["?", "1"], (1, "(missing)")),
    ):  # fmt: skip
        path.write_text("x,y\n" + "".join(f'"{text}",{y}\n' for text, y in zip(texts, "pq", strict=True)))
        for bins in (None, 9):
            assert Tables.of(path, "y", bins=bins, missing="row").tables["x"].row_names == of_file
            for vector in (texts, np.array(texts), pd.Series(texts), pl.Series(texts), pa.array(texts)):
                assert Tables.of({"x": vector}, ["p", "q"], bins=bins).tables["x"].row_names == tuple(sorted(texts))
        words = FileOptions.of(as_text=["x"])
        assert Tables.of(path, "y", files=words).tables["x"].row_names == tuple(sorted({x.strip() for x in texts}))
    fine = ["2024-01-01T00:00:00.000000001", "2024-01-01"]
    for bins in (None, 9):
        assert Tables.of({"x": fine}, ["p", "q"], bins=bins).tables["x"].shape == (1, 2)
        assert Tables.of({"x": list(map(pd.Timestamp, fine))}, ["p", "q"], bins=bins).tables["x"].shape == (2, 2)
    assert Table.of(fine, ["p", "q"]).row_names == tuple(sorted(fine))


@pytest.mark.parametrize(
    "make",
    [
        lambda ids: np.array(ids).reshape(-1, 1),
        lambda ids: [[x] for x in ids],
        lambda ids: np.array([[Decimal(x)] for x in ids], dtype=object),
        lambda ids: pd.DataFrame({"id": ids}),
        lambda ids: pd.DataFrame({"id": pd.array(ids, dtype="Int64")}),
    ],
    ids=["array", "lists", "Decimals", "frame", "nullable frame"],
)
def test_an_estimator_merges_no_large_integers_in_silence(make: Callable[[list[int]], Any]) -> None:
    ids = [2**53 + i for i in range(8)]
    said = rf"stay apart; got {2**53} and {2**53 + 7} in column (0|id); subtract {2**53} from it"
    with pytest.raises(ValueError, match=said):
        TreeClassifier().fit(make(ids), [0, 1] * 4)
    TreeClassifier().fit(make([x - 2**53 for x in ids]), [0, 1] * 4)
    TreeClassifier().fit(make([2**54, 2**60] * 4), [0, 1] * 4)
