"""What scikit-learn's trees and forests do otherwise here: a tree takes what was grown, a forest grows our trees.

Main definitions: ``TreeMixin``, ``ForestMixin``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from splitcrit.estimators.growing import ClassSamples, Fitted, ResponseSamples
from splitcrit.estimators.options import Options
from splitcrit.estimators.reading import Reader
from splitcrit.inputs import numbers

Array = NDArray[Any]
THREADED = 4096  # rows from which threads grow a forest in less time than one
Samples = ClassSamples | ResponseSamples


class TreeMixin(Reader):
    """A tree that takes what was grown; scikit-learn's forests call ``_fit`` with features that they have validated."""

    _samples: Samples | None = None

    def _options(self) -> Options:
        return Options.of(self.get_params(deep=False))  # type: ignore[attr-defined]

    def _take(self, fitted: Fitted, classes: Array | None = None) -> Self:
        """Set what ``fit`` has learnt."""
        self.tree_, self._subsets = fitted.tree, fitted.subsets
        self.n_features_in_, self.max_features_, self.n_outputs_ = fitted.features, fitted.max_features, 1
        if classes is not None:
            self.classes_, self.n_classes_ = classes, np.intp(len(classes))
        return self

    def _fit(self, X: Array, y: Array, sample_weight: Array | None = None, **_: Any) -> Any:
        samples = vars(self).pop("_samples", None)
        if samples is None:
            return self.fit(X, y, sample_weight, check_input=False)  # type: ignore[attr-defined]
        return self._take(samples.grown(self._options(), X, y.reshape(-1), sample_weight), samples.classes)


class ForestMixin(Reader):
    """A forest of scikit-learn whose trees share samples, and whose out-of-bag predictions are its ``votes``."""

    votes: Callable[[Any, Array], Array]
    estimators_: list[Any]
    n_jobs: int | None
    estimator_params: tuple[str, ...]

    def _grow_each(self, tree: TreeMixin, *parameters: str) -> None:
        """Set what the trees are, and which parameters of the forest are theirs besides scikit-learn's."""
        self.estimator, self.estimator_params = tree, (*self.estimator_params, *parameters)

    def _make_estimator(self, append: bool = True, random_state: Any = None) -> Any:
        tree = super()._make_estimator(append, random_state)  # type: ignore[misc]
        tree._samples = vars(self).get("_samples")
        return tree

    def _get_oob_predictions(self, tree: Any, X: Array) -> Array:
        return self.votes(tree, X)[:, :, None]

    def _grow(self, samples: Samples, X: Array, y: Array, sample_weight: Array | None) -> Self:
        """Fit by scikit-learn's ``fit`` with trees that share samples; the names of the features stay.

        Trees of few rows take turns in one thread, which is faster: most of their time is spent outside compiled loops.
        """
        names = {name: value for name, value in vars(self).items() if name == "feature_names_in_"}
        if hasattr(self, "estimators_"):  # with warm_start, ``fit`` adds to this list
            self.estimators_ = list(self.estimators_)
        self._samples, jobs = samples, self.n_jobs
        self.n_jobs = jobs if len(X) >= THREADED else None
        try:
            with numbers(X):
                super().fit(X, y, sample_weight)  # type: ignore[misc]
        finally:
            self.n_jobs = jobs
        del self._samples
        vars(self).update(names)
        return self

    def _validate_X_predict(self, X: Any) -> Any:
        with numbers(X):
            return super()._validate_X_predict(X)  # type: ignore[misc]
