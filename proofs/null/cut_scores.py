"""Scores of a 2 x 2 table by the distance of a cell from its mean, and the label that came last.

``n`` labels, ``b`` of them in the first class, stand in the order of a feature; at a cut ``m`` of them lie to the left,
``x`` of the first class; ``d = n x - m b``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from splitcrit.criteria import pairwise_gain
from splitcrit.nulls.extremes import EXTREMES
from splitcrit.proof import All, BinomialIdentity, Identity, Law, NearMiss, Theorem
from splitcrit.proofs.common import gini_decrease, kinds, score, up_to
from splitcrit.proofs.null.laws import gain, sgini_squared

Cut = tuple[int, int, int, int]  # n, b, m, x
STATISTICS = ("sgini", "gini", "pairwise_gain")


@cache
def scored(statistic: str, n: int, b: int, m: int, x: int) -> Fraction:
    """The score of a cut by the criterion's own formula; SGini as its signed square."""
    t = (x, m - x), (b - x, n - m - b + x)
    if statistic == "sgini":
        return sgini_squared(t)
    return gain(t) if statistic == "gini" else Fraction(score(pairwise_gain, t))


def cuts_of(most: int) -> Iterator[Cut]:
    """Yield n, b, m and x of every 2 x 2 table without empty rows or columns."""
    for n in range(2, most + 1):
        for b, m in ((b, m) for b in range(1, n) for m in range(1, n)):
            yield from ((n, b, m, x) for x in range(max(0, b + m - n), min(b, m) + 1))


def distance(c: Cut) -> int:
    n, b, m, x = c
    return n * x - m * b


def keyed(c: Cut) -> bool:
    """Whether the library's keys of scores by their distance are the scores."""
    return all(EXTREMES[s].key(*c[:3], distance(c)) == scored(s, *c) for s in STATISTICS)


def farther(most: int) -> Iterator[tuple[Cut, Cut]]:
    """Yield two tables at one cut, the second farther from its mean."""
    for c in cuts_of(most):
        others = ((*c[:3], x) for x in range(max(0, c[1] + c[2] - c[0]), min(c[1:3]) + 1))
        yield from ((c, other) for other in others if abs(distance(c)) < abs(distance(other)))


def pairs(most: int) -> Iterator[tuple[Cut, Cut]]:
    """Yield two tables with the same labels, at any two cuts."""
    every = list(cuts_of(most))
    yield from ((one, other) for one in every for other in every if one[:2] == other[:2])


def steps(most: int) -> Iterator[tuple[Cut, Cut]]:
    yield from ((c, (*c[:3], c[3] + 1)) for c in cuts_of(most) if c[3] < min(c[1:3]))


def grows(pair: tuple[Cut, Cut]) -> bool:
    return all(scored(s, *pair[0]) < scored(s, *pair[1]) for s in STATISTICS)


def in_symbols(v: Any) -> Any:
    """A table, and n, m, n - m and d."""
    n, m = v.x + v.y + v.z + v.w, v.x + v.y
    return ((v.x, v.y), (v.z, v.w)), n, m, n - m, n * v.x - m * (v.x + v.z)


def gain_is(factor: int = 2) -> Identity:
    def closed(v: Any, m: Any) -> Any:
        _, n, left, right, d = in_symbols(v)
        return factor * d**2 / (n**2 * left * right)

    return Identity(kinds("positive", *"xyzw"), lambda v, m: gini_decrease.score(in_symbols(v)[0], m), closed)


SCORES = Theorem(
    key="null.score_grows_with_distance",
    statement="at two rows and two classes the Gini gain is 2 d^2/(n^2 m (n - m)), the pairwise gain |d|/2, and SGini"
    " R (n - 2) sqrt(n - 3)/sqrt(m (n - m) b (n - b) w) with R = (n - 1) d^2 - m (n - m) b (n - b): at a cut each grows"
    " with |d|; the two gains are so for all counts",
    source="new, from wang2024, eqs. (8), (15)",
    holds=All(
        gain=gain_is(),
        pairwise_gain=Identity(
            kinds("positive", *"xyzw"),
            lambda v, m: pairwise_gain.score(in_symbols(v)[0], m) ** 2,
            lambda v, m: in_symbols(v)[4] ** 2 / 4,
        ),
        keys=up_to(12, cuts_of, keyed, lambda c: c[0]),
        order=up_to(12, farther, grows, lambda c: c[0][0]),
    ),
    fails=(
        NearMiss(
            "it grows with d",
            up_to(5, steps, lambda c: scored("gini", *c[0]) <= scored("gini", *c[1]), lambda c: c[0][0]),
        ),
        NearMiss(
            "tables of equal |d| have equal gains at different cuts",
            up_to(
                6,
                pairs,
                lambda c: abs(distance(c[0])) != abs(distance(c[1])) or scored("gini", *c[0]) == scored("gini", *c[1]),
            ),
        ),
        NearMiss(
            "at different cuts SGini grows with the gain",
            up_to(
                6,
                pairs,
                lambda c: (
                    scored("gini", *c[0]) <= scored("gini", *c[1]) or scored("sgini", *c[0]) >= scored("sgini", *c[1])
                ),
            ),
            "hypothesis",
        ),
    ),
)


def last_label(share: Callable[[Any], tuple[Any, Any]]) -> BinomialIdentity:
    """The chance of x - 1 among m - 1, and then one of the first class, is a share of that of x among m.

    With ``n = b + c`` labels; ``share(v)`` is the share as (above, below).
    """
    return BinomialIdentity(
        ("b", "c", "m", "x"),
        ((lambda v: (v.b - v.x + 1) * share(v)[1], lambda v: [(v.b, v.x - 1), (v.c, v.m - v.x), (v.b + v.c, v.m)]),),
        (
            (
                lambda v: (v.b + v.c - v.m + 1) * share(v)[0],
                lambda v: [(v.b, v.x), (v.c, v.m - v.x), (v.b + v.c, v.m - 1)],
            ),
        ),
    )


LAST = Law(last_label, share=lambda v: (v.x, v.m))
BACKWARDS = Theorem(
    key="null.last_label_is_any_of_those_before",
    statement="given x labels of the first class among the first m, the last of them is of that class with chance x/m,"
    " whatever b and n = b + c are: a path is followed by probabilities that do not exceed 1",
    source="new",
    holds=LAST,
    fails=(
        LAST.but("with chance b/n", share=lambda v: (v.b, v.b + v.c)),
        LAST.but("with chance (b - x)/(n - m), as the next label", share=lambda v: (v.b - v.x, v.b + v.c - v.m)),
    ),
)

THEOREMS = [SCORES, BACKWARDS]
