"""Pictures of the comparison of trees: accuracy against ``minnum``, and how often a method is significantly better.

Main definitions: ``minnum_panels`` (Figures 4, 6, 7), ``win_bars`` (Figure 5).
Source: wang2024, Section 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from splitcrit.plots.style import COLOURS, LINES, MARKERS

Rows = Sequence[dict[str, Any]]
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
    from matplotlib.figure import Figure

    sets, methods = (list(dict.fromkeys(row[key] for row in rows)) for key in ("set", "method"))
    at = [int(key.removeprefix(PREFIX)) for key in rows[0] if key.startswith(PREFIX)]
    wide = min(4, len(sets))
    deep = -(-len(sets) // wide)
    figure = Figure(figsize=(3.4 * wide, 2.6 * deep + 0.6), layout="constrained")
    panels = figure.subplots(deep, wide, squeeze=False)
    for ax, one in zip(panels.flat, sets, strict=False):
        for i, method in enumerate(methods):
            mine = [[row[f"{PREFIX}{n}"] for n in at] for row in rows if (row["set"], row["method"]) == (one, method)]
            if mine:
                style = {"color": COLOURS[i], "linestyle": LINES[i], "marker": MARKERS[i], "markersize": 3}
                ax.plot(at, np.mean(mine, axis=0), label=method, **style)
        ax.set(title=one, xlabel="minnum", ylabel="accuracy")
        ax.set_xticks([n for n in at if n % 5 == 0 or n == 1])
    for ax in panels.flat[len(sets) :]:
        ax.axis("off")
    known = {label: line for ax in panels.flat for line, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    figure.legend(list(known.values()), list(known), loc="outside lower center", ncols=len(known))
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
    from matplotlib.figure import Figure

    panels = list(dict.fromkeys((row["measure"], row["noise"]) for row in rows))
    wide = min(4, len(panels))
    deep = -(-len(panels) // wide)
    figure = Figure(figsize=(3.6 * wide, 3.0 * deep + 0.4), layout="constrained")
    grid = figure.subplots(deep, wide, squeeze=False)
    for ax, (measure, noise) in zip(grid.flat, panels, strict=False):
        mine = [row for row in rows if (row["measure"], row["noise"]) == (measure, noise)]
        for i, column in enumerate(("difference", "difference as printed")):
            places = np.arange(len(mine)) + 0.4 * i - 0.2
            label = ("corrected", "eq. (34) as printed")[i]
            ax.bar(places, [row[column] for row in mine], 0.4, color=COLOURS[2 * i + 1], label=label)
        ax.axhline(0, color="black", linewidth=0.8)
        ax.set_xticks(range(len(mine)), [row["method"] for row in mine], rotation=45, ha="right")
        ax.set(title=f"{measure}, {noise} noise", ylabel="better less worse")
    for ax in grid.flat[len(panels) :]:
        ax.axis("off")
    figure.legend(*grid.flat[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure
