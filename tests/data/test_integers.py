"""Every entry reads the numbers of a column alike: which rows are equal, in which order, for integers of any size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from splitcrit import Table, Tables, rank_features
from splitcrit.columns.features import read_features
from splitcrit.data import csv_files, sources
from splitcrit.data.values import as_numbers, joined, middle, values_of
from splitcrit.inference import split_test
from splitcrit.trees import clusterings

pl, pa = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
Cells = list[str | None]  # as they stand in a CSV file, None where one is empty
ANCHORS = [0, 2**53, -(2**53), 2**63, -(2**63), 2**64, 10**40]
cells = st.one_of(
    st.tuples(st.sampled_from(ANCHORS), st.integers(-2, 2)).map(lambda pair: str(sum(pair))),
    st.tuples(st.sampled_from(ANCHORS), st.integers(-2, 2)).map(lambda pair: f"{sum(pair)}.0"),
    st.sampled_from(["0.5", "-0.5", "1e3"]),
    st.none(),
)


def values_in(texts: Cells) -> list[Any]:
    return [None if x is None else int(Fraction(x)) if Fraction(x).denominator == 1 else float(x) for x in texts]


def expected(texts: Cells) -> list[int]:
    """The place of each row's value among the distinct ones, -1 where there is none."""
    exact = [None if x is None else Fraction(x) for x in texts]
    places = {value: i for i, value in enumerate(sorted({value for value in exact if value is not None}))}
    return [places.get(value, -1) if value is not None else -1 for value in exact]


def of_table(table: Table) -> list[int]:
    """The row of a table that counts each class, of which every observation has its own."""
    found = table.counts.argmax(axis=0)
    return np.where(found == list(table.row_names).index("(missing)"), -1, found).tolist() if (
        "(missing)" in table.row_names) else found.tolist()  # fmt: skip


def counted(data: Any, n: int, **options: Any) -> list[int]:
    label = [f"row {i:02}" for i in range(n)]
    return of_table(Tables.of(data, label, missing="row", **options).tables["x"])


def csv_file(folder: Path, texts: Cells) -> Path:
    rows = (f"{'' if text is None else text},row {i:02}" for i, text in enumerate(texts))
    (path := folder / "data.csv").write_text("\n".join(["x,y", *rows, ""]))
    return path


def from_csv(texts: Cells, folder: Path) -> list[int]:
    found = Tables.of(csv_file(folder, texts), "y", missing="row")
    return of_table(found.tables["x"])


def by_arrow(texts: Cells, folder: Path) -> list[int]:
    path = csv_file(folder, texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_files, "LARGE", 0)
        return of_table(Tables.of(path, "y", missing="row").tables["x"])


def in_parts(texts: Cells, folder: Path) -> list[int]:
    path = csv_file(folder, texts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sources, "HELD", 0)
        return of_table(Tables.of(path, "y", missing="row", bins=64).tables["x"])


def resumed(texts: Cells, folder: Path) -> list[int]:
    path = csv_file(folder, texts)
    return of_table(Tables.of(path, "y", missing="row", bins=64, resume=str(folder / "kept")).tables["x"])


def parquet(texts: Cells, folder: Path) -> list[int]:
    values = [None if x is None else Decimal(x) for x in texts]
    label = [f"row {i:02}" for i in range(len(texts))]
    import pyarrow.parquet

    pyarrow.parquet.write_table(pa.table({"x": pa.array(values, pa.decimal128(38, 1)), "y": label}),
                                path := folder / "data.parquet")  # fmt: skip
    return of_table(Tables.of(path, "y", missing="row", bins=64).tables["x"])


def one(column: Any) -> Callable[[Cells, Path], list[int]]:
    """The entry of a column made of values."""
    return lambda texts, folder: counted({"x": column(values_in(texts))}, len(texts))


def objects(values: Sequence[Any]) -> Any:
    return np.fromiter(values, dtype=object, count=len(values))


def decimals(values: Sequence[Any]) -> list[Any]:
    return [None if x is None else Decimal(x) for x in values]


def unsigned(values: list[Any]) -> Any:
    """A nullable column of pandas, whose own reading of lists goes through floats."""
    held = np.array([x or 0 for x in values], dtype=np.uint64)
    return pd.Series(pd.arrays.IntegerArray(held, np.array([x is None for x in values])))


def features(frame: Any) -> list[int]:
    (feature,) = read_features(frame, None, "side")
    return feature.codes.tolist()


def cut(values: list[Any]) -> list[int]:
    found = clusterings(values, [0] * len(values))
    return np.searchsorted(objects(found.hierarchy.values.tolist()), objects(values)).tolist()


ENTRIES: dict[str, Callable[[Cells, Path], list[int]]] = {
    "CSV": from_csv,
    "CSV by Arrow": by_arrow,
    "CSV in parts": in_parts,
    "CSV resumed": resumed,
    "list": one(list),
    "list of Decimals": one(decimals),
    "object array": one(objects),
    "object frame": one(lambda values: pd.Series(values, dtype=object)),
    "two vectors": lambda texts, _: of_table(Table.of(values_in(texts), [f"row {i:02}" for i in range(len(texts))],
                                                      missing="row")),
    "split_test": lambda texts, _: features(pd.DataFrame({"x": pd.Series(values_in(texts), dtype=object)})),
    "split_test of Decimals": lambda texts, _: features(pd.DataFrame({"x": decimals(values_in(texts))})),
    "split_test of lists": lambda texts, _: features([[x] for x in values_in(texts)]),
}  # fmt: skip
TYPED: dict[str, Callable[[list[Any], Path], list[int]]] = {  # of integers that an unsigned type of 64 bits holds
    "pandas": one(lambda values: unsigned(values)),
    "polars": one(lambda values: pl.Series(values, dtype=pl.UInt64)),
    "Arrow": one(lambda values: pa.array(values, pa.uint64())),
    "Arrow in pandas": one(lambda values: pd.Series(values, dtype="uint64[pyarrow]")),
    "split_test of pandas": lambda texts, _: features(pd.DataFrame({"x": unsigned(values_in(texts))})),
    "split_test of polars": lambda texts, _: features(
        pl.DataFrame({"x": pl.Series(values_in(texts), dtype=pl.UInt64)})),
}  # fmt: skip
columns = st.lists(cells, min_size=2, max_size=12).filter(lambda texts: any(texts))


@pytest.mark.parametrize("entry", ENTRIES)
@given(columns)
@example(["9007199254740993", "9007199254740992.0", "9007199254740994", "0.5"])
@example([str(2**63), str(2**63 + 1), None])
def test_every_entry_keeps_numbers_apart_in_their_order(
    tmp_path_factory: pytest.TempPathFactory, entry: str, texts: Cells
) -> None:
    assert ENTRIES[entry](texts, tmp_path_factory.mktemp("entry")) == expected(texts)


@given(columns)
def test_parquet_keeps_decimals_apart(tmp_path_factory: pytest.TempPathFactory, texts: Cells) -> None:
    texts = [text for text in texts if text is None or abs(Decimal(text)) < 10**36] or ["1"]
    if any(texts):
        assert parquet(texts, tmp_path_factory.mktemp("entry")) == expected(texts)


@pytest.mark.parametrize("entry", TYPED)
@given(st.lists(st.none() | st.integers(2**64 - 4, 2**64 - 1) | st.integers(2**53, 2**53 + 3), min_size=2, max_size=9))
@example([2**63, None, 2**63 + 1])
def test_every_typed_entry_keeps_integers_apart_in_their_order(entry: str, ids: list[Any]) -> None:
    texts = [None if x is None else str(x) for x in [*ids, 2**63]]
    assert TYPED[entry](texts, Path()) == expected(texts)


@given(st.lists(cells.filter(bool), min_size=2, max_size=12))
def test_clusterings_keep_numbers_apart_in_their_order(texts: Cells) -> None:
    for kind in (list, objects):
        assert cut(kind(values_in(texts))) == expected(texts)


Y = [0, 1] * 20


@pytest.mark.parametrize("low", [2**53, 2**63, 10**40])
@pytest.mark.parametrize("column", [list, objects, decimals], ids=["list", "objects", "decimals"])
def test_what_tells_classes_apart_is_found_whatever_the_size(tmp_path: Path, low: int, column: Any) -> None:
    """An identity that is the class, and large: the score is that of 0 and 1."""
    values = column([low + y for y in Y])
    small, large = (rank_features({"x": list(x)}, Y).scores for x in (Y, values))
    assert large == small
    if column is not decimals:  # which have no distances
        assert clusterings(values, Y).scores == clusterings(Y, Y).scores
    path = tmp_path / "ids.csv"
    path.write_text(
        "x,y\n" + "".join(f"{x}{'.0' * (i == 7)},{y}\n" for i, (x, y) in enumerate(zip(values, Y, strict=True)))
    )
    assert rank_features(path, "y").scores == small


def test_thresholds_of_large_integers_lie_between_them() -> None:
    low = 2**63 + 1
    assert clusterings([low, low + 1, low + 4], [0, 1, 0]).thresholds(3).tolist() == [low, low + 1]
    assert (middle(low, low + 1), middle(1, 2), middle(10**400, 10**401)) == (low, 1.5, 10**400)
    found = split_test([[low + y] for y in Y], Y)
    assert found.threshold == low and found.best is not None and found.best.cut == f"x0 <= {low}"


def test_parts_and_vectors() -> None:
    assert joined([np.array([1, 2]), np.array([0.5])]).dtype == float
    assert joined([np.array([2**53]), np.array([2**63], dtype=np.uint64)]).tolist() == [2**53, 2**63]
    assert as_numbers([Decimal("-0.0"), Fraction(1, 2), np.float32(2)]).tolist() == [0.0, 0.5, 2.0]
    assert as_numbers([Decimal("Infinity"), 1e300, 2]).dtype == float
    assert values_of(pl.Series([2**100, 2**100 + 1], dtype=pl.Int128)).tolist() == [2**100, 2**100 + 1]


@pytest.mark.parametrize(
    "huge", [10**4300, Decimal("1e4300"), Decimal("-1e999999")], ids=["int", "decimal", "exponent"]
)
def test_an_integer_that_cannot_be_printed_is_refused(huge: Any) -> None:
    with pytest.raises(ValueError, match="an integer in a column has at most 4300 digits; got one with more"):
        rank_features({"x": [huge, 1]}, [0, 1])


def test_a_signalling_nan_is_missing() -> None:
    found = Tables.of({"x": [Decimal("sNaN"), Decimal(1), Decimal(2)]}, [0, 1, 0], missing="row")
    assert found.tables["x"].row_names == (1, 2, "(missing)")


def test_a_zero_has_no_sign() -> None:
    """However it is written, and whatever stands beside it."""
    for zero in (-0.0, Decimal("-0"), Decimal("-0.0"), np.float32(-0.0), np.longdouble("-0.0"), Fraction(0), 0):
        for others in ([], [0.5], [2**63], [0.5, 2**63]):
            found = as_numbers([*others, zero]).tolist()[-1]
            assert (found, str(found).lstrip("-")) == (0, str(found))
