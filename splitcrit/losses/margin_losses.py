"""Margin losses for two classes: the action is one real number ``w``, the margin ``z = w`` or ``-w``.

Class 1 is the positive one. A distribution loss is ``F(-z)`` for a cumulative distribution function ``F``.
Actions at plus or minus infinity stand for infima that no real number attains.

Main definitions: ``exponential``, ``logistic``, ``hinge``; ``distribution_loss`` and its cases ``sigmoid``, ``ramp``,
``margin_zero_one``, ``negative_exponential``.

Source: wilton2024 Section 4, Lemmas 6-7 and Theorem 8; yang2019 Table I (DKM).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from splitcrit.arguments import of_kind, real
from splitcrit.arith import Arithmetic
from splitcrit.losses.base import Loss


def margin(w: Any, k: int) -> Any:
    """The margin ``y w`` with ``y = 1`` for class 1 and ``-1`` for class 0."""
    return w if k == 1 else -w


def _exponential(w: Any, k: int, m: Arithmetic) -> Any:
    return m.exp(-margin(w, k))


def _logistic(w: Any, k: int, m: Arithmetic) -> Any:
    z = margin(w, k)
    return m.max((0, -z)) + m.log(1 + m.exp(-m.abs(z)))


def _hinge(w: Any, k: int, m: Arithmetic) -> Any:
    return m.max((0, 1 - margin(w, k)))


def _log_odds(p: Any, m: Arithmetic) -> Any:
    return m.log(p[1]) - m.log(p[0])


def _half_log_odds(p: Any, m: Arithmetic) -> Any:
    return _log_odds(p, m) / 2


def _sign(p: Any, m: Arithmetic) -> Any:
    return m.where(p[1] >= p[0], 1, -1)


def _infinite_sign(p: Any, m: Arithmetic) -> Any:
    return m.where(p[1] >= p[0], math.inf, -math.inf)


#: Exponential loss ``exp(-z)`` of a margin ``z``. Its least risk is ``2 sqrt(q (1 - q))``, the impurity of `dkm`.
exponential = Loss("exponential", _exponential, _half_log_odds, "line")
#: Logistic loss ``log(1 + exp(-z))`` of a margin ``z``. Its least risk is the entropy of two classes.
logistic = Loss("logistic", _logistic, _log_odds, "line")
#: Hinge loss ``max(0, 1 - z)`` of a margin ``z``. Its least risk is twice the misclassification rate.
hinge = Loss("hinge", _hinge, _sign, "line")


@dataclass(frozen=True)
class _Distribution:
    """``F(-z)`` of a margin ``z``."""

    cdf: Callable[[Any, Arithmetic], Any]

    def __call__(self, w: Any, k: int, m: Arithmetic) -> Any:
        return self.cdf(-margin(w, k), m)


def distribution_loss(cdf: Callable[[Any, Arithmetic], Any], act: Any = None, *, name: str | None = None) -> Loss:
    """The distribution loss ``F(-z)`` of a cumulative distribution function ``F``.

    It lies in [0, 1], tends to 0 for confident right answers and to 1 for confident wrong ones; it is the
    probability that a random quantity with distribution ``F`` is at most ``-z``.

    Parameters
    ----------
    cdf : callable
        ``cdf(x, m)``, a function of a module or a frozen callable dataclass.
    act : callable, optional
        ``act(p, m)``, the best real action where it is known.
    name : str, optional
        The text the loss prints as.

    Raises
    ------
    TypeError
        If ``cdf`` or ``act`` cannot be called.

    Notes
    -----
    Proved: impurity.distribution_loss_is_tail_of_negated_margin

    References
    ----------
    wilton2024, Section 4 and Lemma 6.

    Examples
    --------
    >>> from splitcrit.arith import FLOAT
    >>> float(distribution_loss(logistic_cdf).at(0.0, 1, FLOAT))
    0.5
    """
    of_kind(cdf, Callable, "a distribution loss has a function cdf(x, m)", "pass one, such as losses.logistic_cdf")
    return Loss(name or f"distribution_loss({getattr(cdf, '__name__', cdf)})", _Distribution(cdf), act, "line")


def logistic_cdf(x: Any, m: Arithmetic) -> Any:
    """The standard logistic distribution function ``1 / (1 + exp(-x))``."""
    return 1 / (1 + m.exp(-x))


def uniform_cdf(x: Any, m: Arithmetic) -> Any:
    """The distribution function of the uniform law on [-1, 1]."""
    return m.max((0, m.min((1, (1 + x) / 2))))


def step_cdf(x: Any, m: Arithmetic) -> Any:
    """The distribution function of the constant 0: a margin of exactly 0 counts as an error."""
    return m.where(x >= 0, 1, 0)


@dataclass(frozen=True)
class exponential_cdf:
    """The distribution function ``min(1, scale * exp(x))`` of ``log(1/scale)`` minus a unit exponential variable.

    Examples
    --------
    >>> from splitcrit.arith import FLOAT
    >>> float(exponential_cdf(0.5)(0.0, FLOAT))
    0.5
    """

    scale: Any

    def __post_init__(self) -> None:
        rule = "the scale of an exponential distribution must be positive, and at most 1e300"
        object.__setattr__(self, "scale", real(self.scale, rule, "pass 1/2", lambda x: 0 < x <= 1e300))

    def __call__(self, x: Any, m: Arithmetic) -> Any:
        return m.min((1, m.number(self.scale) * m.exp(x)))


#: Sigmoid loss ``1 / (1 + exp(z))`` of a margin ``z``. Its least risk is the misclassification rate.
sigmoid = distribution_loss(logistic_cdf, _infinite_sign, name="sigmoid")
#: Ramp loss ``min(1, max(0, (1 - z) / 2))`` of a margin ``z``. Its least risk is the misclassification rate.
ramp = distribution_loss(uniform_cdf, _sign, name="ramp")
#: 0-1 loss of a margin ``z``: 1 where ``z <= 0``, else 0. Its least risk is the misclassification rate.
margin_zero_one = distribution_loss(step_cdf, _sign, name="margin_zero_one")


@dataclass(frozen=True)
class _CappedHalfLogOdds:
    """Half the log odds where that costs less than giving up the minority class, else infinitely sure."""

    lam: Any

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        lam = m.number(self.lam)
        sure = m.min((p[0], p[1])) <= lam * lam * m.max((p[0], p[1]))
        inner = [m.where(sure, 1, x) for x in p]
        return m.where(sure, _infinite_sign(p, m), _half_log_odds(inner, m))


def negative_exponential(lam: Any) -> Loss:
    """The negative exponential loss ``min(1, exp(-z - mu))`` with ``lam = 2 exp(-mu)``.

    Parameters
    ----------
    lam : number
        ``lam > 0``; from 1 on its minimised risk is that of the 0-1 loss.

    Raises
    ------
    ValueError
        If ``lam`` is not positive and finite.

    Notes
    -----
    Proved: impurity.negative_exponential_loss_of_shifted_exponential

    References
    ----------
    wilton2024, Lemma 7 and Theorem 8.

    Examples
    --------
    >>> from splitcrit.arith import FLOAT
    >>> float(negative_exponential(0.5).at(0.0, 1, FLOAT))
    0.25
    """
    rule = "lam of the negative exponential loss is positive and finite"
    lam = real(lam, rule, "use 0 < lam <= 1; for lam = 0 use losses.ne(0)", lambda x: x > 0)
    name = f"negative_exponential(lam={lam!r})"
    return distribution_loss(exponential_cdf(lam / 2), _CappedHalfLogOdds(lam), name=name)
