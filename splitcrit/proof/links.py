"""That a formula of a list of entries is one of their sums, for every number of entries.

The formula is run as the printer of code objects runs it, on a list of any length with one generic member, and so is
what is made of the sums. Both trees are brought to one normal form: a rational function of the shared variables, of the
number of entries, and of sums of monomials of one entry. Where they have the same one they are equal for every number.

Main definitions: ``linked``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from splitcrit import arguments
from splitcrit.arith.tracing import Node, operands_first
from splitcrit.losses import response_losses
from splitcrit.noise import makers, transitions
from splitcrit.proof.control_flow import traced
from splitcrit.proof.families import Family, as_it_is, changed, retraced, total
from splitcrit.proof.family_trees import BINDERS, TRACE, free_of, moved, variable
from splitcrit.proof.fields import Field
from splitcrit.proof.quotients import Quotient
from splitcrit.proof.terms import Term
from splitcrit.proof.undecided import Undecided

AXIS = "k"


def linked(formula: Any, adds: Any, closed: Any, entry: Mapping[str, str], shared: Mapping[str, str]) -> str:
    """Why a formula of entries is not known to be that of the sums, in words; nothing if it is."""
    known: dict[Any, Any] = {makers._call: lambda maker, **_: maker, dataclasses.replace: changed}
    known |= dict.fromkeys((arguments.real, arguments.reals, transitions.rate, response_losses.counts), as_it_is)
    formula, adds, closed = (retraced(x, known) for x in (formula, adds, closed))
    v = SimpleNamespace(**{name: variable(name) for name in shared})

    def member(k: str) -> SimpleNamespace:
        return SimpleNamespace(**{name: TRACE.term(Node("at", (name, k))) for name in entry})

    def sums() -> list[Any]:
        columns = zip(*(adds(e, v, TRACE) for e in Family(AXIS, member)), strict=True)
        return [_summed(list(column)) for column in columns]

    normal, TRACE.constant = _Normal({**entry, **shared}), AXIS
    try:
        for side in range(2):
            left = traced(lambda: _side(formula(Family(AXIS, member), v, TRACE), side)).under  # noqa: B023
            right = traced(lambda: _side(closed(sums(), v, TRACE), side)).under  # noqa: B023
            if not normal.same(left, right):
                return "the formula of the entries and that of the sums have different normal forms"
    except (Undecided, ZeroDivisionError) as error:
        return f"{error}"
    finally:
        TRACE.constant = ""
    return ""


def _side(value: Any, side: int) -> Any:
    term = value[side] if isinstance(value, tuple) else value
    return term if isinstance(term, Term) else TRACE.number(term)


def _summed(column: list[Any]) -> Any:
    """The sum of what each entry adds: of a number, as often as there are entries."""
    first = TRACE.number(column[0]) if not isinstance(column[0], Term) else column[0]
    return total(column) if free_of(first) - set(TRACE.open) else first * TRACE.term(Node("size", ("K",)))


class _Normal(Field):
    """Trees as rational functions of elements that are all new, and known by the trees of what they are."""

    NEW = 48  # sums and other elements of one link

    def __init__(self, kinds: Mapping[str, str]) -> None:
        super().__init__({})
        self.kinds = kinds
        self.keys: list[Node] = []

    def same(self, one: Node, other: Node) -> bool:
        """Whether two trees have the same normal form."""
        marks = [i for i, key in enumerate(self.keys) if key.op == "is"]
        for part in self._without_roots(self._of(one) - self._of(other)):
            rest: dict[tuple[int, ...], Any] = {}
            for exponents, coefficient in part.numer.terms():  # what is 1 or 0 is its own square
                plain = tuple(min(e, 1) if i in marks else e for i, e in enumerate(exponents))
                rest[plain] = rest.get(plain, 0) + coefficient
            if any(rest.values()):
                return False
        return True

    def _new(self, key: Any, degree: int = 0, power: Any = None) -> Any:
        key = Node(key[0], tuple(self._written(x) if isinstance(x, Quotient) else x for x in key[1:]))
        if key not in self.keys:
            if len(self.keys) == self.NEW:
                raise Undecided(f"a link may have at most {self.NEW} sums and other elements; split the claim")
            self._known[len(self.keys)] = self._not_negative(key)
            self.keys.append(key)
            if degree:
                self._roots.append((self.field.gens[len(self.keys) - 1], degree, power))
        return self.field.gens[self.keys.index(key)]

    def _of(self, node: Node) -> Any:
        op, parts = node.op, node.parts
        if op == "number":
            return self.field(parts[0])
        if op in ("at", "size", "index"):
            return self._new((op, *parts))
        if op == "*" and (cases := next((x for x in parts if x.op == "if"), None)):  # each case of a product
            other = parts[1] if cases is parts[0] else parts[0]
            condition, *ways = cases.parts
            return self._case(condition, *(Node("*", (way, other)) for way in ways))
        if op in ("+", "-", "*", "/"):
            left, right = map(self._of, parts)
            return {"+": left.__add__, "-": left.__sub__, "*": left.__mul__, "/": left.__truediv__}[op](right)
        if op == "neg":
            return -self._of(parts[0])
        if op == "^" and isinstance(parts[1], int):
            return self._of(parts[0]) ** parts[1]
        if op == "if":
            return self._case(*parts)
        if op == "sum":
            return self._sum(parts[0], self._of(parts[1]))
        if op in BINDERS:
            return self._new((op, *_bound(self._written(self._of(parts[1])), parts[0]), *parts[2:]))
        if op in ("abs", "sqrt", "log"):
            return getattr(self, op)(self._element(self._of(parts[0]))).inner
        if op == "xlogx":
            return self._of(parts[0]) * self._of(Node("log", parts))
        return self._new((op, *(self._of(x) if isinstance(x, Node) else x for x in parts)))

    def _case(self, condition: Node, a: Node, b: Node) -> Any:
        if condition.op in ("==", "<", "<="):
            left, right = map(self._of, condition.parts)
            if (decided := self._decided(condition.op, left - right)) is not None:
                return self._of(a if decided else b)
        one, other = self._of(a), self._of(b)
        if condition.op == "==" and (gap := (left - right).numer) != 0 and not divmod((one - other).numer, gap)[1]:
            return other  # which is the same where the two sides are equal
        mark = self._new(("is", self._said(condition)))
        return mark * one + (1 - mark) * other

    def _said(self, condition: Node) -> Node:
        side = self._said if condition.op not in ("==", "<", "<=") else lambda x: self._written(self._of(x))
        return Node(condition.op, tuple(map(side, condition.parts)))

    def _not_negative(self, key: Node) -> bool | None:
        """Whether an atom is positive, or else only not negative; None if it may be negative."""
        if key.op == "sum" and len(key.parts[1].parts) == 1:
            parts = [self._not_negative(x.parts[0]) for x in key.parts[1].parts[0].parts]
            return None if None in parts else all(parts)
        kinds = {"at": self.kinds.get(key.parts[0], "real"), "size": "positive"}
        kind = kinds.get(key.op, "count" if key.op in ("abs", "sqrt", "is") else "real")
        return None if kind == "real" else kind == "positive"

    def _sum(self, axis: str, x: Any) -> Any:
        """A sum over an index, monomial by monomial; what does not depend on the index is taken out."""
        inner = [axis in free_of(key) for key in self.keys] + [False] * self.NEW
        whole, factors = x.denom.factor()
        outside, below = self.field(whole), self.field(1)
        for factor, times in factors:
            if any(e and inner[i] for exponents, _ in factor.terms() for i, e in enumerate(exponents)):
                below = below * self.field(factor) ** times
            else:
                outside = outside * self.field(factor) ** times
        total, numer = self.field(0), x.numer
        divided: tuple[Node, ...] = ()
        if below != 1:  # a quotient that is not a fraction is a sum of its own
            whole, numer = divmod(x.numer, below.numer)
            total, divided = (self._sum(axis, self.field(whole)) if whole else total), (self._written(below),)
        for exponents, coefficient in numer.terms():
            own = [(self.keys[i], e) for i, e in enumerate(exponents) if e and inner[i]]
            outer = tuple(0 if inner[i] else e for i, e in enumerate(exponents))
            if not divided and (other := next((k for key, _ in own if (k := _equal(key, axis))), "")):
                one = self.field.monomial(outer, coefficient)  # of the member that the sum has where the two are equal
                for key, power in own:
                    there = moved(key, axis, other)
                    one = one if _equal(key, axis) else one * self._new((there.op, *there.parts)) ** power
                total = total + one
            else:
                summed = Node("terms", (_product(own), *divided))
                atom = self._new(("sum", *_bound(summed, axis)) if own or divided else ("size", "K"))
                total = total + self.field.monomial(outer, coefficient) * atom
        return total / outside

    def _written(self, x: Any) -> Node:
        """A rational function as a tree: an atom as what it is, any other one in an order of its own."""
        if x in self.field.gens:
            return self.keys[self.field.place(x)]
        sides = []
        for poly in (x.numer, x.denom):
            terms = [
                (_product([(self.keys[i], e) for i, e in enumerate(powers) if e]), int(c)) for powers, c in poly.terms()
            ]
            sides.append(Node("+", tuple(y for term in sorted(terms, key=repr) for y in term)))
        return Node("/", tuple(sides))


def _product(powers: list[tuple[Node, int]]) -> Node:
    return Node("*", tuple(sorted((Node("^", power) for power in powers), key=repr)))


def _equal(key: Node, axis: str) -> str:
    """The index that an index is compared with in an atom that is 1 where the two are equal; nothing if none."""
    plain = key.op == "is" and key.parts[0].op == "==" and all(side.op == "index" for side in key.parts[0].parts)
    names = [side.parts[0] for side in key.parts[0].parts] if plain else []
    return next((name for name in names if name != axis), "") if axis in names else ""


def _bound(tree: Node, axis: str) -> tuple[str, Node]:
    """A tree whose index is bound, under a name that depends on what is bound inside alone."""
    names = [x for node in operands_first(tree) for x in node.parts if isinstance(x, str) and x.startswith("#")]
    name = f"#{max((int(x[1:]) for x in names), default=0) + 1}"
    return name, moved(tree, axis, name)
