"""Maps on the simplex of three classes: an impurity, or the gain of a split of one node.

Main definitions: ``plot_ternary``; ``CORNERS``, ``frame``, ``small_triangles``, which other maps share.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from splitcrit.arguments import Array, between, finite, whole
from splitcrit.criteria import Criterion, as_criterion
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity
from splitcrit.impurities.base import proportions
from splitcrit.plots.style import COLUMN, MOST, axes, paper, plot_label

EDGE = 0.07  # of a side of the triangle: nearer to the border of the map a line has no name
CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.75**0.5]])


@paper(COLUMN, 2.8)
def plot_ternary(
    value: Any, *, node: Any = None, share: float = 0.5, resolution: int = 120, levels: int = 8, ax: Any = None
) -> Any:
    """Draw an impurity of three classes, or the gain of every split of a node, as a map on the simplex.

    Without a node the map is ``phi(p)``. With the shares ``p`` of a node it is the score of the split that sends the
    part ``share`` of the node left, with the shares ``q`` at which the score stands; the rest, with the shares
    ``(p - share q) / (1 - share)``, goes right. Where the node has too little of some class, the map is empty.

    Parameters
    ----------
    value : Impurity or Criterion
        With a node, an impurity stands for its decrease.
    node : three counts or shares, optional
    share : float
        The part of the node that goes left.
    resolution : int
        How many pieces each side of the triangle is cut into.
    levels : int
        About how many lines of equal height there are; 0 leaves them out.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
        With the map; a bar of its colours stands beside it.

    Raises
    ------
    TypeError
        If the value is neither, or a criterion comes without a node.
    ValueError
        If the node has not three classes or no weight, or ``share`` is not between 0 and 1.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from splitcrit import gini
    >>> ax = plot_ternary(gini, resolution=30, ax=Figure().subplots())
    >>> round(float(ax.collections[0].get_array().max()), 6)  # at equal shares
    0.666667
    """
    whole(resolution, "resolution", 1, MOST)
    shares, triangles = small_triangles(resolution)
    heights = _impurity(value, shares) if node is None else _gain(value, shares, node, share)
    x, y = (shares @ CORNERS).T
    inside = np.isfinite(heights)[triangles].all(axis=1)
    if not inside.any():
        got = f"share={share} of the node {list(node)}"
        raise ValueError(complaint("some split of the grid must be possible", got, "pass another share or resolution"))
    ax = axes(ax)
    mesh = ax.tripcolor(x, y, triangles[inside], heights, cmap="cividis", shading="gouraud", rasterized=True)
    whole(levels, "levels", 0, MOST)
    if levels:
        _contours(ax, (x, y, triangles[inside], heights), levels)
    ax.figure.colorbar(mesh, ax=ax, shrink=0.8, label=plot_label(value if node is None else as_criterion(value)))
    frame(ax)
    if node is not None:
        p = np.array(proportions(node), dtype=float) @ CORNERS
        ax.plot(*p, marker="*", markersize=12, color="white", markeredgecolor="black", linestyle="none", label="node")
        ax.legend(loc="upper left", frameon=False)
    return ax


def _contours(ax: Any, surface: tuple[Array, ...], levels: int) -> None:
    """Draw and name lines of equal height: white ones on the dark half of the map, black ones on the bright."""
    from matplotlib.ticker import MaxNLocator

    low, high = np.nanmin(surface[-1]), np.nanmax(surface[-1])
    heights = [x for x in MaxNLocator(levels).tick_values(low, high) if low < x < high]
    if heights:
        colours = ["white" if x < (low + high) / 2 else "black" for x in heights]
        lines = ax.tricontour(*surface, levels=heights, colors=colours, linewidths=0.7)
        border = np.stack(surface[:2], axis=1)[np.isin(np.bincount(surface[2].ravel()), range(1, 6)).nonzero()]
        points = [path.vertices[:: max(1, len(path.vertices) // 200)] for path in lines.get_paths()]
        depths = [np.linalg.norm(line[:, None] - border, axis=2).min(axis=1, initial=1) for line in points]
        inmost = [tuple(p[d.argmax()]) for p, d in zip(points, depths, strict=True) if len(d) and d.max() > EDGE]
        ax.clabel(lines, fontsize=8, fmt="%.3g", manual=inmost)  # elsewhere the border would cut the names off


def _impurity(value: Any, shares: Array) -> Array:
    if not isinstance(value, Impurity):
        rule = "a map without a node shows an impurity"
        raise TypeError(complaint(rule, repr(value), "pass an impurity, or node= for the gain of its splits"))
    return np.asarray(value(shares), dtype=float)


def _gain(value: Any, shares: Array, node: Any, share: float) -> Array:
    """The score of each left side, nan where the node has too little of some class."""
    criterion: Criterion = as_criterion(value)
    if len(finite(node, "class weights of a node", 1)) != 3:
        raise ValueError(complaint("a map has a node of three classes", repr(node), "pass three counts or shares"))
    share = float(between(share, "the share that goes left", 0, 1, ends=False))
    p = np.array(proportions(list(node)), dtype=float)
    left = share * shares
    right = p - left
    possible = (right >= -1e-12).all(axis=1)
    scores = np.full(len(shares), np.nan)
    if possible.any():
        tables = np.stack([left[possible], np.maximum(right[possible], 0)], axis=-2)
        scores[possible] = criterion(tables)
    return scores


def frame(ax: Any, first: int = 0) -> None:
    """Draw the sides of the simplex and name its corners by their classes, numbered from ``first``."""
    ax.plot(*CORNERS[[0, 1, 2, 0]].T, color="black", linewidth=1)
    for k, (corner, side) in enumerate(zip(CORNERS, ("center", "center", "left"), strict=True)):
        place = corner + np.array([0.05, -0.03] if k == 2 else [0.0, -0.04])
        ax.text(*place, f"all {k + first}", ha=side, va="top", fontsize=8)
    ax.set_aspect("equal")
    ax.set_axis_off()


def small_triangles(resolution: int) -> tuple[Array, Array]:
    """The points of a triangular grid as shares ``(n, 3)``, and its small triangles as triples of points."""
    grid = [(i, j) for i in range(resolution + 1) for j in range(resolution + 1 - i)]
    place = {ij: n for n, ij in enumerate(grid)}
    up = [[place[i, j], place[i + 1, j], place[i, j + 1]] for i, j in grid if i + j < resolution]
    down = [[place[i + 1, j], place[i, j + 1], place[i + 1, j + 1]] for i, j in grid if i + j < resolution - 1]
    i, j = np.array(grid).T
    return np.stack([resolution - i - j, i, j], axis=1) / resolution, np.array(up + down)
