"""Distribution losses ``F(-z)`` for two classes, and the negative exponential loss with its impurity.

Main results: which tail a distribution loss is; Lemma 6 with the value at margin 0; Lemma 7; Theorem 8 for every real
``mu``, as an infimum that need not be attained; from ``lam = 1`` on nothing but misclassification.
The proofs write ``a`` for ``exp(-mu)``, so that ``lam = 2 a``, and ``x`` for the exponential of the announcement.
Source: wilton2024, Section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from types import SimpleNamespace
from typing import Any

from splitcrit import impurities, losses
from splitcrit.arith import EXACT
from splitcrit.proof import All, Erratum, Exhaustive, Identity, NearMiss, Not, Smt, Theorem
from splitcrit.proofs.wilton2024.terms import HALF, Given, tuned

MONOTONE = "the exponential grows: exp(s) <= exp(t) exactly if s <= t"


# Tails.


@dataclass(frozen=True)
class Finite:
    """The distribution function of a number drawn uniformly from a list."""

    atoms: tuple[int, ...]

    def __call__(self, x: Any, m: Any) -> Any:
        return Fraction(sum(atom <= x for atom in self.atoms), len(self.atoms))


def laws_and_margins() -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield small laws on the integers, each with margins beyond all its atoms and between them."""
    laws = (atoms for size in (1, 2, 3) for atoms in combinations_with_replacement((0, 1, -1, 2), size))
    yield from product(laws, (0, 1, -1, 2, -2, 3, -3))


def loss_is(share: Callable[[int, int], bool], symmetric: bool = False) -> Exhaustive:
    """The distribution loss at margin z is the share of atoms with the property ``share(atom, z)``."""

    def holds(case: tuple[tuple[int, ...], int]) -> bool:
        atoms, z = case
        if symmetric and sorted(-x for x in atoms) != sorted(atoms):
            return True
        cost = losses.distribution_loss(Finite(atoms)).at(z, 1, EXACT)
        return bool(cost == Fraction(sum(share(x, z) for x in atoms), len(atoms)))

    return Exhaustive(laws_and_margins, holds)


def bounded_and_falling(case: tuple[tuple[int, ...], int]) -> bool:
    """The loss lies in [0, 1], falls in the margin, and is 1 and 0 beyond all atoms."""
    loss = losses.distribution_loss(Finite(case[0]))
    here, later, last, first = (loss.at(z, 1, EXACT) for z in (case[1], case[1] + 1, 4, -4))
    return bool(0 <= later <= here <= 1 and last == 0 and first == 1)


# Lemma 6. Class 1 is the positive one: its margin is the announcement itself.


def sigmoid_is(form: Callable[[Any], Any]) -> Identity:
    """``form(x)`` with x the exponential of the margin."""
    return Identity(
        {"w": "real", "x": "positive"},
        lambda v, m: losses.sigmoid.at(v.w, 1, Given(m, exp=[(v.w, v.x)])),
        lambda v, m: form(v.x),
    )


def ramp_is(form: Callable[[Any, Any], Any]) -> Smt:
    return Smt({"w": "real"}, lambda v, m: losses.ramp.at(v.w, 1, m) == form(v.w, m))


def step_is(at_zero: Any) -> Smt:
    """The loss of the constant 0 is ``(1 - sign z) / 2``, with the given cost at z = 0."""
    return Smt(
        {"w": "real"},
        lambda v, m: (
            losses.margin_zero_one.at(v.w, 1, m) == m.where(v.w > 0, 0, m.where(v.w < 0, 1, m.number(at_zero)))
        ),
    )


# Lemma 7.


def cdf_is(form: Callable[[Any, Any], Any]) -> Smt:
    """The law of ``mu - X``, X a unit exponential variable: ``a x`` is the exponential of ``z - mu``."""
    return Smt(
        {"z": "real", "mu": "real", "a": "real", "x": "real"},
        lambda v, m: losses.exponential_cdf(v.a)(v.z, Given(m, exp=[(v.z, v.x)])) == form(v, m),
        lambda v, m: [v.a > 0, v.x > 0, (v.z <= v.mu) == (v.a * v.x <= 1)],
    )


def survival(v: Any, m: Any) -> Any:
    """``P(X >= mu - z)``: an exponential variable exceeds t with probability exp(-t), 1 for t below 0."""
    return m.where(v.z <= v.mu, v.a * v.x, 1)


def loss_where(capped: Callable[[Any], Any]) -> Smt:
    """The loss is 1 where capped, elsewhere ``a x``, the exponential of ``-z - mu``."""
    return Smt(
        {"z": "real", "mu": "real", "a": "real", "x": "real"},
        lambda v, m: (
            losses.distribution_loss(losses.exponential_cdf(v.a)).at(v.z, 1, Given(m, exp=[(-v.z, v.x)]))
            == m.where(capped(v), 1, v.a * v.x)
        ),
        lambda v, m: [v.a > 0, v.x > 0, (v.z <= -v.mu) == (v.a * v.x >= 1)],
    )


def library_scale(lam: Fraction) -> Smt:
    """The library's loss of parameter lam has ``a = lam / 2``."""
    return Smt(
        {"x": "real"},
        lambda v, m: (
            losses.negative_exponential(lam).at(1, 1, Given(m, exp=[(-1, v.x)])) == m.min((1, v.x * m.number(lam) / 2))
        ),
        lambda v, m: [v.x > 0],
    )


# Theorem 8: p is the share of positives, x the exponential of the announcement, s the square root of p (1 - p).


def risk(v: Any, m: Any) -> Any:
    """The risk of an announcement; it enters by ``x`` alone, so 1 stands for it."""
    loss = losses.distribution_loss(losses.exponential_cdf(v.lam / 2))
    return losses.risk(loss, 1, [1 - v.p, v.p], Given(m, exp=[(1, v.x), (-1, 1 / v.x)]))


def lesser(v: Any, m: Any) -> Any:
    return m.min((v.p, 1 - v.p))


def root(v: Any) -> list[Any]:
    return [v.lam > 0, v.x > 0, v.s >= 0, v.s * v.s == v.p * (1 - v.p)]


def eight(conclusion: Callable[[Any, Any], Any], *extra: Callable[[Any], Any]) -> Smt:
    return Smt(
        {"p": "rate", "lam": "real", "x": "real", "s": "real"},
        conclusion,
        lambda v, m: [*root(v), *(condition(v) for condition in extra)],
    )


def best_inside(v: Any) -> Any:
    """The announcement is half the log odds."""
    return v.x * (1 - v.p) == v.s


def face_is_formula(v: Any, m: Any) -> Any:
    of = tuned(impurities.ne(HALF).of, lam=v.lam)
    return of([1 - v.p, v.p], m) == m.min((lesser(v, m), v.lam * v.s))


LOWER = eight(lambda v, m: risk(v, m) >= m.min((lesser(v, m), v.lam * v.s)))
INSIDE = eight(lambda v, m: risk(v, m) <= v.lam * v.s, best_inside, lambda v: v.p > 0, lambda v: v.p < 1)
TOWARDS_NEGATIVE = eight(lambda v, m: risk(v, m) <= v.p + v.lam * v.x / 2)
TOWARDS_POSITIVE = eight(lambda v, m: risk(v, m) <= 1 - v.p + v.lam / v.x / 2)
NOT_ATTAINED = eight(lambda v, m: risk(v, m) > 1 - v.p, lambda v: 2 * v.p > 1, lambda v: 1 - v.p < v.lam * v.s)
NINE_TENTHS = Smt(
    {"x": "real"},
    lambda v, m: risk(SimpleNamespace(x=v.x, p=m.number(Fraction(9, 10)), lam=m.number(1)), m) > Fraction(1, 10),
    lambda v, m: [v.x > 0],
)


def sum_of_costs(least: Fraction) -> Smt:
    """The two costs of every announcement sum to at least 1, and neither exceeds 1, once lam is large enough."""

    def costs(v: Any, m: Any) -> list[Any]:
        loss = losses.distribution_loss(losses.exponential_cdf(v.lam / 2))
        return [loss.at(1, k, Given(m, exp=[(1, v.x), (-1, 1 / v.x)])) for k in (0, 1)]

    return Smt(
        {"x": "real", "lam": "real"},
        lambda v, m: m.min((sum(costs(v, m)), 2 - m.max(costs(v, m)))) >= 1,
        lambda v, m: [v.x > 0, v.lam >= least],
    )


def from_one(v: Any, m: Any) -> Any:
    return m.min((lesser(v, m), v.lam * v.s)) == lesser(v, m)


# Errata by enumeration, so that the witness is the smallest.


def sign_halves(z: int) -> bool:
    """The loss of the constant 0 is ``(1 - sign z) / 2`` with sign 0 = 0."""
    return bool(losses.margin_zero_one.at(z, 1, EXACT) == Fraction(1 - (z > 0) + (z < 0), 2))


def odds(case: tuple[int, int]) -> tuple[Fraction, Fraction]:
    """Return the share of positives at odds b^2 : a^2, and the square root of ``p (1 - p)``."""
    a, b = case
    return Fraction(b * b, a * a + b * b), Fraction(a * b, a * a + b * b)


def at_half_log_odds(infimum: Callable[[Fraction, Fraction], Any], lam: Fraction = Fraction(1)) -> Exhaustive:
    """Half the log odds, ``x = b / a``, has the stated infimum as its risk."""

    def holds(case: tuple[int, int]) -> bool:
        (a, b), (p, s) = case, odds(case)
        given = Given(EXACT, exp=[(1, Fraction(b, a)), (-1, Fraction(a, b))])
        return bool(losses.risk(losses.negative_exponential(lam), 1, [1 - p, p], given) == infimum(p, s))

    return Exhaustive(lambda: product((1, 2, 3), repeat=2), holds)


def lam_nine_tenths(case: tuple[int, int]) -> bool:
    """At lam = 9/10 the impurity is misclassification."""
    p, _ = odds(case)
    return bool(impurities.ne(Fraction(9, 10)).of([1 - p, p], EXACT) == min(p, 1 - p))


def mu_from_zero(a: Fraction) -> bool:
    """For ``mu >= 0``, that is ``a = exp(-mu) <= 1``, the parameter ``lam = 2 a`` is at most 1."""
    return a > 1 or 2 * a <= 1


def larger_mu_caps_more(case: tuple[int, int, int]) -> bool:
    """A margin on which the loss is capped for some mu is so for every larger mu."""
    mu, more, z = case
    return more <= mu or z > -mu or z <= -more


THEOREMS = [
    Theorem(
        key="distribution.loss_is_tail_of_negated_margin",
        statement="the distribution loss F(-z) is the probability that -Z, with Z of law F, is at least z; it lies in "
        "[0, 1], falls in z, and tends to 1 and 0; it is P(Z >= z) if the law is symmetric about 0",
        source="wilton2024, Section 4 (distribution losses)",
        scope="uniform laws on at most three of the integers -1, 0, 1, 2, with repetition; margins -3 to 3",
        added="the assumed margin is -Z, or the law is symmetric",
        holds=All(
            loss_is(lambda x, z: -x >= z),
            loss_is(lambda x, z: x >= z, symmetric=True),
            Exhaustive(laws_and_margins, bounded_and_falling),
        ),
        fails=(
            NearMiss("it is P(Z >= z) for every law", loss_is(lambda x, z: x >= z), "hypothesis"),
            NearMiss("it is P(-Z > z)", loss_is(lambda x, z: -x > z)),
        ),
    ),
    Theorem(
        key="distribution.standard_losses_of_bernoulli_logistic_uniform",
        statement="the distribution loss of the standard logistic law is the sigmoid loss 1 / (1 + e^z), of the "
        "uniform law on [-1, 1] the ramp loss, and of the constant 0 the 0-1 loss, where margin 0 counts as an error",
        source="wilton2024, Lemma 6",
        scope="every real margin",
        added="sign(0) = -1 in the 0-1 loss",
        holds=All(
            sigmoid_is(lambda x: 1 / (1 + x)),
            ramp_is(lambda w, m: m.max((0, m.min((1, (1 - w) / 2))))),
            step_is(1),
        ),
        fails=(
            NearMiss("the 0-1 loss is (1 - sign z) / 2 with sign 0 = 0", step_is(HALF), "hypothesis"),
            NearMiss("the sigmoid loss is 1 / (1 + e^-z)", sigmoid_is(lambda x: 1 / (1 + 1 / x))),
            NearMiss("the ramp falls with slope 1", ramp_is(lambda w, m: m.max((0, m.min((1, 1 - w)))))),
        ),
    ),
    Theorem(
        key="distribution.negative_exponential_of_shifted_exponential",
        statement="for a unit exponential X and every real mu the law of mu - X is min(1, e^(z - mu)), and its loss is "
        "min(1, e^(-z - mu)), capped exactly for z <= -mu",
        source="wilton2024, Lemma 7",
        scope="every real mu and z",
        premises=(MONOTONE, "P(X >= t) = exp(-t) for t >= 0"),
        holds=All(
            cdf_is(survival),
            loss_where(lambda v: v.z <= -v.mu),
            *(library_scale(Fraction(n, 2)) for n in (1, 2, 3, 6)),
        ),
        fails=(
            NearMiss("the law needs no cap", cdf_is(lambda v, m: v.a * v.x)),
            NearMiss("the loss is capped for z <= mu", loss_where(lambda v: v.z <= v.mu)),
        ),
        latex=r"\ell(z) = \min\{1, e^{-z-\mu}\}",
    ),
    Theorem(
        key="distribution.ne_impurity_is_infimum_risk",
        statement="for every real mu and lam = 2 e^-mu the infimum over real announcements of the negative exponential "
        "risk is min(p, 1 - p, lam sqrt(p (1 - p))): half the log odds reaches the last, sure announcements approach "
        "the others, which no announcement attains where they are the smaller ones",
        source="wilton2024, Theorem 8",
        scope="K = 2, every lam > 0, so every real mu",
        added="infimum instead of minimum",
        holds=All(
            LOWER,
            INSIDE,
            TOWARDS_NEGATIVE,
            TOWARDS_POSITIVE,
            NOT_ATTAINED,
            eight(face_is_formula),
        ),
        fails=(
            NearMiss("half the log odds always attains it", at_half_log_odds(lambda p, s: min(p, 1 - p, s))),
            NearMiss("some announcement attains it at p = 9/10, lam = 1", Not(NINE_TENTHS)),
            NearMiss("the root has the factor lam / 2", at_half_log_odds(lambda p, s: min(p, 1 - p, s / 4), HALF)),
        ),
        latex=r"\inf_{\hat y}R(\hat y;S) = W_S\min\{p_+,p_-,\lambda\sqrt{p_+p_-}\}",
    ),
    Theorem(
        key="distribution.ne_loss_is_conservative_of_lam_from_one",
        statement="for lam >= 1 the two costs of every announcement sum to at least 1 and the impurity is "
        "misclassification; for lam < 1 neither, so that the useful range is 0 < lam <= 1, that is mu >= log 2",
        source="wilton2024, Theorem 8 (the range of mu) and Definition 1",
        scope="K = 2, every lam",
        added="mu >= log 2 instead of mu >= 0",
        holds=All(
            sum_of_costs(Fraction(1)),
            eight(from_one, lambda v: v.lam >= 1),
            Smt({"lam": "rate"}, lambda v, m: v.lam / 2 + v.lam / 2 < 1, lambda v, m: [v.lam < 1]),
        ),
        fails=(
            NearMiss("from lam = 9/10 on the costs sum to 1", sum_of_costs(Fraction(9, 10)), "hypothesis"),
            NearMiss(
                "from lam = 9/10 on it is misclassification",
                Exhaustive(lambda: product((3, 2, 1), repeat=2), lam_nine_tenths),
                "hypothesis",
            ),
        ),
    ),
]

ERRATA = [
    Erratum(
        "R-E7",
        Exhaustive(lambda: (1, -1, 0), sign_halves),
        "distribution.standard_losses_of_bernoulli_logistic_uniform",
    ),
    Erratum("R-E8", loss_is(lambda x, z: x >= z), "distribution.loss_is_tail_of_negated_margin"),
    Erratum("R-E11a", Not(NINE_TENTHS), "distribution.ne_impurity_is_infimum_risk"),
    Erratum("R-E11b", at_half_log_odds(lambda p, s: min(p, 1 - p, s)), "distribution.ne_impurity_is_infimum_risk"),
    Erratum(
        "R-E13a",
        Exhaustive(lambda: (Fraction(1, 4), HALF, Fraction(1)), mu_from_zero),
        "distribution.ne_loss_is_conservative_of_lam_from_one",
    ),
    Erratum(
        "R-E13b",
        Exhaustive(lambda: product(range(3), range(3), range(-3, 1)), larger_mu_caps_more),
        "distribution.negative_exponential_of_shifted_exponential",
    ),
]
