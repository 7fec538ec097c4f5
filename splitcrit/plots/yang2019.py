"""Pictures of the experiments of yang2019: differences and ranks by noise, form of trees, seconds to grow them.

Main definitions: ``differences``, ``rank_panels``, ``tree_panels`` (Figure 1), ``seconds`` (Figure 2).
Source: yang2019, Section VI.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from splitcrit.plots.ranks import plot_critical_difference
from splitcrit.plots.style import COLOURS, LINES, MARKERS

Rows = Sequence[dict[str, Any]]


def _noises(rows: Rows) -> list[tuple[float, float]]:
    return sorted({(row["tau_neg"], row["tau_pos"]) for row in rows}, key=lambda noise: (noise[1], noise[0]))


def _panels(count: int, wide: int, size: tuple[float, float]) -> tuple[Any, Any]:
    """Return a figure and its first ``count`` axes; the others are blank."""
    from matplotlib.figure import Figure

    wide = min(wide, count)
    deep = -(-count // wide)
    figure = Figure(figsize=(size[0] * wide, size[1] * deep + 0.4), layout="constrained")
    grid = figure.subplots(deep, wide, squeeze=False).flat
    for ax in grid[count:]:
        ax.axis("off")
    return figure, grid[:count]


def differences(rows: Rows) -> Any:
    """Draw a panel for each noise: accuracy of pairwise gain less that of each rival, a line for each data set.

    A filled mark has p < 0.05 by the corrected resampled t test; printed differences are crosses.

    Parameters
    ----------
    rows : sequence of dict
        With ``data``, ``tau_neg``, ``tau_pos``, ``rival``, ``apart``, ``p corrected`` and ``printed apart``.

    Returns
    -------
    matplotlib figure
    """
    sets, rivals = (list(dict.fromkeys(row[key] for row in rows)) for key in ("data", "rival"))
    noises = _noises(rows)
    figure, panels = _panels(len(noises), 4, (3.4, 1.2 + 0.27 * len(sets)))
    for ax, noise in zip(panels, noises, strict=True):
        ax.axvline(0, color="0.6", linewidth=0.8)
        for i, rival in enumerate(rivals):
            mine = [r for r in rows if (r["tau_neg"], r["tau_pos"], r["rival"]) == (*noise, rival)]
            _against(ax, mine, sets, i, rival)
        ax.set_yticks(range(len(sets)), sets)
        ax.set_ylim(len(sets) - 0.5, -0.5)
        ax.set(title=f"noise ({noise[0]:g}, {noise[1]:g})", xlabel="pairwise gain less the rival, points")
    known = {label: mark for ax in panels for mark, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    figure.legend(list(known.values()), list(known), loc="outside lower center", ncols=2, fontsize="small")
    return figure


def _against(ax: Any, rows: Rows, sets: list[str], i: int, rival: str) -> None:
    colour, mark = COLOURS[2 * i + 1 if i else 2], MARKERS[i]
    height = [sets.index(row["data"]) + 0.3 * i - 0.15 for row in rows]
    style = {"linestyle": "none", "marker": mark, "color": colour, "markersize": 6}
    ax.plot([row["apart"] for row in rows], height, fillstyle="none", label=f"against {rival}", **style)
    told = [(r["apart"], h) for r, h in zip(rows, height, strict=True) if r["p corrected"] < 0.05]
    ax.plot([x for x, _ in told], [h for _, h in told], label=f"against {rival}, p < 0.05", **style)
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
    figure, panels = _panels(len(tests), 2, (6.6, 1.7))
    for ax, test in zip(panels, tests, strict=True):
        ranks = dict(zip(test.ranks.methods, test.ranks.ranks, strict=True))
        title = f"noise ({test.noise[0]:g}, {test.noise[1]:g}), {test.sets} data sets"
        plot_critical_difference(ranks, test.ranks.distance, ax=ax, title=title)
    return figure


def tree_panels(rows: Rows, sets: Sequence[str]) -> Any:
    """Draw accuracy, leaves and depth of trees against noise, a column for each data set, a line for each criterion.

    Parameters
    ----------
    rows : sequence of dict
        With ``data``, ``tau_neg``, ``tau_pos``, ``method``, ``accuracy``, ``leaves`` and ``depth``.
    sets : sequence of str

    Returns
    -------
    matplotlib figure
    """
    from matplotlib.figure import Figure

    noises = sorted(_noises(rows), key=lambda noise: (noise[0] != noise[1], noise))
    figure = Figure(figsize=(3.2 * len(sets), 7.6), layout="constrained")
    grid = figure.subplots(3, len(sets), squeeze=False)
    measures = (("accuracy", "accuracy, %"), ("leaves", "leaves"), ("depth", "depth"))
    for line, (measure, label) in zip(grid, measures, strict=True):
        for ax, name in zip(line, sets, strict=True):
            mine = [row for row in rows if row["data"] == name]
            _lines(ax, mine, measure, noises)
            ax.set(ylabel=label, xlabel="noise (of negatives, of positives)")
            if measure == "leaves":
                ax.set_yscale("log")
                _plain(ax.yaxis)
    for ax, name in zip(grid[0], sets, strict=True):
        ax.set_title(name)
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure


def _plain(axis: Any) -> None:
    """Write 1, 2, 5, 10, ... along a logarithmic axis, 1, 3, 10, ... along a long one."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    low, high = axis.get_data_interval()
    axis.set_major_locator(LogLocator(subs=(1.0, 3.0) if high > 100 * low else (1.0, 2.0, 5.0)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(NullFormatter())


def _lines(ax: Any, rows: Rows, measure: str, noises: list[tuple[float, float]]) -> None:
    for i, method in enumerate(dict.fromkeys(row["method"] for row in rows)):
        at = {(r["tau_neg"], r["tau_pos"]): r[measure] for r in rows if r["method"] == method}
        style = {"color": COLOURS[i], "marker": MARKERS[i], "markersize": 4}
        for kind, line in ((True, LINES[i]), (False, "none")):
            places = [p for p, noise in enumerate(noises) if noise in at and (noise[0] == noise[1]) is kind]
            label = method if kind else None
            ax.plot(places, [at[noises[p]] for p in places], linestyle=line, label=label, **style)
    ax.set_xticks(range(len(noises)), [f"{a:g}, {b:g}" for a, b in noises], rotation=45, ha="right", fontsize=7)


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
    sets, methods = (list(dict.fromkeys(row[key] for row in rows)) for key in ("data", "method"))
    figure, panels = _panels(4, 4, (3.6, 1.2 + 0.26 * len(sets)))
    titles = ("ms a tree, stopping size chosen", "ms a tree, to the end", "splits, to the end", "microseconds a split")
    for i, method in enumerate(methods):
        mine = {name: [r for r in rows if (r["data"], r["method"]) == (name, method)] for name in sets}
        total = {
            key: np.array([np.mean([r[key] for r in mine[name]]) for name in sets])
            for key in ("seconds", "seconds_full", "splits_full")
        }
        whole, splits = total["seconds_full"], total["splits_full"]
        shown = (1e3 * total["seconds"], 1e3 * whole, splits, 1e6 * whole / splits)
        for ax, values, title in zip(panels, shown, titles, strict=True):
            style = {"linestyle": "none", "color": COLOURS[i], "marker": MARKERS[i], "fillstyle": "none"}
            ax.plot(values, np.arange(len(sets)) + 0.2 * (i - 1), label=method, **style)
            ax.set(xlabel=title, xscale="log")
            _plain(ax.xaxis)
            ax.set_yticks(range(len(sets)), sets)
            ax.set_ylim(len(sets) - 0.5, -0.5)
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3)
    return figure
