"""The proposition of breiman1996: Gini's best vertex isolates a most frequent class.

It is settled for every number of classes, in the few sums on which it depends: the share ``x`` of the most frequent
class i of a group C, share and squares of the rest of C (``P, Q``), and squares ``S`` of the others, whose share is
``R = 1 - x - P``.

Main results: the lemmas (A.2)-(A.6) and the proposition in its sharp form.
Source: breiman1996, Section 3 and Appendix.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from splitcrit.criteria import twoing
from splitcrit.proof import All, Claim, Exhaustive, Identity, NearMiss, Smt, Theorem
from splitcrit.proofs.breiman1996.nodes import Counts, best_vertices, isolating_vertices, nodes
from splitcrit.proofs.common import gini_decrease

SUMS = dict.fromkeys("xPQS", "rate")


def others(v: Any) -> Any:
    """Return R, the share of the classes outside C."""
    return 1 - v.x - v.P


def isolated(v: Any) -> Any:
    """Return ``G({i}) = x + (Q + S) / (1 - x)``."""
    return v.x + (v.Q + v.S) / (1 - v.x)


def lam(v: Any) -> tuple[Any, Any, Any]:
    """Return lambda of C, of the other classes, and of C without i."""
    return (v.x * v.x + v.Q) / (v.x + v.P), v.S / others(v), v.Q / v.P


def grouped(v: Any) -> Any:
    """Return ``G(C)``, the sum of lambda over both groups."""
    return lam(v)[0] + lam(v)[1]


def positive_sums(v: Any, m: Any) -> list[Any]:
    return [v.x > 0, v.P > 0, others(v) > 0, v.Q > 0, v.S > 0]


def of_shares(v: Any, m: Any) -> list[Any]:
    """State what holds of the sums of any shares: x is the largest in C, and a sum of squares is at most a square."""
    return [*positive_sums(v, m), v.x * v.P >= v.Q, v.Q <= v.P * v.P, others(v) ** 2 >= v.S]


def larger_lambda(v: Any) -> Any:
    """State, without division, that lambda of C is at least lambda of the others."""
    return (v.x * v.x + v.Q) * others(v) >= v.S * (v.x + v.P)


def richer(v: Any, m: Any) -> list[Any]:
    """State what holds of any shares when C is the group with the larger lambda."""
    return [*of_shares(v, m), larger_lambda(v)]


def no_worse(v: Any) -> Any:
    """State, without division, that ``G(C)`` is at least ``G({i})``."""
    size, rest = v.x + v.P, others(v)
    both = (v.x * v.x + v.Q) * rest + v.S * size
    return both * (1 - v.x) >= (v.x * (1 - v.x) + v.Q + v.S) * size * rest


def in_sums(left: Callable[[Any], Any], right: Callable[[Any], Any]) -> Claim:
    """Claim an identity in x, P, Q, S."""
    return Identity(
        SUMS, lambda v, m: left(v), lambda v, m: right(v), lambda v, m: v.x > 0 and v.P > 0 and others(v) > 0
    )


def bracket(v: Any) -> Any:
    one, rest, without = lam(v)
    return (1 - v.x) * one - v.x * rest - (1 - 2 * v.x) * without


def a3(v: Any) -> Any:
    return v.P / (v.x * (1 - v.x)) * bracket(v)


def a4(v: Any) -> Any:
    one, rest, _ = lam(v)
    return (one * (v.x + v.P) - v.Q) / v.x + (rest * others(v) + v.Q) / (1 - v.x)


def drop(v: Any) -> Any:
    size, squares = v.x + v.P, v.x * v.x + v.Q
    return v.x * (v.x * size - squares) / (size * (size - v.x))


def one_against_other(v: Any, m: Any) -> Any:
    """Return ``G({j}) - G({i})`` for shares x of i, y of j, and S the sum of squares of all others."""
    return v.y + (v.x * v.x + v.S) / (1 - v.y) - v.x - (v.y * v.y + v.S) / (1 - v.x)


def printed_difference(v: Any, m: Any) -> Any:
    return (v.y - v.x) * ((1 - v.x - v.y) ** 2 + v.S) / ((1 - v.x) * (1 - v.y))


def two_below_one(v: Any, m: Any) -> bool:
    return bool(v.x < 1 and v.y < 1)


def sharp(counts: Counts) -> bool:
    """Tell whether exactly the isolating vertices are best, or all if all classes are equally frequent."""
    found = best_vertices(gini_decrease, counts)
    every = len(found) == 2 ** len(counts) - 2
    return every if len(set(counts)) == 1 else bool(found == isolating_vertices(counts))


THEOREMS = [
    Theorem(
        key="vertex.group_gains_less_than_its_largest_class",
        statement="let C be the group with the larger lambda, i most frequent in C, and C1 the rest of C, not empty;"
        " then G({i}) - G(C) is P(C1) / (p_i (1 - p_i)) times a bracket (A.3), by way of (A.4), and is never negative"
        " (A.2): for p_i >= 1/2 by (A.5) and (A.6), for p_i <= 1/2 because lambda falls by"
        " p_i (p_i P(C) - Q(C)) / (P(C) P(C1))",
        source="breiman1996, eqs. (A.2)-(A.6)",
        scope="all J: in the sums x, P, Q, R, S of any class shares",
        holds=All(
            in_sums(lambda v: isolated(v) - grouped(v), a3),
            in_sums(isolated, a4),
            in_sums(lambda v: lam(v)[0] - lam(v)[2], drop),
            Smt(
                SUMS,
                lambda v, m: (1 - v.x) * lam(v)[0] >= v.x * lam(v)[1],
                lambda v, m: [*of_shares(v, m), 2 * v.x >= 1],
            ),
            Smt(
                {"x": "rate", "y": "rate"},
                lambda v, m: (1 - v.x) * v.x >= v.y * (1 - v.y),
                lambda v, m: [2 * v.x >= 1, v.y >= v.x],
            ),
            Smt(
                SUMS,
                lambda v, m: bracket(v) >= (1 - 2 * v.x) * drop(v),
                lambda v, m: [*positive_sums(v, m), larger_lambda(v), 2 * v.x <= 1],
            ),
            Smt(SUMS, lambda v, m: drop(v) >= 0, of_shares),
            Smt(SUMS, lambda v, m: isolated(v) >= grouped(v), richer),
        ),
        fails=(
            NearMiss(
                "(A.2) also when C is the group with the smaller lambda",
                Smt(
                    SUMS,
                    lambda v, m: isolated(v) >= grouped(v),
                    lambda v, m: [*of_shares(v, m), (v.x * v.x + v.Q) * others(v) <= v.S * (v.x + v.P)],
                ),
                alters="hypothesis",
            ),
            NearMiss(
                "(A.5) for every p_i, as for p_i >= 1/2",
                Smt(SUMS, lambda v, m: (1 - v.x) * lam(v)[0] >= v.x * lam(v)[1], of_shares),
                alters="hypothesis",
            ),
            NearMiss(
                "(A.6) for p_i <= 1/2 as well",
                Smt(
                    {"x": "rate", "y": "rate"},
                    lambda v, m: (1 - v.x) * v.x >= v.y * (1 - v.y),
                    lambda v, m: [v.y >= v.x],
                ),
                alters="hypothesis",
            ),
            NearMiss(
                "the bracket of (A.3) ends in (1 - p_i) lambda(C1) instead of (1 - 2 p_i) lambda(C1)",
                in_sums(
                    lambda v: isolated(v) - grouped(v),
                    lambda v: v.P / (v.x * (1 - v.x)) * (bracket(v) - v.x * lam(v)[2]),
                ),
            ),
        ),
        premises=(
            "a sum of squares of shares is at most the largest share times their sum, and the square of the sum",
        ),
        added="C has a second class",
    ),
    Theorem(
        key="vertex.more_frequent_class_isolates_better",
        statement="G({j}) - G({i}) = (p_j - p_i)((1 - p_i - p_j)^2 + sum of the other p_h^2) / ((1 - p_i)(1 - p_j))",
        source="breiman1996, Appendix",
        scope="all J: the others enter by their sum of squares",
        holds=Identity(dict.fromkeys("xyS", "rate"), one_against_other, printed_difference, two_below_one),
        fails=(
            NearMiss(
                "the same with the square of the others' sum alone",
                Identity(
                    dict.fromkeys("xyS", "rate"),
                    one_against_other,
                    lambda v, m: (v.y - v.x) * (1 - v.x - v.y) ** 2 / ((1 - v.x) * (1 - v.y)),
                    two_below_one,
                ),
            ),
            NearMiss(
                "so the more frequent of any two classes isolates strictly better, even if no other class is present",
                Smt(
                    dict.fromkeys("xyS", "rate"),
                    lambda v, m: one_against_other(v, m) > 0,
                    lambda v, m: [v.y > v.x, v.x > 0, v.x + v.y <= 1, v.S >= 0, (1 - v.x - v.y) ** 2 >= v.S],
                ),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="vertex.gini_isolates_most_frequent_class",
        statement="the best vertices for Gini are exactly those that put one most frequent class alone on a side,"
        " unless all classes are equally frequent, when every vertex is best: a group of several classes does as"
        " well as its largest alone only if all its shares are equal and the other group's mean share is that share",
        source="breiman1996, Proposition of Section 3",
        scope="all J and all real shares, with the two lemmas; enumerated at N <= 10",
        holds=All(
            Smt(
                SUMS,
                lambda v, m: m.max((m.abs(v.Q - v.x * v.P), m.abs(v.S - v.x * others(v)))) <= 0,
                lambda v, m: [*richer(v, m), no_worse(v)],
            ),
            Exhaustive(lambda: nodes(10), sharp),
        ),
        fails=(
            NearMiss(
                "the same for twoing",
                Exhaustive(lambda: nodes(10), lambda n: best_vertices(twoing, n) >= isolating_vertices(n)),
            ),
            NearMiss(
                "the best Gini vertex is unique up to exchanging the sides",
                Exhaustive(lambda: nodes(10), lambda n: len(best_vertices(gini_decrease, n)) == 2),
            ),
            NearMiss(
                "only splits that isolate a class can be best, equal shares or not",
                Exhaustive(lambda: nodes(10), lambda n: best_vertices(gini_decrease, n) <= isolating_vertices(n)),
            ),
        ),
        premises=(
            "vertex.group_gains_less_than_its_largest_class",
            "vertex.more_frequent_class_isolates_better",
            "hand argument: no share exceeds that of a best isolated class, so that a mean equal to it makes all equal",
        ),
        added="all classes are present",
    ),
]
