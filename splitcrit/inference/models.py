"""A fitted model of any library as an audit sees it: its trees, its features and classes, and where rows end.

Main definitions: ``FittedTree``, ``FittedModel``, ``Published`` (a tree read from a file of LightGBM or XGBoost),
``matrix`` (features as numbers, in the order of such a file), ``leaves``, ``coded`` (labels as codes of classes).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.inference.node_moments import Moments
from splitcrit.inference.structures import Structure
from splitcrit.inputs import classes_of, column, numbers
from splitcrit.values import complaint

Array = NDArray[Any]
ZERO = 1e-35  # LightGBM takes numbers up to this for zero, where zero stands for a missing value


class FittedTree(NamedTuple):
    """One tree; the gain that its library recorded at each node, and moments of the rows that grew it if it keeps them.

    ``rows (nodes,)`` is how many rows reached each node when it was grown, None where the library does not say.
    """

    structure: Structure
    recorded: Array
    grown: Moments | None = None
    rows: Array | None = None


@dataclass(frozen=True, eq=False)
class FittedModel:
    """The trees of a model.

    Parameters
    ----------
    library : str
    trees : tuple of FittedTree
    features : tuple of str
    ends : callable
        Of features ``(n, d)``: for each tree in turn, the node at which each row ends.
    n_classes : int, optional
        None where the model predicts numbers.
    classes : array, optional
        The classes, sorted, where the model holds them.
    boosted : bool
        Whether a tree was grown on the residuals of those before it.
    drawn : tuple of int array, optional
        The rows that each tree drew; None where they are not known, ``why_not`` then says why.
    why_not : str
    """

    library: str
    trees: tuple[FittedTree, ...]
    features: tuple[str, ...]
    ends: Callable[[Any], Iterable[Array]]
    n_classes: int | None
    classes: Array | None = None
    boosted: bool = False
    drawn: tuple[Array, ...] | None = None
    why_not: str = "the model keeps no draws of rows"


@dataclass(frozen=True, eq=False)
class Published(Structure):
    """A tree from a file: a category is a whole number, and at the nodes in ``zeros`` a zero is a missing value."""

    zeros: frozenset[int] = field(default_factory=frozenset)

    def goes_left(self, node: int, values: Array) -> Array:
        """Return which of the values of a node's feature go left."""
        if node in self.subsets:
            values = np.trunc(values)
        if node in self.zeros:
            values = np.where(np.abs(values) <= ZERO, np.nan, values)
        return super().goes_left(node, values)


def leaves(structure: Structure, x: Any) -> Array:
    """Return the leaf at which each row of ``x (n, d)`` ends.

    Examples
    --------
    >>> stump = Structure(*map(np.array, ([1, -1, -1], [2, -1, -1], [0, -1, -1], [0.5, 0, 0], [False] * 3)))
    >>> leaves(stump, [[0.0], [1.0], [0.5]])
    array([1, 2, 1])
    """
    found = np.empty(len(x), dtype=np.intp)
    for node, rows in enumerate(structure.rows(x)):
        if structure.left[node] < 0:
            found[rows] = node
    return found


def within(trees: Iterable[FittedTree], features: int) -> None:
    """Raise ValueError if a tree divides by a feature that there is not."""
    if any((tree.structure.feature >= features).any() for tree in trees):
        raise ValueError(f"{features} features")


def matrix(data: Any, features: Sequence[str], categories: Mapping[int, Sequence[Any]], single: bool) -> Array:
    """Return features as numbers ``(n, d)``, column by column in memory; of a frame or mapping, categories as codes.

    A category that the model does not know is a missing value.

    Raises
    ------
    ValueError, TypeError
        If the columns are others than the model's, or hold no numbers.
    """
    names = list(data) if isinstance(data, Mapping) else getattr(data, "columns", None)
    kind = np.float32 if single else np.float64
    with numbers(data if names is None else None):
        if names is None:
            found = np.asarray(data, dtype=kind, order="F")
            fits = found.ndim == 2 and found.shape[1] == len(features)
            known_columns(len(features), "x".join(map(str, found.shape)), fits)
            return found
        same_names(names, features)
        each = (_codes(data[n], categories[i]) if i in categories else _floats(data[n]) for i, n in enumerate(names))
        return np.asfortranarray(np.column_stack([column.astype(kind) for column in each]))


def known_columns(features: int, got: object, fits: bool) -> None:
    """Raise ValueError unless features are those of the model."""
    if not fits:
        rule = f"the model was fitted on {features} features"
        raise ValueError(complaint(rule, f"an array of shape {got}", "pass the columns it was fitted on"))


def same_names(names: Iterable[Any], features: Sequence[str]) -> None:
    """Raise ValueError unless the columns of a frame have the names of the model's features, in their order."""
    given = [str(name) for name in names]
    if [name.replace(" ", "_") for name in given] != [name.replace(" ", "_") for name in features]:
        odd = next((name for name in features if name not in given), "another order")
        rule = f"the columns are those the model was fitted on: {', '.join(features[:3])}, ..."
        raise ValueError(complaint(rule, f"{', '.join(given[:3])}, ...", f"mind {odd!r}"))


def _floats(values: Any) -> Array:
    return np.asarray(np.asarray(values, dtype=object if isinstance(values, list) else None), dtype=np.float64)


def _codes(values: Any, categories: Sequence[Any]) -> Array:
    """Return the code of each value, nan for others; a number may be written as a text."""
    place = {key: code for code, value in enumerate(categories) for key in (value, str(value))}
    return np.array([place.get(value, math.nan) for value in np.asarray(values, dtype=object).tolist()])


def coded(model: FittedModel, y: Any) -> tuple[Array, Array | None]:
    """Return the code of each label and the classes; responses and None where the model predicts numbers.

    Raises
    ------
    ValueError
        If a label is none of the model's classes, or a response no number.
    """
    labels = column(y)
    if not len(labels):
        raise ValueError(complaint("an audit has rows", "none", "pass some"))
    if model.n_classes is None:
        with numbers(labels, "responses"):
            found = labels.astype(np.float64)
        if not np.isfinite(found).all():
            raise ValueError(complaint("responses are finite", found[~np.isfinite(found)][0], "drop these rows"))
        return found, None
    present, codes = classes_of(labels)
    if model.classes is None:
        if len(present) > model.n_classes:
            rule = f"the model knows {model.n_classes} classes"
            raise ValueError(complaint(rule, f"{len(present)} in y", "pass the rows of the classes it was fitted on"))
        return codes, present
    unseen = present[~np.isin(present, model.classes)]
    if len(unseen):
        rule = f"labels are classes of the model: {', '.join(map(str, model.classes[:5]))}"
        raise ValueError(complaint(rule, repr(unseen.tolist()[0]), "drop rows of classes that it was not fitted on"))
    return np.searchsorted(model.classes, present)[codes], model.classes


def with_classes(model: FittedModel, classes: Any) -> FittedModel:
    """Return a model with the classes of the estimator that it was taken from, if it has any."""
    if classes is None or model.n_classes is None:
        return model
    return replace(model, classes=np.asarray(classes), n_classes=len(classes))
