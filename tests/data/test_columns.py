"""Columns as they are read: names of two tables joined, what stands for a missing value, what texts are, labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from splitcrit.data.columns import NaValues, coded, read_columns, vector
from splitcrit.data.partial_counts import ValueCounts
from splitcrit.data.sources import labelled
from splitcrit.data.texts import Texts, check_target
from splitcrit.data.value_codes import union
from splitcrit.table import Tables
from splitcrit.table.many_tables import remarks


def test_names_of_two_tables_keep_the_order_of_the_one_that_holds_the_other() -> None:
    assert union(("b", "a"), ("a", "b")) == ("b", "a")
    assert union(("b", "a"), ("a",)) == ("b", "a") == union(("a",), ("b", "a"))
    assert union(("c", "a"), ("b",)) == ("a", "b", "c")


def test_what_stands_for_a_missing_value_is_dropped_and_nothing_else() -> None:
    missing = NaValues.of(["?", -999])
    assert missing.dropped(["?", " ? ", "a", 3, -999, "-999", None]) == [None, None, "a", 3, None, None, None]
    assert missing.keeps(np.array([1, -999, 2])).tolist() == [True, False, True]
    assert NaValues.of(["?"]).keeps(np.array([1, -999])).tolist() == [True, True]
    assert missing.keeps(np.array(["2020-01-01"], "M8[D]")).tolist() == [True]
    assert NaValues().dropped(["?"]) == ["?"]
    assert NaValues.of("NA").texts == {"NA"} and NaValues.of(-1).numbers == {-1}
    with pytest.raises(TypeError, match="strings or numbers; got None"):
        NaValues.of(["?", None])


def texts(names: list[str | None], start: int = 0) -> Texts:
    """What the texts of a column turned out to be, each read once."""
    found = Texts()
    found.read(names, np.arange(len(names)), start)
    return found


@pytest.mark.parametrize(
    ("names", "kind", "spoiler"),
    [
        (["1", "2.5", " 3"], "number", None),
        (["2024-01-01", "2024-02-29 12:30"], "date", None),
        (["a", "b"], "word", None),
        ([*map(str, range(9)), "x"], "word", ("number", 9, "x")),
        (["x", *map(str, range(9)), *map(str, range(10, 20)), "2024-01-01"], "word", ("number", 0, "x")),
        ([*(f"2024-01-{i}" for i in range(10, 19)), "7"], "word", ("date", 9, "7")),
        (["1", "2", "2024-01-01", "b"], "word", None),
        (["3", "1,5", "-2,25"], "word", ("decimal comma", 1, "1,5")),
        (["1,234,567", "x,5"], "word", None),
        (["31/12/2023", "1/2/24"], "word", ("other date", 0, "31/12/2023")),
        (["2024-02-29", "31.12.2023 08:15"], "word", ("other date", 1, "31.12.2023 08:15")),
        (["2024/02/29"], "word", ("other date", 0, "2024/02/29")),
        (["1-2/24", "10.0.0.1"], "word", None),
    ],
)
def test_what_the_texts_of_a_column_are(names: list[str | None], kind: str, spoiler: Any) -> None:
    found = texts(names)
    assert found.kind == kind and found.spoiler == spoiler
    assert sum(found.rows.values()) == len(names)


def test_texts_of_several_kinds_are_counted_by_kind() -> None:
    assert texts(["1", "x", "2024-01-01", "2", "y", "z"]).rows == {"number": 2, "date": 1, "word": 3}
    assert texts(["1", "x", "2024-01-01"], start=5).first == {
        "number": (5, "1"), "word": (6, "x"), "date": (7, "2024-01-01"),
    }  # fmt: skip


def test_the_first_row_of_a_kind_is_found_in_whatever_order_the_names_stand() -> None:
    found = Texts()
    found.read(["3", "1", "2"], np.array([2, 1, 1, 0]), 5)
    assert found.first == {"number": (5, "2")} and found.rows == {"number": 4}
    found.read(["b", "4", "a"], np.array([1, 2, 0]), 9)
    assert found.first == {"number": (5, "2"), "word": (10, "a")}


def test_the_order_that_was_declared_first_stays() -> None:
    found = ValueCounts(9)
    for names in (("b", "a"), ("a", "b"), ("a",)):
        found.declare(names)
        assert found.names() == ("b", "a")
    found.declare(("c", "b", "a"))
    assert found.names() == ("c", "b", "a")


def test_what_is_missing_has_no_value_in_a_vector() -> None:
    columns = read_columns({"a": [1, None, 3], "b": np.array(["2024-01-01", "NaT", "2024-01-02"], "M8[D]"),
                            "c": ["u", None, "v"], "d": [1, 2, 3]})  # fmt: skip
    assert str(vector(columns["a"]).tolist()) == "[1.0, nan, 3.0]"
    assert np.isnat(vector(columns["b"])).tolist() == [False, True, False]
    assert vector(columns["c"]).tolist() == ["u", None, "v"] and vector(columns["d"]).tolist() == [1, 2, 3]


def told(cells: list[str]) -> str:
    return " ".join(remarks(Tables.of({"x": cells, "y": ["p"] * len(cells)}, "y", bins=4, missing="row")))


@pytest.mark.parametrize("row", [1, 5, 12])
def test_the_cell_that_spoils_a_column_is_told_with_its_row_counted_from_one(row: int) -> None:
    cells = [*map(str, range(12))]
    cells[row - 1] = "x"
    assert f"x ('x' in row {row} is not a number; name it as a missing value, or correct it)." in told(cells)


def test_categories_for_more_than_every_other_row_are_told() -> None:
    words = [f"w{i}" for i in range(20)]
    assert "nearly as many values as rows: x (20 values in 39 rows)." in told(words + words[1:])
    assert "nearly as many values as rows" not in told(words + words)
    assert "nearly as many values as rows" not in told(words[1:])


def test_many_rare_numbers_are_no_label() -> None:
    names = tuple(range(101))
    check_target("y", names, 1010)
    check_target("y", names[:100], 100)
    with pytest.raises(ValueError, match=r"101 numbers in 'y', 10\.0 rows each"):
        check_target("y", names, 1009)
    check_target("y", (0.5, *"abcdefghij"), 11)
    with pytest.raises(ValueError, match=r"numbers such as 0.5 in 'y'"):
        check_target("y", (1, 0.5), 100)


def test_features_are_the_columns_of_an_array() -> None:
    assert list(read_columns(np.zeros((3, 2)))) == [0, 1]
    for shape in ((3,), (3, 2, 2)):
        with pytest.raises(ValueError, match="features come first, a table of rows and columns; got"):
            read_columns(np.zeros(shape))
    with pytest.raises(ValueError, match="same length; got 2 rows in 'a' and 3 in 'b'"):
        read_columns({"a": [1, 2], "b": [1, 2, 3]})


def test_an_arrow_table_with_a_vector_of_labels() -> None:
    pa = pytest.importorskip("pyarrow")
    data = pa.table({"label": ["u", "v", "u"], "x": [1, 2, 3]})
    source, name = labelled(data, ["a", "b", "a"])
    assert name == "label_" and list(source.names) == ["label", "x", "label_"]
    with pytest.raises(ValueError, match="3 rows and 2 labels"):
        labelled(data, ["a", "b"])


def test_a_vector_of_objects_is_coded_by_its_values() -> None:
    found = coded(np.array(["b", None, "a", "b"], dtype=object), "feature")
    assert found.names == ("a", "b") and found.codes.tolist() == [1, -1, 0, 1]


def test_marks_of_missing_values_are_named_in_their_own_order() -> None:
    """Not in that of the file, nor of a set, so that two runs and two orders of the rows say the same."""
    cells = ["null", "?", "NaN", "NA", "none", "1.5", "2.5", "n/a"]
    for order in (cells, cells[::-1]):
        data = {"x": order, "y": ["p", "q"] * (len(order) // 2)}
        marks = Tables.of(data, "y", bins=2, missing="row").columns["x"].marks
        assert len(marks) > 4
        assert list(marks) == sorted(marks)
