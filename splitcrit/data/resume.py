"""Counting that goes on where it stopped: a folder keeps the counts of the files that have been read.

The counts of all rows so far are written after a piece of a file, as soon as an eighth as many rows have been added, or
``SPACING``; a second run reads what came after. All files must be as they were. What is written are arrays and JSON,
and nothing that is executed.

Main definitions: ``ResumeFolder``; ``write_partial``, ``read_partial``; ``write_arrays``, ``read_arrays``; ``plain``,
``named`` (values of columns as JSON); ``digest`` (of what is counted).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from splitcrit.arguments import Array
from splitcrit.atomic_files import ready, write_json, writing
from splitcrit.data.csv_files import Watch, csv_formats
from splitcrit.data.formats import ChosenFormat, FileOptions
from splitcrit.data.partial_counts import CountingPlan, Partial, as_names
from splitcrit.data.row_parts import ColumnSource, Piece
from splitcrit.frozen import complaint, is_ours

SPACING = 2**20  # rows after which counts are written in any case
ENDS = 2**16  # bytes at both ends of a file by which a change is noticed, beside its size and its time


def digest(plan: CountingPlan, pieces: Sequence[Piece]) -> str:
    """A digest of what is counted, and in which pieces it is read."""
    counted = [asdict(plan), [str(piece.path) for piece in pieces]]
    return hashlib.sha256(json.dumps(counted, default=sorted).encode()).hexdigest()


def write_partial(path: Path, total: Partial, about: Mapping[str, Any]) -> None:
    """Write counts, with what they are about, in the place of those that a file held before."""
    tallies, arrays = list[Any](), dict[str, Array]()
    for i, tally in enumerate([total.classes, *total.tallies.values()]):
        arrays |= {f"counts{i}": tally.counts, f"gaps{i}": tally.gaps}
        if tally.values.dtype != object:
            arrays[f"values{i}"] = tally.values
        names = None if f"values{i}" in arrays else list(map(plain, tally.values.tolist()))
        tallies.append([tally.over, tally.level, names, tally.declared and list(map(plain, tally.declared))])
    write_arrays(path, {**about, "rows": total.rows, "unlabelled": total.unlabelled, "tallies": tallies}, arrays)


def write_arrays(path: Path, record: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Write arrays, and a record of them as JSON, in place of the former content of a file."""
    with writing(path) as part, part.open("wb") as file:
        np.savez(file, allow_pickle=False, told=np.frombuffer(json.dumps(record).encode(), dtype=np.uint8), **arrays)


@contextmanager
def read_arrays(path: Path, digest: str) -> Iterator[tuple[dict[str, Any], Any]]:
    """Give the record of the arrays in a file, and the arrays; errors inside end in one sentence.

    Raises
    ------
    ValueError
        If the file is none that `write_arrays` wrote, or its ``digest`` is another.
    """
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            record = json.loads(arrays["told"].tobytes())
            if record["digest"] != digest:
                raise ValueError(_other_arguments(path))
            yield record, arrays
    except (OSError, EOFError, BadZipFile, ValueError, KeyError, TypeError) as error:
        rule = "the saved counts must be intact"
        damaged = complaint(rule, f"{path}: {error}", "delete it to start over")
        raise (error if is_ours(error) else ValueError(damaged)) from None


def _other_arguments(path: Path) -> str:
    rule, got = "a resumed count must have the same arguments", f"other arguments than in {path}"
    return complaint(rule, got, "pass the same ones, or another folder")


def read_partial(path: Path, total: Partial, digest: str) -> dict[str, Any]:
    """Fill a partial with the counts in a file, and return their record.

    Raises
    ------
    ValueError
        If the file is none that `write_partial` wrote, or of other arguments.
    """
    with read_arrays(path, digest) as (record, arrays):
        total.rows, total.unlabelled = record["rows"], record["unlabelled"]
        tallies = [total.classes, *total.tallies.values()]
        for i, (tally, saved) in enumerate(zip(tallies, record["tallies"], strict=True)):
            tally.over, tally.level, names, declared = saved
            tally.counts, tally.gaps = arrays[f"counts{i}"], arrays[f"gaps{i}"]
            tally.values = arrays[f"values{i}"] if names is None else as_names(map(named, names))
            tally.declared = declared and tuple(map(named, declared))
            if len(tally.counts) != len(tally.values):
                raise ValueError("values without counts")
    return record


def plain(name: Any) -> Any:
    """A value of a column as JSON: itself, or its kind and a text."""
    if name is None or isinstance(name, str | bool | int | float):
        return name
    if isinstance(name, np.datetime64 | np.timedelta64):
        return [name.dtype.str, int(name.astype(np.int64))]
    if isinstance(name, bytes):
        return ["bytes", name.hex()]
    rule = "resume= keeps numbers, strings, booleans and dates"
    raise TypeError(complaint(rule, type(name).__name__, "leave out resume="))


def named(plain: Any) -> Any:
    """The value that JSON stands for."""
    if not isinstance(plain, list):
        return plain
    kind, value = plain
    return bytes.fromhex(value) if kind == "bytes" else np.array(value, dtype=np.int64).view(kind)[()]


@dataclass(frozen=True)
class ResumeFolder:
    """A folder of counts, made if it is not there."""

    folder: Path

    @staticmethod
    def of(folder: Any) -> ResumeFolder | None:
        """The folder, None for None."""
        if folder is not None and not isinstance(folder, str | os.PathLike):
            rule = "resume= takes a folder"
            raise TypeError(complaint(rule, type(folder).__name__, "pass its path, or leave out resume="))
        return None if folder is None else ResumeFolder(ready(Path(folder)))

    def check(self, files: Sequence[Path]) -> None:
        """Take note of the files that are counted, or raise a ValueError unless they are those of the last run."""
        here = {str(file): _mark(file) for file in files}
        known = self._noted("files.json", lambda: here)
        if changed := next((name for name in {**known, **here} if known.get(name) != here.get(name)), None):
            remedy = f"delete {self.folder} to start over"
            raise ValueError(complaint("files must be the same in every run", f"a change of {changed}", remedy))

    def formats(
        self, files: Sequence[Path], watch: Watch | None, options: FileOptions
    ) -> tuple[int, dict[str, ChosenFormat]]:
        """The number of rows and the formats of CSV columns, found anew only if they are not known."""
        as_json = json.dumps(vars(options), default=sorted)
        noted = self._noted("columns.json", lambda: {"options": as_json, "found": csv_formats(files, watch, options)})
        if noted["options"] != as_json:
            raise ValueError(_other_arguments(self.folder))
        rows, formats = noted["found"]
        return rows, {name: ChosenFormat(*chosen) for name, chosen in formats.items()}

    def fill(self, source: ColumnSource, total: Partial) -> Iterator[None]:
        """Add the counts of all rows to a partial, and pause after every part; begin with those of an earlier run."""
        pieces, plan = source.pieces, total.plan
        path, counted = self.folder / "values.npz", digest(plan, pieces)
        done = read_partial(path, total, counted)["pieces"] if path.exists() else 0
        yield

        def write(i: int) -> None:
            write_partial(path, total, {"digest": counted, "pieces": i})

        for piece in self.left(pieces, total, write, done):
            yield from map(total.add, piece.read(plan.columns))

    def left(self, pieces: Sequence[Piece], total: Any, write: Callable[[int], None], done: int) -> Iterator[Piece]:
        """Yield the pieces that have not been read; ``write`` receives the number read, now and then."""
        since = total.rows
        for i, piece in enumerate(pieces[done:], done + 1):
            yield piece
            if i == len(pieces) or total.rows - since >= min(SPACING, total.rows / 8):
                write(i)
                since = total.rows

    def _noted(self, name: str, find: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return the content of a file of the folder; without one, compute and write it."""
        path = self.folder / name
        if not path.exists():
            write_json(path, find())
        try:
            return dict(json.loads(path.read_text(encoding="utf-8")))
        except ValueError as error:
            rule = "the saved counts must be intact"
            raise ValueError(complaint(rule, f"{path}: {error}", f"delete {self.folder}")) from None


def _mark(file: Path) -> list[Any]:
    """Size and time of a file, and a digest of both its ends."""
    stat = file.stat()
    with file.open("rb") as opened:
        first = opened.read(ENDS)
        opened.seek(max(0, stat.st_size - ENDS))
        ends = hashlib.sha256(first + opened.read(ENDS)).hexdigest()
    return [stat.st_size, stat.st_mtime_ns, ends]
