"""The significant part of a tree as a picture: level and p-value of each split, kept or not, intervals in the leaves.

Main definitions: ``plot_significant_subtree``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.plots.inference_tree import BELOW, HIGH, LEVEL, PAPER, SPLIT, WIDE, name_classes, places
from splitcrit.plots.style import COLOURS, PAGE, axes, of_result, paper, plot_label
from splitcrit.trees.tree_arrays import Structure

if TYPE_CHECKING:
    from splitcrit.inference.significant_part import SignificantSubtree

DIGITS = 3  # of thresholds


@paper(PAGE)
def plot_significant_subtree(result: Any, *, delta: float = 0.05, feature_names: Any = None, ax: Any = None) -> Any:
    """Draw the significant part of a tree and what was tested below it.

    A split that is kept has the condition by which rows go left, its p-value and its level. A leaf has an interval for
    the probability of each class about its share, or for the median response, between the least and the largest one,
    with a line across at the mean; how many of the testing rows reach it; and, if the grown tree splits it, by what,
    and why this was not kept. The intervals hold together in all nodes of the grown tree with probability 1 - delta.

    Parameters
    ----------
    result : SignificantSubtree
    delta : float, default=0.05
    feature_names : sequence of str, optional
        Those of the tree by default.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes

    Raises
    ------
    TypeError, ValueError
        If it is no such result, or an option is none.
    """
    rule, remedy = "this plot takes a significant subtree", "pass what significant_subtree returned, or result_"
    of_result(result, "SignificantSubtree", rule, remedy)
    ends, words = result.intervals(delta), _words(result, feature_names)
    kept, shape = result.kept, Structure.of(result.estimator)
    place = places(shape.left, shape.right)
    ax = axes(ax, LEVEL * (1 - place[:, 1].min()))
    panel = _responses if result.classes is None else _classes
    for node, (x, y) in enumerate(place):
        if shape.left[node] < 0:
            panel(ax, result, int(kept[node]), ends, (x, y - HIGH))
            ax.plot(x + WIDE / 2 * np.array([-1, 1, 1, -1, -1]), y - HIGH * np.array([1, 1, 0, 0, 1]), "k", lw=0.8)
            ax.text(x, y - HIGH - BELOW, words[kept[node]], ha="center", va="top", fontsize=8)
            continue
        for child in (shape.left[node], shape.right[node]):
            ax.plot([x, place[child, 0]], [y, place[child, 1]], color="grey", linewidth=1, zorder=0)
        ax.text(x, y, words[kept[node]], ha="center", va="center", fontsize=9, bbox=PAPER)
    ax.set(xlim=(place[:, 0].min() - 0.6, place[:, 0].max() + 0.6), ylim=(place[:, 1].min() - HIGH - 0.5, 0.3))
    ax.set_axis_off()
    return ax


def _words(result: SignificantSubtree, feature_names: Any) -> list[str]:
    """Return the text at each node of the grown tree."""
    found, tests = [], result.tests
    for node, condition in enumerate(result.conditions(feature_names, DIGITS)):
        split, rows = plot_label(condition.replace("<=", "≤"), SPLIT), f"{result.sizes[node]} rows"
        compared = f"p = {tests.p[node]:.2g} {'≤' if tests.rejected[node] else '>'} {tests.level[node]:.2g}"
        why = compared if tests.why[node] in ("kept", "not kept") else tests.why[node]
        lines = [split, compared] if tests.rejected[node] else [rows, split, why] if split else [rows]
        found.append("\n".join(lines))
    return found


def _classes(ax: Any, result: SignificantSubtree, node: int, ends: tuple[Array, Array], corner: Any) -> None:
    """Draw the share of each class among the testing rows of a leaf, and an interval for its probability."""
    assert result.classes is not None
    counts, (low, high) = result.values[node], ends
    x, bottom = corner
    each = WIDE / len(counts)
    name_classes(ax, result.classes)
    for share in (0, 1):
        ax.text(x - WIDE / 2 - 0.02, bottom + HIGH * share, str(share), ha="right", va="center", fontsize=8)
    for i in range(len(counts)):
        middle, colour = x - WIDE / 2 + (i + 0.5) * each, COLOURS[(i + 1) % len(COLOURS)]
        ax.plot([middle, middle], bottom + HIGH * np.array([low[node, i], high[node, i]]), color=colour, linewidth=3)
        ax.plot([middle], [bottom + HIGH * counts[i] / max(counts.sum(), 1)], "o", color=colour, markersize=4)


def _responses(ax: Any, result: SignificantSubtree, node: int, ends: tuple[Array, Array], corner: Any) -> None:
    """Draw the mean of a leaf, and an interval for its median, between the least and the largest testing response."""
    x, bottom = corner
    lowest, highest = result.held.responses.min(), result.held.responses.max()
    unit = HIGH / (highest - lowest) if highest > lowest else 0.0
    low, high = (np.clip(end[node, 0], lowest, highest) for end in ends)
    mean = bottom + (result.values[node, 0] - lowest) * unit
    ax.plot([x, x], [bottom + (low - lowest) * unit, bottom + (high - lowest) * unit], color=COLOURS[1], linewidth=3)
    ax.plot([x - WIDE / 4, x + WIDE / 4], [mean, mean], color=COLOURS[2], linewidth=2)
