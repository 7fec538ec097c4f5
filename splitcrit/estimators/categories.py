"""Categorical features of an estimator: which they are, how they are coded, and the subsets its tree splits by.

``tree_`` is grown over the features and one 0/1 column for each subset; ``widened`` builds these columns before the
tree predicts. A missing value is a category of its own where the training set has one. What a node has not seen, a new
category or one of another branch, goes with the node's child of larger weight, and right if both weigh the same.

Main definitions: ``Categorical``, ``CategorySplit``, ``ManyLevelsWarning``; ``coded_features``, ``recoding_of``,
``settled``.
"""

from __future__ import annotations

import reprlib
import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from splitcrit.estimators.structure import Widened
from splitcrit.growth.categories import Recoding, Subset
from splitcrit.table.levels import MISSING, coded, with_missing_row
from splitcrit.values import complaint

Array = NDArray[Any]
MANY = 20  # fewer levels are never too many
TEXT = {"category", "categorical", "enum", "string", "str", "object", "large_string", "dictionary"}


@dataclass(frozen=True)
class CategorySplit:
    """A node's split by categories: those that go left and right, where all others go, and how it was found.

    ``method`` is "mean response" (the order of which some best subset is proved to be a cut), "all subsets" (scored
    one by one), "several orders" (a heuristic: the best cut of the orders by the share of each class, or by the mean
    response, and along the first principal component of the class proportions) or "random".
    """

    feature: int
    name: str
    left: tuple[Any, ...]
    right: tuple[Any, ...]
    others: str
    method: str
    exact: bool


class Categorical(Widened):
    """What a tree with categorical features has besides: its subsets, by node and as names of columns."""

    _subsets: tuple[Subset, ...] = ()
    is_categorical_: Any = None

    @property
    def splits_(self) -> dict[int, CategorySplit]:
        """The subset of each node that splits by categories."""
        check_is_fitted(self)
        places = self.tree_.feature - self.n_features_in_  # type: ignore[attr-defined]
        return {int(node): self._named(self._subsets[places[node]]) for node in np.flatnonzero(places >= 0)}

    @property
    def split_names_(self) -> list[str]:
        """Names for the columns of ``tree_``, for exports and plots."""
        return self.names_of_columns()

    def names_of_columns(self, feature_names: Any = None) -> list[str]:
        """Return names for the columns of ``tree_``: those of the features, then of the subsets.

        Raises
        ------
        ValueError
            If names are passed, and not one for each feature, or for each column.
        """
        check_is_fitted(self)
        if feature_names is not None and np.ndim(feature_names) != 1 and not isinstance(feature_names, set | dict):
            rule, got = "names of features are a list of words", reprlib.repr(feature_names)
            raise TypeError(complaint(rule, got, "pass one for each feature"))
        names = self._feature_names() if feature_names is None else [str(name) for name in feature_names]
        features, columns = self.n_features_in_, self.tree_.n_features  # type: ignore[attr-defined]
        if len(names) not in (features, columns):
            raise ValueError(complaint(f"{features} features have a name each", f"{len(names)}", "pass one for each"))
        return names if len(names) > features else [*names, *(self._as_text(s, names) for s in self._subsets)]

    @property
    def feature_importances_(self) -> Array:
        """The importances of the features; a feature's subsets count as the feature."""
        found: Array = super().feature_importances_  # type: ignore[misc]
        features = self.n_features_in_  # type: ignore[attr-defined]
        whole = found[:features].copy()
        np.add.at(whole, [subset.feature for subset in self._subsets], found[features:])
        return whole

    def over_columns(self) -> Any:
        """Return scikit-learn's tree over the columns of ``tree_``, for what counts features, such as graphviz.

        Its ``criterion`` is the name of the impurity that ``tree_.impurity`` holds.
        """
        check_is_fitted(self)
        base = next(kind for kind in type(self).__mro__ if kind.__module__.startswith("sklearn.tree"))
        plain = base()
        names = ("tree_", "n_outputs_", "max_features_", "n_classes_", "classes_")
        vars(plain).update({name: value for name, value in vars(self).items() if name in names})
        plain.n_features_in_ = self.tree_.n_features  # type: ignore[attr-defined]
        plain.criterion = self._impurity_name()
        return plain

    def _impurity_name(self) -> str:
        """Return what ``tree_.impurity`` holds."""
        return str(self.criterion)  # type: ignore[attr-defined]

    def widened(self, X: Any) -> Array:
        """Return features, categories coded, and the columns of all subsets, in float32, for ``tree_``."""
        check_is_fitted(self)
        columns = columns_of(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        x = coded_by(columns, self.categories_)
        finite: Any = "allow-nan" if self.__sklearn_tags__().input_tags.allow_nan else True  # type: ignore[attr-defined]
        x = check_array(x, dtype=np.float32, ensure_all_finite=finite, estimator=self)
        made = [self._side(subset)[x[:, subset.feature].astype(np.int64)] for subset in self._subsets]
        return np.ascontiguousarray(np.column_stack([x, *made]), dtype=np.float32)

    def _side(self, subset: Subset) -> Array:
        """Return 0 for each category that goes left and 1 for each that goes right; unknown ones are last."""
        found = np.full(len(self.categories_[subset.feature]) + 1, 1 - subset.others_left)
        found[list(subset.left)], found[list(subset.right)] = 0, 1
        return found

    def _feature_names(self) -> list[str]:
        places = range(self.n_features_in_)  # type: ignore[attr-defined]
        return list(getattr(self, "feature_names_in_", [f"x{i}" for i in places]))

    def _named(self, subset: Subset) -> CategorySplit:
        names = self.categories_[subset.feature]
        left, right = (tuple(names[i] for i in side) for side in (subset.left, subset.right))
        others, name = "left" if subset.others_left else "right", self._feature_names()[subset.feature]
        return CategorySplit(subset.feature, name, left, right, others, subset.method, subset.exact)

    def _as_text(self, subset: Subset, names: list[str]) -> str:
        split = self._named(subset)
        return f"{names[split.feature]} in {{{', '.join(map(str, split.right))}}}"


def coded_features(estimator: Any, x: Any) -> Any:
    """Return features with the categories of categorical ones as codes; ``x`` itself where there are none.

    Raises
    ------
    ValueError, TypeError
        If ``categorical_features`` names no features of ``x``.
    """
    if not isinstance(estimator, Categorical):
        return x
    estimator.categories_ = estimator.is_categorical_ = None
    given: Any = estimator.categorical_features  # type: ignore[attr-defined]
    if given is None:
        return x
    columns = columns_of(x)
    mask = categorical_mask(given, columns, x)
    if not mask.any():
        return x
    levels = [
        with_missing_row(coded(column, "feature"), "feature") if chosen else None
        for column, chosen in zip(columns, mask, strict=True)
    ]
    _named_if_many(levels, columns, x)
    estimator.categories_ = [None if level is None else list(level.names) for level in levels]
    estimator.is_categorical_ = mask
    return _stacked(columns, [None if level is None else level.codes for level in levels])


class ManyLevelsWarning(UserWarning):
    """A categorical feature has a level for most rows, so that its levels mean little on other rows."""


def _named_if_many(levels: list[Any], columns: list[Any], x: Any) -> None:
    """Warn of categorical features with more than 20 levels, and more than half as many as rows."""
    names = [str(name) for name in getattr(x, "columns", getattr(x, "column_names", range(len(columns))))]
    for name, level, column in zip(names, levels, columns, strict=True):
        if level is not None and len(level.names) > max(MANY, len(column) / 2):
            got = f"{len(level.names)} levels of column {name!r} in {len(column)} rows"
            remedy = "leave the column out, or make numbers of it, such as the day of a date"
            said = complaint("a category occurs in several rows", got, remedy)
            warnings.warn(said, ManyLevelsWarning, stacklevel=6)


def coded_by(columns: list[Any], categories: list[Any]) -> Array:
    """Return features side by side, with the codes of known categories, -1 for others."""
    each = zip(columns, categories, strict=True)
    return _stacked(columns, [None if names is None else _known(column, names) for column, names in each])


def _known(column: Any, names: list[Any]) -> Array:
    """Return the place of each value among known categories, -1 where it is none."""
    found, place = coded(column, "feature"), {name: i for i, name in enumerate(names)}
    return np.array([place.get(name, -1) for name in (*found.names, MISSING)])[found.codes]


def _stacked(columns: list[Any], codes: list[Any]) -> Array:
    """Return columns side by side in float64, categorical ones by their codes."""
    try:
        return np.column_stack([
            np.asarray(column, dtype=float) if code is None else code.astype(float)
            for column, code in zip(columns, codes, strict=True)
        ])  # fmt: skip
    except (TypeError, ValueError) as error:
        rule, remedy = "features are numbers or named by categorical_features", "name it there, or encode it first"
        raise ValueError(complaint(rule, str(error), remedy)) from error


def columns_of(x: Any) -> list[Any]:
    """Return the columns of a data frame, an array or nested lists.

    Raises
    ------
    ValueError, TypeError
        If there are not two dimensions, or no rows, or the table is sparse.
    """
    if hasattr(x, "tocsr"):
        raise TypeError(complaint("features are dense", f"a sparse {type(x).__name__}", "pass X.toarray()"))
    if hasattr(x, "iloc"):
        columns = [x.iloc[:, j] for j in range(x.shape[1])]
    elif hasattr(x, "get_columns"):
        columns = x.get_columns()
    elif hasattr(x, "itercolumns"):
        columns = list(x.itercolumns())
    else:
        values = x if hasattr(x, "ndim") else np.array(x, dtype=object)
        if values.ndim != 2:
            rule, got = "features are a table of rows and columns", f"{values.ndim} dimensions"
            raise ValueError(complaint(rule, got, "Reshape your data, X.reshape(-1, 1) for one feature"))
        columns = list(np.asarray(values).T)
    shape = (len(columns[0]) if columns else np.shape(x)[0], len(columns))
    if 0 in shape:
        got = f"0 {'sample' if columns else 'feature'}(s) (shape={shape}) while a minimum of 1 is required"
        raise ValueError(complaint("features have rows and columns", got, "pass at least one of each"))
    return columns


def categorical_mask(given: Any, columns: list[Any], x: Any) -> Array:
    """Return which features are categorical, as a mask, places, names or dtypes say.

    Raises
    ------
    ValueError
        If they are no features.
    """
    if isinstance(given, str):
        framed = not isinstance(x, np.ndarray) and hasattr(x, "columns")
        return np.array([framed and _is_text(column) for column in columns])
    wanted = np.asarray(given)
    if wanted.dtype == bool and wanted.shape == (len(columns),):
        return wanted
    rule = "categorical_features is a mask, places or names of features"
    if wanted.ndim != 1 or wanted.dtype.kind not in "iuUSO" or wanted.dtype == bool:
        raise ValueError(complaint(rule, f"{given!r}", f"pass, of the {len(columns)} features, the categorical ones"))
    names = [str(name) for name in getattr(x, "columns", ())]
    found = np.zeros(len(columns), dtype=bool)
    for one in wanted.tolist():
        place = names.index(one) if one in names else one
        if not isinstance(place, int) or not -len(columns) <= place < len(columns):
            raise ValueError(complaint(rule, f"{one!r}", f"pass places below {len(columns)}, or names of a data frame"))
        found[place] = True
    return found


def _is_text(column: Any) -> bool:
    """Tell whether the dtype of a data frame's column is categorical or text."""
    dtype = getattr(column, "dtype", getattr(column, "type", None))
    return str(dtype).lower().partition("(")[0].partition("[")[0].partition("<")[0] in TEXT


def recoding_of(estimator: Any, x: Array) -> Recoding | None:
    """Return the categorical columns of a training set, None where there are none.

    Raises
    ------
    ValueError
        If the estimator looks ahead, which needs thresholds that stay the same from node to node.
    """
    if estimator.categories_ is None:
        return None
    if getattr(estimator, "look_ahead", None) is not None:
        rule, remedy = "a tree looks ahead along numeric features only", "leave look_ahead or categorical_features out"
        raise ValueError(complaint(rule, "categorical features", remedy))
    levels = np.array([0 if names is None else len(names) for names in estimator.categories_])
    return Recoding(x, levels, estimator.max_exact_categories)


def settled(estimator: Any, grown: Any, recoding: Recoding | None) -> tuple[Any, int]:
    """Give an estimator the subsets that its tree uses; return the tree over their columns, and how many these are."""
    features = estimator.n_features_in_
    if recoding is None:
        estimator._subsets = ()
        return grown, features
    used = np.unique(grown.feature[grown.feature >= features])
    estimator._subsets = tuple(recoding.subsets[i - features] for i in used)
    fewer = np.where(grown.feature >= features, features + np.searchsorted(used, grown.feature), grown.feature)
    return replace(grown, feature=fewer), features + len(used)
