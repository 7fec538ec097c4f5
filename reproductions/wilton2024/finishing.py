"""What the experiments of wilton2024 make of their rows: summaries as CSV, and text.

Main definitions: ``Table``, ``curves``, ``smallest``, ``shares``, ``ahead``, ``over_q``, ``on_features`` (summaries);
``finish_*``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..pictures import Summary
from ..plots.panels import grouped
from ..results import Row, save_summary
from ..runner import Options
from ..tables import averaged, pivoted, textual, with_printed
from .learners import METHODS
from .summary import in_order, ranked, summarised

PLACE = ("data", "task", "noise")


@dataclass(frozen=True)
class Table:
    """The means beside the printed numbers, and ranks."""

    name: str

    def __call__(self, rows: list[Row], options: Options) -> str:
        """Write them."""
        cells = summarised(rows, self.name)
        save_summary(cells, options.out / f"{self.name}_summary.csv")
        if ranks := ranked(cells):
            save_summary(ranks, options.out / f"{self.name}_ranks.csv")
        return shown_table(cells)


def shown_table(cells: list[Row]) -> str:
    """Markdown for each task: our mean, bold by the paper's rule, and the printed one in brackets."""
    return _by_task(cells, "method", _pair)


def _by_task(rows: list[Row], of: str, cell: Callable[[Row], str]) -> str:
    parts = grouped(rows, "task").items()
    return "\n\n".join(f"{task}:\n\n{pivoted(mine, ('data', of), 'noise', cell)}" for (task,), mine in parts)


def _pair(cell: Row) -> str:
    ours, bracket, theirs = with_printed(cell).partition(" (")
    return (f"**{ours}**" if cell["bold"] else ours) + bracket + theirs


def curves(rows: list[Row]) -> list[Row]:
    """The means over runs for each lam."""
    values = ("accuracy", "held_out", "leaves", "depth", "pure_cuts")
    return sorted(averaged(textual(rows), (*PLACE, "lam"), values), key=lambda r: (*in_order(r), r["lam"]))


def smallest(means: list[Row]) -> list[Row]:
    """For each data set and noise, the lam of the smallest tree and that of the most accurate one."""
    rows = []
    for key, mine in grouped(means, *PLACE).items():
        small, large = (pick(mine, key=lambda r: r["leaves"]) for pick in (min, max))
        best = max(mine, key=lambda r: r["accuracy"])
        about = {"runs": small["runs"], "smallest_at": small["lam"], "largest_at": large["lam"], "best_at": best["lam"]}
        ends = {"at_0": mine[0], "smallest": small, "largest": large}
        sizes = {f"{name}_{end}": row[name] for end, row in ends.items() for name in ("leaves", "pure_cuts")}
        rows.append(dict(zip(PLACE, key, strict=True)) | about | sizes)
    return rows


def finish_figure6(rows: list[Row], options: Options) -> str:
    """Write means and sizes of Figure 6."""
    means = curves(rows)
    sizes = smallest(means)
    save_summary(means, options.out / "figure6_means.csv")
    save_summary(sizes, options.out / "figure6_sizes.csv")
    return shown_sizes(sizes)


def shown_sizes(sizes: list[Row]) -> str:
    """Markdown: the lam of the smallest tree and, after a stroke, of the most accurate one, for each noise."""
    return pivoted(sizes, ("data", "task"), "noise", lambda r: f"{r['smallest_at']:g} / {r['best_at']:g}")


def shares(rows: list[Row]) -> list[Row]:
    """The percentage of splittable impure nodes that are leaves, over all data sets of a task and all runs."""
    by = ("task", "noise", "lam", "band")
    rows_out = []
    for key, mine in grouped(textual(rows), *by).items():
        sums = {name: sum(row[name] for row in mine) for name in ("open", "halted", "outside")}
        share = 100 * sums["halted"] / sums["open"] if sums["open"] else None
        rows_out.append(dict(zip(by, key, strict=True)) | sums | {"share": share})
    return sorted(rows_out, key=lambda r: (r["task"], r["noise"], r["lam"], int(r["band"].rstrip("+").split("-")[0])))


def shown_shares(share_rows: list[Row]) -> str:
    """Markdown: percentages of nodes that are halted, a column for each band of depths."""

    def cell(row: Row) -> str:
        return "no such node" if row["share"] is None else f"{row['share']:.1f}"

    return pivoted(share_rows, ("task", "noise", "lam"), "band", cell)


def ahead(rows: list[Row]) -> list[Row]:
    """Mean accuracy of each way of tuning, and how far it is ahead of ANE."""
    means = sorted(averaged(textual(rows), (*PLACE, "way"), ("accuracy", "leaves")), key=in_order)
    ane = {tuple(row[name] for name in PLACE): row["accuracy"] for row in means if row["way"] == "ANE"}
    return [row | {"ahead": row["accuracy"] - ane[tuple(row[name] for name in PLACE)]} for row in means]


def shown_budget(mean_rows: list[Row]) -> str:
    """Markdown for each task: accuracy by the three ways of tuning."""
    return _by_task(mean_rows, "way", _accuracy)


def _accuracy(row: Row) -> str:
    return f"{row['accuracy']:.2f}"


def over_q(rows: list[Row]) -> list[Row]:
    """The means over runs for each q."""
    means = averaged(textual(rows), (*PLACE, "q"), ("accuracy", "leaves"))
    return sorted(means, key=lambda row: (*in_order(row), row["q"]))


def shown_q(means: list[Row]) -> str:
    """Markdown: mean accuracy over the data sets of a task, a column for each q."""
    rows = []
    for (task, noise, q), mine in grouped(means, "task", "noise", "q").items():
        accuracy = float(np.mean([row["accuracy"] for row in mine]))
        rows.append({"task": task, "noise": noise, "q": q, "sets": len(mine), "accuracy": accuracy})
    return pivoted(rows, ("task", "noise", "sets"), "q", _accuracy)


def on_features(rows: list[Row]) -> list[Row]:
    """The means over runs on each kind of features."""
    means = averaged(textual(rows), ("model", "data", "noise", "method"), ("accuracy", "leaves"))
    return sorted(means, key=lambda row: (row["model"], row["data"], row["noise"], METHODS.index(row["method"])))


def shown_features(means: list[Row]) -> str:
    """Markdown: mean accuracy on learnt features."""
    return pivoted(means, ("model", "data", "method"), "noise", _accuracy)


finish_halted = Summary("halted", "shares", shares, shown_shares)
finish_budget = Summary("budget", "summary", ahead, shown_budget)
finish_gce = Summary("gce", "means", over_q, shown_q)
finish_features = Summary("features", "summary", on_features, shown_features)
