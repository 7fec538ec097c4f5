"""CSV files that are read in parts: the columns that they have in memory, whatever the parts and the reader."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from splitcrit.data import csv_files, row_parts, sources
from splitcrit.data.csv_files import csv_formats, csv_pieces
from splitcrit.data.formats import FileOptions
from splitcrit.table import Tables

pytest.importorskip("pyarrow")

CELLS = ["1", "-2", "0.5", "-0.0", "9007199254740993", "9223372036854775808", "1e400", "", " ", " 3", "x", "1_0", "nan",
         "NA", "007", '"1,5"', '"a,b"', '"1\r"', '"x\r\ny"', "2024-01-01", "0x1F", "+7"]  # fmt: skip


@pytest.fixture(params=["pyarrow", "csv"])
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "csv":
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setattr(row_parts, "BATCH", 3)
    for name, size in (("ROWS", 2), ("BYTES", 40), ("LARGE", 0)):
        monkeypatch.setattr(csv_files, name, size)
    return str(request.param)


def values(path: list[Path]) -> dict[str, list[Any]]:
    """The columns in parts, put together as lists, numbers of the type they have."""
    rows, formats = csv_formats(path)
    found: dict[str, list[Any]] = {name: [] for name in formats}
    for piece in csv_pieces(path, formats, FileOptions()):
        for part in piece.read(list(formats)):
            for name, held in part.columns.items():
                found[name] += shown(held)
    assert {len(column) for column in found.values()} == {rows}
    return found


def shown(held: Any) -> list[Any]:
    entries = held.values.tolist() if held.in_order else [(*held.names, "")[x] for x in held.values]
    plain = [float(x) if held.kind == "number" and abs(x) < 2**53 else x for x in entries]  # a part may hold integers
    return [repr(x) if there else None for x, there in zip(plain, held.present.tolist(), strict=True)]


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_parts_hold_what_memory_holds(
    library: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    some = st.lists(st.sampled_from(data.draw(st.lists(st.sampled_from(CELLS), min_size=1, max_size=3))), min_size=1)
    folder, paths = tmp_path_factory.mktemp("rows"), []
    for i in range(data.draw(st.integers(1, 3))):
        raw = ("a,b\n" + "".join(f"{cell},{j}\n" for j, cell in enumerate(data.draw(some)))).encode()
        paths.append(folder / f"{i}.csv")
        paths[-1].write_bytes(gzip.compress(raw) if i == 1 else raw)
    assert values(paths) == {name: shown(column) for name, column in csv_files.csv_columns(paths).items()}


def test_no_more_than_a_part_is_held(library: str, tmp_path: Path) -> None:
    """However long the file: as many rows as make a part, and at most one block more."""
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n" + "1.5,word\n" * 1000)
    (piece,) = csv_pieces([path], csv_formats([path])[1], FileOptions())
    rows = [part.num_rows for part in piece.read(["a", "b"])]
    assert sum(rows) == 1000 and max(rows) <= 3 + 10


def test_several_files_are_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    lines = [f"{a},{b},{c}\n" for a, b, c in zip(rng.normal(size=90), rng.integers(0, 9, 90), "pq" * 45, strict=False)]
    (tmp_path / "whole.csv").write_text("a,b,y\n" + "".join(lines))
    folder = tmp_path / "rows"
    folder.mkdir()
    (folder / "0.csv").write_text("a,b,y\n" + "".join(lines[:40]))
    turned = [",".join(line.strip().split(",")[::-1]) + "\n" for line in lines[40:]]
    (folder / "1.CSV").write_text("y,b,a\n" + "".join(turned))  # the columns in another order
    whole = Tables.of(tmp_path / "whole.csv", "y", bins=4)
    for held in (0, 2**20):
        monkeypatch.setattr(sources, "HELD", held)
        for given_ in (folder, [folder / "0.csv", str(folder / "1.CSV")]):
            found = Tables.of(given_, "y", bins=4)
            assert (found.tables, found.cuts, found.columns) == (whole.tables, whole.cuts, whole.columns)


@pytest.mark.parametrize("held", [0, 2**20])
@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["a,y\n1,p\n", "a,z\n1,p\n"], "same columns; got no column 'y' in 1.csv; write them with one header"),
        (["y,b\np,1\n", "a,y,b\n1,p,1\n"], "same columns; got no column 'a' in the files before 1.csv; write"),
        (["a,y\n1,p\n", ""], "a header row and data; got an empty file: .*1.csv; pass another file"),
        (["a,y\n1,p\n", "a,y\n"], "a header row and data; got only a header row: .*1.csv; pass another file"),
        (["a,y\n1,p\n", "a,y\n1\n"], "the 2 cells of the header; got 1 cells in row 2 of .*1.csv; correct the row"),
        (["a,y\n1,p\n", "a,a\n2,2\n"], "same columns; got no column 'a.1' in the files before 1.csv; write"),
    ],
)
def test_mistakes_are_told_with_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, texts: list[str], words: str, held: int
) -> None:
    monkeypatch.setattr(sources, "HELD", held)
    for i, text in enumerate(texts):
        (tmp_path / f"{i}.csv").write_text(text)
    with pytest.raises(ValueError, match=words):
        Tables.of(tmp_path, "y")


def test_a_column_that_is_missing_throughout_a_file_is_like_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for i, text in enumerate(["a,b,y\n,,p\n,,q\n", "a,b,y\n1.5,,p\n2.5,,q\n"]):
        (tmp_path / f"{i}.csv").write_text(text)
    known = Tables.of(tmp_path, "y", missing="row", bins=2)
    assert known.tables["a"].row_names == (1.5, 2.5, "(missing)") and known.tables["b"].row_names == ("(missing)",)
    monkeypatch.setattr(sources, "HELD", 0)
    found = Tables.of(tmp_path, "y", missing="row", bins=2)
    assert found.tables == known.tables and found.columns == known.columns and found.columns["b"].kind == "category"


def test_a_file_that_changes_while_it_is_read_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a,y\n1,p\n2,q\n")
    formats = csv_formats([path])[1]
    path.write_text("a,y\n1,p\nx,q\n")
    (piece,) = csv_pieces([path], formats, FileOptions())
    with pytest.raises(
        ValueError, match="must not change while it is counted; got could not convert string to float: 'x' in 'a'"
    ):
        list(piece.read(["a", "y"]))


def test_files_and_labels_that_do_not_go_together(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("a,y\n1,p\n")
    with pytest.raises(TypeError, match="must be one of their columns; got a label of type list; pass the name"):
        Tables.of(tmp_path / "rows.csv", ["p"])
    with pytest.raises(ValueError, match=r"a file is counted once; got .*rows.csv twice; name it once"):
        Tables.of([tmp_path, tmp_path / "rows.csv"], "y")
    (tmp_path / "rows.parquet").touch()
    with pytest.raises(ValueError, match=r"all parquet or all Arrow, or all CSV; got both in .*; keep one"):
        Tables.of(tmp_path, "y")
