"""A tree with categorical features: the subsets that it splits by, their names, and what it predicts.

``tree_`` is grown over the features and one 0/1 column for each subset. To predict, rows go down by the subsets
themselves; ``widened`` builds the columns, for tools that read ``tree_``. A missing value is a category of its own
where the training set has one. What a node has not seen, a new category or one of another branch, goes with the node's
child of larger weight, and right if both weigh the same.

Main definitions: ``CategoricalTree``, ``CategorySplit``; ``sides_table``.
"""

from __future__ import annotations

import reprlib
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted, validate_data

from splitcrit.arguments import Array
from splitcrit.display import shortened, visible_name
from splitcrit.frozen import complaint
from splitcrit.trees.estimators import sklearn_tree
from splitcrit.trees.estimators.growing import Fitted
from splitcrit.trees.estimators.mixins import TreeMixin
from splitcrit.trees.estimators.walk import leaves, passed
from splitcrit.trees.growth.category_ranks import NO_SUBSETS, subset_of

# Categories of a set that are listed.
SHOWN = 6


@dataclass(frozen=True, repr=False)
class CategorySplit:
    """A node's split by categories.

    Parameters
    ----------
    feature, name
        The position of the column and its name.
    left, right : tuple
        The categories of the training rows at the node that go to each side.
    others : {"left", "right"}
        Where all other categories go.
    method : str
        How the split was found: "mean response" (some best subset is proved to be a cut of that order), "all subsets"
        (scored one by one), "several orders" (a heuristic: the best cut of the orders by the share of each class, or by
        the mean response, and along the first principal component of the class proportions) or "random".
    exact : bool
        Whether no other subset scores higher.

    Examples
    --------
    >>> CategorySplit(0, "colour", ("blue",), ("green", "red"), "right", "mean response", exact=True).left
    ('blue',)
    """

    feature: int
    name: str
    left: tuple[Any, ...]
    right: tuple[Any, ...]
    others: str
    method: str
    exact: bool

    __repr__ = shortened

    def says(self, side: str, name: str) -> str:
        """The condition on the categories of a side, "left" or "right"; a long set is shortened.

        Examples
        --------
        >>> split = CategorySplit(0, "colour", ("blue",), tuple("abcdefgh"), "left", "mean response", True)
        >>> split.says("left", "colour"), split.says("right", "hue")
        ('colour in {blue}', 'hue in {a, b, c, d, e, and 3 more}')
        """
        own, other = (self.left, self.right) if side == "left" else (self.right, self.left)
        if side == self.others and len(own) > SHOWN >= len(other):
            return f"{name} not in {{{', '.join(map(visible_name, other))}}}"
        listed = own if len(own) <= SHOWN else (*own[: SHOWN - 1], f"and {len(own) - SHOWN + 1} more")
        return f"{name} in {{{', '.join(map(visible_name, listed))}}}"


class CategoricalTree(TreeMixin):
    """A tree that may have categorical features: its splits by subsets, and what it predicts."""

    # Rows of ``Recoding.table``.
    _subsets: Array = NO_SUBSETS
    _sides: Array  # of the subsets, by code

    def _take(self, fitted: Fitted, classes: Array | None = None) -> Self:
        super()._take(fitted, classes)
        self._sides = sides_table(self._subsets)
        return self

    def apply(self, X: Any, check_input: bool = True) -> Array:
        """The node in which each row ends, by its place in ``nodes_``."""
        x = self._validate_X_predict(X, check_input)
        if self.categories_ is None:
            return leaves(self.nodes_, x)
        columns = np.array([*range(self.n_features_in_), *self._subsets["feature"]])
        return leaves(self.nodes_, x, columns, self._sides)

    def predict(self, X: Any, check_input: bool = True) -> Any:
        """Predict the most frequent class of the leaf of each row, or its response."""
        leaf = self.apply(X, check_input)
        values = self.nodes_.value[leaf]
        if hasattr(self, "classes_"):
            return self.classes_.take(values[:, 0].argmax(axis=1))
        return values[:, 0, 0] if self.n_outputs_ == 1 else values[:, :, 0]

    def decision_path(self, X: Any, check_input: bool = True) -> Any:
        """The nodes that each row passes, as a sparse matrix ``(n, nodes)`` of 0 and 1."""
        leaf = self.apply(X, check_input)
        return passed(self.nodes_, leaf)

    def _validate_X_predict(self, X: Any, check_input: bool) -> Any:
        check_is_fitted(self)
        if check_input or (self.categories_ is not None and not self._in_forest):
            return self._to_predict(X)
        validate_data(self, X, reset=False, skip_check_array=True)
        return X

    @property
    def splits_(self) -> dict[int, CategorySplit]:
        """The subset of each node that splits by categories."""
        check_is_fitted(self)
        places = self.nodes_.feature - self.n_features_in_
        return {int(node): self._named(self._subsets[places[node]]) for node in np.flatnonzero(places >= 0)}

    @property
    def split_names_(self) -> list[str]:
        """Names for the columns of ``tree_``, for exports and plots."""
        return self.names_of_columns()

    def sides_of(self, names: list[str]) -> list[tuple[str, str]]:
        """The conditions of each subset on the left and on the right, given the names of the features."""
        splits = map(self._named, self._subsets)
        return [(each.says("left", names[each.feature]), each.says("right", names[each.feature])) for each in splits]

    def missing_sides(self) -> list[str]:
        """The side to which each node sends missing values, "left" or "right"; empty where it meets none.

        It meets those of a feature that had some in the training set, unless a split above sent them elsewhere.
        """
        tree, sides = self.nodes_, [""] * self.nodes_.node_count
        meets = [set() if self._missing is None else set(np.flatnonzero(self._missing).tolist())] * len(sides)
        # Parents stand before children.
        for node in np.flatnonzero(tree.children_left >= 0).tolist():
            feature, goes_left = int(tree.feature[node]), bool(tree.missing_go_to_left[node])
            if feature in meets[node]:
                sides[node] = "left" if goes_left else "right"
            for child, side in ((tree.children_left[node], True), (tree.children_right[node], False)):
                meets[child] = meets[node] if side is goes_left else meets[node] - {feature}
        return sides

    @staticmethod
    def number_sides(threshold: str, missing: str) -> tuple[str, str]:
        """The conditions on a feature left and right of a threshold; missing values go to a side, if to any.

        An infinite threshold parts numbers from missing values.

        Examples
        --------
        >>> [CategoricalTree.number_sides(*given) for given in (("0.5", ""), ("0.5", "right"), ("inf", "right"))]
        [('<= 0.5', '>  0.5'), ('<= 0.5', '>  0.5 or missing'), ('is present', 'is missing')]
        """
        if threshold == "inf":
            return "is present", "is missing"
        left, right = (" or missing" if missing == side else "" for side in ("left", "right"))
        return f"<= {threshold}{left}", f">  {threshold}{right}"

    def names_of_columns(self, feature_names: Any = None) -> list[str]:
        """Names for the columns of ``tree_``: those of the features, then of the subsets.

        Raises
        ------
        ValueError
            If names are passed, and not one for each feature, or for each column.
        """
        check_is_fitted(self)
        if feature_names is not None and np.ndim(feature_names) != 1 and not isinstance(feature_names, set | dict):
            rule, got = "feature names must be a list of strings", reprlib.repr(feature_names)
            raise TypeError(complaint(rule, got, "pass one for each feature"))
        names = self._feature_names() if feature_names is None else [str(name) for name in feature_names]
        features, columns = self.n_features_in_, self.nodes_.n_features
        if len(names) not in (features, columns):
            raise ValueError(complaint(f"{features} features need one name each", f"{len(names)}", "pass one for each"))
        if len(names) > features:
            return names
        splits = map(self._named, self._subsets)
        return [*names, *(f"{names[each.feature]} in {{{', '.join(map(str, each.right))}}}" for each in splits)]

    @property
    def feature_importances_(self) -> Array:
        """The importances of the features; a feature's subsets count as the feature."""
        check_is_fitted(self)
        of_columns: Array = sklearn_tree.lent(self.nodes_).compute_feature_importances()
        importances = of_columns[: self.n_features_in_].copy()
        np.add.at(importances, self._subsets["feature"], of_columns[self.n_features_in_ :])
        return importances

    def over_columns(self) -> Any:
        """scikit-learn's tree over the columns of ``tree_``, for what counts features, such as graphviz.

        Its ``criterion`` is the name of the impurity that ``tree_.impurity`` holds.
        """
        return self.showing(self.tree_)

    def showing(self, structure: Any) -> Any:
        """scikit-learn's tree of this structure, which need not be one that it can apply."""
        base = next(kind for kind in type(self).__mro__ if kind.__module__.startswith("sklearn.tree"))
        plain = base()
        names = ("n_outputs_", "max_features_", "n_classes_", "classes_")
        vars(plain).update({name: value for name, value in vars(self).items() if name in names})
        plain.tree_, plain.n_features_in_ = structure, structure.n_features
        plain.criterion = self._impurity_name()
        return plain

    def _impurity_name(self) -> str:
        """The name of the impurity in ``tree_.impurity``."""
        return str(self.criterion)  # type: ignore[attr-defined]

    def widened(self, X: Any) -> Array:
        """Features, categories coded, and the columns of all subsets, in float32, for ``tree_``."""
        check_is_fitted(self)
        x = self._codes(X)
        sides = self._sides[np.arange(len(self._sides)), x[:, self._subsets["feature"]].astype(np.int64)]
        return np.ascontiguousarray(np.column_stack([x, sides]), dtype=np.float32)

    def _feature_names(self) -> list[str]:
        return list(getattr(self, "feature_names_in_", [f"x{i}" for i in range(self.n_features_in_)]))

    def _named(self, row: Any) -> CategorySplit:
        subset = subset_of(row)
        names = self.categories_[subset.feature]
        left, right = (tuple(names[i] for i in side) for side in (subset.left, subset.right))
        others, name = "left" if subset.others_left else "right", self._feature_names()[subset.feature]
        return CategorySplit(subset.feature, name, left, right, others, subset.method, subset.exact)


def sides_table(subsets: Array) -> Array:
    """On which side each subset, a row of ``Recoding.table``, has each code ``(S, J + 1)``, 1 for right.

    A category that its node had not goes with the others, as does the code -1, the last column.

    Examples
    --------
    >>> from splitcrit.trees.growth.category_ranks import Recoding
    >>> recoding = Recoding(np.array([3]), 1)
    >>> recoding.column(0, np.array([1, 0, -1]), False, 1)
    array([1])
    >>> sides_table(recoding.table).astype(int).tolist()
    [[1, 0, 1, 1]]
    """
    sides, others = subsets["sides"], ~subsets["others_left"][:, None]
    return np.hstack([np.where(sides < 0, others, sides == 1), others])
