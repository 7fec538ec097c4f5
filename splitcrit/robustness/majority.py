"""How often label noise changes the majority of a leaf: the exact probability, and the bounds beside it.

Main definitions: ``majority_failure``, ``majority_failure_by_example``, ``majority_bounds``, ``MajorityBounds``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from splitcrit.noise import Channel
from splitcrit.robustness.laws import binomial, counts_of, lattice, transition_of
from splitcrit.values import complaint

Array = NDArray[Any]
Ties = Literal["fail", "keep", "split"]
TIES = ("fail", "keep", "split")


def majority_of(counts: Array) -> int:
    """Return the class of the strict majority of a leaf."""
    best = np.flatnonzero(counts == counts.max())
    if len(best) > 1:
        rule = "a leaf has one majority class before noise"
        raise ValueError(complaint(rule, f"counts {counts.tolist()}", "pass a leaf without a tie"))
    return int(best[0])


def tie_rule(ties: str) -> None:
    """Refuse a tie rule that is none."""
    if ties not in TIES:
        raise ValueError(complaint("ties are one of fail, keep and split", repr(ties), "choose one"))


def majority_failure(counts: Any, channel: Channel, *, ties: Ties = "fail") -> Any:
    """Return the exact probability that noise changes the majority label of a leaf.

    The noisy counts are sums of independent multinomials, one a true class. Two classes take ``O(n)`` terms, ``K``
    classes a lattice of ``(n + 1)^(K - 1)`` states.

    Parameters
    ----------
    counts : integers (K,)
        True class counts with one largest.
    channel : Channel
        What each label goes through, by itself.
    ties : {"fail", "keep", "split"}
        A tie of the true majority with another class counts as a change, as none, or is decided by lot.

    Returns
    -------
    float, or Fraction where the channel's rates are Fractions

    Raises
    ------
    ValueError
        If the counts are no counts, tie, or ask for too large a lattice.

    References
    ----------
    ghosh2017, Lemma 7; wilton2024, Theorem 4.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from splitcrit import symmetric
    >>> majority_failure([0, 3], symmetric(Fraction(1, 10)))
    Fraction(7, 250)
    >>> round(majority_failure([10, 20, 15], symmetric(0.2)), 4)
    0.2433
    """
    leaf = counts_of(counts)
    tie_rule(ties)
    best, transition = majority_of(leaf), transition_of(channel, len(leaf))
    if len(leaf) == 2:
        return _two_classes(
            int(leaf[best]), int(leaf[1 - best]), transition[best][best], transition[1 - best][best], ties
        )
    return settled(lattice([law for law, n in zip(transition, leaf, strict=True) for _ in range(int(n))]), best, ties)


def majority_failure_by_example(labels: Any, rates: Any, *, ties: Ties = "fail") -> float:
    """Return the exact probability that noise changes a leaf's majority where every example has its own rate.

    Parameters
    ----------
    labels : integers (n,)
        True classes, 0 to K - 1.
    rates : array (n,) or (n, K)
        The probability that a label changes, to each other class alike; or the law of each noisy label.
    ties : {"fail", "keep", "split"}

    Raises
    ------
    ValueError
        If a rate is no probability, or a law does not sum to 1.

    References
    ----------
    ghosh2017, Theorem 5(b).

    Examples
    --------
    >>> round(majority_failure_by_example([1, 1, 1], [0.1, 0.1, 0.1]), 12)
    0.028
    """
    codes, given = np.asarray(labels), np.asarray(rates, dtype=float)
    tie_rule(ties)
    if codes.ndim != 1 or codes.dtype.kind not in "iu" or len(codes) == 0 or codes.min() < 0:
        rule = "labels are a vector of classes 0, 1, ..."
        raise ValueError(complaint(rule, f"{codes.dtype} of shape {codes.shape}", "encode the classes as integers"))
    if len(given) != len(codes) or not (np.isfinite(given).all() and (given >= 0).all() and (given <= 1).all()):
        rule = f"rates are {len(codes)} probabilities, or as many laws"
        raise ValueError(complaint(rule, f"shape {given.shape}", "pass numbers in [0, 1], one row an example"))
    leaf = np.bincount(codes, minlength=2 if given.ndim == 1 else given.shape[1])
    laws = _even(codes, given, len(leaf)) if given.ndim == 1 else given
    if laws.shape != (len(codes), len(leaf)) or not np.allclose(laws.sum(axis=1), 1, rtol=0, atol=1e-12):
        rule = "the law of a noisy label sums to 1"
        raise ValueError(complaint(rule, f"sums from {laws.sum(axis=1).min()}", "divide each row by its sum"))
    return float(settled(lattice([tuple(law) for law in laws.tolist()]), majority_of(leaf), ties))


def _even(codes: Array, rates: Array, classes: int) -> Array:
    laws = np.repeat(rates[:, None] / (classes - 1), classes, axis=1)
    laws[np.arange(len(codes)), codes] = 1 - rates
    return laws


def _two_classes(major: int, minor: int, stays: Any, comes: Any, ties: str) -> Any:
    """Return P(X < n/2) and its share of a tie, X the noisy count of the majority of ``major`` against ``minor``."""
    n, own = major + minor, binomial(major, stays)
    below = (n + 1) // 2 - 1 - np.arange(major + 1)  # X < n/2 iff the others bring at most so many
    failed = (own * _cdf(minor, comes, below)).sum()
    if n % 2 == 0 and ties != "keep":
        tied = (own * _pmf(minor, comes, n // 2 - np.arange(major + 1))).sum()
        failed = failed + (tied if ties == "fail" else tied / 2)
    return failed if isinstance(failed, Fraction) else float(min(failed, 1.0))


def _pmf(n: int, rate: Any, at: Array) -> Array:
    law = binomial(n, rate)
    return _within(law, at)


def _cdf(n: int, rate: Any, at: Array) -> Array:
    if isinstance(rate, Fraction):
        return _within(np.add.accumulate(binomial(n, rate)), np.minimum(at, n))
    from scipy.stats import binom

    return np.asarray(binom.cdf(at, n, rate))


def _within(law: Array, at: Array) -> Array:
    """Return entries of a law, 0 outside it."""
    found = law[np.clip(at, 0, len(law) - 1)]
    return np.asarray(found * ((at >= 0) & (at < len(law))).astype(int))


def settled(joint: Array, best: int, ties: str) -> Any:
    """Return the probability of failure from the joint law of all counts but the last class's."""
    n, axes = joint.shape[0] - 1, joint.ndim
    seen: list[Array] = list(np.indices(joint.shape, dtype=np.int32))
    seen.append(np.asarray(n - sum(seen[1:], seen[0])))
    own = seen.pop(best)
    top = seen[0]
    for other in seen[1:]:
        top = np.maximum(top, other)
    kind = type(joint.flat[0]) if joint.dtype == object else float
    failed, tied = kind(joint[own < top].sum()), own == top
    if ties == "keep":
        return failed
    if ties == "fail":
        return failed + kind(joint[tied].sum())
    tying = np.sum([other[tied] == own[tied] for other in seen], axis=0)
    return failed + sum((kind(joint[tied][tying == k].sum()) * k / (k + 1) for k in range(1, axes + 1)), kind(0))


@dataclass(frozen=True)
class MajorityBounds:
    """Upper bounds on the probability that noise changes a majority, ties counted as changes; None where none holds.

    Parameters
    ----------
    lemma7 : float or None
        ``exp(-n rho^2 (1 - 2 eta)^2 / 2)``: two classes, symmetric noise below 1/2.
    theorem4 : float or None
        ``(K - 1) exp(-n gamma^2 / 2)`` with ``gamma`` the least expected noisy margin a sample; any channel.
    kearns_saul : float or None
        ``exp(-t^2 / (4 G))`` with ``t`` the expected lead over ``n/2`` and ``G`` the sum over the examples, each
        of the majority's label with probability ``q``, of ``(1 - 2q)/(4 log((1 - q)/q))``; two
        classes, never above ``lemma7``.
    """

    lemma7: float | None
    theorem4: float | None
    kearns_saul: float | None


def majority_bounds(counts: Any, channel: Channel) -> MajorityBounds:
    """Return the published bounds on ``majority_failure``, and a sharper one.

    Raises
    ------
    ValueError
        If the counts are no counts, or tie.

    References
    ----------
    ghosh2017, Lemma 7; wilton2024, Theorem 4.

    Examples
    --------
    >>> from splitcrit import symmetric
    >>> bounds = majority_bounds([0, 50], symmetric(0.4))
    >>> round(bounds.lemma7, 6), round(bounds.kearns_saul, 6)
    (0.367879, 0.362887)
    """
    leaf = counts_of(counts)
    best, matrix, n = majority_of(leaf), channel.matrix(len(leaf)), int(leaf.sum())
    expected = leaf @ matrix
    gamma = float((expected[best] - np.delete(expected, best)).min()) / n
    theorem4 = (len(leaf) - 1) * math.exp(-n * gamma**2 / 2) if gamma > 0 else None
    if len(leaf) > 2 or gamma <= 0:
        return MajorityBounds(None, theorem4, None)
    lemma7 = theorem4 if matrix[0, 1] == matrix[1, 0] < 0.5 else None
    spread = sum(int(count) * _spread(float(matrix[k, best])) for k, count in enumerate(leaf))
    lead = gamma * n / 2
    return MajorityBounds(lemma7, theorem4, math.exp(-(lead**2) / (4 * spread)) if spread > 0 else 0.0)


def _spread(q: float) -> float:
    """Return ``(1 - 2q)/(4 log((1 - q)/q))``, whose limit at 1/2 is 1/8, and at 0 and 1 is 0."""
    if q in (0.0, 1.0):
        return 0.0
    away = 1 - 2 * q
    if abs(away) < 1e-4:  # atanh(x) = x (1 + x^2/3 + ...), and x^4/5 is below half an ulp of 1
        return 1 / (8 * (1 + away * away / 3))
    return away / (8 * math.atanh(away))
