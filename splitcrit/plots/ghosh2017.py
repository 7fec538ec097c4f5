"""Pictures of the experiments of ghosh2017: accuracy against noise, leaf size and sample size.

Main definitions: ``accuracies``, ``sample_sizes``.
Source: ghosh2017, Section 4.
"""

from __future__ import annotations

from typing import Any

from splitcrit.plots.style import COLOURS, LINES, MARKERS

Rows = list[dict[str, Any]]


def accuracies(rows: Rows) -> Any:
    """Draw a panel for each data set: mean accuracy against symmetric noise, a line for each method.

    Printed means are hollow marks. A column of class-conditional noise stands apart at the right.

    Parameters
    ----------
    rows : list of dict
        With ``data``, ``method``, ``noise``, ``accuracy`` and ``printed``.

    Returns
    -------
    matplotlib figure
    """
    import matplotlib.pyplot as plt

    names, methods = (list(dict.fromkeys(row[key] for row in rows)) for key in ("data", "method"))
    wide = min(4, len(names))
    deep = -(-len(names) // wide)
    figure, panels = plt.subplots(deep, wide, figsize=(3.2 * wide, 3.0 * deep), layout="constrained", squeeze=False)
    for ax, name in zip(panels.flat, names, strict=False):
        for i, method in enumerate(methods):
            cells = [row for row in rows if (row["data"], row["method"]) == (name, method)]
            _line(ax, cells, i, method)
        ax.set(title=name, xlabel="wrong labels, %", ylabel="accuracy, %")
    for ax in panels.flat[len(names) :]:
        ax.axis("off")
    handles, labels = panels.flat[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=4, fontsize="small")
    plt.close(figure)
    return figure


def _line(ax: Any, cells: Rows, i: int, method: str) -> None:
    even = [cell for cell in cells if "/" not in cell["noise"]]
    colour, mark = COLOURS[i], MARKERS[i]
    style = {"color": colour, "marker": mark, "markersize": 4}
    ax.plot([_at(c) for c in even], [c["accuracy"] for c in even], linestyle=LINES[i], label=method, **style)
    apart = [cell for cell in cells if "/" in cell["noise"]]
    ax.plot([_at(c) for c in apart], [c["accuracy"] for c in apart], linestyle="none", **style)
    known = [cell for cell in cells if cell.get("printed") is not None and not method.endswith("tuned")]
    places, heights = [_at(c) for c in known], [c["printed"] for c in known]
    label = f"{method}, printed" if known else None
    ax.plot(places, heights, mark, color=colour, fillstyle="none", markersize=9, label=label)
    if apart:
        ax.set_xticks([0, 10, 20, 30, 40, 50], ["0", "10", "20", "30", "40", apart[0]["noise"]])


def _at(cell: dict[str, Any]) -> int:
    """Return where a noise stands."""
    return 50 if "/" in cell["noise"] else int(cell["noise"])


def sample_sizes(rows: Rows) -> Any:
    """Draw accuracy against the smallest leaf (a), and against the samples for each rule of leaf size (b).

    Parameters
    ----------
    rows : list of dict
        With ``panel``, ``method``, ``leaves``, ``noise``, ``n``, ``leaf`` and ``accuracy``.

    Returns
    -------
    matplotlib figure
    """
    import matplotlib.pyplot as plt

    curves = list(dict.fromkeys((row["panel"], row["method"], row["leaves"]) for row in rows))
    noises = list(dict.fromkeys(row["noise"] for row in rows))
    figure, panels = plt.subplots(2, 4, figsize=(13, 6.5), layout="constrained", sharey=True)
    for ax, (panel, method, leaves) in zip(panels.flat, curves, strict=False):
        along = "leaf" if panel == "a" else "n"
        for i, noise in enumerate(noises):
            points = [
                r for r in rows if (r["panel"], r["method"], r["leaves"], r["noise"]) == (panel, method, leaves, noise)
            ]
            where, high = [r[along] for r in points], [r["accuracy"] for r in points]
            ax.plot(
                where, high, color=COLOURS[i], linestyle=LINES[i], marker=MARKERS[i], markersize=4, label=f"{noise} %"
            )
        ax.axhline(95, color="0.7", linewidth=0.8)
        kind = {"Gini": "trees", "RF": "forests"}[method]
        title = f"(a) {kind}" if panel == "a" else f"(b) {kind}, leaves of at least {leaves}"
        label = "smallest leaf" if panel == "a" else "training samples"
        ax.set(title=title, xscale="log", xlabel=label, ylabel="accuracy, %")
    figure.legend(*panels.flat[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(noises))
    plt.close(figure)
    return figure
