"""Symbols of sympy and numbers of mpmath: what a formula of numbers says of them.

A formula does not see these numbers themselves but `Value`s, which compute as they do and read a constant as their
arithmetic does: a Fraction beside a number of mpmath, which Python rounds to a float in silence, keeps its digits. Of
numbers of mpmath a formula runs with twice the digits of their context, so that a difference of two impurities keeps
those that were asked for, and is rounded once. mpmath is imported by whoever made the numbers, sympy when a function
here is called, and at no other time.

Main definitions: ``other_numbers`` (which of the two a call was given), ``each``; ``Value``, ``OtherNumbers`` (an
arithmetic); ``MPMATH`` (that of a context), ``is_mpf``; ``SymbolArithmetic``; ``SYMPY``, which runs a formula on
symbols and returns what can be read; ``PerLog`` (a unit of entropy).
"""

from __future__ import annotations

import builtins
import math
import operator
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from splitcrit.arith.base import Irrational
from splitcrit.frozen import complaint, shown

SIGNS = ("positive", "negative", "nonnegative", "nonpositive")
REMEDY = "use + - * / and the operations of m, and pass entries at which it is defined"
LONGEST = 120  # operations of an expression that is factored
MOST_WAYS = 16  # that a formula may take
GUARD = 20  # bits more than twice those of the working precision
RELATIONS = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}  # as Python names them


class Value:
    """A number of another library, or a symbol, inside a formula: ``+ - * /``, powers and comparisons."""

    __slots__ = ("home", "inner")

    def __init__(self, inner: Any, home: Any) -> None:
        self.inner, self.home = inner, home

    def __neg__(self) -> Value:
        return Value(-self.inner, self.home)

    def __pos__(self) -> Value:
        return self

    def __abs__(self) -> Value:
        return Value(abs(self.inner), self.home)

    def __bool__(self) -> bool:
        return bool(self.home.compared("!=", self, 0))

    def __hash__(self) -> int:
        return hash(self.inner)

    def __repr__(self) -> str:
        return re.sub(r"(?<!\w)_", "", str(self.inner))  # of stand-ins of symbols


def _computing(function: Callable[[Any, Any], Any], turned: bool) -> Any:
    def method(self: Value, other: Any) -> Any:
        if isinstance(other, np.ndarray) or getattr(type(other), "__array_ufunc__", True) is None:
            return NotImplemented  # it computes with each of its entries
        read = self.home.read(other)
        return Value(function(read, self.inner) if turned else function(self.inner, read), self.home)

    return method


def _comparing(relation: str) -> Any:
    return lambda self, other: NotImplemented if other is None else self.home.compared(relation, self, other)


for _name in ("add", "sub", "mul", "truediv", "pow"):
    setattr(Value, f"__{_name}__", _computing(getattr(operator, _name), turned=False))
    setattr(Value, f"__r{_name}__", _computing(getattr(operator, _name), turned=True))
for _relation, _name in RELATIONS.items():
    setattr(Value, f"__{_name}__", _comparing(_relation))


OTHERS = ("SYMPY", "MPMATH")  # the names of the arithmetics inside a formula
Formula = Callable[[list[Any], Any], Any]  # of entries and the arithmetic that they have


class OtherNumbers(Protocol):
    """The arithmetic of another library's numbers, with what a call does before and after it runs a formula."""

    name: ClassVar[str]

    def run(self, entries: list[Any], noun: str, formula: Formula, positive: bool = True) -> Any:
        """A formula of the entries, each a `Value`, as a number of the library or a tuple of them.

        The entries are checked; ``noun`` says what they are, and whether they must be ``positive``, or 0.
        """
        ...


def each(m: OtherNumbers, entries: NDArray[Any], axes: int, noun: str, formula: Formula) -> Any:
    """A formula of the entries along the last axes, nested lists, one result for each place of a batch."""
    batch, last = entries.shape[: entries.ndim - axes], entries.shape[entries.ndim - axes :]
    results = np.empty(batch, dtype=object)
    for place in np.ndindex(batch):
        results[place] = m.run(entries[place].ravel().tolist(), noun, lambda x, m: formula(_nested(x, last), m))
    return results if batch else results.item()


def _nested(values: list[Any], shape: tuple[int, ...]) -> list[Any]:
    """A list as the rows of a table of this shape, or as it is."""
    return values if len(shape) == 1 else [values[i : i + shape[1]] for i in range(0, len(values), shape[1])]


class PerLog(float):
    """The float ``1 / log(base)``, a unit of entropy, which other arithmetics than that of floats find to all digits.

    Examples
    --------
    >>> PerLog(2)
    1.4426950408889634
    """

    base: Any

    def __new__(cls, base: Any) -> PerLog:
        factor = super().__new__(cls, 1 / math.log(base))
        factor.base = base
        return factor

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.base,)


def is_mpf(x: Any) -> bool:
    """Whether a value is a real number of mpmath, of any context."""
    mpmath = sys.modules.get("mpmath")
    return mpmath is not None and isinstance(x, mpmath.ctx_mp_python._mpf)


def exact_value(x: Any) -> Fraction:
    """A finite number of mpmath, which is an integer times a power of two, as a Fraction."""
    sign, mantissa, exponent, _ = x._mpf_
    return Fraction((-1) ** sign * int(mantissa)) * Fraction(2) ** int(exponent)


@dataclass(frozen=True, eq=False)
class MPMATH:
    """The arithmetic of a context of mpmath: ``mpmath.mp``, or one of its own precision."""

    context: Any
    name: ClassVar[str] = "MPMATH"

    def read(self, x: Any) -> Any:
        """A number as one of the context: a float at its exact value, a Fraction at the working precision."""
        if isinstance(x, Value):
            return x.inner
        if isinstance(x, PerLog):
            return 1 / self.context.log(self.read(x.base))
        if is_mpf(x):
            return self.context.convert(x)
        if isinstance(x, float | np.floating):
            return self.context.mpf(float(x))
        if isinstance(x, bool | np.timedelta64) or not isinstance(x, Rational):
            rule = "numbers beside those of mpmath are real numbers of Python"
            raise TypeError(complaint(rule, shown(x), "pass integers, floats or Fractions"))
        return self.context.mpf(int(x.numerator)) / int(x.denominator)

    def run(self, entries: list[Any], noun: str, formula: Formula, positive: bool = True) -> Any:
        with self.context.workprec(2 * self.context.prec + GUARD):
            value = formula([Value(self._checked(x, noun, positive), self) for x in entries], self)
            several = isinstance(value, tuple)
            answers = [self.read(x) for x in (value if several else (value,))]
        if any(self.context.isnan(x) for x in answers):
            raise ValueError(complaint(f"a formula of {noun} gives a number", "nan", "pass entries that are not 0"))
        return tuple(+x for x in answers) if several else +answers[0]

    def _checked(self, x: Any, noun: str, positive: bool) -> Any:
        """Return an entry as a number of the context, or say in one sentence that it is no non-negative number."""
        number = None if isinstance(x, bool) else self.read(x)
        if number is None:
            raise TypeError(complaint(f"{noun} must be real numbers", shown(x), "pass numbers"))
        if self.context.isnan(number) or (positive and not 0 <= number < self.context.inf):
            raise ValueError(complaint(f"{noun} must be non-negative and finite", shown(x), "pass counts or weights"))
        return number

    def is_zero(self, x: Any) -> bool:
        return bool(self.read(x) == 0)

    def compared(self, relation: str, left: Value, right: Any) -> bool:
        return bool(getattr(operator, RELATIONS[relation])(left.inner, self.read(right)))

    def number(self, x: Any) -> Value:
        return Value(self.read(x), self)

    short = number

    def log(self, x: Any) -> Value:
        number = self.read(x)
        return self.number(self.context.log(number) if number else -self.context.inf)

    def xlogx(self, x: Any) -> Value:
        number = self.read(x)
        return self.number(number * self.context.log(number) if number else 0)

    def sqrt(self, x: Any) -> Value:
        return self.number(self.context.sqrt(max(self.read(x), self.context.zero)))

    def power(self, x: Any, a: Any) -> Value:
        return self.number(self.read(x) ** self.read(a))

    def exp(self, x: Any) -> Value:
        return self.number(self.context.exp(self.read(x)))

    def max(self, items: Any) -> Value:
        return self.number(builtins.max(map(self.read, items)))

    def min(self, items: Any) -> Value:
        return self.number(builtins.min(map(self.read, items)))

    def abs(self, x: Any) -> Value:
        return self.number(builtins.abs(self.read(x)))

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        return a if condition else b


def is_symbolic(x: Any) -> bool:
    """Whether a value is an expression of sympy, a number of sympy among them."""
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
        """The expression that a value is; a float is the fraction that its shortest text says."""
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

        claim = getattr(sympy, RELATIONS[relation].title())(left.inner - self.read(right), 0)
        return bool(claim) if claim in (sympy.true, sympy.false) else self._condition(relation, claim, self)

    def joined(self, word: str, one: Any, other: Any) -> Any:
        import sympy

        if word == "not":
            return self._condition(word, sympy.Not(one.term), self)
        second = other.term if isinstance(other, self._condition) else sympy.true if other else sympy.false
        join = {"and": sympy.And, "or": sympy.Or, "iff": sympy.Equivalent}[word]
        return self._condition(word, join(one.term, second), self)

    def _called(self, function: str, *values: Any) -> Any:
        import sympy

        return self.term(getattr(sympy, function)(*map(self.read, values)))

    number = term

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
        return self.term(sympy.Piecewise((self.read(a), condition.term), (self.read(b), True)))


class _Path(SymbolArithmetic):
    """The same on one of the ways that a formula can take, with what is known to be positive on it.

    A comparison that neither assumptions nor these facts decide is taken to hold, and noted: another run of the formula
    takes it not to hold. Symbols are in general position: nothing is equal but what is so for all numbers.
    """

    def __init__(self, facts: list[Any], taken: list[Any]) -> None:
        super().__init__(Value, None, "SYMPY")
        self.facts, self.taken, self.turned = facts, taken, len(taken)

    def sign(self, x: Any) -> int | None:
        """1, 0 or -1, the sign of an expression, or None where nothing says it."""
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
        """A part of a formula as it can be read."""
        return self.term(SYMPY.readable(self.read(x)))

    def is_zero(self, x: Any) -> bool:
        """Whether a value is 0 whatever its symbols stand for."""
        import sympy

        return bool(sympy.expand(x.inner) == 0)

    def compared(self, relation: str, left: Any, right: Any) -> bool:
        difference = left.inner - self.read(right)
        sign = self.sign(difference)
        if sign is None and (plain := self.settled(difference)) != difference:
            sign = self.sign(difference := plain)
        if sign is None and relation not in ("==", "!="):
            self.taken.append(difference if ">" in relation else -difference)
            return True
        if sign is None:  # of symbols in general position
            return relation == "!="
        return bool(getattr(operator, RELATIONS[relation])(sign, 0))

    def settled(self, x: Any) -> Any:
        """An expression with the item that is a maximum, or a minimum, on this way in its place."""
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
        sign = self.sign(read := self.read(x))
        return self._called("Abs", x) if sign is None else self.term(sign * read)


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
            value = formula([Value(x.xreplace(stand_ins), path) for x in read], path)
            open_ways += [[*path.taken[:i], -path.taken[i]] for i in range(path.turned, len(path.taken))]
            if len(ways) + len(open_ways) >= MOST_WAYS:
                rule = f"a formula of symbols has at most {MOST_WAYS} cases"
                raise Irrational(complaint(rule, "more", "pass numbers, or declare it by a formula with fewer"))
            ways.append((value if isinstance(value, tuple) else (value,), path))
        cases = [[(self._number(x, noun, path), path.taken) for x in parts] for parts, path in ways]
        answers = [self._cases(list(each)).xreplace(symbols) for each in zip(*cases, strict=True)]
        return tuple(answers) if isinstance(value, tuple) else answers[0]

    def _number(self, x: Any, noun: str, path: _Path) -> Any:
        """The result of a formula as a readable expression."""
        import sympy

        x = path.read(x)
        if not isinstance(x, sympy.Expr) or x.has(sympy.nan, sympy.zoo):
            raise ValueError(complaint(f"a formula of {noun} gives a number", shown(x), REMEDY))
        return self.readable(x.replace(sympy.Abs, lambda u: path.abs(u).inner))

    def _cases(self, ways: list[tuple[Any, list[Any]]]) -> Any:
        """The expression on all ways, as cases where it differs."""
        import sympy

        cases: dict[Any, Any] = {}
        for x, taken in ways:
            cases[x] = sympy.Or(cases.get(x, False), sympy.And(*(self.readable(each) > 0 for each in taken)))
        *some, last = cases.items()
        return sympy.Piecewise(*some, (last[0], True)) if some else last[0]

    def _checked(self, x: Any, noun: str, positive: bool) -> Any:
        """Return an entry as an expression, or say in one sentence that it is no non-negative number."""
        import sympy

        expr = READ.read(x)
        if not isinstance(expr, sympy.Expr) or expr.is_extended_real is False or isinstance(x, bool):
            raise TypeError(complaint(f"{noun} must be real numbers", shown(x), "pass symbols, integers or Fractions"))
        if expr is sympy.nan or (positive and (expr.is_extended_negative or expr.is_infinite)):
            raise ValueError(complaint(f"{noun} must be non-negative and finite", expr, "pass counts or weights"))
        return expr

    def _stand_in(self, symbol: Any, entry: bool) -> Any:
        """The stand-in for a symbol in a formula: one that solves no equation, so that it is no special case."""
        import sympy

        known = {sign: True for sign in SIGNS if getattr(symbol, f"is_{sign}")}
        known |= {"positive": True} if entry else {}
        return sympy.Dummy(symbol.name, real=True, algebraic=False, **known)

    def readable(self, x: Any) -> Any:
        """An expression as it is or factored, whichever has fewer operations, without a minus in front."""
        import sympy

        degrees = sum(abs(power.exp.p) + power.exp.q for power in x.atoms(sympy.Pow) if power.exp.is_Rational)
        if sympy.count_ops(x) + degrees > LONGEST:
            return x
        shortest = min(x, sympy.factor(x), sympy.factor(x, deep=True), key=sympy.count_ops)
        factor, rest = shortest.as_coeff_Mul()
        turned = next((f for f in rest.args if f.is_Add), None) if factor < 0 and rest.is_Mul else None
        if turned is None:
            return shortest
        return -factor * sympy.Mul(*(-f if f is turned else f for f in rest.args))


def vector(length: int, letter: str, *, of_sum_one: bool = False) -> list[Any]:
    """Symbols ``p_1``, ..., ``p_K``; one is ``p``, and two of sum 1 are ``1 - p`` and ``p``."""
    import sympy

    if length == 1 or (length == 2 and of_sum_one):
        return [1 - sympy.Symbol(letter), sympy.Symbol(letter)][-length:]
    return [sympy.Symbol(f"{letter}_{k}") for k in range(1, length + 1)]


def cells(rows: int, classes: int) -> list[list[Any]]:
    """The symbols of a table: ``a``, ``b``, ``c``, ``d`` of 2 x 2, ``n_11``, ``n_12``, ... of others."""
    import sympy

    if (rows, classes) == (2, 2):
        return [[*sympy.symbols("a b")], [*sympy.symbols("c d")]]
    comma = "," if max(rows, classes) > 9 else ""
    return [[sympy.Symbol(f"n_{i}{comma}{k}") for k in range(1, classes + 1)] for i in range(1, rows + 1)]


READ, SYMPY = SymbolArithmetic(Value, None, "SYMPY"), _Sympy()


def no_formula(what: str, m: OtherNumbers, remedy: str) -> Irrational:
    """The error that something is not a formula, to be raised."""
    got = "symbols of sympy" if m is SYMPY else "numbers of mpmath"
    return Irrational(complaint(f"{what} is not a formula", got, remedy))


def listed(values: Any) -> Any:
    """Nested lists, an array of objects or a matrix of sympy as an array of objects; None for anything else."""
    if isinstance(values, np.ndarray):
        return values if values.dtype == object else None
    if type(values).__module__.startswith("sympy.matrices"):
        values = values.tolist()
    if not isinstance(values, list | tuple):
        return None
    try:
        return np.array(values, dtype=object)
    except ValueError:  # ragged: validation has a sentence about it
        return None


def other_numbers(*values: Any) -> tuple[OtherNumbers, list[Any]] | None:
    """The arithmetic for symbols of sympy or numbers of mpmath among these, and each as an array of objects.

    None where there are no such numbers, which costs no more than a look at the modules that are loaded.

    Raises
    ------
    TypeError
        If there are both.

    Examples
    --------
    >>> other_numbers([1, 2]) is None
    True
    """
    if "mpmath" not in sys.modules:  # which sympy imports
        return None
    arrays = [listed(x) for x in values]
    if all(x is None for x in arrays):
        return None
    entries = [x for array in arrays if array is not None for x in array.ravel().tolist()]
    symbols, floats = [x for x in entries if is_symbolic(x)], [x for x in entries if is_mpf(x)]
    if symbols and floats:
        got = f"the symbol {shown(symbols[0])} and the mpf {shown(floats[0])}"
        raise TypeError(
            complaint("numbers are symbols of sympy or numbers of mpmath, not both", got, "pass numbers of one library")
        )
    if not symbols and not floats:
        return None
    m: OtherNumbers = SYMPY if symbols else MPMATH(max((type(x).context for x in floats), key=lambda c: c.prec))
    return m, [np.array(x, dtype=object) if array is None else array for x, array in zip(values, arrays, strict=True)]
