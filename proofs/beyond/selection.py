"""The best of many thresholds under random permutations of the labels, for two classes.

``n`` labels, ``b`` of them in the first class, stand in the order of a feature; at a cut ``m`` of them lie to the left,
``x`` of the first class; ``d = n x - m b``. A case is (statistic, n, b, cuts).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from math import comb, prod
from typing import Any

from splitcrit.criteria import pairwise_gain
from splitcrit.nulls import selected_pvalue
from splitcrit.nulls.extremes import EXTREMES
from splitcrit.proof import All, Exhaustive, Identity, NearMiss, Theorem
from splitcrit.proofs.common import gini_decrease, kinds, score
from splitcrit.proofs.wang2024.laws import gain, hypergeometric, sgini_squared

Case = tuple[str, int, int, tuple[int, ...]]
STATISTICS = ("sgini", "gini", "pairwise_gain")


def two_by_two(n: int, b: int, m: int, x: int) -> tuple[tuple[int, int], tuple[int, int]]:
    return (x, m - x), (b - x, n - m - b + x)


@cache
def by_face(statistic: str, n: int, b: int, m: int, x: int) -> Fraction:
    """Return the score of a cut by the criterion's own face; SGini as its signed square."""
    t = two_by_two(n, b, m, x)
    if statistic == "sgini":
        return sgini_squared(t)
    return gain(t) if statistic == "gini" else Fraction(score(pairwise_gain, t))


def places(most: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield n, b, m and x of every 2 x 2 table without empty rows or columns."""
    for n in range(2, most + 1):
        for b in range(1, n):
            for m in range(1, n):
                yield from ((n, b, m, x) for x in range(max(0, b + m - n), min(b, m) + 1))


def keyed(c: tuple[int, int, int, int]) -> bool:
    n, b, m, x = c
    return all(EXTREMES[s].key(n, b, m, n * x - m * b) == by_face(s, n, b, m, x) for s in STATISTICS)


def farther(most: int) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield n, b, m and two values of x, the second farther from its mean."""
    for n, b, m, x in places(most):
        for other in range(max(0, b + m - n), min(b, m) + 1):
            if abs(n * x - m * b) < abs(n * other - m * b):
                yield n, b, m, x, other


def grows(statistic: str, c: tuple[int, int, int, int, int]) -> bool:
    n, b, m, x, other = c
    return by_face(statistic, n, b, m, x) < by_face(statistic, n, b, m, other)


def pairs(most: int) -> Iterator[tuple[tuple[int, int, int, int], tuple[int, int, int, int]]]:
    """Yield two tables with the same labels, at any two cuts."""
    every = list(places(most))
    yield from ((one, other) for one in every for other in every if one[:2] == other[:2])


def away(c: tuple[int, int, int, int]) -> int:
    n, b, m, x = c
    return abs(n * x - m * b)


def gini_of(c: tuple[int, int, int, int]) -> Fraction:
    return by_face("gini", *c)


CELLS = kinds("positive", "x", "y", "z", "w")


def cells(v: Any) -> Any:
    return (v.x, v.y), (v.z, v.w)


def distance(v: Any) -> Any:
    (a, b), (c, d) = cells(v)
    return (a + b + c + d) * a - (a + b) * (a + c)


def gain_of(v: Any) -> Any:
    (a, b), (c, d) = cells(v)
    return 2 * distance(v) ** 2 / ((a + b + c + d) ** 2 * (a + b) * (c + d))


SCORES = Theorem(
    key="selection.score_grows_with_distance",
    statement="at two rows and two classes the Gini gain is 2 d^2/(n^2 m (n - m)), the pairwise gain |d|/2, and SGini"
    " R (n - 2) sqrt(n - 3)/sqrt(m (n - m) b (n - b) w) with R = (n - 1) d^2 - m (n - m) b (n - b): at a cut each grows"
    " with |d|",
    source="new, from wang2024, eqs. (8), (15)",
    scope="Gini gain and pairwise gain: all tables; SGini and the order: all tables N <= 12",
    holds=All(
        Identity(CELLS, lambda v, m: gini_decrease.score(cells(v), m), lambda v, m: gain_of(v)),
        Identity(CELLS, lambda v, m: pairwise_gain.score(cells(v), m) ** 2, lambda v, m: distance(v) ** 2 / 4),
        Exhaustive(lambda: places(12), keyed),
        Exhaustive(lambda: farther(12), lambda c: all(grows(s, c) for s in STATISTICS)),
    ),
    fails=(
        NearMiss(
            "it grows with d",
            Exhaustive(
                lambda: places(5),
                lambda c: by_face("gini", *c) <= by_face("gini", *c[:3], c[3] + 1) if c[3] < min(c[1:3]) else True,
            ),
        ),
        NearMiss(
            "tables of equal |d| have equal gains at different cuts",
            Exhaustive(lambda: pairs(6), lambda c: away(c[0]) != away(c[1]) or gini_of(c[0]) == gini_of(c[1])),
        ),
        NearMiss(
            "at different cuts SGini grows with the gain",
            Exhaustive(
                lambda: pairs(6),
                lambda c: gini_of(c[0]) <= gini_of(c[1]) or by_face("sgini", *c[0]) >= by_face("sgini", *c[1]),
            ),
            "hypothesis",
        ),
    ),
    latex=r"g = \frac{2 (n x - m b)^2}{n^2 m (n - m)}",
)


def last(c: tuple[int, int, int, int], share: Any) -> bool:
    """Tell whether the chance to be at x - 1 before, and then one of the first class, is ``share`` of that of x."""
    n, b, m, x = c
    before = hypergeometric(n, b, m - 1, x - 1) * Fraction(b - x + 1, n - m + 1)
    return bool(before == hypergeometric(n, b, m, x) * share(n, b, m, x))


BACKWARDS = Theorem(
    key="selection.last_label_is_any_of_those_before",
    statement="given x labels of the first class among the first m, the last of them is of that class with chance x/m,"
    " whatever b and n are: a path is followed by probabilities that do not exceed 1",
    source="new",
    scope="N <= 12",
    holds=Exhaustive(lambda: places(12), lambda c: last(c, lambda n, b, m, x: Fraction(x, m))),
    fails=(
        NearMiss(
            "with chance b/n", Exhaustive(lambda: places(5), lambda c: last(c, lambda n, b, m, x: Fraction(b, n)))
        ),
        NearMiss(
            "with chance (b - x)/(n - m), as the next label",
            Exhaustive(lambda: places(5), lambda c: c[0] == c[2] or last(c, next_label)),
        ),
    ),
    latex=r"q_m(x) = \tfrac{m - x}{m} q_{m-1}(x) + \tfrac{x}{m} q_{m-1}(x - 1)",
)


def next_label(n: int, b: int, m: int, x: int) -> Fraction:
    return Fraction(b - x, n - m)


def cut_sets(most: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield n and every set of cuts: the places where a feature with ties steps up."""
    for n in range(2, most + 1):
        cuts = range(1, n)
        yield from ((n, chosen) for chosen in chain.from_iterable(combinations(cuts, k) for k in cuts))


def cases(tied: int, untied: int) -> Iterator[Case]:
    """Yield cases with every set of cuts up to ``tied`` labels, with all cuts up to ``untied``."""
    chosen = [*cut_sets(tied), *((n, tuple(range(1, n))) for n in range(tied + 1, untied + 1))]
    for statistic in STATISTICS:
        yield from ((statistic, n, b, cuts) for n, cuts in chosen for b in range(1, n // 2 + 1))


@cache
def law(case: Case) -> dict[Fraction, tuple[int, tuple[int, ...]]]:
    """Return how many arrangements have which largest score, with one of them: the places of the first class."""
    statistic, n, b, cuts = case
    found: dict[Fraction, tuple[int, tuple[int, ...]]] = {}
    for chosen in combinations(range(n), b):
        best = max(by_face(statistic, n, b, m, sum(p < m for p in chosen)) for m in cuts)
        count, example = found.get(best, (0, chosen))
        found[best] = count + 1, example
    return found


def tails(case: Case) -> dict[tuple[int, ...], Fraction]:
    """Return for one arrangement of each largest score the share of arrangements that reach it."""
    every = law(case)
    ways = comb(*case[1:3])
    return {e: Fraction(sum(c for s, (c, _) in every.items() if s >= best), ways) for best, (_, e) in every.items()}


def values(n: int, cuts: tuple[int, ...]) -> list[int]:
    """Return a sorted feature that steps up at the cuts."""
    return [sum(m <= i for m in cuts) for i in range(n)]


@cache
def library(case: Case, chosen: tuple[int, ...]) -> Any:
    statistic, n, _, cuts = case
    labels = [int(i in chosen) for i in range(n)]
    return selected_pvalue(values(n, cuts), labels, statistic=statistic, method="exact")  # type: ignore[arg-type]


def untied(case: Case) -> Case:
    statistic, n, b, _ = case
    return statistic, n, b, tuple(range(1, n))


@cache
def alone(case: Case, m: int, chosen: tuple[int, ...]) -> Fraction:
    """Return the p-value of one cut, which no search has chosen."""
    statistic, n, b, _ = case
    seen = by_face(statistic, n, b, m, sum(p < m for p in chosen))
    low, high = max(0, b + m - n), min(b, m)
    reach = (x for x in range(low, high + 1) if by_face(statistic, n, b, m, x) >= seen)
    return sum((hypergeometric(n, b, m, x) for x in reach), Fraction(0))


def independent(case: Case, chosen: tuple[int, ...]) -> Fraction:
    """Return ``1 - prod (1 - p)`` over the cuts, of the chances that each alone reaches the largest score."""
    statistic, n, b, cuts = case
    best = max(by_face(statistic, n, b, m, sum(p < m for p in chosen)) for m in cuts)
    return 1 - prod((1 - reached(statistic, n, b, m, best) for m in cuts), start=Fraction(1))


@cache
def reached(statistic: str, n: int, b: int, m: int, best: Fraction) -> Fraction:
    at = (x for x in range(max(0, b + m - n), min(b, m) + 1) if by_face(statistic, n, b, m, x) >= best)
    return sum((hypergeometric(n, b, m, x) for x in at), Fraction(0))


LAW = Theorem(
    key="selection.law_of_lattice_paths",
    statement="the share of arrangements of the labels whose best cut scores as high as the one observed is the share"
    " of lattice paths from (0, 0) to (n, b) that leave, at one of the cuts between different values, the interval of"
    " lower scores",
    source="strobl2007 for the Gini gain without ties, Smirnov for the pairwise gain; with ties and for SGini new",
    scope="SGini, Gini gain, pairwise gain; every set of cuts N <= 7, all cuts N <= 10",
    holds=Exhaustive(lambda: cases(7, 10), lambda c: all(library(c, e).value == tail for e, tail in tails(c).items())),
    premises=(SCORES.key,),
    fails=(
        NearMiss(
            "ties of the feature change nothing",
            Exhaustive(
                lambda: cases(5, 5), lambda c: all(library(untied(c), e).value == tail for e, tail in tails(c).items())
            ),
            "hypothesis",
        ),
        NearMiss(
            "it is the p-value of the best cut",
            Exhaustive(
                lambda: cases(5, 5),
                lambda c: all(alone(c, library(c, e).cut, e) == tail for e, tail in tails(c).items()),
            ),
        ),
        NearMiss(
            "it is 1 - prod (1 - p) over the cuts",
            Exhaustive(lambda: cases(5, 5), lambda c: all(independent(c, e) == tail for e, tail in tails(c).items())),
        ),
    ),
)


def arrangements_of(case: Case) -> list[tuple[int, ...]]:
    return list(combinations(range(case[1]), case[2]))


def valid(chances: Counter[Fraction]) -> bool:
    """Tell whether no p-value is reached more often than it says."""
    return all(sum(c for q, c in chances.items() if q <= p) <= p * chances.total() for p in chances)


def selected(case: Case) -> Counter[Fraction]:
    return Counter(library(case, chosen).value for chosen in arrangements_of(case))


def unselected(case: Case) -> Counter[Fraction]:
    return Counter(alone(case, library(case, chosen).cut, chosen) for chosen in arrangements_of(case))


def uniform(chances: Counter[Fraction]) -> bool:
    return all(sum(c for q, c in chances.items() if q <= p) == p * chances.total() for p in chances)


def everywhere(chances: Counter[Fraction]) -> bool:
    """Tell whether ``P(p-value <= p) = p`` at every multiple of the chance of one arrangement."""
    whole = chances.total()
    return all(sum(c for q, c in chances.items() if q * whole <= i) == i for i in range(1, whole + 1))


VALID = Theorem(
    key="selection.selected_pvalue_is_uniform_on_its_values",
    statement="if the labels are in random order the p-value of the best cut is at most p with probability exactly p,"
    " for each p it can take and whatever the number of values: no feature is favoured for its many cuts",
    source="strobl2007 proposes it for the Gini gain without ties; ties and SGini are new",
    scope="SGini, Gini gain, pairwise gain; every set of cuts N <= 6",
    holds=Exhaustive(lambda: cases(6, 6), lambda c: uniform(selected(c)) and valid(selected(c))),
    premises=(LAW.key,),
    fails=(
        NearMiss(
            "so is the p-value of the best cut alone, at least as an upper bound",
            Exhaustive(lambda: cases(5, 5), lambda c: valid(unselected(c))),
        ),
        NearMiss("for each multiple of 1/C(n, b)", Exhaustive(lambda: cases(4, 4), lambda c: everywhere(selected(c)))),
    ),
)

THEOREMS = [SCORES, BACKWARDS, LAW, VALID]
