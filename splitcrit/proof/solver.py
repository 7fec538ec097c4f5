"""Terms of the solver z3 over the reals as an arithmetic of formulas.

Main definitions: ``SMT``; ``WORK`` (of a question, counted by z3 and not timed).
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne
from types import SimpleNamespace
from typing import Any

import z3

from splitcrit.display import summary
from splitcrit.frozen import shown
from splitcrit.proof.scope import of_kinds
from splitcrit.proof.terms import Condition, Term, written
from splitcrit.proof.undecided import Undecided, truth

WORK = 40_000_000  # units of z3's own count, which is the same on every machine: some 20 s
LOW = {"count": 0, "positive": 1, "rate": 0}
RELATIONS = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}
JOINED = {"and": z3.And, "or": z3.Or, "iff": eq, "not": lambda a, _: z3.Not(a)}


class SMT:
    """Terms of z3 over the reals; a square root is a new variable with its defining constraints.

    What is divided by and what roots are of says where a formula is defined: `defined`. Every claim gets a context of
    its own, so that what the solver finds does not depend on what it did before.
    """

    name = "SMT"

    def __init__(self) -> None:
        self.context = z3.Context()
        self.constraints: list[Any] = []
        self._roots: dict[str, Any] = {}  # what each root is of

    def __repr__(self) -> str:
        return summary(self, constraints=len(self.constraints))

    def solver(self, work: int = WORK) -> Any:
        """A solver that gives up after that much work."""
        solver = z3.Solver(ctx=self.context)
        solver.set("rlimit", work)
        return solver

    def defined(self, term: Any) -> Any:
        """When an expression is defined: what divides in it is not 0, what roots are of is not negative."""
        known: dict[int, Any] = {}

        def walk(x: Any) -> list[Any]:
            if x.get_id() in known:
                return known[x.get_id()]  # type: ignore[no-any-return]
            parts = [walk(y) for y in x.children()]
            if z3.is_app_of(x, z3.Z3_OP_ITE):
                ways = [z3.And(*part, z3.BoolVal(True, self.context)) for part in parts[1:]]
                goals_in = parts[0] + ([z3.If(x.arg(0), *ways)] if any(parts[1:]) else [])
            else:
                goals_in = [y for part in parts for y in part]
            if z3.is_app_of(x, z3.Z3_OP_DIV) and not z3.is_rational_value(x.arg(1)):
                goals_in = [*goals_in, x.arg(1) != 0]
            if z3.is_const(x) and (of := self._roots.get(x.decl().name())) is not None:
                goals_in = [*walk(of), of >= 0]
            known[x.get_id()] = goals_in
            return goals_in

        goals = {x.get_id(): x for x in walk(term)}
        return z3.And(*goals.values(), z3.BoolVal(True, self.context)) if goals else None

    def variables(self, kinds: Mapping[str, str]) -> SimpleNamespace:
        """A term for each name; what its kind says of it becomes a constraint."""
        of_kinds(kinds)
        reals = {name: z3.Real(name, self.context) for name in kinds}
        self.constraints += [reals[name] >= LOW[kind] for name, kind in kinds.items() if kind in LOW]
        self.constraints += [reals[name] <= 1 for name, kind in kinds.items() if kind == "rate"]
        return SimpleNamespace(**{name: Term(x, self) for name, x in reals.items()})

    def adjoin(self, v: SimpleNamespace, name: str) -> None:
        """Add a real variable to others."""
        setattr(v, name, Term(z3.Real(name, self.context), self))

    def read(self, x: Any) -> Any:
        """The term of z3 that a value is."""
        if isinstance(x, Term):
            return x.inner
        if isinstance(x, bool) or not isinstance(x, int | Fraction):
            got = written(x) if isinstance(x, Condition) else shown(x)
            raise Undecided(f"numbers for z3 must be exact; got {got}; use a Fraction")
        return z3.RealVal(str(x), self.context)

    def term_of(self, function: Any, v: SimpleNamespace) -> Term:
        """A rational function in the same variables as a term."""
        above, below = self._of_polynomial(function.numer, v), self._of_polynomial(function.denom, v)
        ratio: Term = above / below
        return ratio

    def _of_polynomial(self, poly: Any, v: SimpleNamespace) -> Term:
        whole: Term = Term(self.read(0), self)
        for exponents, coefficient in poly.terms():
            product = self.number(int(coefficient))
            for name, power in zip(poly.context().names(), exponents, strict=True):
                for _ in range(power):
                    product = product * getattr(v, name)
            whole = whole + product
        return whole

    def compared(self, relation: str, left: Term, right: Any) -> Any:
        term = RELATIONS[relation](left.inner, self.read(right))
        plain = z3.simplify(term)
        if (z3.is_true(plain) or z3.is_false(plain)) and self.defined(term) is None:
            return z3.is_true(plain)
        return Condition(relation, term, self)

    def joined(self, word: str, one: Condition, other: Any) -> Condition:
        return Condition(word, JOINED[word](one.term, self.said(other)), self)

    def said(self, condition: Any) -> Any:
        """A condition, or a bool, as z3 reads it."""
        return condition.term if isinstance(condition, Condition) else z3.BoolVal(truth(condition), self.context)

    def implied(self, first: Any, known: list[Any]) -> Any:
        """That conditions hold where another does, as z3 reads it."""
        return z3.Implies(self.said(first), z3.And(*map(self.said, known)))

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        if not isinstance(condition, Condition):
            return a if condition else b
        return Term(z3.If(condition.term, self.read(a), self.read(b)), self)

    def abs(self, x: Any) -> Any:
        return self.where(x >= 0, x, -x)

    def max(self, items: Any) -> Any:
        return functools.reduce(lambda a, b: self.where(a >= b, a, b), items)

    def min(self, items: Any) -> Any:
        return functools.reduce(lambda a, b: self.where(a <= b, a, b), items)

    def sqrt(self, x: Any) -> Term:
        name, of = f"_root{len(self._roots)}", self.read(x)
        root = z3.Real(name, self.context)
        self._roots[name] = of
        self.constraints += [z3.Implies(of >= 0, z3.And(root >= 0, root * root == of))]
        return Term(root, self)

    def power(self, x: Any, a: Any) -> Any:
        a = Fraction(a)
        base = self.sqrt(x) if a.denominator == 2 else x
        if a.denominator > 2 or a < 0:
            raise Undecided(f"z3 decides polynomials only; got the power {a}; settle the claim another way")
        return functools.reduce(lambda product, _: product * base, range(a.numerator), self.number(1))

    def number(self, x: Any) -> Any:
        return Term(self.read(x), self) if isinstance(x, int | Fraction) else x

    def log(self, x: Any) -> Any:
        raise Undecided("z3 decides polynomials only; got a logarithm or exponential; settle the claim another way")

    xlogx = exp = log
