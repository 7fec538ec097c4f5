"""Induction over the number of entries: a statement about sums over classes, values or rows, for every number of them.

What is stated is ``gap = 0`` or ``gap >= 0`` of a list of entries, where the gap depends on the entries through sums
alone. Three things are settled, all of the same two functions: that the library's formula is that function of the sums,
for every number of entries, by the trees that the printer of code objects makes of both (`links`); that the relation
holds of the first entries; and that one more entry keeps it, whatever the sums are that the entries before it left.

Main definitions: ``Induction``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from operator import and_
from types import SimpleNamespace
from typing import Any, Literal

from splitcrit.arith import EXACT
from splitcrit.display import shortened
from splitcrit.proof.claims import Certificate, Identity, Terms
from splitcrit.proof.links import linked
from splitcrit.proof.linting import allowed
from splitcrit.proof.points import Formula
from splitcrit.proof.scope import Extent, Scope, only
from splitcrit.proof.smt import Smt
from splitcrit.proof.verdicts import ALGEBRA, All, Claim, Status, Verdict, settling

Entries = Sequence[SimpleNamespace]
Sums = Callable[[Any, Any], list[Any]]
LINKS = 3  # numbers of entries at which the formula is compared with that of the sums


def _gap(value: Any) -> Any:
    """A gap, or the left side of an equation less its right side."""
    return value[0] - value[1] if isinstance(value, tuple) else value


def _linked(value: Any, free: Any) -> Any:
    """A gap, or both sides of an equation, in one: ``free`` is a variable of its own."""
    return free * value[0] + value[1] if isinstance(value, tuple) else free + value


def _none(sums: Sequence[Any], v: Any, m: Any) -> list[Any]:
    return []


@dataclass(frozen=True, repr=False)
class Induction:
    """``formula(entries, v, m)`` is 0, or is not negative, for every number of entries from ``least`` on.

    Parameters
    ----------
    axis : str
        What the entries are counted by: ``"K"``, ``"J"``, ``"r"``.
    entry : mapping
        The kinds of the variables of one entry.
    formula : callable
        ``formula(entries, v, m)``, as the library says it, of a list of entries and the shared variables.
    adds : callable
        ``adds(entry, v, m)``: the list of what an entry adds to each sum.
    closed : callable
        ``closed(sums, v, m)``: the same quantity from the sums. For an equation both may give the pair of its sides:
        then each side is shown to be that of the sums.
    relation : {"==", ">="}
    shared : mapping
        The kinds of the variables that all entries share.
    least : int
        The number of entries to begin with.
    keeps : callable
        ``keeps(sums, v, m)``: comparisons that hold of the sums at the beginning and are kept by one more entry; the
        step may use them.
    where : callable, optional
        Comparisons about an entry and the shared variables, ``where(entry, v, m)``.
    compared : bool
        Where the trees are not shown to be equal, settle it for the three smallest numbers of entries alone, at which
        the formula is compared with that of the sums.
    terms, atoms
        A certificate for what one more entry adds, as of `Certificate`; without one the solver settles the step.
    """

    axis: str
    entry: Mapping[str, str]
    formula: Callable[[Entries, Any, Any], Any]
    adds: Callable[[Any, Any, Any], list[Any]]
    closed: Callable[[Sequence[Any], Any, Any], Any]
    relation: Literal["==", ">="] = "=="
    shared: Mapping[str, str] = field(default_factory=dict)
    least: int = 2
    keeps: Callable[[Sequence[Any], Any, Any], list[Any]] = _none
    where: Callable[[Any, Any, Any], list[Any]] = _none
    terms: Terms | None = None
    atoms: Callable[[Any, Any], dict[str, Any]] = lambda v, m: {}
    compared: bool = False

    __repr__ = shortened

    def scope(self) -> Scope:
        numbers = only(*self.numbers) if self.compared and self.apart else Extent(least=self.least)
        return Scope({self.axis: numbers}, {**self.entry, **self.shared})

    def grounds(self) -> tuple[str, ...]:
        numbers = ", ".join(map(str, self.numbers))
        return (f"algebra compared at {self.axis} = {numbers}",) if self.compared and self.apart else ALGEBRA

    @property
    def numbers(self) -> range:
        """The numbers of entries for which the formula is compared with that of the sums."""
        return range(self.least, self.least + LINKS)

    @cached_property
    def apart(self) -> str:
        """Why the formula is not known to be that of the sums for every number of entries; nothing if it is."""
        return linked(self.formula, self.adds, self.closed, self.entry, self.shared)

    @settling("induction")
    def settle(self) -> Verdict:
        allowed(self.formula, self.adds, self.closed, self.keeps, self.where, self.terms, self.atoms)
        if self.apart and not self.compared:
            words = f"for every number of entries, the formula is not shown to be one of the sums: {self.apart}"
            words = f"{words}; rewrite it as sums over the entries, or pass compared=True to try a few numbers"
            refuted = All(*map(self._link, self.numbers)).settle()
            return refuted if refuted.status is Status.REFUTED else Verdict(Status.UNKNOWN, "induction", words)
        for words, claims in self._parts():
            for claim in claims:
                part = claim.settle()
                if part.status is Status.PROVED:
                    break
            else:
                return Verdict(part.status, "induction", f"{words}: {part.evidence}", part.witness)
        how = f"compared at {', '.join(map(str, self.numbers))}" if self.apart else f"for every {self.axis}"
        words = f"{self.least} entries, and one more whatever their sums; the formula is that of the sums, {how}"
        return Verdict(Status.PROVED, "induction", words)

    def _parts(self) -> list[tuple[str, list[Claim]]]:
        """What is to be shown, in words, each by claims of which one is enough."""
        least, kinds = self.least, self.kinds(self.least)
        parts: list[tuple[str, list[Claim]]] = [
            ("the formula is that of the sums", [All(*map(self._link, self.numbers))]),
            (f"{least} entries", self._first()),
            ("one entry more", self._step()),
        ]
        if self.keeps is not _none:
            first = Smt(kinds, self._kept(lambda v, m: self._sums(v, m, least)), self._domain(least))
            after = Smt(self._step_kinds(), self._kept(self._after), self._known)
            parts += [("what is kept, first", [first]), ("what is kept, one more", [after])]
        return parts

    def kinds(self, number: int) -> dict[str, str]:
        """The variables of a number of entries, and those that they share."""
        each = {f"{name}{k}": kind for k in range(number) for name, kind in self.entry.items()}
        return each | dict(self.shared)

    def entries(self, v: Any, number: int) -> list[SimpleNamespace]:
        """The entries that the numbered variables make up."""
        return [SimpleNamespace(**{x: getattr(v, f"{x}{k}") for x in self.entry}) for k in range(number)]

    def _sums(self, v: Any, m: Any, number: int) -> list[Any]:
        added = [self.adds(e, v, m) for e in self.entries(v, number)]
        return [sum(column[1:], start=column[0]) for column in zip(*added, strict=True)]

    def _domain(self, number: int) -> Formula:
        return lambda v, m: [x for e in self.entries(v, number) for x in self.where(e, v, m)]

    def _link(self, number: int) -> Identity:
        """The two are the same; a free variable is added to both, since a gap that is 0 is constant."""
        return Identity(
            {**self.kinds(number), "free": "real"},
            lambda v, m: _linked(self.formula(self.entries(v, number), v, m), v.free),
            lambda v, m: _linked(self.closed(self._sums(v, m, number), v, m), v.free),
            self._domain(number),
        )

    def _first(self) -> list[Claim]:
        domain = self._domain(self.least)
        return self._related(self.kinds(self.least), lambda v, m: self._sums(v, m, self.least), domain, domain)

    def _gap(self, sums: Sums) -> Formula:
        return lambda v, m: m.number(_gap(self.closed(sums(v, m), v, m)))

    def _holds(self, gap: Any) -> Any:
        return gap == 0 if self.relation == "==" else gap >= 0

    def _related(self, kinds: Mapping[str, str], sums: Sums, domain: Formula, known: Formula) -> list[Claim]:
        """The claim that the relation holds of sums: an identity on a domain, or by the solver, which may know more."""
        gap = self._gap(sums)  # a free variable is added to both sides of 0 = 0, which are constant without it
        zero = Identity({**kinds, "free": "real"}, lambda v, m: v.free + gap(v, m), lambda v, m: v.free, domain)
        return [*([zero] if self.relation == "==" else []), Smt(kinds, lambda v, m: self._holds(gap(v, m)), known)]

    # The sums before the last entry are variables of their own, of which only what is kept is known.

    @cached_property
    def _names(self) -> list[str]:
        ones = SimpleNamespace(**dict.fromkeys([*self.entry, *self.shared], 1))
        return [f"s{i}" for i in range(len(self.adds(ones, ones, EXACT)))]

    def _step_kinds(self) -> dict[str, str]:
        return dict.fromkeys(self._names, "real") | dict(self.entry) | dict(self.shared)

    def _before(self, v: Any, m: Any = None) -> list[Any]:
        return [getattr(v, name) for name in self._names]

    def _after(self, v: Any, m: Any) -> list[Any]:
        return [s + x for s, x in zip(self._before(v), self.adds(v, v, m), strict=True)]

    def _known(self, v: Any, m: Any) -> list[Any]:
        return [*self.keeps(self._before(v), v, m), *self.where(v, v, m)]

    def _step(self) -> list[Claim]:
        kinds, after, before = self._step_kinds(), self._gap(self._after), self._gap(self._before)
        if self.relation == ">=" and self.terms is not None:
            more = lambda v, m: after(v, m) - before(v, m)  # noqa: E731
            return [Certificate(kinds, more, self.terms, self.atoms, self._known)]
        known = lambda v, m: [*self._known(v, m), self._holds(before(v, m))]  # noqa: E731
        return self._related(kinds, self._after, self._known, known)

    def _kept(self, sums: Sums) -> Formula:
        return lambda v, m: reduce(and_, self.keeps(sums(v, m), v, m), True)
