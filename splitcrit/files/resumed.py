"""Counting that goes on where it stopped: a folder keeps the counts of the files that have been read.

The counts of all rows so far are written after a piece of a file, as soon as an eighth as many rows have been added, or
``SPACING``; a second run reads what came after. All files must be as they were.

Main definitions: ``Kept``.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from splitcrit.atomic_files import ready, write_json
from splitcrit.files.arrow_files import Piece
from splitcrit.files.csv_streamed import Kinds
from splitcrit.files.partial import Partial, Plan
from splitcrit.files.readers import Source, counted_batches
from splitcrit.files.saved import digest, read_partial, write_partial
from splitcrit.frozen import complaint

SPACING = 2**20  # rows after which counts are written in any case
ENDS = 2**16  # bytes at both ends of a file by which a change is noticed, beside its size and its time


class Total(Protocol):
    """What grows with the rows."""

    rows: int


@dataclass(frozen=True)
class Kept:
    """A folder of counts, made if it is not there."""

    folder: Path

    @staticmethod
    def of(folder: Any) -> Kept | None:
        """Return the folder, None for None."""
        if folder is not None and not isinstance(folder, str | os.PathLike):
            rule = "counts are kept in a folder"
            raise TypeError(complaint(rule, type(folder).__name__, "pass its path, or leave out resume="))
        return None if folder is None else Kept(ready(Path(folder)))

    def check(self, files: Sequence[Path]) -> None:
        """Take note of the files that are counted, or raise a ValueError unless they are those of the last run."""
        here = {str(file): _mark(file) for file in files}
        known = self._noted("files.json", lambda: here)
        remedy = f"delete {self.folder} to count anew"
        if list(known) != list(here):
            odd = min(set(known) ^ set(here), default="another order")
            raise ValueError(complaint("counting goes on with the same files", odd, remedy))
        if changed := next((name for name in here if here[name] != known[name]), None):
            raise ValueError(complaint("files stay as they are between two runs", f"a change of {changed}", remedy))

    def kinds(self, find: Callable[[], Kinds]) -> Kinds:
        """Return the kinds of the columns, found anew only if they are not known."""
        return Kinds(**self._noted("columns.json", lambda: find()._asdict()))

    def fill(self, source: Source, plan: Plan, seed: int) -> Iterator[Partial]:
        """Yield the counts of more and more rows, in the end of all; they grow in one place."""
        pieces = getattr(source, "pieces", ())
        path, counted = self.folder / ("bins.npz" if plan.cuts else "values.npz"), digest(plan, seed, pieces)
        total, done = self._begun(path, plan, counted)
        yield total

        def write(i: int) -> None:
            write_partial(path, total, {"digest": counted, "pieces": i})

        for piece in self.left(pieces, total, write, done):
            for _ in counted_batches(piece.read(plan.columns), total, seed):
                yield total

    def left(self, pieces: Sequence[Piece], total: Total, write: Callable[[int], None], done: int) -> Iterator[Piece]:
        """Yield the pieces that have not been read; ``write`` is told how many are, now and then."""
        since = total.rows
        for i, piece in enumerate(pieces[done:], done + 1):
            yield piece
            if i == len(pieces) or total.rows - since >= min(SPACING, total.rows / 8):
                write(i)
                since = total.rows

    def _begun(self, path: Path, plan: Plan, counted: str) -> tuple[Partial, int]:
        """Return the counts so far, and of how many pieces they are."""
        if not path.exists():
            return Partial(plan), 0
        total, told = read_partial(path, plan, counted)
        return total, told["pieces"]

    def _noted(self, name: str, find: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return what a file of the folder says; it is found and written if there is none."""
        path = self.folder / name
        if not path.exists():
            write_json(path, find())
        try:
            return dict(json.loads(path.read_text(encoding="utf-8")))
        except ValueError as error:
            rule = "counts to go on from are those that were written"
            raise ValueError(complaint(rule, f"{path}: {error}", f"delete {self.folder}")) from None


def _mark(file: Path) -> list[Any]:
    """Return size and time of a file, and a digest of both its ends."""
    found = file.stat()
    with file.open("rb") as opened:
        first = opened.read(ENDS)
        opened.seek(max(0, found.st_size - ENDS))
        ends = hashlib.sha256(first + opened.read(ENDS)).hexdigest()
    return [found.st_size, found.st_mtime_ns, ends]
