"""The impurity of the negative exponential loss of two classes, ``min(p, 1 - p, lam sqrt(p (1 - p)))``.

Source: wilton2024, Section 4.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import Any

from splitcrit import impurities, losses
from splitcrit.arith import EXACT
from splitcrit.proof import Erratum, Exhaustive, Law, NearMiss, Not, Smt, Theorem
from splitcrit.proofs.common import HALF
from splitcrit.proofs.given import Given, tuned
from splitcrit.proofs.two_class import two_classes


# p is the share of positives, x the exponential of the action, s the square root of p (1 - p).
def risk(v: Any, m: Any) -> Any:
    """The risk of an action; it enters by ``x`` alone, so 1 stands for it."""
    loss = losses.distribution_loss(losses.exponential_cdf(v.lam / 2))
    return losses.risk(loss, 1, [1 - v.p, v.p], Given(m, exp=[(1, v.x), (-1, 1 / v.x)]))


def lesser(v: Any, m: Any) -> Any:
    return m.min((v.p, 1 - v.p))


def infimum(v: Any, m: Any) -> Any:
    return m.min((lesser(v, m), v.lam * v.s))


def eight(
    conclusion: Callable[[Any, Any], Any],
    hypotheses: Callable[[Any], list[Any]] = lambda v: [],
    p: Any = HALF,
    s: Any = HALF,
) -> Smt:
    return Smt(
        {"p": "rate", "lam": "real", "x": "real", "s": "real"},
        conclusion,
        lambda v, m: [v.lam > 0, v.x > 0, v.s >= 0, v.s * v.s == v.p * (1 - v.p), *hypotheses(v)],
        at={"p": p, "lam": Fraction(1), "x": Fraction(1), "s": s},
    )


PARTS = {
    "library": eight(lambda v, m: tuned(impurities.ne(HALF).of, lam=v.lam)([1 - v.p, v.p], m) == infimum(v, m)),
    "bound": eight(lambda v, m: risk(v, m) >= infimum(v, m)),
    "half_log_odds": eight(
        lambda v, m: risk(v, m) <= v.lam * v.s, lambda v: [v.x * (1 - v.p) == v.s, v.p > 0, v.p < 1]
    ),
    "towards_negative": eight(lambda v, m: risk(v, m) <= v.p + v.lam * v.x / 2),
    "towards_positive": eight(lambda v, m: risk(v, m) <= 1 - v.p + v.lam / v.x / 2),
    "not_attained": eight(
        lambda v, m: risk(v, m) > 1 - v.p,
        lambda v: [2 * v.p > 1, 1 - v.p < v.lam * v.s],
        Fraction(4, 5),
        Fraction(2, 5),
    ),
}
NINE_TENTHS = Smt(
    {"x": "real"},
    lambda v, m: risk(SimpleNamespace(x=v.x, p=m.number(Fraction(9, 10)), lam=m.number(1)), m) > Fraction(1, 10),
    lambda v, m: [v.x > 0],
)


def sum_of_costs(least: Fraction) -> Smt:
    """Claim that the two costs of every action sum to at least 1, and neither exceeds 1, from ``least`` on."""

    def costs(v: Any, m: Any) -> list[Any]:
        loss = losses.distribution_loss(losses.exponential_cdf(v.lam / 2))
        return [loss.at(1, k, Given(m, exp=[(1, v.x), (-1, 1 / v.x)])) for k in (0, 1)]

    return Smt(
        {"x": "real", "lam": "real"},
        lambda v, m: m.min((sum(costs(v, m)), 2 - m.max(costs(v, m)))) >= 1,
        lambda v, m: [v.x > 0, v.lam >= least],
    )


def action_zero(v: Any, m: Any) -> Any:
    """State that for lam < 1 the action 0 costs less than 1 in both classes together."""
    loss = losses.distribution_loss(losses.exponential_cdf(v.lam / 2))
    return sum(loss.at(0, k, Given(m, exp=[(0, 1)])) for k in (0, 1)) < 1


def odds(case: tuple[int, int]) -> tuple[Fraction, Fraction]:
    """The share of positives at odds b^2 : a^2, and the square root of ``p (1 - p)``."""
    a, b = case
    return Fraction(b * b, a * a + b * b), Fraction(a * b, a * a + b * b)


def at_half_log_odds(infimum: Callable[[Fraction, Fraction], Any], lam: Fraction = Fraction(1)) -> Exhaustive:
    """Claim that half the log odds, ``x = b / a``, has the stated infimum as its risk."""

    def holds(case: tuple[int, int]) -> bool:
        (a, b), (p, s) = case, odds(case)
        arithmetic = Given(EXACT, exp=[(1, Fraction(b, a)), (-1, Fraction(a, b))])
        return bool(losses.risk(losses.negative_exponential(lam), 1, [1 - p, p], arithmetic) == infimum(p, s))

    return Exhaustive(lambda: product((1, 2, 3), repeat=2), holds)


def lam_nine_tenths(case: tuple[int, int]) -> bool:
    """State that at lam = 9/10 the impurity is misclassification."""
    p, _ = odds(case)
    return bool(impurities.ne(Fraction(9, 10)).of([1 - p, p], EXACT) == min(p, 1 - p))


def mu_from_zero(a: Fraction) -> bool:
    """State that for ``mu >= 0``, that is ``a = exp(-mu) <= 1``, the parameter ``lam = 2 a`` is at most 1."""
    return a > 1 or 2 * a <= 1


SUM = Law(sum_of_costs, least=Fraction(1))
FROM_ONE = eight(lambda v, m: infimum(v, m) == lesser(v, m), lambda v: [v.lam >= 1])
BELOW_ONE = Smt({"lam": "rate"}, action_zero, lambda v, m: [v.lam > 0, v.lam < 1])
SMALLER = Smt(
    {"lam": "rate"},
    lambda v, m: tuned(impurities.ne(HALF).of, lam=v.lam)([m.number(HALF)] * 2, m) < HALF,
    lambda v, m: [v.lam > 0, v.lam < 1],
)
ALWAYS = at_half_log_odds(lambda p, s: min(p, 1 - p, s))
EIGHT = "impurity.ne_is_infimum_risk_of_two_classes"
RANGE = "impurity.negative_exponential_is_conservative_of_lam_from_one"
THEOREMS = [
    Theorem(
        key=EIGHT,
        statement="for every real mu and lam = 2 e^-mu the infimum over real actions of the negative exponential "
        "risk is min(p, 1 - p, lam sqrt(p (1 - p))): half the log odds reaches the last, sure actions approach "
        "the others, which no action attains where they are the smaller ones",
        source="wilton2024, Theorem 8",
        added="infimum instead of minimum",
        holds=two_classes(**PARTS),
        fails=(
            NearMiss("half the log odds always attains it", ALWAYS),
            NearMiss("some action attains it at p = 9/10, lam = 1", Not(NINE_TENTHS)),
            NearMiss("the root has the factor lam / 2", at_half_log_odds(lambda p, s: min(p, 1 - p, s / 4), HALF)),
        ),
    ),
    Theorem(
        key=RANGE,
        statement="for lam >= 1 the two costs of every action sum to at least 1 and the impurity is misclassification;"
        " for 0 < lam < 1 neither, as the action 0 costs lam in both classes together and the impurity at equal shares"
        " is below 1/2, so that the useful range is 0 < lam <= 1, that is mu >= log 2",
        source="wilton2024, Theorem 8 (the range of mu) and Definition 1",
        added="mu >= log 2 instead of mu >= 0",
        holds=two_classes(sum=SUM, from_one=FROM_ONE, below_one=BELOW_ONE, smaller=SMALLER),
        fails=(
            SUM.but("from lam = 9/10 on the costs sum to 1", least=Fraction(9, 10), alters="hypothesis"),
            NearMiss(
                "from lam = 9/10 on it is misclassification",
                Exhaustive(lambda: product((3, 2, 1), repeat=2), lam_nine_tenths),
                "hypothesis",
            ),
        ),
    ),
]

ERRATA = [
    Erratum("R-E11a", Not(NINE_TENTHS), EIGHT),
    Erratum("R-E11b", ALWAYS, EIGHT),
    Erratum("R-E13a", Exhaustive(lambda: (Fraction(1, 4), HALF, Fraction(1)), mu_from_zero), RANGE),
]
