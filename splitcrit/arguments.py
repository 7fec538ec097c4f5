"""Arguments that are no tables: one number, a vector of numbers or of class codes, a source of random numbers.

Main definitions: ``whole``, ``real``, ``truth``, ``one_of``, ``finite``, ``wholes``, ``codes``, ``generator``; each
returns what it reads, or raises one sentence.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from splitcrit.values import complaint

LARGEST_CODE = 2.0**53


def whole(value: Any, noun: str, least: int | None = None, most: int | None = None) -> int:
    """Return an integer between two ends, or raise one sentence.

    Examples
    --------
    >>> import numpy as np
    >>> whole(np.uint8(3), "points", 2)
    3
    """
    try:
        found = None if _flag(value) else operator.index(value)
    except TypeError:
        found = None
    if found is None or (least is not None and found < least) or (most is not None and found > most):
        beyond = most is not None and found is not None and found > most
        ends = ("" if least is None else f" from {least}") + (f" to {most}" if beyond else "")
        example = 1 if least is None else least
        raise ValueError(complaint(f"{noun} is an integer{ends}", _shown(value), f"pass {example}, say"))
    return found


def real(value: Any, noun: str, low: float, high: float, *, ends: bool = True, example: float = 0.5) -> Any:
    """Return a real number between two ends, which count unless said otherwise: a float, or a Fraction as it is."""
    plain: Any = value.item() if isinstance(value, np.ndarray | np.generic) and value.ndim == 0 else value
    if not isinstance(plain, bool) and isinstance(plain, Real):
        found = plain if isinstance(plain, Fraction) else _float(plain)
        if (low <= found <= high) if ends else (low < found < high and low < _float(found) < high):
            return found
    between = f"in [{low:g}, {high:g}]" if ends else f"strictly between {low:g} and {high:g}"
    raise ValueError(complaint(f"{noun} is a number {between}", _shown(value), f"pass {example:g}, say"))


def truth(value: Any, noun: str) -> bool:
    """Return a truth value, or raise one sentence: a text or a number is none."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(complaint(f"{noun} is True or False", _shown(value), "pass one of the two"))
    return bool(value)


def one_of(value: Any, names: Sequence[str], noun: str) -> str:
    """Return one of some names, or raise one sentence."""
    if not isinstance(value, str) or value not in names:
        known = ", ".join(map(repr, names))
        raise ValueError(complaint(f"{noun} is one of {known}", _shown(value), "pass one of them"))
    return value


def finite(values: Any, noun: str, axes: int) -> NDArray[np.float64]:
    """Return a fresh float64 array of finite numbers with so many axes, or raise one sentence.

    Raises
    ------
    ValueError
        If entries are missing, masked, not finite or ragged, or have other axes.
    TypeError
        If an entry is not a real number.
    """
    if np.ma.isMaskedArray(values) and np.ma.getmaskarray(values).any():
        raise ValueError(complaint(f"{noun} are present", "a masked entry", "drop or fill what is missing"))
    try:
        found = np.asarray(values)
    except ValueError:
        raise ValueError(complaint(f"{noun} have one shape", "rows of unequal length", "pass a rectangle")) from None
    if found.dtype == object:
        found = _of_objects(found, noun)
    if found.dtype.kind not in "iuf":
        got = f"an array of {found.dtype}" if found.ndim else _shown(values)
        raise TypeError(complaint(f"{noun} are real numbers", got, "pass integers or floats"))
    if found.ndim != axes:
        rule = f"{noun} are a {'vector' if axes == 1 else 'matrix'}"
        raise ValueError(complaint(rule, f"shape {found.shape}", "pass one number each" if axes == 1 else "pass rows"))
    with np.errstate(over="ignore"):
        numbers = found.astype(np.float64)
    if not np.isfinite(numbers).all():
        bad = numbers[~np.isfinite(numbers)][0]
        raise ValueError(complaint(f"{noun} are finite", bad, "drop or fill what is missing"))
    return numbers


def wholes(values: Any, noun: str, remedy: str = "pass integers") -> NDArray[np.int64]:
    """Return a vector of non-negative integers as int64, or raise one sentence."""
    found = finite(values, noun, 1)
    good = (found >= 0) & (found == np.floor(found)) & (found < LARGEST_CODE)
    if not good.all():
        raise ValueError(complaint(f"{noun} are integers from 0", f"{found[~good][0]:g}", remedy))
    return found.astype(np.int64)


def codes(values: Any, noun: str) -> NDArray[np.int64]:
    """Return class codes 0, 1, ... as int64, or raise one sentence."""
    return wholes(values, noun, "encode the classes as 0, 1, ...")


def generator(rng: Any) -> np.random.Generator:
    """Return the source of random numbers that ``numpy.random.default_rng`` makes of a seed, or raise one sentence."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        rule = "rng is what numpy.random.default_rng takes"
        raise ValueError(complaint(rule, _shown(rng), "pass None, a non-negative integer or a Generator")) from None


def _of_objects(found: NDArray[Any], noun: str) -> NDArray[np.float64]:
    entries = found.ravel().tolist()
    if any(isinstance(x, Sequence | np.ndarray) and not isinstance(x, str | bytes) for x in entries):
        raise ValueError(complaint(f"{noun} have one shape", "rows of unequal length", "pass a rectangle"))
    for x in entries:
        if not isinstance(x, Real) or _flag(x):
            raise TypeError(complaint(f"{noun} are real numbers", _shown(x), "pass integers or floats"))
    return np.array([_float(x) for x in entries], dtype=np.float64).reshape(found.shape)


def _float(x: Any) -> float:
    try:
        return float(x)
    except OverflowError:
        return float("inf")


def _flag(value: Any) -> bool:
    """Return whether a value is a truth value, which is no number here."""
    return isinstance(value, bool | np.bool_) or (isinstance(value, np.ndarray) and value.dtype == bool)


def _shown(value: Any) -> str:
    """Return a value as it prints, cut short."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else f"{text[:57]}..."
