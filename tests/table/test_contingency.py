"""Tables: validation, two vectors against a dictionary count, exact totals, values that compare."""

import datetime
import math
import pickle
from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from refusals import refused
from splitcrit.data.counting import narrowed
from splitcrit.data.values import as_numbers
from splitcrit.table import Table

NAN, HALF = float("nan"), Fraction(1, 2)

grids = st.integers(1, 4).flatmap(
    lambda k: st.lists(st.lists(st.integers(0, 9), min_size=k, max_size=k), min_size=1, max_size=4)
)
letters = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([0, 1, 2])), min_size=1, max_size=30)


@given(grids)
def test_counts_come_out_as_they_went_in(rows: list[list[int]]) -> None:
    for given_as in (rows, np.array(rows), np.array(rows, dtype=float), np.array(rows, dtype=np.uint8), tuple(rows)):
        table = Table.of(given_as)
        assert table.counts.dtype == np.int64 and table.counts.tolist() == rows
        assert table == Table.of(rows) and hash(table) == hash(Table.of(rows))
    assert table.row_totals.tolist() == [sum(row) for row in rows]
    assert table.column_totals.tolist() == [sum(column) for column in zip(*rows, strict=True)]
    assert table.total == sum(map(sum, rows)) and type(table.total) is int
    assert table.exact() == rows and all(type(x) is Fraction for row in table.exact() for x in row)
    assert table.T.counts.tolist() == [list(column) for column in zip(*rows, strict=True)]
    assert table == table.T.T
    assert eval(repr(table)) == table


@given(grids)
def test_dropped_leaves_no_empty_row_or_column(rows: list[list[int]]) -> None:
    table = Table.of(rows)
    small = table.dropped()
    keep = [i for i, row in enumerate(rows) if any(row)]
    assert small.row_names == tuple(keep) and small.total == table.total
    assert small.class_names == tuple(j for j in range(len(rows[0])) if any(row[j] for row in rows))
    assert small.counts.tolist() == [[rows[i][j] for j in small.class_names] for i in keep]


@given(letters)
def test_two_vectors_are_counted(pairs: list[tuple[str, int]]) -> None:
    feature, label = zip(*pairs, strict=True)
    seen = Counter(pairs)
    rows, classes = sorted(set(feature)), sorted(set(label))
    expected = [[seen[f, y] for y in classes] for f in rows]
    arrays = np.array(feature), np.array(label)
    for f, y in ((feature, label), arrays, (np.array(feature, dtype=object), list(label))):
        table = Table.of(f, y)
        assert (table.counts.tolist(), table.row_names, table.class_names) == (expected, tuple(rows), tuple(classes))
    weighted = Table.of(feature, label, weights=[HALF] * len(pairs))
    assert weighted.exact() == [[HALF * x for x in row] for row in expected]
    assert Table.of(feature, label, weights=np.full(len(pairs), 0.5)).exact() == weighted.exact()
    twice = Table.of(feature, label, weights=[2] * len(pairs))
    assert twice.counts.tolist() == [[2 * x for x in row] for row in expected]


@given(letters, st.sampled_from([Fraction(1, 3), 2**60, 0.25]))
def test_every_observation_has_its_own_weight(pairs: list[tuple[str, int]], unit: Any) -> None:
    feature, label = zip(*pairs, strict=True)
    weights = [unit * (i + 1) for i in range(len(pairs))]
    table = Table.of(feature, label, weights=weights)
    for i, name in enumerate(table.row_names):
        for j, known in enumerate(table.class_names):
            expected = sum(w for w, pair in zip(weights, pairs, strict=True) if pair == (name, known))
            assert table.exact()[i][j] == expected


def test_masked_numbers_are_missing() -> None:
    feature = np.ma.masked_array([1.5, 2.5, math.nan, 1.5], mask=[True, False, False, False])
    table = Table.of(feature, [0, 1, 1, 1], missing="row")
    assert table.row_names == (1.5, 2.5, "(missing)") and table.counts.tolist() == [[0, 1], [0, 1], [1, 1]]


@given(letters, st.integers(0, 30))
def test_partial_tables_add_up(pairs: list[tuple[str, int]], cut: int) -> None:
    parts = [part for part in (pairs[:cut], pairs[cut:]) if part]
    tables = [Table.of(*map(list, zip(*part, strict=True))) for part in parts]
    whole = Table.of(*map(list, zip(*pairs, strict=True)))
    assert (tables[0].merged(tables[-1]) if len(tables) == 2 else tables[0]) == whole
    assert (tables[-1].merged(tables[0]) if len(tables) == 2 else tables[0]) == whole


def test_merging_keeps_missing_last_and_exact_numbers() -> None:
    first = Table.of(["b", None], [0, 0], missing="row")
    assert first.merged(Table.of(["z"], [1])).row_names == ("b", "z", "(missing)")
    big = Table.of([[2**62, 2**62 - 1]])
    assert big.merged(big).counts.tolist() == [[2**63, 2**63 - 2]]
    assert Table.of([[HALF, 0]]).merged(Table.of([[HALF, 1]])).counts.tolist() == [[1, 1]]
    batch = Table.of([[[1, 2]], [[3, 4]]])
    assert batch.merged(batch).counts.tolist() == [[[2, 4]], [[6, 8]]]


def test_which_number_type_holds_the_counts() -> None:
    assert Table.of([[0.5, 1]]).counts.dtype == np.float64
    assert Table.of([[HALF, 0.25]]).counts.dtype == np.float64
    assert Table.of([[HALF, 1]]).counts.dtype == object
    assert Table.of([[Fraction(4, 2), 1]]).counts.dtype == np.int64
    assert Table.of([[2.0**53 - 1, 1]]).counts.dtype == np.int64
    assert Table.of([[2.0**53, 1]]).counts.dtype == np.float64
    for big in (2**63, 2**63 + 1, 2**64 - 1, 2**70):
        assert Table.of([[big, 1]]).counts.tolist() == [[big, 1]]
        assert Table.of([[big, 1]]).total == big + 1


def test_totals_do_not_wrap_around() -> None:
    table = Table.of(np.full((2, 2), 2**62))
    assert table.counts.dtype == np.int64
    assert table.total == 2**64 and table.row_totals.tolist() == [2**63] * 2 == table.column_totals.tolist()
    batch = Table.of(np.full((3, 2, 2), 2**62))
    assert batch.total.tolist() == [2**64] * 3
    assert repr(Table.of([[2**61] * 5] * 5)) == f"<Table of shape (5, 5) and total {25 * 2**61}>"
    assert repr(Table.of([[[0.5] * 5] * 5] * 2)) == "<Table of shape (2, 5, 5) and total 25.0>"


def test_integers_or_a_sentence() -> None:
    assert Table.of([[1, 2]]).integers().dtype == np.int64
    assert Table.of([[2.0**60, 1]]).integers().tolist() == [[2**60, 1]]
    assert Table.of([[2**70, 1]]).integers().tolist() == [[2**70, 1]]
    for half in (0.5, HALF):
        refused(r"must be integers .*; got .* at row 1, column 0; pass counts", Table.of([[1, 2], [half, 3]]).integers)


def test_cells_are_a_view_with_rows_and_classes_first() -> None:
    table = Table.of(np.arange(24).reshape(4, 2, 3))
    assert table.shape == (4, 2, 3) and table.cells.shape == (2, 3, 4)
    assert np.shares_memory(table.cells, table.counts)
    assert table.cells[1][2].tolist() == [5, 11, 17, 23]
    assert Table.of([[1, 2]]).cells[0][1] == 2
    assert Table.of(np.zeros((0, 2, 2))).total.shape == (0,)


def test_a_table_is_frozen_and_owns_its_counts() -> None:
    source = np.array([[1, 2], [3, 4]])
    table = Table.of(source)
    source[0, 0] = 99
    assert table.counts[0, 0] == 1 and source.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        table.counts[0, 0] = 5
    with pytest.raises(AttributeError):
        table.counts = source  # type: ignore[misc]
    again = pickle.loads(pickle.dumps(table))
    assert again == table and not again.counts.flags.writeable


def test_equality_is_by_content() -> None:
    plain, named = Table.of([[1, 2]]), Table.of([[1, 2]], class_names=["no", "yes"])
    assert plain != Table.of([[1, 3]]) and plain != named and plain != Table.of([[[1, 2]]]) and plain != [[1, 2]]
    assert Table.of(["r"], ["yes"]) == Table.of([[1]], row_names=["r"], class_names=["yes"])
    assert Table.of(plain) is plain and Table.of(named, class_names=[0, 1]) == plain
    assert Table.of(named, row_names=["r"]).class_names == ("no", "yes")
    assert np.asarray(named).tolist() == [[1, 2]]
    assert eval(repr(named)) == named
    assert len(repr(Table.of(np.ones((100, 2))))) < 80


@pytest.mark.parametrize(
    ("counts", "kind", "words"),
    [
        ([[1, 2], [-3, 4]], ValueError, "non-negative; got -3 at row 1, column 0; pass counts, not differences"),
        ([[HALF, -HALF]], ValueError, "non-negative; got -1/2 at row 0, column 1"),
        ([[[1, 2]], [[3, -4]]], ValueError, "got -4 at row 0, column 1 of table 1;"),
        ([[1, NAN]], ValueError, "finite; got nan at row 0, column 1; drop or fill"),
        ([[math.inf, 1]], ValueError, "finite; got inf at row 0, column 0"),
        ([[10**400, 0.5]], ValueError, "finite; got inf at row 0, column 0; drop or fill"),
        ([[1e308, 1e308]], ValueError, "total of a table must be finite"),
        (np.ma.masked_array([[1, 2]], mask=[[0, 1]]), ValueError, "present; got a masked entry at row 0, column 1"),
        ([[1, 2], [3]], ValueError, "form a rectangle; got rows of unequal length; write absent counts as 0"),
        ([[1, None]], TypeError, "real numbers; got None at row 0, column 1"),
        ([["1", "2"]], TypeError, "real numbers; got '1' at row 0, column 0"),
        ([[True, False]], TypeError, "real numbers; got True at row 0, column 0"),
        ([[1j, 1]], TypeError, "real numbers; got 1j at row 0, column 0"),
        ([[datetime.date(2020, 1, 1)]], TypeError, "real numbers; got 2020-01-01"),
        (3, ValueError, "rows and columns; got 0 dimensions"),
        ([1, 2], ValueError, "rows and columns; got 1 dimension"),
        (None, ValueError, "rows and columns; got 0 dimensions"),
        ([], ValueError, "rows and columns; got 1 dimension"),
        ([[]], ValueError, r"at least one row and one column; got shape \(1, 0\)"),
        (np.zeros((0, 3)), ValueError, r"at least one row and one column; got shape \(0, 3\)"),
    ],
)
def test_validation_of_counts(counts: object, kind: type[Exception], words: str) -> None:
    refused(words, Table.of, counts, error=kind)


numbers = st.one_of(st.integers(-3, 9), st.floats(), st.fractions(), st.complex_numbers())
entries = st.one_of(numbers, st.none(), st.text(max_size=2))


@given(st.lists(st.lists(entries, max_size=3), max_size=3))
def test_counts_are_taken_or_refused_in_one_sentence(rows: list[list[object]]) -> None:
    """What comes through is real, finite, non-negative and equal to what was given; all else is refused politely."""
    try:
        table = Table.of(rows)
    except (ValueError, TypeError) as refusal:
        assert len(str(refusal).split("; ")) == 3 and "got " in str(refusal)
    else:
        flat = [x for row in rows for x in row]
        assert all(math.isfinite(x) and x >= 0 for x in flat)  # type: ignore[arg-type, operator]
        assert all(math.isclose(a, b) for a, b in zip(table.counts.ravel(), flat, strict=True))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("act", "kind", "words"),
    [
        (lambda: Table.of(["a"], [0, 1]), ValueError, "equally long; got 1 feature values and 2 labels"),
        (lambda: Table.of([], []), ValueError, "at least one value; got an empty vector"),
        (lambda: Table.of("ab", "cd"), ValueError, "'label' must be a vector, of one value for each row; got 'cd'"),
        (lambda: Table.of(np.zeros((2, 2)), [0, 1]), ValueError, "'feature' must be a vector, .*; got 2 dimensions"),
        (lambda: Table.of([[1], [2]], [0, 1]), TypeError, "truth values, dates or categories; got list in 'feature'"),
        (lambda: Table.of(["a", None], [0, 1]), ValueError, "feature .* at position 1; .* missing='row'"),
        (lambda: Table.of(["a"], [None]), ValueError, "label .* a missing value at position 0; drop"),
        (lambda: Table.of(["a"], [NAN], missing="row"), ValueError, "label .* at position 0; drop"),
        (lambda: Table.of(["(missing)", None], [0, 1], missing="row"), ValueError, "name of the missing row"),
        (lambda: Table.of(["a"], [0], missing="drop"), ValueError, "missing is one of 'error', 'row'; got 'drop'"),
        (lambda: Table.of(["a"], [0], weights=[-1]), ValueError, "weights must be non-negative; got -1 at position 0"),
        (lambda: Table.of(["a"], [0], weights=[NAN]), ValueError, "weights must be finite; got nan at position 0"),
        (lambda: Table.of(["a"], [0], weights=[1, 2]), ValueError, "weights must be one per observation"),
        (lambda: Table.of(["a"], [0], weights=2), ValueError, "got weights of shape"),
        (lambda: Table.of(["a"], [0], weights=-2), ValueError, r"shape \(\) for 1 observations"),
        (lambda: Table.of([[1, 2]], weights=[1]), TypeError, "weights belong to two vectors"),
        (lambda: Table.of([[1, 2]], class_names=["a"]), ValueError, "class names must be distinct, one for each class"),
        (lambda: Table.of([[1, 2]], class_names=["a", "a"]), ValueError, "class names must be distinct"),
        (lambda: Table.of([[[1, 2]]]).dropped(), ValueError, r"dropped\(\) takes a single table; got a batch of shape"),
        (lambda: Table.of([[[1, 2]]]).exact(), ValueError, r"exact\(\) takes a single table"),
    ],
)
def test_other_mistakes(act: object, kind: type[Exception], words: str) -> None:
    refused(words, act, error=kind)


def test_names_stand_in_order() -> None:
    def rows(feature: object, **options: str) -> tuple[object, ...]:
        return Table.of(feature, [0, 1, 1], **options).row_names  # type: ignore[arg-type]

    assert rows([10, 9, 100]) == (9, 10, 100)
    assert rows(["b", "a", "b"]) == ("a", "b")
    assert rows([True, False, True]) == (False, True)
    assert rows(["z", 3, 2.5]) == ("2.5", "3", "z")
    assert rows([2.0, NAN, 1.0], missing="row") == rows(np.array([2.0, NAN, 1.0]), missing="row") == (1, 2, "(missing)")
    assert rows(["b", NAN, None], missing="row") == ("b", "(missing)")
    assert rows(np.ma.masked_array([3, 1, 2], mask=[0, 1, 0]), missing="row") == (2, 3, "(missing)")
    hidden = np.ma.masked_array(np.array(["b", "a", "b"], dtype=object), mask=[0, 0, 1])
    assert Table.of(hidden, [0, 0, 0], missing="row").counts.tolist() == [[1], [1], [1]]
    days = np.array(["2021-01-01", "NaT", "2020-01-01"], dtype="M8[D]")
    assert rows(days, missing="row") == (days[2], days[0], "(missing)")
    assert rows(np.array([NAN, NAN, NAN]), missing="row") == ("(missing)",)


def test_weights_stay_exact() -> None:
    assert Table.of([0, 0, 1], [0, 0, 0], weights=[0.25, 0.5, 1]).counts.tolist() == [[0.75], [1]]
    assert Table.of([0, 0], [0, 0], weights=[2**53, 1]).counts.tolist() == [[2**53 + 1]]
    thirds = Table.of([0, 0], [0, 0], weights=[Fraction(1, 3), Fraction(2, 3)])
    assert thirds.counts.dtype == np.int64 and thirds == Table.of([[1]])
    halves = Table.of([[HALF]])
    assert halves.merged(halves).counts.dtype == np.int64


def test_orders_that_columns_declare_are_kept() -> None:
    """Other containers, and what is missing there, `tests/laws` reads by every entry."""
    sizes = ["low", "mid", "high"]
    values, label = ["high", "low", None, "high"], [0, 1, 1, 0]
    ordered = pd.Series(values, dtype=pd.CategoricalDtype(sizes, ordered=True), index=[7, 8, 9, 10])
    for column in (ordered, pl.Series(values, dtype=pl.Enum(sizes))):
        table = Table.of(column, type(column)(label), missing="row")
        assert table.row_names == (*sizes, "(missing)")
        assert table.counts.tolist() == [[0, 1], [0, 0], [2, 0], [0, 1]]
    assert Table.of(pd.Categorical(["b", "a"], categories=["b", "a"]), [0, 1]).row_names == ("b", "a")
    assert Table.of(pl.Series(["b", "a"], dtype=pl.Categorical), [0, 1]).row_names == ("a", "b")
    crossed = pd.crosstab(pd.Series(list("abca")), pd.Series(["n", "y", "y", "y"]))
    assert Table.of(crossed) == Table.of(list("abca"), ["n", "y", "y", "y"])


def test_integers_keep_every_digit() -> None:
    for largest, kind in ((200, np.int64), (2**63 - 1, np.int64), (2**63, object)):
        assert narrowed(np.array([0, largest], dtype=object)).dtype == kind
        assert as_numbers([0, largest]).dtype == kind
        assert [int(x) for x in as_numbers([0, largest])] == [0, largest]


HUGE = [[[2**62, 2**62], [2**62, 1]], [[2**62] * 4, [1, 2, 3, 4]], [[2**62 + 1, 2**62], [5, 2**62 - 1]]]


@pytest.mark.parametrize("counts", HUGE, ids=str)
def test_integers_add_up_where_their_total_is_no_int64(counts: list[list[int]]) -> None:
    for found in (Table.of(counts).integers(), Table.of([counts, counts]).integers()[1]):
        assert found.tolist() == counts
        assert found.sum() == sum(map(sum, counts))
        assert found.sum(axis=1).tolist() == list(map(sum, counts))
        assert found.sum(axis=0).tolist() == [sum(column) for column in zip(*counts, strict=True)]


@pytest.mark.parametrize("wrong", [[[1, -1], [2, 3]], [[-5.5, 1.0]], [[1.0, float("nan")]]], ids=str)
def test_no_table_holds_what_is_no_count(wrong: list[list[float]]) -> None:
    refused(r"counts are from 0; got .*", Table, np.array(wrong), tuple(range(len(wrong))), (0, 1))


def test_rows_and_classes_change_places_with_their_names() -> None:
    table = Table.of(["red", "red", "blue", "pink"], ["no", "yes", "no", "no"])
    assert (table.row_names, table.class_names) == (("blue", "pink", "red"), ("no", "yes"))
    assert (table.T.row_names, table.T.class_names) == (("no", "yes"), ("blue", "pink", "red"))
    assert Table.of(["no", "yes", "no", "no"], ["red", "red", "blue", "pink"]) == table.T
    assert table.T.T == table != table.T
    batch = np.arange(12).reshape(2, 2, 3)
    assert Table.of(batch).T.counts.tolist() == [table.T.tolist() for table in batch]
