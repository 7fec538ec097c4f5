"""What the beginning of a file says: the separator of its cells, and what it is if it is no CSV file."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import pickle
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from splitcrit.data import csv_files
from splitcrit.data.csv_files import NAMES, START, blocks, csv_columns, csv_formats, layout_of

ROWS = [
    ["size", "name, first", "label"],
    ["1,5", "a b", "x"],
    ["", 'says "c"', "y"],
    ["2,25", "d;e|f\tg", "x"],
    ["3", "line\nfeed", ""],
]
PLAIN = [["size", "kind", "label"], *([f"{i / 4}", "ab"[i % 2], "xyz"[i % 3]] for i in range(3000))]


def read_csv(path: Path) -> dict[str, list[str]]:
    """The cells of a file as they stand there."""
    found: dict[str, list[str]] = {}
    for block in blocks(path, fast=False):
        for name, cells in block.columns.items():
            found.setdefault(name, []).extend(cells)
    return found


def written(path: Path, rows: list[list[str]], divider: str, **dialect: Any) -> Path:
    with path.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out, delimiter=divider, **dialect).writerows(rows)
    return path


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("rows", [ROWS, PLAIN], ids=["odd cells", "plain cells"])
@pytest.mark.parametrize("divider", NAMES)
def test_cells_are_the_same_whatever_separates_them(
    tmp_path: Path, divider: str, rows: list[list[str]], quoting: int
) -> None:
    path = written(tmp_path / "data.csv", rows, divider, quoting=quoting)
    assert layout_of(path).separator == divider
    assert read_csv(path) == {name: list(cells) for name, *cells in zip(*rows, strict=True)}


@pytest.mark.parametrize("divider", NAMES)
def test_both_libraries_and_files_in_parts_know_the_separator(
    tmp_path: Path, divider: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    path, known = written(tmp_path / "a.csv", PLAIN, divider), written(tmp_path / "b.csv", PLAIN, ",")
    expected = csv_columns([known])
    for large in (0, 2**20):
        monkeypatch.setattr(csv_files, "LARGE", large)
        found = csv_columns([path])
        assert list(found) == PLAIN[0]
        for name, column in found.items():
            assert np.array_equal(column.values, expected[name].values) and column.names == expected[name].names
    assert csv_formats([path]) == csv_formats([known]) and csv_formats([path])[0] == len(PLAIN) - 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b;c\n1,2;3\n", ","),
        ("a,b\n1;2,3\n", ","),
        ("a;b\n1,5;2,5\n", ";"),
        ("size, cm;label\n1;x\n2;y\n", ";"),
        ("a|b|c\n1|2;3|4\n", "|"),
        ("a;b|c;d\n1;2;3\n", ";"),
        ("label\nx\ny\n", ","),
        ("a,label\n1,x\n2\n", ","),
        ("a;label\n1;x\n2\n", ";"),
        ("", ","),
        ("\ufeffa\tb\n1\t2\n", "\t"),
        ("\n\na;b\n\n1;2\n", ";"),
        ('"a;b",c\n"1;2",3\n', ","),
        ('"a;b', ","),
    ],
)
def test_a_comma_where_commas_agree_else_what_does(text: str, expected: str, tmp_path: Path) -> None:
    (path := tmp_path / "data.csv").write_text(text, encoding="utf-8")
    assert layout_of(path).separator == expected


def test_a_row_that_is_cut_off_says_nothing(tmp_path: Path) -> None:
    row = "1,5;" + "x" * 1000 + ";y\n"
    text = ("a;b;c\n" + row * (START // len(row) + 1)).encode()
    wide = ";".join(["name"] * START).encode()[:START]
    for i, raw in enumerate((text[:START], text[: START + len(row)], wide)):
        (path := tmp_path / f"{i}.csv").write_bytes(raw)
        assert layout_of(path).separator == ";"


def zipped(**files: str) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/"), text)
    return held.getvalue()


def parquet() -> bytes:
    pa = pytest.importorskip("pyarrow.parquet")
    held = io.BytesIO()
    pa.write_table(pytest.importorskip("pyarrow").table({"a": [1], "label": ["x"]}), held)
    return held.getvalue()


def arrow() -> bytes:
    pa = pytest.importorskip("pyarrow")
    table, held = pa.table({"a": [1]}), io.BytesIO()
    with pa.ipc.new_file(held, table.schema) as out:
        out.write_table(table)
    return held.getvalue()


def picture(kind: str) -> bytes:
    figure = pytest.importorskip("matplotlib.figure").Figure()
    held = io.BytesIO()
    figure.savefig(held, format=kind)
    return held.getvalue()


def database(folder: Path) -> bytes:
    with sqlite3.connect(folder / "x.db") as base:
        base.execute("create table t (a)")
    base.close()
    return (folder / "x.db").read_bytes()


def array() -> bytes:
    held = io.BytesIO()
    np.save(held, np.arange(3))
    return held.getvalue()


TEXT = "a,label\n1,x\n2,y\n"
OTHERS = {
    "parquet": (lambda folder: parquet(), "a parquet file; give it a name that ends in .parquet"),
    "Arrow": (lambda folder: arrow(), "an Arrow file; give it a name that ends in .arrow"),
    "zip": (lambda folder: zipped(data=TEXT), "a zip archive; unpack it first"),
    "xlsx": (lambda folder: zipped(xl__workbook="<x/>"), "an Office file (xlsx, docx, ods or the like); save its"),
    "bzip2": (lambda folder: bz2.compress(TEXT.encode()), "a file packed by bzip2; unpack it first"),
    "xz": (lambda folder: lzma.compress(TEXT.encode()), "a file packed by xz; unpack it first"),
    "gzip twice": (lambda folder: gzip.compress(gzip.compress(TEXT.encode())), "a gzipped file inside another"),
    "HTML": (lambda folder: b"\n<!DOCTYPE html><title>a,b</title>", "a page of HTML; download the data"),
    "PNG": (lambda folder: picture("png"), "a PNG picture; pass the data behind it"),
    "PDF": (lambda folder: picture("pdf"), "a PDF document; pass the data behind it"),
    "SQLite": (database, "an SQLite database; write a table of it as CSV"),
    "numpy": (lambda folder: array(), "an array of numpy; write it as CSV"),
    "UTF-16 without a mark": (lambda folder: TEXT.encode("utf-16-be"), "text in UTF-16; save it as UTF-8"),
    **{
        f"pickle {protocol}": (lambda folder, n=protocol: pickle.dumps([1, "x"], n), "a pickle, which is never loaded")
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
    },
}


@pytest.mark.parametrize("kind", OTHERS)
def test_what_is_no_csv_file_is_called_by_its_name(tmp_path: Path, kind: str) -> None:
    make, said = OTHERS[kind]
    path = tmp_path / "data.csv"
    path.write_bytes(data := make(tmp_path))
    with pytest.raises(ValueError) as refused:
        read_csv(path)
    assert f"a CSV file is text; got {path}, which seems to be {said}" in str(refused.value)
    path.write_bytes(gzip.compress(data))
    with pytest.raises(ValueError, match="seems to be"):
        csv_columns([path])


class Loaded:
    """What runs code when it is unpickled."""

    def __reduce__(self) -> Any:
        return exec, ("raise AssertionError('a pickle was loaded')",)


def test_a_pickle_is_not_loaded(tmp_path: Path) -> None:
    (path := tmp_path / "data.csv").write_bytes(pickle.dumps(Loaded()))
    with pytest.raises(ValueError, match="never loaded"):
        read_csv(path)


@pytest.mark.parametrize("text", ["PAR1,label\n1,x\n", "PK,label\n1,x\n", "BZh9,label\n1,x\n", "<b>,label\n1,x\n"])
def test_text_that_begins_alike_is_read(tmp_path: Path, text: str) -> None:
    (path := tmp_path / "data.csv").write_text(text)
    assert read_csv(path)["label"] == ["x"]
