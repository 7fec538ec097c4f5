"""Counts that are arrays of another library: checked where they are, by one truth value a table array.

Main definitions: ``device_counts`` (validation), ``on_host``, ``summed``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from splitcrit.arith import is_lazy, library, namespace, of_other_library
from splitcrit.arith.array_libraries import working_dtype
from splitcrit.data.counting import cell, rows_and_columns, widened
from splitcrit.frozen import complaint

EXACT_FLOAT32 = 2**24  # below it a float32 that is integral stands for one integer only
LARGEST_TOTAL32 = 2.0**31  # products of four such totals are finite in float32


def device_counts(counts: Any, whole: bool = False) -> Any:
    """An array ``(..., r, k)`` of another library after one check on its device; dask blocks are checked later.

    Raises
    ------
    ValueError
        If counts are negative, not finite, above 2**24 in float32, or no tables; if they are to be ``whole``, and one
        is none.
    TypeError
        If they are no real numbers.
    """
    rows_and_columns(tuple(counts.shape))
    xp = namespace(counts)
    integral = xp.isdtype(counts.dtype, "integral")
    if not (integral or xp.isdtype(counts.dtype, "real floating")):
        rule = "class counts must be integers or floats"
        raise TypeError(complaint(rule, f"an array of {counts.dtype}", "cast it to int64 or float64"))
    if is_lazy(counts):
        return counts.map_blocks(device_counts, whole, dtype=counts.dtype, meta=counts._meta)
    largest = _largest(counts)
    good = (counts >= 0) & (counts <= (int(largest) if integral else largest))
    if whole and not integral:
        good &= counts == xp.floor(counts)
    if not bool(xp.all(good)):
        raise ValueError(_about(counts, good, largest))
    return counts


def _largest(counts: Any) -> float:
    """The largest count that may stand in a table: its sums neither wrap nor overflow, float32 is exact."""
    xp, cells = namespace(counts), math.prod(counts.shape[-2:])
    limits = xp.iinfo if xp.isdtype(counts.dtype, "integral") else xp.finfo
    most: float = float(limits(counts.dtype).max) / 2 / cells
    in_float32 = bool(working_dtype(counts) == xp.float32)
    return min(most, float(EXACT_FLOAT32), LARGEST_TOTAL32 / cells) if in_float32 else most


def _about(counts: Any, good: Any, largest: float) -> str:
    """The sentence about the first entry that is not good; only this one number leaves the device."""
    xp = namespace(counts)
    place = int(xp.argmin(xp.astype(xp.reshape(good, (-1,)), xp.int32)))
    index = tuple(int(i) for i in np.unravel_index(place, tuple(counts.shape)))
    entry = int(counts[index]) if xp.isdtype(counts.dtype, "integral") else float(counts[index])
    got = f"{entry} at {cell(index)}"
    if entry < 0:
        return complaint("class counts must be non-negative", got, "pass counts, not differences")
    if not math.isfinite(entry):
        return complaint("class counts must be finite", got, "drop or fill what is missing")
    if entry <= largest:
        rule, remedy = "counts must be integers for an exact null law", "pass counts, not weights or proportions"
        return complaint(rule, got, remedy)
    if working_dtype(counts) == xp.float32:
        rule = f"counts computed in float32 must be at most {largest:.0f} in a table of this shape"
        return complaint(rule, got, "cast them to float64, where the library has it")
    return complaint("the total of a table must not overflow", got, "scale the weights down")


def on_host(counts: Any, method: str) -> Any:
    """Numpy counts as they are; refuse to copy those of another library in silence."""
    if not of_other_library(counts):
        return counts
    got = f"an array of {library(counts)}"
    raise TypeError(complaint(f"{method} works on numpy counts", got, "copy it to the host, and pass the copy"))


def summed(counts: Any, axis: Any) -> Any:
    """Sums of counts: exact for numpy's integers of any size; for another library the validation saw to it."""
    if of_other_library(counts):
        return namespace(counts).sum(counts, axis=axis)
    return np.asarray(widened(counts).sum(axis=axis))


def as_floats(counts: Any) -> Any:
    """Counts as float64, where the largest is one."""
    try:
        return counts.astype(float)
    except OverflowError:
        rule = "counts of a criterion that is no function of proportions are finite in float64"
        raise ValueError(complaint(rule, "an integer above 1e308", "divide them, or ask for exact()")) from None
