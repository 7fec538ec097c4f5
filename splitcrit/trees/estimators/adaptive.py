"""A tree and a forest whose criterion is tuned to the noise of the labels.

Main definitions: ``AdaptiveTreeClassifier``, ``AdaptiveForestClassifier``.

Source: wilton2024, Experiments.
"""

from __future__ import annotations

from typing import Any

from splitcrit.impurities import ne
from splitcrit.trees.estimators import sklearn_tree
from splitcrit.trees.estimators.classifier import TreeClassifier
from splitcrit.trees.estimators.forest import ForestClassifier, Voting
from splitcrit.trees.estimators.tuning import Tuned
from splitcrit.trees.growth.growth_options import Drawing, Splitter

GRID = (0.0, 0.25, 0.5, 0.75, 1.0)

TUNING: dict[str, list[Any]] = {
    "family": [callable], "grid": ["array-like"], "stratify": ["boolean"], "refit": ["boolean"],
}  # fmt: skip


@sklearn_tree.accepting(**TUNING)
class AdaptiveTreeClassifier(Tuned, TreeClassifier):
    """A decision tree whose criterion is chosen from a family on a hold-out of the training set.

    A tree is grown by each ``family(value)`` on the rest; the value whose tree is most accurate on the hold-out wins,
    and among equal ones that of the fewest leaves, then the first in the grid. The labels of the hold-out are as noisy
    as those of the rest. By default the family is ``ne``: the larger ``lam``, the earlier a tree stops.

    Parameters
    ----------
    family : callable, default=splitcrit.ne
        Makes an impurity or a criterion of a parameter.
    grid : sequence, default=(0, 0.25, 0.5, 0.75, 1)
        The parameters to try, of any kind that the family takes.
    validation_fraction : float, default=0.2
        The share of the training set that is held out, rounded; at least one row, and not all.
    stratify : bool, default=True
        Whether the share is held out of each class, or of all rows. The paper does not say.
    refit : bool, default=True
        Whether the tree is grown again on the whole training set by the criterion that won, or stays what was grown
        without the hold-out. The paper does not say.
    random_state : int, RandomState or None
        What the hold-out and the drawn features depend on; the same for all parameters.
    splitter : {"best", "random"}, default="best"
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_features, draw, max_leaf_nodes, \
    min_gain, min_impurity_decrease, class_weight, ccp_alpha, monotonic_cst
        As in ``TreeClassifier``.
    categorical_features, max_exact_categories
        As in ``TreeClassifier``; the categories of the hold-out are those of the whole training set.

    Attributes
    ----------
    best_parameter_ : object
        The value of the grid that won.
    criterion_ : Criterion
        The criterion of the family at that value.
    validation_curve_ : ValidationCurve
        ``grid``, ``accuracy`` on the hold-out and ``leaves``, one for each parameter; see
        ``splitcrit.plots.validation_curve``.
    tree_, classes_, n_classes_, n_features_in_, feature_names_in_, max_features_, n_outputs_
        As in ``TreeClassifier``.
    categories_, is_categorical_, splits_, split_names_
        As in ``TreeClassifier``.

    See Also
    --------
    TreeClassifier : A fixed criterion.
    AdaptiveForestClassifier : The same for a forest.

    References
    ----------
    wilton2024, Experiments.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from splitcrit import symmetric
    >>> x, y = load_breast_cancer(return_X_y=True)
    >>> noisy = symmetric(0.3).flip(y, rng=0)
    >>> tree = AdaptiveTreeClassifier(random_state=0).fit(x, noisy)
    >>> tree.best_parameter_, tree.criterion_
    (1.0, decrease(ne(lam=1.0)))
    >>> fixed = TreeClassifier().fit(x, noisy)
    >>> [int(each.get_n_leaves()) for each in (fixed, tree)], [round(each.score(x, y), 2) for each in (fixed, tree)]
    ([109, 27], [0.7, 0.87])
    """

    kind = TreeClassifier

    def __init__(
        self, *, family: Any = ne, grid: Any = GRID, validation_fraction: float = 0.2, stratify: bool = True,
        refit: bool = True, splitter: Splitter = "best", max_depth: int | None = None, min_samples_split: Any = 2,
        min_samples_leaf: Any = 1, min_weight_fraction_leaf: float = 0.0, max_features: Any = None,
        draw: Drawing = "all", random_state: Any = None, max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0, class_weight: Any = None, ccp_alpha: float = 0.0,
        monotonic_cst: None = None, min_gain: float | None = 0.0, categorical_features: Any = None,
        max_exact_categories: int = 10,
    ) -> None:  # fmt: skip
        super().__init__(criterion=None)  # type: ignore[arg-type]
        self._set(locals())


@sklearn_tree.accepting(**TUNING)
class AdaptiveForestClassifier(Tuned, ForestClassifier):
    """A random forest whose criterion is chosen from a family on a hold-out, once for all its trees.

    A whole forest is grown by each ``family(value)`` on the rest of the training set; the value whose forest is most
    accurate on the hold-out wins, and among equal ones that of the fewest leaves, then the first in the grid.

    Parameters
    ----------
    n_estimators : int, default=100
        How many trees.
    family, grid, validation_fraction, stratify, refit, random_state
        As in ``AdaptiveTreeClassifier``.
    bootstrap, oob_score, n_jobs, verbose, max_samples, voting, max_features, draw, class_weight
        As in ``ForestClassifier``; there is no ``warm_start``.
    splitter : {"best", "random"}, default="best"
    max_depth, min_samples_split, min_samples_leaf, min_weight_fraction_leaf, max_leaf_nodes, min_gain, \
    min_impurity_decrease, ccp_alpha, monotonic_cst
        As in ``TreeClassifier``.
    categorical_features, max_exact_categories
        As in ``AdaptiveTreeClassifier``.

    Attributes
    ----------
    best_parameter_, criterion_
        As in ``AdaptiveTreeClassifier``.
    validation_curve_ : ValidationCurve
        ``grid``, ``accuracy`` on the hold-out and mean number of ``leaves`` of a tree, one for each parameter.
    estimators_ : list of TreeClassifier
        With ``refit=False``, the samples of ``estimators_samples_`` are rows of the training set without its hold-out.
    classes_, n_classes_, n_features_in_, feature_names_in_, n_outputs_, oob_score_, feature_importances_
        As in ``ForestClassifier``.
    categories_, is_categorical_
        As in ``TreeClassifier``.

    See Also
    --------
    ForestClassifier : A fixed criterion.
    AdaptiveTreeClassifier : A single tree.

    References
    ----------
    wilton2024, Experiments.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from splitcrit import gce
    >>> x, y = load_iris(return_X_y=True)
    >>> forest = AdaptiveForestClassifier(20, family=gce, grid=(0.1, 0.7, 2), random_state=0).fit(x, y)
    >>> forest.criterion_
    decrease(gce(q=0.1))
    """

    kind = ForestClassifier

    def __init__(
        self, n_estimators: int = 100, *, family: Any = ne, grid: Any = GRID, validation_fraction: float = 0.2,
        stratify: bool = True, refit: bool = True, max_depth: int | None = None, min_samples_split: Any = 2,
        min_samples_leaf: Any = 1, min_weight_fraction_leaf: float = 0.0, max_features: Any = "sqrt",
        draw: Drawing = "all", max_leaf_nodes: int | None = None, min_impurity_decrease: float = 0.0,
        bootstrap: bool = True, oob_score: Any = False, n_jobs: int | None = None, random_state: Any = None,
        verbose: int = 0, class_weight: Any = None, ccp_alpha: float = 0.0, max_samples: Any = None,
        monotonic_cst: None = None, splitter: Splitter = "best", min_gain: float | None = 0.0, voting: Voting = "soft",
        categorical_features: Any = None, max_exact_categories: int = 10,
    ) -> None:  # fmt: skip
        super().__init__(criterion=None)  # type: ignore[arg-type]
        self._set(locals())
