"""The columns of CSV files in memory: of numbers while all their texts are some, else of texts.

Main definitions: ``csv_columns``, ``Watch`` (who is told how far it is), ``Column`` (one that is being read),
``cells_added``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from splitcrit.files import delimited, delimited_arrow
from splitcrit.files.delimited import Block
from splitcrit.files.held import Held
from splitcrit.files.texts import Read, distinct, read_numbers, stripped
from splitcrit.frozen import complaint
from splitcrit.table.counting import Array
from splitcrit.table.integers import joined

LARGE = 2**20  # bytes of a file for which pyarrow is worth its import
TOLD = 2**14  # rows from one news to the next; the total is estimated from the part that has been read
Watch = Callable[[int, "int | None"], None]


class Reader(NamedTuple):
    """A way to read a file in blocks, and what their cells are: numbers, or the places of distinct texts."""

    blocks: Callable[[Path, Set[str]], Iterator[Block]]
    numbers: Callable[[Any], Read | None]
    texts: Callable[[Any], tuple[list[str], Array]]


def _numbers(cells: Any) -> Read | None:
    """Return texts as numbers, and numbers as they are."""
    return (cells, np.ones(len(cells), dtype=bool)) if isinstance(cells, np.ndarray) else read_numbers(cells)


STANDARD = Reader(delimited.blocks, _numbers, distinct)
ARROW = Reader(delimited_arrow.blocks, delimited_arrow.as_numbers, delimited_arrow.as_texts)


def csv_columns(paths: Sequence[Path], watch: Watch | None = None) -> dict[str, Held]:
    """Return the columns of CSV files with a header row, gzipped or not; spaces around cells do not count.

    Large files are read by pyarrow where it is installed, with the same columns as by the standard library.

    Raises
    ------
    OSError
        If a file cannot be read.
    ValueError
        If a file is damaged or empty, has no rows, rows of unequal length, or two columns of one name, or if files have
        different columns.
    """
    try:
        if sum(path.stat().st_size for path in paths) >= LARGE:
            return _read(paths, ARROW, watch)
    except delimited_arrow.Unlike:
        pass
    return _read(paths, STANDARD, watch)


def _read(paths: Sequence[Path], reader: Reader, watch: Watch | None) -> dict[str, Held]:
    """Return the columns; the files are read again for texts that stand below numbers."""
    found: dict[str, Column] = {}
    _fill(found, paths, reader, watch)
    late = {name: Column(True) for name, column in found.items() if column.late}
    if late:
        _fill(late, paths, reader, watch)
    found.update(late)
    return {name: column.held() for name, column in found.items()}


def _fill(found: dict[str, Column], paths: Sequence[Path], reader: Reader, watch: Watch | None) -> None:
    rows, wanted = 0, list(found)
    for path in paths:
        for block in cells_added(found, wanted, path, reader, Column):
            before, rows = rows, rows + block.rows
            if watch is not None and before // TOLD < rows // TOLD:
                part = block.part if len(paths) == 1 else None
                watch(rows, None if part is None else max(rows, round(rows / part)))


class Growing(Protocol):
    """What takes the cells of a column, block by block."""

    @property
    def fractional(self) -> bool:
        """Whether the last cells were numbers, and no integers."""

    def add(self, cells: Any, reader: Reader) -> None:
        """Take cells."""


def cells_added(
    found: dict[str, Any], wanted: Sequence[str], path: Path, reader: Reader, new: Callable[[], Growing]
) -> Iterator[Block]:
    """Add the cells of a file to the columns wanted, to all where none is named, and pause after every block."""
    floats: set[str] = set()
    for block in reader.blocks(path, floats):
        if not wanted and found:
            same_columns(set(found), set(block.columns), path)
        for name in wanted or block.columns:
            if name not in found:
                found[name] = new()
            found[name].add(block.columns[name], reader)
        floats.clear()
        floats.update(name for name, column in found.items() if column.fractional)
        yield block


def same_columns(known: Set[str], here: Set[str], path: Path) -> None:
    """Raise a ValueError unless a file has the columns of those before it."""
    if odd := min(known ^ here, default=None):
        where = path.name if odd in known else f"the files before {path.name}"
        got = f"no column {odd!r} in {where}"
        raise ValueError(complaint("files to count have the same columns", got, "write them with one header"))


class Column:
    """A column that is being read: numbers, until a text is none."""

    def __init__(self, text: bool = False) -> None:
        self.text = text
        self.late = False  # whether there were numbers above the first text that is none
        self.parts: list[Read] = []
        self.places: dict[str, int] = {}

    @property
    def fractional(self) -> bool:
        """Whether the last cells were numbers, and no integers."""
        return not self.text and self.parts[-1][0].dtype.kind == "f"

    def add(self, cells: Any, reader: Reader) -> None:
        """Add cells; numbers that turn out to be texts are forgotten."""
        found = None if self.text else reader.numbers(cells)
        if found is None and not self.text:
            self.text, self.late, self.parts = True, bool(self.parts), []
        if not self.late:
            self.parts.append(self._coded(*reader.texts(cells)) if found is None else found)

    def _coded(self, names: list[str], codes: Array) -> Read:
        """Return texts as their places among all texts so far, and which are not empty."""
        at = [-1 if name is None else self.places.setdefault(name, len(self.places)) for name in stripped(names)]
        found = np.array(at, dtype=np.int64)[codes]
        return np.maximum(found, 0), found >= 0

    def held(self) -> Held:
        """Return the column, and forget its parts; in a column with fractions -0 is 0, as it is among integers."""
        values, present = map(joined, zip(*self.parts, strict=True))
        self.parts = []
        if self.text or not present.any():
            return Held("text", values, present, tuple(self.places))
        return Held("ordered", values + 0.0 if values.dtype.kind == "f" else values, present)
