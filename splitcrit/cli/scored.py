"""A ranking of features: their tables scored, put in order, and shown.

Main definitions: ``Ranked``, ``Ranking``, ``scored``, ``in_order``, ``report``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from splitcrit.nulls import gini_gain, gini_null, gini_pvalue, sgini
from splitcrit.table import Column, Table, Tables
from splitcrit.table.remarks import remarks
from splitcrit.values import visible


@dataclass(frozen=True)
class Ranked:
    """One feature of a ranking, with how its column became the rows of its table."""

    feature: str
    column: Column
    gini: float
    null_mean: float
    null_sd: float
    sgini: float
    pvalue: float
    method: str

    def plain(self) -> dict[str, Any]:
        """Return what is written as JSON."""
        mine = asdict(self)
        return {"feature": mine.pop("feature"), **mine.pop("column"), **mine}


@dataclass(frozen=True)
class Ranking:
    """The tables of features, and their scores, the best first."""

    tables: Tables
    features: tuple[Ranked, ...]

    def plain(self) -> dict[str, Any]:
        """Return what is written as JSON."""
        features, left_out = [r.plain() for r in self.features], list(self.tables.left_out)
        told = list(remarks(self.tables))
        return {"rows": self.tables.rows, "features": features, "left_out": left_out, "remarks": told}


def scored(name: str, table: Table, column: Column, null: str) -> Ranked:
    """Return the scores of one feature's table, which has no empty row or column."""
    law = gini_null(table.row_totals, table.column_totals, model=null)  # type: ignore[arg-type]
    gain, sd = gini_gain(table), math.sqrt(law.variance)
    score = sgini(table) if null == "permutation" else ((gain - law.mean) / sd if sd else 0.0)
    p = gini_pvalue(table, method="auto" if null == "permutation" else "gamma", model=null)  # type: ignore[arg-type]
    return Ranked(name, column, gain, law.mean, sd, score, float(p), p.method)


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
    values = f"{r.column.values}{'+' * r.column.sampled}{'*' * (r.column.bins > 0)}"
    numbers = f"{r.gini:.6f}", f"{r.null_mean:.6f}", f"{r.sgini:.2f}", _chance(r.pvalue)
    return visible(r.feature), values, *numbers, r.method


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
    cut, sampled = any(r.column.bins for r in ranked), any(r.column.sampled for r in ranked)
    legend = "; * cut at quantiles" * cut + "; + in a sample" * sampled
    about = f"{found.tables.rows} rows, target {target}; SGini: standard deviations above chance ({null} null){legend}."
    return "\n".join([*lines, "", *map(visible, (about, *remarks(found.tables)))])
