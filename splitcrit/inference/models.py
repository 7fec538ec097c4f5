"""A fitted model of any library as an audit sees it: its trees, its features and classes, and where rows end.

Main definitions: ``FittedTree``, ``FittedModel``, ``Published`` (a tree read from a file of LightGBM or XGBoost),
``readable`` (what a damaged file raises, in one sentence), ``listed``, ``sound`` (checks of what stands in it),
``matrix`` (features as numbers, in the order of such a file), ``leaves``, ``coded`` (labels as codes of classes).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from splitcrit.frozen import complaint, is_ours, visible
from splitcrit.inference.node_moments import Moments
from splitcrit.inference.tree_arrays import Structure
from splitcrit.training_inputs import classes_of, column, numbers

Array = NDArray[Any]
DAMAGED = (KeyError, ValueError, IndexError, TypeError, AttributeError, RecursionError, OverflowError, MemoryError)
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
    columns : tuple of str, optional
        The columns of the rows, where the model makes its features from them; else they are its features.
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
    columns: tuple[str, ...] | None = None


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


@contextmanager
def readable(rule: str, remedy: str) -> Iterator[None]:
    """Read a model inside: whatever a damaged one raises becomes a ValueError of one sentence."""
    try:
        with np.errstate(all="ignore"):
            yield
    except DAMAGED as error:
        if is_ours(error):
            raise
        said = visible(str(error).partition("\n")[0])[:100] or type(error).__name__
        got = "a text without" if isinstance(error, KeyError) else "a damaged text:"
        raise ValueError(complaint(rule, f"{got} {said}", remedy)) from None


def listed(held: Mapping[str, Any], name: str, kinds: str, size: int | None = None) -> Array:
    """Return a list of JSON as a vector, whose entries have a dtype of these kinds.

    Examples
    --------
    >>> listed({"feature": [0, 0.9]}, "feature", "i")
    Traceback (most recent call last):
    ...
    ValueError: feature is no list of integers
    """
    found = np.asarray(held[name])
    if found.ndim != 1 or (found.size and found.dtype.kind not in kinds):
        raise ValueError(f"{name} is no list of {'numbers' if 'f' in kinds else 'integers'}")
    if size is not None and len(found) != size:
        raise ValueError(f"{name} has {len(found)} entries for {size} nodes")
    return found


def sound(trees: Iterable[FittedTree], features: int) -> None:
    """Raise ValueError unless a child has one parent, which stands before it, and a split a feature and a threshold."""
    for tree in trees:
        s = tree.structure
        if not len(s.left):
            raise ValueError("a tree without nodes")
        nodes = np.flatnonzero(s.left >= 0)
        child = np.concatenate([s.left[nodes], s.right[nodes]])
        if (child <= np.tile(nodes, 2)).any() or (child >= len(s.left)).any():
            raise ValueError("a child does not stand after its parent")
        if len(np.unique(child)) < len(child):
            raise ValueError("a node is a child twice")
        if ((s.feature[nodes] < 0) | (s.feature[nodes] >= features)).any():
            raise ValueError(f"a split by a feature that is none of {features}")
        if np.isnan(np.delete(s.threshold, [*np.flatnonzero(s.left < 0), *s.subsets])).any():
            raise ValueError("a threshold is nan")


def bits(words: Iterable[int]) -> frozenset[int]:
    """Return the places of the ones in words of 32 bits.

    Examples
    --------
    >>> sorted(bits([9, 1]))
    [0, 3, 32]
    """
    return frozenset(32 * i + bit for i, word in enumerate(words) for bit in range(32) if word >> bit & 1)


def category_names(held: Any) -> list[Any]:
    """Return the categories of a column; raise ValueError unless they are words or numbers."""
    if not isinstance(held, list) or not all(isinstance(name, str | int | float) for name in held):
        raise ValueError("a category is no word or number")
    return held


def matrix(
    data: Any, features: Sequence[str], categories: Mapping[int, Sequence[Any]], single: bool, absent: float = 0.0
) -> Array:
    """Return features as numbers ``(n, d)``, column by column in memory; of a frame or mapping, categories as codes.

    A category that the model does not know is a missing value, and what a sparse matrix does not store is ``absent``.

    Raises
    ------
    ValueError, TypeError
        If the columns are others than the model's, or hold no numbers.
    """
    names = list(data) if isinstance(data, Mapping) else getattr(data, "columns", None)
    kind = np.float32 if single else np.float64
    if hasattr(data, "tocoo"):
        entries = data.tocoo()
        data = np.full(entries.shape, absent, kind)
        data[entries.coords] = entries.data
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
