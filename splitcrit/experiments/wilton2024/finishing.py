"""What the experiments of wilton2024 make of their rows: summaries as CSV, pictures, and text.

Main definitions: ``Table``, ``curves``, ``smallest``, ``shares``, ``ahead``, ``over_q``, ``on_features`` (summaries);
``finish_*``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.experiments.pictures import saved
from splitcrit.experiments.results import Row, save_summary
from splitcrit.experiments.runner import Options
from splitcrit.experiments.wilton2024.learners import METHODS
from splitcrit.experiments.wilton2024.summary import averaged, in_order, pivoted, ranked, summarised, textual

DRAWN = ("0", "20", "40", "nearness")  # noises whose ranks are drawn
SHOWN = ("mnist", "mushrooms", "digits")  # data sets whose curves over lam are drawn
DPI = 100
PLACE = ("data", "task", "noise")


@dataclass(frozen=True)
class Table:
    """The means beside the printed numbers, ranks, and two pictures."""

    name: str

    def __call__(self, rows: list[Row], options: Options) -> str:
        """Write them."""
        from splitcrit.plots.wilton2024 import accuracies, rank_panels

        cells = summarised(rows, self.name)
        save_summary(cells, options.out / f"{self.name}_summary.csv")
        saved(accuracies(cells), options, self.name, dpi=DPI)
        if ranks := ranked(cells):
            save_summary(ranks, options.out / f"{self.name}_ranks.csv")
            drawn = [row for row in ranks if row["noise"] in DRAWN]
            saved(rank_panels(drawn, METHODS), options, f"{self.name}_ranks", dpi=DPI)
        return shown_table(cells)


def shown_table(cells: list[Row]) -> str:
    """Return Markdown for each task: our mean, bold by the paper's rule, and the printed one in brackets."""
    parts = []
    for task in dict.fromkeys(cell["task"] for cell in cells):
        mine = [cell for cell in cells if cell["task"] == task]
        parts.append(f"{task}:\n\n{pivoted(mine, ('data', 'method'), 'noise', _pair)}")
    return "\n\n".join(parts)


def _pair(cell: Row) -> str:
    ours = f"{cell['accuracy']:.2f}"
    ours = f"**{ours}**" if cell["bold"] else ours
    return ours + (f" ({cell['printed']:.2f})" if cell["printed"] is not None else "")


def curves(rows: list[Row]) -> list[Row]:
    """Return the means over runs for each lam."""
    values = ("accuracy", "held_out", "leaves", "depth", "pure_cuts")
    return sorted(averaged(textual(rows), (*PLACE, "lam"), values), key=lambda r: (*in_order(r), r["lam"]))


def smallest(means: list[Row]) -> list[Row]:
    """Return, for each data set and noise, the lam of the smallest tree and that of the most accurate one."""
    found = []
    for key in dict.fromkeys(tuple(row[name] for name in PLACE) for row in means):
        mine = [row for row in means if tuple(row[name] for name in PLACE) == key]
        small, large = (pick(mine, key=lambda r: r["leaves"]) for pick in (min, max))
        best = max(mine, key=lambda r: r["accuracy"])
        about = {"runs": small["runs"], "smallest_at": small["lam"], "largest_at": large["lam"], "best_at": best["lam"]}
        ends = {"at_0": mine[0], "smallest": small, "largest": large}
        sizes = {f"{name}_{end}": row[name] for end, row in ends.items() for name in ("leaves", "pure_cuts")}
        found.append(dict(zip(PLACE, key, strict=True)) | about | sizes)
    return found


def finish_figure6(rows: list[Row], options: Options) -> str:
    """Write means, sizes and the picture of Figure 6."""
    from splitcrit.plots.wilton2024 import lam_curves

    means = curves(rows)
    sizes = smallest(means)
    save_summary(means, options.out / "figure6_means.csv")
    save_summary(sizes, options.out / "figure6_sizes.csv")
    drawn = [row for row in means if row["data"] in SHOWN]
    saved(lam_curves(drawn or means), options, "figure6", dpi=DPI)
    return shown_sizes(sizes)


def shown_sizes(sizes: list[Row]) -> str:
    """Return Markdown: the lam of the smallest tree and, after a stroke, of the most accurate one, for each noise."""
    return pivoted(sizes, ("data", "task"), "noise", lambda r: f"{r['smallest_at']:g} / {r['best_at']:g}")


def shares(rows: list[Row]) -> list[Row]:
    """Return the percentage of splittable impure nodes that are leaves, over all data sets of a task and all runs."""
    by = ("task", "noise", "lam", "band")
    sums: dict[tuple[Any, ...], dict[str, int]] = {}
    for row in textual(rows):
        cell = sums.setdefault(tuple(row[name] for name in by), {"open": 0, "halted": 0, "outside": 0})
        for name in cell:
            cell[name] += row[name]
    found = [dict(zip(by, key, strict=True)) | cell for key, cell in sums.items()]
    found = [row | {"share": 100 * row["halted"] / row["open"] if row["open"] else None} for row in found]
    return sorted(found, key=lambda r: (r["task"], r["noise"], r["lam"], int(r["band"].rstrip("+").split("-")[0])))


def finish_halted(rows: list[Row], options: Options) -> str:
    """Write shares and the picture."""
    from splitcrit.plots.wilton2024 import halted_shares

    found = shares(rows)
    save_summary(found, options.out / "halted_shares.csv")
    saved(halted_shares(found), options, "halted", dpi=DPI)
    return shown_shares(found)


def shown_shares(found: list[Row]) -> str:
    """Return Markdown: percentages of nodes that are halted, a column for each band of depths."""

    def cell(row: Row) -> str:
        return "no such node" if row["share"] is None else f"{row['share']:.1f}"

    return pivoted(found, ("task", "noise", "lam"), "band", cell)


def ahead(rows: list[Row]) -> list[Row]:
    """Return mean accuracy of each way of tuning, and how far it is ahead of ANE."""
    means = sorted(averaged(textual(rows), (*PLACE, "way"), ("accuracy", "leaves")), key=in_order)
    ane = {tuple(row[name] for name in PLACE): row["accuracy"] for row in means if row["way"] == "ANE"}
    return [row | {"ahead": row["accuracy"] - ane[tuple(row[name] for name in PLACE)]} for row in means]


def finish_budget(rows: list[Row], options: Options) -> str:
    """Write means and the picture."""
    from splitcrit.plots.wilton2024 import budget_differences

    found = ahead(rows)
    save_summary(found, options.out / "budget_summary.csv")
    saved(budget_differences([row for row in found if row["way"] != "ANE"]), options, "budget", dpi=DPI)
    return shown_budget(found)


def shown_budget(found: list[Row]) -> str:
    """Return Markdown for each task: accuracy by the three ways of tuning."""
    parts = []
    for task in dict.fromkeys(row["task"] for row in found):
        mine = [row for row in found if row["task"] == task]
        parts.append(f"{task}:\n\n{pivoted(mine, ('data', 'way'), 'noise', _accuracy)}")
    return "\n\n".join(parts)


def _accuracy(row: Row) -> str:
    return f"{row['accuracy']:.2f}"


def over_q(rows: list[Row]) -> list[Row]:
    """Return the means over runs for each q."""
    means = averaged(textual(rows), (*PLACE, "q"), ("accuracy", "leaves"))
    return sorted(means, key=lambda row: (*in_order(row), row["q"]))


def finish_gce(rows: list[Row], options: Options) -> str:
    """Write means and the picture."""
    from splitcrit.plots.wilton2024 import q_curves

    means = over_q(rows)
    save_summary(means, options.out / "gce_means.csv")
    saved(q_curves(means), options, "gce", dpi=DPI)
    return shown_q(means)


def shown_q(means: list[Row]) -> str:
    """Return Markdown: mean accuracy over the data sets of a task, a column for each q."""
    found = []
    for task, noise, q in dict.fromkeys((row["task"], row["noise"], row["q"]) for row in means):
        mine = [row["accuracy"] for row in means if (row["task"], row["noise"], row["q"]) == (task, noise, q)]
        found.append({"task": task, "noise": noise, "q": q, "sets": len(mine), "accuracy": float(np.mean(mine))})
    return pivoted(found, ("task", "noise", "sets"), "q", _accuracy)


def on_features(rows: list[Row]) -> list[Row]:
    """Return the means over runs on each kind of features."""
    return averaged(textual(rows), ("model", "data", "noise", "method"), ("accuracy", "leaves"))


def finish_features(rows: list[Row], options: Options) -> str:
    """Write means and the picture."""
    from splitcrit.plots.wilton2024 import feature_curves

    means = on_features(rows)
    means.sort(key=lambda row: (row["model"], row["data"], row["noise"], METHODS.index(row["method"])))
    save_summary(means, options.out / "features_summary.csv")
    saved(feature_curves(means), options, "features", dpi=DPI)
    return shown_features(means)


def shown_features(means: list[Row]) -> str:
    """Return Markdown: mean accuracy on learnt features."""
    return pivoted(means, ("model", "data", "method"), "noise", _accuracy)
