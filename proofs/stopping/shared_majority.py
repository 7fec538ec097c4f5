"""Conservative losses stop where the children share a majority class; other criteria that miss differences.

Source: wilton2024, Section 3 and its proofs; beyond.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from splitcrit import impurities
from splitcrit.criteria import decrease, sum_minority, twoing
from splitcrit.proof import ALL, All, Each, Erratum, Exhaustive, Identity, Law, NearMiss, Not, Premise, Smt, Theorem
from splitcrit.proofs.common import binary_splits, error_decrease, gini_decrease, kinds, score, up_to, vector
from splitcrit.proofs.given import majority_set, marked
from splitcrit.proofs.stopping.equal_shares import equal_rows, sees, stops_early


# Lemma 10, at any place of vectors of any length: there x, y lie a, b below their maxima X, Y, and the maximum Z of
# x + y lies c below X + Y.
def at_any_place(v: Any, m: Any) -> Any:
    x, y, Z = v.X - v.a, v.Y - v.b, v.X + v.Y - v.c
    return ((x == v.X) & (y == v.Y)) == ((x + y == Z) & (Z == v.X + v.Y))


def by_lists(other: Callable[[Any, Any, Any], Any], places: int) -> Smt:
    """The maxima of two non-negative vectors add up exactly if they are related so."""

    def conclusion(v: Any, m: Any) -> Any:
        x, y = vector(v, "x", places), vector(v, "y", places)
        both = [a + b for a, b in zip(x, y, strict=True)]
        largest = ([marked(a >= m.max(z), m) for a in z] for z in (x, y))
        return (m.max(both) == m.max(x) + m.max(y)) == other(m, *largest)

    return Smt(kinds("count", "x", "y", classes=places), conclusion)


def equal_places(m: Any, x: Any, y: Any) -> Any:
    return m.min([marked(a == b, m) for a, b in zip(x, y, strict=True)]) == 1


def unsplit(table: Any) -> bool:
    """The misclassification gain of a split is 0: a conservative loss does not take it."""
    return bool(score(error_decrease, table) == 0)


def node(table: Any) -> list[int]:
    return [a + b for a, b in zip(*table, strict=True)]


def share_a_majority(table: Any) -> bool:
    return bool(majority_set(table[0]) & majority_set(table[1]))


def integers_say(table: Any) -> bool:
    return bool(max(node(table)) == sum(map(max, table)))


def keeps_majorities(table: Any) -> bool:
    """The majority classes of the node are majority classes of both children."""
    return all(majority_set(node(table)) <= majority_set(row) for row in table)


def equal_majorities(table: Any) -> bool:
    return all(majority_set(node(table)) == majority_set(row) for row in table)


def stops_when(condition: Callable[[Any], bool]) -> Exhaustive:
    return up_to(5, binary_splits, lambda table: unsplit(table) == condition(table), K=(2, 3, 4))


def error_in_counts(classes: int) -> Smt:
    """The misclassification impurity of a node times its size is its size less its largest count."""

    def conclusion(v: Any, m: Any) -> Any:
        counts = vector(v, "x", classes)
        return v.n * impurities.misclassification.of([x / v.n for x in counts], m) == v.n - m.max(counts)

    variables = kinds("count", "x", classes=classes) | {"n": "positive"}
    return Smt(variables, conclusion, lambda v, m: v.n == sum(vector(v, "x", classes)))


def root_of_and(v: Any) -> Any:
    return [[2 * v.n, 0 * v.n], [v.n, v.m]]


def stops_at_and(hypothesis: Any = None) -> Smt:
    """Both splits of the root for AND of two bits are [2n 0 | n m]; their misclassification gain is 0."""
    return Smt(kinds("positive", "n", "m"), lambda v, m: error_decrease.score(root_of_and(v), m) == 0, hypothesis)


def gini_of_and(value: Callable[[Any], Any]) -> Identity:
    return Identity(
        kinds("positive", "n", "m"), lambda v, m: gini_decrease.score(root_of_and(v), m), lambda v, m: value(v)
    )


maxima_add = Smt(kinds("real", "X", "Y") | kinds("count", "a", "b", "c"), at_any_place, lambda v, m: [v.c <= v.a + v.b])
at_most = Law(stops_at_and, hypothesis=lambda v, m: v.m <= v.n)
of_gini = Law(gini_of_and, value=lambda v: 4 * v.n * v.m**2 / ((3 * v.n + v.m) ** 2 * (v.n + v.m)))

ABSOLUTE_2, ABSOLUTE_3 = (decrease(impurities.absolute_deviation(x)) for x in ((0, 1), (0, 1, 2)))
VARIANCE_2, VARIANCE_3 = (decrease(impurities.variance(x)) for x in ((0, 1), (0, 1, 2)))
BLIND = [  # splits of different children that score 0
    (error_decrease, ((1, 1), (0, 2))),
    (error_decrease, ((1, 1, 2), (0, 1, 2))),
    (decrease(impurities.bayes_sum), ((1, 1), (0, 2))),
    (decrease(impurities.bayes_sum), ((0, 1, 2), (1, 0, 2))),
    (ABSOLUTE_2, ((1, 1), (0, 2))),
    (ABSOLUTE_3, ((1, 1, 1), (0, 1, 0))),
    (VARIANCE_3, ((1, 0, 1), (0, 1, 0))),
]


def blind(cases: Any) -> Exhaustive:
    return Exhaustive(lambda: cases, lambda case: not equal_rows(case[1]) and score(*case) == 0)


def minority_gain(table: Any) -> bool:
    """Whether ``sum_minority`` is the decrease of misclassification up to a constant of the node."""
    gain = score(sum_minority, table) - score(sum_minority, [node(table)])
    return bool(gain == score(error_decrease, table))


THEOREMS = [
    Theorem(
        key="stopping.maxima_add_of_shared_places",
        statement="the maxima of x and y, vectors of any length, add up to the maximum of x + y exactly if they have a"
        " place in common, and exactly if the places of the maximum of x + y are those they have in common: a place is"
        " common just if it is one of the maximum of x + y and the maxima add up",
        source="wilton2024, Lemma 10",
        holds=All(maxima_add, by_lists(lambda m, x, y: m.max([a * b for a, b in zip(x, y, strict=True)]) == 1, 3)),
        fails=(
            NearMiss("exactly if x and y have the same places", by_lists(equal_places, 3)),
            NearMiss("exactly if the first place is one of both", by_lists(lambda m, x, y: x[0] * y[0] == 1, 2)),
        ),
    ),
    Theorem(
        key="stopping.conservative_gain_is_zero_of_shared_majority",
        statement="the misclassification gain of a split, that of a conservative loss up to a factor, is 0 exactly if"
        " the children share a majority class, exactly if every majority class of the node is one of both children, and"
        " exactly if the largest count of the node is the sum of those of the children, a test on integers",
        source="wilton2024, Theorem 5 (a)",
        added="'are also the majority classes at both children' means inclusion of sets, not equality",
        premises=(
            Premise("impurity.misclassification_is_least_risk_of_conservative_loss", kind="theorem"),
            Premise("stopping.maxima_add_of_shared_places", kind="theorem", widens={"K": ALL, "N": ALL}),
        ),
        holds=All(
            *map(stops_when, (integers_say, share_a_majority, keeps_majorities)), Each("K", (2, 3, 4), error_in_counts)
        ),
        fails=(
            NearMiss("exactly if the majority classes of node and children are equal", stops_when(equal_majorities)),
            NearMiss("exactly if the children have equal distributions", stops_when(equal_rows)),
            NearMiss(
                "exactly if the largest classes of the children have equal counts",
                stops_when(lambda table: max(table[0]) == max(table[1])),
            ),
        ),
        facts=stops_early(error_decrease, True),
    ),
    Theorem(
        key="stopping.conservative_tree_stops_at_root_of_and",
        statement="for AND of two bits, with n examples in each negative cell and m <= n in the positive one, both"
        " splits of the root are [2n 0 | n m]: the misclassification gain is 0, while the Gini gain is positive,"
        " 4 n m^2 / ((3n + m)^2 (n + m))",
        source="wilton2024, Section 3 (underfitting without noise)",
        holds=All(at_most, of_gini),
        fails=(
            at_most.but("whatever the sizes of the cells", hypothesis=None, alters="hypothesis"),
            of_gini.but("the Gini tree stops there too", value=lambda v: 0 * v.n),
        ),
    ),
    Theorem(
        key="stopping.majority_and_mean_miss_differences",
        statement="misclassification, bayes_sum and the absolute deviation score some split of different children as 0,"
        " and so does the variance of three responses, if the children have one mean; sum_minority differs from"
        " misclassification by a constant of the node",
        source="beyond, which criteria stop early",
        holds=All(blind(BLIND), up_to(4, binary_splits, minority_gain, K=(2, 3))),
        fails=(
            NearMiss("the variance of two responses misses a difference too", Not(sees(VARIANCE_2, 5)), "hypothesis"),
            NearMiss("the same splits score 0 by twoing", blind([(twoing, t) for _, t in BLIND])),
        ),
        facts=stops_early(decrease(impurities.bayes_sum), True)
        + stops_early(ABSOLUTE_2, True, ("2",))
        + stops_early(ABSOLUTE_3, True, (">2",))
        + stops_early(VARIANCE_3, True, (">2",))
        + stops_early(sum_minority, True),
    ),
]

ERRATA = [Erratum("R-E15", stops_when(equal_majorities), "stopping.conservative_gain_is_zero_of_shared_majority")]
