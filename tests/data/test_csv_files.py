"""CSV files read by Python's csv and by pyarrow: the same columns, those of a third reader here."""

from __future__ import annotations

import csv
import gzip
import io
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from refusals import refused
from splitcrit.columns import rank_features as ranking
from splitcrit.data import csv_files, row_parts, sources
from splitcrit.data.csv_files import NAMES, START, blocks, csv_columns, csv_formats, csv_pieces, layout_of
from splitcrit.data.formats import FileOptions
from splitcrit.table import Tables

pytest.importorskip("pyarrow")
LIBRARIES = ("csv", "pyarrow")
MISTAKE = "a mistake"


def expected(raw: bytes) -> Any:
    """The columns of a file, read as a whole and cell by cell."""
    rows = [row for row in csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline="")) if row]
    header = [name.strip() for name in rows[0]] if rows else []
    rows = [row for row in rows if len(row) == len(header) or not " ".join(row).isspace()]  # but for blank lines
    if len(rows) < 2 or any(len(row) < len(header) or any(row[len(header) :]) for row in rows):
        return MISTAKE
    header = [f"{name}.{header[:j].count(name)}" if name in header[:j] else name for j, name in enumerate(header)]
    return {name: as_values([row[j].strip() or None for row in rows[1:]]) for j, name in enumerate(header)}


MARKS = ("na", "n/a", "n.a.", "#n/a", "nan", "null", "none", "?", "-", "--", ".")


def as_values(cells: list[str | None]) -> list[Any]:
    """Numbers if all cells are some, integers if all are, and large ones even among fractions; else the texts."""
    marked = [None if cell is None or cell.lower() in MARKS else cell for cell in cells]
    there = [cell for cell in marked if cell is not None]
    coded = any(cell.lstrip("+-")[:1] == "0" and cell.lstrip("+-")[1:2].isdigit() for cell in there)
    if coded or not there or not written(there):  # words, marks alone among them
        return list(cells)
    cells = marked
    for kind in (int, float, exactly):
        try:
            values = [kind(cell) for cell in there]
        except ValueError:
            continue
        fits = kind is not float or not any(isinstance(x, int) and abs(x) >= 2**53 for x in map(exactly, there))
        if fits and not any(value != value or "_" in cell for value, cell in zip(values, there, strict=True)):
            if kind is exactly:
                values = [int(value) if abs(value) < 2**53 and value == int(value) else value for value in values]
            rest = iter(value + 0 for value in values)  # of -0.0 makes 0.0
            return [None if cell is None else next(rest) for cell in cells]
    return list(cells)


def written(cells: list[str]) -> bool:
    """Whether all cells are plain numbers."""
    try:
        return all(float(cell) == float(cell) and "_" not in cell for cell in cells)
    except ValueError:
        return False


def exactly(cell: str) -> int | float:
    """An integer, also one that ends in .0, or a float."""
    try:
        return int(cell.strip().removesuffix("0").removesuffix(".") if cell.strip().endswith((".0", ".")) else cell)
    except ValueError:
        return float(cell)


def shown(path: Path, library: str) -> Any:
    """The columns that a library finds, as lists."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_files, "LARGE", 0)
        if library == "csv":
            patch.setitem(sys.modules, "pyarrow", None)
        try:
            found = csv_files.csv_columns([path], options=FileOptions(header=True))
        except ValueError:
            return MISTAKE
    return {
        name: [(x if column.in_order else column.names[x]) if there else None
               for x, there in zip(column.values.tolist(), column.present.tolist(), strict=True)]
        for name, column in found.items()
    }  # fmt: skip


@contextmanager
def handed_over() -> Iterator[list[int]]:
    """How many rows pyarrow had read, each time it handed a file over."""
    with pytest.MonkeyPatch.context() as patch:
        rows = list[int]()
        by_csv = csv_files._by_csv

        def noted(*given: Any) -> Any:
            rows.append(given[2])
            return by_csv(*given)

        patch.setattr(csv_files, "_by_csv", noted)
        yield rows


def agree(path: Path, raw: bytes) -> bool:
    """Assert that both libraries find what is expected; return whether pyarrow read all of the file."""
    path.write_bytes(raw)
    want = repr(expected(raw))
    assert repr(shown(path, "csv")) == want
    with handed_over() as rows:
        assert repr(shown(path, "pyarrow")) == want
    return not rows


@pytest.fixture(params=[1, 3, 512])
def short_blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_files, "ROWS", request.param)
    monkeypatch.setattr(csv_files, "BYTES", 40 * request.param)


NUMBERS = {
    "integers": (["1", "-2", "7", "-0"], [1, -2, 7, 0]),
    "beyond 2**53": (["9007199254740993", "1"], [2**53 + 1, 1]),
    "with a sign": (["+9007199254740993", "1"], [2**53 + 1, 1]),
    "the largest": (["9223372036854775807", "-9223372036854775808"], [2**63 - 1, -(2**63)]),
    "too large for int64": (["9223372036854775808", "9223372036854775809", "1"], [2**63, 2**63 + 1, 1]),
    "beyond 2**53 among fractions": (["9007199254740993", "1", "2", "0.5"], [2**53 + 1, 1, 2, 0.5]),
    "beyond 2**53 and a fraction of 0": (["9007199254740993.0", "9007199254740992"], [2**53 + 1, 2**53]),
    "beyond 2**53 behind fractions": (["0.5", "1.5", "2.5", "9007199254740993"], [0.5, 1.5, 2.5, 2**53 + 1]),
    "larger than all floats": ([str(10**400), "0.5", str(10**400 + 1)], [10**400, 0.5, 10**400 + 1]),
    "minus zero among fractions": (["-0", "-0.0", "0.5"], [0.0, 0.0, 0.5]),
    "whole floats": (["1.0", "2.", "1e2"], [1.0, 2.0, 100.0]),
    "beyond floats": (["1e400", "-inf", "Infinity", "1e-400"], [np.inf, -np.inf, np.inf, 0.0]),
    "gaps": (["1", "", "  ", '""', "3"], [1, None, None, None, 3]),
    "gaps first": (["", "", "", "", "0.1"], [None, None, None, None, 0.1]),
    "gaps alone": (["", " "], [None, None]),
    "spaces": ([" 1", "2 ", "\t3", "\u20034", "\u00a05"], [1, 2, 3, 4, 5]),
    "other digits": (["１", "2"], [1, 2]),
    "quotes": (['"1.5"', "2", '"3"4'], [1.5, 2.0, 34.0]),
    "a hexadecimal": (["0x1F", "1"], ["0x1F", "1"]),
    "underscores": (["1_0", "1"], ["1_0", "1"]),
    "a code": (["1", "-2", "007", "-0"], ["1", "-2", "007", "-0"]),
    "nan": (["1", "nan"], [1, None]),
    "nan among words": (["a", "nan"], ["a", "nan"]),
    "two points": (["1.5.2", "1"], ["1.5.2", "1"]),
    "booleans": (["true", "0"], ["true", "0"]),
    "a day": (["2024-01-01", "1"], ["2024-01-01", "1"]),
    "a late word": (["1.50", "2", "3", "4", "x", "1.50"], ["1.50", "2", "3", "4", "x", "1.50"]),
    "a word after gaps": (["", "", "", "", "x"], [None, None, None, None, "x"]),
    "quotes inside": (['a"b', '"q""q"', "'1'"], ['a"b', 'q"q', "'1'"]),
    "lines inside": (['"x\ny"', " z"], ["x\ny", "z"]),
    "marks alone": (["null", "?", ""], ["null", "?", None]),
    "null": (["null", "NULL", "\x00"], ["null", "NULL", "\x00"]),
}  # fmt: skip


@pytest.mark.usefixtures("short_blocks")
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("case", NUMBERS)
def test_a_column_is_numbers_or_texts(tmp_path: Path, case: str, library: str) -> None:
    cells, values = NUMBERS[case]
    (path := tmp_path / "x.csv").write_text("x,y\n" + "".join(f"{cell},a\n" for cell in cells), newline="")
    assert repr(expected(path.read_bytes())["x"]) == repr(shown(path, library)["x"]) == repr(values)


@pytest.mark.usefixtures("short_blocks")
@pytest.mark.parametrize(
    ("raw", "by_arrow"),
    [
        (b"a,b\n1,x\n2,y", True),
        (b"a,b\r\n1,x\r\n2,y\r\n", True),
        (b"a,b\r1,x\r2,y\r", True),
        (b"\xef\xbb\xbfa,b\n1,x\n", True),
        (b"\n\na,b\n\n1,x\n\n\n2,y\n", True),
        (b' a ,"b c"\n1,x\n', True),
        (b'"a\nb",b\n1,x\n', True),
        (b",b\n1,x\n", True),
        (b"true,1\n1,x\n", True),
        (b"a,b\n1;2,x\n", True),
        (b'a\n""\n1\n', True),
        (b'a\n"x\ny"\nz\n', True),
        (b'a,b\n"1"2,x\n"3""4",y\n"5"6"7",y\n', True),
        (b"a,b\n1,x\n" + 40 * b"\n" + b"2,y\n", True),
        (b'a,b\n1,"xxxxxx\nyyyyyy\nz\n2"\n', True),
        (b'a,b\n1,"x"\n"2",y\n', True),
        (b'a,b\n1,"x"\n2,"y', True),
        (b'a,b\n1,"x\r\ny"\n2,"\r\r\n\n"\n', True),
        (b'a,b\n1,"x\n2,y\n', True),  # a quote that does not end
        (b"a,a\n1,x\n", True),
        (b"a,b\n1,x,\n2,y,,\n", False),
        (b"a,b\n1\n", False),
        (b"a,b\n1,x\n \n", False),
        (b"a,b\n", False),
        (b"", False),
    ],
)
def test_odd_files(tmp_path: Path, raw: bytes, by_arrow: bool, request: pytest.FixtureRequest) -> None:
    found = agree(tmp_path / "x.csv", raw)
    assert found == by_arrow or not found  # a row longer than a block is left to the standard library
    if request.node.callspec.params["short_blocks"] == 512:
        assert found == by_arrow


BETWEEN = [(b'%d,"x\r\ny\r\r\n"\r\n', size) for size in range(59, 70)] + [
    (b'%d,"x\ny"\n', n) for n in (63, 64, 65, 200)
]


@pytest.mark.parametrize(("row", "size"), BETWEEN)
def test_a_block_may_end_anywhere(tmp_path: Path, row: bytes, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between a carriage return and its line feed, inside quotes and between rows."""
    monkeypatch.setattr(csv_files, "BYTES", size)
    assert agree(tmp_path / "x.csv", b"a,b\n" + b"".join(row % (i % 7) for i in range(100)))


CELL = st.one_of(
    st.integers(-3, 99).map(str), st.floats(-9, 9).map(repr), st.integers(2**53, 2**64).map(str),
    st.sampled_from([x for cells, _ in NUMBERS.values() for x in cells if x != "2024-01-01"]),  # alone it is a date
    st.text("1.e+-xn \t\"\r_\n,", max_size=5),
)  # fmt: skip


@given(
    st.lists(st.lists(CELL, min_size=2, max_size=2), max_size=12),
    st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(), st.sampled_from([1, 3, 512]),
)  # fmt: skip
def test_any_file(tmp_path_factory, rows: list[list[str]], end: str, quoted: bool, size: int) -> None:
    out, rows = io.StringIO(newline=""), [["a", "b"], *rows]
    if quoted:
        csv.writer(out, lineterminator=end).writerows(rows)
    else:
        out.write(end.join(map(",".join, rows)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_files, "ROWS", size)
        patch.setattr(csv_files, "BYTES", 40 * size)
        agree(tmp_path_factory.mktemp("any") / "x.csv", out.getvalue().encode())


# Which reader, and how often.


def mixed(rows: int) -> str:
    """Numbers, integers with gaps, words, numbers with a late word, and a label."""
    rng = np.random.default_rng(rows)
    x, y = rng.normal(size=rows), rng.integers(0, 2, rows)
    cells = zip(x + y, rng.integers(0, 40, rows), rng.choice(["red", "green", "?"], rows), y, strict=True)
    lines = (f"{a!r},{b or ''},{c},{x[i]:.3f}{'x' * (i == rows - 1)},{'ny'[k]}" for i, (a, b, c, k) in enumerate(cells))
    return "\n".join(["a,b,c,d,y", *lines]) + "\n"


@pytest.mark.parametrize(
    ("below", "said"),
    [
        (b"1\n", "every row has the 2 cells of the header; got 1 cells in row 5002 of"),
        (b"1,2,3\n", "every row has the 2 cells of the header; got 3 cells in row 5002 of"),
        (b"1,M\x81con\n", "a CSV file is text in UTF-8, UTF-16 or Latin-1; got byte 0x81 in"),
    ],
)
def test_a_row_that_is_wrong_far_below_is_named_whichever_library_reads(
    tmp_path: Path, below: bytes, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (path := tmp_path / "x.csv").write_bytes(b"a,b\n" + b"1,x\n" * 5000 + below + b"1,x\n" * 5000)
    monkeypatch.setattr(csv_files, "BYTES", 512)
    for large in (0, 2**20):
        monkeypatch.setattr(csv_files, "LARGE", large)
        with handed_over() as rows, pytest.raises(ValueError, match=said):
            csv_files.csv_columns([path])
        assert not rows or (rows[0] > 2500) == (large == 0)


def test_a_row_too_long_for_pyarrow_is_read_with_all_below_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, and no row twice."""
    monkeypatch.setattr(csv_files, "BYTES", 512)
    lines = [f"{i},{'x' * (5000 if i == 700 else i % 3 + 1)}\n" for i in range(1000)]
    with handed_over() as rows:
        assert not agree(tmp_path / "x.csv", ("a,b\n" + "".join(lines)).encode())
    assert rows[0] == 0 and 500 < rows[1] <= 700 and len(rows) == 2


def test_rankings_are_the_same_with_and_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (path := tmp_path / "x.csv").write_text(mixed(1500))
    (packed := tmp_path / "x.csv.gz").write_bytes(gzip.compress(path.read_bytes()))
    with handed_over() as rows:
        small = ranking(path, "y").plain()
    assert rows == [0]  # not worth an import
    monkeypatch.setattr(csv_files, "LARGE", 0)
    monkeypatch.setattr(csv_files, "BYTES", 8192)
    with handed_over() as rows:
        assert ranking(path, "y").plain() == ranking(packed, "y").plain() == small
    assert not rows
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert ranking(path, "y").plain() == small


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("packed", [False, True])
def test_it_is_told_how_far_the_reading_is(tmp_path, library: str, packed: bool, monkeypatch) -> None:
    for name, size in (("BYTES", 2**14), ("TOLD", 1000), ("LARGE", 0)):
        monkeypatch.setattr(csv_files, name, size)
    if library == "csv":
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    text = mixed(10_000).replace("x,", ",")
    (path := tmp_path / "x.csv").write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    news: list[tuple[int, int]] = []
    csv_files.csv_columns([path], lambda rows, total: news.append((rows, total or 0)))
    rows, totals = np.array(news).T
    assert (np.diff(rows) >= 500).all() and rows[0] < 2500 and rows[-1] == 10_000
    assert (totals >= rows).all() and (np.abs(totals[rows > 5_000] / 10_000 - 1) < 0.25).all()


# What the beginning of a file says: the separator of its cells, and what it is if it is no CSV file.

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
    found = [block.columns for block in blocks(path, fast=False)]
    return {name: [cell for columns in found for cell in columns[name]] for name in found[0]}


def folder_of(path: Path, rows: list[list[str]], divider: str, **dialect: Any) -> Path:
    with path.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out, delimiter=divider, **dialect).writerows(rows)
    return path


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("rows", [ROWS, PLAIN], ids=["odd cells", "plain cells"])
@pytest.mark.parametrize("divider", NAMES)
def test_cells_are_the_same_whatever_separates_them(
    tmp_path: Path, divider: str, rows: list[list[str]], quoting: int
) -> None:
    path = folder_of(tmp_path / "data.csv", rows, divider, quoting=quoting)
    assert layout_of(path).separator == divider
    assert read_csv(path) == {name: list(cells) for name, *cells in zip(*rows, strict=True)}


@pytest.mark.parametrize("divider", NAMES)
def test_both_libraries_and_files_in_parts_know_the_separator(tmp_path, divider: str, monkeypatch) -> None:
    path, known = folder_of(tmp_path / "a.csv", PLAIN, divider), folder_of(tmp_path / "b.csv", PLAIN, ",")
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
    """Different whole numbers, folder_of plainly, may be years."""
    (path := tmp_path / "data.csv").write_text(f"{first}\n3 500;4,5\n700;8\n", encoding="utf-8")
    assert layout_of(path).header == header


# CSV files that are read in parts: the columns that they have in memory, whatever the parts and the reader.

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
    parts = [part.columns for piece in csv_pieces(path, formats, FileOptions()) for part in piece.read(list(formats))]
    found = {name: [entry for part in parts for entry in named(part[name])] for name in formats}
    assert {len(column) for column in found.values()} == {rows}
    return found


def named(held: Any) -> list[Any]:
    entries = held.values.tolist() if held.in_order else [(*held.names, "")[x] for x in held.values]
    plain = [float(x) if held.kind == "number" and abs(x) < 2**53 else x for x in entries]  # a part may hold integers
    return [repr(x) if there else None for x, there in zip(plain, held.present.tolist(), strict=True)]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_parts_hold_what_memory_holds(library: str, tmp_path_factory, data: st.DataObject) -> None:
    some = st.lists(st.sampled_from(data.draw(st.lists(st.sampled_from(CELLS), min_size=1, max_size=3))), min_size=1)
    folder, paths = tmp_path_factory.mktemp("rows"), []
    for i in range(data.draw(st.integers(1, 3))):
        raw = ("a,b\n" + "".join(f"{cell},{j}\n" for j, cell in enumerate(data.draw(some)))).encode()
        paths.append(folder / f"{i}.csv")
        paths[-1].write_bytes(gzip.compress(raw) if i == 1 else raw)
    assert values(paths) == {name: named(column) for name, column in csv_files.csv_columns(paths).items()}


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
def test_mistakes_are_told_with_the_file(tmp_path, monkeypatch, texts: list[str], words: str, held: int) -> None:
    monkeypatch.setattr(sources, "HELD", held)
    for i, text in enumerate(texts):
        (tmp_path / f"{i}.csv").write_text(text)
    refused(words, Tables.of, tmp_path, "y")


def test_a_column_that_a_file_lacks_is_like_any(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
    said = "must not change while it is counted; got could not convert string to float: 'x' in 'a'"
    refused(said, list, piece.read(["a", "y"]))


def test_files_and_labels_that_do_not_go_together(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("a,y\n1,p\n")
    with pytest.raises(TypeError, match="must be one of their columns; got a label of type list; pass the name"):
        Tables.of(tmp_path / "rows.csv", ["p"])
    with pytest.raises(ValueError, match=r"a file is counted once; got .*rows.csv twice; name it once"):
        Tables.of([tmp_path, tmp_path / "rows.csv"], "y")
    (tmp_path / "rows.parquet").touch()
    refused(r"all parquet or all Arrow, or all CSV; got both in .*; keep one", Tables.of, tmp_path, "y")


def test_the_last_letter_tells_an_encoding_too(tmp_path: Path) -> None:
    ends = {b"ole,x\nol\xe9": "cp1252", b"\xe9,x\nol\xe9": "cp1252", b"\xc3\xa9,x\nol\xc3\xa9": "utf-8-sig"}
    for i, (raw, encoding) in enumerate(ends.items()):
        (tmp_path / f"{i}.csv").write_bytes(b"a,b\n" + raw)
        assert csv_files.layout_of(tmp_path / f"{i}.csv").encoding == encoding
    (tmp_path / "cut.csv").write_bytes("a,b\né,x\n1,é".encode()[:-1])  # off, which is no Latin-1
    refused("byte 0xc3", csv_files.layout_of, tmp_path / "cut.csv")
