"""Reading a CSV file in blocks of rows by pyarrow, where it is installed and means the same.

Cells are read as texts, and turned into numbers only where Arrow's rule gives what Python's gives.

Main definitions: ``blocks``, ``as_numbers``, ``as_texts``, ``Unlike`` (the file is one for the standard library).
"""

from __future__ import annotations

import csv
import zlib
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any

import numpy as np

from splitcrit.files.delimited import Block, decoded, header, opened, separator
from splitcrit.files.texts import Read, read_numbers
from splitcrit.table.counting import EXACT_FLOAT, Array

BYTES = 2**20  # of a block
SPARE = 3  # bytes that Arrow needs for a text, less the separator that the file needs


class Unlike(Exception):
    """pyarrow is not there, or does not read this file as the standard library does."""


def blocks(path: Path, floats: Set[str]) -> Iterator[Block]:
    """Yield the rows of a CSV file; every cell is a text as it stands there.

    Raises
    ------
    Unlike
        If pyarrow is not installed, or refuses what is in the file.
    """
    try:
        from pyarrow import ArrowException
    except ModuleNotFoundError:
        raise Unlike from None
    try:
        yield from _blocks(path)
    except (ArrowException, OSError, EOFError, UnicodeError, zlib.error, csv.Error):
        raise Unlike from None


def _blocks(path: Path) -> Iterator[Block]:
    import pyarrow.csv

    divider = separator(path)
    with opened(path) as (meant, _), decoded(meant) as text:
        given = next(filter(None, csv.reader(text, delimiter=divider)), [])
    names, size = header(given, path), path.stat().st_size
    with opened(path) as (meant, raw):
        reader = pyarrow.csv.open_csv(
            meant,
            pyarrow.csv.ReadOptions(use_threads=False, block_size=BYTES),
            pyarrow.csv.ParseOptions(delimiter=divider, newlines_in_values=True),
            pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(given, pyarrow.string())),
        )
        if reader.schema.names != given:
            raise Unlike
        done = 0
        for batch in (batch for batch in reader if batch.num_rows):
            done += batch.nbytes - SPARE * batch.num_rows * batch.num_columns
            part = done / meant.tell() * raw.tell() / size  # Arrow reads ahead
            yield Block(dict(zip(names, batch.columns, strict=True)), batch.num_rows, part)
    if not done:
        raise Unlike


def as_numbers(cells: Any) -> Read | None:
    """Return an array of texts as numbers, and which of them are some, not empty; None if a text is no number."""
    from pyarrow import ArrowInvalid
    from pyarrow.compute import not_equal

    try:
        found, present = _cast(cells), np.ones(len(cells), dtype=bool)
    except ArrowInvalid:
        there = not_equal(cells, "")
        present = there.to_numpy(zero_copy_only=False)
        try:
            found = _cast(cells.filter(there))
        except ArrowInvalid:
            found = None
    if found is None:
        return read_numbers(cells.to_pylist())
    values = np.zeros(len(cells), dtype=found.dtype)
    values[present] = found
    return values, present


def _cast(cells: Any) -> Array | None:
    """Return texts as int64 where all are integers that fit, else as float64; None where Python's rule may differ, as
    it does among numbers that float64 does not keep apart.

    What is no number to Arrow may be one to Python, which knows ``1_0``, spaces and other digits; ``nan`` is a number
    to Arrow alone, and so is the integer ``0x1``, and ``+1`` is an integer to Python alone.
    """
    from pyarrow import ArrowInvalid
    from pyarrow.compute import any as some
    from pyarrow.compute import match_substring

    found = cells.cast("float64").to_numpy()
    if np.isnan(found).any():
        return None
    large = bool((np.abs(found) >= EXACT_FLOAT).any())
    if not (large or (found == np.floor(found)).all()):
        return np.asarray(found)
    try:
        return np.asarray(cells.cast("int64").to_numpy())
    except ArrowInvalid:
        return None if large or some(match_substring(cells, "+")).as_py() else np.asarray(found)


def as_texts(cells: Any) -> tuple[list[str], Array]:
    """Return the distinct texts in an array, and for every entry the place of its own.

    Raises
    ------
    Unlike
        If a text has a carriage return: between two blocks Arrow drops the line feed behind one, also inside quotes.
    """
    found = cells.dictionary_encode()
    names = found.dictionary.to_pylist()
    if any("\r" in name for name in names):
        raise Unlike
    return names, found.indices.to_numpy()
