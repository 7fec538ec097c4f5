"""Symmetric losses: the costs of an announcement sum to a constant, and what that does under label noise.

Main results: which losses are symmetric; uniform noise rescales their risk; what class-conditional noise needs.
Source: wilton2024, Section 2.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from splitcrit import losses
from splitcrit.arith import EXACT
from splitcrit.losses import Loss
from splitcrit.noise import symmetric
from splitcrit.proof import All, Certificate, Claim, Erratum, Exhaustive, Identity, NearMiss, Smt, Theorem
from splitcrit.proofs.common import count_vectors, distribution, kinds, vector
from splitcrit.proofs.wilton2024.terms import costs, names, on_simplex, simplex, unit


def cost_sum(loss: Loss, w: Any, m: Any) -> Any:
    """Return the sum over all classes of the cost of one announcement."""
    return sum(loss.at(w, k, m) for k in range(len(w)))


def sums_to(loss: Loss, constant: int, classes: int) -> Smt:
    """The costs of every announcement of the simplex sum to the constant, by the solver."""
    return Smt(
        names("w", classes),
        lambda v, m: cost_sum(loss, vector(v, "w", classes), m) == constant,
        simplex(classes, "w"),
    )


def sums_to_in_proportion(loss: Loss, constant: int, classes: int) -> Identity:
    """The same as an identity in unnormalised weights: both sides times their sum."""
    return Identity(
        kinds("positive", "w", classes=classes),
        lambda v, m: sum(vector(v, "w", classes)) * cost_sum(loss, distribution(v, classes, "w"), m),
        lambda v, m: sum(vector(v, "w", classes)) * constant,
    )


def symmetric_cases(*classes: int) -> list[Claim]:
    absolute = [sums_to_in_proportion(losses.mae, 2 * (K - 1), K) for K in classes]
    linear = [sums_to_in_proportion(losses.gce(1), K - 1, K) for K in classes]
    return [*absolute, *linear, *(sums_to(losses.infinity_norm, K - 1, K) for K in (2, 3, 4))]


def noisy_risk(classes: int) -> Callable[[Any, Any], Any]:
    """The risk under uniform noise of an announcement with the costs ``l0, l1, ...``."""
    return lambda v, m: losses.risk(
        costs, vector(v, "l", classes), symmetric(v.eta).on_distribution(distribution(v, classes)), m
    )


def affine_risk(classes: int, rate: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """``(1 - rate) risk + eta C / (K - 1)``, where ``C`` is the sum of the costs."""

    def value(v: Any, m: Any) -> Any:
        cost = vector(v, "l", classes)
        clean = losses.risk(costs, cost, distribution(v, classes), m)
        return (1 - rate(v)) * clean + v.eta * sum(cost) / (classes - 1)

    return value


def affine(classes: int) -> Identity:
    variables = {**kinds("positive", "p", classes=classes), **names("l", classes, "real"), "eta": "rate"}
    return Identity(variables, noisy_risk(classes), affine_risk(classes, lambda v: classes * v.eta / (classes - 1)))


def tolerant(classes: int, strict: bool = True, bounded: bool = True) -> Smt:
    """In true class 0: no announcement has less noisy risk than one with clean risk 0, unless it is one.

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


def surplus(v: Any, m: Any) -> Any:
    """Noisy risk minus that of an announcement without clean risk, in true class 0 of three or four."""
    row, cost = distribution(v, 4, "t"), _bounded_costs(v)
    return losses.risk(costs, cost, row, m) - (1 - row[0]) * v.C / 3


def _bounded_costs(v: Any) -> list[Any]:
    """Costs of four classes with sum ``C``, those of the wrong ones at most ``C / 3``."""
    wrong = [v.C / 3 - x for x in (v.s1, v.s2, v.s3)]
    return [v.C - sum(wrong), *wrong]


def surplus_terms(v: Any, m: Any) -> list[tuple[list[Any], list[str]]]:
    return [([], [f"row{k}", f"slack{k}"]) for k in (1, 2, 3)]


def surplus_atoms(v: Any, m: Any) -> dict[str, Any]:
    row = distribution(v, 4, "t")
    return {**{f"row{k}": row[0] - row[k] for k in (1, 2, 3)}, **{f"slack{k}": getattr(v, f"s{k}") for k in (1, 2, 3)}}


def vertices_sum_to(least: Callable[[int], int]) -> Exhaustive:
    """The costs of every sure announcement, for the 0-1 loss."""
    return Exhaustive(
        lambda: ((k, K) for K in range(2, 9) for k in range(K)),
        lambda case: cost_sum(losses.zero_one, unit(*case), EXACT) == least(case[1]),
    )


def _square_risk(a: Any, p: Any, m: Any) -> Any:
    return losses.risk(losses.square, [a, 1 - a], p, m)


def _quarter_noise(p: Any) -> Any:
    return symmetric(Fraction(1, 4)).on_distribution([p, 1 - p])


THEOREMS = [
    Theorem(
        key="loss.cost_sum_is_constant_of_mae",
        statement="the costs of an announcement sum to 2 (K - 1) for the absolute loss, to K - 1 for the "
        "infinity norm and for generalised cross-entropy at q = 1, whatever is announced",
        source="wilton2024, Section 2 (symmetric losses)",
        scope="K = 2 to 6 (absolute loss, q = 1), K = 2 to 4 (infinity norm)",
        holds=All(*symmetric_cases(2, 3, 4, 5, 6)),
        fails=(
            NearMiss("the 0-1 loss is symmetric on the whole simplex", sums_to(losses.zero_one, 1, 2)),
            NearMiss("the square loss is symmetric, with its sum at the vertices", sums_to(losses.square, 4, 3)),
            NearMiss("the constant of the absolute loss is K - 1", sums_to(losses.mae, 2, 3)),
        ),
    ),
    Theorem(
        key="loss.cost_sum_is_constant_of_zero_one_at_vertices",
        statement="the costs of the 0-1 loss sum to K - 1 for every sure announcement",
        source="wilton2024, Section 2 (symmetric losses)",
        scope="K = 2 to 8",
        added="announcements are vertices of the simplex",
        holds=vertices_sum_to(lambda K: K - 1),
        fails=(
            NearMiss("for every announcement of the simplex", sums_to(losses.zero_one, 1, 2), "hypothesis"),
            NearMiss("the sum is K, as for an announcement that is not sure", vertices_sum_to(lambda K: K)),
        ),
    ),
    Theorem(
        key="noise.risk_is_affine_of_symmetric_loss",
        statement="under uniform noise the risk of a loss whose costs sum to C is (1 - K eta / (K - 1)) risk + "
        "eta C / (K - 1), so that for eta < (K - 1) / K the order of announcements stays",
        source="wilton2024, Section 2 (symmetric losses)",
        scope="K = 2 to 5, at each point x; a risk is the mean over x",
        holds=All(*(affine(classes) for classes in (2, 3, 4, 5))),
        fails=(
            NearMiss(
                "for three classes the risk scales by 1 - 2 eta, as for two",
                Identity(
                    {**kinds("positive", "p", classes=3), **names("l", 3, "real"), "eta": "rate"},
                    noisy_risk(3),
                    affine_risk(3, lambda v: 2 * v.eta),
                ),
            ),
            NearMiss(
                "the order stays for every eta < 1",
                Smt(
                    {**names("p", 2), **names("lr", 2, "real"), "eta": "rate"},
                    lambda v, m: (
                        losses.risk(costs, [v.l0, v.l1], symmetric(v.eta).on_distribution([v.p0, v.p1]), m)
                        <= losses.risk(costs, [v.r0, v.r1], symmetric(v.eta).on_distribution([v.p0, v.p1]), m)
                    ),
                    lambda v, m: [
                        *on_simplex(v, 2),
                        v.eta < 1,
                        v.l0 + v.l1 == 1,
                        v.r0 + v.r1 == 1,
                        losses.risk(costs, [v.l0, v.l1], [v.p0, v.p1], m)
                        < losses.risk(costs, [v.r0, v.r1], [v.p0, v.p1], m),
                    ],
                ),
                "hypothesis",
            ),
            NearMiss(
                "the square loss keeps the order of two announcements under uniform noise below 1/2",
                Smt(
                    {"p": "rate", "a": "rate", "b": "rate"},
                    lambda v, m: _square_risk(v.a, _quarter_noise(v.p), m) <= _square_risk(v.b, _quarter_noise(v.p), m),
                    lambda v, m: [_square_risk(v.a, [v.p, 1 - v.p], m) < _square_risk(v.b, [v.p, 1 - v.p], m)],
                ),
                "hypothesis",
            ),
        ),
        latex=r"\tilde R = \left(1-\frac{K\eta}{K-1}\right) R + \frac{\eta C}{K-1}",
    ),
    Theorem(
        key="noise.zero_risk_stays_best_of_row_dominant",
        statement="let the costs be non-negative with sum C, at most C / (K - 1) each, and the transition matrix have "
        "eta_jj > eta_jk: in true class j an announcement of clean cost 0 has the least noisy risk, and none other has",
        source="wilton2024, Section 2 (class-conditional noise)",
        scope="K = 2, 3, 4, at each point x; the surplus as a sum of products at K = 4",
        added="the diagonal exceeds every other entry of its row, strictly; equality is not enough",
        holds=All(
            *(tolerant(K) for K in (2, 3)),
            Certificate(
                {**kinds("positive", "t", classes=4), **kinds("count", "s1", "s2", "s3"), "C": "positive"},
                surplus,
                surplus_terms,
                surplus_atoms,
                lambda v, m: [v.t0 > v.t1, v.t0 > v.t2, v.t0 > v.t3],
            ),
        ),
        fails=(
            NearMiss("the diagonal may equal other entries of its row", tolerant(2, strict=False), "hypothesis"),
            NearMiss("single costs may exceed C / (K - 1)", tolerant(3, bounded=False), "hypothesis"),
        ),
    ),
]


def weights(most: int, classes: int) -> list[tuple[int, ...]]:
    """Announcements as integer weights, the smallest first."""
    return list(count_vectors(most, classes))


def noisy_cost(case: tuple[tuple[int, ...], tuple[int, ...]]) -> bool:
    """In true class 0 of two: the noisy risk of one without clean risk is reached by such announcements only."""
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
        lambda: weights(4, K),
        lambda w: cost_sum(losses.zero_one, [Fraction(x, sum(w)) for x in w], EXACT) == K - 1,
    )


ERRATA = [
    Erratum("R-E1", zero_one_sum(2), "loss.cost_sum_is_constant_of_zero_one_at_vertices"),
    Erratum("R-E2", dominant_rows(strict=False), All(dominant_rows(strict=True), tolerant(2), tolerant(3))),
]
