"""Means over runs beside the printed numbers.

Main definitions: ``cells_of``, ``summarised``, ``shown``.
"""

from __future__ import annotations

from ..printed import printed
from ..results import Row
from ..tables import averaged, beside_printed, pivoted, textual, with_printed
from .learners import METHODS
from .problems import REAL, SYNTHETIC, VARIANTS


def cells_of(table: str) -> dict[tuple[str, str, str], Row]:
    """Accuracy and deviation of every printed cell, by data, method and noise."""
    rows = printed(f"ghosh2017_{table}")
    return {(r["data"], r["method"], r["noise"]): {k: float(r[k]) for k in ("accuracy", "std")} for r in rows}


def summarised(rows: list[Row], table: str) -> list[Row]:
    """A row for every data set, method and noise, in the order of the paper."""
    known, order = cells_of(table), [*SYNTHETIC, *REAL]
    mean_rows = averaged(textual(rows), ("data", "method", "noise"), ("accuracy",), {"std": "accuracy"})
    for row in mean_rows:
        data, method = str(row["data"]), row["method"].removesuffix(" tuned")
        row |= beside_printed(row["accuracy"], known.get((VARIANTS.get(data, data), method, row["noise"])))
    return sorted(mean_rows, key=lambda r: (order.index(r["data"]), METHODS.index(r["method"]), r["noise"]))


def shown(rows: list[Row]) -> str:
    """The summary of a table as Markdown: our mean, and the printed one in brackets, a column for each noise."""
    return pivoted(rows, ("data", "method"), "noise", with_printed, "{} %")
