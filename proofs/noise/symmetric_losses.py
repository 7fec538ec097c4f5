"""Symmetric losses: the costs of an action sum to a constant, and what that does under label noise.

Source: wilton2024, Section 2.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from splitcrit import losses
from splitcrit.arith import EXACT, total
from splitcrit.losses import Loss
from splitcrit.noise import symmetric
from splitcrit.proof import All, Cases, Each, Erratum, Exhaustive, Induction, Law, NearMiss, Smt, Theorem, only
from splitcrit.proofs.common import count_vectors, vector
from splitcrit.proofs.given import costs, names, simplex, unit


def cost_sum(loss: Loss, w: Any, m: Any) -> Any:
    """The sum over all classes of the cost of one action."""
    return sum(loss.at(w, k, m) for k in range(len(w)))


def sums_to(loss: Loss, constant: int, classes: int) -> Smt:
    """Claim that the costs of every action of the simplex sum to the constant, by the solver."""
    return Smt(
        names("w", classes), lambda v, m: cost_sum(loss, vector(v, "w", classes), m) == constant, simplex(classes, "w")
    )


def sums_to_multiple(loss: Loss, cost: int, constant: int) -> Induction:
    """Claim that the costs of every action sum to ``constant (K - 1)``, for a loss that costs ``cost (1 - w_k)``.

    The action is given by weights; the equation is multiplied by their sum.
    """

    def formula(entries: Any, v: Any, m: Any) -> Any:
        whole = total([e.w for e in entries])
        return whole * (cost_sum(loss, [e.w / whole for e in entries], m) - constant * (len(entries) - 1))

    return Induction(
        "K",
        {"w": "positive"},
        formula,
        lambda e, v, m: [m.number(1), e.w],
        lambda sums, v, m: cost * (sums[0] * sums[1] - sums[1]) - constant * (sums[0] - 1) * sums[1],
        compared=True,
    )


def risk_affine(factor: Callable[[Any, Any], Any]) -> Induction:
    """Claim that (K - 1) times the noisy risk is ``kept(K, eta)`` times the clean one plus eta times the sum of costs.

    The class distribution is given by weights, in which a risk is linear.
    """

    def formula(entries: Any, v: Any, m: Any) -> Any:
        p, cost, K = [e.p for e in entries], [e.cost for e in entries], len(entries)
        noisy = losses.risk(costs, cost, symmetric(v.eta).on_distribution(p), m)
        return (K - 1) * noisy - factor(K, v.eta) * losses.risk(costs, cost, p, m) - v.eta * total(cost) * total(p)

    def closed(sums: Any, v: Any, m: Any) -> Any:
        K, whole, cost, clean = sums
        noisy = (K - 1) * (1 - v.eta) * clean + v.eta * (cost * whole - clean)
        return noisy - factor(K, v.eta) * clean - v.eta * cost * whole

    def adds(e: Any, v: Any, m: Any) -> list[Any]:
        return [m.number(1), e.p, e.cost, e.cost * e.p]

    entry = {"p": "positive", "cost": "real"}
    return Induction("K", entry, formula, adds, closed, shared={"eta": "rate"})


def surplus(bound: int = 1) -> Induction:
    """Claim that in a true class of cost c the noisy risk exceeds that of a zero-cost action by ``bound least c``.

    Entries are the other classes: their entry ``row`` of the transition matrix and by what ``slack`` their cost is less
    than ``most = C/(K - 1)``. So c is the sum of the slacks, and in a zero-cost action all others cost ``most``.
    """

    def formula(entries: Any, v: Any, m: Any) -> Any:
        own, row = total([e.slack for e in entries]), [e.row for e in entries]
        risk = losses.risk(costs, [own, *(v.most - e.slack for e in entries)], [v.diagonal, *row], m)
        return risk - v.most * total(row) - bound * v.least * own

    return Induction(
        "K",
        {"row": "count", "slack": "count"},
        formula,
        lambda e, v, m: [e.slack, e.row, e.row * e.slack],
        lambda sums, v, m: (v.diagonal - bound * v.least) * sums[0] - sums[2],
        ">=",
        shared=dict.fromkeys(("most", "diagonal", "least"), "count"),
        least=1,
        where=lambda e, v, m: [v.diagonal - e.row >= v.least],
        terms=lambda v, m: [([], ["gap", "slack"])],
        atoms=lambda v, m: {"gap": v.diagonal - v.row - v.least, "slack": v.slack},
    )


def tolerant(classes: int, strict: bool = True, bounded: bool = True) -> Smt:
    """In true class 0: no action has less noisy risk than one with clean risk 0, unless it is one.

    The row of the transition matrix is given as weights ``t0, t1, ...``, not normalised.
    """

    def hypotheses(v: Any, m: Any) -> list[Any]:
        row, cost = vector(v, "t", classes), vector(v, "l", classes)
        dominant = [row[0] > x if strict else row[0] >= x for x in row[1:]]
        bounds = [(classes - 1) * x <= sum(cost) for x in cost] if bounded else []
        return [row[0] > 0, sum(cost) > 0, *dominant, *bounds]

    def conclusion(v: Any, m: Any) -> Any:
        row, cost = vector(v, "t", classes), vector(v, "l", classes)
        worse = losses.risk(costs, cost, row, m) - sum(row[1:]) * sum(cost) / (classes - 1)
        return m.where(cost[0] == 0, worse, m.where(worse > 0, 0, 1)) == 0

    return Smt(names("tl", classes, "count"), conclusion, hypotheses)


def vertices_sum_to(more: int) -> Exhaustive:
    """Claim that the costs of every sure action sum to K + ``more``, for the 0-1 loss."""
    return Exhaustive(
        Cases(lambda classes: ((k, classes) for k in range(classes)), K=only(*range(2, 9))),
        lambda case: cost_sum(losses.zero_one, unit(*case), EXACT) == case[1] + more,
    )


def _square_risk(a: Any, p: Any, m: Any) -> Any:
    return losses.risk(losses.square, [a, 1 - a], p, m)


def _quarter_noise(p: Any) -> Any:
    return symmetric(Fraction(1, 4)).on_distribution([p, 1 - p])


def noisy_cost(case: tuple[tuple[int, ...], tuple[int, ...]]) -> bool:
    """In true class 0 of two: the noisy risk of one without clean risk is reached by such actions only."""
    row, cost = case
    return cost[0] == 0 or losses.risk(costs, cost, row, EXACT) > row[1] * sum(cost)


def dominant_rows(strict: bool) -> Exhaustive:
    return Exhaustive(
        lambda: (
            (t, c)
            for t in count_vectors(6, 2)
            for c in count_vectors(4, 2)
            if t[0] > t[1] or (not strict and t[0] == t[1])
        ),
        noisy_cost,
    )


def zero_one_sum(K: int) -> Exhaustive:
    return Exhaustive(
        lambda: count_vectors(4, K),
        lambda w: cost_sum(losses.zero_one, [Fraction(x, sum(w)) for x in w], EXACT) == K - 1,
    )


MAE = Law(sums_to_multiple, loss=losses.mae, cost=2, constant=2)
RISK = Law(risk_affine, factor=lambda K, eta: K - 1 - K * eta)
SURE = Law(vertices_sum_to, more=-1)

THEOREMS = [
    Theorem(
        key="noise.cost_sum_is_constant_of_mae",
        statement="the costs of an action sum to 2 (K - 1) for the absolute loss, to K - 1 for generalised"
        " cross-entropy at q = 1, whatever the action",
        source="wilton2024, Section 2 (symmetric losses)",
        holds=All(absolute=MAE, linear=MAE.but(loss=losses.gce(1), cost=1, constant=1).claim),
        fails=(
            NearMiss("the 0-1 loss is symmetric on the whole simplex", sums_to(losses.zero_one, 1, 2)),
            NearMiss("the square loss is symmetric, with its sum at the vertices", sums_to(losses.square, 4, 3)),
            MAE.but("the constant of the absolute loss is K - 1", constant=1),
        ),
    ),
    Theorem(
        key="noise.cost_sum_is_constant_of_infinity_norm",
        statement="the costs of an action sum to K - 1 for the infinity norm, whatever the action",
        source="wilton2024, Section 2 (symmetric losses)",
        holds=Each("K", (2, 3, 4), lambda K: sums_to(losses.infinity_norm, K - 1, K)),
        fails=(
            NearMiss("the sum is 2 (K - 1), as for the absolute loss", sums_to(losses.infinity_norm, 4, 3)),
            NearMiss("the sum is 1 for every K", sums_to(losses.infinity_norm, 1, 3)),
        ),
    ),
    Theorem(
        key="noise.cost_sum_is_constant_of_zero_one_at_vertices",
        statement="the costs of the 0-1 loss sum to K - 1 for every sure action",
        source="wilton2024, Section 2 (symmetric losses)",
        added="actions are vertices of the simplex",
        holds=SURE,
        fails=(
            NearMiss("for every action of the simplex", sums_to(losses.zero_one, 1, 2), "hypothesis"),
            SURE.but("the sum is K, as for an action that is not sure", more=0),
        ),
    ),
    Theorem(
        key="noise.risk_is_affine_of_uniform",
        statement="under uniform noise the risk of an action whose costs sum to C is (1 - K eta / (K - 1)) risk +"
        " eta C / (K - 1) at each point x, so that for a symmetric loss and eta < (K - 1) / K the order of"
        " actions stays",
        source="wilton2024, Section 2 (symmetric losses)",
        holds=RISK,
        fails=(
            RISK.but("the risk scales by 1 - 2 eta, as for two classes", factor=lambda K, eta: (K - 1) * (1 - 2 * eta)),
            NearMiss(
                "the order stays for every eta < 1",
                Smt({"eta": "rate"}, lambda v, m: 1 - 2 * v.eta > 0, lambda v, m: [v.eta < 1]),
                "hypothesis",
            ),
            NearMiss(
                "the square loss keeps the order of two actions under uniform noise below 1/2",
                Smt(
                    {"p": "rate", "a": "rate", "b": "rate"},
                    lambda v, m: _square_risk(v.a, _quarter_noise(v.p), m) <= _square_risk(v.b, _quarter_noise(v.p), m),
                    lambda v, m: [_square_risk(v.a, [v.p, 1 - v.p], m) < _square_risk(v.b, [v.p, 1 - v.p], m)],
                ),
                "hypothesis",
            ),
        ),
    ),
    Theorem(
        key="noise.zero_risk_stays_best_of_row_dominant",
        statement="let the costs have sum C, at most C / (K - 1) each, and the transition matrix eta_jj - eta_jk >= g"
        " for k other than j: in true class j an action of clean cost c has at least g c more noisy risk than one of"
        " clean cost 0; so for g > 0 those of clean cost 0 have the least noisy risk, and none other has",
        source="wilton2024, Section 2 (class-conditional noise)",
        added="the diagonal exceeds every other entry of its row, strictly; equality is not enough",
        holds=surplus(),
        fails=(
            NearMiss("the surplus is 2 g c", surplus(2)),
            NearMiss("the diagonal may equal other entries of its row", tolerant(2, strict=False), "hypothesis"),
            NearMiss("single costs may exceed C / (K - 1)", tolerant(3, bounded=False), "hypothesis"),
        ),
    ),
]

ERRATA = [
    Erratum("R-E1", zero_one_sum(2), "noise.cost_sum_is_constant_of_zero_one_at_vertices"),
    Erratum("R-E2", dominant_rows(strict=False), All(dominant_rows(strict=True), tolerant(2), tolerant(3))),
]
