"""How much of a tree grown on true labels is left in one grown on noisy ones.

Trees that are the same err alike, and to err alike is all that noise tolerance asks; so one counts the nodes that are
the same, and the errors themselves.

Main definitions: ``tree_agreement``, ``TreeAgreement``.
Source: ghosh2017, Definition 2.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np

from splitcrit.arguments import masked
from splitcrit.data.counting import as_array
from splitcrit.data.values import is_missing
from splitcrit.display import shortened
from splitcrit.frozen import complaint


@dataclass(frozen=True, repr=False)
class TreeAgreement:
    """What two trees share, and how often each is wrong.

    Two nodes are equal if they stand at the same place, the same way left and right from the root, all nodes above them
    are equal, and they ask the same of the same feature or are leaves of the same class.

    Parameters
    ----------
    root : bool
        Whether the roots are equal.
    equal : int
        The number of pairs of equal nodes.
    clean_nodes, noisy_nodes : int
        The number of nodes of each tree.
    clean_error, noisy_error : float
        The share of rows with true labels that each gets wrong, the two sides of the definition of tolerance.
    alike : float
        The share of rows of which both say the same.

    Examples
    --------
    >>> found = TreeAgreement(True, 3, 3, 5, clean_error=0.1, noisy_error=0.15, alike=0.9)
    >>> found.share, found.kept, round(found.excess, 2)
    (0.6, 1.0, 0.05)
    """

    root: bool
    equal: int
    clean_nodes: int
    noisy_nodes: int
    clean_error: float
    noisy_error: float
    alike: float

    __repr__ = shortened

    @property
    def share(self) -> float:
        """Equal nodes as a share of the union of both trees' nodes, equal ones counted once; 1 for equal trees only."""
        return self.equal / (self.clean_nodes + self.noisy_nodes - self.equal)

    @property
    def kept(self) -> float:
        """Equal nodes as a share of the clean tree's; 1 also where the noisy tree only goes on below its leaves."""
        return self.equal / self.clean_nodes

    @property
    def excess(self) -> float:
        """What noise adds to the error."""
        return self.noisy_error - self.clean_error


def tree_agreement(clean: Any, noisy: Any, X: Any, y: Any) -> TreeAgreement:
    """The nodes that two fitted trees share, and the errors of both on rows with true labels.

    Learning tolerates noise if ``P(clean(x) != y) = P(noisy(x) != y)``, for which it is sufficient that the trees are
    the same.

    Parameters
    ----------
    clean, noisy : fitted classification trees
        ``TreeClassifier`` or a tree of scikit-learn, grown on true and on noisy labels of the same rows.
    X : array (n, d)
        Rows that neither was grown on.
    y : array (n,)
        Their true labels.

    Raises
    ------
    TypeError
        If one is no fitted classification tree.
    ValueError
        If they know different features or classes, or there are no rows.

    See Also
    --------
    order_failure : A single pair of splits.

    References
    ----------
    ghosh2017, Definition 2.

    Examples
    --------
    >>> from splitcrit import TreeClassifier
    >>> X, y = [[1], [2], [3], [4], [5], [6]], [0, 0, 0, 1, 1, 1]
    >>> clean = TreeClassifier().fit(X, y)
    >>> found = tree_agreement(clean, TreeClassifier().fit(X, [0, 1, 0, 1, 1, 1]), X, y)
    >>> found.root, found.equal, found.clean_nodes, found.noisy_nodes
    (True, 2, 3, 7)
    >>> tree_agreement(clean, clean, X, y).share
    1.0
    """
    _comparable(clean, noisy)
    if masked(y):
        raise ValueError(complaint("true labels are present", "a masked label", "drop those rows"))
    truth = as_array(y, "true labels")
    if truth.dtype.kind == "V" or (truth.dtype == object and any(map(is_missing, truth.ravel().tolist()))):
        raise ValueError(complaint("true labels must be strings or numbers, none missing", "others", "drop those rows"))
    votes = [_said(tree, X) for tree in (clean, noisy)]
    if truth.shape != votes[0].shape or not len(truth):
        rule = "errors need one true label for each row"
        raise ValueError(complaint(rule, f"{len(votes[0])} rows, labels of shape {truth.shape}", "pass X_test, y_test"))
    equal, root = _equal_nodes(clean, noisy)
    wrong = [float(np.mean(each != truth)) for each in votes]
    sizes = [int(_read(tree).node_count) for tree in (clean, noisy)]
    return TreeAgreement(root, equal, sizes[0], sizes[1], wrong[0], wrong[1], float(np.mean(votes[0] == votes[1])))


def _said(tree: Any, X: Any) -> Any:
    """The predictions of a tree for some rows."""
    try:
        return np.asarray(tree.predict(X))
    except (ValueError, TypeError, OverflowError) as error:
        rule = "both trees must be able to read the rows"
        raise ValueError(complaint(rule, str(error).partition("\n")[0], "pass X_test, y_test")) from None


def _comparable(clean: Any, noisy: Any) -> None:
    for tree in (clean, noisy):
        if not (hasattr(_read(tree), "children_left") and np.ndim(getattr(tree, "classes_", 0))):
            rule = "tree_agreement compares two fitted classification trees"
            raise TypeError(complaint(rule, type(tree).__name__, "fit a TreeClassifier, or compare a forest's members"))
    features = [tree.n_features_in_ for tree in (clean, noisy)]
    if features[0] != features[1]:
        rule = "both trees must have the same features"
        raise ValueError(complaint(rule, f"{features[0]} and {features[1]} of them", "fit both on one X"))
    if not np.array_equal(clean.classes_, noisy.classes_):
        rule = "both trees must have the same classes"
        got = f"{clean.classes_.tolist()} and {noisy.classes_.tolist()}"
        raise ValueError(complaint(rule, got, "fit both on labels that hold every class"))


def _equal_nodes(clean: Any, noisy: Any) -> tuple[int, bool]:
    """The number of equal nodes, and whether the roots are."""
    ours, theirs = _nodes(clean), _nodes(noisy)
    both = _read(clean), _read(noisy)
    left, right = ([getattr(tree, side) for tree in both] for side in ("children_left", "children_right"))
    open_pairs = [(0, 0)]
    equal = 0
    while open_pairs:
        a, b = open_pairs.pop()
        if ours[a] == theirs[b]:
            equal += 1
            if left[0][a] >= 0:
                open_pairs += [(int(side[0][a]), int(side[1][b])) for side in (left, right)]
    return equal, ours[0] == theirs[0]


def _read(fitted: Any) -> Any:
    """The nodes of a fitted tree of this library, or of scikit-learn's."""
    return getattr(fitted, "nodes_", None) or getattr(fitted, "tree_", None)


def _nodes(fitted: Any) -> list[Hashable]:
    """The split of each node, or the class of a leaf: values that are equal where nodes are."""
    tree, subsets = _read(fitted), getattr(fitted, "splits_", {})
    labels = tree.value[:, 0, :].argmax(axis=1)
    return [
        ("leaf", int(labels[i])) if tree.children_left[i] < 0
        else (subsets[i].name, frozenset(subsets[i].left), frozenset(subsets[i].right)) if i in subsets
        else (int(tree.feature[i]), float(tree.threshold[i]), bool(tree.missing_go_to_left[i]))
        for i in range(tree.node_count)
    ]  # fmt: skip
