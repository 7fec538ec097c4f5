"""The law of a contingency table under random permutation of the labels: hypergeometric, cell by cell and jointly.

Source: wang2024, Lemmas 1 and 2, eqs. (13)-(14), (44)-(50).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from math import comb, factorial, perm
from typing import Any

from splitcrit.proof import ALL, All, BinomialIdentity, Law, NearMiss, Premise, Theorem, Zeilberger
from splitcrit.proofs.common import margins_size, up_to
from splitcrit.proofs.null.laws import Counts, Margins, arrangements, hypergeometric, margins


def permuted(case: Margins) -> dict[Counts, Fraction]:
    """The share of the ``N!`` permutations that give each table, one permutation at a time."""
    a, b = ([j for j, size in enumerate(side) for _ in range(size)] for side in case)
    numbers = Counter[Counts]()
    for order in permutations(b):
        cells = Counter(zip(a, order, strict=True))
        numbers[tuple(tuple(cells[i, j] for j in range(len(case[1]))) for i in range(len(case[0])))] += 1
    return {t: Fraction(c, factorial(sum(case[0]))) for t, c in numbers.items()}


def cells(most: int) -> Iterator[tuple[Margins, int, int]]:
    for case in margins(most):
        yield from ((case, i, j) for i in range(len(case[0])) for j in range(len(case[1])))


def law_of_cell(case: Margins, i: int, j: int) -> dict[int, Fraction]:
    law: dict[int, Fraction] = {}
    for t, w in arrangements(*case):
        law[t[i][j]] = law.get(t[i][j], Fraction(0)) + w
    return law


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
    """The ways to have ``x`` of the ``b`` labels of a class, and of the ``c`` others what is left of a row."""
    return [(v.b, x), (v.c, size - x)]


def one_more(returned: int = 0) -> BinomialIdentity:
    """A label more, of the others or of the class, keeps the law; times C(N, a + 1)(N - a), which divides both sides.

    ``returned`` is how many of the labels drawn go back, if any.
    """
    return BinomialIdentity(
        ("a", "b", "c", "x"),
        ((lambda v: v.b + v.c - v.a, lambda v: [*drawn(v, v.x, v.a + 1), (v.b + v.c, v.a)]),),
        (
            (lambda v: v.c - v.a + v.x, lambda v: [*drawn(v, v.x, v.a), (v.b + v.c, v.a + 1)]),
            (lambda v: v.b - v.x + 1 + returned, lambda v: [*drawn(v, v.x - 1, v.a), (v.b + v.c, v.a + 1)]),
        ),
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


ONE_MORE = Law(one_more)
TOTAL = Zeilberger(
    n="a",
    k="x",
    parameters=("b", "c"),
    pairs=lambda v: drawn(v, v.x, v.a),
    right=lambda v: [(v.b + v.c, v.a)],
    certificate=lambda v: -v.x * (v.c - v.a + v.x) / (v.a + 1 - v.x),
)
CELL = Theorem(
    key="null.cell_is_hypergeometric_of_permutation",
    statement="with both margins fixed the permutations give each table prod a! prod b!/(N! prod n_ij!) of their"
    " number, and each cell is hypergeometric: a_i draws without replacement from N, b_j of them of class j; drawn one"
    " at a time, the next is of class j with chance (b_j - x)/(N - a), which keeps this law for all a, b and N = b + c",
    source="wang2024, Lemma 1, eqs. (13), (44)-(49)",
    holds=All(
        tables=up_to(5, margins, lambda c: permuted(c) == dict(arrangements(*c))),
        cells=up_to(6, cells, is_hypergeometric, margins_size),
        one_more=ONE_MORE,
        total=TOTAL,
    ),
    premises=(
        Premise("table_of_permutation_has_chance", "kernel", {"N": ALL}),
        Premise("cell_is_hypergeometric_of_permutation", "kernel", {"N": ALL}),
    ),
    fails=(
        NearMiss(
            "the cell is binomial with a_i draws and chance b_j/N, unless it is certain",
            up_to(6, cells, is_binomial, margins_size),
        ),
        ONE_MORE.but("it keeps the law if one label of the class goes back", returned=1),
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
THEOREMS = [CELL, MOMENTS]
