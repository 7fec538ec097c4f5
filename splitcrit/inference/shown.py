"""A tree of tested splits as text.

Main definitions: ``as_text``, ``names_of``, ``said_of``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sklearn.utils.validation import check_is_fitted

BAR, TURN = "|   ", "|--- "


def as_text(fitted: Any, feature_names: Any = None, decimals: int = 2) -> str:
    """Return a fitted tree of tested splits as text: a line for each branch, with the p-value of the split."""
    check_is_fitted(fitted)
    return "\n".join(_lines(fitted, fitted.names_of_columns(feature_names), decimals, 0, 0))


def said_of(fitted: Any, node: int) -> str:
    """Return what the test of a node says, empty where it was not tested."""
    found = next((each for each in fitted.verdicts_ if each.node == node), None)
    if found is None:
        return ""
    return f"p = {found.pvalue:.3g}" + ("" if found.verdict == "split" else f", {found.verdict}")


def _lines(fitted: Any, names: list[str], decimals: int, node: int, depth: int) -> Iterator[str]:
    tree, indent = fitted.tree_, BAR * depth + TURN
    if tree.children_left[node] < 0:
        said = said_of(fitted, node)
        rows = int(tree.n_node_samples[node])
        yield f"{indent}{_answer(fitted, node, decimals)} ({rows} rows{'; ' * bool(said)}{said})"
        return
    name, threshold = names[tree.feature[node]], f"{tree.threshold[node]:.{decimals}f}"
    yield f"{indent}{name} <= {threshold}  ({said_of(fitted, node)})"
    yield from _lines(fitted, names, decimals, int(tree.children_left[node]), depth + 1)
    yield f"{indent}{name} >  {threshold}"
    yield from _lines(fitted, names, decimals, int(tree.children_right[node]), depth + 1)


def _answer(fitted: Any, node: int, decimals: int) -> str:
    value = fitted.tree_.value[node, 0]
    if not hasattr(fitted, "classes_"):
        return f"value: {value[0]:.{decimals}f}"
    return f"class: {fitted.classes_[value.argmax()]}"
