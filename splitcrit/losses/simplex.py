"""Losses of actions that are a class distribution, of a number per class, or a pair of scores.

Main definitions: ``square``, ``cross_entropy``, ``zero_one``, ``mae``, ``infinity_norm``, ``gce``, ``sqrt_gini``,
``ne`` (actions on the simplex); ``matushita``, ``bayes_sum`` (class by class); ``pairwise`` (two scores).

Source: wilton2024 Section 3 and Theorem 1; wang2024 eqs. (3)-(5); yang2019 Section V.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from splitcrit.arguments import real
from splitcrit.arith import Arithmetic, total
from splitcrit.losses.base import Loss, majority


def _itself(p: Any, m: Arithmetic) -> Any:
    return p


def _square(w: Any, k: int, m: Arithmetic) -> Any:
    return total([x * x for x in w]) - 2 * w[k] + 1


def _cross_entropy(w: Any, k: int, m: Arithmetic) -> Any:
    return -m.log(w[k])


def _zero_one(w: Any, k: int, m: Arithmetic) -> Any:
    return m.where(w[k] >= 1, 0, 1)


def _mae(w: Any, k: int, m: Arithmetic) -> Any:
    return m.abs(1 - w[k]) + total([m.abs(x) for x in w]) - m.abs(w[k])


def _infinity(w: Any, k: int, m: Arithmetic) -> Any:
    return m.max([m.abs(x - (1 if j == k else 0)) for j, x in enumerate(w)])


#: Squared error ``sum_j (w_j - [j = k])^2`` of a class distribution ``w`` (Brier score). Its least risk is `gini`.
square = Loss("square", _square, _itself)
#: Cross-entropy ``-log w_k`` of a class distribution ``w`` (log loss). Its least risk is `entropy`.
cross_entropy = Loss("cross_entropy", _cross_entropy, _itself)
#: 0-1 loss of a class: 0 where ``w_k = 1``, else 1. Its least risk is `misclassification`.
zero_one = Loss("zero_one", _zero_one, majority)
#: Mean absolute error ``sum_j |w_j - [j = k]|``. Its least risk is twice `misclassification`.
mae = Loss("mae", _mae, majority)
#: Largest absolute error ``max_j |w_j - [j = k]|``. Its least risk is `misclassification`.
infinity_norm = Loss("infinity_norm", _infinity, majority)


def order(q: Any, m: Arithmetic) -> Any:
    """The parameter of GCE; a float becomes a number of the arithmetic, so that ``1 / (1 - q)`` is exact there.

    Fractions and symbols are exact as they are.
    """
    return m.number(q) if isinstance(q, float) else q


@dataclass(frozen=True)
class _GCE:
    """``(1 - w_k ** q) / q``."""

    q: Any

    def __call__(self, w: Any, k: int, m: Arithmetic) -> Any:
        return (1 - m.power(w[k], self.q)) / m.number(self.q)


@dataclass(frozen=True)
class _Escort:
    """The action proportional to ``p ** (1 / (1 - q))``, computed after scaling by the largest ``p``."""

    q: Any

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        top, power = m.max(p), 1 / (1 - order(self.q, m))
        weights = [m.power(x / top, power) for x in p]
        whole = total(weights)
        return [x / whole for x in weights]


def gce(q: Any) -> Loss:
    """The generalised cross-entropy ``(1 - w_k ** q) / q``; ``q = 0`` is its limit, cross-entropy.

    Parameters
    ----------
    q : number
        ``q >= 0``; ``q = 1`` is half the mean absolute error.

    Raises
    ------
    ValueError
        If ``q`` is negative or not finite.

    Notes
    -----
    Proved: impurity.gce_is_least_risk_of_q_below_one

    References
    ----------
    wilton2024, Section 3 and Theorem 1 (d), (e).

    Examples
    --------
    >>> gce(q=0.7)
    gce(q=0.7)
    """
    rule = "the order q of GCE is non-negative and finite"
    q = real(q, rule, "use 0 < q <= 1, or 0 for CE", lambda x: x >= 0)
    if q == 0 or (isinstance(q, Fraction) and float(q) == 0):
        return Loss("gce(q=0)", _cross_entropy, _itself)
    return Loss(f"gce(q={q!r})", _GCE(q), _Escort(q) if q < 1 else majority)


@dataclass(frozen=True)
class _NE:
    """``lam sqrt((K-1)/K) (1 - w_k) / sqrt(1 - |w|^2)`` inside the simplex; at its vertices 0 or ``wrong``."""

    lam: Any
    wrong: Any

    def __call__(self, w: Any, k: int, m: Arithmetic) -> Any:
        classes = len(w)
        spread = 1 - total([x * x for x in w])
        vertex = m.max(w) >= 1
        scale = m.sqrt(m.where(vertex, 1, (classes - 1) / (classes * m.where(vertex, 1, spread))))
        return m.where(vertex, m.where(w[k] >= 1, 0, self.wrong), m.number(self.lam) * scale * (1 - w[k]))


@dataclass(frozen=True)
class _NEAct:
    """The class distribution itself, or the vertex of its largest class where that costs no more."""

    lam: Any

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        classes = len(p)
        spread = (1 - total([x * x for x in p])) * (classes - 1) / classes
        error, lam = 1 - m.max(p), m.number(self.lam)
        zone = error * error <= lam * lam * spread
        return [m.where(zone, v, x) for v, x in zip(majority(p, m), p, strict=True)]


#: Loss ``sqrt((K - 1) / K) (1 - w_k) / sqrt(1 - |w|^2)`` of a class distribution. Its least risk is `sqrt_gini`.
sqrt_gini = Loss("sqrt_gini", _NE(1, wrong=math.inf), _itself)


def ne(lam: Any) -> Loss:
    """A loss whose minimised risk is the negative-exponential impurity for any number of classes.

    ``lam sqrt((K-1)/K) (1 - w_k) / sqrt(1 - |w|^2)`` inside the simplex and the 0-1 loss at its vertices;
    ``lam = 0`` is read as the limit of ``loss / lam``, the loss of ``sqrt_gini``.

    Parameters
    ----------
    lam : number
        ``lam >= 0``; from 1 on the minimised risk is that of the 0-1 loss.

    Raises
    ------
    ValueError
        If ``lam`` is negative or not finite.

    Notes
    -----
    Proved: impurity.ne_is_least_risk_of_ne_loss

    References
    ----------
    wilton2024, Theorem 8 (two classes) and its extension to K classes, for which the paper names no loss.

    Examples
    --------
    >>> ne(0.5)
    ne(lam=0.5)
    """
    rule = "lam of the NE loss is non-negative and finite"
    lam = real(lam, rule, "use a value in [0, 1]", lambda x: x >= 0)
    if lam == 0:
        return Loss("ne(lam=0)", sqrt_gini.at, sqrt_gini.act)
    return Loss(f"ne(lam={lam!r})", _NE(lam, wrong=1), _NEAct(lam))


def _one_vs_rest_exponential(w: Any, k: int, m: Arithmetic) -> Any:
    return total([m.exp(-x if j == k else x) for j, x in enumerate(w)]) / 2


def _half_log_odds(p: Any, m: Arithmetic) -> Any:
    return [(m.log(x) - m.log(1 - x)) / 2 for x in p]


def _one_vs_rest_errors(w: Any, k: int, m: Arithmetic) -> Any:
    return total([1 - x if j == k else x for j, x in enumerate(w)])


def _at_least_half(p: Any, m: Arithmetic) -> Any:
    return [m.where(2 * x >= 1, 1, 0) for x in p]


#: Exponential losses of one class against the rest, ``(exp(-w_k) + sum_(j != k) exp(w_j)) / 2``.
#: Its least risk is the impurity `matushita`.
matushita = Loss("matushita", _one_vs_rest_exponential, _half_log_odds, "reals")
#: 0-1 losses of one class against the rest, summed over classes. Its least risk is the impurity `bayes_sum`.
bayes_sum = Loss("bayes_sum", _one_vs_rest_errors, _at_least_half, "bits")


def pairwise(score_pos: Any, score_neg: Any, m: Arithmetic) -> Any:
    """The ranking loss of a positive and a negative example: 1 if misordered, 1/2 if tied, else 0.

    It is a loss of pairs, so it has no minimised risk of its own on one node; ``pairwise_gain`` is what the best
    two actions of a split save of it.

    Notes
    -----
    Proved: gain.pairwise_gain_is_largest_saving

    References
    ----------
    yang2019, Section V.

    Examples
    --------
    >>> from splitcrit.arith import FLOAT
    >>> [float(pairwise(high, 0.5, FLOAT)) for high in (0.7, 0.5, 0.3)]
    [0.0, 0.5, 1.0]
    """
    tie = (score_pos - score_pos + 1) / 2
    return m.where(score_pos > score_neg, 0 * tie, m.where(score_pos < score_neg, 2 * tie, tie))
