"""Pictures of best vertices: where on the simplex they lie, and how even their sides are.

Main definitions: ``best_split_regions`` (three classes), ``two_class_values``, ``smaller_sides``, ``landscape``.
Source: breiman1996, Sections 3 and 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from splitcrit.arguments import Array, generator, whole
from splitcrit.criteria import as_criterion
from splitcrit.plots.style import COLUMN, MOST, OPEN, WIDTHS, axes, criteria_of, look, paper, plot_label, wholes_from
from splitcrit.plots.ternary import CORNERS, frame, small_triangles
from splitcrit.vertices import optimal_vertex, vertex_landscape

REGIONS = {  # which class may stand alone in a best split: one colour each; light greys where two or all may
    (0,): "#0072B2",
    (1,): "#E69F00",
    (2,): "#F0E442",
    (0, 1): "#999999",
    (0, 2): "#BBBBBB",
    (1, 2): "#DDDDDD",
    (0, 1, 2): "#FFFFFF",
}
SLOPES: dict[tuple[int, ...], int] = {(0, 2): 60, (1, 2): -60}  # degrees of an edge, along which a region is long
TIE = 1e-9  # relative difference of scores that a picture cannot show
ASIDE = np.array([2e-5, 1e-5, -3e-5])  # off the lines of symmetry, where classes tie


@paper(COLUMN, 3.0)
def best_split_regions(criterion: Any, *, resolution: int = 150, ax: Any = None) -> Any:
    """Draw which class the best split of three classes isolates, at every distribution of the classes.

    Parameters
    ----------
    criterion : Criterion or Impurity
    resolution : int
        How many pieces each side of the triangle is cut into.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
        With a region for each class, or classes, that a best split isolates.

    References
    ----------
    breiman1996, Sections 3 and 4.
    """
    from matplotlib.colors import ListedColormap

    whole(resolution, "resolution", 1, MOST)
    ax = axes(ax)
    shares, triangles = small_triangles(resolution)
    isolated = _isolated(as_criterion(criterion), shares[triangles].mean(axis=1) + ASIDE)
    codes = [list(REGIONS).index(tied) for tied in isolated]
    points = shares @ CORNERS
    ax.tripcolor(
        *points.T, triangles, facecolors=np.array(codes), cmap=ListedColormap(list(REGIONS.values())),
        vmin=-0.5, vmax=len(REGIONS) - 0.5, rasterized=True,
    )  # fmt: skip
    for tied in set(isolated):
        middle = points[triangles[[i for i, other in enumerate(isolated) if other == tied]]].mean(axis=(0, 1))
        box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5}
        along = {"rotation": SLOPES.get(tied, 0), "ha": "center", "va": "center"}
        ax.text(*middle, " or ".join(str(k + 1) for k in tied), fontsize=8, bbox=box, **along)
    frame(ax, first=1)
    ax.set_title(plot_label(criterion))
    return ax


def _isolated(criterion: Any, shares: Array) -> list[tuple[int, ...]]:
    """The classes that a best split may isolate, at each point."""
    left = shares[:, None, :] * np.eye(3)
    scores = criterion(np.stack([left, shares[:, None, :] - left], axis=-2))
    best = scores >= scores.max(axis=1, keepdims=True) * (1 - TIE)
    return [tuple(np.flatnonzero(row).tolist()) for row in best]


@paper()
def two_class_values(criteria: Sequence[Any], *, points: int = 201, ax: Any = None) -> Any:
    """Draw the score of the only split of two classes that divides none, against the share of the first.

    Scores are divided by their largest, at equal shares.

    Parameters
    ----------
    criteria : sequence of Criterion or Impurity
    points : int
        The number of shares.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
        With a line for each criterion.
    """
    criteria = criteria_of(criteria)
    whole(points, "points", 3, MOST)
    ax = axes(ax)
    p = np.linspace(0, 1, points)
    tables = np.stack([p, 0 * p, 0 * p, 1 - p], axis=-1).reshape(-1, 2, 2)
    for i, criterion in enumerate(criteria):
        scores = as_criterion(criterion)(tables)
        ax.plot(p, scores / scores.max(), linewidth=WIDTHS[i % 7], label=plot_label(criterion), **look(i))
    ax.set(xlabel="share of class 1", ylabel="score of the split / its largest", xlim=(0, 1), ylim=(0, 1.05))
    ax.legend(loc="lower center", **OPEN)
    return ax


@paper()
def smaller_sides(
    criteria: Sequence[Any], *, classes: Sequence[int] = (2, 3, 4, 5, 6, 8, 10, 14, 20), nodes: int = 200, rng: Any = 0,
    ax: Any = None,
) -> Any:  # fmt: skip
    """Draw the share of the smaller side of best vertices, median and middle nine tenths, as classes grow in number.

    The class shares are uniform random numbers divided by their sum, as in the paper.

    Parameters
    ----------
    criteria : sequence of Criterion or Impurity
    classes : sequence of int
        Numbers of classes.
    nodes : int
        Random nodes for each.
    rng
        Anything that ``numpy.random.default_rng`` takes.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
        With a line and a band for each criterion.

    References
    ----------
    breiman1996, Section 4.
    """
    criteria = criteria_of(criteria)
    classes = wholes_from(2, classes, "classes")
    whole(nodes, "nodes", 1, MOST)
    ax, rng = axes(ax), generator(rng)
    drawn = [weights / weights.sum(axis=1, keepdims=True) for weights in (rng.random((nodes, J)) for J in classes)]
    for i, criterion in enumerate(criteria):
        sides = np.array([[_smaller_side(p, criterion) for p in some] for some in drawn])
        low, middle, high = np.quantile(sides, [0.05, 0.5, 0.95], axis=1)
        style = look(i, marked=True) | {"linewidth": WIDTHS[i % 7], "markersize": 2.2 * WIDTHS[i % 7]}
        ax.plot(classes, middle, label=plot_label(criterion), **style)
        ax.fill_between(classes, low, high, color=style["color"], alpha=0.15, linewidth=0)
    ax.set(xlabel="classes", ylabel="share of the smaller side", xticks=classes, ylim=(0, 0.52))
    ax.legend(**OPEN)
    return ax


def _smaller_side(p: Array, criterion: Any) -> float:
    share = float(optimal_vertex(p, criterion, most_ties=1).share)
    return min(share, 1 - share)


@paper()
def landscape(p: Any, criteria: Sequence[Any], *, ax: Any = None) -> Any:
    """Draw the score of every vertex of a node against P_L, a split and its mirror image both.

    Scores are divided by the best of each criterion.

    Parameters
    ----------
    p
        Class counts or shares, of 20 classes at most.
    criteria : sequence of Criterion or Impurity
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes
        With two points for each split and criterion.
    """
    criteria = criteria_of(criteria)
    ax = axes(ax)
    for i, criterion in enumerate(criteria):
        splits = vertex_landscape(p, criterion)
        share, value = np.concatenate([splits.share, 1 - splits.share]), np.tile(splits.value / splits.value[0], 2)
        style = look(i, marked=True) | {"linestyle": "none", "markersize": 3, "alpha": 0.6}
        ax.plot(share, value, label=plot_label(criterion), **style)
    ax.set(xlabel="P_L, the part of the node sent left", ylabel="score / best score", xlim=(0, 1), ylim=(0, 1.05))
    ax.legend(loc="lower center", **OPEN)
    return ax
