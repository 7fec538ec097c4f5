"""How far is a fitted tree from the best? Two levels of the tree at each node, beside the best tree of depth 2 there.

Let ``n_v`` rows reach node v, and let w run over what is below v after two levels: grandchildren, and leaves above
them. With an impurity i, ::

    loss(v) = sum_w (n_w / n_v) i(w),        gap(v) = loss(v) / (least loss of a tree of depth 2 on the rows of v) - 1.

Main definitions: ``optimality_gaps``, an ``OptimalityGaps`` with a ``NodeGap`` for each node.
Main results: a gap is never negative, since the tree's own two levels are among those compared.
Source: breiman1996, Section 4, which recommends to look ahead of a split.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple, final

import numpy as np

from splitcrit.arguments import finite, of_kind, whole
from splitcrit.audits.model_formats import read_model
from splitcrit.audits.models import coded
from splitcrit.audits.node_moments import NodeLabels, node_sums, parents
from splitcrit.data.training_inputs import numbers, one_for_each
from splitcrit.display import aligned, html_table, summary
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity
from splitcrit.trees.depth_two import best_depth_two

HEADS = ("node", "depth", "rows", "loss", "best", "gap", "first split of the best")
BINNED = "At least so much: a column with more values was cut at quantiles, whose number bins= sets."


class NodeGap(NamedTuple):
    """A node, the loss of its two levels, the least loss of depth 2, the first split of that tree, and if it is exact.

    The split is "" where no tree that was compared is better than the node's own levels.
    """

    node: int
    depth: int
    rows: int
    loss: float
    best: float
    split: str
    exact: bool

    @property
    def gap(self) -> float:
        """By which share the loss is above the least; infinite where that is 0."""
        return 0.0 if self.loss == self.best else self.loss / self.best - 1 if self.best else inf


@final
@dataclass(frozen=True, eq=False, repr=False)
class OptimalityGaps:
    """The gap of each node of a tree; it prints as a table.

    Parameters
    ----------
    nodes : tuple of NodeGap
        From the root down, those with two levels below them and labels of several classes.
    impurity : str
    """

    nodes: tuple[NodeGap, ...]
    impurity: str

    def __repr__(self) -> str:
        return summary(self, nodes=len(self.nodes), root=self.nodes[0].gap if self.nodes else 0.0)

    def _table(self) -> tuple[list[list[str]], list[str]]:
        rows = [
            [str(n.node), str(n.depth), str(n.rows), f"{n.loss:.4g}", f"{n.best:.4g}", f"{100 * n.gap:.1f} %", n.split]
            for n in self.nodes
        ]
        behind = sum(n.gap > 0 for n in self.nodes)
        remarks = [f"{behind} of {len(self.nodes)} nodes are above the best of depth 2 by {self.impurity}."]
        return rows, remarks + [BINNED] * any(not n.exact for n in self.nodes)

    def __str__(self) -> str:
        rows, remarks = self._table()
        return "\n".join([*aligned([HEADS, *rows], (len(HEADS) - 1,)), *remarks])

    def _repr_html_(self) -> str:
        rows, remarks = self._table()
        return html_table(HEADS, rows, notes=remarks)


def optimality_gaps(
    model: Any, X: Any, y: Any, impurity: Any, *, index: int = 0, max_depth: int | None = None, bins: int = 64,
    min_samples_leaf: int = 1,
) -> OptimalityGaps:  # fmt: skip
    """Compare a fitted tree, node by node, with the best trees of depth 2 on the rows of its nodes.

    Parameters
    ----------
    model
        What ``audit`` takes, predicting classes: a tree or forest of this library or of scikit-learn, a booster of
        XGBoost, LightGBM or CatBoost, or its file.
    X : array (n, d)
        Numbers without gaps, in the columns of the model.
    y : array (n,)
        Labels. Rows are those that grew the tree, or others; the gap is about them.
    impurity : Impurity
        Any of the library, or your own.
    index : int, default=0
        Which tree of the model; of a boosted model only the first was grown on classes.
    max_depth : int, optional
        Nodes with less than two levels down to here are left out; by default the depth of the tree, and at least 2.
        ``max_depth=2`` compares the root alone.
    bins, min_samples_leaf : int
        Of the best trees; see ``best_depth_two``.

    Returns
    -------
    OptimalityGaps

    Raises
    ------
    TypeError, ValueError
        If the model cannot be read or predicts numbers, has no such tree, or rows are not as above.

    See Also
    --------
    best_depth_two : The best tree of depth 2 itself.

    References
    ----------
    breiman1996, Section 4.

    Examples
    --------
    On a checkerboard a third column, which gains a little at once, leads a greedy tree astray:

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from splitcrit import gini
    >>> X = np.array([[0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 1]] * 5)
    >>> fitted = DecisionTreeClassifier(max_depth=2, random_state=0).fit(X, [0, 1, 1, 0] * 5)
    >>> print(optimality_gaps(fitted, X, [0, 1, 1, 0] * 5, gini))
    node  depth  rows  loss  best    gap  first split of the best
       0      0    20  0.25     0  inf %  x0 <= 0.5
    1 of 1 nodes are above the best of depth 2 by gini.
    """
    of_kind(impurity, Impurity, "a gap is that of an impurity", "pass an Impurity, such as splitcrit.gini")
    fitted = read_model(model, X, y)
    which = whole(index, "index", 0)
    if fitted.n_classes is None:
        raise ValueError(complaint("gaps are those of trees of classes", "a model of numbers", "pass a classifier"))
    most = 1 if fitted.boosted else len(fitted.trees)
    if which >= most:
        what = "a boosted model's first tree alone is grown on classes" if fitted.boosted else "trees count from 0"
        raise ValueError(complaint(what, f"index={which} of {len(fitted.trees)}", f"pass one below {most}"))
    with numbers(X):
        x = finite(X, "X", 2)
    codes = coded(fitted, y)[0]
    one_for_each(codes, len(x))
    s = fitted.trees[which].structure
    ends = next(leaf for place, leaf in enumerate(fitted.ends(X)) if place == which)
    counts = node_sums(s, ends, NodeLabels(codes, fitted.n_classes))
    depth, parent = s.depth, parents(s)
    last = max(2, int(depth.max())) if max_depth is None else whole(max_depth, "max_depth", 2)
    names = fitted.columns or fitted.features
    gaps = []

    def loss(below: list[int]) -> float:
        """The mean impurity of nodes."""
        sizes = counts[below].sum(axis=1)
        return float(sizes @ np.asarray(impurity(counts[below]), dtype=float)) / float(sizes.sum()) + 0.0  # never -0

    def children(node: int) -> list[int]:
        return [node] if s.left[node] < 0 else [int(s.left[node]), int(s.right[node])]

    for level in range(int(depth.max()), -1, -1):
        at = ends = np.where(depth[ends] > level, parent[ends], ends)  # the node of this level that each row reaches
        for node in np.unique(at[depth[at] == level]).tolist() if level <= last - 2 else ():
            if np.count_nonzero(counts[node]) > 1:
                below = [w for child in children(node) for w in children(child) if counts[w].any()]
                rows = np.flatnonzero(at == node)
                own = loss(below)
                best = best_depth_two(x[rows], codes[rows], impurity, bins=bins, min_samples_leaf=min_samples_leaf)
                better = best.root is not None and best.loss < own * (1 - 1e-12)
                split = f"{names[best.root[0]]} <= {best.root[1]:.4g}" if better and best.root else ""
                least = best.loss + 0.0 if better else own
                gaps.append(NodeGap(node, level, len(rows), own, least, split, best.exact))
    return OptimalityGaps(tuple(sorted(gaps, key=lambda gap: (gap.depth, gap.node))), str(impurity))
