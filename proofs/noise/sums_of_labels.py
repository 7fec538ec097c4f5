"""Sums of independent terms deviate rarely, for every number of them: Hoeffding's inequality and Kearns and Saul's.

A label ``Y`` is 1 with a chance of ``q``, another term lies in [0, 1] and has the mean ``q``; ``u`` is the logarithm of
the mean of ``exp(h (Y - q))``. A chance that a sum of such terms is ``s`` or more is at most ``exp(-t s)`` times the
product of their means at ``h = t d``, for every ``t > 0``; so all that is asked for is a bound on ``u`` by a square of
``h``, and the best ``t``. Derivatives are taken by running the formulas on jets, the values of logarithms and
exponentials being given: `splitcrit.proof.curvature`.

Source: hoeffding1963; kearns1998, with the proof by the concavity of jaakkola2000.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit.proof import All, Certificate, Exhaustive, Identity, Induction, Law, Smt, Theorem
from splitcrit.proof.curvature import Atoms, bend
from splitcrit.proofs.common import HALF, kinds
from splitcrit.proofs.given import slope
from splitcrit.proofs.noise.flips import below
from splitcrit.proofs.noise.inequalities import CALCULUS, EXPONENTIAL, INDEPENDENT

EIGHTH = Fraction(1, 8)
LABEL = {"q": "rate"} | kinds("real", "h", "e", "u")


def spare(v: Any, factor: Any) -> Any:
    """``factor h^2 - u`` as a function of ``h``: ``u = log(1 - q + q exp h) - q h``."""
    return lambda h, m: h * h * factor + h * v.q - m.log(m.exp(h) * v.q + (1 - v.q))


def bends_up(factor: Fraction = EIGHTH) -> Smt:
    """Claim that ``factor h^2 - u`` has a second derivative that is not negative, ``e`` for ``exp h``."""
    return Smt(
        LABEL,
        lambda v, m: bend(lambda h, n: spare(v, factor)(h[0], n), [v.h], [1], Atoms(m, [v.e, v.u])) >= 0,
        lambda v, m: [v.e > 0],
    )


def level_at_zero() -> Smt:
    """Claim that ``h^2/8 - u`` and its derivative are 0 at 0, where ``exp h = 1`` and the logarithm of 1 is 0."""

    def says(v: Any, m: Any) -> Any:
        value = spare(v, EIGHTH)(v.h, Atoms(m, [1 + v.h, v.u]))
        return m.max((m.abs(value), m.abs(slope(spare(v, EIGHTH), v.h, Atoms(m, [1 + v.h, v.u]))))) <= 0

    return Smt(kinds("rate", "q") | kinds("real", "h", "u"), says, lambda v, m: [v.h == 0, v.u == 0])


def below_chord(sign: int = 1) -> Smt:
    """Claim that ``exp(h x)`` bends up in ``x``, so that its mean over [0, 1] is at most that of a label."""
    return Smt(
        LABEL,
        lambda v, m: sign * bend(lambda x, n: n.exp(x[0] * v.h), [v.q], [1], Atoms(m, [v.e])) >= 0,
        lambda v, m: [v.e > 0],
    )


def adds_up() -> Induction:
    """Claim for every number of labels that ``u <= c (t d)^2`` of each adds up: to ``c t^2`` times the sum of d^2."""

    def room(squares: Any, logs: Any, v: Any) -> Any:
        return v.c * v.t**2 * squares - logs

    return Induction(
        "N",
        {"u": "real", "d": "real"},
        lambda entries, v, m: room(sum(e.d**2 for e in entries), sum(e.u for e in entries), v),
        lambda e, v, m: [e.d**2, e.u],
        lambda sums, v, m: room(sums[0], sums[1], v),
        ">=",
        shared={"c": "rate", "t": "real"},
        least=1,
        where=lambda e, v, m: [e.u <= v.c * v.t**2 * e.d**2],
        terms=lambda v, m: [([], ["spare"])],
        atoms=lambda v, m: {"spare": v.c * v.t**2 * v.d**2 - v.u},
    )


MARKOV = Smt(
    kinds("real", "x", "s", "t", "e"),
    lambda v, m: m.where(v.x >= v.s, 1, 0) <= v.e,
    lambda v, m: [v.t > 0, v.e > 0, v.e >= 1 + v.t * (v.x - v.s)],
)


def best(power: int = 2) -> Identity:
    """Claim that ``-t s + c t^2 D`` is ``-s^2/(4 c D)`` at ``t = s/(2 c D)``: ``-2 s^2/D`` where ``c = 1/8``."""

    def claimed(v: Any, m: Any) -> Any:
        t = v.s / (2 * v.c * v.D)
        return -t * v.s + v.c * t**power * v.D

    positive = lambda v, m: [v.s > 0, v.c > 0, v.D > 0]  # noqa: E731
    return Identity(kinds("real", "s", "c", "D"), claimed, lambda v, m: -(v.s**2) / (4 * v.c * v.D), positive)


# Kearns and Saul's constant (1 - 2q)/(4a) in place of 1/8, where a = log((1 - q)/q) and q < 1/2.


def below_half(v: Any, m: Any) -> list[Any]:
    return [v.q > 0, v.q < HALF, v.a > 0]


def constant(v: Any) -> Any:
    return (1 - 2 * v.q) / (4 * v.a)


def quotient(s: Any, m: Any) -> Any:
    """``tanh(s/2)/(2 s)``."""
    r = m.exp(s)
    return (r - 1) / (2 * (r + 1) * s)


def slope_is(half: Fraction = HALF) -> Identity:
    """Claim that at ``h = a + s`` the derivative of what is spare is ``s`` times how far `quotient` falls from a to s.

    There ``exp h`` is ``r (1 - q)/q`` with ``r = exp s``.
    """

    def derived(v: Any, m: Any) -> Any:
        return slope(spare(v, constant(v)), v.a + v.s, Atoms(m, [v.r * (1 - v.q) / v.q, v.u]))

    def claimed(v: Any, m: Any) -> Any:
        at_a = quotient(v.a, Atoms(m, [(1 - v.q) / v.q]))
        return v.s * (at_a - 2 * half * quotient(v.s, Atoms(m, [v.r])))

    return Identity(
        kinds("rate", "q") | kinds("real", *"asru"),
        derived,
        claimed,
        lambda v, m: [*below_half(v, m), v.s != 0, v.r > 0],
    )


def quotient_falls(factor: int = 1) -> Smt:
    """Claim that `quotient` falls for ``s > 0``, where ``factor s <= (r - 1/r)/2`` of ``r = exp s > 1``."""
    return Smt(
        kinds("real", "s", "r"),
        lambda v, m: slope(quotient, v.s, Atoms(m, [v.r])) <= 0,
        lambda v, m: [v.s > 0, v.r > 1, 2 * factor * v.s * v.r <= v.r**2 - 1],
    )


def mean_above_logarithm(half: Fraction = HALF) -> Smt:
    """Claim that ``(x - 1/x)/2 - log x`` has a derivative that is not negative, so that ``log r`` is below it."""
    return Smt(
        kinds("real", "x", "u"),
        lambda v, m: slope(lambda x, n: (x - 1 / x) * half - n.log(x), v.x, Atoms(m, [v.u])) >= 0,
        lambda v, m: [v.x > 0],
    )


def even(sign: int = 1) -> Identity:
    """Claim that `quotient` is the same of ``-s``, where ``exp(-s) = 1/r``."""
    return Identity(
        kinds("real", "s", "r"),
        lambda v, m: quotient(-v.s, Atoms(m, [1 / v.r])),
        lambda v, m: sign * quotient(v.s, Atoms(m, [v.r])),
        lambda v, m: [v.s != 0, v.r > 0],
    )


def touches(times: int = 2) -> Identity:
    """Claim that nothing is spare at ``h = 2a``: ``exp h = ((1 - q)/q)^2`` makes the logarithm one of (1 - q)/q, a."""
    return Identity(
        kinds("rate", "q") | {"a": "real"},
        lambda v, m: 1 + v.a + spare(v, constant(v))(times * v.a, Atoms(m, [((1 - v.q) / v.q) ** 2, v.a])),
        lambda v, m: 1 + v.a,
        below_half,
    )


ARGUMENT = Identity(
    {"q": "rate"},
    lambda v, m: 1 - v.q + v.q * ((1 - v.q) / v.q) ** 2,
    lambda v, m: (1 - v.q) / v.q,
    lambda v, m: [v.q > 0],
)
SIGN = Certificate(  # s (T(a) - T(s)) has the sign of s - a, where T falls: both differences are of one sign
    kinds("real", "s", "gap", "way"),
    lambda v, m: v.s * v.gap * v.way,
    lambda v, m: [([], ["s", "same"])],
    lambda v, m: {"s": v.s, "same": v.gap * v.way},
    lambda v, m: [v.s > 0, v.gap * v.way >= 0],
)


def eighth(v: Any) -> Any:
    """Hoeffding's constant."""
    return EIGHTH


def exponent(variables: Any, s: Any, squares: Any, claimed: Any, c: Any = eighth, domain: Any = None) -> Identity:
    """Claim that ``s^2/(4 c D)`` is an exponent, all of them functions of the variables."""
    return Identity(
        variables,
        lambda v, m: s(v) ** 2 / (4 * c(v) * squares(v)),
        lambda v, m: claimed(v),
        domain,
    )


# How often a sum deviates, by all its outcomes: for near-misses.
SIGNS = (Fraction(1), Fraction(-1), Fraction(2))
CHANCES = (Fraction(1, 10), HALF, Fraction(4, 5))


def sums(most: int) -> Iterator[tuple[tuple[Fraction, Fraction], ...]]:
    """Yield the chances and weights of up to ``most`` labels."""
    for n in range(1, most + 1):
        yield from product(product(CHANCES, SIGNS), repeat=n)


def deviates(labels: tuple[tuple[Fraction, Fraction], ...], times: int, alike: bool) -> bool:
    """Whether a sum exceeds its mean by ``s`` with a chance of at most ``exp(-times s^2/D)``, for all s."""
    law: dict[Fraction, Fraction] = {}
    for outcome in [(x,) * len(labels) for x in (0, 1)] if alike else product((0, 1), repeat=len(labels)):
        chance = Fraction(1)
        for x, (q, _) in zip(outcome[: 1 if alike else None], labels, strict=False):
            chance *= q if x else 1 - q
        s = sum((d * (x - q) for x, (q, d) in zip(outcome, labels, strict=True)), Fraction(0))
        law[s] = law.get(s, Fraction(0)) + chance
    squares = sum(d * d for _, d in labels)
    return all(
        below(sum((w for x, w in law.items() if x >= s), Fraction(0)), 1, times * s * s / squares) for s in law if s > 0
    )


def deviate_rarely(times: int = 2, alike: bool = False) -> Exhaustive:
    return Exhaustive(lambda: sums(4), lambda labels: deviates(labels, times, alike))


CHORD, BENDS, BEST = Law(below_chord, sign=1), Law(bends_up, factor=EIGHTH), Law(best, power=2)
SLOPE, FALLS, MEAN = Law(slope_is, half=HALF), Law(quotient_falls, factor=1), Law(mean_above_logarithm, half=HALF)
FEW = Law(deviate_rarely, times=2)

THEOREMS = [
    Theorem(
        key="noise.bounded_sums_deviate_rarely",
        statement="of independent Y_i in [0, 1] with means q_i of their own, and any weights d_i, sum d_i (Y_i - q_i)"
        " is s > 0 or more with a chance of at most exp(-2 s^2 / sum d_i^2), whatever their number: exp(h Y) is below"
        " its chord, so that Y may be a label, and the logarithm of the mean of exp(h (Y - q)) is then at most h^2/8,"
        " for it is 0 at 0 with its derivative and bends by at most 1/4",
        source="hoeffding1963, Theorem 2",
        holds=All(chord=CHORD, bends=BENDS, level=level_at_zero(), sum=adds_up(), chance=MARKOV, best=BEST),
        premises=(CALCULUS, EXPONENTIAL, INDEPENDENT),
        fails=(
            CHORD.but("exp(h Y) is above its chord", sign=-1),
            BENDS.but("the logarithm of the mean is at most h^2/9", factor=Fraction(1, 9)),
            BEST.but("t may be cubed", power=3),
            FEW.but("at most exp(-4 s^2 / sum d_i^2)", times=4),
            FEW.but("the labels may all be the same", alike=True, alters="hypothesis"),
        ),
    ),
    Theorem(
        key="noise.sums_of_labels_deviate_rarely_of_kearns_saul",
        statement="of independent labels Y_i, 1 with a chance of q below 1/2, and any weights d_i, sum d_i (Y_i - q) is"
        " s > 0 or more with a chance of at most exp(-s^2 log((1 - q)/q) / ((1 - 2q) sum d_i^2)), whatever their"
        " number: with a = log((1 - q)/q) the logarithm of the mean of exp(h (Y - q)) is at most h^2 (1 - 2q)/(4a),"
        " with equality at h = 0 and 2a, for tanh(s/2)/s falls",
        source="kearns1998; jaakkola2000, for the proof",
        holds=All(
            zero=level_at_zero(), logarithm=MEAN, falls=FALLS, even=even(), slope=SLOPE, sign=SIGN,
            argument=ARGUMENT, touches=touches(), sum=adds_up(), chance=MARKOV, best=BEST,
        ),
        premises=(CALCULUS, EXPONENTIAL, INDEPENDENT),
        fails=(
            MEAN.but("log r is below 2/5 (r - 1/r)", half=Fraction(2, 5)),
            SLOPE.but("the derivative has half of that quotient", half=Fraction(1, 4)),
            Law(touches, times=2).but("equality at h = a", times=1),
            FALLS.but("so it is of all s > 0 and r > 1, whatever exp s is", factor=0, alters="hypothesis"),
        ),
    ),
]  # fmt: skip
