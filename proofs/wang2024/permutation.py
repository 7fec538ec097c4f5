"""The law of a contingency table under random permutation of the labels: hypergeometric, cell by cell and jointly.

Source: wang2024, Lemmas 1 and 2, eqs. (13)-(14), (18), (20), (44)-(50).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import comb, factorial, perm, prod
from typing import Any

from splitcrit.arith import total
from splitcrit.criteria import decrease
from splitcrit.impurities import entropy
from splitcrit.proof import All, Erratum, Exhaustive, Identity, NearMiss, Theorem
from splitcrit.proofs.common import exactly
from splitcrit.proofs.wang2024.laws import (
    LOGS,
    Counts,
    Logs,
    Margins,
    arrangements,
    hypergeometric,
    margins,
    mean_of,
)
from splitcrit.proofs.wang2024.moments import PLACES, factorial_moment

CELLS = 5  # margins whose cells and conditional laws are listed


def labels(totals: tuple[int, ...]) -> list[int]:
    """Return one label for each example, in order."""
    return [j for j, size in enumerate(totals) for _ in range(size)]


def permuted(case: Margins) -> Counter[Counts]:
    """Return how many of the ``N!`` permutations give each table, one permutation at a time."""
    a, b = case
    rows, found = labels(a), Counter[Counts]()
    for order in permutations(labels(b)):
        cells = Counter(zip(rows, order, strict=True))
        found[tuple(tuple(cells[i, j] for j in range(len(b))) for i in range(len(a)))] += 1
    return found


def law_is_listed(case: Margins) -> bool:
    n = factorial(sum(case[0]))
    return {t: Fraction(c, n) for t, c in permuted(case).items()} == dict(arrangements(*case))


def cells() -> Iterator[tuple[Margins, int, int]]:
    for case in margins(6):
        yield from ((case, i, j) for i in range(len(case[0])) for j in range(len(case[1])))


def law_of_cell(case: Margins, i: int, j: int) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for t, w in arrangements(*case):
        found[t[i][j]] = found.get(t[i][j], Fraction(0)) + w
    return found


def is_hypergeometric(c: tuple[Margins, int, int], with_replacement: bool = False) -> bool:
    (a, b), i, j = c
    n, law = sum(a), law_of_cell(*c)
    support = range(max(0, a[i] + b[j] - n), min(a[i], b[j]) + 1)
    if with_replacement:
        p = Fraction(b[j], n)
        return all(law.get(x, 0) == comb(a[i], x) * p**x * (1 - p) ** (a[i] - x) for x in range(a[i] + 1))
    return law == {x: hypergeometric(n, b[j], a[i], x) for x in support}


def draws(most: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield N, M marked, K drawn and a power."""
    for n in range(1, most + 1):
        yield from product((n,), range(n + 1), range(n + 1), range(1, n + 1))


def factorial_mean(c: tuple[int, int, int, int]) -> Fraction:
    n, marked, drawn, power = c
    return sum((perm(x, power) * hypergeometric(n, marked, drawn, x) for x in range(n + 1)), Fraction(0))


def power_mean(c: tuple[int, int, int, int]) -> Fraction:
    n, marked, drawn, power = c
    return sum((x**power * hypergeometric(n, marked, drawn, x) for x in range(n + 1)), Fraction(0))


def lemma(c: tuple[int, int, int, int]) -> Fraction:
    n, marked, drawn, power = c
    return Fraction(perm(drawn, power) * perm(marked, power), perm(n, power))


def powers(case: Margins) -> Iterator[Counter[tuple[int, int]]]:
    """Yield every choice of two cells, or one, with powers 1 and 2."""
    places = list(product(range(len(case[0])), range(len(case[1]))))
    for one, other in combinations_with_replacement(places, 2):
        for x, y in ((2, 2), (1, 2), (1, 1)):
            found = Counter({one: x})
            found[other] += y
            if sum(found.values()) <= sum(case[0]):
                yield found


def joint() -> Iterator[tuple[Margins, Counter[tuple[int, int]]]]:
    for case in margins(CELLS, 2):
        yield from ((case, found) for found in powers(case))


def joint_mean(case: Margins, found: Counter[tuple[int, int]]) -> Fraction:
    return Fraction(mean_of(case, lambda t: prod(perm(t[i][j], x) for (i, j), x in found.items())))


def expected(case: Margins, found: Counter[tuple[int, int]]) -> Fraction:
    """Return the joint factorial moment as the product over rows, classes and N says."""
    a, b = ([Fraction(x) for x in side] for side in case)
    return Fraction(factorial_moment(found, a, b, sum(a)))


def product_of_means(case: Margins, found: Counter[tuple[int, int]]) -> Fraction:
    return Fraction(prod((expected(case, Counter({c: x})) for c, x in found.items()), start=Fraction(1)))


def stirling(v: Any, power: int) -> Any:
    """Return a power in falling factorials, as printed."""
    n = v.n
    two, three, four = n * (n - 1), n * (n - 1) * (n - 2), n * (n - 1) * (n - 2) * (n - 3)
    return {2: two + n, 3: three + 3 * two + n, 4: four + 6 * three + 7 * two + n}[power]


ONE = {"n": "real"}


def in_falling_factorials(power: int) -> Identity:
    return Identity(ONE, lambda v, m: v.n**power, lambda v, m: stirling(v, power))


LAWS = [
    Theorem(
        key="null.cell_is_hypergeometric_of_permutation",
        statement="with both margins fixed the permutations give each table prod a! prod b!/(N! prod n_ij!) of their"
        " number, and each cell is hypergeometric: a_i draws without replacement from N, b_j of them of class j",
        source="wang2024, Lemma 1, eqs. (13), (44)-(49)",
        scope="all margins N <= 6; the law of the table permutation by permutation for N <= 5",
        holds=All(Exhaustive(lambda: margins(CELLS), law_is_listed), Exhaustive(cells, is_hypergeometric)),
        fails=(
            NearMiss(
                "the cell is binomial with a_i draws and chance b_j/N, unless it is certain",
                Exhaustive(
                    cells,
                    lambda c: is_hypergeometric(c, with_replacement=True) or len(law_of_cell(*c)) == 1,
                ),
            ),
            NearMiss(
                "two cells of a row are independent",
                Exhaustive(
                    joint,
                    lambda c: len(c[1]) == 1 or joint_mean(*c) == product_of_means(*c),
                ),
            ),
        ),
        latex=r"P(n_{ij} = n) = \binom{b_j}{n}\binom{N-b_j}{a_i-n} \Big/ \binom{N}{a_i}",
    ),
    Theorem(
        key="null.factorial_moment_of_hypergeometric",
        statement="the mean of (n)_l for n hypergeometric is (K)_l (M)_l/(N)_l",
        source="wang2024, Lemma 2, eq. (14)",
        scope="N <= 12, every M, K and l",
        holds=Exhaustive(lambda: draws(12), lambda c: factorial_mean(c) == lemma(c)),
        fails=(
            NearMiss("the same for the powers n^l", Exhaustive(lambda: draws(4), lambda c: power_mean(c) == lemma(c))),
            NearMiss(
                "the mean is (K)_l (M/N)^l, as with replacement",
                Exhaustive(
                    lambda: draws(4), lambda c: factorial_mean(c) == perm(c[2], c[3]) * Fraction(c[1], c[0]) ** c[3]
                ),
            ),
        ),
        latex=r"\mathbb E (n)_l = (K)_l (M)_l / (N)_l",
    ),
    Theorem(
        key="null.joint_factorial_moments_of_permutation",
        statement="the mean of a product of (n_ij)_l over cells is the product of (a_i)_l over rows and of (b_j)_l over"
        " classes, with the powers added up, divided by (N)_l",
        source="wang2024, Lemma 2 for several cells, used in eqs. (22)-(26)",
        scope=f"all margins N <= {CELLS}, one or two cells, powers 1 and 2",
        holds=Exhaustive(joint, lambda c: joint_mean(*c) == expected(*c)),
        premises=(PLACES + " (for all N)",),
        fails=(
            NearMiss("cells are uncorrelated", Exhaustive(joint, lambda c: joint_mean(*c) == product_of_means(*c))),
            NearMiss(
                "cells in different rows and different classes are uncorrelated",
                Exhaustive(
                    lambda: (c for c in joint() if len({i for i, _ in c[1]}) == len({j for _, j in c[1]}) == 2),
                    lambda c: joint_mean(*c) == product_of_means(*c),
                ),
                "hypothesis",
            ),
        ),
    ),
    Theorem(
        key="null.powers_in_falling_factorials",
        statement="n^2 = (n)_2 + n, n^3 = (n)_3 + 3 (n)_2 + n, n^4 = (n)_4 + 6 (n)_3 + 7 (n)_2 + n",
        source="wang2024, eq. (50)",
        scope="every real n",
        holds=All(*map(in_falling_factorials, (2, 3, 4))),
        fails=(
            NearMiss(
                "(n)_2^2 = (n)_4",
                Identity(ONE, lambda v, m: (v.n * (v.n - 1)) ** 2, lambda v, m: stirling(v, 4) - stirling(v, 3)),
            ),
            NearMiss(
                "the coefficients of n^4 are those of a binomial, 1, 4, 6, 1",
                Identity(
                    ONE, lambda v, m: v.n**4, lambda v, m: stirling(v, 4) - 2 * stirling(v, 3) + 2 * stirling(v, 2)
                ),
            ),
        ),
    ),
]


def entropy_gain(t: Counts) -> Logs:
    return decrease(entropy).score(exactly(t), LOGS)  # type: ignore[no-any-return]


def printed_mean_of_entropy(case: Margins, marked_first: bool = True) -> Logs:
    """Return eq. (18), in nats."""
    a, b = case
    n = sum(a)
    found: Logs = -total([LOGS.xlogx(Fraction(y, n)) for y in b])
    for (x, y), c in product(product(a, b), range(1, n + 1)):
        found = found + Fraction(c, n) * LOGS.log(Fraction(c, x if marked_first else y)) * hypergeometric(n, y, x, c)
    return found


ENTROPY = Theorem(
    key="null.entropy_mean_of_permutation",
    statement="the mean information gain over all permutations of the labels is H(Y) plus the sum over cells of"
    " (n/N) log(n/a_i) under the hypergeometric law of the cell",
    source="wang2024, eq. (18)",
    scope="all margins N <= 5, as combinations of logarithms of primes",
    holds=Exhaustive(lambda: margins(5), lambda c: mean_of(c, entropy_gain) == printed_mean_of_entropy(c)),
    fails=(
        NearMiss(
            "the sum is the gain of the feature itself, whatever its table",
            Exhaustive(
                lambda: ((c, t) for c in margins(4) for t, _ in arrangements(*c)),
                lambda c: entropy_gain(c[1]) == printed_mean_of_entropy(c[0]),
            ),
        ),
        NearMiss(
            "the logarithm is of n/b_j, the share of the class that falls into the row",
            Exhaustive(
                lambda: margins(4), lambda c: mean_of(c, entropy_gain) == printed_mean_of_entropy(c, marked_first=False)
            ),
        ),
    ),
)


def conditional(case: Margins, given: dict[tuple[int, int], int], cell: tuple[int, int]) -> dict[int, Fraction]:
    """Return the law of one cell given others."""
    law: dict[int, Fraction] = {}
    for t, w in arrangements(*case):
        if all(t[i][j] == x for (i, j), x in given.items()):
            x = t[cell[0]][cell[1]]
            law[x] = law.get(x, Fraction(0)) + w
    whole = sum(law.values())
    return {x: w / whole for x, w in law.items()}


def places() -> Iterator[tuple[Margins, int, int, int, int]]:
    """Yield every row, class, another row and another class, one of those with equal totals."""
    for case in margins(CELLS, 2):
        a, b = case
        rows = {(a[i], a[u]): (i, u) for i, u in permutations(range(len(a)), 2)}
        classes = {(b[j], b[v]): (j, v) for j, v in permutations(range(len(b)), 2)}
        yield from ((case, i, j, u, v) for i, u in rows.values() for j, v in classes.values())


def agrees(law: dict[int, Fraction], n: int, marked: int, drawn: int) -> bool:
    return all(w == hypergeometric(n, marked, drawn, x) for x, w in law.items())


def each_value(case: Margins, *known: tuple[int, int]) -> Iterator[dict[tuple[int, int], int]]:
    """Yield what the known cells can be."""
    for values in {tuple(t[i][j] for i, j in known) for t, _ in arrangements(*case)}:
        yield dict(zip(known, values, strict=True))


Place = tuple[Margins, int, int, int, int]


def same_class(c: Place) -> bool:
    """Another row's count of the same class, given n_ij."""
    (a, b), i, j, u, _ = c
    return all(
        agrees(conditional((a, b), g, (u, j)), sum(a) - a[i], b[j] - g[i, j], a[u]) for g in each_value((a, b), (i, j))
    )


def same_row(c: Place) -> bool:
    """The same row's count of another class, given n_ij."""
    (a, b), i, j, _, v = c
    return all(
        agrees(conditional((a, b), g, (i, v)), sum(a) - b[j], b[v], a[i] - g[i, j]) for g in each_value((a, b), (i, j))
    )


def crosswise(c: Place) -> bool:
    """Another row's count of another class, given n_ij and this row's count of that class."""
    (a, b), i, j, u, v = c
    return all(
        agrees(conditional((a, b), g, (u, v)), sum(a) - a[i], b[v] - g[i, v], a[u])
        for g in each_value((a, b), (i, j), (i, v))
    )


def crosswise_as_first_printed(c: Place) -> bool:
    """The first printed line: another row and another class given n_ij, with the totals of its own class j."""
    (a, b), i, j, u, v = c
    return all(
        agrees(conditional((a, b), g, (u, v)), sum(a) - a[i], b[j] - g[i, j], a[u]) for g in each_value((a, b), (i, j))
    )


def crosswise_as_last_printed(c: Place) -> bool:
    """The third printed line: given n_ij and the other row's count of class j, which also stands in the parameters."""
    (a, b), i, j, u, v = c
    return all(
        agrees(conditional((a, b), g, (u, v)), sum(a) - a[i], b[v] - g[u, j], a[u])
        for g in each_value((a, b), (i, j), (u, j))
    )


CONDITIONAL = Theorem(
    key="null.conditional_cells_are_hypergeometric",
    statement="given n_ij, n_i'j is hypergeometric (N - a_i, b_j - n_ij, a_i'), n_ij' is (N - b_j, b_j', a_i - n_ij);"
    " given n_ij and n_ij', n_i'j' is (N - a_i, b_j' - n_ij', a_i')",
    source="wang2024, eq. (20)",
    scope=f"all margins N <= {CELLS}",
    holds=All(Exhaustive(places, same_class), Exhaustive(places, same_row), Exhaustive(places, crosswise)),
    fails=(
        NearMiss("the first line for n_i'j', another class", Exhaustive(places, crosswise_as_first_printed)),
        NearMiss("the last line given n_i'j in the place of n_ij'", Exhaustive(places, crosswise_as_last_printed)),
    ),
)

THEOREMS = [*LAWS, ENTROPY, CONDITIONAL]
ERRATA = [
    Erratum(
        "S-E2",
        All(Exhaustive(places, crosswise_as_first_printed), Exhaustive(places, crosswise_as_last_printed)),
        CONDITIONAL.key,
    ),
    Erratum("S-E9", ENTROPY.fails[0].claim, ENTROPY.key),
]
