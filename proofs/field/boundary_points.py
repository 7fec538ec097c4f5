"""Where the best threshold of a feature lies: at a boundary point, between examples of different classes.

Main definitions: ``sequences`` (labels in the order of a feature with distinct values), ``cuts`` (their tables).
Source: fayyad1992; elomaa2000 for runs in which the classes are mixed in one proportion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations, product
from typing import Any

from splitcrit.arith import total
from splitcrit.criteria import Criterion, normalised, one_vs_rest_pairwise_gain, pairwise_gain, twoing
from splitcrit.impurities import entropy
from splitcrit.proof import (
    ALL,
    BALL,
    All,
    Ball,
    Each,
    Exhaustive,
    Extent,
    Identity,
    Law,
    NearMiss,
    Not,
    Premise,
    Smt,
    Theorem,
)
from splitcrit.proofs.common import error_decrease, exactly, gini_decrease, kinds, of_values, rows_of, score, up_to
from splitcrit.proofs.null.laws import sgini_squared

Labels = tuple[int, ...]
CONCAVE = ("gini_is", "entropy_is", "misclassification_is", "sqrt_gini_is_strictly", "matushita_is", "bayes_sum_is")


def sequences(most: int, classes: int) -> Iterator[Labels]:
    """Yield the labels of up to ``most`` examples in the order of a feature, every class among them."""
    for n in range(2, most + 1):
        yield from (labels for labels in product(range(classes), repeat=n) if len(set(labels)) == classes)


def cuts(labels: Labels, least: int = 1) -> Iterator[tuple[bool, tuple[Labels, Labels]]]:
    """Yield whether a cut is a boundary point, and its table, of the cuts with enough examples on either side."""
    classes = range(max(labels) + 1)
    for i in range(least, len(labels) - least + 1):
        parts = labels[:i], labels[i:]
        yield labels[i - 1] != labels[i], tuple(tuple(part.count(k) for k in classes) for part in parts)  # type: ignore[misc]


def unordered(t: Any) -> Any:
    """The first of the tables that differ in the order of rows and of classes alone."""
    return min(tuple(sorted(zip(*columns, strict=True))) for columns in permutations(zip(*t, strict=True)))


def enclosed(criterion: Criterion) -> Callable[[Any], Any]:
    """The score of a table by enclosures."""
    return lambda t: Ball(criterion.score(exactly(t), BALL))


def exact(criterion: Criterion) -> Callable[[Any], Any]:
    """The score of a table in Fractions."""
    return lambda t: score(criterion, t)


def best_is_boundary(measure: Callable[[Any], Any], most: int, classes: Any, least: int = 1) -> Exhaustive:
    """Claim that no cut inside a run of one class is better than every boundary point.

    A table with the rows, or the classes, of another in another order scores the same.
    """

    def holds(labels: Labels) -> bool:
        known = [(at, unordered(t), measure(t)) for at, t in cuts(labels, least)]
        ends = [(rows, x) for at, rows, x in known if at]
        return all(any(rows == same or x <= end for same, end in ends) for at, rows, x in known if not at)

    return up_to(most, sequences, holds, len, K=classes)


def all_best_are(measure: Callable[[Any], Any], most: int) -> Exhaustive:
    """Claim that every best cut is a boundary point."""

    def holds(labels: Labels) -> bool:
        known = [(at, measure(t)) for at, t in cuts(labels)]
        top = max(x for _, x in known)
        return all(at for at, x in known if x == top)

    return up_to(most, sequences, holds, len, K=(2,))


def along(concave: bool = True) -> Smt:
    """Claim that the decrease is convex while examples of one distribution go from the right child to the left.

    ``x`` and ``y`` are the sizes of the children before ``T`` examples move, of which a share ``s`` has moved;
    ``p, q`` are the impurities of both children before, ``u, w`` after, ``l, r`` on the way.
    """

    def conclusion(v: Any, m: Any) -> Any:
        start = of_values([v.x, v.y + v.T], [v.p, v.q, v.node], m)
        end = of_values([v.x + v.T, v.y], [v.u, v.w, v.node], m)
        way = of_values([v.x + v.s * v.T, v.y + (1 - v.s) * v.T], [v.l, v.r, v.node], m)
        return way <= (1 - v.s) * start + v.s * end

    def hypotheses(v: Any, m: Any) -> list[Any]:
        left, right = v.x + v.s * v.T, v.y + (1 - v.s) * v.T
        bounds = [left * v.l >= (1 - v.s) * v.x * v.p + v.s * (v.x + v.T) * v.u]
        return bounds + [right * v.r >= (1 - v.s) * (v.y + v.T) * v.q + v.s * v.y * v.w] * concave

    return Smt(
        kinds("positive", *"xyT") | kinds("rate", "s") | kinds("real", *"pquwlr", "node"), conclusion, hypotheses
    )


def shares(forward: bool = True) -> Identity:
    """Claim that a class's share on the way is the mixture of those before and after, by their sizes."""

    def mixed(v: Any, m: Any) -> Any:
        weight = v.s * (v.x + v.T) / (v.x + v.s * v.T) if forward else v.s
        return (1 - weight) * v.n / v.x + weight * (v.n + v.d) / (v.x + v.T)

    return Identity(
        kinds("positive", *"xTnd") | kinds("rate", "s"), lambda v, m: (v.n + v.s * v.d) / (v.x + v.s * v.T), mixed
    )


def pairs_along(power: int = 1) -> Smt:
    """Claim that pairwise gain is convex while examples of the first class go from the right child to the left."""

    def gain(v: Any, s: Any, m: Any) -> Any:
        return pairwise_gain.score([[v.a + s * v.T, v.b], [v.c + (1 - s) * v.T, v.d]], m)

    return Smt(
        kinds("count", *"abcdT") | kinds("rate", "s"),
        lambda v, m: gain(v, v.s, m) <= ((1 - v.s) * gain(v, 0, m) + v.s * gain(v, 1, m)) / power,
    )


def quotient(sign: bool = True) -> Smt:
    """Claim that a convex numerator over a concave denominator is on the way at most what it is at one of the ends.

    ``g, h`` before, ``k, l`` after and ``u, w`` on the way; ``c`` is the larger quotient of both ends, not negative.
    """

    def hypotheses(v: Any, m: Any) -> list[Any]:
        numerator, denominator = (1 - v.s) * v.g + v.s * v.k, (1 - v.s) * v.h + v.s * v.l
        bounds = [v.u <= numerator, v.w >= denominator, v.g <= v.c * v.h, v.k <= v.c * v.l, v.h >= 0, v.l >= 0]
        return bounds + [v.c >= 0] * sign

    return Smt(kinds("rate", "s") | kinds("real", *"ghkluwc"), lambda v, m: v.u <= v.c * v.w, hypotheses)


def mean_size(power: int = 2) -> Smt:
    """Claim that the root of the product of both sizes is concave, ``a`` and ``b`` that root at the ends."""

    def hypotheses(v: Any, m: Any) -> list[Any]:
        return [v.a**2 == v.x * v.y, v.b**2 == v.u * v.w]

    def says(v: Any, m: Any) -> Any:
        product_of_sizes = ((1 - v.s) * v.x + v.s * v.u) * ((1 - v.s) * v.y + v.s * v.w)
        return product_of_sizes >= ((1 - v.s) * v.a + v.s * v.b) ** power

    return Smt(kinds("rate", "s") | kinds("count", *"xyuwab"), says, hypotheses)


def is_quotient(classes: int, factor: int = 4) -> Identity:
    """Claim that twoing is the square of the one-versus-rest gain over that of the root of the sizes, and of N."""

    def squared(v: Any, m: Any) -> Any:
        t = rows_of(v, classes)
        left, right = map(total, t)
        return factor * one_vs_rest_pairwise_gain.score(t, m) ** 2 / ((left + right) ** 2 * left * right)

    return Identity(
        kinds("positive", "l", "r", classes=classes), lambda v, m: twoing.score(rows_of(v, classes), m), squared
    )


ratio = normalised(entropy)
QUOTIENT = Law(quotient, sign=True)
CONVEX, PAIRS, SHARES = Law(along, concave=True), Law(pairs_along, power=1), Law(shares, forward=True)

THEOREMS = [
    Theorem(
        key="field.best_cut_is_boundary_point_of_concave_impurity",
        statement="for any number of classes, of the cuts of a numeric feature some best one, by the decrease of a"
        " concave impurity, is a boundary point: inside a run of examples of one class, or of one mixture of classes,"
        " the decrease is a convex function of the cut and no larger than at one of the ends",
        source="fayyad1992, the theorem on entropy, here for every concave impurity",
        holds=All(convex=CONVEX, shares=SHARES),
        premises=tuple(
            Premise(f"impurity.{name}_concave", "theorem", {"K": Extent(least=2)} if name == "gini_is" else {})
            for name in CONCAVE
        ),
        fails=(
            CONVEX.but("the same of an impurity that is concave on one side only", concave=False, alters="hypothesis"),
            SHARES.but("shares mix by s itself", forward=False),
            NearMiss(
                "every best cut is a boundary point, by misclassification", all_best_are(exact(error_decrease), 5)
            ),
            NearMiss(
                "so it is among the cuts that leave two examples on either side: a smallest leaf",
                best_is_boundary(exact(gini_decrease), 5, 2, least=2),
                "hypothesis",
            ),
        ),
    ),
    Theorem(
        key="field.best_cut_is_boundary_point_of_pairs_and_ratio",
        statement="some best cut is a boundary point by pairwise gain and one-versus-rest pairwise gain, which are"
        " convex inside a run, and by twoing and the gain ratio, which are quotients there, of a convex function that"
        " is not negative and a concave one: no larger than at one of the ends, for any number of classes",
        source="elomaa2000, for functions that are not convex",
        holds=All(
            pairwise=PAIRS,
            quotient=QUOTIENT,
            sizes=mean_size(),
            twoing=Each("K", (2, 3), is_quotient),
            small_twoing=best_is_boundary(exact(twoing), 7, (2, 3)),
            small_one_vs_rest=best_is_boundary(exact(one_vs_rest_pairwise_gain), 7, (2, 3)),
            small_ratio=best_is_boundary(enclosed(ratio), 6, (2, 3)),
        ),
        premises=(
            Premise("py_one_vs_rest_is_convex_between_splits", "kernel", {"K": Extent(least=2), "N": ALL}),
            Premise("py_twoing_is_squared_one_vs_rest", "kernel"),
            Premise("field.best_cut_is_boundary_point_of_concave_impurity", kind="theorem"),
            Premise("impurity.entropy_is_concave", kind="theorem"),
        ),
        fails=(
            PAIRS.but("it is at most half of that of the mixture", power=2),
            QUOTIENT.but("so is a quotient that is negative at both ends", sign=False, alters="hypothesis"),
            NearMiss(
                "inside a run the gain ratio is never above its mean over the cuts beside it",
                up_to(
                    7,
                    sequences,
                    lambda labels: all(
                        not (2 * b - a - c).surely_positive()
                        for a, b, c in zip(
                            *[[enclosed(ratio)(t) for _, t in cuts(labels)][i:] for i in range(3)], strict=False
                        )
                    ),
                    len,
                    K=(2,),
                ),
            ),
        ),
    ),
    Theorem(
        key="field.best_cut_can_be_inside_a_run_of_sgini",
        statement="by SGini the best cut can lie inside a run of one class: of the labels 0 0 1 0 0 the outermost cuts"
        " are best. All scores are negative there, no split pays, and what holds of quotients needs a numerator that"
        " is not negative; whether it happens where a split pays is open",
        source="fayyad1992, beyond it",
        holds=Not(best_is_boundary(sgini_squared, 5, 2)),
        fails=(
            NearMiss("so it is in some node of four", Not(best_is_boundary(sgini_squared, 4, 2))),
            NearMiss("and by Gini's decrease in one of five", Not(best_is_boundary(exact(gini_decrease), 5, 2))),
        ),
    ),
]
