"""From the parameters of an estimator and a training set to what a tree learns.

Main definitions: ``Options`` (the parameters that say how a tree grows); ``grown``;
``Fitted``, what it returns; ``finished``, ``stopping_of``, ``growing_of``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import partial
from math import ceil
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import check_random_state

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion, decrease
from splitcrit.nulls.calibration import Calibrated, of_score
from splitcrit.trees.estimators import sklearn_tree, sparse_input
from splitcrit.trees.estimators.criterion_argument import node_impurity
from splitcrit.trees.estimators.weighing import WeighedTraining
from splitcrit.trees.growth import GrownTree, GrowthOptions, Ranks, Sparse, Stopping, Training, grow
from splitcrit.trees.growth.by_reference import grown_small
from splitcrit.trees.growth.category_ranks import NO_SUBSETS, Recoding
from splitcrit.trees.growth.grown_tree import best_first, numbered
from splitcrit.trees.growth.growth_options import Drawing, Splitter, refuse_fractions
from splitcrit.trees.growth.source_choice import Error
from splitcrit.trees.scan.ties_and_scores import own_impurity
from splitcrit.trees.tree_arrays import TreeNodes

Categories = list[list[Any] | None] | None  # the names of each feature's, None for a numeric feature, or for all
Describe = Callable[[Any], tuple[Array, Array]]  # from a grown tree to the values and the impurity of its nodes

EPSILON = float(np.finfo(float).eps)
SEEDS = np.iinfo(np.int32).max
SEEDED, SEEDING = np.random.RandomState(0), Lock()  # of threads one at a time


@dataclass(frozen=True)
class Options:
    """The kind of a tree and its stopping rules; the parameters of the same names of the estimators say more.

    A parameter that an estimator does not have keeps its default.
    """

    splitter: Splitter = "best"
    max_depth: int | None = None
    min_samples_split: Any = 2
    min_samples_leaf: Any = 1
    min_weight_fraction_leaf: float = 0.0
    max_features: Any = None
    draw: Drawing = "all"
    random_state: Any = None
    max_leaf_nodes: int | None = None
    min_impurity_decrease: float = 0.0
    ccp_alpha: float = 0.0
    min_gain: float | None = 0.0
    max_exact_categories: int = 10

    @staticmethod
    def of(parameters: Mapping[str, Any]) -> Options:
        """The options among the parameters of an estimator, which have been validated."""
        return Options(**{each.name: parameters[each.name] for each in fields(Options) if each.name in parameters})

    def features(self, number: int) -> int:
        """The number of features that ``max_features`` stands for, as scikit-learn reads it.

        Examples
        --------
        >>> [Options(max_features=m).features(10) for m in (None, 3, 0.5, "sqrt", "log2")]
        [10, 3, 5, 3, 3]
        """
        asked = self.max_features
        if asked is None:
            return number
        if isinstance(asked, str):
            return max(1, int(np.sqrt(number) if asked == "sqrt" else np.log2(number)))
        return int(asked) if isinstance(asked, int | np.integer) else max(1, int(asked * number))

    def draws(self, number: int) -> tuple[int | None, int]:
        """The number of features drawn at a node, None for all, and a seed drawn from the random state."""
        drawn = self.features(number)
        random = self.random_state
        with SEEDING:  # to make a random state takes as long as a tenth of a small tree, to seed one nothing
            if isinstance(random, int | np.integer):
                SEEDED.seed(random)
                random = SEEDED
            seed = int(check_random_state(random).randint(SEEDS))
        return drawn if drawn < number else None, seed


class Fitted(NamedTuple):
    """What a tree learns: its nodes, over the features and then a column for each of the subsets."""

    nodes: TreeNodes
    features: int
    max_features: int
    subsets: Array = NO_SUBSETS


def grown(
    options: Options, training: WeighedTraining, criterion: Criterion | Error, classes: int = 0,
    categories: Categories = None, ranks: Ranks | None = None,
) -> Fitted:  # fmt: skip
    """Grow a tree from class codes, or from responses by an error or a loss.

    ``ranks`` are those of the features, where trees share them. A tree of classes that is small and alone is grown by
    the reference builder.
    """
    score = of_score(criterion) if isinstance(criterion, Calibrated) else criterion
    if isinstance(score, Criterion):
        refuse_fractions(score, training.weights, training.y)
    growing, tree, sparse = growing_of(options, training, categories), None, sparse_input.is_sparse(training.x)
    if isinstance(criterion, Criterion) and ranks is None and not sparse:
        tree = grown_small(training.x, training.y, classes, criterion, growing, training.weights)
    if tree is None:
        x = Sparse.of(training.x) if sparse else training.x
        tree = grow(Training(x, training.y, classes, training.weights, ranks), criterion, growing)
    describe = partial(class_nodes, criterion) if isinstance(criterion, Criterion) else response_nodes
    return finished(options, training, tree, describe, growing.recoding)


def finished(
    options: Options, training: WeighedTraining, tree: Any, describe: Describe, recoding: Recoding | None = None
) -> Fitted:
    """Cut a grown tree back and prune it as the options say; return the result."""
    if options.min_impurity_decrease > 0:
        risk = describe(tree)[1] * tree.weights.sum(axis=1)
        worth = np.where(tree.left < 0, 0.0, risk - risk[tree.left] - risk[tree.right]) / training.weight
        tree = numbered(tree, worth + EPSILON >= options.min_impurity_decrease)
    if options.max_leaf_nodes is not None:
        tree = best_first(tree, options.max_leaf_nodes)
    features = training.x.shape[1]
    tree, subsets = (tree, NO_SUBSETS) if recoding is None else _used(tree, features, recoding)
    nodes = TreeNodes.of(tree, features + len(subsets), *describe(tree))
    return Fitted(sklearn_tree.pruned(nodes, options.ccp_alpha), features, options.features(features), subsets)


def stopping_of(options: Options, training: WeighedTraining) -> Stopping:
    """The stopping rules on a training set, as scikit-learn reads them.

    Fractions are of the rows passed, the least weight of a leaf of their weight; unweighted, it is a count. Numbers
    larger than that of the rows are one more.
    """
    leaf, split = (_count(value, training.rows) for value in (options.min_samples_leaf, options.min_samples_split))
    lightest = options.min_weight_fraction_leaf * training.weight
    if training.weights is None:
        leaf, lightest = max(leaf, ceil(lightest)), 0.0
    depth = None if options.max_depth is None else min(int(options.max_depth), training.rows)
    return Stopping(depth, max(2, split), leaf, lightest, options.min_gain)


def _count(value: Any, rows: int) -> int:
    return min(int(value), rows + 1) if isinstance(value, int | np.integer) else ceil(value * rows)


def growing_of(options: Options, training: WeighedTraining, categories: Categories = None) -> GrowthOptions:
    """The options of growth for a training set; the random state gives a seed."""
    drawn, seed = options.draws(training.x.shape[1])
    levels = np.array([len(names or ()) for names in categories or ()])
    recoding = None if categories is None else Recoding(levels, options.max_exact_categories)
    stopping = stopping_of(options, training)
    return GrowthOptions(stopping, drawn, options.splitter, seed, recoding, draw=options.draw)


def _used(tree: Any, features: int, recoding: Recoding) -> tuple[Any, Array]:
    """A tree over the columns of those subsets only that it uses, and these subsets, rows of ``Recoding.table``."""
    of_subset = tree.feature >= features
    used = np.unique(tree.feature[of_subset])
    fewer = np.where(of_subset, features + np.searchsorted(used, tree.feature), tree.feature)
    return replace(tree, feature=fewer), recoding.table[used - features]


def class_nodes(criterion: Criterion, tree: GrownTree) -> tuple[Array, Array]:
    """The class proportions of each node, and its impurity: the one whose decrease the criterion is, or Gini's.

    An empty leaf has the proportions of its parent.
    """
    known = criterion.impurity is not None and not np.isnan(tree.impurity[0])
    of_node = tree.impurity if known else own_impurity(decrease(node_impurity(criterion)), tree.weights)
    weights = tree.weights if tree.size.all() else _inherited(tree)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True)), of_node + 0.0


def _inherited(tree: GrownTree) -> Array:
    """The class weights of the nodes, those of an empty leaf from its parent."""
    weights = tree.weights.copy()
    for parent in np.flatnonzero(tree.left >= 0):
        for child in (tree.left[parent], tree.right[parent]):
            if not weights[child].any():
                weights[child] = weights[parent]
    return weights


def response_nodes(tree: GrownTree) -> tuple[Array, Array]:
    """The response of each node, and its impurity."""
    return tree.value[:, None], tree.impurity
