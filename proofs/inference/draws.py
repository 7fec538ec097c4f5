"""P-values from random draws: a fixed number of them, or until enough reach the score observed.

A draw is marked if it scores at least as high as what was observed. Under the null the observed order and the ``B``
drawn ones are equally likely to stand in any order. Without ties the number of marks among them decides the
probability of a sequence; with ties, each of them is one of ``A`` arrangements, of which some score alike.
Source: besag1991; phipson2010.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations, product
from math import factorial
from typing import NamedTuple

import numpy as np

from splitcrit.nulls.monte_carlo import permutation_pvalue, tallied
from splitcrit.proof import ALL, All, Exhaustive, Extent, Law, Premise, Theorem, upto
from splitcrit.proofs.inference.outcomes import equally_likely, fraction, positive, valid

Marks = tuple[bool, ...]
Rule = Callable[["Drawing", Marks], Fraction]


class Drawing(NamedTuple):
    """How many are drawn, after how many marks drawing stops, and how many arrangements share each score, from below.

    Without any arrangements no two scores are equal.
    """

    draws: int
    enough: int
    alike: tuple[int, ...] = ()

    def __str__(self) -> str:
        ties = f", {', '.join(map(str, self.alike))} arrangements share a score" if self.alike else ""
        return f"B = {self.draws}, h = {self.enough}{ties}"

    def probability(self, marks: Marks, strict: bool = False) -> Fraction:
        """The probability of a sequence of marks; strict ones are of higher scores alone."""
        hits, misses = sum(marks), len(marks) - sum(marks)
        if not self.alike:
            return Fraction(factorial(hits) * factorial(misses), factorial(len(marks) + 1))
        whole, probability = sum(self.alike), Fraction(0)
        for place, number in enumerate(self.alike):
            above = sum(self.alike[place + strict :])
            probability += Fraction(number * above**hits * (whole - above) ** misses, whole ** (len(marks) + 1))
        return probability


def drawings(most: int) -> Iterator[Drawing]:
    """Yield every drawing of up to that number, and every number of marks to stop at."""
    for draws in range(1, most + 1):
        yield from (Drawing(draws, enough) for enough in range(1, draws + 1))


def tied_drawings(most: int, arrangements: int) -> Iterator[Drawing]:
    """Yield every drawing from up to that number of arrangements."""
    alike = [x for n in range(1, arrangements + 1) for parts in range(1, n + 1) for x in positive(n, parts)]
    for draws in range(1, most + 1):
        yield from (Drawing(draws, enough, scores) for enough in range(1, draws + 1) for scores in alike)


def is_valid_after(
    rule: Rule, cases: Callable[..., Iterator[Drawing]] = drawings, strict: bool = False, **sizes: Extent
) -> Exhaustive:
    """The claim that a rule makes marks a p-value: at most t with probability at most t, for all t."""

    def law(case: Drawing) -> dict[Fraction, Fraction]:
        chances: defaultdict[Fraction, Fraction] = defaultdict(Fraction)
        for marks in product((False, True), repeat=case.draws):
            chances[rule(case, marks)] += case.probability(marks, strict)
        return chances

    return valid(cases, law, **sizes)


def fixed(case: Drawing, marks: Marks) -> Fraction:
    """The p-value of a fixed number of draws, by the library."""
    return fraction(permutation_pvalue(sum(marks), len(marks)), len(marks) + 1)


def stopped(case: Drawing, marks: Marks) -> Fraction:
    """The p-value of draws that stop, by the library."""
    return fraction(tallied([np.array(marks, dtype=float)], 1.0, case.enough).pvalue, case.draws + 1)


def without_observed(case: Drawing, marks: Marks) -> Fraction:
    return Fraction(sum(marks), len(marks))


def halted(marks: Marks, enough: int) -> int:
    """The draw that brings the last mark that is waited for, 0 if there are too few."""
    seen = [place for place, mark in enumerate(marks, 1) if mark]
    return seen[enough - 1] if len(seen) >= enough else 0


def counts_one_more(case: Drawing, marks: Marks) -> Fraction:
    at = halted(marks, case.enough)
    return Fraction(case.enough, at + 1) if at else Fraction(1 + sum(marks), 1 + len(marks))


def counts_none_at_the_end(case: Drawing, marks: Marks) -> Fraction:
    at = halted(marks, case.enough)
    return Fraction(case.enough, at) if at else Fraction(sum(marks), len(marks))


def best_on_the_way(case: Drawing, marks: Marks) -> Fraction:
    """The smallest p-value that any number of draws would have given."""
    return min(Fraction(1 + sum(marks[:drawn]), 1 + drawn) for drawn in range(1, len(marks) + 1))


class Batched(NamedTuple):
    """A batch of one order that says which of two statistics is asked, then draws that stop.

    ``ranks`` are those of each of equally likely arrangements by either statistic, ``asked`` the statistic by the
    arrangement in the batch.
    """

    ranks: tuple[tuple[int, int], ...]
    asked: tuple[int, ...]
    draws: int
    enough: int

    def __str__(self) -> str:
        return f"B = {self.draws}, h = {self.enough}, ranks {self.ranks}, of which the batch asks {self.asked}"


def batches(draws: int, arrangements: int) -> Iterator[Batched]:
    """Yield each pair of statistics without ties, and every function of the batch that chooses one of them."""
    for other in permutations(range(arrangements)):
        for asked in product((0, 1), repeat=arrangements):
            for enough in range(1, draws + 1):
                yield Batched(tuple(enumerate(other)), asked, draws, enough)


def is_valid_with_batch(
    chosen: Callable[[Batched, int, int], int], counted: bool = False, **sizes: Extent
) -> Exhaustive:
    """The claim that draws are a p-value by the statistic that the batch chooses; the batch counts if ``counted``."""

    def law(case: Batched) -> dict[Fraction, Fraction]:
        values, number = [], len(case.ranks)
        for seen, batch, *drawn in product(range(number), repeat=2 + case.draws):
            which = chosen(case, seen, batch)
            scores = np.array([case.ranks[i][which] for i in [batch] * counted + drawn], dtype=float)
            p = tallied([scores], case.ranks[seen][which], case.enough).pvalue
            values.append(fraction(p, len(scores) + 1))
        return equally_likely(values)

    return valid(batches, law, **sizes)


def by_batch(case: Batched, seen: int, batch: int) -> int:
    return case.asked[batch]


def by_observed_too(case: Batched, seen: int, batch: int) -> int:
    """The statistic by which the observed order is farther above the batch, as if it were one of them."""
    return int(np.argmax([a - b for a, b in zip(case.ranks[seen], case.ranks[batch], strict=True)]))


FIXED, STOPPED = Law(is_valid_after, rule=fixed, B=upto(8)), Law(is_valid_after, rule=stopped, B=upto(8))
TIES = {"cases": tied_drawings, "B": upto(5), "A": upto(4)}
TIED = Law(is_valid_after, rule=fixed, **TIES)

BATCHED = Law(is_valid_with_batch, chosen=by_batch, B=upto(3), A=upto(3))

THEOREMS = [
    Theorem(
        key="inference.share_of_draws_is_pvalue_of_one_more",
        statement="with c of B random orders at least as extreme as the one observed, (1 + c)/(1 + B) is at most t with"
        " probability at most t, for every t, without ties and with those of A arrangements",
        source="phipson2010",
        holds=All(without_ties=FIXED, with_ties=TIED),
        premises=(Premise("py_estimated_is_valid_of_random_arrangements", "kernel", {"B": ALL, "A": ALL}),),
        fails=(
            FIXED.but("so is c/B, the share of the random orders alone", rule=without_observed),
            TIED.but("c may leave out the orders that score the same", strict=True),
        ),
    ),
    Theorem(
        key="inference.stopped_draws_give_pvalue_of_besag_and_clifford",
        statement="drawing stops at the h-th order at least as extreme as the one observed, if that is draw L, or after"
        " B draws with c < h of them; h/L, or (1 + c)/(1 + B), is at most t with probability at most t, for every t",
        source="besag1991",
        holds=All(without_ties=STOPPED, with_ties=Law(is_valid_after, rule=stopped, **TIES)),
        premises=(Premise("py_tally_is_valid_of_random_arrangements", "kernel", {"B": ALL, "A": ALL}),),
        fails=(
            STOPPED.but("so is h/(L + 1), which counts the observed order too", rule=counts_one_more),
            STOPPED.but("after B draws c/B will do", rule=counts_none_at_the_end),
            STOPPED.but("so is the smallest (1 + c)/(1 + L) on the way", rule=best_on_the_way),
        ),
    ),
    Theorem(
        key="inference.batch_left_out_of_draws_may_choose_the_score",
        statement="a first batch of random orders may say by any function of them which of two statistics, and so which"
        " number of both, scores all orders; if the batch is left out, the h/L or (1 + c)/(1 + B) of the draws after it"
        " is at most t with probability at most t, for every t, with those of A arrangements that score alike",
        source="besag1991 for draws that stop; a batch that fixes the score new",
        holds=BATCHED,
        fails=(
            BATCHED.but("the observed order may be one of the batch", chosen=by_observed_too),
            BATCHED.but("the orders of the batch may count", counted=True),
        ),
    ),
]
