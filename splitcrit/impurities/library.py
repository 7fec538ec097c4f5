"""The impurities of the five papers, each with the loss whose minimised risk it is.

Main definitions: ``gini``, ``entropy``, ``misclassification``, ``sqrt_gini``, ``matushita``, ``bayes_sum`` (values);
``shannon_entropy``, ``gce``, ``ne``, ``variance``, ``absolute_deviation``, ``poisson`` (makers).

Source: yang2019 Table I; wilton2024 Theorems 1 and 8; wang2024 eqs. (1)-(5); banerjee2005 Proposition 1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from splitcrit import losses
from splitcrit.arguments import real
from splitcrit.arith import EXACT, Arithmetic, total
from splitcrit.arith.symbolic import PerLog
from splitcrit.frozen import complaint
from splitcrit.impurities.base import Impurity, scaled
from splitcrit.impurities.search_declaration import Powers, Search, logarithms, roots, squares
from splitcrit.losses.response_losses import counts, responses
from splitcrit.losses.simplex import order


def _gini(p: Any, m: Arithmetic) -> Any:
    return 1 - total([x * x for x in p])


def _entropy(p: Any, m: Arithmetic) -> Any:
    return -total([m.xlogx(x) for x in p])


def _misclassification(p: Any, m: Arithmetic) -> Any:
    return 1 - m.max(p)


def _spread(p: Any, m: Arithmetic) -> Any:
    """Gini's impurity times ``(K - 1) / K``, whose square root has maximum ``(K - 1) / K``."""
    return _gini(p, m) * (len(p) - 1) / len(p)


def _sqrt_gini(p: Any, m: Arithmetic) -> Any:
    return m.sqrt(_spread(p, m))


def _matushita(p: Any, m: Arithmetic) -> Any:
    return total([m.sqrt(x * (1 - x)) for x in p])


def _bayes_sum(p: Any, m: Arithmetic) -> Any:
    return total([m.min((x, 1 - x)) for x in p])


#: Gini impurity, ``1 - sum_k p_k^2``: the chance that two samples drawn with replacement differ in class.
#:
#: The usual choice, and the one with the richest exact theory: `gini_null` and `gini_pvalue` are about its decrease.
#: Use `entropy` for gains in nats, `misclassification` to count errors, `sgini` to compare features with different
#: numbers of values. References: `breiman1984`.
gini = Impurity("gini", _gini, losses.square, Search(squares, two_classes="squares"))
#: Shannon entropy in nats, ``-sum_k p_k log p_k``; its decrease is the information gain.
#:
#: Trees grown by it differ little from those of `gini`. Use `shannon_entropy` for bits, and `normalised` for the gain
#: ratio of C4.5. References: `raileanu2004` compares the two.
entropy = Impurity("entropy", _entropy, losses.cross_entropy, Search(logarithms))
#: Misclassification rate, ``1 - max_k p_k``: the share of samples outside the majority class.
#:
#: Many splits have a decrease of 0 although the children differ, so trees stop early. Use `gini` or `entropy` to go
#: on, `ne` and `gce` for impurities in between. References: `wilton2024`.
misclassification = Impurity("misclassification", _misclassification, losses.zero_one, Search(zone=1))
#: Square root of the Gini impurity, ``sqrt((1 - sum_k p_k^2) (K - 1) / K)``.
#:
#: Steeper than `gini` near pure nodes. For two classes its decrease is half of `dkm`. References: `kearns1996`.
sqrt_gini = Impurity("sqrt_gini", _sqrt_gini, losses.sqrt_gini, Search(roots))
#: Matushita impurity, ``sum_k sqrt(p_k (1 - p_k))``.
#:
#: For two classes it is twice `sqrt_gini`; for more it adds up one class against the rest. References: `yang2019`,
#: Table I.
matushita = Impurity("matushita", _matushita, losses.matushita)
#: Sum over classes of the error of one class against the rest, ``sum_k min(p_k, 1 - p_k)``.
#:
#: For two classes it is twice `misclassification`; for more it counts every class, not only the majority. References:
#: `yang2019`, Table I.
bayes_sum = Impurity("bayes_sum", _bayes_sum, losses.bayes_sum)


def shannon_entropy(base: float = 2) -> Impurity:
    """The entropy ``-sum_k p_k log p_k`` in units of the given base: bits for 2, nats are ``entropy``.

    Parameters
    ----------
    base : float, default=2
        Above 1: 2 for bits, 10 for digits.

    Raises
    ------
    ValueError
        If the base is not above 1.

    See Also
    --------
    entropy : In nats.

    References
    ----------
    wang2024, eq. (2).

    Examples
    --------
    >>> float(shannon_entropy(base=2)([1, 1]))
    1.0
    """
    base = real(base, "the base of a logarithm is above 1 and finite", "use 2 for bits", lambda x: x > 1)
    bits = scaled(entropy, PerLog(base))
    return replace(bits, name=f"shannon_entropy(base={base!r})")


@dataclass(frozen=True)
class GCE:
    """``(1 - |p|_r) / q`` with ``r = 1 / (1 - q)``; the norm is taken after scaling by the largest ``p``."""

    q: Any

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        top, q = m.max(p), order(self.q, m)
        inner = total([m.power(x / top, 1 / (1 - q)) for x in p])
        return (1 - top * m.power(inner, 1 - q)) / m.number(self.q)


def gce(q: Any) -> Impurity:
    """The impurity of generalised cross-entropy, ``(1 - |p|_r) / q`` with ``r = 1 / (1 - q)``.

    ``q = 0`` is read as the limit, entropy; from ``q = 1`` on it is misclassification divided by ``q``.

    Parameters
    ----------
    q : number
        ``q >= 0``. A ``Fraction`` keeps the parameter exact.

    Raises
    ------
    ValueError
        If ``q`` is negative or not finite.

    See Also
    --------
    ne : Another family between smooth impurities and the misclassification rate.
    AdaptiveTreeClassifier : Chooses the parameter on a hold-out.

    Notes
    -----
    The relative error in float64 is about ``2e-16 / q``; for ``q`` below 1e-8 use ``q = 0``.

    Proved: impurity.gce_is_least_risk_of_q_below_one, impurity.misclassification_is_least_risk_of_standard_losses,
    impurity.gce_is_exponential_of_renyi_entropy

    References
    ----------
    wilton2024, Theorem 1 (d), (e).

    Examples
    --------
    >>> round(float(gce(q=0.5)([1, 1])), 12) == round(2 - 2**0.5, 12)
    True
    """
    loss = losses.gce(q)
    q = real(q, "the order q of GCE is a number", "use 0 < q <= 1")
    if q == 0:
        return replace(entropy, name="gce(q=0)", loss=loss, search=replace(entropy.search, multiple_of=entropy))
    if q < 1:
        return Impurity(f"gce(q={q!r})", GCE(q), loss, Search(Powers(q)))
    return replace(scaled(misclassification, 1 / EXACT.number(q)), name=f"gce(q={q!r})", loss=loss)


@dataclass(frozen=True)
class NE:
    lam: Any

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        return m.min((_misclassification(p, m), m.number(self.lam) * _sqrt_gini(p, m)))


def ne(lam: Any) -> Impurity:
    """The negative-exponential impurity ``min(1 - max p, lam sqrt((1 - |p|^2) (K-1)/K))``.

    ``lam = 0`` is read as ``sqrt_gini``, the limit of ``ne(lam) / lam``; from 1 on it is misclassification.

    Parameters
    ----------
    lam : number
        ``lam >= 0``; 0 to 1 is the useful range.

    Raises
    ------
    ValueError
        If ``lam`` is negative or not finite.

    See Also
    --------
    gce : Another such family.
    AdaptiveTreeClassifier : Chooses the parameter on a hold-out.

    Notes
    -----
    Proved: impurity.ne_is_least_risk_of_ne_loss, impurity.ne_is_misclassification_of_lam_from_one,
    stopping.ne_impurity_is_scaled_root_of_small_lam

    References
    ----------
    wilton2024, Theorem 8 (two classes) and its extension to K classes.

    Examples
    --------
    >>> float(ne(0.5)([1, 1])), float(ne(1)([1, 3]))
    (0.25, 0.25)
    """
    loss = losses.ne(lam)
    lam = real(lam, "lam of NE is a number", "use a value in [0, 1]")
    if lam == 0:
        return replace(sqrt_gini, name=loss.name, loss=loss)
    return Impurity(loss.name, NE(lam), loss, Search(zone=lam))


def responses_of(values: tuple[Any, ...], p: Any, m: Arithmetic) -> list[Any]:
    """Return the response of each class, or raise if there are more classes than responses or fewer."""
    if len(values) != len(p):
        got = f"{len(values)} responses for {len(p)} classes"
        raise ValueError(complaint("every class has one response", got, "pass as many values as classes"))
    return [m.number(v) for v in values]


@dataclass(frozen=True)
class _Variance:
    values: tuple[Any, ...]

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        values = responses_of(self.values, p, m)
        mean = total([x * v for x, v in zip(p, values, strict=True)])
        return total([x * (v - mean) * (v - mean) for x, v in zip(p, values, strict=True)])


@dataclass(frozen=True)
class _AbsoluteDeviation:
    values: tuple[Any, ...]

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        values = responses_of(self.values, p, m)
        around = [[x * m.abs(v - w) for x, v in zip(p, values, strict=True)] for w in values]
        return m.min([total(terms) for terms in around])


def variance(values: Any) -> Impurity:
    """The variance of a response that is ``values[k]`` with probability ``p[k]``.

    Parameters
    ----------
    values : sequence of numbers
        The response of each class.

    Raises
    ------
    ValueError
        When it is called with another number of classes than of values.

    See Also
    --------
    absolute_deviation : Less affected by large responses.
    poisson : Counts.

    Notes
    -----
    Proved: impurity.variance_is_least_squared_error

    References
    ----------
    yang2019, Table I.

    Examples
    --------
    >>> float(variance((0, 1))([1, 1]))
    0.25
    """
    values = responses(values)
    return Impurity(f"variance({values})", _Variance(values), losses.squared_error(values))


def absolute_deviation(values: Any) -> Impurity:
    """The mean absolute deviation about the median of a response ``values[k]`` with probability ``p[k]``.

    Parameters
    ----------
    values : sequence of numbers
        The response of each class.

    Raises
    ------
    ValueError
        When it is called with another number of classes than of values.

    See Also
    --------
    variance : Squared errors.

    Notes
    -----
    Proved: impurity.median_has_least_absolute_error

    References
    ----------
    yang2019, Table I (the deviation is about the median, not the mean).

    Examples
    --------
    >>> float(absolute_deviation((0, 0, 3))([1, 1, 1]))
    1.0
    """
    values = responses(values)
    return Impurity(f"absolute_deviation({values})", _AbsoluteDeviation(values), losses.absolute_error(values))


@dataclass(frozen=True)
class _PoissonImpurity:
    values: tuple[Any, ...]

    def __call__(self, p: Any, m: Arithmetic) -> Any:
        values = responses_of(self.values, p, m)
        mean = total([x * v for x, v in zip(p, values, strict=True)])
        unit = m.where(mean == 0, 1, mean)
        return mean * total([x * m.xlogx(v / unit) for x, v in zip(p, values, strict=True)])


def poisson(values: Any) -> Impurity:
    """Half the mean Poisson deviance from the mean of a response ``values[k]`` with probability ``p[k]``.

    It is ``sum_k p_k y_k log(y_k / a)`` with ``y = values`` and ``a`` their mean.

    Parameters
    ----------
    values : sequence of numbers
        The response of each class: from 0, some above it.

    Raises
    ------
    TypeError, ValueError
        If a response is no finite number from 0, or all are 0; when it is called with another number of classes.

    See Also
    --------
    variance : Squared errors.

    Notes
    -----
    Proved: impurity.poisson_is_least_deviance

    References
    ----------
    banerjee2005, Proposition 1 and Definition 2 (Bregman information).

    Examples
    --------
    >>> round(float(poisson((0, 2))([1, 1])), 9)  # log 2
    0.693147181
    """
    values = counts(values)
    return Impurity(f"poisson({values})", _PoissonImpurity(values), losses.poisson(values))
