"""What the beginning of a file says: the separator of its cells, and what it is if it is no CSV file."""

from __future__ import annotations

import csv
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
    rows, formats = csv_formats([path])
    assert (rows, formats) == csv_formats([known]) and rows == len(PLAIN) - 1


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
        ("1,5;2,5;a\n3,5;4,5;b\n", ";"),
        ("1,5\t2,5\n3,5\t4,5\n", "\t"),
        ("1,2,3\n4,5,6\n", ","),
        ("1,2;a,3\n4,5;b,6\n", ","),
    ],
)
def test_a_comma_where_commas_agree_else_what_does(tmp_path: Path, text: str, expected: str) -> None:
    (path := tmp_path / "data.csv").write_text(text, encoding="utf-8")
    assert layout_of(path).separator == expected


def test_a_row_that_is_cut_off_says_nothing(tmp_path: Path) -> None:
    row, path = "1,5;" + "x" * 1000 + ";y\n", tmp_path / "data.csv"
    for rows in (1, START // len(row) + 1):
        path.write_text("a;b;c\n" + row * rows)
        assert layout_of(path).separator == ";"
    path.write_text(";".join(["name"] * START))
    assert layout_of(path).separator == ";"


@pytest.mark.parametrize(
    ("first", "header"),
    [("a;b", True), ("2019;2020", True), ("2019;2019", False), ("1,5;2,5", False), ("1 020;2 040", False)],
)
def test_a_first_row_of_numbers_is_data_unless_they_may_be_names(tmp_path: Path, first: str, header: bool) -> None:
    """Different whole numbers, written plainly, may be years."""
    (path := tmp_path / "data.csv").write_text(f"{first}\n3 500;4,5\n700;8\n", encoding="utf-8")
    assert layout_of(path).header == header
