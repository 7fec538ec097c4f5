"""Statements of ghosh2017, equations (1)-(4): criteria of a split, and shares of positives after symmetric noise.

Main results: the printed formulas are the library's; the noisy share is affine in the clean one, at every sample size.
Source: ghosh2017, Sections 2.2 and 3.1.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit import criteria, impurities
from splitcrit.noise import class_conditional, symmetric
from splitcrit.proof import All, Erratum, Exhaustive, Identity, NearMiss, Smt, Theorem
from splitcrit.proofs.common import binary_splits, count_vectors
from splitcrit.proofs.ghosh2017.setting import (
    RATES,
    chance,
    clean,
    gini_gain,
    law,
    value,
)

SHARE = {"p": "rate", "eta": "rate"}
CLEAN_SPLIT = {name: "positive" for name in "abcd"}
TAUS = {"tau_pos": "rate", "tau_neg": "rate"}
UNIFORM = "keeps order under uniform noise"


def shares(v: Any) -> tuple[Any, Any, Any, Any]:
    """Return the paper's ``a, p, p_l, p_r`` of a split."""
    n = v.a + v.b + v.c + v.d
    return (v.a + v.b) / n, (v.b + v.d) / n, v.b / (v.a + v.b), v.d / (v.c + v.d)


def printed_gini_gain(v: Any, m: Any, factor: int = 2) -> Any:
    a, p, left, right = shares(v)
    g, gl, gr = (factor * x * (1 - x) for x in (p, left, right))
    return g - (a * gl + (1 - a) * gr)


def printed_twoing(v: Any, m: Any) -> Any:
    a, _, left, right = shares(v)
    return a * (1 - a) * (m.abs(left - right) + m.abs((1 - left) - (1 - right))) ** 2 / 4


def square_twoing(v: Any, m: Any) -> Any:
    a, _, left, right = shares(v)
    return a * (1 - a) * (left - right) ** 2


def labelled(n: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield labels, flips and sides of n examples."""
    yield from product(*[list(product((0, 1), repeat=n))] * 3)


def counted(case: tuple[tuple[int, ...], ...]) -> bool:
    """Tell whether the noisy positives, at the node and on side 1, are as equations (2) and (3) count them."""
    labels, flips, sides = case
    seen = [y ^ z for y, z in zip(labels, flips, strict=True)]
    node = sum(1 - z for y, z in zip(labels, flips, strict=True) if y) + sum(
        z for y, z in zip(labels, flips, strict=True) if not y
    )
    child = sum(1 - z if y else z for y, z, s in zip(labels, flips, sides, strict=True) if s)
    return sum(seen) == node and sum(x for x, s in zip(seen, sides, strict=True) if s) == child


def cells(most: int = 8) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Yield class counts with a rate."""
    yield from product(count_vectors(most, 2), RATES)


def mean(case: tuple[tuple[int, ...], Fraction], of: Any) -> Fraction:
    """Return the exact mean of a function of the noisy share of positives."""
    (negatives, positives), eta = case
    n = negatives + positives
    return sum(
        (chance(w, n, eta) * of(Fraction(k, n)) for k, w in enumerate(law(negatives, positives, eta))), Fraction(0)
    )


def limit(case: tuple[tuple[int, ...], Fraction]) -> Fraction:
    """Return the share of positives that the library's channel expects."""
    counts, eta = case
    found: Fraction = symmetric(eta).on_distribution([Fraction(x, sum(counts)) for x in counts])[1]
    return found


def product_mean(case: tuple[tuple[int, ...], Fraction]) -> Fraction:
    return mean(case, lambda p: p * (1 - p))


def product_by_moments(v: Any, m: Any) -> Any:
    """``E[p~(1 - p~)]`` from the mean and the variance ``eta(1 - eta)/n`` of a mean of n independent flips."""
    n = v.a + v.b
    p = symmetric(v.eta).on_distribution([v.a / n, v.b / n])[1]
    return p - p**2 - v.eta * (1 - v.eta) / n


def product_printed(v: Any, m: Any) -> Any:
    n = v.a + v.b
    q, p = symmetric(v.eta).on_distribution([v.a / n, v.b / n])
    return p * q - v.eta * (1 - v.eta) / n


THEOREMS = [
    Theorem(
        key="gain.printed_two_class_formulas_are_the_faces",
        statement="for two classes the decrease of Gini's impurity is criterion (1) with 2pq; the misclassification"
        " impurity is min(p, q); the twoing rule as printed is a(1 - a)(p_l - p_r)^2, half the Gini gain",
        source="ghosh2017, eq. (1) and Section 2.2",
        scope="two classes; positive counts for the gains, all p in [0, 1] for the impurity",
        holds=All(
            Identity(CLEAN_SPLIT, lambda v, m: gini_gain.score(clean(v), m), printed_gini_gain),
            Smt(
                {"p": "rate"}, lambda v, m: impurities.misclassification.of([1 - v.p, v.p], m) == m.min((v.p, 1 - v.p))
            ),
            Identity(CLEAN_SPLIT, lambda v, m: criteria.twoing.score(clean(v), m), printed_twoing),
            Identity(CLEAN_SPLIT, printed_twoing, square_twoing),
            Identity(CLEAN_SPLIT, lambda v, m: 2 * criteria.twoing.score(clean(v), m), printed_gini_gain),
        ),
        fails=(
            NearMiss(
                "Gini's impurity is pq, so that twoing and the Gini gain are equal",
                Identity(
                    CLEAN_SPLIT,
                    lambda v, m: gini_gain.score(clean(v), m),
                    lambda v, m: printed_gini_gain(v, m, factor=1),
                ),
            ),
            NearMiss(
                "twoing is half the Gini gain for three classes too",
                Exhaustive(lambda: binary_splits(4, 3), lambda t: 2 * value(criteria.twoing, t) == value(gini_gain, t)),
                alters="hypothesis",
            ),
        ),
        latex=r"C(f) = G(v) - (a\,G(v_l) + (1-a)\,G(v_r)),\quad G_{\mathrm{Twoing}}(f) = a(1-a)(p_l-p_r)^2",
    ),
    Theorem(
        key="noise.positive_share_is_affine_of_symmetric",
        statement="the noisy positives of a node and of a child are the positives that stay and the negatives that"
        " flip, and the expected share of positives is p(1 - 2 eta) + eta at every sample size",
        source="ghosh2017, eqs. (2)-(4)",
        scope="two classes; (2) and (3) for every labelling, flipping and split of 4 examples; the mean for all p and"
        " eta in [0, 1], against the exact law for n <= 8 and seven rates",
        holds=All(
            Exhaustive(lambda: labelled(4), counted),
            Identity(
                SHARE,
                lambda v, m: symmetric(v.eta).on_distribution([1 - v.p, v.p])[1],
                lambda v, m: v.p * (1 - 2 * v.eta) + v.eta,
            ),
            Exhaustive(cells, lambda c: mean(c, lambda p: p) == limit(c)),
        ),
        fails=(
            NearMiss(
                "the share shrinks by 1 - eta towards eta",
                Identity(
                    SHARE,
                    lambda v, m: symmetric(v.eta).on_distribution([1 - v.p, v.p])[1],
                    lambda v, m: v.p * (1 - v.eta) + v.eta,
                ),
            ),
            NearMiss(
                "flips may prefer one class: the same with eta the mean of two class-conditional rates",
                Identity(
                    {"p": "rate", **TAUS},
                    lambda v, m: class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg).on_distribution(
                        [1 - v.p, v.p]
                    )[1],
                    lambda v, m: v.p * (1 - v.tau_pos - v.tau_neg) + (v.tau_pos + v.tau_neg) / 2,
                ),
                alters="hypothesis",
            ),
        ),
        latex=r"p^\eta = p(1-\eta) + q\eta = p(1-2\eta) + \eta",
    ),
    Theorem(
        key="noise.product_of_shares_has_mean_below_limit",
        statement="E[p~ q~] = p^eta q^eta - eta(1 - eta)/n at every sample size n",
        source="ghosh2017, Section 3.1, after eq. (4)",
        scope="two classes; all counts and rates by mean and variance; the exact law for n <= 8 and seven rates",
        premises=("the variance of a sum of independent flips is the sum of their variances",),
        holds=All(
            Identity({"a": "positive", "b": "count", "eta": "rate"}, product_by_moments, product_printed),
            Exhaustive(
                cells, lambda c: product_mean(c) == limit(c) * (1 - limit(c)) - c[1] * (1 - c[1]) / Fraction(sum(c[0]))
            ),
        ),
        fails=(
            NearMiss(
                "the mean is the limit p^eta q^eta at every n, as for the shares themselves",
                Exhaustive(cells, lambda c: product_mean(c) == limit(c) * (1 - limit(c))),
            ),
            NearMiss(
                "the correction is the variance of the label, p^eta q^eta / n, as if the clean labels were drawn anew",
                Exhaustive(
                    cells, lambda c: product_mean(c) == limit(c) * (1 - limit(c)) * (1 - Fraction(1, sum(c[0])))
                ),
                alters="hypothesis",
            ),
        ),
        latex=r"E_\eta[\tilde p\tilde q] = p^\eta q^\eta - \frac{\eta(1-\eta)}{n}",
    ),
]


ERRATA: list[Erratum] = []
