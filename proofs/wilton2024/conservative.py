"""Conservative losses: the misclassification impurity, and the best announcements.

Main results: Lemma 9 as a sum of products; Theorem 2 with the quantifier its converse needs; Corollary 2.1; Theorem 3
as it holds.
Source: wilton2024, Section 3.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from splitcrit import impurities, losses
from splitcrit.arith import EXACT
from splitcrit.losses import Loss
from splitcrit.proof import (
    All,
    Certificate,
    Claim,
    Erratum,
    Exhaustive,
    Identity,
    NearMiss,
    Smt,
    Theorem,
)
from splitcrit.proofs.common import count_vectors, distribution, kinds, vector
from splitcrit.proofs.wilton2024.gce import loss_from_one
from splitcrit.proofs.wilton2024.terms import HALF, Given, costs, names, on_simplex, simplex, unit

Vector = tuple[int, ...]


# Lemma 9.


def bounded_costs(v: Any, classes: int) -> list[Any]:
    """Costs at most ``C`` each whose sum is at least ``C (K - 1)``: ``C (1 - a_j / (b + sum a))``."""
    a = vector(v, "a", classes)
    return [v.C * (1 - x / (v.b + sum(a))) for x in a]


def lemma(classes: int) -> Certificate:
    """``sum p l - C (1 - max p) = sum (max p - p_j)(C - l_j) + max p (sum l - C (K - 1))``."""

    def gap(v: Any, m: Any) -> Any:
        p = distribution(v, classes)
        return losses.risk(costs, bounded_costs(v, classes), p, m) - v.C * impurities.misclassification.of(p, m)

    def atoms(v: Any, m: Any) -> dict[str, Any]:
        p, cost = distribution(v, classes), bounded_costs(v, classes)
        below = {f"below{k}": (m.max(p) - p[k]) * (v.C - cost[k]) for k in range(classes)}
        return {**below, "surplus": m.max(p) * (sum(cost) - v.C * (classes - 1))}

    variables = {**kinds("positive", "p", classes=classes), **names("a", classes, "count")}
    terms: Any = lambda v, m: [([], [f"below{k}"]) for k in range(classes)] + [([], ["surplus"])]  # noqa: E731
    return Certificate({**variables, "b": "positive", "C": "positive"}, gap, terms, atoms)


ONE_CLASS = Identity(
    {"p": "real", "l": "real", "C": "real", "M": "real"},
    lambda v, m: v.p * v.l,
    lambda v, m: v.p * v.C - v.M * (v.C - v.l) + (v.M - v.p) * (v.C - v.l),
)


def bound(classes: int, *, capped: bool = True, largest: bool = True, missing: int = 1) -> Smt:
    """Lemma 9 by the solver, the last class the most probable; the keywords weaken its hypotheses."""

    def hypotheses(v: Any, m: Any) -> list[Any]:
        p, cost = vector(v, "p", classes), vector(v, "l", classes)
        found = [*on_simplex(v, classes), v.C > 0, sum(cost) >= v.C * (classes - missing), *(x >= 0 for x in cost)]
        found += [x <= v.C for x in cost] if capped else []
        return found + ([x <= p[-1] for x in p] if largest else [])

    return Smt(
        {**names("p", classes), **names("l", classes, "count"), "C": "count"},
        lambda v, m: (
            losses.risk(costs, vector(v, "l", classes), vector(v, "p", classes), m)
            >= v.C * (1 - vector(v, "p", classes)[-1])
        ),
        hypotheses,
    )


# Theorem 2, on tables of costs: announcements e_1, e_2 and a third, two classes.

LEVELS = (0, 1, 2)
SETS = tuple(count_vectors(4, 2))


@lru_cache(maxsize=1)
def loss_tables() -> tuple[tuple[tuple[Vector, ...], int], ...]:
    """All losses of three announcements with costs 0, 1, 2, each with C = 1 and C = 2."""
    rows = tuple(product(LEVELS, repeat=2))
    return tuple((table, C) for table in product(rows, repeat=3) for C in (1, 2))


def law_a(table: tuple[Vector, ...], C: int) -> bool:
    return all(sum(row) >= C for row in table)


def law_b(table: tuple[Vector, ...], C: int) -> bool:
    return all(x <= C for row in table for x in row)


def law_c(table: tuple[Vector, ...], C: int) -> bool:
    return table[0][0] == 0 == table[1][1]


def misclassifies(table: tuple[Vector, ...], C: int, sets: tuple[Vector, ...] = SETS) -> bool:
    """Equation (2): the least risk is C times the number of minority labels, on every one of the sets."""
    return all(min(losses.risk(costs, row, n, EXACT) for row in table) == C * (sum(n) - max(n)) for n in sets)


def implies(first: Callable[..., bool], second: Callable[..., bool]) -> Exhaustive:
    return Exhaustive(loss_tables, lambda case: not first(*case) or second(*case))


def definition(table: tuple[Vector, ...], C: int) -> bool:
    return law_a(table, C) and law_b(table, C) and law_c(table, C)


def on_one_set(table: tuple[Vector, ...], C: int) -> bool:
    """Equation (2) for the one set of four examples of the first class."""
    return misclassifies(table, C, ((4, 0),))


def uniform_converse(v: Any, m: Any) -> Any:
    """In a class-uniform set of K classes equation (2) bounds the sum of costs ``L`` of any announcement."""
    return v.L >= v.C * (v.K - 1)


# Corollary 2.1: the definition for losses of the library.


def costs_of(loss: Loss, v: Any, m: Any, classes: int) -> list[Any]:
    return [loss.at(vector(v, "w", classes), k, m) for k in range(classes)]


def conservative(loss: Loss, C: Any, classes: int) -> list[Claim]:
    """Definition 1 (a), (b) by the solver over the simplex, (c) at its vertices."""
    w = names("w", classes)
    return [
        Smt(w, lambda v, m: sum(costs_of(loss, v, m, classes)) >= C * (classes - 1), simplex(classes, "w")),
        Smt(w, lambda v, m: m.max(costs_of(loss, v, m, classes)) <= C, simplex(classes, "w")),
        Exhaustive(lambda: range(classes), lambda k: loss.at(unit(k, classes), k, EXACT) == 0),
    ]


def gce_sum(classes: int) -> Certificate:
    """For every q >= 1, with ``w_k^q = w_k - s_k``: the sum of costs exceeds ``(K - 1) / q`` by ``sum s_k / q``."""

    def given(v: Any, m: Any) -> Given:
        pairs = zip(distribution(v, classes, "w"), vector(v, "s", classes), strict=True)
        return Given(m, power=[((x, v.q), x - y) for x, y in pairs])

    def gap(v: Any, m: Any) -> Any:
        w, g = distribution(v, classes, "w"), given(v, m)
        return sum(loss_from_one(v.q).at(w, k, g) for k in range(classes)) - (classes - 1) / v.q

    return Certificate(
        {**kinds("positive", "w", classes=classes), **names("s", classes, "count"), "q": "positive"},
        gap,
        lambda v, m: [([], [f"s{k}", "1/q"]) for k in range(classes)],
        lambda v, m: {"1/q": 1 / v.q, **{f"s{k}": vector(v, "s", classes)[k] for k in range(classes)}},
        lambda v, m: given(v, m).distinct,
    )


def square_weights() -> list[Vector]:
    """Announcements proportional to squares, with rational square roots."""
    return [(a * a, b * b) for a, b in ((1, 0), (3, 4), (5, 12), (8, 15))]


def gce_half_is_conservative(w: Vector) -> bool:
    announced = [Fraction(x, sum(w)) for x in w]
    return bool(sum(losses.gce(HALF).at(announced, k, EXACT) for k in range(2)) >= 2)


# Theorem 3.


def best_is_first(v: Any, classes: int, strict: bool = True) -> list[Any]:
    p = vector(v, "p", classes)
    return [*on_simplex(v, classes), *(p[0] > x if strict else p[0] >= x for x in p[1:])]


def best_set(classes: int, strict: bool = True) -> Smt:
    """A conservative announcement is optimal exactly if it costs 0 in the majority class and C in the others."""

    def conclusion(v: Any, m: Any) -> Any:
        p, cost = vector(v, "p", classes), vector(v, "l", classes)
        excess = losses.risk(costs, cost, p, m) - v.C * (1 - p[0])
        return m.where(excess == 0, 1, 0) == m.where(cost[0] + sum(v.C - x for x in cost[1:]) == 0, 1, 0)

    def hypotheses(v: Any, m: Any) -> list[Any]:
        cost = vector(v, "l", classes)
        bounds = [v.C > 0, sum(cost) >= v.C * (classes - 1), *(x >= 0 for x in cost), *(x <= v.C for x in cost)]
        return best_is_first(v, classes, strict) + bounds

    return Smt({**names("p", classes), **names("l", classes, "count"), "C": "count"}, conclusion, hypotheses)


def sure_is_optimal(classes: int) -> Smt:
    """The costs of e_1 are forced by Definition 1, and reach ``C (1 - max p)`` for any majority class, tied or not."""

    def hypotheses(v: Any, m: Any) -> list[Any]:
        cost = vector(v, "l", classes)
        forced = [v.C > 0, cost[0] == 0, sum(cost) >= v.C * (classes - 1), *(x <= v.C for x in cost)]
        return best_is_first(v, classes, strict=False) + forced

    return Smt(
        {**names("p", classes), **names("l", classes, "count"), "C": "count"},
        lambda v, m: (
            losses.risk(costs, vector(v, "l", classes), vector(v, "p", classes), m)
            == v.C * impurities.misclassification.of(vector(v, "p", classes), m)
        ),
        hypotheses,
    )


def only_sure(loss: Loss, C: Any, classes: int, strict: bool = True) -> Smt:
    """An announcement whose risk is least is the vertex of the first, most probable, class."""
    return Smt(
        names("pw", classes),
        lambda v, m: (
            m.where(v.w0 == 1, 1, losses.risk(loss, vector(v, "w", classes), vector(v, "p", classes), m))
            > m.where(v.w0 == 1, 0, C * (1 - v.p0))
        ),
        lambda v, m: [*best_is_first(v, classes, strict), *on_simplex(v, classes, "w")],
    )


def _argmax_error(w: Any, k: int, m: Any) -> Any:
    return 1 - losses.majority(w, m)[k]


argmax_error = Loss("argmax_error", _argmax_error, losses.majority)  # 1-conservative: one class costs 0, the others 1


def least_only_when_sure(case: tuple[Vector, Vector]) -> bool:
    p, w = case
    announced = [Fraction(x, sum(w)) for x in w]
    return max(announced) == 1 or losses.risk(argmax_error, announced, p, EXACT) > sum(p) - max(p)


def always_sure() -> Exhaustive:
    """For the loss ``argmax_error`` and two classes without a tie, no announcement but a vertex is optimal."""
    return Exhaustive(
        lambda: product([n for n in count_vectors(3, 2) if n[0] != n[1]], count_vectors(3, 2)), least_only_when_sure
    )


def tied_optimum() -> Exhaustive:
    """At p = (1/2, 1/2) no announcement but a vertex has the least absolute loss."""

    def holds(w: Vector) -> bool:
        announced = [Fraction(x, sum(w)) for x in w]
        return max(announced) == 1 or losses.risk(losses.mae, announced, [HALF, HALF], EXACT) > 1

    return Exhaustive(lambda: count_vectors(3, 2), holds)


THEOREMS = [
    Theorem(
        key="conservative.mean_cost_is_bounded_of_capped_costs",
        statement="if p_1 <= ... <= p_K is a distribution, sum l_j >= C (K - 1) and 0 <= l_j <= C, then sum p_j l_j >= "
        "C (1 - p_K): the difference is sum (p_K - p_j)(C - l_j) + p_K (sum l_j - C (K - 1))",
        source="wilton2024, Lemma 9",
        scope="all K, by summing the identity for one class; the whole at K = 2 and 3",
        premises=("hand argument: the identity for one class is summed over the classes, with sum p_j = 1",),
        holds=All(ONE_CLASS, *(lemma(K) for K in (2, 3)), bound(2), bound(3)),
        fails=(
            NearMiss("without the cap l_j <= C", bound(3, capped=False), "hypothesis"),
            NearMiss("with sum l_j >= C (K - 2)", bound(3, missing=2), "hypothesis"),
            NearMiss("p_K need not be the largest", bound(3, largest=False), "hypothesis"),
        ),
        latex=r"\sum_j p_j l_j - C(1-p_K) = \sum_j (p_K-p_j)(C-l_j) + p_K\Bigl(\sum_j l_j - C(K-1)\Bigr)",
    ),
    Theorem(
        key="conservative.impurity_is_misclassification",
        statement="a C-conservative loss has the impurity C (1 - max p); conversely, if that is the impurity on every "
        "set of examples, then the costs of every announcement sum to C (K - 1) at least",
        source="wilton2024, Theorem 2",
        scope="the bound and its attainment K = 2 and 3 (all K by Lemma 9); the converse all K; both directions for "
        "all losses of three announcements with costs 0, 1, 2 and N <= 4, K = 2",
        added="for the converse: on every set S, in particular a class-uniform one",
        holds=All(
            bound(2),
            bound(3),
            *(sure_is_optimal(K) for K in (2, 3, 4)),
            Smt(
                {"L": "real", "C": "real", "K": "positive"},
                uniform_converse,
                lambda v, m: [v.L / v.K >= v.C * (1 - 1 / v.K), v.C > 0],
            ),
            implies(definition, misclassifies),
            implies(misclassifies, law_a),
        ),
        fails=(
            NearMiss("for the converse one set S is enough", implies(on_one_set, law_a), "hypothesis"),
            NearMiss("the converse gives l_j <= C as well", implies(misclassifies, law_b)),
            NearMiss("the converse gives l(e_j, e_j) = 0 as well", implies(misclassifies, law_c)),
            NearMiss(
                "(a) and (b) suffice for the impurity",
                implies(lambda t, C: law_a(t, C) and law_b(t, C), misclassifies),
                "hypothesis",
            ),
        ),
    ),
    Theorem(
        key="conservative.standard_losses_satisfy_definition",
        statement="the absolute loss is 2-conservative, the 0-1 loss and the infinity norm are 1-conservative, and "
        "generalised cross-entropy is 1/q-conservative for every q >= 1",
        source="wilton2024, Definition 1 and Corollary 2.1",
        scope="K = 2 and 3; the sum of costs for every q >= 1 at K = 2 and 3",
        premises=("0 <= w^q <= w for 0 <= w <= 1 and q >= 1",),
        holds=All(
            *(claim for K in (2, 3) for claim in conservative(losses.mae, 2, K)),
            *(claim for K in (2, 3) for claim in conservative(losses.zero_one, 1, K)),
            *(claim for K in (2, 3) for claim in conservative(losses.infinity_norm, 1, K)),
            *(claim for K in (2, 3) for claim in conservative(losses.gce(Fraction(1)), 1, K)),
            *(claim for K in (2, 3) for claim in conservative(losses.gce(Fraction(2)), HALF, K)),
            *(gce_sum(K) for K in (2, 3)),
        ),
        fails=(
            NearMiss(
                "generalised cross-entropy at q = 1/2 is 2-conservative",
                Exhaustive(square_weights, gce_half_is_conservative),
                "hypothesis",
            ),
            NearMiss("the square loss is 2-conservative", conservative(losses.square, 2, 2)[0]),
            NearMiss("the absolute loss is 1-conservative", conservative(losses.mae, 1, 2)[1]),
        ),
    ),
    Theorem(
        key="conservative.best_announcements_cost_nothing_in_majority",
        statement="for a conservative loss the vertex of every majority class is optimal; if the majority class k is "
        "unique, the optimal announcements are those of cost 0 in class k and C in all others, for the absolute loss, "
        "0-1 loss, infinity norm and generalised cross-entropy (q >= 1) the vertex of k alone",
        source="wilton2024, Theorem 3",
        scope="K = 2, 3 (0-1, absolute loss, infinity norm, q = 1), K = 2 (q = 2)",
        added="the majority class is unique, and the argmin is a set of announcements",
        holds=All(
            *(sure_is_optimal(K) for K in (2, 3, 4)),
            *(best_set(K) for K in (2, 3)),
            *(only_sure(loss, C, K) for loss, C in ((losses.mae, 2), (losses.zero_one, 1)) for K in (2, 3)),
            *(only_sure(loss, 1, K) for loss in (losses.infinity_norm, losses.gce(Fraction(1))) for K in (2, 3)),
            only_sure(losses.gce(Fraction(2)), HALF, 2),
        ),
        fails=(
            NearMiss("for every conservative loss the vertex alone is optimal", always_sure()),
            NearMiss(
                "for the absolute loss also if the majority is tied",
                only_sure(losses.mae, 2, 2, strict=False),
                "hypothesis",
            ),
            NearMiss("the description of the argmin also holds under ties", best_set(2, strict=False), "hypothesis"),
        ),
    ),
]

ERRATA = [
    Erratum("R-E4", implies(on_one_set, law_a), "conservative.impurity_is_misclassification"),
    Erratum("R-E5a", tied_optimum(), "conservative.best_announcements_cost_nothing_in_majority"),
    Erratum("R-E5b", always_sure(), "conservative.best_announcements_cost_nothing_in_majority"),
]
