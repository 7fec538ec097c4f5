"""Results as a tidy CSV file with a manifest beside it, whole at every moment.

Large files are kept compressed: wherever ``NAME.csv`` is asked for, ``NAME.csv.gz`` does where it is there instead.

Main definitions: ``Results``, ``rows_of``, ``stored``, ``save_summary``.
"""

from __future__ import annotations

import csv
import functools
import gzip
import io
import json
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from splitcrit.atomic_files import ready, write_json, write_text, writing
from splitcrit.frozen import complaint

Row = dict[str, Any]


@dataclass
class Results:
    """The rows of an experiment: a task may give several, and is done when all of them are in the file.

    Parameters
    ----------
    folder : path
        Where ``NAME.csv`` and ``NAME.manifest.json`` are kept.
    name : str
    keys : tuple of str
        The columns that name a task.
    protocol : dict
        What every row rests on; results made under another protocol are not mixed with these.
    seconds : float
        Processor seconds that the rows took, over all runs that added to them.
    timed : int
        How many rows these seconds are of; rows of a manifest that says nothing of seconds are not among them.
    before : dict
        The manifest of the rows of earlier runs; where versions changed in between, the new one names all.
    """

    folder: Path
    name: str
    keys: tuple[str, ...]
    protocol: dict[str, Any]
    rows: list[Row] = field(default_factory=list)
    seconds: float = 0.0
    timed: int = 0
    before: dict[str, Any] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The CSV file."""
        return stored(self.folder / f"{self.name}.csv")

    @property
    def manifest(self) -> Path:
        """The file that says how the rows were made."""
        return self.folder / f"{self.name}.manifest.json"

    def key(self, row: Row) -> tuple[str, ...]:
        """What names the task of a row, as text."""
        return tuple(_text(row[name]) for name in self.keys)

    def resume(self) -> set[tuple[str, ...]]:
        """Read the rows of an earlier run; return the tasks that are done.

        Of a file that was cut short the last task is left out, since rows of it may be missing.

        Raises
        ------
        ValueError
            If they were made under another protocol, the file lost its manifest, or it is damaged.
        """
        if not self.path.exists():
            return set()
        manifest = _read_manifest(self.manifest)
        self._same(manifest.get("protocol"))
        rows, whole = _read(self.path, self.keys)
        written = manifest.get("rows")
        if rows and (not whole or (isinstance(written, int) and len(rows) < written)):
            last = self.key(rows[-1])
            rows = [row for row in rows if self.key(row) != last]
        self.rows, self.before = rows, manifest
        self.seconds, self.timed = _timed(manifest)
        return {self.key(row) for row in self.rows}

    def _same(self, before: Any) -> None:
        """Refuse results of another protocol."""
        now, past = json.loads(json.dumps(self.protocol)), before if isinstance(before, dict) else {}
        if before != now:
            changed = [k for k in sorted({*past, *now}, key=str) if past.get(k) != now.get(k)]
            rule = f"results of one protocol are kept in one file, {self.path}"
            raise ValueError(complaint(rule, f"another {', '.join(changed)}", "pass another --out, or --fresh"))

    def add(self, rows: list[Row], seconds: float) -> None:
        """Add the rows of a task and the processor seconds that it took."""
        self.rows += rows
        self.seconds += seconds
        self.timed += len(rows)

    def save(self, **versions: str) -> None:
        """Write the rows, in the order of their tasks, and the manifest, with every version that made some of them."""
        ready(self.folder)
        past = {name: str(self.before.get(name, now)).split(", ") for name, now in versions.items()}
        about = {name: ", ".join(dict.fromkeys([*past[name], now])) for name, now in versions.items()}
        self.rows.sort(key=self.key)
        columns = list(dict.fromkeys(name for row in self.rows for name in row))
        text = io.StringIO()
        writer = csv.DictWriter(text, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _text(value) for name, value in row.items()} for row in self.rows)
        spent = {"seconds": round(self.seconds, 1), "timed_rows": min(self.timed, len(self.rows))}
        write_json(self.manifest, {"protocol": self.protocol, "rows": len(self.rows), **spent, **about})
        if self.path.suffix == ".gz":
            with writing(self.path) as new:
                new.write_bytes(gzip.compress(text.getvalue().encode(), 9, mtime=0))
        else:
            write_text(self.path, text.getvalue())


def stored(path: Path) -> Path:
    """A CSV file, or the compressed one that is there instead."""
    packed = path.with_name(f"{path.name}.gz")
    return packed if packed.exists() and not path.exists() else path


def rows_of(path: Path) -> list[Row]:
    """The rows of a file of results.

    Raises
    ------
    ValueError
        If the file is damaged.
    """
    rows, whole = _read(path := stored(path))
    if not whole:
        raise _damaged(path, "a last line that is cut short")
    return rows


def _read(path: Path, keys: tuple[str, ...] = ()) -> tuple[list[Row], bool]:
    """The rows of a file that are whole, and whether all are; each must have the columns of the first line."""
    try:
        text = (gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()).decode()
        text = text.replace("\r\n", "\n")
        first, *lines = [cells for cells in csv.reader(io.StringIO(text, newline=""), strict=True) if cells] or [[]]
    except (UnicodeDecodeError, csv.Error, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise _damaged(path, str(error)) from None
    whole = text.endswith("\n")
    if not whole:
        lines = lines[:-1]
    if lines and (missing := [key for key in keys if key not in first]):
        raise _damaged(path, f"no column {missing[0]}")
    for number, cells in enumerate(lines, 2):
        if len(cells) != len(first):
            raise _damaged(path, f"{len(cells)} cells in row {number}, of {len(first)} columns")
    value = functools.cache(_value)  # most texts of a file are there many times
    return [dict(zip(first, map(value, cells), strict=True)) for cells in lines], whole


def _damaged(path: Path, what: str) -> ValueError:
    rule = "a file of results is CSV with one cell for each column"
    return ValueError(complaint(rule, f"{path} with {what}", "pass --fresh to start anew, or mend it"))


def save_summary(rows: list[Row], path: Path, floats: str = ".4f") -> None:
    """Write rows that sum results up as CSV, with the columns of the first, floats in a format: to four places."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({k: f"{v:{floats}}" if isinstance(v, float) else _text(v) for k, v in row.items()} for row in rows)
    write_text(path, text.getvalue())


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        problem = "" if isinstance(manifest, dict) else "no JSON object"
    except (OSError, ValueError) as error:
        problem = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    if problem:
        rule = "results are gone on with from their manifest"
        raise ValueError(complaint(rule, f"{path}: {problem}", "pass --fresh to start anew"))
    return dict(manifest)


def _timed(manifest: dict[str, Any]) -> tuple[float, int]:
    """The seconds of a manifest and the rows they are of: none if it does not say, as early ones do not."""
    seconds, rows = manifest.get("seconds"), manifest.get("timed_rows")
    if not isinstance(seconds, int | float) or not isinstance(rows, int):
        return 0.0, 0
    return float(seconds), rows


def _text(value: Any) -> str:
    """A cell: floats so that they read back as they were."""
    if value is None:
        return ""
    return repr(float(value)) if isinstance(value, float) else str(value)


def _value(cell: str) -> Any:
    """What a cell stands for: nothing, an integer, a float, or its text."""
    if cell == "":
        return None
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            continue
    return cell
