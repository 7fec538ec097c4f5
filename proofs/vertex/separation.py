"""AGini at two classes: the split that separates them scores more than every other split of the node.

Both scores depend on the sizes m, n - m of the children through their product alone, and at given sizes the gain
``2 (x n - m P)^2 / (n^2 m (n - m))`` is convex in the positives x on the left, so largest at an end of their range,
where a child is pure; and it is the same if classes or sides are exchanged. Put ``a`` of ``P = a + j`` positives alone
on the left, and ``M`` negatives with the other ``j`` positives on the right; ``n = P + M``, ``s = P M``,
``t = a (n - a)``.

AGini: under the multinomial law the mean is the same for all sizes, and the variance is ``V(t)``. The separation gains
``g = 2 M j / (n (n - a))`` more, and loses at most ``3 (V(s) - V(t)) / sqrt V(s)`` by its larger deviation. From
``n = 9`` on ``g^2 V(s) - 9 (V(s) - V(t))^2`` is a sum of non-negative terms; ``9`` is the odds of ``alpha = 1/10``.

Source: wang2024, eq. (29); breiman1996, Theorem 1; beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from splitcrit.criteria import Criterion, replace
from splitcrit.nulls import agini
from splitcrit.proof import All, Certificate, Claim, Exhaustive, Fact, Identity, Law, NearMiss, Smt, Theorem
from splitcrit.proofs.common import gini_decrease
from splitcrit.proofs.null import multinomial
from splitcrit.proofs.vertex.nodes import PERMUTED, nodes_of, vertex_wins
from splitcrit.proofs.vertex.premises import by_theorem, of_classes

SPLIT = dict.fromkeys(("a", "j", "M"), "positive")
ODDS = 9
TABLE = dict.fromkeys("ad", "positive") | dict.fromkeys("bc", "count")


def sizes(v: Any) -> tuple[Any, Any, Any]:
    """``n``, ``s`` and ``t``."""
    n = v.a + v.j + v.M
    return n, (v.a + v.j) * v.M, v.a * (n - v.a)


def best_at_separation(criterion: Criterion, most: int = 12) -> Claim:
    """Claim that in small nodes the separation scores strictly more than every other split."""
    return Exhaustive(lambda: nodes_of(most, 2), vertex_wins(criterion))


def gain_of(cells: Callable[[Any], list[list[Any]]]) -> Claim:
    """Claim that the gain of a table, or of one with classes or sides exchanged, is that of the docstring."""

    def stated(v: Any, m: Any) -> Any:
        n, size, P = v.a + v.b + v.c + v.d, v.a + v.b, v.b + v.d
        return 2 * (v.b * n - size * P) ** 2 / (n**2 * size * (n - size))

    return Identity(TABLE, lambda v, m: gini_decrease.score(cells(v), m), stated)


def margins(least: int) -> Iterator[tuple[int, int, int]]:
    """Yield node size, size of a child, and number of positives."""
    yield from ((n, size, p) for n in range(least, 13) for size in range(1, n) for p in range(1, n))


def variance(n: Any, s: Any, t: Any) -> Any:
    """``V(t)``."""
    return 4 * s * (2 * s * (n + 9) - 3 * n * n + n * n * (n * n - 6 * s) / t) / n**7


def of_multinomial(v: Any, m: Any) -> Any:
    """The library's variance, for rows a, n - a and classes P, M."""
    n, _, t = sizes(v)
    P, M = (v.a + v.j) / n, v.M / n
    return multinomial.variance(n, 2, n / t, P**2 + M**2, P**3 + M**3)


def lead(v: Any, m: Any) -> Any:
    """How much more the separation gains."""
    zero = v.a - v.a
    pure = gini_decrease.score([[v.a + v.j, zero], [zero, v.M]], m)
    return pure - gini_decrease.score([[v.a, zero], [v.j, v.M]], m)


def stated_lead(v: Any, m: Any) -> Any:
    n, _, _ = sizes(v)
    return 2 * v.M * v.j / (n * (n - v.a))


def gap(v: Any, m: Any) -> Any:
    n, s, t = sizes(v)
    excess = variance(n, s, s) - variance(n, s, t)
    return stated_lead(v, m) ** 2 * variance(n, s, s) - ODDS * excess**2


def terms(v: Any, m: Any) -> list[tuple[list[Any], list[str]]]:
    n, s, t = sizes(v)
    common, uneven, pure = 4 * v.j / (n**5 * t), n * n - 6 * s, v.a * v.M
    return [
        ([common, uneven, pure], ["n - 9"]),
        ([common, uneven, 3], ["aM - a + M", "aM + a - M"]),
        ([common, pure, n], ["3", "n", "s"]),
        ([common, pure, s], ["2", "n", "n - 9"]),
    ]


def atoms(v: Any, m: Any) -> dict[str, Any]:
    n, s, _ = sizes(v)
    left, right = v.a * (v.M - 1) + v.M, v.M * (v.a - 1) + v.a
    return {"n": n, "s": s, "n - 9": n - 9, "aM - a + M": left, "aM + a - M": right, "2": 2, "3": 3}


def no_wider(case: tuple[int, int, int]) -> bool:
    """Whether the variance of the separation is at most that of the other sizes."""
    n, size, positives = case
    s, t = positives * (n - positives), size * (n - size)
    return bool(variance(Fraction(n), s, s) <= variance(Fraction(n), s, t))


ENDS = Smt(
    dict.fromkeys(("x", "low", "high", "centre"), "real"),
    lambda v, m: (v.x - v.centre) ** 2 <= m.max([(v.low - v.centre) ** 2, (v.high - v.centre) ** 2]),
    lambda v, m: [v.low <= v.x, v.x <= v.high],
)
PURE_CHILD = All(
    gain_of(lambda v: [[v.a, v.b], [v.c, v.d]]),
    gain_of(lambda v: [[v.b, v.a], [v.d, v.c]]),
    gain_of(lambda v: [[v.c, v.d], [v.a, v.b]]),
    ENDS,
)
BEST = Law(best_at_separation, criterion=agini, most=5)

THEOREMS = [
    Theorem(
        key="vertex.agini_is_best_at_the_separation_of_two_classes",
        statement="at two classes no split of a node scores more AGini, with alpha = 1/10 and the multinomial law, than"
        " the one that separates the classes: what it gains more is at least 3 times what its deviation is larger, by a"
        " sum of non-negative terms from n = 9, enumerated for n <= 12",
        source="beyond, the vertex theorem for AGini",
        holds=of_classes(
            2,
            All(
                PURE_CHILD,
                Identity(SPLIT, of_multinomial, lambda v, m: variance(*sizes(v))),
                Identity(SPLIT, lead, stated_lead),
                Certificate(SPLIT, gap, terms, atoms, lambda v, m: sizes(v)[0] >= 9),
                Smt(
                    dict.fromkeys(("g", "x", "y"), "count"),
                    lambda v, m: v.g >= 3 * (v.x - v.y),
                    lambda v, m: [v.g * v.g * v.x * v.x >= ODDS * (v.x * v.x - v.y * v.y) ** 2],
                ),
                best_at_separation(agini),
            ),
        ),
        premises=(by_theorem(multinomial.NULL.key),),
        fails=(
            BEST.but("also with alpha = 1/100", alters="hypothesis", criterion=replace(agini, alpha=Fraction(1, 100))),
            BEST.but("the same under the law of permutations", alters="hypothesis", criterion=PERMUTED),
            NearMiss("the separation never has the larger deviation", Exhaustive(lambda: margins(2), no_wider)),
        ),
        facts=(Fact(repr(agini), "vertex-optimal split", "2", True),),
    )
]
