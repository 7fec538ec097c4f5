"""The best of many thresholds under random permutations of the labels, for two classes.

``n`` labels, ``b`` of them in the first class, stand in the order of a feature; at a cut ``m`` of them lie to the left,
``x`` of the first class. A case is (statistic, n, b, cuts).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import accumulate, chain, combinations
from math import prod
from typing import Any

from splitcrit.nulls import selected_pvalue
from splitcrit.proof import All, Exhaustive, Law, Premise, Theorem
from splitcrit.proofs.common import up_to
from splitcrit.proofs.null.cut_scores import SCORES, STATISTICS, scored
from splitcrit.proofs.null.laws import hypergeometric

Case = tuple[str, int, int, tuple[int, ...]]
PValue = Callable[[Case, tuple[int, ...]], Fraction]


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
    """The largest score of an arrangement: the places of the first class."""
    statistic, n, b, cuts = case
    return max(scored(statistic, n, b, m, sum(p < m for p in chosen)) for m in cuts)


@cache
def tails(case: Case) -> dict[tuple[int, ...], Fraction]:
    """For one arrangement of each largest score the share of arrangements that reach it."""
    arrangements = Counter[Fraction]()
    examples: dict[Fraction, tuple[int, ...]] = {}
    for chosen in combinations(range(case[1]), case[2]):
        arrangements[best(case, chosen)] += 1
        examples.setdefault(best(case, chosen), chosen)
    return {
        e: Fraction(sum(c for s, c in arrangements.items() if s >= x), arrangements.total())
        for x, e in examples.items()
    }


@cache
def library(case: Case, chosen: tuple[int, ...]) -> Any:
    statistic, n, _, cuts = case
    feature, labels = [sum(m <= i for m in cuts) for i in range(n)], [int(i in chosen) for i in range(n)]
    return selected_pvalue(feature, labels, statistic=statistic, method="exact")  # type: ignore[arg-type]


@cache
def reached(statistic: str, n: int, b: int, m: int, key: Fraction) -> Fraction:
    """The chance that one cut, which no search has chosen, reaches a score."""
    at = (x for x in range(max(0, b + m - n), min(b, m) + 1) if scored(statistic, n, b, m, x) >= key)
    return sum((hypergeometric(n, b, m, x) for x in at), Fraction(0))


def alone(case: Case, chosen: tuple[int, ...]) -> Fraction:
    """The p-value of the best cut as if it were the only one."""
    m = library(case, chosen).cut
    return reached(*case[:3], m, scored(*case[:3], m, sum(p < m for p in chosen)))


def untied(case: Case, chosen: tuple[int, ...]) -> Fraction:
    """The p-value as if all values were different."""
    return Fraction(library((*case[:3], tuple(range(1, case[1]))), chosen).value)


def independent(case: Case, chosen: tuple[int, ...]) -> Fraction:
    """``1 - prod (1 - p)`` over the cuts, of the chances that each alone reaches the largest score."""
    return 1 - prod((1 - reached(*case[:3], m, best(case, chosen)) for m in case[3]), start=Fraction(1))


def selected(case: Case, chosen: tuple[int, ...]) -> Fraction:
    p = library(case, chosen).value
    assert isinstance(p, Fraction)
    return p


def is_tail(of: PValue, cases: Any = with_ties, most: int = 5) -> Exhaustive:
    """The claim that a p-value is the share of arrangements whose best cut scores as high."""
    return up_to(most, cases, lambda c: all(of(c, e) == tail for e, tail in tails(c).items()), lambda c: c[1])


TAIL = Law(is_tail, of=selected)
LAW = Theorem(
    key="null.law_of_lattice_paths",
    statement="the share of arrangements of the labels whose best cut scores as high as the one observed, by SGini, the"
    " Gini gain or the pairwise gain, is the share of lattice paths from (0, 0) to (n, b) that leave, at one of the"
    " cuts between different values, the interval of lower scores",
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
        ranked = sorted(chances)
        below = [0, *accumulate(chances[q] for q in ranked)]
        shares = [(below[bisect_right(ranked, p)], p * whole) for p in levels]
        return all(x == y if exactly else x <= y for x, y in shares)

    return up_to(most, with_ties, holds, lambda c: c[1])


UNIFORM = Law(is_uniform)
VALID = Theorem(
    key="null.selected_pvalue_is_uniform_on_its_values",
    statement="if the labels are in random order the p-value of the best cut, by SGini, the Gini gain or the pairwise"
    " gain, is at most p with probability exactly p, for each p it can take and whatever the number of values: no"
    " feature is favoured for its many cuts",
    source="strobl2007 proposes it for the Gini gain without ties; ties and SGini are new",
    holds=UNIFORM,
    premises=(Premise(LAW.key, kind="theorem"),),
    fails=(
        UNIFORM.but("so is the p-value of the best cut alone, at least as a bound", of=alone, most=5, exactly=False),
        UNIFORM.but("for each multiple of 1/C(n, b)", most=4, everywhere=True),
    ),
)

THEOREMS = [LAW, VALID]
