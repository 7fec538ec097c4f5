"""Claims and how each is settled: by two routes where there are two, never by samples alone.

A claim is given formulas ``f(v, m)`` of named variables ``v`` (``v.a``, ``v.tau_pos``) under an arithmetic ``m``;
``points`` says of what kinds they are.

Main definitions: ``Identity``, ``Certificate``, ``Smt``, ``Exhaustive``, ``Sign``, ``Sampled``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

from splitcrit.arith import EXACT, Irrational
from splitcrit.proof.balls import BALL, Ball
from splitcrit.proof.fields import Field
from splitcrit.proof.points import Formula, differ, evaluated, points, shown
from splitcrit.proof.terms import SMT
from splitcrit.proof.undecided import Undecided, exact
from splitcrit.proof.verdicts import Status, Verdict

POINTS = 16  # exact points that a claim proved by algebra must also survive
MANY = 200  # points at which the sign of a gap and of its atoms is looked at before algebra


@dataclass(frozen=True)
class Identity:
    """``left = right`` as rational functions over Q, and at exact points of the domain.

    Where a formula contains roots or absolute values state the equation between squares: a field knows no signs.
    """

    variables: Mapping[str, str]
    left: Formula
    right: Formula
    domain: Formula | None = None

    def settle(self) -> Verdict:
        values: list[tuple[str, str]] = []
        for v in points(self.variables, self.domain):
            try:
                left, right = evaluated(self.left, v), evaluated(self.right, v)
            except ZeroDivisionError:
                return Verdict(Status.REFUTED, "identity", "undefined at a point of its domain", shown(v))
            if differ(left, right):
                return Verdict(Status.REFUTED, "identity", f"{left} is not {right}", shown(v))
            values.append((str(left), str(right)))
            if len(values) >= POINTS:
                break
        if len(values) < POINTS:
            return Verdict(Status.UNKNOWN, "identity", "too few points in the domain")
        if len(set(values)) == 1:
            return Verdict(Status.UNKNOWN, "identity", "both sides are constant on the domain")
        return self._algebra()

    def _algebra(self) -> Verdict:
        ring = Field(tuple(self.variables), frozenset(n for n, kind in self.variables.items() if kind != "real"))
        v = SimpleNamespace(**ring.variables)
        try:
            zero = ring.is_zero(self.left(v, ring) - self.right(v, ring))
        except (Undecided, TypeError) as error:
            return Verdict(Status.UNKNOWN, "identity", f"no rational function: {error}")
        if not zero:
            return Verdict(Status.UNKNOWN, "identity", "agrees at points, but its numerator is not zero")
        words = f"zero numerator over Q in {len(self.variables)} variables; {POINTS} exact points agree"
        return Verdict(Status.PROVED, "identity", words)


@dataclass(frozen=True)
class Certificate:
    """``gap >= 0`` on the domain because ``gap`` is a sum of products of squares and of atoms that are non-negative.

    ``terms(v, m)`` gives tuples ``(squares, names)``: the product of the squares of ``squares`` and of the named
    atoms. An atom is ``atoms(v, m)[name]``, non-negative on the domain by hypothesis.
    """

    variables: Mapping[str, str]
    gap: Formula
    terms: Callable[[Any, Any], list[tuple[list[Any], list[str]]]]
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
            return Verdict(
                Status.UNKNOWN, "certificate", f"not the stated sum: {found.evidence} {found.witness}".strip()
            )
        return Verdict(Status.PROVED, "certificate", f"a sum of non-negative terms; {found.evidence}")


@dataclass(frozen=True)
class Smt:
    """``conclusion`` holds wherever all ``hypotheses`` do, over the reals, by the solver z3.

    Kinds of variables are hypotheses too (counts are read as non-negative reals). The hypotheses must be
    satisfiable; a counterexample is accepted only if exact evaluation confirms it.
    """

    variables: Mapping[str, str]
    conclusion: Formula
    hypotheses: Callable[[Any, Any], list[Any]] = lambda v, m: []
    seconds: int = 20

    def settle(self) -> Verdict:
        import z3

        m = SMT()
        v = SimpleNamespace(**{name: z3.Real(name, m.context) for name in self.variables})
        low = {"count": 0, "positive": 1, "rate": 0}
        kinds = [getattr(v, name) >= low[kind] for name, kind in self.variables.items() if kind in low]
        kinds += [getattr(v, name) <= 1 for name, kind in self.variables.items() if kind == "rate"]
        solver = z3.Solver(ctx=m.context)
        solver.set("timeout", 1000 * self.seconds)
        goal = self.conclusion(v, m)
        solver.add(*kinds, *self.hypotheses(v, m), *m.constraints)
        if solver.check() != z3.sat:
            return Verdict(Status.UNKNOWN, "smt", "z3 finds no point that satisfies the hypotheses")
        solver.add(z3.Not(goal) if not isinstance(goal, bool) else not goal)
        answer = solver.check()
        if answer == z3.unsat:
            return self._confirmed()
        if answer == z3.sat:
            return self._witness(solver.model(), m.context)
        return Verdict(Status.UNKNOWN, "smt", f"z3 answers {answer} within {self.seconds} s")

    def _inside(self, v: Any, m: Any) -> bool:
        return all(exact(x) for x in self.hypotheses(v, m))

    def _confirmed(self) -> Verdict:
        seen = 0
        for v in points(self.variables, self._inside):
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
        import z3

        found = {}
        for name in self.variables:
            value = model.eval(z3.Real(name, context), model_completion=True)
            value = value.approx(30) if z3.is_algebraic_value(value) else value
            found[name] = Fraction(value.numerator_as_long(), value.denominator_as_long())
        v = SimpleNamespace(**found)
        try:
            if self._inside(v, EXACT) and not evaluated(self.conclusion, v):
                return Verdict(Status.REFUTED, "smt", "a counterexample, confirmed exactly", shown(v))
        except (ZeroDivisionError, Undecided, Irrational):
            pass
        return Verdict(Status.UNKNOWN, "smt", f"z3 offers {shown(v)}, which exact evaluation does not confirm")


@dataclass(frozen=True)
class Exhaustive:
    """``holds(case)`` for every case of a finite enumeration, in exact arithmetic."""

    cases: Callable[[], Iterable[Any]]
    holds: Callable[[Any], bool]

    def settle(self) -> Verdict:
        number = 0
        for case in self.cases():
            number += 1
            if not exact(self.holds(case)):
                numbers = (case.numbers(),) if hasattr(case, "numbers") else ()
                return Verdict(Status.REFUTED, "exhaustive", f"fails at case {number}", str(case), numbers)
        if number == 0:
            return Verdict(Status.UNKNOWN, "exhaustive", "the enumeration is empty")
        return Verdict(Status.PROVED, "exhaustive", f"all {number} cases, exactly")


@dataclass(frozen=True)
class Sign:
    """Every value that ``values(m)`` lists is positive, by rigorous enclosures."""

    values: Callable[[Any], list[Any]]

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


@dataclass(frozen=True)
class Sampled:
    """``holds(v, m)`` at random exact points: supported at best, never proved."""

    variables: Mapping[str, str]
    holds: Formula
    domain: Formula | None = None

    def settle(self) -> Verdict:
        seen = 0
        for v in points(self.variables, self.domain):
            seen += 1
            if not evaluated(self.holds, v):
                return Verdict(Status.REFUTED, "sampled", f"fails at point {seen}", shown(v))
        if seen == 0:
            return Verdict(Status.UNKNOWN, "sampled", "the domain is empty")
        return Verdict(Status.SUPPORTED, "sampled", f"{seen} random exact points agree")
