"""Where the NE impurity is misclassification, and what follows for stopping.

A node lies in the *zone* if ``e <= lam sqrt(G (K - 1) / K)``, with ``e = 1 - max p`` and ``G = 1 - |p|^2``.
Source: wilton2024, Section 4, which gives no rule for K classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit import impurities, losses
from splitcrit.arith import EXACT, total
from splitcrit.criteria import decrease
from splitcrit.proof import ALL, BALL, All, Ball, Cases, Exhaustive, Fact, Law, Premise, Smt, Theorem, only, upto
from splitcrit.proofs.common import binary_splits, count_vectors, exactly, kinds, up_to
from splitcrit.proofs.impurity.concave import LAMS
from splitcrit.proofs.stopping.equal_shares import equal_rows
from splitcrit.proofs.stopping.shared_majority import node, share_a_majority, unsplit


def zone_gap(counts: Any, squared: Any, m: Any = EXACT) -> Any:
    """``lam^2 (K - 1)(n^2 - sum n_j^2) - K (n - max)^2``, at least 0 in the zone."""
    n, K = total(counts), len(counts)
    return squared * (K - 1) * (n * n - total([x * x for x in counts])) - K * (n - m.max(counts)) ** 2


def in_zone(counts: Any, lam: Fraction) -> bool:
    return bool(zone_gap(counts, lam * lam) >= 0)


def nodes_and_lams(N: int, K: int) -> Iterator[Any]:
    yield from product((*LAMS, Fraction(1)), count_vectors(N, K))


def action_is_vertex(case: Any) -> bool:
    lam, counts = case
    act: Any = losses.ne(lam).act
    return in_zone(counts, lam) == bool(max(act([Fraction(x, sum(counts)) for x in counts], EXACT)) == 1)


def minority_share(above: Callable[[Any], Any], below: Callable[[Any], Any]) -> Smt:
    """With two classes the zone is where the minority share is at most the given quotient."""
    return Smt(
        kinds("count", "a", "b") | {"lam": "rate"},
        lambda v, m: (zone_gap([v.a, v.b], v.lam**2, m) >= 0) == (v.b * below(v) <= above(v) * (v.a + v.b)),
        lambda v, m: v.b <= v.a,
    )


def from_concavity(strict: bool = True) -> Smt:
    """With the values of the two parts at node and children as variables: when the minimum has no gain.

    f is misclassification, above its chord; g is the root, strictly above it for unequal rows.
    """

    def hypotheses(v: Any, m: Any) -> list[Any]:
        chord_f, chord_g = (v.t * v.f0 + (1 - v.t) * v.f1), (v.t * v.g0 + (1 - v.t) * v.g1)
        return [v.t > 0, v.t < 1, v.f >= chord_f, v.g > chord_g if strict else v.g >= chord_g]

    def conclusion(v: Any, m: Any) -> Any:
        gain = m.min((v.f, v.g)) - v.t * m.min((v.f0, v.g0)) - (1 - v.t) * m.min((v.f1, v.g1))
        return (gain == 0) == ((v.f == v.t * v.f0 + (1 - v.t) * v.f1) & (v.f0 <= v.g0) & (v.f1 <= v.g1))

    return Smt({**dict.fromkeys(("f", "f0", "f1", "g", "g0", "g1"), "real"), "t": "rate"}, conclusion, hypotheses)


def no_gain(lam: Fraction, table: Any) -> bool:
    """Whether the NE gain is 0: exactly so where rows are equal or the impurity is misclassification; else enclosed."""
    if equal_rows(table) or (unsplit(table) and all(in_zone(row, lam) for row in (node(table), *table))):
        return True
    gain = decrease(impurities.ne(lam)).score([[Ball(x) for x in row] for row in exactly(table)], BALL)
    return not Ball(gain) > 0


def splits_and_lams(N: int, K: int) -> Iterator[Any]:
    yield from product(LAMS, binary_splits(N, K))


def stops_when(condition: Callable[[Fraction, Any], bool]) -> Exhaustive:
    cases = Cases(splits_and_lams, N=upto(5), K=only(2, 3))
    return Exhaustive(cases, lambda case: no_gain(*case) == condition(*case))


def stopping_rule(lam: Fraction, table: Any) -> bool:
    return equal_rows(table) or (share_a_majority(table) and all(in_zone(row, lam) for row in table))


zone_is_error = Smt(  # for any error e and G, whatever the number of classes
    kinds("count", "e", "G") | {"lam": "rate", "K": "positive"},
    lambda v, m: (
        (m.min((v.e, v.lam * m.sqrt(v.G * (v.K - 1) / v.K))) == v.e)
        == (v.K * v.e * v.e <= v.lam * v.lam * (v.K - 1) * v.G)
    ),
)
share = Law(minority_share, above=lambda v: v.lam**2, below=lambda v: 1 + v.lam**2)
stops, step = Law(stops_when, condition=stopping_rule), Law(from_concavity)

THEOREMS = [
    Theorem(
        key="stopping.ne_zone_is_decided_by_integers",
        statement="the NE impurity of class counts n_j is misclassification exactly if K (n - max n_j)^2 <= lam^2 (K"
        " - 1) (n^2 - sum n_j^2), for two classes exactly if the minority share is at most lam^2 / (1 + lam^2); just"
        " then the best action of its loss is a vertex",
        source="wilton2024, Theorem 8 and Section 4 (where the NE impurity is which)",
        holds=All(
            impurity=zone_is_error, two_classes=share, action=up_to(7, nodes_and_lams, action_is_vertex, K=(2, 3))
        ),
        fails=(
            share.but("the minority share is at most lam / 2", above=lambda v: v.lam, below=lambda v: 2),
            share.but("the minority share is at most lam^2", below=lambda v: 1),
        ),
    ),
    Theorem(
        key="stopping.ne_gain_is_zero_of_shared_majority_in_zone",
        statement="the NE gain of a split is 0 exactly if the children have equal class distributions, or share a "
        "majority class and both lie in the zone; the zone grows with lam, so larger lam stops more often",
        source="wilton2024, Section 4 (early stopping of the NE impurity, for which no rule is given)",
        premises=(
            Premise("stopping.conservative_gain_is_zero_of_shared_majority", kind="theorem"),
            Premise("impurity.sqrt_gini_is_strictly_concave", kind="theorem", widens={"K": ALL, "N": ALL}),
        ),
        holds=All(concavity=step, splits=stops),
        fails=(
            stops.but("whenever the children share a majority class", condition=lambda lam, t: share_a_majority(t)),
            stops.but("only if the children have equal distributions", condition=lambda lam, t: equal_rows(t)),
            stops.but(
                "it is enough that the node lies in the zone",
                condition=lambda lam, t: equal_rows(t) or (share_a_majority(t) and in_zone(node(t), lam)),
            ),
            step.but("the root may be concave, not strictly so", strict=False, alters="hypothesis"),
        ),
        facts=tuple(
            Fact(repr(decrease(impurities.ne(float(lam)))), "stops early", K, True) for lam in LAMS for K in ("2", ">2")
        ),
    ),
]
