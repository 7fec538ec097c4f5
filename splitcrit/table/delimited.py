"""Reading a CSV file in blocks of rows, with the standard library only.

Main definitions: ``Block``, ``blocks``, ``opened`` (its bytes, gzipped or not), ``read_csv`` (all of it at once).
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple

from splitcrit.values import complaint

ROWS = 2**9  # of a block: so few lists that the garbage collector hardly looks at them
GZIPPED = b"\x1f\x8b"

csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # a cell may be of any length


class Block(NamedTuple):
    """Some rows of a CSV file: the cells of each column, and the part of the file that has been read so far."""

    columns: dict[str, Any]
    rows: int
    part: float


def read_csv(path: Path) -> dict[str, list[str]]:
    """Return the columns of a CSV file with a header row, gzipped or not, as cells without spaces around them.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file is damaged or empty, has no rows, rows of unequal length, or two columns of one name.
    """
    found: dict[str, list[str]] = {}
    for block in blocks(path):
        for name, cells in block.columns.items():
            found.setdefault(name, []).extend(map(str.strip, cells))
    return found


def blocks(path: Path) -> Iterator[Block]:
    """Yield the rows of a CSV file; a cell is a text as it stands there. See `read_csv` for what is raised."""
    if not path.exists():
        raise FileNotFoundError(complaint("the data file must exist", path, "check the path"))
    try:
        yield from _blocks(path)
    except csv.Error as error:
        raise ValueError(complaint("a CSV file holds rows of cells", f"{error} in {path}", "write it again")) from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(complaint("a gzipped file must be whole", f"{path}: {error}", "fetch it again")) from None
    except UnicodeDecodeError as error:
        rule = "a CSV file is UTF-8 text"
        got = f"byte {error.object[error.start]:#x} in {path}"
        raise ValueError(complaint(rule, got, "save it as UTF-8")) from None


@contextmanager
def opened(path: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Open a file, gzipped or not: the bytes it means, and the file itself, which tells how far it has been read."""
    with path.open("rb") as raw:
        packed = raw.read(len(GZIPPED)) == GZIPPED
        raw.seek(0)
        with gzip.GzipFile(fileobj=raw) if packed else nullcontext(raw) as meant:
            yield meant, raw


def decoded(meant: IO[bytes]) -> IO[str]:
    """Return the text of a CSV file, whose line ends stand as they are."""
    return io.TextIOWrapper(meant, "utf-8-sig", newline="")


def header(names: list[str], path: Path) -> list[str]:
    """Return the names of columns without spaces around them, which must differ."""
    found = [name.strip() for name in names]
    if len(set(found)) < len(found):
        twice = next(name for name in found if found.count(name) > 1)
        raise ValueError(complaint("column names must differ", f"{twice!r} twice in {path}", "rename one column"))
    return found


def _blocks(path: Path) -> Iterator[Block]:
    size = path.stat().st_size
    with opened(path) as (meant, raw), decoded(meant) as text:
        rows = filter(None, csv.reader(text))
        names, start = header(next(rows, []), path), 2
        while block := list(islice(rows, ROWS)):
            yield Block(_columns(names, block, start, path), len(block), raw.tell() / size)
            start += len(block)
    if start == 2:
        what = "a header row alone" if names else "an empty file"
        raise ValueError(complaint("a CSV file holds a header row and data", f"{what}: {path}", "pass another file"))


def _columns(names: list[str], rows: list[list[str]], start: int, path: Path) -> dict[str, tuple[str, ...]]:
    """Return the cells of rows, the first of which has a number, by the names of their columns."""
    if set(map(len, rows)) != {len(names)}:
        number, row = next((i, row) for i, row in enumerate(rows, start) if len(row) != len(names))
        got = f"{len(row)} cells in row {number} of {path}"
        raise ValueError(complaint(f"every row has the {len(names)} cells of the header", got, "mend the row"))
    return dict(zip(names, zip(*rows, strict=True), strict=True))
