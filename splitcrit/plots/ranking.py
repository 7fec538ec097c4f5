"""A picture of a ranking of columns: how much each removes of the impurity, and whether that may be chance.

Main definitions: ``plot_ranking``.
"""

from __future__ import annotations

from typing import Any

from splitcrit.arguments import between, whole
from splitcrit.plots.style import axes, of_result, paper, plot_label


@paper()
def plot_ranking(ranking: Any, *, alpha: float = 0.05, most: int = 20, ax: Any = None) -> Any:
    """Draw the columns of a ranking, the most important on top, as bars of the share of impurity that each removes.

    Bars are filled where the adjusted p-value is at most ``alpha``, and open elsewhere; the p-value stands beside them.
    A ranking by a measure is drawn by its scores.

    Parameters
    ----------
    ranking : Ranking
        What `rank_features` returned.
    alpha : float
        The level.
    most : int
        How many columns are drawn at most.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    of_result(ranking, "Ranking", "a picture of a ranking takes a Ranking", "pass what rank_features returned")
    level = float(between(alpha, "alpha", 0, 1))
    shown = ranking.features[: whole(most, "most", 1)]
    tested = ranking.measure is None
    lengths = [float((f.share if tested else f.score) or 0.0) for f in shown]
    ax = axes(ax, 0.8 + 0.22 * len(shown))
    filled = [tested and f.p_adjusted is not None and f.p_adjusted <= level for f in shown]
    bars = ax.barh(range(len(shown)), lengths, color=["C0" if keep else "white" for keep in filled], edgecolor="C0")
    if tested:
        words = [" p < 1e-300" if (f.p_adjusted or 0.0) < 1e-300 else f" p = {f.p_adjusted:.2g}" for f in shown]
        ax.bar_label(bars, words)
        ax.set_xlim(0, 1.5 * max(lengths, default=1.0) or 1.0)
    ax.set_yticks(range(len(shown)), [plot_label(f.name) for f in shown])
    ax.invert_yaxis()
    removed = f"impurity removed (filled: p up to {level:g})"
    ax.set(xlabel=removed if tested else plot_label(ranking.measure))
    return ax
