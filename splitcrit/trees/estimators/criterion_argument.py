"""The meaning of a string as ``criterion=``, and the trial of a criterion before it grows a tree.

Main definitions: ``NAMES``, ``criterion_of``, ``error_of``, ``probe``.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from splitcrit.criteria import Criterion, as_criterion, replace
from splitcrit.frozen import complaint
from splitcrit.impurities import Impurity, gini
from splitcrit.losses import ResponseLoss
from splitcrit.nulls import criterion_names
from splitcrit.nulls.calibration import ResponseError, calibrated, of_score
from splitcrit.trees.growth.source_choice import Error
from splitcrit.trees.growth.weights import scale_of
from splitcrit.trees.scan.ties_and_scores import formula_scores

CriterionName = Literal[criterion_names.CriterionName, "calibrated"]
CriterionArgument = CriterionName | Impurity | Criterion
ErrorArgument = Literal[ResponseError, "calibrated"] | ResponseLoss | Criterion
PlainError = Literal["squared_error", "absolute_error"]  # of trees that test, or grow in partitions
NAMES: dict[str, Criterion | Impurity] = {**criterion_names.NAMES, "calibrated": calibrated()}


def criterion_of(value: Any, classes: int, min_gain: float | None = 0.0) -> Criterion:
    """The criterion that a name, an impurity or a criterion stands for, fit for tables of two rows.

    One class makes no table; the criterion must then allow two.

    Raises
    ------
    ValueError
        If it is one of responses, does not allow two rows or this number of classes, or has no score above
        ``min_gain``.

    Examples
    --------
    >>> criterion_of("gini", 3)
    decrease(gini)
    """
    criterion = _known(NAMES[value]) if isinstance(value, str) else as_criterion(value)
    if criterion.search.tested is not None:
        assert criterion.search.tested.cut  # of classes, or there is a complaint
    if criterion.response_loss is not None:
        rule, remedy = "a classification tree needs a criterion for classes", "grow a TreeRegressor"
        raise ValueError(complaint(rule, f"responses in {criterion!r}", remedy))
    criterion.check(2, max(classes, 2))
    if criterion.search.negative and min_gain is not None:
        rule = f"scores of {criterion!r} are never positive, so that a tree splits only if min_gain is None"
        remedy = "pass min_gain=None, or criterion='misclassification'"
        raise ValueError(complaint(rule, f"min_gain={min_gain!r}", remedy))
    return criterion


_known = cache(as_criterion)  # what names stand for


def of_samples(criterion: Criterion) -> Criterion:
    """The criterion by which trees of bootstrap samples grow: a row that is drawn twice is no second row."""
    selection = criterion.search.tested
    return criterion if selection is None else of_score(replace(selection, weights="rows"))


def error_of(value: Any, bootstrap: bool = False) -> Error:
    """The error by which a regression tree grows: a name or a loss as it is, the loss of a criterion from one.

    That of ``calibrated`` is its score, by which features are compared; see ``of_samples``.

    Raises
    ------
    ValueError
        If a criterion is not from a loss of responses.

    Examples
    --------
    >>> from splitcrit.losses import ResponseLoss
    >>> error_of(Criterion.from_loss(ResponseLoss("mine", lambda w, y, m: (w - y) * (w - y))))
    mine
    """
    value = NAMES[value] if value == "calibrated" else value
    if isinstance(value, Criterion) and value.search.tested is not None and value.search.tested.error:
        return (of_samples(value) if bootstrap else value).search.tested  # type: ignore[no-any-return]
    if not isinstance(value, Criterion):
        return value  # type: ignore[no-any-return]
    if value.response_loss is not None:
        return value.response_loss
    rule, remedy = "a regression tree needs a regression loss", "pass Criterion.from_loss(ResponseLoss(...))"
    raise ValueError(complaint(rule, repr(value), remedy))


def node_impurity(criterion: Criterion) -> Impurity:
    """The impurity of nodes: the one whose decrease the criterion is, and Gini's for any other criterion."""
    return gini if criterion.impurity is None else criterion.impurity


def shown_impurity(value: Any) -> str:
    """The name of the impurity of nodes in a tree by a name, an impurity or a criterion.

    Examples
    --------
    >>> from splitcrit import decrease
    >>> [shown_impurity(value) for value in ("entropy", "sgini", decrease(gini))]
    ['entropy', 'gini', 'gini']
    """
    named = NAMES[value] if isinstance(value, str) else value
    return str(value if isinstance(named, Impurity) else node_impurity(named))


def probe(criterion: Criterion, totals: NDArray[np.float64]) -> None:
    """Let a criterion score three splits of a node with these class weights.

    One that the library made is not asked: of counts, whose weights are checked later, or of a form that is known.

    Raises
    ------
    ValueError
        If it raises, or returns another shape or a score that is not a number; it is named.
    """
    if criterion.counting or not criterion.search.tried or (totals > 0).sum() < 2:
        return
    totals = scale_of(totals[totals > 0], criterion.degree).weights(totals)
    first = np.zeros_like(totals)
    first[np.argmax(totals)] = totals.max()
    left = np.stack([np.ceil(totals / 2), np.floor(totals / 2) + (totals == 1), first], axis=1)
    left = np.minimum(left, totals[:, None])
    right = totals[:, None] - left
    both = (left.sum(axis=0) > 0) & (right.sum(axis=0) > 0)
    if both.any():
        formula_scores(criterion, np.ascontiguousarray(left[:, both]), np.ascontiguousarray(right[:, both]))
