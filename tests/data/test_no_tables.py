"""Files that are no tables, that do not end, or that hold code: each ends in one sentence, or harmless."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pickle
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from splitcrit import rank_features
from splitcrit.cli import main

TEXT = "a,label\n1,x\n2,y\n"


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


OFFICE = "an Office file (xlsx, docx, ods or the like); save its sheet as CSV"
SEEMING: dict[str, tuple[Callable[[Path], bytes], str]] = {
    "parquet": (lambda folder: parquet(), "a parquet file; give it a name that ends in .parquet"),
    "Arrow": (lambda folder: arrow(), "an Arrow file; give it a name that ends in .arrow"),
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
    "numpy": (lambda folder: array(), "an array of numpy; write it as CSV"),
    **{
        f"pickle {protocol}": (lambda folder, n=protocol: pickle.dumps([1, "x"], n), "a pickle, which is never loaded")
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
    },
}


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


class Loaded:
    """What runs code when it is unpickled."""

    def __reduce__(self) -> Any:
        return exec, ("raise AssertionError('a pickle was loaded')",)


def test_a_pickle_is_not_loaded(tmp_path: Path) -> None:
    (path := tmp_path / "data.csv").write_bytes(pickle.dumps(Loaded()))
    assert "never loaded" in refusal(path)


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


@pytest.mark.parametrize("cell", ["{}", "{} kg", "$ {}", "{},5", "{} NULL"])
def test_control_characters_in_names_and_cells_are_shown_harmless(
    tmp_path: Path, cell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where a cell is quoted as well, in the lines that say how a column was read."""
    odd = "\x1b]0:owned\x07\x9b31m\u202e"
    lines = [f"{odd};b;{odd}y", *(f"{odd}{cell.format(i)};{cell.format(i)}{odd};{odd}{i % 2}" for i in range(40))]
    (path := tmp_path / "data.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = rank_features(path, f"{odd}y")
    assert main(["rank", str(path), "--target", f"{odd}y"]) == 0
    printed = capsys.readouterr()
    for text in (str(found), repr(found), found._repr_html_(), printed.out, printed.err):
        assert [c for c in text if not (c.isprintable() or c == "\n")] == []
    assert r"\x1b]0:owned\x07" in printed.out
