"""Pictures of the reproductions of wang2024: each draws the rows of an experiment on a new figure.

Main definitions: ``cell_histograms`` (Figure 2), ``choice_panels`` (Figure 3), ``measure_panels`` (Section 3.1, Table
9).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from splitcrit.plots.style import COLOURS, LINES

Rows = Sequence[dict[str, Any]]


def _figure(rows: int, columns: int, width: float, height: float) -> tuple[Any, Any]:
    """Return a figure that no window keeps, with its axes in a grid."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.subplots(rows, columns, squeeze=False)


def cell_histograms(rows: Rows, laws: Sequence[str]) -> Any:
    """Draw the observed shares of a count as bars and each law as a line, a panel for each number of draws."""
    draws = list(dict.fromkeys(row["draws"] for row in rows))
    figure, grid = _figure(1, len(draws), 5.5 * len(draws), 4)
    for ax, number in zip(grid[0], draws, strict=True):
        mine = [row for row in rows if row["draws"] == number]
        at = [row["count"] for row in mine]
        ax.bar(at, [row["observed"] for row in mine], width=1.0, color="lightgrey", label="observed")
        for i, law in enumerate(laws):
            ax.plot(at, [row[law] for row in mine], color=COLOURS[i], linestyle=LINES[i], label=law)
        ax.set(title=f"{number} permutations", xlabel="$n_{11}$", ylabel="share", xlim=(45, 115))
    grid[0][0].legend(fontsize=7)
    return figure


def choice_panels(rows: Rows, titles: dict[str, str]) -> Any:
    """Draw how often the first of two features is chosen, against the values of the second; a panel each setting."""
    figure, grid = _figure(2, (len(titles) + 1) // 2, 13, 6)
    choosers = list(dict.fromkeys(row["chooser"] for row in rows))
    for ax, (panel, title) in zip(grid.ravel(), titles.items(), strict=False):
        for i, chooser in enumerate(choosers):
            mine = sorted((r["r2"], r["first"]) for r in rows if r["panel"] == panel and r["chooser"] == chooser)
            x, y = zip(*mine, strict=True) if mine else ((), ())
            ax.plot(x, y, color=COLOURS[(1, 2, 0)[i % 3]], linestyle=LINES[i], label=chooser, linewidth=1.6)
        ax.set(title=title, ylim=(-0.03, 1.03), xlabel="values of $A_2$")
    for row in grid:
        row[0].set_ylabel("share of repetitions for $A_1$")
    grid[0][0].legend(fontsize=7, loc="lower left")
    return figure


def measure_panels(means: dict[str, dict[str, dict[str, float]]], *, logarithmic: Sequence[str] = ()) -> Any:
    """Draw a panel for each measure: groups side by side, a bar for each method.

    Parameters
    ----------
    means : dict
        ``means[measure][group][method]``.
    logarithmic
        The measures whose axis is logarithmic.
    """
    figure, grid = _figure((len(means) + 1) // 2, 2, 13, 3.2 * ((len(means) + 1) // 2))
    for ax in grid.ravel()[len(means) :]:
        ax.remove()
    for ax, (measure, groups) in zip(grid.ravel(), means.items(), strict=False):
        methods = list(next(iter(groups.values())))
        for i, method in enumerate(methods):
            at = [g + (i - (len(methods) - 1) / 2) * 0.8 / len(methods) for g in range(len(groups))]
            height = [found[method] for found in groups.values()]
            colour, hatch = COLOURS[(i + 1) % len(COLOURS)], ("", "//", "..", "xx", "--")[i % 5]
            ax.bar(at, height, 0.8 / len(methods), label=method, color=colour, hatch=hatch, edgecolor="white")
        ax.set_xticks(range(len(groups)), list(groups), fontsize=8)
        ax.set_title(measure, fontsize=10)
        if measure in logarithmic:
            ax.set_yscale("log")
    figure.legend(*grid[0][0].get_legend_handles_labels(), fontsize=8, loc="outside upper center", ncols=8)
    return figure
