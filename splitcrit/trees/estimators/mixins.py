"""Where our estimators differ from scikit-learn's: a tree takes what was grown, a forest grows our trees.

Main definitions: ``TreeMixin``, ``ForestMixin``; ``ResponseScore``, the score of regressors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from splitcrit.arguments import Array, finite
from splitcrit.data.training_inputs import column, one_for_each, scaled, weights_of
from splitcrit.frozen import complaint
from splitcrit.nulls.groups import dependence_of
from splitcrit.trees.estimators import sklearn_tree
from splitcrit.trees.estimators.bootstrap import ForestSamples
from splitcrit.trees.estimators.growing import Fitted, Options
from splitcrit.trees.estimators.reading import TrainingReader
from splitcrit.trees.tree_arrays import TreeNodes

THREADED = 4096  # rows from which threads grow a forest in less time than one


class TreeMixin(TrainingReader):
    """A tree that takes what was grown; scikit-learn's forests call ``_fit`` with the rows that they have drawn."""

    nodes_: TreeNodes
    names_of_columns: Callable[..., list[str]]
    _lent: tuple[TreeNodes, Any] | None = None  # the nodes, and scikit-learn's structure of them
    _samples: ForestSamples | None = None
    _in_forest = False  # whose categories are codes once it has validated features

    def _options(self) -> Options:
        return Options.of(self.get_params(deep=False))  # type: ignore[attr-defined]

    def _take(self, fitted: Fitted, classes: Array | None = None) -> Self:
        """Set what ``fit`` has learnt."""
        self.nodes_, self._subsets = fitted.nodes, fitted.subsets
        self._in_forest = False
        self.n_features_in_, self.max_features_, self.n_outputs_ = fitted.features, fitted.max_features, 1
        if classes is not None:
            self.classes_, self.n_classes_ = classes, np.intp(len(classes))
        return self

    @property
    def tree_(self) -> Any:
        """scikit-learn's structure of the nodes, made when it is first asked for; see ``applied_in_float32``."""
        check_is_fitted(self)
        if self._lent is None or self._lent[0] is not self.nodes_:
            self._lent = self.nodes_, sklearn_tree.applied_in_float32(self.nodes_, self.names_of_columns())
        return self._lent[1]

    def get_depth(self) -> int:
        """The depth of the tree."""
        check_is_fitted(self)
        return self.nodes_.max_depth

    def get_n_leaves(self) -> int:
        """The number of leaves."""
        check_is_fitted(self)
        return self.nodes_.n_leaves

    def _fit(self, X: Array, y: Array, sample_weight: Array | None = None, **_: Any) -> Any:
        samples = vars(self).pop("_samples", None)
        if samples is None:
            return self.fit(X, y, sample_weight, check_input=False)  # type: ignore[attr-defined]
        if (whole := vars(self).pop("_whole", None)) is not None and sample_weight is not None:
            y, groups = whole  # of each group scikit-learn had one row, and drew these
            sample_weight = sample_weight[groups]
        self._know(samples.coding)
        self._take(samples.grown(self._options(), y.reshape(-1), sample_weight), samples.classes)
        self._in_forest = samples.coding is not None
        return self


class ForestMixin(TrainingReader):
    """A forest of scikit-learn whose trees share samples, and whose out-of-bag predictions are its ``votes``."""

    votes: Callable[[Any, Array], Array]
    estimators_: list[Any]
    n_jobs: int | None
    verbose: int
    warm_start: bool
    estimator_params: tuple[str, ...]

    def _read(self, X: Any, y: Any, *others: Any, **named: Any) -> tuple[Array, Array]:
        if hasattr(y, "tocsr"):  # the words of scikit-learn's forests
            rule, remedy = "sparse multilabel-indicator for y is not supported", "pass y.toarray().ravel()"
            raise ValueError(complaint(rule, f"a {type(y).__name__}", remedy))
        return super()._read(X, y, *others, **named)

    def _grow_each(self, tree: TreeMixin) -> None:
        """Set what the trees are, and which parameters of the forest are theirs besides scikit-learn's."""
        ours = "draw", "splitter", "min_gain", "categorical_features", "max_exact_categories"
        self.estimator, self.estimator_params = tree, (*self.estimator_params, *ours)

    def _make_estimator(self, append: bool = True, random_state: Any = None) -> Any:
        tree = super()._make_estimator(append, random_state)  # type: ignore[misc]
        tree._samples, tree._whole, tree._missing = vars(self).get("_samples"), vars(self).get("_whole"), self._missing
        return tree

    @property
    def estimators_samples_(self) -> list[Array]:
        """The rows that each tree was grown on, as often as they were drawn."""
        drawn, groups = super().estimators_samples_, vars(self).get("_groups")  # type: ignore[misc]
        often = [] if groups is None else [np.bincount(each, minlength=int(groups.max()) + 1)[groups] for each in drawn]
        return [np.repeat(np.arange(len(times)), times) for times in often] or list(drawn)

    def _get_oob_predictions(self, tree: Any, X: Array) -> Array:
        return self.votes(tree, X)[:, :, None]

    def _set_oob_score_and_attributes(self, X: Any, y: Array, scoring_function: Any = None) -> None:
        """Judge each row by the trees whose sample leaves it out; what no tree leaves out is nan, and not scored."""
        known = ~np.all([np.bincount(rows, minlength=len(y)) > 0 for rows in self.estimators_samples_], axis=0)
        of_numbers = isinstance(self, ResponseScore)
        score = scoring_function or (r2_score if of_numbers else accuracy_score)

        def of_known(y: Array, predicted: Array) -> Any:
            return score(y[known], predicted[known]) if known.any() else np.nan

        super()._set_oob_score_and_attributes(self._samples.x, y, of_known)  # type: ignore[misc]
        getattr(self, "oob_prediction_" if of_numbers else "oob_decision_function_")[~known] = np.nan

    def _mean_of_trees(self, X: Any) -> Array:
        """The mean of the ``votes``, summed in the order of the trees however many grow at a time."""
        check_is_fitted(self)
        x = self._validate_X_predict(X)
        jobs = Parallel(n_jobs=self.n_jobs, verbose=self.verbose, require="sharedmem", return_as="generator")
        total = sum(jobs(delayed(self.votes)(tree, x) for tree in self.estimators_))
        return np.asarray(total / len(self.estimators_))

    def _grow(self, samples: ForestSamples, y: Array, sample_weight: Array | None, groups: Any = None) -> Self:
        """Fit by scikit-learn's ``fit`` with trees that share samples; the names of the features stay.

        scikit-learn draws rows of a table of zeros, which takes no space, and never sees the features.
        Trees of few rows take turns in one thread, which is faster: most of their time is spent outside compiled loops.
        """
        names = {name: value for name, value in vars(self).items() if name == "feature_names_in_"}
        rows, features = samples.x.shape
        among, own = dependence_of(groups, None, rows, weights=sample_weight), self.get_params(deep=False)  # type: ignore[attr-defined]
        codes: Any = None if among is None else among.groups
        if hasattr(self, "estimators_"):  # with warm_start, ``fit`` adds to this list
            self.estimators_ = list(self.estimators_)
            for tree in self.estimators_[: bool(self.warm_start)]:
                if tree.categories_ != self.categories_ or not np.array_equal(codes, vars(self)["_groups"]):
                    rule, remedy = "warm_start needs the same categories and groups", "pass these, or warm_start=False"
                    raise ValueError(complaint(rule, "other ones", remedy))
        self._samples, jobs = samples, self.n_jobs
        self.n_jobs = jobs if rows >= THREADED else None
        self._groups, self._whole = codes, None
        if among is not None:
            many, plain = len(among.first), own["bootstrap"] and not own["oob_score"] and not own.get("class_weight")
            if not plain or many < getattr(samples.classes, "size", 0):
                rule = "groups= needs a group a class, bootstrap=True, and neither oob_score nor class_weight"
                got = f"{many} groups, bootstrap={own['bootstrap']}, oob_score={own['oob_score']}"
                raise ValueError(complaint(rule, got, "leave groups= out, or these, and audit out of bag"))
            self._whole = y, codes
            rows, y = many, np.resize(np.unique(y), many)
        try:
            super().fit(np.broadcast_to(np.float32(0), (rows, features)), y, sample_weight)  # type: ignore[misc]
        finally:
            self.n_jobs = jobs
        del self._samples, self._whole
        vars(self).update(names)
        return self

    def _validate_X_predict(self, X: Any) -> Any:
        return self._to_predict(X)

    @property
    def feature_importances_(self) -> Array:
        """The mean importances of the trees that split, normalised to a sum of 1; all 0 where none does."""
        check_is_fitted(self)
        each = [tree.feature_importances_ for tree in self.estimators_ if tree.nodes_.node_count > 1]
        mean = np.mean(each or [np.zeros(self.n_features_in_)], axis=0)
        return np.asarray(mean / mean.sum() if each else mean)


class ResponseScore:
    """A regressor whose ``score`` is the coefficient of determination."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return one less the ratio of the squared error to that of the mean of ``y``.

        Raises ValueError or TypeError if ``X``, ``y`` or ``sample_weight`` is invalid.
        """
        predicted, responses = self.predict(X), finite(column(y), "responses", 1)  # type: ignore[attr-defined]
        one_for_each(responses, len(predicted))
        weights = None if sample_weight is None else scaled(weights_of(sample_weight, len(predicted)))
        return float(r2_score(*scaled(responses, predicted), sample_weight=weights))
