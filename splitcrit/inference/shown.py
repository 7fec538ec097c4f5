"""A tree of tested splits as text.

Main definitions: ``as_text``; ``said_of`` and ``answer_of`` a node, its ``branches``, ``short``, a number.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

BAR, TURN = "|   ", "|--- "
PROMISES = {
    "selective": "With probability at least {rest:g} no node is split whose labels depend on no feature; "
    "p is of some split.",
    "node": "Each node is tested at {alpha:g}, which holds at the root alone; p is of {what}.",
}
NAMED = {"bonferroni": "the feature that splits"}  # corrections that name a feature


def as_text(fitted: Any, feature_names: Any = None, digits: int = 4) -> str:
    """Return a fitted tree of tested splits as text: what it promises, then a line for each branch, with p-values."""
    promise = PROMISES[fitted.test].format(
        alpha=fitted.alpha, rest=1 - fitted.alpha, what=NAMED.get(fitted.correction_, "some split")
    )
    return "\n".join([promise, *_lines(fitted, fitted.names_of_columns(feature_names), digits, 0, 0)])


def said_of(fitted: Any, node: int) -> str:
    """Return what the test of a node says, at which level if its split is not kept; empty where it was not tested."""
    found = next((each for each in fitted.verdicts_ if each.node == node), None)
    if found is None:
        return ""
    return f"p = {found.pvalue:.3g}" + ("" if found.verdict == "split" else f", {found.verdict} at {found.level:.3g}")


def answer_of(fitted: Any, node: int, digits: int) -> str:
    """Return what a node predicts."""
    value = fitted.tree_.value[node, 0]
    if not hasattr(fitted, "classes_"):
        return f"value: {short(value[0], digits)}"
    return f"class: {fitted.classes_[value.argmax()]}"


def short(value: float, digits: int) -> str:
    """Return a number with a few digits, or as an integer if it has more before the point.

    Examples
    --------
    >>> short(-0.0037612, 3), short(755.0, 4), short(123456.7, 4)
    ('-0.00376', '755', '123457')
    """
    return f"{value:.{digits}g}" if abs(value) < 10**digits else f"{value:.0f}"


def branches(fitted: Any, node: int, digits: int) -> tuple[int, str, str]:
    """Return the feature that a node is split by, and what is so of its values on the left and on the right."""
    if (split := fitted.splits_.get(node)) is not None:
        return split.feature, split.says("left", "").strip(), split.says("right", "").strip()
    threshold = short(fitted.tree_.threshold[node], digits)
    return int(fitted.tree_.feature[node]), *fitted.number_sides(threshold, fitted.missing_sides()[node])


def _lines(fitted: Any, names: list[str], digits: int, node: int, depth: int) -> Iterator[str]:
    tree, indent, said = fitted.tree_, BAR * depth + TURN, said_of(fitted, node)
    if tree.children_left[node] < 0:
        rows = f"{tree.n_node_samples[node]} rows"
        yield f"{indent}{answer_of(fitted, node, digits)} ({'; '.join(filter(None, [rows, said]))})"
        return
    feature, left, right = branches(fitted, node, digits)
    yield f"{indent}{names[feature]} {left}  ({said})"
    yield from _lines(fitted, names, digits, int(tree.children_left[node]), depth + 1)
    yield f"{indent}{names[feature]} {right}"
    yield from _lines(fitted, names, digits, int(tree.children_right[node]), depth + 1)
