"""Claims about listed cases: a finite enumeration, numbers enclosed by balls, and points, which prove nothing.

Main definitions: ``Cases`` (an enumeration and its sizes), ``Exhaustive``, ``Each``, ``Stated``, ``Sign``,
``Sampled``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from splitcrit.arguments import of_kind
from splitcrit.display import shortened, summary
from splitcrit.frozen import complaint
from splitcrit.proof import balls
from splitcrit.proof.balls import BALL, Ball
from splitcrit.proof.linting import counted, fault, uses
from splitcrit.proof.points import Formula, evaluated, points, shown
from splitcrit.proof.scope import Extent, Scope, conjunction, only
from splitcrit.proof.undecided import Undecided, truth
from splitcrit.proof.verdicts import All, Claim, Status, Verdict, grounds_of


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
    >>> cases = Cases(lambda n: ([a, n - a] for a in range(n + 1)), N=upto(4))
    >>> len(list(cases())), cases.mismatch()
    (5, '')
    """

    def __init__(
        self, make: Callable[..., Iterable[Any]], /, *, size: Callable[[Any], Any] | None = None, **sizes: Any
    ) -> None:
        self.make, self.size = make, size
        self.extents = {axis: x if isinstance(x, Extent) else only(x) for axis, x in sizes.items()}
        for axis, extent in self.extents.items():
            if extent.everything:
                rule, remedy = "an enumeration must be finite", "prove it for all values, by Induction for instance"
                raise ValueError(complaint(rule, extent.words(axis), remedy))
        self.sizes: set[Any] = set()

    def __repr__(self) -> str:
        return summary(self, make=self.make, extents=self.extents)

    def __call__(self) -> Iterator[Any]:
        self.sizes = set()
        choices = [(x.bound,) if x.values is None else x.values for x in self.extents.values()]
        for chosen in itertools.product(*choices):
            for case in _listed(self.make, *chosen):
                self.sizes.add(sum(_integers(case)) if self.size is None else self.size(case))
                yield case

    def mismatch(self) -> str:
        """Return in words where the cases that ran are not those of the sizes they were called for."""
        for place, axis in enumerate(self.extents):
            if not uses(self.make, place):
                return f"the enumeration ignores its argument {axis}"
        if (extent := self.extents.get("N")) is None:
            return self._grown()
        most, largest = max(self.sizes), max(extent.values or (extent.bound,))
        if most and most % largest == 0 and (self.size is None or most == largest):
            return ""
        return f"the largest case has N = {most}, but the enumeration was asked for {extent.words('N')}"

    def _grown(self) -> str:
        """Return in words which bound adds no case to those of the bound before."""
        for place, (axis, extent) in enumerate(self.extents.items()):
            if extent.bound:
                first = [(x.bound,) if x.values is None else x.values[-1:] for x in self.extents.values()]
                first[place] = (extent.bound - 1,)
                fewer, all_of_it = (sum(1 for _ in self.make(*map(max, x))) for x in (first, self._bounds()))
                if fewer >= all_of_it:
                    return f"the enumeration has as many cases for {axis} = {extent.bound} as for {extent.bound - 1}"
        return ""

    def _bounds(self) -> list[tuple[Any, ...]]:
        return [(x.bound,) if x.values is None else x.values[-1:] for x in self.extents.values()]


def _listed(make: Any, *bounds: Any) -> Iterator[Any]:
    """Return the cases of an enumeration, or raise TypeError if it is no function that returns any."""
    rule, remedy = "an enumeration is a function that returns its cases", "pass lambda: range(10) for instance"
    return iter(of_kind(of_kind(make, Callable, rule, remedy)(*bounds), Iterable, rule, remedy))


def _integers(case: Any) -> Iterator[int]:
    if isinstance(case, list | tuple):
        for part in case:
            yield from _integers(part)
    elif isinstance(case, Mapping):
        yield from _integers(list(case.values()))
    elif type(case) is int:
        yield case


@dataclass(frozen=True, repr=False)
class Exhaustive:
    """``holds(case)`` for every case of a finite enumeration, in exact arithmetic.

    ``rounded`` says that what is compared are the library's own floats, which the verdict then says.

    Raises
    ------
    TypeError
        When it is settled, if the enumeration, or what holds, is no function.

    Examples
    --------
    >>> Exhaustive(lambda: range(10), lambda n: n * (n + 1) % 2 == 0).settle().evidence
    'all 10 cases, exactly'
    """

    cases: Callable[[], Iterable[Any]]
    holds: Callable[[Any], bool]
    rounded: bool = False

    __repr__ = shortened

    def scope(self) -> Scope:
        return Scope(self.cases.extents) if isinstance(self.cases, Cases) else Scope(listed=frozenset([""]))

    def grounds(self) -> tuple[str, ...]:
        return (f"enumerated{' in floats' if self.rounded else ''}: {self.scope().words()}",)

    def settle(self) -> Verdict:
        if wrong := fault(self.holds, rounded=self.rounded, telling=False):
            return Verdict(Status.UNKNOWN, "exhaustive", wrong)
        number, before, (holds, asked) = 0, balls.compared(), counted(self.holds)
        for case in _listed(self.cases):
            number += 1
            try:
                held = truth(holds(case), "a case")
            except Undecided as error:
                return Verdict(Status.UNKNOWN, "exhaustive", f"case {number}: {error}", str(case))
            if not held:
                numbers = (case.numbers(),) if hasattr(case, "numbers") else ()
                return Verdict(Status.REFUTED, "exhaustive", f"fails at case {number}", str(case), numbers)
        if number == 0:
            return Verdict(Status.UNKNOWN, "exhaustive", "the enumeration is empty")
        if asked[0] and not asked[1]:
            return Verdict(
                Status.UNKNOWN, "exhaustive", f"vacuous: in none of the {number} cases did `all` receive an element"
            )
        if isinstance(self.cases, Cases) and (wrong := self.cases.mismatch()):
            return Verdict(Status.UNKNOWN, "exhaustive", wrong)
        enclosed = balls.compared() - before
        how = f"with {enclosed} comparisons by enclosures" if enclosed else "exactly"
        return Verdict(Status.PROVED, "exhaustive", f"all {number} cases, {'in floats' if self.rounded else how}")


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

    def settle(self) -> Verdict:
        if not uses(self.make):
            words = f"the claim does not depend on {self.axis}; state it once, without Each"
            return Verdict(Status.UNKNOWN, "each", words)
        return All(*(self.make(value) for value in self.values)).settle()


class Stated:
    """A claim whose sizes its author states, such as the number of classes: ``Stated(claim, K=2)``.

    The words of its scope say that it is stated, for nothing checks it; it narrows what is claimed.
    """

    def __init__(self, claim: Claim, /, **sizes: Any) -> None:
        self.claim, self.sizes = claim, sizes

    def __repr__(self) -> str:
        return summary(self, claim=self.claim, sizes=self.sizes)

    def scope(self) -> Scope:
        found = self.claim.scope().widened({axis: only(x) for axis, x in self.sizes.items()})
        return replace(found, stated=found.stated | frozenset(self.sizes))

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

    def settle(self) -> Verdict:
        if wrong := fault(self.values, telling=False):
            return Verdict(Status.UNKNOWN, "ball", wrong)
        try:
            found = [Ball(x) for x in self.values(BALL)]
            signs = [x.sign() for x in found]
        except (Undecided, ZeroDivisionError) as error:
            return Verdict(Status.UNKNOWN, "ball", str(error))
        if not found:
            return Verdict(Status.UNKNOWN, "ball", "the list of values is empty")
        if min(signs) > 0:
            return Verdict(Status.PROVED, "ball", "enclosures exclude 0: " + ", ".join(map(str, found)))
        return Verdict(Status.REFUTED, "ball", "an enclosure is not positive", ", ".join(map(str, found)))


@dataclass(frozen=True, repr=False)
class Sampled:
    """``holds(v, m)`` at random exact points: supported at best, never settled.

    Examples
    --------
    >>> Sampled({"x": "real"}, lambda v, m: v.x**2 >= 0).settle().status
    <Status: supported>
    """

    variables: Mapping[str, str]
    holds: Formula
    domain: Formula | None = None

    __repr__ = shortened

    def scope(self) -> Scope:
        return Scope(variables=self.variables)

    def grounds(self) -> tuple[str, ...]:
        return ("samples",)

    def settle(self) -> Verdict:
        if wrong := fault(self.holds, self.domain):
            return Verdict(Status.UNKNOWN, "sampled", wrong)
        seen = 0
        for v in points(self.variables, self.domain):
            seen += 1
            try:
                held = truth(evaluated(self.holds, v))
            except (Undecided, ZeroDivisionError) as error:
                return Verdict(Status.UNKNOWN, "sampled", f"point {seen}: {error}", shown(v))
            if not held:
                return Verdict(Status.REFUTED, "sampled", f"fails at point {seen}", shown(v))
        if seen == 0:
            return Verdict(Status.UNKNOWN, "sampled", "the domain is empty")
        return Verdict(Status.SUPPORTED, "sampled", f"{seen} random exact points agree")
