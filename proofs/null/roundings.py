"""How far a recursion of positive numbers can be off if each of its operations is rounded.

A rounding is a factor between ``1 - e`` and ``1 + e``. A number with ``k`` roundings lies between ``l`` and ``h`` times
the true one, ``l = (1 - e)^k`` and ``h = (1 + e)^k``; that each operation multiplies ``l`` and ``h`` so, whatever they
are, is the step of an induction over ``k``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np

from splitcrit.nulls.paths import chance_of_leaving
from splitcrit.proof import All, Induction, Law, Smt, Theorem
from splitcrit.proofs.common import kinds, up_to

E = Fraction(1, 8)
POINT = dict.fromkeys("abABlhgked", Fraction(1)) | {"e": E}


def rounded_sum(sign: int = 1, roundings: int = 1) -> Smt:
    """The claim of the sum of two numbers that lie between l and h times their true values."""

    def hypotheses(v: Any, m: Any) -> list[Any]:
        known = [v.l * v.a <= v.A, v.h * v.a >= v.A, v.l * v.b <= v.B, v.h * v.b >= v.B]
        return [
            *known,
            v.a >= v.b,
            v.b >= 0,
            v.l >= 0,
            v.l <= 1,
            v.h >= 1,
            v.e >= 0,
            v.e < 1,
            1 - v.e <= v.d,
            v.d <= 1 + v.e,
        ]

    def within(v: Any, m: Any) -> Any:
        computed, true = v.d * (v.A + sign * v.B), v.a + sign * v.b
        low, high = (v.l, v.h) if not roundings else (v.l * (1 - v.e), v.h * (1 + v.e))
        return (low * true <= computed) & (computed <= high * true)

    return Smt(kinds("real", *"abABlhed"), within, hypotheses, at={x: POINT[x] for x in "abABlhed"})


def rounded_product(exponents: bool = True, roundings: int = 1) -> Smt:
    """The claim of the product of a number between l and h times its true value, and one between g and k times its."""

    def hypotheses(v: Any, m: Any) -> list[Any]:
        known = [v.l * v.a <= v.A, v.h * v.a >= v.A, v.g * v.b <= v.B, v.k * v.b >= v.B]
        return [
            *known,
            v.a >= 0,
            v.b >= 0,
            v.l >= 0,
            v.l <= 1,
            v.h >= 1,
            v.g >= 0,
            v.g <= 1,
            v.k >= 1,
            v.e >= 0,
            v.e < 1,
            1 - v.e <= v.d,
            v.d <= 1 + v.e,
        ]

    def within(v: Any, m: Any) -> Any:
        computed, true = v.d * v.A * v.B, v.a * v.b
        low, high = (v.l * v.g, v.h * v.k) if exponents else (v.l, v.h)
        low, high = (low * (1 - v.e), high * (1 + v.e)) if roundings else (low, high)
        return (low * true <= computed) & (computed <= high * true)

    return Smt(kinds("real", *"abABlhgked"), within, hypotheses, at=POINT)


def places() -> Induction:
    """The claim that any number of steps with at most c roundings each have at most c times as many together."""
    return Induction(
        "s",
        {"new": "count"},
        lambda entries, v, m: v.c * len(entries) - sum(e.new for e in entries),
        lambda e, v, m: [e.new, 1],
        lambda sums, v, m: v.c * sums[1] - sums[0],
        relation=">=",
        shared={"c": "count"},
        least=1,
        where=lambda e, v, m: [e.new <= v.c],
    )


SUM, PRODUCT = Law(rounded_sum), Law(rounded_product)
Case = tuple[int, int, tuple[int, ...], tuple[int, ...]]


def regions(most: int) -> Iterator[Case]:
    """Yield n, how many are of the first class, and the bounds at 0, ..., n, of every region of some widths."""
    for n in range(2, most + 1):
        for ones in range(1, n):
            for low, high in product(product((-1, 1), repeat=n - 1), product((-1, 0), repeat=n - 1)):
                middle = [m * ones // n for m in range(1, n)]
                lower = (0, *(x + d for x, d in zip(middle, low, strict=True)), 0)
                yield n, ones, lower, (n, *(x + 1 + d for x, d in zip(middle, high, strict=True)), n)


def rounded_chance(case: Case, factors: tuple[Fraction, ...], stays: bool = False) -> Fraction:
    """The chance of leaving by sums of which the i-th of a place is multiplied by a factor.

    With ``stays`` it is 1 less the chance of the paths that stay, so rounded.
    """
    n, ones, lower, upper = case
    paths, left = {0: Fraction(1)}, Fraction(0)
    for m in range(1, n + stays):
        places = range(min(paths), max(paths) + 2)
        paths = {x: (paths.get(x, 0) + paths.get(x - 1, 0)) * factors[(m + x) % len(factors)] for x in places}
        out = [x for x in paths if not lower[m] <= x <= upper[m]] if m < n else []
        left += sum(paths[x] * (comb(n - m, ones - x) if 0 <= ones - x <= n - m else 0) for x in out)
        paths = {x: ways for x, ways in paths.items() if x not in out}
        if not paths:
            break
    return 1 - paths.get(ones, Fraction(0)) / comb(n, ones) if stays else left / comb(n, ones)


FACTORS = ((1 + E,), (1 - E,), (1 + E, 1 - E), (1 - E, Fraction(1), 1 + E))


def leaving(less: int = 0, stays: bool = False, most: int = 5) -> Any:
    """The claim that the last place counts the roundings of the chance that a path leaves, less some."""

    def holds(case: Case) -> bool:
        n, ones, lower, upper = case
        met = [m for m in range(1, n) if lower[m] > max(0, m - n + ones) or upper[m] < min(m, ones)]
        true, k = chance_of_leaving(n, ones, np.array(lower), np.array(upper)), max([*met, less]) - less
        chances = [rounded_chance(case, factors, stays) for factors in FACTORS]
        return all((1 - E) ** k * true <= x <= (1 + E) ** k * true for x in chances)

    return up_to(most, regions, holds, lambda c: c[0])


LEAVING = Law(leaving)


def neighbours(step: int = 1) -> Smt:
    """The claim that numbers of paths at neighbouring places differ by a factor of at most m, from m - 1 to m.

    a, b, c are the numbers at x - 2, x - 1 and x among m - 1; those at x - 1 and x among m are a + b and b + c.
    """

    def hypotheses(v: Any, m: Any) -> list[Any]:
        return [v.m >= 2, v.a <= (v.m - 1) * v.b, v.c <= (v.m - 1) * v.b]

    def within(v: Any, m: Any) -> Any:
        most = v.m - 1 + step
        return (v.a + v.b <= most * (v.b + v.c)) & (v.b + v.c <= most * (v.a + v.b))

    return Smt(kinds("count", *"abcm"), within, hypotheses)


NEIGHBOURS = Law(neighbours)
ARITHMETIC = Theorem(
    key="null.roundings_add_up_in_sums_and_products",
    statement="if two numbers that are not negative have k roundings each, their rounded sum has k + 1; if they have j"
    " and k, their rounded product has j + k + 1: whatever the order of the sums; k steps of at most c roundings each"
    " have at most c k",
    source="known: the error analysis of recursive sums without cancellation",
    holds=All(sum=SUM, product=PRODUCT, steps=places()),
    fails=(
        SUM.but("their difference too", sign=-1),
        SUM.but("the sum has k", roundings=0),
        PRODUCT.but("the product has as many as its first factor, and one", exponents=False),
        PRODUCT.but("the product has j + k", roundings=0),
    ),
)
RECURSION = Theorem(
    key="null.leaving_rounds_once_a_place",
    statement="if the sums of the recursion for lattice paths are rounded, the chance that a path leaves has as many"
    " roundings as the last cut has observations to its left; numbers of paths at neighbouring places inside differ by"
    " a factor of at most the number of observations to the left",
    source="new",
    holds=All(roundings=LEAVING, neighbours=NEIGHBOURS),
    fails=(
        LEAVING.but("one rounding fewer", most=4, less=1),
        LEAVING.but("1 less the chance of the paths that stay is as exact", most=4, stays=True),
        NEIGHBOURS.but("by the number before", step=0),
    ),
)

THEOREMS = [ARITHMETIC, RECURSION]
