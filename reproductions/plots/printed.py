"""Printed results against ours: every cell of a paper's tables in one picture.

Main definitions: ``against_printed``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .panels import LOOKS, figure_of, grouped, legend

Rows = Sequence[Mapping[str, Any]]


def against_printed(
    rows: Rows, *, by: str = "method", panel: str = "table", ours: str = "accuracy", unit: str = "accuracy, %"
) -> Any:
    """Draw each cell as a point, what is printed across and ours upwards, with the diagonal on which they agree.

    Parameters
    ----------
    rows : list of dict
        With ``printed`` and the entries that the other arguments name; where one of the two numbers is None there is
        no point.
    by : str
        What colours and marks tell apart.
    panel : str
        What has panels of its own; above each stand the number of cells and the median of ours less the printed.
    ours : str
        The entry of our number.
    unit : str
        What is measured.

    Returns
    -------
    matplotlib figure
    """
    known = [row for row in rows if row["printed"] is not None and row[ours] is not None]
    panels, kinds = grouped(known, panel), list(grouped(known, by))
    figure, axes = figure_of(len(panels), 3, (3.4, 3.4))
    for ax, ((name,), cells) in zip(axes, panels.items(), strict=True):
        for i, kind in enumerate(kinds):
            points = [(float(row["printed"]), float(row[ours])) for row in cells if row[by] == kind[0]]
            size = 3.5 + 3 * (1 - (i + 1) / len(kinds))  # smaller and smaller, for points that agree
            look = LOOKS[i] | {"linestyle": "none", "markersize": size, "fillstyle": ("none", "full")[i % 2]}
            ax.plot(*zip(*points, strict=True) if points else ((), ()), label=str(kind[0]), markeredgewidth=0.8, **look)
        _diagonal(ax, cells, ours)
        apart = np.median([float(row[ours]) - float(row["printed"]) for row in cells])
        ax.set_title(f"{name}: {len(cells)} cells, median {apart:+.2g}", fontsize="medium")
        ax.set(xlabel=f"printed {unit}", ylabel=f"ours, {unit}")
    legend(figure, axes, 4)
    return figure


def _diagonal(ax: Any, cells: Rows, ours: str) -> None:
    both = [float(row[name]) for row in cells for name in ("printed", ours)]
    margin = (max(both) - min(both)) / 20 or 1
    ends = min(both) - margin, max(both) + margin
    ax.plot(ends, ends, color="#888888", linewidth=0.8, zorder=0)
    ax.set(xlim=ends, ylim=ends, aspect="equal")
