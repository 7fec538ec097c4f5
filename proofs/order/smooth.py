"""Gini alone among the smooth impurities keeps the order of splits under class-conditional noise of two rates."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.criteria import decrease
from splitcrit.impurities import Impurity, gini, misclassification
from splitcrit.proof import Exhaustive, Identity, NearMiss, Not, Premise, Smt, Theorem
from splitcrit.proofs.common import gini_decrease, kinds, noisy
from splitcrit.proofs.noise.class_conditional import share
from splitcrit.proofs.noise.scaling import CLASS_CONDITIONAL, kept
from splitcrit.proofs.order.search import Noise, at_rate, none_swap, swapped, uniformly
from splitcrit.proofs.two_class import two_classes

RATE = Fraction(3, 10)
UNIFORM = Noise("under uniform noise", 2, uniformly, RATE)
DERIVATIVES = kinds("real", "f0", "f1", "f2", "f3", "f4")
HERE = kinds("rate", "p") | kinds("positive", "u", "v")
RATES = kinds("rate", "tau_pos", "tau_neg")


@dataclass(frozen=True)
class Polynomial:
    """The polynomial ``sum_i c_i (x - centre)^i / i!`` of the share ``x`` of positives."""

    coefficients: tuple[Any, ...]
    centre: Any

    def __call__(self, p: Any, m: Any) -> Any:
        step, power, value, factorial = p[1] - self.centre, 1, 0, 1
        for i, c in enumerate(self.coefficients):
            factorial = factorial * max(i, 1)
            value = value + c * power / factorial
            power = power * step
        return value


def gain(coefficients: tuple[Any, ...], centre: Any, table: Any, m: Any) -> Any:
    return decrease(Impurity("polynomial", Polynomial(coefficients, centre))).score(table, m)


def around(p: Any, u: Any, v: Any) -> list[list[Any]]:
    """The split of a node with share ``p`` into shares ``p - u`` and ``p + v``."""
    return [[v * (1 - p + u), v * (p - u)], [u * (1 - p - v), u * (p + v)]]


def of_degree_four(v: Any) -> tuple[Any, ...]:
    return v.f0, v.f1, v.f2, v.f3, v.f4


def local_formula(v: Any, m: Any) -> Any:
    """``-u v [phi''/2 + phi''' (v - u)/6 + phi'''' (u^2 - u v + v^2)/24]``."""
    return -v.u * v.v * (v.f2 / 2 + v.f3 * (v.v - v.u) / 6 + v.f4 * (v.u**2 - v.u * v.v + v.v**2) / 24)


def mirrored(formula: Any) -> Identity:
    """Claim by how much ``(e t (1 + e d), e s)`` gains more than its mirror image ``(e s, e t)``."""

    def compared(v: Any, m: Any) -> Any:
        cubic, wide, narrow = (v.f0, v.f1, v.f2, v.f3), v.e * v.t * (1 + v.e * v.d), v.e * v.s
        one, two = around(v.p, wide, narrow), around(v.p, narrow, v.e * v.t)
        return gain(cubic, v.p, one, m) - gain(cubic, v.p, two, m)

    return Identity(MIRRORED, compared, formula, lambda v, m: [1 + v.e * v.d != 0, v.s + v.t * (1 + v.e * v.d) != 0])


def leading(v: Any) -> Any:
    """``-s t [d phi''/2 + phi''' (s - t)/3]``: its sign decides which of the two gains more, for small e."""
    return -v.s * v.t * (v.d * v.f2 / 2 + v.f3 * (v.s - v.t) / 3)


def mirrored_formula(v: Any, m: Any) -> Any:
    rest = v.e**4 * v.d * v.f3 * v.s * v.t * (2 * v.t - v.s) / 6 + v.e**5 * v.d**2 * v.f3 * v.s * v.t**2 / 6
    return v.e**3 * leading(v) + rest


def noisy_gain(v: Any, m: Any) -> Any:
    return gain(of_degree_four(v), share(v, v.p), noisy(around(v.p, v.u, v.v), CLASS_CONDITIONAL.at(v)), m)


def pulled_back(v: Any, m: Any) -> Any:
    """The clean gain of the polynomial with derivatives ``k^i phi^(i)`` at ``T p``."""
    scaled = tuple(kept(v, 2) ** i * f for i, f in enumerate(of_degree_four(v)))
    return gain(scaled, v.p, around(v.p, v.u, v.v), m)


def fixed(v: Any) -> Any:
    """The fixed point of T."""
    return v.tau_neg / (v.tau_pos + v.tau_neg)


EXPANSION = Identity(
    DERIVATIVES | HERE, lambda v, m: gain(of_degree_four(v), v.p, around(v.p, v.u, v.v), m), local_formula
)
MIRRORED = kinds("real", "f0", "f1", "f2", "f3", "d") | kinds("rate", "p") | kinds("positive", "e", "s", "t")
CONTRACTION = Identity(
    kinds("rate", "p") | RATES,
    lambda v, m: share(v, v.p) - fixed(v),
    lambda v, m: kept(v, 2) * (v.p - fixed(v)),
    lambda v, m: v.tau_pos + v.tau_neg > 0,
)
INSIDE = Smt(
    RATES,
    lambda v, m: m.min((fixed(v), 1 - fixed(v), 1 - m.abs(kept(v, 2)))) > 0,
    lambda v, m: [v.tau_pos > 0, v.tau_neg > 0, v.tau_pos + v.tau_neg < 2],
)


def quadratic(impurity: Impurity) -> bool:
    """Whether the third difference on twelfths of the unit interval vanishes."""
    at = [impurity.of([1 - Fraction(i, 12), Fraction(i, 12)], EXACT) for i in range(13)]
    return all(at[i + 3] - 3 * at[i + 2] + 3 * at[i + 1] - at[i] == 0 for i in range(10))


def quadratic_or_swaps(impurity: Impurity) -> bool:
    verdict = none_swap(decrease(impurity), UNIFORM, range(2, 7)).settle()
    return quadratic(impurity) or bool(verdict.witness)


def scales_or_is_constant(theta: int) -> bool:
    """Tell that ``phi''(p/2) = c phi''(p)`` forces a constant, for ``phi'' = -p^-theta``."""
    points = [Fraction(i, 6) for i in range(1, 6)]
    ratios = {(p / 2) ** -theta / p**-theta for p in points}
    return len(ratios) > 1 or len({p**-theta for p in points}) == 1


bent = decrease(Impurity("p q + (p q)^2 / 2", lambda p, m: p[0] * p[1] + p[0] * p[0] * p[1] * p[1] / 2))
nine = range(9, 10)

THEOREMS = [
    Theorem(
        key="order.smooth_impurity_that_keeps_it_is_gini",
        statement="let phi be three times continuously differentiable on (0, 1) with phi'' < 0, and let noise with"
        " tau_pos, tau_neg > 0 and tau_pos + tau_neg != 1, < 2 keep the order of any two splits of any node: then phi"
        " is quadratic, that is Gini's impurity up to scale and linear terms. Settled, of polynomials of degree 4 and"
        " 3: the expansion of the gain; the sign of d phi''/2 + phi'''(s - t)/3 decides between two nearly mirrored"
        " splits; noise multiplies phi'' by k^2 and phi''' by k^3; T p - p* = k (p - p*) with p* inside (0, 1)",
        source="beyond, uniqueness of Gini",
        holds=two_classes(
            expansion=EXPANSION,
            mirrored=mirrored(mirrored_formula),
            noise=Identity(DERIVATIVES | HERE | RATES, noisy_gain, pulled_back),
            contraction=CONTRACTION,
            fixed_point=INSIDE,
        ),
        fails=(
            NearMiss(
                "concave impurities that keep the order are quadratic, smooth or not",
                Exhaustive(lambda: [gini, misclassification], quadratic_or_swaps),
                "hypothesis",
            ),
            NearMiss(
                "the same for one-sided noise, whose fixed point is an end: phi''(k p) = c phi''(p) forces a constant",
                Exhaustive(lambda: (0, 1, 2), scales_or_is_constant),
                "hypothesis",
            ),
            NearMiss(
                "the third derivative alone decides between the two splits: to third order they differ by its term",
                mirrored(lambda v, m: -(v.e**3) * v.s * v.t * v.f3 * (v.s - v.t) / 3),
            ),
        ),
        premises=(
            Premise("Taylor's theorem with remainder"),
            Premise(
                "equal signs for all d make phi'''/phi'' at p equal to k phi'''/phi'' at T p, so phi''(T p) = c phi''("
                "p); c = 1 at the fixed point; iterating T, continuity makes phi'' constant; by hand, for the checker "
                "knows no limits",
                kind="hand",
            ),
        ),
    ),
    Theorem(
        key="order.smooth_impurity_near_gini_swaps_of_uniform",
        statement="at eta = 3/10 the gain of p q + (p q)^2/2 lets two splits of nine examples of two classes change "
        "places",
        source="beyond, uniqueness of Gini",
        holds=two_classes(Not(none_swap(bent, UNIFORM, nine))),
        fails=(
            NearMiss("the Gini gain does so too", Not(none_swap(gini_decrease, UNIFORM, nine))),
            NearMiss(
                "the same two splits change places at eta = 1/1000",
                Exhaustive(lambda: [at_rate(bent, UNIFORM, 9)], swapped),
                "hypothesis",
            ),
        ),
    ),
]
