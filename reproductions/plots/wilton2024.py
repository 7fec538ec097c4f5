"""Pictures of the experiments of wilton2024: accuracy against lam, depth and q, and average ranks.

Main definitions: ``lam_curves``, ``halted_shares``, ``budget_differences``, ``q_curves``, ``feature_curves``,
``rank_panels``.
Source: wilton2024, Figures 2 to 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from splitcrit.plots.style import COLOURS, MARKERS

from .panels import Rows, critical_differences, curve, curves, distinct, figure_of, grouped, legend, plain_ticks


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
    places = grouped(rows, "task", "data")
    figure, panels = figure_of(3 * len(places), 3)
    shown = {"accuracy": "accuracy, %", "held_out": "agreement with hold-out, %", "leaves": "leaves"}
    for line, ((task, data), cells) in enumerate(places.items()):
        for column, (value, label) in enumerate(shown.items()):
            ax = panels[3 * line + column]
            curves(ax, cells, "noise", ("lam", value), "{} % wrong labels")
            ax.set(xlabel="lam (0: square root of Gini)", ylabel=label)
            ax.set_title(f"{data}, {task}" if column == 0 else "")
            if value == "leaves":
                ax.set_yscale("log")
                plain_ticks(ax.yaxis)
    legend(figure, panels[:1], 5)
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
    places = grouped(rows, "task", "noise")
    figure, panels = figure_of(len(places), 3)
    bands = distinct(rows, "band")
    top = max((row["share"] for row in rows if row["share"]), default=100)
    for ax, ((task, noise), cells) in zip(panels, places.items(), strict=True):
        known = [row | {"band": bands.index(row["band"])} for row in cells if row["share"] is not None]
        curves(ax, known, "lam", ("band", "share"), "lam {:g}")
        ax.set_xticks(range(len(bands)), bands)
        ax.set(
            title=f"{task}, {noise} % wrong", xlabel="depth of node", ylabel="halted, %", ylim=(-0.03 * top, 1.05 * top)
        )
    legend(figure, panels[:1], 5)
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

    places = grouped(rows, "task")
    figure, panels = figure_of(len(places), 2, (3.2, 3.2))
    for ax, ((task,), cells) in zip(panels, places.items(), strict=True):
        noises = distinct(cells, "noise")
        for i, ((way,), mine) in enumerate(grouped(cells, "way").items(), 1):
            at = [noises.index(row["noise"]) + 0.12 * (2 * i - 3) for row in mine]
            ax.plot(at, [row["ahead"] for row in mine], MARKERS[i], color=COLOURS[i], markersize=4, alpha=0.6)
            middle = [np.median([row["ahead"] for row in mine if row["noise"] == noise]) for noise in noises]
            curve(ax, i, f"{way}: median", range(len(noises)), middle)
        ax.axhline(0, color="0.6", linewidth=0.8)
        ax.set_xticks(range(len(noises)), noises, rotation=60)
        ax.set(title=task, xlabel="wrong labels, %", ylabel="ahead of ANE, points")
    legend(figure, panels[:1], 2, "faint: single data sets")
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
    places = grouped(rows, "task", "data")
    figure, panels = figure_of(len(places), 3)
    for ax, ((task, data), cells) in zip(panels, places.items(), strict=True):
        curves(ax, cells, "noise", ("q", "accuracy"), "{} % wrong labels")
        ax.set(title=f"{data}, {task}", xlabel="q (1: misclassification)", ylabel="accuracy, %")
    legend(figure, panels[:1], 3)
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
    places = grouped(rows, "model", "data")
    figure, panels = figure_of(len(places), max(1, len(grouped(rows, "data"))), (3.2, 3.0))
    for ax, ((model, data), cells) in zip(panels, places.items(), strict=True):
        curves(ax, [row | {"noise": int(row["noise"])} for row in cells], "method", ("noise", "accuracy"))
        ax.set(title=f"{model}: {data}", xlabel="wrong labels, %", ylabel="accuracy, %")
    legend(figure, panels[:1], 8)
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
    diagrams = []
    for row in rows:
        noise = f"{row['noise']} % wrong labels" if row["noise"][0].isdigit() else f"noise by {row['noise']}"
        title = f"{row['task']}, {noise}, {row['sets']} data sets, Friedman p = {row['pvalue']:.2g}"
        diagrams.append((title, {name: row[name] for name in methods if row[name] is not None}, row["distance"]))
    return critical_differences(diagrams, (5.2, 2.4))
