"""What noise leaves of a tree: roots and nodes that are equal and the error that is added, by stopping rule.

Main definitions: ``agreement_panels``.
Source: ghosh2017, Definition 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from splitcrit.plots.style import COLOURS, LINES, MARKERS


def agreement_panels(rows: Sequence[dict[str, Any]]) -> Any:
    """Draw a column of panels for each stopping rule, a line for each rate of noise, against the samples.

    Parameters
    ----------
    rows : sequence of dict
        With ``rule``, ``noise`` in percent, ``n``, and means of ``root``, ``share``, ``clean_error`` and
        ``noisy_error``.

    Returns
    -------
    matplotlib figure
    """
    import matplotlib.pyplot as plt

    rules, noises = (list(dict.fromkeys(row[key] for row in rows)) for key in ("rule", "noise"))
    size = (3.1 * len(rules), 7.2)
    figure, grid = plt.subplots(
        3, len(rules), figsize=size, layout="constrained", sharex=True, sharey="row", squeeze=False
    )
    for column, rule in zip(grid.T, rules, strict=True):
        for i, noise in enumerate(noises):
            mine = sorted(
                (row for row in rows if (row["rule"], row["noise"]) == (rule, noise)), key=lambda row: row["n"]
            )
            style = {"color": COLOURS[i], "linestyle": LINES[i], "marker": MARKERS[i], "markersize": 4}
            for ax, measure in zip(column, (_root, _share, _added), strict=True):
                ax.plot([row["n"] for row in mine], [100 * measure(row) for row in mine], label=f"{noise} %", **style)
        column[0].set_title(rule)
        column[-1].set(xlabel="training samples", xscale="log")
    for row, label in zip(grid, ("equal roots, % of runs", "equal nodes, %", "error added, % of points"), strict=True):
        row[0].set_ylabel(label)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(noises), title="wrong labels")
    plt.close(figure)
    return figure


def _root(row: dict[str, Any]) -> float:
    return float(row["root"])


def _share(row: dict[str, Any]) -> float:
    return float(row["share"])


def _added(row: dict[str, Any]) -> float:
    return float(row["noisy_error"] - row["clean_error"])
