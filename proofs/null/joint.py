"""Products of several cells of a random table: joint factorial moments, and powers in falling factorials.

Source: wang2024, Lemma 2 for several cells, eqs. (22)-(26), (50).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, perm, prod
from typing import Any

from splitcrit.proof import ALL, All, Cases, Each, Exhaustive, Identity, Law, NearMiss, Premise, Theorem, upto
from splitcrit.proof.balls import fraction, ratio
from splitcrit.proofs.common import margins_size, up_to
from splitcrit.proofs.null.laws import Counts, Margins, arrangements, falling, margins

Cells = Counter[tuple[int, int]]  # the power of each cell
Joint = tuple[Margins, Cells]


def joint(most: int, number: int, power: int) -> Iterator[Joint]:
    """Yield margins and every choice of up to a number of cells, with powers up to one."""
    for case in margins(most, 2):
        places = list(product(range(len(case[0])), range(len(case[1]))))
        for chosen in combinations_with_replacement(places, number):
            for powers_of in {
                tuple(sorted(zip(chosen, x, strict=True))) for x in product(range(1, power + 1), repeat=number)
            }:
                powers = Counter[tuple[int, int]]()
                for cell, x in powers_of:
                    powers[cell] += x
                if powers.total() <= sum(case[0]):
                    yield case, powers


def joint_mean(c: Joint) -> Fraction:
    terms = ((prod(perm(t[i][j], x) for (i, j), x in c[1].items()), w) for t, w in arrangements(*c[0]))
    return sum((x * w for x, w in terms if x), Fraction(0))


def product_over_margins(powers: Cells, a: Any, b: Any, n: Any) -> Any:
    """``prod (a_i)_l prod (b_j)_l / (N)_l``, the powers added up over cells."""
    rows, columns = Counter[int](), Counter[int]()
    for (i, j), length in powers.items():
        rows[i] += length
        columns[j] += length
    above = prod((falling(a[i], x) for i, x in rows.items()), start=1)
    return above * prod((falling(b[j], x) for j, x in columns.items()), start=1) / falling(n, powers.total())


def expected(c: Joint, powers: Cells | None = None) -> Fraction:
    a, b = ([ratio(x) for x in side] for side in c[0])
    return fraction(product_over_margins(powers or c[1], a, b, sum(a)))


def product_of_means(c: Joint) -> Fraction:
    return prod((expected(c, Counter({cell: x})) for cell, x in c[1].items()), start=Fraction(1))


def share(t: Counts) -> Fraction:
    """The share of permutations that give a table: prod a! prod b!/(N! prod n_ij!)."""
    totals = (*map(sum, t), *map(sum, zip(*t, strict=True)))
    return Fraction(
        prod(map(factorial, totals)), factorial(sum(map(sum, t))) * prod(factorial(x) for r in t for x in r)
    )


def taken_off(c: Joint) -> bool:
    """Whether (n)_l/n! = 1/(n - l)! turns each table into one with the powers taken off, of share to share."""
    whole = expected(c)
    for t, w in arrangements(*c[0]):
        less = tuple(tuple(x - c[1][i, j] for j, x in enumerate(row)) for i, row in enumerate(t))
        times = prod(perm(t[i][j], x) for (i, j), x in c[1].items())
        if times and times * w != whole * share(less):
            return False
    return True


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

JOINT = Theorem(
    key="null.joint_factorial_moments_of_permutation",
    statement="the mean over permutations of a product of (n_ij)_l over cells is the product of (a_i)_l over rows and"
    " of (b_j)_l over classes, with the powers added up, divided by (N)_l: as (n)_l/n! = 1/(n - l)!, what is left"
    " of the law of tables is that of tables with the powers taken off, which sums to 1",
    source="wang2024, Lemma 2 for several cells, used in eqs. (22)-(26)",
    holds=All(
        mean=up_to(5, joint, lambda c: joint_mean(c) == expected(c), margins_size, cells=upto(2), l=upto(2)),
        one_table=up_to(4, joint, taken_off, margins_size, cells=upto(2), l=upto(2)),
    ),
    premises=(Premise("joint_factorial_moments_of_permutation", "kernel", {"N": ALL, "cells": ALL, "l": ALL}),),
    fails=(
        NearMiss(
            "cells are uncorrelated", Exhaustive(Cases(joint, size=margins_size, N=5, cells=2, l=2), uncorrelated)
        ),
        NearMiss(
            "cells in different rows and different classes are uncorrelated",
            up_to(5, crosswise, uncorrelated, margins_size),
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

THEOREMS = [JOINT, POWERS]
