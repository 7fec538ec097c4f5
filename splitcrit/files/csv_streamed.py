"""CSV files that are read in parts, so that no more than a part is in memory.

A column is one of numbers if all texts of all files are some, as in memory; so the files are read once to find the
kinds of their columns, before they are counted.

Main definitions: ``csv_pieces``, ``Kinds`` (of columns), ``kinds_of``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from splitcrit.files.arrow_files import Piece
from splitcrit.files.csv_columns import ARROW, STANDARD, TOLD, Column, Reader, Watch, cells_added
from splitcrit.files.delimited_arrow import Unlike
from splitcrit.files.held import Held, Order
from splitcrit.files.readers import BATCH, Part
from splitcrit.frozen import complaint
from splitcrit.table.counting import Array
from splitcrit.table.integers import as_objects, is_beyond

READERS = {"arrow": ARROW, "standard": STANDARD}
TEXT = "text"


class Kinds(NamedTuple):
    """What the columns of some files are: a dtype, or texts; the rows there are; and which reader takes each file."""

    columns: dict[str, str]
    rows: int
    readers: list[str]

    def orders(self) -> dict[str, Order]:
        """Return whether the values of each column are texts or have an order."""
        return {name: "text" if kind == TEXT else "ordered" for name, kind in self.columns.items()}


def kinds_of(paths: Sequence[Path], watch: Watch | None = None) -> Kinds:
    """Return the kinds of the columns of CSV files; see ``csv_columns`` for what is raised."""
    found: dict[str, _Kind] = {}
    rows, readers = 0, []
    for path in paths:
        try:
            known = {name: kind.copy() for name, kind in found.items()}
            more, reader = _looked_at(known, path, ARROW, watch, rows), "arrow"
        except Unlike:
            known = {name: kind.copy() for name, kind in found.items()}
            more, reader = _looked_at(known, path, STANDARD, watch, rows), "standard"
        found, rows = known, rows + more
        readers.append(reader)
    return Kinds({name: kind.name for name, kind in found.items()}, rows, readers)


def _looked_at(found: dict[str, _Kind], path: Path, reader: Reader, watch: Watch | None, before: int) -> int:
    """Take note of the cells of a file, and return how many rows it has."""
    rows = 0
    for block in cells_added(found, (), path, reader, _Kind):
        told, rows = rows, rows + block.rows
        if watch is not None and told // TOLD < rows // TOLD:
            watch(before + rows, None)
    return rows


def csv_pieces(paths: Sequence[Path], kinds: Kinds) -> list[Piece]:
    """Return the rows of CSV files, a piece for each file."""
    readers = [READERS[name] for name in kinds.readers]
    return [Piece(path, partial(_parts, path, reader, kinds)) for path, reader in zip(paths, readers, strict=True)]


def _parts(path: Path, reader: Reader, kinds: Kinds, columns: list[str]) -> Iterator[Part]:
    """Yield the columns wanted of a file, some rows at a time."""

    def new() -> dict[str, Column]:
        return {name: Column(kinds.columns[name] == TEXT) for name in columns}

    found, rows = new(), 0
    try:
        for block in cells_added(found, columns, path, reader, Column):
            rows += block.rows
            if rows >= BATCH:
                yield _part(found, kinds, rows)
                found.update(new())
                rows = 0
    except Unlike:  # numbers with a carriage return, in a column where texts stand below them
        rule, remedy = "a CSV file that is read in parts has no carriage return inside quotes", "write it without"
        raise ValueError(complaint(rule, f"one in {path}", remedy)) from None
    if rows:
        yield _part(found, kinds, rows)


def _part(found: dict[str, Column], kinds: Kinds, rows: int) -> Part:
    """Return the rows of columns; those of numbers in the type that the whole column has."""
    held = {name: column.held() for name, column in found.items()}
    return Part({name: _typed(column, kinds.columns[name]) for name, column in held.items()}, rows)


def _typed(held: Held, kind: str) -> Held:
    """Return a part of a column in the type of the whole."""
    if kind == TEXT:
        return held
    if held.kind == TEXT and held.present.any():
        rule, got = "a file stays as it is while it is counted", f"the text {held.names[0]!r} among numbers"
        raise ValueError(complaint(rule, got, "count it again"))
    values = as_objects(held.values) if kind == "object" else held.values.astype(kind)
    return Held("ordered", values, held.present)


class _Kind:
    """What the cells of a column have been so far: nothing, integers, numbers or texts."""

    def __init__(self, dtype: Any = None, text: bool = False, there: bool = False, beyond: bool = False) -> None:
        self.dtype = dtype
        self.text = text
        self.there = there
        self.beyond = beyond  # whether there are integers that floats do not keep apart
        self.fractional = False

    def copy(self) -> _Kind:
        """Return the same anew."""
        return _Kind(self.dtype, self.text, self.there, self.beyond)

    @property
    def name(self) -> str:
        """The dtype of the column, or that it is one of texts."""
        if self.text or not self.there:
            return TEXT
        kind = np.dtype(self.dtype)
        return "object" if self.beyond and kind.kind == "f" else kind.name

    def add(self, cells: Any, reader: Reader) -> None:
        """Take note of cells."""
        found = None if self.text else reader.numbers(cells)
        if found is None:
            reader.texts(cells)  # refused where another reader has to read them
            self.text, self.fractional = True, False
            return
        values: Array = found[0]
        self.dtype = values.dtype if self.dtype is None else np.result_type(self.dtype, values.dtype)
        self.there |= bool(found[1].any())
        self.beyond |= is_beyond(values)
        self.fractional = values.dtype.kind == "f"
