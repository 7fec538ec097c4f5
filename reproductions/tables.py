"""Means of results over runs, and Markdown tables of them.

Main definitions: ``averaged``, ``summed``, ``textual``, ``table``, ``pivoted``, ``beside_printed``, ``with_printed``,
``points``, ``signed``.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .plots.panels import distinct, grouped
from .results import Row, stored


def textual(rows: list[Row]) -> list[Row]:
    """Rows with their noise as text, which a file of results gives back as a number."""
    return [row | {"noise": str(row["noise"])} for row in rows]


def averaged(
    rows: list[Row], by: Sequence[str], values: Sequence[str], spread: Mapping[str, str] | None = None, *, ddof: int = 1
) -> list[Row]:
    """A row for each combination of ``by`` in order of appearance, with its number of runs and means.

    Parameters
    ----------
    rows : list of dict
        With the entries ``by``, ``values`` and ``run``; values that are None are left out of means.
    by, values : sequence of str
    spread : dict, optional
        Names of standard deviations to add, and the entries that they are of.
    ddof : int
        What deviations subtract from the number of rows; of fewer rows than one more the deviation is None.

    Examples
    --------
    >>> rows = [{"data": "a", "run": 0, "x": 1.0}, {"data": "a", "run": 1, "x": 3.0}]
    >>> averaged(rows, ("data",), ("x",), {"std": "x"}, ddof=0)
    [{'data': 'a', 'runs': 2, 'x': 2.0, 'std': 1.0}]
    """
    mean_rows = []
    for key, cell in grouped(rows, *by).items():
        about = dict(zip(by, key, strict=True)) | {"runs": len({row["run"] for row in cell})}
        about |= {name: _mean([row[name] for row in cell]) for name in values}
        spreads = {name: [row[of] for row in cell] for name, of in (spread or {}).items()}
        mean_rows.append(
            about | {name: float(np.std(x, ddof=ddof)) if len(x) > ddof else None for name, x in spreads.items()}
        )
    return mean_rows


def summed(path: Path, *by: str) -> dict[tuple[str, ...], dict[str, float]]:
    """Sums of the blocks that a study has kept in a CSV file, by cell; None where a block lacks a number."""
    with stored(path).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    sums: dict[tuple[str, ...], dict[str, Any]] = {}
    for row in rows:
        cell = sums.setdefault(tuple(row.pop(name) for name in by), {})
        for name in row.keys() - {"block", "seed"}:
            cell[name] = None if not row[name] else cell.get(name, 0) + float(row[name])
    return sums


def _mean(values: list[Any]) -> float | None:
    present = [value for value in values if value is not None]
    return float(np.mean(present)) if present else None


def table(heads: Sequence[Any], lines: Iterable[Sequence[Any]], words: int = 1) -> str:
    """A table as Markdown; its first columns are words, the others numbers.

    Examples
    --------
    >>> print(table(["data", "n"], [["wine", 178]]))
    | data | n |
    |---|---:|
    | wine | 178 |
    """
    ruler = "|" + "---|" * words + "---:|" * (len(heads) - words)
    first, *others = ("| " + " | ".join(map(str, line)) + " |" for line in (heads, *lines))
    return "\n".join((first, ruler, *others))


def pivoted(
    rows: list[Row], down: Sequence[str], across: str, cell: Callable[[Row], str], head: str = "{}", *, absent: str = ""
) -> str:
    """Markdown: a line for each combination of ``down`` with its runs, a column for each value of ``across``."""
    heads, counted = distinct(rows, across), "runs" in rows[0]
    lines = []
    for key, mine in grouped(rows, *down).items():
        at = {row[across]: row for row in mine}
        runs = [_span([row["runs"] for row in mine])] if counted else []
        lines.append([*key, *runs, *(cell(at[value]) if value in at else absent for value in heads)])
    return table([*down, *["runs"] * counted, *map(head.format, heads)], lines, len(down) + counted)


def _span(counts: list[int]) -> str:
    return f"{min(counts)}" if min(counts) == max(counts) else f"{min(counts)} to {max(counts)}"


def beside_printed(accuracy: float, known: Row | None) -> Row:
    """The printed mean of a cell, its deviation, and how far ours is above; None where nothing is printed.

    Examples
    --------
    >>> beside_printed(90.5, {"accuracy": 90.0, "std": 1.0})
    {'printed': 90.0, 'printed_std': 1.0, 'difference': 0.5}
    """
    names = ("printed", "printed_std", "difference")
    if known is None:
        return dict.fromkeys(names)
    return dict(zip(names, (known["accuracy"], known["std"], accuracy - known["accuracy"]), strict=True))


def with_printed(cell: Row) -> str:
    """A mean accuracy, and the printed one in brackets.

    Examples
    --------
    >>> with_printed({"accuracy": 90.0, "printed": 91.25}), with_printed({"accuracy": 90.0, "printed": None})
    ('90.00 (91.25)', '90.00')
    """
    return f"{cell['accuracy']:.2f}" + (f" ({cell['printed']:.2f})" if cell["printed"] is not None else "")


def points(number: float) -> str:
    """A number to two places, without a sign before what rounds to 0.

    Examples
    --------
    >>> points(-0.001), points(1.239)
    ('0.00', '1.24')
    """
    return f"{round(number, 2) + 0.0:.2f}"


def signed(number: float) -> str:
    """A number to two places with its sign, a plus before what rounds to 0.

    Examples
    --------
    >>> signed(-0.001), signed(-1.239)
    ('+0.00', '-1.24')
    """
    return f"{round(number, 2) + 0.0:+.2f}"
