"""The arrays of other libraries: torch, cupy, jax, dask and whatever else speaks the array API standard.

An array stays what it is, where it is: results are arrays of the same library on the same device, and nothing is
copied to the host. float32 counts are computed in float32; integers in float64, or in float32 where the library has no
float64 (jax, unless ``jax_enable_x64`` is set). A dask array is a promise: a function of tables is applied to its
blocks when somebody computes it, and not before.

Main definitions: ``ARRAY(xp)``, ``arithmetic_of`` (the arithmetic of an array), ``namespace`` (its library),
``of_other_library``, ``is_lazy``, ``blockwise``.
Source: the standard at data-apis.org/array-api, through array-api-compat.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from splitcrit.arith.base import Arithmetic
from splitcrit.arith.floats import FLOAT

OURS = frozenset({np.ndarray, np.float64, np.int64, list, tuple, int, float})  # decided without a closer look


def of_other_library(x: Any) -> bool:
    """Whether ``x`` is an array of a library other than numpy."""
    kind = type(x)
    if kind in OURS or isinstance(x, np.ndarray | np.generic | str):
        return False
    if not (hasattr(kind, "__array_namespace__") or kind.__module__.partition(".")[0] in ("torch", "dask")):
        return False
    return bool(_compat(x).is_array_api_obj(x))


def namespace(x: Any) -> Any:
    """The array-API namespace of an array: numpy's own for numpy arrays and numbers."""
    return _compat(x).array_namespace(x) if of_other_library(x) else np


def library(x: Any) -> str:
    """The name of the library an array belongs to."""
    return _named(namespace(x))


def _named(xp: Any) -> str:
    return str(xp.__name__).removeprefix("array_api_compat.").partition(".")[0]


def is_lazy(x: Any) -> bool:
    """Whether ``x`` is an array that is computed only when somebody asks: a dask array."""
    return of_other_library(x) and bool(_compat(x).is_dask_array(x))


def _compat(x: Any) -> Any:
    try:
        import array_api_compat
    except ImportError:
        rule = f"arrays of other libraries need array-api-compat; got an array of {type(x).__module__}"
        raise ImportError(f"{rule}; pip install 'splitcrit[arrays]', or pass numpy arrays") from None
    return array_api_compat


def device(x: Any) -> Any:
    """The device of an array of another library."""
    return _compat(x).device(x)


def on_device_of(x: Any) -> dict[str, Any]:
    """The keyword by which a new array comes to stand where ``x`` does; none for numpy."""
    return {"device": device(x)} if of_other_library(x) else {}


def working_dtype(x: Any) -> Any:
    """The dtype in which an array is computed: its own if it is a float, else the widest float there is."""
    xp = namespace(x)
    if xp.isdtype(x.dtype, "real floating"):
        return x.dtype
    return xp.__array_namespace_info__().dtypes(kind="real floating").get("float64", xp.float32)


def arithmetic_of(x: Any) -> Arithmetic:
    """FLOAT for numpy arrays, numbers and sequences, ``ARRAY(xp)`` for the arrays of other libraries."""
    return ARRAY(namespace(x), working_dtype(x)) if of_other_library(x) else FLOAT


def blockwise(function: Callable[..., Any], *counts: Any, axes: int = 2, entries: int = 0) -> Any:
    """The promise to apply a function of tables to every block of dask arrays, whose last axes are whole.

    The function takes one array per dask array and returns one value per table, or ``entries`` values in a last axis.
    """
    whole = [x.rechunk(dict.fromkeys(range(x.ndim - axes, x.ndim), -1)) for x in counts]
    batch = whole[0].ndim - axes
    several = bool(entries)
    meta = whole[0]._meta.sum(axis=tuple(range(batch, whole[0].ndim)), dtype=np.float64)
    apply = functools.partial(_in_block, function)
    chunks = whole[0].chunks[:batch] + (((entries,),) if several else ())
    return whole[0].map_blocks(
        apply, *whole[1:], dtype=np.float64, chunks=chunks, meta=meta[..., None] if several else meta,
        drop_axis=list(range(batch, batch + axes)), **({"new_axis": batch} if several else {}),
    )  # fmt: skip


def _in_block(function: Callable[..., Any], *blocks: Any) -> Any:
    values = function(*blocks)
    return values if hasattr(values, "ndim") else np.asarray(values)


@dataclass(frozen=True, eq=False)
class ARRAY:
    """The arithmetic of one array library and one float dtype; numbers among the operands are taken to the device.

    Parameters
    ----------
    xp
        A namespace of the array API: ``array_api_compat.array_namespace(x)``, or a library's own.
    dtype
        The float dtype of what is computed; float64 by default.

    Examples
    --------
    >>> from splitcrit import gini
    >>> gini.of([np.asarray([0.5, 0.25]), np.asarray([0.5, 0.75])], ARRAY(np)).tolist()
    [0.5, 0.375]
    """

    xp: Any
    dtype: Any = None

    def __post_init__(self) -> None:
        if self.dtype is None:
            object.__setattr__(self, "dtype", self.xp.float64)

    @property
    def name(self) -> str:
        return f"ARRAY({_named(self.xp)})"

    def cells(self, counts: Any) -> list[list[Any]]:
        """The counts ``(..., r, k)`` as arrays ``t[i][k]`` of the batch, each laid out by itself."""
        rows, classes = counts.shape[-2:]
        return [[self._float(counts[..., i, k]) for k in range(classes)] for i in range(rows)]

    def entries(self, weights: Any) -> list[Any]:
        """Weights ``(..., k)`` as arrays ``p[k]`` of the batch."""
        return [self._float(weights[..., k]) for k in range(weights.shape[-1])]

    def number(self, x: Any) -> Any:
        return float(x)

    def log(self, x: Any) -> Any:
        if isinstance(x, Real):
            return FLOAT.log(x)
        return self.where(x == 0, -math.inf, self.xp.log(self.where(x == 0, 1.0, x)))

    def xlogx(self, x: Any) -> Any:
        return FLOAT.xlogx(x) if isinstance(x, Real) else x * self.xp.log(self.where(x > 0, x, 1.0))

    def sqrt(self, x: Any) -> Any:
        return FLOAT.sqrt(x) if isinstance(x, Real) else self.xp.sqrt(self.where(x < 0, 0.0, x))

    def power(self, x: Any, a: Any) -> Any:
        return FLOAT.power(x, a) if isinstance(x, Real) else x ** float(a)

    def exp(self, x: Any) -> Any:
        if isinstance(x, Real):
            return FLOAT.exp(x)
        largest = math.log(float(self.xp.finfo(self.dtype).max)) * (1 - 1e-7)
        return self.where(x > largest, math.inf, self.xp.exp(self.where(x > largest, 0.0, x)))

    def max(self, items: Any) -> Any:
        return functools.reduce(functools.partial(self._chosen, max, self.xp.maximum), items)

    def min(self, items: Any) -> Any:
        return functools.reduce(functools.partial(self._chosen, min, self.xp.minimum), items)

    def abs(self, x: Any) -> Any:
        return abs(x)

    def where(self, condition: Any, a: Any, b: Any) -> Any:
        if isinstance(condition, bool | np.bool_):
            return a if condition else b
        if isinstance(a, Real) and isinstance(b, Real):
            a = self._at(a, condition)
        a, b = (float(x) if isinstance(x, Real) else x for x in (a, b))
        return self.xp.where(condition, a, b)

    def _float(self, x: Any) -> Any:
        return self.xp.astype(x, self.dtype, copy=True)

    def _at(self, number: Any, like: Any) -> Any:
        """A number as an array without axes on the device of another array."""
        return self.xp.full((), float(number), dtype=self.dtype, device=device(like))

    def _chosen(self, ours: Any, theirs: Any, a: Any, b: Any) -> Any:
        """The choice of two numbers, or of two arrays, one of which may be a number."""
        if isinstance(a, Real) and isinstance(b, Real):
            return ours(a, b)
        return theirs(self._at(a, b) if isinstance(a, Real) else a, self._at(b, a) if isinstance(b, Real) else b)
