"""Pictures of the comparison of trees: accuracy against ``minnum``, and how often a method is significantly better.

Main definitions: ``minnum_panels`` (Figures 4, 6, 7), ``win_bars`` (Figure 5).
Source: wang2024, Section 5.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.plots.style import COLOURS

from .panels import Rows, curve, figure_of, grouped, legend

NAMED = {"none": "no noise", "perturbed": "values exchanged", "copies": "noisy copies"}
PREFIX = "accuracy at "


def minnum_panels(rows: Rows) -> Any:
    """Draw a panel for each data set: mean accuracy over splits against ``minnum``, a line for each method.

    Parameters
    ----------
    rows : sequence of dict
        With ``set``, ``method`` and the columns ``accuracy at 1``, ``accuracy at 2``, ...

    Returns
    -------
    matplotlib figure
    """
    sets = grouped(rows, "set")
    where = {one: {row["set"] for row in mine} for (one,), mine in grouped(rows, "method").items()}
    methods = sorted(where, key=lambda one: -len(where[one]))  # of few sets last: looks are the same in every table
    at = [int(key.removeprefix(PREFIX)) for key in rows[0] if key.startswith(PREFIX)]
    figure, panels = figure_of(len(sets), 3, (3.4, 2.8))
    for ax, ((one,), of_set) in zip(panels, sets.items(), strict=True):
        for (method,), mine in grouped(of_set, "method").items():
            means = np.mean([[row[f"{PREFIX}{n}"] for n in at] for row in mine], axis=0)
            curve(ax, methods.index(method), method, at, means, markersize=3)
        ax.set(title=one, xlabel="minnum", ylabel="accuracy")
        ax.set_xticks([n for n in at if n % 5 == 0 or n == 1])
    legend(figure, panels, 8)
    return figure


def win_bars(rows: Rows) -> Any:
    """Draw a panel for each measure: how often a method is significantly better less how often it is worse.

    Parameters
    ----------
    rows : sequence of dict
        With ``measure``, ``noise``, ``method``, ``difference`` and ``difference as printed``.

    Returns
    -------
    matplotlib figure
    """
    blocks = grouped(rows, "measure", "noise")
    figure, panels = figure_of(len(blocks), 3, (3.5, 3.2))
    for ax, ((measure, noise), mine) in zip(panels, blocks.items(), strict=True):
        for i, column in enumerate(("difference", "difference as printed")):
            places = np.arange(len(mine)) + 0.4 * i - 0.2
            label = ("corrected", "eq. (34) as printed")[i]
            ax.bar(places, [row[column] for row in mine], 0.4, color=COLOURS[2 * i + 1], label=label, hatch="//" * i)
        ax.axhline(0, color="black", linewidth=0.8)
        ax.set_xticks(range(len(mine)), [row["method"] for row in mine], rotation=45, ha="right")
        ax.set(title=f"{measure}, {NAMED[noise]}", ylabel="better less worse")
    legend(figure, panels[:1], 2)
    return figure
