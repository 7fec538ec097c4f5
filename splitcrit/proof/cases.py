"""Claims about listed cases: a finite enumeration, numbers enclosed by balls, and points, which prove nothing.

Main definitions: ``Cases`` (an enumeration and its sizes), ``Exhaustive``, ``Each``, ``Sign``, ``Sampled``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from splitcrit.display import shortened, summary
from splitcrit.proof import balls
from splitcrit.proof.balls import BALL, Ball
from splitcrit.proof.points import Formula, evaluated, points, shown
from splitcrit.proof.scope import Extent, Scope, conjunction, only
from splitcrit.proof.undecided import Undecided, exact
from splitcrit.proof.verdicts import All, Claim, Status, Verdict


class Cases:
    """An enumeration together with the sizes it is called with, which are the scope of what it settles.

    ``Cases(binary_splits, N=upto(8), K=2)`` calls ``binary_splits(8, 2)``; several listed values are called in turn.
    """

    def __init__(self, make: Callable[..., Iterable[Any]], /, **sizes: Any) -> None:
        self.make = make
        self.extents = {axis: x if isinstance(x, Extent) else only(x) for axis, x in sizes.items()}

    def __repr__(self) -> str:
        return summary(self, make=self.make, extents=self.extents)

    def __call__(self) -> Iterator[Any]:
        choices = [(x.bound,) if x.values is None else x.values for x in self.extents.values()]
        for chosen in itertools.product(*choices):
            yield from self.make(*chosen)


@dataclass(frozen=True, repr=False)
class Exhaustive:
    """``holds(case)`` for every case of a finite enumeration, in exact arithmetic."""

    cases: Callable[[], Iterable[Any]]
    holds: Callable[[Any], bool]

    __repr__ = shortened

    def scope(self) -> Scope:
        return Scope(self.cases.extents) if isinstance(self.cases, Cases) else Scope()

    def settle(self) -> Verdict:
        number, before = 0, balls.compared()
        for case in self.cases():
            number += 1
            try:
                held = exact(self.holds(case))
            except Undecided as error:
                return Verdict(Status.UNKNOWN, "exhaustive", f"case {number}: {error}", str(case))
            if not held:
                numbers = (case.numbers(),) if hasattr(case, "numbers") else ()
                return Verdict(Status.REFUTED, "exhaustive", f"fails at case {number}", str(case), numbers)
        if number == 0:
            return Verdict(Status.UNKNOWN, "exhaustive", "the enumeration is empty")
        enclosed = balls.compared() - before
        how = f"with {enclosed} comparisons by enclosures" if enclosed else "exactly"
        return Verdict(Status.PROVED, "exhaustive", f"all {number} cases, {how}")


@dataclass(frozen=True, repr=False)
class Each:
    """A claim for each value of an axis: ``Each("K", (2, 3), make)`` settles ``make(2)`` and ``make(3)``."""

    axis: str
    values: tuple[Any, ...]
    make: Callable[[Any], Claim]

    __repr__ = shortened

    def scope(self) -> Scope:
        inner = conjunction((f"{self.axis} = {x}", self.make(x).scope()) for x in self.values)
        return inner.widened({self.axis: only(*self.values)})

    def settle(self) -> Verdict:
        return All(*(self.make(value) for value in self.values)).settle()


@dataclass(frozen=True, repr=False)
class Sign:
    """Every value that ``values(m)`` lists is positive, by rigorous enclosures."""

    values: Callable[[Any], list[Any]]

    __repr__ = shortened

    def scope(self) -> Scope:
        return Scope()

    def settle(self) -> Verdict:
        try:
            found = [Ball(x) for x in self.values(BALL)]
            signs = [x.sign() for x in found]
        except (Undecided, ZeroDivisionError) as error:
            return Verdict(Status.UNKNOWN, "ball", str(error))
        if not found:
            return Verdict(Status.UNKNOWN, "ball", "nothing is claimed")
        if min(signs) > 0:
            return Verdict(Status.PROVED, "ball", "enclosures exclude 0: " + ", ".join(map(str, found)))
        return Verdict(Status.REFUTED, "ball", "an enclosure is not positive", ", ".join(map(str, found)))


@dataclass(frozen=True, repr=False)
class Sampled:
    """``holds(v, m)`` at random exact points: supported at best, never proved."""

    variables: Mapping[str, str]
    holds: Formula
    domain: Formula | None = None

    __repr__ = shortened

    def scope(self) -> Scope:
        return Scope(variables=self.variables)

    def settle(self) -> Verdict:
        seen = 0
        for v in points(self.variables, self.domain):
            seen += 1
            if not evaluated(self.holds, v):
                return Verdict(Status.REFUTED, "sampled", f"fails at point {seen}", shown(v))
        if seen == 0:
            return Verdict(Status.UNKNOWN, "sampled", "the domain is empty")
        return Verdict(Status.SUPPORTED, "sampled", f"{seen} random exact points agree")
