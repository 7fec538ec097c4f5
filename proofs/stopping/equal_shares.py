"""Criteria that never stop early: their gain is 0 only where both children have the same class shares.

Gini, twoing and pairwise gains are sums over the classes of squares or absolute values of ``l_k N_R - r_k N_L``.
Source: wilton2024, Theorem 5 (b); yang2019, Section V; beyond.
"""

from __future__ import annotations

from typing import Any

from splitcrit import impurities
from splitcrit.arith import total
from splitcrit.criteria import Criterion, decrease, one_vs_rest_pairwise_gain, pairwise_gain, twoing
from splitcrit.proof import ALL, All, Each, Exhaustive, Fact, Identity, Induction, Law, NearMiss, Premise, Smt, Theorem
from splitcrit.proofs.common import binary_splits, error_decrease, exactly, gini_decrease, kinds, rows_of, score, up_to
from splitcrit.proofs.two_class import SPLIT, clean, two_classes

ROWS = kinds("positive", "l", "r")


def stops_early(criterion: Any, holds: bool, classes: tuple[str, ...] = ("2", ">2")) -> tuple[Fact, ...]:
    name = criterion if isinstance(criterion, str) else repr(criterion)
    return tuple(Fact(name, "stops early", K, holds) for K in classes)


def equal_rows(table: Any) -> bool:
    """Whether the two children have the same class shares."""
    left, right = table
    return all(x * sum(right) == y * sum(left) for x, y in zip(left, right, strict=True))


def sees(criterion: Criterion, most: int = 4, classes: int = 2) -> Exhaustive:
    """A score is zero exactly if the children have equal shares."""
    return up_to(most, binary_splits, lambda t: (score(criterion, t) > 0) != equal_rows(t), K=classes)


def distance(left: Any, right: Any) -> Any:
    """The product of the children's shares times the squared distance of their distributions."""
    n, r = total(left), total(right)
    return total([(x * r - y * n) ** 2 for x, y in zip(left, right, strict=True)]) / (n * r) / (n + r) ** 2


def gini_by_distance() -> Induction:
    """Gini gain is that distance."""

    def gap(entries: Any, v: Any, m: Any) -> Any:
        left, right = [e.l for e in entries], [e.r for e in entries]
        return gini_decrease.score([left, right], m) - distance(left, right)

    def closed(sums: Any, v: Any, m: Any) -> Any:
        n, r, ll, lr, rr = sums
        node = 1 - (ll + 2 * lr + rr) / (n + r) ** 2
        drop = node - n / (n + r) * (1 - ll / n**2) - r / (n + r) * (1 - rr / r**2)
        return drop - n * r / (n + r) ** 2 * (ll / n**2 - 2 * lr / (n * r) + rr / r**2)

    return Induction(
        "K",
        ROWS,
        gap,
        lambda e, v, m: [e.l, e.r, e.l * e.l, e.l * e.r, e.r * e.r],
        closed,
        keeps=lambda s, v, m: [s[0] > 0, s[1] > 0],
    )


def twoing_by_sum(classes: int) -> Identity:
    """Twoing is ``4 s^2 / (N^2 N_L N_R)`` with s the one-vs-rest pairwise gain."""

    def by_sum(v: Any, m: Any) -> Any:
        n, r = (total(row) for row in rows_of(v, classes))
        return 4 * one_vs_rest_pairwise_gain.score(rows_of(v, classes), m) ** 2 / ((n + r) ** 2 * n * r)

    return Identity(
        kinds("positive", "l", "r", classes=classes), lambda v, m: twoing.score(rows_of(v, classes), m), by_sum
    )


def sum_is_zero(classes: int, looked_at: int) -> Smt:
    """One-vs-rest pairwise gain is 0 exactly where the first classes have equal shares in both children."""

    def conclusion(v: Any, m: Any) -> Any:
        (left, right), equal = rows_of(v, classes), True
        for x, y in list(zip(left, right, strict=True))[:looked_at]:
            equal = (x * total(right) == y * total(left)) & equal
        return (one_vs_rest_pairwise_gain.score([left, right], m) == 0) == equal

    return Smt(kinds("count", "l", "r", classes=classes), conclusion)


def pairwise_is_zero(domain: Any = None, equal: bool = True) -> Smt:
    """The gain is 0 exactly where the children have the shares of the node or one is empty; or nowhere."""

    def conclusion(v: Any, m: Any) -> Any:
        gain = pairwise_gain.score(clean(v), m)
        return (gain == 0) == (v.a * (v.c + v.d) == v.c * (v.a + v.b)) if equal else gain > 0

    return Smt(SPLIT, conclusion, domain)


zero, sums = Law(pairwise_is_zero), Law(sum_is_zero, classes=3, looked_at=3)

THEOREMS = [
    Theorem(
        key="stopping.gini_gain_is_zero_of_equal_shares_only",
        statement="the Gini gain of a split is the product of the children's shares times the squared distance of "
        "their class distributions, so 0 exactly if these are equal",
        source="wilton2024, Theorem 5 (b)",
        holds=gini_by_distance(),
        fails=(
            NearMiss(
                "the gain is twice that",
                Exhaustive(lambda: binary_splits(4, 3), lambda t: score(gini_decrease, t) == 2 * distance(*exactly(t))),
            ),
            NearMiss("the same of misclassification", sees(error_decrease)),
        ),
        facts=stops_early(gini_decrease, False) + stops_early(decrease(impurities.variance((0, 1))), False, ("2",)),
    ),
    Theorem(
        key="stopping.pairwise_gain_is_zero_of_equal_shares_only",
        statement="pairwise gain is zero exactly when both children have the class shares of the node, or one is empty:"
        " it does not stop while the shares differ",
        source="yang2019, Section V",
        holds=two_classes(zero),
        fails=(
            zero.but(
                "it is positive whenever the children differ in their counts",
                equal=False,
                domain=lambda v, m: [v.a * v.b * v.c * v.d > 0, v.a != v.c, v.b != v.d],
            ),
            zero.but(
                "it is positive whenever the node has both classes",
                equal=False,
                domain=lambda v, m: [(v.a + v.c) * (v.b + v.d) > 0],
                alters="hypothesis",
            ),
        ),
        facts=stops_early("pairwise_gain", False, ("2",)),
    ),
    Theorem(
        key="stopping.twoing_and_one_vs_rest_gain_are_zero_of_equal_shares_only",
        statement="one-vs-rest pairwise gain s is zero exactly if both children have the same class shares, or one is"
        " empty, and so is twoing, 4 s^2 / (N^2 N_L N_R) for any number of classes: they never stop early",
        source="beyond, which criteria stop early",
        holds=All(
            one_vs_rest=Each("K", (2, 3, 4), lambda K: sum_is_zero(K, K)), twoing=Each("K", (2, 3, 4), twoing_by_sum)
        ),
        premises=(Premise("a sum of absolute values is zero only if each is", widens={"K": ALL}),),
        fails=(
            sums.but("one class is enough: its share decides", looked_at=1, alters="hypothesis"),
            NearMiss("misclassification is 0 only of equal shares too", sees(error_decrease)),
        ),
        facts=stops_early(one_vs_rest_pairwise_gain, False) + stops_early(twoing, False),
    ),
]
