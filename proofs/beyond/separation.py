"""AGini at two classes: the split that separates them scores at least as much as every other split of the node.

At given sizes of the children the gain is largest where a child is pure. Put ``a`` of ``P = a + j`` positives alone on
the left, and ``M`` negatives with the other ``j`` positives on the right; ``n = P + M``, ``s = P M``. Under the
multinomial law the mean is the same for all sizes, and the variance depends on them through ``t = a (n - a)``::

    V(t) = 4 s (2 s (n + 9) - 3 n^2 + n^2 (n^2 - 6 s) / t) / n^7

The separation gains ``g = 2 M j / (n (n - a))`` more, and loses at most ``3 (V(s) - V(t)) / sqrt V(s)`` by its larger
deviation. From ``n = 9`` on ``g^2 V(s) - 9 (V(s) - V(t))^2`` is a sum of non-negative terms; ``9`` is the odds
``(1 - alpha) / alpha`` of ``alpha = 1/10``.

Main results: the vertex is best for AGini at two classes.
Source: wang2024, eq. (29); breiman1996, Theorem 1; beyond.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from splitcrit.criteria import replace
from splitcrit.nulls import agini
from splitcrit.nulls.multinomial import multinomial_mean_variance
from splitcrit.proof import All, Certificate, Exhaustive, Fact, Identity, NearMiss, Smt, Theorem
from splitcrit.proofs.beyond.pure_splits import two_class_nodes
from splitcrit.proofs.breiman1996.others import vertex_beats_all
from splitcrit.proofs.common import gini_decrease

ODDS = 9
SPLIT = dict.fromkeys(("a", "j", "M"), "positive")
DEVIATIONS = dict.fromkeys(("g", "x", "y"), "count")


def variance(n: Any, s: Any, t: Any) -> Any:
    return 4 * s * (2 * s * (n + 9) - 3 * n * n + n * n * (n * n - 6 * s) / t) / n**7


def sizes(v: Any) -> tuple[Any, Any, Any]:
    """Return ``n``, ``s`` and ``t``."""
    n = v.a + v.j + v.M
    return n, (v.a + v.j) * v.M, v.a * (n - v.a)


def margins() -> Iterator[tuple[int, int, int]]:
    """Yield node size, size of a child, and number of positives."""
    yield from ((n, size, p) for n in range(2, 13) for size in range(1, n) for p in range(1, n))


def law_agrees(case: tuple[int, int, int]) -> bool:
    """Tell whether the library's multinomial mean and variance are those of the module's docstring."""
    n, size, positives = case
    rows, columns = (np.array([Fraction(x), Fraction(n - x)], dtype=object) for x in (size, positives))
    mean, spread = (np.asarray(x).item() for x in multinomial_mean_variance(rows, columns))
    s, t = positives * (n - positives), size * (n - size)
    return bool(mean == Fraction(2 * s, n**3) and spread == variance(Fraction(n), s, t))


def lead(v: Any, m: Any) -> Any:
    """Return how much more the separation gains."""
    zero = v.a - v.a
    pure = gini_decrease.score([[v.a + v.j, zero], [zero, v.M]], m)
    return pure - gini_decrease.score([[v.a, zero], [v.j, v.M]], m)


def stated_lead(v: Any, m: Any) -> Any:
    n, _, _ = sizes(v)
    return 2 * v.M * v.j / (n * (n - v.a))


def excess(v: Any) -> Any:
    """Return by how much the variance of the separation is larger."""
    n, s, t = sizes(v)
    return variance(n, s, s) - variance(n, s, t)


def gap(v: Any, m: Any) -> Any:
    n, s, _ = sizes(v)
    return stated_lead(v, m) ** 2 * variance(n, s, s) - ODDS * excess(v) ** 2


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


def squares_suffice(v: Any, m: Any) -> list[Any]:
    return [v.g * v.g * v.x * v.x >= ODDS * (v.x * v.x - v.y * v.y) ** 2]


def no_wider(case: tuple[int, int, int]) -> bool:
    """Tell whether the variance of the separation is at most that of the other sizes."""
    n, size, positives = case
    s, t = positives * (n - positives), size * (n - size)
    return bool(variance(Fraction(n), s, s) <= variance(Fraction(n), s, t))


THEOREMS = [
    Theorem(
        key="vertex.agini_is_best_at_the_separation_of_two_classes",
        statement="at two classes no split of a node scores more AGini, with alpha = 1/10 and the multinomial law, than"
        " the one that separates the classes: what it gains more is at least 3 times what its deviation is larger",
        source="beyond, the vertex theorem for AGini",
        scope="K = 2, all counts: by a sum of non-negative terms from n = 9, enumerated for n <= 12",
        holds=All(
            Exhaustive(margins, law_agrees),
            Identity(SPLIT, lead, stated_lead),
            Certificate(SPLIT, gap, terms, atoms, lambda v, m: sizes(v)[0] >= 9),
            Smt(DEVIATIONS, lambda v, m: v.g >= 3 * (v.x - v.y), squares_suffice),
            Exhaustive(lambda: two_class_nodes(12), vertex_beats_all(agini)),
        ),
        fails=(
            NearMiss(
                "the same with alpha = 1/100",
                Exhaustive(lambda: two_class_nodes(5), vertex_beats_all(replace(agini, alpha=Fraction(1, 100)))),
                alters="hypothesis",
            ),
            NearMiss(
                "the same under the law of permutations",
                Exhaustive(lambda: two_class_nodes(5), vertex_beats_all(replace(agini, model="permutation"))),
                alters="hypothesis",
            ),
            NearMiss("the separation never has the larger deviation", Exhaustive(margins, no_wider)),
        ),
        premises=(
            "hand argument: at given sizes the gain is convex in the positives on the left, so largest at an end of"
            " their range, where a child is pure; exchanging classes or sides lets it be positives alone on the left",
        ),
        facts=(Fact(repr(agini), "vertex-optimal split", "2", True),),
    ),
]
