"""The law of a contingency table under random permutation of the labels: hypergeometric, cell by cell and jointly.

Source: wang2024, Lemmas 1 and 2, eqs. (13)-(14), (44)-(50).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import comb, factorial, perm, prod
from typing import Any

from splitcrit.proof import (
    ALL,
    All,
    BinomialIdentity,
    Cases,
    Each,
    Exhaustive,
    Identity,
    Law,
    NearMiss,
    Premise,
    Theorem,
    Zeilberger,
    upto,
)
from splitcrit.proofs.null.laws import Counts, Margins, arrangements, falling, hypergeometric, margins, up_to

IN_TURN = Premise(
    "a random permutation fills one place after the other, each with any of the labels left equally often: what is said"
    " of tuples of places and not of numbers alone",
    kind="hand",
    widens={"N": ALL},
)


def permuted(case: Margins) -> dict[Counts, Fraction]:
    """Return the share of the ``N!`` permutations that give each table, one permutation at a time."""
    a, b = ([j for j, size in enumerate(side) for _ in range(size)] for side in case)
    found = Counter[Counts]()
    for order in permutations(b):
        cells = Counter(zip(a, order, strict=True))
        found[tuple(tuple(cells[i, j] for j in range(len(case[1]))) for i in range(len(case[0])))] += 1
    return {t: Fraction(c, factorial(sum(case[0]))) for t, c in found.items()}


def cells(most: int) -> Iterator[tuple[Margins, int, int]]:
    for case in margins(most):
        yield from ((case, i, j) for i in range(len(case[0])) for j in range(len(case[1])))


def law_of_cell(case: Margins, i: int, j: int) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for t, w in arrangements(*case):
        found[t[i][j]] = found.get(t[i][j], Fraction(0)) + w
    return found


def is_hypergeometric(c: tuple[Margins, int, int]) -> bool:
    (a, b), i, j = c
    n = sum(a)
    support = range(max(0, a[i] + b[j] - n), min(a[i], b[j]) + 1)
    return law_of_cell(*c) == {x: hypergeometric(n, b[j], a[i], x) for x in support}


def is_binomial(c: tuple[Margins, int, int]) -> bool:
    (a, b), i, j = c
    p, law = Fraction(b[j], sum(a)), law_of_cell(*c)
    return len(law) == 1 or all(law.get(x, 0) == comb(a[i], x) * p**x * (1 - p) ** (a[i] - x) for x in range(a[i] + 1))


def drawn(v: Any, x: Any, size: Any) -> list[tuple[Any, Any]]:
    """Return the ways to have ``x`` of the ``b`` labels of a class, and of the ``c`` others what is left of a row."""
    return [(v.b, x), (v.c, size - x)]


# C(N, a + 1) (N - a) times the law at a + 1 is that times the law at a and a label more: of the others, or the class.
ONE_MORE = BinomialIdentity(
    ("a", "b", "c", "x"),
    ((lambda v: v.b + v.c - v.a, lambda v: [*drawn(v, v.x, v.a + 1), (v.b + v.c, v.a)]),),
    (
        (lambda v: v.c - v.a + v.x, lambda v: [*drawn(v, v.x, v.a), (v.b + v.c, v.a + 1)]),
        (lambda v: v.b - v.x + 1, lambda v: [*drawn(v, v.x - 1, v.a), (v.b + v.c, v.a + 1)]),
    ),
)
TOTAL = Zeilberger(
    n="a",
    k="x",
    parameters=("b", "c"),
    pairs=lambda v: drawn(v, v.x, v.a),
    right=lambda v: [(v.b + v.c, v.a)],
    certificate=lambda v: -v.x * (v.c - v.a + v.x) / (v.a + 1 - v.x),
)


def factorial_moment(shift: int = 0) -> Zeilberger:
    """The sum of (x)_l/l! over the ways to draw K = l + j of N = M + c with x = l + i of the M = l + m marked."""
    return Zeilberger(
        n="j",
        k="i",
        parameters=("l", "m", "c"),
        pairs=lambda v: [(v.l + v.i, v.l), (v.l + v.m, v.l + v.i), (v.c, v.j - v.i)],
        right=lambda v: [(v.l + v.m, v.l), (v.m + v.c + shift, v.j)],
        certificate=lambda v: -v.i * (v.c - v.j + v.i) / (v.j + 1 - v.i),
    )


def draws(most: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield N, M marked, K drawn and a power."""
    for n in range(1, most + 1):
        yield from product((n,), range(n + 1), range(n + 1), range(1, n + 1))


def powers_have_mean(c: tuple[int, int, int, int]) -> bool:
    n, marked, taken, power = c
    mean = sum((x**power * hypergeometric(n, marked, taken, x) for x in range(n + 1)), Fraction(0))
    return mean == Fraction(perm(taken, power) * perm(marked, power), perm(n, power))


Cells = Counter[tuple[int, int]]  # the power of each cell
Joint = tuple[Margins, Cells]


def joint(most: int, number: int, power: int) -> Iterator[Joint]:
    """Yield margins and every choice of up to so many cells, with powers up to one."""
    for case in margins(most, 2):
        places = list(product(range(len(case[0])), range(len(case[1]))))
        for chosen in combinations_with_replacement(places, number):
            for found in {
                tuple(sorted(zip(chosen, x, strict=True))) for x in product(range(1, power + 1), repeat=number)
            }:
                powers = Counter[tuple[int, int]]()
                for cell, x in found:
                    powers[cell] += x
                if powers.total() <= sum(case[0]):
                    yield case, powers


def joint_mean(c: Joint) -> Fraction:
    terms = ((prod(perm(t[i][j], x) for (i, j), x in c[1].items()), w) for t, w in arrangements(*c[0]))
    return sum((x * w for x, w in terms if x), Fraction(0))


def product_over_margins(powers: Cells, a: Any, b: Any, n: Any) -> Any:
    """Return ``prod (a_i)_l prod (b_j)_l / (N)_l``, the powers added up over cells."""
    rows, columns = Counter[int](), Counter[int]()
    for (i, j), length in powers.items():
        rows[i] += length
        columns[j] += length
    above = prod((falling(a[i], x) for i, x in rows.items()), start=1)
    return above * prod((falling(b[j], x) for j, x in columns.items()), start=1) / falling(n, powers.total())


def expected(c: Joint, powers: Cells | None = None) -> Fraction:
    a, b = ([Fraction(x) for x in side] for side in c[0])
    return Fraction(product_over_margins(powers or c[1], a, b, sum(a)))


def product_of_means(c: Joint) -> Fraction:
    return prod((expected(c, Counter({cell: x})) for cell, x in c[1].items()), start=Fraction(1))


def uncorrelated(c: Joint) -> bool:
    return joint_mean(c) == product_of_means(c)


def crosswise(most: int) -> Iterator[Joint]:
    for c in joint(most, 2, 2):
        if len({i for i, _ in c[1]}) == len({j for _, j in c[1]}) == 2:
            yield c


def power_is(power: int, numbers: tuple[int, ...]) -> Identity:
    """``n**power`` is the sum of these numbers times (n)_1, (n)_2, ..."""
    return Identity(
        {"n": "real"},
        lambda v, m: v.n**power,
        lambda v, m: sum(c * prod((v.n - i for i in range(1, x)), start=v.n) for x, c in enumerate(numbers, 1)),
    )


STIRLING: dict[int, tuple[int, ...]] = {2: (1, 1), 3: (1, 3, 1), 4: (1, 7, 6, 1)}

CELL = Theorem(
    key="null.cell_is_hypergeometric_of_permutation",
    statement="with both margins fixed the permutations give each table prod a! prod b!/(N! prod n_ij!) of their"
    " number, and each cell is hypergeometric: a_i draws without replacement from N, b_j of them of class j; drawn one"
    " at a time, the next is of class j with chance (b_j - x)/(N - a), which keeps this law for all a, b and N = b + c",
    source="wang2024, Lemma 1, eqs. (13), (44)-(49)",
    holds=All(
        tables=up_to(5, margins, lambda c: permuted(c) == dict(arrangements(*c))),
        cells=up_to(6, cells, is_hypergeometric),
        one_more=ONE_MORE,
        total=TOTAL,
    ),
    premises=(IN_TURN,),
    fails=(
        NearMiss(
            "the cell is binomial with a_i draws and chance b_j/N, unless it is certain", up_to(6, cells, is_binomial)
        ),
        NearMiss("two cells of a row are independent", Exhaustive(Cases(joint, N=5, cells=2, l=2), uncorrelated)),
    ),
)
MOMENT = Law(factorial_moment)
MOMENTS = Theorem(
    key="null.factorial_moment_of_hypergeometric",
    statement="the mean of (x)_l for x hypergeometric, K draws from N of which M are marked, is (K)_l (M)_l/(N)_l; in"
    " numbers that are not negative K = l + j, M = l + m, N = M + c, and for l > min(K, M) both are 0",
    source="wang2024, Lemma 2, eq. (14)",
    holds=MOMENT,
    fails=(
        MOMENT.but("the mean is (K)_l (M)_l/(N + 1)_l", shift=1),
        NearMiss("the same for the powers x^l", up_to(4, draws, powers_have_mean)),
        NearMiss(
            "the mean is (K)_l (M/N)^l, as with replacement",
            up_to(4, draws, lambda c: perm(c[1], c[3]) * c[0] ** c[3] == c[1] ** c[3] * perm(c[0], c[3])),
        ),
    ),
)
JOINT = Theorem(
    key="null.joint_factorial_moments_of_permutation",
    statement="the mean over permutations of a product of (n_ij)_l over cells is the product of (a_i)_l over rows and"
    " of (b_j)_l over classes, with the powers added up, divided by (N)_l",
    source="wang2024, Lemma 2 for several cells, used in eqs. (22)-(26)",
    holds=Exhaustive(Cases(joint, N=upto(5), cells=upto(2), l=upto(2)), lambda c: joint_mean(c) == expected(c)),
    premises=(Premise(IN_TURN.text, kind="hand", widens={"N": ALL, "cells": ALL, "l": ALL}),),
    fails=(
        NearMiss("cells are uncorrelated", Exhaustive(Cases(joint, N=5, cells=2, l=2), uncorrelated)),
        NearMiss(
            "cells in different rows and different classes are uncorrelated",
            up_to(5, crosswise, uncorrelated),
            "hypothesis",
        ),
    ),
)
POWERS = Theorem(
    key="null.powers_in_falling_factorials",
    statement="n^2 = (n)_2 + n, n^3 = (n)_3 + 3 (n)_2 + n, n^4 = (n)_4 + 6 (n)_3 + 7 (n)_2 + n",
    source="wang2024, eq. (50)",
    holds=Each("power", (2, 3, 4), lambda x: power_is(x, STIRLING[x])),
    fails=(
        Law(power_is, power=4, numbers=STIRLING[4]).but("the numbers are 1, 4, 6, 1", numbers=(1, 4, 6, 1)),
        Law(power_is, power=2, numbers=STIRLING[2]).but("n^2 = (n)_2", numbers=(0, 1)),
    ),
)

THEOREMS = [CELL, MOMENTS, JOINT, POWERS]
