"""Distribution losses ``F(-z)`` of the margin z for two classes: which tail they are, and which losses they contain.

The proofs write ``a`` for ``exp(-mu)``, so that ``lam = 2 a``.
Source: wilton2024, Section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

from splitcrit import losses
from splitcrit.arith import EXACT
from splitcrit.proof import All, Cases, Erratum, Exhaustive, Identity, Law, Premise, Smt, Theorem, upto
from splitcrit.proofs.common import HALF
from splitcrit.proofs.given import Given

MONOTONE = Premise("the exponential grows: exp(s) <= exp(t) exactly if s <= t")


@dataclass(frozen=True)
class Finite:
    """The distribution function of a number drawn uniformly from a list."""

    atoms: tuple[int, ...]

    def __call__(self, x: Any, m: Any) -> Any:
        return Fraction(sum(atom <= x for atom in self.atoms), len(self.atoms))


def laws_and_margins(most: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield uniform laws on some of the integers -1 to 2, each with margins beyond all its atoms and between them."""
    laws = (x for size in range(1, most + 1) for x in combinations_with_replacement((0, 1, -1, 2), size))
    yield from product(laws, (0, 1, -1, 2, -2, 3, -3))


def loss_is(share: Callable[[int, int], bool], symmetric: bool = False) -> Exhaustive:
    """Claim that the loss at margin z is the share of atoms with the property ``share(atom, z)``."""

    def holds(case: tuple[tuple[int, ...], int]) -> bool:
        atoms, z = case
        if symmetric and sorted(-x for x in atoms) != sorted(atoms):
            return True
        cost = losses.distribution_loss(Finite(atoms)).at(z, 1, EXACT)
        return bool(cost == Fraction(sum(share(x, z) for x in atoms), len(atoms)))

    return Exhaustive(SMALL_LAWS, holds)


def bounded_and_falling(case: tuple[tuple[int, ...], int]) -> bool:
    """State that the loss lies in [0, 1], falls in the margin, and is 1 and 0 beyond all atoms."""
    loss = losses.distribution_loss(Finite(case[0]))
    here, later, last, first = (loss.at(z, 1, EXACT) for z in (case[1], case[1] + 1, 4, -4))
    return bool(0 <= later <= here <= 1 and last == 0 and first == 1)


# Lemma 6. Class 1 is the positive one: its margin is the action itself, of which x is the exponential.
def sigmoid_is(form: Callable[[Any], Any]) -> Identity:
    return Identity(
        {"w": "real", "x": "positive"},
        lambda v, m: losses.sigmoid.at(v.w, 1, Given(m, exp=[(v.w, v.x)])),
        lambda v, m: form(v.x),
    )


def ramp_is(slope: Fraction) -> Smt:
    return Smt({"w": "real"}, lambda v, m: losses.ramp.at(v.w, 1, m) == m.max((0, m.min((1, (1 - v.w) * slope)))))


def step_is(at_zero: Fraction) -> Smt:
    """Claim that the loss of the constant 0 is ``(1 - sign z) / 2``, with the given cost at z = 0."""
    return Smt(
        {"w": "real"},
        lambda v, m: (
            losses.margin_zero_one.at(v.w, 1, m) == m.where(v.w > 0, 0, m.where(v.w < 0, 1, m.number(at_zero)))
        ),
    )


def sign_halves(z: int) -> bool:
    """State that the loss of the constant 0 is ``(1 - sign z) / 2`` with sign 0 = 0."""
    return bool(losses.margin_zero_one.at(z, 1, EXACT) == Fraction(1 - (z > 0) + (z < 0), 2))


# Lemma 7. The law of mu - X, X a unit exponential variable: ``a x`` is the exponential of ``z - mu``.
def tail_at(v: Any, m: Any) -> Any:
    """``P(X >= mu - z)``: an exponential variable exceeds t with probability exp(-t), 1 for t below 0."""
    return m.where(v.z <= v.mu, v.a * v.x, 1)


def cdf_is(form: Callable[[Any, Any], Any]) -> Smt:
    return Smt(
        {"z": "real", "mu": "real", "a": "real", "x": "real"},
        lambda v, m: losses.exponential_cdf(v.a)(v.z, Given(m, exp=[(v.z, v.x)])) == form(v, m),
        lambda v, m: [v.a > 0, v.x > 0, (v.z <= v.mu) == (v.a * v.x <= 1)],
    )


def capped_where(capped: Callable[[Any], Any]) -> Smt:
    """Claim that the loss is 1 where capped, elsewhere ``a x``, the exponential of ``-z - mu``."""
    return Smt(
        {"z": "real", "mu": "real", "a": "real", "x": "real"},
        lambda v, m: (
            losses.distribution_loss(losses.exponential_cdf(v.a)).at(v.z, 1, Given(m, exp=[(-v.z, v.x)]))
            == m.where(capped(v), 1, v.a * v.x)
        ),
        lambda v, m: [v.a > 0, v.x > 0, (v.z <= -v.mu) == (v.a * v.x >= 1)],
    )


def library_scale(lam: Fraction) -> Smt:
    """Claim that the library's loss of parameter lam has ``a = lam / 2``."""
    return Smt(
        {"x": "real"},
        lambda v, m: (
            losses.negative_exponential(lam).at(1, 1, Given(m, exp=[(-1, v.x)])) == m.min((1, v.x * m.number(lam) / 2))
        ),
        lambda v, m: v.x > 0,
    )


def larger_mu_caps_more(case: tuple[int, int, int]) -> bool:
    """State that a margin on which the loss is capped for some mu is so for every larger mu."""
    mu, more, z = case
    return more <= mu or z > -mu or z <= -more


SMALL_LAWS = Cases(laws_and_margins, atoms=upto(3))
TAIL = Law(loss_is, share=lambda x, z: -x >= z)
SIGMOID = Law(sigmoid_is, form=lambda x: 1 / (1 + x))
RAMP, STEP = Law(ramp_is, slope=HALF), Law(step_is, at_zero=Fraction(1))
CDF, CAPPED = Law(cdf_is, form=tail_at), Law(capped_where, capped=lambda v: v.z <= -v.mu)
LEMMA_SIX = "impurity.sigmoid_ramp_and_zero_one_are_distribution_losses"
LEMMA_SEVEN = "impurity.negative_exponential_loss_of_shifted_exponential"
THEOREMS = [
    Theorem(
        key="impurity.distribution_loss_is_tail_of_negated_margin",
        statement="the distribution loss F(-z) is the probability that -Z, with Z of law F, is at least z; it lies in "
        "[0, 1], falls in z, and tends to 1 and 0; it is P(Z >= z) if the law is symmetric about 0 (uniform laws on"
        " some of the integers -1, 0, 1, 2, with repetition; margins -3 to 3)",
        source="wilton2024, Section 4 (distribution losses)",
        added="the assumed margin is -Z, or the law is symmetric",
        holds=All(
            tail=TAIL,
            symmetric=loss_is(lambda x, z: x >= z, symmetric=True),
            bounded=Exhaustive(SMALL_LAWS, bounded_and_falling),
        ),
        fails=(
            TAIL.but("it is P(Z >= z) for every law", share=lambda x, z: x >= z, alters="hypothesis"),
            TAIL.but("it is P(-Z > z)", share=lambda x, z: -x > z),
        ),
    ),
    Theorem(
        key=LEMMA_SIX,
        statement="the distribution loss of the standard logistic law is the sigmoid loss 1 / (1 + e^z), of the "
        "uniform law on [-1, 1] the ramp loss, and of the constant 0 the 0-1 loss, where margin 0 counts as an error",
        source="wilton2024, Lemma 6",
        added="sign(0) = -1 in the 0-1 loss",
        holds=All(sigmoid=SIGMOID, ramp=RAMP, zero_one=STEP),
        fails=(
            STEP.but("the 0-1 loss is (1 - sign z) / 2 with sign 0 = 0", at_zero=HALF, alters="hypothesis"),
            SIGMOID.but("the sigmoid loss is 1 / (1 + e^-z)", form=lambda x: 1 / (1 + 1 / x)),
            RAMP.but("the ramp falls with slope 1", slope=Fraction(1)),
        ),
    ),
    Theorem(
        key=LEMMA_SEVEN,
        statement="for a unit exponential X and every real mu the law of mu - X is min(1, e^(z - mu)), and its loss is "
        "min(1, e^(-z - mu)), capped exactly for z <= -mu",
        source="wilton2024, Lemma 7",
        premises=(MONOTONE, Premise("P(X >= t) = exp(-t) for t >= 0")),
        holds=All(law=CDF, loss=CAPPED, library=All(*(library_scale(Fraction(n, 2)) for n in (1, 2, 3, 6)))),
        fails=(
            CDF.but("the law needs no cap", form=lambda v, m: v.a * v.x),
            CAPPED.but("the loss is capped for z <= mu", capped=lambda v: v.z <= v.mu),
        ),
    ),
]

ERRATA = [
    Erratum("R-E7", Exhaustive(lambda: (1, -1, 0), sign_halves), LEMMA_SIX),
    Erratum("R-E8", loss_is(lambda x, z: x >= z), "impurity.distribution_loss_is_tail_of_negated_margin"),
    Erratum("R-E13b", Exhaustive(lambda: product(range(3), range(3), range(-3, 1)), larger_mu_caps_more), LEMMA_SEVEN),
]
