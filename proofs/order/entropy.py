"""Two splits that entropy reorders under symmetric noise, and how stable that is.

Source: ghosh2017, Remark 4. Gains are in nats.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from splitcrit.criteria import decrease
from splitcrit.impurities import entropy
from splitcrit.noise import symmetric
from splitcrit.proof import BALL, All, Ball, Erratum, Exhaustive, Fact, NearMiss, Sign, Theorem
from splitcrit.proofs.common import exactly, gini_decrease, noisy, score
from splitcrit.proofs.noise.flips import positive_share

# Two splits of a node with 30 % positives, as counts of (negative, positive) in 2000 examples, and one that separates
# nothing.
FIRST, SECOND = exactly([[900, 100], [500, 500]]), exactly([[594, 6], [806, 594]])
DULL = exactly([[700, 300], [700, 300]])
NONE, ETA = Fraction(0), Fraction(2, 5)
BOX = Fraction(1, 10**5)
# The four gains: lower bounds in units of 10^-18.
GAINS = (
    (FIRST, NONE, 101749225079196688),
    (SECOND, NONE, 116917486906971018),
    (FIRST, ETA, 3224168082350113),
    (SECOND, ETA, 2917529183314744),
)


def gain(table: Any, eta: Any, m: Any) -> Any:
    """The entropy gain of a split in the expected table at noise rate eta."""
    return decrease(entropy).score(noisy(table, symmetric(eta)), m)


def lead_of_second(eta: Any, m: Any) -> Any:
    """How much more the second split of the remark gains, at noise rate eta."""
    return gain(SECOND, eta, m) - gain(FIRST, eta, m)


def within_one_unit(m: Any) -> list[Any]:
    """The distances of the gains from bounds 10^-18 apart."""
    bounds = [(gain(table, eta, m), Fraction(low, 10**18)) for table, eta, low in GAINS]
    return [x for value, low in bounds for x in (value - low, low + Fraction(1, 10**18) - value)]


def interval(low: Fraction, high: Fraction) -> Ball:
    """A ball that contains the interval."""
    return BALL.interval(low, high)


def children(table: Any) -> list[tuple[Fraction, Fraction]]:
    """The weight and the share of positives of both children."""
    whole = sum(sum(row) for row in table)
    return [(Fraction(sum(row)) / whole, positive_share(row)) for row in table]


def after(p: Any, eta: Any) -> Any:
    """The share of positives after noise."""
    return symmetric(eta).on_distribution([1 - p, p])[1]


def entropy_after(p: Any, eta: Any, m: Any) -> Any:
    """The entropy of a node after noise; the noisy share appears in it twice only."""
    share = after(p, eta)
    return entropy.of([1 - share, share], m)


# The flip is generic: both splits may move.
def box(radius: Fraction, m: Any) -> list[Any]:
    """Both leads when a, p_l and p_r of both splits move by up to the radius, each on its own."""
    leads = []
    for eta, sign in ((NONE, 1), (ETA, -1)):
        gains = []
        for table in (FIRST, SECOND):
            (a, left), (_, right) = (tuple(interval(x - radius, x + radius) for x in pair) for pair in children(table))
            node = entropy_after(a * left + (1 - a) * right, eta, m)
            gains.append(node - a * entropy_after(left, eta, m) - (1 - a) * entropy_after(right, eta, m))
        leads.append(sign * (gains[1] - gains[0]))
    return leads


def nudged(share: Fraction, m: Any) -> list[Any]:
    """Both leads when that share of the first split's left positives goes right."""
    (a, b), (c, d) = FIRST
    moved = [[a, b * (1 - share)], [c, d + b * share]]
    return [sign * (gain(SECOND, eta, m) - gain(moved, eta, m)) for eta, sign in ((NONE, 1), (ETA, -1))]


# Definition 1 as printed, with argmin.
def leads_over_dull(m: Any) -> list[Any]:
    """How much more either split of the remark gains than one that separates nothing, at both rates."""
    return [gain(table, eta, m) - gain(DULL, eta, m) for table in (FIRST, SECOND) for eta in (NONE, ETA)]


def same_best(m: Any) -> list[Any]:
    """A number that is positive if the best split is the same at both rates."""
    return [lead_of_second(NONE, m) * lead_of_second(ETA, m)]


def gini_prefers_second(eta: Fraction) -> bool:
    first, second = (score(gini_decrease, noisy(table, symmetric(eta))) for table in (FIRST, SECOND))
    return bool(first < second)


REMARK = "ghosh2017, Remark 4"

THEOREMS = [
    Theorem(
        key="order.entropy_flips_of_symmetric",
        statement="in nats the entropy gains of the two splits of Remark 4 are 0.101749225079196688 < "
        "0.116917486906971018 without noise and 0.003224168082350113 > 0.002917529183314744 at eta = 2/5, each "
        "truncated to 18 digits: entropy prefers the second split without noise and the first at eta = 2/5",
        source=REMARK,
        holds=All(
            gains=Sign(within_one_unit), order=Sign(lambda m: [lead_of_second(NONE, m), -lead_of_second(ETA, m)])
        ),
        fails=(
            NearMiss("the second split is still better at eta = 2/5", Sign(lambda m: [lead_of_second(ETA, m)])),
            NearMiss(
                "the first split is better already at eta = 1/25",
                Sign(lambda m: [-lead_of_second(Fraction(1, 25), m)]),
                "hypothesis",
            ),
            NearMiss("Gini prefers the second split too", Exhaustive(lambda: (NONE, ETA), gini_prefers_second)),
            NearMiss(
                "noise shrinks the gain by (1 - 2 eta)^2 = 1/25 at most, as it does Gini's",
                Sign(lambda m: [gain(t, ETA, m) - gain(t, NONE, m) / 25 for t in (FIRST, SECOND)]),
            ),
        ),
        facts=(Fact("decrease(entropy)", "keeps order under uniform noise", "2", False),),
    ),
    Theorem(
        key="order.entropy_flips_on_an_open_set",
        statement="the flip of Remark 4 survives every change up to 1/100000 of each of a, p_l and p_r of both splits: "
        "the pairs of splits that entropy reorders contain an open set",
        source=REMARK,
        holds=Sign(lambda m: box(BOX, m)),
        fails=(
            NearMiss(
                "it survives a shift of one in five of the left positives of the first split",
                Sign(lambda m: nudged(Fraction(1, 5), m)),
                "hypothesis",
            ),
            NearMiss(
                "with noise the first split leads by a ninth of the second's gain",
                Sign(lambda m: [gain(FIRST, ETA, m) - gain(SECOND, ETA, m) * Fraction(10, 9)]),
            ),
        ),
    ),
    Theorem(
        key="order.least_gain_stays_while_the_best_split_changes",
        statement="among the two splits of Remark 4 and one that separates nothing, the split of least entropy gain is"
        " the same with and without noise while the best one changes: Definition 1 must read argmax",
        source="ghosh2017, Definition 1",
        holds=Sign(lambda m: [*leads_over_dull(m), -same_best(m)[0]]),
        fails=(
            NearMiss("a kept minimiser means a kept maximiser", Sign(lambda m: leads_over_dull(m) + same_best(m))),
            NearMiss("without the split that separates nothing the least gain is kept", Sign(same_best), "hypothesis"),
        ),
    ),
]

ERRATA = [
    Erratum("G-E2", Sign(lambda m: leads_over_dull(m) + same_best(m)), THEOREMS[-1].key),
    Erratum("G-E7", Sign(lambda m: [-x for x in nudged(Fraction(1, 100), m)]), THEOREMS[-2].key),
]
