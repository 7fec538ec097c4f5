"""Reading a CSV file into columns of text, with the standard library only.

Main definitions: ``read_csv``.
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
import zlib
from pathlib import Path

from splitcrit.values import complaint

csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # a cell may be of any length


def read_csv(path: Path) -> dict[str, list[str]]:
    """Return the columns of a CSV file with a header row, gzipped or not, as cells without spaces around them.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file is damaged or empty, has no rows, rows of unequal length, or two columns of one name.
    """
    if not path.exists():
        raise FileNotFoundError(complaint("the data file must exist", path, "check the path"))
    try:
        rows = [row for row in csv.reader(io.StringIO(_text(path), newline="")) if row]
    except csv.Error as error:
        raise ValueError(complaint("a CSV file holds rows of cells", f"{error} in {path}", "write it again")) from None
    if len(rows) < 2:
        what = "an empty file" if not rows else "a header row alone"
        raise ValueError(complaint("a CSV file holds a header row and data", f"{what}: {path}", "pass another file"))
    header, body = [name.strip() for name in rows[0]], rows[1:]
    if len(set(header)) < len(header):
        twice = next(name for name in header if header.count(name) > 1)
        raise ValueError(complaint("column names must differ", f"{twice!r} twice in {path}", "rename one column"))
    for number, row in enumerate(body, 2):
        if len(row) != len(header):
            got = f"{len(row)} cells in row {number} of {path}"
            raise ValueError(complaint(f"every row has the {len(header)} cells of the header", got, "mend the row"))
    return {name: [x.strip() for x in cells] for name, cells in zip(header, zip(*body, strict=True), strict=True)}


def _text(path: Path) -> str:
    raw = path.read_bytes()
    if raw[:2] == b"\x1f\x8b":
        try:
            raw = gzip.decompress(raw)
        except (EOFError, OSError, zlib.error) as error:
            raise ValueError(complaint("a gzipped file must be whole", f"{path}: {error}", "fetch it again")) from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        rule = "a CSV file is UTF-8 text"
        raise ValueError(complaint(rule, f"byte {raw[error.start]:#x} in {path}", "save it as UTF-8")) from None
