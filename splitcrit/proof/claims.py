"""Claims that algebra settles, for all values of their variables: never by samples alone.

A claim is given formulas ``f(v, m)`` of named variables ``v`` (``v.a``, ``v.tau_pos``) under an arithmetic ``m``;
``points`` says of what kinds they are. A domain, or hypotheses, are a comparison or a list of them.

Main definitions: ``Identity``, ``Certificate``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import z3

from splitcrit.proof.balls import Ball
from splitcrit.proof.fields import Field, needs_of, ways
from splitcrit.proof.linting import allowed
from splitcrit.proof.points import POINTS, Blind, Formula, points, shown, surely_equal, tried, unread
from splitcrit.proof.smt import Smt, listed
from splitcrit.proof.solver import RELATIONS, SMT, WORK
from splitcrit.proof.undecided import Undecided, exact
from splitcrit.proof.verdicts import OfVariables, Status, Verdict, settling

MANY = 200  # points at which the sign of a gap and of its atoms is looked at before algebra
Terms = Callable[[Any, Any], list[tuple[list[Any], list[str]]]]


@dataclass(frozen=True, repr=False)
class Identity(OfVariables):
    """``left = right`` as rational functions over Q, and at points of the domain.

    A formula may decide by ``m.where``; each way through its conditions is settled, under those conditions. What both
    sides divide by is shown not to be 0 on the domain, what roots and logarithms are of to have the sign they need.

    Examples
    --------
    >>> wrong = Identity({"x": "real"}, lambda v, m: (v.x + 1) ** 2, lambda v, m: v.x**2 + 1)
    >>> wrong.settle().status
    <Status: refuted>
    """

    variables: Mapping[str, str]
    left: Formula
    right: Formula
    domain: Formula | None = None

    def unread(self) -> list[str]:
        """The variables that the claim names and does not use."""
        return unread(self.variables, self.domain, self.left, self.right, self.domain)

    @settling("identity", ZeroDivisionError)
    def settle(self) -> Verdict:
        allowed(self.right)
        allowed(self.left, self.domain)
        values = []
        enclosed = 0
        for v, left, right in tried(
            itertools.islice(points(self.variables, self.domain), POINTS), self.left, self.right
        ):
            if surely_equal(left, right, answer=False):
                return Verdict(Status.REFUTED, "identity", f"{left} is not {right}", shown(v))
            enclosed += isinstance(left, Ball) or isinstance(right, Ball)
            values.append((str(left), str(right)))
        if len(values) < POINTS:
            raise Undecided(f"fewer than {POINTS} points found in the domain")
        if len(set(values)) == 1:
            raise Undecided("both sides are constant on the domain")
        return self._algebra(enclosed)

    def _algebra(self, enclosed: int) -> Verdict:
        def gap(m: Field) -> Any:
            v, math = SimpleNamespace(**m.variables), Blind(m)
            return self.left(v, math) - self.right(v, math)

        number = 0
        try:
            for m, rest in ways(self.variables, gap):
                wrong = str(rest) if isinstance(rest, Exception) else _fault(m, rest) or self._undefined(m, rest)
                if not wrong or ((m.path or m.zeros) and self._empty(m)):
                    number += not wrong
                    continue
                where = "".join(
                    [*(f"; where {x} == 0" for x in m.zeros), *(f"; where {c.written()}: {way}" for c, way in m.path)]
                )
                return Verdict(Status.UNKNOWN, "identity", wrong + where)
        except (Undecided, TypeError, ZeroDivisionError) as error:
            return Verdict(Status.UNKNOWN, "identity", f"not a rational function: {error}")
        branches = f", on each of {number} branches" if number > 1 else ""
        agree = f"{POINTS - enclosed} exact points agree"
        overlap = f", {enclosed} enclosures do not differ" if enclosed else ""
        words = f"zero numerator over Q in {len(self.variables)} variables{branches}; {agree}{overlap}"
        return Verdict(Status.PROVED, "identity", words)

    def _undefined(self, m: Field, rest: Any) -> str:
        """Name the value on the path taken that may be undefined; nothing if all are surely defined."""
        for place in sorted(needs_of(rest)):
            relation, x = m.needs[place]
            smt = SMT()
            v = smt.variables(self.variables)
            solver = self._on_path(m, smt, v)
            solver.add(z3.Not(smt.said(RELATIONS[relation](smt.term_of(x, v), 0))))  # of a term: a condition
            if solver.check() != z3.unsat:
                return f"may be undefined: the checker cannot show {m.text(x)} {relation} 0 on the domain"
        return ""

    def _on_path(self, m: Field, smt: SMT, v: SimpleNamespace) -> Any:
        """A solver that knows the domain and the field's path."""
        solver = smt.solver(WORK // 4)
        known = m.shown_to(smt, v)
        solver.add(*(smt.said(x) for x in listed(self.domain, v, smt)), *known, *smt.constraints)
        solver.add(*(getattr(v, name).inner == 0 for name in m.zeros))
        for condition, way in m.path:
            term = smt.compared(condition.relation, smt.term_of(condition.term, v), 0)
            solver.add(smt.said(term) if way else z3.Not(smt.said(term)))
        return solver

    def _empty(self, m: Field) -> bool:
        """Whether no point of the domain takes the field's path, by the solver."""
        smt = SMT()
        return bool(self._on_path(m, smt, smt.variables(self.variables)).check() == z3.unsat)


def _fault(m: Field, gap: Any) -> str:
    """Why a gap is not known to be zero on the path taken, in words; nothing if it is."""
    try:
        if m.is_zero(gap):
            return ""
    except Undecided as error:
        return f"not a rational function: {error}"
    why = "agrees at points, but its numerator is not zero:"
    if stuck := m.stuck(gap):
        return f"{why} {stuck} does not cancel; make it a variable of an Smt or a Certificate"
    numer = m.field(m.read(gap)).numer
    first = next(m.text(m.field.monomial(exponents, coefficient)) for exponents, coefficient in numer.terms())
    return f"{why} it has the term {first}; try an Smt with its domain as hypotheses"


@dataclass(frozen=True, repr=False)
class Certificate(OfVariables):
    """``gap >= 0`` on the domain because ``gap`` is a sum of products of squares and of atoms that are non-negative.

    ``terms(v, m)`` gives tuples ``(squares, names)``: the product of the squares of ``squares`` and of the named
    atoms. An atom is ``atoms(v, m)[name]``; that it is not negative is derived by the solver, from the kinds of the
    variables and the domain.

    Examples
    --------
    >>> gap = lambda v, m: v.x**2 - 2 * v.x + 1
    >>> Certificate({"x": "real"}, gap, lambda v, m: [([v.x - 1], [])]).settle().status
    <Status: settled>
    """

    variables: Mapping[str, str]
    gap: Formula
    terms: Terms
    atoms: Callable[[Any, Any], dict[str, Any]] = lambda v, m: {}
    domain: Formula | None = None

    def _sum(self, v: Any, m: Any) -> Any:
        atoms = self.atoms(v, m)
        whole: Any = 0
        for squares, names in self.terms(v, m):
            product: Any = 1
            for x in squares:
                product = product * x * x
            for name in names:
                product = product * atoms[name]
            whole = whole + product
        return whole

    @settling("certificate", ZeroDivisionError)
    def settle(self) -> Verdict:
        allowed(self.gap, self.terms, self.atoms, self.domain)
        for v, gap, atoms in tried(itertools.islice(points(self.variables, self.domain), MANY), self.gap, self.atoms):
            if gap < 0:
                return Verdict(Status.REFUTED, "certificate", f"the gap is {gap}", shown(v))
            if bad := [name for name, x in atoms.items() if exact(x) < 0]:
                raise Undecided(f"atom {bad[0]} is negative at {shown(v)}")
        same = Identity(self.variables, self.gap, self._sum, self.domain).settle()
        if same.status is not Status.PROVED:
            raise Undecided(f"the gap is not the stated sum: {same.evidence} {same.witness}".strip())
        ring = Field(self.variables)
        products = self.terms(SimpleNamespace(**ring.variables), Blind(ring))
        names = dict.fromkeys(name for _, names in products for name in names)
        for name in names:
            atom = self._atom(name).settle()
            if atom.status is not Status.PROVED:
                raise Undecided(f"the checker cannot show that atom {name} is non-negative: {atom.evidence}")
        derived = f" and {len(names)} atoms derived" if names else ""
        return Verdict(Status.PROVED, "certificate", f"a sum of products of squares{derived}; {same.evidence}")

    def _atom(self, name: str) -> Smt:
        """The claim that an atom is not negative."""
        return Smt(self.variables, lambda v, m: m.number(self.atoms(v, m)[name]) >= 0, self.domain)
