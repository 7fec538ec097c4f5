"""The significant part of a fitted tree: its splits tested from the root down on rows that it has not seen.

Main definitions: ``significant_subtree``, ``significant_part``.
Main results: the probability that any split is kept whose null hypothesis is true is at most alpha; see ``hierarchy``.
Source: the levels are those of goeman2010 without recycling; rows that grow and rows that test, athey2016.
"""

from __future__ import annotations

from typing import Any

from splitcrit.frozen import complaint
from splitcrit.inference.held_out import HeldOut, held_out
from splitcrit.inference.seen import refuse_training_rows
from splitcrit.inference.subtree_results import SignificantSubtree
from splitcrit.inference.subtrees import nodes_kept, without_splits
from splitcrit.inference.testing import Plan, node_tests


def significant_subtree(
    tree: Any, X: Any, y: Any, alpha: float = 0.05, shares: Any = "halves", sample_weight: Any = None, **options: Any
) -> SignificantSubtree:
    """Return the significant part of a fitted tree, whose splits are tested on rows that it has not seen.

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
        The probability of keeping any split whose null hypothesis is true.
    shares : {"halves", "testable", "rows"} or array (nodes,)
        Half of a node's level to each child; all of it to a child whose sibling cannot be tested, for it has rows on
        one side only or of one class; in proportion to the testing rows; or a share for each node, which must not
        depend on ``y``.
    sample_weight : array (n,), optional
        Counts: a row of weight 2 stands for two rows.
    **options
        ``nested=True`` tests whether the response is independent of the leaf below a node, not only of its side.
        ``permutations`` is how many random orders a test draws that is not exact, with 2/(1 + permutations) at most the
        level; by default 20/level, up to a million.
        ``rng`` is what ``numpy.random.default_rng`` takes.

    Returns
    -------
    SignificantSubtree

    Raises
    ------
    ValueError, TypeError
        If the rows are those that grew the tree, as far as its nodes tell, have other columns or unseen classes; if
        weights are no counts; if alpha is not in (0, 1), or a parameter is no such thing; if permutations are too few.

    Notes
    -----
    The rows are independent draws from one law, or their labels are in random order. The null hypothesis of a node:
    given that a row reaches it, its response is independent of the side it takes. For two classes p-values are sums of
    a hypergeometric law; for more they are exact where that is quick. Else, and for responses, ``p`` of random orders
    is joined with exact tests ``p_j``, of one class against the others or of the responses above each of seven
    quantiles: ``min(1, 2 min(p, m min_j p_j))``, ``m`` tests. A kept split says that the two sides differ in the law of
    the response, not why; for responses the score is the decrease in variance, and it is their laws, not their means
    alone, that the hypothesis calls equal.

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
    (np.int64(12), np.int64(2), [2, -2, -2])
    """
    plan = Plan(alpha, shares, **_known(options))
    if hasattr(tree, "result_"):
        rule, remedy = "a split is tested on rows that did not choose it", "pass its grown_, and rows new to it"
        raise ValueError(complaint(rule, f"{type(tree).__name__}, which has tested its tree", remedy))
    held = held_out(tree, X, y, sample_weight)
    refuse_training_rows(tree, held)
    return significant_part(tree, held, plan)


def _known(options: dict[str, Any]) -> dict[str, Any]:
    names = ("nested", "permutations", "rng")
    for name in options:
        if name not in names:
            raise TypeError(complaint(f"options are {', '.join(names)}", repr(name), "leave it out"))
    return options


def significant_part(tree: Any, held: HeldOut, plan: Plan) -> SignificantSubtree:
    """Return the significant part of a fitted tree, of rows that are known to be new to it."""
    tests = node_tests(held, plan)
    estimator, kept = without_splits(tree, tests.rejected), nodes_kept(held.structure, tests.rejected)
    return SignificantSubtree(estimator, held, tests, kept, float(plan.alpha))
