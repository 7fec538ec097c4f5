"""Cells of a random table given other cells, and the mean information gain, which is a sum over single cells.

Indices as in the paper: row i, class j; i' (here u) another row, j' (here v) another class.
Source: wang2024, eqs. (18), (20).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from splitcrit.arith import total
from splitcrit.criteria import decrease
from splitcrit.impurities import entropy
from splitcrit.proof import ALL, All, Erratum, Exhaustive, Law, NearMiss, Premise, Theorem
from splitcrit.proofs.common import exactly, margins_size, up_to
from splitcrit.proofs.logs import LOGS, Logs
from splitcrit.proofs.null.laws import Counts, Margins, arrangements, every_table, hypergeometric, margins, mean_of


def entropy_gain(t: Counts) -> Logs:
    return decrease(entropy).score(exactly(t), LOGS)  # type: ignore[no-any-return]


def over_cells(t: Counts) -> Logs:
    """H(Y) and the sum over cells of (n/N) log(n/a_i)."""
    b = [sum(column) for column in zip(*t, strict=True)]
    entropy: Logs = -total([LOGS.xlogx(Fraction(y, sum(b))) for y in b])
    for x, size in ((x, sum(row)) for row in t for x in row if x):
        entropy = entropy + Fraction(x, sum(b)) * LOGS.log(Fraction(x, size))
    return entropy


def entropy_mean(case: Margins, by: int = 0) -> Logs:
    """Eq. (18), in nats; ``by`` says whose total divides, that of the row or of the class."""
    n = sum(case[0])
    entropy: Logs = -total([LOGS.xlogx(Fraction(y, n)) for y in case[1]])
    for cell, c in product(product(*case), range(1, n + 1)):
        entropy = entropy + Fraction(c, n) * LOGS.log(Fraction(c, cell[by])) * hypergeometric(n, cell[1], cell[0], c)
    return entropy


def mean_is(most: int = 5, by: int = 0) -> Exhaustive:
    return up_to(most, margins, lambda c: mean_of(c, entropy_gain) == entropy_mean(c, by))


def with_margins(most: int) -> Iterator[tuple[Margins, Counts]]:
    yield from ((c, t) for c in margins(most) for t, _ in arrangements(*c))


def is_its_mean() -> Exhaustive:
    return up_to(4, with_margins, lambda c: entropy_gain(c[1]) == entropy_mean(c[0]))


MEAN_GAIN = Law(mean_is)
ENTROPY = Theorem(
    key="null.entropy_mean_of_permutation",
    statement="the information gain is H(Y) plus the sum over cells of (n/N) log(n/a_i); its mean over all permutations"
    " of the labels is H(Y) plus the mean of that sum under the hypergeometric law of each cell",
    source="wang2024, eq. (18)",
    holds=All(sum_over_cells=up_to(5, every_table, lambda t: entropy_gain(t) == over_cells(t)), mean=MEAN_GAIN),
    premises=(Premise("py_entropy_mean_of_permutation", "kernel", {"N": ALL}),),
    fails=(
        NearMiss("the sum is the gain of the feature itself, whatever its table", is_its_mean()),
        MEAN_GAIN.but("the logarithm is of n/b_j, the share of the class that falls into the row", most=4, by=1),
    ),
)

Cell = tuple[int, int]
Parameters = Callable[[Any, Any, dict[Cell, int], int, int, int, int], tuple[int, int, int]]
Place = tuple[Margins, int, int, int, int]


def places(most: int) -> Iterator[Place]:
    """Yield every row, class, another row and another class, one of those with equal totals."""
    for case in margins(most, 2):
        a, b = case
        rows = {(a[i], a[u]): (i, u) for i, u in permutations(range(len(a)), 2)}
        classes = {(b[j], b[v]): (j, v) for j, v in permutations(range(len(b)), 2)}
        yield from ((case, i, j, u, v) for i, u in rows.values() for j, v in classes.values())


def conditional(case: Margins, others: dict[Cell, int], cell: Cell) -> dict[int, Fraction]:
    """The law of one cell given others."""
    law: dict[int, Fraction] = {}
    for t, w in arrangements(*case):
        if all(t[i][j] == x for (i, j), x in others.items()):
            x = t[cell[0]][cell[1]]
            law[x] = law.get(x, Fraction(0)) + w
    return {x: w / sum(law.values()) for x, w in law.items()}


def known(case: Margins, *cells: Cell) -> Iterator[dict[Cell, int]]:
    """Yield what some cells can be."""
    for values in {tuple(t[i][j] for i, j in cells) for t, _ in arrangements(*case)}:
        yield dict(zip(cells, values, strict=True))


def line(cell: str, cells: tuple[str, ...], law: Parameters) -> Exhaustive:
    """A line of eq. (20): the cell, given cells, is hypergeometric (N, marked, drawn) as ``law`` says.

    A cell is named by its row and class, ``"iv"``; ``law`` is given both margins, the given cells and the places.
    """

    def holds(c: Place) -> bool:
        (a, b), *at = c
        place = dict(zip("ijuv", at, strict=True))
        names = [(place[x[0]], place[x[1]]) for x in (cell, *cells)]
        return all(
            w == hypergeometric(*law(a, b, seen, *at), x)
            for seen in known((a, b), *names[1:])
            for x, w in conditional((a, b), seen, names[0]).items()
        )

    return up_to(5, places, holds, margins_size)


COLUMN = Law(line, cell="uj", cells=("ij",), law=lambda a, b, n, i, j, u, v: (sum(a) - a[i], b[j] - n[i, j], a[u]))
ROW = Law(line, cell="iv", cells=("ij",), law=lambda a, b, n, i, j, u, v: (sum(b) - b[j], b[v], a[i] - n[i, j]))
ACROSS = Law(line, cell="uv", cells=("ij", "iv"), law=lambda a, b, n, i, j, u, v: (sum(a) - a[i], b[v] - n[i, v], a[u]))
FIRST_PRINTED = COLUMN.but("the first line for n_i'j', another class", cell="uv")
LAST_PRINTED = ACROSS.but(
    "the last line given n_i'j in the place of n_ij', which also stands in its parameters",
    cells=("ij", "uj"),
    law=lambda a, b, n, i, j, u, v: (sum(a) - a[i], b[v] - n[u, j], a[u]),
)

CONDITIONAL = Theorem(
    key="null.conditional_cells_are_hypergeometric",
    statement="given n_ij, n_i'j is hypergeometric (N - a_i, b_j - n_ij, a_i'), n_ij' is (N - b_j, b_j', a_i - n_ij);"
    " given n_ij and n_ij', n_i'j' is (N - a_i, b_j' - n_ij', a_i')",
    source="wang2024, eq. (20)",
    holds=All(same_class=COLUMN, same_row=ROW, neither=ACROSS),
    premises=(Premise("conditional_cells_are_hypergeometric", "kernel", {"N": ALL}),),
    fails=(FIRST_PRINTED, LAST_PRINTED),
)

THEOREMS = [ENTROPY, CONDITIONAL]
ERRATA = [
    Erratum("S-E2", All(FIRST_PRINTED.claim, LAST_PRINTED.claim), CONDITIONAL.key),
    Erratum("S-E9", is_its_mean(), ENTROPY.key),
]
