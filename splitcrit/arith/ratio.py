"""Ratios of integers that are reduced once, at the end: exact as Fractions, and many times as fast in a long formula.

Main definitions: ``Ratio``.
"""

from __future__ import annotations

from fractions import Fraction


class Ratio:
    """An integer over an integer, not reduced; with integers and its like it adds, subtracts, multiplies and divides.

    Examples
    --------
    >>> half = Ratio(1) / 2
    >>> (half + half**2 - 1).fraction()
    Fraction(-1, 4)
    """

    __slots__ = ("bottom", "top")

    def __init__(self, top: int, bottom: int = 1) -> None:
        self.top, self.bottom = top, bottom

    def fraction(self) -> Fraction:
        """Return the ratio in lowest terms."""
        return Fraction(self.top, self.bottom)

    def __float__(self) -> float:
        return self.top / self.bottom

    def __add__(self, other: Ratio | int) -> Ratio:
        if isinstance(other, int):
            return Ratio(self.top + other * self.bottom, self.bottom)
        if self.bottom == other.bottom:
            return Ratio(self.top + other.top, self.bottom)
        return Ratio(self.top * other.bottom + other.top * self.bottom, self.bottom * other.bottom)

    def __neg__(self) -> Ratio:
        return Ratio(-self.top, self.bottom)

    def __sub__(self, other: Ratio | int) -> Ratio:
        if isinstance(other, int):
            return Ratio(self.top - other * self.bottom, self.bottom)
        if self.bottom == other.bottom:
            return Ratio(self.top - other.top, self.bottom)
        return Ratio(self.top * other.bottom - other.top * self.bottom, self.bottom * other.bottom)

    def __rsub__(self, other: int) -> Ratio:
        return Ratio(other * self.bottom - self.top, self.bottom)

    def __mul__(self, other: Ratio | int) -> Ratio:
        if isinstance(other, int):
            return Ratio(self.top * other, self.bottom)
        return Ratio(self.top * other.top, self.bottom * other.bottom)

    def __truediv__(self, other: Ratio | int) -> Ratio:
        if isinstance(other, int):
            return Ratio(self.top, self.bottom * other)
        return Ratio(self.top * other.bottom, self.bottom * other.top)

    def __rtruediv__(self, other: int) -> Ratio:
        return Ratio(other * self.bottom, self.top)

    def __pow__(self, power: int) -> Ratio:
        return Ratio(self.top**power, self.bottom**power)

    __radd__, __rmul__ = __add__, __mul__
