"""Tuning a family of criteria on a hold-out of the training set.

Main definitions: ``ValidationCurve``; ``Tuned``, what the adaptive estimators have in common;
``drawn_rows``, which keeps groups whole.

Source: wilton2024, Experiments.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from splitcrit.arguments import Array
from splitcrit.criteria import Criterion
from splitcrit.data import training_inputs
from splitcrit.display import many, shortened
from splitcrit.frozen import complaint
from splitcrit.nulls.groups import dependence_of
from splitcrit.trees.estimators import sklearn_tree
from splitcrit.trees.estimators.criterion_argument import criterion_of
from splitcrit.trees.estimators.reading import TrainingReader
from splitcrit.trees.estimators.weighing import weighed


@dataclass(frozen=True, repr=False)
class ValidationCurve:
    """The accuracy of each parameter of a grid on the hold-out, and its leaves (of a forest: the mean of its trees).

    Examples
    --------
    >>> ValidationCurve((0.0, 0.5, 1.0), (0.7, 0.8, 0.8), (9.0, 5.0, 3.0)).best
    2
    """

    grid: tuple[Any, ...]
    accuracy: tuple[float, ...]
    leaves: tuple[float, ...]

    __repr__ = shortened

    @property
    def best(self) -> int:
        """The place of the largest accuracy; among equal ones of the fewest leaves, then of the first in the grid."""
        return max(range(len(self.grid)), key=lambda i: (self.accuracy[i], -self.leaves[i]))


class Tuned(TrainingReader):
    """The classifier ``kind``, whose criterion is tuned on a hold-out of the training set before it is fitted."""

    kind: type[Any]
    family: Any
    grid: Any
    validation_fraction: float
    stratify: bool
    refit: bool
    random_state: Any
    min_gain: float | None

    @sklearn_tree.fitting
    def fit(self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, check_input: bool = True) -> Any:
        """Tune the criterion on a hold-out, then fit by the best.

        Parameters
        ----------
        X, y
            As in ``TreeClassifier.fit``.
        sample_weight : array (n,), optional
            Not negative; the accuracy on the hold-out is weighted too. Rows of weight 0 are left out.
        groups : array (n,), optional
            The group of each row, such as a patient: whole groups are held out, and drawn for the trees of a forest.
        check_input : bool, default=True
            As in ``TreeClassifier.fit``.

        Raises
        ------
        ValueError, TypeError
            If an input or a parameter is invalid, the grid is empty or its family makes no criterion, or the hold-out
            or the rest has no row of some class; the estimator stays as it was.
        """
        training = weighed(*self._read(X, y, check_input), sample_weight)
        x, labels, weights = training.x, training.y, training.weights
        classes, codes = training_inputs.classes_of(labels)
        grid = _values(self.grid)
        criteria = [_member(self.family, value, len(classes), self.min_gain) for value in grid]
        seed, among = _seed(self.random_state), dependence_of(groups, None, len(labels), weights=sample_weight)
        out = held_out(codes, classes, self.validation_fraction, self.stratify, seed, among and among.groups)
        data = x if (coding := self._coding(x)) is None else coding, labels, weights, among and among.groups
        fitted = [self._fitted(criterion, seed, *_rows(data, ~out)) for criterion in criteria]
        accuracy = tuple(each.score(*_rows(data[:3], out)) for each in fitted)
        self.validation_curve_ = ValidationCurve(grid, accuracy, tuple(map(_leaves, fitted)))
        best = self.validation_curve_.best
        self.best_parameter_, self.criterion_ = grid[best], criteria[best]
        chosen = fitted[best]
        if self.refit:
            chosen = self._fitted(criteria[best], seed, *data)
        self._adopt(chosen)
        return self

    def _adopt(self, fitted: Any) -> None:
        """Take over what ``fit`` has added to a classifier."""
        own = vars(self.kind())
        vars(self).update({name: value for name, value in vars(fitted).items() if name not in own})

    def _fitted(
        self, criterion: Criterion, seed: int, x: Any, y: Array, weights: Array | None, groups: Any
    ) -> Any:  # fmt: skip
        """The classifier with one criterion and otherwise the same parameters, fitted."""
        known, mine = self.kind().get_params(deep=False), self.get_params(deep=False)  # type: ignore[attr-defined]
        shared = {name: value for name, value in mine.items() if name in known}
        of_forest = {"groups": groups} if hasattr(self, "n_estimators") else {}
        return self.kind(**shared | {"criterion": criterion, "random_state": seed}).fit(x, y, weights, **of_forest)


def held_out(
    codes: Array, classes: Array, fraction: float, stratify: bool, seed: int, groups: Any = None
) -> Array:  # fmt: skip
    """A mask of the rows held out: the fraction, rounded, of each class or of all; at least one, not all.

    Raises
    ------
    ValueError
        If the hold-out or the rest has no row of some class.
    """
    each, rng = codes if stratify else 0 * codes, np.random.default_rng(seed)
    out = drawn_rows(each, groups, fraction, rng, 1, one_order=True)
    for part, name in ((out, "hold-out"), (~out, "rest")):
        if len(absent := np.setdiff1d(codes, codes[part])):
            rule = "the hold-out and the rest of the training set each need a row of every class"
            got = f"{many(len(codes), 'sample')} with none of class {classes[absent].tolist()[0]!r} in the {name}"
            remedy = "pass at least two rows of each class and stratify=True, or another validation_fraction"
            raise ValueError(complaint(rule, got, remedy))
    return out


def drawn_rows(
    codes: Array, groups: Any, share: float, rng: Any, least: int = 0, one_order: bool = False
) -> Array:  # fmt: skip
    """A mask of rows at random: of the groups of each class that share, rounded, each with all its rows.

    Of a class at least so many groups are drawn, and never all. A group counts as one of its rarest class, and a class
    of which no row would be left gets a group back; without groups each row is one. Labels alone decide, so that those
    of the groups that are drawn, or left, are in random order given the features, if they were before. Classes are
    drawn one by one, or by ``one_order`` of all.

    Examples
    --------
    >>> codes, groups = np.array([0, 0, 0, 0, 1, 1, 1, 1]), np.array([0, 0, 1, 1, 2, 2, 3, 3])
    >>> drawn = drawn_rows(codes, groups, 0.5, np.random.default_rng(0))
    >>> np.bincount(groups, drawn).tolist()  # a group of two of each class
    [2.0, 0.0, 2.0, 0.0]
    """
    groups = np.arange(len(codes)) if groups is None else groups
    order = np.lexsort((codes, np.bincount(codes)[codes], groups))
    rarest = codes[order[np.unique(groups[order], return_index=True)[1]]]
    drawn, kinds = np.zeros(len(rarest), dtype=bool), np.unique(rarest).tolist()
    whole = rng.permutation(len(rarest)) if one_order else None
    for kind in kinds:
        some = rng.permutation(np.flatnonzero(rarest == kind)) if whole is None else whole[rarest[whole] == kind]
        drawn[some[: min(max(least, round(share * len(some))), len(some) - 1)]] = True
    for code in np.setdiff1d(codes, codes[~drawn[groups]]):
        drawn[rng.choice(np.unique(groups[codes == code]))] = False
    return np.asarray(drawn[groups])


def _values(grid: Any) -> tuple[Any, ...]:
    values = tuple(grid) if getattr(grid, "ndim", 1) and hasattr(grid, "__len__") and not isinstance(grid, type) else ()
    if not values:
        rule = "the grid has at least one parameter of the family"
        raise ValueError(complaint(rule, "an empty grid", "pass values such as (0, 0.25, 0.5, 0.75, 1)"))
    return values


def _member(family: Any, value: Any, classes: int, min_gain: float | None) -> Criterion:
    """The criterion of a family at one parameter; a ValueError is the family's own sentence."""
    try:
        return criterion_of(family(value), classes, min_gain)
    except ValueError:
        raise
    except Exception as error:
        rule = "the family makes an impurity or a criterion of each value of the grid"
        got = f"{type(error).__name__} at {value!r}"
        raise ValueError(complaint(rule, got, f"correct the family or the grid ({error})")) from error


def _seed(random_state: Any) -> int:
    """Return one integer for the hold-out and for every candidate, so that the candidates differ in nothing else."""
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def _rows(data: tuple[Any, ...], some: Array) -> Any:
    return tuple(None if part is None else part[some] for part in data)


def _leaves(fitted: Any) -> float:
    return float(np.mean([tree.get_n_leaves() for tree in getattr(fitted, "estimators_", [fitted])]))
