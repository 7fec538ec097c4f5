"""Measures of a fitted classifier: accuracy, pure accuracy, and how wide its tree is.

Main definitions: ``accuracy``, ``pure_accuracy``, ``nodes_per_layer``, ``Layers``.
Source: wang2024, Section 5.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import masked, one_of
from splitcrit.data.counting import as_array
from splitcrit.frozen import complaint, extra

with extra(__name__):
    from sklearn.metrics import accuracy_score, cohen_kappa_score

Layers = Literal["inner", "all"]
LARGEST = 2.0**53  # of a class written as a float


def accuracy(y_true: Any, y_pred: Any) -> float:
    """Return the share of rows whose class is predicted; scikit-learn's ``accuracy_score``.

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
    return float(_compared(accuracy_score, *_labels(y_true, y_pred)))


def pure_accuracy(y_true: Any, y_pred: Any) -> float:
    """Return accuracy less what two independent labellings with the same class totals share, rescaled to 1 at most.

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
    return float(_compared(cohen_kappa_score, truth, guess))


def _labels(y_true: Any, y_pred: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return true and predicted labels as two vectors of one length, at least 1, in which nothing is masked."""
    truth, guess = (as_array(y, "labels") for y in (y_true, y_pred))
    holes = any(map(masked, (y_true, y_pred)))
    if truth.ndim != 1 or truth.shape != guess.shape or not len(truth) or holes:
        rule, got = "true and predicted labels must be equally long vectors", f"shapes {truth.shape} and {guess.shape}"
        raise ValueError(complaint(rule, f"{got}{', masked' * holes}", "pass a class for every row"))
    for labels in (truth, guess):
        if not _classes(labels):
            rule = "true and predicted labels are classes: integers, strings or booleans, none of them missing"
            raise ValueError(complaint(rule, f"an array of {labels.dtype}", "encode the classes"))
    truth, guess = (as_array(labels.tolist(), "labels") for labels in (truth, guess))
    if "O" in (truth.dtype.kind, guess.dtype.kind) and {truth.dtype.kind, guess.dtype.kind} <= {"O", "U"}:
        truth, guess = np.unique(np.array([[*truth], [*guess]], dtype=object), return_inverse=True)[1].reshape(2, -1)
    return truth, guess


def _classes(labels: NDArray[Any]) -> bool:
    if labels.dtype.kind == "f":
        numbers = labels.astype(np.float64)
        return bool((np.abs(numbers) < LARGEST).all() and (numbers == np.round(numbers)).all())
    if labels.dtype == object:
        return any(all(isinstance(x, kind) for x in labels.tolist()) for kind in (str, Integral))
    return labels.dtype.kind in "biuSU"


def _compared(measure: Any, truth: NDArray[Any], guess: NDArray[Any]) -> Any:
    try:
        return measure(truth, guess)
    except (ValueError, TypeError) as error:
        rule = "true and predicted labels must have one type"
        raise ValueError(complaint(rule, str(error).partition("\n")[0], "pass integers or strings")) from None


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
    one_of(layers, Layers, "layers")
    tree = getattr(fitted, "tree_", None)
    if tree is None:
        rule = "nodes_per_layer takes a fitted tree"
        raise TypeError(complaint(rule, type(fitted).__name__, "fit a tree; for a forest, average over its trees"))
    inner = tree.children_left >= 0 if hasattr(tree, "children_left") else tree.inner
    depth = int(tree.max_depth)
    return float(np.sum(inner)) / (depth + (layers == "all")) if depth else 0.0
