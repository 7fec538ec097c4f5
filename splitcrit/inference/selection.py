"""Feature selection at a controlled error rate, as a transformer of scikit-learn.

Each column is judged by its best cut and its ranks, or its table, and its p-value accounts for the choice of the cut.
It needs no scale, sees differences that means do not have, and is the same after any increasing change of the values.

Main definitions: ``selected_score`` (a score function for ``SelectKBest`` and the like), ``SplitSelector``.
"""

from __future__ import annotations

import warnings
from importlib import import_module
from typing import Any, Literal, Self

import numpy as np

from splitcrit.arguments import Array, a_table, between, one_of
from splitcrit.columns.column_tests import too_coarse
from splitcrit.data.categories_input import columns_read
from splitcrit.data.columns import InMemoryColumn, levels
from splitcrit.data.targets import ResponseChoice, read_target
from splitcrit.data.training_inputs import Parameters, all_or_nothing
from splitcrit.data.values import MISSING
from splitcrit.frozen import complaint, extra
from splitcrit.inference.node_test import split_test
from splitcrit.inference.split_results import ROUNDING, SplitTest
from splitcrit.nulls.multiple import benjamini_hochberg, benjamini_yekutieli, holm

with extra(__name__):
    from sklearn.base import BaseEstimator
    from sklearn.feature_selection import SelectorMixin
    from sklearn.utils import Tags, _safe_indexing
    from sklearn.utils.validation import check_is_fitted, validate_data

Control = Literal["fdr", "fwer", "fdr_any"]
CONTROLS = {
    "fdr": "false discovery rate (Benjamini-Hochberg: columns are independent or positively dependent)",
    "fdr_any": "false discovery rate (Benjamini-Yekutieli: whatever the dependence)",
    "fwer": "share of data sets with any false column (Holm: whatever the dependence)",
}
CORRECTIONS = {"fdr": benjamini_hochberg, "fwer": holm, "fdr_any": benjamini_yekutieli}


def selected_score(X: Any, y: Any, *, groups: Any = None, strata: Any = None) -> tuple[Array, Array]:
    """A score and the p-value of the best cut of each column.

    ``p_j`` is that of `rank_features` and of `splitcrit.inference.split_test`; the score is ``-log p_j``.

    Parameters
    ----------
    X : array or sparse matrix (n, d)
        Numbers; nan is missing.
    y : array (n,)
        Classes, or numbers if some are fractions or more than 20 are different; rows without one are left out.
    groups, strata
        As in `splitcrit.inference.split_test`.

    Returns
    -------
    scores, pvalues : array (d,)
        As score functions of ``SelectKBest``, ``SelectFdr`` and ``SelectFwe`` return them. Columns of equal p, such as
        many at the smallest one that permutations reach, are ordered by their standardised score.

    Raises
    ------
    ValueError
        If ``X`` and ``y`` do not fit.

    Warns
    -----
    UserWarning
        If a column has no p up to .05, however labels fall.

    See Also
    --------
    SplitSelector : The selection as a transformer.

    Notes
    -----
    Exact for two classes but for smooth effects, else by random orders and evidence: see
    `splitcrit.inference.split_test`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.feature_selection import SelectKBest
    >>> X, y = load_iris(return_X_y=True)
    >>> SelectKBest(selected_score, k=2).fit(X[:100], y[:100]).get_support()
    array([False, False,  True,  True])
    """
    tests = split_test(X, y, correction=None, categories="table", groups=groups, strata=strata)
    for remark in too_coarse({feature.name: feature.floor for feature in tests.features}, tests.alpha):
        warnings.warn(remark, stacklevel=2)
    pvalues = np.array([feature.p for feature in tests.features])
    scores = -np.array([feature.log_p for feature in tests.features])
    order = np.array([feature.score if np.isfinite(feature.score) else 0.0 for feature in tests.features])
    return scores + 1e-9 * order / (1 + np.abs(order)), pvalues


class SplitSelector(Parameters, SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Select the features whose best cut is significant, at a controlled error rate.

    Parameters
    ----------
    alpha : float
        The error rate.
    control : {"fdr", "fwer", "fdr_any"}
        What ``alpha`` is a bound of. ``"fdr"``: the share of false columns among those kept, on average over data
        sets (Benjamini-Hochberg), for columns that are independent or positively dependent; ``"fdr_any"``: the same
        whatever the dependence (Benjamini-Yekutieli); ``"fwer"``: the share of data sets in which any column kept is
        a false one (Holm), whatever the dependence.
    categorical_features
        A mask, places or names of unordered categories; by default the columns of a data frame whose dtype is
        categorical or text.
    response : {"auto", "classes", "numbers"}
        What the labels are; ``"auto"`` takes numbers if some are fractions, or more than 20 are different.
    min_samples_leaf : int
        The fewest rows on a side of a cut.
    n_permutations : int
        The most permutations where the law is not exact: more than two classes, numbers, large tables of categories.
    random_state
        Of the permutations; None is 0, so that two fits agree.

    Attributes
    ----------
    pvalues_, adjusted_ : array (d,)
        Of every column, before and after the correction; a column is kept if ``adjusted_ <= alpha``,
        but for rounding.
    test_ : SplitTest
        The best cut of every column, with scores and methods.
    categories_ : list
        The code of each category, of every column; None of numbers.
    n_features_in_ : int
    feature_names_in_ : array
        If ``X`` had names.

    See Also
    --------
    rank_features : A table to read instead of a transformer.
    selected_score : A score function for SelectKBest and SelectFdr.

    Notes
    -----
    The null hypothesis of a column is that the labels are independent of it; of categories their table is judged. A
    column that only matters together with others has no cut of its own, and is not kept.

    ``transform`` returns numbers as they came and categories as codes 0, 1, ... in their order at ``fit``, missing or
    unseen ones as nan, so that any estimator can follow; with ``set_output(transform="pandas")`` the columns of a frame
    stay what they were.

    References
    ----------
    Y. Benjamini and Y. Hochberg, J. R. Stat. Soc. B 57 (1995); Y. Benjamini and D. Yekutieli, Ann. Stat. 29 (2001);
    S. Holm, Scand. J. Stat. 6 (1979).

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(0, 2, 200)
    >>> X = rng.normal(size=(200, 10))
    >>> X[:, 3] *= 1 + 2 * y  # another spread, the same mean
    >>> SplitSelector(alpha=0.05).fit(X, y).get_support(indices=True)
    array([3])
    """

    def __init__(
        self, alpha: float = 0.05, *, control: Control = "fdr", categorical_features: Any = None,
        response: ResponseChoice = "auto", min_samples_leaf: int = 1, n_permutations: int = 999,
        random_state: Any = None,
    ) -> None:  # fmt: skip
        self._set(locals())

    def fit(self, X: Any, y: Any, *, groups: Any = None, strata: Any = None) -> Self:
        """Test every column.

        Parameters
        ----------
        X : array, sparse matrix or data frame (n, d)
        y : array (n,)
        groups, strata : array (n,), optional
            Which rows belong to one patient, or household, and within which labels are exchangeable: see
            `splitcrit.inference.split_test`. In a pipeline, ``set_fit_request(groups=True)`` passes them on.

        Raises
        ------
        ValueError, TypeError
            If a parameter is none of those above, or ``X`` and ``y`` do not fit.
        """
        between(self.alpha, "alpha", 0, 1, ends=False, example=0.05)
        one_of(self.control, Control, "a control")
        with all_or_nothing(self):
            a_table(X if hasattr(X, "shape") else np.array(X, object), sparse=True)
            validate_data(self, X, y, skip_check_array=True)  # their names
            if not read_target(y, self.response).present.all():
                raise ValueError(complaint("y has no gaps", "a missing entry", "drop the rows without one"))
            self.test_: SplitTest = split_test(
                X, y, correction="holm" if self.control == "fwer" else None, response=self.response, alpha=self.alpha,
                categorical_features=self.categorical_features, min_samples_leaf=self.min_samples_leaf,
                n_permutations=self.n_permutations, random_state=self.random_state, categories="table",
                groups=groups, strata=strata,
            )  # fmt: skip
            self.pvalues_ = np.array([feature.p for feature in self.test_.features])
            self.adjusted_ = np.array(CORRECTIONS[self.control](self.pvalues_.tolist()))
            kinds = [feature.kind for feature in self.test_.features]
            columns = columns_read(X, [j for j, kind in enumerate(kinds) if kind == "categories"])
            named = [k == "categories" or column.kind == "ordered" for column, k in zip(columns, kinds, strict=True)]
            self.categories_ = [_categories(x) if of else None for x, of in zip(columns, named, strict=True)]
        return self

    def _get_support_mask(self) -> Array:
        check_is_fitted(self)
        return np.asarray(self.adjusted_ <= self.alpha * (1 + ROUNDING))

    def transform(self, X: Any) -> Any:
        """The columns that are kept: an array of numbers, or frames by ``set_output``.

        Raises
        ------
        ValueError
            If ``X`` has other columns than at ``fit``.
        """
        check_is_fitted(self)
        columns = columns_read(X, [j for j, known in enumerate(self.categories_) if known is not None])
        validate_data(self, X, reset=False, skip_check_array=True)
        chosen = self.get_support(indices=True)
        if hasattr(X, "tocsr") and not any(self.categories_):
            return X.tocsr()[:, chosen]
        wanted = getattr(self, "_sklearn_output_config", {}).get("transform", "default")
        if hasattr(X, "dtypes") and hasattr(X, "columns") and wanted != "default":
            return _safe_indexing(X, chosen, axis=1)
        return np.column_stack(
            [np.empty((len(columns[0]), 0)), *(_numbers(columns[j], self.categories_[j]) for j in chosen)]
        )

    def plot(self, *, ax: Any = None, most: int = 30) -> Any:
        """Draw the adjusted p-value of each column, least first, and the level.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        check_is_fitted(self)
        return import_module("splitcrit.plots.ranking").plot_selection(self, ax=ax, most=most)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.string = False
        return tags


def _categories(column: InMemoryColumn) -> dict[Any, int]:
    """The code of each category, in their order."""
    return {x: code for code, x in enumerate(levels(column).names)}


def _numbers(column: InMemoryColumn, categories: dict[Any, int] | None) -> Array:
    """A column as numbers: categories as codes, dates as days; nan where they are missing or were not seen."""
    if categories is not None:
        own = levels(column)
        codes = np.array([float(categories.get(x, np.nan)) for x in (*own.names, MISSING)])
        return np.asarray(codes[own.codes])
    values = column.values
    if column.kind == "date":
        # In the unit that they have: nanoseconds hold no date after 2262.
        since = values - np.datetime64(0, "D") if values.dtype.kind == "M" else values
        values = since / np.timedelta64(1, "D")
    elif column.kind not in ("number", "flag") and column.present.any():
        rule = "a column to keep must hold numbers, dates or categories, as in fit"
        raise ValueError(complaint(rule, repr(column.names[0]), "convert it first"))
    return np.where(column.present, values, np.nan).astype(float)
