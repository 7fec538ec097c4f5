"""Gini's best vertex isolates a most frequent class: the proposition of breiman1996.

It is settled for every number of classes, in the few sums on which it depends: the share ``x`` of the most frequent
class i of a group C, share and squares of the rest of C (``P, Q``), and squares ``S`` of the others, whose share is
``R = 1 - x - P``.

Source: breiman1996, Section 3 and Appendix.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from splitcrit.criteria import Criterion, twoing
from splitcrit.proof import All, Claim, Exhaustive, Identity, Induction, Law, NearMiss, Smt, Theorem
from splitcrit.proofs.common import gini_decrease
from splitcrit.proofs.vertex.nodes import Counts, best_vertices, isolating_vertices, nodes, of_nodes
from splitcrit.proofs.vertex.premises import by_theorem

SUMS = dict.fromkeys("xPQS", "rate")
PAIR = dict.fromkeys("xyS", "rate")


def shares_at_most(x: int, squares: bool = False) -> Claim:
    """Claim that squares of shares, none above x, sum to at most x times their sum, or the square of the sum."""
    bound: Callable[[Any, Any], Any] = (lambda s, v: s * s) if squares else (lambda s, v: x * v.x * s)
    return Induction(
        "K",
        {"p": "positive"},
        lambda entries, v, m: bound(sum(e.p for e in entries), v) - sum(e.p * e.p for e in entries),
        lambda e, v, m: [e.p, e.p * e.p],
        lambda sums, v, m: bound(sums[0], v) - sums[1],
        relation=">=",
        shared={"x": "positive"},
        least=2 if squares else 1,
        keeps=lambda sums, v, m: [sums[0] >= 0],
        where=lambda e, v, m: [e.p <= v.x],
    )


def others(v: Any) -> Any:
    """R, the share of the classes outside C."""
    return 1 - v.x - v.P


def isolated(v: Any) -> Any:
    """``G({i}) = x + (Q + S) / (1 - x)``."""
    return v.x + (v.Q + v.S) / (1 - v.x)


def lam(v: Any) -> tuple[Any, Any, Any]:
    """Lambda of C, of the other classes, and of C without i."""
    return (v.x * v.x + v.Q) / (v.x + v.P), v.S / others(v), v.Q / v.P


def grouped(v: Any) -> Any:
    """``G(C)``, the sum of lambda over both groups."""
    return lam(v)[0] + lam(v)[1]


def positive_sums(v: Any) -> list[Any]:
    return [v.x > 0, v.P > 0, others(v) > 0, v.Q > 0, v.S > 0]


def of_shares(v: Any, m: Any) -> list[Any]:
    """State what holds of the sums of any shares: x is the largest in C, and a sum of squares is at most a square."""
    return [*positive_sums(v), v.x * v.P >= v.Q, v.Q <= v.P * v.P, others(v) ** 2 >= v.S]


def richer(v: Any, m: Any) -> list[Any]:
    """State what holds of any shares when lambda of C is at least that of the others, without division."""
    return [*of_shares(v, m), (v.x * v.x + v.Q) * others(v) >= v.S * (v.x + v.P)]


def no_worse(v: Any) -> Any:
    """State, without division, that ``G(C)`` is at least ``G({i})``."""
    size, rest = v.x + v.P, others(v)
    both = (v.x * v.x + v.Q) * rest + v.S * size
    return both * (1 - v.x) >= (v.x * (1 - v.x) + v.Q + v.S) * size * rest


def in_sums(left: Callable[[Any], Any], right: Callable[[Any], Any]) -> Claim:
    """Claim an identity in x, P, Q, S."""
    return Identity(SUMS, lambda v, m: left(v), lambda v, m: right(v), lambda v, m: [v.x > 0, v.P > 0, others(v) > 0])


def bracket(v: Any, last: int = 2) -> Any:
    one, rest, without = lam(v)
    return (1 - v.x) * one - v.x * rest - (1 - last * v.x) * without


def a3(last: int = 2) -> Claim:
    """Claim (A.3), its bracket ending in ``(1 - last p_i) lambda(C1)``."""
    return in_sums(lambda v: isolated(v) - grouped(v), lambda v: v.P / (v.x * (1 - v.x)) * bracket(v, last))


def a4(v: Any) -> Any:
    one, rest, _ = lam(v)
    return (one * (v.x + v.P) - v.Q) / v.x + (rest * others(v) + v.Q) / (1 - v.x)


def a5(hypotheses: Callable[[Any], list[Any]] = lambda v: [2 * v.x >= 1]) -> Claim:
    return Smt(
        SUMS, lambda v, m: (1 - v.x) * lam(v)[0] >= v.x * lam(v)[1], lambda v, m: [*of_shares(v, m), *hypotheses(v)]
    )


def a6(hypotheses: Callable[[Any], list[Any]] = lambda v: [2 * v.x >= 1]) -> Claim:
    variables = {"x": "rate", "y": "rate"}
    return Smt(variables, lambda v, m: (1 - v.x) * v.x >= v.y * (1 - v.y), lambda v, m: [v.y >= v.x, *hypotheses(v)])


def drop(v: Any) -> Any:
    size, squares = v.x + v.P, v.x * v.x + v.Q
    return v.x * (v.x * size - squares) / (size * (size - v.x))


def one_against_other(v: Any, m: Any) -> Any:
    """``G({j}) - G({i})`` for shares x of i, y of j, and S the sum of squares of all others."""
    return v.y + (v.x * v.x + v.S) / (1 - v.y) - v.x - (v.y * v.y + v.S) / (1 - v.x)


def difference(squares: int) -> Claim:
    return Identity(
        PAIR,
        one_against_other,
        lambda v, m: (v.y - v.x) * ((1 - v.x - v.y) ** 2 + squares * v.S) / ((1 - v.x) * (1 - v.y)),
        lambda v, m: [v.x < 1, v.y < 1],
    )


def strictly_better(third: bool) -> Claim:
    """Claim that the more frequent of two classes isolates strictly better, if there is a third or not."""

    def hypotheses(v: Any, m: Any) -> list[Any]:
        rest = 1 - v.x - v.y
        return [v.y > v.x, v.x > 0, rest > 0 if third else rest >= 0, rest**2 >= v.S]

    return Smt(PAIR, lambda v, m: one_against_other(v, m) > 0, hypotheses)


def sharp(counts: Counts) -> bool:
    """Whether exactly the isolating vertices are best, or all if all classes are equally frequent."""
    best = best_vertices(gini_decrease, counts)
    every = len(best) == 2 ** len(counts) - 2
    return every if len(set(counts)) == 1 else bool(best == isolating_vertices(counts))


def isolates(criterion: Criterion) -> Claim:
    return of_nodes(lambda n: best_vertices(criterion, n) >= isolating_vertices(n), 10)


A3, UNIQUE = Law(a3), of_nodes(lambda n: len(best_vertices(gini_decrease, n)) == 2, 10)
THEOREMS = [
    Theorem(
        key="vertex.group_gains_less_than_its_largest_class",
        statement="let C be the group with the larger lambda, i most frequent in C, and C1 the rest of C, not empty;"
        " then G({i}) - G(C) is P(C1) / (p_i (1 - p_i)) times a bracket (A.3), by way of (A.4), and is never negative"
        " (A.2): for p_i >= 1/2 by (A.5) and (A.6), for p_i <= 1/2 because lambda falls by"
        " p_i (p_i P(C) - Q(C)) / (P(C) P(C1)); in the sums x, P, Q, R, S of any class shares, whose squares sum to at"
        " most the largest share times their sum, and to the square of the sum",
        source="breiman1996, eqs. (A.2)-(A.6)",
        holds=All(
            shares_at_most(1),
            A3.claim,
            in_sums(isolated, a4),
            in_sums(lambda v: lam(v)[0] - lam(v)[2], drop),
            a5(),
            a6(),
            Smt(
                SUMS,
                lambda v, m: bracket(v) >= (1 - 2 * v.x) * drop(v),
                lambda v, m: [*positive_sums(v), richer(v, m)[-1], 2 * v.x <= 1],
            ),
            Smt(SUMS, lambda v, m: drop(v) >= 0, of_shares),
            Smt(SUMS, lambda v, m: isolated(v) >= grouped(v), richer),
            square_of_the_sum=shares_at_most(1, squares=True),
        ),
        fails=(
            NearMiss(
                "(A.2) also when C is the group with the smaller lambda",
                Smt(
                    SUMS,
                    lambda v, m: isolated(v) >= grouped(v),
                    lambda v, m: [*of_shares(v, m), (v.x * v.x + v.Q) * others(v) <= v.S * (v.x + v.P)],
                ),
                "hypothesis",
            ),
            NearMiss("(A.5) for every p_i, as for p_i >= 1/2", a5(lambda v: []), "hypothesis"),
            NearMiss("(A.6) for p_i <= 1/2 as well", a6(lambda v: []), "hypothesis"),
            A3.but("the bracket of (A.3) ends in (1 - p_i) lambda(C1) instead of (1 - 2 p_i) lambda(C1)", last=1),
        ),
        added="C has a second class",
    ),
    Theorem(
        key="vertex.more_frequent_class_isolates_better",
        statement="G({j}) - G({i}) = (p_j - p_i)((1 - p_i - p_j)^2 + sum of the other p_h^2) / ((1 - p_i)(1 - p_j)),"
        " positive for p_j > p_i where a third class is present; the others enter by their sum of squares S",
        source="breiman1996, Appendix",
        holds=All(difference(1), strictly_better(third=True)),
        fails=(
            NearMiss("the same with the square of the others' sum alone", difference(0)),
            NearMiss(
                "so the more frequent of any two classes isolates strictly better, even if no other class is present",
                strictly_better(third=False),
                "hypothesis",
            ),
        ),
    ),
    Theorem(
        key="vertex.gini_isolates_most_frequent_class",
        statement="the best vertices for Gini are exactly those that put one most frequent class alone on a side,"
        " unless all classes are equally frequent, when every vertex is best: a group of several classes does as"
        " well as its largest alone only if Q = x P and S = x R; if also no share exceeds x, every share y is x, as"
        " y (x - y) and what is left of x times the sum less the sum of squares are not negative and sum to 0",
        source="breiman1996, Proposition of Section 3",
        holds=All(
            Smt(
                SUMS,
                lambda v, m: m.max((m.abs(v.Q - v.x * v.P), m.abs(v.S - v.x * others(v)))) <= 0,
                lambda v, m: [*richer(v, m), no_worse(v)],
            ),
            shares_at_most(1),
            Smt(
                {"x": "rate", "y": "rate", "rest": "real"},
                lambda v, m: v.y == v.x,
                lambda v, m: [v.y > 0, v.y <= v.x, v.rest >= 0, v.y * (v.x - v.y) + v.rest == 0],
            ),
            Exhaustive(lambda: nodes(10), sharp),
        ),
        fails=(
            NearMiss("the same for twoing", isolates(twoing)),
            NearMiss("the best Gini vertex is unique up to exchanging the sides", UNIQUE),
            NearMiss(
                "only splits that isolate a class can be best, equal shares or not",
                of_nodes(lambda n: best_vertices(gini_decrease, n) <= isolating_vertices(n), 10),
            ),
        ),
        premises=(
            by_theorem("vertex.group_gains_less_than_its_largest_class"),
            by_theorem("vertex.more_frequent_class_isolates_better"),
        ),
        added="all classes are present",
    ),
]
