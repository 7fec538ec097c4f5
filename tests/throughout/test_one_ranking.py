"""One ranking: equal data have equal tables and scores in a CSV file, pandas, polars, numpy and parquet."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from splitcrit import Table, Tables, rank_features
from splitcrit.cli import main
from splitcrit.data.formats import FileOptions

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


@pytest.mark.parametrize("cell", ["NA", "nan", "?", "NULL", "n/a", "None", ""])
def test_a_mark_in_a_column_of_numbers_is_missing(cell: str, tmp_path: Path) -> None:
    """In a file; a typed text is a text, and so are those beside it."""
    clean, marked = (
        rank_features(file_of(frame_of(x), tmp_path / f"{i}.csv"), "y") for i, x in enumerate(("0.5", cell))
    )
    column = marked.columns["x"]
    assert column.kind == "number" and column.missing == 1 and column.bins == 1024
    assert abs(marked.scores[0] / clean.scores[0] - 1) < 0.01
    assert column.marks == (cell,) * bool(cell)
    assert (f"treated as missing: {cell!r} in x." in marked.remarks) == bool(cell)
    texts = frame_of(cell)["x"]
    typed = rank_features({"x": texts}, frame_of(cell)["y"]).columns["x"]
    assert (typed.kind, typed.values, typed.missing, typed.marks) == ("category", len(set(texts)), 0, ())


def test_one_cell_that_spoils_a_column_is_named_and_can_be_named_as_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "x: nearly all are numbers, but {!r} in row 17 is none; name it as missing, or correct it."
    path = file_of(frame_of("1,5"), tmp_path / "x.csv")
    found = rank_features(path, "y")
    assert found.columns["x"].kind == "category" and said.format("1,5") in found.remarks
    mended = rank_features(path, "y", na_values=["1,5"])
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
    assert rank_features({"x": x}, y).columns["x"].values == 4
    named = rank_features({"x": x}, y, na_values="?").columns["x"]
    assert (named.values, named.missing, named.kind) == (3, 8, "category")


@pytest.mark.parametrize("values", [[1.5, -999.0, 2.5, -999.0], ["1.5", "-999", "2.5", "-999.0"], [1, -999, 2, -999]])
def test_a_number_may_stand_for_a_missing_value(values: list[Any], tmp_path: Path) -> None:
    """Among numbers, however it is written; typed texts stay texts, of which one stands for itself alone."""
    texts, y = isinstance(values[0], str), [0, 1, 0, 1]
    path = file_of({"x": list(map(str, values)), "y": list(map(str, y))}, tmp_path / "x.csv")
    for na_values in (-999, "-999", [-999.0]):
        for data in [(path, "y")] if texts else [(path, "y"), ({"x": values}, y)]:
            found = Tables.of(*data, missing="row", bins=4, na_values=na_values)
            assert found.tables["x"].counts.tolist() == [[1, 0], [1, 0], [0, 2]] and found.columns["x"].missing == 2
        if texts:
            found = Tables.of({"x": values}, y, missing="row", na_values=na_values)
            (kept,) = {"-999", "-999.0"} - {str(x) for x in np.ravel(na_values)}
            assert found.tables["x"].row_names == (kept, "1.5", "2.5", "(missing)")


def test_missing_values_and_frames_with_a_vector() -> None:
    frame = pd.DataFrame({"x": [1.0, None, 2.0, 2.0], "word": ["a", None, "b", "b"]})
    found = rank_features(frame, pd.Series([0, 1, 1, 1]))
    assert found.names == ("x", "word") and [found.columns[n].missing for n in found.names] == [1, 1]
    assert "missing values are on the better side of each cut in: x." in found.remarks
    assert "missing values are a category of their own in: word." in found.remarks
    rows = rank_features(frame, [0, 1, 1, 1], measure="gini").remarks
    assert "missing values are a row of their own in: x, word." in rows
    label = [0, 1, 1, 1]
    assert Tables.of(frame, label, missing="row").tables["x"] == Table.of(frame["x"], label, missing="row")
    masked = np.ma.masked_invalid(frame[["x"]].to_numpy())
    assert rank_features(masked, [0, 1, 1, 1]).columns[0].missing == 1


# Files that are damaged or large.


def test_a_cell_of_any_length_costs_its_own_length(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("a,y\n" + "".join(f"{'x' * 300_000 if i == 5 else i % 3},{i % 2}\n" for i in range(20_000)))
    column = rank_features(path, "y").columns["a"]
    said = f"nearly all are numbers, but '{'x' * 56}... in row 6 is none; name it as missing, or correct it"
    assert column.values == 4 and column.note == said


LARGER = [pytest.param(name, marks=pytest.mark.slow) for name in ("spambase", "mushrooms")]


@pytest.mark.parametrize("name", ["german_credit", *LARGER])
def test_real_files_rank_alike_from_every_source(data: Path, tmp_path: Path, name: str) -> None:
    (path,) = data.glob(f"{name}.csv*")
    frame = pd.read_csv(path)
    frame.to_parquet(tmp_path / "rows.parquet")
    of_file = {row.name: (row.score, row.p, row.p_adjusted) for row in rank_features(path, "target").features}
    features, label = frame.drop(columns="target"), frame["target"]
    for pair in (
        (frame, "target"), (features, label), (tmp_path / "rows.parquet", "target"), (path, "target"),
        (pl.read_csv(path, infer_schema_length=None), "target"),
    ):  # fmt: skip
        assert {row.name: (row.score, row.p, row.p_adjusted) for row in rank_features(*pair).features} == of_file
    in_array = rank_features(features.to_numpy(), label.to_numpy())
    assert in_array.scores.tolist() == [of_file[name][0] for name in features]


# One rule for what a column is, where entries cannot agree by nature; where they can, `tests/laws` asks them all.

NOON = dt.datetime(2024, 1, 1, 12)


@pytest.mark.parametrize("entry", ["list", "objects", "file", "two vectors", "arrow"])
def test_dates_with_and_without_a_time_zone_have_no_order(tmp_path: Path, entry: str) -> None:
    values = [NOON, NOON.replace(tzinfo=dt.UTC), NOON]
    file = tmp_path / "x.csv"
    file.write_text("x,y\n" + "".join(f"{x.isoformat()},{y}\n" for x, y in zip(values, "aba", strict=True)))
    calls: dict[str, Callable[[], Any]] = {
        "list": lambda: Tables.of({"x": values}, list("aba")),
        "objects": lambda: rank_features({"x": np.array(values, dtype=object)}, list("aba")),
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
