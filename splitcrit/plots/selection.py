"""A picture of a selection of columns: the adjusted p-value of each, beside the level.

Main definitions: ``plot_selection``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import whole
from splitcrit.frozen import complaint, shown
from splitcrit.plots.style import axes, paper, plot_label


@paper()
def plot_selection(selector: Any, *, most: int = 30, ax: Any = None) -> Any:
    """Draw the adjusted p-value of each column of a fitted `SplitSelector`, least on top; columns kept are filled.

    Parameters
    ----------
    selector : SplitSelector
        A fitted one.
    most : int
        How many columns are drawn at most.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    rule = "this plot takes a fitted SplitSelector"
    if not hasattr(selector, "adjusted_"):
        raise TypeError(complaint(rule, shown(selector), "fit it first, SplitSelector().fit(X, y)"))
    adjusted = np.maximum(selector.adjusted_, 1e-300)
    order = np.argsort(adjusted, kind="stable")[: whole(most, "most", 1)]
    ax = axes(ax, 0.8 + 0.2 * len(order))
    kept = selector.get_support()
    surprise = -np.log10(adjusted[order])
    ax.barh(range(len(order)), surprise, color=["C0" if kept[j] else "white" for j in order], edgecolor="C0")
    ax.axvline(-np.log10(selector.alpha), color="black", linestyle="--", linewidth=1)
    names = [feature.name for feature in selector.test_.features]
    ax.set_yticks(range(len(order)), [plot_label(names[j]) for j in order])
    ax.invert_yaxis()
    ax.set(xlabel=f"-log10 adjusted p (dashed: {selector.alpha:g})")
    return ax
