"""The expected Gini gain where two classes flip at rates of their own: a part of order ``1/n`` depends on the split."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.proof import All, Certificate, Exhaustive, Identity, Law, NearMiss, Theorem
from splitcrit.proofs.common import exactly, gini_decrease, kinds, up_to
from splitcrit.proofs.noise.expected_gain import RATE_3, SPLIT
from splitcrit.proofs.noise.inequalities import MOMENTS
from splitcrit.proofs.null.noisy import Split, by_moments, expected_score, keeps, reorders, splits
from splitcrit.proofs.two_class import clean

TWO_RATES = SPLIT | kinds("rate", "tau_pos", "tau_neg")
QUARTER = Fraction(1, 4)
PAIR_CLASSES: tuple[Split, Split] = (((0, 2), (2, 1)), ((1, 0), (1, 3)))


def split_part(v: Any) -> Any:
    """``(2/n^2) [n v_neg + (v_pos - v_neg)(N_R p_L + N_L p_R)]`` with ``v = tau (1 - tau)``."""
    left, right = v.a + v.b, v.c + v.d
    n, v_pos, v_neg = left + right, v.tau_pos * (1 - v.tau_pos), v.tau_neg * (1 - v.tau_neg)
    return 2 * (n * v_neg + (v_pos - v_neg) * (right * v.a / left + left * v.c / right)) / n**2


def node_part(v: Any) -> Any:
    """The part that would stand there if it were that of the node's class shares."""
    flips = (v.a + v.c) * v.tau_pos * (1 - v.tau_pos) + (v.b + v.d) * v.tau_neg * (1 - v.tau_neg)
    return 2 * flips / (v.a + v.b + v.c + v.d) ** 2


def class_conditional_mean(part: Callable[[Any], Any]) -> Identity:
    return Identity(
        TWO_RATES,
        lambda v, m: by_moments(clean(v), v.tau_pos, v.tau_neg, m),
        lambda v, m: (1 - v.tau_pos - v.tau_neg) ** 2 * gini_decrease.score(clean(v), m) + part(v),
    )


def splits_and_rates(most: int) -> Iterator[Any]:
    rates = (
        (Fraction(0), QUARTER),
        (Fraction(1, 10), RATE_3),
        (Fraction(2, 5), Fraction(1, 5)),
        (Fraction(9, 20), Fraction(0)),
    )
    yield from product(splits(most), rates)


def moments_are_the_law(case: Any) -> bool:
    s, (tau_pos, tau_neg) = case
    by_two_moments = by_moments(exactly(s), tau_pos, tau_neg, EXACT)
    return bool(expected_score(gini_decrease, s, tau_pos, tau_neg) == by_two_moments)


def spread_kept(v: Any, m: Any) -> Any:
    left, right = v.a + v.b, v.c + v.d
    return left + right - (right * v.a / left + left * v.c / right)


def spread_atoms(v: Any, m: Any) -> dict[str, Any]:
    left, right = v.a + v.b, v.c + v.d
    return {"left": right * v.b / left, "right": left * v.d / right}


def changes_places(tau_pos: Fraction, tau_neg: Fraction) -> Exhaustive:
    return Exhaustive(lambda: [PAIR_CLASSES], lambda p: reorders(gini_decrease, p, tau_pos, tau_neg))


CHANGES = Law(changes_places, tau_pos=Fraction(0), tau_neg=QUARTER)
MEAN = Law(class_conditional_mean, part=split_part)

THEOREMS = [
    Theorem(
        key="noise.expected_gini_gain_of_class_conditional",
        statement="under class-conditional noise the expected Gini gain of two children is (1 - tau_pos - tau_neg)^2"
        " gain + (2/n^2) [n v_neg + (v_pos - v_neg)(N_R p_L + N_L p_R)] with v = tau(1 - tau); the part that depends on"
        " the split is at most 2 |v_pos - v_neg|/n; means and variances give the mean of the exact law of all flips",
        source="beyond, class-conditional noise",
        holds=All(
            MEAN,
            Certificate(SPLIT, spread_kept, lambda v, m: [([], ["left"]), ([], ["right"])], spread_atoms),
            the_law=up_to(6, splits_and_rates, moments_are_the_law),
        ),
        fails=(
            MEAN.but(
                "the additive term does not depend on the split: it is that of the node's class shares", part=node_part
            ),
            NearMiss(
                "the expected order is the clean order at every n, as for symmetric noise",
                keeps(gini_decrease, Fraction(0), QUARTER, 5),
                alters="hypothesis",
            ),
        ),
        premises=(MOMENTS,),
    ),
    Theorem(
        key="noise.expected_gini_gain_reorders_of_class_conditional",
        statement="with tau_pos = 0 and tau_neg = 1/4 the split [0 2 | 2 1] (negatives, positives) gains more than"
        " [1 0 | 1 3] clean and as a population, and less in expectation over five examples; with fewer no order"
        " changes",
        source="beyond, class-conditional noise",
        holds=All(CHANGES, keeps(gini_decrease, Fraction(0), QUARTER, 4)),
        fails=(
            CHANGES.but("the same two splits change places at tau_pos = tau_neg = 1/4", tau_pos=QUARTER),
            CHANGES.but("and at tau_pos = 1/4, tau_neg = 0", tau_pos=QUARTER, tau_neg=Fraction(0)),
        ),
    ),
]
