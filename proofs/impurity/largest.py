"""At equal shares of the classes impurities are largest, by the tangent there; the sum of min(x, 1 - x) elsewhere too.

Source: breiman1996, Section 1; wang2024, Definition 1 with eqs. (1)-(5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from splitcrit.impurities import Impurity, bayes_sum, entropy, gini, matushita, misclassification
from splitcrit.losses import risk
from splitcrit.proof import All, Cases, Erratum, Exhaustive, Induction, NearMiss, Premise, Smt, Theorem, only
from splitcrit.proofs.common import compositions
from splitcrit.proofs.given import LOGARITHM, Given, sum_of_parts
from splitcrit.proofs.impurity.generalised import loss_at
from splitcrit.proofs.impurity.pure import at, root


def uniform(classes: int) -> tuple[Fraction, ...]:
    return (Fraction(1, classes),) * classes


# Largest at equal shares u = 1/K: what a class adds lies below its tangent at u, and the shares sum to K u.
def below_tangent(
    impurity: Impurity,
    part: Callable[[Any, Any, Any], Any],
    slope: Callable[[Any, Any], Any],
    hypotheses: Any = lambda e, v, m: [],
    times: Callable[[int, Any, Any], Any] = lambda K, v, m: 1,
) -> Induction:
    """Claim that shares p which sum to K u have at most the impurity of K shares u, both taken ``times``."""

    def formula(entries: Any, v: Any, m: Any) -> Any:
        p, equal = [e.x for e in entries], [v.u for _ in entries]
        known = Given(m, log=[(e.x, e.l) for e in entries], top=v.top)
        even = Given(m, log=[(v.u, v.lu)], top=v.u)
        gap = impurity.of(equal, even) - impurity.of(p, known)
        return times(len(p), v, m) * gap + slope(v, m) * (sum(p) - sum(equal))

    return sum_of_parts(
        {"x": "rate", "l": "real"}, formula, part, {"u": "rate", "lu": "real", "top": "rate"}, 1, where=hypotheses
    )


def entropy_gap(e: Any, v: Any, m: Any) -> Any:
    """``x (u/x - 1 - log(u/x))``."""
    return v.u - e.x - e.x * (v.lu - e.l)


TANGENTS = {
    "gini": below_tangent(gini, lambda e, v, m: (e.x - v.u) ** 2, lambda v, m: -2 * v.u),
    "entropy": below_tangent(entropy, entropy_gap, lambda v, m: -1 - v.lu, lambda e, v, m: [entropy_gap(e, v, m) >= 0]),
    "bayes_sum": below_tangent(
        bayes_sum,
        lambda e, v, m: m.min((v.u, 1 - v.u)) - m.min((e.x, 1 - e.x)) + e.x - v.u,
        lambda v, m: 1,
        lambda e, v, m: [2 * v.u <= 1],
    ),
    "misclassification": below_tangent(
        misclassification,
        lambda e, v, m: v.top - e.x,
        lambda v, m: -1,
        lambda e, v, m: [e.x <= v.top],
        lambda K, v, m: K,
    ),
}


def odds(e: Any, one: str, other: str) -> Any:
    """The share of odds ``one^2 : other^2``, whose root sqrt(x (1 - x)) is rational."""
    return getattr(e, one) ** 2 / (getattr(e, one) ** 2 + getattr(e, other) ** 2)


def of_odds(entries: Any, v: Any, m: Any) -> Any:
    """The same for matushita, times twice the root at u, with shares of odds c^2 : d^2, and u of odds a^2 : b^2."""
    p, u = [odds(e, "c", "d") for e in entries], odds(v, "a", "b")
    gap = matushita.of([u for _ in p], m) - matushita.of(p, m)
    return 2 * root(u, m) * gap + (1 - 2 * u) * (sum(p) - len(p) * u)


def apart(e: Any, v: Any) -> Any:
    return (v.a * e.d - v.b * e.c) ** 2 / ((v.a**2 + v.b**2) * (e.c**2 + e.d**2))


OF_ODDS = sum_of_parts(
    {"c": "positive", "d": "positive"},
    of_odds,
    lambda e, v, m: apart(e, v),
    {"a": "positive", "b": "positive"},
    1,
    terms=lambda v, m: [([v.a * v.d - v.b * v.c], ["1/size"])],
    atoms=lambda v, m: {"1/size": 1 / ((v.a**2 + v.b**2) * (v.c**2 + v.d**2))},
)
# g, h are the values of sqrt_gini at equal shares and elsewhere, d, e those of misclassification.
GROWS = Smt(
    dict.fromkeys(("g", "h", "d", "e", "lam"), "count"),
    lambda v, m: m.min((v.e, v.lam * v.h)) <= m.min((v.d, v.lam * v.g)),
    lambda v, m: [v.h * v.h <= v.g * v.g, v.e <= v.d],
)


def given_power(v: Any, m: Any) -> Given:
    return Given(m, power=[((v.u, v.q), v.z)])


def steps(most: int, classes: int) -> Iterator[tuple[Fraction, ...]]:
    """Yield the distributions whose probabilities are multiples of ``1 / most``."""
    yield from (tuple(Fraction(x, most) for x in c) for c in compositions(most, classes))


EQUAL_COSTS = Induction(
    "K",
    {"x": "rate"},
    lambda entries, v, m: (
        risk(loss_at(v.q), [v.u for _ in entries], [e.x for e in entries], given_power(v, m)),
        (1 - v.z) / v.q * sum(e.x for e in entries),
    ),
    lambda e, v, m: [e.x],
    lambda sums, v, m: (sums[0] * (1 - v.z) / v.q, (1 - v.z) / v.q * sums[0]),
    shared={"u": "positive", "q": "positive", "z": "real"},
)
ONLY_UNIFORM = Exhaustive(
    Cases(steps, N=only(6), K=only(2, 3)),
    lambda p: at(bayes_sum, p) < at(bayes_sum, uniform(len(p))) or p == uniform(len(p)),
)
IS_BAYES_ERROR = Exhaustive(
    Cases(steps, N=only(6), K=only(2, 3)), lambda p: at(bayes_sum, p) == at(misclassification, p)
)


def near_uniform(p: tuple[Fraction, ...]) -> bool:
    """State that misclassification falls from equal shares by the squared distance, as Gini's impurity does."""
    fall = [at(of, uniform(len(p))) - at(of, p) for of in (misclassification, gini)]
    return bool(fall[0] == fall[1])


# In a node whose largest share is M the others are at most 1 - M.
FLAT = Induction(
    "K",
    {"x": "rate"},
    lambda entries, v, m: (
        bayes_sum.of([v.M, *(e.x for e in entries)], m) - m.min((v.M, 1 - v.M)) - sum(e.x for e in entries)
    ),
    lambda e, v, m: [m.min((e.x, 1 - e.x)), e.x],
    lambda sums, v, m: sums[0] - sums[1],
    shared={"M": "rate"},
    least=1,
    where=lambda e, v, m: [e.x <= v.M, e.x <= 1 - v.M],
)


def flat(v: Any, m: Any) -> Any:
    """With the other shares summing to 1 - M: the value, when it is 1, and that it is at least 1 - M."""
    value = m.min((v.M, 1 - v.M)) + 1 - v.M
    return (value == m.min((1, 2 - 2 * v.M))) & ((value == 1) == (2 * v.M <= 1)) & (value >= 1 - v.M)


THEOREMS = [
    Theorem(
        key="impurity.largest_at_equal_shares",
        statement="gini, entropy, misclassification, sqrt_gini, matushita, bayes_sum, gce(q) for 0 < q < 1 and ne(lam)"
        " for lam > 0 are largest at equal shares 1/K of the classes: the first six by the tangent there, sqrt_gini and"
        " ne because they grow with Gini's impurity and with misclassification, gce because the action of equal"
        " probabilities costs (1 - K^-q)/q, the impurity at equal shares, whatever the class",
        source="breiman1996, Section 1; wang2024, Definition 1 with eqs. (1)-(5); wilton2024, Section 4",
        holds=All(**TANGENTS, matushita=OF_ODDS, sqrt_gini_and_ne=GROWS, gce=EQUAL_COSTS),
        fails=(
            NearMiss("the sum of min(x, 1 - x) is largest at the uniform distribution alone", ONLY_UNIFORM),
            NearMiss("the sum of min(x, 1 - x) is the error 1 - max p of the best action", IS_BAYES_ERROR),
            NearMiss(
                "1 - max p is below its value at the uniform distribution by the square of the distance",
                Exhaustive(Cases(steps, N=only(6), K=3), near_uniform),
            ),
        ),
        premises=(
            LOGARITHM,
            Premise("impurity.sqrt_gini_is_strictly_concave", "theorem"),
            Premise("impurity.gce_is_least_risk_of_q_below_one", "theorem"),
        ),
    ),
    Theorem(
        key="impurity.bayes_sum_is_flat_of_no_majority",
        statement="with M the largest share the sum of min(x, 1 - x) is min(1, 2 - 2 M): it is 1 exactly where no class"
        " has more than half, and at least 1 - M",
        source="wang2024, eqs. (3) and (5)",
        holds=All(sum=FLAT, value=Smt({"M": "rate"}, flat)),
        fails=(
            NearMiss("it is 1 at the uniform distribution alone", ONLY_UNIFORM),
            NearMiss("it equals 1 - max p", IS_BAYES_ERROR),
        ),
    ),
]

ERRATA = [Erratum("S-E16", All(ONLY_UNIFORM, IS_BAYES_ERROR), "impurity.bayes_sum_is_flat_of_no_majority")]
