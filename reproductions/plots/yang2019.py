"""Pictures of the experiments of yang2019: differences and ranks by noise, form of trees, seconds to grow them.

Main definitions: ``differences``, ``rank_panels``, ``tree_panels`` (Figure 1), ``seconds`` (Figure 2).
Source: yang2019, Section VI.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from splitcrit.plots.style import COLOURS, MARKERS

from .panels import Rows, critical_differences, curve, distinct, figure_of, grouped, legend, plain_ticks


def noises_of(rows: Rows) -> list[tuple[float, float]]:
    """The noises of some rows, the smaller first."""
    return sorted({(row["tau_neg"], row["tau_pos"]) for row in rows}, key=lambda noise: (noise[1], noise[0]))


def differences(rows: Rows) -> Any:
    """Draw a panel for each noise: accuracy of pairwise gain less that of each rival, a line for each data set.

    A filled mark has p < 0.05 by the corrected resampled t test; a line spans a standard deviation over runs to either
    side, where there are several; printed differences are crosses.

    Parameters
    ----------
    rows : sequence of dict
        With ``data``, ``tau_neg``, ``tau_pos``, ``rival``, ``apart``, ``deviation``, ``p corrected`` and
        ``printed apart``.

    Returns
    -------
    matplotlib figure
    """
    sets, rivals, noises = distinct(rows, "data"), distinct(rows, "rival"), noises_of(rows)
    figure, panels = figure_of(len(noises), 3, (3.4, 1.6 + 0.27 * len(sets)))
    for ax, noise in zip(panels, noises, strict=True):
        ax.axvline(0, color="0.6", linewidth=0.8)
        for i, rival in enumerate(rivals):
            mine = [r for r in rows if (r["tau_neg"], r["tau_pos"], r["rival"]) == (*noise, rival)]
            _against(ax, mine, sets, i, rival)
        ax.set_yticks(range(len(sets)), sets)
        ax.set_ylim(len(sets) - 0.5, -0.5)
        ax.set(title=f"noise ({noise[0]:g}, {noise[1]:g})", xlabel="pairwise gain less the rival, points")
    legend(figure, panels, 2)
    return figure


def _against(ax: Any, rows: Rows, sets: list[str], i: int, rival: str) -> None:
    colour, mark = COLOURS[2 * i + 1 if i else 2], MARKERS[i]
    height = [sets.index(row["data"]) + 0.3 * i - 0.15 for row in rows]
    style = {"linestyle": "none", "marker": mark, "color": colour, "markersize": 6}
    ax.plot([row["apart"] for row in rows], height, fillstyle="none", label=f"against {rival}", **style)
    spans = [(r["apart"], h, r["deviation"]) for r, h in zip(rows, height, strict=True) if r["deviation"] is not None]
    for at, h, deviation in spans:
        ax.hlines(h, at - deviation, at + deviation, color=colour, linewidth=0.8)
    significant = [(r["apart"], h) for r, h in zip(rows, height, strict=True) if r["p corrected"] < 0.05]
    ax.plot([x for x, _ in significant], [h for _, h in significant], label=f"against {rival}, p < 0.05", **style)
    known = [(r["printed apart"], h) for r, h in zip(rows, height, strict=True) if r["printed apart"] is not None]
    if known:
        x, y = zip(*known, strict=True)
        ax.plot(x, y, "x+"[i], color=colour, markersize=7, label=f"against {rival}, printed", alpha=0.8)


def rank_panels(tests: Sequence[Any]) -> Any:
    """Draw a critical-difference diagram for each noise.

    Parameters
    ----------
    tests : sequence of OverSets

    Returns
    -------
    matplotlib figure
    """
    diagrams = []
    for test in tests:
        title = f"noise ({test.noise[0]:g}, {test.noise[1]:g}), {test.sets} data sets"
        diagrams.append((title, dict(zip(test.ranks.methods, test.ranks.ranks, strict=True)), test.ranks.distance))
    return critical_differences(diagrams, (5.2, 1.9))


def tree_panels(rows: Rows, sets: Sequence[str]) -> Any:
    """Draw accuracy, leaves and depth of trees against noise, a row for each data set, a line for each criterion.

    Parameters
    ----------
    rows : sequence of dict
        With ``data``, ``tau_neg``, ``tau_pos``, ``method``, ``accuracy``, ``leaves`` and ``depth``.
    sets : sequence of str

    Returns
    -------
    matplotlib figure
    """
    noises = sorted(noises_of(rows), key=lambda noise: (noise[0] != noise[1], noise))
    figure, panels = figure_of(3 * len(sets), 3, (3.2, 2.55))
    by_set = {name: mine for (name,), mine in grouped(rows, "data").items()}
    for i, (measure, label) in enumerate((("accuracy", "accuracy, %"), ("leaves", "leaves"), ("depth", "depth"))):
        for ax, name in zip(panels[i::3], sets, strict=True):
            _lines(ax, by_set[name], measure, noises)
            ax.set(ylabel=label, xlabel="noise (of negatives, of positives)")
            if measure == "leaves":
                ax.set_yscale("log")
                plain_ticks(ax.yaxis)
            ax.set_title(name if i == 0 else "")
    legend(figure, panels[:1], 3)
    return figure


def _lines(ax: Any, rows: Rows, measure: str, noises: list[tuple[float, float]]) -> None:
    for i, ((method,), mine) in enumerate(grouped(rows, "method").items()):
        at = {(r["tau_neg"], r["tau_pos"]): r[measure] for r in mine}
        for equal, label, about in ((True, method, {}), (False, None, {"linestyle": "none"})):
            places = [p for p, noise in enumerate(noises) if noise in at and (noise[0] == noise[1]) is equal]
            curve(ax, i, label, places, [at[noises[p]] for p in places], **about)
    ax.set_xticks(range(len(noises)), [f"{a:g}, {b:g}" for a, b in noises], rotation=45, ha="right", fontsize="small")


def seconds(rows: Rows) -> Any:
    """Draw seconds to grow a tree, its splits and seconds a split: a line for each data set, a mark for each criterion.

    Parameters
    ----------
    rows : sequence of dict
        With ``data``, ``method``, ``seconds``, ``seconds_full`` and ``splits_full``.

    Returns
    -------
    matplotlib figure
    """
    sets = distinct(rows, "data")
    figure, panels = figure_of(4, 2, (4.2, 1.6 + 0.26 * len(sets)))
    titles = ("ms a tree, stopping size chosen", "ms a tree, to the end", "splits, to the end", "microseconds a split")
    for i, ((method,), rows_of) in enumerate(grouped(rows, "method").items()):
        mine = grouped(rows_of, "data")
        chosen, whole, splits = (
            np.array([np.mean([r[key] for r in mine[name,]]) for name in sets])
            for key in ("seconds", "seconds_full", "splits_full")
        )
        shown = (1e3 * chosen, 1e3 * whole, splits, 1e6 * whole / splits)
        for ax, values, title in zip(panels, shown, titles, strict=True):
            style = {"linestyle": "none", "color": COLOURS[i], "marker": MARKERS[i], "fillstyle": "none"}
            ax.plot(values, np.arange(len(sets)) + 0.2 * (i - 1), label=method, **style)
            ax.set(xlabel=title, xscale="log")
            plain_ticks(ax.xaxis)
            ax.set_yticks(range(len(sets)), sets)
            ax.set_ylim(len(sets) - 0.5, -0.5)
    legend(figure, panels[:1], 3)
    return figure
