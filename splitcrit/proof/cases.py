"""Claims about listed cases: a finite enumeration, and numbers enclosed by balls.

Main definitions: ``Cases`` (an enumeration and its sizes), ``Exhaustive``, ``Each``, ``Stated``, ``Sign``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from splitcrit.arguments import of_kind
from splitcrit.display import shortened, summary
from splitcrit.frozen import complaint
from splitcrit.proof import balls
from splitcrit.proof.balls import BALL, Ball
from splitcrit.proof.claims import Identity
from splitcrit.proof.linting import allowed, uses
from splitcrit.proof.points import blind
from splitcrit.proof.runs import Watched
from splitcrit.proof.scope import Extent, Scope, conjunction, only
from splitcrit.proof.smt import Smt
from splitcrit.proof.undecided import Undecided, truth
from splitcrit.proof.verdicts import All, Claim, Status, Verdict, grounds_of, settling


class Cases:
    """An enumeration together with the sizes it is called with, which are the scope of what it settles.

    ``Cases(binary_splits, N=upto(8), K=2)`` calls ``binary_splits(8, 2)``; several listed values are called in turn.
    The sizes that occur are counted while it runs, and compared with those it was called for: `mismatch`.

    Parameters
    ----------
    make : callable
        ``make(*bounds)`` yields the cases; it uses each of its bounds.
    size : callable, optional
        The number of observations of a case, where it is not the sum of the case's integers or that of one of several
        equal parts; None where observations are no numbers.
    **sizes : Extent or int
        No extent is unbounded: no enumeration is.

    Examples
    --------
    >>> from splitcrit.proof import upto
    >>> cases = Cases(lambda most: ([a, n - a] for n in range(1, most + 1) for a in range(n + 1)), N=upto(4))
    >>> len(list(cases())), cases.mismatch()
    (14, '')
    """

    def __init__(
        self, make: Callable[..., Iterable[Any]], /, *, size: Callable[[Any], Any] | None = None, **sizes: Any
    ) -> None:
        self.make, self.size = make, size
        self.extents = {axis: x if isinstance(x, Extent) else only(x) for axis, x in sizes.items()}
        for axis, extent in self.extents.items():
            if extent.everything:
                rule = "an enumeration must be finite"
                remedy = "prove it for all values, by Induction for instance"
                raise ValueError(complaint(rule, extent.words(axis), remedy))
        self.sizes: set[Any] = set()
        self.lengths: set[int] = set()  # how many whole numbers a case has
        self.places: set[int] = set()  # those that are not 0 in some case
        self.last: set[str] = set()  # the cases of the last of the sizes, as they are written, where N is none of them

    def __repr__(self) -> str:
        return summary(self, make=self.make, extents=self.extents)

    def __call__(self) -> Iterator[Any]:
        self.sizes, self.lengths, self.places = set(), set(), set()
        for chosen in itertools.product(*map(_values, self.extents.values())):
            self.last = set()
            for case in _listed(self.make, *chosen):
                if "N" not in self.extents:
                    self.last.add(repr(case))
                cells = list(_integers(case))
                self.sizes.add(sum(cells) if self.size is None else self.size(case))
                self.lengths.add(len(cells))
                self.places.update(place for place, x in enumerate(cells) if x)
                yield case

    def mismatch(self) -> str:
        """In words where the cases that ran are not those of the sizes they were called for."""
        for place, axis in enumerate(self.extents):
            if not uses(self.make, place):
                return f"the enumeration ignores its argument {axis}"
        if (extent := self.extents.get("N")) is None:
            return self._grown()
        most, largest = max(self.sizes), max(_values(extent))
        if not (most and most % largest == 0 and (self.size is None or most == largest)):
            return f"the largest case has N = {most}, but the enumeration was asked for {extent.words('N')}"
        if extent.values is None and largest > 1 and len(self.sizes) == 1:
            return f"only N = {most} occurs, but the enumeration was asked for {extent.words('N')}"
        zeros = sorted(set(range(*self.lengths)) - self.places) if len(self.lengths) == 1 else []
        return f"number {zeros[0] + 1} of every case is 0: leave it out" if zeros and self.size is None else ""

    def occurred(self) -> str:
        """The sizes that occurred, where some that the extent covers did not; else nothing."""
        extent = self.extents.get("N")
        if extent is None or {x for x in self.sizes if x} >= set(_covered(extent)):
            return ""
        return f"the sizes that occurred are {', '.join(map(str, sorted(self.sizes)))}"

    def _grown(self) -> str:
        """In words which bound adds no case to those of the bound before."""
        for place, (axis, extent) in enumerate(self.extents.items()):
            if extent.bound:
                last = [_values(x)[-1] for x in self.extents.values()]
                fewer = self.make(*last[:place], extent.bound - 1, *last[place + 1 :])
                if len({repr(case) for case in fewer}) >= len(self.last):
                    return f"the enumeration has as many cases for {axis} = {extent.bound} as for {extent.bound - 1}"
        return ""


def _values(extent: Extent) -> tuple[Any, ...]:
    """The values of an axis that an enumeration is called with."""
    return (extent.bound,) if extent.values is None else extent.values


def _covered(extent: Extent) -> Iterable[int]:
    """The sizes that a scope speaks of."""
    return range(1, (extent.bound or 0) + 1) if extent.values is None else extent.values


def _listed(make: Any, *bounds: Any) -> Iterator[Any]:
    """Return the cases of an enumeration, or raise TypeError if it is no function that returns any."""
    rule = "an enumeration is a function that returns its cases"
    remedy = "pass lambda: range(10) for instance"
    return iter(of_kind(of_kind(make, Callable, rule, remedy)(*bounds), Iterable, rule, remedy))


def _integers(case: Any) -> Iterator[int]:
    if type(case) is int:
        yield case
    elif isinstance(case, list | tuple | dict):
        for part in case.values() if isinstance(case, dict) else case:
            yield from _integers(part)


@dataclass(frozen=True, repr=False)
class Exhaustive:
    """``holds(case)`` for every case of a finite enumeration, in exact arithmetic.

    ``rounded`` says that what is compared are the library's own floats, which the verdict then says. Where
    ``hypotheses(case)`` is false nothing is claimed; in how many cases it holds is counted and said. What else
    ``holds`` asks must run in some case, or the claim is vacuous there.

    Raises
    ------
    TypeError
        When it is settled, if the enumeration, or what holds, is no function.

    Examples
    --------
    >>> Exhaustive(lambda: range(10), lambda n: n * (n + 1) % 2 == 0).settle().evidence
    'all 10 cases, exactly'
    >>> Exhaustive(lambda: range(10), lambda n: n**2 > n, hypotheses=lambda n: n > 1).settle().evidence
    'all 10 cases, exactly; the hypotheses hold in 8'
    """

    cases: Callable[[], Iterable[Any]]
    holds: Callable[[Any], bool]
    rounded: bool = False
    hypotheses: Callable[[Any], bool] | None = None

    __repr__ = shortened

    def scope(self) -> Scope:
        return Scope(self.cases.extents) if isinstance(self.cases, Cases) else Scope(listed=frozenset([""]))

    def grounds(self) -> tuple[str, ...]:
        return (f"enumerated{' in floats' if self.rounded else ''}: {self.scope().words()}",)

    @settling("exhaustive")
    def settle(self) -> Verdict:
        allowed(self.holds, self.hypotheses, rounded=self.rounded, telling=False)
        number = 0
        meant = 0
        before = balls.compared()
        wraps = np.errstate(over="warn" if self.rounded else "raise")
        with wraps, Watched(self.holds, self.hypotheses, getattr(self.cases, "make", self.cases)) as watched:
            for case in _listed(self.cases):
                number += 1
                try:
                    if self.hypotheses is not None and not truth(self.hypotheses(case), "a hypothesis"):
                        continue
                    meant += 1
                    true = truth(self.holds(case), "a case")
                except Undecided as error:
                    return Verdict(Status.UNKNOWN, "exhaustive", f"case {number}: {error}", str(case))
                if not true:
                    numbers = (case.numbers(),) if hasattr(case, "numbers") else ()
                    return Verdict(Status.REFUTED, "exhaustive", f"fails at case {number}", str(case), numbers)
                watched.next_case()
        if meant == 0:
            vacuous = f"vacuous: the hypotheses hold in none of {number} cases"
            raise Undecided(vacuous if number else "the enumeration is empty")
        sizes = self.cases.mismatch() if isinstance(self.cases, Cases) else ""
        if wrong := sizes or watched.fault(self.rounded):
            raise Undecided(wrong)
        enclosed = balls.compared() - before
        how = f"with {enclosed} comparisons by enclosures" if enclosed else "exactly"
        parts = [f"all {number} cases, {'in floats' if self.rounded else how}"]
        parts += [f"the hypotheses hold in {meant}"] if self.hypotheses is not None else []
        parts += [words] if isinstance(self.cases, Cases) and (words := self.cases.occurred()) else []
        return Verdict(Status.PROVED, "exhaustive", "; ".join(parts))


@dataclass(frozen=True, repr=False)
class Each:
    """A claim for each value of an axis: ``Each("K", (2, 3), make)`` settles ``make(2)`` and ``make(3)``.

    Examples
    --------
    >>> from splitcrit.proof import Identity
    >>> each = Each("K", (2, 3), lambda k: Identity({"x": "real"}, lambda v, m: k * v.x, lambda v, m: sum([v.x] * k)))
    >>> each.settle().status
    <Status: settled>
    """

    axis: str
    values: tuple[Any, ...]
    make: Callable[[Any], Claim]

    __repr__ = shortened

    def scope(self) -> Scope:
        inner = conjunction((f"{self.axis} = {x}", self.make(x).scope()) for x in self.values)
        return replace(inner.widened({self.axis: only(*self.values)}), listed=frozenset([""] if inner.listed else ()))

    def grounds(self) -> tuple[str, ...]:
        return grounds_of(map(self.make, self.values))

    @settling("each")
    def settle(self) -> Verdict:
        if not uses(self.make):
            raise Undecided(f"the claim does not depend on {self.axis}; state it once, without Each")
        all_of = All(*(self.make(value) for value in self.values))
        for value, claim in zip(self.values, all_of.claims, strict=True):
            for part in getattr(claim, "claims", (claim,)):
                if unread := part.unread() if isinstance(part, Identity | Smt) else []:
                    raise Undecided(f"for {self.axis} = {value} nothing depends on the variable {unread[0]}")
        return all_of.settle()


class Stated:
    """A claim whose sizes its author states, such as the number of classes: ``Stated(claim, K=2)``.

    The words of its scope say that it is stated, for nothing checks it; it narrows what is claimed.
    """

    def __init__(self, claim: Claim, /, **sizes: Any) -> None:
        self.claim, self.sizes = claim, sizes

    def __repr__(self) -> str:
        return summary(self, claim=self.claim, sizes=self.sizes)

    def scope(self) -> Scope:
        scope = self.claim.scope().widened({axis: only(x) for axis, x in self.sizes.items()})
        return replace(scope, stated=scope.stated | frozenset(self.sizes))

    def grounds(self) -> tuple[str, ...]:
        return self.claim.grounds()

    def settle(self) -> Verdict:
        return self.claim.settle()


@dataclass(frozen=True, repr=False)
class Sign:
    """Every value that ``values(m)`` lists is positive, by rigorous enclosures.

    Examples
    --------
    >>> from fractions import Fraction
    >>> Sign(lambda m: [m.log(2) - m.number(Fraction(69, 100))]).settle().status
    <Status: settled>
    """

    values: Callable[[Any], list[Any]]

    __repr__ = shortened

    def scope(self) -> Scope:
        return Scope(listed=frozenset([""]))

    def grounds(self) -> tuple[str, ...]:
        return ("enclosed numbers",)

    @settling("ball", ZeroDivisionError)
    def settle(self) -> Verdict:
        allowed(self.values, telling=False)
        balls = [Ball(x) for x in self.values(blind(BALL))]
        if not balls:
            raise Undecided("the list of values is empty")
        if min(x.sign() for x in balls) > 0:
            return Verdict(Status.PROVED, "ball", "enclosures exclude 0: " + ", ".join(map(str, balls)))
        return Verdict(Status.REFUTED, "ball", "an enclosure is not positive", ", ".join(map(str, balls)))
