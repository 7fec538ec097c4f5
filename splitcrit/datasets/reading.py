"""Reading a CSV file into columns, with the standard library and numpy only.

Main definitions: ``Column``, ``read_csv``.
"""

from __future__ import annotations

import csv
import gzip
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from splitcrit.values import complaint


@dataclass(frozen=True, eq=False)
class Column:
    """A column of a file: its name, its cells as text, and their numbers where every cell present is one."""

    name: str
    cells: NDArray[np.str_]
    numbers: NDArray[np.float64] | None

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Which cells are empty."""
        return np.asarray(self.cells == "")


def _text(path: Path) -> str:
    raw = path.read_bytes()
    if raw[:2] == b"\x1f\x8b":
        try:
            raw = gzip.decompress(raw)
        except (EOFError, gzip.BadGzipFile) as error:
            raise ValueError(complaint("a gzipped file must be whole", f"{path}: {error}", "fetch it again")) from None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        rule = "a CSV file is UTF-8 text"
        raise ValueError(complaint(rule, f"byte {raw[error.start]:#x} in {path}", "save it as UTF-8")) from None


def _numbers(cells: NDArray[np.str_]) -> NDArray[np.float64] | None:
    """Return the cells as numbers, nan where empty; None if a cell is no finite number."""
    present = cells != ""
    try:
        values = cells[present].astype(np.float64)
    except ValueError:
        return None
    if not present.any() or not np.isfinite(values).all():
        return None
    numbers = np.full(len(cells), np.nan)
    numbers[present] = values
    return numbers


def read_csv(path: Path) -> list[Column]:
    """Return the columns of a CSV file with a header row; an empty cell is missing.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file is empty, has no rows, has rows of unequal length or two columns of one name.
    """
    if not path.exists():
        raise FileNotFoundError(complaint("the data file must exist", path, "check the path"))
    rows = [row for row in csv.reader(io.StringIO(_text(path), newline="")) if row]
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
    columns = [np.char.strip(np.array(cells, dtype=np.str_)) for cells in zip(*body, strict=True)]
    return [Column(name, cells, _numbers(cells)) for name, cells in zip(header, columns, strict=True)]
