"""Columns wherever they are, whose rows are read part by part.

Main definitions: ``ColumnSource`` and its maker ``in_memory``; ``Piece`` (rows that are read on their own),
``RowPart`` (some rows, like a record batch of Arrow).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from splitcrit.data.columns import InMemoryColumn

BATCH = 2**17  # rows at a time
Columns = Mapping[Any, InMemoryColumn]  # by name


class RowPart(NamedTuple):
    """Some rows of columns, texts or already read, and the part of their file that has been read so far."""

    columns: Mapping[Any, Any]
    num_rows: int
    part: float = 1.0

    def column(self, name: Any) -> Any:
        """Return one of the columns, which is looked at no sooner."""
        return self.columns[name]


class Piece(NamedTuple):
    """Some rows, read in batches of the columns wanted, and the file in which they are."""

    read: Callable[[list[Any]], Iterator[Any]]
    path: Path | None = None


@dataclass(frozen=True)
class ColumnSource:
    """Columns wherever they are, whose rows are counted part by part.

    Parameters
    ----------
    headers
        What each column is: a column of no rows, or all of it; each is looked at if it is wanted.
    pieces
        Their rows, which are read one after the other.
    rows
        The number of rows; None if it is not known before they are read.
    undecided
        Columns of typed texts that are read in parts, which may be dates.
    again
        Whether they can be read a second time.
    columns
        All columns, if they are in memory.
    frame
        A Dask data frame, whose partitions are counted where they lie.
    remarks
        What was guessed about files, and what was left out.
    """

    headers: Columns
    pieces: Sequence[Piece]
    rows: int | None = None
    undecided: frozenset[Any] = frozenset()
    again: bool = True
    columns: Columns = field(default_factory=dict)
    frame: Any = None
    remarks: tuple[str, ...] = ()

    def read(self, columns: list[Any]) -> Iterator[Any]:
        """Yield the rows of some columns in batches."""
        return (batch for piece in self.pieces for batch in piece.read(columns))


def in_memory(columns: Columns, headers: Columns, rows: int, remarks: tuple[str, ...] = ()) -> ColumnSource:
    """Columns in memory as a source; their rows are one part."""
    part = RowPart(columns, rows)
    return ColumnSource(headers, [Piece(lambda _: iter([part]))], rows, columns=columns, remarks=remarks)
