"""Regression losses: class ``k`` stands for the response ``values[k]``, the action is one real number.

Main definitions: ``squared_error``, ``absolute_error``, ``poisson``; ``ResponseLoss`` (which a user writes: the
cost of predicting ``w`` where the response is ``y``).

Source: yang2019 Table I; for Poisson deviance, banerjee2005.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from splitcrit.arguments import of_kind, real, reals
from splitcrit.arith import Arithmetic, total
from splitcrit.frozen import NamedValue, complaint
from splitcrit.losses.base import Loss

Formula = Callable[[Any, Arithmetic], Any]


@dataclass(frozen=True)
class _Squared:
    """The squared distance of a number from the response of a class."""

    values: tuple[Any, ...]

    def __call__(self, w: Any, k: int, m: Arithmetic) -> Any:
        with np.errstate(over="ignore"):  # an infinite cost is a value
            return (w - m.number(self.values[k])) * (w - m.number(self.values[k]))


@dataclass(frozen=True)
class _Mean:
    """The mean response."""

    values: tuple[Any, ...]

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        return total([x * m.number(v) for x, v in zip(p, self.values, strict=True)])


@dataclass(frozen=True)
class _Absolute:
    """The distance of a number from the response of a class."""

    values: tuple[Any, ...]

    def __call__(self, w: Any, k: int, m: Arithmetic) -> Any:
        return m.abs(w - m.number(self.values[k]))


@dataclass(frozen=True)
class _PoissonLoss:
    """Half the Poisson deviance of the response of a class from a number; of a response of 0 the number itself."""

    values: tuple[Any, ...]

    def __call__(self, w: Any, k: int, m: Arithmetic) -> Any:
        y = m.number(self.values[k])
        if _is_zero(self.values[k]):
            return w
        with np.errstate(over="ignore"):
            return y * (m.log(y) - m.log(w)) - y + w


def _is_zero(value: Any) -> bool:
    """Whether a response is 0; a symbol stands for one above it."""
    return isinstance(value, Real) and value == 0


@dataclass(frozen=True)
class _Median:
    """The smallest response up to which half of the probability lies."""

    values: tuple[Any, ...]

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        order = sorted(range(len(self.values)), key=lambda k: self.values[k])
        median = m.number(self.values[order[-1]])
        above = p[order[-1]]
        for k in reversed(order[:-1]):
            median = m.where(2 * above <= 1, m.number(self.values[k]), median)
            above = above + p[k]
        return median


def responses(values: Any) -> tuple[Any, ...]:
    """The responses of the classes as a tuple of finite real numbers.

    Raises
    ------
    TypeError, ValueError
        If one is none, or there are none.
    """
    return reals(values, "the responses of the classes are finite real numbers", "pass a number for each class")


def squared_error(values: Any) -> Loss:
    """The squared error ``(w - values[k]) ** 2``; the best action is the mean.

    Notes
    -----
    Proved: impurity.variance_is_least_squared_error

    References
    ----------
    yang2019, Table I.

    Examples
    --------
    >>> squared_error((0, 1, 5))
    squared_error((0, 1, 5))
    """
    values = responses(values)
    return Loss(f"squared_error({values})", _Squared(values), _Mean(values), "line")


def absolute_error(values: Any) -> Loss:
    """The absolute error ``|w - values[k]|``; the best action is a median.

    Notes
    -----
    Proved: impurity.median_has_least_absolute_error

    References
    ----------
    yang2019, Table I.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from splitcrit.arith import EXACT
    >>> absolute_error((0, 1, 5)).act((Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)), EXACT)
    Fraction(1, 1)
    """
    values = responses(values)
    return Loss(f"absolute_error({values})", _Absolute(values), _Median(values), "line")


def counts(values: Any) -> tuple[Any, ...]:
    """The responses of the classes as a tuple of finite numbers from 0, one of them above it.

    Raises
    ------
    TypeError, ValueError
        If one is none of these.
    """
    rule = "Poisson deviance is of responses from 0, some above it"
    remedy = "pass counts, or another loss"
    responses = tuple(real(x, rule, remedy, lambda y: y >= 0) for x in reals(values, rule, remedy))
    if all(map(_is_zero, responses)):
        raise ValueError(complaint(rule, "only 0", remedy))
    return responses


def poisson(values: Any) -> Loss:
    """Half the Poisson deviance ``y log(y / w) - (y - w)`` of ``y = values[k]``; the best action is the mean.

    Raises
    ------
    TypeError, ValueError
        If a response is no finite number from 0, or all are 0.

    Notes
    -----
    Proved: impurity.poisson_is_least_deviance

    References
    ----------
    banerjee2005, Proposition 1 and Table 1 (generalised I-divergence).

    Examples
    --------
    >>> from splitcrit.arith import FLOAT
    >>> loss = poisson((0, 1, 5))
    >>> loss, float(loss.at(0.5, 0, FLOAT)), float(loss.at(1.0, 1, FLOAT))
    (poisson((0, 1, 5)), 0.5, 0.0)
    """
    values = counts(values)
    return Loss(f"poisson({values})", _PoissonLoss(values), _Mean(values), "line")


@dataclass(frozen=True, repr=False)
class ResponseLoss(NamedValue):
    """The cost ``at(w, y, m)`` of predicting ``w`` where the response is ``y``: a ``criterion`` of regression trees.

    A split scores by how much the least mean loss falls. It is a formula where ``statistics``, ``act`` and ``risk`` are
    given; else it is found numerically, between the least and the largest response of a node.

    Parameters
    ----------
    name : str
        What the loss prints as.
    at : callable
        ``at(w, y, m)`` with the arithmetic ``m``, of arrays that are broadcast.
    statistics : callable, optional
        ``statistics(y, m)``, the tuple of transformed responses on whose weighted means all follows.
    act : callable, optional
        ``act(means, m)``, the prediction of least mean loss.
    risk : callable, optional
        ``risk(means, m)``, the least mean loss.

    Raises
    ------
    TypeError, ValueError
        If the name is no text, a function cannot be called, or some of ``statistics``, ``act``, ``risk`` are missing.

    Notes
    -----
    A cost that is not a number counts as infinite. Without statistics the time grows with the square of the number of
    rows of a node, and the least loss is right to 1e-9 where it has one minimum between neighbouring responses. Of a
    cost that is convex in ``w``, as far as trials tell, few thresholds need more than one pass over the responses.

    References
    ----------
    yang2019, eq. (1).

    Examples
    --------
    >>> from splitcrit.arith import FLOAT
    >>> loss = ResponseLoss("mine", lambda w, y, m: (w - y) * (w - y))
    >>> loss, float(loss.at(2.0, 5.0, FLOAT))
    (mine, 9.0)
    """

    name: str
    at: Callable[[Any, Any, Arithmetic], Any]
    statistics: Formula | None = None
    act: Formula | None = None
    risk: Formula | None = None

    def __post_init__(self) -> None:
        of_kind(self.name, str, "a loss has a text as its name", "pass the text that makes it")
        of_kind(self.at, Callable, "a loss of responses has a function at(w, y, m)", "pass the cost of w for y")
        declared = {"statistics": self.statistics, "act": self.act, "risk": self.risk}
        for name, part in declared.items():
            of_kind(part, Callable | None, f"{name} of a loss of responses is a function", "pass it, or None")
        missing = [name for name, part in declared.items() if part is None]
        if 0 < len(missing) < len(declared):
            rule = "a loss of responses declares statistics, act and risk, or none of them"
            raise ValueError(complaint(rule, f"no {' and no '.join(missing)}", "pass all three, or at alone"))

    def of(self, values: Any) -> Loss:
        """The loss of classes that stand for these responses, whose minimised risk is an impurity.

        Raises
        ------
        TypeError, ValueError
            If a response is no finite number.

        Examples
        --------
        >>> from splitcrit import Impurity
        >>> loss = ResponseLoss("mine", lambda w, y, m: (w - y) * (w - y)).of((0, 2))
        >>> loss, round(float(Impurity.from_loss(loss)([1, 1])), 9)
        (mine.of((0, 2)), 1.0)
        """
        values = responses(values)
        act = None if self.act is None else _Act(self, values)
        return Loss(f"{self.name}.of({values})", _At(self, values), act, "line")


@dataclass(frozen=True)
class _At:
    loss: ResponseLoss
    values: tuple[Any, ...]

    def __call__(self, w: Any, k: int, m: Arithmetic) -> Any:
        with np.errstate(all="ignore"):  # an infinite cost is a value
            return self.loss.at(w, m.number(self.values[k]), m)


@dataclass(frozen=True)
class _Act:
    loss: ResponseLoss
    values: tuple[Any, ...]

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        assert self.loss.statistics is not None and self.loss.act is not None
        with np.errstate(all="ignore"):
            each = [self.loss.statistics(m.number(v), m) for v in self.values]
            means = tuple(total([x * t for x, t in zip(p, column, strict=True)]) for column in zip(*each, strict=True))
            return self.loss.act(means, m)
