"""Theorem 1 of yang2019 in a sample: what realised flip proportions do.

Source: yang2019, Theorem 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from splitcrit.criteria import pairwise_gain
from splitcrit.proof import ALL, Erratum, Exhaustive, NearMiss, Premise, Theorem
from splitcrit.proofs.common import score, up_to


def flipped_labels(n: int, size: int = 1) -> Iterator[Any]:
    """Yield labels and flips of ``n`` examples in the order of a feature, ``size`` of them at each of its values."""
    yield from product(product((0, 1), repeat=n), product((0, 1), repeat=n), [size])


def proportion(labels: Any, flips: Any, k: int) -> Fraction | None:
    """The share of flipped examples of a class, None where the class is absent."""
    seen = [f for y, f in zip(labels, flips, strict=True) if y == k]
    return Fraction(sum(seen), len(seen)) if seen else None


def equal_at(case: Any, cut: int) -> bool:
    """Whether both children of a threshold have the same proportions, where a class is in both."""
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


THEOREMS = [
    Theorem(
        key="noise.equal_proportions_flip_whole_classes_of_thresholds",
        statement="if at every threshold of a feature with distinct values both children have the same realised flip"
        " proportions, then each class of two or more members is flipped altogether or not at all",
        source="yang2019, Theorem 1",
        holds=up_to(6, equal_everywhere, whole_classes, lambda case: len(case[0])),
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
            NearMiss(
                "flipping the same share of each class leaves the best threshold where it is (n = 4)",
                Exhaustive(lambda: one_flip_in_each_class(4), choice_survives),
                alters="hypothesis",
            ),
        ),
        premises=(Premise("equal_proportions_flip_whole_classes_of_thresholds", "kernel", {"N": ALL}),),
        added="counts are expected counts: realised proportions are equal in no proper sample",
    )
]
ERRATA = [Erratum("Y-E4b", THEOREMS[0].fails[-1].claim, THEOREMS[0].key)]
