"""What every frozen value of the library shares: how it prints, pickles and complains.

Main definitions: ``called`` (print as the call that makes the value), ``guarded_state``
(pickle, or say in one sentence why not), ``itself`` (a copy of a frozen value), ``complaint`` (rule, value, remedy);
``real``, ``reals`` and ``of_kind`` (checks of what a maker is given).
"""

from __future__ import annotations

import dataclasses
import pickle
import reprlib
import sys
from collections.abc import Callable
from datetime import timedelta
from numbers import Number, Rational, Real
from types import FunctionType
from typing import Any


def called(value: Any) -> str:
    """Return ``value.name``, the text of the call that makes the value; used as ``__repr__``."""
    return str(value.name)


class Sentence(str):
    """The text of an error that the library itself found."""

    __slots__ = ()


def complaint(rule: str, got: object, remedy: str) -> Sentence:
    """Return the one-sentence text of an error, in one line: the rule, the offending value, the remedy."""
    return Sentence(" ".join(f"{rule}; got {got}; {remedy}".splitlines()))


def is_ours(error: BaseException) -> bool:
    """Tell whether an error says what is wrong in a sentence of the library."""
    return bool(error.args) and isinstance(error.args[0], Sentence)


def _is_symbol(value: Any) -> bool:
    """Tell whether a value calculates like a number and is none: a symbol of algebra, an enclosure."""
    calculates = hasattr(value, "__radd__") and hasattr(value, "__truediv__")
    arrays = any(hasattr(value, name) for name in ("__len__", "__array__", "__array_ufunc__"))
    return calculates and not arrays and not isinstance(value, Number | type | timedelta)


def real(value: Any, rule: str, remedy: str, within: Callable[[Any], bool] = lambda x: True) -> Any:
    """Return a parameter that is a finite real number within a range; numpy's numbers as those of Python.

    Symbols are trusted.

    Raises
    ------
    TypeError
        If it is no real number: text, a truth value, complex.
    ValueError
        If it is nan, infinite, or outside the range.

    Examples
    --------
    >>> real(2, "a rate is positive", "pass 1", lambda x: x > 0)
    2
    """
    if _is_symbol(value):
        return value
    plain: Any = value.item() if isinstance(value, Real) and hasattr(value, "item") else value
    numeric = isinstance(plain, Real) and not isinstance(plain, bool)
    if numeric and not isinstance(plain, float | Rational):  # a long double of numpy
        plain = float(plain)
    if not numeric:
        raise TypeError(complaint(rule, reprlib.repr(value), remedy))
    if not (-sys.float_info.max <= plain <= sys.float_info.max and within(plain)):
        raise ValueError(complaint(rule, plain if isinstance(plain, float) else reprlib.repr(plain), remedy))
    return plain


def reals(values: Any, rule: str, remedy: str) -> tuple[Any, ...]:
    """Return parameters that are finite real numbers, at least one of them, as a tuple; else raise as ``real`` does."""
    try:
        listed = tuple(values)
    except TypeError:
        raise TypeError(complaint(rule, reprlib.repr(values), remedy)) from None
    if isinstance(values, set | frozenset):
        raise TypeError(complaint(rule, "a set, which has no order", remedy))
    if not listed:
        raise ValueError(complaint(rule, "none", remedy))
    return tuple(real(x, rule, remedy) for x in listed)


def of_kind(value: Any, kind: Any, rule: str, remedy: str) -> Any:
    """Return a value of a type, or of one of several; raise TypeError about any other."""
    if not isinstance(value, kind):
        raise TypeError(complaint(rule, reprlib.repr(value), remedy))
    return value


def nameless(value: Any) -> FunctionType | None:
    """Return the first lambda or local function held by a frozen value, or None."""
    if isinstance(value, FunctionType):
        return value if "<" in value.__qualname__ else None
    if isinstance(value, tuple):
        parts = list(value)
    elif dataclasses.is_dataclass(value):
        parts = [getattr(value, field.name) for field in dataclasses.fields(value)]
    else:
        return None
    return next((found for part in parts if (found := nameless(part)) is not None), None)


def itself(value: Any, memo: Any = None) -> Any:
    """Return a frozen value itself; used as ``__copy__`` and ``__deepcopy__``."""
    return value


def guarded_state(value: Any) -> dict[str, Any]:
    """Return the state to pickle; used as ``__getstate__``.

    Raises
    ------
    pickle.PicklingError
        If the value holds a lambda or a function defined inside another function.
    """
    if (found := nameless(value)) is not None:
        raise pickle.PicklingError(
            complaint(
                f"{value.name} can be pickled only if its functions have a name in a module",
                found.__qualname__,
                "define the function at the top level of a module",
            )
        )
    return dict(value.__dict__)
