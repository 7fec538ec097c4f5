"""Statements of ghosh2017, Theorem 3: criteria that keep the order of splits under symmetric noise.

Main results: the gain is multiplied by ``(1 - 2 eta)^2`` (Gini, twoing) or ``|1 - 2 eta|`` (misclassification), on both
sides of ``eta = 1/2``.
Source: ghosh2017, Theorem 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit import criteria, impurities
from splitcrit.noise import symmetric
from splitcrit.proof import All, Erratum, Exhaustive, Fact, Identity, NearMiss, Sign, Smt, Theorem
from splitcrit.proofs.common import binary_splits, count_vectors, lefts, split
from splitcrit.proofs.ghosh2017.setting import (
    HALF,
    RATES,
    ROBUST,
    SPLIT,
    clean,
    entropy_gain,
    gini_gain,
    misclassification_gain,
    noisy_split,
    shaken,
    value,
)

SHARE = {"p": "rate", "eta": "rate"}
CLEAN_SPLIT = {name: "positive" for name in "abcd"}
TAUS = {"tau_pos": "rate", "tau_neg": "rate"}
UNIFORM = "keeps order under uniform noise"


def gini_after(v: Any, m: Any) -> Any:
    return impurities.gini.of(symmetric(v.eta).on_distribution([1 - v.p, v.p]), m)


def gini_affine(constant: int, power: int = 2) -> Any:
    """Return the formula ``(1 - 2 eta)^power G + constant eta (1 - eta)``."""
    return lambda v, m: (
        (1 - 2 * v.eta) ** power * impurities.gini.of([1 - v.p, v.p], m) + constant * v.eta * (1 - v.eta)
    )


def three_class_gini(v: Any, m: Any) -> Any:
    return impurities.gini.of(symmetric(v.eta).on_distribution([v.p * v.q, v.p * (1 - v.q), 1 - v.p]), m)


def three_class_affine(v: Any, m: Any) -> Any:
    gini = impurities.gini.of([v.p * v.q, v.p * (1 - v.q), 1 - v.p], m)
    return (1 - 2 * v.eta) ** 2 * gini + 2 * v.eta * (1 - v.eta)


def noisy_gini(v: Any, m: Any) -> Any:
    return gini_gain.score(noisy_split(v), m)


def misclassification_after(v: Any, m: Any) -> Any:
    return impurities.misclassification.of(symmetric(v.eta).on_distribution([1 - v.p, v.p]), m)


def misclassification_low(v: Any, m: Any) -> Any:
    return (1 - 2 * v.eta) * impurities.misclassification.of([1 - v.p, v.p], m) + v.eta


def misclassification_high(v: Any, m: Any) -> Any:
    return (2 * v.eta - 1) * impurities.misclassification.of([1 - v.p, v.p], m) + (1 - v.eta)


def linear_left(v: Any, m: Any) -> Any:
    g, gl, gr = (v.k * x + v.c for x in (v.g, v.gl, v.gr))
    return g - (v.a * gl + (1 - v.a) * gr)


def linear_right(v: Any, m: Any) -> Any:
    return v.k * (v.g - (v.a * v.gl + (1 - v.a) * v.gr))


def rated_splits(most: int, rates: tuple[Fraction, ...] = RATES) -> Iterator[tuple[Any, Fraction]]:
    """Yield every binary split of up to ``most`` examples with every rate."""
    yield from product(binary_splits(most), rates)


def misclassification_rescales(case: tuple[Any, Fraction]) -> bool:
    table, eta = case
    return value(misclassification_gain, shaken(table, eta)) == abs(1 - 2 * eta) * value(misclassification_gain, table)


def searches(most: int, rates: tuple[Fraction, ...]) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Yield every node of up to ``most`` examples with every rate."""
    yield from product(count_vectors(most, 2, 2), rates)


def best(criterion: Any, counts: tuple[int, ...], eta: Fraction, pick: Any = max) -> set[tuple[int, ...]]:
    """Return the left children of the splits that score best, in the expected table after noise."""
    scores = {left: value(criterion, shaken(split(counts, left), eta)) for left in lefts(counts)}
    top = pick(scores.values())
    return {left for left, x in scores.items() if x == top}


def argmax_kept(case: tuple[tuple[int, ...], Fraction]) -> bool:
    counts, eta = case
    return all(best(c, counts, eta) == best(c, counts, Fraction(0)) for c in ROBUST)


# A node of 7 examples, 2 positive, with two splits that entropy reorders under noise, as counts (negative, positive).
SMALL_FLIP = (((1, 0), (4, 2)), ((4, 1), (1, 1)))


def entropy_prefers(first: Any, second: Any, eta: Fraction) -> Any:
    """Return how much more the first split gains in entropy, at noise rate eta."""
    return lambda m: [entropy_gain.score(shaken(first, eta), m) - entropy_gain.score(shaken(second, eta), m)]


THEOREMS = [
    Theorem(
        key="noise.gini_impurity_is_affine_of_symmetric",
        statement="after symmetric noise Gini's impurity is (1 - 2 eta)^2 G + 2 eta (1 - eta)",
        source="ghosh2017, Theorem 3, proof for Gini",
        scope="two classes, all p and eta in [0, 1]",
        holds=Identity(SHARE, gini_after, gini_affine(2)),
        fails=(
            NearMiss("the constant is eta - eta^2, as printed", Identity(SHARE, gini_after, gini_affine(1))),
            NearMiss(
                "the same factor and constant for three classes",
                Identity({"p": "rate", "q": "rate", "eta": "rate"}, three_class_gini, three_class_affine),
                alters="hypothesis",
            ),
        ),
        latex=r"G^\eta_{\mathrm{Gini}} = (1-2\eta)^2 G_{\mathrm{Gini}} + 2(\eta-\eta^2)",
    ),
    Theorem(
        key="noise.gini_gain_rescales_of_symmetric",
        statement="the Gini gain of the expected table under symmetric noise is (1 - 2 eta)^2 times the clean gain",
        source="ghosh2017, Theorem 3",
        scope="two classes, positive counts, all rates in [0, 1]",
        holds=Identity(SPLIT, noisy_gini, lambda v, m: (1 - 2 * v.eta) ** 2 * gini_gain.score(clean(v), m)),
        fails=(
            NearMiss(
                "the factor is 1 - 2 eta, as for misclassification",
                Identity(SPLIT, noisy_gini, lambda v, m: (1 - 2 * v.eta) * gini_gain.score(clean(v), m)),
            ),
            NearMiss(
                "the same for three classes",
                Exhaustive(
                    lambda: binary_splits(3, 3),
                    lambda t: value(gini_gain, shaken(t, Fraction(1, 5))) == Fraction(9, 25) * value(gini_gain, t),
                ),
                alters="hypothesis",
            ),
        ),
        latex=r"\mathrm{gain}^\eta_{\mathrm{Gini}}(f) = (1-2\eta)^2\, \mathrm{gain}_{\mathrm{Gini}}(f)",
        facts=(Fact("decrease(gini)", UNIFORM, "2", True),),
    ),
    Theorem(
        key="noise.misclassification_impurity_is_affine_of_symmetric",
        statement="after symmetric noise min(p, q) is (1 - 2 eta) min(p, q) + eta if eta <= 1/2, and"
        " (2 eta - 1) min(p, q) + 1 - eta if eta >= 1/2",
        source="ghosh2017, Theorem 3, proof for misclassification",
        scope="two classes, all p and eta in [0, 1]",
        holds=All(
            Smt(
                SHARE,
                lambda v, m: misclassification_after(v, m) == misclassification_low(v, m),
                lambda v, m: [v.eta <= HALF],
            ),
            Smt(
                SHARE,
                lambda v, m: misclassification_after(v, m) == misclassification_high(v, m),
                lambda v, m: [v.eta >= HALF],
            ),
        ),
        fails=(
            NearMiss(
                "the first formula for every eta",
                Smt(SHARE, lambda v, m: misclassification_after(v, m) == misclassification_low(v, m)),
                alters="hypothesis",
            ),
            NearMiss(
                "beyond 1/2 only the factor changes sign: (2 eta - 1) min(p, q) + eta",
                Smt(
                    SHARE,
                    lambda v, m: misclassification_after(v, m) == misclassification_high(v, m) + 2 * v.eta - 1,
                    lambda v, m: [v.eta >= HALF],
                ),
            ),
        ),
        latex=r"\min\{p^\eta,q^\eta\} = |1-2\eta|\min\{p,q\} + \min\{\eta,1-\eta\}",
    ),
    Theorem(
        key="noise.misclassification_gain_rescales_of_symmetric",
        statement="the misclassification gain of the expected table under symmetric noise is |1 - 2 eta| times the"
        " clean gain",
        source="ghosh2017, Theorem 3",
        scope="two classes, all rates in [0, 1]: criterion (1) of an impurity k G + c is k times that of G, for all"
        " reals; on the library's own face for N <= 7 and seven rates",
        premises=("noise.misclassification_impurity_is_affine_of_symmetric",),
        holds=All(
            Identity(dict.fromkeys(["g", "gl", "gr", "a", "k", "c"], "real"), linear_left, linear_right),
            Exhaustive(lambda: rated_splits(7), misclassification_rescales),
        ),
        fails=(
            NearMiss(
                "the factor is (1 - 2 eta)^2, as for Gini",
                Exhaustive(
                    lambda: rated_splits(4),
                    lambda c: (
                        value(misclassification_gain, shaken(*c))
                        == (1 - 2 * c[1]) ** 2 * value(misclassification_gain, c[0])
                    ),
                ),
            ),
            NearMiss(
                "the factor is 1 - 2 eta on both sides of 1/2",
                Exhaustive(
                    lambda: rated_splits(4),
                    lambda c: (
                        value(misclassification_gain, shaken(*c))
                        == (1 - 2 * c[1]) * value(misclassification_gain, c[0])
                    ),
                ),
                alters="hypothesis",
            ),
        ),
        latex=r"\mathrm{gain}^\eta_{\mathrm{MC}}(f) = |1-2\eta|\, \mathrm{gain}_{\mathrm{MC}}(f)",
        facts=(Fact("decrease(misclassification)", UNIFORM, "2", True),),
    ),
    Theorem(
        key="noise.twoing_rescales_of_symmetric",
        statement="the twoing score of the expected table under symmetric noise is (1 - 2 eta)^2 times the clean one",
        source="ghosh2017, Theorem 3",
        scope="two classes, positive counts, all rates in [0, 1]",
        holds=Identity(
            SPLIT,
            lambda v, m: criteria.twoing.score(noisy_split(v), m),
            lambda v, m: (1 - 2 * v.eta) ** 2 * criteria.twoing.score(clean(v), m),
        ),
        fails=(
            NearMiss(
                "the factor is |1 - 2 eta|, since twoing is built from absolute differences",
                Identity(
                    SPLIT,
                    lambda v, m: criteria.twoing.score(noisy_split(v), m),
                    lambda v, m: m.abs(1 - 2 * v.eta) * criteria.twoing.score(clean(v), m),
                ),
            ),
            NearMiss(
                "the factor is (1 - 2 eta)^2 for three classes",
                Exhaustive(
                    lambda: binary_splits(3, 3),
                    lambda t: (
                        value(criteria.twoing, shaken(t, Fraction(1, 5))) == Fraction(9, 25) * value(criteria.twoing, t)
                    ),
                ),
                alters="hypothesis",
            ),
        ),
        latex=r"G^\eta_{\mathrm{Twoing}}(f) = (1-2\eta)^2\, G_{\mathrm{Twoing}}(f)",
        facts=(Fact("twoing", UNIFORM, "2", True),),
    ),
    Theorem(
        key="noise.argmax_is_kept_of_symmetric",
        statement="for Gini, misclassification and twoing the set of best splits of the expected noisy node is that of"
        " the clean node, for eta on either side of 1/2",
        source="ghosh2017, Theorem 3 and Definition 1 (read with argmax)",
        scope="two classes: every node and every split with N <= 6 and seven rates; all sizes by the three rescaling"
        " theorems",
        premises=(
            "noise.gini_gain_rescales_of_symmetric",
            "noise.misclassification_gain_rescales_of_symmetric",
            "noise.twoing_rescales_of_symmetric",
        ),
        holds=Exhaustive(lambda: searches(6, RATES), argmax_kept),
        fails=(
            NearMiss(
                "also at eta = 1/2",
                Exhaustive(lambda: searches(4, (HALF,)), argmax_kept),
                alters="hypothesis",
            ),
            NearMiss(
                "also for entropy, at eta = 3/10 in a node of 7 examples",
                Sign(
                    lambda m: [
                        entropy_prefers(*SMALL_FLIP, Fraction(0))(m)[0]
                        * entropy_prefers(*SMALL_FLIP, Fraction(3, 10))(m)[0]
                    ]
                ),
            ),
        ),
    ),
]


def printed_rho(eta: Fraction) -> Exhaustive:
    """Return the printed claim that a difference of misclassification gains is multiplied by ``1 - 2 eta``."""
    return Exhaustive(
        lambda: rated_splits(4, (eta,)),
        lambda c: value(misclassification_gain, shaken(*c)) == (1 - 2 * eta) * value(misclassification_gain, c[0]),
    )


ERRATA = [
    Erratum(
        "G-E1",
        printed=Identity(SHARE, gini_after, gini_affine(1)),
        corrected="noise.gini_impurity_is_affine_of_symmetric",
    ),
    Erratum(
        "G-E9a",
        printed=printed_rho(Fraction(3, 4)),
        corrected="noise.misclassification_gain_rescales_of_symmetric",
    ),
]
