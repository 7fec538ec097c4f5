"""Symbols of sympy and numbers of mpmath: what a formula computes with.

A formula does not see these numbers themselves but `Value`s, which compute as they do and read a constant as their
arithmetic does: a Fraction beside a number of mpmath, which Python rounds to a float in silence, keeps its digits.

Main definitions: ``Value``, ``OtherNumbers`` (an arithmetic), ``each``; ``PerLog`` (a unit of entropy).
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from fractions import Fraction
from numbers import Rational
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray


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


class OtherNumbers(Protocol):
    """The arithmetic of another library's numbers, with what a call does before and after it runs a formula."""

    name: ClassVar[str]

    def run(self, entries: list[Any], noun: str, formula: Formula, positive: bool = True) -> Any:
        """Return a formula of the entries, each a `Value`, as a number of the library or a tuple of them.

        The entries are checked; ``noun`` says what they are, and whether they must be ``positive``, or 0.
        """
        ...


def each(m: OtherNumbers, entries: NDArray[Any], axes: int, noun: str, formula: Formula) -> Any:
    """Return a formula of the entries along the last axes, nested lists, one result for each place of a batch."""
    batch, last = entries.shape[: entries.ndim - axes], entries.shape[entries.ndim - axes :]
    found = np.empty(batch, dtype=object)
    for place in np.ndindex(batch):
        found[place] = m.run(entries[place].ravel().tolist(), noun, lambda x, m: formula(_nested(x, last), m))
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


def as_rational(x: Any) -> Fraction | None:
    """Return a number of Python or numpy at its exact value; None if it is not finite or no real number."""
    if isinstance(x, bool | np.bool_ | np.timedelta64) or not isinstance(x, Rational | float | np.floating):
        return None
    if isinstance(x, Rational):
        return Fraction(int(x.numerator), int(x.denominator))
    return Fraction(float(x)) if np.isfinite(x) else None
