"""Arrays whose axes are variables: what ``splitcrit.nulls.third_moment`` computes on arrays, as sums over indices.

An array is a function of its indices. Broadcasting, a new axis and sums over axes are those of the array API; one with
no axes left is the traced number itself.

Main definitions: ``Array``, ``NAMESPACE`` (what stands for the array library).
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from splitcrit.arith.tracing import Node
from splitcrit.frozen import complaint
from splitcrit.proof.family_trees import SIZES, TRACE, free_of
from splitcrit.proof.terms import Condition, Term
from splitcrit.proof.undecided import Undecided

AXES = "jkl"  # the indices of an axis of size K


def _elementwise(operation: Callable[..., Any], *arrays: Any) -> Any:
    ndim = max(x.ndim if isinstance(x, Array) else 0 for x in arrays)

    def member(*indices: Any) -> Any:
        return operation(*(x.at(indices[len(indices) - x.ndim :]) if isinstance(x, Array) else x for x in arrays))

    return made(ndim, member) if ndim or not any(isinstance(x, Array) for x in arrays) else number(member())


def value(x: Any) -> Any:
    """The number that an array without axes is; anything else as it stands."""
    return x.at(()) if isinstance(x, Array) and x.ndim == 0 else x


def elementwise(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of numbers as one of arrays."""
    return lambda *arrays: _elementwise(function, *arrays)


def number(value: Any) -> Array:
    """A number as an array without axes, which arithmetic with arrays keeps as one."""
    return Array(0, lambda: value)


def made(ndim: int, member: Callable[..., Any]) -> Any:
    """The array of a number of axes, or its one number."""
    return Array(ndim, member) if ndim else member()


class Array:
    """An array whose member at some indices is ``member(*indices)``; every axis has size K, or 1: any index fits it."""

    dtype = None

    def __init__(self, ndim: int, member: Callable[..., Any]) -> None:
        self.ndim, self.member = ndim, member

    def at(self, indices: tuple[Any, ...]) -> Any:
        return self.member(*indices)

    @property
    def shape(self) -> tuple[Term, ...]:
        return (TRACE.term(Node("size", ("K",))),) * self.ndim

    def __getitem__(self, places: tuple[Any, ...]) -> Any:
        written = [x for x in places if x is not Ellipsis]
        written += [slice(None)] * (self.ndim - sum(x is not None for x in written))

        def member(*indices: Any) -> Any:
            left, inner = list(indices), []
            for place in written:
                if isinstance(place, Term):
                    inner.append(place)
                    continue
                index = left.pop(0)
                if place is not None:
                    inner.append(index)
            return self.at(tuple(inner))

        return made(sum(not isinstance(x, Term) for x in written), member)

    def __add__(self, other: Any) -> Any:
        return _elementwise(operator.add, self, other)

    def __sub__(self, other: Any) -> Any:
        return _elementwise(operator.sub, self, other)

    def __mul__(self, other: Any) -> Any:
        return _elementwise(operator.mul, self, other)

    def __rmul__(self, other: Any) -> Any:
        return _elementwise(lambda x: other * x, self)

    def __rsub__(self, other: Any) -> Any:
        return _elementwise(lambda x: other - x, self)

    def __rtruediv__(self, other: Any) -> Any:
        return _elementwise(lambda x: TRACE.number(other) / x, self)

    def __truediv__(self, other: Any) -> Any:
        return _elementwise(operator.truediv, self, other)

    def __floordiv__(self, other: Any) -> Any:
        return _elementwise(operator.floordiv, self, other)

    def __pow__(self, exponent: int) -> Any:
        return _elementwise(lambda x: x**exponent, self)

    def __eq__(self, other: object) -> Any:
        return _elementwise(operator.eq, self, other)

    __hash__ = None  # type: ignore[assignment]


class _Namespace:
    """The functions of an array library that the library asks for."""

    def arange(self, size: Term) -> Array:
        return Array(1, lambda k: k)

    def reshape(self, x: Array, shape: tuple[Any, ...]) -> Array:
        if shape != (-1,):
            raise Undecided(complaint("an array of places is reshaped to one axis", shape, "trace it for one table"))
        return x

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        def chosen(holds: Any, x: Any, y: Any) -> Any:
            return TRACE.where(holds, x, y) if isinstance(holds, Condition) else x if holds else y

        return _elementwise(chosen, condition, a, b)

    def maximum(self, x: Any, y: Any) -> Array:
        return number(TRACE.max([x.at(()) if isinstance(x, Array) else x, y]))

    def count_nonzero(self, x: Array, axis: int) -> Array:
        number_of: Array = self.sum(self.where(x == 0, 0, 1), axis)
        return number_of

    def argmax(self, x: Array, axis: int) -> Array:
        """Some place, ``top``; what is proved takes it to be one of a largest member."""
        return number(TRACE.term(Node("index", ("top",))))

    def max(self, x: Array, axis: int) -> Array:
        letter = next(letter for letter in AXES if letter not in TRACE.open)
        member = TRACE.read(x.at((TRACE.term(Node("index", (letter,))),)))
        return number(TRACE.term(Node("max", (letter, member))))

    def astype(self, x: Array, dtype: None) -> Array:
        return x

    def sum(self, x: Array, axis: Any) -> Any:
        """The sum over axes, each under an index that is not in use."""
        axes = sorted({axis} if isinstance(axis, int) else set(axis))

        def member(*indices: Any) -> Any:
            used = {letter.rstrip("'") for letter in set(TRACE.open).union(*map(free_of, indices))}
            letters = [letter for letter in AXES if letter not in used][: len(axes)]
            if len(letters) < len(axes):
                raise Undecided(complaint("a sum has an index of its own", sorted(used), f"use more than {AXES}"))
            left, inner = list(indices), []
            for place in range(x.ndim):
                new = letters[axes.index(place)] if place in axes else None
                inner.append(TRACE.term(Node("index", (new,))) if new else left.pop(0))
            node = TRACE.read(x.at(tuple(inner)))
            for letter in reversed(letters):
                assert SIZES[letter] == "K"
                node = Node("sum", (letter, node))
            return TRACE.term(node)

        summed = made(x.ndim - len(axes), member)
        return number(summed) if isinstance(summed, Term) and not TRACE.open else summed


NAMESPACE = _Namespace()


def vector(name: str) -> Array:
    """An array ``name k``."""
    return Array(1, lambda k: TRACE.term(Node("at", (name, k.inner.parts[0]))))


def matrix(name: str) -> Array:
    """An array ``name j k``."""
    return Array(2, lambda j, k: TRACE.term(Node("at", (name, j.inner.parts[0], k.inner.parts[0]))))
