"""Measures of a fitted classifier: accuracy, pure accuracy, and how wide its tree is.

Main definitions: ``accuracy``, ``pure_accuracy``, ``nodes_per_layer``, ``Layers``.
Source: wang2024, Section 5.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from sklearn.metrics import accuracy_score, cohen_kappa_score

from splitcrit.values import complaint

Layers = Literal["inner", "all"]


def accuracy(y_true: Any, y_pred: Any) -> float:
    """Return the share of rows whose class is predicted; scikit-learn's ``accuracy_score``.

    References
    ----------
    wang2024, eq. (30).

    Examples
    --------
    >>> accuracy(["a", "b", "b"], ["a", "b", "a"])
    0.6666666666666666
    """
    return float(accuracy_score(y_true, y_pred))


def pure_accuracy(y_true: Any, y_pred: Any) -> float:
    """Return accuracy less what two independent labellings with the same class totals share, rescaled to 1 at most.

    With ``RAcc`` the sum over classes of the product of their shares among labels and predictions, ::

        PAcc = (Acc - RAcc) / (1 - RAcc)

    which is Cohen's kappa, as scikit-learn computes it.

    Returns
    -------
    float
        0 where one class is all that occurs on both sides: chance explains every agreement.

    Notes
    -----
    Proved: score.pure_accuracy_is_kappa, score.pure_accuracy_never_exceeds_accuracy

    References
    ----------
    wang2024, eq. (31).

    Examples
    --------
    >>> pure_accuracy([0, 0, 1, 1], [0, 0, 1, 0])
    0.5
    """
    truth, guess = np.asarray(y_true), np.asarray(y_pred)
    if truth.shape == guess.shape and truth.size and len(np.unique(np.concatenate([truth, guess]))) == 1:
        return 0.0
    return float(cohen_kappa_score(truth, guess))


def nodes_per_layer(fitted: Any, layers: Layers = "inner") -> float:
    """Return the number of nodes that branch, over the number of layers of the tree.

    Parameters
    ----------
    fitted : a fitted tree
        A `MultiwayTreeClassifier`, a `TreeClassifier` or `TreeRegressor`, or a tree of scikit-learn.
    layers : {"inner", "all"}
        Which layers count: those that hold a node that branches, as many as the depth; or the layer of the deepest
        leaves as well, one more. The paper does not say.

    Returns
    -------
    float
        0 for a tree that is a leaf.

    References
    ----------
    wang2024, Section 5.3.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> nodes_per_layer(DecisionTreeClassifier().fit([[0], [1], [2], [3]], [0, 1, 0, 0]))
    1.0
    """
    if layers not in ("inner", "all"):
        raise ValueError(complaint("layers are counted in one of two ways", repr(layers), "pass 'inner' or 'all'"))
    tree = getattr(fitted, "tree_", None)
    if tree is None:
        rule = "nodes per layer are those of a fitted tree"
        raise TypeError(complaint(rule, type(fitted).__name__, "fit a tree, or take the mean over those of a forest"))
    inner = tree.children_left >= 0 if hasattr(tree, "children_left") else tree.inner
    depth = int(tree.max_depth)
    return float(np.sum(inner)) / (depth + (layers == "all")) if depth else 0.0
