"""Two splits of one node that change places under label noise: an ordered, exhaustive search without rounding.

A node is a vector of class counts, one block of classes for each kind of example; every kind has a channel of its own,
so that one kind is noise that depends on the class alone, and two kinds are noise that depends on the instance. Splits
are ranked by the clean table and by the expected noisy table, in exact rationals or, where a score is irrational, by
enclosures of 300 bits; scores are read as tied if their difference is enclosed within ``2^-200`` of 0.

Main definitions: ``Noise``, ``noises``; ``Rivals``, ``rivals`` (every pair of splits in order of size); ``keeps``,
``swaps`` (claims); ``facts``.
Source: wilton2024, Section 5 names the criteria.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, product
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.criteria import Criterion
from splitcrit.noise import Channel, class_conditional, identity, pair_flip, symmetric, transition_matrix
from splitcrit.nulls import agini, sgini
from splitcrit.proof import Ball, Cases, Claim, Exhaustive, Fact, Not, Stated, upto
from splitcrit.proof.balls import RATIONALS, fraction, ratio
from splitcrit.proof.points import exactly_or_enclosed
from splitcrit.proofs.common import compositions, lefts, split

Row = tuple[int, ...]
Split = tuple[Row, Row]
COUNTED = {type(sgini.score), type(agini.score)}  # scores of numbers that Python counts in
TIED = Fraction(1, 2**200)  # differences enclosed within it are read as 0
SOURCE = "wilton2024, Section 5"
COLUMNS = ("uniform", "pair-flip", "class-conditional", "instance-dependent")
THIRD = Fraction(1, 3)
Law = Callable[[Fraction], tuple[Channel, ...]]


@dataclass(frozen=True)
class Noise:
    """A law of label noise at a rate: ``law(rate)`` lists the channel of each kind of example.

    With ``counts`` only splits are ranked whose expected noisy table is again a table of counts.
    """

    words: str
    classes: int
    law: Law
    rate: Fraction
    counts: bool = False

    def __str__(self) -> str:
        return f"{self.words} at rate {self.rate}"

    @property
    def columns(self) -> int:
        """The number of entries of a node's vector: classes times kinds."""
        return self.classes * len(self.law(self.rate))

    def kinds(self, row: Row) -> list[Row]:
        """The class counts of each kind of example in a row."""
        return [row[i : i + self.classes] for i in range(0, len(row), self.classes)]

    def clean(self, row: Row) -> Row:
        """The true class counts of a row."""
        return tuple(map(sum, zip(*self.kinds(row), strict=True)))

    def noisy(self, row: Row) -> tuple[Any, ...]:
        """The expected noisy class counts of a row, as rational numbers of FLINT."""
        return _expected(self, row)


@cache
def _expected(noise: Noise, row: Row) -> tuple[Any, ...]:
    parts = [
        channel.on_distribution(tuple(map(Fraction, kind)))
        for channel, kind in zip(noise.law(noise.rate), noise.kinds(row), strict=True)
    ]
    return tuple(ratio(sum(x)) for x in zip(*parts, strict=True))


def uniformly(rate: Fraction) -> tuple[Channel, ...]:
    return (symmetric(rate),)


def some_uniformly(rate: Fraction) -> tuple[Channel, ...]:
    return identity, symmetric(rate)


def noises(classes: int, rate: Fraction = THIRD, counts: bool = False) -> dict[str, Noise]:
    """A noise of each column of the table, for two classes or three."""
    leaks = (
        (lambda rate: (class_conditional(tau_pos=rate, tau_neg=Fraction(0)),))
        if classes == 2
        else (lambda rate: (transition_matrix(((1, 0, 0), (0, 1, 0), (0, rate, 1 - rate))),))
    )
    about = {
        "uniform": ("under uniform noise", uniformly, rate),
        "pair-flip": ("under pair-flip noise", (lambda rate: (pair_flip(rate),)), THIRD),
        "class-conditional": ("when the last class is read as the one before", leaks, THIRD),
        "instance-dependent": ("when the examples after the bar flip uniformly", some_uniformly, rate),
    }
    return {column: Noise(words, classes, law, at, counts) for column, (words, law, at) in about.items()}


@dataclass(frozen=True)
class Rivals:
    """Two splits of a node, the better one first, and by how much it leads: before noise, and after."""

    noise: Noise
    better: Split
    worse: Split
    lead: Any
    noisy_lead: Any

    def __str__(self) -> str:
        better, worse = (" / ".join(self._shown(row) for row in table) for table in (self.better, self.worse))
        leads = " then ".join(f"{float(Ball(x).arb):+.3g}" for x in (self.lead, self.noisy_lead))
        return f"[{better}] against [{worse}] leads by {leads}, {self.noise}"

    def numbers(self) -> list[Any]:
        """The two tables, the better first; a row holds the class counts of each kind of example in turn."""
        return [[list(row) for row in table] for table in (self.better, self.worse)]

    def _shown(self, row: Row) -> str:
        """A row's counts; those of a second kind of example, the noisy one, after a bar."""
        return " | ".join(" ".join(map(str, kind)) for kind in self.noise.kinds(row))


@cache
def value(criterion: Criterion, table: tuple[tuple[Any, ...], ...]) -> Any:
    """The score of a rational table: a rational number, or an enclosure."""
    counted = type(criterion.score) in COUNTED
    plain = tuple(tuple(map(fraction, row)) for row in table) if counted else table
    return exactly_or_enclosed(criterion.score, plain, EXACT if counted else RATIONALS)


def sign(x: Any) -> int:
    """The sign of a number, 0 if it is enclosed within ``TIED`` of 0."""
    return x.sign(TIED) if isinstance(x, Ball) else int(x > 0) - int(x < 0)


@cache
def seen(criterion: Criterion, noise: Noise, table: Split) -> tuple[Any, Any]:
    """The score of a split before noise, and after."""
    clean = tuple(tuple(map(ratio, noise.clean(row))) for row in table)
    return value(criterion, clean), value(criterion, tuple(map(noise.noisy, table)))


def duel(criterion: Criterion, noise: Noise, one: Split, other: Split) -> Rivals:
    """Two splits as rivals, the one that leads without noise first."""
    return _ranked(noise, (one, seen(criterion, noise, one)), (other, seen(criterion, noise, other)))


def _ranked(noise: Noise, *two: tuple[Split, tuple[Any, Any]]) -> Rivals:
    (one, scores), (other, others) = two
    lead, noisy_lead = (x - y for x, y in zip(scores, others, strict=True))
    if sign(lead) < 0:
        return Rivals(noise, other, one, -lead, -noisy_lead)
    return Rivals(noise, one, other, lead, noisy_lead)


def splits(noise: Noise, node: Row) -> list[Split]:
    """Every split of a node into two non-empty rows, as unordered pairs of rows."""
    tables = [split(node, left) for left in lefts(node)]
    tables = [(left, right) for left, right in tables if left <= right]
    if noise.counts:
        tables = [table for table in tables if all(x.q == 1 for row in table for x in noise.noisy(row))]
    return tables


def rivals(criterion: Criterion, noise: Noise, sizes: Iterable[int]) -> Iterator[Rivals]:
    """Yield every two splits of a node of more than one class that differ in score, in order of size."""
    scores = cache(partial(seen, criterion, noise))
    for size in sizes:
        for node in compositions(size, noise.columns):
            if sum(x > 0 for x in noise.clean(node)) > 1:
                ranked_pairs = (
                    _ranked(noise, *((x, scores(x)) for x in two)) for two in combinations(splits(noise, node), 2)
                )
                yield from (pair for pair in ranked_pairs if sign(pair.lead))


def kept(pair: Rivals) -> bool:
    """Whether the better split surely stays strictly better."""
    return sign(pair.noisy_lead) > 0


def swapped(pair: Rivals) -> bool:
    """Whether the better split surely becomes strictly worse."""
    return sign(pair.noisy_lead) < 0


def first_swap(criterion: Criterion, noise: Noise, size: int) -> Rivals:
    """The first two splits of a node of the given size that change places."""
    return next(filter(swapped, rivals(criterion, noise, [size])))


def at_rate(criterion: Criterion, noise: Noise, size: int, rate: Fraction = Fraction(1, 1000)) -> Rivals:
    """The first two splits that change places, at another rate."""
    pair = first_swap(criterion, noise, size)
    return duel(criterion, replace(noise, rate=rate), pair.better, pair.worse)


def copied(criterion: Criterion, noise: Noise, size: int, copies: int = 100) -> Rivals:
    """The first two splits that change places, with a hundred copies of every example."""
    pair = first_swap(criterion, noise, size)
    one, other = (tuple(tuple(copies * x for x in row) for row in table) for table in (pair.better, pair.worse))
    return duel(criterion, noise, one, other)  # type: ignore[arg-type]


def keeps(criterion: Criterion, noise: Noise, most: int) -> Stated:
    """Claim that the better of two splits of a node of at most ``most`` examples stays strictly better."""
    cases = Cases(lambda size: rivals(criterion, noise, range(2, size + 1)), size=examples, N=upto(most))
    return Stated(Exhaustive(cases, kept), K=noise.classes)


def examples(pair: Rivals) -> int:
    """The number of examples of the node."""
    return sum(map(sum, pair.better))


def none_swap(criterion: Criterion, noise: Noise, sizes: range) -> Exhaustive:
    """Claim that no two splits of a node of these sizes change places."""
    return Exhaustive(lambda: rivals(criterion, noise, sizes), lambda pair: not swapped(pair))


def swaps(criterion: Criterion, noise: Noise, size: int) -> list[Claim]:
    """Claim that two splits of a node of ``size`` examples change places, and no two of a smaller node."""
    smaller: list[Claim] = [none_swap(criterion, noise, range(2, size))] if size > 3 else []  # two: one split
    return [*smaller, Not(none_swap(criterion, noise, range(size, size + 1)))]


def facts(criteria: Iterable[Criterion], columns: Iterable[str], classes: str, holds: bool) -> tuple[Fact, ...]:
    """The cells of some criteria in some columns of the table."""
    cells = product(criteria, columns)
    return tuple(Fact(repr(c), f"keeps order under {column} noise", classes, holds) for c, column in cells)
