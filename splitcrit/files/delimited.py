"""Reading a CSV file in blocks of rows, with the standard library and numpy.

Main definitions: ``Block``, ``blocks``, ``opened`` (its bytes, gzipped or not), ``separator`` (what divides its cells),
``read_csv`` (all of it at once).
"""

from __future__ import annotations

import csv
import gzip
import io
import re
import sys
import zlib
from collections.abc import Iterator, Set
from contextlib import contextmanager, nullcontext
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from splitcrit.files.dialect import COMMA, START, separator_of
from splitcrit.frozen import complaint
from splitcrit.table.counting import EXACT_FLOAT

CHARACTERS = 2**18  # of lines without quotes
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
    for block in blocks(path, frozenset()):
        for name, cells in block.columns.items():
            found.setdefault(name, []).extend(map(str.strip, cells))
    return found


def blocks(path: Path, floats: Set[str]) -> Iterator[Block]:
    """Yield the rows of a CSV file: a cell is a text as it stands there. See `read_csv` for what is raised.

    Where all cells of the columns named in ``floats``, which may change between blocks, are numbers, they come as an
    array of floats: to tell so early saves half of the time.
    """
    if not path.exists():
        raise FileNotFoundError(complaint("the data file must exist", path, "check the path"))
    try:
        yield from _blocks(path, floats)
    except csv.Error as error:
        raise ValueError(complaint("a CSV file holds rows of cells", f"{error} in {path}", "write it again")) from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise ValueError(complaint("a gzipped file must be whole", f"{path}: {error}", "fetch it again")) from None
    except UnicodeDecodeError as error:
        rule, remedy = "a CSV file is UTF-8 text", "save it as UTF-8; iconv -f latin1 -t utf8 does, if it is Latin-1"
        raise ValueError(complaint(rule, f"byte {error.object[error.start]:#x} in {path}", remedy)) from None


@contextmanager
def opened(path: Path) -> Iterator[tuple[IO[bytes], IO[bytes]]]:
    """Open a file, gzipped or not: the bytes it means, and the file itself, which tells how far it has been read."""
    with path.open("rb") as raw:
        packed = raw.read(len(GZIPPED)) == GZIPPED
        raw.seek(0)
        unpacked: Any = gzip.GzipFile(fileobj=raw) if packed else nullcontext(raw)
        with unpacked as meant:
            yield meant, raw


def separator(path: Path) -> str:
    """Return what separates the cells of a CSV file, gzipped or not.

    Raises
    ------
    ValueError
        If the file seems to be no CSV file.
    """
    with opened(path) as (meant, _):
        return separator_of(meant.read(START), path)


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


def _blocks(path: Path, floats: Set[str]) -> Iterator[Block]:
    size, start, divider = path.stat().st_size, 2, separator(path)
    with opened(path) as (meant, raw), decoded(meant) as text:
        names = header(next(filter(None, csv.reader(text, delimiter=divider)), []), path)
        while lines := text.readlines(CHARACTERS):
            plain = _unquoted(lines, divider)
            columns = _loaded(names, plain, floats, divider) if plain else None
            if columns is not None:
                yield Block(columns, len(columns[names[0]]), raw.tell() / size)
                start += len(columns[names[0]])
                continue
            each = lines if plain else chain(lines, text)  # a quote may hold lines
            rows = filter(None, csv.reader(each, delimiter=divider))
            while some := list(islice(rows, ROWS)):
                yield Block(_parted(names, some, start, path), len(some), raw.tell() / size)
                start += len(some)
    if start == 2:
        what = "a header row alone" if names else "an empty file"
        raise ValueError(complaint("a CSV file holds a header row and data", f"{what}: {path}", "pass another file"))


@cache
def _quoted(divider: str) -> re.Pattern[str]:
    """Return the pattern of quotes from the start of a cell, without separators, quotes and line ends inside."""
    return re.compile(rf'"(?<![^{divider}\r\n]")[^"{divider}\r\n]+"')


def _unquoted(lines: list[str], divider: str = COMMA) -> list[str]:
    """Return lines without the quotes around words that need none; nothing if there are other quotes, or no cells."""
    held = "".join(lines)
    quotes = held.count('"')
    if held.isspace() or quotes != 2 * len(_quoted(divider).findall(held)):
        return []
    return [line.replace('"', "") for line in lines] if quotes else lines


def _loaded(names: list[str], lines: list[str], floats: Set[str], divider: str = COMMA) -> dict[str, Any] | None:
    """Return the cells of lines without quotes, those of some columns as floats; None if they have other cells."""
    fields = [(f"{i}", float if name in floats else object) for i, name in enumerate(names)]
    try:
        found = np.loadtxt(lines, fields, comments=None, delimiter=divider, ndmin=1)
    except ValueError:
        return None
    if not all((np.abs(found[field]) < EXACT_FLOAT).all() for field, kind in fields if kind is float):
        return None  # nan, or an integer that may have been rounded
    return {name: found[field].copy() if name in floats else found[field].tolist()
            for name, (field, _) in zip(names, fields, strict=True)}  # fmt: skip


def _parted(names: list[str], rows: list[list[str]], start: int, path: Path) -> dict[str, tuple[str, ...]]:
    """Return the cells of rows, the first of which has a number, by the names of their columns."""
    if set(map(len, rows)) != {len(names)}:
        number, row = next((i, row) for i, row in enumerate(rows, start) if len(row) != len(names))
        got = f"{len(row)} cells in row {number} of {path}"
        raise ValueError(complaint(f"every row has the {len(names)} cells of the header", got, "mend the row"))
    return dict(zip(names, zip(*rows, strict=True), strict=True))
