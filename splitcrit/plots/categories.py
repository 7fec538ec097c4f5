"""A picture of categories: what a search of few orders loses.

Main definitions: ``search_loss``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from splitcrit.plots.style import ABOVE, COLOURS, LINES, MARKERS, axes, paper, plot_label, records


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
        i = methods.index(method)
        k = shades.index(classes)
        style = {"color": COLOURS[k % 7], "linestyle": LINES[i % 7], "marker": MARKERS[k % 7], "markersize": 4}
        losses = [100 * row["loss"] for row in mine]
        ax.plot([row["categories"] for row in mine], losses, label=f"{plot_label(method)}, K = {classes}", **style)
    ax.set(xlabel="categories", ylabel="loss, % of the best score", ylim=(0, None))
    ax.legend(**ABOVE)
    return ax
