"""A ranking of features: their tables scored, put in order, and shown.

Main definitions: ``Ranked``, ``Ranking``, ``scored``, ``in_order``, ``report``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from splitcrit.moments import gini_gain, gini_null, gini_pvalue, sgini
from splitcrit.table import Table
from splitcrit.table.sample import SAMPLE
from splitcrit.table.streamed import MANY


@dataclass(frozen=True)
class Ranked:
    """One feature of a ranking; ``bins`` is 0 where the values themselves are the rows of the table.

    Where the bins come from a sample, ``values`` counts those in the sample.
    """

    feature: str
    values: int
    bins: int
    sampled: bool
    missing: int
    gini: float
    null_mean: float
    null_sd: float
    sgini: float
    pvalue: float
    method: str


@dataclass(frozen=True)
class Ranking:
    """Features in order, of data with so many rows; ``left_out`` have too many values that are no numbers."""

    rows: int
    features: tuple[Ranked, ...]
    left_out: tuple[str, ...] = ()

    def plain(self) -> dict[str, Any]:
        """Return what is written as JSON."""
        return {
            "rows": self.rows,
            "features": [asdict(r) for r in self.features],
            "left_out": list(self.left_out),
        }


def scored(
    name: str, table: Table, null: str, *, values: int, bins: int = 0, missing: int = 0, sampled: bool = False
) -> Ranked:
    """Return the scores of one feature's table, which has no empty row or column."""
    law = gini_null(table.row_totals, table.column_totals, model=null)  # type: ignore[arg-type]
    gain, sd = gini_gain(table), math.sqrt(law.variance)
    score = sgini(table) if null == "permutation" else ((gain - law.mean) / sd if sd else 0.0)
    p = gini_pvalue(table, method="auto" if null == "permutation" else "gamma", model=null)  # type: ignore[arg-type]
    return Ranked(name, values, bins, sampled, missing, gain, law.mean, sd, score, float(p), p.method)


def in_order(ranked: Iterable[Ranked], by: str) -> list[Ranked]:
    """Return features best first."""
    order = {
        "sgini": lambda r: -r.sgini,
        "pvalue": lambda r: (r.pvalue, -r.sgini),
        "gini": lambda r: -r.gini,
    }[by]
    return sorted(ranked, key=order)


def _chance(p: float) -> str:
    return f"{p:.3g}" if p >= 1e-300 else "<1e-300"


def _cells(r: Ranked) -> tuple[str, ...]:
    values = f"{r.values}{'+' if r.sampled else ''}{'*' if r.bins else ''}"
    return r.feature, values, f"{r.gini:.6f}", f"{r.null_mean:.6f}", f"{r.sgini:.2f}", _chance(r.pvalue), r.method


def _aligned(row: tuple[str, ...], widths: list[int]) -> list[str]:
    """Return the cells padded to their widths, the first and the last to the left, numbers to the right."""
    ends = (0, len(row) - 1)
    return [x.ljust(w) if i in ends else x.rjust(w) for i, (x, w) in enumerate(zip(row, widths, strict=True))]


def report(found: Ranking, target: str, null: str) -> str:
    """Return the ranking as text of aligned columns, with what was binned said below."""
    head = ("feature", "values", "Gini gain", "null mean", "SGini", "p-value", "method")
    ranked = found.features
    body = [_cells(r) for r in ranked]
    widths = [max(len(row[i]) for row in (head, *body)) for i in range(len(head))]
    lines = ["  ".join(_aligned(row, widths)).rstrip() for row in (head, *body)]
    notes = [f"{found.rows} rows, target {target}; SGini: standard deviations above chance ({null} null)."]
    if binned := [r for r in ranked if r.bins]:
        most = max(r.bins for r in binned)
        notes.append(f"* numbers or dates, cut at quantiles into at most {most} bins without looking at the target.")
    if any(r.sampled for r in ranked):
        notes.append(f"+ at least so many values; cut at quantiles of a sample of {SAMPLE} values.")
    if holes := [r.feature for r in ranked if r.missing]:
        notes.append(f"missing cells are a value of their own in: {', '.join(holes)}.")
    if found.left_out:
        notes.append(f"left out, no numbers and more than {MANY} values: {', '.join(found.left_out)}.")
    return "\n".join([*lines, "", *notes])
