"""How SGini orders features: in large nodes, under label noise and of a refinement.

Source: wang2024, Table 3, Sections 3.1 and 5.4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from splitcrit.arith import total
from splitcrit.noise import symmetric
from splitcrit.proof import All, Erratum, Exhaustive, Identity, Induction, NearMiss, Premise, Theorem
from splitcrit.proofs.common import exactly, noisy, partitions, up_to
from splitcrit.proofs.null.laws import Counts, arrangements, gain, lively, sgini_squared, still, tables_of, transposed
from splitcrit.proofs.null.moments import variance as in_factors

LIMIT = {"t": "rate", "r": "positive", "h": "positive", "s2": "rate", "s3": "rate"}


def regular(t: Any, r: Any, h: Any, s2: Any, s3: Any) -> Any:
    """N^2 V at N = 1/t for margins in proportion, without a pole at t = 0; ``h`` is the sum of 1/shares."""
    rows = (1 - t) * (r - t * h) - (1 - r * t) * (1 + (r - 2) * t)
    classes = (1 - t) * (1 - 2 * t) * (s2 - t) - (1 - 2 * t) * (s2 - t) ** 2 - 2 * (1 - t) * (s3 - s2**2)
    uneven = 4 * t * (h - r**2) * (s3 - s2**2) / ((1 - t) * (1 - 2 * t) ** 2)
    return uneven + 2 * rows * classes / ((1 - t) ** 2 * (1 - 2 * t) ** 2 * (1 - 3 * t))


def node_spread(s2: Any, s3: Any) -> Any:
    return s2 + s2**2 - 2 * s3


def spread_is_sum() -> Induction:
    """Claim that s2 + s2^2 - 2 s3 is the sum of x^2 (1 - x)^2 + x^2 (s2 - x^2), which is positive."""

    def formula(entries: Any, v: Any, m: Any) -> Any:
        x = [e.p for e in entries]
        s2, s3 = (total([y**e for y in x]) for e in (2, 3))
        return node_spread(s2, s3) - total([y**2 * (1 - y) ** 2 + y**2 * (s2 - y**2) for y in x])

    def closed(sums: Any, v: Any, m: Any) -> Any:
        s2, s3, s4 = sums
        return node_spread(s2, s3) - (s2 - 2 * s3 + s4 + s2**2 - s4)

    return Induction("K", {"p": "rate"}, formula, lambda e, v, m: [e.p**x for x in (2, 3, 4)], closed)


def features(most: int) -> Iterator[tuple[Counts, Counts]]:
    """Yield pairs of tables of one node with positive variance."""
    for n in range(2, most + 1):
        for b in partitions(n):
            every = [t for a in partitions(n) if not still((a, b)) for t, _ in arrangements(a, b)]
            yield from combinations(every, 2)


def ordered_as(of: Callable[[Counts], Fraction]) -> Exhaustive:
    return up_to(
        4,
        features,
        lambda c: of(c[0]) == of(c[1]) or (sgini_squared(c[0]) > sgini_squared(c[1])) == (of(c[0]) > of(c[1])),
    )


LARGE = Theorem(
    key="gain.sgini_orders_as_gini_over_root_of_large_nodes",
    statement="at fixed proportions, as N grows, N E tends to (r - 1)(1 - s2) and N^2 V to 2 (r - 1)(s2 + s2^2 - 2 s3),"
    " whatever the row shares: SGini/N tends to Gini/sqrt(r - 1) over a constant of the node; at finite N the order is"
    " another",
    source="wang2024, Section 3.1 (no clear bias, by words)",
    holds=All(
        Identity(
            LIMIT,
            lambda v, m: in_factors(1 / v.t, v.r, v.t * v.h, v.s2 / v.t**2, v.s3 / v.t**3) / v.t**2,
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
        spread_is_sum(),
    ),
    premises=(
        Premise("null.gini_variance_of_permutation", kind="theorem"),
        Premise("a rational function without a pole is continuous"),
    ),
    fails=(
        NearMiss(
            "at every N it orders features as Gini/sqrt(r - 1)", ordered_as(lambda t: gain(t) ** 2 / (len(t) - 1))
        ),
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
)

QUARTER = symmetric(Fraction(1, 4))

FLIPPED: tuple[Counts, Counts] = (((1, 5), (1, 1)), ((1, 1), (1, 1), (0, 4)))


def after(t: Counts) -> Counts:
    """The expected table after every label of two classes is flipped with chance 1/4."""
    return tuple(tuple(int(x) for x in row) for row in noisy(exactly(t), QUARTER))


def kept(pair: tuple[Counts, Counts], of: Callable[[Counts], Fraction]) -> bool:
    one, other = pair
    return (of(one) > of(other)) == (of(after(one)) > of(after(other)))


def whole_after(most: int) -> Iterator[Counts]:
    """Yield the tables of two classes whose expected noisy counts are integers."""
    for t in tables_of(c for c in lively(most) if len(c[1]) == 2):
        if all((3 * x + y) % 4 == 0 for x, y in t):
            yield t


def same_margins(most: int) -> Iterator[tuple[Counts, Counts]]:
    for one, other in combinations(whole_after(most), 2):
        if list(map(sum, one)) == list(map(sum, other)) and column_totals(one) == column_totals(other):
            yield one, other


def column_totals(t: Counts) -> tuple[int, ...]:
    return tuple(map(sum, zip(*t, strict=True)))


NOISE = Theorem(
    key="gain.sgini_order_changes_of_symmetric_noise",
    statement="symmetric noise can exchange the order of two features of a node of two classes by SGini while Gini"
    " keeps it: at eta = 1/4 the expected tables of ((1, 5), (1, 1)) and ((1, 1), (1, 1), (0, 4)); with equal"
    " margins it does not",
    source="wang2024, Section 5.4 (robustness to noise, by experiments)",
    holds=All(
        Exhaustive(lambda: [FLIPPED], lambda c: not kept(c, sgini_squared) and kept(c, gain)),
        Exhaustive(lambda: [FLIPPED], lambda c: sgini_squared(c[0]) < sgini_squared(c[1])),
        equal_margins=up_to(10, same_margins, lambda c: kept(c, sgini_squared)),
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
    """Whether gain and SGini of a table round to four decimals as shown."""
    half, (g, z) = Fraction(1, 20000), map(Fraction, shown)
    return abs(gain(t) - g) <= half and (z - half) ** 2 <= sgini_squared(t) <= (z + half) ** 2


AS_PRINTED = Exhaustive(lambda: TABLE, lambda name: rounds(TABLE[name], PRINTED[name]))

EXAMPLE = Theorem(
    key="gain.sgini_falls_and_gini_rises_of_refinement",
    statement="in Table 3 the gains are 54/175, 9/50, 7/25 and SGini 3.7690, 2.1046, 1.9093: the refinement b' of b has"
    " the larger gain and the smaller SGini; the printed numbers are those with feature and label exchanged",
    source="wang2024, Table 3",
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

THEOREMS = [LARGE, NOISE, EXAMPLE]

ERRATA = [Erratum("S-E1", AS_PRINTED, EXAMPLE.key)]
