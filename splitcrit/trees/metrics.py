"""Measures of a fitted classifier: accuracy, pure accuracy, and how wide its tree is.

Main definitions: ``accuracy``, ``pure_accuracy``, ``nodes_per_layer``, ``Layers``.
Source: wang2024, Section 5.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from splitcrit.arguments import Array, one_of
from splitcrit.data.training_inputs import column, compared, labels_of
from splitcrit.frozen import complaint, extra
from splitcrit.trees.tree_arrays import nodes_of

with extra(__name__):
    from sklearn.metrics import accuracy_score, cohen_kappa_score

Layers = Literal["inner", "all"]


def accuracy(y_true: Any, y_pred: Any) -> float:
    """The share of rows whose class is predicted; scikit-learn's ``accuracy_score``.

    Parameters
    ----------
    y_true, y_pred : array (n,)
        True and predicted classes.

    Raises
    ------
    ValueError
        If they are not two vectors of classes of one length, at least 1.

    References
    ----------
    wang2024, eq. (30).

    Examples
    --------
    >>> accuracy(["a", "b", "b"], ["a", "b", "a"])
    0.6666666666666666
    """
    return float(accuracy_score(*_labels(y_true, y_pred)))


def pure_accuracy(y_true: Any, y_pred: Any) -> float:
    """Accuracy less what two independent labellings with the same class totals share, rescaled to 1 at most.

    With ``RAcc`` the sum over classes of the product of their shares among labels and predictions, ::

        PAcc = (Acc - RAcc) / (1 - RAcc)

    which is Cohen's kappa, as scikit-learn computes it.

    Parameters
    ----------
    y_true, y_pred : array (n,)
        True and predicted classes.

    Returns
    -------
    float
        0 where one class is all that occurs on both sides: chance explains every agreement.

    Raises
    ------
    ValueError
        If they are not two vectors of classes of one length, at least 1.

    Notes
    -----
    Proved: null.pure_accuracy_is_kappa, null.pure_accuracy_never_exceeds_accuracy

    References
    ----------
    wang2024, eq. (31).

    Examples
    --------
    >>> pure_accuracy([0, 0, 1, 1], [0, 0, 1, 0])
    0.5
    """
    truth, guess = _labels(y_true, y_pred)
    if (truth == truth[0]).all() and (guess == truth[0]).all():
        return 0.0
    return float(cohen_kappa_score(truth, guess))


def _labels(y_true: Any, y_pred: Any) -> tuple[Array, Array]:
    """Codes of true and predicted labels of one kind, two vectors of one length, at least 1."""
    truth = labels_of(column(y_true))
    guess = compared(truth, y_pred, "among true labels")
    if len(truth) != len(guess) or not len(truth):
        rule = "true and predicted labels must be equally long vectors"
        raise ValueError(complaint(rule, f"{len(truth)} and {len(guess)}", "pass a class for every row"))
    both = np.array([truth.tolist(), guess.tolist()], dtype=object)  # objects, since texts of numpy forget a final NUL
    truth, guess = np.unique(both, return_inverse=True)[1].reshape(2, -1)
    return truth, guess


def nodes_per_layer(fitted: Any, layers: Layers = "inner") -> float:
    """The number of nodes that branch, over the number of layers of the tree.

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
    one_of(layers, Layers, "layers")
    tree = nodes_of(fitted)
    if tree is fitted or tree is None or isinstance(fitted, type):
        rule = "nodes_per_layer takes a fitted tree"
        raise TypeError(complaint(rule, type(fitted).__name__, "fit a tree; for a forest, average over its trees"))
    inner = tree.children_left >= 0 if hasattr(tree, "children_left") else tree.inner
    depth = int(tree.max_depth)
    return float(np.sum(inner)) / (depth + (layers == "all")) if depth else 0.0
