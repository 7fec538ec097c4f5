"""A conclusion that holds wherever its hypotheses do, over the reals, by the solver z3.

Main definitions: ``Smt``; ``listed`` (hypotheses as a list).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from textwrap import shorten
from types import SimpleNamespace
from typing import Any

import z3

from splitcrit.arith import Irrational
from splitcrit.proof.linting import allowed
from splitcrit.proof.points import (
    POINTS,
    WHOLE,
    Blind,
    Formula,
    exactly_or_enclosed,
    inside,
    of_their_kinds,
    points,
    shown,
    tried,
    unread,
)
from splitcrit.proof.solver import SMT, WORK
from splitcrit.proof.undecided import Undecided, truth
from splitcrit.proof.verdicts import OfVariables, Status, Verdict, settling


@dataclass(frozen=True, repr=False)
class Smt(OfVariables):
    """``conclusion`` holds wherever all ``hypotheses`` do, over the reals, by the solver z3.

    Kinds of variables are hypotheses too (counts are read as non-negative reals). The hypotheses must hold at an exact
    point of these kinds, which the verdict states, and wherever they do the conclusion must be defined: what it divides
    by is not 0, and what it takes a root of is not negative. A counterexample is accepted only if exact evaluation
    confirms it. ``work`` is how long the solver may look, in its own units; ``at`` is a point at which the hypotheses
    hold, for where neither chance nor z3 finds one.

    Examples
    --------
    >>> Smt({"x": "real"}, lambda v, m: v.x**2 + 1 >= 2 * v.x).settle().status
    <Status: settled>
    >>> Smt({"x": "real"}, lambda v, m: v.x**2 >= v.x).settle().witness
    'x = 1/2'
    """

    variables: Mapping[str, str]
    conclusion: Formula
    hypotheses: Formula | None = None
    work: int = WORK
    at: Mapping[str, Fraction] | None = None

    def unread(self) -> list[str]:
        """The variables that the claim names and does not use."""
        return unread(self.variables, self.hypotheses, self.conclusion, self.hypotheses)

    @settling("smt")
    def settle(self) -> Verdict:
        allowed(self.conclusion, self.hypotheses)
        m = SMT()
        v = m.variables(self.variables)
        try:
            goal = m.said(self.conclusion(v, Blind(m)))
            terms = [m.said(x) for x in listed(self.hypotheses, v, m)]
        except TypeError as error:
            raise Undecided(str(error)) from error
        terms += [x for term in terms if (x := m.defined(term)) is not None]
        stated = [] if self.at is None else [SimpleNamespace(**self.at)]
        if not all(map(self._may_be, stated)):
            raise Undecided(f"the hypotheses do not hold at {shown(stated[0])}")
        known = stated + list(itertools.islice(points(self.variables, self.hypotheses), POINTS))
        known = known or self._point(m, v, terms)
        if not known:
            raise Undecided("vacuous: no exact point was found where the hypotheses hold; pass one as at={...}")
        domain = m.defined(goal)
        for claimed in [domain, goal] if domain is not None else [goal]:
            solver = m.solver(self.work)
            solver.add(*m.constraints, *terms, *([domain] if claimed is not domain and domain is not None else []))
            solver.add(z3.Not(claimed))
            answer = solver.check()
            if answer == z3.sat:
                whole = self._whole(v)
                solver.add(*whole)
                if whole and solver.check() != z3.sat:
                    raise Undecided(
                        "false over the reals, but no whole-number counterexample was found; try Exhaustive"
                    )
                case = self._of_model(solver.model(), m.context)
                if claimed is domain:
                    raise Undecided(f"undefined where {told(z3.Not(claimed))}, as at {shown(case)}")
                return self._witness(case)
            if answer != z3.unsat:
                words = f"z3 answers {answer} after {self.work:,} units of work"
                raise Undecided(f"{words}; try a Certificate of {told(claimed)}")
        for at, value in tried(known, self.conclusion):
            if not truth(value):
                raise Undecided(f"z3 finds no counterexample, but {shown(at)} is one")
        least = f"; the hypotheses hold at {shown(known[0])}" if self.hypotheses is not None else ""
        words = f"negation unsatisfiable over the reals; {len(known)} exact points agree{least}"
        return Verdict(Status.PROVED, "smt", words)

    def _may_be(self, v: SimpleNamespace) -> bool:
        """Whether the values of a point are of their kinds, and the hypotheses hold there."""
        return of_their_kinds(self.variables, v) and inside(self.hypotheses, v)

    def _point(self, m: SMT, v: SimpleNamespace, terms: list[Any]) -> list[SimpleNamespace]:
        """An exact point at which the hypotheses hold, found by z3; none if it finds none."""
        solver = m.solver(self.work)
        solver.add(*m.constraints, *terms, *self._whole(v))
        if solver.check() == z3.sat:
            case = self._of_model(solver.model(), m.context)
            if self._may_be(case):
                return [case]
        return []

    def _whole(self, v: SimpleNamespace) -> list[Any]:
        """That counts are whole numbers."""
        return [z3.IsInt(getattr(v, name).inner) for name, kind in self.variables.items() if kind in WHOLE]

    def _of_model(self, model: Any, context: Any) -> SimpleNamespace:
        values = {}
        for name in self.variables:
            value = model.eval(z3.Real(name, context), model_completion=True)
            value = value.approx(30) if z3.is_algebraic_value(value) else value
            values[name] = Fraction(value.numerator_as_long(), value.denominator_as_long())
        return SimpleNamespace(**values)

    def _witness(self, v: SimpleNamespace) -> Verdict:
        try:
            if self._may_be(v) and not truth(exactly_or_enclosed(self.conclusion, v)):
                return Verdict(Status.REFUTED, "smt", "a counterexample, confirmed exactly", shown(v))
        except (ZeroDivisionError, Undecided, Irrational):
            pass
        raise Undecided(f"z3 gives {shown(v)}, but exact evaluation does not confirm it")


def listed(hypotheses: Formula | None, v: Any, m: Any) -> list[Any]:
    """The comparisons that a domain or hypotheses consist of."""
    terms = [] if hypotheses is None else hypotheses(v, Blind(m))
    return list(terms) if isinstance(terms, list | tuple) else [terms]


def told(term: Any) -> str:
    """A question of z3 in few words."""
    return shorten(str(term), 80, placeholder="...")
