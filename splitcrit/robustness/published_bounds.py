"""Bounds on how often label noise changes the majority of a leaf, as they are published, and a sharper one.

Main definitions: ``majority_bounds``, ``MajorityBounds``; ``exponents`` (their rates, exact).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

from splitcrit.display import shortened
from splitcrit.noise import Channel
from splitcrit.robustness.laws import Rates, Rows, counts_of, falling, transition_of
from splitcrit.robustness.majority import majority_of

DIGITS = 120  # of logarithms, and more for large leaves: float64 rates tell leaves apart by 1e-17
ENDLESS = Fraction(10**400)


@dataclass(frozen=True, repr=False)
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

    Examples
    --------
    >>> from splitcrit import symmetric
    >>> majority_bounds([3, 1, 1], symmetric(0.1)).kearns_saul is None  # three classes
    True
    """

    lemma7: float | None
    theorem4: float | None
    kearns_saul: float | None

    __repr__ = shortened


def majority_bounds(counts: Any, channel: Channel) -> MajorityBounds:
    """The published bounds on ``majority_failure``, and a sharper one.

    Parameters
    ----------
    counts : array (K,)
        The clean class counts of a leaf.
    channel : Channel
        The noise.

    Raises
    ------
    ValueError
        If the counts are no counts, or tie.

    Notes
    -----
    Proved: noise.majority_fails_rarely_of_symmetric, noise.majority_fails_rarely_of_kearns_saul

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
    n, rates = sum(leaf), exponents(leaf, transition_of(channel, len(leaf)))
    theorem4 = None if rates.theorem4 is None else (len(leaf) - 1) * falling(n * rates.theorem4)
    never = rates.kearns_saul == ENDLESS
    saul = None if rates.kearns_saul is None else 0.0 if never else falling(n * rates.kearns_saul)
    return MajorityBounds(theorem4 if rates.symmetric else None, theorem4, saul)


@dataclass(frozen=True)
class Exponents:
    """The bounds as ``factor exp(-n rate)``: their rates, exact; None where a bound does not hold.

    Parameters
    ----------
    theorem4, kearns_saul : Fraction or None
        The factor is ``K - 1`` and 1; ``ENDLESS`` stands for the rate of a majority that noise never changes.
    symmetric : bool
        Whether Lemma 7 holds, with the rate of Theorem 4.
    """

    theorem4: Fraction | None
    kearns_saul: Fraction | None
    symmetric: bool


def exponents(leaf: list[int], transition: Rows) -> Exponents:
    """The rates at which the bounds on the failure of leaves of these proportions fall."""
    best, n, rates = majority_of(leaf), sum(leaf), Rates.of(transition, exact=True)
    rows, unit = rates.rows, rates.unit or 1
    gamma = noisy_margin(leaf, rows, best, unit)
    if gamma <= 0:
        return Exponents(None, None, False)
    if len(leaf) > 2:
        return Exponents(gamma**2 / 2, None, False)
    symmetric = transition[0][1] == transition[1][0] < Fraction(1, 2)
    with localcontext() as context:
        context.prec = DIGITS + 2 * len(str(n))
        parts = [count * _spread(Decimal(row[best]) / unit) for count, row in zip(leaf, rows, strict=True)]
        spread = Fraction(sum(parts)) / n
    return Exponents(gamma**2 / 2, gamma**2 / (16 * spread) if spread else ENDLESS, symmetric)


def noisy_margin(leaf: list[int], rows: Sequence[Sequence[int]], best: int, unit: int) -> Fraction:
    """The least expected lead a label of a class over another after noise, of rates in a unit.

    Examples
    --------
    >>> noisy_margin([0, 3], [[9, 1], [1, 9]], 1, 10)
    Fraction(4, 5)
    """
    expected = [sum(count * row[k] for count, row in zip(leaf, rows, strict=True)) for k in range(len(leaf))]
    return Fraction(min(expected[best] - x for k, x in enumerate(expected) if k != best), sum(leaf) * unit)


def _spread(q: Decimal) -> Decimal:
    """``(1 - 2q)/(4 log((1 - q)/q))``, whose limit at 1/2 is 1/8, and at 0 and 1 is 0."""
    if q in (0, 1):
        return Decimal(0)
    return (1 - 2 * q) / (4 * ((1 - q) / q).ln()) if 2 * q != 1 else Decimal(1) / 8
