"""The significant part of a fitted tree: its splits tested from the root down on rows that it has not seen.

Main definitions: ``significant_subtree``, ``significant_part``; ``SignificantSubtree``, the tree with a level, a
p-value and a verdict for each split, as text, as a table and as a picture; ``column_names``.
Main results: any split whose null hypothesis is true is kept in at most a share alpha of data sets; see ``familywise``.
Source: the levels are those of goeman2010 without recycling; rows that grow and rows that test, athey2016.
"""

from __future__ import annotations

import reprlib
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, final

import numpy as np

from splitcrit.arguments import Array, between
from splitcrit.data.columns import as_frame
from splitcrit.display import html_table, summary, visible_name
from splitcrit.frozen import complaint
from splitcrit.inference.familywise import medians, simultaneous
from splitcrit.inference.held_out import HeldOut, held_out, refuse_training_rows
from splitcrit.inference.testing import TreeTestPlan, TreeTests, node_tests
from splitcrit.nulls.groups import dependence_of
from splitcrit.trees.tree_arrays import Structure, nodes_kept


def significant_subtree(
    tree: Any, X: Any, y: Any, alpha: float = 0.05, shares: Any = "halves", sample_weight: Any = None, *,
    nested: bool = False, permutations: int | None = None, rng: Any = None, groups: Any = None, strata: Any = None,
) -> SignificantSubtree:  # fmt: skip
    """The significant part of a fitted tree, whose splits are tested on rows that it has not seen.

    The root is tested at level alpha, and a node below rejected ones at its share of the level of its parent.

    Parameters
    ----------
    tree : estimator
        A fitted classification or regression tree with scikit-learn's ``tree_`` and ``decision_path``.
    X : array (n, d)
        Rows that did not grow the tree.
    y : array (n,)
        Their classes or responses.
    alpha : float
        The share of data sets in which any split is kept whose null hypothesis is true.
    shares : {"halves", "testable", "rows"} or array (nodes,)
        Half of a node's level to each child; all of it to a child whose sibling cannot be tested, for it has rows on
        one side only or of one class; in proportion to the testing rows; or a share for each node, which must not
        depend on ``y``.
    sample_weight : array (n,), optional
        Counts: a row of weight 2 stands for two rows; one number for each class is refused.
    nested : bool
        Whether to test that the response is independent of the leaf below a node, not only of its side.
    permutations : int, optional
        How many random orders a test draws that is not exact, with 1/(1 + permutations) at most .95 of the level; by
        default 20/level, up to a million.
    rng
        What ``numpy.random.default_rng`` takes.
    groups : array (n,), optional
        The group of each row, such as a patient, none of whose rows grew the tree: at a node the labels of a group move
        together, over the groups that have rows there, and each has one vote.
    strata : array (n,), optional
        The stratum of each row, such as a site, within which labels are exchangeable: they move there alone.

    Returns
    -------
    SignificantSubtree

    Raises
    ------
    ValueError, TypeError
        If the rows are those that grew the tree, by its nodes, have other columns or unseen classes; if
        weights are no counts; if alpha is not in (0, 1), or a parameter is no such thing; if permutations are too few.

    See Also
    --------
    HonestTreeClassifier : Divides the rows and does both steps.
    audit : Many trees, with a false discovery rate.

    Notes
    -----
    The rows are independent draws from one law, or their labels are in random order. The null hypothesis of a node:
    given that a row reaches it, its response is independent of the side it takes. A p-value is that of the side as a
    column of the rows of the node, see ``split_test``: of two classes the sum of a hypergeometric law, of more exact
    where that is quick, else ``min(1, p/.95, 1/(.05 E))``, of random orders and of evidence. A kept split says that the
    two sides differ in the law of the response, not why; for responses the score is the decrease in variance, and it is
    their laws, not their means alone, that the hypothesis calls equal.

    References
    ----------
    goeman2010; athey2016.

    Examples
    --------
    >>> import numpy as np
    >>> from splitcrit import TreeClassifier
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=(400, 5))
    >>> y = rng.random(400) < np.where(x[:, 2] > 0, 0.8, 0.2)
    >>> grown = TreeClassifier(max_depth=4).fit(x[:200], y[:200])
    >>> found = significant_subtree(grown, x[200:], y[200:])
    >>> grown.get_n_leaves(), found.estimator.get_n_leaves(), found.estimator.tree_.feature.tolist()
    (12, 2, [2, -2, -2])
    """
    if hasattr(tree, "result_"):
        rule, remedy = "a split is tested on rows that did not choose it", "pass its grown_, and rows new to it"
        raise ValueError(complaint(rule, f"{type(tree).__name__}, which has tested its tree", remedy))
    plan = TreeTestPlan(alpha, shares, nested, permutations, rng)
    fresh = held_out(tree, X, y, sample_weight)
    refuse_training_rows(tree, fresh)
    if (among := dependence_of(groups, strata, len(fresh.responses), weights=sample_weight)) is not None:
        plan = replace(plan, among=among)
        fresh = replace(fresh, remarks=(*fresh.remarks, *among.remarks()))
    return significant_part(tree, fresh, plan)


def significant_part(tree: Any, fresh: HeldOut, plan: TreeTestPlan) -> SignificantSubtree:
    """The significant part of a fitted tree, given rows that are known to be new to it."""
    from splitcrit.trees.estimators.sklearn_tree import without_splits  # only here: a picture needs no learner

    tests = node_tests(fresh, plan)
    estimator = without_splits(tree, tests.rejected)
    nodes = nodes_kept(fresh.structure, tests.rejected)
    return SignificantSubtree(estimator, fresh, tests, nodes, float(plan.alpha))


@final
@dataclass(frozen=True, eq=False, repr=False)
class SignificantSubtree:
    """The significant splits of a tree, and what became of the others; it prints as a tree.

    Parameters
    ----------
    estimator : estimator
        The tree with these splits only; it predicts, plots and exports like the one that was grown, whose values,
        sizes and impurities its nodes still have.
    testing : HeldOut
        The testing rows at the nodes of the tree that was grown.
    tests : TreeTests
        Level, p-value, verdict and reason of each of its nodes; the method of the p-value and its standard error.
    nodes : int array
        Which of its nodes the nodes of ``estimator.tree_`` are.
    alpha : float

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from splitcrit.inference.significant_part import significant_subtree
    >>> x, y = np.arange(80.0)[:, None], np.arange(80) >= 40
    >>> grown = DecisionTreeClassifier().fit(x[::2], y[::2])
    >>> print(significant_subtree(grown, x[1::2], y[1::2]))
    x0 <= 39: 40 rows, p = 1.45e-11 at level 0.05, kept
      20 rows, leaf
      20 rows, leaf
    """

    estimator: Any
    testing: HeldOut
    tests: TreeTests
    nodes: Array
    alpha: float

    @property
    def structure(self) -> Structure:
        """The tree that was grown."""
        return self.testing.structure

    @property
    def sizes(self) -> Array:
        """The number of testing rows that reach each of its nodes."""
        return self.testing.sizes

    @property
    def values(self) -> Array:
        """Their class counts ``(nodes, K)``, or their mean response ``(nodes, 1)``."""
        return self.testing.values

    @property
    def classes(self) -> Array | None:
        """The classes, in the order of the counts; None where responses are numbers."""
        return self.testing.classes

    def intervals(self, delta: float = 0.05) -> tuple[Array, Array]:
        """The ends of intervals that hold together in all nodes of the grown tree, whichever are kept.

        Of classes they are of their probabilities ``(nodes, K)``. Of responses they are of the median ``(nodes, 1)``,
        infinite where rows are too few: without a law of the responses nothing bounds a mean, which one rare and
        large response may move as far as it likes.

        Raises
        ------
        ValueError
            If delta is not in (0, 1).
        """
        error = float(between(delta, "delta", 0, 1, ends=False, example=0.05))
        if self.classes is not None:
            return simultaneous(self.values, error)
        return medians([self.testing.responses[rows] for rows in self.testing.rows], error)

    def conditions(self, feature_names: Any = None, digits: int = 4) -> list[str]:
        """The condition that sends rows left at each node of the grown tree, "" at a leaf."""
        names = column_names(self.estimator, feature_names)
        features = self.estimator.n_features_in_
        subsets = [left for left, _ in self.estimator.sides_of(names)] if len(names) > features else []
        nodes = zip(self.structure.left, self.structure.feature, self.structure.threshold, strict=True)
        return [
            "" if child < 0 else subsets[f - features] if f >= features else f"{names[f]} <= {threshold:.{digits}g}"
            for child, f, threshold in nodes
        ]

    def columns(self, feature_names: Any = None) -> dict[str, Any]:
        """The columns of ``to_frame``: lists and arrays with an entry for each node of the grown tree."""
        place = np.full(len(self.tests.p), -1)
        place[self.nodes] = np.arange(len(self.nodes))
        return {
            "node": np.arange(len(place)),
            "depth": self.structure.depth,
            "split": self.conditions(feature_names),
            "rows": self.sizes,
            "level": self.tests.level,
            "p": self.tests.p,
            "method": list(self.tests.method),
            "standard_error": self.tests.error,
            "verdict": list(self.tests.why),
            "kept_as": place,
        }

    def to_frame(self, feature_names: Any = None) -> Any:
        """A pandas data frame with a row for each node of the grown tree.

        Column ``kept_as`` is the node's number in ``estimator.tree_``, -1 if it is not there.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return as_frame(self.columns(feature_names), "install it, or read result.columns()")

    def plot(self, *, ax: Any = None) -> Any:
        """Draw the grown tree and what became of it, as ``splitcrit.plots.plot_significant_subtree`` does."""
        return import_module("splitcrit.plots.inference_tree").plot_significant_subtree(self, ax=ax)

    def to_text(self, feature_names: Any = None) -> str:
        """A line for each node of the tree that was grown, with what became of it, indented by depth."""
        splits, sizes, depth = self.conditions(feature_names), self.sizes, self.structure.depth
        lines = []
        waiting = [0]
        while waiting:
            node = waiting.pop()
            level = self.tests.level[node]
            p = self.tests.p[node]
            test = "" if np.isnan(p) else f"p = {p:.3g} at level {level:.3g}, "
            split = f"{visible_name(splits[node])}: " if splits[node] else ""
            rows = "1 row" if sizes[node] == 1 else f"{sizes[node]} rows"
            lines.append(f"{'  ' * depth[node]}{split}{rows}, {test}{self.tests.why[node]}")
            if split:
                waiting += [int(self.structure.right[node]), int(self.structure.left[node])]
        return "\n".join([*lines, *self.testing.remarks])

    def __repr__(self) -> str:
        passed = int(self.tests.rejected.sum())
        tested = int((self.structure.left >= 0).sum())
        return summary(self, splits=tested, kept=passed, alpha=self.alpha, rows=int(self.sizes[0]))

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        columns = self.columns()
        notes = [f"alpha = {self.alpha:g}", *self.testing.remarks]
        return html_table(list(columns), zip(*columns.values(), strict=True), notes=notes)


def column_names(tree: Any, feature_names: Any = None) -> list[str]:
    """Names for the columns that a fitted tree divides by.

    Raises
    ------
    TypeError, ValueError
        If names are passed that are no list, or not one for each feature.
    """
    if hasattr(tree, "names_of_columns"):  # ours: columns for subsets of categories stand behind the features
        return list(tree.names_of_columns(feature_names))
    if feature_names is None:
        return list(getattr(tree, "feature_names_in_", [f"x{i}" for i in range(tree.n_features_in_)]))
    if np.ndim(feature_names) != 1:
        rule = "feature names must be a list of strings"
        got = reprlib.repr(feature_names)
        raise TypeError(complaint(rule, got, "pass one for each feature"))
    if len(feature_names) != tree.n_features_in_:
        rule = f"{tree.n_features_in_} features need one name each"
        raise ValueError(complaint(rule, f"{len(feature_names)}", "pass one for each"))
    return [str(name) for name in feature_names]
