"""Results as a tidy CSV file with a manifest beside it, whole at every moment.

Main definitions: ``Results``, ``rows_of``, ``save_summary``.
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from splitcrit.files import write_json, write_text
from splitcrit.values import complaint

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
    """

    folder: Path
    name: str
    keys: tuple[str, ...]
    protocol: dict[str, Any]
    rows: list[Row] = field(default_factory=list)

    @property
    def path(self) -> Path:
        """The CSV file."""
        return self.folder / f"{self.name}.csv"

    @property
    def manifest(self) -> Path:
        """The file that says how the rows were made."""
        return self.folder / f"{self.name}.manifest.json"

    def key(self, row: Row) -> tuple[str, ...]:
        """Return what names the task of a row, as text."""
        return tuple(_text(row[name]) for name in self.keys)

    def resume(self) -> set[tuple[str, ...]]:
        """Read the rows of an earlier run; return the tasks that are done.

        Raises
        ------
        ValueError
            If they were made under another protocol, or the file lost its manifest.
        """
        if not self.path.exists():
            return set()
        before = _read_manifest(self.manifest).get("protocol")
        now = json.loads(json.dumps(self.protocol))
        if before != now:
            differing = sorted({*(before or {}), *now}, key=str)
            changed = [k for k in differing if (before or {}).get(k) != now.get(k)]
            rule = f"results of one protocol are kept in one file, {self.path}"
            raise ValueError(complaint(rule, f"another {', '.join(changed)}", "pass another --out, or --fresh"))
        self.rows = rows_of(self.path)
        return {self.key(row) for row in self.rows}

    def save(self, **about: Any) -> None:
        """Write the rows, in the order of their tasks, and the manifest."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self.rows.sort(key=self.key)
        columns = list(dict.fromkeys(name for row in self.rows for name in row))
        text = io.StringIO()
        writer = csv.DictWriter(text, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _text(value) for name, value in row.items()} for row in self.rows)
        write_json(self.manifest, {"protocol": self.protocol, "rows": len(self.rows), **about})
        write_text(self.path, text.getvalue())


def rows_of(path: Path) -> list[Row]:
    """Return the rows of a file of results."""
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: _value(cell) for name, cell in row.items()} for row in csv.DictReader(file)]


def save_summary(rows: list[Row], path: Path) -> None:
    """Write rows that sum results up as CSV, floats to four places."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({k: f"{v:.4f}" if isinstance(v, float) else _text(v) for k, v in row.items()} for row in rows)
    write_text(path, text.getvalue())


def _read_manifest(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return found
    except (OSError, ValueError) as error:
        rule = "results are gone on with from their manifest"
        raise ValueError(complaint(rule, f"{path}: {error}", "pass --fresh to start anew")) from None


def _text(value: Any) -> str:
    """Return a cell: floats so that they read back as they were."""
    if value is None:
        return ""
    return repr(float(value)) if isinstance(value, float) else str(value)


def _value(cell: str) -> Any:
    """Return what a cell stands for: nothing, an integer, a float, or its text."""
    if cell == "":
        return None
    for kind in (int, float):
        try:
            return kind(cell)
        except ValueError:
            continue
    return cell
