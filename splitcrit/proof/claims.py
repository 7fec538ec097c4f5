"""Claims that algebra settles, for all values of their variables: never by samples alone.

A claim is given formulas ``f(v, m)`` of named variables ``v`` (``v.a``, ``v.tau_pos``) under an arithmetic ``m``;
``points`` says of what kinds they are. A domain, or hypotheses, are a comparison or a list of them.

Main definitions: ``Identity``, ``Certificate``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from splitcrit.arith import EXACT
from splitcrit.display import shortened
from splitcrit.proof.balls import Ball
from splitcrit.proof.branches import ways
from splitcrit.proof.fields import Field
from splitcrit.proof.points import POINTS, Formula, differ, evaluated, points, shown
from splitcrit.proof.scope import Scope
from splitcrit.proof.smt import Smt, listed
from splitcrit.proof.solver import SMT
from splitcrit.proof.undecided import Undecided, exact
from splitcrit.proof.verdicts import Status, Verdict

MANY = 200  # points at which the sign of a gap and of its atoms is looked at before algebra
Terms = Callable[[Any, Any], list[tuple[list[Any], list[str]]]]


@dataclass(frozen=True, repr=False)
class Identity:
    """``left = right`` as rational functions over Q, and at points of the domain.

    A formula may decide by ``m.where``; each way through its conditions is settled, under those conditions. Where a
    formula contains roots or absolute values state the equation between squares: a field knows no signs.
    """

    variables: Mapping[str, str]
    left: Formula
    right: Formula
    domain: Formula | None = None

    __repr__ = shortened

    def scope(self) -> Scope:
        return Scope(variables=self.variables)

    def settle(self) -> Verdict:
        values, enclosed = [], 0
        for v in points(self.variables, self.domain):
            try:
                left, right = evaluated(self.left, v), evaluated(self.right, v)
            except ZeroDivisionError:
                return Verdict(Status.REFUTED, "identity", "undefined at a point of its domain", shown(v))
            if differ(left, right):
                return Verdict(Status.REFUTED, "identity", f"{left} is not {right}", shown(v))
            enclosed += isinstance(left, Ball) or isinstance(right, Ball)
            values.append((str(left), str(right)))
            if len(values) >= POINTS:
                break
        if len(values) < POINTS:
            return Verdict(Status.UNKNOWN, "identity", "too few points in the domain")
        if len(set(values)) == 1:
            return Verdict(Status.UNKNOWN, "identity", "both sides are constant on the domain")
        return self._algebra(enclosed)

    def _algebra(self, enclosed: int) -> Verdict:
        def gap(m: Field) -> Any:
            v = SimpleNamespace(**m.variables)
            return self.left(v, m) - self.right(v, m)

        number = 0
        try:
            for m, found in ways(self.variables, gap):
                fault = _fault(m, found)
                if not fault or ((m.path or m.zeros) and self._empty(m)):
                    number += not fault
                    continue
                where = "".join(
                    [*(f"; where {x} == 0" for x in m.zeros), *(f"; where {c}: {way}" for c, way in m.path)]
                )
                return Verdict(Status.UNKNOWN, "identity", fault + where)
        except (Undecided, TypeError, ZeroDivisionError) as error:
            return Verdict(Status.UNKNOWN, "identity", f"no rational function: {error}")
        branches = f", on each of {number} branches" if number > 1 else ""
        agree = f"{POINTS - enclosed} exact points agree"
        overlap = f", {enclosed} enclosures do not differ" if enclosed else ""
        words = f"zero numerator over Q in {len(self.variables)} variables{branches}; {agree}{overlap}"
        return Verdict(Status.PROVED, "identity", words)

    def _empty(self, m: Field) -> bool:
        """Return whether no point of the domain takes the field's path, by the solver."""
        smt = SMT()
        v = smt.variables(self.variables)
        solver = smt.solver(seconds=5)
        solver.add(*smt.constraints, *(smt.said(x) for x in listed(self.domain, v, smt)))
        solver.add(*(getattr(v, name).inner == 0 for name in m.zeros))
        for condition, way in m.path:
            said = smt.compared(condition.relation, smt.term_of(condition.said, v), 0)
            solver.add(smt.said(said) if way else smt.denied(said))
        return str(solver.check()) == "unsat"


def _fault(m: Field, gap: Any) -> str:
    """Return why a gap is not known to be zero on the path taken, in words; nothing if it is."""
    try:
        return "" if m.is_zero(gap) else "agrees at points, but its numerator is not zero"
    except Undecided as error:
        return f"no rational function: {error}"


@dataclass(frozen=True, repr=False)
class Certificate:
    """``gap >= 0`` on the domain because ``gap`` is a sum of products of squares and of atoms that are non-negative.

    ``terms(v, m)`` gives tuples ``(squares, names)``: the product of the squares of ``squares`` and of the named
    atoms. An atom is ``atoms(v, m)[name]``; that it is not negative is derived, by the solver from the kinds of the
    variables and the domain, or, if it is named in ``nested``, by terms of its own from the atoms that are not.
    """

    variables: Mapping[str, str]
    gap: Formula
    terms: Terms
    atoms: Callable[[Any, Any], dict[str, Any]] = lambda v, m: {}
    domain: Formula | None = None
    nested: Mapping[str, Terms] = field(default_factory=dict)

    __repr__ = shortened

    def scope(self) -> Scope:
        return Scope(variables=self.variables)

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

    def settle(self) -> Verdict:
        for v in itertools.islice(points(self.variables, self.domain), MANY):
            try:
                if evaluated(self.gap, v) < 0:
                    return Verdict(Status.REFUTED, "certificate", f"the gap is {evaluated(self.gap, v)}", shown(v))
                bad = [name for name, x in self.atoms(v, EXACT).items() if exact(x) < 0]
            except ZeroDivisionError:
                return Verdict(Status.REFUTED, "certificate", "undefined at a point of its domain", shown(v))
            if bad:
                return Verdict(Status.UNKNOWN, "certificate", f"atom {bad[0]} is negative at {shown(v)}")
        found = Identity(self.variables, self.gap, self._sum, self.domain).settle()
        if found.status is not Status.PROVED:
            words = f"not the stated sum: {found.evidence} {found.witness}".strip()
            return Verdict(Status.UNKNOWN, "certificate", words)
        return self._derived(found.evidence)

    def _derived(self, evidence: str) -> Verdict:
        """Return the verdict, given the identity: every atom that is used must be shown to be non-negative."""
        names = self._used()
        for name in names:
            if name in self.nested:
                rest = {key: terms for key, terms in self.nested.items() if key != name}
                gap = self._atom(name)
                shown_by: Certificate | Smt = Certificate(
                    self.variables, gap, self.nested[name], self.atoms, self.domain, rest
                )
            else:
                shown_by = Smt(self.variables, self._not_negative(name), self.domain)
            found = shown_by.settle()
            if found.status is not Status.PROVED:
                words = f"atom {name} is not shown to be non-negative: {found.evidence}"
                return Verdict(Status.UNKNOWN, "certificate", words)
        atoms = f" and {len(names)} atoms derived" if names else ""
        return Verdict(Status.PROVED, "certificate", f"a sum of products of squares{atoms}; {evidence}")

    def _used(self) -> list[str]:
        ring = Field(self.variables)
        listed = self.terms(SimpleNamespace(**ring.variables), ring)
        return list(dict.fromkeys(name for _, names in listed for name in names))

    def _atom(self, name: str) -> Formula:
        return lambda v, m: self.atoms(v, m)[name]

    def _not_negative(self, name: str) -> Formula:
        return lambda v, m: m.number(self.atoms(v, m)[name]) >= 0
