"""How far estimates of impurities are off in small samples: exact means over ``n`` labels drawn by chance.

What a class adds depends on its own count alone, which is binomial: so sums over one class settle every number of them.

Source: miller1955; grassberger1988, 2003; zhang2012 for the series.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import comb
from typing import Any

from splitcrit.impurities import entropy, gini
from splitcrit.proof import All, Each, Extent, Identity, Induction, Law, NearMiss, Premise, Sign, Theorem
from splitcrit.proofs.common import HALF
from splitcrit.proofs.noise.inequalities import LINEAR

SHARE = {"x": "rate"}
TENTH = Fraction(1, 10)
BINOMIAL = Premise("the variance of a binomial count is n x (1 - x), for every n", widens={"n": Extent(least=2)})


def mean(n: int, part: Callable[[int], Any]) -> Callable[[Any, Any], Any]:
    """The mean of what a class of share ``x`` adds when its count among ``n`` is ``part``'s argument."""
    return lambda v, m: sum(comb(n, j) * v.x**j * (1 - v.x) ** (n - j) * part(j) for j in range(n + 1))


def gini_mean(n: int, corrected: bool = True) -> Identity:
    """Claim that ``x (1 - x)`` of a sample is ``1 - 1/n`` of that of the population, in the mean."""
    factor = 1 - Fraction(1, n) if corrected else 1
    return Identity(
        SHARE, mean(n, lambda j: Fraction(j, n) * (1 - Fraction(j, n))), lambda v, m: factor * v.x * (1 - v.x)
    )


def gini_is_a_sum(power: int = 1) -> Induction:
    """Claim for every number of classes that Gini's impurity is the sum of ``x (1 - x)`` of shares that sum to 1.

    Whatever they sum to, it is ``1 - sum x`` more than that.
    """

    def sides(entries: Any, v: Any, m: Any) -> Any:
        parts = sum(e.x * (1 - e.x**power) for e in entries)
        return gini.of([e.x for e in entries], m), 1 - sum(e.x for e in entries) + parts

    def closed(sums: Any, v: Any, m: Any) -> Any:
        whole, squares, powers = sums
        return 1 - squares, 1 - whole + (whole - powers)

    return Induction("K", SHARE, sides, lambda e, v, m: [e.x, e.x**2, e.x ** (power + 1)], closed)


def harmonic(j: int, n: int) -> Fraction:
    """``psi(n) - psi(j)``, the sum of ``1/i`` from ``j`` to ``n - 1``."""
    return sum((Fraction(1, i) for i in range(j, n)), Fraction(0))


def digamma_mean(n: int, terms: int = 0) -> Identity:
    """Claim that ``(j/n) (psi(n) - psi(j))`` has the mean ``sum_v x (1 - x)^v / v``, over ``v < n``."""

    def series(v: Any, m: Any) -> Any:
        return sum(v.x * (1 - v.x) ** i / i for i in range(1, n + terms))

    return Identity(SHARE, mean(n, lambda j: Fraction(j, n) * harmonic(j, n) if j else 0), series)


def plug_in(n: int, x: Fraction, m: Any) -> Any:
    """The mean entropy of a sample of two classes."""
    mean = m.number(0)
    for j in range(n + 1):
        chance = comb(n, j) * x**j * (1 - x) ** (n - j)
        mean += m.number(chance) * entropy.of([m.number(Fraction(j, n)), m.number(1 - Fraction(j, n))], m)
    return mean


def left_over(n: int, x: Fraction, m: Any, correction: Fraction = Fraction(1)) -> Any:
    """What the entropy of the population is above the mean with ``(K - 1)/(2n)`` added, of two classes."""
    whole = entropy.of([m.number(x), m.number(1 - x)], m)
    return whole - plug_in(n, x, m) - m.number(correction / (2 * n))


def signs(sign: int, x: Fraction, sizes: range, correction: Fraction = Fraction(1)) -> Sign:
    """Claim that what is left over is positive, or negative, for every size of a sample."""
    return Sign(lambda m: [sign * left_over(n, x, m, correction) for n in sizes])


def second_order(sizes: range) -> Sign:
    """Claim that at equal shares what is left over is less than ``1/n^2``."""
    return Sign(lambda m: [m.number(Fraction(1, n * n)) - left_over(n, HALF, m) for n in sizes])


def series_bias(sign: int, x: Fraction, sizes: range) -> Sign:
    """Claim that the mean of the digamma estimate is below the entropy and above that of the plug-in estimate."""

    def values(m: Any) -> list[Any]:
        signed = []
        for n in sizes:
            shares = [m.number(x), m.number(1 - x)]
            estimate = sum(y * (1 - y) ** i / i for y in (x, 1 - x) for i in range(1, n))
            known = m.number(Fraction(estimate))
            signed += [sign * (entropy.of(shares, m) - known), sign * (known - plug_in(n, x, m))]
        return signed

    return Sign(values)


SUM, GINI, DIGAMMA = Law(gini_is_a_sum, power=1), Law(gini_mean, n=3), Law(digamma_mean, n=4)

THEOREMS = [
    Theorem(
        key="field.gini_of_a_sample_is_low_by_one_nth",
        statement="Gini's impurity of n labels drawn independently has the mean 1 - 1/n times that of the population,"
        " whatever the number of classes: n/(n - 1) times it is without bias",
        source="strobl2007, where the bias of the Gini index is a reason for biased selection",
        holds=All(classes=SUM, mean=Each("n", (2, 3, 4, 5, 6), gini_mean)),
        premises=(BINOMIAL, replace(LINEAR, widens={})),
        fails=(
            SUM.but("the impurity is the sum of x (1 - x^2)", power=2),
            GINI.but("it is without bias", corrected=False),
            NearMiss(
                "the entropy of a sample at equal shares has the mean 1 - 1/n times that of the population",
                Sign(
                    lambda m: [
                        m.number(Fraction(1, 100))
                        - m.abs(plug_in(3, HALF, m) * m.number(Fraction(3, 2)) - m.log(m.number(2)))
                    ]
                ),
            ),
        ),
    ),
    Theorem(
        key="field.millers_correction_of_entropy_is_no_bound",
        statement="the entropy of a sample of two classes is too low in the mean; what (K - 1)/(2n) leaves is positive"
        " at equal shares for n up to 12, and less than 1/n^2, and at a share of 1/10 the correction is too large up"
        " to n = 3 and too small from 4 to 12: it is quoted as asymptotic, and is neither exact nor a bound",
        source="miller1955, as it is commonly quoted",
        holds=All(
            low=signs(1, TENTH, range(1, 13), Fraction(0)),
            equal=signs(1, HALF, range(1, 13)),
            second=second_order(range(1, 13)),
            over=signs(-1, TENTH, range(1, 4)),
            under=signs(1, TENTH, range(4, 13)),
        ),
        premises=(
            Premise("for every share and n the mean is too low: Jensen's inequality, by impurity.entropy_is_concave"),
        ),
        fails=(
            NearMiss(
                "the correction is exact at equal shares",
                Sign(lambda m: [m.number(Fraction(1, 1000)) - m.abs(left_over(4, HALF, m))]),
            ),
            NearMiss("it is never too large", signs(1, TENTH, range(1, 13))),
            NearMiss("twice it is not too large at equal shares", signs(1, HALF, range(3, 13), Fraction(2))),
        ),
    ),
    Theorem(
        key="field.digamma_estimate_of_entropy_has_an_exact_series",
        statement="the estimate sum (n_k/n) (psi(n) - psi(n_k)) has as its mean the sum over v < n and k of p_k (1 -"
        " p_k)^v / v, the first n - 1 terms of the series of the entropy: too low, by less than the entropy of the"
        " sample at the shares 1/2 and 1/10 of two classes, for n up to 10",
        source="grassberger1988 and zhang2012, as they are commonly quoted",
        holds=All(
            series=Each("n", (2, 3, 4, 5, 6, 7), digamma_mean),
            equal=series_bias(1, HALF, range(2, 11)),
            skewed=series_bias(1, TENTH, range(2, 11)),
        ),
        premises=(Premise("-log p = sum (1 - p)^v / v for 0 < p <= 1, all terms positive"),),
        fails=(
            DIGAMMA.but("n terms", terms=1),
            NearMiss(
                "it is without bias",
                Sign(
                    lambda m: [
                        m.number(Fraction(1, 1000))
                        - (m.log(m.number(2)) - m.number(sum(Fraction(1, i * 2**i) for i in range(1, 5))))
                    ]
                ),
            ),
        ),
    ),
]
