"""Entropy reorders two splits exactly once as symmetric noise grows: signs on every interval of noise rates.

Source: ghosh2017, Remark 4. Gains are in nats.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from splitcrit import impurities
from splitcrit.proof import BALL, All, Ball, Exhaustive, Identity, Law, NearMiss, Premise, Sign, Smt, Theorem, curvature
from splitcrit.proofs.common import kinds
from splitcrit.proofs.given import slope as jet_slope
from splitcrit.proofs.noise.inequalities import CALCULUS
from splitcrit.proofs.order import entropy

FLIP, NEAR = Fraction(89395391945, 10**12), Fraction(1, 10**12)  # the flip lies within NEAR above
LARGE = Fraction(39, 100)  # from here to 1/2 Taylor's bound decides


def least(f: Callable[[Ball], Ball], low: Fraction, high: Fraction, depth: int = 14) -> Ball:
    """An enclosure below ``f`` on the interval: the least of those on halves of halves that exclude 0."""
    return BALL.least(f, low, high, depth)


def difference(of: Callable[[Fraction], Any]) -> Any:
    """The mean of a function of the share over the children of the first split, less that of the second."""
    first, second = (sum(w * of(p) for w, p in entropy.children(table)) for table in (entropy.FIRST, entropy.SECOND))
    return first - second


def lead(eta: Any, m: Any) -> Any:
    """`lead_of_second` without the node that both splits share: what the first leaves, less the second."""
    return difference(lambda p: entropy.entropy_after(p, eta, m))


def slope(eta: Any, m: Any) -> Any:
    """The derivative of `lead`: that of entropy is ``log((1 - p)/p)``, that of the noisy share ``1 - 2p``."""
    return difference(lambda p: (1 - 2 * p) * (m.log(1 - entropy.after(p, eta)) - m.log(entropy.after(p, eta))))


def taylor(c: Fraction) -> Fraction:
    """A lower bound of the first split's lead over ``c^2/2``, for rates with ``1 - 2 eta <= c``.

    ``psi(x) = log 2 - H((1 + x)/2)`` has ``psi'' = 1/(1 - x^2)``, hence lies between ``x^2/2`` and
    ``x^2 / (2 (1 - x_max^2))``; both splits share the node.
    """
    first, second = (
        [(w, (2 * p - 1) ** 2) for w, p in entropy.children(table)] for table in (entropy.FIRST, entropy.SECOND)
    )
    most = max(square for _, square in second) * c**2
    return sum((w * x for w, x in first), entropy.NONE) - sum((w * x for w, x in second), entropy.NONE) / (1 - most)


def pieces(m: Any) -> list[Any]:
    """Four numbers that leave room for one zero of `lead`: before, at and after the flip, and up to 1/2."""
    below, above = FLIP - Fraction(1, 100), FLIP + Fraction(1, 100)
    return [
        least(lambda eta: lead(eta, m), entropy.NONE, below),
        least(lambda eta: -slope(eta, m), below, above),
        least(lambda eta: -lead(eta, m), above, LARGE),
        taylor(1 - 2 * LARGE),
    ]


def coefficient(k: int) -> Fraction:
    """The first split's lead in the term ``(1 - 2 eta)^(2k) / (2k (2k - 1))`` of the two gains."""
    return Fraction(difference(lambda p: (2 * p - 1) ** (2 * k)))


def dominated(k: int) -> bool:
    """Whether the first split's one power lies below the larger of the second's, which falls slower with k."""
    (a, left), (_, right) = entropy.children(entropy.FIRST)
    b, pure = entropy.children(entropy.SECOND)[0]
    x, y = (2 * left - 1) ** 2, (2 * pure - 1) ** 2
    return 2 * right == 1 and x < y and a * x**k < b * y**k and coefficient(k) < 0


def derivative(factor: int = 2) -> Identity:
    """Claim that the derivative of the entropy of the noisy share ``p + (1 - 2p) eta`` is that of `slope`.

    The formula is run on jets; ``x, y`` are the logarithms of both shares, ``w, z`` those times the shares.
    """

    def of(v: Any, eta: Any, m: Any) -> Any:
        share = eta * (1 - 2 * v.p) + v.p
        return impurities.entropy.of([1 - share, share], m)

    return Identity(
        kinds("rate", "p", "eta") | kinds("real", *"wxzy"),
        lambda v, m: jet_slope(lambda eta, n: of(v, eta, n), v.eta, curvature.Atoms(m, [v.w, v.x, v.z, v.y])),
        lambda v, m: (1 - factor * v.p) * (v.x - v.y),
        lambda v, m: [v.eta > 0, v.eta < 1, v.p > 0, v.p < 1],
    )


SHARE = Identity(
    kinds("rate", "p", "eta"), lambda v, m: entropy.after(v.p, v.eta), lambda v, m: v.p + (1 - 2 * v.p) * v.eta
)


def bending(power: int = 2) -> Identity:
    """Claim that ``log 2 - H((1 + x)/2)`` has the second derivative ``1/(1 - x^2)``."""

    def of(x: Any, m: Any) -> Any:
        return -impurities.entropy.of([(1 - x[0]) / 2, (1 + x[0]) / 2], m)

    return Identity(
        kinds("rate", "x") | kinds("real", *"abcd"),
        lambda v, m: curvature.bend(of, [v.x], [1], curvature.Atoms(m, [v.a, v.b, v.c, v.d])),
        lambda v, m: 1 / (1 - v.x**power) + 0 * v.a,
        lambda v, m: [v.x > 0, v.x < 1],
    )


DERIVATIVE, BENDING = Law(derivative, factor=2), Law(bending, power=2)
falls_faster = Smt(
    kinds("real", "x", "y", "first", "second"),
    lambda v, m: v.x * v.first < v.y * v.second,
    lambda v, m: [v.x > 0, v.first > 0, v.x < v.y, v.first < v.second],
)

THEOREMS = [
    Theorem(
        key="order.entropy_flips_once_between_remark4_splits",
        statement="on (0, 1/2) the two splits of Remark 4 change their order by entropy exactly once, at a rate within"
        " 10^-12 above 0.089395391945; of the series of the two gains in (1 - 2 eta)^2 the first term favours the first"
        " split and every other the second",
        source=entropy.REMARK,
        holds=All(
            flip=Sign(lambda m: [entropy.lead_of_second(FLIP, m), -entropy.lead_of_second(FLIP + NEAR, m)]),
            intervals=Sign(pieces),
            series=Exhaustive(lambda: (1, 2), lambda k: coefficient(k) > 0 if k == 1 else dominated(k)),
            one_power_more=falls_faster,
            share=SHARE,
            derivative=DERIVATIVE,
            bending=BENDING,
        ),
        fails=(
            DERIVATIVE.but("the derivative of entropy has the factor 1 - p", factor=1),
            BENDING.but("the second derivative of log 2 - H((1 + x)/2) is 1/(1 - x)", power=1),
            NearMiss(
                "the second split leads again close to eta = 1/2",
                Sign(lambda m: [entropy.lead_of_second(Fraction(49, 100), m)]),
            ),
            NearMiss("the flip lies below 0.089395391945", Sign(lambda m: [-entropy.lead_of_second(FLIP, m)])),
            NearMiss(
                "every term of the series favours the second split, the first (Gini's) too",
                Exhaustive(lambda: range(1, 40), lambda k: coefficient(k) < 0),
                "hypothesis",
            ),
        ),
        premises=(
            CALCULUS,
            Premise("the intermediate value theorem: a continuous function that changes its sign has a zero"),
            Premise("the series log 2 - H((1 + x)/2) = sum over k of x^(2k) / (2k (2k - 1))"),
        ),
    )
]
