"""Arguments that are no tables: one number, a vector of numbers or of class codes, a source of random numbers.

Main definitions: ``whole``, ``real``, ``between``, ``reals``, ``truth``, ``one_of``, ``of_kind``, ``finite``,
``wholes``, ``codes``, ``generator``; each returns what it reads, or raises one sentence. ``masked``, ``is_number``;
``affordable`` refuses work that would take too long before it begins, ``microseconds`` reads a limit of it, ``PATIENT``
is how many seconds are allowed unless said otherwise; ``a_table`` refuses features that are none. ``Array`` is the type
of an array of any dtype.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from fractions import Fraction
from numbers import Number, Rational, Real
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from splitcrit.frozen import LARGEST, complaint, printable, shown

Array = NDArray[Any]
PATIENT = 5.0  # seconds
SHOWN = 10**300  # what no float can show


def whole(value: Any, noun: str, least: int | None = None, most: int | None = None) -> int:
    """Return an integer between two ends, or raise one sentence.

    Examples
    --------
    >>> import numpy as np
    >>> whole(np.uint8(3), "points", 2)
    3
    """
    try:
        integer = None if isinstance(value, bool) or masked(value) else operator.index(value)
    except TypeError:
        integer = None
    low = -np.inf if least is None else least
    high = np.inf if most is None else most
    if integer is None or abs(integer) >= LARGEST or not low <= integer <= high:
        beyond = most is not None and integer is not None and integer > most
        ends = ("" if least is None else f" from {least}") + (f" to {most}" if beyond else "")
        example = 1 if least is None else least
        raise ValueError(complaint(f"{noun} is an integer{ends}", shown(value), f"pass {example} for instance"))
    return integer


def real(value: Any, rule: str, remedy: str, within: Callable[[Any], bool] = lambda x: True) -> Any:
    """A parameter that is a finite real number within a range; numpy's numbers as those of Python.

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
    plain = _plain(value)
    if plain is None:
        raise TypeError(complaint(rule, shown(value), remedy))
    exact = isinstance(plain, Rational) and not printable(plain)
    if exact or not (abs(plain) <= int(sys.float_info.max) and within(plain)):
        raise ValueError(complaint(rule, plain if isinstance(plain, float) else shown(plain), remedy))
    return plain


def between(value: Any, noun: str, low: float, high: float, *, ends: bool = True, example: float = 0.5) -> Any:
    """A real number between two ends, which count unless said otherwise: a float, or a Fraction as it is."""
    plain = _plain(value[()] if isinstance(value, np.ndarray) and not value.ndim else value)
    if plain is not None:
        number = plain if isinstance(plain, Fraction) else as_float(plain)
        if (low <= number <= high) if ends else (low < number < high and low < as_float(number) < high):
            return number
    within = f"in [{low:g}, {high:g}]" if ends else f"strictly between {low:g} and {high:g}"
    raise ValueError(complaint(f"{noun} is a number {within}", shown(value), f"pass {example:g} for instance"))


def reals(values: Any, rule: str, remedy: str, within: Callable[[Any], bool] = lambda x: True) -> tuple[Any, ...]:
    """Return parameters that are finite real numbers, at least one of them, as a tuple; else raise as ``real`` does."""
    try:
        listed = tuple(values)
    except TypeError:
        raise TypeError(complaint(rule, shown(values), remedy)) from None
    if isinstance(values, set | frozenset):
        raise TypeError(complaint(rule, "a set, which has no order", remedy))
    if not listed:
        raise ValueError(complaint(rule, "none", remedy))
    return tuple(real(x, rule, remedy, within) for x in listed)


def of_kind(value: Any, kind: Any, rule: str, remedy: str) -> Any:
    """A value of a type, or of one of several; raise TypeError about any other."""
    if not isinstance(value, kind):
        raise TypeError(complaint(rule, shown(value), remedy))
    return value


def truth(value: Any, noun: str) -> bool:
    """Return a truth value, or raise one sentence: a text or a number is none."""
    return bool(of_kind(value, bool | np.bool_, f"{noun} is True or False", "pass one of the two"))


def one_of(value: Any, names: Any, noun: str) -> Any:
    """One of the names that a ``Literal`` lists, or a mapping or a sequence; else one sentence is raised."""
    names = get_args(names) or tuple(names)
    if not isinstance(value, str) or value not in names:
        known = ", ".join(map(repr, names))
        raise ValueError(complaint(f"{noun} is one of {known}", shown(value), "pass one of them"))
    return value


def finite(values: Any, noun: str, axes: int, *, missing: bool = False) -> NDArray[np.float64]:
    """Return a fresh float64 array of finite numbers with this number of axes, or raise one sentence.

    NaN may stand for what is ``missing``.

    Raises
    ------
    ValueError
        If entries are missing, masked, not finite or ragged, or have other axes.
    TypeError
        If an entry is not a real number.
    """
    if masked(values):
        raise ValueError(complaint(f"{noun} are present", "a masked entry", "drop or fill what is missing"))
    try:
        array = np.asarray(values)
    except ValueError:
        raise ValueError(complaint(f"{noun} have one shape", "rows of unequal length", "pass a rectangle")) from None
    if array.dtype == object:
        array = _of_objects(array, noun)
    if array.dtype.kind not in "iuf":
        got = f"an array of {array.dtype}" if array.ndim else shown(values)
        raise TypeError(complaint(f"{noun} are real numbers", got, "pass integers or floats"))
    if array.ndim != axes:
        rule = f"{noun} are a {'vector' if axes == 1 else 'matrix'}"
        raise ValueError(complaint(rule, f"shape {array.shape}", "pass one number each" if axes == 1 else "pass rows"))
    with np.errstate(over="ignore"):
        numbers = array.astype(np.float64)
    good = np.isfinite(numbers) | (missing & np.isnan(numbers))
    if not good.all():
        rule = f"{noun} are finite or missing" if missing else f"{noun} are finite"
        raise ValueError(complaint(rule, numbers[~good][0], "drop or fill what is missing"))
    return numbers


def wholes(values: Any, noun: str, remedy: str = "pass integers") -> NDArray[np.int64]:
    """Return a vector of non-negative integers as int64, or raise one sentence."""
    codes = finite(values, noun, 1)
    good = (codes >= 0) & (codes == np.floor(codes)) & (codes < 2.0**53)
    if not good.all():
        raise ValueError(complaint(f"{noun} are integers from 0", f"{codes[~good][0]:g}", remedy))
    return codes.astype(np.int64)


def codes(values: Any, noun: str) -> NDArray[np.int64]:
    """Return class codes 0, 1, ... as int64, or raise one sentence."""
    return wholes(values, noun, "encode the classes as 0, 1, ...")


def generator(rng: Any) -> np.random.Generator:
    """Return the source of random numbers that ``numpy.random.default_rng`` makes of a seed, or raise one sentence."""
    try:
        if isinstance(rng, np.timedelta64):
            raise TypeError
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        rule = "rng must be a seed or a Generator"
        raise ValueError(complaint(rule, shown(rng), "pass None, a non-negative integer or a Generator")) from None


def _of_objects(objects: NDArray[Any], noun: str) -> NDArray[np.float64]:
    entries = objects.ravel().tolist()
    if any(isinstance(x, Sequence | np.ndarray) and not isinstance(x, str | bytes) for x in entries):
        raise ValueError(complaint(f"{noun} have one shape", "rows of unequal length", "pass a rectangle"))
    for x in entries:
        if not is_number(x):
            raise TypeError(complaint(f"{noun} are real numbers", shown(x), "pass integers or floats"))
    return np.array([as_float(x) for x in entries], dtype=np.float64).reshape(objects.shape)


def masked(values: Any) -> bool:
    """Whether some entries of an array are masked: nobody knows what lies under the mask."""
    return np.ma.isMaskedArray(values) and bool(np.ma.getmaskarray(values).any())


def is_number(x: Any) -> bool:
    """Whether a value is a real number; a truth value is none here."""
    return isinstance(x, Real) and not isinstance(x, bool | np.bool_ | np.timedelta64)


def as_float(x: Any) -> float:
    """A real number as a float, infinite of its sign if it is too large for one."""
    try:
        return float(x)
    except OverflowError:
        return float("inf" if x > 0 else "-inf")


def _plain(value: Any) -> Any:
    """A real number as one of Python, None for anything else; numpy's long doubles become floats."""
    plain: Any = value.item() if isinstance(value, np.generic) else value
    if not (is_number(plain) and is_number(value)):
        return None
    return plain if isinstance(plain, float | Rational) else float(plain)


def _is_symbol(value: Any) -> bool:
    """Whether a value calculates like a number and is none: a symbol of algebra, an enclosure."""
    calculates = hasattr(value, "__radd__") and hasattr(value, "__truediv__")
    arrays = any(hasattr(value, name) for name in ("__len__", "__array__", "__array_ufunc__", "as_py"))
    return calculates and not arrays and not isinstance(value, Number | type | timedelta | date)


def a_table(X: Any, *, sparse: bool = False) -> None:
    """Raise ValueError unless features have rows and columns, TypeError if they are a sparse matrix that is not read.

    Examples
    --------
    >>> a_table([0, 1, 1])
    Traceback (most recent call last):
    ValueError: features come first, a table of rows and columns; got 1 axis; Reshape your data: \
numpy.reshape(X, (-1, 1)) is one feature, and labels are the second argument
    """
    if hasattr(X, "tocsr") and not sparse:
        raise TypeError(complaint("features are dense", f"a sparse {type(X).__name__}", "pass X.toarray()"))
    shape = getattr(X, "shape", None)
    axes = len(shape) if isinstance(shape, tuple) else axes_of(X) if isinstance(X, list | tuple) else 2
    if axes != 2:
        reshaped = "X.to_frame()" if hasattr(X, "to_frame") else "numpy.reshape(X, (-1, 1))"
        remedy = f"Reshape your data: {reshaped} is one feature, and labels are the second argument"
        remedy = remedy if axes else "pass an array or a data frame, such as pandas.DataFrame(X) of a dictionary"
        got = f"{axes} ax{'i' if axes == 1 else 'e'}s"
        raise ValueError(complaint("features come first, a table of rows and columns", got, remedy))


def axes_of(x: Any) -> int:
    """The number of axes of nested lists, by their first items."""
    if isinstance(x, list | tuple):
        return 1 + (axes_of(x[0]) if x else 0)
    return int(getattr(x, "ndim", 0))


def dense_frame(X: Any) -> None:
    """Raise TypeError if features are a data frame of sparse columns."""
    if hasattr(X, "sparse"):  # only where all columns are
        rule, remedy = "features are dense", "pass X.sparse.to_dense()"
        raise TypeError(complaint(rule, "a data frame of sparse columns", remedy))


def microseconds(limit: Any) -> int:
    """A limit of work, given in seconds, as the microseconds that its parts are counted in.

    Examples
    --------
    >>> microseconds(5)
    5000000
    """
    seconds = _plain(limit)
    if seconds is None or not 0 < seconds <= sys.float_info.max:
        raise ValueError(complaint("limit is a positive number of seconds", shown(limit), "pass 5 for instance"))
    return int(min(1e6 * as_float(seconds), 2.0**62))


def affordable(work: float, limit: Any, noun: str, remedy: str) -> None:
    """Refuse work that is counted as more than ``limit`` seconds; it comes in microseconds of one processor.

    What is counted is what arrays take, whatever is installed. Estimates may be integers too large for a float.

    Raises
    ------
    ValueError
        If there is more work, or ``limit`` is no positive number.

    Examples
    --------
    >>> affordable(10**9, 5, "the exact law of 999 counts", "take a bound")
    Traceback (most recent call last):
    ValueError: the exact law of 999 counts takes at most limit=5 seconds; got about 1e+03; take a bound, or a larger \
limit
    """
    if work > microseconds(limit):
        got = f"about {work / 10**6:.2g}" if work < SHOWN else "more than 1e+294"
        rule = f"{noun} takes at most limit={as_float(limit):g} seconds"
        raise ValueError(complaint(rule, got, f"{remedy}, or a larger limit"))


def listed(names: Any, noun: str) -> tuple[Any, ...]:
    """Return the names in a list or another collection, or raise one sentence; a text is none."""
    if isinstance(names, str | bytes) or not isinstance(names, Iterable) or getattr(names, "ndim", 1) != 1:
        raise TypeError(complaint(f"{noun} names are a list", shown(names), "pass the names in a list"))
    return tuple(names)
