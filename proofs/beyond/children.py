"""The expected Gini gain of a noisy sample with any number of classes and of children.

Main results: under uniform noise it is an affine function of the clean gain, the same for all splits with equally many
children; more children gain more from noise.
Source: beyond.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import Any

from splitcrit.noise import symmetric
from splitcrit.proof import All, Exhaustive, Identity, NearMiss, Theorem
from splitcrit.proofs.beyond.expectation import MOMENTS, RATE_3
from splitcrit.proofs.beyond.laws import by_moments, expected_score
from splitcrit.proofs.common import compositions, gini_decrease, kinds, score


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


THEOREMS = [
    Theorem(
        key="noise.expected_gini_gain_is_affine_of_uniform",
        statement="with K classes and r children the expected Gini gain under uniform noise is"
        " (1 - lam)^2 gain + (r - 1) eta (2 - lam)/n with lam = eta K/(K - 1): the order is kept among splits with"
        " equally many children",
        source="beyond, exact expectation under noise",
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
]
