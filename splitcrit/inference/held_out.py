"""Rows that a fitted tree has not seen: where they go, and what they respond.

Main definitions: ``HeldOut``, ``held_out``, ``counts_of``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.arguments import finite
from splitcrit.frozen import complaint
from splitcrit.inference.structures import Structure
from splitcrit.inference.tables import table_of
from splitcrit.training_inputs import column, compared, numbers, weights_of

Array = NDArray[Any]
MOST = 2**27  # of rows, each counted as often as its weight says


@dataclass(frozen=True, eq=False)
class HeldOut:
    """Rows at the nodes of a tree.

    Parameters
    ----------
    structure : Structure
    rows : list of int array
        The rows that reach each node; a row of weight w stands there w times.
    responses : array (n,)
        Class codes, or responses.
    classes : array (K,) or None
        The classes of a classifier.
    """

    structure: Structure
    rows: list[Array]
    responses: Array
    classes: Array | None

    @cached_property
    def sizes(self) -> Array:
        """How many rows reach each node."""
        return np.array([len(rows) for rows in self.rows])

    @cached_property
    def values(self) -> Array:
        """The class counts ``(nodes, K)``, or the mean responses ``(nodes, 1)``, nan without rows."""
        at = [self.responses[rows] for rows in self.rows]
        if self.classes is not None:
            return np.array([np.bincount(codes, minlength=len(self.classes)) for codes in at])
        return np.array([[found.mean() if len(found) else np.nan] for found in at])

    def groups(self, node: int, nested: bool) -> Array:
        """Return in which group each row of a node is: its side, or with ``nested`` the leaf below, those with rows."""
        structure, rows = self.structure, self.rows[node]
        if not nested:
            return np.isin(rows, self.rows[structure.right[node]]).astype(np.intp)
        leaf = np.zeros(len(self.responses), dtype=np.intp)
        for end in np.flatnonzero(structure.left < 0).tolist():
            leaf[self.rows[end]] = end
        return np.unique(leaf[rows], return_inverse=True)[1]

    def obstacle(self, node: int) -> str:
        """Return why a node cannot be tested, by its numbers of rows on each side and of each class; "" if it can."""
        sides = self.structure.left[node], self.structure.right[node]
        if sides[0] < 0:
            return "leaf"
        if not len(self.rows[node]):
            return "no rows"
        if not all(len(self.rows[side]) for side in sides):
            return "rows on one side only"
        return "" if np.ptp(self.responses[self.rows[node]]) else "all responses alike"

    def table(self, node: int, nested: bool) -> Array:
        """Return the counts of a node's rows by group and class."""
        assert self.classes is not None
        return table_of(self.groups(node, nested), self.responses[self.rows[node]], len(self.classes))


def held_out(tree: Any, X: Any, y: Any, sample_weight: Any = None) -> HeldOut:
    """Return where rows go in a fitted tree of scikit-learn's kind.

    Raises
    ------
    TypeError, ValueError
        If the tree is none, or not fitted, or of several outputs; if the rows have other columns, other classes, or
        weights that are no counts.
    """
    from sklearn.base import is_classifier  # only here: a picture of what became of a tree needs no learner

    structure = Structure.of(tree)
    if not hasattr(tree, "n_features_in_") or tree.n_outputs_ != 1:
        rule, remedy = "a tree is a fitted estimator of one output", "fit one tree for each output"
        raise TypeError(complaint(rule, type(tree).__name__, remedy))
    _check_columns(tree, X)
    with numbers(X):
        path = tree.decision_path(X).tocsc()
    rows = [path.indices[start:end] for start, end in pairwise(path.indptr)]
    n, classes = path.shape[0], tree.classes_ if is_classifier(tree) else None
    responses = finite(column(y), "responses", 1) if classes is None else _codes(classes, y)
    if len(responses) != n:
        rule = f"y has one entry for each of {n} rows"
        raise ValueError(complaint(rule, f"{len(responses)} entries", "pass as many labels as rows"))
    if sample_weight is not None:
        weights = counts_of(sample_weight, n)
        rows = [np.repeat(found, weights[found]) for found in rows]
    return HeldOut(structure, rows, responses, classes)


def _check_columns(tree: Any, X: Any) -> None:
    """Raise ValueError if features are not as many as those of the tree, or have other names."""
    from splitcrit.estimators.columns import names_of

    names = names_of(X)
    known = getattr(tree, "feature_names_in_", None)
    if names is not None and known is not None and list(names) != list(known):
        rule = "rows have the columns that the tree was fitted on, in their order"
        strange = next((x for x in names if x not in list(known)), None)
        got = "another order or number" if strange is None else f"a column {strange!r}"
        raise ValueError(complaint(rule, got, f"pass the columns {', '.join(map(str, known[:5]))}, ..."))
    shape = getattr(X, "shape", ())
    if isinstance(shape, tuple) and len(shape) == 2 and shape[1] != tree.n_features_in_:
        rule = f"rows have the {tree.n_features_in_} columns that the tree was fitted on"
        raise ValueError(complaint(rule, f"{shape[1]} columns", "pass the same columns"))


def _codes(classes: Array, y: Any) -> Array:
    """Return the place of each label among the classes."""
    labels = compared(classes, y)
    codes = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    if len(unseen := labels[classes[codes] != labels]):
        rule, remedy = "labels are among the classes of the tree", "drop these rows, or grow the tree on some of them"
        raise ValueError(complaint(rule, f"the class {unseen[0]!s}", remedy))
    return codes


def counts_of(sample_weight: Any, rows: int) -> Array:
    """Return weights that are counts as int64."""
    weights = weights_of(sample_weight, rows)
    if len(bad := weights[weights != np.floor(weights)]):
        rule = "weights of a permutation test are counts of rows"
        raise ValueError(complaint(rule, f"{bad[0]:g}", "leave them out, or pass numbers of equal rows"))
    if (total := float(np.minimum(weights, 2 * MOST).sum())) > MOST:
        rule = f"weights that are counts sum to at most {MOST}"
        raise ValueError(complaint(rule, f"{total:g} or more", "leave them out, or pass smaller ones"))
    return weights.astype(np.int64)
