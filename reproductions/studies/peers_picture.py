"""The picture of peers.md: time of a tree against n for every library, over the time to sort all columns once.

Main definitions: ``draw``.
"""

from __future__ import annotations

from pathlib import Path

PICTURE = Path(__file__).with_name("peers.png")
STYLES = (  # apart for the colour-blind; a marker of its own each, for grey
    ("#000000", "o"), ("#0072B2", "s"), ("#D55E00", "^"), ("#009E73", "D"), ("#CC79A7", "v"), ("#E69F00", "P"),
    ("#56B4E9", "X"),
)  # fmt: skip
FLOOR = ("#777777", "")


def apart(ends: dict[str, float], least: float) -> dict[str, float]:
    """Heights for labels near the ends of curves, at least so far apart, in their order."""
    heights: dict[str, float] = {}
    height = float("-inf")
    for name, end in sorted(ends.items(), key=lambda item: item[1]):
        height = heights[name] = max(end, height + least)
    return heights


def draw(curves: dict[str, list[tuple[int, float]]], floor: str) -> None:
    """Draw seconds against n, log-log, with the name of each curve at its end."""
    import matplotlib
    import numpy as np

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, ax = plt.subplots(figsize=(8, 5.4), layout="constrained")
    styles = dict(zip((name for name in curves if name != floor), STYLES, strict=False))
    for name, points in curves.items():
        (colour, marker), first = styles.get(name, FLOOR), name == next(iter(curves))
        shape = {"linewidth": 2.6 if first else 1.5, "linestyle": "--" if name == floor else "-", "markersize": 5}
        ax.loglog(*zip(*points, strict=True), color=colour, marker=marker, **shape)
    right = 1.7 * max(n for points in curves.values() for n, _ in points)
    heights = apart({name: float(np.log10(points[-1][1])) for name, points in curves.items()}, 0.17)
    for name, height in heights.items():
        leader = {"arrowstyle": "-", "color": styles.get(name, FLOOR)[0], "linewidth": 0.8}
        where = {"va": "center", "fontsize": 9, "annotation_clip": False}
        ax.annotate(name, curves[name][-1], (right, 10**height), arrowprops=leader, **where)
    ax.set(xlabel="rows n", ylabel="processor seconds", title="A tree of depth 8: 10 features, 2 classes, one thread")
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(alpha=0.3)
    figure.savefig(PICTURE, dpi=120)
    plt.close(figure)
