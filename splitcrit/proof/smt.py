"""A conclusion that holds wherever its hypotheses do, over the reals, by the solver z3.

Main definitions: ``Smt``; ``listed`` (hypotheses as a list).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import z3

from splitcrit.arith import Irrational
from splitcrit.display import shortened
from splitcrit.proof.points import POINTS, Formula, evaluated, inside, points, shown
from splitcrit.proof.scope import Scope
from splitcrit.proof.solver import SMT
from splitcrit.proof.undecided import Undecided
from splitcrit.proof.verdicts import Status, Verdict


@dataclass(frozen=True, repr=False)
class Smt:
    """``conclusion`` holds wherever all ``hypotheses`` do, over the reals, by the solver z3.

    Kinds of variables are hypotheses too (counts are read as non-negative reals). The hypotheses must be
    satisfiable; a counterexample is accepted only if exact evaluation confirms it.
    """

    variables: Mapping[str, str]
    conclusion: Formula
    hypotheses: Formula | None = None
    seconds: int = 20

    __repr__ = shortened

    def scope(self) -> Scope:
        return Scope(variables=self.variables)

    def settle(self) -> Verdict:
        m = SMT()
        v = m.variables(self.variables)
        solver = m.solver(self.seconds)
        try:
            goal = m.said(self.conclusion(v, m))
            given = [m.said(x) for x in listed(self.hypotheses, v, m)]
        except Undecided as error:
            return Verdict(Status.UNKNOWN, "smt", str(error))
        solver.add(*m.constraints, *given)
        if solver.check() != z3.sat:
            return Verdict(Status.UNKNOWN, "smt", "z3 finds no point that satisfies the hypotheses")
        solver.add(z3.Not(goal))
        answer = solver.check()
        if answer == z3.unsat:
            return self._confirmed()
        if answer == z3.sat:
            return self._witness(solver.model(), m.context)
        return Verdict(Status.UNKNOWN, "smt", f"z3 answers {answer} within {self.seconds} s")

    def _confirmed(self) -> Verdict:
        seen = 0
        for v in points(self.variables, self.hypotheses):
            seen += 1
            try:
                if not evaluated(self.conclusion, v):
                    return Verdict(Status.UNKNOWN, "smt", f"z3 says proved, exact evaluation not at {shown(v)}")
            except (ZeroDivisionError, Undecided):
                return Verdict(Status.UNKNOWN, "smt", f"undefined at {shown(v)}")
            if seen == POINTS:
                break
        return Verdict(Status.PROVED, "smt", f"negation unsatisfiable over the reals; {seen} exact points agree")

    def _witness(self, model: Any, context: Any) -> Verdict:
        found = {}
        for name in self.variables:
            value = model.eval(z3.Real(name, context), model_completion=True)
            value = value.approx(30) if z3.is_algebraic_value(value) else value
            found[name] = Fraction(value.numerator_as_long(), value.denominator_as_long())
        v = SimpleNamespace(**found)
        try:
            if inside(self.hypotheses, v) and not evaluated(self.conclusion, v):
                return Verdict(Status.REFUTED, "smt", "a counterexample, confirmed exactly", shown(v))
        except (ZeroDivisionError, Undecided, Irrational):
            pass
        return Verdict(Status.UNKNOWN, "smt", f"z3 offers {shown(v)}, which exact evaluation does not confirm")


def listed(hypotheses: Formula | None, v: Any, m: Any) -> list[Any]:
    """Return the comparisons that a domain or hypotheses consist of."""
    found = [] if hypotheses is None else hypotheses(v, m)
    return list(found) if isinstance(found, list | tuple) else [found]
