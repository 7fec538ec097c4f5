"""Columns as they are read: names of two tables joined, what stands for a missing value, what texts are, labels."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from refusals import refused
from splitcrit import rank_features
from splitcrit.data.columns import NaValues, read_column, read_columns, vector
from splitcrit.data.formats import ChosenFormat, FileOptions, FormatCounts, distinct, formats_of
from splitcrit.data.partial_counts import ValueCounts
from splitcrit.data.sources import labelled, source_of
from splitcrit.data.targets import MeasuredTarget, read_target, response_of
from splitcrit.data.values import as_numbers, dates, joined, middle, values_of
from splitcrit.inference import split_test
from splitcrit.table import Tables
from splitcrit.table.many_tables import remarks
from splitcrit.trees import clusterings


def test_what_stands_for_a_missing_value_is_dropped_and_nothing_else() -> None:
    missing = NaValues.of(["?", -999])
    names = np.array(["?", " ? ", "a", 3, -999, "-999"], dtype=object)
    assert names[missing.keeps(names)].tolist() == ["a", 3]
    assert missing.keeps(np.array([1, -999, 2])).tolist() == [True, False, True]
    assert NaValues.of(["?"]).keeps(np.array([1, -999])).tolist() == [True, True]
    assert missing.keeps(np.array(["2020-01-01"], "M8[D]")).tolist() == [True]
    assert NaValues().keeps(names).all()
    assert NaValues.of("NA").texts == {"NA"} and NaValues.of(-1).numbers == {-1}
    refused("strings or numbers; got None", NaValues.of, ["?", None], error=TypeError)


def chosen(cells: list[str], separator: str = ",", beside: list[str] | None = None, **options: Any) -> ChosenFormat:
    """The format of a column of cells, beside another column of the file."""
    columns = {"x": FormatCounts(), "z": FormatCounts()}
    for name, each in (("x", cells), ("z", beside or ["a"])):
        columns[name].add(*distinct(each))
    return formats_of(columns, FileOptions.of(**options), separator)["x"]


WRITTEN: list[tuple[list[str], str, Any]] = [  # cells, what they are, and what they are read as
    (["1", "2.5", " 3"], "number", [1, 2.5, 3]),
    (["2024-01-01", "2024-02-29 12:30"], "date", ["2024-01-01T00:00", "2024-02-29T12:30"]),
    (["a", "b"], "category", None),
    (["007", "7"], "category", None),
    (["1", "2", "2024-01-01", "b"], "category", None),
    (["3", "1,5", "-2,25"], "number", [3, 1.5, -2.25]),
    (["1.804,33", "12"], "number", [1804.33, 12]),
    (["1,234,567", "12.5"], "number", [1234567, 12.5]),
    (["1'234.5", "3"], "number", [1234.5, 3]),
    (["1\u202f234,5", "\u22123,5"], "number", [1234.5, -3.5]),
    (["(1,250.00)", "3.10"], "number", [-1250, 3.1]),
    (["12-", "3"], "number", [-12, 3]),
    (["$1,234.50", "$2.00"], "number", [1234.5, 2]),
    (["12 %", "3 %"], "number", [12, 3]),
    (["12,5 kg", "3 kg"], "number", [12.5, 3]),
    (["12 kg", "3 lb"], "category", None),
    (["12 kg", "3"], "category", None),
    (["NA", "1", "-", ".", "n/a", "NULL"], "number", [None, 1, None, None, None, None]),
    (["NA", "b"], "category", None),
    (["1,234,567", "x,5"], "category", None),
    (["31/12/2023", "1/2/24"], "date", ["2023-12-31T00:00", "2024-02-01T00:00"]),
    (["12/31/2023", "1/2/2024"], "date", ["2023-12-31T00:00", "2024-01-02T00:00"]),
    (["31.12.2023 08:15", "1.2.2024 9:00"], "date", ["2023-12-31T08:15", "2024-02-01T09:00"]),
    (["1.2.2024", "3.4.2024"], "date", ["2024-02-01T00:00", "2024-04-03T00:00"]),
    (["2024/02/29"], "date", ["2024-02-29T00:00"]),
    (["1/2/2024", "3/4/2024"], "category", None),
    (["31/12/2023", "12/31/2023"], "category", None),
    (["1-2/24", "10.0.0.1"], "category", None),
    (["1.2.3", "4"], "category", None),
    (["1e5", "2"], "number", [1e5, 2]),
]  # fmt: skip


@pytest.mark.parametrize(("cells", "kind", "values"), WRITTEN, ids=str)
def test_what_the_cells_of_a_column_are(cells: list[str], kind: str, values: Any) -> None:
    found = chosen(cells)
    assert found.kind == kind
    if values is not None:
        column = found.column(cells, np.arange(len(cells)), frozenset())
        read, present = column.values, column.present
        each = [np.datetime_as_string(x, "m") if kind == "date" else x for x in read]
        assert [x if there else None for x, there in zip(each, present, strict=True)] == values


def test_what_two_formats_can_read_is_decided_by_the_file_or_asked_for() -> None:
    both, asked = ["1,250", "880"], "can be read in two ways, and are words; pass decimal"
    assert chosen(both).written == "point" and chosen(both, ";").written == "comma"
    assert asked in chosen(both, "\t").note and chosen(both, "\t").kind == "category"
    assert chosen(both, "\t", ["1,5"]).written == "comma" == chosen(both, ",", ["3,75"]).written
    assert chosen(both, "\t", ["1.5"]).written == "point" == chosen(both, ";", ["3.75"]).written
    assert chosen(both, "\t", decimal=",").written == "comma" and chosen(both, ";", decimal=".").written == "point"
    for alike in (["1 250", "880"], ["1'250", "880"], ["1\u202f250 €", "880 €"]):
        (found,) = {chosen(alike, separator)[:2] for separator in ",;\t"}
        assert found == ("number", "point") and "decimal" not in chosen(alike, "\t").note
    thousands = ["1.250", "880"]
    assert chosen(thousands).written == "number" and chosen(thousands, ";", ["1,5"]).written == "comma"
    days = ["1/2/2024", "3/4/2024"]
    assert "can be read in two ways" in chosen(days).note
    assert chosen(days, ",", ["31/12/2023"]).written == "day-first" == chosen(days, dates="day-first").written
    assert chosen(days, ",", ["12/31/2023"]).written == "month-first" == chosen(days, dates="month-first").written
    assert chosen(["31/12/2023"], dates="iso").kind == "category"
    assert chosen(["1"], as_text=["x"]).kind == "category"
    excel = chosen(["45000", "45001.5"], dates="excel")
    assert excel.column(["45000", "45001.5"], [0, 1], frozenset()).values.astype("M8[h]").tolist() == [
        datetime(2023, 3, 15), datetime(2023, 3, 16, 12)
    ]  # fmt: skip
    assert chosen(["45000", "3"], dates="excel").kind == "number"


def test_what_was_guessed_is_a_line() -> None:
    assert chosen(["1", "2"]).note == chosen(["a", "b"]).note == chosen(["2024-01-01"]).note == ""
    assert chosen(["3.5", "3.50"]).note == "'3.5' and '3.50' are one number; categorical= (--as-text) keeps them apart"
    assert chosen(["0.0", "-0.0", "1.5"]).note == "" != chosen(["0.0", "-0.0", "1.5", "1.50"]).note
    assert chosen(["007", "7"]).note == "leading zeros, as in '007', make a code"
    assert chosen(["3", "1,5 kg", "2,0 kg"][1:]).note == "numbers such as '1,5 kg', with a decimal comma, in kg"
    assert chosen(["31.12.2023"]).note == "dates such as '31.12.2023', day first"
    for row in (0, 5, 11):
        cells = [*map(str, range(12))]
        cells[row] = "x"
        said = f"nearly all are numbers, but 'x' in row {row + 1} is none; name it as missing, or correct it"
        assert chosen(cells).note == said
    assert "nearly" not in chosen(["1", "2", "x", "y"]).note


@given(
    st.lists(st.sampled_from(["", " ", *(cell for cells, *_ in WRITTEN for cell in cells)]), min_size=1), st.integers(0)
)
@example(["", "1,5", "3"], 1)
@example(["2024-01-01", " ", "NA"], 1)
def test_blocks_of_a_column_are_its_format(cells: list[str], cut: int) -> None:
    """However its rows are cut, but for two texts that are one number, which are seen in a block."""
    whole, parts = FormatCounts(), FormatCounts()
    whole.add(*distinct(cells))
    for some in (cells[: cut % len(cells)], cells[cut % len(cells) :]):
        if some:
            parts.add(*distinct(some))
    each = [formats_of({"x": column}, FileOptions(), ",")["x"] for column in (whole, parts)]
    alike = [one._replace(note="") if whole.alike else one for one in each]
    assert alike[0] == alike[1]


def test_the_order_that_was_declared_first_stays() -> None:
    found = ValueCounts(9)
    for names in (("b", "a"), ("a", "b"), ("a",)):
        found.declare(names)
        assert found.named()[0] == ("b", "a")
    found.declare(("c", "b", "a"))
    assert found.named()[0] == ("c", "b", "a")


def test_what_is_missing_has_no_value_in_a_vector() -> None:
    columns = read_columns({"a": [1, None, 3], "b": np.array(["2024-01-01", "NaT", "2024-01-02"], "M8[D]"),
                            "c": ["u", None, "v"], "d": [1, 2, 3]})  # fmt: skip
    assert str(vector(columns["a"]).tolist()) == "[1.0, nan, 3.0]"
    assert np.isnat(vector(columns["b"])).tolist() == [False, True, False]
    assert vector(columns["c"]).tolist() == ["u", None, "v"] and vector(columns["d"]).tolist() == [1, 2, 3]


def test_categories_for_more_than_every_other_row_are_told() -> None:
    words = [f"w{i}" for i in range(20)]
    for cells, many in ((words + words[1:], True), (words + words, False), (words[1:], False)):
        said = remarks(Tables.of({"x": cells, "y": ["p"] * len(cells)}, "y", bins=4, missing="row"))
        assert any("nearly as many values as rows: x (20 values in 39 rows)." in line for line in said) == many
        assert any("nearly as many values as rows" in line for line in said) == many


def test_many_lines_of_one_kind_are_four_and_a_number(tmp_path: Path) -> None:
    """However their examples, rows and columns differ; the records of the columns keep each."""
    lines = ["y,name," + ",".join(f"x{j}" for j in range(70)), "p,7," + ",".join(f"{j}.5" for j in range(70)),
             "q,007," + ",".join(f"{j}.50" for j in range(70))]  # fmt: skip
    (path := tmp_path / "wide.csv").write_text("\n".join(lines))
    found = Tables.of(path, "y")
    said = "x{0}: '{0}.5' and '{0}.50' are one number; categorical= (--as-text) keeps them apart."
    one_number = [said.format(j) for j in range(70)]
    more = "and 66 more columns like these; --json, or columns, has each."
    assert remarks(found)[2:] == ("name: leading zeros, as in '007', make a code.", *one_number[:4], more)
    assert [f"{name}: {column.note}." for name, column in found.columns.items()][1:] == one_number
    few = [column for column in found.columns if column not in ("x0", "x1", "x2", "x3", "x4")]
    assert remarks(Tables.of(path, "y", drop=few))[-5:] == tuple(one_number[:5])


def test_many_files_are_remarked_by_four_of_a_kind(tmp_path: Path) -> None:
    for name in "abcdefg":
        (tmp_path / f"rows {name}.csv").write_bytes("größe;y\n1,5;ja\n2,5;nein\n".encode("cp1252"))
    said = remarks(Tables.of(tmp_path, "y"))[:5]
    assert said == (*(f"rows {name}.csv is text in cp1252." for name in "abcd"), "and 3 more files like these.")


@pytest.mark.parametrize("bins", [np.uint8(200), np.int8(16), 16])
def test_bins_of_few_bits_are_numbers(bins: Any) -> None:
    found = Tables.of({"x": np.arange(70_000.0)}, np.arange(70_000) % 2, bins=bins)
    assert found.columns["x"].bins == bins


def test_features_are_the_columns_of_an_array() -> None:
    assert list(read_columns(np.zeros((3, 2)))) == [0, 1]
    for shape in ((3,), (3, 2, 2)):
        refused("features come first, a table of rows and columns; got", read_columns, np.zeros(shape))
    refused("same length; got 2 rows in 'a' and 3 in 'b'", read_columns, {"a": [1, 2], "b": [1, 2, 3]})


def test_an_arrow_table_with_a_vector_of_labels() -> None:
    pa = pytest.importorskip("pyarrow")
    data = pa.table({"label": ["u", "v", "u"], "x": [1, 2, 3]})
    source, name = labelled(data, ["a", "b", "a"])
    assert name == "label_" and list(source.headers) == ["label", "x", "label_"]
    refused("one entry for each of 3 rows; got 2 entries", labelled, data, ["a", "b"])


def test_marks_of_missing_values_are_named_in_their_own_order(tmp_path: Path) -> None:
    """Not in that of the file, nor of a set, so that two runs and two orders of the rows say the same."""
    cells = ["null", "?", "NaN", "NA", "none", "1.5", "2.5", "n/a"]
    for order in (cells, cells[::-1]):
        (path := tmp_path / "x.csv").write_text("x,y\n" + "".join(f"{x},{'pq'[i % 2]}\n" for i, x in enumerate(order)))
        marks = Tables.of(path, "y", bins=2, missing="row").columns["x"].marks
        assert len(marks) > 4
        assert list(marks) == sorted(marks)


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["007", "7"], "category"), (["1", "2"], "category"), (["1", None, 2], "category"), ([1, 2.5, None], "number"),
        ([True, None, False], "flag"), ([True, 2], "number"), (["2024-01-01", None, "2023-12-31 08:00"], "date"),
        (["2024-01-01", "later"], "category"), ([np.inf, 1.0], "number"), ([b"a"], "category"), ([None], "category"),
        ([Decimal("1.10"), Decimal("1.1")], "number"), ([2**63, 1], "number"), ([date(2024, 1, 1)], "date"),
    ],
)  # fmt: skip
def test_typed_values_say_what_they_are(cells: list[Any], kind: str) -> None:
    assert read_column(cells, "x").kind == read_column(np.array(cells, dtype=object), "x").kind == kind
    found = read_column(cells, "x")
    assert found.present.tolist() == [cell is not None for cell in cells] and found.note == "" == "".join(found.marks)


def test_dtypes_say_what_they_are() -> None:
    pd, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    texts = pd.Series(["b", "a", None], dtype="string")
    grades = pd.Series(pd.Categorical(["b", "a", None], categories=["b", "a", "c"], ordered=True))
    assert read_column(grades, "x").kind == "ordered" and read_column(grades, "x").names == ("b", "a", "c")
    assert read_column(texts.astype("category"), "x").kind == read_column(texts, "x").kind == "category"
    days = pa.array(["2024-01-01"]).dictionary_encode()
    assert read_column(days, "x").kind == read_column(pa.chunked_array([days, days]), "x").kind == "category"
    assert read_column(pa.array(["2024-01-01"]), "x").kind == "date" == read_column(pd.Series(["2024-01-01"]), "x").kind
    assert read_column(pa.chunked_array([[True], [False]]), "x").kind == "flag"
    assert read_column(pa.array([2**63], pa.uint64()), "x").values.tolist() == [2**63]


# What a target is: one rule for vectors of any type and for counted values.


@pytest.mark.parametrize(
    ("y", "kind"),
    [
        (["a", "b"], "classes"), ([0, 1], "classes"), ([True, False], "classes"), ([0.5, 1.0], "numbers"),
        (list(range(20)), "classes"), (list(range(21)), "numbers"), ([*map(str, range(30))], "classes"),
        ([float(i) for i in range(20)] * 2, "classes"), ([1.0, np.inf], "numbers"), ([Decimal("0.5"), 1], "numbers"),
        ([Fraction(1, 2), 1], "numbers"), ([*range(30), None], "numbers"), ([*"ab", None], "classes"),
        (["2024-01-01", "2024-01-02"], "classes"), ([2**70, *range(25)], "numbers"),
    ],
)  # fmt: skip
def test_auto(y: list[Any], kind: str) -> None:
    found = read_target(y)
    assert found.kind == kind == read_target(np.array(y, dtype=object)).kind
    assert found.present.tolist() == [x is not None for x in y]
    if kind == "numbers":
        assert [float(x) for x in found.values] == [float(x) for x in y if x is not None]
    else:
        names = [found.classes[code] for code in found.values]
        assert list(map(str, names)) == [str(x) for x in y if x is not None] or "2024" in str(names)


def test_response_insists() -> None:
    assert read_target([0, 1], "numbers").kind == "numbers" and read_target(range(300), "classes").kind == "classes"
    with pytest.raises(MeasuredTarget, match=r"a label is a class; got numbers such as 0.5 in 'price'"):
        read_target([0.5, 1], "classes", "price")
    with pytest.raises(ValueError, match="a numeric target must hold only numbers; got other values in 'sold'"):
        read_target(["a", 1], "numbers", "sold")
    refused("a class has a name of at most 10000 characters", read_target, ["a", "b" * 10001])


def test_remarks() -> None:
    assert read_target([0, 1] * 5).remarks == read_target(["a", "b"] * 5).remarks == read_target([0.5, 1]).remarks == ()
    assert read_target([1, 2, 3] * 5, label="age").remarks == (
        "3 whole numbers in 'age' are taken for classes; response='numbers' measures them.",
    )
    assert read_target(["a", "a", "b"]).remarks == ("classes of 'y' with one row: 'b'.",)
    spelt = "classes of 'y' that differ only by case or blanks: 'JA ', 'Ja', 'ja'."
    told = (spelt, "classes of 'y' with one row: 'x'.")
    rows = [*("ja", "Ja", "JA ", "nein") * 2, "x"]
    assert {read_target([rows[i] for i in np.random.default_rng(k).permutation(9)]).remarks for k in range(9)} == {told}
    assert "and 3 more" in response_of([*map(chr, range(97, 104))], [1] * 7, "auto", "y")[1][0]


def test_what_is_no_target_is_refused() -> None:
    fields = np.zeros(3, dtype=[("event", bool), ("time", float)])
    refused("of times and events, by response_scores=log_rank", read_target, fields)
    refused(r"y has one output; got shape \(3, 2\)", read_target, np.zeros((3, 2)))
    refused("a label has at most 1000 values; got more in 'name'", read_target, [*map(str, range(1001))], label="name")


def test_responses_are_floats_from_the_least_where_these_would_merge_integers() -> None:
    assert read_target([2**60 + 1, 2**60, None], "numbers").responses.tolist() == [1, 0]
    assert read_target(pd.DataFrame({"y": [3, 5]}), "numbers").responses.tolist() == [3, 5]
    refused("a numeric target must be finite; got inf in 'y'", lambda: read_target([0.5, np.inf]).responses)
    with pytest.raises(ValueError, match="a numeric target must fit a float; got larger ones in 'y'"):
        _ = read_target([10**400, 0], "numbers").responses


# Integers of any size: what tells classes apart, thresholds, parts and signs; `tests/laws` has every entry.


Y = [0, 1] * 20
COLUMNS: dict[str, Callable[[list[int]], Any]] = {
    "list": list, "objects": lambda values: np.array(values, dtype=object),
    "decimals": lambda values: list(map(Decimal, values)),
}  # fmt: skip


@pytest.mark.parametrize("low", [2**53, 2**63, 10**40])
@pytest.mark.parametrize("column", COLUMNS)
def test_what_tells_classes_apart_is_found_whatever_the_size(tmp_path: Path, low: int, column: str) -> None:
    """An identity that is the class, and large: the score is that of 0 and 1."""
    values = COLUMNS[column]([low + y for y in Y])
    small, large = (rank_features({"x": list(x)}, Y).scores for x in (Y, values))
    assert large == small
    if column != "decimals":  # which have no distances
        assert clusterings(values, Y).scores == clusterings(Y, Y).scores
    rows = [f"{x}{'.0' * (i == 7)},{y}\n" for i, (x, y) in enumerate(zip(values, Y, strict=True))]
    (path := tmp_path / "ids.csv").write_text("x,y\n" + "".join(rows))
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


@pytest.mark.parametrize("huge", [10**4300, Decimal("1e4300"), Decimal("-1e999999")], ids=range(3))
def test_an_integer_that_cannot_be_printed_is_refused(huge: Any) -> None:
    with pytest.raises(ValueError, match="an integer in a column has at most 4300 digits; got one with more"):
        rank_features({"x": [huge, 1]}, [0, 1])


def test_a_signalling_nan_is_missing() -> None:
    found = Tables.of({"x": [Decimal("sNaN"), Decimal(1), Decimal(2)]}, [0, 1, 0], missing="row")
    assert found.tables["x"].row_names == (1, 2, "(missing)")


def test_a_zero_has_no_sign() -> None:
    """However it is written, and whatever stands beside it."""
    for zero in (-0.0, Decimal("-0"), Decimal("-0.0"), np.float32(-0.0), np.longdouble("-0.0"), Fraction(0), 0):
        for others in ([], [0.5], [2**63], [0.5, 2**63], [np.longdouble(1e300), np.longdouble("inf")]):
            found = as_numbers([*others, zero]).tolist()[-1]
            assert (found, str(found).lstrip("-")) == (0, str(found))


@pytest.mark.parametrize("name", [0, "", "a"])
def test_no_two_columns_have_one_name(name: Any) -> None:
    twice = pd.DataFrame([[1, 2], [3, 4]], columns=[name, name])
    refused(f"column names must differ; got {name!r} twice; rename", read_columns, twice)
    if isinstance(name, str):
        table = pytest.importorskip("pyarrow").table([[1, 2], [3, 4]], names=[name, name])
        refused(f"got {name!r} twice", source_of, table)


@pytest.mark.parametrize("others", [[], [-0.5], [2**70, 0.5, "NA"]])
def test_integers_are_compared_with_marks_exactly(others: list[Any]) -> None:
    keeps = NaValues.of([10**16 - 1, *others]).keeps(np.array([10**16, 10**16 - 1, 5]))
    assert keeps.tolist() == [True, False, True]


@pytest.mark.parametrize("names", [[0.5, 1.5], list(range(25))])
def test_declared_categories_are_classes_numbers_too(names: list[float]) -> None:
    y = pd.Series(pd.Categorical(names * 2))
    target = read_target(y)
    assert (target.kind, target.classes, target.values.tolist()) == ("classes", tuple(names), [*range(len(names))] * 2)
    frame = pd.DataFrame({"x": np.arange(2.0 * len(names)), "y": y})
    arrow = pytest.importorskip("pyarrow").Table.from_pandas(frame)
    assert len({str(rank_features(*each).features) for each in ((frame, "y"), (frame[["x"]], y), (arrow, "y"))}) == 1
    refused("a numeric target must hold only numbers", read_target, y, response="numbers")
    assert read_target(names).kind == "numbers"


def test_a_date_that_begins_before_the_first_year_is_a_word() -> None:
    early, later = "0001-01-01T00:00:00+01:00", "2024-01-01T00:00:00+01:00"
    assert dates([early, later]) is None and dates([later]) is not None
    assert read_column([early, later], "when").kind == "category"
