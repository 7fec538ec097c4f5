"""Pictures of columns that are ranked, selected or audited: how much each tells, and whether that may be chance.

Main definitions: ``plot_ranking``, ``plot_selection``, ``audited_features``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from splitcrit.arguments import between, whole
from splitcrit.frozen import complaint, shown
from splitcrit.plots.style import ABOVE, axes, look, of_result, paper, plot_label


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
    columns = ranking.features[: whole(most, "most", 1)]
    tested = ranking.measure is None
    lengths = [float((f.share if tested else f.score) or 0.0) for f in columns]
    ax = axes(ax, 0.8 + 0.22 * len(columns))
    filled = [tested and f.p_adjusted is not None and f.p_adjusted <= level for f in columns]
    bars = _bars(ax, [f.name for f in columns], lengths, filled)
    if tested:
        words = [" p < 1e-300" if (f.p_adjusted or 0.0) < 1e-300 else f" p = {f.p_adjusted:.2g}" for f in columns]
        ax.bar_label(bars, words)
        ax.set_xlim(0, 1.5 * max(lengths, default=1.0) or 1.0)
    removed = f"impurity removed (filled: p up to {level:g})"
    ax.set(xlabel=removed if tested else plot_label(ranking.measure))
    return ax


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
    names = [selector.test_.features[j].name for j in order]
    _bars(ax, names, -np.log10(adjusted[order]), selector.get_support()[order])
    ax.axvline(-np.log10(selector.alpha), color="black", linestyle="--", linewidth=1)
    ax.set(xlabel=f"-log10 adjusted p (dashed: {selector.alpha:g})")
    return ax


@paper()
def audited_features(report: Any, *, most: int = 20, ax: Any = None) -> Any:
    """Draw the importances of the features of an audit: those shown on top, in bold, above a line; then by their gain.

    The recorded gain (MDI) is drawn where it has the units of the others: where there is UFI.

    Parameters
    ----------
    report : AuditReport
    most : int
        How many features are drawn at most.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
    """
    rule, remedy = "a picture of an audit takes its report", "pass what splitcrit.audits.audit returned"
    of_result(report, "AuditReport", rule, remedy)
    importances, order = report.importances, report.order[: whole(most, "most", 1)]
    kinds = {f"gain - chance, {report.rows}": importances.net}
    if importances.ufi is not None:
        kinds |= {"MDI, as recorded": importances.mdi, "UFI": importances.ufi, "MDI-oob": importances.mdi_oob}
    ax = axes(ax)
    ax.axvline(0, color="grey", linewidth=1)
    for i, (label, scores) in enumerate(kinds.items()):
        heights = np.arange(len(order)) + 0.12 * (i - (len(kinds) - 1) / 2)
        ax.plot(scores[order], heights, label=label, **look(i, marked=True) | {"linestyle": ""})
    _name_rows(ax, [report.features[f] for f in order])
    for text, feature in zip(ax.get_yticklabels(), order, strict=True):
        text.set_fontweight("bold" if report.features_passed[feature] else "normal")
    if 0 < (shown_ones := int(report.features_passed[order].sum())) < len(order):
        ax.axhline(shown_ones - 0.5, color="grey", linestyle=":", linewidth=1)
    ax.set(xlabel="importance" + " (bold: shown)" * bool(shown_ones))
    ax.legend(ncols=2, columnspacing=1, **ABOVE | {"loc": "lower right", "bbox_to_anchor": (1, 1)})  # not on marks
    return ax


def _bars(ax: Any, names: Sequence[str], lengths: Any, filled: Any) -> Any:
    """Draw a bar for each column, filled or open, the first on top."""
    colours = ["C0" if each else "white" for each in filled]
    bars = ax.barh(range(len(names)), lengths, color=colours, edgecolor="C0")
    _name_rows(ax, names)
    return bars


def _name_rows(ax: Any, names: Sequence[str]) -> None:
    ax.set_yticks(range(len(names)), list(map(plot_label, names)))
    ax.invert_yaxis()
