"""Pictures of the experiments of wilton2024: accuracy against noise, lam, depth and q, and average ranks.

Main definitions: ``accuracies``, ``lam_curves``, ``halted_shares``, ``budget_differences``, ``q_curves``,
``feature_curves``, ``rank_panels``.
Source: wilton2024, Figures 2 to 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from splitcrit.plots.ranks import plot_critical_difference
from splitcrit.plots.style import COLOURS, LINES, MARKERS

Rows = list[dict[str, Any]]
_COLOURS = (*COLOURS, "#888888")
_LINES = (*LINES, "-")
_MARKERS = (*MARKERS, "*")


def _panels(count: int, wide: int, high: float = 2.7) -> tuple[Any, list[Any]]:
    """Return a figure and so many axes of it."""
    import matplotlib.pyplot as plt

    wide = min(wide, count)
    deep = -(-count // wide)
    figure, panels = plt.subplots(deep, wide, figsize=(3.2 * wide, high * deep), layout="constrained", squeeze=False)
    for ax in panels.flat[count:]:
        ax.axis("off")
    plt.close(figure)
    return figure, list(panels.flat[:count])


def _curve(ax: Any, i: int, label: str, x: Sequence[Any], y: Sequence[Any], **about: Any) -> None:
    style = {"color": _COLOURS[i], "linestyle": _LINES[i], "marker": _MARKERS[i], "markersize": 4, "linewidth": 1.2}
    ax.plot(x, y, label=label, **style | about)


def _legend(figure: Any, ax: Any, columns: int, title: str | None = None) -> None:
    lines = ax.get_legend_handles_labels()
    figure.legend(*lines, loc="outside lower center", ncols=columns, fontsize="small", title=title)


def _grouped(rows: Rows, *names: str) -> dict[tuple[Any, ...], Rows]:
    """Return rows by the values of some entries, in order of appearance."""
    found: dict[tuple[Any, ...], Rows] = {}
    for row in rows:
        found.setdefault(tuple(row[name] for name in names), []).append(row)
    return found


def accuracies(rows: Rows) -> Any:
    """Draw a panel for each task and data set: mean accuracy against noise, a line for each method.

    Uniform noise is joined; class-conditional noise stands apart at the right. Printed means are hollow.

    Parameters
    ----------
    rows : list of dict
        With ``task``, ``data``, ``method``, ``noise``, ``accuracy`` and ``printed``.

    Returns
    -------
    matplotlib figure
    """
    places = _grouped(rows, "task", "data")
    methods = list(dict.fromkeys(row["method"] for row in rows))
    figure, panels = _panels(len(places), 4, 3.0)
    for ax, ((task, data), cells) in zip(panels, places.items(), strict=True):
        noises = list(dict.fromkeys(row["noise"] for row in cells))
        for (method,), mine in _grouped(cells, "method").items():
            i = methods.index(method)
            at = {row["noise"]: row["accuracy"] for row in mine}
            uniform, apart = ([n for n in noises if n in at and n.isdigit() == joined] for joined in (True, False))
            _curve(ax, i, method, [noises.index(n) for n in uniform], [at[n] for n in uniform])
            _curve(ax, i, "_", [noises.index(n) for n in apart], [at[n] for n in apart], linestyle="none")
            known = [(noises.index(row["noise"]), row["printed"]) for row in mine if row.get("printed") is not None]
            if known:
                ax.plot(*zip(*known, strict=True), _MARKERS[i], color=_COLOURS[i], fillstyle="none", markersize=8)
        ax.set_xticks(range(len(noises)), noises, rotation=60 if len(noises) > 6 else 0, fontsize="small")
        ax.set(title=f"{data}, {task}", xlabel="wrong labels, %", ylabel="accuracy, %")
    _legend(figure, panels[0], len(methods), "hollow: printed means")
    return figure


def lam_curves(rows: Rows) -> Any:
    """Draw, for each task and data set, accuracy on true labels, on the noisy hold-out, and leaves, against lam.

    Parameters
    ----------
    rows : list of dict
        With ``task``, ``data``, ``noise``, ``lam``, ``accuracy``, ``held_out`` and ``leaves``.

    Returns
    -------
    matplotlib figure
    """
    places = _grouped(rows, "task", "data")
    figure, panels = _panels(3 * len(places), len(places))
    shown = {"accuracy": "accuracy, %", "held_out": "agreement with hold-out, %", "leaves": "leaves"}
    for column, ((task, data), cells) in enumerate(places.items()):
        for line, (value, label) in enumerate(shown.items()):
            ax = panels[line * len(places) + column]
            for i, ((noise,), mine) in enumerate(_grouped(cells, "noise").items()):
                _curve(ax, i, f"{noise} % wrong labels", [r["lam"] for r in mine], [r[value] for r in mine])
            ax.set(xlabel="lam (0: square root of Gini)", ylabel=label)
            if line == 0:
                ax.set_title(f"{data}, {task}")
            if value == "leaves":
                ax.set_yscale("log")
    _legend(figure, panels[0], 5)
    return figure


def halted_shares(rows: Rows) -> Any:
    """Draw the share of impure nodes that are halted, against depth: a panel for each task and noise, a line a lam.

    Parameters
    ----------
    rows : list of dict
        With ``task``, ``noise``, ``lam``, ``band`` and ``share``.

    Returns
    -------
    matplotlib figure
    """
    places = _grouped(rows, "task", "noise")
    figure, panels = _panels(len(places), max(1, len(places) // 2))
    bands = list(dict.fromkeys(row["band"] for row in rows))
    top = max((row["share"] for row in rows if row["share"]), default=100)
    for ax, ((task, noise), cells) in zip(panels, places.items(), strict=True):
        for i, ((lam,), mine) in enumerate(_grouped(cells, "lam").items()):
            known = [row for row in mine if row["share"] is not None]
            _curve(ax, i, f"lam {lam:g}", [bands.index(r["band"]) for r in known], [r["share"] for r in known])
        ax.set_xticks(range(len(bands)), bands)
        ax.set(
            title=f"{task}, {noise} % wrong", xlabel="depth of node", ylabel="halted, %", ylim=(-0.03 * top, 1.05 * top)
        )
    _legend(figure, panels[0], 5)
    return figure


def budget_differences(rows: Rows) -> Any:
    """Draw how far tuned Gini trees are from ANE on each data set, and the medians, against noise.

    Parameters
    ----------
    rows : list of dict
        With ``task``, ``noise``, ``data``, ``way`` and ``ahead``, in points of accuracy.

    Returns
    -------
    matplotlib figure
    """
    import numpy as np

    places = _grouped(rows, "task")
    figure, panels = _panels(len(places), 2, 3.2)
    for ax, ((task,), cells) in zip(panels, places.items(), strict=True):
        noises = list(dict.fromkeys(row["noise"] for row in cells))
        for i, ((way,), mine) in enumerate(_grouped(cells, "way").items(), 1):
            at = [noises.index(row["noise"]) + 0.12 * (2 * i - 3) for row in mine]
            ax.plot(at, [row["ahead"] for row in mine], _MARKERS[i], color=_COLOURS[i], markersize=4, alpha=0.6)
            middle = [np.median([row["ahead"] for row in mine if row["noise"] == noise]) for noise in noises]
            _curve(ax, i, f"{way}: median", range(len(noises)), middle)
        ax.axhline(0, color="0.6", linewidth=0.8)
        ax.set_xticks(range(len(noises)), noises, rotation=60)
        ax.set(title=task, xlabel="wrong labels, %", ylabel="ahead of ANE, points")
    _legend(figure, panels[0], 2)
    return figure


def q_curves(rows: Rows) -> Any:
    """Draw accuracy of trees by generalised cross entropy against q: a panel for each task and data set.

    Parameters
    ----------
    rows : list of dict
        With ``task``, ``data``, ``noise``, ``q`` and ``accuracy``.

    Returns
    -------
    matplotlib figure
    """
    places = _grouped(rows, "task", "data")
    figure, panels = _panels(len(places), 4)
    for ax, ((task, data), cells) in zip(panels, places.items(), strict=True):
        for i, ((noise,), mine) in enumerate(_grouped(cells, "noise").items()):
            _curve(ax, i, f"{noise} % wrong labels", [r["q"] for r in mine], [r["accuracy"] for r in mine])
        ax.set(title=f"{data}, {task}", xlabel="q (1: misclassification)", ylabel="accuracy, %")
    _legend(figure, panels[0], 3)
    return figure


def feature_curves(rows: Rows) -> Any:
    """Draw accuracy against noise on learnt features: a panel for each model and kind of features.

    Parameters
    ----------
    rows : list of dict
        With ``model``, ``data``, ``noise``, ``method`` and ``accuracy``.

    Returns
    -------
    matplotlib figure
    """
    places = _grouped(rows, "model", "data")
    methods = list(dict.fromkeys(row["method"] for row in rows))
    figure, panels = _panels(len(places), max(1, len(_grouped(rows, "data"))), 3.0)
    for ax, ((model, data), cells) in zip(panels, places.items(), strict=True):
        for (method,), mine in _grouped(cells, "method").items():
            x, y = [int(r["noise"]) for r in mine], [r["accuracy"] for r in mine]
            _curve(ax, methods.index(method), method, x, y)
        ax.set(title=f"{model}: {data}", xlabel="wrong labels, %", ylabel="accuracy, %")
    _legend(figure, panels[0], len(methods))
    return figure


def rank_panels(rows: Rows, methods: Sequence[str]) -> Any:
    """Draw average ranks with their critical difference: a panel for each task and noise.

    Parameters
    ----------
    rows : list of dict
        With ``task``, ``noise``, ``sets``, ``distance``, ``pvalue`` and the rank of each method, or None.
    methods : names

    Returns
    -------
    matplotlib figure
    """
    figure, panels = _panels(len(rows), 2, 2.4)
    figure.set_figwidth(6.2 * min(2, len(rows)))
    for ax, row in zip(panels, rows, strict=True):
        noise = f"{row['noise']} % wrong labels" if row["noise"][0].isdigit() else f"noise by {row['noise']}"
        title = f"{row['task']}, {noise}, {row['sets']} data sets, Friedman p = {row['pvalue']:.2g}"
        ranks = {name: row[name] for name in methods if row[name] is not None}
        plot_critical_difference(ranks, row["distance"], ax=ax, title=title)
        ax.title.set_size("medium")
    return figure
