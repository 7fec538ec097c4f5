"""Pictures about categories: how often noise is picked, and what a search of few orders loses.

Main definitions: ``selection_bias``, ``search_loss``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from splitcrit.arguments import between
from splitcrit.plots.style import COLOURS, LINES, MARKERS, axes, records


def selection_bias(rows: Sequence[Any], ax: Any = None, chance: float | None = None) -> Any:
    """Draw how often each criterion picks noise, by the number of its values.

    Parameters
    ----------
    rows : sequence
        With the attributes ``criterion``, ``values``, ``picked`` and ``error``, as ``experiments.selection`` returns
        them; bars are two standard errors.
    ax : matplotlib axes, optional
    chance : float, optional
        A share to mark by a thin line.

    Returns
    -------
    matplotlib axes
    """
    rows = records(rows, "criterion", "values", "picked", "error")
    share = None if chance is None else float(between(chance, "chance", 0, 1))
    ax = axes(ax)
    names = list(dict.fromkeys(row.criterion for row in rows))
    for i, name in enumerate(names):
        mine = [row for row in rows if row.criterion == name]
        x, y, bars = zip(*((row.values, row.picked, 2 * row.error) for row in mine), strict=True)
        style = {"color": COLOURS[i % 7], "linestyle": LINES[i % 7], "marker": MARKERS[i % 7], "markersize": 4}
        ax.errorbar(x, y, bars, label=name, capsize=2, linewidth=1.5, **style)
    if share is not None:
        ax.axhline(share, color="0.6", linewidth=0.8)
    ticks = sorted({row.values for row in rows})
    ax.set(
        xscale="log", ylim=(-0.03, 1.03), xlabel="values of the noise", ylabel="share of samples that pick the noise"
    )
    ax.set_xticks(ticks, [str(x) for x in ticks])
    ax.minorticks_off()
    ax.legend(frameon=False)
    return ax


def search_loss(rows: Sequence[Any], ax: Any = None) -> Any:
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
    kinds = list(dict.fromkeys((row["method"], row["classes"]) for row in rows))
    methods = list(dict.fromkeys(method for method, _ in kinds))
    shades = list(dict.fromkeys(classes for _, classes in kinds))
    for method, classes in kinds:
        mine = [row for row in rows if (row["method"], row["classes"]) == (method, classes)]
        i, k = methods.index(method), shades.index(classes)
        style = {"color": COLOURS[k % 7], "linestyle": LINES[i % 7], "marker": MARKERS[i % 7], "markersize": 4}
        losses = [100 * row["loss"] for row in mine]
        ax.plot([row["categories"] for row in mine], losses, label=f"{method}, K = {classes}", **style)
    ax.set(xlabel="categories", ylabel="loss, per cent of the best score", ylim=(0, None))
    ax.legend(frameon=False)
    return ax
