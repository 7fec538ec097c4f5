"""Criteria by which every split that divides no class is best: mean posterior improvement, and power divergences.

A split in two is *exclusive* if no class is on both sides. The family of Cressie and Read, ``power_divergence``, is
``2/(lam (lam + 1)) sum o ((o/e)^lam - 1)`` of the counts ``o`` and what the margins expect, ``e``.

Source: taylor1993; shih1999; read1988 for the family.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit.arith import total
from splitcrit.criteria import Criterion, chi_square, decrease, g_statistic, twoing
from splitcrit.impurities import entropy, gini
from splitcrit.proof import ALL, All, Exhaustive, Extent, Identity, Induction, Law, NearMiss, Not, Premise, Smt, Theorem
from splitcrit.proofs.common import binary_splits, gini_decrease, kinds, lefts, rows_of, score, split, up_to
from splitcrit.proofs.field.skew import order
from splitcrit.proofs.two_class import two_classes


def power_divergence(lam: int) -> Criterion:
    """The statistic of a whole ``lam`` above 0; that of 0 is the limit, the G statistic."""

    def value(t: Any, m: Any) -> Any:
        sizes, node = [total(row) for row in t], [total([row[k] for row in t]) for k in range(len(t[0]))]
        n = total(sizes)
        parts = [
            x * ((x * n / (size * column)) ** lam - 1)
            for row, size in zip(t, sizes, strict=True)
            for x, column in zip(row, node, strict=True)
        ]
        return 2 * total(parts) / (lam * (lam + 1))

    return Criterion(f"power_divergence({lam})", value)


def phi_squared(factor: int = 1) -> Induction:
    """Claim that chi-square over N is 1 less the sum over classes of ``p_kL p_kR / p_k``."""

    def sides(entries: Any, v: Any, m: Any) -> Any:
        left, right = [e.x for e in entries], [e.y for e in entries]
        n_left, n_right = sum(left), sum(right)
        shared = sum(x * y / (x + y) for x, y in zip(left, right, strict=True))
        n = n_left + n_right
        return chi_square.score([left, right], m) / n, 1 - factor * shared * n / (n_left * n_right)

    def closed(sums: Any, v: Any, m: Any) -> Any:
        n_left, n_right, shared = sums
        both = 1 - factor * shared * (n_left + n_right) / (n_left * n_right)
        return 1 - shared * (n_left + n_right) / (n_left * n_right), both

    return Induction(
        "K",
        {"x": "positive", "y": "positive"},
        sides,
        lambda e, v, m: [e.x, e.y, e.x * e.y / (e.x + e.y)],
        closed,
        keeps=lambda s, v, m: [s[0] > 0, s[1] > 0],
    )


def part(e: Any) -> Any:
    return e.x * e.y / (e.x + e.y)


def not_negative() -> Induction:
    """Claim for every number of classes that the sum of ``x y / (x + y)`` is not negative, with counts of 0 too."""
    return Induction(
        "K",
        {"x": "count", "y": "count"},
        lambda entries, v, m: sum(e.x * e.y / (e.x + e.y) for e in entries),
        lambda e, v, m: [part(e)],
        lambda sums, v, m: sums[0],
        ">=",
        least=1,
        where=lambda e, v, m: [e.x + e.y > 0],
    )


def zero_if_no_class_is_shared(shared: bool = True) -> Smt:
    """Claim that with a class more the sum ``s >= 0`` of the others is 0 exactly if it was, and the class is apart."""
    return Smt(
        kinds("real", "s", "x", "y"),
        lambda v, m: (v.s + part(v) == 0) == (m.max((v.s, v.x * v.y if shared else v.x)) == 0),
        lambda v, m: [v.s >= 0, v.x >= 0, v.y >= 0, v.x + v.y > 0],
    )


def is_pearson(lam: int, classes: int = 2) -> Identity:
    """Claim that a power divergence is the chi-square statistic."""
    return Identity(
        kinds("positive", "l", "r", classes=classes),
        lambda v, m: power_divergence(lam).score(rows_of(v, classes), m),
        lambda v, m: chi_square.score(rows_of(v, classes), m),
    )


def share_of_gini(classes: int) -> Identity:
    """Claim that chi-square over N is the share of Gini's impurity that a split takes away."""

    def share(v: Any, m: Any) -> Any:
        rows = rows_of(v, classes)
        node = [x + y for x, y in zip(*rows, strict=True)]
        return total(node) * decrease(gini).score(rows, m) / gini.of([x / total(node) for x in node], m)

    return Identity(
        kinds("positive", "l", "r", classes=classes), lambda v, m: chi_square.score(rows_of(v, classes), m), share
    )


def at_exclusive(lam: int) -> Identity:
    """Claim that at an exclusive split of two classes a power divergence is N, however large the sides are."""
    return Identity(
        kinds("positive", "a", "b"),
        lambda v, m: power_divergence(lam).score([[v.a, 0 * v.a], [0 * v.b, v.b]], m),
        lambda v, m: v.a + v.b,
    )


def exclusive(t: Any) -> bool:
    """Whether no class is on both sides."""
    return not any(x and y for x, y in zip(*t, strict=True))


def full(most: int, classes: int) -> Any:
    """Yield the splits in two of nodes with every class."""
    return (t for t in binary_splits(most, classes) if all(map(sum, zip(*t, strict=True))))


def of_counts(t: Any) -> bool:
    """Whether the identity holds of a table, with counts of 0 among the classes of a side."""
    n_left, n_right = map(sum, t)
    parts = sum(Fraction(x * y, x + y) for x, y in zip(*t, strict=True))
    n = n_left + n_right
    return bool(score(chi_square, t) / n == 1 - parts * n / (n_left * n_right))


def is_one(t: Any) -> bool:
    """Whether chi-square over N is 1 exactly if the split is exclusive, and less otherwise."""
    share = score(chi_square, t) / sum(map(sum, t))
    return bool(share == 1 if exclusive(t) else share < 1)


def prefers(criterion: Criterion, *nodes: tuple[int, ...]) -> Exhaustive:
    """Claim that no split of these nodes that divides a class scores as much as one that divides none."""

    def pairs() -> Any:
        for counts in nodes:
            here = [split(counts, left) for left in lefts(counts)]
            yield from product([t for t in here if not exclusive(t)], [t for t in here if exclusive(t)])

    return Exhaustive(pairs, lambda pair: order(criterion, *pair) < 0)


APART = Law(zero_if_no_class_is_shared)
PHI, PEARSON, EXCLUSIVE = Law(phi_squared, factor=1), Law(is_pearson, lam=1), Law(at_exclusive, lam=1)
NODE = (1, 4, 4)  # a class that is rare

G_AT = Exhaustive(
    lambda: ((((1, 0), (0, 3)), ((2, 0), (0, 2))),), lambda pair: order(g_statistic, *pair) == 0
)  # two exclusive splits of 4 examples

THEOREMS = [
    Theorem(
        key="field.chi_square_prefers_exclusive_splits",
        statement="chi-square over N is 1 less the sum over classes of p_kL p_kR / p_k, the factor of mean posterior"
        " improvement beside p_L p_R: it is 1 exactly if no class is on both sides, and less otherwise, so that no"
        " split that divides a class scores as much as one that divides none; at two classes it is the share of Gini's"
        " impurity that the split takes away",
        source="taylor1993, exclusivity, as it is commonly quoted",
        holds=All(
            sum=PHI,
            parts=not_negative(),
            apart=APART,
            zeros=up_to(5, full, lambda t: of_counts(t) and is_one(t), K=(2, 3)),
            two_classes=share_of_gini(2),
            rare=prefers(chi_square, NODE),
        ),
        premises=(
            Premise(
                "both sides are rational in the counts: equal at positive ones, they are at 0",
                kind="hand",
                widens={"K": Extent(least=2), "N": ALL},
            ),
        ),
        fails=(
            PHI.but("the sum counts twice", factor=2),
            APART.but("it is 0 exactly if no class is on the left", shared=False),
            NearMiss("at three classes too it is the share of Gini's impurity", share_of_gini(3), "hypothesis"),
            NearMiss("so it is with Gini's decrease", prefers(gini_decrease, NODE)),
            NearMiss("so it is with the entropy gain", prefers(decrease(entropy), NODE)),
            NearMiss("so it is with twoing", prefers(twoing, NODE)),
        ),
    ),
    Theorem(
        key="field.pearson_is_the_power_divergence_of_equal_exclusive_splits",
        statement="the power divergence of lam = 1 is chi-square, at an exclusive split it is N, whatever the sizes of"
        " the sides, and those of lam = 2, 3 and, as the limit, of 0, the entropy gain 2N times, depend on the sizes",
        source="shih1999, as it is commonly quoted",
        holds=two_classes(
            pearson=PEARSON, exclusive=EXCLUSIVE, two=Not(at_exclusive(2)), three=Not(at_exclusive(3)), zero=Not(G_AT)
        ),
        fails=(
            PEARSON.but("so is that of lam = 2", lam=2),
            EXCLUSIVE.but("at an exclusive split that of lam = 3 is N", lam=3),
        ),
    ),
]
