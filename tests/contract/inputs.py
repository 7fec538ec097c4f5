"""Odd arrays: every way to write the numbers of a plain array, and every way to spoil them.

A case is made anew by each call of ``make``, so that a call that changes its input is seen. What numpy reads as the
same numbers must be answered as the plain array is; what holds no such numbers must be refused; the rest may be
answered, and then by what a second path confirms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

Make = Callable[[], Any]
ANSWER, REFUSE, EITHER = "answer", "refuse", "either"


@dataclass(frozen=True)
class Case:
    """One odd value: what it is called, what must become of it, how to make it, and the plain value it equals."""

    kind: str
    expect: str
    make: Make
    plain: Make | None = None
    repeatable: bool = True


def same_numbers(base: np.ndarray) -> Iterator[tuple[str, Make]]:
    """The ways in which numpy reads the numbers of ``base``, which are small integers or sixteenths."""
    whole = base.dtype.kind in "iu"
    dtypes = ["float16", "float32", "float64", ">f4", ">f8", "longdouble"]
    dtypes += ["int8", "int32", ">i4", ">i8"] * whole
    dtypes += ["uint8", "uint16", "uint64", ">u2"] * bool(whole and base.min() >= 0)
    yield from ((dtype, partial(base.astype, dtype)) for dtype in dtypes)
    yield "read-only", lambda: np.broadcast_to(base.copy(), base.shape)
    yield "strided", lambda: np.kron(base, np.ones((2,) * base.ndim, base.dtype))[(slice(None, None, 2),) * base.ndim]
    yield "reversed view", lambda: base[::-1].copy()[::-1]
    yield "Fortran order", partial(np.asfortranarray, base)
    yield "masked without holes", lambda: np.ma.array(base.copy(), mask=np.zeros(base.shape, dtype=bool))
    yield "objects", partial(base.astype, object)
    yield "list", base.tolist
    yield "tuple", lambda: _tuples(base.tolist())
    yield "list of numpy scalars", lambda: list(base.copy())
    yield "Fractions", lambda: _mapped(Fraction, base)
    yield "memory view", lambda: memoryview(np.ascontiguousarray(base))
    if base.ndim <= 2:
        yield "pandas", lambda: _pandas(base)
        yield "nullable without holes", lambda: _pandas(base).astype("Int64" if whole else "Float64")
        yield "polars", lambda: pl.Series("a", base) if base.ndim == 1 else pl.DataFrame(base)
        yield "pandas of small numbers", lambda: _pandas(base).astype("int8" if whole else "float32")


def spoilt_numbers(base: np.ndarray, place: tuple[int, ...], negative: bool = True) -> Iterator[tuple[str, Make]]:
    """What holds no numbers, or some that are none, in the shape of ``base``; spoilt at ``place``."""
    floats = {"nan": np.nan, "inf": np.inf, "-inf": -np.inf, "negative": -1.0, "a little negative": -1e-9}
    for kind, value in floats.items():
        if negative or "negative" not in kind:
            yield kind, partial(_changed, base.astype(float), place, value)
    yield "nan in float16", partial(_changed, base.astype(np.float16), place, np.nan)
    yield "inf in a list", lambda: _changed(base.astype(float), place, np.inf).tolist()
    objects = {
        "None": None, "word": "three", "number as text": "3", "empty text": "", "bytes": b"3", "complex": 1 + 2j,
        "dict": {}, "object": object(), "function": len, "NA": pd.NA, "NaT": np.datetime64("NaT"),
        "NaT of pandas": pd.NaT, "type": int, "a list": [1, 2],
    }  # fmt: skip
    for kind, value in objects.items():
        yield f"{kind} in objects", partial(_changed, base.astype(object), place, value)
    for kind in ("None", "word", "number as text", "complex", "NA"):
        yield f"{kind} in a list", lambda kind=kind: _changed(base.astype(object), place, objects[kind]).tolist()
    yield "all text", partial(base.astype, str)
    yield "all bytes", partial(base.astype, "S4")
    yield "complex", partial(base.astype, complex)
    yield "dates", lambda: base.astype(int).astype("datetime64[D]")
    yield "spans of time", lambda: base.astype(int).astype("timedelta64[s]")
    yield "records", lambda: base.astype(float).view([("a", float)])
    yield "masked with a hole", lambda: np.ma.array(base.copy(), mask=_changed(np.zeros(base.shape, bool), place, True))
    yield "all masked", lambda: np.ma.array(base.copy(), mask=True)
    if base.ndim <= 2:
        yield "nullable with a hole", lambda: _pandas(_changed(base.astype(object), place, pd.NA)).convert_dtypes()
    yield "ragged", lambda: [*base.tolist()[:-1], [*np.atleast_1d(base[-1]).tolist(), 1]]
    yield "empty list", lambda: []
    yield "no entries", lambda: base[:0]
    if base.ndim > 1:
        yield "no columns", lambda: base[:, :0]
        yield "list of empty lists", lambda: [[] for _ in base]
    yield "set", lambda: set(base.ravel().tolist())
    yield "dict", lambda: {"a": base.tolist()}
    yield "text", lambda: "1, 2"
    yield "function", lambda: len
    yield "type", lambda: np.ndarray
    yield "object", object
    yield "Ellipsis", lambda: ...


def odd_counts(base: np.ndarray) -> Iterator[tuple[str, Make]]:
    """Counts or weights at the border of what is meant, of any number of axes; the last holds the classes."""
    wide = np.arange(base[..., :1].size * 1000).reshape(*base.shape[:-1], 1000) % 7
    yield "1000 classes", lambda: wide.copy()
    yield "1000 rows", lambda: np.resize(base, (1000, *base.shape[1:]))
    yield "one class", lambda: base[..., :1].copy()
    yield "one row", lambda: base[:1].copy()
    yield "all zero", lambda: base * 0
    yield "one class present", lambda: base * (np.arange(base.shape[-1]) == 0)
    yield "a class without counts", lambda: np.insert(base, 1, 0, axis=-1)
    yield "a row of zeros", lambda: np.insert(base, 1, 0, axis=0)
    yield "a single one", lambda: _changed(base * 0, (0,) * base.ndim, 1)
    yield "negative zero", lambda: np.where(base == base.max(), base, -0.0)
    for size in (1e-300, 5e-324, 1e-90, 1e75, 1e155, 1e200, 1e300):
        yield f"times {size:g}", partial(np.multiply, base.astype(float), size)
    yield "the largest floats", lambda: np.where(base > 0, np.finfo(float).max, 0.0)
    yield "large and small", lambda: _changed(base.astype(float), (0,) * base.ndim, 1e300)
    for power in (31, 53, 61, 62, 63, 64, 100, 1100):
        yield f"times 2**{power}", partial(_mapped, lambda x, p=power: int(x) << p, base)
    yield "halves", lambda: base + 0.5
    yield "thirds", partial(_mapped, lambda x: Fraction(int(x * 16), 48), base)
    yield "truth values", partial(base.astype, bool)
    yield "batch of two", lambda: np.stack([base, base[::-1]])
    yield "batch of batches", lambda: np.stack([base, base[::-1]])[None]
    yield "empty batch", lambda: np.zeros((0, *base.shape), dtype=int)
    yield "0-dimensional", lambda: np.asarray(3)
    yield "None", lambda: None
    yield "a number", lambda: 3
    yield "one axis less", lambda: base[0].copy()
    yield "a generator", lambda: (x for x in base.tolist())
    yield "a pair of vectors", lambda: (base.ravel().copy(), base.ravel().copy())


def array_cases(base: np.ndarray, rng: np.random.Generator, negative: bool, few: bool) -> Iterator[Case]:
    """All cases about one plain array; with ``few`` those of a thousand rows or classes are left out."""
    place = tuple(int(rng.integers(n)) for n in base.shape)
    yield from (Case(kind, ANSWER, make, base.copy) for kind, make in same_numbers(base))
    yield from (Case(kind, REFUSE, make) for kind, make in spoilt_numbers(base, place, negative))
    yield from (Case(kind, EITHER, make) for kind, make in odd_counts(base) if not (few and "1000" in kind))


def plain_numbers(value: Any) -> np.ndarray | None:
    """The array of a value that is surely one of numbers, for the laws; None where that is not sure."""
    if not isinstance(value, list | tuple | np.ndarray) or np.ma.isMaskedArray(value):
        return None
    try:
        found = np.asarray(value)
    except ValueError:
        return None
    if found.dtype.kind in "iuf":
        return found
    exact = found.dtype == object and all(isinstance(x, int | Fraction) for x in found.ravel().tolist())
    return found if exact else None


def _changed(base: np.ndarray, place: tuple[int, ...], value: Any) -> np.ndarray:
    found = base.copy()
    found[place] = value
    return found


def _tuples(listed: Any) -> Any:
    return tuple(map(_tuples, listed)) if isinstance(listed, list) else listed


def _mapped(function: Callable[[Any], Any], base: np.ndarray) -> Any:
    def over(listed: Any) -> Any:
        return [over(x) for x in listed] if isinstance(listed, list) else function(listed)

    return over(base.tolist())


def _pandas(base: np.ndarray) -> Any:
    return pd.Series(base) if base.ndim == 1 else pd.DataFrame(base, columns=list(range(base.shape[1])))
