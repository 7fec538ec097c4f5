"""Which impurities keep the order of splits under label noise: Gini alone among the smooth ones.

Main results: the third-order expansion that forces a smooth impurity to be quadratic; tolerant families that are not
smooth, or tolerant to one-sided noise only.
Source: beyond.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.criteria import Criterion, decrease
from splitcrit.impurities import Impurity, entropy, gini, misclassification, sqrt_gini
from splitcrit.noise import class_conditional, symmetric
from splitcrit.proof import All, Exhaustive, Identity, NearMiss, Sign, Smt, Theorem
from splitcrit.proofs.beyond.laws import Split, nodes, splits, splits_of
from splitcrit.proofs.beyond.logs import LOGS
from splitcrit.proofs.common import exactly, kinds, noisy, score

RATE = Fraction(3, 10)
RATES = (Fraction(1, 10), RATE, Fraction(1, 2), Fraction(4, 5))


@dataclass(frozen=True)
class Jet:
    """The polynomial ``sum_i c_i (x - centre)^i / i!`` of the share ``x`` of positives."""

    coefficients: tuple[Any, ...]
    centre: Any

    def __call__(self, p: Any, m: Any) -> Any:
        step, power, found, factorial = p[1] - self.centre, 1, 0, 1
        for i, c in enumerate(self.coefficients):
            factorial = factorial * max(i, 1)
            found = found + c * power / factorial
            power = power * step
        return found


def around(p: Any, u: Any, v: Any) -> list[list[Any]]:
    """Return the split of a node with share ``p`` into shares ``p - u`` and ``p + v``."""
    return [[v * (1 - p + u), v * (p - u)], [u * (1 - p - v), u * (p + v)]]


def jet_gain(coefficients: tuple[Any, ...], centre: Any, table: Any, m: Any) -> Any:
    return decrease(Impurity("jet", Jet(coefficients, centre))).score(table, m)


JET = kinds("real", "f0", "f1", "f2", "f3", "f4")
HERE = {"p": "rate", "u": "positive", "v": "positive"}


def local_gain(v: Any, m: Any) -> Any:
    return jet_gain((v.f0, v.f1, v.f2, v.f3, v.f4), v.p, around(v.p, v.u, v.v), m)


def local_formula(v: Any, m: Any) -> Any:
    """Return ``-u v [phi''/2 + phi''' (v - u)/6 + phi'''' (u^2 - u v + v^2)/24]``."""
    return -v.u * v.v * (v.f2 / 2 + v.f3 * (v.v - v.u) / 6 + v.f4 * (v.u**2 - v.u * v.v + v.v**2) / 24)


COMPARED = kinds("real", "f0", "f1", "f2", "f3", "d") | {"p": "rate"} | kinds("positive", "e", "s", "t")


def compared(v: Any, m: Any) -> Any:
    """Return how much more ``(e t (1 + e d), e s)`` gains than its mirror image ``(e s, e t)``."""
    jet = (v.f0, v.f1, v.f2, v.f3)
    wide, narrow = v.e * v.t * (1 + v.e * v.d), v.e * v.s
    return jet_gain(jet, v.p, around(v.p, wide, narrow), m) - jet_gain(jet, v.p, around(v.p, narrow, v.e * v.t), m)


def leading(v: Any) -> Any:
    """Return ``-s t [d phi''/2 + phi''' (s - t)/3]``: its sign decides which of the two gains more, for small e."""
    return -v.s * v.t * (v.d * v.f2 / 2 + v.f3 * (v.s - v.t) / 3)


def compared_formula(v: Any, m: Any) -> Any:
    rest = v.e**4 * v.d * v.f3 * v.s * v.t * (2 * v.t - v.s) / 6 + v.e**5 * v.d**2 * v.f3 * v.s * v.t**2 / 6
    return v.e**3 * leading(v) + rest


def nonzero(v: Any, m: Any) -> list[Any]:
    return [1 + v.e * v.d != 0, v.s + v.t * (1 + v.e * v.d) != 0]


TWO_RATES = kinds("rate", "tau_pos", "tau_neg")


def image(v: Any, p: Any) -> Any:
    """Return the noisy share of positives."""
    return class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg).on_distribution([1 - p, p])[1]


def noisy_gain(v: Any, m: Any) -> Any:
    channel = class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg)
    seen = noisy(around(v.p, v.u, v.v), channel)
    return jet_gain((v.f0, v.f1, v.f2, v.f3, v.f4), image(v, v.p), seen, m)


def pulled_back(v: Any, m: Any) -> Any:
    """Return the clean gain of the jet with derivatives ``k^i phi^(i)`` at ``T p``."""
    k = 1 - v.tau_pos - v.tau_neg
    jet = (v.f0, k * v.f1, k**2 * v.f2, k**3 * v.f3, k**4 * v.f4)
    return jet_gain(jet, v.p, around(v.p, v.u, v.v), m)


def contraction(v: Any, m: Any) -> Any:
    """Return ``T p - p*`` with ``p* = tau_neg/(tau_pos + tau_neg)``."""
    return image(v, v.p) - v.tau_neg / (v.tau_pos + v.tau_neg)


def contracted(v: Any, m: Any) -> Any:
    return (1 - v.tau_pos - v.tau_neg) * (v.p - v.tau_neg / (v.tau_pos + v.tau_neg))


def fixed_point(v: Any, m: Any) -> Any:
    """State that the fixed point is inside the unit interval, and that T contracts."""
    fixed = v.tau_neg / (v.tau_pos + v.tau_neg)
    k = m.abs(1 - v.tau_pos - v.tau_neg)
    return m.min((fixed, 1 - fixed, 1 - k)) > 0


def keeps_order(criterion: Criterion, eta: Fraction, most: int) -> bool:
    """Tell whether no two splits of a node of up to ``most`` examples change places in the expected noisy table."""
    for node in nodes(most):
        seen = [
            (score(criterion, s), criterion.score(noisy(exactly(s), symmetric(eta)), EXACT)) for s in splits_of(*node)
        ]
        if any((x > z) != (y > t) or (x < z) != (y < t) for (x, y), (z, t) in combinations(seen, 2)):
            return False
    return True


def quadratic(impurity: Impurity) -> bool:
    """Tell whether the third difference on twelfths of the unit interval vanishes."""
    at = [impurity.of([1 - Fraction(i, 12), Fraction(i, 12)], EXACT) for i in range(13)]
    return all(at[i + 3] - 3 * at[i + 2] + 3 * at[i + 1] - at[i] == 0 for i in range(10))


def second_derivative(theta: int, p: Fraction) -> Fraction:
    return -1 / p**theta


def scales_or_is_constant(theta: int) -> bool:
    """Tell that ``phi''(p/2) = c phi''(p)`` forces a constant, for ``phi'' = -p^-theta``."""
    points = [Fraction(i, 6) for i in range(1, 6)]
    ratios = {second_derivative(theta, p / 2) / second_derivative(theta, p) for p in points}
    return len(ratios) > 1 or len({second_derivative(theta, p) for p in points}) == 1


# --- impurities that are tolerant without being quadratic, and a smooth one that is not tolerant -------------------


@dataclass(frozen=True)
class MarginPower:
    """``1 - |p_1 - p_0|^r``: misclassification doubled for r = 1, Gini doubled for r = 2."""

    r: int

    def __call__(self, p: Any, m: Any) -> Any:
        margin, product_ = m.abs(p[1] - p[0]), 1
        for _ in range(self.r):
            product_ = product_ * margin
        return 1 - product_


def margin_power(r: int) -> Impurity:
    return Impurity(f"margin_power({r})", MarginPower(r))


def _bent(p: Any, m: Any) -> Any:
    return p[0] * p[1] + p[0] * p[0] * p[1] * p[1] / 2


def _root_of_positives(p: Any, m: Any) -> Any:
    return m.sqrt(p[1]) - p[1]


def _surprise_of_positives(p: Any, m: Any) -> Any:
    return -m.xlogx(p[1])


bent = Impurity("p q + (p q)^2 / 2", _bent)
root_of_positives = Impurity("sqrt(p) - p", _root_of_positives)
surprise_of_positives = Impurity("-p log p", _surprise_of_positives)


def powers() -> Iterator[tuple[int, Split, Fraction]]:
    yield from product((1, 2, 3, 5), splits(5), RATES)


def power_scales(case: tuple[int, Split, Fraction]) -> bool:
    r, s, eta = case
    criterion = decrease(margin_power(r))
    return bool(
        criterion.score(noisy(exactly(s), symmetric(eta)), EXACT) == abs(1 - 2 * eta) ** r * score(criterion, s)
    )


def power_of_noisy(r: int) -> Identity:
    """Claim that ``|2p - 1|^r`` is multiplied by ``|1 - 2 eta|^r``: both are non-negative, their squares equal."""

    def margin_squared(p: Any, m: Any) -> Any:
        return (1 - MarginPower(r)(p, m)) ** 2

    return Identity(
        kinds("rate", "p", "eta"),
        lambda v, m: margin_squared(symmetric(v.eta).on_distribution([1 - v.p, v.p]), m),
        lambda v, m: margin_squared([1 - v.eta, v.eta], m) * margin_squared([1 - v.p, v.p], m),
    )


ONE_SIDED = kinds("positive", "a", "b", "c", "d", "x", "y")


def one_sided(v: Any, m: Any) -> Any:
    """Return the gain of sqrt(p) - p after noise that keeps the share ``(x/(x + y))^2`` of the positives."""
    kept = (v.x / (v.x + v.y)) ** 2
    seen = noisy([[v.b, v.a], [v.d, v.c]], class_conditional(tau_pos=1 - kept, tau_neg=0 * kept))
    return decrease(root_of_positives).score(seen, m)


def clean_root(v: Any, m: Any) -> Any:
    return decrease(root_of_positives).score([[v.b, v.a], [v.d, v.c]], m)


def surprise_scales(case: tuple[Split, Fraction], tau_neg: Fraction = Fraction(0)) -> bool:
    """Tell whether the gain of -p log p is multiplied by ``1 - tau_pos - tau_neg``, in exact logarithms."""
    s, tau_pos = case
    criterion = decrease(surprise_of_positives)
    seen = noisy(exactly(s), class_conditional(tau_pos=tau_pos, tau_neg=tau_neg))
    return bool(criterion.score(seen, LOGS) == (1 - tau_pos - tau_neg) * criterion.score(exactly(s), LOGS))


def margins(criterion: Criterion, pair: tuple[Split, Split], eta: Fraction, m: Any) -> Any:
    """Return how much more the first split scores in the expected noisy table."""
    first, second = (criterion.score(noisy(exactly(s), symmetric(eta)), m) for s in pair)
    return first - second


# nodes of 7 examples with 2 positives, of 9 with 2: rows of (negatives, positives)
FLIP_7: tuple[Split, Split] = (((1, 0), (4, 2)), ((1, 1), (4, 1)))
FLIP_9: tuple[Split, Split] = (((1, 1), (6, 1)), ((3, 0), (4, 2)))
REORDERED = ((entropy, FLIP_7), (sqrt_gini, FLIP_7), (bent, FLIP_9))


THEOREMS = [
    Theorem(
        key="noise.gini_is_the_smooth_impurity_that_keeps_order",
        statement="let phi be three times continuously differentiable on (0, 1) with phi'' < 0, and let noise with"
        " tau_pos, tau_neg > 0 and tau_pos + tau_neg != 1, < 2 keep the order of any two splits of any node: then phi"
        " is quadratic, that is Gini's impurity up to scale and linear terms. Checked: the expansion of the gain; the"
        " sign of d phi''/2 + phi'''(s - t)/3 decides between two nearly mirrored splits; noise multiplies phi'' by"
        " k^2 and phi''' by k^3; T p - p* = k (p - p*) with p* inside (0, 1)",
        source="beyond, uniqueness of Gini",
        scope="two classes; expansions of polynomials of degree 4 and 3, all points and rates",
        holds=All(
            Identity(JET | HERE, local_gain, local_formula),
            Identity(COMPARED, compared, compared_formula, nonzero),
            Identity(JET | HERE | TWO_RATES, noisy_gain, pulled_back),
            Identity({"p": "rate"} | TWO_RATES, contraction, contracted, lambda v, m: v.tau_pos + v.tau_neg > 0),
            Smt(
                TWO_RATES,
                lambda v, m: fixed_point(v, m),
                lambda v, m: [v.tau_pos > 0, v.tau_neg > 0, v.tau_pos + v.tau_neg < 2],
            ),
        ),
        fails=(
            NearMiss(
                "concave impurities that keep the order are quadratic, smooth or not",
                Exhaustive(
                    lambda: [gini, misclassification],
                    lambda impurity: quadratic(impurity) or not keeps_order(decrease(impurity), RATE, 6),
                ),
                alters="hypothesis",
            ),
            NearMiss(
                "the same for one-sided noise, whose fixed point is an end: phi''(k p) = c phi''(p) forces a constant",
                Exhaustive(lambda: (0, 1, 2), scales_or_is_constant),
                alters="hypothesis",
            ),
            NearMiss(
                "the third derivative alone decides between the two splits: to third order they differ by its term",
                Identity(
                    COMPARED,
                    compared,
                    lambda v, m: -(v.e**3) * v.s * v.t * v.f3 * (v.s - v.t) / 3,
                    nonzero,
                ),
            ),
        ),
        premises=(
            "Taylor's theorem with remainder",
            "hand argument: equal signs for all d make phi'''/phi'' at p equal to k phi'''/phi'' at T p, so"
            " phi''(T p) = c phi''(p); c = 1 at the fixed point; iterating T, continuity makes phi'' constant",
        ),
        latex=r"\varphi'''/\varphi'' = (\varphi\circ T)'''/(\varphi\circ T)''\ \Rightarrow\ \varphi''\ \text{constant}",
    ),
    Theorem(
        key="noise.smooth_impurities_reorder_of_symmetric",
        statement="at eta = 3/10 entropy and sqrt(p q) exchange two splits of seven examples, two of them positive, and"
        " p q + (p q)^2/2 two splits of nine",
        source="beyond, uniqueness of Gini",
        scope="the splits shown, by rigorous enclosures",
        holds=Sign(
            lambda m: [
                sign * margins(decrease(impurity), pair, eta, m)
                for impurity, pair in REORDERED
                for sign, eta in ((1, Fraction(0)), (-1, RATE))
            ]
        ),
        fails=(
            NearMiss(
                "Gini exchanges the two splits of seven too",
                Sign(
                    lambda m: [
                        -margins(decrease(gini), FLIP_7, RATE, m),
                        margins(decrease(gini), FLIP_7, Fraction(0), m),
                    ]
                ),
            ),
            NearMiss(
                "the exchange has happened already at eta = 1/1000",
                Sign(lambda m: [-margins(decrease(entropy), FLIP_7, Fraction(1, 1000), m)]),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="noise.margin_powers_keep_order_of_symmetric",
        statement="the gain of 1 - |2p - 1|^r is multiplied by |1 - 2 eta|^r under symmetric noise: a family of"
        " tolerant impurities in which r = 1 is misclassification and r = 2 Gini",
        source="beyond, uniqueness of Gini",
        scope="r = 1, 2, 3, 5: the impurity at all shares and rates, the gain for all splits with n <= 5",
        holds=All(*(power_of_noisy(r) for r in (1, 2, 3, 5)), Exhaustive(powers, power_scales)),
        fails=(
            NearMiss(
                "the factor is (1 - 2 eta)^2 for every r",
                Exhaustive(
                    powers,
                    lambda case: (
                        decrease(margin_power(case[0])).score(noisy(exactly(case[1]), symmetric(case[2])), EXACT)
                        == (1 - 2 * case[2]) ** 2 * score(decrease(margin_power(case[0])), case[1])
                    ),
                ),
            ),
            NearMiss(
                "also under class-conditional noise, as Gini",
                Exhaustive(
                    lambda: [(r, s) for r in (1, 2, 3) for s in splits(4)],
                    lambda case: (
                        decrease(margin_power(case[0])).score(
                            noisy(exactly(case[1]), class_conditional(tau_pos=RATE, tau_neg=Fraction(1, 10))), EXACT
                        )
                        == Fraction(3, 5) ** case[0] * score(decrease(margin_power(case[0])), case[1])
                    ),
                ),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="noise.root_of_positives_keeps_order_of_one_sided",
        statement="if only positives flip (tau_neg = 0, a sample of positive and unlabelled examples), the gain of"
        " sqrt(p) - p is multiplied by sqrt(1 - tau_pos) and the gain of -p log p by 1 - tau_pos: both keep order",
        source="beyond, uniqueness of Gini",
        scope="sqrt(p) - p: all positive counts, all rates; -p log p: n <= 5, rates 1/4, 1/2, 5/6, in exact logarithms",
        holds=All(
            Identity(ONE_SIDED, one_sided, lambda v, m: v.x / (v.x + v.y) * clean_root(v, m)),
            Exhaustive(lambda: product(splits(5), (Fraction(1, 4), Fraction(1, 2), Fraction(5, 6))), surprise_scales),
        ),
        fails=(
            NearMiss(
                "the factor of sqrt(p) - p is 1 - tau_pos",
                Identity(ONE_SIDED, one_sided, lambda v, m: (v.x / (v.x + v.y)) ** 2 * clean_root(v, m)),
            ),
            NearMiss(
                "-p log p rescales when negatives flip too",
                Exhaustive(
                    lambda: product(splits(4), (Fraction(1, 4),)), lambda case: surprise_scales(case, Fraction(1, 4))
                ),
                alters="hypothesis",
            ),
        ),
    ),
]
