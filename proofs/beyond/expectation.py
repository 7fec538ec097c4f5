"""What a noisy sample is expected to score, at every number of examples, not only in the limit.

Main results: under uniform noise the expected Gini gain is an increasing affine function of the clean gain, the same
for all splits with ``r`` children; the expected pairwise gain is not; class-conditional noise adds a part that depends
on the split; noise that flips exactly ``h`` labels can reverse the order.
Source: beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from math import comb, factorial, prod
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.criteria import Criterion, decrease, pairwise_gain, twoing
from splitcrit.impurities import misclassification
from splitcrit.noise import class_conditional, symmetric
from splitcrit.proof import All, Certificate, Exhaustive, Identity, NearMiss, Smt, Theorem
from splitcrit.proofs.beyond.laws import (
    Split,
    by_moments,
    expected_score,
    flips_by_number,
    nodes,
    second_difference,
    splits,
    splits_of,
)
from splitcrit.proofs.common import compositions, exactly, gini_decrease, kinds, score

SMALL = 8
SPLIT = kinds("positive", "a", "b", "c", "d")
ONE_RATE = SPLIT | {"eta": "rate"}
TWO_RATES = SPLIT | {"tau_pos": "rate", "tau_neg": "rate"}
MOMENTS = ("independent summands: the mean of a sum is the sum of the means, its variance the sum of the variances",)
LINEAR = ("linearity of expectation",)


def table(v: Any) -> list[list[Any]]:
    """Return the split with ``a, c`` positives and ``b, d`` negatives; class 1 is the positive one."""
    return [[v.b, v.a], [v.d, v.c]]


def affine(v: Any, m: Any) -> Any:
    """Return ``(1 - 2 eta)^2 gain + 2 eta (1 - eta) / n``."""
    whole = v.a + v.b + v.c + v.d
    return (1 - 2 * v.eta) ** 2 * gini_decrease.score(table(v), m) + 2 * v.eta * (1 - v.eta) / whole


def bernstein(s: Split, criterion: Criterion = gini_decrease) -> bool:
    """Tell whether the expected score is ``(1 - 2 eta)^2 gain + 2 eta (1 - eta)/n``, scaled as the criterion is.

    Both sides are compared coefficient by coefficient of ``eta^h (1 - eta)^(n - h)``: so for every rate at once.
    """
    n, gain = sum(map(sum, s)), score(criterion, s)
    extra = Fraction(2, n) * (gain / score(gini_decrease, s) if criterion is not gini_decrease and gain else 1)

    def ways(h: int) -> int:
        return comb(n - 2, h) if h >= 0 else 0

    right = [gain * (ways(h) - 2 * ways(h - 1) + ways(h - 2)) + extra * ways(h - 1) for h in range(n + 1)]
    return flips_by_number(criterion, s) == right


# --- more classes and more children -------------------------------------------------------------------------------


def cells(v: Any, rows: int, classes: int) -> list[list[Any]]:
    return [[getattr(v, f"n{i}{k}") for k in range(classes)] for i in range(rows)]


def cell_kinds(rows: int, classes: int) -> dict[str, str]:
    return {f"n{i}{k}": "positive" for i, k in product(range(rows), range(classes))}


def one_class(t: Any, k: int) -> list[list[Any]]:
    """Return the two-class table of class ``k`` (the positive one) against the rest."""
    return [[sum(row) - row[k], row[k]] for row in t]


def halves(v: Any, m: Any, rows: int, classes: int) -> Any:
    """Return half the sum over the classes of the two-class gain of each class against the rest."""
    t = cells(v, rows, classes)
    return sum(gini_decrease.score(one_class(t, k), m) for k in range(classes)) / 2


def one_class_formula(v: Any, m: Any, rows: int) -> Any:
    """Return ``k^2 gain + (2/n) sum_i (1/n_i - 1/n)(pos_i v_pos + neg_i v_neg)`` of a two-class table."""
    t, v_pos, v_neg = cells(v, rows, 2), v.tau_pos * (1 - v.tau_pos), v.tau_neg * (1 - v.tau_neg)
    sizes = [neg + pos for neg, pos in t]
    n = sum(sizes)
    bias = sum((1 / size - 1 / n) * (pos * v_pos + neg * v_neg) for size, (neg, pos) in zip(sizes, t, strict=True))
    return (1 - v.tau_pos - v.tau_neg) ** 2 * gini_decrease.score(t, m) + 2 * bias / n


def halves_add_up(rows: int, classes: int) -> Identity:
    return Identity(
        cell_kinds(rows, classes),
        lambda v, m: gini_decrease.score(cells(v, rows, classes), m),
        lambda v, m: halves(v, m, rows, classes),
    )


def one_class_expected(rows: int) -> Identity:
    return Identity(
        cell_kinds(rows, 2) | kinds("rate", "tau_pos", "tau_neg"),
        lambda v, m: by_moments(cells(v, rows, 2), v.tau_pos, v.tau_neg, m),
        lambda v, m: one_class_formula(v, m, rows),
    )


def flip_variance(rate: Any) -> Any:
    return rate * (1 - rate)


# every example is of one class and not of K - 1 others; classes are K = more + 2
CLASSES_TOGETHER = Identity(
    {"more": "count", "eta": "rate"},
    lambda v, m: flip_variance(v.eta) + (v.more + 1) * flip_variance(v.eta / (v.more + 1)),
    lambda v, m: v.eta * (2 - v.eta * (v.more + 2) / (v.more + 1)),
)


def row_law(row: tuple[int, ...], eta: Fraction) -> dict[tuple[int, ...], Fraction]:
    """Return the law of a noisy row of counts, by multinomial laws of its classes."""
    transition = symmetric(eta).transition(len(row))
    law = {(0,) * len(row): Fraction(1)}
    for count, chances in zip(row, transition, strict=True):
        bigger: dict[tuple[int, ...], Fraction] = {}
        for seen in compositions(count, len(row)):
            ways = Fraction(factorial(count), prod(map(factorial, seen)))
            chance = ways * prod((x**y for x, y in zip(chances, seen, strict=True)), start=Fraction(1))
            for before, weight in law.items():
                now = tuple(x + y for x, y in zip(before, seen, strict=True))
                bigger[now] = bigger.get(now, Fraction(0)) + weight * chance
        law = bigger
    return law


FOUR = (((0, 1, 1), (1, 1, 0)), ((0, 1, 1), (2, 0, 0)), ((1, 0, 0), (1, 1, 1)), ((0, 0, 1), (2, 1, 0)))


def multiclass_cases() -> Iterator[tuple[tuple[tuple[int, ...], ...], Fraction]]:
    """Yield tables of three classes, at as many rates as determine a polynomial of degree n in the rate."""
    for rows, n in ((2, 2), (2, 3), (3, 3)):
        for flat in compositions(n, 3 * rows):
            t = tuple(flat[3 * i : 3 * i + 3] for i in range(rows))
            if all(map(sum, t)) and list(t) == sorted(t):
                yield from ((t, Fraction(i, 6)) for i in range(n + 1))
    yield from product(FOUR, [Fraction(i, 6) for i in range(5)])


def multiclass_expected(case: tuple[tuple[tuple[int, ...], ...], Fraction]) -> Fraction:
    t, eta = case
    mean: Fraction = Fraction(0)
    for choice in product(*(row_law(row, eta).items() for row in t)):
        weight = prod((w for _, w in choice), start=Fraction(1))
        mean += weight * score(gini_decrease, [row for row, _ in choice])
    return mean


def multiclass_formula(case: tuple[tuple[tuple[int, ...], ...], Fraction]) -> Any:
    t, eta = case
    lam = eta * Fraction(3, 2)
    bias = (len(t) - 1) * eta * (2 - lam) / sum(map(sum, t))
    return (1 - lam) ** 2 * score(gini_decrease, t) + bias


# --- order ----------------------------------------------------------------------------------------------------------


def reversed_pair(
    pairs: Iterator[tuple[Any, Any]], clean: Callable[[Any], Any], noisy: Callable[[Any], Any]
) -> Iterator[tuple[Any, Any]]:
    """Yield the pairs of splits, ordered so that the first is better in ``clean``, and not better in ``noisy``."""
    for one, two in pairs:
        if clean(one) != clean(two):
            best, other = (one, two) if clean(one) > clean(two) else (two, one)
            if noisy(best) <= noisy(other):
                yield best, other


def keeps(criterion: Criterion, tau_pos: Fraction, tau_neg: Fraction, most: int) -> Exhaustive:
    """Claim that the better of two splits of one node is expected to stay the better, up to ``most`` examples."""

    def holds(node: tuple[int, int]) -> bool:
        value = {s: expected_score(criterion, s, tau_pos, tau_neg) for s in splits_of(*node)}
        pairs = combinations(value, 2)
        return not any(reversed_pair(pairs, lambda s: score(criterion, s), value.__getitem__))

    return Exhaustive(lambda: nodes(most), holds)


def reorders(criterion: Criterion, pair: tuple[Split, Split], tau_pos: Fraction, tau_neg: Fraction) -> bool:
    """Tell whether the first split is better clean and worse in expectation."""
    first, second = pair
    noisy = [expected_score(criterion, s, tau_pos, tau_neg) for s in pair]
    return bool(score(criterion, first) > score(criterion, second) and noisy[0] < noisy[1])


PAIR_5: tuple[Split, Split] = (((1, 0), (2, 2)), ((1, 1), (2, 1)))
EQUAL_CHILDREN_9: tuple[Split, Split] = (((1, 6), (1, 1)), ((2, 5), (0, 2)))
PAIR_CLASSES: tuple[Split, Split] = (((0, 2), (2, 1)), ((1, 0), (1, 3)))
RATE_3, RATE_45, QUARTER = Fraction(3, 10), Fraction(9, 20), Fraction(1, 4)


def fixed_number(case: tuple[tuple[int, int], int]) -> bool:
    """Tell whether, with exactly ``h`` random labels flipped, the expected gain is the stated affine function."""
    node, h = case
    n = sum(node)
    slope = Fraction((n - 2 * h) ** 2 - n, n * (n - 1))
    bias = Fraction(2 * h * (n - h), n * n * (n - 1))
    return all(
        flips_by_number(gini_decrease, s)[h] / comb(n, h) == slope * score(gini_decrease, s) + bias
        for s in splits_of(*node)
    )


def order_of_fixed_number(wanted: Callable[[int, int], int]) -> Exhaustive:
    """Claim that the sign of the order after exactly ``h`` flips is the one wanted: 1 kept, -1 reversed, 0 all tied."""

    def holds(case: tuple[tuple[int, int], int]) -> bool:
        node, h = case
        points = [(score(gini_decrease, s), flips_by_number(gini_decrease, s)[h]) for s in splits_of(*node)]
        signs = {(y > t) - (y < t) for (x, y), (z, t) in product(points, repeat=2) if x > z}
        return signs <= {wanted(sum(node), h)}

    return Exhaustive(numbers, holds)


def numbers() -> Iterator[tuple[tuple[int, int], int]]:
    return ((node, h) for node in nodes(SMALL) for h in range(sum(node) + 1))


def sign(x: int) -> int:
    return (x > 0) - (x < 0)


# --- class-conditional noise --------------------------------------------------------------------------------------


def split_part(v: Any) -> Any:
    """Return ``(2/n^2) [n v_neg + (v_pos - v_neg)(N_R p_L + N_L p_R)]`` with ``v = tau (1 - tau)``."""
    left, right = v.a + v.b, v.c + v.d
    n, v_pos, v_neg = left + right, v.tau_pos * (1 - v.tau_pos), v.tau_neg * (1 - v.tau_neg)
    return 2 * (n * v_neg + (v_pos - v_neg) * (right * v.a / left + left * v.c / right)) / n**2


def two_rate_formula(v: Any, m: Any) -> Any:
    return (1 - v.tau_pos - v.tau_neg) ** 2 * gini_decrease.score(table(v), m) + split_part(v)


def two_rate_exact(case: tuple[Split, tuple[Fraction, Fraction]]) -> bool:
    s, rates = case
    return bool(expected_score(gini_decrease, s, *rates) == by_moments(exactly(s), *rates, EXACT))


RATE_PAIRS = (
    (Fraction(0), QUARTER),
    (Fraction(1, 10), RATE_3),
    (Fraction(2, 5), Fraction(1, 5)),
    (RATE_45, Fraction(0)),
)


def noisy_square(criterion: Criterion) -> Callable[[Any, Any], Any]:
    def score_of_expected(v: Any, m: Any) -> Any:
        channel = class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg)
        return criterion.score([channel.on_distribution(row) for row in table(v)], m)

    return score_of_expected


def signed_pairs(t: Any) -> Any:
    """Return ``a d - b c``: positives left times negatives right, minus the reverse."""
    (b, a), (d, c) = t
    return a * d - b * c


def adds_up(case: tuple[int, ...]) -> bool:
    """Tell whether flips act on ``a d - b c`` one by one: the change is the sum of the changes of single flips."""
    n = len(case) // 2
    labels, side = case[:n], case[n:]

    def value(y: tuple[int, ...]) -> int:
        t = [[sum(s == r and x == k for x, s in zip(y, side, strict=True)) for k in (0, 1)] for r in (0, 1)]
        return int(signed_pairs(t))

    def flipped(which: tuple[int, ...]) -> int:
        return value(tuple(x ^ f for x, f in zip(labels, which, strict=True)))

    single = [flipped(tuple(int(i == j) for j in range(n))) - value(labels) for i in range(n)]
    return all(
        flipped(which) == value(labels) + sum(d for d, f in zip(single, which, strict=True) if f)
        for which in product((0, 1), repeat=n)
    )


def labelled_splits() -> Iterator[tuple[int, ...]]:
    for n in (2, 3, 4):
        yield from product((0, 1), repeat=2 * n)


def spread_kept(v: Any, m: Any) -> Any:
    left, right = v.a + v.b, v.c + v.d
    return left + right - (right * v.a / left + left * v.c / right)


def spread_terms(v: Any, m: Any) -> list[tuple[list[Any], list[str]]]:
    return [([], ["left"]), ([], ["right"])]


def spread_atoms(v: Any, m: Any) -> dict[str, Any]:
    left, right = v.a + v.b, v.c + v.d
    return {"left": right * v.b / left, "right": left * v.d / right}


THEOREMS = [
    Theorem(
        key="noise.expected_gini_gain_is_affine_of_symmetric",
        statement="the Gini gain of a sample whose labels flip independently with probability eta has expectation"
        " (1 - 2 eta)^2 gain + 2 eta (1 - eta)/n, whatever the split: at every n the expected order is the clean order",
        source="beyond: exact expectation under noise",
        scope=f"two classes; all flips and every eta at once for n <= {SMALL}; all positive counts, all eta",
        holds=All(
            Exhaustive(lambda: splits(SMALL), bernstein),
            Identity(ONE_RATE, lambda v, m: by_moments(table(v), v.eta, v.eta, m), affine),
            Identity(
                SPLIT,
                lambda v, m: second_difference(table(v), 0, m),
                lambda v, m: 4 * (v.c + v.d) / ((v.a + v.b) * (v.a + v.b + v.c + v.d) ** 2),
            ),
        ),
        fails=(
            NearMiss(
                "the expectation is (1 - 2 eta)^2 gain, as it is in the limit",
                Identity(
                    ONE_RATE,
                    lambda v, m: by_moments(table(v), v.eta, v.eta, m),
                    lambda v, m: (1 - 2 * v.eta) ** 2 * gini_decrease.score(table(v), m),
                ),
            ),
            NearMiss(
                "misclassification, whose population gain rescales too, keeps its order in expectation",
                keeps(decrease(misclassification), RATE_3, RATE_3, 6),
            ),
            NearMiss(
                "the additive term grows for unbalanced splits: eta (1 - eta) (1/n_L + 1/n_R)/2",
                Identity(
                    ONE_RATE,
                    lambda v, m: by_moments(table(v), v.eta, v.eta, m),
                    lambda v, m: (
                        (1 - 2 * v.eta) ** 2 * gini_decrease.score(table(v), m)
                        + v.eta * (1 - v.eta) * (1 / (v.a + v.b) + 1 / (v.c + v.d)) / 2
                    ),
                ),
            ),
        ),
        premises=MOMENTS,
        latex=r"\mathbb E\,\widetilde{\mathrm{gain}} = (1-2\eta)^2\,\mathrm{gain} + \tfrac{2\eta(1-\eta)}{n}",
    ),
    Theorem(
        key="noise.expected_gini_gain_is_affine_of_uniform",
        statement="with K classes and r children the expected Gini gain under uniform noise is"
        " (1 - lam)^2 gain + (r - 1) eta (2 - lam)/n with lam = eta K/(K - 1): the order is kept among splits with"
        " equally many children",
        source="beyond: exact expectation under noise",
        scope="r = 2, 3, all positive counts, all rates, all K (the sum over classes for K = 3, 4); by laws for n <= 4",
        holds=All(
            *(halves_add_up(r, k) for r, k in ((2, 3), (3, 3), (2, 4))),
            one_class_expected(2),
            one_class_expected(3),
            CLASSES_TOGETHER,
            Exhaustive(multiclass_cases, lambda c: multiclass_expected(c) == multiclass_formula(c)),
        ),
        fails=(
            NearMiss(
                "splits into two and into three children keep their order in expectation",
                Exhaustive(
                    lambda: [(((0, 3), (1, 0)), ((1, 1), (0, 1), (0, 1)))],
                    lambda pair: (
                        not (
                            score(gini_decrease, pair[0]) > score(gini_decrease, pair[1])
                            and expected_score(gini_decrease, pair[0], RATE_3, RATE_3)
                            < expected_score(gini_decrease, pair[1], RATE_3, RATE_3)
                        )
                    ),
                ),
                alters="hypothesis",
            ),
            NearMiss(
                "the additive term does not depend on the number of children",
                Identity(
                    cell_kinds(3, 2) | {"eta": "rate"},
                    lambda v, m: by_moments(cells(v, 3, 2), v.eta, v.eta, m),
                    lambda v, m: (
                        (1 - 2 * v.eta) ** 2 * gini_decrease.score(cells(v, 3, 2), m)
                        + 2 * v.eta * (1 - v.eta) / sum(map(sum, cells(v, 3, 2)))
                    ),
                ),
            ),
        ),
        premises=MOMENTS,
        latex=r"\mathbb E\,\widetilde{\mathrm{gain}} = (1-\lambda)^2\,\mathrm{gain} + "
        r"\frac{(r-1)\,\eta\,(2-\lambda)}{n},\qquad \lambda=\frac{K\eta}{K-1}",
    ),
    Theorem(
        key="noise.expected_pairwise_gain_reorders_of_symmetric",
        statement="the expected pairwise gain does not keep its order: of five examples, two positive, the"
        " split with |ad - bc| = 2 is expected to score 2 at eta = 3/10, and the one with 1 to score 2.0836",
        source="beyond: exact expectation under noise",
        scope="the two splits, by their binomial laws",
        holds=Exhaustive(
            lambda: [PAIR_5],
            lambda pair: (
                reorders(pairwise_gain, pair, RATE_3, RATE_3)
                and [2 * expected_score(pairwise_gain, s, RATE_3, RATE_3) for s in pair] == [2, Fraction(5209, 2500)]
            ),
        ),
        fails=(
            NearMiss("the expected pairwise gain keeps its order", keeps(pairwise_gain, RATE_3, RATE_3, 5)),
            NearMiss(
                "it keeps its order among splits with the same sizes of children",
                Exhaustive(lambda: [EQUAL_CHILDREN_9], lambda p: not reorders(pairwise_gain, p, RATE_45, RATE_45)),
                alters="hypothesis",
            ),
            NearMiss(
                "the expected pairwise gain is |1 - 2 eta| times the clean one, as for the expected table",
                Exhaustive(
                    lambda: splits(4),
                    lambda s: (
                        expected_score(pairwise_gain, s, RATE_3, RATE_3) == Fraction(2, 5) * score(pairwise_gain, s)
                    ),
                ),
            ),
        ),
    ),
    Theorem(
        key="noise.signed_pairs_rescale_in_expectation_of_dependent_flips",
        statement="a d - b c is a sum of one term per example, so its expectation is (1 - tau_pos - tau_neg)(a d - b c)"
        " whatever the dependence between the flips, given only their rates",
        source="beyond: exact expectation under noise",
        scope="additivity for all labels, splits and flips with n <= 4; the mean for all counts and rates",
        holds=All(
            Exhaustive(labelled_splits, adds_up),
            Identity(
                TWO_RATES,
                lambda v, m: signed_pairs(
                    [class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg).on_distribution(row) for row in table(v)]
                ),
                lambda v, m: (1 - v.tau_pos - v.tau_neg) * signed_pairs(table(v)),
            ),
        ),
        fails=(
            NearMiss(
                "the expected Gini gain keeps its order under dependent flips with rates below 1/2 (one of n flips)",
                order_of_fixed_number(lambda n, h: 1 if h <= 1 else sign((n - 2 * h) ** 2 - n)),
                alters="hypothesis",
            ),
            NearMiss(
                "a d - b c multiplies: two flips change it by the product of their factors",
                Identity(
                    TWO_RATES,
                    lambda v, m: signed_pairs(
                        [
                            class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg).on_distribution(row)
                            for row in table(v)
                        ]
                    ),
                    lambda v, m: (1 - v.tau_pos) * (1 - v.tau_neg) * signed_pairs(table(v)),
                ),
            ),
        ),
        premises=LINEAR,
    ),
    Theorem(
        key="noise.expected_gini_gain_of_fixed_number_of_flips",
        statement="if exactly h of n labels, chosen at random, are flipped, the expected Gini gain is"
        " ((n - 2h)^2 - n)/(n(n - 1)) gain + 2h(n - h)/(n^2(n - 1)): the order is kept if |n - 2h| > sqrt(n), all"
        " splits tie if |n - 2h| = sqrt(n), and the order is reversed if |n - 2h| < sqrt(n)",
        source="beyond: exact expectation under noise",
        scope=f"two classes, all nodes and splits with n <= {SMALL}",
        holds=All(Exhaustive(numbers, fixed_number), order_of_fixed_number(lambda n, h: sign((n - 2 * h) ** 2 - n))),
        fails=(
            NearMiss(
                "the order is kept whenever fewer than half of the labels flip",
                order_of_fixed_number(lambda n, h: sign(abs(n - 2 * h))),
            ),
            NearMiss(
                "the order is kept if n - 2h > sqrt(n) and reversed if n - 2h < -sqrt(n)",
                order_of_fixed_number(
                    lambda n, h: sign(n - 2 * h) if (n - 2 * h) ** 2 > n else sign((n - 2 * h) ** 2 - n)
                ),
            ),
        ),
    ),
    Theorem(
        key="noise.gini_and_twoing_rescale_of_class_conditional",
        statement="without knowing the rates: for two classes the Gini gain and twoing of the expected table are"
        " (1 - tau_pos - tau_neg)^2 times the clean ones",
        source="beyond: class-conditional noise",
        scope="two classes, all positive counts, all rates in [0, 1]",
        holds=All(
            *(
                Identity(
                    TWO_RATES,
                    noisy_square(criterion),
                    lambda v, m, c=criterion: (1 - v.tau_pos - v.tau_neg) ** 2 * c.score(table(v), m),  # type: ignore[misc]
                )
                for criterion in (gini_decrease, twoing)
            )
        ),
        fails=(
            NearMiss(
                "the factor is (1 - 2 tau)^2 for the mean rate tau weighted by the classes",
                Identity(
                    TWO_RATES,
                    noisy_square(gini_decrease),
                    lambda v, m: (
                        (1 - 2 * ((v.a + v.c) * v.tau_pos + (v.b + v.d) * v.tau_neg) / (v.a + v.b + v.c + v.d)) ** 2
                        * gini_decrease.score(table(v), m)
                    ),
                ),
            ),
            NearMiss(
                "a positive gain stays positive at all rates",
                Exhaustive(
                    lambda: product((Fraction(0), Fraction(1, 2), Fraction(1)), repeat=2),
                    lambda rates: (
                        gini_decrease.score(
                            [
                                class_conditional(tau_pos=rates[0], tau_neg=rates[1]).on_distribution(row)
                                for row in exactly(((1, 2), (2, 1)))
                            ],
                            EXACT,
                        )
                        > 0
                    ),
                ),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="noise.expected_gini_gain_of_class_conditional",
        statement="under class-conditional noise the expected Gini gain is (1 - tau_pos - tau_neg)^2 gain"
        " + (2/n^2) [n v_neg + (v_pos - v_neg)(N_R p_L + N_L p_R)] with v = tau(1 - tau); the part that depends on the"
        " split is at most 2 |v_pos - v_neg|/n",
        source="beyond: class-conditional noise",
        scope="two classes, all positive counts and rates; by binomial laws for n <= 6 at four pairs of rates",
        holds=All(
            Identity(TWO_RATES, lambda v, m: by_moments(table(v), v.tau_pos, v.tau_neg, m), two_rate_formula),
            Exhaustive(lambda: product(splits(6), RATE_PAIRS), two_rate_exact),
            Certificate(SPLIT, spread_kept, spread_terms, spread_atoms),
        ),
        fails=(
            NearMiss(
                "the additive term does not depend on the split: it is that of the node's class shares",
                Identity(
                    TWO_RATES,
                    lambda v, m: by_moments(table(v), v.tau_pos, v.tau_neg, m),
                    lambda v, m: (
                        (1 - v.tau_pos - v.tau_neg) ** 2 * gini_decrease.score(table(v), m)
                        + 2
                        * ((v.a + v.c) * v.tau_pos * (1 - v.tau_pos) + (v.b + v.d) * v.tau_neg * (1 - v.tau_neg))
                        / (v.a + v.b + v.c + v.d) ** 2
                    ),
                ),
            ),
            NearMiss(
                "the expected order is the clean order at every n, as for symmetric noise",
                keeps(gini_decrease, Fraction(0), QUARTER, 5),
                alters="hypothesis",
            ),
        ),
        premises=MOMENTS,
    ),
    Theorem(
        key="noise.expected_gini_gain_reorders_of_class_conditional",
        statement="with tau_pos = 0 and tau_neg = 1/4 the split [0 2 | 2 1] (negatives, positives) gains more than"
        " [1 0 | 1 3] clean and as a population, and less in expectation over five examples; with fewer no order"
        " changes",
        source="beyond: class-conditional noise",
        scope="n <= 5 at these rates, by binomial laws",
        holds=All(
            Exhaustive(lambda: [PAIR_CLASSES], lambda p: reorders(gini_decrease, p, Fraction(0), QUARTER)),
            keeps(gini_decrease, Fraction(0), QUARTER, 4),
        ),
        fails=(
            NearMiss(
                "the same two splits change places at tau_pos = tau_neg = 1/4",
                Exhaustive(lambda: [PAIR_CLASSES], lambda p: reorders(gini_decrease, p, QUARTER, QUARTER)),
                alters="hypothesis",
            ),
            NearMiss(
                "and at tau_pos = 1/4, tau_neg = 0",
                Exhaustive(lambda: [PAIR_CLASSES], lambda p: reorders(gini_decrease, p, QUARTER, Fraction(0))),
                alters="hypothesis",
            ),
        ),
    ),
    Theorem(
        key="noise.majority_threshold_of_class_conditional",
        statement="for tau_pos + tau_neg < 1 the true majority of a leaf is positive exactly if its noisy share exceeds"
        " (1 - tau_pos + tau_neg)/2",
        source="beyond: class-conditional noise",
        scope="all shares and rates with tau_pos + tau_neg < 1",
        holds=Smt(
            kinds("rate", "p", "tau_pos", "tau_neg"),
            lambda v, m: (v.p * 2 > 1) == (2 * _share(v) > 1 - v.tau_pos + v.tau_neg),
            lambda v, m: [v.tau_pos + v.tau_neg < 1],
        ),
        fails=(
            NearMiss(
                "the noisy majority is the true one, as under symmetric noise below 1/2",
                Smt(
                    kinds("rate", "p", "tau_pos", "tau_neg"),
                    lambda v, m: (v.p * 2 > 1) == (2 * _share(v) > 1),
                    lambda v, m: [v.tau_pos + v.tau_neg < 1],
                ),
            ),
            NearMiss(
                "for all rates",
                Smt(
                    kinds("rate", "p", "tau_pos", "tau_neg"),
                    lambda v, m: (v.p * 2 > 1) == (2 * _share(v) > 1 - v.tau_pos + v.tau_neg),
                ),
                alters="hypothesis",
            ),
        ),
    ),
]


def _share(v: Any) -> Any:
    return class_conditional(tau_pos=v.tau_pos, tau_neg=v.tau_neg).on_distribution([1 - v.p, v.p])[1]
