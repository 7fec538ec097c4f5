"""Symbols of sympy and numbers of mpmath: which of them a call was given, and what a formula computes with.

A formula does not see these numbers themselves but `Value`s, which compute as they do and read a constant as their
arithmetic does: a Fraction beside a number of mpmath, which Python rounds to a float in silence, keeps its digits.

Neither library is imported here: a value can only be theirs if somebody else has imported them.

Main definitions: ``Value``, ``OtherNumbers`` (an arithmetic), ``other_numbers`` (that of a call's numbers).
"""

from __future__ import annotations

import math
import operator
import re
import sys
from collections.abc import Callable
from fractions import Fraction
from numbers import Rational
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from splitcrit.frozen import complaint, shown

REMEDY = "pass numbers of one library"


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


for _name, _function in {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
                         "pow": operator.pow}.items():  # fmt: skip
    setattr(Value, f"__{_name}__", _computing(_function, turned=False))
    setattr(Value, f"__r{_name}__", _computing(_function, turned=True))
for _name, _relation in {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
    setattr(Value, f"__{_name}__", _comparing(_relation))


OTHERS = ("SYMPY", "MPMATH")  # the names of the arithmetics inside a formula
Formula = Callable[[list[Any], Any], Any]  # of entries and the arithmetic that they have


class OtherNumbers:
    """The arithmetic of another library's numbers, with what a call does before and after it runs a formula."""

    name: ClassVar[str]

    def run(self, entries: list[Any], noun: str, formula: Formula, positive: bool = True) -> Any:
        """Return a formula of the entries, each a `Value`, as a number of the library or a tuple of them.

        The entries are checked; ``noun`` says what they are, and whether they must be ``positive``, or 0.
        """
        raise NotImplementedError

    def each(self, entries: NDArray[Any], axes: int, noun: str, formula: Formula) -> Any:
        """Return a formula of the entries along the last axes, nested lists, one result for each place of a batch."""
        batch, last = entries.shape[: entries.ndim - axes], entries.shape[entries.ndim - axes :]
        found = np.empty(batch, dtype=object)
        for place in np.ndindex(batch):
            run = self.run(entries[place].ravel().tolist(), noun, lambda values, m: formula(_nested(values, last), m))
            found[place] = run
        return found if batch else found.item()


def _nested(values: list[Any], shape: tuple[int, ...]) -> list[Any]:
    """Return a list as the rows of a table of this shape, or as it is."""
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
        found = super().__new__(cls, 1 / math.log(base))
        found.base = base
        return found

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.base,)


def listed(values: Any) -> Any:
    """Return nested lists, an array of objects or a matrix of sympy as an array of objects; None for anything else."""
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
    """Return the arithmetic for symbols of sympy or numbers of mpmath among these, and each as an array of objects.

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
    from splitcrit.arith.mpmath_numbers import MPMATH, is_mpf
    from splitcrit.arith.sympy_numbers import SYMPY, is_symbolic

    arrays = [listed(x) for x in values]
    if all(x is None for x in arrays):
        return None
    entries = [x for array in arrays if array is not None for x in array.ravel().tolist()]
    symbols, floats = [x for x in entries if is_symbolic(x)], [x for x in entries if is_mpf(x)]
    if symbols and floats:
        got = f"the symbol {shown(symbols[0])} and the mpf {shown(floats[0])}"
        raise TypeError(complaint("numbers are symbols of sympy or numbers of mpmath, not both", got, REMEDY))
    if not symbols and not floats:
        return None
    m: OtherNumbers = SYMPY if symbols else MPMATH(max((type(x).context for x in floats), key=lambda c: c.prec))
    return m, [np.array(x, dtype=object) if array is None else array for x, array in zip(values, arrays, strict=True)]


def as_rational(x: Any) -> Fraction | None:
    """Return a number of Python or numpy at its exact value; None if it is not finite or no real number."""
    if isinstance(x, bool | np.bool_ | np.timedelta64) or not isinstance(x, Rational | float | np.floating):
        return None
    if isinstance(x, Rational):
        return Fraction(int(x.numerator), int(x.denominator))
    return Fraction(float(x)) if np.isfinite(x) else None
