"""Tables of data that is read in parts: equal to those in memory, whatever the parts, the encoding and the reader."""

from __future__ import annotations

import bz2
import datetime
import gzip
import io
import json
import lzma
import math
import pickle
import re
import sqlite3
import struct
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from functools import reduce
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from matplotlib.figure import Figure

from refusals import refused
from splitcrit import rank_features
from splitcrit.cli import main
from splitcrit.data import counted_columns, partial_counts, row_parts
from splitcrit.data import sources as files
from splitcrit.data.columns import read_columns
from splitcrit.data.partial_counts import CountingPlan, Partial, ValueCounts, as_names
from splitcrit.data.resume import read_partial, write_partial
from splitcrit.data.row_parts import RowPart
from splitcrit.data.values import MISSING
from splitcrit.nulls.feature_counts import BINS
from splitcrit.table import Table, Tables

pa = pytest.importorskip("pyarrow")
ds = pytest.importorskip("pyarrow.dataset")
feather = pytest.importorskip("pyarrow.feather")
pq = pytest.importorskip("pyarrow.parquet")

NAN = float("nan")
DAYS = [datetime.date(2020, 1, 1), datetime.date(1969, 12, 31), datetime.date(2024, 2, 29)]
KINDS: dict[str, tuple[Any, list[Any]]] = {
    "text": (pa.string(), ["b", "a", "", "Z", None]),
    "long text": (pa.large_string(), ["b", "a", None]),
    "text view": (pa.string_view(), ["b", "a", None]),
    "bytes": (pa.binary(), [b"b", b"a", None]),
    "boolean": (pa.bool_(), [True, False, None]),
    "integer": (pa.int64(), [10, 9, -1, None]),
    "unsigned": (pa.uint64(), [2**64 - 1, 2**64 - 2, 0, None]),
    "float": (pa.float64(), [0.5, -0.0, 0.0, float("inf"), NAN, None]),
    "float32": (pa.float32(), [0.5, 2.0, NAN, None]),
    "decimal": (pa.decimal128(5, 2), [Decimal("1.50"), Decimal("-1.50"), None]),
    "day": (pa.date32(), [*DAYS, None]),
    "instant": (pa.timestamp("us"), [datetime.datetime(2020, 1, 1, 3), datetime.datetime(2019, 1, 1), None]),
    "time": (pa.time64("us"), [datetime.time(3), datetime.time(1, 2), None]),
    "nothing": (pa.null(), [None]),
}
LABELS = ["no", "yes", "maybe"]


def name_of(value: Any, kind: Any) -> Any:
    """The name that a table gives to an Arrow value, said again: numpy's dates, missing for null and nan.

    A time of the day is the duration since midnight.
    """
    if value is None or value != value:
        return MISSING
    if pa.types.is_time(kind):
        midnight = datetime.datetime.combine(DAYS[0], datetime.time())
        return np.timedelta64(datetime.datetime.combine(DAYS[0], value) - midnight)
    if pa.types.is_date(kind):
        return np.datetime64(value, "D")
    return np.datetime64(value, "us") if pa.types.is_timestamp(kind) else value


def cells_of(table: Table) -> dict[tuple[Any, Any], int]:
    """The cells of a table that are not 0, by names."""
    rows, classes = np.nonzero(table.counts)
    return {(table.row_names[i], table.class_names[j]): table.counts[i, j] for i, j in zip(rows, classes, strict=True)}


@st.composite
def parted(draw: Callable[..., Any]) -> tuple[str, list[tuple[list[Any], list[str]]]]:
    """A kind of column, and parts of its values with their labels; some parts are empty."""
    kind = draw(st.sampled_from(sorted(KINDS)))
    row = st.tuples(st.sampled_from(KINDS[kind][1]), st.sampled_from(LABELS))
    parts = draw(st.lists(st.lists(row, max_size=6), min_size=1, max_size=5).filter(any))
    return kind, [([value for value, _ in part], [label for _, label in part]) for part in parts]


def encoded(values: list[Any], kind: Any, shift: int) -> Any:
    """A dictionary array of its own dictionary, which is in another order and names what no entry has."""
    words = sorted({value for value in values if value is not None}, key=repr)
    words = ["unseen", *words[shift % (len(words) or 1) :], *words[: shift % (len(words) or 1)]]
    places = [None if value is None else words.index(value) for value in values]
    return pa.DictionaryArray.from_arrays(pa.array(places, pa.int8()), pa.array(words, kind))


def table_of(kind: str, parts: list[Any]) -> Any:
    """An Arrow table with a chunk for each part."""
    chunks = [pa.array(values, KINDS[kind][0]) for values, _ in parts]
    labels = [pa.array(labels, pa.string()) for _, labels in parts]
    return pa.table({"x": pa.chunked_array(chunks), "y": pa.chunked_array(labels)})


@given(parted())
def test_tables_of_parts_are_those_of_the_whole(drawn: tuple[str, list[Any]]) -> None:
    kind, parts = drawn
    rows = [(name_of(v, KINDS[kind][0]), y) for values, labels in parts for v, y in zip(values, labels, strict=True)]
    whole = table_of(kind, parts)
    names = sorted({name for name, _ in rows if not isinstance(name, str) or name != MISSING})
    gap = [MISSING] if any(isinstance(name, str) and name == MISSING for name, _ in rows) else []
    forms = (whole, whole.to_reader(), ds.dataset(whole), ds.dataset([whole.slice(0, 2), whole.slice(2)]))
    for data in forms:
        found = Table.of(data, "y", feature="x", missing="row")
        assert cells_of(found) == dict(Counter(rows))
        assert list(found.row_names) == [*names, *gap] and list(found.class_names) == sorted({y for _, y in rows})
    if kind not in ("nothing", "time", "decimal"):  # whose names are other objects in memory
        assert found == Table.of(whole["x"], whole["y"], missing="row")
    if gap:
        with pytest.raises(ValueError, match=r"feature values must be present; got a missing value in 'x'; .*'row'"):
            Table.of(whole, "y", feature="x")
    else:
        assert Table.of(whole, "y", feature="x") == found


@given(parted(), st.integers(0, 3))
def test_dictionaries_may_differ_from_chunk_to_chunk(drawn: tuple[str, list[Any]], shift: int) -> None:
    _, parts = drawn
    rows = [([str(v) if v is not None else None for v in values], labels) for values, labels in parts]
    flat = [(v, y) for values, labels in rows for v, y in zip(values, labels, strict=True)]
    schema = pa.schema({"x": pa.dictionary(pa.int8(), pa.string()), "y": pa.dictionary(pa.int8(), pa.string())})
    batches = [
        pa.record_batch([encoded(v, pa.string(), i + shift), encoded(y, pa.string(), i)], schema=schema)
        for i, (v, y) in enumerate(rows)
    ]
    found = Table.of(pa.RecordBatchReader.from_batches(schema, batches), "y", feature="x", missing="row")
    assert found == Table.of([v for v, _ in flat], [y for _, y in flat], missing="row")


def test_dictionaries_with_nulls_and_repeated_names() -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2, 3, None], pa.int8()), pa.array(["b", None, "a", "b"]))
    found = Table.of(pa.table({"x": column, "y": [0, 1, 1, 1, 0]}), "y", feature="x", missing="row")
    assert found == Table.of(["b", None, "a", "b", None], [0, 1, 1, 1, 0], missing="row")


def test_an_ordered_dictionary_declares_its_names() -> None:
    pl, pd = pytest.importorskip("polars"), pytest.importorskip("pandas")
    sizes = ["low", "mid", "high"]
    frame = pl.DataFrame({"x": pl.Series(["high", "low", None], dtype=pl.Enum(sizes)), "y": [0, 1, 1]})
    held = pd.DataFrame({"x": pd.Categorical(["high", "low", None], categories=sizes), "y": [0, 1, 1]})
    expected = Table.of(frame["x"], frame["y"], missing="row")
    assert expected.row_names == ("low", "mid", "high", MISSING)
    assert Table.of(held["x"], held["y"], missing="row") == expected
    for data in (frame, held):
        assert Table.of(data, "y", feature="x", missing="row") == expected
    turned = pd.DataFrame({"x": [1, 2], "y": pd.Categorical(["b", "a"], categories=["c", "b", "a"])})
    assert Table.of(turned, "y", feature="x") == Table.of(turned["x"], turned["y"])
    kind = pa.dictionary(pa.int8(), pa.string(), ordered=True)
    ours = pa.chunked_array([pa.array(part).cast(kind) for part in (["b", "a"], ["c", "b"])])
    chunked = pa.table({"x": ours, "y": [0, 0, 1, 1]})
    assert Table.of(chunked.to_reader(), "y", feature="x").row_names == ("a", "b", "c")  # neither order holds the other


@pytest.mark.parametrize("count", [1, 30])
def test_dask_partitions(count: int) -> None:
    dd, pd = pytest.importorskip("dask.dataframe"), pytest.importorskip("pandas")
    rng = np.random.default_rng(count)
    frame = pd.DataFrame(
        {
            "i": rng.integers(0, 5, 90), "f": rng.normal(size=90).round(1), "s": rng.choice(["u", "v", None], 90),
            "c": pd.Categorical(rng.choice(["z", "a"], 90), categories=["z", "b", "a"]), "b": rng.random(90) < 0.5,
            "d": pd.to_datetime("2020-01-01") + pd.to_timedelta(rng.integers(0, 9, 90), unit="D"),
            "y": rng.choice(["no", "yes"], 90),
        },
        index=rng.permutation(90),
    )  # fmt: skip
    frame.loc[rng.random(90) < 0.2, "f"] = np.nan
    parts = dd.from_pandas(frame, npartitions=count, sort=False)
    found = Tables.of(parts, "y", missing="row")
    assert parts.npartitions == count and list(found.tables) == list("ifscbd") and found.rows == 90
    assert not found.cuts and not found.left_out
    for name, table in found.tables.items():
        assert table == Table.of(frame[name], frame["y"], missing="row"), name
    assert Table.of(parts["s"], parts["y"], missing="row") == found.tables["s"]
    cut, held = (Tables.of(data, "y", missing="row", bins=4) for data in (parts, frame))
    assert set(cut.cuts) == {"i", "f", "d"} and cut.cuts == held.cuts and cut.tables == held.tables


def test_other_readers_give_the_same_tables(tmp_path: Path) -> None:
    pl = pytest.importorskip("polars")
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"x": rng.integers(0, 9, 99), "s": rng.choice(["a", "b"], 99), "y": rng.integers(0, 2, 99)})
    expected = Tables.of(frame, "y", bins=4)
    assert expected.tables["s"] == Table.of(frame["s"], frame["y"])
    ipc, parquet = tmp_path / "rows.feather", tmp_path / "rows.parquet"
    frame.write_ipc(ipc, compression="uncompressed")
    frame.write_parquet(parquet, row_group_size=10)
    for data in (frame.to_arrow(), frame.to_pandas(), ipc, parquet, ds.dataset(parquet)):
        found = Tables.of(data, "y", bins=4)
        assert found.tables == expected.tables and found.cuts == expected.cuts
    halved = ds.dataset(parquet).filter(ds.field("s") == "a")
    assert Tables.of(halved, "y").rows == (frame["s"] == "a").sum()


class Opened:
    """A stream that counts how often it is opened."""

    def __init__(self, held: Any) -> None:
        self.held, self.times = held, 0

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        self.times += 1
        return self.held.__arrow_c_stream__(requested_schema)


def test_rows_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    held = pa.table({"x": list(range(40)), "s": ["a", "b"] * 20, "y": [0, 1, 1, 0] * 10})
    for bins in (None, 4, 40):
        stream = Opened(held)
        found = Tables.of(stream, "y", bins=bins)
        assert stream.times == 1 and found.tables == Tables.of(held.to_reader(), "y", bins=bins).tables
        assert list(found.cuts) == ["x"] * (bins == 4)
    monkeypatch.setattr(partial_counts, "CELLS", 16)
    assert Tables.of(held.to_reader(), "y", bins=4).columns["x"].merged


# Quantiles.


def naive_cuts(values: list[Any], bins: int) -> list[Any]:
    """The smallest values with at least the share i/bins of the values up to them."""
    found = [min(v for v in values if bins * sum(w <= v for w in values) >= i * len(values)) for i in range(1, bins)]
    return sorted(set(found))


NUMBER = st.one_of(st.none(), st.sampled_from([NAN, float("inf")]), st.integers(-20, 20).map(float))


@given(st.lists(NUMBER, min_size=1, max_size=60), st.integers(1, 9), st.integers(2, 5))
@example([1.0, 2.0, float("inf"), None], 2, 2)
def test_bins_of_any_parts_are_those_of_the_whole(values: list[float | None], size: int, bins: int) -> None:
    labels = [i * i % 3 for i in range(len(values))]
    held = pa.table({"x": pa.array(values, pa.float64()), "y": labels})
    chunked = pa.Table.from_batches(held.to_batches(max_chunksize=size))
    present = [v for v in values if v is not None and v == v]
    found = Tables.of(chunked, "y", bins=bins, missing="row")
    if len(set(present)) <= bins:
        assert not found.cuts and found.tables["x"] == Table.of(held["x"], labels, missing="row")
        return
    cuts = naive_cuts(present, bins)
    codes = [None if v is None or v != v else sum(v > c for c in cuts) for v in values]
    assert found.cuts == {"x": tuple(cuts)} and found.tables["x"] == Table.of(codes, labels, missing="row")
    assert {n: c.values for n, c in found.columns.items()} == {"x": len(set(present))} and not found.columns["x"].merged


@pytest.mark.parametrize("kind", ["decimal", "day", "instant", "time", "unsigned", "float32"])
def test_dates_and_decimals_are_cut_too(kind: str) -> None:
    values = sorted(v for v in KINDS[kind][1] if v is not None and v == v)
    held = pa.table({"x": pa.array([*values, None] * 5, KINDS[kind][0]), "y": [0, 1] * (5 * (len(values) + 1) // 2)
                     + [0] * (5 * (len(values) + 1) % 2)})  # fmt: skip
    found = Tables.of(held, "y", bins=2, missing="row")
    if len(values) == 2:
        assert not found.cuts
    else:
        assert len(found.cuts["x"]) == 1 and found.tables["x"].row_totals.tolist() == [10, 5, 5]


@pytest.mark.parametrize("kind", ["normal", "skewed", "seconds"])
def test_beyond_the_most_cells_cuts_are_values_near_the_quantiles(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partial_counts, "CELLS", 1000)
    monkeypatch.setattr(row_parts, "BATCH", 300)
    rng, n = np.random.default_rng(0), 20_000
    x = {"normal": rng.normal(size=n), "skewed": np.exp(3 * rng.normal(size=n)),
         "seconds": 1_700_000_000 + rng.integers(0, 3 * 10**7, n)}[kind]  # fmt: skip
    y = rng.integers(0, 2, n)
    found = Tables.of(pa.table({"x": x, "y": y}), "y", bins=4)
    cuts, column = found.cuts["x"], found.columns["x"]
    assert column.merged and 500 < column.values <= 1000 and set(cuts) <= set(x.tolist())
    assert found.tables["x"] == Table.of(np.searchsorted(cuts, x), y)
    assert np.abs(found.tables["x"].row_totals / n - 0.25).max() < 0.01
    assert Tables.of(pa.table({"x": x[::-1], "y": y}), "y", bins=4).cuts == found.cuts


# Folders.


def written(folder: Path, *tables: Any, group: int = 3) -> Path:
    for i, table in enumerate(tables):
        folder.mkdir(exist_ok=True)
        pq.write_table(table, folder / f"part-{i}.parquet", row_group_size=group)
    return folder


def test_a_folder_is_the_table_of_its_files(tmp_path: Path) -> None:
    one = pa.table({"x": pa.array(["b", None]).dictionary_encode(), "z": pa.nulls(2), "y": [0, 1]})
    two = pa.table({"x": pa.array(["a", "b", "a"], pa.large_string()), "z": [1, None, 2], "y": [1, 1, 0]})
    folder = written(tmp_path / "rows", one, two, two.slice(0, 0))
    (folder / "_SUCCESS").touch()
    (folder / "notes.txt").write_text("not parquet")
    (folder / ".hidden.parquet").write_text("nor this")
    found = Tables.of(folder, "y", missing="row")
    assert found.tables["x"] == Table.of(["b", None, "a", "b", "a"], [0, 1, 1, 1, 0], missing="row")
    assert found.tables["z"] == Table.of([None, None, 1, None, 2], [0, 1, 1, 1, 0], missing="row")


def test_a_file_may_hold_nulls_or_a_dictionary_where_others_hold_numbers(tmp_path: Path) -> None:
    parts = [pa.nulls(3), pa.array([1, 2, 3, None]), pa.array([3, 4, 5]).dictionary_encode(), pa.nulls(1, pa.int64())]
    folder = written(tmp_path / "rows", *(pa.table({"x": x, "y": [0, 1, 1, 0][: len(x)]}) for x in parts))
    label = [0, 1, 1, 0, 1, 1, 0, 0, 1, 1, 0]
    whole = Table.of([None, None, None, 1, 2, 3, None, 3, 4, 5, None], label, missing="row")
    assert Table.of(folder, "y", feature="x", missing="row") == whole
    found = Tables.of(folder, "y", missing="row", bins=2)
    assert found.cuts == {"x": (3,)} and {n: c.values for n, c in found.columns.items()} == {"x": 5}
    assert found.tables["x"] == Table.of([None] * 3 + [0, 0, 0, None, 0, 1, 1, None], label, missing="row")


def test_folders_named_by_key_and_value_are_columns(tmp_path: Path) -> None:
    table = pa.table({"x": [1, 2, 2, 3, 3, 3], "k": list("abbccc"), "y": [0, 1, 0, 1, 0, 1]})
    ds.write_dataset(table, tmp_path / "rows", format="parquet", partitioning=["k"], partitioning_flavor="hive")
    found = Tables.of(tmp_path / "rows", "y")
    assert all(found.tables[name] == Table.of(table[name], table["y"]) for name in "kx")
    assert Table.of(tmp_path / "rows", "k", feature="x") == Table.of(table["x"], table["k"])
    holes = pa.table({"x": [1, 2, 2], "k": ["a", None, None], "j": [1, 1, 2]})
    ds.write_dataset(holes, tmp_path / "deep", format="parquet", partitioning=["k", "j"], partitioning_flavor="hive")
    assert Table.of(good(), list("pqq"), feature="a") == Table.of([1, 2, 3], list("pqq"))
    found_keys = Table.of(tmp_path / "deep", "j", feature="k", missing="row")
    assert found_keys == Table.of(holes["k"], holes["j"], missing="row")


def good() -> Any:
    return pa.table({"a": [1, 2, 3], "y": ["p", "q", "q"]})


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ([], "a folder to count holds parquet files, or Arrow or CSV files; got none in"),
        ([good(), pa.table({"a": [1.5], "y": ["p"]})],
         "a column has one type in all files; got 'a' as int64 in part-0.parquet and as double in part-1.parquet"),
        ([good(), pa.table({"y": ["p"]})], "the same columns; got no column 'a' in part-1.parquet"),
        ([pa.table({"y": ["p"]}), good()], "the same columns; got no column 'a' in part-0.parquet"),
        ([good().rename_columns(["a", "z"])], "the label is a column of the data; got 'y'; columns are a, z"),
        ([pa.table({name: [1, 2] for name in "abcdefghij"})], "'y'; columns are a, b, c, d, e, f, ..., j"),
        ([good().append_column("tags", pa.array([[1], [2], []]))],
         r"numbers, truth values, dates or categories; got list<.*> in 'tags'; leave the column out"),
        ([good().append_column("p", pa.array([{"u": 1}] * 3))], "got struct<.*> in 'p'"),
        ([pa.table({"a": [1, 2], "y": ["p", None]})], "at least two classes; got only 'p' in 'y'"),
        ([good().slice(0, 0)], "features have rows and columns; got 0 sample"),
        ([good().select(["y"])], "a feature beside the label; got the label alone"),
        ([pa.table({"a": [1, 2], "y": ["p", "p"]})], "at least two classes; got only 'p' in 'y'"),
        ([pa.table({"a": [1] * 1001, "y": [f"k{i}" for i in range(1001)]})],
         "at most 1000 values; got more in 'y'; choose"),
    ],
)  # fmt: skip
def test_mistakes_end_in_one_sentence(tmp_path, refusal, tables: list[Any], words: str) -> None:
    folder = tmp_path / "rows"
    folder.mkdir()
    written(folder, *tables, group=2000)
    assert re.search(words, refusal("rank", folder, "--target", "y", "--json", tmp_path / "out.json"))
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize(
    ("act", "kind", "words"),
    [
        (lambda: Tables.of(good(), "y", features=["b"]), ValueError, "a feature is a column of the data; got 'b'"),
        (lambda: Tables.of(good(), "y", features=["a", "y"]), ValueError, "a feature beside the label; got 'y'"),
        (lambda: Tables.of(good(), "y", drop=["c"]), ValueError, "a feature is a column of the data; got 'c'"),
        (lambda: Tables.of(good(), "y", bins=1), ValueError, "the number of bins is an integer from 2; got 1"),
        (lambda: Tables.of(good(), "y", missing="drop"), ValueError, "missing is one of 'error', 'row'; got 'drop'"),
        (lambda: Tables.of(good().rename_columns(["y", "y"]), "y"), ValueError, "must differ; got 'y' twice"),
        (lambda: Tables.of([1, 2], "y"), TypeError, "an Arrow stream or a data frame; got list"),
        (lambda: Tables.of(good()["a"], "y"), TypeError, "a stream of columns has a column of each name"),
        (lambda: Tables.of("nowhere", "y"), FileNotFoundError, "the data must exist; got nowhere"),
        (lambda: Table.of(good(), "y", feature="a", weights=[1]), TypeError, "two vectors; got columns read in parts"),
        (lambda: Tables.of(pa.table({"a": ["(missing)", None], "y": ["p", "q"]}), "y", missing="row"), ValueError,
         "'a' values must not share the name of the missing"),
        (lambda: Tables.of(good(), "y", features=["a"], max_values=2), ValueError,
         "counted by at most 2 values; got more in 'a'; cut numbers by Tables.of"),
    ],
)  # fmt: skip
def test_other_mistakes(act: Callable[[], Any], kind: type[Exception], words: str) -> None:
    refused(words, act, error=kind)


def test_what_has_too_many_values_is_left_out_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Tables.of(good(), "y", max_values=2).left_out == ("a",) and not Tables.of(good(), "y", max_values=2).tables
    assert Tables.of(good(), "y", max_values=3).tables["a"].total == 3
    n = 65537
    held = pa.table({"id": [f"u{i}" for i in range(n)], "x": np.arange(n), "y": np.arange(n) % 2})
    written(tmp_path / "rows", held, group=10_000)
    assert main(["rank", str(tmp_path / "rows"), "--target", "y", "--json", str(tmp_path / "out.json")]) == 0
    found = json.loads((tmp_path / "out.json").read_text())
    assert found["left_out"] == ["id"] and found["rows"] == n
    (row,) = found["features"]
    assert (row["feature"], row["values"], row["bins"], row["merged"]) == ("x", 49153, 1024, True)
    said = capsys.readouterr().out
    assert "more than 65536 values differ: x." in said and "no numbers and more than 65536 values: id." in said


def test_broken_files_and_mixtures_are_named(tmp_path: Path) -> None:
    broken = tmp_path / "broken.parquet"
    broken.write_bytes(b"PAR1 and no more")
    refused(r"a parquet or Arrow file must be complete; got .*; write it again", Tables.of, broken, "y")
    mixed = written(tmp_path / "rows", good())
    (mixed / "more.feather").touch()
    refused("all parquet or all Arrow, or all CSV", Tables.of, mixed, "y")
    pd = pytest.importorskip("pandas")
    part = pd.DataFrame({"x": [1, "a"], "y": [0, 1]})
    with pytest.raises(TypeError, match=r"a column of a data frame has one kind of value; got .*; convert"):
        counted_columns.counted_frame(part, CountingPlan("y", {"x": 9}))  # a partition of a Dask frame
    assert Tables.of(part, "y").tables["x"].row_names == ("1", "a")  # in memory, as a file of text holds it


def test_a_column_that_is_left_out_may_hold_anything(tmp_path: Path) -> None:
    """As the error about it says, wherever the columns are."""
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    mapping = {"x": [1, 2, 3, 4], "odd": [[1], [2], [3], [4]], "y": list("abab")}
    table = pa.table(mapping)
    folder = written(tmp_path / "rows", table)
    expected = Tables.of({"x": mapping["x"]}, mapping["y"]).tables
    for data in (folder, table, ds.dataset(folder), mapping, pd.DataFrame(mapping), pl.DataFrame(mapping)):
        with pytest.raises(TypeError, match=r"columns of strings, numbers, .*; got .* in 'odd'; leave the column out"):
            Tables.of(data, "y")
        assert Tables.of(data, "y", drop=["odd"]).tables == Tables.of(data, "y", features=["x"]).tables == expected


# The command line.


def test_an_interrupt_ends_with_status_130(tmp_path, capsys, monkeypatch) -> None:
    def interrupted(*given: Any, **types: Any) -> Iterator[Any]:
        yield next(iter(batches(*given, **types)))
        raise KeyboardInterrupt

    batches, folder = files._read, written(tmp_path / "rows", good())
    monkeypatch.setattr(files, "_read", interrupted)
    assert main(["rank", str(folder), "--target", "y", "--json", str(tmp_path / "out.json")]) == 130
    assert capsys.readouterr() == ("", "splitcrit: interrupted\n")
    assert not (tmp_path / "out.json").exists()


def test_without_pyarrow_a_sentence_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = written(tmp_path / "rows", good())
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    said = r"needs pyarrow; got no module pyarrow; pip install 'splitcrit\[tables\]'"
    refused(said, Tables.of, folder, "y", error=ModuleNotFoundError)


# Counts of parts of the rows, in whatever parts: those of all rows, and each row that is named is one of all.

PLAN = CountingPlan("y", limits={"x": 100})


def part(cells: Any, labels: Any, rows: Any, total: Partial | None = None, plan: CountingPlan = PLAN) -> Partial:
    """Count some of the rows, beside those of a total."""
    found = Partial(plan) if total is None else total
    columns = {name: held.take(rows) for name, held in read_columns({"x": cells, "y": labels}).items()}
    found.add(RowPart(columns, len(np.arange(len(cells))[rows])))
    return found


def told(found: Partial) -> Any:
    """What a partial says of the rows, in no order but that of the names."""
    tally, classes, places = found.tallies["x"], *found.classes.named()
    counts = np.vstack([tally.counts, tally.gaps])[:, places].tolist()
    table = {name: row for name, row in zip([*tally.values.tolist(), None], counts, strict=True) if any(row)}
    by_class = dict(zip(classes, found.classes.counts[places].ravel().tolist(), strict=True))
    return found.rows, found.unlabelled, by_class, table


CELL = st.sampled_from(["1", " 2.5", "c", "a", "b ", "NA", "", None])


@given(st.lists(st.tuples(CELL, st.sampled_from([*"pqr", None])), min_size=1, max_size=30), st.sets(st.integers(1, 29)))
def test_parts_that_are_merged_are_the_whole(rows: list[tuple[str, str]], cuts: set[int]) -> None:
    cells, labels = [cell for cell, _ in rows], [label for _, label in rows]
    ends = [0, *sorted(cut for cut in cuts if cut < len(cells)), len(cells)]
    slices = [slice(a, b) for a, b in pairwise(ends)]
    whole = told(part(cells, labels, slice(0, len(cells))))
    there = [(cell, label) for cell, label in rows if label is not None]
    assert whole[:3] == (len(there), len(rows) - len(there), dict(Counter(sorted(label for _, label in there))))
    assert whole[3] == {cell: [there.count((cell, label)) for label in whole[2]] for cell, _ in there}
    each = [part(cells, labels, rows) for rows in slices]
    assert told(reduce(Partial.merged, each)) == whole
    assert told(reduce(lambda last, before: before.merged(last), each[::-1])) == whole  # the last two first
    assert told(reduce(lambda total, rows: part(cells, labels, rows, total), slices, Partial(PLAN))) == whole


def test_a_column_given_up_in_one_part_is_given_up() -> None:
    plan = CountingPlan("y", limits={"x": 2})
    parts = [part(cells, ["p"] * len(cells), slice(None), plan=plan) for cells in (["1"], ["1", "2", "3"], ["2"])]
    assert [each.tallies["x"].over for each in parts] == [False, True, False]
    assert all(reduce(Partial.merged, order).tallies["x"].over for order in (parts, parts[::-1]))


def test_a_column_of_many_values_is_given_up_before_they_are_named() -> None:
    """To name each of them takes longer than to count the rows."""
    found, few = ValueCounts(BINS), ValueCounts(BINS)
    same = as_names([object()] * 20_000)  # one name: it is their number alone that counts
    found.add(same, np.arange(20_000), np.zeros(20_000, dtype=int), 1)
    assert found.over and not len(found.values)
    few.add(as_names(range(BINS)), np.arange(-1, BINS), np.zeros(BINS + 1, dtype=int), 1)
    assert not few.over and len(few.values) == BINS and few.missing == 1


# Cells.


def key(value: float) -> int:
    """The rank of a float among all floats, 0 at 0."""
    (bits,) = struct.unpack("<q", struct.pack("<d", value + 0.0))
    return int(bits if bits >= 0 else -(bits & (2**63 - 1)) - 1)


def nearest(value: Any) -> float:
    """The float of a number, of a date or duration in microseconds."""
    if isinstance(value, np.datetime64 | np.timedelta64):
        return float(value.astype(f"{value.dtype.kind}8[ns]").astype(np.int64) / 1000)
    large = isinstance(value, int) and abs(value) >= 2**1024
    return math.copysign(math.inf, 1 if value > 0 else -1) if large else float(value)


def cells_by_hand(values: Iterable[Any], most: int) -> tuple[int, dict[Any, Any]]:
    """The level, and the largest value of the cell of each value."""
    there = set(values)
    if len(there) <= most:
        return -1, {value: value for value in there}
    for level in range(64):
        cells: dict[int, list[Any]] = {}
        for value in there:
            cells.setdefault(key(nearest(value)) // 2**level, []).append(value)
        if len(cells) <= most:
            return level, {value: max(cell) for cell in cells.values() for value in cell}
    raise AssertionError


def columns_of_many_values() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    n = 300
    return {
        "normal": rng.normal(size=n), "log-normal": np.exp(9 * rng.normal(size=n)), "few": rng.integers(0, 5, n),
        "seconds": 1_700_000_000 + rng.integers(0, 10**7, n), "float32": rng.normal(size=n).astype(np.float32),
        "ends": np.concatenate([[np.inf, -np.inf, -0.0, 0.0, 5e-324, 1e308], rng.integers(-9, 9, n - 6) / 7]),
        "large": [10 ** (22 + 400 * (i % 9 == 0)) * int(i) + 1 for i in rng.integers(-99, 99, n).tolist()], 
        "near": 2**60 + rng.integers(0, 10**6, n),
        "days": np.datetime64("1960-01-01") + rng.integers(0, 10**4, n).astype("m8[D]"),
        "nanoseconds": rng.integers(-(10**6), 10**6, n).astype("m8[ns]"),
        "gaps": np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n)),
    }  # fmt: skip


@pytest.mark.parametrize("name", columns_of_many_values())
@pytest.mark.parametrize("most", [4, 40])
def test_cells_depend_on_the_set_of_values_alone(name: str, most: int, tmp_path, monkeypatch) -> None:
    """In any order of the rows and any parts, put together in any order, and resumed after each."""
    monkeypatch.setattr(partial_counts, "CELLS", most)
    x, rng = columns_of_many_values()[name], np.random.default_rng(most)
    y = np.array([*"pqr"])[rng.integers(0, 3, len(x))]
    y[:99][y[:99] == "r"] = "p"  # one class is met in later rows
    plan = CountingPlan("y", {"x": 9}, in_order=frozenset("x"), in_cells=frozenset("x"))
    column = read_columns({"x": x})["x"]
    values = [value if held else None for value, held in zip(list(column.values), column.present, strict=True)]
    level, largest = cells_by_hand((value for value in values if value is not None), most)
    expected = Counter((None if v is None else nearest(largest[v]), label) for v, label in zip(values, y, strict=True))

    def content(found: Partial) -> Any:
        tally, (classes, places) = found.tallies["x"], found.classes.named()
        names = [*map(nearest, list(tally.values)), None]
        counts = np.vstack([tally.counts, tally.gaps])[:, places].tolist()
        pairs = [((name, label), n) for name, row in zip(names, counts, strict=True)
                 for label, n in zip(classes, row, strict=True)]  # fmt: skip
        return tally.level, {pair: n for pair, n in pairs if n}, names[:-1]

    whole = (level, dict(expected), sorted({nearest(value) for value in largest.values()}))
    assert content(part(x, y, slice(None), plan=plan)) == whole
    for _ in range(3):
        rows = rng.permutation(len(x))
        slices = np.split(rows, np.sort(rng.choice(len(x), rng.integers(1, 9), replace=False)))
        parts = [part(x, y, each, plan=plan) for each in slices]
        rng.shuffle(parts)  # type: ignore[arg-type]
        assert content(reduce(Partial.merged, parts)) == whole
        one_by_one = Partial(plan)
        for i, each in enumerate(slices):
            part(x, y, each, one_by_one, plan)
            write_partial(tmp_path / "counts.npz", one_by_one, {"digest": "d", "pieces": i})
            read_partial(tmp_path / "counts.npz", one_by_one := Partial(plan), "d")
        assert content(one_by_one) == whole


def test_many_classes_have_fewer_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partial_counts, "ENTRIES", 600)
    plan = CountingPlan("y", {"x": 9}, in_order=frozenset("x"), in_cells=frozenset("x"))
    x, y = np.random.default_rng(0).normal(size=900), np.arange(900) // 30
    found = reduce(Partial.merged, [part(x, y, slice(a, a + 90), plan=plan) for a in range(0, 900, 90)])
    assert sorted(found.tallies["x"].values) == sorted(set(cells_by_hand(x, 600 // 30)[1].values()))


# Files that are no tables, that do not end, or that hold code: each ends in one sentence, or harmless.

TEXT = "a,label\n1,x\n2,y\n"


def written_by(write: Callable[[Any], Any]) -> bytes:
    """What is written to a file that is open."""
    write(out := io.BytesIO())
    return out.getvalue()


def zipped(**files: str) -> bytes:
    def write(out: Any) -> None:
        with zipfile.ZipFile(out, "w") as archive:
            for name, text in files.items():
                archive.writestr(name.replace("__", "/"), text)

    return written_by(write)


def picture(kind: str) -> bytes:
    return written_by(lambda out: Figure().savefig(out, format=kind))


def database(folder: Path) -> bytes:
    with sqlite3.connect(folder / "x.db") as base:
        base.execute("create table t (a)")
    base.close()
    return (folder / "x.db").read_bytes()


class Loaded:
    """What runs code when it is unpickled."""

    def __reduce__(self) -> Any:
        return exec, ("raise AssertionError('a pickle was loaded')",)


OFFICE = "an Office file (xlsx, docx, ods or the like); save its sheet as CSV"
SEEMING: dict[str, tuple[Callable[[Path], bytes], str]] = {
    "parquet": (lambda folder: written_by(lambda out: pq.write_table(good(), out)),
                "a parquet file; give it a name that ends in .parquet"),
    "Arrow": (lambda folder: written_by(lambda out: feather.write_feather(good(), out)),
              "an Arrow file; give it a name that ends in .arrow"),
    "zip": (lambda folder: zipped(data=TEXT), "a zip archive; unpack it first, or pack it by gzip"),
    "empty zip": (lambda folder: zipped(), "an empty zip archive; pass the data"),
    "xlsx": (lambda folder: zipped(xl__workbook="<x/>"), OFFICE),
    "ods": (lambda folder: zipped(mimetype="application/vnd.oasis.opendocument.spreadsheet"), OFFICE),
    "xls": (lambda folder: bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 504, "an Office file (xls, doc or the like)"),
    "bzip2": (lambda folder: bz2.compress(TEXT.encode()), "a file packed by bzip2; unpack it first"),
    "xz": (lambda folder: lzma.compress(TEXT.encode()), "a file packed by xz; unpack it first"),
    "zstd": (lambda folder: bytes.fromhex("28b52ffd2411890000") + TEXT.encode(), "a file packed by zstd; unpack"),
    "gzip twice": (lambda folder: gzip.compress(gzip.compress(TEXT.encode())), "a gzipped file inside another; unpack"),
    "HTML": (lambda folder: b"\n<!DOCTYPE html><title>a,b</title>", "a page of HTML; download the data"),
    "HTML below a mark": (lambda folder: b"\xef\xbb\xbf<html><head>", "a page of HTML; download the data"),
    "PNG": (lambda folder: picture("png"), "a PNG picture; pass the data behind it"),
    "JPEG": (lambda folder: bytes.fromhex("ffd8ffe000104a464946"), "a JPEG picture; pass the data behind it"),
    "PDF": (lambda folder: picture("pdf"), "a PDF document; pass the data behind it"),
    "SQLite": (database, "an SQLite database; write a table of it as CSV"),
    "numpy": (lambda folder: written_by(lambda out: np.save(out, np.arange(3))), "an array of numpy; write it as CSV"),
    **{f"pickle {n}": (lambda folder, n=n: pickle.dumps(Loaded(), n), "a pickle, which is never loaded")
       for n in range(2, pickle.HIGHEST_PROTOCOL + 1)},
}  # fmt: skip


def refusal(path: Path, label: str = "label") -> str:
    """The one sentence by which a file is refused."""
    with pytest.raises((ValueError, OSError)) as refused:
        rank_features(path, label)
    said = str(refused.value)
    assert "\n" not in said and len(said) < 400 and said.count("; ") >= 2
    return said


@pytest.mark.parametrize("kind", SEEMING)
def test_what_is_no_csv_file_is_called_by_its_name(tmp_path: Path, kind: str) -> None:
    make, said = SEEMING[kind]
    (path := tmp_path / "data.csv").write_bytes(data := make(tmp_path))
    assert f"a CSV file is text; got {path}, which seems to be {said}" in refusal(path)
    path.write_bytes(gzip.compress(data))
    assert "which seems to be" in refusal(path)


BROKEN = {
    "empty": (b"", "a CSV file holds a header row and data; got an empty file"),
    "a header alone": (b"a,label\n", "a CSV file holds a header row and data; got only a header row"),
    "blank lines": (b"\n\n \n", "a CSV file holds a header row and data"),
    "gzip that is cut off": (gzip.compress(TEXT.encode() * 99)[:-12], "a gzip file must be complete"),
    "gzip that is damaged": (gzip.compress(TEXT.encode())[:12] + b"\xff\xff\xff\xff", "a gzip file must be complete"),
    "short rows": (b"a,label\n1,x\n2\n", "every row has the 2 cells of the header; got 1 cells in row 3"),
    "long rows": (b"a,label\n1,x\n2,y,z\n", "every row has the 2 cells of the header; got 3 cells in row 3"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_says_what_is_broken(tmp_path: Path, kind: str) -> None:
    data, said = BROKEN[kind]
    (path := tmp_path / "data.csv").write_bytes(data)
    assert said in refusal(path)


# Files without end: each is written as one gzip file of many equal members, which is small.

MEMBER = 2**21
ENDLESS = {
    "a header": (b"", b"a" * MEMBER, "a header row has at most 64 MB"),
    "names": (b"", b"a," * MEMBER, "a header row has at most 64 MB"),
    "a quote in the header": (b'"', b"a" * 1023 + b"\n", "a header row has at most 64 MB"),
    "a row": (b"a,label\n1,x\n2,", b"a" * MEMBER, "a row has at most 64 MB"),
    "cells": (b"a,label\n1,x\n2", b",a" * MEMBER, "a row has at most 64 MB"),
    "a quote": (b'a,label\n1,x\n2,"', b"a" * 1023 + b"\n", "a row has at most 64 MB"),
    "a target": (b'a,label\n1,x\n2,"', b"a" * 20_000 + b'"\n3,"', "a class has a name of at most 10000 characters"),
}


@pytest.mark.parametrize("kind", ENDLESS)
def test_what_does_not_end_is_not_read_to_the_end(tmp_path: Path, kind: str) -> None:
    """Ten gigabytes, but for the target, whose rows are read."""
    start, member, said = ENDLESS[kind]
    whole = gzip.compress(member * max(1, MEMBER // len(member)))
    times = 1 if kind == "a target" else 10 * 2**30 // MEMBER
    (path := tmp_path / "bomb.csv.gz").write_bytes(gzip.compress(start) + whole * times)
    assert said in refusal(path)


# Cells are texts.


@pytest.mark.parametrize("text", ["PAR1,label\n1,x\n", "PK,label\n1,x\n", "BZh9,label\n1,x\n", "<b>,label\n1,x\n"])
def test_text_that_begins_alike_is_read(tmp_path: Path, text: str) -> None:
    (path := tmp_path / "data.csv").write_text(text + "2,y\n3,x\n4,y\n")
    assert rank_features(path, "label").names == (text.partition(",")[0],)


def test_cells_are_never_evaluated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Formulas of sheets, code and templates are words, in names, in cells and in the target."""
    monkeypatch.chdir(tmp_path)
    sheet, code = "=HYPERLINK(1+1)", "__import__('pathlib').Path('made').touch()"
    cells = [sheet, code, "{{7*7}}", "${HOME}", "=1+1", "1+1", "`touch made`", "@SUM(A1:A9)"]
    lines = [f'"{code}","{sheet}"', *(f'"{cells[i % 8]}","{[code, sheet][i * i % 7 < 3]}"' for i in range(56))]
    (path := tmp_path / "data.csv").write_text("\n".join(lines) + "\n")
    found = rank_features(path, sheet)
    (only,) = found.features
    assert (only.name, only.kind, only.values) == (code, "category", 8)
    assert sheet in found.target and not (tmp_path / "made").exists()
