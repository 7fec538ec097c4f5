"""The gains of two children and two classes as the papers print them, against the library's formulas.

Source: ghosh2017, Sections 2.2 and 3.1.
"""

from __future__ import annotations

from typing import Any

from splitcrit.criteria import twoing
from splitcrit.impurities import misclassification
from splitcrit.proof import All, Exhaustive, Identity, Law, NearMiss, Smt, Theorem
from splitcrit.proofs.common import binary_splits, gini_decrease, kinds, score, up_to

SPLIT = kinds("positive", *"abcd")  # rows (a, b) and (c, d)


def gini_formula(v: Any, m: Any, factor: int = 2) -> Any:
    """Criterion (1) with the impurity ``factor p q``."""
    n, left, right = v.a + v.b + v.c + v.d, v.a + v.b, v.c + v.d
    node, one, other = (factor * x * (1 - x) for x in ((v.b + v.d) / n, v.b / left, v.d / right))
    return node - (left / n * one + (1 - left / n) * other)


def square_difference(v: Any, m: Any) -> Any:
    """``a (1 - a) (p_l - p_r)^2``."""
    a = (v.a + v.b) / (v.a + v.b + v.c + v.d)
    return a * (1 - a) * (v.b / (v.a + v.b) - v.d / (v.c + v.d)) ** 2


def printed_twoing(v: Any, m: Any) -> Any:
    a, left, right = (v.a + v.b) / (v.a + v.b + v.c + v.d), v.b / (v.a + v.b), v.d / (v.c + v.d)
    return a * (1 - a) * (m.abs(left - right) + m.abs((1 - left) - (1 - right))) ** 2 / 4


def scores(criterion: Any, formula: Any, times: int = 1) -> Identity:
    return Identity(SPLIT, lambda v, m: times * criterion.score([[v.a, v.b], [v.c, v.d]], m), formula)


def half_of_gini(classes: int) -> Exhaustive:
    """Claim that twoing is half the Gini gain."""
    return up_to(4, lambda n: binary_splits(n, classes), lambda t: 2 * score(twoing, t) == score(gini_decrease, t))


GINI = Law(scores, criterion=gini_decrease, formula=gini_formula)

THEOREMS = [
    Theorem(
        key="gain.printed_two_class_formulas_are_those_of_the_library",
        statement="for two classes the decrease of Gini's impurity is criterion (1) with 2pq; the misclassification"
        " impurity is min(p, q); the twoing rule as printed is a(1 - a)(p_l - p_r)^2, half the Gini gain",
        source="ghosh2017, eq. (1) and Section 2.2",
        holds=All(
            GINI,
            Smt({"p": "rate"}, lambda v, m: misclassification.of([1 - v.p, v.p], m) == m.min((v.p, 1 - v.p))),
            scores(twoing, printed_twoing),
            Identity(SPLIT, printed_twoing, square_difference),
            scores(twoing, gini_formula, 2),
        ),
        fails=(
            GINI.but(
                "Gini's impurity is pq, so that twoing and the Gini gain are equal",
                formula=lambda v, m: gini_formula(v, m, 1),
            ),
            NearMiss("twoing is half the Gini gain for three classes too", half_of_gini(3), alters="hypothesis"),
        ),
    )
]
