"""The best of many thresholds under random permutations of the labels, for two classes.

``n`` labels, ``b`` of them in the first class, stand in the order of a feature; at a cut ``m`` of them lie to the left,
``x`` of the first class; ``d = n x - m b``. A case is (statistic, n, b, cuts).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import chain, combinations
from math import prod
from typing import Any

from splitcrit.criteria import pairwise_gain
from splitcrit.nulls import selected_pvalue
from splitcrit.nulls.extremes import EXTREMES
from splitcrit.proof import All, BinomialIdentity, Cases, Exhaustive, Identity, Law, NearMiss, Premise, Theorem, upto
from splitcrit.proofs.common import gini_decrease, kinds, score
from splitcrit.proofs.null.laws import gain, hypergeometric, sgini_squared

Case = tuple[str, int, int, tuple[int, ...]]
Cut = tuple[int, int, int, int]  # n, b, m, x
STATISTICS = ("sgini", "gini", "pairwise_gain")


@cache
def scored(statistic: str, n: int, b: int, m: int, x: int) -> Fraction:
    """Return the score of a cut by the criterion's own formula; SGini as its signed square."""
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
    """Tell whether the library's keys of scores by their distance are the scores."""
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
    """Return a table, and n, m, n - m and d."""
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
        keys=Exhaustive(Cases(cuts_of, N=upto(12)), keyed),
        order=Exhaustive(Cases(farther, N=upto(12)), grows),
    ),
    fails=(
        NearMiss(
            "it grows with d",
            Exhaustive(Cases(steps, N=upto(5)), lambda c: scored("gini", *c[0]) <= scored("gini", *c[1])),
        ),
        NearMiss(
            "tables of equal |d| have equal gains at different cuts",
            Exhaustive(
                Cases(pairs, N=upto(6)),
                lambda c: abs(distance(c[0])) != abs(distance(c[1])) or scored("gini", *c[0]) == scored("gini", *c[1]),
            ),
        ),
        NearMiss(
            "at different cuts SGini grows with the gain",
            Exhaustive(
                Cases(pairs, N=upto(6)),
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
        (
            (
                lambda v: (v.b - v.x + 1) * share(v)[1],
                lambda v: [(v.b, v.x - 1), (v.c, v.m - v.x), (v.b + v.c, v.m)],
            ),
        ),
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


def cut_sets(most: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield n and every set of cuts: the places where a feature with ties steps up."""
    for n in range(2, most + 1):
        yield from ((n, chosen) for chosen in chain.from_iterable(combinations(range(1, n), k) for k in range(1, n)))


def with_ties(most: int) -> Iterator[Case]:
    for statistic in STATISTICS:
        yield from ((statistic, n, b, cuts) for n, cuts in cut_sets(most) for b in range(1, n // 2 + 1))


def without_ties(most: int) -> Iterator[Case]:
    for statistic in STATISTICS:
        yield from ((statistic, n, b, tuple(range(1, n))) for n in range(2, most + 1) for b in range(1, n // 2 + 1))


def best(case: Case, chosen: tuple[int, ...]) -> Fraction:
    """Return the largest score of an arrangement: the places of the first class."""
    statistic, n, b, cuts = case
    return max(scored(statistic, n, b, m, sum(p < m for p in chosen)) for m in cuts)


@cache
def tails(case: Case) -> dict[tuple[int, ...], Fraction]:
    """Return for one arrangement of each largest score the share of arrangements that reach it."""
    found = Counter[Fraction]()
    examples: dict[Fraction, tuple[int, ...]] = {}
    for chosen in combinations(range(case[1]), case[2]):
        found[best(case, chosen)] += 1
        examples.setdefault(best(case, chosen), chosen)
    return {e: Fraction(sum(c for s, c in found.items() if s >= x), found.total()) for x, e in examples.items()}


@cache
def library(case: Case, chosen: tuple[int, ...]) -> Any:
    statistic, n, _, cuts = case
    feature, labels = [sum(m <= i for m in cuts) for i in range(n)], [int(i in chosen) for i in range(n)]
    return selected_pvalue(feature, labels, statistic=statistic, method="exact")  # type: ignore[arg-type]


@cache
def reached(statistic: str, n: int, b: int, m: int, key: Fraction) -> Fraction:
    """Return the chance that one cut, which no search has chosen, reaches a score."""
    at = (x for x in range(max(0, b + m - n), min(b, m) + 1) if scored(statistic, n, b, m, x) >= key)
    return sum((hypergeometric(n, b, m, x) for x in at), Fraction(0))


def alone(case: Case, chosen: tuple[int, ...]) -> Fraction:
    """Return the p-value of the best cut as if it were the only one."""
    m = library(case, chosen).cut
    return reached(*case[:3], m, scored(*case[:3], m, sum(p < m for p in chosen)))


def untied(case: Case, chosen: tuple[int, ...]) -> Fraction:
    """Return the p-value as if all values were different."""
    return Fraction(library((*case[:3], tuple(range(1, case[1]))), chosen).value)


def independent(case: Case, chosen: tuple[int, ...]) -> Fraction:
    """Return ``1 - prod (1 - p)`` over the cuts, of the chances that each alone reaches the largest score."""
    return 1 - prod((1 - reached(*case[:3], m, best(case, chosen)) for m in case[3]), start=Fraction(1))


def selected(case: Case, chosen: tuple[int, ...]) -> Fraction:
    found = library(case, chosen).value
    assert isinstance(found, Fraction)
    return found


PValue = Callable[[Case, tuple[int, ...]], Fraction]


def is_tail(of: PValue, cases: Any = with_ties, most: int = 5) -> Exhaustive:
    """The claim that a p-value is the share of arrangements whose best cut scores as high."""
    return Exhaustive(Cases(cases, N=upto(most)), lambda c: all(of(c, e) == tail for e, tail in tails(c).items()))


TAIL = Law(is_tail, of=selected)
LAW = Theorem(
    key="null.law_of_lattice_paths",
    statement="the share of arrangements of the labels whose best cut scores as high as the one observed, by SGini, the"
    " Gini gain or the pairwise gain, is the share of lattice paths from (0, 0) to (n, b) that leave, at one of the cuts"
    " between different values, the interval of lower scores",
    source="strobl2007 for the Gini gain without ties, Smirnov for the pairwise gain; with ties and for SGini new",
    holds=All(ties=is_tail(selected, most=7), no_ties=is_tail(selected, without_ties, 10)),
    premises=(Premise(SCORES.key, kind="theorem"),),
    fails=(
        TAIL.but("ties of the feature change nothing", alters="hypothesis", of=untied),
        TAIL.but("it is the p-value of the best cut", of=alone),
        TAIL.but("it is 1 - prod (1 - p) over the cuts", of=independent),
    ),
)


def is_uniform(of: PValue = selected, most: int = 6, exactly: bool = True, everywhere: bool = False) -> Exhaustive:
    """The claim that a p-value is at most p with probability p, or less, for each that it takes, or everywhere."""

    def holds(case: Case) -> bool:
        chances = Counter(of(case, chosen) for chosen in combinations(range(case[1]), case[2]))
        whole = chances.total()
        levels = [Fraction(i, whole) for i in range(1, whole + 1)] if everywhere else list(chances)
        shares = [(sum(c for q, c in chances.items() if q <= p), p * whole) for p in levels]
        return all(x == y if exactly else x <= y for x, y in shares)

    return Exhaustive(Cases(with_ties, N=upto(most)), holds)


UNIFORM = Law(is_uniform)
VALID = Theorem(
    key="null.selected_pvalue_is_uniform_on_its_values",
    statement="if the labels are in random order the p-value of the best cut, by SGini, the Gini gain or the pairwise"
    " gain, is at most p with probability exactly p, for each p it can take and whatever the number of values: no feature"
    " is favoured for its many cuts",
    source="strobl2007 proposes it for the Gini gain without ties; ties and SGini are new",
    holds=UNIFORM,
    premises=(Premise(LAW.key, kind="theorem"),),
    fails=(
        UNIFORM.but("so is the p-value of the best cut alone, at least as a bound", of=alone, most=5, exactly=False),
        UNIFORM.but("for each multiple of 1/C(n, b)", most=4, everywhere=True),
    ),
)

THEOREMS = [SCORES, BACKWARDS, LAW, VALID]
