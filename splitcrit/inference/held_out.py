"""Rows that a fitted tree of scikit-learn's kind has not seen: where they go, and their labels.

Main definitions: ``HeldOut``, ``held_out``; ``refuse_training_rows``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from splitcrit.arguments import Array
from splitcrit.audits.models import FittedModel, FittedTree, coded, same_columns
from splitcrit.audits.node_moments import Moments, NodeLabels, node_sums
from splitcrit.audits.recognition import Recognition
from splitcrit.data.training_inputs import numbers, one_for_each
from splitcrit.frozen import complaint
from splitcrit.nulls.table_pvalues import counts_of
from splitcrit.trees.tree_arrays import Structure, nodes_of


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
    remarks : tuple of str
        On weights.
    """

    structure: Structure
    rows: list[Array]
    responses: Array
    classes: Array | None
    remarks: tuple[str, ...] = ()

    @cached_property
    def sizes(self) -> Array:
        """The number of rows that reach each node."""
        return np.array([len(rows) for rows in self.rows])

    @cached_property
    def values(self) -> Array:
        """The class counts ``(nodes, K)``, or the mean responses ``(nodes, 1)``, nan without rows."""
        at = [self.responses[rows] for rows in self.rows]
        if self.classes is not None:
            return np.array([np.bincount(codes, minlength=len(self.classes)) for codes in at])
        return np.array([[here.mean() if len(here) else np.nan] for here in at])

    def sides(self, node: int, nested: bool) -> Array:
        """The place of each row of a node: its side, or with ``nested`` the leaf below, of those with rows."""
        structure = self.structure
        rows = self.rows[node]
        if not nested:
            return np.isin(rows, self.rows[structure.right[node]]).astype(np.intp)
        return np.unique(structure.leaves(self.rows, len(self.responses))[rows], return_inverse=True)[1]

    def obstacle(self, node: int) -> str:
        """Say why a node cannot be tested, "" if it can; its numbers of rows on each side and of each class decide."""
        sides = self.structure.left[node], self.structure.right[node]
        if sides[0] < 0:
            return "leaf"
        if not len(self.rows[node]):
            return "no rows"
        if not all(len(self.rows[side]) for side in sides):
            return "rows on one side only"
        return "" if np.ptp(self.responses[self.rows[node]]) else "all responses alike"


def held_out(tree: Any, X: Any, y: Any, sample_weight: Any = None) -> HeldOut:
    """Send rows down a fitted tree of scikit-learn's kind.

    Raises
    ------
    TypeError, ValueError
        If the tree is none, not fitted, or of several outputs; if the rows have other columns, other classes, or
        weights that are no counts.
    """
    from sklearn.base import is_classifier  # only here: a picture of what became of a tree needs no learner

    structure = Structure.of(tree)
    if not hasattr(tree, "n_features_in_") or tree.n_outputs_ != 1:
        rule, remedy = "the tree must be a fitted estimator with one output", "fit one tree for each output"
        raise TypeError(complaint(rule, type(tree).__name__, remedy))
    same_columns(tree, X)
    with numbers(X):
        path = tree.decision_path(X).tocsc()
    rows = [path.indices[start:end] for start, end in pairwise(path.indptr)]
    n = path.shape[0]
    classes = tree.classes_ if is_classifier(tree) else None
    only = FittedModel("scikit-learn", (), (), iter, None if classes is None else len(classes), classes)
    responses = coded(only, y)[0]
    one_for_each(responses, n)
    times, remarks = counts_of(sample_weight, responses)
    if times is not None:
        rows = [np.repeat(here, times[here]) for here in rows]
    return HeldOut(structure, rows, responses, classes, remarks)


def refuse_training_rows(tree: Any, fresh: HeldOut) -> None:
    """Raise ValueError if rows are recognised as those that grew a tree; see ``Recognition``."""
    grown, classes = nodes_of(tree), fresh.classes
    weighted = bool((fresh.sizes == grown.weighted_n_node_samples).all())  # with the weights of growth
    sizes = grown.weighted_n_node_samples if weighted else grown.n_node_samples
    was = Moments(grown.weighted_n_node_samples, grown.value[:, 0], grown.impurity)
    only = FittedTree(fresh.structure, grown.impurity, was, sizes)
    labels = NodeLabels(fresh.responses, None if classes is None else len(classes))
    recognition = Recognition(FittedModel("scikit-learn", (only,), (), iter, labels.n_classes), labels)
    times = np.bincount(fresh.rows[0], minlength=len(fresh.responses))
    ends = fresh.structure.leaves(fresh.rows, len(times))
    recognition.add(node_sums(fresh.structure, ends, labels, times), ends, times)
    if recognition.recognised:
        rule, remedy = "a split is tested on rows that did not choose it", "pass rows that were held out"
        got = f"rows that agree with the training rows in all {len(fresh.sizes)} nodes"
        raise ValueError(complaint(rule, got, f"{remedy}, or fit a HonestTreeClassifier or HonestTreeRegressor"))
