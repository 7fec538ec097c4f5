"""Means over runs beside the printed numbers.

Main definitions: ``cells_of``, ``summarised``, ``shown``.
"""

from __future__ import annotations

import numpy as np

from splitcrit.experiments.ghosh2017.learners import METHODS
from splitcrit.experiments.ghosh2017.problems import REAL, SYNTHETIC, VARIANTS
from splitcrit.experiments.printed import printed
from splitcrit.experiments.results import Row


def cells_of(table: str) -> dict[tuple[str, str, str], tuple[float, float]]:
    """Return accuracy and deviation of every printed cell, by data, method and noise."""
    rows = printed(f"ghosh2017_{table}")
    return {(r["data"], r["method"], r["noise"]): (float(r["accuracy"]), float(r["std"])) for r in rows}


def summarised(rows: list[Row], table: str) -> list[Row]:
    """Return a row for every data set, method and noise, in the order of the paper."""
    cells: dict[tuple[str, str, str], list[float]] = {}
    for row in rows:
        cells.setdefault((row["data"], row["method"], str(row["noise"])), []).append(row["accuracy"])
    known, order = cells_of(table), [*SYNTHETIC, *REAL]
    found = []
    for key in sorted(cells, key=lambda k: (order.index(k[0]), METHODS.index(k[1]), k[2])):
        data, method, noise = key
        ours, theirs = np.array(cells[key]), known.get((VARIANTS.get(data, data), method.removesuffix(" tuned"), noise))
        about = {
            "runs": len(ours), "accuracy": float(ours.mean()), "std": float(ours.std(ddof=1)) if len(ours) > 1 else None
        }  # fmt: skip
        beside = {
            "printed": theirs and theirs[0], "printed_std": theirs and theirs[1],
            "difference": theirs and float(ours.mean()) - theirs[0],
        }  # fmt: skip
        found.append({"data": data, "method": method, "noise": noise, **about, **beside})
    return found


def shown(rows: list[Row]) -> str:
    """Return the summary of a table as Markdown: our mean, and the printed one in brackets, a column for each noise."""
    noises = list(dict.fromkeys(row["noise"] for row in rows))
    lines = [" | ".join(["| data", "method", "runs", *(f"{n} %" for n in noises)]) + " |"]
    lines.append("|---|---|" + "---:|" * (len(noises) + 1))
    for data, method in dict.fromkeys((row["data"], row["method"]) for row in rows):
        cells = {row["noise"]: row for row in rows if (row["data"], row["method"]) == (data, method)}
        runs = min(row["runs"] for row in cells.values())
        lines.append(" | ".join([f"| {data}", method, str(runs), *(_pair(cells.get(n)) for n in noises)]) + " |")
    return "\n".join(lines)


def _pair(row: Row | None) -> str:
    if row is None:
        return ""
    return f"{row['accuracy']:.2f}" + (f" ({row['printed']:.2f})" if row["printed"] is not None else "")
