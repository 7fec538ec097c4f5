"""The corner formula for the variance of any sum over cells, and the law of a decrease of variance for every response.

A claim about a pair of margins is one about all functions of its cells at once: their values are unknowns of a ring of
polynomials, in which the formula, the library's own code and the list of all tables give one polynomial. Responses are
such unknowns as well.

Source: own; romano2014 and romano2016 have the variance as sums over three nested counts; pitman1938, welch1937 and
mielke1976 have moments of the analysis of variance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np

from splitcrit.nulls.corner import CellSums
from splitcrit.nulls.formulas import LEAST
from splitcrit.nulls.response_law import invariants, mean_variance, response_weights, third_moment
from splitcrit.proof import ALL, All, Law, Premise, Theorem
from splitcrit.proof.quotients import Quotients
from splitcrit.proofs.common import partitions, up_to
from splitcrit.proofs.null.laws import Margins, Totals, arrangements, hypergeometric, margins

SHAPES = Premise(
    "a product of entries D_uv is a multigraph on the objects, of which a random order sees the shape alone: moments"
    " are linear in the invariants of the responses, for every N",
    kind="hand",
    widens={"N": ALL},
)


def support(n: int, a: int, b: int) -> range:
    return range(max(0, a + b - n), min(a, b) + 1)


@cache
def unknowns(case: Margins, sums: int = 1) -> list[dict[tuple[int, int, int], Any]]:
    """For each sum the unknown value of the function of a cell, by its place and count."""
    (a, b), n = case, sum(case[0])
    keys = [(i, j, x) for i in range(len(a)) for j in range(len(b)) for x in support(n, a[i], b[j])]
    names = [f"g{s}_{i}_{j}_{x}" for s in range(sums) for i, j, x in keys]
    generators = Quotients(names).gens
    return [dict(zip(keys, generators[s * len(keys) :], strict=False)) for s in range(sums)]


def listed(case: Margins, sums: int = 1) -> Any:
    """The covariance of the first and the last sum, from the list of all tables."""
    values = unknowns(case, sums)
    every = [
        ([sum(g[i, j, x] for i, row in enumerate(t) for j, x in enumerate(row)) for g in values], w)
        for t, w in arrangements(*case)
    ]
    means = [sum(s[k] * w for s, w in every) for k in (0, -1)]
    return sum(s[0] * s[-1] * w for s, w in every) - means[0] * means[1]


def by_corners(
    case: Margins, sums: int = 1, *, least_mean: int = 1, rows: int | None = None, places: Callable[[int, int], int]
) -> Any:
    """That covariance as a sum over corners; the options are those of near-misses.

    ``least_mean`` times the product of means is taken from the mean product, of corners in the first ``rows``;
    ``places(n, b)`` is how many the law of the other cells draws from.
    """
    (a, b), n = case, sum(case[0])
    mine, theirs, total = unknowns(case, sums)[0], unknowns(case, sums)[-1], 0
    for i, j in product(range(len(a))[:rows], range(len(b))):
        first, second, both = 0, 0, 0
        for y in support(n, a[i], b[j]):
            w = hypergeometric(n, b[j], a[i], y)
            row, column = mine[i, j, y], theirs[i, j, y]
            for k in set(range(len(b))) - {j}:
                law = {x: hypergeometric(places(n, b[j]), b[k], a[i] - y, x) for x in support(n, a[i], b[k])}
                row = row + sum(mine[i, k, x] * p for x, p in law.items())
            for k in set(range(len(a))) - {i}:
                law = {x: hypergeometric(places(n, a[i]), a[k], b[j] - y, x) for x in support(n, a[k], b[j])}
                column = column + sum(theirs[k, j, x] * p for x, p in law.items())
            first, second, both = first + row * w, second + column * w, both + row * column * w
        total = total + both - least_mean * first * second
    return total


def by_code(case: Margins, sums: int = 1) -> Any:
    """That covariance by the code object that the library runs."""
    (a, b), n = case, sum(case[0])
    cells = [
        [
            [np.array([g[i, j, x] for x in support(n, a[i], b[j])], dtype=object) for j in range(len(b))]
            for i in range(len(a))
        ]
        for g in unknowns(case, sums)
    ]
    return CellSums(a, b, cells, exact=True).covariance(0, sums - 1)


def left_over(n: int, total: int) -> int:
    return n - total


def all_of(n: int, total: int) -> int:
    return n


def corner_law(**options: Any) -> Any:
    chosen = {"places": left_over} | options
    return up_to(5, margins, lambda c: by_corners(c, **chosen) == listed(c))


CORNERS = Law(corner_law)
VARIANCE = Theorem(
    key="null.corner_variance_of_cell_sums",
    statement="for any functions of the cells, S = sum g_il(n_il) has over all permutations Var S = sum_il Cov(E[R_i |"
    " n_il], E[C_l | n_il]), R_i and C_l the sums of row i and column l; given n_il, n_ij is hypergeometric with a_i -"
    " n_il draws from N - b_l, b_j of them marked, and n_kl with b_l - n_il draws from N - a_i, a_k marked; so is the"
    " covariance of two sums; and the library's code gives this, for unknown values of all functions",
    source="own; romano2014, romano2016 (the same variance by three nested sums)",
    holds=All(
        formula=CORNERS,
        covariance=up_to(4, margins, lambda c: by_corners(c, 2, places=left_over) == listed(c, 2)),
        code=up_to(5, margins, lambda c: by_code(c) == listed(c)),
        code_of_two=up_to(4, margins, lambda c: by_code(c, 2) == listed(c, 2)),
    ),
    premises=(Premise("covariance_of_cell_sums_is_by_corners", "kernel", {"N": ALL}),),
    fails=(
        CORNERS.but("without centring: the sum of the mean products", least_mean=0),
        CORNERS.but("corners of one row are enough", rows=1),
        CORNERS.but("given n_il, the others draw from all N", places=all_of),
    ),
)


def sizes(most: int) -> Iterator[Totals]:
    """Yield row totals of 2 to ``most`` objects."""
    for n in range(2, most + 1):
        yield from partitions(n)


@cache
def responses(n: int, outputs: int) -> Any:
    """Unknown responses ``(n, outputs)`` less their mean."""
    generators = Quotients([f"y{u}_{q}" for u in range(n) for q in range(outputs)]).gens
    y = np.array(generators, dtype=object).reshape(n, outputs)
    return y - y.sum(axis=0) / n


def divisions(objects: Totals, a: Totals) -> Iterator[tuple[Totals, ...]]:
    """Yield every way to divide objects into rows of these sizes, each of which as many orders give."""
    if not a:
        yield ()
        return
    for row in combinations(objects, a[0]):
        for rest in divisions(tuple(u for u in objects if u not in row), a[1:]):
            yield (row, *rest)


@cache
def gains(a: Totals, outputs: int, order: int = 2) -> tuple[Any, ...]:
    """The first moments of the decrease of variance, central from the second on, from the list of all orders."""
    y, n = responses(sum(a), outputs), sum(a)
    every = [
        sum(((y[list(row)].sum(axis=0) ** 2).sum() / len(row) for row in rows), 0 * y[0, 0]) / n
        for rows in divisions(tuple(range(n)), a)
    ]
    mean = sum(every) / len(every)
    return mean, *(sum((g - mean) ** k for g in every) / len(every) for k in range(2, order + 1))


def of_invariants(a: Totals, outputs: int, *, diagonal: bool = True, square: bool = True) -> tuple[Any, Any]:
    """Them by the library's formulas; near-misses leave an invariant out."""
    y = responses(sum(a), outputs)
    trace, diagonal_sum, square_sum = invariants(y)
    if not diagonal:
        diagonal_sum = trace**2 / sum(a)
    if not square:
        square_sum = trace**2 / outputs
    weights = response_weights(Fraction(sum(a)), trace, diagonal_sum, square_sum, exact=True)
    return mean_variance(np.array([Fraction(x) for x in a]), *weights)


def response_law(outputs: int = 1, most: int = 5, **options: Any) -> Any:
    return up_to(most, sizes, lambda a: of_invariants(a, outputs, **options) == gains(a, outputs))


def third_is(a: Totals, outputs: int) -> bool:
    """Whether the library's third central moment is that of the list; of three objects and more."""
    return (
        sum(a) < LEAST["uneven"]
        or third_moment(np.array([Fraction(x) for x in a]), responses(sum(a), outputs)) == (gains(a, outputs, 3)[2])
    )


RESPONSES = Law(response_law)
DECREASE = Theorem(
    key="null.response_variance_of_permutation",
    statement="the decrease of variance by a fixed partition into rows of a_i has over all orders of the responses the"
    " mean (r - 1) tr D / (N (N - 1)) and a variance that depends on them through tr D, sum D_uu^2 and sum D_uv^2,"
    " D_uv = <y_u, y_v> of centred responses, by the formulas of the Gini gain, and so has its third central moment by"
    " those of the third moment; for unknown responses",
    source="own, after pitman1938, welch1937 and mielke1976",
    holds=All(
        numbers=RESPONSES,
        vectors=response_law(outputs=2, most=4),
        third_of_numbers=up_to(5, sizes, lambda a: third_is(a, 1)),
        third_of_vectors=up_to(4, sizes, lambda a: third_is(a, 2)),
    ),
    premises=(SHAPES,),
    fails=(
        RESPONSES.but("fourth powers do not matter", diagonal=False),
        RESPONSES.but("of two outputs the products do not matter", outputs=2, most=4, square=False),
    ),
)

THEOREMS = [VARIANCE, DECREASE]
