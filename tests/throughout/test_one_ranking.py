"""One ranking: equal data have equal tables and scores in a CSV file, pandas, polars, numpy and parquet."""

from __future__ import annotations

import datetime as dt
import inspect
import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sparse

import splitcrit
import splitcrit as sc
from refusals import refused
from splitcrit.cli import main
from splitcrit.criteria import Criterion, as_criterion, twoing_superclasses
from splitcrit.data.formats import FileOptions
from splitcrit.nulls import criterion_names
from splitcrit.trees import ChiMerge, MultiwayTreeClassifier

# Cells that are no number.


def frame_of(cell: str, n: int = 2000) -> dict[str, list[str]]:
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, n)
    x = [f"{v:.4f}" for v in rng.normal(size=n) + 2 * y]
    x[16] = cell
    return {"x": x, "y": y.astype(str).tolist()}


def file_of(cells: dict[str, list[str]], path: Path) -> Path:
    """A CSV file of cells that are all quoted."""
    rows = zip(*cells.values(), strict=True)
    path.write_text("".join(",".join(f'"{cell}"' for cell in row) + "\n" for row in (tuple(cells), *rows)))
    return path


@pytest.mark.parametrize("cell", ["NA", "?", ""])
def test_a_mark_in_a_column_of_numbers_is_missing(cell: str, tmp_path: Path) -> None:
    """In a file; a typed text is a text, and so are those beside it."""
    clean, marked = (
        sc.rank_features(file_of(frame_of(x), tmp_path / f"{i}.csv"), "y") for i, x in enumerate(("0.5", cell))
    )
    column = marked.columns["x"]
    assert column.kind == "number" and column.missing == 1 and column.bins == 1024
    assert abs(marked.scores[0] / clean.scores[0] - 1) < 0.01
    assert column.marks == (cell,) * bool(cell)
    assert (f"treated as missing: {cell!r} in x." in marked.remarks) == bool(cell)
    texts = frame_of(cell)["x"]
    typed = sc.rank_features({"x": texts}, frame_of(cell)["y"]).columns["x"]
    assert (typed.kind, typed.values, typed.missing, typed.marks) == ("category", len(set(texts)), 0, ())


def test_one_cell_that_spoils_a_column_is_named_and_can_be_named_as_missing(tmp_path, capsys) -> None:
    said = "x: nearly all are numbers, but {!r} in row 17 is none; name it as missing, or correct it."
    path = file_of(frame_of("1,5"), tmp_path / "x.csv")
    found = sc.rank_features(path, "y")
    assert found.columns["x"].kind == "category" and said.format("1,5") in found.remarks
    mended = sc.rank_features(path, "y", na_values=["1,5"])
    assert mended.columns["x"].kind == "number" and mended.scores[0] > 20 * found.scores[0]
    assert not any("nearly all" in line for line in mended.remarks)
    file_of(frame_of("oops"), path)
    assert main(["rank", str(path), "--target", "y"]) == 0
    assert said.format("oops") in " ".join(capsys.readouterr().out.split())
    assert main(["rank", str(path), "--target", "y", "--missing", "NA,oops", "--json", str(tmp_path / "o.json")]) == 0
    (row,) = json.loads((tmp_path / "o.json").read_text())["features"]
    assert row["score"] == mended.scores[0] and row["missing"] == 1


def test_among_words_a_mark_is_a_word_unless_it_is_named() -> None:
    x, y = ["a", "?", "b", "?", "a", "NA"] * 4, [0, 1, 0, 1, 0, 1] * 4
    assert sc.rank_features({"x": x}, y).columns["x"].values == 4
    named = sc.rank_features({"x": x}, y, na_values="?").columns["x"]
    assert (named.values, named.missing, named.kind) == (3, 8, "category")


@pytest.mark.parametrize("values", [[1.5, -999.0, 2.5, -999.0], ["1.5", "-999", "2.5", "-999.0"], [1, -999, 2, -999]])
def test_a_number_may_stand_for_a_missing_value(values: list[Any], tmp_path: Path) -> None:
    """Among numbers, however it is written; typed texts stay texts, of which one stands for itself alone."""
    texts, y = isinstance(values[0], str), [0, 1, 0, 1]
    path = file_of({"x": list(map(str, values)), "y": list(map(str, y))}, tmp_path / "x.csv")
    for na_values in (-999, "-999", [-999.0]):
        for data in [(path, "y")] if texts else [(path, "y"), ({"x": values}, y)]:
            found = sc.Tables.of(*data, missing="row", bins=4, na_values=na_values)
            assert found.tables["x"].counts.tolist() == [[1, 0], [1, 0], [0, 2]] and found.columns["x"].missing == 2
        if texts:
            found = sc.Tables.of({"x": values}, y, missing="row", na_values=na_values)
            (kept,) = {"-999", "-999.0"} - {str(x) for x in np.ravel(na_values)}
            assert found.tables["x"].row_names == (kept, "1.5", "2.5", "(missing)")


def test_missing_values_and_frames_with_a_vector() -> None:
    frame = pd.DataFrame({"x": [1.0, None, 2.0, 2.0], "word": ["a", None, "b", "b"]})
    found = sc.rank_features(frame, pd.Series([0, 1, 1, 1]))
    assert found.names == ("x", "word") and [found.columns[n].missing for n in found.names] == [1, 1]
    assert "missing values are on the better side of each cut in: x." in found.remarks
    assert "missing values are a category of their own in: word." in found.remarks
    rows = sc.rank_features(frame, [0, 1, 1, 1], measure="gini").remarks
    assert "missing values are a row of their own in: x, word." in rows
    label = [0, 1, 1, 1]
    assert sc.Tables.of(frame, label, missing="row").tables["x"] == sc.Table.of(frame["x"], label, missing="row")
    masked = np.ma.masked_invalid(frame[["x"]].to_numpy())
    assert sc.rank_features(masked, [0, 1, 1, 1]).columns[0].missing == 1


# Files that are damaged or large.


def test_a_cell_of_any_length_costs_its_own_length(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("a,y\n" + "".join(f"{'x' * 300_000 if i == 5 else i % 3},{i % 2}\n" for i in range(20_000)))
    column = sc.rank_features(path, "y").columns["a"]
    said = f"nearly all are numbers, but '{'x' * 56}... in row 6 is none; name it as missing, or correct it"
    assert column.values == 4 and column.note == said


# One rule for what a column is, where entries cannot agree by nature; where they can, `tests/laws` asks them all.

NOON = dt.datetime(2024, 1, 1, 12)


@pytest.mark.parametrize("entry", ["list", "objects", "file", "two vectors", "arrow"])
def test_dates_with_and_without_a_time_zone_have_no_order(tmp_path: Path, entry: str) -> None:
    values = [NOON, NOON.replace(tzinfo=dt.UTC), NOON]
    file = tmp_path / "x.csv"
    file.write_text("x,y\n" + "".join(f"{x.isoformat()},{y}\n" for x, y in zip(values, "aba", strict=True)))
    calls: dict[str, Callable[[], Any]] = {
        "list": lambda: sc.Tables.of({"x": values}, list("aba")),
        "objects": lambda: sc.rank_features({"x": np.array(values, dtype=object)}, list("aba")),
        "file": lambda: sc.rank_features(file, "y"),
        "two vectors": lambda: sc.Table.of(values, list("aba")),
        "arrow": lambda: sc.rank_features(pa.table({"x": [x.isoformat() for x in values], "y": list("aba")}), "y"),
    }
    refused(r"all dates of a column must have a time zone, or none; got .* and .*; write", calls[entry])


def test_what_a_file_and_a_vector_cannot_have_alike(tmp_path: Path) -> None:
    """A file has texts alone, which are read unless words are asked for; typed texts stay texts."""
    (path := tmp_path / "x.csv").write_text("x,y\nTrue,a\n1,b\n 1:00:00,a\n1:00:00,b\n")
    assert sc.Tables.of(path, "y", bins=9).tables["x"].row_names == ("1", "1:00:00", "True")
    for texts, of_file in (
        ([" a", "a"], ("a",)), (["1", "1.0"], (1.0,)), (["007", "7"], ("007", "7")), (["3E4", "30000"], (30000.0,)),
        (["1,5", "1.5"], ("1,5", "1.5")), (["?", "a"], ("?", "a")), (["?", "1"], (1, "(missing)")),
    ):  # fmt: skip
        path.write_text("x,y\n" + "".join(f'"{text}",{y}\n' for text, y in zip(texts, "pq", strict=True)))
        for bins in (None, 9):
            assert sc.Tables.of(path, "y", bins=bins, missing="row").tables["x"].row_names == of_file
            for vector in (texts, np.array(texts), pd.Series(texts), pl.Series(texts), pa.array(texts)):
                assert sc.Tables.of({"x": vector}, ["p", "q"], bins=bins).tables["x"].row_names == tuple(sorted(texts))
        words = FileOptions.of(as_text=["x"])
        assert sc.Tables.of(path, "y", files=words).tables["x"].row_names == tuple(sorted({x.strip() for x in texts}))
    fine = ["2024-01-01T00:00:00.000000001", "2024-01-01"]
    for bins in (None, 9):
        assert sc.Tables.of({"x": fine}, ["p", "q"], bins=bins).tables["x"].shape == (1, 2)
        assert sc.Tables.of({"x": list(map(pd.Timestamp, fine))}, ["p", "q"], bins=bins).tables["x"].shape == (2, 2)
    assert sc.Table.of(fine, ["p", "q"]).row_names == tuple(sorted(fine))


# Every function of one table takes ``(table)`` or ``(feature, label)``, and never a tuple of two vectors.

FEATURE, LABEL = [3, 1, 1, 3, 3, 1, 3], ["a", "b", "b", "a", "b", "a", "a"]
COUNTS = [[1, 2], [3, 1]]  # counted by hand from the two lists above
CRITERIA = {criterion.name: criterion for criterion in map(as_criterion, criterion_names.NAMES.values())}
CRITERIA |= {criterion.name: criterion for criterion in (sc.criteria.chi_square, sc.criteria.g_statistic)}
ONE_TABLE: dict[str, Callable[..., Any]] = {
    **CRITERIA,
    "Table.of": sc.Table.of,
    "gini_gain": splitcrit.gini_gain,
    "gini_pvalue": splitcrit.gini_pvalue,
    "null_distribution": sc.nulls.null_distribution,
    "selected_pvalue": splitcrit.selected_pvalue,
    "twoing.exact": splitcrit.twoing.exact,
    "decrease(gini).exact": splitcrit.decrease(splitcrit.gini).exact,
    "twoing_superclasses": twoing_superclasses,
    "expected_gain": partial(sc.robustness.expected_gain, channel=splitcrit.symmetric(0.2)),
}


def plain(found: Any) -> Any:
    """What a call gave, without the names of rows and classes."""
    if isinstance(found, sc.Table):
        return found.counts.tolist()
    if isinstance(found, tuple) and all(isinstance(x, tuple) for x in found):
        return tuple(tuple("ab"[i] if isinstance(i, int) else i for i in x) for x in found)
    return found


@pytest.mark.parametrize("name", ONE_TABLE)
@pytest.mark.parametrize("kind", [list, np.array, pd.Series, pl.Series], ids=["list", "numpy", "pandas", "polars"])
def test_a_table_and_its_two_vectors_give_the_same_and_a_tuple_of_them_is_no_table(name: str, kind: Any) -> None:
    function = ONE_TABLE[name]
    assert plain(function(kind(FEATURE), kind(LABEL))) == plain(function(COUNTS))
    if kind is not list:
        said = r"a feature and its label are two arguments; .*pass f\(feature, label\)"
        refused(said, function, (kind(FEATURE), kind([0, 1, 1, 0, 1, 0, 0])), error=TypeError)


@pytest.mark.parametrize("name", ONE_TABLE)
def test_missing_values_of_a_feature_are_refused_or_a_row(name: str) -> None:
    function = ONE_TABLE[name]
    gaps = [None if x == 3 else x for x in FEATURE]
    refused(r"feature values must be present; .*missing='row'", function, gaps, LABEL)
    assert plain(function(gaps, LABEL, missing="row")) == plain(function(COUNTS))
    refused(r"missing is one of 'error', 'row'(, 'side')?; got 'zero'", function, FEATURE, LABEL, missing="zero")


@pytest.mark.parametrize("name", [name for name in ONE_TABLE if not isinstance(ONE_TABLE[name], Criterion)])
def test_other_parameters_are_passed_by_keyword(name: str) -> None:
    _, second, *rest = inspect.signature(ONE_TABLE[name]).parameters.values()
    assert second.name == "label" and second.default is None
    assert {p.kind for p in rest} == {inspect.Parameter.KEYWORD_ONLY}


def test_the_table_of_functions_misses_none() -> None:
    public = {
        n: getattr(module, n) for module in (splitcrit, sc.criteria, sc.nulls, sc.robustness) for n in module.__all__
    }
    takes = {n for n, f in public.items() if callable(f) and _first(f) in {"table", "data", "counts"}}
    known = {*ONE_TABLE, *(c.impurity.name for c in CRITERIA.values() if c.impurity)}
    nodes = {"majority_failure", "majority_bounds", "leaf_labels"}  # of the class counts of nodes, which are no tables
    several = {"Table", "rank_features"}  # trusts its counts, of many tables
    assert takes - known - nodes - several == set()


def _first(function: Any) -> str:
    try:
        return next(iter(inspect.signature(function).parameters), "")
    except (TypeError, ValueError):
        return ""


def test_text_has_no_order_of_its_own() -> None:
    words, label = ["low", "high", "mid", "low", "high", "mid"], [0, 1, 1, 0, 1, 0]
    refused(r"the order of its values; got text, 'high'; .*declared order", splitcrit.selected_pvalue, words, label)
    ordered = pd.Categorical(words, categories=["low", "mid", "high"], ordered=True)
    assert splitcrit.selected_pvalue(ordered, label, method="exact").value == splitcrit.selected_pvalue(
        [0, 2, 1, 0, 2, 1], label, method="exact"
    ).value  # fmt: skip


# Errors and remarks that name a remedy: the cause is named, and what the remedy says to do works.

N = 60
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(RNG.normal(size=(N, 2)), columns=["a", "b"])
Y = pd.Series((FRAME["a"] > 0).astype(int))
CELLS = sparse.random(N, 4, 0.3, format="csr", random_state=0)
OF_CELLS = pd.DataFrame.sparse.from_spmatrix(CELLS, columns=list("abcd"))
HOURS = pd.Series(pd.date_range("2024-01-01", periods=N, freq="h"))
TIMES = {"hours": HOURS, "a zone": HOURS.dt.tz_localize("UTC"), "durations": HOURS - HOURS[0],
         "periods": HOURS.dt.to_period("h"), "days": pd.Series(pd.date_range("1950-01-01", periods=N)).dt.date,
         }  # fmt: skip
Fit = Callable[[Any, Any], Any]
ENTRIES: dict[str, Fit] = {
    "rank_features": sc.rank_features,
    "rank_features by a measure": lambda X, y: sc.rank_features(X, y, measure="sgini"),
    "Tables.of": lambda X, y: sc.Tables.of(X, y, bins=4),
    "split_test": sc.inference.split_test,
    "SplitSelector": lambda X, y: sc.SplitSelector(random_state=0).fit(X, y),
    "selected_score": sc.inference.selected_score,
    "TreeClassifier": lambda X, y: sc.TreeClassifier(max_depth=2).fit(X, y),
    "TreeRegressor": lambda X, y: sc.TreeRegressor(max_depth=2).fit(X, y),
    "InferenceTreeClassifier": lambda X, y: sc.inference.InferenceTreeClassifier(random_state=0).fit(X, y),
    "HonestTreeClassifier": lambda X, y: sc.inference.HonestTreeClassifier(random_state=0).fit(X, y),
    "MultiwayTreeClassifier": lambda X, y: MultiwayTreeClassifier(max_depth=1).fit(X, y),
    "ChiMerge": lambda X, y: ChiMerge().fit(X, y),
}
FACTORS = [*ENTRIES][:6]  # take dates and frames of sparse columns as they are
UNFIT = {"X.to_frame()": lambda X: X.to_frame(), "numpy.reshape(X, (-1, 1))": lambda X: np.reshape(X, (-1, 1)),
         "X.toarray()": lambda X: X.toarray(), "X.sparse.to_dense()": lambda X: X.sparse.to_dense()}  # fmt: skip
ONE_COLUMN = {"a column of a frame": FRAME["a"], "a vector": FRAME["a"].to_numpy(), "a list": FRAME["a"].tolist()}


def said(fit: Fit, X: Any, y: Any) -> str:
    """The sentence by which a call is refused."""
    words = str(refused("; ", fit, X, y, error=(ValueError, TypeError)))
    assert len(words) < 400
    return words


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("kind", ONE_COLUMN)
def test_one_column_becomes_a_table_as_the_error_says(entry: str, kind: str) -> None:
    X, fit = ONE_COLUMN[kind], ENTRIES[entry]
    words = said(fit, X, Y)
    (remedy,) = [change for name, change in UNFIT.items() if f" {name} is one feature" in words]
    fit(remedy(X), Y)


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("kind", ["frames", "arrays", "words"])
def test_swapped_arguments_are_named(entry: str, kind: str) -> None:
    swapped = {"frames": (Y, FRAME), "arrays": (Y.to_numpy(), FRAME.to_numpy()), "words": (["no", "yes"] * 30, FRAME)}
    words = said(ENTRIES[entry], *swapped[kind])
    assert any(part in words for part in ("labels are the second argument", "pass X before y", "the features first"))
    ENTRIES[entry](FRAME, Y)


@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("X", [CELLS, CELLS.tocoo(), OF_CELLS], ids=["csr", "coo", "frame"])
def test_sparse_features_are_taken_or_become_dense_as_the_error_says(entry: str, X: Any) -> None:
    try:
        ENTRIES[entry](X, Y)
    except (TypeError, ValueError) as error:
        if "Use '.toarray()'" in str(error):  # scikit-learn's, of a matrix
            assert hasattr(X, "toarray")
            return
        assert "features are dense; got a" in str(error)
        (remedy,) = [change for name, change in UNFIT.items() if str(error).endswith(f"pass {name}")]
        ENTRIES[entry](remedy(X), Y)


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry not in (*FACTORS, "ChiMerge")])
@pytest.mark.parametrize("kind", TIMES)
def test_dates_become_days_as_the_error_says(entry: str, kind: str) -> None:
    frame, y = pd.DataFrame({"t": TIMES[kind]}), np.arange(N) % 24 > 11
    words = said(ENTRIES[entry], frame, y)
    remedy = "(t - t.min()) / numpy.timedelta64(1, 'D'), periods by t.dt.to_timestamp()"
    assert words.endswith(f"turn them into days since the first, {remedy}")
    t = frame["t"].dt.to_timestamp() if kind == "periods" else frame["t"]
    days = ((t - t.min()) / np.timedelta64(1, "D")).to_frame()
    ENTRIES[entry](days, y)
    assert len(np.unique(days.to_numpy().astype(np.float32))) == N
    tree = sc.TreeClassifier().fit(days, y)
    assert (tree.predict(days) == y).all()


# Names that are looked for at the top.


@pytest.mark.parametrize("name", ["category_gains", "significant_subtree", "HonestTreeClassifier", "ChiMerge",
                                  "MultiwayTreeClassifier", "accuracy", "plot_ranking", "reference_tree"])  # fmt: skip
def test_a_name_of_a_submodule_is_told_with_the_import_that_works(name: str) -> None:
    with pytest.raises(AttributeError) as error:
        getattr(splitcrit, name)
    (line,) = [part for part in str(error.value).split("; ") if part.startswith("write ")]
    scope: dict[str, Any] = {}
    exec(line.removeprefix("write "), scope)
    assert callable(scope[name])
    refused(f"write from splitcrit.* import {name}", exec, f"from splitcrit import {name}", {}, error=ImportError)


def test_a_name_of_nothing_is_told_plainly() -> None:
    for name in ("Foo", "a b", "(", "_absent_", "__path_of__"):
        assert not hasattr(splitcrit, name)
        refused(r"dir\(splitcrit\) lists the public names", getattr, splitcrit, name, error=AttributeError)
