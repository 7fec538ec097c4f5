"""The columns of a CSV file: of numbers while all their texts are some, else of texts.

Main definitions: ``csv_columns``, ``Watch`` (who is told how far it is).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from splitcrit.table import delimited, delimited_arrow
from splitcrit.table.counting import Array
from splitcrit.table.delimited import Block
from splitcrit.table.held import Held
from splitcrit.table.texts import Read, distinct, read_numbers, stripped

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


def csv_columns(path: Path, watch: Watch | None = None) -> dict[str, Held]:
    """Return the columns of a CSV file with a header row, gzipped or not; spaces around cells do not count.

    A large file is read by pyarrow where it is installed, with the same columns as by the standard library.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file is damaged or empty, has no rows, rows of unequal length, or two columns of one name.
    """
    try:
        if path.stat().st_size >= LARGE:
            return _read(path, ARROW, watch)
    except delimited_arrow.Unlike:
        pass
    return _read(path, STANDARD, watch)


def _read(path: Path, reader: Reader, watch: Watch | None) -> dict[str, Held]:
    """Return the columns; the file is read again for texts that stand below numbers."""
    found: dict[str, _Column] = {}
    _fill(found, path, reader, watch)
    late = {name: _Column(True) for name, column in found.items() if column.late}
    if late:
        _fill(late, path, reader, watch)
    found.update(late)
    return {name: column.held() for name, column in found.items()}


def _fill(found: dict[str, _Column], path: Path, reader: Reader, watch: Watch | None) -> None:
    """Add the cells of all blocks to columns, to all of them where none is given."""
    wanted, rows = list(found), 0
    floats: set[str] = set()
    for block in reader.blocks(path, floats):
        for name in wanted or block.columns:
            found.setdefault(name, _Column()).add(block.columns[name], reader)
        floats.clear()
        floats.update(name for name, column in found.items() if column.fractional)
        before, rows = rows, rows + block.rows
        if watch is not None and before // TOLD < rows // TOLD:
            watch(rows, max(rows, round(rows / block.part)))


class _Column:
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
        values, present = map(np.concatenate, zip(*self.parts, strict=True))
        self.parts = []
        if self.text or not present.any():
            return Held("text", values, present, tuple(self.places))
        return Held("ordered", values + 0.0 if values.dtype.kind == "f" else values, present)
