"""Pictures about categories: how often noise is picked, and what a search of few orders loses.

Main definitions: ``selection_bias``, ``search_loss``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from splitcrit.arguments import between
from splitcrit.display import plot_label
from splitcrit.plots.style import COLOURS, LINES, MARKERS, OPEN, axes, error_bars, numbers_of_values, paper, records


@paper()
def selection_bias(rows: Sequence[Any], *, chance: float | None = None, ax: Any = None) -> Any:
    """Draw how often each criterion picks noise, by the number of its values.

    Parameters
    ----------
    rows : sequence
        With the attributes ``criterion``, ``values``, ``picked`` and ``error``, as ``reproductions.selection``
        returns them; bars are two standard errors.
    chance : float, optional
        A share to mark by a thin line.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    rows = records(rows, "criterion", "values", "picked", "error")
    share = None if chance is None else float(between(chance, "chance", 0, 1))
    ax = axes(ax)
    for i, name in enumerate(dict.fromkeys(row.criterion for row in rows)):
        error_bars(ax, [(row.values, row.picked, row.error) for row in rows if row.criterion == name], i, name)
    if share is not None:
        ax.axhline(share, color="0.6", linewidth=0.8)
    numbers_of_values(ax, {row.values for row in rows})
    ax.set(ylim=(-0.03, 1.03), xlabel="values of the noise", ylabel="share of samples that pick the noise")
    ax.legend(**OPEN)
    return ax


@paper(high=3.3)
def search_loss(rows: Sequence[Any], *, ax: Any = None) -> Any:
    """Draw the mean share of the best score that a search of few orders loses, by the number of categories.

    Parameters
    ----------
    rows : sequence of dict
        With the entries ``method``, ``classes``, ``categories`` and ``loss``.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    rows = records(rows, "method", "classes", "categories", "loss")
    ax = axes(ax)
    methods, shades = ([*dict.fromkeys(row[name] for row in rows)] for name in ("method", "classes"))
    for method, classes in dict.fromkeys((row["method"], row["classes"]) for row in rows):
        mine = [row for row in rows if (row["method"], row["classes"]) == (method, classes)]
        i, k = methods.index(method), shades.index(classes)
        style = {"color": COLOURS[k % 7], "linestyle": LINES[i % 7], "marker": MARKERS[k % 7], "markersize": 4}
        losses = [100 * row["loss"] for row in mine]
        ax.plot([row["categories"] for row in mine], losses, label=f"{plot_label(method)}, K = {classes}", **style)
    ax.set(xlabel="categories", ylabel="loss, % of the best score", ylim=(0, None))
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False)  # above the lines
    return ax
