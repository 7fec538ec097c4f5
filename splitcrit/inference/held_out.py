"""Rows that a fitted tree has not seen: where they go, their labels, and how they are recognised as new.

Main definitions: ``HeldOut``, ``held_out``; ``refuse_training_rows`` (of a tree), ``Recognition`` (of a model that is
audited), ``log_chance``.
Main results: nodes betray training rows by sizes and values. Other rows may agree by chance. If
the probability of a class among the leaves, or of a leaf, is what it was in growth, all leaves agree with a multinomial
probability; the rows are refused if it is below 1e-6. Given both sets of rows, trees agree independently if each drew
its own sample, so that their probabilities are multiplied; elsewhere the smallest counts. In another order, or among
other rows, the training rows still bring to each leaf at least those that it was grown on, which new rows miss in one
of many small leaves. A tree of few pure leaves says nothing, nor does a part of the training rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from splitcrit.arguments import Array, finite
from splitcrit.frozen import complaint
from splitcrit.inference.models import FittedModel, FittedTree, same_columns
from splitcrit.inference.node_moments import NodeLabels, moments, node_sums
from splitcrit.inference.table_pvalues import counts_of
from splitcrit.inference.tree_arrays import Structure
from splitcrit.training_inputs import column, compared, numbers, one_for_each

ROUNDING = 1e-9  # relative: the values of a node's training rows, summed in another order
CHANCE, DOUBT = 1e-6, 1e-3  # rows that agree with a smaller probability are refused; are doubted


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

    def groups(self, node: int, nested: bool) -> Array:
        """Return the group of each row of a node: its side, or with ``nested`` the leaf below, of those with rows."""
        structure, rows = self.structure, self.rows[node]
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
    n, classes = path.shape[0], tree.classes_ if is_classifier(tree) else None
    responses = finite(column(y), "responses", 1) if classes is None else _codes(classes, y)
    one_for_each(responses, n)
    times, remarks = counts_of(sample_weight, responses)
    if times is not None:
        rows = [np.repeat(here, times[here]) for here in rows]
    return HeldOut(structure, rows, responses, classes, remarks)


def _codes(classes: Array, y: Any) -> Array:
    """Return the place of each label among the classes."""
    labels = compared(classes, y)
    codes = np.minimum(np.searchsorted(classes, labels), len(classes) - 1)
    if len(unseen := labels[classes[codes] != labels]):
        rule, remedy = "labels are among the classes of the tree", "drop these rows, or grow the tree on some of them"
        raise ValueError(complaint(rule, f"the class {unseen[0]!s}", remedy))
    return codes


def refuse_training_rows(tree: Any, held: HeldOut) -> None:
    """Raise ValueError if it is nearly certain that rows are those that grew a tree."""
    counts = _agreeing(tree.tree_, held)
    if counts is None or log_chance(counts) > np.log(CHANCE):
        return
    rule, remedy = "a split is tested on rows that did not choose it", "pass rows that were held out"
    got = f"rows that agree with the training rows in all {len(held.sizes)} nodes"
    raise ValueError(complaint(rule, got, f"{remedy}, or fit a HonestTreeClassifier or HonestTreeRegressor"))


def log_chance(counts: Array) -> float:
    """Return the log-probability that counts come out as they are, each column drawn by its own proportions.

    Examples
    --------
    >>> log_chance(np.array([[25, 0], [0, 25]])), round(np.exp(log_chance(np.array([[2, 1], [1, 1]]))), 4)
    (0.0, np.float64(0.2222))
    """
    from scipy.special import gammaln, xlogy

    n = counts.sum(axis=0)
    each = gammaln(n + 1) - xlogy(n, n) - (gammaln(counts + 1) - xlogy(counts, counts)).sum(axis=0)
    return float(each.sum())


def _agreeing(grown: Any, held: HeldOut) -> Array | None:
    """Return the counts that agree with those of growth, a column for each law; None if something differs."""
    sizes, leaves = held.sizes, np.flatnonzero(held.structure.left < 0)
    if (sizes != grown.weighted_n_node_samples).any():  # of rows whose weights in growth are not known here
        return sizes[leaves, None] if (sizes == grown.n_node_samples).all() else None
    values = held.values if held.classes is None else held.values / sizes[:, None]
    if np.abs(values - grown.value[:, 0]).max() > ROUNDING * np.abs(values).max():
        return None
    if held.classes is not None:
        return held.values[leaves]
    each = [np.unique(held.responses[held.rows[leaf]], return_counts=True)[1] for leaf in leaves]
    return np.concatenate(each)[:, None]


class Recognition:
    """Tells whether rows said to be new are those that grew a model, whose trees are added one by one.

    ``in_order``: as many of the rows reach each node of the trees so far as of those that the trees drew. Then
    ``labels_known`` says whether labels could be compared, and ``chance`` is the log-probability that other rows agree
    so. ``any_order``: the rows bring to each leaf at least those that it was grown on, which others do with a
    log-probability of at most ``least_chance``.
    """

    def __init__(self, fitted: FittedModel, labels: NodeLabels) -> None:
        self.fitted, self.labels, self.trees = fitted, labels, 0
        self.in_order, self.labels_known, self.chance = True, True, 0.0
        self.any_order, self.least_chance = labels.n_classes is not None, 0.0

    def add(self, sums: Array, ends: Array | None) -> None:
        """Add a tree: what the rows at its nodes sum to, and the leaf of each row, None if rows come in parts."""
        tree = self.fitted.trees[self.trees]
        if tree.rows is None:
            self.in_order = self.any_order = False
        if self.any_order:
            self._cover(tree, sums)
        if self.in_order:
            self._agree(tree, sums, ends)
        self.trees += 1

    @property
    def doubtful(self) -> bool:
        """True if the rows may be those that grew the trees, for all that these tell."""
        return self.in_order or (self.any_order and self.least_chance <= np.log(DOUBT))

    def refuse(self) -> None:
        """Raise ValueError if it is nearly certain that the rows are, or hold, those that grew the trees."""
        same = self.in_order and self.labels_known and self.chance <= np.log(CHANCE)
        if same or (self.any_order and self.least_chance <= np.log(CHANCE)):
            rule, got = "held-out rows grew no tree", "rows that agree with the training rows in all nodes of the model"
            remedy = "pass others, or the training rows in their order and rows='out-of-bag' or 'training'"
            raise ValueError(complaint(rule, got, remedy))

    def _agree(self, tree: FittedTree, sums: Array, ends: Array | None) -> None:
        """Take a tree whose sample the rows may be, in their order."""
        structure, drawn, here = tree.structure, self.fitted.drawn, sums
        if drawn is not None:
            sample = drawn[self.trees]
            self.in_order = ends is not None and int(sample.max()) < len(ends)
            if ends is None or not self.in_order:
                return
            times = np.bincount(sample, minlength=len(ends))
            kept = np.flatnonzero(times)
            labels = self.labels._replace(values=self.labels.values[kept])
            here = node_sums(structure, ends[kept], labels)
            sums = node_sums(structure, ends[kept], labels, times[kept])
        sizes = moments(here, self.labels).n
        now, grown = moments(sums, self.labels), tree.grown
        self.in_order = bool((sizes == tree.rows).all())
        if grown is None or (now.n != grown.n).any():  # boosted, or weights in growth that are not known here
            self.labels_known = False
        elif np.abs(now.mean - grown.mean).max() > ROUNDING * np.abs(grown.mean).max():
            self.in_order = False
        if self.in_order:
            leaves = structure.left < 0
            chance = log_chance(sizes[leaves, None] if self.labels.n_classes is None else here[leaves])
            self.chance = self.chance + chance if drawn is not None else min(self.chance, chance)

    def _cover(self, tree: FittedTree, sums: Array) -> None:
        """Take a tree whose leaves may each have at least the rows of each class that it was grown on."""
        from scipy.stats import binom

        leaves = tree.structure.left < 0
        if tree.grown is None or tree.rows is None or not tree.rows[0]:
            self.any_order = False
            return
        here, rows, share = sums[leaves], tree.rows[leaves], tree.grown.mean[leaves]
        whole = (tree.grown.n == tree.rows).all()  # no row counts twice: shares are counts
        least = np.where(whole | (share > 1 - ROUNDING), rows[:, None] * share, share > 0).round()
        sizes = here.sum(axis=1)
        self.any_order = bool((here >= least).all() and (sizes >= rows).all())
        if self.any_order:  # counts of leaves are negatively associated: their joint probability is at most the product
            chance = binom.logsf(rows - 1, sizes.sum(), rows / rows.sum()).sum()
            self.least_chance = min(self.least_chance, float(chance))
