"""Every entry takes a column, given in the same form, for the same: kind, equal values, order, what is missing."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse

import readings
from readings import ENTRIES, FLOATS, KINDS, TEXTS, TRUTHS, UNUSED, WHOLE
from refusals import refused
from splitcrit import SplitSelector, Table, Tables, TreeClassifier, audit, rank_features, split_test
from splitcrit.cli.main import main
from splitcrit.data import csv_files, sources
from splitcrit.inference.selection import selected_score

FEW, MANY = 2, 100  # columns of each of 29 kinds: 58 and 2,900
SELDOM = ("audit", "Dask")  # entries that take longer, which the quick test asks about one column


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("number", [FEW, pytest.param(MANY, marks=pytest.mark.slow)])
def test_every_entry_reads_a_column_alike(kind: str, number: int) -> None:
    entries = [name for name in ENTRIES if name not in SELDOM]
    assert list(readings.disagreements(kind, number, entries)) == []
    assert list(readings.disagreements(kind, number if number == MANY else 1, SELDOM)) == []


def test_every_kind_is_written_in_every_form_of_its_own() -> None:
    forms = {kind: {column.form for column, _ in readings.columns(kind, MANY // 2)} for kind in KINDS}
    assert all(len(each) > 1 for each in forms.values()) and set().union(*forms.values()) == {*readings.FORMS}


# Targets: each entry takes one for what it is, written in any way, and says the same of its classes.

TARGETS = {  # what it is, its values, and how they may be written
    "ages": ("numbers", range(18, 46), WHOLE),
    "marks": ("classes", range(1, 6), WHOLE),
    "prices": ("numbers", [k / 4 for k in range(9)], FLOATS),
    "whole floats": ("classes", [1.0, 2.0, 5.0], FLOATS),
    "truth": ("classes", [False, True], TRUTHS),
    "codes": ("classes", ["007", "07", "7"], TEXTS),
    "spelt in several ways": ("classes", ["Yes", "no", "yes"], TEXTS),
    "unused levels": ("classes", ["bb", "cc", "dd"], UNUSED),
}


def plain(values: list[Any], is_measured: bool) -> Any:
    """A target in the plainest form: floats, or texts in the order of the values."""
    if is_measured:
        return np.array(values, dtype=float)
    return [None if x is None else f"c{sorted({y for y in values if y is not None}).index(x)}" for x in values]


def answers(x: Any, y: Any) -> dict[str, Any]:
    """The answer of each entry to a target."""
    table, tested = rank_features({"x": x, "y": y}, "y", exact=True), split_test(x[:, None], y, n_permutations=99)
    return {
        "rank": (table.target.endswith("numbers"), repr(table.features[0].p)),
        "split_test": (repr(tested.features[0].p), tested.features[0].cut),
        "selected_score": [repr(part.tolist()) for part in selected_score(x[:, None], y)],
        "remarks": [[line for line in found.remarks if "target" in line or "'y'" in line] for found in (table, tested)],
    }


@pytest.mark.parametrize("name", TARGETS)
def test_every_entry_reads_a_target_alike(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "HELD", 0)
    kind, pool, forms = TARGETS[name]
    for k, (form, write) in enumerate(forms.items()):
        rng = np.random.default_rng([k, len(pool)])
        values = [*pool, *(pool[i] for i in rng.integers(0, len(pool), 40 - len(pool)))]
        if form not in ("numpy", "pandas"):
            values = [None if i in (3, 30) else value for i, value in enumerate(values)]
        y, x = readings.vector_of(write(values)), np.round(rng.random(40), 1)
        found, expected = answers(x, y), answers(x, plain(values, kind == "numbers"))
        ranked, tested = found.pop("remarks")
        assert ranked == tested and len(ranked) >= (None in values)
        assert ("whole numbers in 'y' are taken for classes" in " ".join(ranked)) == (name in ("marks", "whole floats"))
        assert ("differ only by case" in " ".join(ranked)) == (name == "spelt in several ways")
        del expected["remarks"]
        assert found == expected and found["rank"][0] == (kind == "numbers"), form
        pq.write_table(pa.table({"x": x, "y": pa.array(values)}), tmp_path / "in parts.parquet")
        parts = rank_features(tmp_path / "in parts.parquet", "y")
        assert parts.target.endswith("numbers") == (kind == "numbers") and parts.rows == 40 - values.count(None)
        if kind == "classes":
            assert [line for line in parts.remarks if "target" in line or "'y'" in line] == ranked
        if None in values:
            refused("y has no gaps; got a missing entry", SplitSelector().fit, x[:, None], y)


@pytest.mark.parametrize("layout", ["csr_array", "csc_matrix", "coo_array", "pandas"])
@pytest.mark.parametrize("label", ["two", "three", "numbers"])
def test_sparse_columns_are_read_as_dense_ones(layout: str, label: str) -> None:
    """To the last bit, and zeros that are stored like those that are not."""
    rng = np.random.default_rng(7)
    x = np.where(rng.random((60, 5)) < 0.3, rng.integers(-3, 4, (60, 5)) / 2.0, 0.0)
    x[rng.random((60, 5)) < 0.05] = np.nan
    z = x[:, 0] + rng.normal(size=60)
    y: Any = {"two": z > 0, "three": np.digitize(z, [-0.5, 0.5]), "numbers": np.nan_to_num(z)}[label]
    wide: Any = pd.DataFrame(x).astype(pd.SparseDtype(float, 0.0)) if layout == "pandas" else None
    if wide is None:
        wide = getattr(scipy.sparse, layout)(x)
        wide.data[::7] = 0.0
    x = wide.to_numpy() if layout == "pandas" else wide.toarray()
    dense = pd.DataFrame(x) if layout == "pandas" else x
    assert split_test(wide, y, n_permutations=99) == split_test(dense, y, n_permutations=99)
    assert repr(selected_score(wide, y)) == repr(selected_score(dense, y))
    for labels in (y, [None if i % 9 == 0 else label for i, label in enumerate(y.tolist())]):
        ranked, expected = rank_features(wide, labels), rank_features(dense, labels)
        assert ranked.features == expected.features and str(ranked) == str(expected)
    selectors = [SplitSelector(alpha=0.9, n_permutations=99).fit(each, y) for each in (wide, dense)]
    assert selectors[0].pvalues_.tolist() == selectors[1].pvalues_.tolist()
    found, expected = (each.transform(of) for each, of in zip(selectors, (wide, dense), strict=True))
    assert scipy.sparse.issparse(found) == (layout != "pandas")
    np.testing.assert_array_equal(found.toarray() if scipy.sparse.issparse(found) else found, expected)
    refused("a test needs labels; got none", split_test, wide[:0] if layout != "coo_array" else wide.tocsr()[:0], y[:0])


def test_every_entry_reads_a_file_alike(tmp_path, monkeypatch, capsys) -> None:
    """In memory, in parts, resumed, as tables, from the command line, and in an audit of the same numbers."""
    rng = np.random.default_rng(11)
    size, amount = rng.integers(0, 9, 60), np.round(rng.normal(1500, 900, 60), 2)
    y = np.where(amount + rng.normal(0, 400, 60) > 1500, "yes", "no")
    german = [f"{x:,.2f}".translate(str.maketrans(",.", ".,")) + " €" for x in amount]
    days = [f"{d:02}.{m:02}.2022" for d, m in zip(rng.integers(1, 29, 60), rng.integers(1, 13, 60), strict=True)]
    lines = [
        f"{a};{'n/a' if i % 9 == 0 else s};{d};{c};{'' if i == 7 else t}"
        for i, (a, s, d, c, t) in enumerate(zip(german, size, days, rng.choice(["007", "7", "12"], 60), y, strict=True))
    ]
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(["amount;size;day;code;y", *lines]), encoding="utf-8")

    def read(**more: Any) -> Any:
        found = rank_features(path, "y", exact=True, **more)
        return {f.name: (f.kind, f.p, f.cut) for f in found.features}, found.rows, found.remarks

    known, tables = read(), Tables.of(path, "y", missing="row")
    assert {name: kind for name, (kind, *_) in known[0].items()} == {
        "amount": "number", "size": "number", "day": "date", "code": "category",
    }  # fmt: skip
    assert known[1] == tables.rows == 59 and main(["rank", str(path), "--target", "y", "--json"]) == 0
    printed = {f["feature"]: f["p"] for f in json.loads(capsys.readouterr().out)["features"]}
    assert all(printed[name] == pytest.approx(p) for name, (_, p, _) in known[0].items() if p <= 0.1)
    x = np.column_stack([amount, np.where(np.arange(60) % 9 == 0, np.nan, size)])
    tree = TreeClassifier(max_depth=1).fit(x, y)
    by_hand = audit(tree, np.delete(x, 7, axis=0), np.delete(y, 7), rows="held-out").splits.tables.tolist()
    for held in (2**20, 0):
        monkeypatch.setattr(sources, "HELD", held)
        assert read() == read(resume=tmp_path / f"kept {held}") == known
        assert Tables.of(path, "y", missing="row").tables == tables.tables
        assert Table.of(path, "y", feature="amount", missing="row") == tables.tables["amount"]
        named = path.read_text(encoding="utf-8").replace("amount;size", "x0;x1")
        (tmp_path / "named.csv").write_text(named, encoding="utf-8")
        found = audit(tree, tmp_path / "named.csv", "y", rows="held-out")
        assert found.splits.tables.tolist() == by_hand


def cell(x: Any) -> str:
    """A value as a file says it."""
    return "" if x is None else x.isoformat() if isinstance(x, datetime) else str(x)


IN_FILES = ("numbers", "whole numbers", "about 2^53", "about 2^63", "integers of any size", "Decimals",
            "mixed texts", "time zones", "dates", "dates as texts", "days and instants", "infinite")  # fmt: skip


@pytest.mark.parametrize("kind", IN_FILES)
def test_every_kind_is_read_from_a_file_as_from_memory(kind: str, tmp_path, monkeypatch) -> None:
    """By Python's reader, by pyarrow, in parts and resumed."""
    for k, (column, y) in enumerate(readings.columns(kind, 4)):
        path = tmp_path / f"{k}.csv"
        path.write_text("x,y\n" + "".join(f"{cell(x)},{c}\n" for x, c in zip(column.values, y, strict=True)))
        want = readings.by_rank(column.readings[0].table, y)
        for module, name, size in ((csv_files, "LARGE", 2**20), (csv_files, "LARGE", 0), (sources, "HELD", 0)):
            with monkeypatch.context() as patch:
                patch.setattr(module, name, size)
                assert readings.by_rank(path, "y") == want, (name, size)
        assert readings.by_rank(path, "y", resume=tmp_path / f"kept {k}") == want


# The engine sees what an entry reads otherwise.


@pytest.mark.parametrize(
    ("kind", "planted", "said"),
    [
        ("leading zeros", lambda x: _floats(x), "merged, ordered"),
        ("numbers", lambda x: x.astype(str).astype("category"), "other kind"),
        ("numbers", lambda x: x.where(x.notna(), 99.0), "gaps kept"),
    ],
)
def test_a_reading_that_differs_is_named(kind: str, planted: Callable[[pd.DataFrame], pd.DataFrame], said: str) -> None:
    found = set()
    for column, y in readings.columns(kind, 30):
        if column.form.startswith("pandas") and column.form != "pandas object":
            assert readings.read_by(readings.by_test, column, y) == "right"
            found.add(readings.read_by(readings.by_test, replace(column, table=planted(column.table)), y))
    assert said in found


def _floats(x: pd.DataFrame) -> pd.DataFrame:
    numbers = pd.to_numeric(x["x"], errors="coerce") if x["x"].dtype != "category" else x["x"].astype(str).astype(float)
    return pd.DataFrame({"x": np.asarray(numbers, dtype=float)})
