"""That a formula of a list of entries is one of their sums, for every number of entries.

The formula is run as the printer of code objects runs it, on a list of any length with one generic member, and so is
what is made of the sums. Both trees are brought to one normal form: a rational function of the shared variables, of the
number of entries, and of sums of monomials of one entry. Where they have the same one they are equal for every number.

Main definitions: ``linked``.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from splitcrit import arguments
from splitcrit.arith.tracing import Node
from splitcrit.losses import response_losses
from splitcrit.noise import makers, transitions
from splitcrit.proof.control_flow import traced
from splitcrit.proof.families import Family, as_it_is, changed, retraced, total
from splitcrit.proof.family_trees import TRACE, variable
from splitcrit.proof.members import BINDERS, free_of
from splitcrit.proof.quotients import Quotients, sign_of
from splitcrit.proof.terms import Term
from splitcrit.proof.undecided import Undecided

ATOMS = 48  # of one link
AXIS = "k"
ONE = (((), 1),)  # a polynomial as `_Normal` writes it


def linked(formula: Any, adds: Any, closed: Any, entry: Mapping[str, str], shared: Mapping[str, str]) -> str:
    """Return why a formula of entries is not known to be that of the sums, in words; nothing if it is."""
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
    found = value[side] if isinstance(value, tuple) else value
    return found if isinstance(found, Term) else TRACE.number(found)


def _summed(column: list[Any]) -> Any:
    """Return the sum of what each entry adds: of a number, as often as there are entries."""
    first = TRACE.number(column[0]) if not isinstance(column[0], Term) else column[0]
    return total(column) if free_of(first) - set(TRACE.open) else first * TRACE.term(Node("size", ("K",)))


class _Normal:
    """Trees as rational functions of atoms, which are known by what they are."""

    def __init__(self, kinds: Mapping[str, str]) -> None:
        self.kinds = kinds
        self.field = Quotients([f"a{i}" for i in range(ATOMS)])
        self.keys: list[Any] = []
        self.roots: dict[str, Any] = {}  # what the atoms that are roots are of

    def same(self, one: Node, other: Node) -> bool:
        """Tell whether two trees have the same normal form."""
        gap = self._of(one) - self._of(other)
        for name, square in self.roots.items():
            place = self.field.names.index(name)
            without, with_root = self.field.pieces(gap, place, 2, square)
            gap = without + with_root * self.field.gens[place]
        marks = [i for i, key in enumerate(self.keys) if key[0] == "is"]
        rest: dict[tuple[int, ...], Any] = {}
        for exponents, coefficient in gap.numer.terms():  # what is 1 or 0 is its own square
            plain = tuple(min(e, 1) if i in marks else e for i, e in enumerate(exponents))
            rest[plain] = rest.get(plain, 0) + coefficient
        return not any(rest.values())

    def _atom(self, key: Any) -> Any:
        if key not in self.keys:
            if len(self.keys) == ATOMS:
                raise Undecided(f"a link may have at most {ATOMS} sums and other atoms; split the claim")
            self.keys.append(key)
        return self.field.gens[self.keys.index(key)]

    def _of(self, node: Node) -> Any:
        op, parts = node.op, node.parts
        if op == "number":
            return self.field(parts[0])
        if op in ("at", "size", "index"):
            return self._atom((op, *parts))
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
            return self._atom((op, *_bound(self._written(self._of(parts[1])), parts[0]), *parts[2:]))
        if op == "abs" and (sign := self._sign(x := self._of(parts[0]))[0]):
            return x * sign
        if op == "sqrt":
            inner = self._of(parts[0])
            if (known := self._root(inner)) is not None:
                return known
            root = self._atom((op, self._written(inner)))
            self.roots[str(root)] = inner
            return root
        if op == "xlogx":
            return self._of(parts[0]) * self._atom(("log", self._written(self._of(parts[0]))))
        return self._atom((op, *(self._written(self._of(x)) if isinstance(x, Node) else x for x in parts)))

    def _root(self, x: Any) -> Any:
        """Return the root of a square whose sign is known; None of any other function."""
        roots = []
        for poly in (x.numer, x.denom):
            whole, factors = poly.factor()
            root = self.field(math.isqrt(max(int(whole), 0)))
            if root**2 != self.field(whole) or any(times % 2 for _, times in factors):
                return None
            for factor, times in factors:
                root = root * self.field(factor) ** (times // 2)
            roots.append(root)
        sign, _ = self._sign(found := roots[0] / roots[1])
        return found * sign if sign else None

    def _case(self, condition: Node, a: Node, b: Node) -> Any:
        if condition.op in ("==", "<", "<="):
            left, right = map(self._of, condition.parts)
            sign, strict = self._sign(right - left)
            if sign and (strict or (condition.op, sign) in (("<=", 1), ("<", -1))):
                return self._of(a if condition.op != "==" and sign > 0 else b)
        one, other = self._of(a), self._of(b)
        if condition.op == "==" and (gap := (left - right).numer) != 0 and not divmod((one - other).numer, gap)[1]:
            return other  # which is the same where the two sides are equal
        mark = self._atom(("is", self._said(condition)))
        return mark * one + (1 - mark) * other

    def _said(self, condition: Node) -> Any:
        if condition.op in ("==", "<", "<="):
            return (condition.op, *(self._written(self._of(x)) for x in condition.parts))
        return (condition.op, *(self._said(x) for x in condition.parts))

    def _sign(self, x: Any) -> tuple[int, bool]:
        """Return the sign that the kinds of the variables give a function, 0 if none, and whether it is strict."""
        known = list(map(self._not_negative, self.keys))
        above, below = (sign_of(part, known) for part in (x.numer, x.denom))
        return above[0] * below[0], above[1] and below[1]

    def _not_negative(self, key: Any) -> bool | None:
        """Tell whether an atom is positive, or else only not negative; None if it may be negative."""
        if key[0] == "sum" and not key[3]:
            parts = [self._not_negative(inner) for inner, _ in key[2]]
            return None if None in parts else all(parts)
        kind = {"at": self.kinds.get(key[1], "real"), "size": "positive", "abs": "count", "is": "count"}.get(
            key[0], "real"
        )
        return None if kind == "real" else kind == "positive"

    def _sum(self, axis: str, x: Any) -> Any:
        """Return a sum over an index, monomial by monomial; what does not depend on the index is taken out."""
        inner = [_depends(key, axis) for key in self.keys] + [False] * ATOMS
        whole, factors = x.denom.factor()
        outside, below = self.field(whole), self.field(1)
        for factor, times in factors:
            if any(e and inner[i] for exponents, _ in factor.terms() for i, e in enumerate(exponents)):
                below = below * self.field(factor) ** times
            else:
                outside = outside * self.field(factor) ** times
        found, divided, numer = self.field(0), (), x.numer
        if below != 1:  # a quotient that is not a fraction is a sum of its own
            whole, numer = divmod(x.numer, below.numer)
            found, divided = (self._sum(axis, self.field(whole)) if whole else found), self._terms(below.numer)
        for exponents, coefficient in numer.terms():
            own = tuple((self.keys[i], e) for i, e in enumerate(exponents) if e and inner[i])
            outer = tuple(0 if inner[i] else e for i, e in enumerate(exponents))
            if not divided and (other := next((k for key, _ in own if (k := _equal(key, axis))), "")):
                one = self.field.monomial(outer, coefficient)  # of the member that the sum has where the two are equal
                for key, power in own:
                    one = one if _equal(key, axis) else one * self._atom(_named(key, axis, other)) ** power
                found = found + one
            else:
                name, key = _bound((own, divided), axis)
                atom = self._atom(("sum", name, *key) if own or divided else ("size", "K"))
                found = found + self.field.monomial(outer, coefficient) * atom
        return found / outside

    def _terms(self, poly: Any) -> Any:
        found = [
            (tuple((self.keys[i], e) for i, e in enumerate(exponents) if e), int(c)) for exponents, c in poly.terms()
        ]
        return tuple(sorted(found, key=repr))

    def _written(self, x: Any) -> Any:
        return self._terms(x.numer), self._terms(x.denom)


def _depends(key: Any, axis: str) -> bool:
    if isinstance(key, tuple):
        return any(_depends(part, axis) for part in key)
    return bool(key == axis)


def _equal(key: Any, axis: str) -> str:
    """Return the index that an index is compared with in an atom that is 1 where the two are equal; nothing if none."""
    if key[0] != "is" or key[1][0] != "==":
        return ""
    sides = [side[0][0][0][0][0] for side in key[1][1:] if side[1] == ONE and len(side[0]) == 1 and side[0][0][0]]
    names = [inner[1] for inner in sides if inner[0] == "index"]
    plain = len(names) == 2 and all(side[0] == _index(name) for side, name in zip(key[1][1:], names, strict=True))
    return next((name for name in names if name != axis), "") if plain and axis in names else ""


def _index(name: str) -> Any:
    return ((((("index", name), 1),), 1),)


def _named(key: Any, old: str, new: str) -> Any:
    """Return a key with another index in the place of one."""
    return tuple(_named(x, old, new) for x in key) if isinstance(key, tuple) else new if key == old else key


def _depth(key: Any) -> int:
    if isinstance(key, tuple):
        return max(map(_depth, key), default=0)
    return int(key[1:]) if isinstance(key, str) and key.startswith("#") else 0


def _bound(key: Any, axis: str) -> tuple[str, Any]:
    """Return a key whose index is bound, under a name that depends on what is bound inside alone."""
    name = f"#{_depth(key) + 1}"

    def moved(x: Any) -> Any:
        return tuple(map(moved, x)) if isinstance(x, tuple) else name if x == axis else x

    return name, moved(key)
