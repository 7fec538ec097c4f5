"""A multiway tree as text and as graphviz source.

Main definitions: ``text_of``, ``graphviz_of``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from splitcrit.arguments import whole
from splitcrit.display import visible_name
from splitcrit.multiway.tree import MultiwayTree

Say = Callable[[int], str]
MOST = 17  # digits that tell float64 apart


def _branch(tree: MultiwayTree, names: Sequence[str], digits: int) -> Say:
    """Return the text for the values of the parent's feature that a node holds."""
    digits = whole(digits, "digits", 0, MOST)

    def said(node: int) -> str:
        parent = int(tree.parent[node])
        low, high = (f"{side[node]:.{digits}g}" for side in (tree.low, tree.high))
        name = names[tree.feature[parent]]
        return f"{name} = {low}" if tree.low[node] == tree.high[node] else f"{name} in [{low}, {high}]"

    return said


def _leaf(tree: MultiwayTree, classes: Sequence[Any], labels: Any) -> Say:
    """Return the text for the class of a node and its class counts."""
    return lambda node: f"class {classes[labels[node]]} {tree.counts[node].tolist()}"


def text_of(
    tree: MultiwayTree, names: Sequence[str], classes: Sequence[Any], labels: Any, *,
    digits: int = 6, max_depth: int | None = None,
) -> str:  # fmt: skip
    """Return one line a node, indented by depth: the values that lead to it; its class and class counts at a leaf.

    Parameters
    ----------
    tree : MultiwayTree
    names : the features' names
    classes : the classes' names
    labels : int array (nodes,)
        The place of each node's class.
    digits : int
        Significant digits of values.
    max_depth : int, optional
        Nodes below this depth are left out; their ancestors get dots.
    """
    max_depth = None if max_depth is None else whole(max_depth, "max_depth", 0)
    names, classes = (list(map(visible_name, each)) for each in (names, classes))
    branch, leaf, lines = _branch(tree, names, digits), _leaf(tree, classes, labels), []
    waiting = [0]
    while waiting:
        node = waiting.pop()
        cut = max_depth is not None and tree.depth[node] >= max_depth and tree.width[node] > 0
        words = [branch(node)] if node else []
        words += [leaf(node)] if tree.width[node] == 0 else ["..."] if cut else []
        if words:
            lines.append("|   " * (int(tree.depth[node]) - 1) + "|--- " * (node > 0) + ": ".join(words))
        waiting += [] if cut else reversed(tree.children(node))
    return "\n".join(lines) + "\n"


def graphviz_of(
    tree: MultiwayTree, names: Sequence[str], classes: Sequence[Any], labels: Any, *, digits: int = 6
) -> str:
    """Return the source of a directed graph: nodes say feature and score, or class; edges say values."""
    names, classes = (list(map(visible_name, each)) for each in (names, classes))
    branch, leaf = _branch(tree, names, digits), _leaf(tree, classes, labels)
    lines = ["digraph tree {", 'node [shape=box, fontname="helvetica"];']
    for node in range(len(tree.width)):
        split = f"{names[tree.feature[node]]}\nscore {tree.score[node]:.{digits}g}"
        lines.append(f"{node} [label={_quoted(split if tree.width[node] else leaf(node))}];")
        values = branch(node).removeprefix(names[tree.feature[tree.parent[node]]]).removeprefix(" in") if node else ""
        lines += [f"{tree.parent[node]} -> {node} [label={_quoted(values.strip())}];"] if node else []
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(words: str) -> str:
    """Return a string as graphviz reads it."""
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
