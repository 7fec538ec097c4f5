"""Theorem 1: pairwise gain under class-conditional noise, and the hypotheses it needs.

Main results: the gain is rescaled by ``|1 - tau_pos - tau_neg|``; the order of splits survives unless the rates sum
to 1, where every gain vanishes, and above 1 the children change places; two-class Gini is as robust.
Source: yang2019, Theorem 1 and Section VI.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from splitcrit.criteria import Criterion, decrease, pairwise_gain
from splitcrit.impurities import entropy, misclassification, sqrt_gini
from splitcrit.noise import Channel, class_conditional, pair_flip, symmetric
from splitcrit.proof import All, Exhaustive, Fact, Identity, NearMiss, Not, Sign, Smt, Theorem
from splitcrit.proofs.common import binary_splits, compositions, count_vectors, gini_decrease, noisy, score
from splitcrit.proofs.yang2019.terms import RATES, ROWS, SPLIT, clean, determinant, node_splits, noisy_split

NOISY_SPLIT = SPLIT | RATES
SOME_RATES = (Fraction(0), Fraction(1, 4), Fraction(2, 3), Fraction(1))


def kept(v: Any) -> Any:
    """Return the factor ``1 - tau_pos - tau_neg`` of Theorem 1."""
    return 1 - v.tau_pos - v.tau_neg


def square_of_noisy(v: Any, m: Any) -> Any:
    return pairwise_gain.score(noisy_split(v), m) ** 2


def scaled_square(v: Any, m: Any) -> Any:
    return kept(v) ** 2 * pairwise_gain.score(clean(v), m) ** 2


def other_scale(v: Any, m: Any) -> Any:
    return (1 - v.tau_pos * v.tau_neg) ** 2 * pairwise_gain.score(clean(v), m) ** 2


def stays_positive(v: Any, m: Any) -> Any:
    return pairwise_gain.score(noisy_split(v), m) > 0


rescales = Identity(NOISY_SPLIT, square_of_noisy, scaled_square)


# The determinant, step by step as printed.


def noisy_determinant(v: Any, m: Any) -> Any:
    return determinant(noisy_split(v))


def expansion(second: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    """Return the eight terms of the proof, the second of them with the factor given."""

    def terms(v: Any, m: Any) -> Any:
        tp, tn = v.tau_pos, v.tau_neg
        plus = v.a * v.d * (1 - tp) * (1 - tn) + v.a * v.c * second(v) + v.b * v.d * tn * (1 - tn) + v.b * v.c * tp * tn
        minus = v.b * v.c * (1 - tp) * (1 - tn) + v.a * v.c * tp * (1 - tp) + v.b * v.d * tn * (1 - tn)
        return plus - minus - v.a * v.d * tp * tn

    return terms


as_printed = expansion(lambda v: v.tau_pos * (1 - v.tau_neg))
as_corrected = expansion(lambda v: v.tau_pos * (1 - v.tau_pos))

DETERMINANT = [
    Theorem(
        key="noise.pairwise_gain_rescales_of_class_conditional",
        statement="the pairwise gain of the expected noisy table is |1 - tau_pos - tau_neg| times that of the clean one"
        " (both sides are non-negative; their squares are equal as polynomials)",
        source="yang2019, Theorem 1",
        scope="two classes, all counts, all rates in [0, 1]",
        holds=rescales,
        fails=(
            NearMiss("the factor is |1 - tau_pos tau_neg|", Identity(NOISY_SPLIT, square_of_noisy, other_scale)),
            NearMiss(
                "a positive gain stays positive whatever the rates (no word about tau_pos + tau_neg = 1)",
                Smt(NOISY_SPLIT, stays_positive, lambda v, m: [pairwise_gain.score(clean(v), m) > 0]),
                alters="hypothesis",
            ),
        ),
        latex=r"\tilde t(s) = |1 - \tau_+ - \tau_-|\, t(s)",
    ),
    Theorem(
        key="noise.determinant_expands_of_class_conditional",
        statement="the eight terms of the noisy N_L^+ N_R^- - N_L^- N_R^+ sum to (1 - tau_pos - tau_neg) times the"
        " clean one, the second being N_L^+ N_R^+ tau_pos (1 - tau_pos)",
        source="yang2019, proof of Theorem 1",
        scope="all counts, all rates",
        holds=All(
            Identity(NOISY_SPLIT, noisy_determinant, as_corrected),
            Identity(NOISY_SPLIT, noisy_determinant, lambda v, m: kept(v) * determinant(clean(v))),
        ),
        fails=(
            NearMiss(
                "with tau_pos (1 - tau_neg) in the second term", Identity(NOISY_SPLIT, noisy_determinant, as_printed)
            ),
            NearMiss(
                "the factor is |1 - tau_pos - tau_neg|",
                Smt(
                    NOISY_SPLIT,
                    lambda v, m: noisy_determinant(v, m) == m.abs(kept(v)) * determinant(clean(v)),
                ),
            ),
        ),
        latex=r"\tilde a \tilde d - \tilde b \tilde c = (1 - \tau_+ - \tau_-)(ad - bc)",
    ),
]


# The order of splits.


def channels() -> Iterator[Channel]:
    for tau_pos, tau_neg in product(SOME_RATES, repeat=2):
        if tau_pos + tau_neg != 1:
            yield class_conditional(tau_pos=tau_pos, tau_neg=tau_neg)


def after(criterion: Criterion, channel: Channel) -> Callable[[Any], Any]:
    """Return the score of the expected noisy table, each table once."""
    return lru_cache(maxsize=None)(lambda t: score(criterion, noisy(t, channel)))


def before(criterion: Criterion) -> Callable[[Any], Any]:
    return lru_cache(maxsize=None)(lambda t: score(criterion, t))


def keeps_order(criterion: Criterion, channel: Channel, most: int) -> Exhaustive:
    """A strictly better split of a node stays strictly better in expectation."""
    clean_score, noisy_score = before(criterion), after(criterion, channel)
    return Exhaustive(
        lambda: node_splits(count_vectors(most, 2, 2)),
        lambda pair: (
            not clean_score(pair[0]) > clean_score(pair[1]) or bool(noisy_score(pair[0]) > noisy_score(pair[1]))
        ),
    )


MULTIPLES = {"s": "count", "u": "count"} | RATES


def multiples_keep_order(v: Any, m: Any) -> Any:
    return m.abs(kept(v)) * v.s > m.abs(kept(v)) * v.u


def under(channel: Callable[[Any], Channel], factor: Callable[[Any], Any]) -> Identity:
    """The squared gain under noise of one rate is the squared factor times the clean one."""
    return Identity(
        SPLIT | {"eta": "rate"},
        lambda v, m: pairwise_gain.score(noisy(clean(v), channel(v)), m) ** 2,
        lambda v, m: factor(v) ** 2 * pairwise_gain.score(clean(v), m) ** 2,
    )


def cells(most: int) -> Iterator[Any]:
    """Yield counts of the four cells of two crossing splits, with noise rates 0 or 1/4 of their own."""
    for n in range(2, most + 1):
        for flat in compositions(n, 8):
            regions = tuple(zip(flat[::2], flat[1::2], strict=True))
            first, second = crossing(regions)
            if score(pairwise_gain, first) > score(pairwise_gain, second):
                yield from ((regions, rates) for rates in product((Fraction(0), Fraction(1, 4)), repeat=4))


def crossing(regions: Any) -> tuple[Any, Any]:
    """Return the tables of the two splits: cells 0, 1 against 2, 3, and cells 0, 2 against 1, 3."""
    rows = [[[x + y for x, y in zip(regions[i], regions[j], strict=True)] for i, j in pair] for pair in CROSSED]
    return rows[0], rows[1]


CROSSED = (((0, 1), (2, 3)), ((0, 2), (1, 3)))


def survives(case: Any) -> bool:
    regions, rates = case
    seen = [symmetric(rate).on_distribution(list(map(Fraction, row))) for row, rate in zip(regions, rates, strict=True)]
    first, second = (score(pairwise_gain, t) for t in crossing(seen))
    return bool(first >= second)


def same_rates(most: int) -> Iterator[Any]:
    return ((regions, rates) for regions, rates in cells(most) if len(set(rates)) == 1)


ORDER = [
    Theorem(
        key="noise.pairwise_gain_keeps_order_of_class_conditional",
        statement="if tau_pos + tau_neg is not 1 then of two splits of a node the one with more pairwise gain has"
        " more in expected noisy counts too: the best split stays the best",
        source="yang2019, Theorem 1",
        scope="two classes, all counts and rates; every pair of splits with N <= 6 at fourteen pairs of rates",
        holds=All(
            rescales,
            Smt(MULTIPLES, multiples_keep_order, lambda v, m: [kept(v) != 0, v.s > v.u]),
            under(lambda v: symmetric(v.eta), lambda v: 1 - 2 * v.eta),
            under(lambda v: pair_flip(v.eta), lambda v: 1 - 2 * v.eta),
            *(keeps_order(pairwise_gain, channel, 6) for channel in channels()),
        ),
        fails=(
            NearMiss(
                "the same at tau_pos = 3/4, tau_neg = 1/4",
                keeps_order(pairwise_gain, class_conditional(tau_pos=Fraction(3, 4), tau_neg=Fraction(1, 4)), 4),
                alters="hypothesis",
            ),
            NearMiss(
                "the same when noise depends on the example (rates 0 and 1/4)",
                Exhaustive(lambda: cells(4), survives),
                alters="hypothesis",
            ),
            NearMiss(
                "at rates 2/5 and 1/5 misclassification keeps the order of splits too",
                keeps_order(
                    decrease(misclassification),
                    class_conditional(tau_pos=Fraction(2, 5), tau_neg=Fraction(1, 5)),
                    5,
                ),
            ),
        ),
        latex=r"\tau_+ + \tau_- \ne 1 \implies \arg\max_s \tilde t(s) = \arg\max_s t(s)",
        added="tau_pos + tau_neg is not 1, and counts are expected counts",
        facts=(
            Fact("pairwise_gain", "keeps order under uniform noise", "2", True),
            Fact("pairwise_gain", "keeps order under class-conditional noise", "2", True),
            Fact("pairwise_gain", "keeps order under pair-flip noise", "2", True),
        ),
    ),
    Theorem(
        key="noise.pairwise_gain_loses_order_of_instance_dependent",
        statement="noise whose rate depends on the example, below 1/2 everywhere, can reverse the order of two splits"
        " by pairwise gain; the smallest node has 4 examples",
        source="yang2019, Section VI-B",
        scope="rates 0 and 1/4 on the four cells of two splits, N <= 3 none, N = 4 a witness",
        holds=All(Exhaustive(lambda: cells(3), survives), Not(Exhaustive(lambda: cells(4), survives))),
        fails=(
            NearMiss(
                "so can one rate for all examples",
                Not(Exhaustive(lambda: same_rates(4), survives)),
                alters="hypothesis",
            ),
            NearMiss("no node of up to 4 examples is affected", Exhaustive(lambda: cells(4), survives)),
        ),
        facts=(Fact("pairwise_gain", "keeps order under instance-dependent noise", "2", False),),
    ),
    Theorem(
        key="noise.pairwise_gain_vanishes_of_rates_that_sum_to_one",
        statement="if tau_pos + tau_neg = 1 then the expected noisy gain of every split is 0",
        source="yang2019, Theorem 1",
        scope="two classes, all counts; pairs of rates with denominator up to 6 for N <= 5",
        holds=All(
            Smt(
                NOISY_SPLIT,
                lambda v, m: pairwise_gain.score(noisy_split(v), m) == 0,
                lambda v, m: [v.tau_neg == 1 - v.tau_pos],
            ),
            Exhaustive(
                lambda: product(binary_splits(5), [Fraction(k, 6) for k in range(7)]),
                lambda c: score(pairwise_gain, noisy(c[0], class_conditional(tau_pos=c[1], tau_neg=1 - c[1]))) == 0,
            ),
        ),
        fails=(
            NearMiss(
                "the same if tau_pos + tau_neg is at least 1",
                Smt(
                    NOISY_SPLIT,
                    lambda v, m: pairwise_gain.score(noisy_split(v), m) == 0,
                    lambda v, m: [v.tau_neg + v.tau_pos >= 1],
                ),
                alters="hypothesis",
            ),
            NearMiss(
                "the gain is lost at tau_pos = tau_neg = 1/2 only",
                Smt(
                    NOISY_SPLIT,
                    stays_positive,
                    lambda v, m: [pairwise_gain.score(clean(v), m) > 0, v.tau_pos != v.tau_neg],
                ),
            ),
        ),
        added="the case tau_pos + tau_neg = 1, which the theorem must exclude",
    ),
]


# Above 1 the children change places.

SHARES = {"p_left": "rate", "p_right": "rate"} | RATES


def noisy_share(v: Any, p: Any) -> Any:
    """Return the expected share of positive labels after noise."""
    return class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg).on_distribution([1 - p, p])[1]


def order_of_children(v: Any, m: Any) -> Any:
    return noisy_share(v, v.p_left) < noisy_share(v, v.p_right)


def more_than_one(v: Any, m: Any) -> list[Any]:
    return [v.p_left > v.p_right, v.tau_pos + v.tau_neg > 1]


def reversed_labels(v: Any, m: Any) -> Any:
    return (2 * noisy_share(v, v.p_left) - 1) * (2 * v.p_left - 1) < 0


REVERSAL = [
    Theorem(
        key="noise.children_change_places_of_rates_above_one",
        statement="if tau_pos + tau_neg > 1 then the child with the larger share of positives has the smaller one after"
        " noise: the best split survives, the scores of its children are exchanged",
        source="yang2019, Theorem 1",
        scope="two classes, all shares and rates",
        holds=All(
            Smt(SHARES, order_of_children, more_than_one),
            Identity(
                SHARES,
                lambda v, m: noisy_share(v, v.p_left) - noisy_share(v, v.p_right),
                lambda v, m: kept(v) * (v.p_left - v.p_right),
            ),
        ),
        fails=(
            NearMiss(
                "one rate above 1/2 is enough",
                Smt(SHARES, order_of_children, lambda v, m: [v.p_left > v.p_right, v.tau_pos > Fraction(1, 2)]),
                alters="hypothesis",
            ),
            NearMiss(
                "the majority label of every child is reversed",
                Smt(SHARES, reversed_labels, lambda v, m: [2 * v.p_left != 1, v.tau_pos + v.tau_neg > 1]),
            ),
        ),
    ),
]


# Gini has the same robustness.

POSITIVE = ROWS | RATES


def gini_after(v: Any, m: Any) -> Any:
    return gini_decrease.score(noisy_split(v), m)


def gini_times(power: int) -> Callable[[Any, Any], Any]:
    return lambda v, m: kept(v) ** power * gini_decrease.score(clean(v), m)


FLIPPED = (((2, 0), (1, 2)), ((0, 1), (3, 1)))


def order_after(criterion: Criterion, tau_pos: Fraction, tau_neg: Fraction) -> Sign:
    """The first split of a witness is better than the second before noise, and after it."""
    channel = class_conditional(tau_pos=tau_pos, tau_neg=tau_neg)
    tables = [[[list(map(Fraction, row)) for row in t] for t in FLIPPED]]
    tables.append([noisy(t, channel) for t in tables[0]])
    return Sign(lambda m: [criterion.score(s, m) - criterion.score(u, m) for s, u in tables])


gini_rescales = Identity(POSITIVE, gini_after, gini_times(2))

GINI = [
    Theorem(
        key="noise.gini_order_survives_of_class_conditional",
        statement="for two classes the Gini gain of the expected noisy table is (1 - tau_pos - tau_neg)^2 times the"
        " clean one: under asymmetric noise too it chooses the split it chose before, as pairwise gain does",
        source="yang2019, Section VI-B",
        scope="two classes, all counts, all rates; every pair of splits with N <= 6 at fourteen pairs of rates",
        holds=All(gini_rescales, *(keeps_order(gini_decrease, channel, 6) for channel in channels())),
        fails=(
            NearMiss("the factor is |1 - tau_pos - tau_neg|", Identity(POSITIVE, gini_after, gini_times(1))),
            NearMiss(
                "the information gain keeps its order at rates 0 and 1/5 too",
                order_after(decrease(entropy), Fraction(0), Fraction(1, 5)),
            ),
            NearMiss(
                "DKM keeps its order at rates 0 and 1/10 too",
                order_after(decrease(sqrt_gini), Fraction(0), Fraction(1, 10)),
            ),
        ),
        latex=r"\tilde G(s) = (1 - \tau_+ - \tau_-)^2\, G(s)",
    ),
]

THEOREMS = [*DETERMINANT, *ORDER, *REVERSAL, *GINI]
