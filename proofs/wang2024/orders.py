"""How SGini orders features: in large nodes, under label noise, of a refinement, and where a search may not cut short.

Source: wang2024, Table 3, Sections 3.1 and 5.4, eqs. (11), (29).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from splitcrit.arith import total
from splitcrit.noise import symmetric
from splitcrit.nulls import agini
from splitcrit.proof import BALL, All, Ball, Erratum, Exhaustive, Fact, Identity, NearMiss, Sign, Theorem
from splitcrit.proofs.common import exactly, kinds, lefts, noisy, partitions, split, vector
from splitcrit.proofs.wang2024.degenerate import by_shape, lively, still, tables_of
from splitcrit.proofs.wang2024.laws import (
    Counts,
    Totals,
    arrangements,
    gain,
    sgini_squared,
    transposed,
)
from splitcrit.proofs.wang2024.moments import in_factors

LIMIT = {"t": "rate", "r": "positive", "h": "positive", "s2": "rate", "s3": "rate"}


def regular(t: Any, r: Any, h: Any, s2: Any, s3: Any) -> Any:
    """Return N^2 V at N = 1/t for margins in proportion, without a pole at t = 0; ``h`` is the sum of 1/shares."""
    rows = (1 - t) * (r - t * h) - (1 - r * t) * (1 + (r - 2) * t)
    classes = (1 - t) * (1 - 2 * t) * (s2 - t) - (1 - 2 * t) * (s2 - t) ** 2 - 2 * (1 - t) * (s3 - s2**2)
    uneven = 4 * t * (h - r**2) * (s3 - s2**2) / ((1 - t) * (1 - 2 * t) ** 2)
    return uneven + 2 * rows * classes / ((1 - t) ** 2 * (1 - 2 * t) ** 2 * (1 - 3 * t))


def scaled_variance(v: Any, m: Any) -> Any:
    return in_factors(1 / v.t, v.r, v.t * v.h, v.s2 / v.t**2, v.s3 / v.t**3) / v.t**2


def node_spread(s2: Any, s3: Any) -> Any:
    return s2 + s2**2 - 2 * s3


def per_root(t: Counts) -> Fraction:
    """Return the square of Gini / sqrt(r - 1)."""
    return gain(t) ** 2 / (len(t) - 1)


def features(most: int) -> Iterator[tuple[Counts, Counts]]:
    """Yield pairs of tables of one node with positive variance."""
    for n in range(2, most + 1):
        for b in partitions(n):
            every = [t for a in partitions(n) if not still((a, b)) for t, _ in arrangements(a, b)]
            yield from combinations(every, 2)


def ordered_as(of: Callable[[Counts], Fraction]) -> Exhaustive:
    return Exhaustive(
        lambda: features(4),
        lambda c: of(c[0]) == of(c[1]) or (sgini_squared(c[0]) > sgini_squared(c[1])) == (of(c[0]) > of(c[1])),
    )


LARGE = Theorem(
    key="sgini.orders_as_gini_over_root_of_large_nodes",
    statement="at fixed proportions, as N grows, N E tends to (r - 1)(1 - s2) and N^2 V to 2 (r - 1)(s2 + s2^2 - 2 s3),"
    " whatever the row shares: SGini/N tends to Gini/sqrt(r - 1) over a constant of the node",
    source="wang2024, Section 3.1 (no clear bias, by words)",
    scope="all margins with N >= 4: leading order in 1/N; nothing is claimed at a finite N",
    holds=All(
        Identity(
            LIMIT,
            scaled_variance,
            lambda v, m: regular(v.t, v.r, v.h, v.s2, v.s3),
            lambda v, m: [v.t > 0, v.t < Fraction(1, 3)],
        ),
        Identity(
            {x: LIMIT[x] for x in ("r", "h", "s2", "s3")},
            lambda v, m: regular(0, v.r, v.h, v.s2, v.s3) + v.h,
            lambda v, m: 2 * (v.r - 1) * node_spread(v.s2, v.s3) + v.h,
        ),
        Identity(
            {"t": "rate", "r": "positive", "s2": "rate"},
            lambda v, m: (v.r - 1) / (1 / v.t - 1) * (1 - v.s2) / v.t,
            lambda v, m: (v.r - 1) * (1 - v.s2) / (1 - v.t),
            lambda v, m: [v.t > 0, v.t < 1],
        ),
        Identity(
            kinds("rate", "p", classes=3),
            lambda v, m: node_spread(*(total([x**e for x in vector(v, "p", 3)]) for e in (2, 3))),
            lambda v, m: total(
                [
                    x**2 * (1 - x) ** 2 + x**2 * (total([y**2 for y in vector(v, "p", 3)]) - x**2)
                    for x in vector(v, "p", 3)
                ]
            ),
        ),
    ),
    premises=("null.gini_variance_of_permutation", "hand argument: a rational function without a pole is continuous"),
    fails=(
        NearMiss("at every N it orders features as Gini/sqrt(r - 1)", ordered_as(per_root)),
        NearMiss("at every N it orders features as Gini", ordered_as(gain)),
        NearMiss(
            "the limit of N^2 V depends on the row shares: it holds r h in the place of r",
            Identity(
                {x: LIMIT[x] for x in ("r", "h", "s2", "s3")},
                lambda v, m: regular(0, v.r, v.h, v.s2, v.s3),
                lambda v, m: 2 * (v.h / v.r - 1) * node_spread(v.s2, v.s3),
            ),
        ),
    ),
    latex=r"\mathrm{SGini}/N \to \mathrm{Gini} \big/ \sqrt{2 (r-1) (s_2 + s_2^2 - 2 s_3)}",
)


QUARTER = symmetric(Fraction(1, 4))


FLIPPED: tuple[Counts, Counts] = (((1, 5), (1, 1)), ((1, 1), (1, 1), (0, 4)))


def after(t: Counts) -> Counts:
    """Return the expected table after every label of two classes is flipped with chance 1/4."""
    return tuple(tuple(int(x) for x in row) for row in noisy(exactly(t), QUARTER))


def kept(pair: tuple[Counts, Counts], of: Callable[[Counts], Fraction]) -> bool:
    one, other = pair
    return (of(one) > of(other)) == (of(after(one)) > of(after(other)))


def whole_after(most: int) -> Iterator[Counts]:
    """Yield the tables of two classes whose expected noisy counts are integers."""
    for t in by_rows_of_fours(most):
        if all((3 * x + y) % 4 == 0 for x, y in t):
            yield t


def by_rows_of_fours(most: int) -> Iterator[Counts]:
    return tables_of(c for c in lively(most) if len(c[1]) == 2)


def same_margins(most: int) -> Iterator[tuple[Counts, Counts]]:
    for one, other in combinations(whole_after(most), 2):
        if list(map(sum, one)) == list(map(sum, other)) and column_totals(one) == column_totals(other):
            yield one, other


def column_totals(t: Counts) -> Totals:
    return tuple(map(sum, zip(*t, strict=True)))


NOISE = Theorem(
    key="sgini.order_changes_of_symmetric_noise",
    statement="symmetric noise can exchange the order of two features of one node by SGini while Gini keeps it: at"
    " eta = 1/4 the expected tables of ((1, 5), (1, 1)) and ((1, 1), (1, 1), (0, 4)); with equal margins it does not",
    source="wang2024, Section 5.4 (robustness to noise, by experiments)",
    scope="K = 2, eta = 1/4: the witness, N = 8; equal margins: all pairs N <= 10 with integer expected tables",
    holds=All(
        Exhaustive(lambda: [FLIPPED], lambda c: not kept(c, sgini_squared) and kept(c, gain)),
        Exhaustive(lambda: [FLIPPED], lambda c: sgini_squared(c[0]) < sgini_squared(c[1])),
        Exhaustive(lambda: same_margins(10), lambda c: kept(c, sgini_squared)),
    ),
    fails=(
        NearMiss("SGini keeps the order", Exhaustive(lambda: [FLIPPED], lambda c: kept(c, sgini_squared))),
        NearMiss(
            "noise divides SGini by one factor for all features of a node, as it does the gain",
            Exhaustive(
                lambda: [FLIPPED],
                lambda c: (
                    sgini_squared(c[0]) * sgini_squared(after(c[1])) == sgini_squared(c[1]) * sgini_squared(after(c[0]))
                ),
            ),
        ),
    ),
)


TABLE = {"a": ((3, 0), (1, 6)), "b": ((2, 0), (2, 6)), "b'": ((2, 0), (2, 2), (0, 4))}


PRINTED = {"a": ("0.2700", "3.7690"), "b": ("0.1200", "2.1046"), "b'": ("0.1733", "1.5781")}


RIGHT = {"a": ("0.3086", "3.7690"), "b": ("0.1800", "2.1046"), "b'": ("0.2800", "1.9093")}


def rounds(t: Counts, shown: tuple[str, str]) -> bool:
    """Tell whether gain and SGini of a table round to four decimals as shown."""
    half, (g, z) = Fraction(1, 20000), map(Fraction, shown)
    return abs(gain(t) - g) <= half and (z - half) ** 2 <= sgini_squared(t) <= (z + half) ** 2


AS_PRINTED = Exhaustive(lambda: TABLE, lambda name: rounds(TABLE[name], PRINTED[name]))


EXAMPLE = Theorem(
    key="example.gini_rises_and_sgini_falls_of_refinement",
    statement="in Table 3 the gains are 54/175, 9/50, 7/25 and SGini 3.7690, 2.1046, 1.9093: the refinement b' of b has"
    " the larger gain and the smaller SGini; the printed numbers are those with feature and label exchanged",
    source="wang2024, Table 3",
    scope="the three features",
    holds=All(
        Exhaustive(lambda: TABLE, lambda name: rounds(TABLE[name], RIGHT[name])),
        Exhaustive(lambda: TABLE, lambda name: rounds(transposed(TABLE[name]), PRINTED[name])),
        Exhaustive(
            lambda: [(TABLE["b"], TABLE["b'"])],
            lambda c: gain(c[0]) < gain(c[1]) and sgini_squared(c[0]) > sgini_squared(c[1]),
        ),
    ),
    fails=(
        NearMiss("the printed numbers have the feature in the rows", AS_PRINTED),
        NearMiss(
            "SGini never rises when a value is split",
            Exhaustive(
                lambda: (t for t in tables_of(lively(5)) if len(t) > 2),
                lambda t: (
                    sgini_squared(t) <= sgini_squared((*t[:-2], tuple(x + y for x, y in zip(*t[-2:], strict=True))))
                ),
            ),
        ),
    ),
)


CATEGORIES: Counts = ((1, 1), (4, 3), (1, 0))  # by rising share of the first class


OTHERS: Counts = ((2, 3), (1, 1), (3, 2))


def grouped(categories: Counts, left: tuple[int, ...]) -> Counts:
    """Return the table of a partition of categories into two groups."""
    groups = ([row for i, row in enumerate(categories) if (i in left) == side] for side in (True, False))
    return tuple(tuple(map(sum, zip(*group, strict=True))) for group in groups)


def consecutive_is_best(categories: Counts, of: Callable[[Counts], Any]) -> bool:
    return bool(max(of(grouped(categories, x)) for x in ((0,), (0, 1))) >= of(grouped(categories, (0, 2))))


def agini_of(t: Counts) -> Ball:
    return Ball(agini.score(exactly(t), BALL))


def ahead(m: Any) -> list[Any]:
    """Return by how much AGini of the groups {1, 3}, {2} exceeds that of the two consecutive partitions."""
    return [agini_of(grouped(OTHERS, (0, 2))) - agini_of(grouped(OTHERS, x)) for x in ((0,), (0, 1))]


SEARCH = [
    Theorem(
        key="sgini.best_grouping_not_consecutive_of_two_classes",
        statement="with two classes the best split of ordered categories into two groups need not be consecutive: not"
        " for SGini with ((1, 1), (4, 3), (1, 0)), not for AGini with ((2, 3), (1, 1), (3, 2))",
        source="wang2024, eqs. (11), (29), against the ordering shortcut of Gini",
        scope="K = 2, three categories: the witnesses",
        holds=All(
            Exhaustive(lambda: [CATEGORIES], lambda c: not consecutive_is_best(c, sgini_squared)),
            Exhaustive(lambda: [CATEGORIES, OTHERS], lambda c: consecutive_is_best(c, gain)),
            Sign(ahead),
        ),
        fails=(
            NearMiss(
                "it is for SGini",
                Exhaustive(lambda: [OTHERS, CATEGORIES], lambda c: consecutive_is_best(c, sgini_squared)),
            ),
            NearMiss("it is for AGini", Sign(lambda m: [-x for x in ahead(m)])),
        ),
        facts=(Fact("sgini", "ordering shortcut", "2", False), Fact("agini", "ordering shortcut", "2", False)),
    ),
    Theorem(
        key="sgini.negative_of_informative_split",
        statement="SGini and AGini can be negative although the rows differ, for two classes and for three",
        source="wang2024, eqs. (11), (29)",
        scope="((2, 1), (1, 2)) and ((2, 1, 1), (1, 1, 2))",
        holds=All(
            Exhaustive(lambda: INFORMATIVE, lambda t: sgini_squared(t) < 0 < gain(t)),
            Sign(lambda m: [-agini_of(t) for t in INFORMATIVE]),
        ),
        fails=(
            NearMiss(
                "SGini is not negative where the rows differ",
                Exhaustive(lambda: tables_of(lively(5)), lambda t: gain(t) == 0 or sgini_squared(t) >= 0),
            ),
            NearMiss(
                "SGini is negative at every split that keeps the majority of both rows",
                Exhaustive(
                    lambda: (t for t in by_shape(6, 2, 2) if all(row[0] > row[1] for row in t)),
                    lambda t: sgini_squared(t) < 0,
                ),
            ),
        ),
        facts=tuple(Fact(name, "stops early", K, True) for name in ("sgini", "agini") for K in ("2", ">2")),
    ),
]


def nodes(most: int) -> Iterator[Totals]:
    """Yield the class totals of nodes with two and three classes."""
    return (b for n in range(3, most + 1) for b in partitions(n) if len(b) in (2, 3))


def whole_classes(b: Totals, left: Totals) -> bool:
    return all(x in (0, y) for x, y in zip(left, b, strict=True))


def best_of(b: Totals, of: Callable[[Counts], Fraction], vertices: bool = False) -> tuple[Fraction, set[Totals]]:
    """Return the largest score of a binary split of a node and where it is reached."""
    found = {x: of(split(b, x)) for x in lefts(b) if not vertices or whole_classes(b, x)}
    most = max(found.values())
    return most, {x for x, y in found.items() if y == most}


VERTEX = Theorem(
    key="sgini.best_split_is_vertex_of_small_nodes",
    statement="of all binary splits of a node one that keeps every class whole has the largest SGini",
    source="wang2024, eq. (11), beside the vertex theorem for concave impurities",
    scope="K = 2, 3 and N <= 10 only: no proof for all nodes is known here",
    holds=Exhaustive(
        lambda: nodes(10), lambda b: best_of(b, sgini_squared)[0] == best_of(b, sgini_squared, vertices=True)[0]
    ),
    fails=(
        NearMiss(
            "it is the one of largest gain",
            Exhaustive(lambda: nodes(8), lambda b: best_of(b, sgini_squared)[1] <= best_of(b, gain)[1]),
        ),
        NearMiss(
            "it isolates a most frequent class",
            Exhaustive(
                lambda: nodes(8),
                lambda b: any(x == (b[0], *(0,) * (len(b) - 1)) for x in best_of(b, sgini_squared)[1]),
            ),
        ),
    ),
)

INFORMATIVE: tuple[Counts, ...] = (((2, 1), (1, 2)), ((2, 1, 1), (1, 1, 2)))


THEOREMS = [LARGE, NOISE, EXAMPLE, *SEARCH, VERTEX]


ERRATA = [Erratum("S-E1", AS_PRINTED, EXAMPLE.key)]
