"""Pictures of the reproductions of wang2024: each draws the rows of an experiment on a new figure.

Main definitions: ``cell_histograms`` (Figure 2), ``choice_panels`` (Figure 3), ``measure_panels`` (Section 3.1).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from splitcrit.plots.style import COLOURS, LINES

from .panels import LOOKS, Rows, distinct, figure_of, grouped, legend, plain_ticks


def cell_histograms(rows: Rows, laws: Sequence[str]) -> Any:
    """Draw the observed shares of a count as bars and each law as a line, a panel for each number of draws."""
    draws = grouped(rows, "draws")
    figure, panels = figure_of(len(draws), len(draws), (10 / len(draws), 3.6))
    for ax, ((number,), mine) in zip(panels, draws.items(), strict=True):
        at = [row["count"] for row in mine]
        ax.bar(at, [row["observed"] for row in mine], width=1.0, color="lightgrey", label="observed")
        for i, law in enumerate(laws):
            ax.plot(at, [row[law] for row in mine], color=COLOURS[i], linestyle=LINES[i], label=law)
        ax.set(title=f"{number} permutations", xlabel="$n_{11}$", ylabel="share", xlim=(45, 115))
    legend(figure, panels[:1], 5)
    return figure


def choice_panels(rows: Rows, titles: dict[str, str]) -> Any:
    """Draw how often the first of two features is chosen, against the values of the second; a panel each setting."""
    wide = (len(titles) + 1) // 2
    figure, panels = figure_of(len(titles), wide, (10 / wide, 3))
    choosers = distinct(rows, "chooser")
    for ax, (panel, title) in zip(panels, titles.items(), strict=True):
        for i, chooser in enumerate(choosers):
            mine = sorted((r["r2"], r["first"]) for r in rows if r["panel"] == panel and r["chooser"] == chooser)
            x, y = zip(*mine, strict=True) if mine else ((), ())
            ax.plot(x, y, color=COLOURS[(1, 2, 0)[i % 3]], linestyle=LINES[i], label=chooser, linewidth=1.6)
        ax.set(title=title, ylim=(-0.03, 1.03), xlabel="values of $A_2$")
    for ax in panels[::wide]:
        ax.set_ylabel("share of repetitions for $A_1$")
    legend(figure, panels[:1], 3)
    return figure


def measure_panels(means: dict[str, dict[str, dict[str, float]]], *, logarithmic: Sequence[str] = ()) -> Any:
    """Draw a panel for each measure: groups side by side, a mark for each method.

    Parameters
    ----------
    means : dict
        ``means[measure][group][method]``.
    logarithmic
        The measures whose axis is logarithmic.
    """
    figure, panels = figure_of(len(means), 2, (5.1, 3.0))
    for ax, (measure, groups) in zip(panels, means.items(), strict=True):
        methods = list(next(iter(groups.values())))
        for i, method in enumerate(methods):
            at = [g + (i - (len(methods) - 1) / 2) * 0.8 / len(methods) for g in range(len(groups))]
            height = [by_method[method] for by_method in groups.values()]
            ax.plot(at, height, label=method, **LOOKS[i] | {"linestyle": "none", "markersize": 5})
        for between in range(1, len(groups)):
            ax.axvline(between - 0.5, color="0.85", linewidth=0.8)
        ax.set_xticks(range(len(groups)), [name.replace("_", "\n") for name in groups], fontsize="small")
        ax.set(ylabel=measure, xlim=(-0.5, len(groups) - 0.5))
        if measure in logarithmic:
            ax.set_yscale("log")
            plain_ticks(ax.yaxis)
        else:
            ax.set_ylim(0)
    legend(figure, panels[:1], 4)
    return figure
