"""Theorem 1 in a sample: what realised flip proportions do, and what random flips do on average.

Main results: realised proportions are equal at every threshold only when whole classes are flipped, so that the theorem
is one about expected counts; the determinant, not the gain, has its scaled value as mean at every sample size.
Source: yang2019, Theorem 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from splitcrit.criteria import pairwise_gain
from splitcrit.proof import Exhaustive, NearMiss, Theorem
from splitcrit.proofs.common import binary_splits, score
from splitcrit.proofs.noise.flips import before
from splitcrit.proofs.yang2019.terms import determinant


def flipped_labels(n: int, size: int = 1) -> Iterator[Any]:
    """Yield labels and flips of ``n`` examples in the order of a feature, ``size`` of them at each of its values."""
    yield from product(product((0, 1), repeat=n), product((0, 1), repeat=n), [size])


def proportion(labels: Any, flips: Any, k: int) -> Fraction | None:
    """Return the share of flipped examples of a class, None where the class is absent."""
    seen = [f for y, f in zip(labels, flips, strict=True) if y == k]
    return Fraction(sum(seen), len(seen)) if seen else None


def equal_at(case: Any, cut: int) -> bool:
    """Tell whether both children of a threshold have the same proportions, where a class is in both."""
    labels, flips, _ = case
    for k in (0, 1):
        sides = [proportion(labels[part], flips[part], k) for part in (slice(cut), slice(cut, None))]
        if None not in sides and sides[0] != sides[1]:
            return False
    return True


def equal_everywhere(most: int, size: int = 1, *, cuts: Callable[[int], Any] | None = None) -> Iterator[Any]:
    """Yield the cases in which the hypothesis of Theorem 1 holds at every threshold, or at those named."""
    for n in range(2 * size, most + 1, size):
        where = list(cuts(n) if cuts else range(size, n, size))
        yield from (case for case in flipped_labels(n, size) if all(equal_at(case, cut) for cut in where))


def whole_classes(case: Any) -> bool:
    """State that each class of two or more members is flipped altogether or not at all."""
    labels, flips, _ = case
    return all(labels.count(k) < 2 or proportion(labels, flips, k) in (0, 1) for k in (0, 1))


def thresholds_of(labels: Any) -> list[Any]:
    return [[[side.count(0), side.count(1)] for side in (labels[:i], labels[i:])] for i in range(1, len(labels))]


def best_thresholds(labels: Any) -> set[int]:
    gains = [score(pairwise_gain, t) for t in thresholds_of(labels)]
    return {i for i, gain in enumerate(gains) if gain == max(gains)}


def choice_survives(case: Any) -> bool:
    """State that the best thresholds by pairwise gain are the same before and after the flips."""
    labels, flips, _ = case
    return best_thresholds(labels) == best_thresholds(tuple(y ^ f for y, f in zip(labels, flips, strict=True)))


def one_flip_in_each_class(n: int) -> Iterator[Any]:
    """Yield the cases in which the same share of each class is flipped, neither none nor all."""
    for case in flipped_labels(n):
        shares = [proportion(case[0], case[1], k) for k in (0, 1)]
        if None not in shares and shares[0] == shares[1] and 0 < (shares[0] or 0) < 1:
            yield case


def exact_law(t: Any, tau_pos: Fraction, tau_neg: Fraction) -> Iterator[tuple[Fraction, Any]]:
    """Yield every noisy table with its probability, each label flipped independently."""
    sizes = [(row[k], (tau_neg, tau_pos)[k]) for row in t for k in (0, 1)]
    for flips in product(*(range(n + 1) for n, _ in sizes)):
        chance = Fraction(1)
        for (n, rate), x in zip(sizes, flips, strict=True):
            chance *= comb(n, x) * rate**x * (1 - rate) ** (n - x)
        (b, a), (d, c) = t
        fb, fa, fd, fc = flips
        yield chance, ((b - fb + fa, a - fa + fb), (d - fd + fc, c - fc + fd))


LAW_RATES = ((Fraction(1, 4), Fraction(1, 3)), (Fraction(2, 3), Fraction(1, 2)))


def expected(of: Callable[[Any], Any], t: Any, rates: tuple[Fraction, Fraction]) -> Fraction:
    return sum((chance * of(seen) for chance, seen in exact_law(t, *rates)), Fraction(0))


def law_cases(most: int) -> Iterator[Any]:
    return product(binary_splits(most), LAW_RATES)


def determinant_is_unbiased(case: Any) -> bool:
    t, rates = case
    return bool(expected(determinant, t, rates) == (1 - sum(rates)) * determinant(t))


def gain_is_unbiased(case: Any) -> bool:
    t, rates = case
    return bool(expected(before(pairwise_gain), t, rates) == abs(1 - sum(rates)) * score(pairwise_gain, t))


def square_is_unbiased(case: Any) -> bool:
    t, rates = case
    return bool(expected(lambda x: determinant(x) ** 2, t, rates) == (1 - sum(rates)) ** 2 * determinant(t) ** 2)


THEOREMS = [
    Theorem(
        key="noise.equal_proportions_flip_whole_classes_of_thresholds",
        statement="if at every threshold of a feature with distinct values both children have the same realised flip"
        " proportions, then each class of two or more members is flipped altogether or not at all",
        source="yang2019, Theorem 1",
        scope="n <= 6, all labels and flips; all n by the premise",
        holds=Exhaustive(lambda: equal_everywhere(6), whole_classes),
        fails=(
            NearMiss(
                "the same at a single threshold, the middle one",
                Exhaustive(lambda: equal_everywhere(4, cuts=lambda n: [n // 2]), whole_classes),
                alters="hypothesis",
            ),
            NearMiss(
                "the same when two examples share each value of the feature",
                Exhaustive(lambda: equal_everywhere(4, 2), whole_classes),
                alters="hypothesis",
            ),
            NearMiss(
                "then no class of two or more members is flipped at all",
                Exhaustive(
                    lambda: equal_everywhere(4),
                    lambda case: all(case[0].count(k) < 2 or proportion(case[0], case[1], k) == 0 for k in (0, 1)),
                ),
            ),
        ),
        premises=("hand argument: the threshold that cuts off a class's first member has proportion 0 or 1 there",),
        added="counts are expected counts: realised proportions are equal in no proper sample",
    ),
    Theorem(
        key="noise.pairwise_determinant_mean_of_class_conditional",
        statement="over independent flips N_L^+ N_R^- - N_L^- N_R^+ has mean (1 - tau_pos - tau_neg) times the clean"
        " one at every sample size; its absolute value, the gain, has not",
        source="yang2019, Theorem 1",
        scope="N <= 5, two pairs of rates, the exact law of all flips",
        holds=Exhaustive(lambda: law_cases(5), determinant_is_unbiased),
        fails=(
            NearMiss(
                "the gain has mean |1 - tau_pos - tau_neg| times the clean one",
                Exhaustive(lambda: law_cases(4), gain_is_unbiased),
            ),
            NearMiss(
                "the square has mean (1 - tau_pos - tau_neg)^2 times the clean one",
                Exhaustive(lambda: law_cases(4), square_is_unbiased),
            ),
            NearMiss(
                "flipping the same share of each class leaves the best threshold where it is (n = 4)",
                Exhaustive(lambda: one_flip_in_each_class(4), choice_survives),
                alters="hypothesis",
            ),
        ),
    ),
]
