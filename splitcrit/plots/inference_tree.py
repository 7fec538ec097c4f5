"""Trees of tested splits as pictures: the p-value of each split, kept or not, and what is below it in each leaf.

Main definitions: ``plot_inference_tree``, ``plot_significant_subtree``.
Source: hothorn2006 (inner nodes with p-values above bars of the classes in each leaf).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from splitcrit.arguments import Array, whole
from splitcrit.frozen import complaint
from splitcrit.plots.style import ABOVE, COLOURS, PAGE, axes, of_result, paper, plot_label
from splitcrit.trees.tree_arrays import Structure

if TYPE_CHECKING:
    from splitcrit.inference.significant_part import SignificantSubtree

HIGH, WIDE, BELOW = 0.5, 0.7, 0.04  # of a leaf's panel and the gap under it, between levels and leaves 1 apart
LEVEL = 1.2  # inches of new axes
SPLIT = 80  # characters of a condition
PAPER = {"boxstyle": "round", "facecolor": "white", "edgecolor": "black"}
EDGE = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none"}


@paper(PAGE)
def plot_inference_tree(fitted: Any, *, feature_names: Any = None, digits: int = 4, ax: Any = None) -> Any:
    """Draw a tree of tested splits.

    An inner node has its feature and p-value. A leaf has the number of its rows; a bar for the share of each class, in
    the order of the names above, or the mean of the responses with a line of one standard deviation to each side, or of
    survival times the Kaplan-Meier curve, from 1 to 0 and up to the last time of any leaf; and what its own test said,
    if the tree would have split it.

    Parameters
    ----------
    fitted : InferenceTreeClassifier or InferenceTreeRegressor
    feature_names : sequence of str, optional
        ``feature_names_in_`` by default.
    digits : int, default=4
        Of thresholds and responses.
    ax : matplotlib axes, optional

    Returns
    -------
    matplotlib axes

    Raises
    ------
    TypeError, ValueError
        If it is no tree of tested splits, or an option is none.
    """
    from splitcrit.inference.tested_trees import answer_of, branches, pvalue_label  # other pictures need no learner

    if not hasattr(fitted, "verdicts_"):
        rule, remedy = "this plot takes an inference tree", "fit an InferenceTreeClassifier or InferenceTreeRegressor"
        raise TypeError(complaint(rule, type(fitted).__name__, remedy))
    digits = whole(digits, "digits", 1, 17)
    names, tree = list(map(plot_label, fitted.names_of_columns(feature_names))), fitted.nodes_
    place = places(tree.children_left, tree.children_right)
    ax = axes(ax, LEVEL * (1 - place[:, 1].min()))
    panel = _classes if hasattr(fitted, "classes_") else _responses if fitted.n_outputs_ == 1 else None
    panel = _survival if hasattr(fitted, "survival_curves_") else panel
    for node, (x, y) in enumerate(place):
        verdict = pvalue_label(fitted, node)
        if tree.children_left[node] < 0:
            if panel is not None:
                panel(ax, fitted, node, float(x), float(y))
            _frame(ax, x, y)
            words = [f"n = {tree.n_node_samples[node]}", plot_label(answer_of(fitted, node, digits))]
            words += verdict.replace(" at ", ", at ").split(", ")
            ax.text(x, y - HIGH - BELOW, "\n".join(filter(None, words)), ha="center", va="top", fontsize=8)
            continue
        feature, *words = branches(fitted, node, digits)
        for child, said_there in zip((tree.children_left[node], tree.children_right[node]), words, strict=True):
            _edge(ax, plot_label(said_there, SPLIT).replace("<=", "≤").replace(">  ", "> "), x, y, *place[child])
        ax.text(x, y, f"{names[feature]}\n{verdict}", ha="center", va="center", fontsize=9, bbox=PAPER)
    ax.set(xlim=(place[:, 0].min() - 0.6, place[:, 0].max() + 0.6), ylim=(place[:, 1].min() - HIGH - 0.7, 0.3))
    ax.set_axis_off()
    return ax


def places(left: Array, right: Array) -> Array:
    """Places ``(nodes, 2)``: leaves 1 apart from left to right, a parent midway above, a level 1 below another.

    Examples
    --------
    >>> places([1, -1, -1], [2, -1, -1]).tolist()
    [[0.5, 0.0], [0.0, -1.0], [1.0, -1.0]]
    """
    place, leaves = np.zeros((len(left), 2)), 0
    for node in range(len(left)):  # a child stands after its parent
        for child in (left[node], right[node]) if left[node] >= 0 else ():
            place[child, 1] = place[node, 1] - 1
    waiting = [0]
    while waiting:  # leaves are met from left to right
        if left[node := waiting.pop()] < 0:
            place[node, 0], leaves = leaves, leaves + 1
        else:
            waiting += [right[node], left[node]]
    for node in reversed(range(len(left))):
        if left[node] >= 0:
            place[node, 0] = (place[left[node], 0] + place[right[node], 0]) / 2
    return place


def _name_classes(ax: Any, classes: Any) -> None:
    """Name the classes above the tree, in the order and the colours of the marks in a leaf."""
    from matplotlib.patches import Patch

    marks = [Patch(color=COLOURS[(i + 1) % len(COLOURS)], label=plot_label(name)) for i, name in enumerate(classes)]
    ax.legend(handles=marks, ncols=min(len(marks), 5), fontsize=8, **ABOVE)


def _edge(ax: Any, words: str, x: float, y: float, a: float, b: float) -> None:
    """Draw the line from a node at ``(x, y)`` to a child at ``(a, b)`` with its condition."""
    ax.plot([x, a], [y, b], color="grey", linewidth=1, zorder=0)
    ax.text(0.4 * x + 0.6 * a, 0.4 * y + 0.6 * b, words, ha="center", va="center", fontsize=8, bbox=EDGE)


def _classes(ax: Any, fitted: Any, node: int, x: float, y: float) -> None:
    """Draw a bar for the share of each class; a full one is as high as the frame."""
    shares, each = fitted.nodes_.value[node, 0], WIDE / len(fitted.classes_)
    _name_classes(ax, fitted.classes_)
    for i, share in enumerate(shares):
        middle, colour = x - WIDE / 2 + (i + 0.5) * each, COLOURS[(i + 1) % len(COLOURS)]
        ax.bar(middle, HIGH * share, 0.8 * each, y - HIGH, color=colour)


def _survival(ax: Any, fitted: Any, node: int, x: float, y: float) -> None:
    """Draw the Kaplan-Meier curve of a leaf up to its last time; the frame ends at the last time of any leaf."""
    from splitcrit.columns.response_scores import times_and_events

    last = {leaf: times_and_events(rows)[0].max() for leaf, rows in fitted.leaf_responses_.items()}
    curve, unit = fitted.survival_curves_[node], WIDE / (max(last.values()) or 1.0)
    times, survival = [0.0, *curve.times, last[node]], [1.0, *curve.survival, [1.0, *curve.survival][-1]]
    across, up = x - WIDE / 2 + unit * np.array(times), y - HIGH + HIGH * np.array(survival)
    ax.step(across, up, where="post", color=COLOURS[1], linewidth=1.5)


def _responses(ax: Any, fitted: Any, node: int, x: float, y: float) -> None:
    """Draw the mean of a leaf, and a line of one standard deviation to each side, between the least and the largest."""
    tree = fitted.nodes_
    leaf = tree.children_left < 0
    spread = tree.impurity if fitted.criterion == "absolute_error" else np.sqrt(tree.impurity)
    low, high = (tree.value[:, 0, 0] - spread)[leaf].min(), (tree.value[:, 0, 0] + spread)[leaf].max()
    unit = HIGH / (high - low) if high > low else 0.0
    middle, half = y - HIGH + (tree.value[node, 0, 0] - low) * unit, spread[node] * unit
    ax.plot([x, x], [middle - half, middle + half], color=COLOURS[1], linewidth=2)
    ax.plot([x], [middle], "o", color=COLOURS[2])


def _frame(ax: Any, x: float, y: float) -> None:
    """Draw the frame of a leaf's panel."""
    left, right = x - WIDE / 2, x + WIDE / 2
    ax.plot([left, right, right, left, left], [y - HIGH, y - HIGH, y, y, y - HIGH], color="black", linewidth=0.8)


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
    nodes, shape = result.nodes, Structure.of(result.estimator)
    place = places(shape.left, shape.right)
    ax = axes(ax, LEVEL * (1 - place[:, 1].min()))
    panel = _medians if result.classes is None else _shares
    for node, (x, y) in enumerate(place):
        if shape.left[node] < 0:
            panel(ax, result, int(nodes[node]), ends, (x, y - HIGH))
            _frame(ax, x, y)
            ax.text(x, y - HIGH - BELOW, words[nodes[node]], ha="center", va="top", fontsize=8)
            continue
        for child in (shape.left[node], shape.right[node]):
            ax.plot([x, place[child, 0]], [y, place[child, 1]], color="grey", linewidth=1, zorder=0)
        ax.text(x, y, words[nodes[node]], ha="center", va="center", fontsize=9, bbox=PAPER)
    ax.set(xlim=(place[:, 0].min() - 0.6, place[:, 0].max() + 0.6), ylim=(place[:, 1].min() - HIGH - 0.5, 0.3))
    ax.set_axis_off()
    return ax


def _words(result: SignificantSubtree, feature_names: Any) -> list[str]:
    """The text at each node of the grown tree."""
    texts, tests = [], result.tests
    for node, condition in enumerate(result.conditions(feature_names, 3)):
        split, rows = plot_label(condition.replace("<=", "≤"), SPLIT), f"{result.sizes[node]} rows"
        compared = f"p = {tests.p[node]:.2g} {'≤' if tests.rejected[node] else '>'} {tests.level[node]:.2g}"
        why = compared if tests.why[node] in ("kept", "not kept") else tests.why[node]
        lines = [split, compared] if tests.rejected[node] else [rows, split, why] if split else [rows]
        texts.append("\n".join(lines))
    return texts


def _shares(ax: Any, result: SignificantSubtree, node: int, ends: tuple[Array, Array], corner: Any) -> None:
    """Draw the share of each class among the testing rows of a leaf, and an interval for its probability."""
    assert result.classes is not None
    counts, (low, high) = result.values[node], ends
    x, bottom = corner
    each = WIDE / len(counts)
    _name_classes(ax, result.classes)
    for share in (0, 1):
        ax.text(x - WIDE / 2 - 0.02, bottom + HIGH * share, str(share), ha="right", va="center", fontsize=8)
    for i in range(len(counts)):
        middle = x - WIDE / 2 + (i + 0.5) * each
        colour = COLOURS[(i + 1) % len(COLOURS)]
        ax.plot([middle, middle], bottom + HIGH * np.array([low[node, i], high[node, i]]), color=colour, linewidth=3)
        ax.plot([middle], [bottom + HIGH * counts[i] / max(counts.sum(), 1)], "o", color=colour, markersize=4)


def _medians(ax: Any, result: SignificantSubtree, node: int, ends: tuple[Array, Array], corner: Any) -> None:
    """Draw the mean of a leaf, and an interval for its median, between the least and the largest testing response."""
    x, bottom = corner
    lowest = result.testing.responses.min()
    highest = result.testing.responses.max()
    unit = HIGH / (highest - lowest) if highest > lowest else 0.0
    low, high = (np.clip(end[node, 0], lowest, highest) for end in ends)
    mean = bottom + (result.values[node, 0] - lowest) * unit
    ax.plot([x, x], [bottom + (low - lowest) * unit, bottom + (high - lowest) * unit], color=COLOURS[1], linewidth=3)
    ax.plot([x - WIDE / 4, x + WIDE / 4], [mean, mean], color=COLOURS[2], linewidth=2)
