"""What a misclassification impurity says of a loss, and which actions of a conservative loss are best.

Source: wilton2024, Section 3.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from splitcrit import losses
from splitcrit.arith import EXACT
from splitcrit.losses import Loss, risk
from splitcrit.proof import All, Erratum, Exhaustive, Law, NearMiss, Premise, Smt, Theorem
from splitcrit.proofs.common import HALF, count_vectors
from splitcrit.proofs.given import Given, costs, names, on_simplex, sum_of_parts
from splitcrit.proofs.impurity.conservative import LEMMA, LEMMA_KEY, Vector, error, from_one

# Theorem 2, on tables of costs: actions e_1, e_2 and a third, two classes.
SETS = tuple(count_vectors(4, 2))
Table = tuple[Vector, ...]


@lru_cache(maxsize=1)
def loss_tables() -> tuple[tuple[Table, int], ...]:
    """All losses of three actions with costs 0, 1, 2, each with C = 1 and C = 2."""
    rows = tuple(product((0, 1, 2), repeat=2))
    return tuple((table, C) for table in product(rows, repeat=3) for C in (1, 2))


def sums_suffice(table: Table, C: int) -> bool:
    return all(sum(row) >= C for row in table)


def capped(table: Table, C: int) -> bool:
    return all(x <= C for row in table for x in row)


def right_is_free(table: Table, C: int) -> bool:
    return table[0][0] == 0 == table[1][1]


def both(table: Table, C: int) -> bool:
    return sums_suffice(table, C) and capped(table, C)


def conservative(table: Table, C: int) -> bool:
    return both(table, C) and right_is_free(table, C)


def misclassifies(table: Table, C: int, sets: tuple[Vector, ...] = SETS) -> bool:
    """Equation (2): the least risk is C times the number of minority labels, on every one of the sets."""
    return all(min(risk(costs, row, n, EXACT) for row in table) == C * (sum(n) - max(n)) for n in sets)


def on_one_set(table: Table, C: int) -> bool:
    """Equation (2) for the one set of four examples of the first class."""
    return misclassifies(table, C, ((4, 0),))


def implies(first: Callable[..., bool], second: Callable[..., bool]) -> Exhaustive:
    return Exhaustive(loss_tables, lambda case: not first(*case) or second(*case))


# What the vertex of the majority class, of share M, costs in the other classes is at most C.
def saved_by_vertex(entries: Any, v: Any, m: Any) -> Any:
    """``C (1 - M)`` less the risk of a vertex that costs nothing in its class, where the shares sum to 1."""
    p, cost = [v.M, *(e.p for e in entries)], [0, *(e.l for e in entries)]
    return v.C * error.of(p, Given(m, top=v.M)) - risk(costs, cost, p, m) - v.C * (1 - sum(p))


CONVERSE = Law(implies, first=misclassifies, second=sums_suffice)
VERTEX = sum_of_parts(
    {"p": "rate", "l": "real"},
    saved_by_vertex,
    lambda e, v, m: e.p * (v.C - e.l),
    {"M": "rate", "C": "count"},
    1,
    where=lambda e, v, m: [e.l <= v.C],
)
UNIFORM = Smt(
    {"L": "real", "C": "real", "k": "positive"},
    lambda v, m: v.C * (v.k - 1) <= v.L,
    lambda v, m: [v.L / v.k >= v.C * (1 - 1 / v.k), v.C > 0],
)


# Theorem 3. The excess of Lemma 9 is 0 only if each of its products is, and the surplus of the costs.
def best_set(strict: bool) -> Smt:
    """Claim that of two classes an action is best exactly if it costs 0 in the majority class and C in the other."""

    def hypotheses(v: Any, m: Any) -> list[Any]:
        first = [v.C > 0, v.l + v.k >= v.C, v.l >= 0, v.k >= 0, v.l <= v.C, v.k <= v.C]
        return [*first, 2 * v.p > 1 if strict else 2 * v.p >= 1]

    def conclusion(v: Any, m: Any) -> Any:
        excess = risk(costs, [v.l, v.k], [v.p, 1 - v.p], m) - v.C * (1 - v.p)
        return (excess == 0) == ((v.l == 0) & (v.k == v.C))

    return Smt({"p": "rate", "l": "count", "k": "count", "C": "count"}, conclusion, hypotheses)


OTHERS = Smt(
    {"p": "rate", "M": "rate", "l": "real", "C": "count"},
    lambda v, m: ((v.M - v.p) * (v.C - v.l) == 0) == (v.l == v.C),
    lambda v, m: [v.p < v.M, v.l <= v.C],
)
MAJORITY = Smt(
    {"M": "rate", "l": "real", "C": "count", "k": "positive"},
    lambda v, m: (v.M * (v.l + v.C * (v.k - 1) - v.C * (v.k - 1)) == 0) == (v.l == 0),
    lambda v, m: v.M > 0,
)
ZERO_ONE = Smt({"w": "rate"}, lambda v, m: (losses.zero_one.at([v.w], 0, m) == 0) == (v.w == 1))
POWER_LOSS = Smt(
    {"w": "rate", "z": "rate", "q": "positive"},
    lambda v, m: (from_one(v.q).at([v.w], 0, Given(m, powers=[v.z])) == 1 / v.q) == (v.w == 0),
    lambda v, m: (v.z == 0) == (v.w == 0),
)


def only_sure(strict: bool) -> Smt:
    """Claim that for two classes an action whose absolute risk is least is the vertex of the more probable class."""
    return Smt(
        names("pw", 2),
        lambda v, m: (risk(losses.mae, [v.w0, v.w1], [v.p0, v.p1], m) > 2 * (1 - v.p0)) | (v.w0 == 1),
        lambda v, m: [*on_simplex(v, 2, "pw"), v.p0 > v.p1 if strict else v.p0 >= v.p1],
    )


def _argmax_error(w: Any, k: int, m: Any) -> Any:
    return 1 - losses.majority(w, m)[k]


def least_only_when_sure(loss: Loss, p: Any, w: Vector, factor: int) -> bool:
    """State that an action of integer weights is a vertex or has more than the least risk."""
    act = [Fraction(x, sum(w)) for x in w]
    return bool(max(act) == 1 or risk(loss, act, p, EXACT) > factor * (sum(p) - max(p)))


argmax_error = Loss("argmax_error", _argmax_error, losses.majority)  # 1-conservative: one class costs 0, the others 1
ALWAYS_SURE = Exhaustive(
    lambda: product([n for n in count_vectors(3, 2) if n[0] != n[1]], count_vectors(3, 2)),
    lambda case: least_only_when_sure(argmax_error, case[0], case[1], 1),
)
SURE_OF_TIE = Exhaustive(lambda: count_vectors(3, 2), lambda w: least_only_when_sure(losses.mae, [HALF, HALF], w, 2))

THEOREMS = [
    Theorem(
        key="impurity.misclassification_is_least_risk_of_conservative_loss",
        statement="a C-conservative loss has the impurity C (1 - max p); conversely, if that is the impurity on every "
        "set of examples, then the costs of every action sum to C (K - 1) at least",
        source="wilton2024, Theorem 2",
        added="for the converse: on every set S, in particular a class-uniform one",
        holds=All(
            bound=LEMMA,
            attained=VERTEX,
            converse=UNIFORM,
            tables=implies(conservative, misclassifies),
            converse_of_tables=CONVERSE,
        ),
        fails=(
            CONVERSE.but("for the converse one set S is enough", first=on_one_set, alters="hypothesis"),
            CONVERSE.but("the converse gives l_j <= C as well", second=capped),
            CONVERSE.but("the converse gives l(e_j, e_j) = 0 as well", second=right_is_free),
            CONVERSE.but("(a) and (b) suffice for the impurity", first=both, second=misclassifies, alters="hypothesis"),
        ),
    ),
    Theorem(
        key="impurity.best_actions_of_conservative_losses",
        statement="for a conservative loss the vertex of every majority class is optimal; if the majority class k is "
        "unique, the optimal actions are those of cost 0 in class k and C in all others, for the absolute loss, "
        "0-1 loss, infinity norm and generalised cross-entropy (q >= 1) the vertex of k alone",
        source="wilton2024, Theorem 3",
        added="the majority class is unique, and the argmin is a set of actions",
        holds=All(
            vertex=VERTEX,
            excess=LEMMA,
            other_classes=OTHERS,
            majority_class=MAJORITY,
            two_classes=best_set(True),
            zero_one=ZERO_ONE,
            powers=POWER_LOSS,
            absolute=only_sure(True),
        ),
        fails=(
            NearMiss("for every conservative loss the vertex alone is optimal", ALWAYS_SURE),
            NearMiss("for the absolute loss also if the majority is tied", only_sure(False), "hypothesis"),
            NearMiss("the description of the argmin also holds under ties", best_set(False), "hypothesis"),
        ),
        premises=(
            LEMMA_KEY,
            Premise("impurity.mae_is_twice_gce_one", "theorem"),
            Premise("w^q = 0 only at w = 0, for q >= 1"),
        ),
    ),
]

ERRATA = [
    Erratum("R-E4", implies(on_one_set, sums_suffice), "impurity.misclassification_is_least_risk_of_conservative_loss"),
    Erratum("R-E5a", SURE_OF_TIE, "impurity.best_actions_of_conservative_losses"),
    Erratum("R-E5b", ALWAYS_SURE, "impurity.best_actions_of_conservative_losses"),
]
