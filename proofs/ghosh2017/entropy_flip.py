"""Statements of ghosh2017, Remark 4: symmetric noise can change the order of two splits by entropy.

Main results: the four gains of the remark, enclosed; the one noise rate at which the order changes, to 12 digits, and
why there is no other; the flip survives every small change of the two splits.
Source: ghosh2017, Remark 4. Gains are in nats.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint

from splitcrit.impurities import entropy
from splitcrit.noise import symmetric
from splitcrit.proof import BALL, All, Ball, Erratum, Exhaustive, Fact, NearMiss, Sign, Theorem, Undecided
from splitcrit.proofs.common import noisy
from splitcrit.proofs.ghosh2017.setting import entropy_gain, gini_gain, positive_share, shaken, value

# Two splits of a node with 30 % positives, as counts of (negative, positive) in 2000 examples.
REMARK_4 = (
    [[Fraction(900), Fraction(100)], [Fraction(500), Fraction(500)]],
    [[Fraction(594), Fraction(6)], [Fraction(806), Fraction(594)]],
)
DULL = [[Fraction(700), Fraction(300)], [Fraction(700), Fraction(300)]]  # a split that separates nothing
ETA = Fraction(2, 5)
FLIP = Fraction(89395391945, 10**12)  # the flip lies within 10^-12 above
NEAR = Fraction(1, 10**12)
BOX = Fraction(1, 10**5)
LARGE = Fraction(39, 100)  # from here to 1/2 Taylor's bound decides


def gain(table: Any, eta: Any, m: Any) -> Any:
    """Return the entropy gain of a split in the expected table at noise rate eta."""
    return entropy_gain.score(noisy(table, symmetric(eta)), m)


def second_margin(eta: Any, m: Any) -> Any:
    """Return how much more the second split of the remark gains, at noise rate eta."""
    return gain(REMARK_4[1], eta, m) - gain(REMARK_4[0], eta, m)


def entropy_margins(eta: Fraction) -> Any:
    return lambda m: [second_margin(eta, m)]


# The four gains: a lower and an upper bound 10^-18 apart.
GAINS = (
    (REMARK_4[0], Fraction(0), 101749225079196688),
    (REMARK_4[1], Fraction(0), 116917486906971018),
    (REMARK_4[0], ETA, 3224168082350113),
    (REMARK_4[1], ETA, 2917529183314744),
)


def within(units: int) -> Any:
    """Return the formula of all distances of the gains from bounds that many units of 10^-18 apart."""

    def distances(m: Any) -> list[Any]:
        found = []
        for table, eta, low in GAINS:
            x = gain(table, eta, m)
            found += [x - Fraction(low, 10**18), Fraction(low + units, 10**18) - x]
        return found

    return distances


# One flip: signs on intervals of eta, by enclosures of the library's own gain.


def interval(low: Fraction, high: Fraction) -> Ball:
    """Return a ball that contains the interval."""
    middle, radius = Ball((low + high) / 2), Ball((high - low) / 2)
    return Ball(flint.arb(middle.arb, radius.arb.upper()))


def least(f: Callable[[Ball], Ball], low: Fraction, high: Fraction, depth: int = 14) -> Ball:
    """Return an enclosure below ``f`` on the interval: the least of those on halves of halves that exclude 0."""
    try:
        whole = f(interval(low, high))
        if whole.sign() or depth == 0:
            return whole
    except (Undecided, ZeroDivisionError):
        if depth == 0:
            raise
    middle = (low + high) / 2
    return BALL.min((least(f, low, middle, depth - 1), least(f, middle, high, depth - 1)))


def children(table: Any) -> list[tuple[Fraction, Fraction]]:
    """Return the weight and the share of positives of both children."""
    whole = sum(sum(row) for row in table)
    return [(Fraction(sum(row)) / whole, positive_share(row)) for row in table]


def entropy_after(p: Any, eta: Any, m: Any) -> Any:
    """Return the entropy of a node after noise; the noisy share appears in it twice only."""
    after = symmetric(eta).on_distribution([1 - p, p])[1]
    return entropy.of([1 - after, after], m)


def lead(eta: Any, m: Any) -> Any:
    """Return ``second_margin`` without the node that both splits share: what the first leaves, less the second."""
    first, second = (sum(w * entropy_after(p, eta, m) for w, p in children(table)) for table in REMARK_4)
    return first - second


def slope(eta: Any, m: Any) -> Any:
    """Return the derivative of ``lead``: that of entropy is ``log((1 - p)/p)``, that of the noisy share ``1 - 2p``."""

    def of(p: Fraction) -> Any:
        after = symmetric(eta).on_distribution([1 - p, p])[1]
        return (1 - 2 * p) * (m.log(1 - after) - m.log(after))

    first, second = (sum(w * of(p) for w, p in children(table)) for table in REMARK_4)
    return first - second


def taylor(c: Fraction) -> Fraction:
    """Return a lower bound of the first split's lead over ``c^2/2``, for rates with ``1 - 2 eta <= c``.

    ``psi(x) = log 2 - H((1 + x)/2)`` has ``psi'' = 1/(1 - x^2)``, hence lies between ``x^2/2`` and
    ``x^2 / (2 (1 - x_max^2))``; both splits share the node.
    """
    first, second = ([(w, (2 * p - 1) ** 2) for w, p in children(table)] for table in REMARK_4)
    most = max(square for _, square in second) * c**2
    return sum((w * x for w, x in first), Fraction(0)) - sum((w * x for w, x in second), Fraction(0)) / (1 - most)


def pieces(m: Any) -> list[Any]:
    """Return four numbers that leave room for one zero of ``lead``: before, at and after the flip, and up to 1/2."""
    before, after = FLIP - Fraction(1, 100), FLIP + Fraction(1, 100)
    return [
        least(lambda eta: lead(eta, m), Fraction(0), before),
        least(lambda eta: -slope(eta, m), before, after),
        least(lambda eta: -lead(eta, m), after, LARGE),
        taylor(1 - 2 * LARGE),
    ]


def coefficient(k: int) -> Fraction:
    """Return the first split's lead in the term ``(1 - 2 eta)^(2k) / (2k (2k - 1))`` of the two gains."""
    first, second = (sum((w * (2 * p - 1) ** (2 * k) for w, p in children(table)), Fraction(0)) for table in REMARK_4)
    return first - second


def dominated(k: int) -> bool:
    """Tell whether the first split's one power lies below the larger of the second's, and falls faster with k."""
    (a, left), (_, right) = children(REMARK_4[0])
    b, pure = children(REMARK_4[1])[0]
    x, y = (2 * left - 1) ** 2, (2 * pure - 1) ** 2
    return 2 * right == 1 and x < y and a * x**k < b * y**k and coefficient(k) < 0


# The flip is generic: both splits may move.


def box(radius: Fraction, m: Any) -> list[Any]:
    """Return both margins when a, p_l and p_r of both splits move by up to the radius, each on its own."""
    found = []
    for eta in (Fraction(0), ETA):
        gains = []
        for table in REMARK_4:
            (a, left), (_, right) = (tuple(interval(x - radius, x + radius) for x in pair) for pair in children(table))
            node = entropy_after(a * left + (1 - a) * right, eta, m)
            gains.append(node - a * entropy_after(left, eta, m) - (1 - a) * entropy_after(right, eta, m))
        found.append(gains[1] - gains[0] if eta == 0 else gains[0] - gains[1])
    return found


def nudged(share: Fraction, m: Any) -> list[Any]:
    """Return both margins when that share of the first split's left positives goes right."""
    (a, b), (c, d) = REMARK_4[0]
    moved = [[a, b * (1 - share)], [c, d + b * share]]
    before = gain(REMARK_4[1], Fraction(0), m) - gain(moved, Fraction(0), m)
    return [before, gain(moved, ETA, m) - gain(REMARK_4[1], ETA, m)]


# Definition 1 as printed, with argmin.


def leads_over_dull(m: Any) -> list[Any]:
    """Return how much more either split of the remark gains than one that separates nothing, at both rates."""
    return [gain(table, eta, m) - gain(DULL, eta, m) for table in REMARK_4 for eta in (Fraction(0), ETA)]


def same_best(m: Any) -> list[Any]:
    """Return a number that is positive if the best split is the same at both rates."""
    return [second_margin(Fraction(0), m) * second_margin(ETA, m)]


def gini_margin(eta: Fraction) -> Fraction:
    return value(gini_gain, shaken(REMARK_4[0], eta)) - value(gini_gain, shaken(REMARK_4[1], eta))


REMARK = "ghosh2017, Remark 4"

THEOREMS = [
    Theorem(
        key="noise.entropy_order_flips_of_symmetric",
        statement="entropy prefers the second split of Remark 4 without noise and the first at eta = 2/5",
        source=REMARK,
        scope="the two splits of the remark, rigorous enclosures",
        holds=Sign(lambda m: entropy_margins(Fraction(0))(m) + [-x for x in entropy_margins(ETA)(m)]),
        fails=(
            NearMiss("the second split is still better at eta = 2/5", Sign(entropy_margins(ETA))),
            NearMiss(
                "the first split is better already at eta = 1/25",
                Sign(lambda m: [-x for x in entropy_margins(Fraction(1, 25))(m)]),
                alters="hypothesis",
            ),
            NearMiss(
                "Gini prefers the second split too",
                Exhaustive(lambda: (Fraction(0), ETA), lambda eta: gini_margin(eta) < 0),
            ),
        ),
        facts=(Fact("decrease(entropy)", "keeps order under uniform noise", "2", False),),
    ),
    Theorem(
        key="noise.remark4_gains_are_enclosed",
        statement="in nats the gains are 0.101749225079196688 < 0.116917486906971018 without noise and"
        " 0.003224168082350113 > 0.002917529183314744 at eta = 2/5, each truncated to 18 digits",
        source=REMARK,
        scope="the two splits of the remark, rigorous enclosures",
        holds=Sign(within(1)),
        fails=(
            NearMiss(
                "noise shrinks the gain by (1 - 2 eta)^2 = 1/25 at most, as it does Gini's",
                Sign(lambda m: [gain(t, ETA, m) - gain(t, Fraction(0), m) / 25 for t in REMARK_4]),
            ),
            NearMiss(
                "at eta = 2/5 both gains in nats are below the Gini gains, their limit for eta close to 1/2",
                Sign(lambda m: [value(gini_gain, shaken(t, ETA)) - gain(t, ETA, m) for t in REMARK_4]),
            ),
        ),
    ),
    Theorem(
        key="noise.entropy_flips_once_between_remark4_splits",
        statement="on (0, 1/2) the two splits of Remark 4 change their order by entropy exactly once, at a rate within"
        " 10^-12 above 0.089395391945",
        source=REMARK,
        scope="all eta in [0, 1/2): signs on every interval by enclosures of the library's entropy, the last stretch"
        " by Taylor's bound; and all terms k >= 2 of the series by one comparison of powers",
        premises=(
            "hand argument: a margin positive before an interval, falling on it and negative after it has one zero",
            "hand argument: the second derivative of log 2 - H((1 + x)/2) is 1/(1 - x^2)",
            "hand argument: of two powers x^k < y^k with x < y, the ratio falls with k, so k = 2 settles all k > 2",
            "the series log 2 - H((1 + x)/2) = sum over k of x^(2k) / (2k (2k - 1))",
        ),
        holds=All(
            Sign(lambda m: [second_margin(FLIP, m), -second_margin(FLIP + NEAR, m)]),
            Sign(pieces),
            Exhaustive(lambda: range(1, 40), lambda k: coefficient(k) > 0 if k == 1 else dominated(k)),
        ),
        fails=(
            NearMiss(
                "the second split leads again close to eta = 1/2",
                Sign(entropy_margins(Fraction(49, 100))),
            ),
            NearMiss(
                "the flip lies below 0.089395391945",
                Sign(lambda m: [-x for x in entropy_margins(FLIP)(m)]),
            ),
            NearMiss(
                "every term of the series favours the second split, the first (Gini's) too",
                Exhaustive(lambda: range(1, 40), lambda k: coefficient(k) < 0),
                alters="hypothesis",
            ),
        ),
        latex=r"\eta^* = 0.089395391945\ldots",
    ),
    Theorem(
        key="noise.entropy_flips_on_an_open_set",
        statement="the flip of Remark 4 survives every small change of both splits, a, p_l and p_r each on its own: the"
        " pairs of splits that entropy reorders contain an open set",
        source=REMARK,
        scope=f"changes of each of the six numbers up to 1/{BOX.denominator}; eta = 0 and 2/5; rigorous enclosures",
        holds=Sign(lambda m: box(BOX, m)),
        fails=(
            NearMiss(
                "it survives a shift of one in five of the left positives of the first split",
                Sign(lambda m: nudged(Fraction(1, 5), m)),
                alters="hypothesis",
            ),
            NearMiss(
                "with noise the first split leads by a ninth of the second's gain",
                Sign(lambda m: [gain(REMARK_4[0], ETA, m) - gain(REMARK_4[1], ETA, m) * Fraction(10, 9)]),
            ),
        ),
    ),
    Theorem(
        key="noise.argmin_of_gain_misses_the_flip",
        statement="among the two splits of Remark 4 and one that separates nothing, the split of least entropy gain is"
        " the same with and without noise while the best one changes: Definition 1 must read argmax",
        source="ghosh2017, Definition 1",
        scope="three splits, eta = 0 and 2/5, rigorous enclosures",
        holds=Sign(lambda m: [*leads_over_dull(m), -same_best(m)[0]]),
        fails=(
            NearMiss("a kept minimiser means a kept maximiser", Sign(lambda m: leads_over_dull(m) + same_best(m))),
            NearMiss(
                "without the split that separates nothing the least gain is kept too",
                Sign(lambda m: same_best(m)),
                alters="hypothesis",
            ),
        ),
    ),
]

ERRATA = [
    Erratum(
        "G-E2",
        printed=Sign(lambda m: leads_over_dull(m) + same_best(m)),
        corrected="noise.argmin_of_gain_misses_the_flip",
    ),
    Erratum(
        "G-E7",
        printed=Sign(lambda m: [-x for x in nudged(Fraction(1, 100), m)]),
        corrected="noise.entropy_flips_on_an_open_set",
    ),
]
