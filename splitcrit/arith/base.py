"""The interface of an arithmetic, and what needs nothing of one: sums and class proportions.

Main definitions: ``Arithmetic``, ``Irrational``, ``total``, ``shares``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Arithmetic(Protocol):
    """The operations a formula may use; ``xlogx`` is ``log`` with the convention ``0 log 0 = 0``.

    ``number`` reads a parameter of a formula, which may be a float or a Fraction, into the arithmetic.
    """

    @property
    def name(self) -> str: ...

    def number(self, x: Any) -> Any: ...
    def log(self, x: Any) -> Any: ...
    def xlogx(self, x: Any) -> Any: ...
    def sqrt(self, x: Any) -> Any: ...
    def power(self, x: Any, a: Any) -> Any: ...
    def exp(self, x: Any) -> Any: ...
    def max(self, items: Any) -> Any: ...
    def min(self, items: Any) -> Any: ...
    def abs(self, x: Any) -> Any: ...
    def where(self, condition: Any, a: Any, b: Any) -> Any: ...


class Irrational(ArithmeticError):
    """A formula left the rational numbers under the EXACT arithmetic."""


def total(items: Any) -> Any:
    """The sum over the first axis, term by term in order.

    The order of additions is fixed, so that a candidate's value does not depend on the batch around it.
    """
    first, *rest = items
    for item in rest:
        first = first + item
    return first


def shares(counts: Sequence[Any] | Any, n: Any, m: Arithmetic) -> Any:
    """Class proportions ``counts[k] / n``; an empty row (``n == 0``) counts as uniform, with weight 0."""
    empty = n == 0
    size = m.where(empty, len(counts), n)
    return [m.where(empty, 1, x) / size for x in counts]
