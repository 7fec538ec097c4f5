"""Formulas of symbols: what a formula of numbers says of the symbols of sympy.

sympy is imported when a function here is called, and at no other time.

Main definitions: ``SymbolArithmetic``; ``SYMPY``, which runs a formula on symbols and returns what can be read.
"""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from splitcrit.arith.base import Irrational
from splitcrit.arith.other_numbers import Formula, OtherNumbers, PerLog, Value
from splitcrit.frozen import complaint, shown

SIGNS = ("positive", "negative", "nonnegative", "nonpositive")
REMEDY = "use + - * / and the operations of m, and pass entries at which it is defined"
LONGEST = 120  # operations of an expression that is factored
MOST_WAYS = 16  # that a formula may take


def is_symbolic(x: Any) -> bool:
    """Tell whether a value is an expression of sympy, a number of sympy among them."""
    sympy = sys.modules.get("sympy")
    return sympy is not None and isinstance(x, sympy.Basic)


class SymbolArithmetic:
    """The operations on expressions of sympy; a comparison that no assumption decides becomes a case.

    Parameters
    ----------
    term : callable
        ``term(expression, home)``, the value a formula computes with.
    condition : type
        ``condition(relation, said, home)``, a comparison that is left open.
    """

    def __init__(self, term: Any, condition: Any, name: str) -> None:
        self._term, self._condition, self.name = term, condition, name

    def read(self, x: Any) -> Any:
        """Return the expression that a value is; a float is the fraction that its shortest text says."""
        import sympy

        if type(x) is self._term:
            return x.inner
        if isinstance(x, PerLog):
            return 1 / sympy.log(self.read(x.base))
        x = x.item() if isinstance(x, np.generic) else x
        if isinstance(x, float) and math.isfinite(x):
            x = Fraction(repr(x))
        if isinstance(x, Fraction):
            return sympy.Rational(x.numerator, x.denominator)
        return sympy.Integer(x) if isinstance(x, int) else sympy.Float(x) if isinstance(x, float) else x

    def term(self, x: Any) -> Any:
        return self._term(self.read(x), self)

    def compared(self, relation: str, left: Any, right: Any) -> Any:
        import sympy

        kinds = {"==": "Eq", "!=": "Ne", "<": "Lt", "<=": "Le", ">": "Gt", ">=": "Ge"}
        said = getattr(sympy, kinds[relation])(left.inner - self.read(right), 0)
        return bool(said) if said in (sympy.true, sympy.false) else self._condition(relation, said, self)

    def joined(self, word: str, one: Any, other: Any) -> Any:
        import sympy

        if word == "not":
            return self._condition(word, sympy.Not(one.said), self)
        second = other.said if isinstance(other, self._condition) else sympy.true if other else sympy.false
        join = {"and": sympy.And, "or": sympy.Or, "iff": sympy.Equivalent}[word]
        return self._condition(word, join(one.said, second), self)

    def _called(self, function: str, *values: Any) -> Any:
        import sympy

        return self.term(getattr(sympy, function)(*map(self.read, values)))

    def number(self, x: Any) -> Any:
        return self.term(x)

    def log(self, x: Any) -> Any:
        return self._called("log", x)

    def xlogx(self, x: Any) -> Any:
        return self.where(self.term(x) == 0, 0, x * self.log(x)) if self.read(x) != 0 else self.term(0)

    def sqrt(self, x: Any) -> Any:
        return self._called("sqrt", x)

    def power(self, x: Any, a: Any) -> Any:
        return self._called("Pow", x, a)

    def exp(self, x: Any) -> Any:
        return self._called("exp", x)

    def max(self, items: Any) -> Any:
        return self._called("Max", *items)

    def min(self, items: Any) -> Any:
        return self._called("Min", *items)

    def abs(self, x: Any) -> Any:
        return self._called("Abs", x)

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        import sympy

        if not isinstance(condition, self._condition):
            return a if condition else b
        return self.term(sympy.Piecewise((self.read(a), condition.said), (self.read(b), True)))


class _Path(SymbolArithmetic):
    """The same on one of the ways that a formula can take, with what is known to be positive on it.

    A comparison that neither assumptions nor these facts decide is taken to hold, and noted: another run of the formula
    takes it not to hold. Symbols are in general position: nothing is equal but what is so for all numbers.
    """

    def __init__(self, facts: list[Any], taken: list[Any]) -> None:
        super().__init__(Value, None, "SYMPY")
        self.facts, self.taken, self.turned = facts, taken, len(taken)

    def sign(self, x: Any) -> int | None:
        """Return 1, 0 or -1, the sign of an expression, or None where nothing says it."""
        import sympy

        if x.is_zero or x.is_positive or x.is_negative:
            return 0 if x.is_zero else 1 if x.is_positive else -1
        for fact in (*self.facts, *self.taken) if sympy.count_ops(x) <= LONGEST else ():
            if (ratio := sympy.cancel(x / fact)).is_number and ratio.is_real:
                return 1 if ratio > 0 else -1
        for extreme, kind in ((sympy.Max, 1), (sympy.Min, -1)):
            for one in x.atoms(extreme):
                part = x.coeff(one)
                if part.is_number and not (rest := x - part * one).has(one):
                    signs = {self.sign(part * each + rest) for each in one.args}
                    side = kind if part > 0 else -kind
                    if signs == {-side} or side in signs:
                        return side if side in signs else -side
        return None

    def short(self, x: Any) -> Any:
        """Return a part of a formula as it can be read."""
        return self.term(SYMPY.readable(self.read(x)))

    def is_zero(self, x: Any) -> bool:
        """Tell whether a value is 0 whatever its symbols stand for."""
        import sympy

        return bool(sympy.expand(x.inner) == 0)

    def compared(self, relation: str, left: Any, right: Any) -> bool:
        difference = left.inner - self.read(right)
        found = self.sign(difference)
        if found is None and (plain := self.settled(difference)) != difference:
            found = self.sign(difference := plain)
        if found is None and relation not in ("==", "!="):
            self.taken.append(difference if ">" in relation else -difference)
            return True
        return bool({"==": found == 0, "!=": found != 0, "<": found == -1, "<=": found in (-1, 0), ">": found == 1,
                     ">=": found in (0, 1)}[relation])  # fmt: skip

    def settled(self, x: Any) -> Any:
        """Return an expression with the item that is a maximum, or a minimum, on this way in its place."""
        import sympy

        for extreme in sorted(x.atoms(sympy.Max, sympy.Min), key=sympy.count_ops):
            best, *others = extreme.args
            for other in others:
                if self.compared("<" if isinstance(extreme, sympy.Max) else ">", self.term(best), other):
                    best = other
            x = x.xreplace({extreme: best})
        return x

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        return a if condition else b

    def abs(self, x: Any) -> Any:
        found = self.sign(read := self.read(x))
        return self._called("Abs", x) if found is None else self.term(found * read)


class _Sympy:
    """What runs a formula on symbols for whoever calls a function of the library with them, and makes it readable.

    Entries stand for positive numbers in general position, so that no special case of an empty row or of a class that
    does not occur is left in the answer; any other symbol stands for a real number.
    """

    name: ClassVar[str] = "SYMPY"

    def run(self, entries: list[Any], noun: str, formula: Formula, positive: bool = True, facts: Any = ()) -> Any:

        read = [self._checked(x, noun, positive) for x in entries]
        free = set().union(*(x.free_symbols for x in read))
        stand_ins = {s: self._stand_in(s, positive and s in read) for s in free if not s.is_zero}
        symbols = {stand_in: s for s, stand_in in stand_ins.items()}
        known = [x.xreplace(stand_ins) for x in (*(read if positive else ()), *facts)]
        known = [x for x in known if not x.is_number]
        ways: list[tuple[Any, _Path]] = []
        open_ways: list[list[Any]] = [[]]
        while open_ways:
            path = _Path(known, open_ways.pop())
            found = formula([Value(x.xreplace(stand_ins), path) for x in read], path)
            open_ways += [[*path.taken[:i], -path.taken[i]] for i in range(path.turned, len(path.taken))]
            if len(ways) + len(open_ways) >= MOST_WAYS:
                rule = f"a formula of symbols has at most {MOST_WAYS} cases"
                raise Irrational(complaint(rule, "more", "pass numbers, or declare it by a formula with fewer"))
            ways.append((found if isinstance(found, tuple) else (found,), path))
        cases = [[(self._number(x, noun, path), path.taken) for x in parts] for parts, path in ways]
        answers = [self._cases(list(each)).xreplace(symbols) for each in zip(*cases, strict=True)]
        return tuple(answers) if isinstance(found, tuple) else answers[0]

    def _number(self, x: Any, noun: str, path: _Path) -> Any:
        """Return the result of a formula as a readable expression."""
        import sympy

        x = path.read(x)
        if not isinstance(x, sympy.Expr) or x.has(sympy.nan, sympy.zoo):
            raise ValueError(complaint(f"a formula of {noun} gives a number", shown(x), REMEDY))
        return self.readable(x.replace(sympy.Abs, lambda u: path.abs(u).inner))

    def _cases(self, ways: list[tuple[Any, list[Any]]]) -> Any:
        """Return the expression on all ways, as cases where it differs."""
        import sympy

        cases: dict[Any, Any] = {}
        for x, taken in ways:
            cases[x] = sympy.Or(cases.get(x, False), sympy.And(*(self.readable(each) > 0 for each in taken)))
        *some, last = cases.items()
        return sympy.Piecewise(*some, (last[0], True)) if some else last[0]

    def _checked(self, x: Any, noun: str, positive: bool) -> Any:
        """Return an entry as an expression, or say in one sentence that it is no non-negative number."""
        import sympy

        found = READ.read(x)
        if not isinstance(found, sympy.Expr) or found.is_extended_real is False or isinstance(x, bool):
            raise TypeError(complaint(f"{noun} must be real numbers", shown(x), "pass symbols, integers or Fractions"))
        if found is sympy.nan or (positive and (found.is_extended_negative or found.is_infinite)):
            raise ValueError(complaint(f"{noun} must be non-negative and finite", found, "pass counts or weights"))
        return found

    def _stand_in(self, symbol: Any, entry: bool) -> Any:
        """Return the stand-in for a symbol in a formula: one that solves no equation, so that it is no special case."""
        import sympy

        known = {sign: True for sign in SIGNS if getattr(symbol, f"is_{sign}")}
        known |= {"positive": True} if entry else {}
        return sympy.Dummy(symbol.name, real=True, algebraic=False, **known)

    def readable(self, x: Any) -> Any:
        """Return an expression as it is or factored, whichever has fewer operations, without a minus in front."""
        import sympy

        degrees = sum(abs(power.exp.p) + power.exp.q for power in x.atoms(sympy.Pow) if power.exp.is_Rational)
        if sympy.count_ops(x) + degrees > LONGEST:
            return x
        found = min(x, sympy.factor(x), sympy.factor(x, deep=True), key=sympy.count_ops)
        factor, rest = found.as_coeff_Mul()
        turned = next((f for f in rest.args if f.is_Add), None) if factor < 0 and rest.is_Mul else None
        if turned is None:
            return found
        return -factor * sympy.Mul(*(-f if f is turned else f for f in rest.args))


def vector(length: int, letter: str, *, of_sum_one: bool = False) -> list[Any]:
    """Return symbols ``p_1``, ..., ``p_K``; one is ``p``, and two of sum 1 are ``1 - p`` and ``p``."""
    import sympy

    if length == 1 or (length == 2 and of_sum_one):
        return [1 - sympy.Symbol(letter), sympy.Symbol(letter)][-length:]
    return [sympy.Symbol(f"{letter}_{k}") for k in range(1, length + 1)]


def cells(rows: int, classes: int) -> list[list[Any]]:
    """Return the symbols of a table: ``a``, ``b``, ``c``, ``d`` of 2 x 2, ``n_11``, ``n_12``, ... of others."""
    import sympy

    if (rows, classes) == (2, 2):
        return [[*sympy.symbols("a b")], [*sympy.symbols("c d")]]
    comma = "," if max(rows, classes) > 9 else ""
    return [[sympy.Symbol(f"n_{i}{comma}{k}") for k in range(1, classes + 1)] for i in range(1, rows + 1)]


READ, SYMPY = SymbolArithmetic(Value, None, "SYMPY"), _Sympy()


def no_formula(what: str, m: OtherNumbers, remedy: str) -> Irrational:
    """Return the sentence that something is not a formula, as the error to raise."""
    got = "symbols of sympy" if m is SYMPY else "numbers of mpmath"
    return Irrational(complaint(f"{what} is not a formula", got, remedy))
