"""Statements of ghosh2017, Sections 2.2 and 3.1: criteria of a split and what symmetric noise makes of them.

Main results: equations (1)-(4); Theorem 3 for Gini, misclassification and twoing, on both sides of ``eta = 1/2``;
Remark 6 on class-conditional noise.
Source: ghosh2017.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit import criteria, impurities
from splitcrit.noise import class_conditional, symmetric
from splitcrit.proof import All, Erratum, Exhaustive, Fact, Identity, NearMiss, Not, Sign, Smt, Theorem
from splitcrit.proofs.common import binary_splits, count_vectors, exactly, lefts, noisy, split
from splitcrit.proofs.ghosh2017.setting import (
    HALF,
    RATES,
    ROBUST,
    SPLIT,
    chance,
    clean,
    entropy_gain,
    gini_gain,
    law,
    misclassification_gain,
    noisy_split,
    shaken,
    value,
)

SHARE = {"p": "rate", "eta": "rate"}
CLEAN_SPLIT = {name: "positive" for name in "abcd"}
TAUS = {"tau_pos": "rate", "tau_neg": "rate"}
UNIFORM = "keeps order under uniform noise"


# Equations (1)-(4): the criterion, and the shares of positives after noise.


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


EQUATIONS = [
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


# Theorem 3.


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


THEOREM_3 = [
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


# Remark 6: class-conditional noise.


def given_rates(v: Any) -> list[list[Any]]:
    """Return the expected split after class-conditional noise."""
    return noisy(clean(v), class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg))


def by_rates(criterion: Any) -> Any:
    return lambda v, m: criterion.score(given_rates(v), m)


def scaled_by_rates(criterion: Any) -> Any:
    return lambda v, m: (1 - v.tau_pos - v.tau_neg) ** 2 * criterion.score(clean(v), m)


RATES_40_20 = class_conditional(tau_pos=Fraction(2, 5), tau_neg=Fraction(1, 5))


def keeps_order(criterion: Any, channel: Any, most: int, ties: bool = False) -> Exhaustive:
    """Return the claim that a split better than another of its node stays better, or with ``ties`` not worse."""

    def pairs() -> Iterator[Any]:
        for counts in count_vectors(most, 2, 2):
            yield from product([split(counts, left) for left in lefts(counts)], repeat=2)

    def holds(pair: Any) -> bool:
        first, second = (value(criterion, t) for t in pair)
        one, two = (value(criterion, noisy(exactly(t), channel)) for t in pair)
        return first <= second or one > two or (ties and one == two)

    return Exhaustive(pairs, holds)


REMARK_6 = [
    Theorem(
        key="noise.gini_and_twoing_need_no_rates_of_class_conditional",
        statement="under class-conditional noise the two-class Gini gain and twoing score of the expected table are"
        " (1 - tau_pos - tau_neg)^2 times the clean ones: the best split needs no knowledge of the rates",
        source="ghosh2017, Remark 6",
        scope="two classes, positive counts, all rates in [0, 1]; order for tau_pos + tau_neg != 1",
        holds=All(
            *(Identity({**CLEAN_SPLIT, **TAUS}, by_rates(c), scaled_by_rates(c)) for c in (gini_gain, criteria.twoing)),
            *(keeps_order(c, RATES_40_20, 5) for c in (gini_gain, criteria.twoing)),
        ),
        fails=(
            NearMiss(
                "the same of misclassification: its order survives rates of 2/5 and 1/5",
                keeps_order(misclassification_gain, RATES_40_20, 5),
            ),
            NearMiss(
                "the order is kept at rates that add up to 1",
                keeps_order(gini_gain, class_conditional(tau_pos=Fraction(2, 5), tau_neg=Fraction(3, 5)), 3),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="noise.misclassification_order_flips_of_class_conditional",
        statement="under class-conditional noise with rates 2/5 and 1/5 misclassification ranks two splits of a node of"
        " 5 examples in strictly opposite orders, and of no smaller node; entropy does so for a node of 7",
        source="ghosh2017, Remark 6",
        scope="rates 2/5 (positive) and 1/5 (negative); every pair of splits with N <= 5 for misclassification, one"
        " pair for entropy",
        holds=All(
            keeps_order(misclassification_gain, RATES_40_20, 4, ties=True),
            Not(keeps_order(misclassification_gain, RATES_40_20, 5, ties=True)),
            Sign(lambda m: entropy_flip(m)),
        ),
        fails=(
            NearMiss(
                "misclassification flips at two equal rates of 3/10 as well",
                Not(keeps_order(misclassification_gain, symmetric(Fraction(3, 10)), 5, ties=True)),
                alters="hypothesis",
            ),
            NearMiss("Gini flips as well", Not(keeps_order(gini_gain, RATES_40_20, 5, ties=True))),
            NearMiss(
                "up to N = 4 the strict order of misclassification is kept, with no new tie",
                keeps_order(misclassification_gain, RATES_40_20, 4),
            ),
        ),
    ),
]


def entropy_flip(m: Any) -> list[Any]:
    """Return two margins: the first split gains more in entropy without noise, the second under the two rates."""
    first, second = (exactly(t) for t in SMALL_FLIP)
    before = entropy_gain.score(first, m) - entropy_gain.score(second, m)
    after = entropy_gain.score(noisy(first, RATES_40_20), m) - entropy_gain.score(noisy(second, RATES_40_20), m)
    return [before, -after]


# Errata.


def printed_rho(eta: Fraction) -> Exhaustive:
    """Return the printed claim that a difference of misclassification gains is multiplied by ``1 - 2 eta``."""
    return Exhaustive(
        lambda: rated_splits(4, (eta,)),
        lambda c: value(misclassification_gain, shaken(*c)) == (1 - 2 * eta) * value(misclassification_gain, c[0]),
    )


THEOREMS = [*EQUATIONS, *THEOREM_3, *REMARK_6]

ERRATA = [
    Erratum(
        "G-E1",
        printed=Identity(SHARE, gini_after, gini_affine(1)),
        corrected="noise.gini_impurity_is_affine_of_symmetric",
    ),
    Erratum(
        "G-E8",
        printed=Not(keeps_order(gini_gain, RATES_40_20, 5)),
        corrected="noise.gini_and_twoing_need_no_rates_of_class_conditional",
    ),
    Erratum(
        "G-E9",
        printed=printed_rho(Fraction(3, 4)),
        corrected="noise.misclassification_gain_rescales_of_symmetric",
    ),
]
